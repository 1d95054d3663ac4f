#pragma once

#include "gpu/bench/table_bench.hpp"
#include "gpu/multivalue/settings.hpp"

#include <array>
#include <memory>
#include <optional>

namespace slotscape::bench {

/// Pairs with keys drawn from pairs / values random keys, as Alcantara et al. 2009 measure multi-value tables (5,
/// figure 6): a table is built from them, and then the key of every pair is looked up, in the order of the pairs.
struct MultiValueCase {
  multivalue::Settings settings;
  bool by_cub =
      false;  ///< radix sort, run lengths and prefix sums by CUB, and binary search: without any of our tables
  std::uint64_t pairs = 0;
  std::uint64_t values = 1;  ///< mean number per key
  bool half = false;         ///< every other pair has the same key
};

struct MultiValueRun {
  double build_seconds = 0.0;
  double retrieve_seconds = 0.0;
  std::array<double, multivalue::stage_count> stage_seconds{};  ///< of the build; 0 for CUB
  std::uint64_t distinct = 0;                                   ///< keys
};

/// A multi-value table in the memory of one device.
class MultiValueBench {
public:
  virtual ~MultiValueBench() = default;
  /// Builds and retrieves once, with pairs for a seed that are in device memory beforehand. Checks that every pair is
  /// found exactly once, in the range of its key, and that ranges contain no other pairs: throws Error if not. nullopt
  /// if cancelled.
  virtual std::optional<MultiValueRun> run(std::uint64_t seed, Progress const& progress) = 0;
  virtual std::uint64_t memory_bytes() const = 0;  ///< needed by lookups
};

/// Throws Error if the device does not support such a table, or its memory is too small.
std::unique_ptr<MultiValueBench> make_multivalue_bench(Backend backend, MultiValueCase const& subject);

}  // namespace slotscape::bench
