#include "app/tuning/check.hpp"
#include "app/base/text.hpp"
#include "app/tuning/candidates.hpp"
#include "app/tuning/measure.hpp"
#include "app/tuning/report.hpp"
#include "gpu/engine/engine.hpp"
#include "tests/app/support/bench_rows.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace slotscape::tuning {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// The words of a command, as a shell tells them apart.
std::vector<std::string> words_of_command(std::string const& command)
{
  std::vector<std::string> words(1);
  bool quoted = false;
  for (char const letter : command) {
    if (letter == '\'') {
      quoted = !quoted;
    } else if (letter == ' ' && !quoted) {
      words.emplace_back();
    } else {
      words.back() += letter;
    }
  }
  return words;
}

/// A workload and one table for it.
struct Subject {
  Results results;
  Measured measured;
};

Subject measure(Workload const& workload, std::string const& family)
{
  WorkloadKeys const keys = *prepare_keys(workload, std::numeric_limits<std::uint64_t>::max(), 1);
  Subject subject;
  subject.results.workload = workload;
  subject.results.inserts = keys.inserts;
  subject.results.different = keys.different;
  subject.results.available = {keys.inserts, keys.different};
  TableSettings table;
  table.family = family;
  table.key_bits = workload.key_bits;
  table.combine = workload.combine;
  Effort const effort{Stage::checked, 1, 0};
  Candidate const candidate = candidate_of(table, 0.5, keys.different);
  subject.measured = *measures_on(Backend::cpu, workload, keys, 1).measure(candidate, effort, Progress());
  return subject;
}

/// Runs the command that checks a table, and compares what was timed: in words what differs, or nothing.
std::string differences(Subject const& subject)
{
  Check const check = check_of(subject.results, subject.measured);
  if (!check.command.starts_with("slotscape bench tables ")) { return "the command is " + check.command; }
  std::vector<std::string> const words = words_of_command(check.command);
  test::Words after_bench;
  for (std::size_t i = 2; i < words.size(); ++i) { after_bench.push_back(words[i].c_str()); }
  auto const rows = test::bench_rows(after_bench);
  if (rows.size() != check.rows.size()) { return fmt::format("{} rows, not {}", rows.size(), check.rows.size()); }
  std::string text;
  auto const compare = [&](std::size_t row, std::string const& column, double expected, double off) {
    double const is = std::stod(rows[row].at(column));
    if (std::abs(is - expected) <= off * expected) { return; }
    text += fmt::format("{} of {}: {}, not {}; ", column, rows[row].at("operation"), is, expected);
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].at("operation") != check.rows[i].operation) { text += "another operation; "; }
    compare(i, "batch", static_cast<double>(subject.measured.batch), 0.0);
    compare(i, "bytes_per_key", check.bytes_per_key, 0.02);
    // a drawn key may come twice in one run only
    compare(i, "live_keys", static_cast<double>(subject.measured.keys), 0.02);
  }
  std::size_t row = 0;
  for (auto const& result : subject.measured.operations) {
    if (result) { compare(row++, "count", static_cast<double>(result->count), 0.04); }
  }
  return text;
}

/// Batches that a busy machine interrupts are left out of the counts: of a few runs, one was left alone. A wrong
/// command differs in all of them.
void expect_that_the_command_checks(Workload const& workload, std::string const& family, std::string const& name)
{
  constexpr int runs = 5;
  std::string differs;
  for (int run = 0; run < runs; ++run) {
    differs = differences(measure(workload, family));
    if (differs.empty()) { return; }
  }
  ADD_FAILURE() << name << ": " << differs;
}

TEST(TuningCheck, TheCommandTimesWhatWasTimed)
{
  for (Preset const& preset : presets()) {
    if (preset.workload.join) { continue; }  // below
    Workload workload = preset.workload;
    workload.keys = 5000;
    workload.batch = 512;
    for (std::string const family : {"linear_probing", "segmented_cuckoo"}) {  // the latter has whole segments
      expect_that_the_command_checks(workload, family, fmt::format("{}, {}", preset.name, family));
    }
  }
}

