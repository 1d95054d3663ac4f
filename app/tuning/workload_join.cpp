#include "app/tuning/workload_join.hpp"

#include "app/base/text.hpp"
#include "app/keys/comparing.hpp"
#include "app/keys/file_keys.hpp"
#include "app/keys/keys_json.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/random.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/bench/join_bench.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <iterator>

namespace slotscape {

template <>
std::span<EnumName<joins::JoinKind> const> enum_names()
{
  using joins::JoinKind;
  static constexpr std::array<EnumName<JoinKind>, 4> names{{
      {JoinKind::inner, "inner", "Inner"},
      {JoinKind::left, "left", "Left"},
      {JoinKind::semi, "semi", "Semi"},
      {JoinKind::anti, "anti", "Anti"},
  }};
  return names;
}

namespace {

using tuning::JoinSides;

Setting<JoinSides> kind_setting()
{
  return choice_setting(
      {.name = "kind",
       .label = "Kind",
       .what = "kind of join",
       .argument = "KIND",
       .hint =
           "Inner: each probe row with every build row that has its key; left: also the probe rows without a match; "
           "semi: the probe rows with a match; anti: the probe rows without one. Semi and anti joins use sets.",
       .note = "`inner`: each probe row with every build row that has its key; `left`: those without one, too; `semi`: "
               "the probe rows that have one; `anti`: those that have none"},
      &JoinSides::kind, "kind of join");
}

Setting<JoinSides> probe_setting()
{
  return {{.name = "probe",
           .label = "Probe side",
           .what =
               "a file with the keys of the probe side; then those of the build side come from a file, too. Without "
               "it, rows are drawn"},
          {},
          {"probe",
           [](JsonNode const& node, JoinSides& sides) {
             sides.probe = read_key_settings(node, sides.probe);
             bool const lost = node.source().losses != nullptr;  // if the file is lost, rows are generated
             if (!sides.probes_file() && !lost) {
               node.fail("the probe side must be a file of keys; without a file, its rows are drawn");
             }
           },
           [](JoinSides const& sides, std::filesystem::path const& folder) {
             return sides.probes_file() ? key_settings_json(sides.probe, KeySettings{}, folder) : Json();
           }}};
}

}  // namespace

template <>
std::span<Setting<tuning::JoinSides> const> settings_of()
{
  static auto const settings = std::to_array<Setting<JoinSides>>({
      kind_setting(),
      probe_setting(),
      whole_setting({.name = "probe_rows",
                     .label = "Rows",
                     .what = "how many rows the probe side has",
                     .hint = "Rows of the probe side; from a file, its first rows. Ctrl+click to type a number.",
                     .note = "0: as many as the build side, or all of the file"},
                    &JoinSides::probe_rows, 0, joins::max_rows, Scale::log),
      whole_setting(
          {.name = "rows_per_key",
           .label = "Rows per key",
           .what = "rows of a drawn build side that share a key",
           .hint =
               "Rows of the build side that share a key. From 2 on, they are stored together in a multi-value table."},
          &JoinSides::rows_per_key, 1, joins::max_rows, Scale::log),
      number_setting({.name = "match",
                      .label = "Match",
                      .what = "share of drawn probe rows whose key the build side has",
                      .argument = "SHARE",
                      .hint = "The share of probe rows whose key the build side has."},
                     &JoinSides::match, 0.0, 1.0),
      number_setting({.name = "skew",
                      .label = "Skew",
                      .what = "how unequal their keys are, as Zipf's exponent",
                      .argument = "EXPONENT",
                      .hint = "How unevenly the keys of these rows are distributed: Zipf's exponent; 0: uniformly.",
                      .note = "0: all alike"},
                     &JoinSides::skew, 0.0, bench::max_skew),
  });
  return settings;
}

}  // namespace slotscape

