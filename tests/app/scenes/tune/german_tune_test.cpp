// German is complete in the scene of tuning: answers to all kinds of results, what was left out and why, hashes, code,
// workloads and panels.

#include "app/simulation/families.hpp"
#include "app/tuning/answer.hpp"
#include "app/tuning/candidates.hpp"
#include "app/tuning/check.hpp"
#include "app/tuning/code.hpp"
#include "app/tuning/hash_uniformity.hpp"
#include "app/tuning/workload.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/engine/engine.hpp"
#include "tests/app/languages/german.hpp"
#include "tests/app/scenes/tune/tune_scene.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace slotscape {
namespace {

using namespace tuning;
using test::expect_all_in_german;
using test::lines_left_in_english;
using ::testing::IsEmpty;

constexpr std::uint64_t german_keys = 4'000'000;

OperationResult& operation_of(Measured& measured, bench::Timed kind)
{
  auto& result = measured.operations[static_cast<std::size_t>(kind)];
  return result ? *result : result.emplace();
}

Measured measured_table(std::string const& family, double load, double rate, std::uint32_t shards = 1)
{
  Measured result;
  result.candidate = candidate_of({.family = family, .shards = shards}, load, german_keys);
  result.stage = Stage::checked;
  result.repeats = 9;
  result.keys = german_keys;
  result.batch = result.timed_batch = 1u << 19;
  result.throughput = rate;
  result.spread = 0.01;
  result.bytes_per_key = 8.0 / result.candidate.load;
  result.safe_load = 0.9;
  result.batch_seconds = 0.01;
  result.worst_batch_seconds = 0.03;
  OperationResult& find = operation_of(result, bench::Timed::find_hit);
  find.count = german_keys;
  find.seconds = static_cast<double>(german_keys) / rate;
  return result;
}

Results usual_results()
{
  Results all;
  all.workload.keys = all.inserts = all.different = german_keys;
  all.available = {german_keys, german_keys};
  all.measured = {measured_table("linear_probing", 0.5, 100e6), measured_table("cuckoo", 0.88, 190e6),
                  measured_table("cuckoo", 0.94, 160e6), measured_table("cuckoo", 0.7, 200e6),
                  measured_table("robin_hood", 0.9, 70e6)};
  all.present = 0;
  return all;
}

void add_divided(Results& all, double rate, double uncertainty = 0.0)
{
  all.workload.division.shards = {1, 2, 4};
  for (std::uint32_t const shards : {2u, 4u}) {
    all.measured.push_back(measured_table("cuckoo", 0.88, rate, shards));
    all.measured.back().uncertainty = uncertainty;
    ShardReport& report = operation_of(all.measured.back(), bench::Timed::find_hit).shards.emplace();
    report.shards.resize(shards);
    report.seconds = {.partition = 0.2, .exchange = shards == 2 ? 0.1 : 0.0, .table = 0.7};
  }
}

void make_join(Results& all, joins::JoinKind kind)
{
  all.workload.join = JoinSides{.kind = kind, .rows_per_key = 2, .skew = 0.5};
  all.match = 0.75;
  for (Measured& each : all.measured) {
    for (bench::Timed const timed : {bench::Timed::build, bench::Timed::probe}) {
      operation_of(each, timed) = OperationResult{.count = german_keys, .seconds = 0.5};
    }
  }
}

HashUniformity uniformity(double z, double hit, double miss, std::uint64_t longest_run, double shared)
{
  HashUniformity found;
  found.slots = 1 << 14;
  found.keys = 1 << 13;
  found.groups = 1000;
  found.z = z;
  found.longest_run = longest_run;
  found.expected_longest_run = 10.0;
  found.shared = shared;
  found.expected_shared = 0.3;
  found.probing = {hit, miss};
  found.random_probing = {1.5, 2.5};
  return found;
}

using Change = std::function<void(Results&)>;

/// Results of tables in one piece: which table, and how it compares.
std::vector<Change> kinds_of_choices()
{
  return {
      [](Results&) {},
      [](Results& all) { all.present = 1; },
      [](Results& all) { all.present.reset(); },
      [](Results& all) { all.workload.max_bytes = 1.0; },
      [](Results& all) {
        all.workload.max_bytes = 1.0;
        all.skipped = {{all.measured[0].candidate, "it stores 32-bit keys only"}};
      },
      [](Results& all) {
        all.skipped.resize(2, {all.measured[0].candidate, "it stores 32-bit keys only"});
        all.workload.max_bytes = 1.0;
      },
      [](Results& all) { all.workload.max_bytes = 12.0; },
      [](Results& all) {
        all.workload.max_bytes = 12.0;
        for (Measured& each : all.measured) { each.uncertainty = 0.3; }
      },
      [](Results& all) { all.measured[0].throughput = 0.0; },
      [](Results& all) { all.measured[0].failed = 3; },
      [](Results& all) { all.measured.resize(1); },
      [](Results& all) {
        all.measured = {measured_table("cuckoo", 0.5, 200e6), all.measured[4]};
      },
      [](Results& all) { all.measured[0] = measured_table("cuckoo", 0.88, 189e6); },
      [](Results& all) {
        for (Measured& each : all.measured) { each.uncertainty = 3.0; }
      },
      [](Results& all) {
        for (Measured& each : all.measured) { each.uncertainty = each.spread = 0.6; }
        all.measured[0].throughput = 190e6;
      },
      [](Results& all) {
        for (Measured& each : all.measured) { each.uncertainty = 0.1; }
      },
      [](Results& all) {
        all.measured[2].throughput = all.measured[3].throughput = 191e6;
        for (Measured& each : all.measured) { each.uncertainty = 0.02; }
      },
      [](Results& all) {
        for (std::size_t i : {0u, 2u, 3u, 4u}) { all.measured[i].stage = Stage::coarse; }
        all.measured[4].throughput = 300e6;
        all.unchecked = 1;
      },
      [](Results& all) {
        for (Measured& each : all.measured) { each.stage = Stage::refined; }
        all.unchecked = 7;
      },
      [](Results& all) {
        all.measured[3].stage = Stage::refined;
        all.unchecked = 3;
      },
      [](Results& all) { all.measured[3].throughput = 150e6; },
      [](Results& all) {
        all.measured[1].candidate.table.keys_only = true;
        all.workload.values = false;
      },
  };
}

/// How sure the answer is, and which other tables were measured.
std::vector<Change> kinds_of_doubt()
{
  return {
      [](Results& all) { all.measured[1].spread = 0.3; },
      [](Results& all) {
        all.measured[3].stage = Stage::refined;
        all.ended_early = true;
      },
      [](Results& all) { all.measured = {measured_table("cuckoo", 0.949, 190e6)}; },
      [](Results& all) { all.measured = {measured_table("linear_probing", 0.98, 190e6)}; },
      [](Results& all) { all.measured[1].candidate.table.hash = HashKind::identity; },
      [](Results& all) {
        all.measured[1].candidate.table.hash = HashKind::identity;
        all.homes_of_choice.emplace().hash = HashKind::identity;
      },
      [](Results& all) {
        all.measured.push_back(measured_table("linear_probing", 0.9, 500e6));
        all.measured.back().candidate.table.family = "std::unordered_map";
        all.measured.back().bytes_per_key = 60.0;
      },
      [](Results& all) {
        all.measured.push_back(measured_table("linear_probing", 0.9, 500e6));
        all.measured.back().candidate.table.family = "tbb::concurrent_hash_map";
      },
  };
}

/// What was measured in another way than usual, or not at all.
std::vector<Change> kinds_of_gaps()
{
  return {
      [](Results& all) { all.unrest = 0.4; },
      [](Results& all) {
        all.measured[1].handover = {25e-9, 170e-9};
      },
      [](Results& all) {
        all.backend = Backend::cuda;
        all.measured[1].batch_seconds = 9e-6;
        all.measured[1].worst_batch_seconds = 0.0;
        all.measured[1].timed_batch = 1;
      },
      [](Results& all) { operation_of(all.measured[1], bench::Timed::find_hit).count = 400; },
      [](Results& all) {
        all.unmeasured = {"Swiss table", "Iceberg hashing", "Hopscotch hashing", "Slab hash"};
      },
      [](Results& all) {
        all.available = {20000, 1};
      },
      [](Results& all) {
        all.available = {20000, 300};
      },
      [](Results& all) {
        all.measured[1].keys = 1000;
        all.measured[1].slots = 2000;
      },
      [](Results& all) {
        all.set_aside = {{all.measured[0].candidate, "it stores 32-bit keys only"},
                         {all.measured[2].candidate, "it stores 32-bit keys only"},
                         {all.measured[2].candidate, "it would hold more keys than slots"}};
      },
      [](Results& all) {
        OperationResult& mix = operation_of(all.measured[1], bench::Timed::mixed);
        mix.count = 1000;
        mix.keys = german_keys - 100;
      },
      [](Results& all) {
        all.measured = {measured_table("sorted_array", 0.9, 300e6)};
        all.present.reset();
      },
  };
}

/// What may go wrong while tables are built, and what is joined.
std::vector<Change> kinds_of_risks()
{
  std::vector<Change> kinds;
  for (int const failed : {0, 2}) {
    for (int const builds : {1, 300}) {
      for (double const load : {0.88, 0.97}) {
        for (std::size_t const table : {0u, 1u}) {
          kinds.emplace_back([=](Results& all) {
            all.failures = {{all.measured[table].candidate.table, load, 1u << 18, builds, std::min(failed, builds)}};
          });
        }
      }
    }
  }
  for (joins::JoinKind const kind : {joins::JoinKind::inner, joins::JoinKind::left}) {
    kinds.emplace_back([=](Results& all) { make_join(all, kind); });
  }
  return kinds;
}

/// Present settings without a rate, or that nothing is said of.
std::vector<Change> kinds_of_presents()
{
  auto const asked = [](std::vector<Unlike> const& unlike, bool is_skipped) {
    return [=](Results& all) {
      Candidate const setting = all.measured[0].candidate;
      all.present.reset();
      all.workload.present = Present{setting.table, 0.5, unlike};
      if (!is_skipped) { return; }
      all.present_setting = setting;
      all.skipped = {{setting, "it would hold more keys than slots"}};
    };
  };
  std::vector<Change> kinds;
  for (bool const is_skipped : {false, true}) {
    kinds.emplace_back(asked({}, is_skipped));
    kinds.emplace_back(asked({Unlike::deletion}, is_skipped));
  }
  kinds.emplace_back([](Results& all) {
    all.measured[0].failed = 2;
    all.measured[0].throughput = 0.0;
  });
  kinds.emplace_back([](Results& all) {
    for (Measured& each : all.measured) { each.clogged_after = 0.5; }
  });
  kinds.emplace_back([](Results& all) {
    for (Measured& each : all.measured) { each.failed = 1; }
  });
  kinds.emplace_back([](Results& all) { all.workload.max_bytes = 0.1; });
  return kinds;
}

std::vector<Change> kinds_of_churn()
{
  std::vector<Change> kinds;
  auto const add = [&](std::vector<double> const& lookups, double replaced, double uncertainty, bool clogged,
                       std::uint64_t failed, std::size_t table) {
    kinds.emplace_back([=](Results& all) {
      all.workload.erase = 0.25;
      ChurnResult churn{all.measured[table].candidate, replaced, lookups};
      churn.runs = 3;
      churn.uncertainty = uncertainty;
      churn.clogged = clogged;
      churn.failed = failed;
      all.churn = {churn};
    });
  };
  for (std::size_t const table : {0u, 1u}) {
    add({100e6, 99e6, 99e6}, 2.0, 0.0, false, 0, table);
    add({100e6, 50e6, 49e6}, 1.0, 0.0, false, 0, table);
    add({100e6, 50e6, 20e6}, 2.0, 0.0, false, 0, table);
    add({100e6, 50e6, 43e6}, 2.0, 0.1, false, 0, table);
    add({100e6, 95e6, 92e6}, 2.0, 0.1, false, 0, table);
    add({100e6, 95e6, 92e6}, 2.0, 2329.0, false, 0, table);
    add({100e6}, 0.25, 0.0, true, 0, table);
    add({100e6}, 0.25, 0.0, true, 9, table);
  }
  return kinds;
}

std::vector<Change> kinds_of_divisions()
{
  return {
      [](Results& all) { add_divided(all, 300e6); },
      [](Results& all) { add_divided(all, 120e6); },
      [](Results& all) { add_divided(all, 195e6, 0.3); },
      [](Results& all) { add_divided(all, 170e6, 0.3); },
      [](Results& all) { add_divided(all, 195e6, 0.05); },
      [](Results& all) { add_divided(all, 195e6, 0.9); },
      [](Results& all) {
        add_divided(all, 300e6);
        all.workload.division.devices = ShardDevices::each;
        for (Measured& each : all.measured) {
          if (each.candidate.table.shards != 1) { each.candidate.table.devices = ShardDevices::each; }
        }
      },
      [](Results& all) {
        add_divided(all, 300e6);
        all.devices = 2;
        all.workload.division.devices = ShardDevices::each;
        for (Measured& each : all.measured) {
          if (each.candidate.table.shards != 1) { each.candidate.table.devices = ShardDevices::each; }
        }
      },
      [](Results& all) {
        add_divided(all, 300e6);
        for (Measured& each : all.measured) {
          if (each.candidate.table.shards == 1) { each.stage = Stage::coarse; }
        }
      },
      [](Results& all) {
        all.workload.division.shards = {1, 2};
      },
      [](Results& all) {
        all.workload.division.shards = {1, 2};
        all.skipped = {{measured_table("cuckoo", 0.9, 1e6, 2).candidate, "it has no shards"}};
      },
  };
}

TEST(GermanTuning, HasTheAnswersToAllKindsOfResults)
{
  std::set<std::string> said;
  for (auto const& kinds : {kinds_of_choices(), kinds_of_doubt(), kinds_of_gaps(), kinds_of_risks(), kinds_of_churn(),
                            kinds_of_divisions(), kinds_of_presents()}) {
    for (Change const& change : kinds) {
      Results all = usual_results();
      change(all);
      Choice const choice = choose(all);
      expect_all_in_german(
          [&] {
            std::vector<std::string> texts;
            for (Sentence const& sentence : answer_of(all, choice)) { texts.push_back(sentence.text); }
            return texts;
          },
          said);
    }
  }
  EXPECT_GT(said.size(), 120u) << "these results were to have nearly all that there is be said";
}

/// Choices that results lead to only by chance.
TEST(GermanTuning, HasTheAnswersToAllKindsOfChoices)
{
  std::set<std::string> said;
  Results all = usual_results();
  for (std::vector<std::size_t> const& equals : {std::vector<std::size_t>{2}, {3}, {2, 3}}) {
    for (double const max_bytes : {0.0, 20.0}) {
      for (std::size_t const present : {0u, 1u}) {
        all.workload.max_bytes = max_bytes;
        all.present = present;
        Choice choice = choose(all);
        choice.winner = 1;
        choice.equals = equals;
        choice.rough = {2};
        for (std::optional<std::size_t> const passed_over :
             {std::optional<std::size_t>(), std::optional<std::size_t>(4)}) {
          choice.passed_over = passed_over;
          expect_all_in_german([&] { return std::vector{text_of(answer_of(all, choice))}; }, said);
        }
      }
    }
  }
  EXPECT_GT(said.size(), 10u);
}

TEST(GermanTuning, HasTheVerdictsOnHashes)
{
  std::set<std::string> said;
  for (HashUniformity const& found :
       {uniformity(0.0, 1.5, 2.5, 10, 0.3), uniformity(-50.0, 1.1, 1.5, 10, 0.0), uniformity(50.0, 1.55, 2.55, 10, 0.9),
        uniformity(50.0, 15.0, 25.0, 10, 0.9), uniformity(50.0, 15.0, 25.0, 500, 0.0),
        uniformity(-50.0, 1.0, 2000.0, 5000, 0.0)}) {
    expect_all_in_german([&] { return std::vector{verdict_of(found)}; }, said);
  }
  EXPECT_GE(said.size(), 5u);
}

/// A reason is said again in each language: results keep it as it was meant.
TEST(GermanTuning, SaysAgainWhyTablesWereLeftOut)
{
  std::set<std::string> said;
  std::vector<Workload> workloads(5);
  workloads[0].max_bytes = 1.0;
  workloads[1].at_once = true;
  workloads[1].erase = 0.25;
  workloads[2].erase = 0.25;
  workloads[3].key_bits = 64;
  workloads[4].values = false;
  for (Workload const& workload : workloads) {
    for (Skipped const& skipped : coarse_candidates(Backend::cpu, workload, workload.keys).skipped) {
      expect_all_in_german([&] { return std::vector{skipped.why.text()}; }, said);
    }
  }
  EXPECT_GT(said.size(), 6u);
}

TEST(GermanTuning, HasTheRemarksOnCode)
{
  std::set<std::string> said;
  Results const all = usual_results();
  for (std::string const& family : family_names()) {
    for (bool const is_set : {false, true}) {
      for (std::uint32_t const shards : {1u, 4u}) {
        Candidate candidate = candidate_of({.family = family, .shards = shards}, 0.5, 1000);
        candidate.table.keys_only = is_set && family_info(family).keys_alone;
        for (EnumName<CodeFor> const& kind : enum_names<CodeFor>()) {
          expect_all_in_german([&] { return std::vector{code_of(kind.value, candidate, all).remark}; }, said);
          std::string const english = code_of(kind.value, candidate, all).text;
          InLanguage const german("de");
          EXPECT_EQ(code_of(kind.value, candidate, all).text, english) << "comments of code are English";
        }
      }
    }
  }
  EXPECT_GT(said.size(), 10u);
}

TEST(GermanTuning, HasPresetsAndWhatIsWrongWithWorkloads)
{
  std::set<std::string> said;
  for (Preset const& preset : presets()) {
    expect_all_in_german([&] { return std::vector{translated(preset.workload.name), translated(preset.what)}; }, said);
  }
  std::vector<std::function<void(Workload&)>> const mistakes{
      [](Workload& of) { of.keys = 0; },
      [](Workload& of) { of.growth = 0.5; },
      [](Workload& of) { of.growth = 1e9; },
      [](Workload& of) { of.insert = of.hit = of.miss = 0.0; },
      [](Workload& of) { of.source.distribution = KeyDistribution::file; },
      [](Workload& of) {
        of.values = false;
        of.combine = Combine::add;
      },
      [](Workload& of) { of.division.devices = ShardDevices::each; },
      [](Workload& of) {
        of.join.emplace();
        of.source.distribution = KeyDistribution::zipf;
      },
      [](Workload& of) {
        of.join.emplace();
        of.division.shards = {2};
      },
      [](Workload& of) {
        of.join.emplace();
        of.join->probe.distribution = KeyDistribution::file;
        of.join->probe_rows = 1;
      },
      [](Workload& of) {
        of.join.emplace();
        of.present.emplace().table.shards = 4;
      },
  };
  for (auto const& make : mistakes) {
    Workload wrong;
    make(wrong);
    auto const why = [&] {
      try {
        validate(wrong);
      } catch (Error const& error) {
        return std::vector<std::string>{error.what()};
      }
      ADD_FAILURE() << "nothing is wrong";
      return std::vector<std::string>();
    };
    expect_all_in_german(why, said);
  }
  EXPECT_EQ(said.size(), 2 * presets().size() + mistakes.size());
}

TEST(GermanTuning, HasTheJoinsAndTheCommandThatChecks)
{
  std::set<std::string> said;
  for (EnumName<joins::JoinKind> const& kind : enum_names<joins::JoinKind>()) {
    Results all = usual_results();
    make_join(all, kind.value);
    expect_all_in_german([&] { return std::vector{join_text(all.workload, all.match)}; }, said);
  }
  Results all = usual_results();
  all.measured[1].handover = {25e-9, 30e-9};
  for (double const unrest : {0.0, 0.9}) {
    all.unrest = unrest;
    expect_all_in_german(
        [&] {
          Check const check = check_of(all, all.measured[1]);
          return std::vector{check.remark, nearness_of(check), text_of(check)};
        },
        said);
  }
  EXPECT_GE(said.size(), 8u);
}

class GermanTuneScene : public test::TuneSceneTest {};

TEST_F(GermanTuneScene, HasPanels)
{
  sweep();
  TuneState shown = state();
  app_.reset();  // each panel is drawn by an interface of its own
  shown.settings.workload.name.clear();
  std::set<std::string> const alike{"slotscape ", "Name",   "Shards",  "SHARDS", "Exponent",
                                    "murmur3",    "xxhash", "Poisson", "Hash",   "Batch"};
  auto const answer = [](Look const& look, TuneState& of) {
    of.answer = answer_of(*of.results, of.choice);
    answer_panel(look, of);
  };
  std::vector<std::function<void(Look const&, TuneState&)>> const panels{
      answer, workload_panel, keys_of_workload_panel, operations_panel, limits_panel, shards_panel, present_panel};
  for (auto const& panel : panels) {
    EXPECT_THAT(lines_left_in_english([&](Look const& look) { panel(look, shown); }, alike), IsEmpty());
  }
  shown.settings.workload = presets()[1].workload;
  for (auto const& panel : panels) {
    EXPECT_THAT(lines_left_in_english([&](Look const& look) { panel(look, shown); }, alike), IsEmpty());
  }
}

/// Whatever the window speaks: they are for programs, and for others.
TEST_F(GermanTuneScene, WritesFilesInEnglish)
{
  sweep();
  test::TemporaryFolder const folder;
  auto const saved = [&](TuneExport what, std::string const& name) {
    state().ask(AskWhereToSave{what});
    save_as(folder / name);
    return test::content_of(folder / name);
  };
  struct Saved {
    TuneExport what;
    std::string ending;
  };
  for (Saved const& each :
       {Saved{TuneExport::csv, ".csv"}, Saved{TuneExport::json, ".json"}, Saved{TuneExport::html, ".html"},
        Saved{TuneExport::markdown, ".md"}, Saved{TuneExport::code, ".cpp"}, Saved{TuneExport::scenario, ".json"}}) {
    SCOPED_TRACE(each.ending);
    std::string const english = saved(each.what, "page" + each.ending);
    InLanguage const german("de");
    EXPECT_FALSE(english.empty());
    EXPECT_EQ(saved(each.what, "page" + each.ending), english);
  }
}

/// Whoever changes the language reads the answer in it.
TEST_F(GermanTuneScene, SaysTheAnswerInTheLanguageThatIsChosen)
{
  sweep();
  std::string const english = text_of(state().answer);
  InLanguage const german("de");
  frames(2);
  EXPECT_NE(text_of(state().answer), english);
  EXPECT_EQ(text_of(state().answer), text_of(answer_of(results(), state().choice)));
}

}  // namespace
}  // namespace slotscape
