#pragma once

#include "gpu/tables/types.hpp"
#include "gpu/workloads/settings.hpp"

namespace slotscape {

/// Bijections of 32-bit words, and their inverses. Bijective hashes lose nothing, and let us make keys for any home.
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

/// MurmurHash3's 32-bit finaliser (Appleby, public domain).
SLOTSCAPE_HOST_DEVICE constexpr std::uint32_t murmur3(std::uint32_t x)
{
  x = (x ^ (x >> 16)) * 0x85ebca6bu;
  x = (x ^ (x >> 13)) * 0xc2b2ae35u;
  return x ^ (x >> 16);
}

SLOTSCAPE_HOST_DEVICE constexpr std::uint32_t undo_murmur3(std::uint32_t x)
{
  x = undo_xorshift(x, 16) * inverse(0xc2b2ae35u);
  x = undo_xorshift(x, 13) * inverse(0x85ebca6bu);
  return undo_xorshift(x, 16);
}

/// The final avalanche of xxHash32 (Collet): a cousin of the whole hash for one 32-bit word.
SLOTSCAPE_HOST_DEVICE constexpr std::uint32_t xxhash(std::uint32_t x)
{
  x = (x ^ (x >> 15)) * 0x85ebca77u;
  x = (x ^ (x >> 13)) * 0xc2b2ae3du;
  return x ^ (x >> 16);
}

SLOTSCAPE_HOST_DEVICE constexpr std::uint32_t undo_xxhash(std::uint32_t x)
{
  x = undo_xorshift(x, 16) * inverse(0xc2b2ae3du);
  x = undo_xorshift(x, 13) * inverse(0x85ebca77u);
  return undo_xorshift(x, 15);
}

/// 2^32 divided by the golden ratio, odd (Knuth, TAOCP 3, 6.4).
inline constexpr std::uint32_t golden = 0x9e3779b9u;

}  // namespace bijection

/// Points keys to home slots of a table of 2^bits slots, 1 <= bits <= 31.
struct Hasher {
  HashKind kind;
  int bits;

  SLOTSCAPE_HOST_DEVICE Slot home(Key key) const
  {
    switch (kind) {
      case HashKind::murmur3: return bijection::murmur3(key) & mask();
      case HashKind::xxhash: return bijection::xxhash(key) & mask();
      case HashKind::fibonacci: return (key * bijection::golden) >> (32 - bits);
      case HashKind::identity: break;
    }
    return key & mask();
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

  SLOTSCAPE_HOST_DEVICE Slot mask() const { return (Slot{1} << bits) - 1; }
};

}  // namespace slotscape
