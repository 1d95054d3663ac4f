#pragma once

#include "gpu/base/types.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

namespace slotscape::watch {

/// A run of neighbours on a ring, which may wrap round its end.
struct Run {
  std::uint64_t start = 0;
  std::uint64_t length = 0;
  friend bool operator==(Run const&, Run const&) = default;
};

/// The runs of a part of the ring. Runs at its ends may continue in adjacent parts.
struct RunsOfPart {
  std::uint64_t before = 0;  ///< the length of the run at its beginning
  std::uint64_t after = 0;   ///< the length of the run at its end
  Run longest = {};
};

/// `is_in(i)`: whether i, from [first, end), belongs to a run.
template <class IsIn>
SLOTSCAPE_HOST_DEVICE RunsOfPart runs_between(std::uint64_t first, std::uint64_t end, IsIn const& is_in)
{
  RunsOfPart part;
  bool is_first = true;
  for (std::uint64_t i = first; i < end; ++i) {
    if (!is_in(i)) {
      part.after = 0;
      is_first = false;
      continue;
    }
    ++part.after;
    if (is_first) { ++part.before; }
    if (part.after > part.longest.length) { part.longest = {i + 1 - part.after, part.after}; }
  }
  return part;
}

/// The longest run of a ring of `count` places in parts of `size`, of which the last may be shorter. If the run is the
/// whole ring, it starts at 0.
inline Run longest_run(std::span<RunsOfPart const> parts, std::uint64_t size, std::uint64_t count)
{
  Run best;
  std::uint64_t open = 0;  // length of the run that ends where the part begins
  for (std::uint64_t i = 0; i < 2 * parts.size(); ++i) {
    RunsOfPart const& part = parts[i % parts.size()];
    std::uint64_t const first = i % parts.size() * size;
    std::uint64_t const length = std::min(size, count - first);
    if (part.longest.length > best.length) { best = part.longest; }
    if (open + part.before > best.length) { best = {(first + count - open % count) % count, open + part.before}; }
    open = part.before == length ? open + length : part.after;
    if (open >= count) { return {0, count}; }
  }
  return best;
}

}  // namespace slotscape::watch
