#include "gpu/execution/cuda_select.cuh"
#include "gpu/sparse/engine_of.hpp"
#include "gpu/sparse/make_engine.hpp"

namespace slotscape::sparse {

std::unique_ptr<SparseEngine> make_cuda_sparse_engine()
{
  return std::make_unique<SparseEngineOf<exec::Cuda>>();
}

}  // namespace slotscape::sparse
