#pragma once

#include "gpu/tables/hash_formula.hpp"

#include <algorithm>
#include <array>
#include <string_view>

/// The vocabulary of formulas, for their parser and for texts about their values.
namespace slotscape::hash_language {

struct Function {
  std::string_view name;
  HashOp op;
  int takes;  ///< number of arguments
  HashWord word;
};
inline constexpr std::array functions{
    Function{"floor", HashOp::floor, 1, {.use = "floor(a)", .help = "the integer part of a number with a fraction"}},
    Function{"frac", HashOp::fraction, 1, {.use = "frac(a)", .help = "its fractional part"}},
    Function{"rotl", HashOp::rotate_left, 2, {.use = "rotl(a, n)", .help = "its 64 bits, rotated left by n"}},
    Function{"rotr", HashOp::rotate_right, 2, {.use = "rotr(a, n)", .help = "the same to the right"}},
    Function{"mulhi", HashOp::high_product, 2, {.use = "mulhi(a, b)", .help = "the upper 64 bits of a · b"}},
    Function{"wymix",
             HashOp::wymix,
             2,
             {.use = "wymix(a, b)", .help = "the upper half of a · b, xor the lower: the mixer of wyhash"}},
    Function{"crc32", HashOp::crc32, 1, {.use = "crc32(a)", .help = "CRC-32C of a, over as many bytes as keys have"}},
    Function{"fnv1a", HashOp::fnv1a, 1, {.use = "fnv1a(a)", .help = "64-bit FNV-1a of the same bytes"}},
    Function{"murmur3",
             HashOp::murmur3,
             1,
             {.use = "murmur3(a)", .help = "the finaliser of MurmurHash3, at the width of keys"}},
    Function{
        "xxhash", HashOp::xxhash, 1, {.use = "xxhash(a)", .help = "the avalanche of xxHash, at the width of keys"}},
    Function{"splitmix64",
             HashOp::splitmix64,
             1,
             {.use = "splitmix64(a)", .help = "the number of SplitMix64 that follows a"}},
    Function{"fibonacci", HashOp::fibonacci, 1, {.use = "fibonacci(a)", .help = "a · 2^w / φ, for keys of w bits"}},
    Function{"tabulation",
             HashOp::tabulation,
             2,
             {.use = "tabulation(a, seed)", .help = "a random number for each byte of a, all xor'ed together"}},
    Function{"boost_combine",
             HashOp::boost_combine,
             2,
             {.use = "boost_combine(h, a)", .help = "hash_combine of Boost up to 1.80"}},
    Function{"morton", HashOp::morton, 3, {.use = "morton(x, y, z)", .help = "the bits of x, y and z, interleaved"}},
    Function{"digits",
             HashOp::digits,
             3,
             {.use = "digits(a, first, n)", .help = "n decimal digits of a; digit 0 is the last one"}},
};
inline constexpr HashWord next_prime_word{.use = "next_prime(m)",
                                          .help = "the smallest prime that is at least m, or at least a number"};

/// Returns null if `op` is not a function.
constexpr Function const* function_of(HashOp op)
{
  auto const* const found = std::ranges::find(functions, op, &Function::op);
  return found == functions.end() ? nullptr : found;
}

struct Operator {
  std::string_view sign;  ///< as typed
  HashOp op;
  HashOp of_reals;          ///< the operation on numbers with a fraction; `op` if it does not exist
  int binds;                ///< how strongly the operator binds
  std::string_view spoken;  ///< as textbooks write it
};
inline constexpr std::array operators{
    Operator{"|", HashOp::either, HashOp::either, 1, "or"},
    Operator{"^", HashOp::exclusive_or, HashOp::exclusive_or, 2, "xor"},
    Operator{"&", HashOp::both, HashOp::both, 3, "and"},
    Operator{"<<", HashOp::shift_left, HashOp::shift_left, 4, "<<"},
    Operator{">>", HashOp::shift_right, HashOp::shift_right, 4, ">>"},
    Operator{"+", HashOp::add, HashOp::add_reals, 5, "+"},
    Operator{"-", HashOp::subtract, HashOp::subtract_reals, 5, "−"},
    Operator{"*", HashOp::multiply, HashOp::multiply_reals, 6, "·"},
    Operator{"/", HashOp::divide, HashOp::divide, 6, "div"},
    Operator{"%", HashOp::remainder, HashOp::remainder, 6, "mod"},
};
inline constexpr int binds_most = 7;  ///< a number or an expression in parentheses

/// Returns null if `op` is not an operator.
constexpr Operator const* operator_of(HashOp op)
{
  for (Operator const& one : operators) {
    if (one.op == op || one.of_reals == op) { return &one; }
  }
  return nullptr;
}

}  // namespace slotscape::hash_language
