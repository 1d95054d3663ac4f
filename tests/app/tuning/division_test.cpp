#include "app/tuning/division.hpp"

#include "app/bench/table_benches.hpp"
#include "app/tuning/answer.hpp"
#include "app/tuning/candidates.hpp"
#include "app/tuning/check.hpp"
#include "app/tuning/report.hpp"
#include "app/tuning/sweep.hpp"
#include "gpu/base/error.hpp"
#include "gpu/engine/engine.hpp"
#include "gpu/tables/shards.hpp"
#include "tests/app/support/bench_rows.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace slotscape::tuning {
namespace {

using test::message_of;
using test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::uint64_t divided_keys = 20'000;

Workload workload_in(std::vector<std::uint32_t> shards, ShardDevices devices = ShardDevices::one)
{
  Workload workload;
  workload.keys = divided_keys;
  workload.division = {.shards = std::move(shards), .devices = devices};
  return workload;
}

Workload workload_of_text(std::string const& text)
{
  TemporaryFolder const folder;
  return read_workload(folder.write("workload.json", text));
}

std::string why_refused(std::string const& text)
{
  return message_of<Error>([&] { workload_of_text(text); });
}

WorkloadKeys keys_to_divide()
{
  return {.stream = {},
          .distinct = {},
          .inserts = divided_keys,
          .different = divided_keys,
          .wanted = {divided_keys, divided_keys}};
}

std::shared_ptr<Results const> end_of(Sweep const& sweep)
{
  while (!sweep.status().over()) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }
  EXPECT_EQ(sweep.status().phase, Phase::done) << sweep.status().error;
  return sweep.results();
}

/// Tables in shards are so many times as fast as those in one piece, of which linear probing is the fastest.
Measures measures_with_gain(double gain, int& calls)
{
  Measures measures;
  measures.measure = [gain, &calls](Candidate const& candidate, Effort const& effort, Progress const& progress) {
    ++calls;
    Measured measured;
    measured.candidate = candidate;
    measured.stage = effort.stage;
    measured.repeats = effort.repeats;
    measured.keys = measured.live = divided_keys;
    measured.slots = candidate.table.slots;
    measured.batch = measured.timed_batch = divided_keys;
    measured.throughput = candidate.table.family == "linear_probing" ? 200e6 : 100e6;
    measured.throughput *= candidate.load <= 0.8 ? 1.0 : 0.5;
    if (candidate.table.shards != 1) { measured.throughput *= gain; }
    measured.spread = 0.01;
    measured.memory_bytes = 8 * candidate.table.slots;
    measured.bytes_per_key = 8.0 / candidate.load;
    measured.batch_seconds = static_cast<double>(divided_keys) / measured.throughput;
    OperationResult& find = measured.operations[static_cast<std::size_t>(bench::Timed::find_hit)].emplace();
    find.count = divided_keys;
    find.seconds = measured.batch_seconds;
    find.limit = 400e6;
    return progress.cancelled() ? std::nullopt : std::optional(measured);
  };
  measures.churn = [](Candidate const& candidate, Effort const&, int, Progress const&) {
    return std::optional(ChurnResult{candidate, 2.0, {100e6, 100e6, 100e6}, {50e6, 50e6}});
  };
  measures.failures = [](Candidate const& candidate, int, int builds, Progress const&) {
    return std::optional(FailureResult{candidate.table, candidate.load, divided_keys, builds, 0});
  };
  return measures;
}

std::shared_ptr<Results const> planted_results(Workload const& workload, double gain, int& calls,
                                               std::vector<Measured> known = {})
{
  Sweep const sweep(workload, {}, keys_to_divide(), measures_with_gain(gain, calls), std::move(known));
  return end_of(sweep);
}

std::string said_of_division(Results const& results)
{
  std::string text;
  for (Sentence const& sentence : answer_of(results, choose(results))) {
    if (sentence.topic == Topic::division) { text += sentence.text + '\n'; }
  }
  return text;
}

