#include "gpu/execution/cuda_select.cuh"
#include "gpu/neighbours/engine_of.hpp"
#include "gpu/neighbours/make_engine.hpp"

namespace slotscape::neighbours {

template <>
std::unique_ptr<NeighbourEngine> make_engine_on<exec::Cuda>()
{
  return std::make_unique<NeighbourEngineOf<exec::Cuda>>();
}

}  // namespace slotscape::neighbours
