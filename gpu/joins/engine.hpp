#pragma once

#include "gpu/base/types.hpp"
#include "gpu/execution/backend.hpp"
#include "gpu/joins/settings.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace slotscape::joins {

/// The rows of a join, counted from 0.
struct Joined {
  std::vector<std::uint32_t> build_rows;  ///< one per probe row, `no_row` if it has no match; empty
                                          ///< unless `gives_pairs`
  std::vector<std::uint32_t> probe_rows;  ///< ascending
};

/// The result of grouping rows: keys[i] has counts[i] rows, whose values add up to sums[i] modulo 2^64.
struct Groups {
  std::vector<Key> keys;  ///< distinct, in no particular order
  std::vector<std::uint32_t> counts;
  std::vector<std::uint64_t> sums;
};

/// Joins and group-bys of columns in host memory, on one device. Keys may be any numbers of `Settings::key_bits`. Call
/// it from one thread; each call blocks until its result is ready. Throws Error for larger keys, for more than
/// `max_rows` rows in a column, for more than `max_results` in a result, and if memory runs out; the engine remains
/// usable afterwards.
class Engine {
public:
  virtual ~Engine() = default;

  virtual Backend backend() const = 0;
  virtual std::string device_name() const = 0;
  virtual Settings const& settings() const = 0;

  /// Joins the columns by key. The build side should be the smaller one.
  virtual Joined join(JoinKind kind, std::span<Key const> build, std::span<Key const> probe) = 0;
  /// Counts the rows and sums the values of each key; there are as many keys as values. Signed values may be passed in
  /// two's complement.
  virtual Groups group(std::span<Key const> keys, std::span<std::uint64_t const> values) = 0;

  /// Device memory held since the last join and the last group-by.
  virtual std::uint64_t memory_bytes() const = 0;
};

/// Throws Error, with advice, if the settings are invalid.
void validate(Settings const& settings);

/// Throws Error for invalid settings, or if there is no such device.
std::unique_ptr<Engine> make_engine(Backend backend, Settings const& settings);

}  // namespace slotscape::joins
