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

/// What tables can do on a device, and what its memory would allow.
namespace slotscape::bench {

/// What is timed, in the order in which a table goes through it. The last two are the parts of a join (`JoinBench`): no
/// `TableBench` has them.
enum class Timed : std::uint8_t {
  insert,     ///< keys of the stream into an empty table, until its load is reached
  find_hit,   ///< each of these keys, in another order
  find_miss,  ///< as many keys that are not there
  mixed,      ///< all kinds together, in the shares of `TableCase::mix`; about half as many in all
  erase,      ///< each key that is there, in another order
  build,      ///< the rows of the build side into an empty table
  probe       ///< each row of the probe side, up to the rows of the result
};
inline constexpr int timed_count = 7;
inline constexpr int timed_of_tables = 5;  ///< the first ones
using TimedMask = std::uint8_t;
constexpr TimedMask mask_of(Timed timed)
{
  return static_cast<TimedMask>(1u << static_cast<unsigned>(timed));
}

/// Shares of the kinds in a mix of operations; they need not sum to 1. With as many erasures as insertions, the load
/// stays; with fewer, it begins lower, in a table that is filled anew, and ends at that of the case.
struct MixShares {
  double insert = 0.25;
  double hit = 0.5;
  double miss = 0.0;
  double erase = 0.25;
};

/// Keys of one stream in a table of these settings.
struct TableCase {
  TableSettings table;
  double load_factor = 0.5;  ///< live keys / slots; above 0, up to `Guarantees::max_load`
  KeySettings keys;
  std::uint64_t batch = 0;        ///< operations submitted together; 0: all, up to `default_batch`
  std::uint64_t inserts = 0;      ///< keys of the stream; 0: until different ones reach the load factor
  bool filled_at_once = false;    ///< insertions come in one batch, whatever `batch` says
  std::uint64_t max_batches = 0;  ///< of each operation are timed; 0: any number. Insertions: the last ones
  MixShares mix = {};
  std::uint64_t zipf_keys = 0;  ///< zipf: how many different keys there are; 0: as many as slots
  double max_seconds = 0.0;     ///< that operations of one kind may take in one run, by the clock; 0: any number
};
inline constexpr std::uint64_t default_batch = 1u << 28;
inline constexpr std::uint64_t max_batch = 1u << 31;
/// Of a stream that gives keys again: so many insertions for each key of the load are made at most.
inline constexpr std::uint64_t max_draws = 32;

/// Memory accesses of lookups, as `Table::count_accesses` counts them; of up to 2^20 keys.
struct Accesses {
  double mean = 0.0;
  std::uint32_t p99 = 0;
  std::uint32_t max = 0;
  bool cut = false;  ///< some were counted up to `max` only
  /// Numbers of accesses, from the lowest on, and how many lookups took each; empty if only the sums are known.
  std::vector<std::pair<std::uint32_t, std::uint64_t>> histogram = {};
};

/// One timed operation on all its keys, or on fewer where all would take longer than the case allows.
struct TimedRun {
  std::uint64_t count = 0;   ///< operations
  double seconds = 0.0;      ///< of the table's own work: device events, or wall clock on the CPU
  std::uint64_t failed = 0;  ///< different keys that found no place
  std::uint64_t batches = 0;
  std::uint64_t batch = 0;     ///< operations of each but the last ones, which may be smaller
  double worst_batch = 0.0;    ///< seconds of the slowest of those of this size
  std::uint64_t left_out = 0;  ///< operations that were not run
  double clock_seconds = 0.0;  ///< by the clock, with all checks; if `count` is 0, what `left_out` would take
  std::optional<ShardReport> shards = {};  ///< what these operations made of a sharded table
  /// Of a mix: the keys between its rounds, where these were most. Fewer than the filled table has where a file has no
  /// other keys to insert.
  std::optional<std::uint64_t> most_keys = {};
};
using Round = std::array<std::optional<TimedRun>, timed_count>;

/// What became of a table whose keys were erased and replaced by new ones, at constant load.
struct Churned {
  /// Lookups of the table as it was filled; then, for each turn, in which as many keys are replaced as there are, its
  /// erasures and insertions, and lookups after it.
  std::vector<Round> turns;
  double replaced = 0.0;  ///< keys, as a multiple of those in the table
  /// It ended early: an insertion found no place, or batches took more than ten times as long as the first ones.
  bool clogged = false;
};

/// Asked between batches whether to go on.

/// A table in the memory of one device, which goes through all operations as often as wanted.
class TableBench {
public:
  virtual ~TableBench() = default;

  /// With the actual number of slots.
  virtual TableSettings const& table() const = 0;
  /// Different keys that fill it, and how many insertions of the stream bring them: fewer keys than the case asks for
  /// where the stream has not so many. Of the last run; before it, of the one of seed 0.
  virtual std::uint64_t keys() const = 0;
  virtual std::uint64_t inserts() const = 0;
  /// Keys in the filled table: those that found a place, in the run where these were fewest.
  virtual std::uint64_t live() const = 0;
  virtual std::uint64_t batch() const = 0;
  virtual std::uint64_t memory_bytes() const = 0;  ///< of the filled table, once it has been filled
  virtual std::string device_name() const = 0;

  /// Empties the table and runs what is wanted, on the keys of a seed; inserts always, since the others need them.
  /// Checks every answer, and throws Error if one is wrong. Nothing if it was cancelled, which is asked several times a
  /// second. What would take longer than `TableCase::max_seconds` is left out: lookups and erasures in part, a mix as a
  /// whole. Throws GivenUp where the table cannot be filled in that time; so do the others.
  virtual std::optional<Round> run(std::uint64_t seed, TimedMask wanted, Progress const& progress) = 0;
  /// Fills the table and replaces its keys. No turns if keys may come twice, or do not all find a place. Otherwise as
  /// `run`.
  virtual std::optional<Churned> churn(std::uint64_t seed, int turns, Progress const& progress) = 0;
  /// Fills the table and inserts each of its keys again, with another value, which is timed. No operations if keys come
  /// twice, do not all find a place, or keep what they have. Otherwise as `run`.
  virtual std::optional<TimedRun> update(std::uint64_t seed, Progress const& progress) = 0;
  /// The lookups of the first wanted round, of a kind that was run; nothing for others.
  virtual std::optional<Accesses> accesses(Timed timed) const = 0;
};

/// Throws Error if no such table can be made on this device, or its memory does not suffice.
std::unique_ptr<TableBench> make_table_bench(Backend backend, TableCase const& subject);

}  // namespace slotscape::bench
