#include "gpu/engine/engine_of.hpp"
#include "gpu/engine/make_engine.hpp"
#include "gpu/execution/cpu.hpp"

namespace slotscape {

// Each family's own file defines these.
#define SLOTSCAPE_FAMILY(name)                         \
  MakeTable<exec::Cpu, Narrow> narrow_on_cpu_##name(); \
  MakeTable<exec::Cpu, Wide> wide_on_cpu_##name();
#include "families.inc"
#undef SLOTSCAPE_FAMILY

std::unique_ptr<Engine> make_cpu_engine(TableSettings const& settings)
{
  bool const wide = settings.key_bits == 64;
#define SLOTSCAPE_FAMILY(name)                                                                        \
  if (settings.family == #name) {                                                                     \
    if (wide) { return std::make_unique<EngineOf<exec::Cpu, Wide>>(settings, wide_on_cpu_##name()); } \
    return std::make_unique<EngineOf<exec::Cpu, Narrow>>(settings, narrow_on_cpu_##name());           \
  }
#include "families.inc"
#undef SLOTSCAPE_FAMILY
  throw std::logic_error("no such family: " + settings.family);
}

}  // namespace slotscape
