#pragma once

#include "gpu/execution/dispatch.hpp"
#include "gpu/spatial/drawing.hpp"

namespace slotscape::spatial {

/// Make a backend's engine and painter. Each backend specialises them.
template <class Exec>
std::unique_ptr<SpatialEngine> make_engine_on();
template <>
std::unique_ptr<SpatialEngine> make_engine_on<exec::Cpu>();
template <>
std::unique_ptr<SpatialEngine> make_engine_on<exec::Cuda>();
template <class Exec>
std::unique_ptr<InstancePainter> make_painter_on();
template <>
std::unique_ptr<InstancePainter> make_painter_on<exec::Cpu>();
template <>
std::unique_ptr<InstancePainter> make_painter_on<exec::Cuda>();

}  // namespace slotscape::spatial
