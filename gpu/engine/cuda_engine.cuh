#pragma once

#include "gpu/engine/engine_of.hpp"
#include "gpu/exec/cuda.cuh"

/// Makes the CUDA engine of one family (the generated file NAME_cuda.cu has this line).
#define SLOTSCAPE_DEFINE_CUDA_ENGINE(family)                                   \
  namespace slotscape {                                                        \
  std::unique_ptr<Engine> make_cuda_##family(TableSettings const& settings)    \
  {                                                                            \
    return std::make_unique<EngineOf<families::family, exec::Cuda>>(settings); \
  }                                                                            \
  }
