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
/// shards. It is the layout of the partition (gpu/engine/partition.hpp) that deals keys to shards.
struct ShardOf {
  static constexpr std::uint64_t seed = 0x7368617264u;  ///< of a sequence that no family's hash is taken from

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
/// The slots after which probing begins again: those of a shard, or all.
inline std::uint64_t slots_of_shard(TableSettings const& table)
{
  return table.slots / table.shards;
}

/// The load factor up to which no shard is fuller than `safe_load`: at most four standard deviations separate the
/// fullest one, of binomially distributed keys, from the mean.
inline double safe_load_of_all(double safe_load, std::uint64_t slots_of_a_shard)
{
  double const deviation = std::sqrt(safe_load / static_cast<double>(slots_of_a_shard));
  return std::max(0.0, safe_load - 4.0 * deviation);
}

/// What a table of the family with these settings guarantees, in shards or not.
inline Guarantees guarantees_of(FamilyInfo const& family, TableSettings const& table)
{
  if (table.shards == 1) { return family.guarantees(table); }
  TableSettings const shard = settings_of_shard(table);
  Guarantees guarantees = family.guarantees(shard);
  guarantees.ordered = false;
  guarantees.safe_load = safe_load_of_all(guarantees.safe_load, shard.slots);
  return guarantees;
}

/// Where the shards of a table with as many slots as it really has lie, one after another.
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