/// The number that the pattern's group finds.
double figure_in(std::string const& text, std::string const& pattern)
{
  std::smatch found;
  EXPECT_TRUE(std::regex_search(text, found, std::regex(pattern))) << "'" << pattern << "' is not in: " << text;
  return found.empty() ? 0.0 : std::stod(found[1]);
}

TEST(TuningDivision, IsReadFromJsonAndWrittenAgain)
{
  Workload const workload = workload_of_text(R"({ "shards": [4, 1, 4], "devices": "each" })");
  EXPECT_THAT(workload.division.shards, ElementsAre(1u, 4u));
  EXPECT_EQ(workload.division.devices, ShardDevices::each);
  EXPECT_EQ(workload_of_text(format_json(object_of_fields({}, workload))), workload);
  Workload const one = workload_of_text(R"({ "shards": 3, "keys_start": "one_device" })");
  EXPECT_THAT(one.division.shards, ElementsAre(3u));
  EXPECT_EQ(one.division.keys_start, KeysStart::one_device);
  EXPECT_EQ(workload_of_text(format_json(object_of_fields({}, one))), one);
  Json const usual = object_of_fields({}, Workload{});
  for (char const* field : {"shards", "devices", "keys_start"}) { EXPECT_FALSE(usual.contains(field)) << field; }
}

TEST(TuningDivision, SaysWhatIsWrong)
{
  EXPECT_THAT(why_refused(R"({ "shards": [] })"), HasSubstr("at least one number of shards, such as [1, 2]"));
  EXPECT_THAT(why_refused(R"({ "shards": [1, 17] })"), HasSubstr("from 1 to 16"));
  EXPECT_THAT(why_refused(R"({ "shards": [0] })"), HasSubstr("from 1 to 16"));
  EXPECT_THAT(why_refused(R"({ "devices": "each" })"), HasSubstr("add 'shards'"));
  EXPECT_THAT(why_refused(R"({ "shards": [1, 2], "devices": "each", "keys_start": "spread" })"),
              HasSubstr("keys start on the first one"));
  EXPECT_THAT(why_refused(R"({ "join": {}, "shards": [1, 2] })"), HasSubstr("it cannot be combined with 'join'"));
  EXPECT_THAT(why_refused(R"({ "join": {}, "present": { "table": { "shards": 2 } } })"),
              HasSubstr("the present one is in 2 shards"));
  Workload joined = workload_in({1, 2});
  joined.join = JoinSides{};
  EXPECT_THAT(message_of<Error>([&] { validate(joined); }), HasSubstr("A join uses one table"));
}

TEST(TuningDivision, SeveralDevicesAreTriedBesideOne)
{
  Division const two = over_devices({}, 2);
  EXPECT_THAT(two.shards, ElementsAre(1u, 2u));
  EXPECT_EQ(two.devices, ShardDevices::each);
  Division const named = over_devices({.shards = {4}, .keys_start = KeysStart::one_device}, 2);
  EXPECT_THAT(named.shards, ElementsAre(4u));
  EXPECT_EQ(named.devices, ShardDevices::each);
  EXPECT_NO_THROW(validate(named));
  EXPECT_EQ(text_of(two), "in one piece and 2 shards, each on a device of its own");
}

