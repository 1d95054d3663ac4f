#pragma once

#include "gpu/execution/dispatch.hpp"
#include "gpu/neighbours/engine.hpp"

namespace slotscape::neighbours {

/// Makes the engine of a backend; each backend specialises it.
template <class Exec>
std::unique_ptr<NeighbourEngine> make_engine_on();
template <>
std::unique_ptr<NeighbourEngine> make_engine_on<exec::Cpu>();
template <>
std::unique_ptr<NeighbourEngine> make_engine_on<exec::Cuda>();

}  // namespace slotscape::neighbours
