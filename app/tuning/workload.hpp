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

/// Which table, at which load factor, suits a workload on this device.
namespace slotscape::tuning {

/// A table that is in use already, to compare with. Its number of slots follows from the workload.
struct Present {
  TableSettings table;
  double load = 0.5;
  /// What the table that is in use has and this one does not, which then only stands for it.
  std::vector<Unlike> unlike = {};
  bool has(Unlike what) const { return std::ranges::find(unlike, what) != unlike.end(); }
  friend bool operator==(Present const&, Present const&) = default;
};

/// The rows of a join. Its build side are the keys of the workload: they go into the table once, and then each row of
/// the probe side is looked up, and the rows of the result are written.
struct JoinSides {
  joins::JoinKind kind = joins::JoinKind::inner;
  KeySettings probe = {};          ///< `file`: the rows of the probe side. Otherwise they are drawn, as follows
  std::uint64_t probe_rows = 0;    ///< 0: all of the file, or as many as the build side has
  std::uint64_t rows_per_key = 1;  ///< of a build side without a file
  double match = 0.5;              ///< share of drawn probe rows whose key the build side has
  double skew = 0.0;               ///< Zipf's exponent of these rows' keys; 0: all alike
  friend bool operator==(JoinSides const&, JoinSides const&) = default;

  bool probes_file() const { return probe.distribution == KeyDistribution::file; }
};

/// What a table is wanted for.
struct Workload {
  std::string name = translatable("My workload");
  std::uint64_t keys = 1u << 20;  ///< insertions that fill the table; 0: all keys of the file
  double growth = 1.0;            ///< the table must hold this many times as many; at least 1
  int key_bits = 32;              ///< of keys and of values: 32 or 64
  KeySettings source;             ///< of the keys: a pattern, or a file
  bool values = true;             ///< whether keys have some; without, only sets are measured
  Combine combine = Combine::replace;
  double insert = 0.25;  ///< shares of operations; they need not sum to 1
  double hit = 0.5;      ///< lookups of keys that are there
  double miss = 0.25;    ///< and of keys that are not
  double erase = 0.0;
  std::uint64_t batch = 0;  ///< operations submitted together; 0: as many as there are
  bool at_once = false;     ///< operations of different kinds run together
  double max_bytes = 0.0;   ///< of memory a key; 0: any
  Division division = {};
  std::optional<Present> present = {};
  /// Then values, shares, growth, batches and ways to combine do not count, and nothing is divided.
  std::optional<JoinSides> join = {};
  friend bool operator==(Workload const&, Workload const&) = default;

  double operations() const { return insert + hit + miss + erase; }
  bench::MixShares shares() const { return {insert, hit, miss, erase}; }
  /// Whether keys come as others go, one kind of operation after the other: then the load stays.
  bool replaces_keys() const { return !join && insert > 0.0 && erase > 0.0 && !at_once; }
  /// Whether the table keeps something with each key.
  bool needs_values() const { return join ? joins::gives_pairs(join->kind) : values; }
  std::uint64_t build_rows() const;  ///< of a join
  std::uint64_t probe_rows() const;
};

/// Makes one kind of operation this share of all; the others share the rest as they did. Where there are no others, the
/// rest are hits or, beside hits, insertions.
void set_share(Workload& workload, double Workload::*kind, double share);

/// A workload that people recognise.
struct Preset {
  std::string_view name;  ///< on the command line: "join"
  std::string_view what;  ///< in a sentence, in English
  Workload workload;      ///< with its title as name, in English
};
std::span<Preset const> presets();

/// Whether the document is a workload, by the names of its fields.
bool is_workload(JsonNode const& root);
/// Reads it. Shares that it does not name are 0 if it names others. Throws Error at an invalid field.
Workload workload_of(JsonNode const& root);
/// Reads a workload from a JSON file. Throws Error that names the field, or the line of the key file, that is wrong,
/// and OutsideFile if it names one beyond its reach.
Workload read_workload(std::filesystem::path const& file, Reach reach = Reach::folder);
/// "an inner join of 1,048,576 rows with 4,194,304, 75.0 % of which match", of a workload with a join. `match`: as
/// found.
std::string join_text(Workload const& workload, double match);
/// What its readers noticed: of a join, of both sides.
Findings findings_of(Workload const& workload);
/// The same for who asks in every frame.
Findings findings_of(Workload const& workload, LookAlikes& look_alikes);
/// Throws Error, saying what to do, if the fields contradict each other or the keys.
void validate(Workload const& workload);

/// Insertions that fill a table, and the live keys that they leave.
struct KeyCounts {
  std::uint64_t inserts = 0;
  std::uint64_t different = 0;
  friend bool operator==(KeyCounts const&, KeyCounts const&) = default;
};

/// The keys of a workload as they are measured: materialised where a key may come twice.
struct WorkloadKeys {
  KeySettings stream;           ///< as they come
  KeySettings distinct;         ///< each key once: equal to `stream` where none comes twice
  std::uint64_t inserts = 0;    ///< keys of the stream that fill the table
  std::uint64_t different = 0;  ///< different ones among them: the live keys of the full table
  /// Those of the table that is wanted: more than there are keys, where a file has too few.
  KeyCounts wanted = {};
  LazyText remark = {};  ///< why there are fewer than the workload wants; empty if there are not
  double match = 0.0;    ///< of a join: the share of probe rows whose key the build side has, of a sample of them
};

/// The keys of a workload at its full growth, or `most` of them. Nothing if it was cancelled. Takes about a second for
/// 10^7 keys that may come twice.
std::optional<WorkloadKeys> prepare_keys(Workload const& workload, std::uint64_t most, std::uint64_t seed,
                                         Progress const& progress = {});

/// Its beginning, up to where so many different keys have come; all of it if it has no more.
WorkloadKeys with_different_keys(WorkloadKeys const& keys, std::uint64_t different);

/// The rows of a join, or fewer of them: those of some keys, all of them on both sides.
struct JoinRows {
  KeySettings build;
  KeySettings probe;
  KeyCounts counts;  ///< of the build side
  std::uint64_t probe_rows = 0;
};
/// About `most` rows of the build side, with as large a share of the probe side. Nothing if it was cancelled.
std::optional<JoinRows> join_rows(Workload const& workload, WorkloadKeys const& keys, std::uint64_t most,
                                  Progress const& progress = {});

/// Up to so many of the different keys, as numbers.
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
