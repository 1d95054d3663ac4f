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

/// Makes the CUDA device of this number in `list_devices` the only one that the process sees. To be called before all
/// else that asks for devices. Throws Error if there is none.
void choose_cuda_device(int number);

/// Throws Error where CUDA was requested and is unavailable.
BackendDecision decide_backend(BackendChoice choice);

/// Bytes of memory available to new tables.
std::uint64_t free_memory(Backend backend);

}  // namespace slotscape
