#include "gpu/base/error.hpp"
#include "tests/matching/matching_fixture.hpp"

#include <gmock/gmock.h>

namespace slotscape::matching {
namespace {

using ::testing::HasSubstr;

int largest(Picture const& picture)
{
  return *std::ranges::max_element(picture.pixels);
}

class MatchEngineTest : public test::MatchTest {
protected:
  void expect_error(MatchSettings const& settings, std::string const& words)
  {
    try {
      engine->match(settings, {});
      ADD_FAILURE() << "no error with '" << words << "'";
    } catch (Error const& error) {
      EXPECT_THAT(error.what(), HasSubstr(words));
    }
  }
};
SLOTSCAPE_MATCH_ON_EVERY_BACKEND(MatchEngineTest);

TEST_P(MatchEngineTest, APartIsFoundWhereItWasCut)
{
  Picture const whole = test::rectangles(1);
  set(whole, test::cut(whole, 20, 10, 160, 140));
  MatchSnapshot const& found = match();
  ASSERT_TRUE(found.found);
  Similarity const where = found.candidates[0].transformation;
  EXPECT_NEAR(where.rotation_degrees, 0.0, 0.2);
  EXPECT_NEAR(where.scale, 1.0, 0.003);
  EXPECT_NEAR(where.shift_x, 20.0, 0.5);
  EXPECT_NEAR(where.shift_y, 10.0, 0.5);
  EXPECT_GT(found.score(), 0.9);
  EXPECT_GT(found.score(), 1.5 * found.runner_up());
}

TEST_P(MatchEngineTest, AnglesAreCounterClockwiseOnTheScreen)
{
  Picture const reference = test::rectangles(2);
  set(test::quarter_turn(reference), reference);
  MatchSnapshot const& found = match();
  ASSERT_TRUE(found.found);
  Similarity const turn = found.candidates[0].transformation;
  EXPECT_NEAR(turn.rotation_degrees, 90.0, 0.2);
  EXPECT_NEAR(turn.scale, 1.0, 0.003);
  EXPECT_NEAR(turn.shift_x, 0.0, 0.5) << "its upper right corner becomes the upper left one";
  EXPECT_NEAR(turn.shift_y, 200.0, 0.5);
}

TEST_P(MatchEngineTest, CandidatesNameBasesWithTheirVotes)
{
  set(test::rectangles(1), test::cut(test::rectangles(1), 20, 10, 160, 140));
  match();
  ASSERT_FALSE(engine->snapshot().candidates.empty());
  std::size_t const columns = engine->bases(Side::reference).size();
  double before = 1.0;
  for (Candidate const& candidate : engine->snapshot().candidates) {
    ASSERT_LT(candidate.query_basis, engine->bases(Side::query).size());
    ASSERT_LT(candidate.reference_basis, columns);
    EXPECT_EQ(engine->votes().at(candidate.query_basis * columns + candidate.reference_basis), candidate.votes);
    EXPECT_LE(candidate.score, before);
    before = candidate.score;
  }
}

TEST_P(MatchEngineTest, FeaturesOfASquareLieOnItsSides)
{
  Picture square = test::flat(120, 100);
  test::fill(square, 30, 20, 90, 80, 20);
  set(square, square);
  match({.features = 200});
  std::vector<Feature> const& features = engine->features(Side::reference);
  EXPECT_GE(features.size(), 150u);
  int corners = 0;
  for (Feature const& p : features) {
    double const across = std::min(std::abs(p.x - 30.0), std::abs(p.x - 90.0));
    double const down = std::min(std::abs(p.y - 20.0), std::abs(p.y - 80.0));
    EXPECT_LT(std::min(across, down), 1.5) << p.x << ", " << p.y;
    EXPECT_TRUE(p.x > 28.0f && p.x < 92.0f && p.y > 18.0f && p.y < 82.0f);
    if (across < 5.0 && down < 5.0) { ++corners; }
  }
  EXPECT_GE(corners, 4);
  Picture const edges = engine->edges(Side::reference);
  EXPECT_EQ(largest(edges), 255);
  EXPECT_GT(edges.pixels[50 * 120 + 30], 200);
  EXPECT_EQ(edges.pixels[50 * 120 + 60], 0);
}

TEST_P(MatchEngineTest, WithoutEdgesNothingIsFound)
{
  Picture const full = test::rectangles(1);
  Picture const empty = test::flat(100, 90);
  Picture dot = empty;
  test::fill(dot, 50, 50, 51, 51, 0);
  for (auto const& [reference, query] :
       {std::pair{empty, empty}, {empty, full}, {full, empty}, {dot, full}, {full, dot}, {dot, dot}}) {
    set(reference, query);
    EXPECT_FALSE(match().found);
    EXPECT_EQ(engine->votes().size(), engine->bases(Side::reference).size() * engine->bases(Side::query).size());
  }
  set(empty, empty);
  MatchSnapshot const& nothing = match();
  EXPECT_EQ(nothing.items, 0u);
  EXPECT_TRUE(nothing.candidates.empty());
  EXPECT_TRUE(engine->features(Side::query).empty());
  EXPECT_EQ(largest(engine->edges(Side::query)), 0);
  EXPECT_TRUE(engine->bases_at(engine->key_of({1, 2})).empty());
}

TEST_P(MatchEngineTest, OtherPicturesAreRefused)
{
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    set(test::rectangles(seed), test::rectangles(seed + 100));
    MatchSnapshot const& other = match();
    EXPECT_FALSE(other.found) << seed << ": " << other.score() << ", " << other.runner_up();
  }
}

TEST_P(MatchEngineTest, TinyPicturesAreRefused)
{
  for (Picture const& tiny : {Picture{}, test::flat(15, 100), test::flat(100, 15)}) {
    try {
      engine->set_picture(Side::query, tiny);
      ADD_FAILURE();
    } catch (Error const& error) {
      EXPECT_THAT(error.what(), HasSubstr("at least 16 pixels a side"));
    }
  }
  engine->set_picture(Side::query, test::flat(16, 16));
  expect_error({}, "choose a reference and a query");
  engine->set_picture(Side::reference, test::rectangles(1, 16, 16));
  EXPECT_FALSE(match().found);
}

TEST_P(MatchEngineTest, InvalidSettingsNameTheSettingAndItsLimits)
{
  set(test::rectangles(1), test::rectangles(1));
  expect_error({.smoothing = 0.1}, "smoothing must be from 0.5 to 8");
  expect_error({.threshold = 0.0}, "threshold must be from 0.02 to 1");
  expect_error({.threshold = std::nan("")}, "threshold");
  expect_error({.features = 8}, "features must be from 16 to 4096, not 8");
  expect_error({.bases = 0}, "bases must be from 1 to 8192");
  expect_error({.query_bases = 513}, "query_bases must be from 1 to 512");
  expect_error({.shortest_basis = 0.0}, "shortest_basis must be from 0.01 to 2");
  expect_error({.shortest_basis = 0.5, .longest_basis = 0.4}, "shortest_basis must be less than longest_basis");
  expect_error({.quantum = 0.001}, "quantum must be from 0.005 to 0.5");
  expect_error({.attempts = 17}, "attempts must be from 1 to 16");
}

TEST_P(MatchEngineTest, ExtremeSettingsWork)
{
  set(test::rectangles(1), test::cut(test::rectangles(1), 20, 10, 160, 140));
  EXPECT_EQ(match({.bases = 1, .query_bases = 1}).bases, (std::array<std::uint64_t, 2>{1, 1}));
  EXPECT_EQ(match({.features = 16}).features, (std::array<std::uint64_t, 2>{16, 16}));
  EXPECT_TRUE(match({.features = 4096, .query_bases = 512}).found);
  match({.shortest_basis = 1.9, .longest_basis = 2.0});
  match({.shortest_basis = 0.01, .longest_basis = 0.02});
  match({.quantum = 0.005});
  match({.threshold = 1.0});
  match({.smoothing = 8.0});
  EXPECT_TRUE(match({}).found);
}

TEST_P(MatchEngineTest, ItCanBeEndedAtAnyTime)
{
  set(test::rectangles(1), test::cut(test::rectangles(1), 20, 10, 160, 140));
  match();
  std::vector<std::uint32_t> const votes = engine->votes();
  Similarity const found = engine->snapshot().candidates.at(0).transformation;
  int calls = 0;
  double last = 0.0;
  auto const start_again = [&] {
    engine = make_match_engine(GetParam());
    set(test::rectangles(1), test::cut(test::rectangles(1), 20, 10, 160, 140));
  };
  start_again();
  Progress const progress([&](Progress const& now) {
    EXPECT_TRUE(now.share() >= last && now.share() <= 1.0);
    last = now.share();
    ++calls;
    return true;
  });
  engine->match({}, progress);
  EXPECT_GT(last, 0.5);
  EXPECT_GE(calls, 10);
  for (int end = 0; end < calls; end += end < 10 ? 1 : 4) {
    start_again();
    int left = end;
    bool const whole = engine->match({}, Progress([&](Progress const&) { return left-- > 0; }));
    bool const asked_to_end = left < 0;
    EXPECT_EQ(whole, !asked_to_end) << end;
    EXPECT_TRUE(asked_to_end || end >= 10);  // while it waits it asks, and another time it need not wait as long
    if (!asked_to_end) { continue; }
    EXPECT_TRUE(engine->snapshot().candidates.empty());
    EXPECT_TRUE(engine->votes().empty());
    EXPECT_TRUE(engine->features(Side::query).empty());
    EXPECT_TRUE(engine->match({}, {}));
    EXPECT_EQ(engine->votes(), votes);
    EXPECT_EQ(engine->snapshot().candidates.at(0).transformation, found);
  }
}

TEST_P(MatchEngineTest, APictureCanBeReplacedByOneOfAnotherSize)
{
  set(test::rectangles(1), test::rectangles(2));
  EXPECT_FALSE(match().found);
  Picture const larger = test::rectangles(3, 300, 240, 40);
  set(larger, test::cut(larger, 60, 30, 200, 170));
  EXPECT_TRUE(match().found);
  set(test::rectangles(1), test::cut(test::rectangles(1), 20, 10, 160, 140));
  EXPECT_TRUE(match().found);
  EXPECT_NEAR(engine->snapshot().candidates[0].transformation.shift_x, 20.0, 0.5);
}

}  // namespace
}  // namespace slotscape::matching
