#pragma once

#include "gpu/spatial/drawing.hpp"

namespace slotscape::spatial {

/// Make the engine and the painter of each backend.
std::unique_ptr<SpatialEngine> make_cpu_spatial_engine();
std::unique_ptr<InstancePainter> make_cpu_instance_painter();
#if SLOTSCAPE_HAS_CUDA
std::unique_ptr<SpatialEngine> make_cuda_spatial_engine();
std::unique_ptr<InstancePainter> make_cuda_instance_painter();
#endif

}  // namespace slotscape::spatial
