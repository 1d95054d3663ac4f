#pragma once

#include "gpu/tables/settings.hpp"
#include "gpu/tables/table_parts.hpp"

#include <cstdint>

namespace slotscape {

/// The parts of a table, with as many slots as it really has: its shards, if it has several, else what its family
/// divides it into, which may be nothing. Error if there is no such family.
TableParts parts_of(TableSettings const& settings);

/// How much of a table lies on the first of so many devices, as a share: of shards with a device each, as many as share
/// that one.
inline double share_of_first_device(TableSettings const& table, std::uint32_t devices)
{
  if (table.devices == ShardDevices::one || devices == 0) { return 1.0; }
  std::uint32_t const there = (table.shards + devices - 1) / devices;
  return static_cast<double>(there) / static_cast<double>(table.shards);
}

}  // namespace slotscape
