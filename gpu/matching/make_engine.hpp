#pragma once

#include "gpu/matching/engine.hpp"

namespace slotscape::matching {

/// Make the engine of each backend.
std::unique_ptr<MatchEngine> make_cpu_match_engine();
#if SLOTSCAPE_HAS_CUDA
std::unique_ptr<MatchEngine> make_cuda_match_engine();
#endif

}  // namespace slotscape::matching
