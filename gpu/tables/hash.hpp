#pragma once

#include "gpu/base/error.hpp"
#include "gpu/base/pair_format.hpp"
#include "gpu/base/random.hpp"
#include "gpu/tables/settings.hpp"

#include <bit>

namespace slotscape {

/// Maps keys of type U to home slots, for any number of slots from 2 to 2^31. For a power of two, takes the low bits of
/// the hash (the high bits for fibonacci); for any other number, scales the hash (Lemire 2019), or takes the remainder
/// for identity. Branch-free, since it runs for millions of slots.
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

  /// Throws Error for a hash that is not compiled in: use `FormulaHasher` for those.
  BasicHasher(HashChoice const& choice, std::uint64_t slots) : BasicHasher(compiled_in(choice), slots) {}

  SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t slots() const { return slots_; }
  constexpr HashRounds<U> const& rounds() const { return rounds_; }
  SLOTSCAPE_HOST_DEVICE constexpr HashKind kind() const { return kind_; }
  /// slots - 1 if the number of slots is a power of two, else 0.
  constexpr Slot mask() const { return mask_; }
  /// The number of bits by which a hash is shifted right before `mask` applies.
  constexpr int down() const { return down_; }

  SLOTSCAPE_HOST_DEVICE constexpr Slot home(U key) const
  {
    U const x = rounds_(key);
    if (mask_ != 0) { return static_cast<Slot>(x >> down_) & mask_; }
    if (kind_ == HashKind::identity) { return static_cast<Slot>(x % slots_); }
    return static_cast<Slot>((top(x) * slots_) >> 32);
  }

  /// The minimum number of keys that share a home slot.
  SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t keys_per_home() const { return (std::uint64_t{1} << 32) / slots_; }

  /// The `number`-th key whose home is `home`, number < `keys_per_home`: inverts the hash.
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
  static HashKind compiled_in(HashChoice const& choice)
  {
    if (choice.is_compiled_in()) { return choice.kind; }
    throw Error(
        "Formulas and chosen reductions are not for tables of this kind: choose one of the hashes with a name.");
  }

  static constexpr int width = 8 * sizeof(U);
  SLOTSCAPE_HOST_DEVICE static constexpr std::uint64_t top(U x) { return x >> (width - 32); }

  HashRounds<U> rounds_{};
  std::uint64_t slots_ = 2;
  HashKind kind_ = HashKind::murmur3;
  Slot mask_ = 1;  ///< slots - 1 if the number of slots is a power of two, else 0
  int down_ = 0;
};

template <PairFormat Format>
using HasherOf = BasicHasher<typename Format::Key>;

/// One of many independent hash functions, selected by `seed`: maps a key to 64 pseudo-random bits.
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
