#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace slotscape {

struct FamilyInfo;

/// A distribution over whole numbers. `histogram[i]` counts the things of size i, none merged; `beyond` counts those
/// past the histogram's end, which is 0 unless the distribution was asked for in a limited size.
struct Distribution {
  std::uint64_t count = 0;
  double mean = 0.0;
  std::uint64_t max = 0;
  std::vector<std::uint32_t> histogram;
  std::uint64_t beyond = 0;
};

/// Entries of the histograms that are made every frame.
inline constexpr std::uint64_t live_histogram_limit = 1u << 16;

/// The smallest value that at least `share` of the things do not exceed; nothing where that lies past the histogram.
std::optional<std::uint64_t> quantile(Distribution const& distribution, double share);

/// Memory accesses of lookups, where the keys have these measures.
Distribution accesses_of(Distribution const& measures, FamilyInfo const& family);

/// What is in a table at one moment.
struct Statistics {
  std::uint64_t slots = 0;
  std::uint64_t live = 0;
  std::uint64_t tombstones = 0;
  std::uint64_t links = 0;    ///< slots of the table's memory that hold links and no keys; not among `slots`
  Distribution probe_length;  ///< of the live keys, by the family's measure: slots from home (0 = at home) where linear
  Distribution clusters;      ///< lengths in slots of the maximal runs of non-empty slots
  Distribution groups;        ///< by the family: chain lengths, bucket sizes; count 0 where it has none
  Distribution moves;         ///< by the family: keys moved by each insertion that moved any, since the table was made
  Distribution hit_accesses;  ///< memory accesses that a lookup of each live key makes
  Distribution miss_accesses;  ///< the same of absent keys: of a sample of them

  std::uint64_t empty() const { return slots - live - tombstones; }
  double load_factor() const { return slots == 0 ? 0.0 : static_cast<double>(live) / static_cast<double>(slots); }
  double effective_load() const
  {
    return slots == 0 ? 0.0 : static_cast<double>(live + tombstones) / static_cast<double>(slots);
  }
};

}  // namespace slotscape
