#pragma once

#include "gpu/engine/engine.hpp"
#include "gpu/execution/dispatch.hpp"

namespace slotscape {

/// Makes the engine of a backend; each backend specialises this. The settings must be valid.
template <class Exec>
std::unique_ptr<Engine> make_engine_on(TableSettings const& settings);
template <>
std::unique_ptr<Engine> make_engine_on<exec::Cpu>(TableSettings const& settings);
template <>
std::unique_ptr<Engine> make_engine_on<exec::Cuda>(TableSettings const& settings);

}  // namespace slotscape
