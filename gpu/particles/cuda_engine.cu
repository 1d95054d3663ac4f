#include "gpu/execution/cuda.cuh"
#include "gpu/particles/engine_of.hpp"

namespace slotscape::particles {

template <>
std::unique_ptr<ParticleEngine> make_engine_on<exec::Cuda>()
{
  return std::make_unique<ParticleEngineOf<exec::Cuda>>();
}

}  // namespace slotscape::particles
