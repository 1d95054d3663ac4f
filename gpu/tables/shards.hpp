#pragma once

#include "gpu/tables/family.hpp"
#include "gpu/tables/hash.hpp"
#include "gpu/tables/table_parts.hpp"
#include "gpu/tables/validation.hpp"

#include <algorithm>
#include <cmath>

namespace slotscape {

/// Which of `segments` shards a key belongs to: the high bits of a hash that no family uses, scaled (Lemire 2019), so
/// that any number of shards is possible. Within a shard, a family's hashes of its keys are as random as without
/// shards. Serves as the layout of the partition (gpu/engine/partition.hpp) that distributes keys to shards.
struct ShardOf {
  static constexpr std::uint64_t seed = 0x7368617264u;  ///< no family's hash uses this seed

  std::uint32_t segments;

  template <class U>
  SLOTSCAPE_HOST_DEVICE constexpr std::uint32_t segment(U key) const
  {
    return scaled(seeded_hash(seed, key), segments);
  }
};

/// The settings of one shard of a table with these settings.
inline TableSettings settings_of_shard(TableSettings table)
{
  table.slots = (table.slots + table.shards - 1) / table.shards;
  table.shards = 1;
  table.devices = {};
  table.keys_start = {};
  return table;
}
/// The number of slots after which probing wraps round: those of a shard, or all.
inline std::uint64_t slots_of_shard(TableSettings const& table)
{
  return table.slots / table.shards;
}

/// The load factor up to which no shard exceeds `safe_load`: the fullest shard, of binomially distributed keys, is at
/// most four standard deviations above the mean.
inline double safe_load_of_all(double safe_load, std::uint64_t slots_of_a_shard)
{
  double const deviation = std::sqrt(safe_load / static_cast<double>(slots_of_a_shard));
  return std::max(0.0, safe_load - 4.0 * deviation);
}

/// The guarantees of a table of the family with these settings, sharded or not.
inline Guarantees guarantees_of(FamilyInfo const& family, TableSettings const& table)
{
  if (table.shards == 1) { return family.guarantees(table); }
  TableSettings const shard = settings_of_shard(table);
  Guarantees guarantees = family.guarantees(shard);
  guarantees.ordered = false;
  guarantees.safe_load = safe_load_of_all(guarantees.safe_load, shard.slots);
  return guarantees;
}

/// The shards of a table, one after another. `table` must have the actual number of slots.
inline TableParts parts_of_shards(FamilyInfo const& family, TableSettings const& table)
{
  TableParts parts;
  std::uint64_t const slots = places_of(family, table) / table.shards;
  for (std::uint32_t shard = 0; shard < table.shards; ++shard) {
    parts.push_back({"shard " + std::to_string(shard), static_cast<Slot>(shard * slots), slots});
  }
  return parts;
}

}  // namespace slotscape
