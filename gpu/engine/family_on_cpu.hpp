#pragma once

#include "gpu/engine/table_of.hpp"
#include "gpu/execution/cpu.hpp"

namespace slotscape {

/// Whether `info.guarantees` is the family's own function. If the family declares it after `info`, it is by mistake an
/// inherited one.
template <TableFamily Family>
constexpr bool states_its_guarantees()
{
  return Family::info.guarantees == static_cast<Guarantees (*)(TableSettings const&)>(Family::guarantees);
}

}  // namespace slotscape

/// Makes a family's tables on the CPU (the generated file NAME_cpu.cpp has this line).
#define SLOTSCAPE_DEFINE_FAMILY_ON_CPU(family)                  \
  namespace slotscape {                                         \
  static_assert(TableFamily<families::family>);                 \
  static_assert(states_its_guarantees<families::family>());     \
  FamilyInfo const& info_##family()                             \
  {                                                             \
    return families::family::info;                              \
  }                                                             \
  MakeTable<exec::Cpu, Narrow> narrow_on_cpu_##family()         \
  {                                                             \
    return table_maker<families::family, exec::Cpu, Narrow>();  \
  }                                                             \
  MakeTable<exec::Cpu, Wide> wide_on_cpu_##family()             \
  {                                                             \
    return table_maker<families::family, exec::Cpu, Wide>();    \
  }                                                             \
  MakeSet<exec::Cpu, NarrowSet> narrow_set_on_cpu_##family()    \
  {                                                             \
    return set_maker<families::family, exec::Cpu, NarrowSet>(); \
  }                                                             \
  MakeSet<exec::Cpu, WideSet> wide_set_on_cpu_##family()        \
  {                                                             \
    return set_maker<families::family, exec::Cpu, WideSet>();   \
  }                                                             \
  }
