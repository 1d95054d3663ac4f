#pragma once

#include "gpu/base/types.hpp"

#include <cstdint>
#include <string>

namespace slotscape {

/// The representation of a number in a word. Tables of this program store codes of numbers (`library::Code`), whose
/// words sort like the numbers: for signed integers, the sign bit is inverted, and for negative floating-point numbers,
/// all bits. The number is in the low `bits` bits.
struct NumberCode {
  int bits = 64;
  bool is_signed = false;
  bool is_float = false;    ///< IEEE 754, 32 or 64 bits
  bool is_ordered = false;  ///< words sort like the numbers
  friend bool operator==(NumberCode const&, NumberCode const&) = default;

  SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t sign() const { return std::uint64_t{1} << (bits - 1); }
  SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t all() const { return sign() | (sign() - 1); }

  /// The number's own bits; signed integers are extended to 64 bits.
  SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t number(std::uint64_t word) const
  {
    if (is_float) {
      if (!is_ordered) { return word & all(); }
      return (word & sign()) != 0 ? (word ^ sign()) & all() : ~word & all();
    }
    if (!is_signed) { return word; }
    std::uint64_t const own = (is_ordered ? word ^ sign() : word) & all();
    return (own ^ sign()) - sign();
  }
  /// The word of an integer, given in the format of `number`.
  SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t word_of_integer(std::uint64_t number) const
  {
    if (!is_signed) { return number; }
    return is_ordered ? (number & all()) ^ sign() : number & all();
  }
};

/// The number that a word represents: "42", "-5", "1.5".
std::string number_text(NumberCode const& code, std::uint64_t word);

}  // namespace slotscape
