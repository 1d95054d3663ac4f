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

/// The backend that was chosen, and why, for display.
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

/// Makes the CUDA devices of these numbers in `list_devices`, in this order, the only ones that the process sees. To be
/// called before all else that asks for devices. Throws Error if one is not there.
void choose_cuda_devices(std::vector<int> const& numbers);

/// Throws Error where CUDA was requested and is unavailable.
BackendDecision decide_backend(BackendChoice choice);

/// Bytes of memory available to new tables.
std::uint64_t free_memory(Backend backend);

}  // namespace slotscape
