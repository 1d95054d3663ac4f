#pragma once

#include "gpu/tables/hash_rounds.hpp"

#include <array>
#include <string>

namespace slotscape {

/// What one step of a hash program does with the numbers on its stack, which are unsigned and of 64 bits, modulo 2^64.
/// A real number takes two of them: its whole part and, above that, its fraction in units of 2^-64.
enum class HashOp : std::uint8_t {
  key,
  slots,
  x,
  y,
  z,
  add,
  subtract,
  multiply,
  divide,     ///< by 0: 0
  remainder,  ///< by 0: the dividend, so that q · d + r is the dividend for all d
  exclusive_or,
  both,
  either,
  shift_left,   ///< by 64 or more: 0
  shift_right,  ///< the same
  complement,
  negate,
  rotate_left,
  rotate_right,
  high_product,  ///< the upper 64 bits of the product of 128
  crc32,         ///< CRC-32C of the number's bytes, as many as a key has, the lowest first
  fnv1a,         ///< 64-bit FNV-1a of the same bytes
  murmur3,       ///< `HashRounds`, of the key's width
  xxhash,        ///< the same
  fibonacci,     ///< the same
  splitmix64,    ///< the number of SplitMix64 that follows this state (Steele, Lea & Flood 2014)
  wymix,         ///< both halves of the product of 128 bits, xor'ed: the mixer of wyhash (Wang Yi)
  boost_combine,
  morton,      ///< bits of x, y and z in turn, 21 of each
  digits,      ///< of n: `count` decimal digits that end `first` places before the last
  tabulation,  ///< of the number's bytes, a random number each, xor'ed (Zobrist 1970)
  add_reals,
  subtract_reals,
  multiply_reals,
  floor,
  fraction,
  constant  ///< this one and all above: the number of that place among the constants
};

/// How a hash becomes the number of a slot.
enum class HashReduction : std::uint8_t {
  usual,          ///< of each function its own: see `BasicHasher`; of formulas the remainder
  mask,           ///< the low bits; the number of slots is a power of two
  modulo,         ///< the remainder
  multiply_high,  ///< hash · slots / 2^w, where keys have w bits, and the hash its low w (Lemire 2019)
  prime           ///< the remainder by the largest prime that is not above the number of slots
};

/// A hash function as data: steps on a stack. The parser (gpu/tables/hash_formula.hpp) makes it, and has made sure that
/// its steps find what they need on the stack, which never holds more than `max_depth` numbers.
struct HashProgram {
  static constexpr int max_steps = 48;
  static constexpr int max_constants = 12;
  static constexpr int max_depth = 8;
  static constexpr std::uint8_t none = 0xff;

  std::array<std::uint8_t, max_steps> steps{};  ///< HashOp
  std::array<std::uint64_t, max_constants> constants{};
  std::uint8_t count = 0;              ///< of steps
  std::uint8_t constant_count = 0;     ///< of constants
  std::uint8_t prime_of_slots = none;  ///< the constant that a hasher sets to the least prime not below its slots

  constexpr void append(HashOp op, int place = 0)
  {
    steps[count++] = static_cast<std::uint8_t>(static_cast<int>(op) + place);
  }
  /// Of a function that is compiled in, too, for another reduction than its usual one.
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

/// A hash function as people write it, and the program that the parser made of it.
struct HashFormula {
  std::string text;
  HashProgram program;
  friend bool operator==(HashFormula const&, HashFormula const&) = default;
};

}  // namespace slotscape
