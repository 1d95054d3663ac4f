#pragma once

#include "gpu/engine/table.hpp"
#include "gpu/multivalue/ranges.hpp"

#include <array>
#include <memory>

namespace slotscape::multivalue {

/// What a build took and found.
struct BuildReport {
  std::uint64_t pairs = 0;                          ///< stored
  std::uint64_t distinct = 0;                       ///< keys
  std::uint64_t refused = 0;                        ///< pairs with reserved keys
  std::array<double, stage_count> stage_seconds{};  ///< indexed by `Stage`; device time, or wall clock on the CPU
};

/// Keys that each have one value or more, in the memory of one device: a table of the keys leads from a key to its
/// number, `offsets` from there to its values, which lie together in one array (Alcantara et al. 2009, 4.2). It is
/// built as a whole, and again with other pairs as often as wanted; its memory only grows.
///
/// No pair is lost or stored twice. Keys are numbered in the order in which their values lie. Sorting keeps the order
/// of keys and of a key's values; otherwise both are unspecified, and may differ from run to run.
template <exec::Executor Exec, PairFormat Format>
class MultiValueTable {
public:
  using Key = typename Format::Key;
  using Value = typename Format::Value;

  virtual ~MultiValueTable() = default;

  /// Replaces the contents by `count` <= max_pairs pairs, from arrays on the device, which it only reads. Pairs with
  /// reserved keys are refused; values may be any. Throws Error if memory runs out; then the table is empty.
  virtual BuildReport build(Key const* keys, Value const* values, std::uint64_t count) = 0;

  /// Writes the range of each of `count` keys to `out`; all arrays are on the device. Does not wait for it.
  virtual void retrieve(Key const* keys, std::uint64_t count, Range* out) = 0;
  /// Copies the values of ranges, one range after another: `starts` says where each goes, and after the last where it
  /// ends, `total` < 2^32. All arrays are on the device. Does not wait for it.
  virtual void copy_values(Range const* ranges, std::uint32_t const* starts, std::uint64_t count, std::uint64_t total,
                           Value* out) = 0;
  /// Adds the number of values of each key to a histogram.
  virtual void count_values(exec::HistogramView histogram) = 0;

  /// Distinct keys, where the values of each lie, and all values: to iterate.
  virtual GroupsView<Format> groups() const = 0;
  virtual std::uint64_t distinct() const = 0;
  virtual std::uint64_t pairs() const = 0;

  /// Of what lookups need: keys, offsets, values and, unless these are sorted, the table of keys.
  virtual std::uint64_t memory_bytes() const = 0;
  /// Of what only builds need; it is kept for the next one.
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
