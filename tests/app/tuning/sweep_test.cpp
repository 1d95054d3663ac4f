#include "app/tuning/sweep.hpp"

#include "app/keys/file_keys.hpp"
#include "app/simulation/families.hpp"
#include "app/tuning/answer.hpp"
#include "app/tuning/candidates.hpp"
#include "app/tuning/report.hpp"
#include "gpu/base/error.hpp"
#include "gpu/bench/join_bench.hpp"
#include "gpu/engine/engine.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <set>
#include <thread>

namespace slotscape::tuning {
namespace {

using test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::uint64_t keys_of_sweep = 10'000;

Workload small_workload()
{
  Workload workload;
  workload.keys = keys_of_sweep;
  return workload;
}

WorkloadKeys small_keys()
{
  return {.stream = {},
          .distinct = {},
          .inserts = keys_of_sweep,
          .different = keys_of_sweep,
          .wanted = {keys_of_sweep, keys_of_sweep}};
}

/// The speed of a planted table: cuckoo hashing with 3 functions and buckets of 4 is the best, up to α 0.85.
double planted_rate(Candidate const& candidate)
{
  double rate = 100e6;
  if (candidate.table.family == "cuckoo") {
    FamilyInfo const& cuckoo = family_info("cuckoo");
    rate = 150e6;
    if (parameter_of(cuckoo, candidate.table, "functions") == 3) { rate += 25e6; }
    if (parameter_of(cuckoo, candidate.table, "bucket") == 4) { rate += 25e6; }
  }
  return candidate.load <= 0.85 ? rate : rate * (1.0 - 5.0 * (candidate.load - 0.85));
}

Measured planted(Candidate const& candidate, Effort const& effort)
{
  Measured measured;
  measured.candidate = candidate;
  measured.stage = effort.stage;
  measured.repeats = effort.repeats;
  measured.keys = keys_of_sweep;
  measured.batch = measured.timed_batch = keys_of_sweep;
  measured.throughput = planted_rate(candidate);
  measured.spread = 0.01;
  measured.memory_bytes = 8 * candidate.table.slots;
  measured.bytes_per_key = 8.0 / candidate.load;
  measured.batch_seconds = static_cast<double>(keys_of_sweep) / measured.throughput;
  measured.worst_batch_seconds = 2.0 * measured.batch_seconds;
  OperationResult& find = measured.operations[static_cast<std::size_t>(bench::Timed::find_hit)].emplace();
  find.count = keys_of_sweep;
  find.seconds = measured.batch_seconds;
  find.limit = 400e6;
  find.accesses = bench::Accesses{1.5, 3, 7};
  return measured;
}

Measures planted_measures(std::atomic<int>& calls)
{
  return {[&calls](Candidate const& candidate, Effort const& effort, Progress const& progress) {
            ++calls;
            return !progress.cancelled() ? std::optional(planted(candidate, effort)) : std::nullopt;
          },
          [](Candidate const& candidate, Effort const&, int, Progress const&) {
            return std::optional(ChurnResult{candidate, 2.0, {100e6, 60e6, 59e6}, {50e6, 50e6}});
          },
          [](Candidate const& candidate, int, int builds, Progress const&) {
            return std::optional(FailureResult{candidate.table, candidate.load, keys_of_sweep, builds, 0});
          }};
}

template <class Condition>
void wait_until(Condition const& condition)
{
  while (!condition()) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }
}

std::shared_ptr<Results const> results_of(Sweep const& sweep)
{
  wait_until([&] { return sweep.status().over(); });
  EXPECT_EQ(sweep.status().phase, Phase::done) << sweep.status().error;
  return sweep.results();
}

TEST(TuningSweep, FindsThePlantedBest)
{
  std::atomic<int> calls = 0;
  Sweep const sweep(small_workload(), {}, small_keys(), planted_measures(calls));
  auto const results = results_of(sweep);
  Choice const choice = choose(*results);
  ASSERT_TRUE(choice.winner);
  Measured const& winner = results->measured[*choice.winner];
  EXPECT_EQ(winner.candidate.table.family, "cuckoo");
  EXPECT_EQ(parameter_of(family_info("cuckoo"), winner.candidate.table, "functions"), 3u);
  EXPECT_EQ(parameter_of(family_info("cuckoo"), winner.candidate.table, "bucket"), 4u);
  EXPECT_NEAR(winner.candidate.load, 0.85, 0.015);
  EXPECT_EQ(winner.stage, Stage::checked);
  EXPECT_EQ(choice.winner, choice.knee);
  EXPECT_DOUBLE_EQ(sweep.status().progress, 1.0);
  EXPECT_EQ(sweep.status().measured, results->measured.size());
  ASSERT_EQ(results->churn.size(), 1u);
  EXPECT_EQ(results->churn[0].candidate, winner.candidate);
  ASSERT_FALSE(results->failures.empty());
  EXPECT_EQ(results->failures[0].builds, 300);
}

/// Real joins, of few rows.
std::shared_ptr<Results const> join_results(JoinSides const& join)
{
  Workload workload;
  workload.keys = 3000;
  workload.join = join;
  Sweep const sweep(workload, {.budget_seconds = 1.0});
  return results_of(sweep);
}

TEST(TuningSweep, AJoinWhoseKeysComeOnceIsServedByTheFamilies)
{
  auto const results = join_results({.probe_rows = 6000, .match = 0.25});
  EXPECT_DOUBLE_EQ(results->match, 0.25);
  EXPECT_NEAR(results->misses(), 0.5, 1e-9);  // of 9000 operations, 4500
  ASSERT_FALSE(results->measured.empty());
  for (Measured const& each : results->measured) {
    if (each.throughput <= 0.0) { continue; }
    auto const& build = each.operations[static_cast<std::size_t>(bench::Timed::build)];
    auto const& probe = each.operations[static_cast<std::size_t>(bench::Timed::probe)];
    ASSERT_TRUE(build && probe) << title_of(each.candidate);
    EXPECT_LE(build->count, 3000u);
    EXPECT_NEAR(static_cast<double>(probe->count), 2.0 * static_cast<double>(build->count), 2.0 + 0.01 * 6000);
    EXPECT_GT(each.bytes_per_key, 4.0);
    EXPECT_FALSE(each.candidate.table.keys_only);
  }
  std::set<std::string> offered;  // however many of them there was time for
  for (Candidate const& each : coarse_candidates(Backend::cpu, results->workload, 3000).possible) {
    offered.insert(kind_of(each));
  }
  std::size_t by_others = 0;
  for (bench::Rival const& rival : bench::row_rivals()) {
    bool const is_offered = rival.built_in && bench::rival_of(rival.name) != nullptr;
    by_others += is_offered ? 1u : 0u;
  }
  EXPECT_EQ(offered.size(), family_names().size() + 1 + by_others);
  EXPECT_TRUE(results->churn.empty());
  std::string const answer = text_of(answer_of(*results, choose(*results)));
  EXPECT_THAT(answer, HasSubstr("rows a second"));
  EXPECT_THAT(answer, HasSubstr("The inner join: "));
  EXPECT_THAT(answer, HasSubstr("25.0 % of which match"));
  EXPECT_THAT(answer, Not(HasSubstr("operations a second")));
}

TEST(TuningSweep, AJoinWhoseRowsShareKeysIsServedByMultiValueTables)
{
  auto const results = join_results({.rows_per_key = 3});
  Choice const choice = choose(*results);
  ASSERT_TRUE(choice.winner);
  for (Measured const& each : results->measured) {
    EXPECT_TRUE(each.candidate.grouped || is_by_others(each.candidate)) << title_of(each.candidate);
  }
  EXPECT_THAT(results->skipped, Contains(::testing::ResultOf([](Skipped const& each) { return each.why.text(); },
                                                             HasSubstr("share a key"))));
}

TEST(TuningSweep, SemiJoinsAreServedBySets)
{
  auto const results = join_results({.kind = joins::JoinKind::semi, .rows_per_key = 3});
  ASSERT_FALSE(results->measured.empty());
  for (Measured const& each : results->measured) {
    EXPECT_TRUE(each.candidate.table.keys_only || is_by_others(each.candidate)) << title_of(each.candidate);
    EXPECT_FALSE(each.candidate.grouped);
  }
}

/// The rows of results, after they went through a CSV file.
std::vector<BenchRow> rows_again(Results const& results)
{
  TemporaryFolder const folder;
  BenchReport written(columns(), identity(), {}, {.csv = folder / "rows.csv"});
  for (Measured const& each : results.measured) {
    for (BenchRow& row : rows_of(results, each)) { written.add(std::move(row)); }
  }
  return BenchReport(columns(), identity(), {}, {.csv = folder / "rows.csv", .resume = true}).rows();
}
std::vector<Measured> read_again(Results const& results)
{
  return measured_in(rows_again(results), results);
}

TEST(TuningSweep, RowsOfAJoinAreFoundAgain)
{
  auto const results = join_results({.probe_rows = 4000, .rows_per_key = 2});
  std::vector<BenchRow> const rows = rows_again(*results);
  std::vector<Measured> const again = measured_in(rows, *results);
  ASSERT_EQ(again.size(), results->measured.size());
  for (std::size_t i = 0; i < again.size(); ++i) {
    EXPECT_EQ(again[i].candidate.table, results->measured[i].candidate.table);
    EXPECT_EQ(again[i].candidate.grouped, results->measured[i].candidate.grouped);
    EXPECT_NE(again[i].candidate.grouped, is_by_others(again[i].candidate)) << title_of(again[i]);
    EXPECT_NEAR(again[i].throughput, results->measured[i].throughput, 1e-3 * again[i].throughput);
    EXPECT_TRUE(again[i].operations[static_cast<std::size_t>(bench::Timed::probe)]);
  }
  Results other = *results;
  other.workload.join->probe_rows = 4001;
  EXPECT_TRUE(measured_in(rows, other).empty()) << "rows of another join";
}

/// More time adds to what is known of tables that keep the rows of a key together; nothing else appears but tables by
/// others, which do as well. A row that cannot be of the join, such as a damaged one, is set aside.
TEST(TuningSweep, AJoinWithMultiValueTablesGoesOn)
{
  auto const before = join_results({.rows_per_key = 3});
  std::vector<Measured> known = read_again(*before);
  for (bool const damaged : {false, true}) {
    if (damaged) {
      std::erase_if(known, [](Measured const& each) { return is_by_others(each.candidate); });
      for (Measured& each : known) { each.candidate.grouped = false; }
    }
    Sweep const second(before->workload, {.budget_seconds = 0.2}, known);
    auto const after = results_of(second);
    EXPECT_EQ(after->set_aside.size(), damaged ? known.size() : 0);
    for (Measured const& each : after->measured) {
      EXPECT_NE(each.candidate.grouped, is_by_others(each.candidate)) << title_of(each);
      EXPECT_GT(each.throughput, 0.0) << title_of(each);
    }
    for (std::size_t i = 0; i < before->measured.size() && !damaged; ++i) {
      Measured const& old = before->measured[i];
      auto const same = std::ranges::find(after->measured, old.candidate, &Measured::candidate);
      ASSERT_NE(same, after->measured.end()) << title_of(old);
      EXPECT_GE(same->stage, old.stage);
    }
  }
}

TEST(TuningSweep, WhatCouldNotBeMeasuredHasNoRows)
{
  Results results;
  Measured failed = planted({{.slots = 2 * keys_of_sweep}, 0.5}, {});
  failed.throughput = 0.0;
  EXPECT_TRUE(rows_of(results, failed).empty());
  failed.failed = 3;  // keys did not fit: that was measured
  EXPECT_FALSE(rows_of(results, failed).empty());
}

TEST(TuningSweep, RowsOfOtherKeysAreNotKnown)
{
  TemporaryFolder const folder;
  auto const with_keys = [&](int from) {
    std::string text;
    for (int key = from; key < from + 500; ++key) { text += fmt::format("{}\n", key); }
    Workload workload;
    workload.source = with_key_file({}, folder.write("keys.txt", text));
    workload.keys = 0;
    return workload;
  };
  auto const before = [&] {
    Sweep const sweep(with_keys(1), {.budget_seconds = 0.3});
    return results_of(sweep);
  }();
  ASSERT_FALSE(before->measured.empty());
  std::vector<BenchRow> const rows = rows_again(*before);
  Results again = *before;
  again.workload = with_keys(1);
  EXPECT_EQ(measured_in(rows, again).size(), before->measured.size());
  EXPECT_EQ(tables_of_others(rows, again), 0u);
  again.workload = with_keys(2);  // as many, in a file of the same name
  note_checksums(again);
  EXPECT_TRUE(measured_in(rows, again).empty());
  EXPECT_EQ(tables_of_others(rows, again), before->measured.size());
}

/// Two-level tables and std::unordered_map have not the slots that were asked for.
TEST(TuningSweep, ASweepThatGoesOnCountsAllOfItsOwnTables)
{
  std::atomic<int> calls = 0;
  Measures measures = planted_measures(calls);
  measures.measure = [honest = measures.measure](Candidate const& candidate, Effort const& effort,
                                                 Progress const& progress) {
    std::optional<Measured> measured = honest(candidate, effort, progress);
    if (measured && candidate.table.family == "linear_probing") {
      measured->live = measured->keys;
      measured->slots = candidate.table.slots + candidate.table.slots / 20;
    }
    return measured;
  };
  Sweep const first(small_workload(), {}, small_keys(), measures);
  std::vector<Measured> const known = read_again(*results_of(first));
  ASSERT_TRUE(std::ranges::any_of(known, [](Measured const& each) {
    return std::abs(each.load() - each.candidate.load) > same_load;
  }));
  Sweep const second(small_workload(), {.budget_seconds = 0.2}, small_keys(), measures, known);
  EXPECT_TRUE(results_of(second)->set_aside.empty());
}

TEST(TuningSweep, WhatWasLuckyAtFirstGivesWay)
{
  std::atomic<int> calls = 0;
  std::set<std::uint64_t> unlucky;  // finalists, of which each is such a table
  Measures measures = planted_measures(calls);
  measures.measure = [&](Candidate const& candidate, Effort const& effort, Progress const&) {
    Measured measured = planted(candidate, effort);
    if (candidate.table.family != "linear_probing" || candidate.load > 0.505) { return std::optional(measured); }
    measured.throughput = effort.stage == Stage::checked ? 20e6 : 400e6;
    if (effort.stage == Stage::checked) { unlucky.insert(candidate.table.slots); }
    return std::optional(measured);
  };
  Sweep const sweep(small_workload(), {}, small_keys(), measures);
  auto const results = results_of(sweep);
  EXPECT_GE(unlucky.size(), 4u);
  Measured const& winner = results->measured[choose(*results).winner.value()];
  EXPECT_EQ(winner.candidate.table.family, "cuckoo");
  EXPECT_EQ(winner.stage, Stage::checked);
}

TEST(TuningSweep, TablesByOthersAreCandidatesOnACpu)
{
  auto const offered = [](Backend backend, Workload const& workload) {
    std::set<std::string> names;
    for (Candidate const& each : coarse_candidates(backend, workload, keys_of_sweep).possible) {
      if (is_by_others(each)) { names.insert(each.table.family); }
    }
    return names;
  };
  std::set<std::string> built_in;
  for (bench::Rival const& rival : bench::rivals()) {
    if (rival.built_in) { built_in.emplace(rival.name); }
  }
  Workload workload = small_workload();
  EXPECT_EQ(offered(Backend::cpu, workload), built_in);
  if (why_no_cuda().empty()) { EXPECT_TRUE(offered(Backend::cuda, workload).empty()); }
  workload.combine = Combine::add;
  EXPECT_TRUE(offered(Backend::cpu, workload).empty()) << "they replace values";
  workload.combine = Combine::replace;
  workload.values = false;
  EXPECT_TRUE(offered(Backend::cpu, workload).empty()) << "they are no sets";
}

/// Measures of which one table by others has this rate and, if it is given, this memory.
Measures with_a_fast_one_by_others(std::atomic<int>& calls, double rate, std::optional<double> bytes_per_key)
{
  Measures measures = planted_measures(calls);
  measures.measure = [=, honest = measures.measure](Candidate const& candidate, Effort const& effort,
                                                    Progress const& progress) {
    std::optional<Measured> measured = honest(candidate, effort, progress);
    if (measured && candidate.table.family == "tbb::concurrent_hash_map") {
      measured->throughput = rate;
      measured->bytes_per_key = bytes_per_key.value_or(measured->bytes_per_key);
    }
    return measured;
  };
  return measures;
}

/// It is looked at closely, whatever its memory, and stays as it is; the check names it.
TEST(TuningSweep, TheFastestByOthersIsMeasuredInTurn)
{
  std::atomic<int> calls = 0;
  Measures const measures = with_a_fast_one_by_others(calls, 400e6, 60.0);
  Sweep const sweep(small_workload(), {}, small_keys(), measures);
  auto const results = results_of(sweep);
  Choice const choice = choose(*results);
  EXPECT_EQ(results->measured[choice.winner.value()].candidate.table.family, "cuckoo");
  auto const theirs = std::ranges::count_if(results->measured, [](Measured const& each) {
    return each.candidate.table.family == "tbb::concurrent_hash_map";
  });
  EXPECT_EQ(theirs, 1) << "there is nothing to tune";
  EXPECT_EQ(results->measured[choice.fastest.value()].candidate.table.family, "tbb::concurrent_hash_map");
  EXPECT_THAT(answer_of(*results, choice).at(1).text,
              HasSubstr("A table of another library is faster: tbb::concurrent_hash_map (by others): 400 M"));
  auto const known = read_again(*results);
  EXPECT_EQ(std::ranges::count_if(known, [](Measured const& each) { return is_by_others(each.candidate); }),
            std::ranges::count_if(results->measured,
                                  [](Measured const& each) { return is_by_others(each.candidate); }));
}

/// Slots are shown of the best table that has some.
TEST(TuningSweep, WhereOneByOthersIsChosenOursIsKnown)
{
  std::atomic<int> calls = 0;
  Measures const measures = with_a_fast_one_by_others(calls, 4000e6, std::nullopt);
  Sweep const sweep(small_workload(), {}, small_keys(), measures);
  auto const results = results_of(sweep);
  Choice const choice = choose(*results);
  EXPECT_EQ(results->measured[choice.winner.value()].candidate.table.family, "tbb::concurrent_hash_map");
  Measured const& ours = results->measured[choice.own.value()];
  EXPECT_EQ(ours.candidate.table.family, "cuckoo");
  EXPECT_THAT(answer_of(*results, choice).at(1).text, HasSubstr("The best table of this program is " + title_of(ours)));
}

/// With real tables, from the keys to the answer.
TEST(TuningSweep, TablesByOthersAnswerRight)
{
  for (bool const joins : {false, true}) {
    Workload workload = small_workload();
    workload.keys = 2000;
    if (joins) { workload.join = JoinSides{.probe_rows = 4000, .rows_per_key = 2}; }
    WorkloadKeys const keys = prepare_keys(workload, workload.keys, 1).value();
    Measures const measures = measures_on(Backend::cpu, workload, keys, 1);
    int measured = 0;
    for (Candidate const& each : coarse_candidates(Backend::cpu, workload, keys.different).possible) {
      if (!is_by_others(each)) { continue; }
      auto const found = measures.measure(each, {.stage = Stage::refined, .repeats = 1}, {});
      ASSERT_TRUE(found) << title_of(each);
      EXPECT_GT(found->throughput, 1e3) << title_of(each);
      EXPECT_GT(found->bytes_per_key, 8.0) << title_of(each);
      EXPECT_EQ(found->failed, 0u);
      ++measured;
    }
    EXPECT_GE(measured, 1);
  }
}

/// Whatever would be on the frontier is measured closely while there is time, and each family is measured at all.
TEST(TuningSweep, NothingIsLeftRoughWhileThereIsTime)
{
  std::atomic<int> calls = 0;
  Sweep const sweep(small_workload(), {}, small_keys(), planted_measures(calls));
  auto const results = results_of(sweep);
  Choice const choice = choose(*results);
  EXPECT_TRUE(results->ended_early);
  EXPECT_TRUE(choice.rough.empty());
  EXPECT_TRUE(results->unmeasured.empty());
  EXPECT_THAT(text_of(answer_of(*results, choice)), Not(HasSubstr("Give the sweep more")));
}

TEST(TuningSweep, SaysWhatItSkipsAndWhy)
{
  std::atomic<int> calls = 0;
  Workload workload = small_workload();
  workload.at_once = true;
  Sweep const sweep(workload, {}, small_keys(), planted_measures(calls));
  auto const results = results_of(sweep);
  EXPECT_EQ(sweep.status().skipped, results->skipped.size());
  std::vector<std::string> reasons;
  for (Skipped const& skipped : results->skipped) { reasons.push_back(skipped.why.text()); }
  EXPECT_THAT(reasons, Contains(HasSubstr("cannot run operations of different kinds at once")));
  EXPECT_THAT(reasons, Each(Not("")));
  for (Measured const& each : results->measured) { EXPECT_NE(each.candidate.table.family, "cuckoo"); }
}

TEST(TuningSweep, GoesOnWhereATableFails)
{
  std::atomic<int> calls = 0;
  Measures measures = planted_measures(calls);
  measures.measure = [honest = measures.measure](Candidate const& candidate, Effort const& effort,
                                                 Progress const& progress) -> std::optional<Measured> {
    if (candidate.table.family == "cuckoo") { throw Error("no memory"); }
    return honest(candidate, effort, progress);
  };
  Sweep const sweep(small_workload(), {}, small_keys(), measures);
  auto const results = results_of(sweep);
  Choice const choice = choose(*results);
  ASSERT_TRUE(choice.winner);
  EXPECT_NE(results->measured[*choice.winner].candidate.table.family, "cuckoo");
  EXPECT_TRUE(
      std::ranges::any_of(results->skipped, [](Skipped const& each) { return each.why.text() == "no memory"; }));
}

TEST(TuningSweep, MeasuresThePresentSetting)
{
  std::atomic<int> calls = 0;
  Workload workload = small_workload();
  workload.present = Present{{.family = "quadratic"}, 0.5};
  Sweep const sweep(workload, {}, small_keys(), planted_measures(calls));
  auto const results = results_of(sweep);
  ASSERT_TRUE(results->present);
  Measured const& present = results->measured[*results->present];
  EXPECT_EQ(present.candidate.table.family, "quadratic");
  EXPECT_EQ(present.candidate.table.slots, 32'768u) << "the next power of two";
  EXPECT_EQ(present.stage, Stage::checked);
  EXPECT_EQ(results->churn.size(), 2u);
}

TEST(TuningSweep, SaysWhyThePresentSettingWasNotMeasured)
{
  std::atomic<int> calls = 0;
  Measures measures = planted_measures(calls);
  measures.measure = [honest = measures.measure](Candidate const& candidate, Effort const& effort,
                                                 Progress const& progress) -> std::optional<Measured> {
    if (candidate.table.family == "quadratic") { throw Error("operations would take about 3 s, and the limit is 1 s"); }
    return honest(candidate, effort, progress);
  };
  Workload workload = small_workload();
  workload.present = Present{{.family = "quadratic"}, 0.5};
  Sweep const sweep(workload, {}, small_keys(), measures);
  auto const results = results_of(sweep);
  EXPECT_FALSE(results->present);
  EXPECT_THAT(text_of(answer_of(*results, choose(*results))),
              AllOf(HasSubstr("Your present setting, Quadratic probing, "),
                    HasSubstr("was not measured: operations would take about 3 s, and the limit is 1 s.")));
}

TEST(TuningSweep, RefusesAPresentSettingThatCannotServe)
{
  std::atomic<int> calls = 0;
  Workload workload = small_workload();
  workload.at_once = true;
  workload.present = Present{{.family = "cuckoo"}, 0.5};
  Sweep const sweep(workload, {}, small_keys(), planted_measures(calls));
  wait_until([&] { return sweep.status().over(); });
  EXPECT_EQ(sweep.status().phase, Phase::failed);
  EXPECT_THAT(sweep.status().error, HasSubstr("cannot run operations of different kinds at once"));
}

/// A measurement that takes for ever, but asks whether to go on.
Measures endless_measures(std::atomic<int>& calls)
{
  Measures measures = planted_measures(calls);
  measures.measure = [&calls](Candidate const&, Effort const&, Progress const& progress) -> std::optional<Measured> {
    ++calls;
    while (!progress.cancelled()) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }
    return std::nullopt;
  };
  return measures;
}

TEST(TuningSweep, IsCancelledInTheMidstOfAMeasurement)
{
  std::atomic<int> calls = 0;
  Sweep sweep(small_workload(), {}, small_keys(), endless_measures(calls));
  wait_until([&] { return calls == 1; });
  EXPECT_EQ(sweep.status().phase, Phase::coarse);
  sweep.cancel();
  wait_until([&] { return sweep.status().over(); });
  EXPECT_EQ(sweep.status().phase, Phase::cancelled);
  EXPECT_EQ(calls, 1);
}

TEST(TuningSweep, IsCancelledWhileItIsPaused)
{
  std::atomic<int> calls = 0;
  Sweep sweep(small_workload(), {}, small_keys(), endless_measures(calls));
  wait_until([&] { return calls == 1; });
  sweep.pause();
  double const progress = sweep.status().progress;
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_TRUE(sweep.status().paused);
  EXPECT_NEAR(sweep.status().progress, progress, 1e-5) << "time stands still";
  sweep.cancel();
  wait_until([&] { return sweep.status().over(); });
}

TEST(TuningSweep, GoesOnAfterAPause)
{
  std::atomic<int> calls = 0;
  std::atomic<bool> held = true;
  Measures measures = planted_measures(calls);
  measures.measure = [&, honest = measures.measure](Candidate const& candidate, Effort const& effort,
                                                    Progress const& progress) {
    while (held && !progress.cancelled()) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }
    return honest(candidate, effort, progress);
  };
  Sweep sweep(small_workload(), {}, small_keys(), measures);
  wait_until([&] { return sweep.status().phase == Phase::coarse; });
  sweep.pause();
  held = false;
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_LE(sweep.status().measured, 1u);
  sweep.resume();
  EXPECT_TRUE(choose(*results_of(sweep)).winner);
}

