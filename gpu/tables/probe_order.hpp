#pragma once

#include "gpu/base/types.hpp"

namespace slotscape {

/// The order in which elastic hashing probes several arrays (Farach-Colton, Krapivin & Kuszmaul 2025, lemma 1): pairs
/// (i, j) of an array and the number of a probe in it, both from 1, by phi(i, j) = O(i j^2). The binary digits of phi
/// are 1 b1 1 b2 ... 1 bq 0 a1 ... ap, where b are the digits of j, and a those of i. So pairs are ordered by their
/// number of digits, and pairs with equally many digits by a walk through the tree of all j. No pair is skipped, unless
/// its array is beyond the last one.
class ProbeOrder {
public:
  static constexpr std::uint32_t max_arrays = 31;

  SLOTSCAPE_HOST_DEVICE explicit constexpr ProbeOrder(std::uint32_t arrays) : arrays_(arrays) {}

  SLOTSCAPE_HOST_DEVICE constexpr std::uint32_t array() const { return i_; }
  SLOTSCAPE_HOST_DEVICE constexpr std::uint32_t probe() const { return j_; }

  SLOTSCAPE_HOST_DEVICE constexpr void next()
  {
    if (i_ != arrays_ && i_ + 1 != 1u << digits_of_i_) {
      ++i_;
      return;
    }
    do {
      next_probe();
    } while (digits_of_i_ > max_digits || first_with(digits_of_i_) > arrays_);
    i_ = first_with(digits_of_i_);
  }

  /// The number of pairs before this one.
  SLOTSCAPE_HOST_DEVICE static constexpr std::uint32_t place_of(std::uint32_t arrays, std::uint32_t i, std::uint32_t j)
  {
    int const digits = digits_of(j);
    int const all = 2 * digits + digits_of(i);  // digits of phi, not counting the 0 in the middle
    std::uint32_t count = 0;
    for (int p = 1; p <= max_digits && first_with(p) <= arrays; ++p) {
      std::uint32_t const last = (1u << p) - 1 < arrays ? (1u << p) - 1 : arrays;
      std::uint32_t const alike = last - first_with(p) + 1;  // number of arrays with p digits
      if (all <= p) { break; }
      int const others = (all - p) / 2;  // digits of the largest j
      if ((all - p) % 2 != 0) {
        count += alike * ((1u << others) - 1);
      } else if (others == digits) {
        count += alike * (j - 1) + i - first_with(p);
      } else if (others < digits) {
        count += alike * (j >> (digits - others));
      } else {
        count += alike * ((j << (others - digits)) - 1);
      }
    }
    return count;
  }

private:
  static constexpr int max_digits = 5;  ///< of i

  SLOTSCAPE_HOST_DEVICE static constexpr std::uint32_t first_with(int digits) { return 1u << (digits - 1); }
  SLOTSCAPE_HOST_DEVICE static constexpr int digits_of(std::uint32_t number)
  {
    int digits = 0;
    for (; number != 0; number >>= 1) { ++digits; }
    return digits;
  }

  /// Advances to the next j that leaves digits for i, or to the first j of a phi with one digit more.
  SLOTSCAPE_HOST_DEVICE constexpr void next_probe()
  {
    if (digits_of_i_ > 2) {
      j_ *= 2;
      digits_of_i_ -= 2;
      return;
    }
    for (; j_ % 2 != 0; j_ /= 2) { digits_of_i_ += 2; }
    if (j_ != 0) {
      ++j_;
      return;
    }
    j_ = 1;
    digits_of_i_ -= 1;  // the first digit of j gave two digits back, one of which is new
  }

  std::uint32_t arrays_;
  std::uint32_t i_ = 1;
  std::uint32_t j_ = 1;
  int digits_of_i_ = 1;
};

}  // namespace slotscape
