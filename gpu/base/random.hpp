#pragma once

#include "gpu/base/types.hpp"

namespace slotscape {

/// Counter-based random numbers: item `number` of the sequence `seed`, which any thread can compute directly
/// (SplitMix64, Steele, Lea & Flood 2014).
SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t random64(std::uint64_t seed, std::uint64_t number)
{
  std::uint64_t x = seed * 0xd1342543de82ef95u + (number + 1) * 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// A uniform random number in [0, 1).
SLOTSCAPE_HOST_DEVICE constexpr double random_unit(std::uint64_t seed, std::uint64_t number)
{
  return static_cast<double>(random64(seed, number) >> 11) * 0x1p-53;
}

/// A random integer in [0, bound), bound < 2^32 (Lemire 2019, without the rejection: the bias is below 2^-32).
SLOTSCAPE_HOST_DEVICE constexpr std::uint32_t random_below(std::uint64_t seed, std::uint64_t number,
                                                           std::uint64_t bound)
{
  return static_cast<std::uint32_t>(((random64(seed, number) >> 32) * bound) >> 32);
}

/// A pseudo-random bijection of [0, 2^bits): rounds of odd multiplications and xorshifts, all of them invertible.
struct Permutation {
  std::uint64_t seed;
  int bits;  ///< 0 to 32

  SLOTSCAPE_HOST_DEVICE constexpr std::uint32_t operator()(std::uint32_t x) const
  {
    if (bits == 0) { return 0; }
    std::uint32_t const mask = bits == 32 ? 0xffffffffu : (1u << bits) - 1;
    int const shift = bits / 2 + 1;
    for (std::uint64_t round = 0; round < 4; ++round) {
      std::uint64_t const constants = random64(seed, round);
      x = (x * (static_cast<std::uint32_t>(constants) | 1u) + static_cast<std::uint32_t>(constants >> 32)) & mask;
      x ^= shift < 32 ? x >> shift : 0u;
    }
    return x;
  }
};

/// A pseudo-random bijection of [0, size), size <= 2^32: walks along the cycles of a larger one (Black & Rogaway 2002).
struct Shuffle {
  std::uint64_t size;
  Permutation permutation;

  SLOTSCAPE_HOST_DEVICE constexpr std::uint32_t operator()(std::uint32_t x) const
  {
    do {
      x = permutation(x);
    } while (x >= size);
    return x;
  }
};

inline Shuffle make_shuffle(std::uint64_t seed, std::uint64_t size)
{
  int bits = 0;
  while ((std::uint64_t{1} << bits) < size) { ++bits; }
  return {size, {seed, bits}};
}

}  // namespace slotscape
