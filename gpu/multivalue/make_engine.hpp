#pragma once

#include "gpu/multivalue/engine.hpp"

namespace slotscape::multivalue {

/// Makes the engine of a backend, which instantiates it; the settings must be valid.
template <class Exec>
std::unique_ptr<Engine> make_engine_on(Settings const& settings);

}  // namespace slotscape::multivalue
