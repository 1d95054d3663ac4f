#pragma once

#include "gpu/base/types.hpp"

#include <array>

namespace slotscape {

/// The hash functions of tables: four that are compiled in, and formulas (gpu/tables/hash_formula.hpp).
enum class HashKind : std::uint8_t { murmur3, xxhash, fibonacci, identity, formula };
inline constexpr std::array compiled_in_hashes{HashKind::murmur3, HashKind::xxhash, HashKind::fibonacci,
                                               HashKind::identity};

/// The inverses of the hashes, which are bijections of words. With them, keys can be generated for any home.
namespace bijection {

/// Inverts x ^= x >> shift: each round restores `shift` more bits, from the top.
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
      case HashKind::identity:
      case HashKind::formula: break;
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

}  // namespace slotscape
