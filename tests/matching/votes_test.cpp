#include "tests/matching/matching_fixture.hpp"

#include <gmock/gmock.h>

#include <numeric>
#include <set>

namespace slotscape::matching {
namespace {

class VotesTest : public test::MatchTest {
protected:
  void SetUp() override
  {
    MatchTest::SetUp();
    if (!IsSkipped()) { set(test::rectangles(1), test::cut(test::rectangles(1), 20, 10, 160, 140)); }
  }
};
SLOTSCAPE_MATCH_ON_EVERY_BACKEND(VotesTest);

MatchSettings small(Method method)
{
  return {.method = method, .features = 120, .bases = 200, .query_bases = 40, .attempts = 1};
}

TEST_P(VotesTest, TableAndVotesAreThoseOfTheDefinition)
{
  for (Method const method : {Method::hashing, Method::sorting}) {
    for (double const quantum : {0.02, 0.1, 0.5}) {
      MatchSettings settings = small(method);
      settings.quantum = quantum;
      MatchSnapshot const snapshot = match(settings);
      test::BruteForce const truth(*engine, quantum);
      EXPECT_EQ(engine->votes(), truth.votes);
      EXPECT_EQ(snapshot.votes, std::accumulate(truth.votes.begin(), truth.votes.end(), std::uint64_t{0}));
      EXPECT_EQ(snapshot.items, truth.cells.size());
      std::set<Key> keys;
      std::uint64_t most = 0;
      std::vector<std::uint32_t> multiplicity(snapshot.max_values + 1);
      for (auto const& [key, basis] : truth.cells) { keys.insert(key); }
      for (Key const key : keys) {
        std::vector<std::uint32_t> expected;
        auto const [first, last] = truth.cells.equal_range(key);
        for (auto at = first; at != last; ++at) { expected.push_back(at->second); }
        most = std::max<std::uint64_t>(most, expected.size());
        ASSERT_LT(expected.size(), multiplicity.size());
        ++multiplicity[expected.size()];
        if (key % 7 == 0) {
          EXPECT_THAT(engine->bases_at(key), ::testing::UnorderedElementsAreArray(expected));
          EXPECT_EQ(engine->run_at(key).count, expected.size());
        }
      }
      EXPECT_EQ(snapshot.keys, keys.size());
      EXPECT_EQ(snapshot.max_values, most);
      EXPECT_EQ(engine->multiplicity().histogram, multiplicity);
      EXPECT_EQ(snapshot.slots == 0, method == Method::sorting);
      EXPECT_EQ(engine->table().counts().live, keys.size());
    }
  }
}

TEST_P(VotesTest, ManyItemsToo)
{
  for (Method const method : {Method::hashing, Method::sorting}) {
    MatchSettings settings{.method = method, .features = 400, .bases = 1000, .query_bases = 16, .attempts = 1};
    EXPECT_GT(match(settings).items, std::uint64_t{1} << 18) << "enough to be built on another thread";
    EXPECT_EQ(engine->votes(), test::BruteForce(*engine, settings.quantum).votes);
  }
}

TEST_P(VotesTest, BasesAreDistinctPairsWithinTheirLimits)
{
  MatchSettings settings = small(Method::hashing);
  settings.shortest_basis = 0.2;
  settings.longest_basis = 0.6;
  match(settings);
  for (auto const& [side, shorter] : {std::pair{Side::reference, 160.0}, std::pair{Side::query, 140.0}}) {
    std::vector<Feature> const& points = engine->features(side);
    std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
    EXPECT_FALSE(engine->bases(side).empty());
    for (Basis const& basis : engine->bases(side)) {
      Feature const a = points.at(basis.first);
      Feature const b = points.at(basis.second);
      double const length = std::hypot(a.x - b.x, a.y - b.y);
      EXPECT_GE(length, 0.2 * shorter - 1e-3);
      EXPECT_LE(length, 0.6 * shorter + 1e-3);
      EXPECT_TRUE(seen.insert(std::minmax(basis.first, basis.second)).second) << "each pair once";
    }
  }
}

TEST_P(VotesTest, HashingAndSortingGiveTheSameVotes)
{
  match(small(Method::hashing));
  std::vector<std::uint32_t> const hashed = engine->votes();
  std::vector<Candidate> const candidates = engine->snapshot().candidates;
  match(small(Method::sorting));
  EXPECT_EQ(engine->votes(), hashed);
  ASSERT_EQ(engine->snapshot().candidates.size(), candidates.size());
  EXPECT_EQ(engine->snapshot().score(), candidates.at(0).score);
}

TEST_P(VotesTest, ASeedGivesTheSameVotesAgainAndAnotherOneOthers)
{
  MatchSettings settings = small(Method::hashing);
  match(settings);
  std::vector<std::uint32_t> const votes = engine->votes();
  settings.seed = 2;
  match(settings);
  EXPECT_NE(engine->votes(), votes);
  settings.seed = 1;
  match(settings);
  EXPECT_EQ(engine->votes(), votes);
}

TEST_P(VotesTest, WhatIsReusedGivesTheSameResults)
{
  MatchSettings const settings = small(Method::hashing);
  match(settings);
  EXPECT_FALSE(engine->snapshot().reused_table);
  engine->set_picture(Side::query, test::cut(test::rectangles(1), 0, 0, 150, 130));
  match(settings);
  EXPECT_TRUE(engine->snapshot().reused_table);
  EXPECT_EQ(engine->snapshot().stage_seconds[static_cast<std::size_t>(MatchStage::table)], 0.0);
  std::vector<std::uint32_t> const votes = engine->votes();
  std::vector<Feature> const features = engine->features(Side::query);
  Similarity const found = engine->snapshot().candidates.at(0).transformation;

  auto const fresh = make_match_engine(GetParam());
  fresh->set_picture(Side::reference, test::rectangles(1));
  fresh->set_picture(Side::query, test::cut(test::rectangles(1), 0, 0, 150, 130));
  fresh->match(settings, {});
  EXPECT_FALSE(fresh->snapshot().reused_table);
  EXPECT_EQ(fresh->votes(), votes);
  EXPECT_EQ(fresh->features(Side::query), features);
  EXPECT_EQ(fresh->snapshot().candidates.at(0).transformation, found);
}

TEST_P(VotesTest, WhatChangesTheTableMakesItAnew)
{
  MatchSettings settings = small(Method::hashing);
  match(settings);
  settings.query_bases = 30;
  EXPECT_TRUE(match(settings).reused_table);
  settings.quantum = 0.07;
  EXPECT_FALSE(match(settings).reused_table);
  settings.threshold = 0.1;
  EXPECT_FALSE(match(settings).reused_table);
  settings.bases = 100;
  EXPECT_FALSE(match(settings).reused_table);
  EXPECT_TRUE(match(settings).reused_table);
  engine->set_picture(Side::reference, test::rectangles(2));
  EXPECT_FALSE(match(settings).reused_table);
  EXPECT_EQ(engine->votes(), test::BruteForce(*engine, settings.quantum).votes);
}

TEST_P(VotesTest, KeysAndCellsLeadToEachOther)
{
  for (Bin const& bin : {Bin{0, 0}, Bin{-1, 1}, Bin{31999, -31999}, Bin{-20000, 12345}}) {
    EXPECT_EQ(engine->bin_of(engine->key_of(bin)), bin);
  }
}

/// Integers decide on votes, and both devices calculate with the same floating-point operations.
TEST(VotesOnCuda, AreThoseOfTheCpu)
{
  if (!why_no_cuda().empty()) { GTEST_SKIP() << why_no_cuda(); }
  auto const cpu = make_match_engine(Backend::cpu);
  auto const cuda = make_match_engine(Backend::cuda);
  for (MatchEngine* engine : {cpu.get(), cuda.get()}) {
    engine->set_picture(Side::reference, test::rectangles(3));
    engine->set_picture(Side::query, test::quarter_turn(test::rectangles(3)));
    engine->match({}, {});
  }
  EXPECT_EQ(cuda->features(Side::reference), cpu->features(Side::reference));
  EXPECT_EQ(cuda->features(Side::query), cpu->features(Side::query));
  EXPECT_EQ(cuda->bases(Side::query), cpu->bases(Side::query));
  EXPECT_EQ(cuda->votes(), cpu->votes());
  EXPECT_EQ(cuda->edges(Side::query), cpu->edges(Side::query));
  ASSERT_TRUE(cpu->snapshot().found && cuda->snapshot().found);
  EXPECT_EQ(cuda->snapshot().candidates[0].query_basis, cpu->snapshot().candidates[0].query_basis);
  EXPECT_NEAR(cuda->snapshot().score(), cpu->snapshot().score(), 1e-3);
}

}  // namespace
}  // namespace slotscape::matching