/// Measures a join, runs the command that checks it, and compares what was timed.
void expect_that_the_command_joins(Workload const& workload, Candidate candidate, std::string const& name)
{
  SCOPED_TRACE(name);
  auto const keys = prepare_keys(workload, std::numeric_limits<std::uint64_t>::max(), 1).value();
  Results results;
  results.workload = workload;
  results.inserts = keys.wanted.inserts;
  results.different = keys.wanted.different;
  results.available = {keys.inserts, keys.different};
  bool const grouped = candidate.grouped;
  candidate = candidate_of(candidate.table, candidate.load, keys.different);
  candidate.grouped = grouped;
  Effort const effort{Stage::checked, 1, 0};
  Measured const measured = *measures_on(Backend::cpu, workload, keys, 1).measure(candidate, effort, Progress());
  EXPECT_GT(measured.throughput, 0.0);
  Check const check = check_of(results, measured);
  ASSERT_THAT(check.command, HasSubstr("slotscape bench join "));
  std::vector<std::string> const words = words_of_command(check.command);
  test::Words after_bench;
  for (std::size_t i = 2; i < words.size(); ++i) { after_bench.push_back(words[i].c_str()); }
  auto const rows = test::bench_rows(after_bench);
  ASSERT_EQ(rows.size(), 3u);  // build, probe, both
  std::size_t row = 0;
  for (bench::Timed const part : {bench::Timed::build, bench::Timed::probe}) {
    EXPECT_EQ(rows[row].at("part"), check.rows.at(row).operation);
    std::string const column = part == bench::Timed::build ? "build_rows" : "probe_rows";
    EXPECT_EQ(rows[row].at(column), std::to_string(measured.operations[static_cast<std::size_t>(part)]->count));
    double const bytes = std::stod(rows[row].at("table_bytes")) / static_cast<double>(keys.different);
    EXPECT_NEAR(bytes, check.bytes_per_key, 0.01 * check.bytes_per_key);
    ++row;
  }
}

TEST(TuningCheck, TheCommandJoinsWhatWasJoined)
{
  Workload workload;
  workload.keys = 5000;
  JoinSides& sides = workload.join.emplace();
  sides.probe_rows = 7000;
  sides.match = 0.25;
  sides.skew = 1.1;
  Candidate const linear{{.family = "linear_probing"}, 0.6};
  Candidate const cuckoo{{.family = "cuckoo", .parameters = {{"bucket", 4}}}, 0.8};
  expect_that_the_command_joins(workload, linear, "from keys to rows");
  expect_that_the_command_joins(workload, cuckoo, "with a parameter");
  workload.join->kind = joins::JoinKind::anti;
  Candidate set = linear;
  set.table.deletion = Deletion::tombstone_reuse;
  set.table.keys_only = true;
  expect_that_the_command_joins(workload, set, "a set");
  workload.join->kind = joins::JoinKind::left;
  workload.join->rows_per_key = 4;
  expect_that_the_command_joins(workload, {linear.table, 0.6, true}, "rows grouped by key");

  test::TemporaryFolder const folder;
  workload.join = JoinSides{};
  std::string build = "id,name\n";
  std::string probe = "order,customer\n";
  for (int row = 0; row < 900; ++row) {
    build += fmt::format("{},{}\n", row % 300, row);
    probe += fmt::format("{},{}\n", row, row % 500);
  }
  workload.source = with_key_file({}, folder.write("build.csv", build), {.column = "id"});
  workload.join->probe = with_key_file({}, folder.write("probe.csv", probe), {.column = "customer"});
  workload.keys = 0;
  expect_that_the_command_joins(workload, {linear.table, 0.5, true}, "files");
}

TEST(TuningCheck, AMixThatRunsAtOnceHasItsShares)
{
  Workload workload;
  workload.keys = 4000;
  workload.at_once = true;
  workload.insert = workload.erase = 1.0;
  workload.hit = 6.0;
  Subject const subject = measure(workload, "linear_probing");
  EXPECT_THAT(check_of(subject.results, subject.measured).command, HasSubstr("--mix 1,6,0.25,1"));
  EXPECT_EQ(differences(subject), "") << "at once";
}

TEST(TuningCheck, ManySmallBatchesAreTimedInPart)
{
  Workload workload;
  workload.keys = 3 * max_batches;
  workload.batch = 1;
  Subject const subject = measure(workload, "linear_probing");
  EXPECT_THAT(check_of(subject.results, subject.measured).command, HasSubstr("--max-batches 2000"));
  EXPECT_EQ(differences(subject), "") << "small batches";
}

