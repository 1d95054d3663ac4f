#pragma once

#include "gpu/tables/types.hpp"
#include "gpu/workloads/settings.hpp"

namespace slotscape {

/// The largest key that a table of this width holds: the two above it stand for an empty slot and a tombstone.
constexpr std::uint64_t largest_key(TableSettings const& table)
{
  return (table.key_bits == 64 ? 0xffffffffffffffffu : 0xffffffffu) - 2;
}

/// Whether no table of this width holds the key: it stands for something else, or is too wide.
constexpr bool is_reserved_key(TableSettings const& table, Key key)
{
  return std::uint64_t{key} > largest_key(table);
}

}  // namespace slotscape
