#pragma once

#include "gpu/base/error.hpp"
#include "gpu/tables/formula_hasher.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

/// Hash functions written by users: `(7*k + 3) % 11`.
///
/// - Variables: k, the key; m, the number of slots (or of heads or buckets); x, y and z, the coordinates of a cell, 10
///   bits each in a 32-bit key and 21 in a 64-bit key (`hash_functions::coordinate`).
/// - Numbers: 17, 0x11 and, with a fraction, 0.618034. Whole numbers are unsigned 64-bit numbers, modulo 2^64; 32-bit
///   keys
///   are such numbers below 2^32. A fraction has 64 bits after the point, and decimals are rounded up to 64 bits, so
///   that floor(0.1 * k) is also right for k = 10, and all machines compute the same.
/// - Operators, as in C, from the highest precedence to the lowest: - ~ before a number; * / %; + -; << >>; &; ^
///   (exclusive or); |. Fractions have + - * only. x / 0 is 0 and x % 0 is x, unless the division by zero is refused
///   when the formula is parsed; shifts by 64 or more give 0.
/// - Functions: `hash_words`.
namespace slotscape {

/// The maximum length of a formula, in characters.
inline constexpr std::size_t longest_formula = 240;

/// A formula that cannot be parsed. The message ends with the column, counted from 1.
struct FormulaError : Error {
  FormulaError(std::string const& what, std::size_t at) : Error(what), column(at) {}
  std::size_t column;
};

/// `text`: a formula, or the name of a ready-made one. Throws Error if the formula is wrong, with the column, or if it
/// is too long, with the reason.
HashFormula parse_hash_formula(std::string_view text);

/// A word of the formula language, and its meaning.
struct HashWord {
  std::string_view use;  ///< "rotl(a, n)"
  std::string_view help;
};
/// All functions.
std::span<HashWord const> hash_words();

/// A named hash function, as a formula.
struct ReadyFormula {
  std::string_view name;
  std::string_view formula;
  std::string_view help;  ///< its source, and notes
  bool of_cells = false;  ///< hashes x, y and z
};
std::span<ReadyFormula const> ready_formulas();

/// The computation of a key's home, with the numbers filled in: "7 · 15 + 3 = 108; 108 mod 11 = 9".
std::string explain_home(FormulaHasher<std::uint32_t> const& hasher, std::uint32_t key);
std::string explain_home(FormulaHasher<std::uint64_t> const& hasher, std::uint64_t key);

}  // namespace slotscape
