#pragma once

#include "gpu/engine/engine_of.hpp"
#include "gpu/exec/cpu.hpp"

/// Makes the CPU engine of one family (the generated file NAME_cpu.cpp has this line).
#define SLOTSCAPE_DEFINE_CPU_ENGINE(family)                                   \
  namespace slotscape {                                                       \
  FamilyInfo const& info_##family()                                           \
  {                                                                           \
    return families::family::info;                                            \
  }                                                                           \
  std::unique_ptr<Engine> make_cpu_##family(TableSettings const& settings)    \
  {                                                                           \
    return std::make_unique<EngineOf<families::family, exec::Cpu>>(settings); \
  }                                                                           \
  }
