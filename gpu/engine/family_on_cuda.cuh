#pragma once

#include "gpu/engine/table_of.hpp"
#include "gpu/execution/cuda.cuh"

/// Makes a family's tables on CUDA devices (the generated file NAME_cuda.cu has this line).
#define SLOTSCAPE_DEFINE_FAMILY_ON_CUDA(family)                  \
  namespace slotscape {                                          \
  MakeTable<exec::Cuda, Narrow> narrow_on_cuda_##family()        \
  {                                                              \
    return table_maker<families::family, exec::Cuda, Narrow>();  \
  }                                                              \
  MakeTable<exec::Cuda, Wide> wide_on_cuda_##family()            \
  {                                                              \
    return table_maker<families::family, exec::Cuda, Wide>();    \
  }                                                              \
  MakeSet<exec::Cuda, NarrowSet> narrow_set_on_cuda_##family()   \
  {                                                              \
    return set_maker<families::family, exec::Cuda, NarrowSet>(); \
  }                                                              \
  MakeSet<exec::Cuda, WideSet> wide_set_on_cuda_##family()       \
  {                                                              \
    return set_maker<families::family, exec::Cuda, WideSet>();   \
  }                                                              \
  }
