#pragma once

#include "gpu/engine/table.hpp"
#include "gpu/multivalue/ranges.hpp"

#include <array>
#include <memory>

namespace slotscape::multivalue {

/// The result and the times of a build.
struct BuildReport {
  std::uint64_t pairs = 0;                          ///< stored
  std::uint64_t distinct = 0;                       ///< keys
  std::uint64_t refused = 0;                        ///< pairs with reserved keys
  std::array<double, stage_count> stage_seconds{};  ///< indexed by `Stage`; device time, or wall clock on the CPU
};

/// Keys with one or more values each, in the memory of one device: a table of the keys maps a key to its number, and
/// `offsets` maps the number to the key's values, which are contiguous in one array (Alcantara et al. 2009, 4.2). It is
/// built as a whole, and can be rebuilt with other pairs any number of times; its memory only grows.
///
/// No pair is lost or stored twice. Keys are numbered in the order of their values. Sorting keeps the order of keys and
/// of a key's values; otherwise both are unspecified, and may differ from run to run.
template <exec::Executor Exec, PairFormat Format>
class MultiValueTable {
public:
  using Key = typename Format::Key;
  using Value = typename Format::Value;

  virtual ~MultiValueTable() = default;

  /// Replaces the contents by `count` <= max_pairs pairs, from arrays on the device, which are only read. Pairs with
  /// reserved keys are refused; any value is accepted. Throws Error if memory runs out; the table is then empty.
  virtual BuildReport build(Key const* keys, Value const* values, std::uint64_t count) = 0;

  /// Writes the range of each of `count` keys to `out`; all arrays are on the device. Does not wait.
  virtual void retrieve(Key const* keys, std::uint64_t count, Range* out) = 0;
  /// Concatenates the values of ranges: `starts` holds the place of each range in the result, followed by the end,
  /// `total` < 2^32. All arrays are on the device. Does not wait.
  virtual void copy_values(Range const* ranges, std::uint32_t const* starts, std::uint64_t count, std::uint64_t total,
                           Value* out) = 0;
  /// Adds the number of values of each key to a histogram.
  virtual void count_values(exec::HistogramView histogram) = 0;

  /// The distinct keys, the ranges of their values, and all values: for iteration.
  virtual GroupsView<Format> groups() const = 0;
  virtual std::uint64_t distinct() const = 0;
  virtual std::uint64_t pairs() const = 0;

  /// Memory that lookups need: keys, offsets, values and, unless the keys are sorted, the table of keys.
  virtual std::uint64_t memory_bytes() const = 0;
  /// Memory that only builds need; it is kept for the next one.
  virtual std::uint64_t working_bytes() const = 0;
  /// Slots of the table of keys; 0 if lookups need none.
  virtual std::uint64_t slots() const = 0;
  /// The table of keys, with their numbers as values. The next build may replace it.
  virtual Table<Exec, Format>& keys() = 0;
};

/// Makes an empty table; the settings must be valid. Each backend defines its own specialisations.
template <exec::Executor Exec, PairFormat Format>
std::unique_ptr<MultiValueTable<Exec, Format>> make_table(Exec& exec, Settings const& settings);

}  // namespace slotscape::multivalue