TEST(TuningSweep, EndsWhenItsBudgetIsUsedUp)
{
  std::atomic<int> calls = 0;
  Measures measures = planted_measures(calls);
  measures.measure = [&, honest = measures.measure](Candidate const& candidate, Effort const& effort,
                                                    Progress const& progress) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return honest(candidate, effort, progress);
  };
  Sweep const sweep(small_workload(), {.budget_seconds = 0.2}, small_keys(), measures);
  EXPECT_TRUE(choose(*results_of(sweep)).winner);
  EXPECT_LT(calls, 40);
}

TEST(TuningSweep, DropsRowsThatDoNotSayTheirSlots)
{
  std::atomic<int> calls = 0;
  Sweep const sweep(small_workload(), {}, small_keys(), planted_measures(calls));
  auto const results = results_of(sweep);
  for (char const* const damaged : {"", "many"}) {
    std::vector<BenchRow> rows = rows_again(*results);
    std::size_t const whole = measured_in(rows, *results).size();
    rows.back()["full_slots"] = damaged;
    EXPECT_EQ(measured_in(rows, *results).size(), whole - 1) << "'" << damaged << "'";
  }
}

TEST(TuningSweep, MeasuresNothingAgainThatIsKnown)
{
  std::atomic<int> calls = 0;
  Sweep const first(small_workload(), {}, small_keys(), planted_measures(calls));
  auto const before = results_of(first);
  TemporaryFolder const folder;
  {
    BenchReport report(columns(), identity(), {}, {.csv = folder / "rows.csv"});
    for (Measured const& each : before->measured) {
      for (BenchRow& row : rows_of(*before, each)) { report.add(std::move(row)); }
    }
  }
  BenchReport const report(columns(), identity(), {}, {.csv = folder / "rows.csv", .resume = true});
  std::vector<Measured> const known = measured_in(report.rows(), *before);
  ASSERT_EQ(known.size(), before->measured.size());
  Results other = *before;
  other.workload.combine = Combine::add;
  EXPECT_TRUE(measured_in(report.rows(), other).empty()) << "what becomes of values costs time";
  for (std::size_t i = 0; i < known.size(); ++i) {
    EXPECT_EQ(known[i].candidate.table, before->measured[i].candidate.table) << title_of(known[i].candidate);
    EXPECT_EQ(known[i].stage, before->measured[i].stage);
  }
  std::atomic<int> again = 0;
  Measures measures = planted_measures(calls);
  measures.measure = [&, honest = measures.measure](Candidate const& candidate, Effort const& effort,
                                                    Progress const& progress) {
    bool const is_pacemaker = effort.repeats == 1;
    bool const in_turn = effort.stage == Stage::checked;  // with what is new
    if (!is_pacemaker && !in_turn && std::ranges::any_of(known, [&](Measured const& each) {
          return each.candidate.table == candidate.table && each.stage >= effort.stage;
        })) {
      ++again;
    }
    return honest(candidate, effort, progress);
  };
  Sweep const second(small_workload(), {}, small_keys(), measures, known);
  auto const after = results_of(second);
  EXPECT_EQ(again, 0);
  EXPECT_EQ(after->measured[*choose(*after).winner].candidate, before->measured[*choose(*before).winner].candidate);
}