TEST(TuningCheck, KeysOfAFileThatComeTwiceAreCounted)
{
  test::TemporaryFolder const folder;
  std::string text;
  for (int i = 0; i < 3000; ++i) { text += std::to_string(i % 2000) + '\n'; }
  Workload workload;
  workload.source.distribution = KeyDistribution::file;
  workload.source.file_name = folder.write("my keys.txt", text);
  auto keys = std::make_shared<std::vector<Key>>();
  for (int i = 0; i < 3000; ++i) { keys->push_back(static_cast<Key>(i % 2000)); }
  workload.source.file_keys = keys;
  workload.keys = 0;
  Subject subject = measure(workload, "linear_probing");
  EXPECT_EQ(differences(subject), "") << "repeats";
  subject.results.workload.erase = 0.1;
  subject.measured.operations[static_cast<std::size_t>(bench::Timed::erase)].emplace().count = 2000;
  Check const check = check_of(subject.results, subject.measured);
  EXPECT_THAT(check.command, ::testing::Not(HasSubstr("erase")));
  EXPECT_THAT(check.remark, HasSubstr("occur twice"));
}

TEST(TuningCheck, SaysNothingWhereTheKeysAreUnknown)
{
  Results results;
  results.inserts = 1000;
  results.different = 800;
  results.available = {1000, 800};
  Measured measured;
  measured.candidate.table.family = "linear_probing";
  measured.keys = 400;
  Check const check = check_of(results, measured);
  EXPECT_THAT(check.command, IsEmpty());
  EXPECT_THAT(check.remark, HasSubstr("not known"));
}

/// A table of so many slots as powers of two have, filled with all keys that there are, would be another one.
TEST(TuningGrowth, WhatIsNamedIsWhatWasMeasured)
{
  auto keys = std::make_shared<std::vector<Key>>();
  for (Key i = 0; i < 6000; ++i) { keys->push_back(i % 2000 + 1); }
  Workload workload;
  workload.source.distribution = KeyDistribution::file;
  workload.source.file_name = "orders.csv";
  workload.source.file_keys = keys;
  workload.keys = 0;
  workload.growth = 1.5;
  WorkloadKeys const all = *prepare_keys(workload, std::numeric_limits<std::uint64_t>::max(), 1);
  Results results;
  results.workload = workload;
  results.inserts = all.wanted.inserts;
  results.different = all.wanted.different;
  results.available = {all.inserts, all.different};
  Measures const measures = measures_on(Backend::cpu, workload, all, 1);
  for (std::string const family : {"quadratic", "linear_probing", "hopscotch"}) {
    SCOPED_TRACE(family);
    TableSettings table;
    table.family = family;
    Candidate const candidate = candidate_of(table, 0.5, results.different);
    Measured const measured = *measures.measure(candidate, {Stage::checked, 1, 0}, Progress());
    results.measured = {measured};
    EXPECT_NEAR(measured.load(), candidate.load, same_load);
    EXPECT_EQ(measured.candidate, candidate) << "the whole table";
    EXPECT_LT(measured.slots, candidate.table.slots);
    double const bytes = static_cast<double>(measured.memory_bytes) / static_cast<double>(measured.live);
    EXPECT_DOUBLE_EQ(measured.bytes_per_key, bytes);
    BenchRow const row = rows_of(results, measured).back();
    Json const found = to_json(results).at("candidates").at(0);
    for (char const* figure : {"bytes_per_key", "mops"}) { EXPECT_EQ(row.at(figure), found.at(figure)) << figure; }
    EXPECT_EQ(row.at("load_factor"), found.at("load"));
    EXPECT_EQ(row.at("slots"), found.at("measured_slots"));
    Check const check = check_of(results, measured);
    EXPECT_THAT(check.command, HasSubstr(fmt::format("--slots {} ", measured.slots)));
    EXPECT_DOUBLE_EQ(check.bytes_per_key, measured.bytes_per_key);
    EXPECT_THAT(text_of(answer_of(results, choose(results))),
                HasSubstr(fmt::format("the table has {} slots", grouped(candidate.table.slots))));
    FailureResult const failures = *measures.failures(candidate, 0, 1, Progress());
    EXPECT_NEAR(failures.load, candidate.load, same_load);
  }
}

TEST(TuningGrowth, SmallTablesThatCannotHaveTheLoadSayTheirOwn)
{
  TableSettings table;
  table.family = "quadratic";
  Candidate const wanted = candidate_of(table, 0.5, 90);
  Candidate const stand_in = stand_in_of(wanted, 3);
  EXPECT_DOUBLE_EQ(stand_in.load, 3.0 / static_cast<double>(stand_in.table.slots));
  Measured measured;
  measured.candidate = wanted;
  measured.live = measured.keys = 3;
  measured.slots = stand_in.table.slots;
  EXPECT_THAT(title_of(measured), HasSubstr(fmt::format("α {:.2f}", stand_in.load)));
}

}  // namespace
}  // namespace slotscape::tuning
