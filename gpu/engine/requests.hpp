#pragma once

#include "gpu/engine/table.hpp"
#include "gpu/error.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>
#include <string>

namespace slotscape {

/// The part of `count` operations that a share stands for.
inline std::uint64_t share_of(std::uint64_t count, double share)
{
  return static_cast<std::uint64_t>(std::llround(static_cast<double>(count) * share));
}

/// The kinds that occur.
inline Phase kinds_of(std::span<Operation const> operations)
{
  auto const has = [&](Operation kind) { return std::ranges::find(operations, kind) != operations.end(); };
  return {has(Operation::insert), has(Operation::find), has(Operation::erase)};
}

/// The binary logarithm of a setting. Error where it is no power of two.
inline int bits_of(std::uint32_t value, char const* name)
{
  if (!std::has_single_bit(value)) {
    throw Error(std::string("'") + name + "' must be a power of two, not " + std::to_string(value) + ".");
  }
  return static_cast<int>(std::bit_width(value)) - 1;
}

/// Error for a key or value that tables of this width refuse.
inline void require_allowed(Key key, Value value, int key_bits)
{
  if (is_reserved(key, key_bits)) { throw Error("Key " + std::to_string(key) + " is reserved: no table holds it."); }
  if (value > largest_value(key_bits)) {
    throw Error("Value " + std::to_string(value) + " is reserved: no table holds it.");
  }
}

}  // namespace slotscape