TEST(TuningSweep, RowsOfAnotherWorkloadAreNotKnown)
{
  std::atomic<int> calls = 0;
  Sweep const sweep(small_workload(), {}, small_keys(), planted_measures(calls));
  auto const results = results_of(sweep);
  std::vector<BenchRow> const rows = rows_of(*results, results->measured.front());
  EXPECT_EQ(measured_in(rows, *results).size(), 1u);
  Results other = *results;
  other.workload.insert = 0.5;
  EXPECT_TRUE(measured_in(rows, other).empty());
  other = *results;
  other.workload.key_bits = 64;
  EXPECT_TRUE(measured_in(rows, other).empty());
}

/// A real sweep over small tables, from the keys to the page.
TEST(TuningSweep, MeasuresTablesAndWritesWhatItFound)
{
  for (bool const at_once : {false, true}) {
    Workload workload = small_workload();
    workload.keys = 3000;
    workload.erase = workload.insert;
    workload.at_once = at_once;
    workload.source.distribution = at_once ? KeyDistribution::uniform : KeyDistribution::zipf;
    Sweep const sweep(workload, {.budget_seconds = 1.0});
    auto const results = results_of(sweep);
    Choice const choice = choose(*results);
    ASSERT_TRUE(choice.winner);
    Measured const& winner = results->measured[*choice.winner];
    EXPECT_EQ(winner.keys, results->different);
    EXPECT_EQ(winner.operations[static_cast<std::size_t>(bench::Timed::mixed)].has_value(), at_once);
    EXPECT_GT(winner.throughput, 1e3);
    std::size_t own = 0;
    for (Measured const& each : results->measured) {
      if (each.throughput <= 0.0) { continue; }
      ASSERT_NE(each.accesses.has_value(), is_by_others(each.candidate)) << title_of(each);
      if (!each.accesses) { continue; }  // tables by others count none
      EXPECT_GT(each.accesses->mean, 0.9) << title_of(each);
      ++own;
    }
    EXPECT_GT(own, 0u);
    EXPECT_EQ(results->hashes.size(), 4u);
    Json const document = to_json(*results);
    EXPECT_EQ(document.at("candidates").size(), results->measured.size());
    EXPECT_EQ(document.at("winner"), *choice.winner);
    std::string const page = html_report(*results, {});
    EXPECT_THAT(page, HasSubstr(family_title_of(winner.candidate)));
    EXPECT_THAT(page, HasSubstr("</html>"));
  }
}

