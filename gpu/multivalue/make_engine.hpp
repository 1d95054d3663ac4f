#pragma once

#include "gpu/execution/dispatch.hpp"
#include "gpu/multivalue/engine.hpp"

namespace slotscape::multivalue {

/// Makes the engine of a backend; each backend specialises it. The settings must be valid.
template <class Exec>
std::unique_ptr<Engine> make_engine_on(Settings const& settings);
template <>
std::unique_ptr<Engine> make_engine_on<exec::Cpu>(Settings const& settings);
template <>
std::unique_ptr<Engine> make_engine_on<exec::Cuda>(Settings const& settings);

}  // namespace slotscape::multivalue
