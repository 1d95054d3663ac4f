#pragma once

#include "gpu/tables/types.hpp"

#include <atomic>

namespace slotscape::exec {

/// Adds to a counter that other threads add to as well; returns what was there.
SLOTSCAPE_HOST_DEVICE inline std::uint32_t fetch_add(std::uint32_t& counter, std::uint32_t more)
{
#if defined(__CUDA_ARCH__)
  return atomicAdd(&counter, more);
#else
  return std::atomic_ref<std::uint32_t>(counter).fetch_add(more, std::memory_order_relaxed);
#endif
}

}  // namespace slotscape::exec
