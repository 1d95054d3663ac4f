#pragma once

#include "app/base/enum_names.hpp"
#include "app/bench/handover.hpp"
#include "app/bench/measure.hpp"
#include "app/tuning/hash_uniformity.hpp"
#include "app/tuning/workload.hpp"
#include "gpu/base/translation.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace slotscape::tuning {

/// A table that might suit.
struct Candidate {
  TableSettings table;  ///< with slots for the keys that are measured
  double load = 0.5;    ///< live keys / slots, once it is full
  /// Of a join: the rows of each key lie together, in a multi-value table, and this is its table of keys.
  bool grouped = false;
  friend bool operator==(Candidate const&, Candidate const&) = default;
};

/// "Cuckoo hashing, 2 choices, buckets of 8": family, parameters that are not the usual ones, hash, deletion.
std::string title_of(TableSettings const& table);
/// The same of a candidate, which may be a multi-value table.
std::string kind_of(Candidate const& candidate);
/// The same with "α 0.88".
std::string title_of(Candidate const& candidate);

/// Why a candidate was not measured.
struct Skipped {
  Candidate candidate;
  LazyText why;  ///< the end of a sentence: "random keys are guaranteed a slot only up to α 0.70"
};

/// How thoroughly something was measured.
enum class Stage : std::uint8_t {
  coarse,   ///< few keys and repeats: to see what is promising
  refined,  ///< around the best
  checked   ///< the winner and the present setting, at the full size, with many repeats
};

/// A candidate and what it can do.
struct Measured {
  Candidate candidate;
  Stage stage = Stage::coarse;
  int repeats = 0;
  std::uint64_t keys = 0;   ///< different ones that fill the table
  std::uint64_t live = 0;   ///< of them that were in the table when `throughput` was measured, in the worst repeat
  std::uint64_t slots = 0;  ///< of the table that was measured, which may be smaller than the candidate's
  std::uint64_t batch = 0;  ///< operations submitted together
  double throughput = 0.0;  ///< operations a second of the workload's mix (see `measure.hpp`)
  double spread = 0.0;      ///< of it, as a share
  /// By how much, as a share, the throughput may be off where it is compared with that of others (95 % confidence).
  double uncertainty = 0.0;
  std::uint64_t memory_bytes = 0;  ///< with everything that belongs to the table
  double bytes_per_key = 0.0;      ///< these, over the live keys of the same table
  double safe_load = 1.0;          ///< up to which random keys find a place
  std::uint64_t failed = 0;        ///< different keys without a place, in all repeats
  std::optional<double> clogged_after =
      {};  ///< replaced keys, as a share of all, after which it was full of erased ones
  /// Of lookups: hits and misses in the workload's shares. Nothing where none were looked up.
  std::optional<bench::Accesses> accesses = {};
  std::uint64_t timed_batch = 0;     ///< operations of the batches of the next two: fewer than `batch` in a short mix
  double batch_seconds = 0.0;        ///< one batch of the workload's mix, typically
  double worst_batch_seconds = 0.0;  ///< the slowest one seen; 0 if not all operations ran in such batches
  OperationResults operations = {};
  Handover handover = {};  ///< between the cores of the CPU, meanwhile

  /// Live keys / slots of the table that was measured; the candidate's where these are not known.
  double load() const;
};

/// The same with the load at which it was measured.
std::string title_of(Measured const& measured);

/// Of one kind of operation, as the workload has it; 0 of those that come in no share.
double share_of(Workload const& workload, bench::Timed timed);
/// Whether a kind's time is part of the mix.
bool counts(Workload const& workload, bench::Timed timed);
/// By how much each kind of operation, as it was measured, counts among as many in the workload's shares.
std::array<double, bench::timed_count> weights_of(Workload const& workload, OperationResults const& operations);

/// What all operations of a table in shards made of these, in the workload's shares: of the repeats closest to the
/// medians. Nothing of a table in one piece, or where it is not known any more.
std::optional<ShardReport> shards_of(Workload const& workload, Measured const& measured);

