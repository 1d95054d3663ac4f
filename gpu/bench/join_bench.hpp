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

/// How rows choose their keys.
struct KeySkew {
  double exponent = 0.0;  ///< Zipf's, up to `max_skew`; 0: all alike
  bool half = false;      ///< every other row has one and the same key
  friend bool operator==(KeySkew const&, KeySkew const&) = default;
};

/// Two columns of keys, joined.
struct JoinCase {
  joins::Settings settings = {};
  std::string rival = {};  ///< of `row_rivals`, in place of ours
  /// In place of a multi-value table: one of a family, for a build side without repeated keys; or a set, for semi and
  /// anti joins. Its `key_bits` are those of the settings.
  std::optional<TableSettings> table = {};
  joins::JoinKind kind = joins::JoinKind::inner;
  std::uint64_t build_rows = 0;
  std::uint64_t probe_rows = 0;
  std::uint64_t rows_per_key = 1;  ///< of the build side, whose rows come in random order
  double hit_share = 1.0;          ///< of the probe rows: those whose key the build side has
  KeySkew skew = {};               ///< of these
  /// Of the build side: keys of a pattern without repeats. `file`: its keys, as often as they come, and hits are drawn
  /// from its rows.
  KeySettings keys = {};
  /// `file`: the rows of the probe side, from the first on, again and again; `hit_share` and `skew` do not count then.
  /// The build side must be of a file, too.
  KeySettings probe = {};
};

struct JoinRun {
  double build_seconds = 0.0;
  double probe_seconds = 0.0;
  std::uint64_t results = 0;  ///< rows
  std::uint64_t matched = 0;  ///< probe rows whose key the build side has
  std::uint64_t failed = 0;   ///< build rows that found no place: then there is nothing but the time of the build
};

/// A join in the memory of one device.
class JoinBench {
public:
  virtual ~JoinBench() = default;
  /// Joins once, columns of a seed that are in the device's memory beforehand. Checks the rows of each probe row, and
  /// that there are no others, against counters that the numbers of keys lead to without any hashing: throws Error if
  /// one is wrong. Nothing if it was cancelled.
  virtual std::optional<JoinRun> run(std::uint64_t seed, Progress const& progress) = 0;
  virtual std::uint64_t memory_bytes() const = 0;  ///< of the device, besides the columns
  virtual std::uint64_t table_bytes() const = 0;   ///< of these, what a probe needs: no working memory, no result
};

/// A column of keys and one of values: counts and sums by key.
struct GroupCase {
  joins::Settings settings = {};
  std::string rival = {};  ///< as above
  std::uint64_t rows = 0;
  std::uint64_t groups = 1;  ///< that rows are drawn from
  KeySkew skew = {};
  KeySettings keys = {};  ///< `file`: its rows are the column, from the first on, again and again
};

struct GroupRun {
  double seconds = 0.0;
  std::uint64_t groups = 0;
};

class GroupBench {
public:
  virtual ~GroupBench() = default;
  /// Groups once, as above. Checks the number of groups, and a checksum of all keys, counts and sums.
  virtual std::optional<GroupRun> run(std::uint64_t seed, Progress const& progress) = 0;
  virtual std::uint64_t memory_bytes() const = 0;  ///< of the device, besides the columns
};

/// Throws Error if the case is invalid, or the memory of the device does not suffice.
std::unique_ptr<JoinBench> make_join_bench(Backend backend, JoinCase const& subject);
std::unique_ptr<GroupBench> make_group_bench(Backend backend, GroupCase const& subject);

/// Hash tables for CPUs by others that join and group as well, whether they are built in or not.
std::span<Rival const> row_rivals();

}  // namespace slotscape::bench
