#pragma once

#include "gpu/engine/queried_growing_table.hpp"
#include "gpu/engine/queried_phased_table.hpp"
#include "gpu/engine/queried_static_table.hpp"
#include "gpu/engine/running_table.hpp"
#include "gpu/engine/unordered_map_table.hpp"

#include <memory>

namespace slotscape {

/// Makes a table of the family.
template <TableFamily Family, exec::Executor Exec, PairFormat Format>
std::unique_ptr<BatchTable<Exec, Format>> table_of(Exec& exec, TableSettings const& settings)
{
  if constexpr (IsHostMap<Family>) {
    return std::make_unique<UnorderedMapTable<Family, Exec, Format>>(exec, settings);
  } else {
    using Running = RunningTable<Family, Exec, Format, BatchTable<Exec, Format>>;
    if constexpr (IsStatic<Family>) {
      return std::make_unique<QueriedStaticTable<Family, Exec, Format>>(exec, settings);
    } else if constexpr (InsertsNewKeys<Family>) {
      return std::make_unique<QueriedPhasedTable<Family, Exec, Format, Running>>(exec, settings);
    } else if constexpr (Grows<Family>) {
      return std::make_unique<QueriedGrowingTable<Family, Exec, Format, Running>>(exec, settings);
    } else {
      return std::make_unique<QueriedTable<Family, Exec, Format, Running>>(exec, settings);
    }
  }
}

/// Null if the family has no tables of this width, or no sets.
template <TableFamily Family, exec::Executor Exec, PairFormat Format>
constexpr MakeTable<Exec, Format> table_maker()
{
  constexpr bool has_width = Format::bits == 32 || Family::info.wide;
  if constexpr (has_width && (Format::has_values || StoresKeysAlone<Family>)) {
    return table_of<Family, Exec, Format>;
  } else {
    return nullptr;
  }
}

}  // namespace slotscape
