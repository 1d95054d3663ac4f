#pragma once

#include "gpu/execution/copy_stream.hpp"
#include "gpu/execution/cpu.hpp"
#include "gpu/execution/free_memory.hpp"

#include <chrono>
#include <cstdint>
#include <cstring>

namespace slotscape::exec {

/// On the CPU, a copy is made when it is submitted.
template <>
class CopyStream<Cpu> {
public:
  /// A place in the order of a stream's or of an executor's work. Nobody waits for one that was never recorded.
  class Mark {
    friend CopyStream;
    std::chrono::steady_clock::time_point at_;
  };

  explicit CopyStream(Cpu&) {}

  /// Either may be memory of the host or of the device.
  void copy(void* to, void const* from, std::uint64_t bytes)
  {
    if (bytes != 0) { std::memcpy(to, from, bytes); }
  }
  /// The mark is here from now on.
  void record(Mark& mark) { mark.at_ = std::chrono::steady_clock::now(); }
  /// What is submitted from now on waits until all before the mark is done.
  void wait_for(Mark const&) {}
  /// The host waits for all that was submitted.
  void wait() {}

  /// The same in the order of an executor.
  static void record(Cpu&, Mark& mark) { mark.at_ = std::chrono::steady_clock::now(); }
  static void wait_for(Cpu&, Mark const&) {}

  /// Seconds from one recorded mark to another; waits for both.
  static double seconds(Mark const& from, Mark const& to)
  {
    return std::chrono::duration<double>(to.at_ - from.at_).count();
  }
  /// Whether the executor's work can use an array as it is, without a copy.
  static bool is_on_device(void const*) { return false; }
  /// Bytes that batches may take of the device's memory: here a quarter of what others need, too.
  static std::uint64_t free_memory() { return free_host_memory() / 4; }
};

}  // namespace slotscape::exec
