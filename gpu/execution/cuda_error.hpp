#pragma once

#include "gpu/base/device_lost.hpp"

#include <cuda_runtime.h>

#include <string>

namespace slotscape::exec {

/// Whether CUDA returns this error for all further calls of the process.
inline bool is_lost(cudaError_t status)
{
  switch (status) {
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure: return true;
    default: return false;
  }
}

/// One sentence that says what to do; empty if no remedy is known.
inline std::string advice_on(cudaError_t status)
{
  if (is_lost(status)) { return "The GPU does nothing more for this program: start it again."; }
  switch (status) {
    case cudaErrorMemoryAllocation: return "Not enough memory on the GPU: choose a smaller table.";
    case cudaErrorInsufficientDriver:
    case cudaErrorUnsupportedPtxVersion:
      return "The NVIDIA driver is older than the CUDA toolkit that this program was built with: update the driver.";
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorInvalidDeviceFunction:
      return "This program has no code for this GPU: build it on this machine, or with CUDAARCHS=all.";
    default: return {};
  }
}

/// Throws Error with the call, its place, CUDA's message and advice, and clears CUDA's last error. Throws DeviceLost if
/// CUDA cannot recover from the error.
inline void check_cuda(cudaError_t status, char const* call, char const* file, int line)
{
  if (status == cudaSuccess) { return; }
  // A library that meets a CUDA error may return a different one.
  if (cudaError_t const last = cudaGetLastError(); is_lost(last)) { status = last; }
  std::string text = std::string("CUDA: ") + cudaGetErrorString(status) + " in " + call + " (" + file + ":" +
                     std::to_string(line) + ").";
  if (std::string const advice = advice_on(status); !advice.empty()) { text += ' ' + advice; }
  if (is_lost(status)) { throw DeviceLost(text); }
  throw Error(text);
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
