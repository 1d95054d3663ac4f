#pragma once

#include "gpu/base/device_lost.hpp"
#include "gpu/execution/copy_stream.hpp"
#include "gpu/execution/executor.hpp"
#include "gpu/library/paging.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace slotscape::library {

/// Host memory, pinned on a GPU. Throws Error with its intended use if there is not enough.
template <exec::Executor Exec>
typename Exec::template HostBuffer<std::byte> host_bytes(Exec& exec, std::uint64_t bytes, std::string const& use)
{
  try {
    return {exec, bytes};
  } catch (DeviceLost const&) {
    throw;
  } catch (Error const&) {
    throw Error("The host could not give " + std::to_string(bytes >> 20) + " MiB more of pinned memory for " + use +
                ": free some, or choose fewer slots.");
  }
}

/// The copies of a paged table, with one stream to the device, one back, and one within it, all concurrent with the
/// executor's work; and their report.
template <exec::Executor Exec>
struct PageTransfers {
  using Copies = exec::CopyStream<Exec>;

  explicit PageTransfers(Exec& exec) : in(exec), out(exec), within(exec) {}

  /// Makes all streams wait for the mark.
  void wait_for(typename Copies::Mark const& mark)
  {
    for (Copies* copies : {&in, &out, &within}) { copies->wait_for(mark); }
  }
  /// Waits on the host for all streams.
  void wait()
  {
    for (Copies* copies : {&in, &out, &within}) { copies->wait(); }
  }

  void copy_in(void* to, void const* from, std::uint64_t bytes)
  {
    in.copy(to, from, bytes);
    report.bytes.in += bytes;
  }
  void copy_out(void* to, void const* from, std::uint64_t bytes)
  {
    out.copy(to, from, bytes);
    report.bytes.out += bytes;
  }

  Copies in;
  Copies out;
  Copies within;
  PagingReport report;
};

/// A span of work between two marks, which is measured when it is over.
template <exec::Executor Exec>
class TimedSpan {
  using Copies = exec::CopyStream<Exec>;

public:
  void begin(Copies& copies) { copies.record(begin_); }
  void end(Copies& copies)
  {
    copies.record(end_);
    is_over_ = true;
  }
  void begin(Exec& exec) { Copies::record(exec, begin_); }
  void end(Exec& exec)
  {
    Copies::record(exec, end_);
    is_over_ = true;
  }
  typename Copies::Mark const& over() const { return end_; }
  /// Waits for the end of the span. Call it once per span.
  double take_seconds()
  {
    bool const is_over = is_over_;
    is_over_ = false;
    return is_over ? Copies::seconds(begin_, end_) : 0.0;
  }

private:
  typename Copies::Mark begin_;
  typename Copies::Mark end_;
  bool is_over_ = false;
};

}  // namespace slotscape::library
