#include "gpu/execution/cuda.cuh"
#include "gpu/joins/engine_of.hpp"
#include "gpu/joins/make_engine.hpp"

namespace slotscape::joins {

template <>
std::unique_ptr<Engine> make_engine_on<exec::Cuda>(Settings const& settings)
{
  return make_engine_of<exec::Cuda>(settings);
}

}  // namespace slotscape::joins
