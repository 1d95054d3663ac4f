#pragma once

#include "gpu/spatial/drawing.hpp"

namespace slotscape::spatial {

/// Make the engine and the painter of a backend, which instantiates them.
template <class Exec>
std::unique_ptr<SpatialEngine> make_engine_on();
template <class Exec>
std::unique_ptr<InstancePainter> make_painter_on();

}  // namespace slotscape::spatial
