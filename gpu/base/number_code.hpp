#pragma once

#include "gpu/base/types.hpp"

#include <cstdint>
#include <string>

namespace slotscape {

/// How a number lies in a word. Tables of this program store the codes of numbers (`library::Code`), whose words are in
/// the order of the numbers: of signed integers, the sign bit is inverted; of floating-point numbers, all bits of those
/// below 0 are. The number is in the low `bits` bits.
struct NumberCode {
  int bits = 64;
  bool is_signed = false;
  bool is_float = false;    ///< of IEEE 754, 32 or 64 bits
  bool is_ordered = false;  ///< words are in the order of the numbers
  friend bool operator==(NumberCode const&, NumberCode const&) = default;

  SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t sign() const { return std::uint64_t{1} << (bits - 1); }
  SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t all() const { return sign() | (sign() - 1); }

  /// The number's own bits; those of signed integers are extended to 64.
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
  /// The word of an integer, given as `number` has it.
  SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t word_of_integer(std::uint64_t number) const
  {
    if (!is_signed) { return number; }
    return is_ordered ? (number & all()) ^ sign() : number & all();
  }
};

/// The number that a word stands for: "42", "-5", "1.5".
std::string number_text(NumberCode const& code, std::uint64_t word);

}  // namespace slotscape