/// Every family is tried in the most shards, at one load; others come around the best.
TEST(TuningDivision, CoarseCandidatesAreNotMultiplied)
{
  Workload const workload = workload_in({1, 2, 4});
  Candidates const divided = coarse_candidates(Backend::cpu, workload, 1u << 20);
  Candidates const whole = coarse_candidates(Backend::cpu, workload_in({1}), 1u << 20);
  std::map<std::string, int> in_shards;
  std::size_t pieces = 0;
  for (Candidate const& each : divided.possible) {
    if (each.table.shards == 1) {
      EXPECT_NE(std::ranges::find(whole.possible, each), whole.possible.end()) << title_of(each);
      ++pieces;
      continue;
    }
    EXPECT_EQ(each.table.shards, 4u);
    EXPECT_THAT(title_of(each), HasSubstr("4 shards"));
    EXPECT_LE(each.load, guarantees_of(family_info(each.table.family), each.table).safe_load);
    ++in_shards[each.table.family];
  }
  EXPECT_EQ(pieces, whole.possible.size());
  for (std::string const& family : family_names()) { EXPECT_TRUE(in_shards.contains(family)) << family; }
  for (auto const& [family, times] : in_shards) { EXPECT_EQ(times, 1) << family; }
  std::set<std::uint32_t> around;
  Candidate const linear = candidate_of({.family = "linear_probing"}, 0.75, 1u << 20);
  for (Candidate const& each : variants_of(Backend::cpu, workload, 1u << 20, linear).possible) {
    around.insert(each.table.shards);
  }
  EXPECT_THAT(around, ElementsAre(1u, 2u, 4u));
}

/// Three shards of a power of two each; and few keys, whose shards are dealt to unevenly.
TEST(TuningDivision, CandidatesHaveSlotsThatTheirShardsCanHave)
{
  for (std::string const family : {"quadratic", "linear_probing", "swiss", "cuckoo"}) {
    for (std::uint32_t const shards : {2u, 3u, 16u}) {
      TableSettings const table = workload_in({shards}).division.divided({.family = family}, shards);
      Candidate const candidate = candidate_of(table, 0.6, 5000);
      EXPECT_NO_THROW(make_engine(Backend::cpu, candidate.table)) << family << " in " << shards;
      EXPECT_LE(candidate.load, 0.601);
    }
  }
  for (Candidate const& each : coarse_candidates(Backend::cpu, workload_in({1, 16}), 4000).possible) {
    EXPECT_EQ(obstacle(Backend::cpu, workload_in({1, 16}), 4000, each).text(), "") << title_of(each);
  }
}

TEST(TuningDivision, PaysWhereShardsAreFaster)
{
  int calls = 0;
  auto const results = planted_results(workload_in({1, 2}), 1.6, calls);
  Measured const& winner = results->measured[choose(*results).winner.value()];
  EXPECT_EQ(winner.candidate.table.shards, 2u);
  EXPECT_EQ(winner.candidate.table.family, "linear_probing");
  EXPECT_EQ(winner.stage, Stage::checked);
  std::string const said = said_of_division(*results);
  EXPECT_THAT(said, AllOf(HasSubstr("Dividing pays: in 2 shards, it is "), HasSubstr("as much memory"),
                          HasSubstr("the best in one piece, Linear probing")));
  EXPECT_NEAR(figure_in(said, "([0-9.]+) × as fast"), 1.6, 0.011);
}

TEST(TuningDivision, DoesNotPayWhereTheyAreSlower)
{
  int calls = 0;
  auto const results = planted_results(workload_in({1, 2, 4}), 0.65, calls);
  Measured const& winner = results->measured[choose(*results).winner.value()];
  EXPECT_EQ(winner.candidate.table.shards, 1u);
  std::string const said = said_of_division(*results);
  EXPECT_THAT(said, AllOf(HasSubstr("Dividing it does not pay off: in "), HasSubstr("with as much memory")));
  EXPECT_NEAR(figure_in(said, "would be ([0-9.]+) % slower"), 35.0, 0.11);
  EXPECT_THAT(said, AnyOf(HasSubstr("The best in 2 shards"), HasSubstr("The best in 4 shards")));
  bool close = false;
  for (Measured const& each : results->measured) {
    close = close || (each.candidate.table.shards != 1 && each.stage == Stage::checked);
  }
  EXPECT_TRUE(close) << "the answer compares what was measured in turn";
  int calls_without = 0;
  planted_results(workload_in({1}), 0.65, calls_without);
  EXPECT_LT(calls, 2 * calls_without);
}