/// The machine is slower the second time, the time is short, and one table is lucky.
TEST(TuningSweep, MoreTimeNeverLosesWhatWasMeasuredClosely)
{
  std::atomic<int> calls = 0;
  Sweep const first(small_workload(), {}, small_keys(), planted_measures(calls));
  auto const before = results_of(first);
  Measured const best = before->measured[choose(*before).winner.value()];
  for (double const budget : {0.05, 0.5, 5.0}) {
    Measures measures = planted_measures(calls);
    measures.measure = [&, honest = measures.measure](Candidate const& candidate, Effort const& effort,
                                                      Progress const& progress) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      std::optional<Measured> measured = honest(candidate, effort, progress);
      if (measured) { measured->throughput *= candidate.table.family == "linear_probing" ? 0.6 : 0.4; }
      return measured;
    };
    Sweep const second(small_workload(), {.budget_seconds = budget}, small_keys(), measures, read_again(*before));
    auto const after = results_of(second);
    Measured const& winner = after->measured[choose(*after).winner.value()];
    SCOPED_TRACE(fmt::format("{} s: {} instead of {}", budget, title_of(winner), title_of(best)));
    EXPECT_EQ(winner.stage, Stage::checked);
    EXPECT_GT(planted_rate(winner.candidate) * winner.candidate.load,
              0.98 * planted_rate(best.candidate) * best.candidate.load);
    auto const again = std::ranges::find(after->measured, best.candidate, &Measured::candidate);
    ASSERT_NE(again, after->measured.end());
    EXPECT_GE(again->repeats, best.repeats);
    EXPECT_NEAR(again->throughput, best.throughput, 0.01 * best.throughput) << "at the machine's best pace";
    EXPECT_TRUE(after->set_aside.empty());
    for (Measured const& old : before->measured) {
      auto const same = std::ranges::find(after->measured, old.candidate, &Measured::candidate);
      ASSERT_NE(same, after->measured.end()) << title_of(old);
      EXPECT_GE(same->stage, old.stage) << title_of(old);
    }
  }
}

TEST(TuningSweep, WhatIsKnownOfAnotherLoadIsSetAsideAndSaid)
{
  std::atomic<int> calls = 0;
  Sweep const first(small_workload(), {}, small_keys(), planted_measures(calls));
  std::vector<Measured> known = read_again(*results_of(first));
  known.front().live = known.front().keys /= 2;
  known.front().candidate.load /= 2.0;
  Sweep const second(small_workload(), {}, small_keys(), planted_measures(calls), known);
  auto const after = results_of(second);
  ASSERT_EQ(after->set_aside.size(), 1u);
  EXPECT_THAT(title_of(after->set_aside[0].candidate), HasSubstr("α 0.25"));
  EXPECT_THAT(text_of(answer_of(*after, choose(*after))),
              HasSubstr("Of the earlier measurements, " + title_of(after->set_aside[0].candidate) + " does not count"));
}

}  // namespace
}  // namespace slotscape::tuning
