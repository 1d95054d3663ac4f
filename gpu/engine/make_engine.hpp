#pragma once

#include "gpu/engine/engine.hpp"

namespace slotscape {

/// Make the engine of one backend; the settings must be valid.
std::unique_ptr<Engine> make_cpu_engine(TableSettings const& settings);
#if SLOTSCAPE_HAS_CUDA
std::unique_ptr<Engine> make_cuda_engine(TableSettings const& settings);
#endif

}  // namespace slotscape
