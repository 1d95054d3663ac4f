#include "gpu/engine/engine_of.hpp"
#include "gpu/engine/make_engine.hpp"
#include "gpu/execution/cuda_select.cuh"

namespace slotscape {

template <>
std::unique_ptr<Engine> make_engine_on<exec::Cuda>(TableSettings const& settings)
{
  return make_engine_of<exec::Cuda>(settings);
}

}  // namespace slotscape