/// However short the time is, the question is answered by what is measured in turn.
TEST(TuningDivision, IsMeasuredHoweverShortTheTimeIs)
{
  int calls = 0;
  Measures measures = measures_with_gain(0.65, calls);
  measures.measure = [honest = measures.measure](Candidate const& candidate, Effort const& effort,
                                                 Progress const& progress) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return honest(candidate, effort, progress);
  };
  Sweep const sweep(workload_in({1, 2}), {.budget_seconds = 0.1}, keys_to_divide(), measures);
  auto const results = end_of(sweep);
  EXPECT_LT(results->measured.size(), 10u);
  EXPECT_NEAR(figure_in(said_of_division(*results), "in 2 shards, it would be ([0-9.]+) % slower"), 35.0, 0.11);
}

/// Of tables that cannot be told apart, the simpler one is taken.
TEST(TuningDivision, IsAvoidedWhereItBringsNothing)
{
  int calls = 0;
  auto const results = planted_results(workload_in({1, 2}), 1.0, calls);
  Choice const choice = choose(*results);
  EXPECT_EQ(results->measured[choice.winner.value()].candidate.table.shards, 1u);
  EXPECT_THAT(said_of_division(*results),
              HasSubstr("does not pay off: in 2 shards, it would be as fast, within the uncertainty"));
  Results unsteady = *results;
  for (Measured& each : unsteady.measured) { each.uncertainty = 0.3; }
  EXPECT_THAT(said_of_division(unsteady), HasSubstr("It is not clear whether dividing pays"));
  for (Measured& each : unsteady.measured) { each.uncertainty = 3.0; }
  EXPECT_THAT(said_of_division(unsteady), HasSubstr("too unsteady to compare"));
}

TEST(TuningDivision, SaysWhatIsNotKnown)
{
  int calls = 0;
  Results results = *planted_results(workload_in({1, 2}), 0.65, calls);
  std::vector<Measured> const all = results.measured;
  for (Measured& each : results.measured) {
    if (each.candidate.table.shards != 1) { each.stage = Stage::coarse; }
  }
  EXPECT_THAT(said_of_division(results),
              AllOf(HasSubstr("It is not clear yet whether dividing pays off: in shards, the best so far is"),
                    HasSubstr("only roughly"), HasSubstr("more time")));
  results.measured.clear();
  for (Measured const& each : all) {
    if (each.candidate.table.shards == 1) { results.measured.push_back(each); }
  }
  results.skipped.clear();
  EXPECT_THAT(said_of_division(results), HasSubstr("there was no time for tables in shards"));
  Candidate failed = all.front().candidate;
  failed.table.shards = 2;
  results.skipped = {{failed, "it has no room"}};
  EXPECT_THAT(said_of_division(results), HasSubstr("no table in shards could be measured"));
  EXPECT_THAT(said_of_division(results), HasSubstr("it has no room"));
  results.unmeasured_shards = {2};
  EXPECT_THAT(said_of_division(results), HasSubstr("there was no time for tables in shards"));
  results.workload.division = {};
  EXPECT_EQ(said_of_division(results), "");
}

std::vector<BenchRow> rows_in_a_file(Results const& results)
{
  TemporaryFolder const folder;
  BenchReport written(columns(), identity(), {}, {.csv = folder / "rows.csv"});
  for (Measured const& each : results.measured) {
    for (BenchRow& row : rows_of(results, each)) { written.add(std::move(row)); }
  }
  return BenchReport(columns(), identity(), {}, {.csv = folder / "rows.csv", .resume = true}).rows();
}

