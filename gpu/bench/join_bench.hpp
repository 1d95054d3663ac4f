#pragma once

#include "gpu/bench/rivals.hpp"
#include "gpu/bench/table_bench.hpp"
#include "gpu/joins/settings.hpp"
#include "gpu/workloads/settings.hpp"

#include <memory>
#include <optional>
#include <string>

namespace slotscape::bench {

inline constexpr double max_skew = 4.0;

/// The distribution of keys over rows.
struct KeySkew {
  double exponent = 0.0;  ///< of Zipf's law, up to `max_skew`; 0: uniform
  bool half = false;      ///< every other row has the same key
  friend bool operator==(KeySkew const&, KeySkew const&) = default;
};

/// Two columns of keys, joined.
struct JoinCase {
  joins::Settings settings = {};
  std::string rival = {};  ///< one of `row_rivals`, instead of our table
  /// Instead of a multi-value table: a table of a family, for a build side without repeated keys; or a set, for semi
  /// and anti joins. Its `key_bits` are those of the settings.
  std::optional<TableSettings> table = {};
  joins::JoinKind kind = joins::JoinKind::inner;
  std::uint64_t build_rows = 0;
  std::uint64_t probe_rows = 0;
  std::uint64_t rows_per_key = 1;  ///< for the build side, whose rows are in random order
  double hit_share = 1.0;          ///< share of probe rows with a key of the build side
  KeySkew skew = {};               ///< of the hits
  /// For the build side: keys of a pattern without repeats. `file`: its keys with their repeats, and hits are drawn
  /// from its rows.
  KeySettings keys = {};
  /// `file`: the rows of the probe side, from the first on, repeated as needed; `hit_share` and `skew` are then
  /// ignored. The build side must be from a file, too.
  KeySettings probe = {};
};

struct JoinRun {
  double build_seconds = 0.0;
  double probe_seconds = 0.0;
  std::uint64_t results = 0;  ///< rows
  std::uint64_t matched = 0;  ///< probe rows with a key of the build side
  std::uint64_t failed = 0;   ///< build rows that did not fit; if any, only the time of the build is valid
};

/// A join in the memory of one device.
class JoinBench {
public:
  virtual ~JoinBench() = default;
  /// Joins once, with columns for a seed that are in device memory beforehand. Checks all result rows of each probe
  /// row, without hashing, against counters by key number: throws Error if a row is wrong, missing or superfluous.
  /// nullopt if cancelled.
  virtual std::optional<JoinRun> run(std::uint64_t seed, Progress const& progress) = 0;
  virtual std::uint64_t memory_bytes() const = 0;  ///< on the device, besides the columns
  virtual std::uint64_t table_bytes() const = 0;   ///< the part that a probe needs: no working memory, no result
};

/// A column of keys and one of values, to be grouped into counts and sums by key.
struct GroupCase {
  joins::Settings settings = {};
  std::string rival = {};  ///< as above
  std::uint64_t rows = 0;
  std::uint64_t groups = 1;  ///< number of keys that rows are drawn from
  KeySkew skew = {};
  KeySettings keys = {};  ///< `file`: its rows are the column, from the first on, repeated as needed
};

struct GroupRun {
  double seconds = 0.0;
  std::uint64_t groups = 0;
};

class GroupBench {
public:
  virtual ~GroupBench() = default;
  /// Groups once, like `JoinBench::run`. Checks the number of groups, and a checksum of all keys, counts and sums.
  virtual std::optional<GroupRun> run(std::uint64_t seed, Progress const& progress) = 0;
  virtual std::uint64_t memory_bytes() const = 0;  ///< on the device, besides the columns
};

/// Throws Error if the case is invalid, or the device's memory is too small.
std::unique_ptr<JoinBench> make_join_bench(Backend backend, JoinCase const& subject);
std::unique_ptr<GroupBench> make_group_bench(Backend backend, GroupCase const& subject);

/// CPU hash tables from other libraries that can also join and group, whether compiled in or not.
std::span<Rival const> row_rivals();

}  // namespace slotscape::bench
