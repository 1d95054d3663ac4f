#include "gpu/engine/engine_of.hpp"
#include "gpu/engine/families.hpp"
#include "gpu/engine/make_engine.hpp"
#include "gpu/execution/cpu.hpp"

namespace slotscape {

template <>
std::unique_ptr<Engine> make_engine_on<exec::Cpu>(TableSettings const& settings)
{
  FamilyOn<exec::Cpu> const& family = family_on<exec::Cpu>(settings.family);
  if (settings.key_bits == 64) { return std::make_unique<EngineOf<exec::Cpu, Wide>>(settings, family.wide); }
  return std::make_unique<EngineOf<exec::Cpu, Narrow>>(settings, family.narrow);
}

}  // namespace slotscape
