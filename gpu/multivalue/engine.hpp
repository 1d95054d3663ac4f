#pragma once

#include "gpu/engine/inspected_table.hpp"
#include "gpu/multivalue/settings.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

/// Keys with several values each (Alcantara et al. 2009, 'Real-Time Parallel Hashing on the GPU', 4.2): built as a
/// whole from pairs, as a database joins tables by their keys, or geometric hashing collects votes.
namespace slotscape::multivalue {

/// Values of several keys: those of keys[i] are values[offsets[i]] to values[offsets[i + 1] - 1].
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
  std::uint64_t distinct = 0;       ///< keys
  std::uint64_t refused = 0;        ///< pairs with keys that tables of this width do not take
  Distribution multiplicity;        ///< values of each key; the histogram ends at `live_histogram_limit`
  std::uint64_t slots = 0;          ///< of the table of keys; 0 where there is none
  std::uint64_t bytes = 0;          ///< of device memory that lookups need
  std::uint64_t working_bytes = 0;  ///< of device memory that only builds need
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

  /// Replaces the contents by pairs of keys[i] and values[i]; there are as many of both, and at most `max_pairs`.
  /// Refuses pairs with keys that tables of this width do not take, and counts them. Throws Error, and changes nothing,
  /// for a value of more than `Settings::key_bits`; if memory runs out, the table is empty.
  virtual Statistics build(std::span<Key const> keys, std::span<Value const> values) = 0;

  /// Where the values of each key lie; an absent key has none.
  virtual std::vector<Range> ranges(std::span<Key const> keys) = 0;
  /// The values of each key, of which there are less than 2^32 in all (else Error).
  virtual Retrieved retrieve(std::span<Key const> keys) = 0;
  /// Every key with its range, in the order in which their values lie: the ranges follow one another from 0 on.
  virtual std::vector<KeyRange> groups() = 0;
  /// All pairs, in that order.
  virtual std::vector<Pair> pairs() = 0;

  virtual Statistics statistics() = 0;
  /// The table of the distinct keys, whose values are their numbers in `groups`. Ask for it again after a
  /// build.
  virtual InspectedTable& keys() = 0;
};

/// Throws Error, saying what to do, if the settings are invalid.
void validate(Settings const& settings);

/// Throws Error for invalid settings, or if there is no such device. The table is empty.
std::unique_ptr<Engine> make_engine(Backend backend, Settings const& settings);

}  // namespace slotscape::multivalue
