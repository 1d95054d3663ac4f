#pragma once

#include "gpu/bench/table_bench.hpp"

#include <memory>
#include <optional>

namespace slotscape::bench {

/// One build of a two-level cuckoo table, from pairs in device memory to a table there.
struct BuildTrial {
  double seconds = 0.0;
  std::uint32_t restarts = 0;  ///< of phase 1, mostly because a bucket had more than 512 pairs
  double rounds = 0.0;         ///< mean rounds of a bucket through its three sub-tables
};

/// Builds tables with the paper's 409 pairs per bucket (Alcantara et al. 2009, 4.1), in buffers that are reused, as for
/// a table that is rebuilt every frame.
class BuildTrials {
public:
  virtual ~BuildTrials() = default;
  /// Checks that every key is found with its value: throws Error if not. nullopt if cancelled.
  virtual std::optional<BuildTrial> run(std::uint64_t seed, Progress const& progress) = 0;
  virtual std::uint64_t slots() const = 0;
  virtual std::uint64_t memory_bytes() const = 0;  ///< needed by lookups
};

/// Throws Error if the device does not exist, or its memory is too small.
std::unique_ptr<BuildTrials> make_build_trials(Backend backend, std::uint64_t pairs);

}  // namespace slotscape::bench
