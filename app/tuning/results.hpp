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

/// A table that may serve the workload.
struct Candidate {
  TableSettings table;  ///< with slots for the measured number of keys
  double load = 0.5;    ///< live keys / slots of the full table
  /// For a join: the rows of each key are stored together in a multi-value table, and `table` is its table of keys.
  bool grouped = false;
  friend bool operator==(Candidate const&, Candidate const&) = default;
};

/// "Cuckoo hashing, 2 choices, buckets of 8": family, parameters that differ from the defaults, hash, deletion.
std::string title_of(TableSettings const& table);
/// The title of a candidate, which may be a multi-value table.
std::string kind_of(Candidate const& candidate);
/// The title of a candidate with its load: "…, α 0.88".
std::string title_of(Candidate const& candidate);

/// A candidate that was not measured, and why.
struct Skipped {
  Candidate candidate;
  LazyText why;  ///< the end of a sentence: "random keys are guaranteed a slot only up to α 0.70"
};

/// How thoroughly a candidate was measured.
enum class Stage : std::uint8_t {
  coarse,   ///< few keys and repeats, to find promising candidates
  refined,  ///< candidates around the best
  checked   ///< the winner and the present setting, at full size, with many repeats
};

/// A candidate and its measurements.
struct Measured {
  Candidate candidate;
  Stage stage = Stage::coarse;
  int repeats = 0;
  std::uint64_t keys = 0;   ///< distinct keys that fill the table
  std::uint64_t live = 0;   ///< keys in the table when `throughput` was measured; in the worst repeat
  std::uint64_t slots = 0;  ///< of the measured table, which may be smaller than the candidate's
  std::uint64_t batch = 0;  ///< operations submitted together
  double throughput = 0.0;  ///< operations a second of the workload's mix (see `measure.hpp`)
  double spread = 0.0;      ///< spread of `throughput`, as a share
  /// By how much, as a share, the throughput may be off when compared with that of others (95 % confidence).
  double uncertainty = 0.0;
  std::uint64_t memory_bytes = 0;            ///< including everything that belongs to the table
  double bytes_per_key = 0.0;                ///< `memory_bytes` / live keys of the same table
  double safe_load = 1.0;                    ///< up to this load, random keys find a place
  std::uint64_t failed = 0;                  ///< distinct keys without a place, in all repeats
  std::optional<double> clogged_after = {};  ///< replaced keys, as a share of all, after which erased ones filled it
  /// Of lookups: hits and misses in the workload's shares. nullopt if there were no lookups.
  std::optional<bench::Accesses> accesses = {};
  std::uint64_t timed_batch = 0;     ///< batch size for the next two: less than `batch` in a short mix
  double batch_seconds = 0.0;        ///< typical time of one batch of the workload's mix
  double worst_batch_seconds = 0.0;  ///< slowest batch seen; 0 if not all operations ran in such batches
  OperationResults operations = {};
  Handover handover = {};  ///< between CPU cores during the measurement

  /// Live keys / slots of the measured table; the candidate's load if these are unknown.
  double load() const;
};

/// The title with the load at which the table was measured.
std::string title_of(Measured const& measured);

/// The share of one kind of operation in the workload; 0 for kinds without a share.
double share_of(Workload const& workload, bench::Timed timed);
/// Whether the time of this kind counts in the mix.
bool counts(Workload const& workload, bench::Timed timed);
/// The factor for each kind's measured operations, so that as many operations in total have the workload's shares.
std::array<double, bench::timed_count> weights_of(Workload const& workload, OperationResults const& operations);

/// The report on shards over all operations, in the workload's shares, from the repeats closest to the medians. nullopt
/// for a table in one piece, or if the data is no longer available.
std::optional<ShardReport> shards_of(Workload const& workload, Measured const& measured);

/// By how much, as a share, the ratio of two throughputs may be off.
double uncertainty_of(Measured const& a, Measured const& b);

/// The effect on a table of erasing keys and replacing them by others.
struct ChurnResult {
  Candidate candidate;
  double replaced = 0.0;                  ///< replaced keys, in multiples of the table's keys
  std::vector<double> lookups = {};       ///< lookups a second: after filling, then after each turn
  std::vector<double> replacements = {};  ///< erasures and insertions a second, in each turn
  std::uint64_t failed = 0;               ///< insertions without a place
  bool clogged = false;      ///< erased keys slowed the table down so much that the measurement ended early
  int runs = 1;              ///< the values are medians over these
  double uncertainty = 0.0;  ///< of the ratio of two of the rates, as a share
};

/// The median change of lookups over several runs of one table, turn by turn, with its uncertainty. `unrest`: that of
/// the machine, which is all that is known for a single run.
ChurnResult summary_of(std::vector<ChurnResult> const& runs, double unrest);

/// How often a table could not be filled.
struct FailureResult {
  TableSettings table;
  double load = 0.0;
  std::uint64_t keys = 0;
  int builds = 0;  ///< each with different keys
  int failed = 0;  ///< number of builds that failed
};

/// Everything that a sweep has found so far. Indices refer to `measured`.
struct Results {
  Backend backend = Backend::cpu;
  std::string device;                    ///< "NVIDIA H200"
  std::uint32_t devices = 1;             ///< number of devices available for shards
  std::vector<int> device_numbers = {};  ///< as given by the user; empty: the first device
  Workload workload;
  std::string keys_checksum = {};                 ///< of the workload's key file, for rows (`note_checksums`)
  std::string probe_checksum = {};                ///< of the probe file of a join
  std::uint64_t inserts = 0;                      ///< keys of the stream that fill the requested table
  std::uint64_t different = 0;                    ///< distinct keys among them
  KeyCounts available = {};                       ///< the available keys: fewer, if a file has too few
  LazyText remark;                                ///< remark about the keys; may be empty
  double match = 0.0;                             ///< for a join, as in `WorkloadKeys`
  std::vector<HashUniformity> hashes;             ///< for the keys, in one table of up to α 0.5
  std::optional<HashUniformity> homes_of_choice;  ///< for the keys, in the chosen table, if it uses a hash
  /// In the order of measurement; a candidate that is measured again at a later stage keeps its place.
  std::vector<Measured> measured;
  std::vector<Skipped> skipped;
  /// Earlier measurements that do not count, at the load at which they were measured.
  std::vector<Skipped> set_aside = {};
  /// The present setting, set when its measurement is due.
  std::optional<Candidate> present_setting = {};
  std::optional<std::size_t> present;  ///< index of the present setting, if it could be measured
  std::vector<ChurnResult> churn;
  std::vector<FailureResult> failures;
  double unrest = 0.0;                       ///< by how much the machine's speed changed during the sweep, as a share
  std::uint64_t unchecked = 0;               ///< possibly better tables for which there was no time
  bool ended_early = false;                  ///< there was nothing left to measure closely before the time was up
  std::vector<std::string> unmeasured = {};  ///< English titles of families that could serve but were not measured
  std::vector<std::uint32_t> unmeasured_shards = {};  ///< numbers of shards that could serve but were not measured

  /// Whether the present table only stands in for the one in use, for example because no table here has its hash.
  bool stands_in() const { return workload.present && !workload.present->unlike.empty(); }
  /// The measurement of the table in use itself; nullopt if only a stand-in was measured.
  std::optional<std::size_t> in_use() const { return stands_in() ? std::nullopt : present; }
  /// The share of the operations on the table that look for an absent key.
  double misses() const;
};

}  // namespace slotscape::tuning

namespace slotscape {
template <>
std::span<EnumName<tuning::Stage> const> enum_names();
}  // namespace slotscape
