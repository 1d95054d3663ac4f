#include "gpu/execution/backend.hpp"

#include "gpu/base/error.hpp"
#include "gpu/execution/free_memory.hpp"
#include "gpu/execution/parallel.hpp"

#if SLOTSCAPE_HAS_CUDA
#include "gpu/execution/cuda_memory.hpp"
#endif

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

namespace slotscape {

namespace {

/// The value of the first line of a /proc file that starts with `field`; empty if there is no such line.
std::string proc_field(char const* file, std::string const& field)
{
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind(field, 0) != 0) { continue; }
    std::size_t const start = line.find_first_not_of(" \t:", field.size());
    return start == std::string::npos ? std::string() : line.substr(start);
  }
  return {};
}

std::uint64_t cpu_memory()
{
  return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

#if defined(SLOTSCAPE_WITHOUT_TBB)
constexpr char const* threads_by = "every family, with threads of its own";
#else
constexpr char const* threads_by = "every family, with oneTBB";
#endif

#if SLOTSCAPE_HAS_CUDA
/// CUDA's own result: an error if there is no driver or no device.
cudaError_t count_cuda_devices(int& count)
{
  count = 0;
  cudaError_t const status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess) { cudaGetLastError(); }
  return status;
}

DeviceInfo describe_cuda_device(int index)
{
  cudaDeviceProp properties{};
  int driver = 0;
  SLOTSCAPE_CUDA_CHECK(cudaGetDeviceProperties(&properties, index));
  SLOTSCAPE_CUDA_CHECK(cudaDriverGetVersion(&driver));
  return {Backend::cuda, properties.name, properties.totalGlobalMem,
          fmt::format("compute capability {}.{}, {} multiprocessors, {} MiB L2 cache, driver for CUDA {}.{}",
                      properties.major, properties.minor, properties.multiProcessorCount, properties.l2CacheSize >> 20,
                      driver / 1000, driver % 1000 / 10)};
}
#endif

}  // namespace

std::string cpu_name()
{
  std::string const model = proc_field("/proc/cpuinfo", "model name");
  std::size_t const allowed =
      exec::tbb::global_control::active_value(exec::tbb::global_control::max_allowed_parallelism);
  std::size_t const threads = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, allowed);
  return fmt::format("{} ({} thread{})", model.empty() ? "CPU" : model, threads, threads == 1 ? "" : "s");
}

std::string why_no_cuda()
{
#if SLOTSCAPE_HAS_CUDA
  int count = 0;
  cudaError_t const status = count_cuda_devices(count);
  if (status == cudaSuccess) { return count == 0 ? "there is no CUDA device" : ""; }
  int driver_version = 0;
  cudaDriverGetVersion(&driver_version);
  return exec::describe_failure(status, driver_version);
#else
  return "this program was built without CUDA";
#endif
}

std::vector<DeviceInfo> list_devices()
{
  std::vector<DeviceInfo> devices;
#if SLOTSCAPE_HAS_CUDA
  int count = 0;
  count_cuda_devices(count);
  for (int i = 0; i < count; ++i) { devices.push_back(describe_cuda_device(i)); }
#endif
  devices.push_back({Backend::cpu, cpu_name(), cpu_memory(), threads_by});
  return devices;
}

std::uint32_t device_count(Backend backend)
{
#if SLOTSCAPE_HAS_CUDA
  if (backend == Backend::cuda) {
    int count = 0;
    count_cuda_devices(count);
    return static_cast<std::uint32_t>(count);
  }
#endif
  return backend == Backend::cpu ? 1 : 0;
}

void choose_cuda_devices(std::vector<int> const& numbers)
{
  // The numbers refer to the devices that the user leaves visible. CUDA reads the variable when it starts; from then
  // on, all threads see the same devices.
  std::vector<std::string> visible;
  char const* const given = std::getenv("CUDA_VISIBLE_DEVICES");
  std::istringstream names(given == nullptr ? "" : given);
  for (std::string name; std::getline(names, name, ',');) { visible.push_back(name); }
  std::string chosen;
  for (int const number : numbers) {
    std::string name = std::to_string(number);
    if (given != nullptr) { name = static_cast<std::size_t>(number) < visible.size() ? visible[number] : "-1"; }
    chosen += (chosen.empty() ? "" : ",") + name;
  }
  setenv("CUDA_VISIBLE_DEVICES", chosen.c_str(), 1);
  std::uint32_t const there = device_count(Backend::cuda);
  if (there == numbers.size()) { return; }
  std::string const why = why_no_cuda();
  throw Error(fmt::format("--device {} is unavailable: {}. 'slotscape devices' lists those there are.",
                          fmt::join(numbers, ","),
                          why.empty() ? fmt::format("only the first {} of them can be used", there) : why));
}

BackendDecision decide_backend(BackendChoice choice)
{
  std::string const no_cuda = why_no_cuda();
  if (choice == BackendChoice::cpu) { return {Backend::cpu, "the CPU was requested"}; }
  if (choice == BackendChoice::cuda) {
    if (!no_cuda.empty()) { throw Error("--backend cuda is unavailable: " + no_cuda + ". Use --backend cpu or auto."); }
    return {Backend::cuda, "CUDA was requested"};
  }
  if (!no_cuda.empty()) { return {Backend::cpu, no_cuda}; }
  return {Backend::cuda, "there is a CUDA device"};
}

std::uint64_t free_memory(Backend backend)
{
#if SLOTSCAPE_HAS_CUDA
  if (backend == Backend::cuda) { return exec::device_memory::available(); }
#endif
  static_cast<void>(backend);
  return exec::free_host_memory();
}

}  // namespace slotscape