/// A real sweep: what is written of it is read again, and its sentences say what its rows say.
TEST(TuningDivision, ARealSweepMeasuresBothAndSaysWhatItsRowsSay)
{
  Workload workload = workload_in({1, 2}, ShardDevices::each);
  workload.keys = 3000;
  Sweep const sweep(workload, {.budget_seconds = 3.0});
  auto const results = end_of(sweep);
  std::vector<BenchRow> const rows = rows_in_a_file(*results);
  std::set<std::string> variants;
  for (BenchRow const& row : rows) {
    bool const divided = field_of(row.at("variant")).find("shards=2 devices=each") != std::string::npos;
    variants.insert(divided ? "divided" : "whole");
    bool const has_imbalance = !field_of(row.at("imbalance")).empty();
    EXPECT_EQ(has_imbalance, divided) << row.dump();
  }
  EXPECT_THAT(variants, ElementsAre("divided", "whole"));
  Choice const choice = choose(*results);
  Measured const& winner = results->measured[choice.winner.value()];
  std::string const said = said_of_division(*results);
  ASSERT_THAT(said, Not(HasSubstr("not known")));
  bool const open = said.find("is not clear yet") != std::string::npos;  // on a slow machine
  for (Measured const& each : results->measured) {
    if (open || each.candidate.table.shards == winner.candidate.table.shards) { continue; }
    if (said.find(title_of(each)) == std::string::npos || each.stage != Stage::checked) { continue; }
    double const ratio = winner.throughput / each.throughput;
    if (said.find("× as fast") != std::string::npos) {
      double const told = figure_in(said, "([0-9.]+) × as fast");
      EXPECT_NEAR(told, winner.candidate.table.shards == 2 ? ratio : 1.0 / ratio, 0.06 * told) << said;
    }
  }
  Json const document = to_json(*results);
  EXPECT_EQ(document.at("workload").at("shards").dump(), "[1,2]");
  EXPECT_EQ(document.at("workload").at("devices"), "each");
  for (Json const& each : document.at("candidates")) {
    bool const divided = each.at("table").contains("shards");
    for (Json const& operation : each.at("operations")) { EXPECT_EQ(operation.contains("shards"), divided); }
  }
  EXPECT_THAT(html_report(*results, {}), HasSubstr("in one piece and 2 shards, each on a device of its own"));
  std::vector<Measured> const again = measured_in(rows, *results);
  ASSERT_EQ(again.size(), results->measured.size());
  for (std::size_t i = 0; i < again.size(); ++i) {
    EXPECT_EQ(again[i].candidate.table, results->measured[i].candidate.table);
    EXPECT_NEAR(again[i].safe_load, results->measured[i].safe_load, 1e-9) << title_of(again[i]);
  }
}

TEST(TuningDivision, WhatIsKnownCountsWhereItIsAskedFor)
{
  int calls = 0;
  auto const before = planted_results(workload_in({1, 2}), 1.6, calls);
  std::vector<Measured> const known = measured_in(rows_in_a_file(*before), *before);
  ASSERT_EQ(known.size(), before->measured.size());
  auto const same = planted_results(workload_in({1, 2}), 1.6, calls, known);
  EXPECT_TRUE(same->set_aside.empty());
  auto const whole = planted_results(workload_in({1}), 1.6, calls, known);
  EXPECT_FALSE(whole->set_aside.empty());
  for (Skipped const& each : whole->set_aside) {
    EXPECT_EQ(each.candidate.table.shards, 2u);
    EXPECT_THAT(each.why.text(), HasSubstr("no tables in 2 shards"));
  }
  for (Measured const& each : whole->measured) { EXPECT_EQ(each.candidate.table.shards, 1u); }
  EXPECT_THAT(text_of(answer_of(*whole, choose(*whole))), HasSubstr("do not count: the workload has no tables in 2"));
}

TEST(TuningDivision, ThePresentSettingMayBeInShards)
{
  int calls = 0;
  Workload workload = workload_in({1});
  workload.present = Present{{.family = "quadratic", .shards = 3}, 0.5};
  auto const results = planted_results(workload, 1.6, calls);
  ASSERT_TRUE(results->present);
  Measured const& present = results->measured[*results->present];
  EXPECT_EQ(present.candidate.table.shards, 3u);
  EXPECT_EQ(present.candidate.table.slots % 3, 0u);
  EXPECT_THAT(text_of(answer_of(*results, choose(*results))), HasSubstr("3 shards"));
  EXPECT_EQ(said_of_division(*results), "");
}

