#pragma once

#include "gpu/base/types.hpp"

namespace slotscape {

/// The inverse of a step: `step` * `factor` = `divisor` modulo the modulus for which it was computed. `divisor` is the
/// greatest common divisor of step and modulus.
struct StepInverse {
  std::uint64_t divisor;
  std::uint64_t factor;
};

/// Uses Euclid's extended algorithm (Knuth, TAOCP 2, 4.5.2). step: 1 to modulus - 1.
SLOTSCAPE_HOST_DEVICE constexpr StepInverse inverse_of_step(std::uint32_t step, std::uint32_t modulus)
{
  std::uint32_t divisor = step;
  std::uint32_t rest = modulus;
  std::int64_t factor = 1;
  std::int64_t next = 0;
  while (rest != 0) {
    std::uint32_t const quotient = divisor / rest;
    std::uint32_t const smaller = divisor - quotient * rest;
    std::int64_t const later = factor - static_cast<std::int64_t>(quotient) * next;
    divisor = rest;
    rest = smaller;
    factor = next;
    next = later;
  }
  return {divisor, static_cast<std::uint64_t>(factor < 0 ? factor + static_cast<std::int64_t>(modulus) : factor)};
}

/// How many slots `slot` is after `home`, wrapping round the end of the table.
SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t slots_behind(Slot home, Slot slot, std::uint64_t slots)
{
  return slot >= home ? slot - home : slot + slots - home;
}

/// The number of squares modulo `modulus`, which is at least 1: the product of the numbers for its prime powers (Stangl
/// 1996, 'Counting squares in Z_n').
constexpr std::uint64_t squares_modulo(std::uint64_t modulus)
{
  std::uint64_t squares = 1;
  for (std::uint64_t prime = 2; modulus != 1; ++prime) {
    if (prime * prime > modulus) { prime = modulus; }  // the rest is a prime
    std::uint64_t power = 1;
    for (; modulus % prime == 0; modulus /= prime) { power *= prime; }
    if (power != 1) { squares *= prime == 2 ? power / 6 + 2 : power * prime / (2 * prime + 2) + 1; }
  }
  return squares;
}

/// The number t below `slots`, a power of two, whose triangular number t (t + 1) / 2 is `sum` modulo `slots`. Found bit
/// by bit: adding 2^i to t changes bit i - 1 of the sum, and no lower bit.
SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t triangular_root(std::uint64_t sum, std::uint64_t slots)
{
  std::uint64_t root = 0;
  for (std::uint64_t bit = 2; bit <= slots; bit *= 2) {
    std::uint64_t const found = root * (root + 1) / 2;
    if (((found ^ sum) & (bit / 2)) != 0) { root += bit; }
  }
  std::uint64_t const mirrored = 2 * slots - 1 - root;  // has the same triangular number
  return root < mirrored ? root : mirrored;
}

}  // namespace slotscape
