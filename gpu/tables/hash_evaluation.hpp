#pragma once

#include "gpu/base/pair_format.hpp"
#include "gpu/base/random.hpp"
#include "gpu/tables/hash_program.hpp"

#if defined(__CUDACC__)
#define SLOTSCAPE_OUT_OF_LINE __noinline__
#else
#define SLOTSCAPE_OUT_OF_LINE __attribute__((noinline))
#endif

namespace slotscape {

/// The input of a program.
struct HashInput {
  std::uint64_t key;
  std::uint64_t slots;
  int key_bits;  ///< 32 or 64
};

/// Functions that only formulas use.
namespace hash_functions {

SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t rotated_left(std::uint64_t value, std::uint64_t by)
{
  by &= 63u;
  return by == 0 ? value : (value << by) | (value >> (64 - by));
}

SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t high_product(std::uint64_t a, std::uint64_t b)
{
  return static_cast<std::uint64_t>((static_cast<Uint128>(a) * b) >> 64);
}

/// CRC-32C (Castagnoli, Bräuer & Herrmann 1993), as computed by the instructions of x86 and Arm; bit by bit, in the
/// reflected form.
SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t crc32(std::uint64_t value, int bytes)
{
  std::uint32_t crc = 0xffffffffu;
  for (int i = 0; i < bytes; ++i) {
    crc ^= static_cast<std::uint32_t>(value >> (8 * i)) & 0xffu;
    for (int bit = 0; bit < 8; ++bit) { crc = (crc >> 1) ^ ((crc & 1u) != 0 ? 0x82f63b78u : 0u); }
  }
  return crc ^ 0xffffffffu;
}

/// 64-bit FNV-1a (Fowler, Noll & Vo).
SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t fnv1a(std::uint64_t value, int bytes)
{
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (int i = 0; i < bytes; ++i) { hash = (hash ^ ((value >> (8 * i)) & 0xffu)) * 0x100000001b3u; }
  return hash;
}

/// Tabulation hashing of bytes: each byte position has its own table of random numbers, derived from the seed.
SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t tabulation(std::uint64_t value, std::uint64_t seed, int bytes)
{
  std::uint64_t hash = 0;
  for (int i = 0; i < bytes; ++i) {
    hash ^= random64(seed, 256u * static_cast<unsigned>(i) + ((value >> (8 * i)) & 0xffu));  // NOLINT: below 2^11
  }
  return hash;
}

SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t splitmix64(std::uint64_t state)
{
  return random64(0, state * 0xf1de83e19937733du);  // the inverse of its increment
}

/// Boost's hash_combine, up to 1.80.
SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t boost_combine(std::uint64_t seed, std::uint64_t value)
{
  return seed ^ (value + 0x9e3779b9u + (seed << 6) + (seed >> 2));
}

/// Moves each of the low 21 bits to three times its position.
SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t spread(std::uint64_t value)
{
  value &= 0x1fffffu;
  value = (value | (value << 32)) & 0x1f00000000ffffu;
  value = (value | (value << 16)) & 0x1f0000ff0000ffu;
  value = (value | (value << 8)) & 0x100f00f00f00f00fu;
  value = (value | (value << 4)) & 0x10c30c30c30c30c3u;
  return (value | (value << 2)) & 0x1249249249249249u;
}

SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t power_of_ten(std::uint64_t exponent)
{
  std::uint64_t power = 1;
  for (; exponent != 0; --exponent) { power *= 10; }
  return power;
}

/// Digits beyond the range of 64 bits are 0.
SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t digits(std::uint64_t value, std::uint64_t first, std::uint64_t count)
{
  constexpr std::uint64_t most = 19;  // 10^19 < 2^64
  if (first > most) { return 0; }
  value /= power_of_ten(first);
  return count > most ? value : value % power_of_ten(count);
}

/// `HashRounds` for the key's width.
SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t rounds(HashKind kind, std::uint64_t value, int key_bits)
{
  return key_bits == 64 ? HashRounds<std::uint64_t>::of(kind)(value)
                        : HashRounds<std::uint32_t>::of(kind)(static_cast<std::uint32_t>(value));
}

/// A packed key's coordinate along an axis: 10 of 32 bits, or 21 of 64, x lowest, as in the scene of models in space.
SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t coordinate(HashInput const& input, int axis)
{
  int const bits = input.key_bits == 64 ? 21 : 10;
  return (input.key >> (axis * bits)) & ((std::uint64_t{1} << bits) - 1);
}

}  // namespace hash_functions

/// The stack of a program, and the operations on it.
class HashStack {
public:
  SLOTSCAPE_HOST_DEVICE void run(std::uint8_t step, HashProgram const& program, HashInput const& input)
  {
    constexpr auto first_constant = static_cast<std::uint8_t>(HashOp::constant);
    if (step >= first_constant) { return push(program.constants[step - first_constant]); }
    auto const op = static_cast<HashOp>(step);
    if (op <= HashOp::z) { return push(input_of(op, input)); }
    if (op >= HashOp::add_reals) { return run_real(op); }
    switch (op) {
      case HashOp::complement: top() = ~top(); return;
      case HashOp::negate: top() = 0 - top(); return;
      case HashOp::crc32: top() = hash_functions::crc32(top(), input.key_bits / 8); return;
      case HashOp::fnv1a: top() = hash_functions::fnv1a(top(), input.key_bits / 8); return;
      case HashOp::murmur3: top() = hash_functions::rounds(HashKind::murmur3, top(), input.key_bits); return;
      case HashOp::xxhash: top() = hash_functions::rounds(HashKind::xxhash, top(), input.key_bits); return;
      case HashOp::fibonacci: top() = hash_functions::rounds(HashKind::fibonacci, top(), input.key_bits); return;
      case HashOp::splitmix64: top() = hash_functions::splitmix64(top()); return;
      case HashOp::morton: run_morton(); return;
      case HashOp::digits: run_digits(); return;
      default: break;
    }
    std::uint64_t const right = pop();
    top() = of_two(op, top(), right, input);
  }

