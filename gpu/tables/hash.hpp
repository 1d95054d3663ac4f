#pragma once

#include "gpu/tables/types.hpp"
#include "gpu/workloads/settings.hpp"

namespace slotscape {

/// The inverses of the hashes, which are bijections of 32-bit words: so we can make keys for any home.
namespace bijection {

/// x ^= x >> shift, undone: each round restores `shift` more bits from the top.
SLOTSCAPE_HOST_DEVICE constexpr std::uint32_t undo_xorshift(std::uint32_t x, int shift)
{
  std::uint32_t result = x;
  for (int known = shift; known < 32; known += shift) { result = x ^ (result >> shift); }
  return result;
}

/// The inverse of an odd number modulo 2^32, by Newton's iteration (each step doubles the correct bits).
SLOTSCAPE_HOST_DEVICE constexpr std::uint32_t inverse(std::uint32_t odd)
{
  std::uint32_t result = odd;
  for (int step = 0; step < 5; ++step) { result *= 2u - odd * result; }
  return result;
}

/// MurmurHash3's 32-bit finaliser (Appleby, public domain), undone.
SLOTSCAPE_HOST_DEVICE constexpr std::uint32_t undo_murmur3(std::uint32_t x)
{
  x = undo_xorshift(x, 16) * inverse(0xc2b2ae35u);
  x = undo_xorshift(x, 13) * inverse(0x85ebca6bu);
  return undo_xorshift(x, 16);
}

/// The final avalanche of xxHash32 (Collet), a cousin of the whole hash for one 32-bit word, undone.
SLOTSCAPE_HOST_DEVICE constexpr std::uint32_t undo_xxhash(std::uint32_t x)
{
  x = undo_xorshift(x, 16) * inverse(0xc2b2ae3du);
  x = undo_xorshift(x, 13) * inverse(0x85ebca77u);
  return undo_xorshift(x, 15);
}

/// 2^32 divided by the golden ratio, odd (Knuth, TAOCP 3, 6.4).
inline constexpr std::uint32_t golden = 0x9e3779b9u;

}  // namespace bijection

/// Points keys to home slots of a table of 2^bits slots, 1 <= bits <= 31. All four hashes are rounds of xorshift and
/// multiplication that differ in their constants alone: nothing branches where millions of slots are looked at.
struct Hasher {
  HashKind kind = HashKind::murmur3;
  int bits = 1;

  constexpr Hasher() = default;
  constexpr Hasher(HashKind hash, int table_bits) : kind(hash), bits(table_bits), mask_((Slot{1} << table_bits) - 1)
  {
    switch (kind) {
      case HashKind::murmur3: *this = rounds(*this, 16, 0x85ebca6bu, 13, 0xc2b2ae35u); break;
      case HashKind::xxhash: *this = rounds(*this, 15, 0x85ebca77u, 13, 0xc2b2ae3du); break;
      case HashKind::fibonacci:
        first_multiplier_ = bijection::golden;
        down_ = 32 - bits;
        break;
      case HashKind::identity: break;
    }
  }

  SLOTSCAPE_HOST_DEVICE constexpr Slot home(Key key) const
  {
    std::uint32_t x = (key ^ ((key >> first_shift_) & xorshift_)) * first_multiplier_;
    x = (x ^ ((x >> second_shift_) & xorshift_)) * second_multiplier_;
    x ^= (x >> 16) & xorshift_;
    return (x >> down_) & mask_;
  }

  /// The `number`-th key whose home is `home`, 0 <= number < 2^(32 - bits): the hash run backwards.
  SLOTSCAPE_HOST_DEVICE Key key_with_home(Slot home, std::uint32_t number) const
  {
    std::uint32_t const low = home | (number << bits);
    switch (kind) {
      case HashKind::murmur3: return bijection::undo_murmur3(low);
      case HashKind::xxhash: return bijection::undo_xxhash(low);
      case HashKind::fibonacci: return ((home << (32 - bits)) | number) * bijection::inverse(bijection::golden);
      case HashKind::identity: break;
    }
    return low;
  }

  SLOTSCAPE_HOST_DEVICE constexpr Slot mask() const { return mask_; }

private:
  static constexpr Hasher rounds(Hasher hasher, int first_shift, std::uint32_t first, int second_shift,
                                 std::uint32_t second)
  {
    hasher.xorshift_ = 0xffffffffu;
    hasher.first_shift_ = first_shift;
    hasher.first_multiplier_ = first;
    hasher.second_shift_ = second_shift;
    hasher.second_multiplier_ = second;
    return hasher;
  }

  Slot mask_ = 1;
  std::uint32_t xorshift_ = 0;  ///< all ones where the hash has xorshifts
  std::uint32_t first_multiplier_ = 1;
  std::uint32_t second_multiplier_ = 1;
  int first_shift_ = 0;
  int second_shift_ = 0;
  int down_ = 0;
};

}  // namespace slotscape
