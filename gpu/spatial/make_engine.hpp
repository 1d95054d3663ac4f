#pragma once

#include "gpu/spatial/engine.hpp"

namespace slotscape::spatial {

/// Make the engine of each backend.
std::unique_ptr<SpatialEngine> make_cpu_spatial_engine();
#if SLOTSCAPE_HAS_CUDA
std::unique_ptr<SpatialEngine> make_cuda_spatial_engine();
#endif

}  // namespace slotscape::spatial
