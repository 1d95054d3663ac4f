#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace slotscape {

struct FamilyInfo;

/// A distribution over whole numbers. `histogram[i]` counts the items of size i, without binning; `beyond` counts those
/// past the end of the histogram, and is 0 unless the histogram's size was limited.
struct Distribution {
  std::uint64_t count = 0;
  double mean = 0.0;
  std::uint64_t max = 0;
  std::vector<std::uint32_t> histogram;
  std::uint64_t beyond = 0;
};

/// Size limit of the histograms computed every frame.
inline constexpr std::uint64_t live_histogram_limit = 1u << 16;

/// The smallest value that at least `share` of the items do not exceed; nullopt if it lies past the histogram.
std::optional<std::uint64_t> quantile(Distribution const& distribution, double share);

/// The memory accesses of lookups of keys with these measures.
Distribution accesses_of(Distribution const& measures, FamilyInfo const& family);

/// How completely the lookups of absent keys were counted. In small tables of many families, one key for each home slot
/// gives the exact distribution; otherwise keys are sampled, always the same ones. In a table full of tombstones, each
/// lookup reads every slot: counting ends after many accesses, and a lookup with too many is given up.
struct MissSample {
  std::uint64_t wanted = 0;      ///< number of keys to look up; `miss_accesses.count` of them were
  std::uint64_t stopped_at = 0;  ///< accesses after which lookups were given up; 0: none was given up
  bool of_each_home = false;     ///< one key for each home slot, which alone decides the lookup
};

/// The contents of a table at one moment.
struct Statistics {
  std::uint64_t slots = 0;
  std::uint64_t heads = 0;  ///< for a table of chains, whose slots are their nodes; 0: no heads
  std::uint64_t live = 0;
  std::uint64_t tombstones = 0;
  std::uint64_t links = 0;     ///< slots of the table's memory that hold links instead of keys; not among `slots`
  Distribution probe_length;   ///< the family's measure of the live keys; with linear probing, slots from home
  Distribution clusters;       ///< lengths in slots of the maximal runs of non-empty slots
  Distribution groups;         ///< chain lengths or bucket sizes, by family; count 0 if it has none
  Distribution moves;          ///< keys moved by each insertion that moved any, since the table was made
  Distribution hit_accesses;   ///< memory accesses of a lookup of each live key
  Distribution miss_accesses;  ///< memory accesses of lookups of absent keys
  MissSample miss_sample;
  std::uint64_t rebuilds = 0;  ///< see `Table::rebuilds`

  /// Whether `miss_accesses` covers all possible lookups, and not only a sample.
  bool misses_are_exact() const
  {
    return miss_sample.of_each_home && miss_sample.stopped_at == 0 && miss_accesses.count == miss_sample.wanted;
  }

  std::uint64_t empty() const { return slots - live - tombstones; }
  /// The number of slots or heads that load factors refer to.
  std::uint64_t load_base() const { return heads == 0 ? slots : heads; }
  double load_factor() const { return per_slot(live); }
  double effective_load() const { return per_slot(live + tombstones); }

private:
  double per_slot(std::uint64_t keys) const
  {
    return load_base() == 0 ? 0.0 : static_cast<double>(keys) / static_cast<double>(load_base());
  }
};

}  // namespace slotscape
