#pragma once

#include "gpu/base/progress.hpp"
#include "gpu/engine/shard_report.hpp"
#include "gpu/execution/backend.hpp"
#include "gpu/tables/settings.hpp"
#include "gpu/workloads/settings.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// The speed of tables on a device, and the limits set by its memory.
namespace slotscape::bench {

/// The timed operations, in the order in which a table runs them. The last two are the parts of a join (`JoinBench`),
/// which no `TableBench` has.
enum class Timed : std::uint8_t {
  insert,     ///< keys of the stream into an empty table, until its load is reached
  find_hit,   ///< each of the inserted keys, in another order
  find_miss,  ///< the same number of absent keys
  mixed,      ///< all kinds together, in the shares of `TableCase::mix`; about half as many in total
  erase,      ///< each key in the table, in another order
  build,      ///< the rows of the build side into an empty table
  probe       ///< each row of the probe side, including writing the result rows
};
inline constexpr int timed_count = 7;
inline constexpr int timed_of_tables = 5;  ///< the first kinds
using TimedMask = std::uint8_t;
constexpr TimedMask mask_of(Timed timed)
{
  return static_cast<TimedMask>(1u << static_cast<unsigned>(timed));
}

/// Shares of the kinds in a mix of operations; they need not sum to 1. With as many erasures as insertions, the load
/// stays constant; with fewer, it starts lower, in a table that is refilled, and ends at the case's load.
struct MixShares {
  double insert = 0.25;
  double hit = 0.5;
  double miss = 0.0;
  double erase = 0.25;
};

/// A table with these settings and keys from one stream.
struct TableCase {
  TableSettings table;
  double load_factor = 0.5;  ///< live keys / slots; above 0, up to `Guarantees::max_load`
  KeySettings keys;
  std::uint64_t batch = 0;        ///< operations submitted together; 0: all, up to `default_batch`
  std::uint64_t inserts = 0;      ///< keys of the stream; 0: until distinct keys reach the load factor
  bool filled_at_once = false;    ///< all insertions form one batch, whatever `batch` says
  std::uint64_t max_batches = 0;  ///< timed per operation; 0: no limit. Of insertions, the last batches
  MixShares mix = {};
  std::uint64_t zipf_keys = 0;  ///< zipf: number of distinct keys; 0: as many as slots
  double max_seconds = 0.0;     ///< limit for operations of one kind in one run, by wall clock; 0: no limit
};
inline constexpr std::uint64_t default_batch = 1u << 28;
inline constexpr std::uint64_t max_batch = 1u << 31;
/// For a stream that repeats keys: the maximum number of insertions per key of the load.
inline constexpr std::uint64_t max_draws = 32;

/// Memory accesses of lookups, as counted by `Table::count_accesses`, for up to 2^20 keys.
struct Accesses {
  double mean = 0.0;
  std::uint32_t p99 = 0;
  std::uint32_t max = 0;
  bool cut = false;  ///< some lookups were counted only up to `max`
  /// Numbers of accesses, in ascending order, with the number of lookups for each; empty if only the sums are known.
  std::vector<std::pair<std::uint32_t, std::uint64_t>> histogram = {};
};

/// One timed operation on all its keys, or on fewer if all would take longer than the case allows.
struct TimedRun {
  std::uint64_t count = 0;   ///< operations
  double seconds = 0.0;      ///< for the table's own work: by device events, or wall clock on the CPU
  std::uint64_t failed = 0;  ///< distinct keys that did not fit
  std::uint64_t batches = 0;
  std::uint64_t batch = 0;     ///< operations per batch, except for the last ones, which may be smaller
  double worst_batch = 0.0;    ///< seconds of the slowest batch of this size
  std::uint64_t left_out = 0;  ///< operations that were not run
  double clock_seconds = 0.0;  ///< wall clock, with all checks; if `count` is 0, the estimated time of `left_out`
  std::optional<ShardReport> shards = {};  ///< report of these operations on a sharded table
  /// For a mix: the maximum number of keys between its rounds. Less than in the filled table if a file has no further
  /// keys to insert.
  std::optional<std::uint64_t> most_keys = {};
};
using Round = std::array<std::optional<TimedRun>, timed_count>;

/// The measurements of a table whose keys are erased and replaced by new ones, at constant load.
struct Churned {
  /// First the lookups in the freshly filled table. Then, for each turn, which replaces as many keys as the table
  /// holds: its erasures and insertions, and the lookups after the turn.
  std::vector<Round> turns;
  double replaced = 0.0;  ///< as a multiple of the keys in the table
  /// The measurement ended early: an insertion failed, or batches took more than ten times as long as the first
  /// ones.
  bool clogged = false;
};

/// A table in the memory of one device, on which all operations can be run repeatedly.
class TableBench {
public:
  virtual ~TableBench() = default;

  /// The settings, with the actual number of slots.
  virtual TableSettings const& table() const = 0;
  /// The number of distinct keys that fill the table, and of the insertions that supply them: fewer keys than the case
  /// asks for if the stream does not have enough. Refers to the last run or, before the first, to seed 0.
  virtual std::uint64_t keys() const = 0;
  virtual std::uint64_t inserts() const = 0;
  /// The number of keys in the filled table; if it varies between runs, the minimum.
  virtual std::uint64_t live() const = 0;
  virtual std::uint64_t batch() const = 0;
  virtual std::uint64_t memory_bytes() const = 0;  ///< of the filled table, after it has been filled
  virtual std::string device_name() const = 0;

  /// Empties the table and runs the wanted operations on the keys of a seed; always inserts, since the others need the
  /// keys. Checks every answer, and throws Error if one is wrong. nullopt if cancelled, which is checked several times
  /// a second. Operations that would take longer than `TableCase::max_seconds` are left out: lookups and erasures in
  /// part, a mix as a whole. Throws GivenUp if the table cannot be filled in that time; so do `churn` and `update`.
  virtual std::optional<Round> run(std::uint64_t seed, TimedMask wanted, Progress const& progress) = 0;
  /// Fills the table and replaces its keys. Runs no turns if keys may repeat or if some find no place. Otherwise like
  /// `run`.
  virtual std::optional<Churned> churn(std::uint64_t seed, int turns, Progress const& progress) = 0;
  /// Fills the table and times inserting each of its keys again, with another value. Runs no operations if keys repeat,
  /// find no place, or keep their values. Otherwise like `run`.
  virtual std::optional<TimedRun> update(std::uint64_t seed, Progress const& progress) = 0;
  /// The accesses in the first round that ran lookups of this kind; nullopt for other kinds.
  virtual std::optional<Accesses> accesses(Timed timed) const = 0;
};

/// Throws Error if such a table cannot be made on this device, or its memory is too small.
std::unique_ptr<TableBench> make_table_bench(Backend backend, TableCase const& subject);

}  // namespace slotscape::bench
