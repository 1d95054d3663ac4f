#pragma once

#include "gpu/engine/engine.hpp"

namespace slotscape {

/// Makes the engine of a backend, which instantiates it; the settings must be valid.
template <class Exec>
std::unique_ptr<Engine> make_engine_on(TableSettings const& settings);

}  // namespace slotscape
