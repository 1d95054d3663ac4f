#pragma once

#include "gpu/execution/copy_stream.hpp"
#include "gpu/execution/cpu.hpp"
#include "gpu/execution/free_memory.hpp"

#include <chrono>
#include <cstdint>
#include <cstring>

namespace slotscape::exec {

/// On the CPU, a copy happens as soon as it is submitted.
template <>
class CopyStream<Cpu> {
public:
  /// A point in the order of a stream's or an executor's work. Nobody waits for a mark that was never recorded.
  class Mark {
    friend CopyStream;
    std::chrono::steady_clock::time_point at_;
  };

  explicit CopyStream(Cpu&) {}

  /// Either pointer may be host or device memory.
  void copy(void* to, void const* from, std::uint64_t bytes)
  {
    if (bytes != 0) { std::memcpy(to, from, bytes); }
  }
  /// Moves the mark to this point.
  void record(Mark& mark) { mark.at_ = std::chrono::steady_clock::now(); }
  /// Work submitted from now on waits until everything before the mark is done.
  void wait_for(Mark const&) {}
  /// Waits on the host for all submitted copies.
  void wait() {}

  /// Marks in an executor's work.
  static void record(Cpu&, Mark& mark) { mark.at_ = std::chrono::steady_clock::now(); }
  static void wait_for(Cpu&, Mark const&) {}

  /// Seconds from one recorded mark to another; waits for both.
  static double seconds(Mark const& from, Mark const& to)
  {
    return std::chrono::duration<double>(to.at_ - from.at_).count();
  }
  /// Whether the executor's work can use an array without a copy.
  static bool is_on_device(void const*) { return false; }
  /// Bytes of device memory that batches may take: here, a quarter of the free memory, which others need, too.
  static std::uint64_t free_memory() { return free_host_memory() / 4; }
};

}  // namespace slotscape::exec
