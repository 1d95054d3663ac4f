#pragma once

#include "gpu/engine/table_of.hpp"
#include "gpu/exec/cpu.hpp"

/// Makes a family's tables on the CPU (the generated file NAME_cpu.cpp has this line).
#define SLOTSCAPE_DEFINE_FAMILY_ON_CPU(family)                 \
  namespace slotscape {                                        \
  FamilyInfo const& info_##family()                            \
  {                                                            \
    return families::family::info;                             \
  }                                                            \
  MakeTable<exec::Cpu, Narrow> narrow_on_cpu_##family()        \
  {                                                            \
    return table_maker<families::family, exec::Cpu, Narrow>(); \
  }                                                            \
  MakeTable<exec::Cpu, Wide> wide_on_cpu_##family()            \
  {                                                            \
    return table_maker<families::family, exec::Cpu, Wide>();   \
  }                                                            \
  }
