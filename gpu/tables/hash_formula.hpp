#pragma once

#include "gpu/base/error.hpp"
#include "gpu/tables/formula_hasher.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

/// Hash functions that people write: `(7*k + 3) % 11`.
///
/// - Variables: k, the key; m, the number of slots (or of heads or buckets); x, y and z, the coordinates of a cell,
///   10 bits each of a key of 32 bits and 21 of one of 64 (`hash_functions::coordinate`).
/// - Numbers: 17, 0x11 and, with a fraction, 0.618034. Whole numbers are unsigned and have 64 bits, modulo 2^64; keys
/// of
///   32 bits are such numbers below 2^32. A fraction has 64 bits behind the point, and a decimal is rounded up to them:
///   so floor(0.1 * k) is right for k = 10, too, and all machines compute the same.
/// - Operators, as in C, from those that bind most: - ~ before a number; * / %; + -; << >>; &; ^ (exclusive or); |.
///   Fractions have + - * only. x / 0 is 0 and x % 0 is x where a division by zero is not refused as the formula is
///   read; shifts by 64 or more give 0.
/// - Functions: `hash_words`.
namespace slotscape {

/// The most characters of a formula.
inline constexpr std::size_t longest_formula = 240;

/// A formula that cannot be read. What it says ends with the column, from 1.
struct FormulaError : Error {
  FormulaError(std::string const& what, std::size_t at) : Error(what), column(at) {}
  std::size_t column;
};

/// `text`: a formula, or the name of a ready-made one. Throws Error, which says at which column the formula is wrong,
/// or what makes it too long.
HashFormula parse_hash_formula(std::string_view text);

/// A word that formulas have, and what it stands for.
struct HashWord {
  std::string_view use;  ///< "rotl(a, n)"
  std::string_view help;
};
/// All functions.
std::span<HashWord const> hash_words();

/// A hash function that has a name, as a formula.
struct ReadyFormula {
  std::string_view name;
  std::string_view formula;
  std::string_view help;  ///< its source, and what to know of it
  bool of_cells = false;  ///< a hash of x, y and z
};
std::span<ReadyFormula const> ready_formulas();

/// How the home of a key follows, with the numbers put in: "7 · 15 + 3 = 108; 108 mod 11 = 9".
std::string home_in_words(FormulaHasher<std::uint32_t> const& hasher, std::uint32_t key);
std::string home_in_words(FormulaHasher<std::uint64_t> const& hasher, std::uint64_t key);

}  // namespace slotscape
