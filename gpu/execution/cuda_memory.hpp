#pragma once

#include "gpu/execution/cuda_error.hpp"
#include "gpu/execution/memory.hpp"

#include <cstdint>

/// Device memory from CUDA's pool. Freed memory stays there for the next allocation, which takes microseconds; an
/// allocation from the device would take a millisecond for each array, and wait for all work.
namespace slotscape::exec::device_memory {

inline cudaMemPool_t pool()
{
  int device = 0;
  SLOTSCAPE_CUDA_CHECK(cudaGetDevice(&device));
  cudaMemPool_t pool = nullptr;
  SLOTSCAPE_CUDA_CHECK(cudaDeviceGetDefaultMemPool(&pool, device));
  return pool;
}

/// Whether the device has a pool.
inline bool pools()
{
  static bool const supported = [] {
    int device = 0;
    int has_pools = 0;
    SLOTSCAPE_CUDA_CHECK(cudaGetDevice(&device));
    SLOTSCAPE_CUDA_CHECK(cudaDeviceGetAttribute(&has_pools, cudaDevAttrMemoryPoolsSupported, device));
    return has_pools != 0;
  }();
  return supported;
}

/// Makes the pool keep up to an eighth of the device's memory. The rest goes back to the device when it next idles.
inline void keep_freed()
{
  constexpr std::uint64_t share_kept = 8;
  if (!pools()) { return; }
  std::size_t free = 0;
  std::size_t total = 0;
  SLOTSCAPE_CUDA_CHECK(cudaMemGetInfo(&free, &total));
  std::uint64_t kept = total / share_kept;
  SLOTSCAPE_CUDA_CHECK(cudaMemPoolSetAttribute(pool(), cudaMemPoolAttrReleaseThreshold, &kept));
}

/// Lets one device access another one's pool directly if the machine has a link for it; otherwise, copies between them
/// go through the host.
inline void let_access(int device, int owner)
{
  int can = 0;
  if (device == owner || !pools()) { return; }
  SLOTSCAPE_CUDA_CHECK(cudaDeviceCanAccessPeer(&can, device, owner));
  if (can == 0) { return; }
  cudaMemPool_t owners = nullptr;
  SLOTSCAPE_CUDA_CHECK(cudaDeviceGetDefaultMemPool(&owners, owner));
  cudaMemAccessDesc access{};
  access.location = {cudaMemLocationTypeDevice, device};
  access.flags = cudaMemAccessFlagsProtReadWrite;
  SLOTSCAPE_CUDA_CHECK(cudaMemPoolSetAccess(owners, &access, 1));
}

/// Throws Error if there is not enough memory. Memory is allocated and freed in the order of the stream. The default
/// stream waits for all others, and vice versa: its memory may outlive the stream that uses it.
inline void* allocate(std::size_t bytes, cudaStream_t stream)
{
  void* memory = nullptr;
  if (!pools()) {
    SLOTSCAPE_CUDA_CHECK(cudaMalloc(&memory, bytes));
    return memory;
  }
  if (cudaMallocAsync(&memory, bytes, stream) == cudaSuccess) { return memory; }
  cudaGetLastError();
  SLOTSCAPE_CUDA_CHECK(cudaDeviceSynchronize());
  SLOTSCAPE_CUDA_CHECK(cudaMemPoolTrimTo(pool(), 0));  // the kept memory may be fragmented
  SLOTSCAPE_CUDA_CHECK(cudaMallocAsync(&memory, bytes, stream));
  return memory;
}

inline void deallocate(void* memory, cudaStream_t stream)
{
  pools() ? cudaFreeAsync(memory, stream) : cudaFree(memory);
}

/// Throws Error if kernels cannot use this memory.
inline void expect_on_device(void const* memory)
{
  cudaPointerAttributes attributes{};
  SLOTSCAPE_CUDA_CHECK(cudaPointerGetAttributes(&attributes, memory));
  if (attributes.type == cudaMemoryTypeUnregistered) {
    throw Error(
        "The memory given to the table is host memory: for a table on a GPU, choose memory of the device, pinned "
        "memory (PinnedMemory), or managed memory.");
  }
}

/// Bytes that can be allocated now.
inline std::uint64_t available()
{
  std::size_t free = 0;
  std::size_t total = 0;
  SLOTSCAPE_CUDA_CHECK(cudaMemGetInfo(&free, &total));
  if (!pools()) { return free; }
  std::uint64_t reserved = 0;
  std::uint64_t used = 0;
  SLOTSCAPE_CUDA_CHECK(cudaMemPoolGetAttribute(pool(), cudaMemPoolAttrReservedMemCurrent, &reserved));
  SLOTSCAPE_CUDA_CHECK(cudaMemPoolGetAttribute(pool(), cudaMemPoolAttrUsedMemCurrent, &used));
  return free + (reserved - used);
}

}  // namespace slotscape::exec::device_memory

namespace slotscape::exec {

/// Allocates and frees a piece of a device's memory, in the order of a stream.
struct DevicePiece {
  Memory memory;
  std::size_t bytes = 0;
  cudaStream_t stream = nullptr;

  /// Throws Error if there is not enough memory.
  void* take() const
  {
    if (memory.is_default()) { return device_memory::allocate(bytes, stream); }
    void* const taken = memory.allocate(bytes, alignment, stream, memory.in_order());
    try {
      device_memory::expect_on_device(taken);
    } catch (Error const&) {
      (*this)(taken);
      throw;
    }
    return taken;
  }
  void operator()(void* taken) const
  {
    if (memory.is_default()) { return device_memory::deallocate(taken, stream); }
    if (!memory.in_order()) { cudaStreamSynchronize(stream); }  // others may reuse it immediately
    memory.deallocate(taken, bytes, alignment, stream, memory.in_order());
  }

private:
  static constexpr std::size_t alignment = 256;
};

}  // namespace slotscape::exec
