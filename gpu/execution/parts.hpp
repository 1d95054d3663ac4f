#pragma once

#include "gpu/base/progress.hpp"
#include "gpu/execution/executor.hpp"

#include <algorithm>

namespace slotscape::exec {

/// Number of items in a part.
template <Executor Exec>
inline constexpr std::uint64_t part_size = Exec::batch_limit / 4;

/// The items of a pass from `first` on.
template <class F>
struct From {
  F f;
  std::uint64_t first;

  SLOTSCAPE_HOST_DEVICE auto operator()(std::uint64_t i) const { return f(first + i); }
};

/// Calls f(i) for 0 <= i < count, in parts that do not take long. Returns false if cancelled.
template <Executor Exec, class F>
bool for_each_in_parts(Exec& exec, std::uint64_t count, F const& f, Progress const& progress)
{
  for (std::uint64_t first = 0; first < count; first += part_size<Exec>) {
    if (progress.cancelled()) { return false; }
    exec.for_each(std::min(part_size<Exec>, count - first), From<F>{f, first});
  }
  return true;
}

/// For items that take a CPU microseconds each: calls f(i) in parts and reports progress. Throws Cancelled.
template <Executor Exec, class F>
void for_each_reporting(Exec& exec, std::uint64_t count, F const& f, Progress const& progress)
{
  constexpr std::uint64_t part = Exec::backend == Backend::cpu ? std::uint64_t{1} << 14 : part_size<Exec>;
  for (std::uint64_t first = 0; first < count; first += part) {
    progress.require(static_cast<double>(first) / static_cast<double>(count));
    exec.for_each(std::min(part, count - first), From<F>{f, first});
  }
}

/// Writes to `out` the f(i) that differ from `none`, in order of i, and their number to `found`. Returns false if
/// cancelled.
template <Executor Exec, class T, class F>
bool select_in_parts(Exec& exec, std::uint64_t count, T none, T* out, F const& f, Progress const& progress,
                     std::uint64_t& found)
{
  found = 0;
  for (std::uint64_t first = 0; first < count; first += part_size<Exec>) {
    if (progress.cancelled()) { return false; }
    found += exec.select(std::min(part_size<Exec>, count - first), none, out + found, From<F>{f, first});
  }
  return true;
}

}  // namespace slotscape::exec
