#pragma once

#include "gpu/engine/concurrent_table.hpp"
#include "gpu/engine/group_table.hpp"
#include "gpu/engine/growing_table.hpp"
#include "gpu/engine/phased_table.hpp"
#include "gpu/engine/segmented_table.hpp"
#include "gpu/engine/static_table.hpp"

namespace slotscape {

namespace running_table {

/// Chooses the table class that runs a family's batches by the way its operations are written.
template <TableFamily Family, exec::Executor Exec, PairFormat Format, class Interface>
auto choose()
{
  if constexpr (IsStatic<Family>) {
    return std::type_identity<StaticTable<Family, Exec, Format, Interface>>{};
  } else if constexpr (HasSegments<Family>) {
    return std::type_identity<SegmentedTable<Family, Exec, Format, Interface>>{};
  } else if constexpr (TakesGroups<Family>) {
    return std::type_identity<GroupTable<Family, Exec, Format, Interface>>{};
  } else if constexpr (WalksBuckets<Family>) {
    return std::type_identity<BucketTable<Family, Exec, Format, Interface>>{};
  } else if constexpr (InsertsNewKeys<Family>) {
    return std::type_identity<PhasedTable<Family, Exec, Format, Interface>>{};
  } else if constexpr (Grows<Family>) {
    return std::type_identity<GrowingTable<Family, Exec, Format, Interface>>{};
  } else {
    return std::type_identity<ConcurrentTable<Family, Exec, Format, Interface>>{};
  }
}

}  // namespace running_table

/// The table class that runs a family's batches. Interface: the class that it implements, `BatchTable` or one without
/// queries.
template <TableFamily Family, exec::Executor Exec, PairFormat Format, class Interface>
using RunningTable = typename decltype(running_table::choose<Family, Exec, Format, Interface>())::type;

}  // namespace slotscape
