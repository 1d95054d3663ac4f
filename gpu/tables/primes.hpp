#pragma once

#include <cstdint>

namespace slotscape {

/// Uses trial division.
constexpr bool is_prime(std::uint64_t number)
{
  if (number < 4) { return number > 1; }
  if (number % 2 == 0) { return false; }
  for (std::uint64_t divisor = 3; divisor * divisor <= number; divisor += 2) {
    if (number % divisor == 0) { return false; }
  }
  return true;
}

/// The smallest prime >= `number`.
constexpr std::uint64_t next_prime(std::uint64_t number)
{
  while (!is_prime(number)) { ++number; }
  return number;
}

/// The largest prime <= `number`, which must be at least 2.
constexpr std::uint64_t prime_up_to(std::uint64_t number)
{
  while (!is_prime(number)) { --number; }
  return number;
}

}  // namespace slotscape
