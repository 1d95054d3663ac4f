#pragma once

#include "gpu/engine/concurrent_table.hpp"
#include "gpu/engine/phased_table.hpp"
#include "gpu/engine/static_table.hpp"

namespace slotscape {

/// The table that runs a family: its own, where it brings one, or else by how its operations are written.
template <class Family, class Exec, class Bits>
std::unique_ptr<Table<Exec, Bits>> table_of(Exec& exec, TableSettings const& settings)
{
  if constexpr (requires { typename Family::template OwnTable<Exec, Bits>; }) {
    return std::make_unique<typename Family::template OwnTable<Exec, Bits>>(exec, settings);
  } else if constexpr (IsStatic<Family>) {
    return std::make_unique<StaticTable<Family, Exec, Bits>>(exec, settings);
  } else if constexpr (InsertsNewKeys<Family>) {
    return std::make_unique<PhasedTable<Family, Exec, Bits>>(exec, settings);
  } else {
    return std::make_unique<ConcurrentTable<Family, Exec, Bits>>(exec, settings);
  }
}

/// Nothing where the family has no tables of that width.
template <class Family, class Exec, class Bits>
constexpr MakeTable<Exec, Bits> table_maker()
{
  if constexpr (Bits::bits == 32 || Family::info.wide) {
    return table_of<Family, Exec, Bits>;
  } else {
    return nullptr;
  }
}

}  // namespace slotscape