/// By how much the ratio of two throughputs may be off, as a share.
double uncertainty_of(Measured const& a, Measured const& b);

/// What became of a table whose keys were erased and replaced by others.
struct ChurnResult {
  Candidate candidate;
  double replaced = 0.0;                  ///< how many times as many keys as the table holds
  std::vector<double> lookups = {};       ///< lookups a second: first as filled, then after each turn
  std::vector<double> replacements = {};  ///< erasures and insertions a second, of each turn
  std::uint64_t failed = 0;               ///< insertions without a place
  bool clogged = false;                   ///< erased keys slowed it down so much that the measurement ended early
  int runs = 1;                           ///< of which these are the medians
  double uncertainty = 0.0;               ///< of the ratio of two of these rates, as a share
};

/// Of several runs of one table, the median change of lookups, turn by turn, and how uncertain it is. `unrest`: of the
/// machine, which is all that is known where there is one run only.
ChurnResult summary_of(std::vector<ChurnResult> const& runs, double unrest);

/// How often a table could not be filled.
struct FailureResult {
  TableSettings table;
  double load = 0.0;
  std::uint64_t keys = 0;
  int builds = 0;  ///< each with other keys
  int failed = 0;  ///< of these
};

/// Everything that a sweep has found so far. Indices are into `measured`.
struct Results {
  Backend backend = Backend::cpu;
  std::string device;                    ///< "NVIDIA H200"
  std::uint32_t devices = 1;             ///< that shards can be on
  std::vector<int> device_numbers = {};  ///< as they were named; none: the first
  Workload workload;
  std::string keys_checksum = {};                 ///< of the workload's key file, as in rows (`note_checksums`)
  std::string probe_checksum = {};                ///< of a join's other one
  std::uint64_t inserts = 0;                      ///< keys of the stream that fill the table that is wanted
  std::uint64_t different = 0;                    ///< different ones among them
  KeyCounts available = {};                       ///< the keys that there are: fewer, where a file has too few
  LazyText remark;                                ///< on the keys; may be empty
  double match = 0.0;                             ///< of a join, as in `WorkloadKeys`
  std::vector<HashUniformity> hashes;             ///< of the keys, in one table of up to α 0.5
  std::optional<HashUniformity> homes_of_choice;  ///< of the keys, in the table that was chosen, if it uses a hash
  /// In the order in which they were measured; a candidate that is measured again at a later stage takes its old place.
  std::vector<Measured> measured;
  std::vector<Skipped> skipped;
  /// Of what was known from before, what does not count: at the load that it was measured at.
  std::vector<Skipped> set_aside = {};
  /// The present setting, from the moment when it is to be measured.
  std::optional<Candidate> present_setting = {};
  std::optional<std::size_t> present;  ///< where it could be
  std::vector<ChurnResult> churn;
  std::vector<FailureResult> failures;
  double unrest = 0.0;          ///< by how much the machine's speed changed meanwhile, as a share
  std::uint64_t unchecked = 0;  ///< tables that may be better, for which there was no time
  bool ended_early = false;     ///< nothing was left to measure closely before the time was up
  std::vector<std::string> unmeasured =
      {};  ///< titles of families that could serve, in English, for which there was none at all
  std::vector<std::uint32_t> unmeasured_shards = {};  ///< numbers of them, of which the same is true

  /// Whether the present table only stands for the one that is in use, whose hash, say, no table here has.
  bool stands_in() const { return workload.present && !workload.present->unlike.empty(); }
  /// What was measured of the very table that is in use.
  std::optional<std::size_t> in_use() const { return stands_in() ? std::nullopt : present; }
  /// Of the operations on the table, those that look for a key that is not there: a share.
  double misses() const;
};

}  // namespace slotscape::tuning

namespace slotscape {
template <>
std::span<EnumName<tuning::Stage> const> enum_names();
}  // namespace slotscape
