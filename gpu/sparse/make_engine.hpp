#pragma once

#include "gpu/sparse/engine.hpp"

namespace slotscape::sparse {

/// Make the engine of each backend.
std::unique_ptr<SparseEngine> make_cpu_sparse_engine();
#if SLOTSCAPE_HAS_CUDA
std::unique_ptr<SparseEngine> make_cuda_sparse_engine();
#endif

}  // namespace slotscape::sparse
