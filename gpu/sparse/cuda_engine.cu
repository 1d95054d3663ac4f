#include "gpu/execution/cuda_select.cuh"
#include "gpu/sparse/engine_of.hpp"
#include "gpu/sparse/make_engine.hpp"

namespace slotscape::sparse {

template <>
std::unique_ptr<SparseEngine> make_engine_on<exec::Cuda>()
{
  return std::make_unique<SparseEngineOf<exec::Cuda>>();
}

}  // namespace slotscape::sparse
