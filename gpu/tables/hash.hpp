#pragma once

#include "gpu/base/pair_format.hpp"
#include "gpu/base/random.hpp"
#include "gpu/tables/settings.hpp"

#include <bit>

namespace slotscape {

/// The inverses of the hashes, which are bijections of words. With them, keys can be made for any home.
namespace bijection {

/// x ^= x >> shift, undone: each round restores `shift` more bits from the top.
template <class U>
SLOTSCAPE_HOST_DEVICE constexpr U undo_xorshift(U x, int shift)
{
  U result = x;
  for (int known = shift; known < static_cast<int>(8 * sizeof(U)); known += shift) { result = x ^ (result >> shift); }
  return result;
}

/// The inverse of an odd number modulo 2^bits, by Newton's iteration (each step doubles the correct bits).
template <class U>
SLOTSCAPE_HOST_DEVICE constexpr U inverse(U odd)
{
  U result = odd;
  for (int step = 0; step < 6; ++step) { result *= U{2} - odd * result; }
  return result;
}

}  // namespace bijection

/// The constants of a hash of 32-bit or 64-bit words: rounds of xorshift and multiplication.
/// murmur3: the finaliser of MurmurHash3 (Appleby); xxhash: the final avalanche of xxHash (Collet); fibonacci:
/// multiplication by 2^bits over the golden ratio (Knuth, TAOCP 3, 6.4).
template <class U>
struct HashRounds {
  U xorshift = 0;  ///< all ones if the hash has xorshifts
  U first_multiplier = 1;
  U second_multiplier = 1;
  int first_shift = 0;
  int second_shift = 0;
  int last_shift = 0;

  static constexpr HashRounds of(HashKind kind)
  {
    constexpr bool wide = sizeof(U) == 8;
    constexpr auto c = [](std::uint64_t long_word, std::uint32_t word) {
      return wide ? static_cast<U>(long_word) : static_cast<U>(word);
    };
    switch (kind) {
      case HashKind::murmur3:
        return {static_cast<U>(~U{0}),
                c(0xff51afd7ed558ccdu, 0x85ebca6bu),
                c(0xc4ceb9fe1a85ec53u, 0xc2b2ae35u),
                wide ? 33 : 16,
                wide ? 33 : 13,
                wide ? 33 : 16};
      case HashKind::xxhash:
        return {static_cast<U>(~U{0}),
                c(0xc2b2ae3d27d4eb4fu, 0x85ebca77u),
                c(0x165667b19e3779f9u, 0xc2b2ae3du),
                wide ? 33 : 15,
                wide ? 29 : 13,
                wide ? 32 : 16};
      case HashKind::fibonacci: return {0, c(0x9e3779b97f4a7c15u, 0x9e3779b9u)};
      case HashKind::identity: break;
    }
    return {};
  }

  SLOTSCAPE_HOST_DEVICE constexpr U operator()(U key) const
  {
    U x = (key ^ ((key >> first_shift) & xorshift)) * first_multiplier;
    x = (x ^ ((x >> second_shift) & xorshift)) * second_multiplier;
    return x ^ ((x >> last_shift) & xorshift);
  }

  /// The key whose hash is x.
  SLOTSCAPE_HOST_DEVICE constexpr U undo(U x) const
  {
    if (xorshift != 0) { x = bijection::undo_xorshift(x, last_shift); }
    x *= bijection::inverse(second_multiplier);
    if (xorshift != 0) { x = bijection::undo_xorshift(x, second_shift); }
    x *= bijection::inverse(first_multiplier);
    return xorshift != 0 ? bijection::undo_xorshift(x, first_shift) : x;
  }
};

/// Maps keys of type U to home slots, for any number of slots from 2 to 2^31. For a power of two, it takes the low bits
/// of the hash (the high ones for fibonacci); for any other number, it scales the hash (Lemire 2019), or takes the
/// remainder for identity. Branch-free, since it runs for millions of slots.
template <class U>
struct BasicHasher {
  constexpr BasicHasher() = default;
  constexpr BasicHasher(HashKind kind, std::uint64_t slots)
      : rounds_(HashRounds<U>::of(kind)), slots_(slots), kind_(kind)
  {
    bool const power_of_two = std::has_single_bit(slots);
    mask_ = power_of_two ? static_cast<Slot>(slots - 1) : 0;
    down_ = power_of_two && kind == HashKind::fibonacci ? width - static_cast<int>(std::bit_width(slots)) + 1 : 0;
  }

  SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t slots() const { return slots_; }
  constexpr HashRounds<U> const& rounds() const { return rounds_; }
  SLOTSCAPE_HOST_DEVICE constexpr HashKind kind() const { return kind_; }
  /// slots - 1 where that is a power of two, else 0.
  constexpr Slot mask() const { return mask_; }
  /// By how many bits a hash is shifted down before `mask` applies.
  constexpr int down() const { return down_; }

  SLOTSCAPE_HOST_DEVICE constexpr Slot home(U key) const
  {
    U const x = rounds_(key);
    if (mask_ != 0) { return static_cast<Slot>(x >> down_) & mask_; }
    if (kind_ == HashKind::identity) { return static_cast<Slot>(x % slots_); }
    return static_cast<Slot>((top(x) * slots_) >> 32);
  }

  /// The least number of keys that share a home slot.
  SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t keys_per_home() const { return (std::uint64_t{1} << 32) / slots_; }

  /// The `number`-th key whose home is `home`, number < `keys_per_home`: the hash run backwards.
  SLOTSCAPE_HOST_DEVICE constexpr U key_with_home(Slot home, std::uint64_t number) const
  {
    if (mask_ != 0) {
      U const low = kind_ == HashKind::fibonacci ? (U{home} << down_) | static_cast<U>(number)
                                                 : U{home} | static_cast<U>(number * slots_);
      return rounds_.undo(low);
    }
    if (kind_ == HashKind::identity) { return static_cast<U>(home + number * slots_); }
    std::uint64_t const first = ((std::uint64_t{home} << 32) + slots_ - 1) / slots_;
    return rounds_.undo(static_cast<U>(first + number) << (width - 32));
  }

private:
  static constexpr int width = 8 * sizeof(U);
  SLOTSCAPE_HOST_DEVICE static constexpr std::uint64_t top(U x) { return x >> (width - 32); }

  HashRounds<U> rounds_{};
  std::uint64_t slots_ = 2;
  HashKind kind_ = HashKind::murmur3;
  Slot mask_ = 1;  ///< slots - 1 where that is a power of two, else 0
  int down_ = 0;
};

template <PairFormat Format>
using HasherOf = BasicHasher<typename Format::Key>;

/// One of many independent hash functions, selected by `seed`: 64 pseudo-random bits for a key.
template <class U>
SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t seeded_hash(std::uint64_t seed, U key)
{
  return random64(seed, key);
}

/// The top bits of a 64-bit hash scaled to 0 ... bound - 1 (Lemire 2019), bound <= 2^32.
SLOTSCAPE_HOST_DEVICE constexpr std::uint32_t scaled(std::uint64_t hash, std::uint64_t bound)
{
  return static_cast<std::uint32_t>(((hash >> 32) * bound) >> 32);
}

}  // namespace slotscape
