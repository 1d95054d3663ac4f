#include "gpu/execution/cpu.hpp"
#include "gpu/particles/engine_of.hpp"

namespace slotscape::particles {

template <>
std::unique_ptr<ParticleEngine> make_engine_on<exec::Cpu>()
{
  return std::make_unique<ParticleEngineOf<exec::Cpu>>();
}

}  // namespace slotscape::particles
