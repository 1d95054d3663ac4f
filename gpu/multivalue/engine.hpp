#pragma once

#include "gpu/engine/inspected_table.hpp"
#include "gpu/multivalue/settings.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

/// Keys with several values each (Alcantara et al. 2009, 'Real-Time Parallel Hashing on the GPU', 4.2): built as a
/// whole from pairs, as for joins in a database, or for collecting votes in geometric hashing.
namespace slotscape::multivalue {

/// The values of several keys: those of keys[i] are values[offsets[i]] to values[offsets[i + 1] - 1].
struct Retrieved {
  std::vector<std::uint64_t> offsets;  ///< one more than keys
  std::vector<Value> values;
};

struct KeyRange {
  Key key;
  Range range;
  friend bool operator==(KeyRange const&, KeyRange const&) = default;
};

struct Statistics {
  std::uint64_t pairs = 0;
  std::uint64_t distinct = 0;                       ///< keys
  std::uint64_t refused = 0;                        ///< pairs with keys that tables of this width do not accept
  Distribution multiplicity;                        ///< values per key; the histogram ends at `live_histogram_limit`
  std::uint64_t slots = 0;                          ///< of the table of keys; 0 if there is no such table
  std::uint64_t bytes = 0;                          ///< device memory that lookups need
  std::uint64_t working_bytes = 0;                  ///< device memory that only builds need
  std::array<double, stage_count> stage_seconds{};  ///< of the build, indexed by `Stage`

  double load_factor() const { return slots == 0 ? 0.0 : static_cast<double>(distinct) / static_cast<double>(slots); }
  double seconds() const { return stage_seconds[0] + stage_seconds[1] + stage_seconds[2] + stage_seconds[3]; }
};

/// A multi-value table in the memory of one device. Call it from one thread; each call blocks until its result is
/// ready. Failures throw `Error`.
class Engine {
public:
  virtual ~Engine() = default;

  virtual Backend backend() const = 0;
  virtual std::string device_name() const = 0;
  virtual Settings const& settings() const = 0;

  /// Replaces the contents by the pairs of keys[i] and values[i]; both have the same length, at most `max_pairs`.
  /// Refuses and counts pairs with keys that tables of this width do not accept. Throws Error, and changes nothing, for
  /// a value of more than `Settings::key_bits`; if memory runs out, the table is empty.
  virtual Statistics build(std::span<Key const> keys, std::span<Value const> values) = 0;

  /// The range of each key's values; empty for an absent key.
  virtual std::vector<Range> ranges(std::span<Key const> keys) = 0;
  /// The values of all these keys. Throws Error if there are 2^32 or more.
  virtual Retrieved retrieve(std::span<Key const> keys) = 0;
  /// Every key with its range, in the order of the values: the ranges are consecutive and start at 0.
  virtual std::vector<KeyRange> groups() = 0;
  /// All pairs, in the order of `groups`.
  virtual std::vector<Pair> pairs() = 0;

  virtual Statistics statistics() = 0;
  /// The table of the distinct keys, whose values are their numbers in `groups`. Call it again after a build.
  virtual InspectedTable& keys() = 0;
};

/// Throws Error, with advice, if the settings are invalid.
void validate(Settings const& settings);

/// Makes an empty table. Throws Error if the settings are invalid or the device is unavailable.
std::unique_ptr<Engine> make_engine(Backend backend, Settings const& settings);

}  // namespace slotscape::multivalue
