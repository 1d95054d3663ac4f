#pragma once

#include <cstdint>
#include <vector>

namespace slotscape {

/// A distribution over whole numbers. `histogram[i]` counts the things of size i, none merged; `beyond` counts those
/// past the histogram's end, which is 0 unless the distribution was asked for in a limited size.
struct Distribution {
  std::uint64_t count = 0;
  double mean = 0.0;
  std::uint64_t max = 0;
  std::vector<std::uint32_t> histogram;
  std::uint64_t beyond = 0;
};

/// What is in a table at one moment.
struct Statistics {
  std::uint64_t slots = 0;
  std::uint64_t live = 0;
  std::uint64_t tombstones = 0;
  Distribution probe_length;  ///< of the live keys, in slots from home (0 = at home)
  Distribution clusters;      ///< lengths in slots of the maximal runs of non-empty slots

  std::uint64_t empty() const { return slots - live - tombstones; }
  double load_factor() const { return slots == 0 ? 0.0 : static_cast<double>(live) / static_cast<double>(slots); }
  double effective_load() const
  {
    return slots == 0 ? 0.0 : static_cast<double>(live + tombstones) / static_cast<double>(slots);
  }
};

}  // namespace slotscape
