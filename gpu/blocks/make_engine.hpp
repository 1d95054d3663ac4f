#pragma once

#include "gpu/blocks/engine.hpp"
#include "gpu/execution/dispatch.hpp"

namespace slotscape::blocks {

/// Makes the engine of a backend; each backend specialises this.
template <class Exec>
std::unique_ptr<BlocksEngine> make_engine_on();
template <>
std::unique_ptr<BlocksEngine> make_engine_on<exec::Cpu>();
template <>
std::unique_ptr<BlocksEngine> make_engine_on<exec::Cuda>();

}  // namespace slotscape::blocks
