#pragma once

#include "gpu/engine/families.hpp"
#include "gpu/engine/table_of.hpp"
#include "gpu/tables/formula_hasher.hpp"

namespace slotscape {

/// Whether `info.guarantees` is the family's own function. If the family declares the function after `info`, an
/// inherited function is used by mistake.
template <TableFamily Family>
constexpr bool states_its_guarantees()
{
  return Family::info.guarantees == static_cast<Guarantees (*)(TableSettings const&)>(Family::guarantees);
}

/// The parts of a table with these settings; empty if the family names none.
template <TableFamily Family>
TableParts family_parts(TableSettings const& settings)
{
  if constexpr (requires { Family::parts(settings); }) {
    return Family::parts(settings);
  } else {
    return {};
  }
}

template <TableFamily Family, exec::Executor Exec>
constexpr TableMakers<Exec> table_makers()
{
  return {table_maker<Family, Exec, Narrow>(), table_maker<Family, Exec, Wide>(),
          table_maker<Family, Exec, NarrowSet>(), table_maker<Family, Exec, WideSet>()};
}

/// Called by the generated file of a family and an executor.
template <TableFamily Family, exec::Executor Exec>
constexpr FamilyOn<Exec> define_family()
{
  static_assert(states_its_guarantees<Family>());
  FamilyOn<Exec> family{Family::info.name, table_makers<Family, Exec>()};
  if constexpr (TakesHasher<Family>) { family.by_formula = table_makers<ByFormula<Family>, Exec>(); }
  return family;
}

}  // namespace slotscape
