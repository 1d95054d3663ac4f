#pragma once

#include "app/base/enum_names.hpp"
#include "app/base/findings.hpp"
#include "app/base/setting.hpp"
#include "app/keys/comparing.hpp"
#include "app/table_scene/setup.hpp"
#include "app/tuning/division.hpp"
#include "gpu/base/progress.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/bench/table_bench.hpp"
#include "gpu/joins/settings.hpp"
#include "gpu/tables/settings.hpp"
#include "gpu/workloads/settings.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Finds the table and the load factor that suit a workload on this device.
namespace slotscape::tuning {

/// The table already in use, to compare with. Its number of slots follows from the workload.
struct Present {
  TableSettings table;
  double load = 0.5;
  /// How the table in use differs from this one, which then only stands in for it.
  std::vector<Unlike> unlike = {};
  bool has(Unlike what) const { return std::ranges::find(unlike, what) != unlike.end(); }
  friend bool operator==(Present const&, Present const&) = default;
};

/// The rows of a join. The keys of the workload are its build side: they are inserted once; then each row of the probe
/// side is looked up, and the result rows are written.
struct JoinSides {
  joins::JoinKind kind = joins::JoinKind::inner;
  KeySettings probe = {};          ///< `file`: the rows of the probe side. Without one, rows are generated as follows
  std::uint64_t probe_rows = 0;    ///< 0: all of the file, or as many as the build side has
  std::uint64_t rows_per_key = 1;  ///< rows per key of a build side without a file
  double match = 0.5;              ///< share of generated probe rows whose key is on the build side
  double skew = 0.0;               ///< Zipf exponent of these keys; 0: uniform
  friend bool operator==(JoinSides const&, JoinSides const&) = default;

  bool probes_file() const { return probe.distribution == KeyDistribution::file; }
};

/// The use of a table: its keys and operations.
struct Workload {
  std::string name = translatable("My workload");
  std::uint64_t keys = 1u << 20;  ///< insertions that fill the table; 0: all keys of the file
  double growth = 1.0;            ///< the table must have room for this many times as many keys; at least 1
  int key_bits = 32;              ///< width of keys and of values: 32 or 64
  KeySettings source;             ///< source of the keys: a pattern, or a file
  bool values = true;             ///< whether keys have values; if not, only sets are measured
  Combine combine = Combine::replace;
  double insert = 0.25;  ///< shares of operations; they need not sum to 1
  double hit = 0.5;      ///< lookups of keys in the table
  double miss = 0.25;    ///< lookups of absent keys
  double erase = 0.0;
  std::uint64_t batch = 0;  ///< operations submitted together; 0: all of them
  bool at_once = false;     ///< operations of different kinds run together
  double max_bytes = 0.0;   ///< memory per key; 0: no limit
  Division division = {};
  std::optional<Present> present = {};
  /// With a join, values, shares, growth, batches and ways to combine are ignored, and nothing is divided.
  std::optional<JoinSides> join = {};
  friend bool operator==(Workload const&, Workload const&) = default;

  double operations() const { return insert + hit + miss + erase; }
  bench::MixShares shares() const { return {insert, hit, miss, erase}; }
  /// Whether keys are replaced, with one kind of operation after the other: the load then stays constant.
  bool replaces_keys() const { return !join && insert > 0.0 && erase > 0.0 && !at_once; }
  /// Whether the table stores a value with each key.
  bool needs_values() const { return join ? joins::gives_pairs(join->kind) : values; }
  std::uint64_t build_rows() const;  ///< number of rows on a join's build side
  std::uint64_t probe_rows() const;
};

/// Sets the share of one kind of operation; the others divide the rest in the same ratio as before. If there are no
/// others, the rest are hits or, beside hits, insertions.
void set_share(Workload& workload, double Workload::*kind, double share);

/// A typical workload with a familiar name.
struct Preset {
  std::string_view name;  ///< on the command line: "join"
  std::string_view what;  ///< a description in one English sentence
  Workload workload;      ///< its name is the English title
};
std::span<Preset const> presets();

/// Whether the document is a workload, judging by its field names.
bool is_workload(JsonNode const& root);
/// Reads a workload. Shares that are not named are 0 if others are named. Throws Error at an invalid field.
Workload workload_of(JsonNode const& root);
/// Reads a workload from a JSON file. Throws Error naming the invalid field, or the invalid line of the key file;
/// throws OutsideFile if the file names another file outside `reach`.
Workload read_workload(std::filesystem::path const& file, Reach reach = Reach::folder);
/// "an inner join of 1,048,576 rows with 4,194,304, 75.0 % of which match", for a workload with a join. `match`: the
/// measured share.
std::string join_text(Workload const& workload, double match);
/// Findings about the key files; for a join, about those of both sides.
Findings findings_of(Workload const& workload);
/// The findings, cached for callers that need them in every frame.
Findings findings_of(Workload const& workload, LookAlikes& look_alikes);
/// Throws Error, saying what to do, if the fields contradict each other or the keys.
void validate(Workload const& workload);

/// The insertions that fill a table, and the resulting live keys.
struct KeyCounts {
  std::uint64_t inserts = 0;
  std::uint64_t different = 0;
  friend bool operator==(KeyCounts const&, KeyCounts const&) = default;
};

/// The keys of a workload as measured: materialised if keys may repeat.
struct WorkloadKeys {
  KeySettings stream;           ///< keys in their order, with repeats
  KeySettings distinct;         ///< each key once; equal to `stream` if no key repeats
  std::uint64_t inserts = 0;    ///< keys of the stream that fill the table
  std::uint64_t different = 0;  ///< distinct keys among them: the live keys of the full table
  /// The counts of the requested table: larger than available if a file has too few keys.
  KeyCounts wanted = {};
  LazyText remark = {};  ///< why there are fewer keys than requested; empty if there are enough
  double match = 0.0;    ///< for a join: the share of probe rows with a key of the build side, estimated from a sample
};

/// The keys of a workload at its full growth, or `most` of them. nullopt if cancelled. Takes about a second for 10^7
/// keys that may repeat.
std::optional<WorkloadKeys> prepare_keys(Workload const& workload, std::uint64_t most, std::uint64_t seed,
                                         Progress const& progress = {});

/// The beginning of the keys, up to this many distinct ones; all of them if there are no more.
WorkloadKeys with_different_keys(WorkloadKeys const& keys, std::uint64_t different);

/// The rows of a join, or a subset: all rows of some keys, on both sides.
struct JoinRows {
  KeySettings build;
  KeySettings probe;
  KeyCounts counts;  ///< counts of the build side
  std::uint64_t probe_rows = 0;
};
/// About `most` rows of the build side, with the same share of the probe side. nullopt if cancelled.
std::optional<JoinRows> join_rows(Workload const& workload, WorkloadKeys const& keys, std::uint64_t most,
                                  Progress const& progress = {});

/// Up to `most` of the distinct keys, as numbers.
std::vector<Key> sample_of(WorkloadKeys const& keys, int key_bits, std::uint64_t most, std::uint64_t seed);

}  // namespace slotscape::tuning

namespace slotscape {
template <>
std::span<Setting<tuning::Workload> const> settings_of();
template <>
std::span<Setting<tuning::JoinSides> const> settings_of();
template <>
std::span<Setting<tuning::Present> const> settings_of();
template <>
std::span<EnumName<joins::JoinKind> const> enum_names();
}  // namespace slotscape