/// The command that checks a table in shards times that table.
TEST(TuningDivision, TheBenchChecksTheAnswer)
{
  for (bool const each : {false, true}) {
    Workload workload = workload_in({2}, each ? ShardDevices::each : ShardDevices::one);
    if (!each) { workload.division.keys_start = KeysStart::one_device; }
    WorkloadKeys const keys = *prepare_keys(workload, std::numeric_limits<std::uint64_t>::max(), 1);
    Results results;
    results.workload = workload;
    results.inserts = keys.inserts;
    results.different = keys.different;
    results.available = {keys.inserts, keys.different};
    TableSettings const table = workload.division.divided({.family = "linear_probing"}, 2);
    Candidate const candidate = candidate_of(table, 0.6, keys.different);
    Effort const effort{Stage::checked, 1, 0};
    Measured const measured = *measures_on(Backend::cpu, workload, keys, 1).measure(candidate, effort, Progress());
    Check const check = check_of(results, measured);
    EXPECT_THAT(check.command,
                HasSubstr(each ? "'linear_probing' --shards 2 --devices each" : "--shards 2 --keys-start one_device"));
    std::vector<std::string> words;
    std::istringstream text(std::regex_replace(check.command, std::regex("'"), ""));
    for (std::string word; text >> word;) { words.push_back(word); }
    test::Words after_bench;
    for (std::size_t i = 2; i < words.size(); ++i) { after_bench.push_back(words[i].c_str()); }
    auto const rows = test::bench_rows(after_bench);
    ASSERT_EQ(rows.size(), check.rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      EXPECT_EQ(rows[i].at("operation"), check.rows[i].operation);
      EXPECT_EQ(rows[i].at("variant"), variant_of(table));
      EXPECT_NEAR(std::stod(rows[i].at("bytes_per_key")), check.bytes_per_key, 0.01 * check.bytes_per_key);
      EXPECT_GT(std::stod(rows[i].at("imbalance")), 1.0);
    }
    results.device_numbers = {2, 3};
    EXPECT_THAT(check_of(results, measured).command, HasSubstr("slotscape --device 2,3 bench tables "));
  }
}

/// Homes are counted in the table where keys meet: a shard.
TEST(TuningDivision, HomesAreThoseOfAShard)
{
  Workload workload = workload_in({4});
  workload.keys = 4000;
  Sweep const sweep(workload, {.budget_seconds = 1.5});
  auto const results = end_of(sweep);
  Measured const& winner = results->measured[choose(*results).winner.value()];
  EXPECT_EQ(winner.candidate.table.shards, 4u);
  std::size_t rows = 0;
  for (Measured const& measured : results->measured) {
    if (measured.throughput <= 0.0) { continue; }
    for (BenchRow const& row : rows_of(*results, measured)) {
      if (row.at("table_ms").is_null()) { continue; }
      double const median = row.at("median_ms").get<double>();
      double const parts =
          row.at("partition_ms").get<double>() + row.at("exchange_ms").get<double>() + row.at("table_ms").get<double>();
      EXPECT_NEAR(parts, median, 0.01 * median) << row.at("operation");
      ++rows;
    }
  }
  EXPECT_GT(rows, 4u) << "of each kind of operation, and of the whole workload";
  if (!results->homes_of_choice) { GTEST_SKIP() << "the table that was chosen uses no hash"; }
  EXPECT_EQ(results->homes_of_choice->slots, winner.candidate.table.slots / 4);
  EXPECT_NEAR(static_cast<double>(results->homes_of_choice->keys), 1000.0, 150.0);
}

}  // namespace
}  // namespace slotscape::tuning
