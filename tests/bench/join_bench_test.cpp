#include "gpu/bench/join_bench.hpp"

#include "gpu/base/error.hpp"
#include "gpu/bench/join_bench_of.hpp"
#include "gpu/engine/engine.hpp"
#include "gpu/execution/backend.hpp"
#include "gpu/execution/cpu.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace slotscape::bench::join_bench_tests {
namespace {

using joins::JoinKind;
using ::testing::HasSubstr;

KeySettings file_of(std::vector<Key> keys)
{
  return {.distribution = KeyDistribution::file,
          .file_keys = std::make_shared<std::vector<Key> const>(std::move(keys)),
          .file_name = "keys.u64"};
}

class EveryJoinBackend : public ::testing::TestWithParam<Backend> {
protected:
  void SetUp() override
  {
    if (GetParam() == Backend::cuda && !why_no_cuda().empty()) { GTEST_SKIP() << why_no_cuda(); }
  }
};
INSTANTIATE_TEST_SUITE_P(On, EveryJoinBackend, ::testing::Values(Backend::cpu, Backend::cuda),
                         [](auto const& info) { return info.param == Backend::cpu ? "cpu" : "cuda"; });

/// The bench itself checks every answer; how many there are to be is known here.
TEST_P(EveryJoinBackend, JoinsWhatTheCaseSays)
{
  JoinCase wanted{.build_rows = 80'000, .probe_rows = 100'000, .rows_per_key = 4, .hit_share = 0.25};
  for (int const bits : {32, 64}) {
    for (KeySkew const& skew : {KeySkew{}, KeySkew{.exponent = 1.2}, KeySkew{.half = true}}) {
      for (auto const& [kind, results] : {std::pair{JoinKind::inner, 100'000.0}, std::pair{JoinKind::left, 175'000.0},
                                          std::pair{JoinKind::semi, 25'000.0}, std::pair{JoinKind::anti, 75'000.0}}) {
        wanted.settings.key_bits = bits;
        wanted.skew = skew;
        wanted.kind = kind;
        auto const bench = make_join_bench(GetParam(), wanted);
        for (std::uint64_t seed = 1; seed <= 2; ++seed) {
          auto const run = bench->run(seed, {});
          ASSERT_TRUE(run);
          EXPECT_GT(run->build_seconds, 0.0);
          EXPECT_GT(run->probe_seconds, 0.0);
          EXPECT_NEAR(static_cast<double>(run->results), results, 0.04 * results);
        }
        EXPECT_GT(bench->memory_bytes(), 80'000u * 8);
      }
    }
  }
}

/// Half of the probes ask for one key: a row more of that one would be half of all results more.
TEST_P(EveryJoinBackend, RowsThatAreLeftOverAreNotTheHottestKeys)
{
  for (KeySkew const& skew : {KeySkew{.exponent = 2.0}, KeySkew{.half = true}}) {
    JoinCase const wanted{.build_rows = 10'001, .probe_rows = 7'000, .rows_per_key = 3, .hit_share = 1.0, .skew = skew};
    auto const run = make_join_bench(GetParam(), wanted)->run(1, {});
    ASSERT_TRUE(run);
    EXPECT_NEAR(static_cast<double>(run->results), 21'000.0, 10.0);
  }
}

TEST_P(EveryJoinBackend, GroupsWhatTheCaseSays)
{
  for (int const bits : {32, 64}) {
    for (KeySkew const& skew : {KeySkew{}, KeySkew{.exponent = 1.2}, KeySkew{.half = true}}) {
      GroupCase wanted{.rows = 200'000, .groups = 5'000, .skew = skew};
      wanted.settings.key_bits = bits;
      auto const bench = make_group_bench(GetParam(), wanted);
      for (std::uint64_t seed = 1; seed <= 2; ++seed) {
        auto const run = bench->run(seed, {});
        ASSERT_TRUE(run);
        EXPECT_GT(run->seconds, 0.0);
        EXPECT_LE(run->groups, 5'000u);
        EXPECT_GT(run->groups, skew.exponent > 0.0 ? 2'500u : 4'900u);
      }
      EXPECT_GT(bench->memory_bytes(), 5'000u * 16);
    }
  }
}

TEST_P(EveryJoinBackend, TakesTheKeysOfAFile)
{
  std::vector<Key> keys;
  for (Key key = 0; key < 3'000; ++key) { keys.insert(keys.end(), key % 3 + 1, 1'000 * key); }
  JoinCase wanted{.kind = JoinKind::semi, .build_rows = keys.size(), .probe_rows = 20'000, .hit_share = 0.5};
  wanted.keys = file_of(keys);
  auto const run = make_join_bench(GetParam(), wanted)->run(1, {});
  ASSERT_TRUE(run);
  EXPECT_NEAR(static_cast<double>(run->results), 10'000.0, 400.0);
  GroupCase grouped{.rows = keys.size(), .keys = wanted.keys};
  EXPECT_EQ(make_group_bench(GetParam(), grouped)->run(1, {})->groups, 3'000u);
}

TEST_P(EveryJoinBackend, RefusesInvalidCases)
{
  EXPECT_THROW(make_join_bench(GetParam(), {.build_rows = 0, .probe_rows = 1}), Error);
  EXPECT_THROW(make_join_bench(GetParam(), {.build_rows = joins::max_rows + 1, .probe_rows = 1}), Error);
  EXPECT_THROW(make_join_bench(GetParam(), {.build_rows = 1, .probe_rows = 1, .rows_per_key = 0}), Error);
  EXPECT_THROW(make_join_bench(GetParam(), {.build_rows = 1, .probe_rows = 1, .hit_share = 1.5}), Error);
  EXPECT_THROW(make_join_bench(GetParam(), {.rival = "std::map", .build_rows = 1, .probe_rows = 1}), Error);
  EXPECT_THROW(make_group_bench(GetParam(), {.rows = 0}), Error);
  EXPECT_THROW(make_group_bench(GetParam(), {.settings = {.key_bits = 16}, .rows = 1}), Error);
}

/// Small tables of every family, which the bench checks row by row.
TEST_P(EveryJoinBackend, TakesTablesOfFamilies)
{
  int joined = 0;
  for (FamilyEntry const& entry : family_entries()) {
    FamilyInfo const& family = *entry.info;
    if (GetParam() == Backend::cuda && family.name == "cpu_unordered_map") { continue; }
    for (JoinKind const kind : {JoinKind::inner, JoinKind::left, JoinKind::semi, JoinKind::anti}) {
      bool const set = family.keys_alone && !joins::gives_pairs(kind);
      JoinCase wanted{.kind = kind, .build_rows = 2'000, .probe_rows = 5'000, .hit_share = 0.3};
      wanted.settings.key_bits = family.wide && kind == JoinKind::left ? 64 : 32;
      wanted.rows_per_key = joins::gives_pairs(kind) ? 1 : 2;  // whose rows nobody asks for, a key may come again
      wanted.table = TableSettings{.family = std::string(family.name),
                                   .slots = 4'096,
                                   .deletion = set ? Deletion::tombstone_reuse : Deletion::empty_value,
                                   .key_bits = wanted.settings.key_bits,
                                   .keys_only = set};
      // above its safe load, a table may fill both buckets of a key where insertions race for them
      while (2'000.0 > family.guarantees(*wanted.table).safe_load * static_cast<double>(wanted.table->slots)) {
        wanted.table->slots *= 2;
      }
      auto const bench = make_join_bench(GetParam(), wanted);
      for (std::uint64_t seed = 1; seed <= 2; ++seed) {
        auto const run = bench->run(seed, {});
        ASSERT_TRUE(run);
        ASSERT_EQ(run->failed, 0u) << family.name;
        EXPECT_NEAR(static_cast<double>(run->matched), 1'500.0, 150.0) << family.name;
        std::uint64_t const results = kind == JoinKind::left   ? 5'000
                                      : kind == JoinKind::anti ? 5'000 - run->matched
                                                               : run->matched;
        EXPECT_EQ(run->results, results) << family.name;
      }
      EXPECT_GT(bench->table_bytes(), std::uint64_t{8'000} / wanted.rows_per_key) << family.name;
      EXPECT_GT(bench->memory_bytes(), bench->table_bytes());
      ++joined;
    }
  }
  EXPECT_GT(joined, 4 * 20);
}

TEST_P(EveryJoinBackend, ProbesTheRowsOfAFile)
{
  std::vector<Key> build;
  for (Key key = 0; key < 2'000; ++key) { build.insert(build.end(), key % 4 + 1, 7 * key); }
  std::vector<Key> probe;
  for (Key row = 0; row < 9'000; ++row) { probe.push_back(row * row % 20'000); }
  std::uint64_t matched = 0;
  std::uint64_t pairs = 0;
  for (Key const key : probe) {
    bool const there = key % 7 == 0 && key / 7 < 2'000;
    matched += there ? 1 : 0;
    pairs += there ? key / 7 % 4 + 1 : 0;
  }
  ASSERT_GT(matched, 500u);
  for (auto const& [kind, results] : {std::pair{JoinKind::inner, pairs},
                                      {JoinKind::left, pairs + 9'000 - matched},
                                      {JoinKind::semi, matched},
                                      {JoinKind::anti, 9'000 - matched}}) {
    JoinCase const wanted{.kind = kind,
                          .build_rows = build.size(),
                          .probe_rows = probe.size(),
                          .keys = file_of(build),
                          .probe = file_of(probe)};
    auto const run = make_join_bench(GetParam(), wanted)->run(1, {});
    ASSERT_TRUE(run);
    EXPECT_EQ(run->matched, matched);
    EXPECT_EQ(run->results, results);
  }
}

TEST_P(EveryJoinBackend, SaysWhyATableCannotServe)
{
  auto const wrong = [&](JoinCase const& subject) {
    try {
      make_join_bench(GetParam(), subject)->run(1, {});
    } catch (Error const& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  JoinCase wanted{.build_rows = 100, .probe_rows = 100};
  wanted.table = TableSettings{.family = "linear_probing", .slots = 256};
  EXPECT_EQ(wrong(wanted), "");
  wanted.rows_per_key = 2;
  EXPECT_THAT(wrong(wanted), HasSubstr("need a multi-value table"));
  wanted.rows_per_key = 1;
  wanted.keys = file_of({1, 2, 3, 2});
  wanted.build_rows = 4;
  EXPECT_THAT(wrong(wanted), HasSubstr("several rows share"));
  wanted.keys = {};
  wanted.probe = file_of({1, 2});
  EXPECT_THAT(wrong(wanted), HasSubstr("build side must, too"));
  wanted.probe = {};
  wanted.table->key_bits = 64;
  EXPECT_THAT(wrong(wanted), HasSubstr("another width"));
  wanted.table->key_bits = 32;
  wanted.table->keys_only = true;
  EXPECT_THAT(wrong(wanted), HasSubstr("semi and anti joins only"));
  wanted.table = TableSettings{.family = "linear_probing", .slots = 64};
  wanted.build_rows = 100;
  auto const full = make_join_bench(GetParam(), wanted)->run(1, {});
  ASSERT_TRUE(full);
  EXPECT_GT(full->failed, 0u);
  EXPECT_EQ(full->results, 0u);
}

class EveryRowRival : public ::testing::TestWithParam<Rival> {
protected:
  void SetUp() override
  {
    if (!GetParam().built_in) { GTEST_SKIP() << "built without " << GetParam().package; }
  }
};
INSTANTIATE_TEST_SUITE_P(Is, EveryRowRival, ::testing::ValuesIn(row_rivals().begin(), row_rivals().end()),
                         [](auto const& info) {
                           std::string name(info.param.name);
                           std::ranges::replace_if(
                               name, [](char letter) { return std::isalnum(letter) == 0; }, '_');
                           return name;
                         });

TEST_P(EveryRowRival, JoinsAndGroupsRight)
{
  for (int const bits : {32, 64}) {
    for (KeySkew const& skew : {KeySkew{}, KeySkew{.exponent = 1.2}}) {
      for (JoinKind const kind : {JoinKind::inner, JoinKind::left, JoinKind::semi, JoinKind::anti}) {
        JoinCase const wanted{.settings = {.key_bits = bits},
                              .rival = std::string(GetParam().name),
                              .kind = kind,
                              .build_rows = 20'000,
                              .probe_rows = 30'000,
                              .rows_per_key = 3,
                              .hit_share = 0.5,
                              .skew = skew};
        auto const bench = make_join_bench(Backend::cpu, wanted);
        for (std::uint64_t seed = 1; seed <= 2; ++seed) { EXPECT_TRUE(bench->run(seed, {})); }
        EXPECT_GT(bench->memory_bytes(), 20'000u * 4 + 6'666u * 12);
      }
      GroupCase const grouped{.settings = {.key_bits = bits},
                              .rival = std::string(GetParam().name),
                              .rows = 50'000,
                              .groups = 2'000,
                              .skew = skew};
      auto const bench = make_group_bench(Backend::cpu, grouped);
      for (std::uint64_t seed = 1; seed <= 2; ++seed) { EXPECT_TRUE(bench->run(seed, {})); }
      EXPECT_GT(bench->memory_bytes(), 1'000u * 16);
    }
  }
  EXPECT_THROW(make_join_bench(Backend::cuda,
                               {.rival = std::string(GetParam().name), .build_rows = 1, .probe_rows = 1}),
               Error);
}

/// Another join's results, of which one is spoilt.
class LyingJoin {
public:
  enum class Lie : std::uint8_t { none, lost, twice, other_row, other_probe_row, unmatched };
  using Honest = joins::HashJoin<exec::Cpu, Narrow>;

  LyingJoin(exec::Cpu& exec, Lie lie) : honest_(exec, {}), lie_(lie) {}
  void build(std::uint32_t const* keys, std::uint64_t count) { honest_.build(keys, count); }
  joins::JoinedView probe(JoinKind kind, std::uint32_t const* keys, std::uint64_t count)
  {
    joins::JoinedView const found = honest_.probe(kind, keys, count);
    build_rows_.assign(found.build_rows, found.build_rows + found.count);
    probe_rows_.assign(found.probe_rows, found.probe_rows + found.count);
    std::uint64_t results = found.count;
    switch (lie_) {
      case Lie::none: break;
      case Lie::lost: --results; break;
      case Lie::twice: build_rows_[0] = build_rows_[1]; break;  // both of one key
      case Lie::other_row: build_rows_[5] = (build_rows_[5] + 1) % 1'000; break;
      case Lie::other_probe_row: probe_rows_[5] = (probe_rows_[5] + 1) % 1'000; break;
      case Lie::unmatched: build_rows_[7] = joins::no_row; break;
    }
    return {build_rows_.data(), probe_rows_.data(), results};
  }
  std::uint64_t memory_bytes() const { return honest_.memory_bytes(); }
  std::uint64_t table_bytes() const { return honest_.table_bytes(); }

private:
  Honest honest_;
  Lie lie_;
  std::vector<std::uint32_t> build_rows_;
  std::vector<std::uint32_t> probe_rows_;
};

TEST(JoinBenchCheck, FindsOutWrongAnswers)
{
  using Lie = LyingJoin::Lie;
  for (Lie const lie : {Lie::none, Lie::lost, Lie::twice, Lie::other_row, Lie::other_probe_row, Lie::unmatched}) {
    for (JoinKind const kind : {JoinKind::inner, JoinKind::left}) {
      SCOPED_TRACE(static_cast<int>(lie));
      JoinCase const subject{.kind = kind, .build_rows = 1'000, .probe_rows = 1'000, .rows_per_key = 2};
      JoinBenchOf<exec::Cpu, Narrow, LyingJoin> bench(subject, [lie](exec::Cpu& exec, std::uint64_t) {
        return std::make_unique<LyingJoin>(exec, lie);
      });
      try {
        bench.run(1, {});
        EXPECT_EQ(lie, Lie::none) << "the lie was believed";
      } catch (Error const& error) {
        EXPECT_NE(lie, Lie::none) << error.what();
        EXPECT_THAT(error.what(), HasSubstr("gave wrong answers"));
      }
    }
  }
}

class LyingGroups {
public:
  enum class Lie : std::uint8_t { none, lost, count, sum, key };
  using Honest = joins::GroupBy<exec::Cpu, Narrow>;

  LyingGroups(exec::Cpu& exec, Lie lie) : honest_(exec, {}), lie_(lie) {}
  joins::GroupsView<std::uint32_t> group(std::uint32_t const* keys, std::uint64_t const* values, std::uint64_t count)
  {
    auto found = honest_.group(keys, values, count);
    keys_.assign(found.keys, found.keys + found.count);
    counts_.assign(found.counts, found.counts + found.count);
    sums_.assign(found.sums, found.sums + found.count);
    if (lie_ == Lie::lost) { --found.count; }
    if (lie_ == Lie::count) { ++counts_[3]; }
    if (lie_ == Lie::sum) { --sums_[4]; }
    if (lie_ == Lie::key) { std::swap(keys_[5], keys_[6]); }
    return {keys_.data(), counts_.data(), sums_.data(), found.count};
  }
  std::uint64_t memory_bytes() const { return honest_.memory_bytes(); }

private:
  Honest honest_;
  Lie lie_;
  std::vector<std::uint32_t> keys_;
  std::vector<std::uint32_t> counts_;
  std::vector<std::uint64_t> sums_;
};

TEST(GroupBenchCheck, FindsOutWrongAnswers)
{
  using Lie = LyingGroups::Lie;
  for (Lie const lie : {Lie::none, Lie::lost, Lie::count, Lie::sum, Lie::key}) {
    SCOPED_TRACE(static_cast<int>(lie));
    GroupBenchOf<exec::Cpu, Narrow, LyingGroups> bench({.rows = 5'000, .groups = 100},
                                                       [lie](exec::Cpu& exec, std::uint64_t) {
                                                         return std::make_unique<LyingGroups>(exec, lie);
                                                       });
    try {
      bench.run(1, {});
      EXPECT_EQ(lie, Lie::none) << "the lie was believed";
    } catch (Error const& error) {
      EXPECT_NE(lie, Lie::none) << error.what();
      EXPECT_THAT(error.what(), HasSubstr("gave wrong answers"));
    }
  }
}

/// Against the law itself: the share of the first ranks, and of all beyond them.
TEST(ZipfRanks, FollowTheLaw)
{
  constexpr std::uint64_t ranks = 1'000;
  constexpr std::uint64_t draws = 200'000;
  for (double const exponent : {0.3, 1.0, 1.2}) {
    std::vector<double> drawn(ranks);
    for (std::uint64_t i = 0; i < draws; ++i) { drawn.at(ZipfRanks{ranks, exponent}(1, i)) += 1.0 / draws; }
    double sum = 0.0;
    for (std::uint64_t rank = 1; rank <= ranks; ++rank) { sum += std::pow(static_cast<double>(rank), -exponent); }
    for (std::uint64_t const rank : {1, 2, 3, 10}) {
      double const expected = std::pow(static_cast<double>(rank), -exponent) / sum;
      EXPECT_NEAR(drawn[rank - 1], expected, 5.0 * std::sqrt(expected / draws)) << rank;
    }
  }
}

}  // namespace
}  // namespace slotscape::bench::join_bench_tests
