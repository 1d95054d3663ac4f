#pragma once

#include "gpu/engine/table_of.hpp"
#include "gpu/execution/cuda.cuh"

/// Makes a family's tables on CUDA devices (the generated file NAME_cuda.cu has this line).
#define SLOTSCAPE_DEFINE_FAMILY_ON_CUDA(family)                 \
  namespace slotscape {                                         \
  MakeTable<exec::Cuda, Narrow> narrow_on_cuda_##family()       \
  {                                                             \
    return table_maker<families::family, exec::Cuda, Narrow>(); \
  }                                                             \
  MakeTable<exec::Cuda, Wide> wide_on_cuda_##family()           \
  {                                                             \
    return table_maker<families::family, exec::Cuda, Wide>();   \
  }                                                             \
  }