  SLOTSCAPE_HOST_DEVICE std::uint64_t& top() { return numbers_[depth_ - 1]; }
  SLOTSCAPE_HOST_DEVICE int depth() const { return depth_; }
  /// The number `places` below the top.
  SLOTSCAPE_HOST_DEVICE std::uint64_t below(int places) const { return numbers_[depth_ - 1 - places]; }

private:
  SLOTSCAPE_HOST_DEVICE void push(std::uint64_t number) { numbers_[depth_++] = number; }
  SLOTSCAPE_HOST_DEVICE std::uint64_t pop() { return numbers_[--depth_]; }

  SLOTSCAPE_HOST_DEVICE static std::uint64_t input_of(HashOp op, HashInput const& input)
  {
    if (op == HashOp::key) { return input.key; }
    if (op == HashOp::slots) { return input.slots; }
    return hash_functions::coordinate(input, static_cast<int>(op) - static_cast<int>(HashOp::x));
  }

  SLOTSCAPE_HOST_DEVICE static std::uint64_t of_two(HashOp op, std::uint64_t left, std::uint64_t right,
                                                    HashInput const& input)
  {
    switch (op) {
      case HashOp::add: return left + right;
      case HashOp::subtract: return left - right;
      case HashOp::multiply: return left * right;
      case HashOp::divide: return right == 0 ? 0 : left / right;
      case HashOp::remainder: return right == 0 ? left : left % right;
      case HashOp::exclusive_or: return left ^ right;
      case HashOp::both: return left & right;
      case HashOp::either: return left | right;
      case HashOp::shift_left: return right > 63 ? 0 : left << right;
      case HashOp::shift_right: return right > 63 ? 0 : left >> right;
      case HashOp::rotate_left: return hash_functions::rotated_left(left, right);
      case HashOp::rotate_right: return hash_functions::rotated_left(left, 64 - (right & 63u));
      case HashOp::high_product: return hash_functions::high_product(left, right);
      case HashOp::wymix: return (left * right) ^ hash_functions::high_product(left, right);
      case HashOp::boost_combine: return hash_functions::boost_combine(left, right);
      case HashOp::tabulation: return hash_functions::tabulation(left, right, input.key_bits / 8);
      default: return 0;
    }
  }

  SLOTSCAPE_HOST_DEVICE void run_morton()
  {
    std::uint64_t const z = pop();
    std::uint64_t const y = pop();
    top() = hash_functions::spread(top()) | (hash_functions::spread(y) << 1) | (hash_functions::spread(z) << 2);
  }
  SLOTSCAPE_HOST_DEVICE void run_digits()
  {
    std::uint64_t const count = pop();
    std::uint64_t const first = pop();
    top() = hash_functions::digits(top(), first, count);
  }

  /// The two numbers of a real number, combined: the whole part in the upper 64 bits, the fraction in the lower.
  SLOTSCAPE_HOST_DEVICE Uint128 pop_real()
  {
    std::uint64_t const fraction = pop();
    return (Uint128{pop()} << 64) | fraction;
  }
  SLOTSCAPE_HOST_DEVICE void push_real(Uint128 real)
  {
    push(static_cast<std::uint64_t>(real >> 64));
    push(static_cast<std::uint64_t>(real));
  }
  SLOTSCAPE_HOST_DEVICE void run_real(HashOp op)
  {
    Uint128 const right = pop_real();
    if (op == HashOp::floor) { return push(static_cast<std::uint64_t>(right >> 64)); }
    if (op == HashOp::fraction) { return push_real(static_cast<std::uint64_t>(right)); }
    Uint128 const left = pop_real();
    if (op == HashOp::multiply_reals) { return push_real(product(left, right)); }
    push_real(op == HashOp::add_reals ? left + right : left - right);
  }
  /// Bits below 2^-64 are cut off.
  SLOTSCAPE_HOST_DEVICE static Uint128 product(Uint128 left, Uint128 right)
  {
    auto const whole = static_cast<std::uint64_t>(left >> 64);
    auto const fraction = static_cast<std::uint64_t>(left);
    Uint128 const below = static_cast<Uint128>(fraction) * static_cast<std::uint64_t>(right) >> 64;
    Uint128 const above = static_cast<Uint128>(fraction) * static_cast<std::uint64_t>(right >> 64);
    return below + above + whole * right;
  }

  std::uint64_t numbers_[HashProgram::max_depth];
  int depth_ = 0;
};

/// The result of a program for a key: the key itself if the program has no steps.
SLOTSCAPE_HOST_DEVICE inline std::uint64_t run(HashProgram const& program, HashInput const& input)
{
  if (program.count == 0) { return input.key; }
  HashStack stack;
  for (int i = 0; i < program.count; ++i) { stack.run(program.steps[i], program, input); }
  return stack.top();
}

/// Like `run`, but out of line: table kernels call it from several places.
SLOTSCAPE_HOST_DEVICE SLOTSCAPE_OUT_OF_LINE inline std::uint64_t evaluate(HashProgram const& program,
                                                                          HashInput const& input)
{
  return run(program, input);
}

}  // namespace slotscape
