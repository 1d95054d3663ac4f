#pragma once

#include "gpu/multivalue/engine.hpp"

namespace slotscape::multivalue {

/// Make the engine of each backend; the settings must be valid.
std::unique_ptr<Engine> make_cpu_engine(Settings const& settings);
#if SLOTSCAPE_HAS_CUDA
std::unique_ptr<Engine> make_cuda_engine(Settings const& settings);
#endif

}  // namespace slotscape::multivalue
