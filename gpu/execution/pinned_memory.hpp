#pragma once

#include "gpu/execution/cuda_memory.hpp"

#include <cstddef>
#include <string>

namespace slotscape {

/// Pinned host memory that kernels reach over the bus, for use as `TableOptions::memory`: the table may be larger than
/// the device's memory, and is used in place. Every access crosses the bus. `DeviceMemory` is the best `.scratch`.
/// docs/larger-than-memory.md says when a paged table is better.
class PinnedMemory {
public:
  /// Throws Error if the host does not have enough memory.
  void* allocate(std::size_t bytes, std::size_t)
  {
    void* memory = nullptr;
    cudaError_t const status = cudaHostAlloc(&memory, bytes, cudaHostAllocMapped | cudaHostAllocPortable);
    if (status == cudaErrorMemoryAllocation) {
      cudaGetLastError();
      throw Error("the host could not pin " + std::to_string(bytes >> 20) + " MiB of memory");
    }
    SLOTSCAPE_CUDA_CHECK(status);
    return memory;
  }
  void deallocate(void* memory, std::size_t, std::size_t) { cudaFreeHost(memory); }
};

/// The device's memory, from CUDA's default pool, as a named source: scratch memory for calls on a table whose own
/// memory is elsewhere.
class DeviceMemory {
public:
  void* allocate_async(std::size_t bytes, std::size_t, CudaStream stream)
  {
    return exec::device_memory::allocate(bytes, stream);
  }
  void deallocate_async(void* memory, std::size_t, std::size_t, CudaStream stream)
  {
    exec::device_memory::deallocate(memory, stream);
  }
};

}  // namespace slotscape
