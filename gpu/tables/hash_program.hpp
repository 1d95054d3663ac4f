#pragma once

#include "gpu/tables/hash_rounds.hpp"

#include <array>
#include <string>

namespace slotscape {

/// The operation of one step of a hash program on the numbers on its stack, which are unsigned 64-bit numbers, modulo
/// 2^64. A real number takes two of them: its whole part and, above that, its fraction in units of 2^-64.
enum class HashOp : std::uint8_t {
  key,
  slots,
  x,
  y,
  z,
  add,
  subtract,
  multiply,
  divide,     ///< division by 0 gives 0
  remainder,  ///< by 0: the dividend, so that q · d + r is the dividend for every d
  exclusive_or,
  both,
  either,
  shift_left,   ///< shifts by 64 or more give 0
  shift_right,  ///< shifts by 64 or more give 0
  complement,
  negate,
  rotate_left,
  rotate_right,
  high_product,  ///< the upper 64 bits of the 128-bit product
  crc32,         ///< CRC-32C of the number's low bytes, as many as a key has, lowest first
  fnv1a,         ///< 64-bit FNV-1a of the same bytes
  murmur3,       ///< `HashRounds` for the key's width
  xxhash,        ///< the same
  fibonacci,     ///< the same
  splitmix64,    ///< SplitMix64's number after this state (Steele, Lea & Flood 2014)
  wymix,         ///< both halves of the 128-bit product, xor'ed: the mixer of wyhash (Wang Yi)
  boost_combine,
  morton,      ///< interleaved bits of x, y and z, 21 of each
  digits,      ///< `count` decimal digits of n, ending `first` places before the last
  tabulation,  ///< xor of one random number per byte of the number (Zobrist 1970)
  add_reals,
  subtract_reals,
  multiply_reals,
  floor,
  fraction,
  constant  ///< this value and all above: an index into the constants
};

/// How a hash is reduced to a slot number.
enum class HashReduction : std::uint8_t {
  usual,          ///< depends on the function: see `BasicHasher`; the remainder for formulas
  mask,           ///< the low bits; the number of slots must be a power of two
  modulo,         ///< the remainder
  multiply_high,  ///< hash · slots / 2^w for w-bit keys, using the low w bits of the hash (Lemire 2019)
  prime           ///< the remainder by the largest prime up to the number of slots
};

/// A hash function as data: steps on a stack. The parser (gpu/tables/hash_formula.hpp) generates it and ensures that
/// the steps find their operands on the stack, which never holds more than `max_depth` numbers.
struct HashProgram {
  static constexpr int max_steps = 48;
  static constexpr int max_constants = 12;
  static constexpr int max_depth = 8;
  static constexpr std::uint8_t none = 0xff;

  std::array<std::uint8_t, max_steps> steps{};  ///< HashOp
  std::array<std::uint64_t, max_constants> constants{};
  std::uint8_t count = 0;              ///< of steps
  std::uint8_t constant_count = 0;     ///< of constants
  std::uint8_t prime_of_slots = none;  ///< the constant that a hasher sets to the smallest prime not below its slots

  constexpr void append(HashOp op, int place = 0)
  {
    steps[count++] = static_cast<std::uint8_t>(static_cast<int>(op) + place);
  }
  /// The program of a function. Compiled-in functions need one for a reduction other than their usual one.
  static constexpr HashProgram of(HashKind kind)
  {
    HashProgram program;
    program.append(HashOp::key);
    switch (kind) {
      case HashKind::murmur3: program.append(HashOp::murmur3); break;
      case HashKind::xxhash: program.append(HashOp::xxhash); break;
      case HashKind::fibonacci: program.append(HashOp::fibonacci); break;
      default: break;
    }
    return program;
  }
  friend bool operator==(HashProgram const&, HashProgram const&) = default;
};

/// A hash function as written by the user, and the program that the parser generated from it.
struct HashFormula {
  std::string text;
  HashProgram program;
  friend bool operator==(HashFormula const&, HashFormula const&) = default;
};

}  // namespace slotscape
