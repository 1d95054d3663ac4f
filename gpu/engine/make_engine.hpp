#pragma once

#include "gpu/engine/engine.hpp"

namespace slotscape {

/// The engines of one backend; the settings are valid.
std::unique_ptr<Engine> make_cpu_engine(TableSettings const& settings);
#if SLOTSCAPE_HAS_CUDA
std::unique_ptr<Engine> make_cuda_engine(TableSettings const& settings);
#endif

}  // namespace slotscape
