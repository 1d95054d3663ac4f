#pragma once

#include <cstdint>

namespace slotscape {

/// The largest key that a table of this width holds: the two above it stand for an empty slot and a tombstone.
constexpr std::uint64_t largest_key(int key_bits)
{
  return (key_bits == 64 ? 0xffffffffffffffffu : 0xffffffffu) - 2;
}

}  // namespace slotscape