namespace slotscape::tuning {
namespace {

constexpr std::uint64_t max_matched = std::uint64_t{1} << 20;  ///< probe rows examined beforehand

/// For a probe side from a file: the share of its rows that find a key, estimated from a sample. nullopt if cancelled.
std::optional<double> match_of(std::vector<Key> const& probe, std::vector<Key> distinct, Progress const& progress)
{
  if (!sort_in_parts(distinct, progress)) { return std::nullopt; }
  std::size_t const step = (probe.size() + max_matched - 1) / max_matched;
  std::uint64_t rows = 0;
  std::uint64_t matched = 0;
  for (std::size_t i = 0; i < probe.size(); i += step, ++rows) {
    matched += std::ranges::binary_search(distinct, probe[i]) ? 1 : 0;
  }
  return static_cast<double>(matched) / static_cast<double>(rows);
}

}  // namespace

bool find_match(Workload const& workload, WorkloadKeys& keys, Progress const& progress)
{
  keys.match = workload.join->match;
  if (!workload.join->probes_file()) { return true; }
  auto const match = match_of(*workload.join->probe.file_keys, *keys.distinct.file_keys, progress);
  keys.match = match.value_or(0.0);
  return match.has_value();
}

WorkloadKeys build_side_of(Workload const& workload, std::uint64_t most)
{
  WorkloadKeys keys;
  keys.stream = keys.distinct = workload.source;
  std::uint64_t const per_key = std::min(workload.join->rows_per_key, workload.keys);
  keys.different = std::max<std::uint64_t>(1, std::min(workload.keys, most) / per_key);
  keys.inserts = keys.different * per_key;
  keys.wanted = {keys.inserts, keys.different};
  keys.match = workload.join->match;
  return keys;
}

std::uint64_t Workload::build_rows() const
{
  return keys == 0 && source.file_keys ? source.file_keys->size() : keys;
}

std::uint64_t Workload::probe_rows() const
{
  if (!join) { return 0; }
  if (join->probe_rows != 0) { return join->probe_rows; }
  return join->probes_file() ? join->probe.file_keys->size() : build_rows();
}

namespace {

std::string sides_text(Workload const& workload, double match)
{
  std::string const build = grouped(workload.build_rows());
  std::string const probe = grouped(workload.probe_rows());
  std::string const share = percent(match);
  switch (workload.join->kind) {
    case joins::JoinKind::inner: return tr("an inner join of {} rows with {}, {} of which match", build, probe, share);
    case joins::JoinKind::left: return tr("a left join of {} rows with {}, {} of which match", build, probe, share);
    case joins::JoinKind::semi: return tr("a semi join of {} rows with {}, {} of which match", build, probe, share);
    case joins::JoinKind::anti: break;
  }
  return tr("an anti join of {} rows with {}, {} of which match", build, probe, share);
}

}  // namespace

std::string join_text(Workload const& workload, double match)
{
  JoinSides const& join = *workload.join;
  std::string text = sides_text(workload, match);
  if (join.rows_per_key > 1) { text += "; " + tr("{} build rows per key", grouped(join.rows_per_key)); }
  if (!join.probes_file() && join.skew > 0.0) { text += "; " + tr("skew {:g}", join.skew); }
  return text;
}

void validate_join(Workload const& workload)
{
  JoinSides const& join = *workload.join;
  bool const builds_file = workload.source.distribution == KeyDistribution::file;
  if (std::max(workload.build_rows(), workload.probe_rows()) > joins::max_rows) {
    throw Error(tr("A side of a join can have at most {} rows: choose fewer.", grouped(joins::max_rows)));
  }
  if (workload.source.distribution == KeyDistribution::zipf) {
    throw Error(
        tr("All keys of the build side occur equally often: choose another pattern, and set how often with "
           "'rows_per_key'. The probe side may have 'skew'."));
  }
  if (builds_file && join.rows_per_key != 1) {
    throw Error(tr("The file of the build side determines how many rows share a key: leave 'rows_per_key' out."));
  }
  if (join.probes_file() && !builds_file) {
    throw Error(tr("The probe side comes from a file, so the build side must, too: choose a file for 'keys'."));
  }
  if (workload.division.divides()) { throw Error(tr("A join uses one table: leave its 'shards' out.")); }
  if (workload.present && workload.present->table.shards != 1) {
    throw Error(tr("A join uses one table, but the present one is in {} shards: give it without shards.",
                   workload.present->table.shards));
  }
  if (join.probes_file()) {
    check_keys_fit(join.probe, workload.key_bits);
    check_comparable(workload.source, join.probe);
  }
}

std::optional<JoinRows> join_rows(Workload const& workload, WorkloadKeys const& keys, std::uint64_t most,
                                  Progress const& progress)
{
  JoinSides const& join = *workload.join;
  JoinRows rows{keys.stream, join.probe, {keys.inserts, keys.different}, workload.probe_rows()};
  if (most == 0 || most >= keys.inserts) { return rows; }
  double const share = static_cast<double>(most) / static_cast<double>(keys.inserts);
  auto const part_of = [&](std::uint64_t count) {
    return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(share * static_cast<double>(count))));
  };
  rows.probe_rows = part_of(rows.probe_rows);
  if (keys.stream.distribution != KeyDistribution::file) {
    rows.counts.different = part_of(keys.different);
    rows.counts.inserts = rows.counts.different * (keys.inserts / keys.different);
    return rows;
  }
  auto const some_of = [&](KeySettings const& all) {  // selects the rows of the same keys on both sides
    std::vector<Key> some;
    std::ranges::copy_if(*all.file_keys, std::back_inserter(some),
                         [&](Key key) { return random_unit(0x6a6f696e, key) < share; });
    return some.empty() ? all : keys_of(std::move(some), all);
  };
  rows.build = some_of(keys.stream);
  if (progress.cancelled()) { return std::nullopt; }
  if (join.probes_file()) { rows.probe = some_of(join.probe); }
  rows.counts = {rows.build.file_keys->size(), some_of(keys.distinct).file_keys->size()};
  return rows;
}

}  // namespace slotscape::tuning
