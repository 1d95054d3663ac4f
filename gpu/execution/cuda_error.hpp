#pragma once

#include "gpu/base/error.hpp"

#include <cuda_runtime.h>

#include <string>

namespace slotscape::exec {

/// Throws Error with the call, its place and CUDA's message, and clears CUDA's last error.
inline void check_cuda(cudaError_t status, char const* call, char const* file, int line)
{
  if (status == cudaSuccess) { return; }
  cudaGetLastError();
  std::string advice;
  if (status == cudaErrorMemoryAllocation) { advice = " Not enough memory on the GPU: choose a smaller table."; }
  throw Error(std::string("CUDA: ") + cudaGetErrorString(status) + " in " + call + " (" + file + ":" +
              std::to_string(line) + ")." + advice);
}

/// Why a query for devices failed. CUDA reports a missing driver as an outdated one, with version 0.
inline std::string describe_failure(cudaError_t status, int driver_version)
{
  if (status == cudaErrorNoDevice) { return "there is no CUDA device"; }
  if (status != cudaErrorInsufficientDriver) { return std::string("CUDA failed: ") + cudaGetErrorString(status); }
  if (driver_version == 0) { return "no NVIDIA driver is installed"; }
  return "the NVIDIA driver for CUDA " + std::to_string(driver_version / 1000) + "." +
         std::to_string(driver_version % 1000 / 10) + " is too old: update it";
}

}  // namespace slotscape::exec

#define SLOTSCAPE_CUDA_CHECK(call) ::slotscape::exec::check_cuda((call), #call, __FILE__, __LINE__)
