#pragma once

#include "gpu/error.hpp"

#include <cuda_runtime.h>

#include <string>

namespace slotscape::exec {

/// Throws Error with the call, its place and CUDA's words, and clears CUDA's sticky error.
inline void check_cuda(cudaError_t status, char const* call, char const* file, int line)
{
  if (status == cudaSuccess) { return; }
  cudaGetLastError();
  std::string advice;
  if (status == cudaErrorMemoryAllocation) { advice = " Not enough memory on the GPU: choose a smaller table."; }
  throw Error(std::string("CUDA: ") + cudaGetErrorString(status) + " in " + call + " (" + file + ":" +
              std::to_string(line) + ")." + advice);
}

}  // namespace slotscape::exec

#define SLOTSCAPE_CUDA_CHECK(call) ::slotscape::exec::check_cuda((call), #call, __FILE__, __LINE__)
