#include "app/tuning/workload.hpp"

#include "app/bench/table_benches.hpp"
#include "app/tuning/candidates.hpp"
#include "app/tuning/hash_uniformity.hpp"
#include "gpu/base/error.hpp"
#include "gpu/bench/rivals.hpp"
#include "gpu/engine/engine.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <numeric>
#include <set>

namespace slotscape::tuning {
namespace {

using test::message_of;
using test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::uint64_t all = ~std::uint64_t{0};

Workload read(std::string const& text)
{
  TemporaryFolder const folder;
  folder.write("orders.csv", "id,user\n1,7\n2,7\n3,9\n4,8\n");
  folder.write("words.csv", "id,user\n1,7\n2,anna\n");
  return read_workload(folder.write("workload.json", text));
}

std::string wrong_in(std::string const& text)
{
  return message_of<Error>([&] { read(text); });
}

TEST(TuningWorkload, IsReadFromJson)
{
  Workload const workload = read(
      R"({ "name": "Orders", "count": 5000, "growth": 2, "key_bits": 64, "keys": "sequential", "combine": "add",
           "insert": 1, "hit": 3, "miss": 0, "erase": 0.5, "batch": 256, "at_once": true, "most_bytes": 20,
           "present": { "table": { "family": "cuckoo", "bucket": 4 }, "load": 0.75 } })");
  EXPECT_EQ(workload.name, "Orders");
  EXPECT_EQ(workload.keys, 5000u);
  EXPECT_EQ(workload.key_bits, 64);
  EXPECT_EQ(workload.source.distribution, KeyDistribution::sequential);
  EXPECT_EQ(workload.combine, Combine::add);
  EXPECT_DOUBLE_EQ(workload.operations(), 4.5);
  EXPECT_TRUE(workload.at_once);
  ASSERT_TRUE(workload.present);
  EXPECT_EQ(workload.present->table.parameters.at("bucket"), 4u);
  TemporaryFolder const folder;
  auto const again = folder.write("again.json", format_json(object_of_fields({}, workload)));
  EXPECT_EQ(read_workload(again), workload);
}

TEST(TuningWorkload, AShareLeavesTheRestToTheOthers)
{
  Workload workload;  // 0.25, 0.5, 0.25, 0
  set_share(workload, &Workload::erase, 0.2);
  EXPECT_NEAR(workload.insert, 0.2, 1e-12);
  EXPECT_NEAR(workload.hit, 0.4, 1e-12);
  EXPECT_NEAR(workload.erase, 0.2, 1e-12);
  EXPECT_NEAR(workload.operations(), 1.0, 1e-12);
  set_share(workload, &Workload::hit, 1.0);
  EXPECT_EQ(workload.operations(), workload.hit);
  set_share(workload, &Workload::hit, 0.75);
  EXPECT_NEAR(workload.insert, 0.25, 1e-12) << "somebody has the rest";
  set_share(workload, &Workload::insert, 1.0);
  set_share(workload, &Workload::insert, 0.0);
  EXPECT_NEAR(workload.hit, 1.0, 1e-12);
}

TEST(TuningWorkload, TakesAllKeysOfAColumn)
{
  Workload const workload = read(R"({ "keys": { "file": "orders.csv", "column": "user" } })");
  EXPECT_EQ(workload.keys, 0u);
  auto const keys = prepare_keys(workload, all, 1);
  ASSERT_TRUE(keys);
  EXPECT_EQ(keys->inserts, 4u);
  EXPECT_EQ(keys->different, 3u);
  EXPECT_THAT(*keys->distinct.file_keys, ElementsAre(7u, 9u, 8u));
  EXPECT_THAT(*keys->stream.file_keys, ElementsAre(7u, 7u, 9u, 8u));
}

TEST(TuningWorkload, GrowsByDifferentKeysWhereAFileHasTooFew)
{
  Workload const workload = read(R"({ "keys": { "file": "orders.csv", "column": "user" }, "growth": 3 })");
  auto const keys = prepare_keys(workload, all, 1);
  ASSERT_TRUE(keys);
  EXPECT_EQ(keys->inserts, 4u);
  EXPECT_EQ(keys->different, 3u);
  EXPECT_EQ(keys->wanted, (KeyCounts{12, 9}));
  EXPECT_THAT(keys->remark.text(), AllOf(HasSubstr("3 distinct keys"), HasSubstr("must hold 9")));
}

TEST(TuningWorkload, IsRecognisedWhereAScenarioIsExpected)
{
  auto const is = [](std::string const& text) {
    Json const document = parse_json(text, "w.json");
    return is_workload(JsonNode(document, "w.json", "."));
  };
  EXPECT_TRUE(is(R"({ "keys": { "distribution": "zipf" }, "hit": 1 })"));
  EXPECT_FALSE(is(R"({ "version": 1, "table": {}, "steps": [] })"));
  EXPECT_FALSE(is("[1]"));
}

TEST(TuningWorkload, SaysWhatIsWrong)
{
  EXPECT_THAT(wrong_in(R"({ "keys": { "file": "words.csv", "column": "user" } })"),
              AllOf(HasSubstr("words.csv: line 3, column 'user'"), HasSubstr("'anna' is not a whole number")));
  EXPECT_THAT(wrong_in(R"({ "keys": { "file": "orders.csv", "column": "usr" } })"), HasSubstr("did you mean 'user'"));
  EXPECT_THAT(wrong_in(R"({ "inserts": 1 })"), HasSubstr("insert"));
  EXPECT_THAT(wrong_in(R"({ "insert": 0, "hit": 0, "miss": 0 })"), HasSubstr("a share above 0"));
  EXPECT_THAT(wrong_in(R"({ "insert": -1 })"), HasSubstr("insert"));
  EXPECT_THAT(wrong_in(R"({ "count": 0 })"), HasSubstr("at least one key"));
  EXPECT_THAT(wrong_in(R"({ "count": 2000000000, "growth": 5 })"), HasSubstr("grow to more than"));
  EXPECT_THAT(wrong_in(R"({ "growth": 0.5 })"), HasSubstr("growth"));
  EXPECT_THAT(wrong_in(R"({ "key_bits": 16 })"), HasSubstr("key_bits"));
  EXPECT_THAT(wrong_in(R"({ "present": { "table": { "family": "cuckoe" } } })"), HasSubstr("cuckoo"));
  EXPECT_THAT(wrong_in(R"({ "key_bits": 64, "present": { "table": { "family": "slab" } } })"),
              HasSubstr("32-bit keys only"));
  EXPECT_THAT(wrong_in(R"({ "values": false, "combine": "add" })"), HasSubstr("nothing to combine"));
  EXPECT_THAT(wrong_in("[1]"), HasSubstr("workload.json"));
}

TEST(TuningWorkload, MayBeAJoin)
{
  Workload const drawn = read(
      R"({ "count": 5000, "keys": "sequential",
           "join": { "kind": "left", "probe_rows": 20000, "rows_per_key": 4, "match": 0.75, "skew": 1.2 } })");
  ASSERT_TRUE(drawn.join);
  EXPECT_EQ(drawn.join->kind, joins::JoinKind::left);
  EXPECT_EQ(drawn.build_rows(), 5000u);
  EXPECT_EQ(drawn.probe_rows(), 20'000u);
  EXPECT_TRUE(drawn.needs_values());
  EXPECT_FALSE(drawn.replaces_keys());
  TemporaryFolder const folder;
  auto const again = folder.write("again.json", format_json(object_of_fields({}, drawn)));
  EXPECT_EQ(read_workload(again), drawn);
  EXPECT_EQ(join_text(drawn, 0.75),
            "a left join of 5,000 rows with 20,000, 75.0 % of which match; 4 build rows per key; skew 1.2");
  auto const keys = prepare_keys(drawn, all, 1);
  ASSERT_TRUE(keys);
  EXPECT_EQ(keys->wanted, (KeyCounts{5000, 1250}));
  EXPECT_DOUBLE_EQ(keys->match, 0.75);
  auto const part = join_rows(drawn, *keys, 500);
  ASSERT_TRUE(part);
  EXPECT_EQ(part->counts, (KeyCounts{500, 125}));
  EXPECT_EQ(part->probe_rows, 2000u);
}

TEST(TuningWorkload, JoinsTheColumnsOfTwoFiles)
{
  Workload const workload = read(R"({ "keys": { "file": "orders.csv", "column": "user" },
                                      "join": { "kind": "anti", "probe": { "file": "orders.csv", "column": "id" } } })");
  EXPECT_EQ(workload.build_rows(), 4u);
  EXPECT_EQ(workload.probe_rows(), 4u);
  EXPECT_FALSE(workload.needs_values());
  auto const keys = prepare_keys(workload, all, 1);
  ASSERT_TRUE(keys);
  EXPECT_EQ(keys->wanted, (KeyCounts{4, 3}));
  EXPECT_DOUBLE_EQ(keys->match, 0.0);  // of 1, 2, 3 and 4, none is 7, 8 or 9
}

