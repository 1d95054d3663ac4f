#pragma once

#include "gpu/engine/concurrent_table.hpp"
#include "gpu/engine/phased_table.hpp"
#include "gpu/engine/segmented_table.hpp"
#include "gpu/engine/static_table.hpp"
#include "gpu/engine/unordered_map_table.hpp"

namespace slotscape {

/// The table class for a family, chosen by how its operations are written.
template <TableFamily Family, exec::Executor Exec, PairFormat Format>
std::unique_ptr<BatchTable<Exec, Format>> table_of(Exec& exec, TableSettings const& settings)
{
  if constexpr (IsHostMap<Family>) {
    return std::make_unique<UnorderedMapTable<Family, Exec, Format>>(exec, settings);
  } else if constexpr (IsStatic<Family>) {
    return std::make_unique<StaticTable<Family, Exec, Format>>(exec, settings);
  } else if constexpr (HasSegments<Family>) {
    return std::make_unique<SegmentedTable<Family, Exec, Format>>(exec, settings);
  } else if constexpr (InsertsNewKeys<Family>) {
    return std::make_unique<PhasedTable<Family, Exec, Format>>(exec, settings);
  } else {
    return std::make_unique<ConcurrentTable<Family, Exec, Format>>(exec, settings);
  }
}

/// Null if the family has no tables of this width.
template <TableFamily Family, exec::Executor Exec, PairFormat Format>
constexpr MakeTable<Exec, Format> table_maker()
{
  if constexpr (Format::bits == 32 || Family::info.wide) {
    return table_of<Family, Exec, Format>;
  } else {
    return nullptr;
  }
}

}  // namespace slotscape
