#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace slotscape {

enum class Backend : std::uint8_t { cpu, cuda };
enum class BackendChoice : std::uint8_t { automatic, cuda, cpu };

struct DeviceInfo {
  Backend backend;
  std::string name;                ///< "NVIDIA H200", "Intel(R) ... (2 threads)"
  std::uint64_t memory_bytes = 0;  ///< total
  std::string detail;              ///< compute capability, driver, SIMD ... for display
};

/// The chosen backend, and the reason for display.
struct BackendDecision {
  Backend backend;
  std::string reason;
};

/// The CUDA devices (none without a driver or in a build without CUDA; `why_no_cuda` says why), then the CPU.
std::vector<DeviceInfo> list_devices();
std::string cpu_name();
std::string why_no_cuda();  ///< empty if there is a CUDA device

/// How many devices of this kind the process sees.
std::uint32_t device_count(Backend backend);

/// Restricts the process to the CUDA devices with these numbers in `list_devices`, in this order. Call it before
/// anything else queries devices. Throws Error if a device does not exist.
void choose_cuda_devices(std::vector<int> const& numbers);

/// Throws Error if CUDA is requested but unavailable.
BackendDecision decide_backend(BackendChoice choice);

/// Bytes of memory available to new tables.
std::uint64_t free_memory(Backend backend);

}  // namespace slotscape