/// A sample keeps what makes a join what it is: the rows of a key, on both sides.
TEST(TuningWorkload, SamplesOfFilesKeepAllRowsOfAKey)
{
  std::vector<Key> build;
  std::vector<Key> probe;
  for (Key key = 0; key < 20'000; ++key) { build.insert(build.end(), 3, key); }
  for (Key row = 0; row < 50'000; ++row) { probe.push_back(row); }
  auto const file_of = [](std::vector<Key> keys) {
    KeySettings settings;
    settings.distribution = KeyDistribution::file;
    settings.file_keys = std::make_shared<std::vector<Key> const>(std::move(keys));
    return settings;
  };
  Workload workload;
  workload.source = file_of(std::move(build));
  workload.keys = 0;
  workload.join = JoinSides{.probe = file_of(std::move(probe))};
  auto const keys = prepare_keys(workload, all, 1);
  ASSERT_TRUE(keys);
  EXPECT_NEAR(keys->match, 0.4, 1e-9);
  auto const part = join_rows(workload, *keys, 6'000);
  ASSERT_TRUE(part);
  EXPECT_EQ(part->counts.inserts, 3 * part->counts.different);
  EXPECT_NEAR(static_cast<double>(part->counts.different), 2'000.0, 250.0);
  std::set<Key> const kept(part->build.file_keys->begin(), part->build.file_keys->end());
  EXPECT_EQ(kept.size(), part->counts.different);
  auto const hits = std::ranges::count_if(*part->probe.file_keys, [&](Key key) { return kept.contains(key); });
  EXPECT_EQ(static_cast<std::size_t>(hits), kept.size());
  EXPECT_NEAR(static_cast<double>(part->probe.file_keys->size()), 5'000.0, 400.0);
}

TEST(TuningWorkload, SaysWhatDoesNotGoWithAJoin)
{
  for (std::string const field :
       {"growth", "values", "combine", "insert", "hit", "miss", "erase", "batch", "at_once"}) {
    EXPECT_THAT(wrong_in(fmt::format(R"({{ "join": {{}}, "{}": 1 }})", field)),
                AllOf(HasSubstr(field), HasSubstr("cannot be combined with 'join'")));
  }
  EXPECT_THAT(wrong_in(R"({ "join": { "kind": "outer" } })"), HasSubstr("inner"));
  EXPECT_THAT(wrong_in(R"({ "join": { "match": 2 } })"), HasSubstr("match"));
  EXPECT_THAT(wrong_in(R"({ "join": { "probe": "uniform" } })"), HasSubstr("its rows are drawn"));
  EXPECT_THAT(wrong_in(R"({ "join": {}, "keys": "zipf" })"), HasSubstr("rows_per_key"));
  EXPECT_THAT(wrong_in(R"({ "join": { "rows_per_key": 2 }, "keys": { "file": "orders.csv", "column": "user" } })"),
              HasSubstr("determines how many rows share a key"));
  EXPECT_THAT(wrong_in(R"({ "join": { "probe": { "file": "orders.csv", "column": "user" } } })"),
              HasSubstr("build side must, too"));
  EXPECT_THAT(wrong_in(R"({ "count": 2000000000, "join": {} })"), HasSubstr("at most"));
}

TEST(TuningWorkload, SharesThatAreNotNamedAre0WhereOthersAre)
{
  Workload const named = read(R"({ "insert": 0.7, "miss": 0.3 })");
  EXPECT_EQ(named.hit, 0.0);
  EXPECT_EQ(named.erase, 0.0);
  EXPECT_EQ(read("{}").shares().hit, Workload{}.hit);
}

TEST(TuningWorkload, RefusesKeysThatAreTooWide)
{
  TemporaryFolder const folder;
  folder.write("wide.txt", "1\n5000000000\n");
  EXPECT_EQ(read_workload(folder.write("w.json", R"({ "keys": { "file": "wide.txt" } })")).key_bits, 64)
      << "as they are";
  auto const file = folder.write("workload.json", R"({ "keys": { "file": "wide.txt" }, "key_bits": 32 })");
  EXPECT_THAT(message_of<Error>([&] { read_workload(file); }), AllOf(HasSubstr("5000000000"), HasSubstr("64-bit")));
}

TEST(TuningWorkload, EveryPresetIsValidAndCanBeSaved)
{
  std::set<std::string_view> names;
  for (Preset const& preset : presets()) {
    EXPECT_NO_THROW(validate(preset.workload)) << preset.name;
    EXPECT_TRUE(names.insert(preset.name).second);
    TemporaryFolder const folder;
    auto const file = folder.write("workload.json", format_json(object_of_fields({}, preset.workload)));
    EXPECT_EQ(read_workload(file), preset.workload) << preset.name;
    Candidates const candidates = coarse_candidates(Backend::cpu, preset.workload, 10'000);
    EXPECT_GT(candidates.possible.size(), 5u) << preset.name;
  }
  EXPECT_GE(names.size(), 6u);
}

TEST(TuningWorkload, KeysThatRepeatAreCounted)
{
  Workload workload;
  workload.source.distribution = KeyDistribution::zipf;
  workload.keys = 10'000;
  auto const keys = prepare_keys(workload, all, 1);
  ASSERT_TRUE(keys);
  EXPECT_EQ(keys->inserts, 10'000u);
  std::set<Key> const different(keys->stream.file_keys->begin(), keys->stream.file_keys->end());
  EXPECT_EQ(keys->different, different.size());
  EXPECT_LT(keys->different, 9'000u);
  EXPECT_EQ(keys->distinct.file_keys->size(), different.size());
  int left = 1;
  EXPECT_FALSE(prepare_keys(workload, all, 1, Progress([&](Progress const&) { return left-- > 0; })));
}

TEST(TuningCandidates, FillTheirSlotsWithTheWorkloadsKeys)
{
  Workload const workload;
  for (Candidate const& each : coarse_candidates(Backend::cpu, workload, 10'000).possible) {
    EXPECT_NEAR(each.load * static_cast<double>(each.table.slots), 10'000.0, 1e-6);
    EXPECT_LE(each.load, bench::subject_info(each.table.family).guarantees(each.table).safe_load + 1e-6);
    if (!is_by_others(each)) { EXPECT_NO_THROW(validate(each.table, Backend::cpu)) << title_of(each); }
  }
}

TEST(TuningCandidates, WithoutValuesAreSets)
{
  Workload workload;
  workload.values = false;
  workload.erase = 0.25;
  workload.combine = Combine::keep_first;
  Candidates const sets = coarse_candidates(Backend::cpu, workload, 10'000);
  Candidates const varied = variants_of(Backend::cpu, workload, 10'000, sets.possible.front());
  EXPECT_FALSE(varied.possible.empty());
  for (auto const& some : {sets.possible, varied.possible}) {
    for (Candidate const& each : some) {
      EXPECT_TRUE(each.table.keys_only) << title_of(each);
      EXPECT_NO_THROW(validate_set(family_info(each.table.family), each.table)) << title_of(each);
      EXPECT_EQ(table_of_words(words_of_table(each.table)).keys_only, true);
      EXPECT_THAT(title_of(each), HasSubstr("set"));
    }
  }
  bool any_pairs_only = false;
  for (Skipped const& skipped : sets.skipped) {
    any_pairs_only = any_pairs_only || skipped.why.text() == "it cannot store keys without values";
  }
  EXPECT_TRUE(any_pairs_only);
}

std::vector<std::string> families_of(std::vector<Candidate> const& candidates)
{
  std::vector<std::string> names(candidates.size());
  std::ranges::transform(candidates, names.begin(), [](Candidate const& each) { return each.table.family; });
  return names;
}

std::string why_not(Candidates const& candidates, std::string const& family)
{
  for (Skipped const& skipped : candidates.skipped) {
    if (skipped.candidate.table.family == family) { return skipped.why.text(); }
  }
  return "";
}

TEST(TuningCandidates, SayWhyATableCannotServe)
{
  Workload workload;
  Candidates const usual = coarse_candidates(Backend::cpu, workload, 10'000);
  EXPECT_THAT(families_of(usual.possible), Contains("perfect_hash"));
  EXPECT_THAT(why_not(usual, "two_level_cuckoo"), HasSubstr("only up to α 0.70"));

  workload.key_bits = 64;
  EXPECT_THAT(why_not(coarse_candidates(Backend::cpu, workload, 10'000), "slab"), HasSubstr("32-bit keys only"));

  workload.at_once = true;
  Candidates const together = coarse_candidates(Backend::cpu, workload, 10'000);
  EXPECT_THAT(families_of(together.possible), Not(Contains("robin_hood")));
  EXPECT_THAT(why_not(together, "robin_hood"), HasSubstr("cannot run operations of different kinds at once"));
  EXPECT_THAT(families_of(together.possible), Contains("linear_probing"));

  workload = {};
  workload.batch = 100;
  EXPECT_THAT(why_not(coarse_candidates(Backend::cpu, workload, 10'000), "sorted_array"), HasSubstr("rebuild"));

  workload = {};
  workload.max_bytes = 10.0;
  Candidates const small = coarse_candidates(Backend::cpu, workload, 10'000);
  EXPECT_THAT(why_not(small, "linear_probing"), HasSubstr("budget is 10.0"));
  for (Candidate const& each : small.possible) { EXPECT_GE(each.load, 0.8); }
}

TEST(TuningCandidates, VariantsDifferInOneThing)
{
  Workload const workload;
  TableSettings table;
  table.family = "cuckoo";
  Candidate const start = candidate_of(table, 0.8, 10'000);
  std::set<std::map<std::string, std::uint32_t>> parameters;
  for (Candidate const& each : variants_of(Backend::cpu, workload, 10'000, start).possible) {
    EXPECT_EQ(each.table.parameters.size(), 1u);
    parameters.insert(each.table.parameters);
  }
  EXPECT_EQ(parameters.size(), 6u) << "two other numbers of functions, and four other buckets";
  table.family = "linear_probing";
  EXPECT_EQ(variants_of(Backend::cpu, workload, 10'000, candidate_of(table, 0.8, 10'000)).possible.size(), 3u)
      << "hashes";
}

TEST(TuningCandidates, OtherLoadsStayWithinWhatIsSafe)
{
  Workload const workload;
  TableSettings table;
  table.family = "cuckoo";
  auto const loads = [&](double load) {
    std::vector<double> list;
    for (Candidate const& each :
         other_loads_of(Backend::cpu, workload, 10'000, candidate_of(table, load, 10'000), 0.05).possible) {
      list.push_back(each.load);
    }
    return list;
  };
  EXPECT_THAT(loads(0.8), ElementsAre(::testing::DoubleNear(0.75, 1e-3), ::testing::DoubleNear(0.85, 1e-3)));
  EXPECT_THAT(loads(0.93), ElementsAre(::testing::DoubleNear(0.88, 1e-3), ::testing::DoubleNear(0.95, 1e-3)));
}

// A table that is a slot larger is no other table: each would be measured, and the answer would name all of them.
TEST(TuningCandidates, StepsThereAndBackLeadToTheSameTable)
{
  Workload const workload;
  constexpr std::uint64_t keys = 1'048'576;
  TableSettings table;
  table.family = "cuckoo";
  Candidate const start = candidate_of(table, 0.79, keys);
  Candidate at = start;
  for (double const step : {0.01, 0.03, 0.08}) {
    for (int i = 0; i < 2; ++i) {
      at = other_loads_of(Backend::cpu, workload, keys, at, step).possible.at(static_cast<std::size_t>(1 - i));
    }
    EXPECT_EQ(at.table.slots, start.table.slots) << step;
  }
}

std::vector<Key> strided(std::size_t count, Key stride)
{
  std::vector<Key> keys(count);
  for (std::size_t i = 0; i < count; ++i) { keys[i] = i * stride; }
  return keys;
}

TEST(TuningHashes, WarnOfStridedKeysWithoutAHash)
{
  std::vector<Key> const keys = strided(1u << 14, 64);
  HashUniformity const identity = uniformity_of(HashKind::identity, keys, 32, 1u << 15);
  EXPECT_TRUE(identity.bad());
  EXPECT_THAT(verdict_of(identity), AllOf(HasSubstr("identity"), HasSubstr("bad for these keys")));
  EXPECT_EQ(identity.fullest, 32u);  // 2^15 / 64 homes for 2^14 keys
  EXPECT_DOUBLE_EQ(identity.shared, 1.0);
  for (HashKind const hash : {HashKind::murmur3, HashKind::xxhash}) {
    HashUniformity const good = uniformity_of(hash, keys, 32, 1u << 15);
    EXPECT_FALSE(good.bad());
    EXPECT_EQ(good.evenness(), Evenness::as_random);
    EXPECT_LT(std::abs(good.z), 5.0);
    EXPECT_GT(good.p_value, 1e-6);
    EXPECT_NEAR(good.shared, good.expected_shared, 0.03);
    EXPECT_LT(good.longest_run, 4 * static_cast<std::uint64_t>(good.expected_longest_run));
  }
}

TEST(TuningHashes, WarnOfCrowdedRegions)
{
  std::vector<Key> const keys = strided(1u << 14, 1);  // they fill one half of the table
  HashUniformity const identity = uniformity_of(HashKind::identity, keys, 64, 1u << 15);
  EXPECT_TRUE(identity.bad());
  EXPECT_EQ(identity.longest_run, 1u << 14);
  EXPECT_THAT(verdict_of(identity), HasSubstr("16,384 home slots in a row"));
  EXPECT_EQ(uniformity_of(HashKind::fibonacci, keys, 64, 1u << 15).evenness(), Evenness::more_even);
}

TEST(TuningWorkload, SmallerTablesHaveTheLoadThatTheyStandFor)
{
  TableSettings table;
  table.family = "quadratic";  // takes powers of two only
  for (double const load : {0.5, 0.61, 0.82, 0.97}) {
    Candidate const full = candidate_of(table, load, static_cast<std::uint64_t>(load * (1u << 22)));
    EXPECT_NEAR(full.load, load, 1e-5);
    for (std::uint64_t const most : {262'144u, 300'000u, 100'001u}) {
      std::uint64_t const keys = keys_at_load_of(full, most);
      EXPECT_LE(keys, most);
      EXPECT_GT(2 * keys, most / 2) << "not smaller than need be";
      EXPECT_NEAR(candidate_of(full.table, full.load, keys).load, load, 0.006);
    }
  }
}

TEST(TuningWorkload, ABeginningEndsWhereItsKeysDo)
{
  Workload workload;
  workload.keys = 20'000;
  workload.source.distribution = KeyDistribution::zipf;
  WorkloadKeys const all = prepare_keys(workload, workload.keys, 1).value();
  ASSERT_LT(all.different, all.inserts);
  WorkloadKeys const fewer = with_different_keys(all, 1000);
  EXPECT_EQ(fewer.different, 1000u);
  ASSERT_EQ(fewer.stream.file_keys->size(), fewer.inserts);
  std::set<Key> const different(fewer.stream.file_keys->begin(), fewer.stream.file_keys->end());
  EXPECT_EQ(different.size(), 1000u);
  EXPECT_EQ(different, std::set<Key>(fewer.distinct.file_keys->begin(), fewer.distinct.file_keys->end()));
  EXPECT_TRUE(
      std::equal(fewer.stream.file_keys->begin(), fewer.stream.file_keys->end(), all.stream.file_keys->begin()));
  EXPECT_EQ(with_different_keys(all, all.different).inserts, all.inserts);
}

TEST(TuningHashes, CountEveryHomeOnce)
{
  std::vector<Key> const keys = strided(5000, 3);
  for (HashUniformity const& each : uniformity_of_hashes(keys, 32, 10'007)) {
    EXPECT_EQ(std::accumulate(each.homes.begin(), each.homes.end(), std::uint64_t{0}), 10'007u);
    EXPECT_NEAR(std::accumulate(each.expected.begin(), each.expected.end(), 0.0), 10'007.0, 1e-3);
  }
  EXPECT_THROW(uniformity_of(HashKind::murmur3, {}, 32, 16), Error);
}

}  // namespace
}  // namespace slotscape::tuning
