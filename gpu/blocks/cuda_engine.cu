#include "gpu/blocks/engine_of.hpp"
#include "gpu/blocks/make_engine.hpp"
#include "gpu/execution/cuda_select.cuh"

namespace slotscape::blocks {

template <>
std::unique_ptr<BlocksEngine> make_engine_on<exec::Cuda>()
{
  return std::make_unique<BlocksEngineOf<exec::Cuda>>();
}

}  // namespace slotscape::blocks
