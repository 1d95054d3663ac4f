#pragma once

#include "gpu/matching/engine.hpp"

namespace slotscape::matching {

/// Makes the engine of a backend, which instantiates it.
template <class Exec>
std::unique_ptr<MatchEngine> make_engine_on();

}  // namespace slotscape::matching
