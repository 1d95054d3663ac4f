#include "gpu/base/error.hpp"
#include "gpu/engine/engine.hpp"
#include "gpu/execution/cpu.hpp"
#include "gpu/neighbours/search.hpp"
#include "tests/neighbours/brute_force.hpp"

#include <gmock/gmock.h>

#include <array>
#include <limits>
#include <set>

namespace slotscape::neighbours {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::Throws;
using ::testing::ThrowsMessage;

std::vector<NeighbourSettings> ways(float radius)
{
  std::vector<NeighbourSettings> ways;
  for (int divisor = 1; divisor <= max_divisor; ++divisor) {
    ways.push_back({.radius = radius, .divisor = divisor});
    ways.push_back({.radius = radius, .divisor = divisor, .method = Method::table});
  }
  return ways;
}

std::string text_of(NeighbourSettings const& settings)
{
  return (settings.method == Method::table ? "table of " + settings.family : "sorted") + ", " +
         std::to_string(settings.divisor) + " cells a radius";
}

class NeighbourSearchTest : public test::NeighboursTest {
protected:
  void expect_right(std::vector<Point> const& points, NeighbourSettings const& settings, std::uint32_t k)
  {
    expect_found(test::all_pairs(points, points, settings.radius, k, true), settings, k);
  }
  void expect_found(std::vector<std::vector<Neighbour>> const& expected, NeighbourSettings const& settings,
                    std::uint32_t k)
  {
    SCOPED_TRACE(text_of(settings) + ", k = " + std::to_string(k));
    engine->build(settings);
    Neighbours const found = engine->search(k, true);
    EXPECT_TRUE(test::lists_of(found) == expected);
    EXPECT_EQ(found.neighbours, found.indices.size());
    EXPECT_EQ(found.indices.size(), found.squared.size());
    Neighbours const counted = engine->search(k, false);
    EXPECT_EQ(counted.offsets, found.offsets);
    EXPECT_EQ(counted.neighbours, found.neighbours);
    EXPECT_THAT(counted.indices, IsEmpty());
  }
};
SLOTSCAPE_NEIGHBOURS_ON_EVERY_BACKEND(NeighbourSearchTest);

TEST_P(NeighbourSearchTest, FindsWhatComparingAllPairsFinds)
{
  for (auto const& [name, points, radius] : test::shapes()) {
    SCOPED_TRACE(name);
    engine->set_points(points);
    auto const expected = test::all_pairs(points, points, radius, 0, true);
    for (NeighbourSettings const& way : ways(radius)) { expect_found(expected, way, 0); }
  }
}

TEST_P(NeighbourSearchTest, KeepsTheNearest)
{
  for (auto const& [name, points, radius] : test::shapes()) {
    SCOPED_TRACE(name);
    engine->set_points(points);
    for (std::uint32_t const k : {1u, 2u, 7u, 40u, 4000u}) {
      auto const expected = test::all_pairs(points, points, radius, k, true);
      expect_found(expected, {.radius = radius}, k);
      expect_found(expected, {.radius = radius, .divisor = 2, .method = Method::table}, k);
    }
  }
}

TEST_P(NeighbourSearchTest, AnswersQueriesThatAreNoPoints)
{
  for (auto const& [name, points, radius] : test::shapes()) {
    SCOPED_TRACE(name);
    std::vector<Point> queries = points;
    for (Point& query : queries) { query.x += 0.4f * radius; }
    for (Point const& far : {Point{3e38f, 0, 0}, Point{0, -3e38f, 0}, Point{-1e20f, 1e20f, 1e-20f}, Point{}}) {
      queries.push_back(far);
    }
    engine->set_points(points);
    for (NeighbourSettings const& way : ways(radius)) {
      SCOPED_TRACE(text_of(way));
      engine->build(way);
      for (std::uint32_t const k : {0u, 3u}) {
        EXPECT_EQ(test::lists_of(engine->search(queries, k, true)), test::all_pairs(queries, points, radius, k, false));
      }
      EXPECT_THAT(engine->search({}, 0, true).offsets, SizeIs(1));
    }
  }
}

TEST_P(NeighbourSearchTest, TakesTheFirstOfEquallyNearOnes)
{
  std::vector<Point> const points = test::lattice(5, 1.0f, {});
  engine->set_points(points);
  engine->build({.radius = 1.0f});
  std::vector<Neighbour> const six = test::lists_of(engine->search(std::vector<Point>{{2, 2, 2}}, 0, true)).at(0);
  ASSERT_THAT(six, SizeIs(7)) << "the place itself, and one to each side";
  for (std::size_t i = 2; i < six.size(); ++i) { EXPECT_LT(six[i - 1].number, six[i].number); }
  std::vector<Neighbour> const three = test::lists_of(engine->search(std::vector<Point>{{2, 2, 2}}, 3, true)).at(0);
  EXPECT_EQ(three, std::vector<Neighbour>(six.begin(), six.begin() + 3));
}

TEST_P(NeighbourSearchTest, ReadsAsManyCellsWithAnyMethod)
{
  std::vector<Point> const points = test::random_points(2000, {0, 0, 0}, {1, 1, 1}, 21);
  engine->set_points(points);
  for (int divisor = 1; divisor <= max_divisor; ++divisor) {
    SCOPED_TRACE(divisor);
    engine->build({.radius = 0.1f, .divisor = divisor});
    Neighbours const sorted = engine->search(0, false);
    engine->build({.radius = 0.1f, .divisor = divisor, .method = Method::table});
    Neighbours const in_table = engine->search(0, false);
    EXPECT_EQ(sorted.cells_read, in_table.cells_read);
    EXPECT_EQ(sorted.candidates, in_table.candidates);
    EXPECT_GE(sorted.candidates, sorted.neighbours + points.size()) << "each reads itself";
    auto const side = static_cast<std::uint64_t>(divisor) * 2 + 1;
    EXPECT_LE(sorted.cells_read, points.size() * side * side * side);
  }
}

TEST_P(NeighbourSearchTest, SmallerCellsHoldFewerCandidates)
{
  engine->set_points(test::random_points(20000, {0, 0, 0}, {1, 1, 1}, 22));
  std::vector<std::uint64_t> candidates;
  for (int divisor = 1; divisor <= max_divisor; ++divisor) {
    engine->build({.radius = 0.1f, .divisor = divisor});
    candidates.push_back(engine->search(0, false).candidates);
  }
  EXPECT_TRUE(std::ranges::is_sorted(candidates, std::greater<>()));
}

TEST_P(NeighbourSearchTest, TellsOfOneQueryWhatASearchFinds)
{
  for (auto const& [name, points, radius] : test::shapes()) {
    SCOPED_TRACE(name);
    engine->set_points(points);
    for (NeighbourSettings const& way : ways(radius)) {
      SCOPED_TRACE(text_of(way));
      engine->build(way);
      Neighbours const all = engine->search(5, true);
      auto const lists = test::lists_of(all);
      std::uint64_t cells_read = 0;
      std::uint64_t candidates = 0;
      for (std::uint32_t i = 0; i<points.size(); i += points.size()> 100 ? 97 : 1) {
        Visit const visit = engine->visit(points[i], 5, i);
        EXPECT_EQ(visit.neighbours, lists[i]);
        std::set<std::uint32_t> const tested(visit.candidates.begin(), visit.candidates.end());
        EXPECT_EQ(tested.size(), visit.candidates.size()) << "each once";
        EXPECT_TRUE(tested.contains(i));
        std::uint64_t in_cells = 0;
        for (Visit::Cell const& cell : visit.cells) {
          EXPECT_EQ(engine->grid().key_of(cell.place), cell.key);
          in_cells += cell.points;
        }
        EXPECT_EQ(in_cells, visit.candidates.size());
        cells_read += visit.cells.size();
        candidates += visit.candidates.size();
      }
      if (points.size() <= 100) {
        EXPECT_EQ(cells_read, all.cells_read);
        EXPECT_EQ(candidates, all.candidates);
      }
    }
  }
}

TEST_P(NeighbourSearchTest, TheTableHoldsEachCellWithPoints)
{
  engine->set_points(test::random_points(3000, {0, 0, 0}, {1, 1, 1}, 23));
  CellsSnapshot const built = engine->build({.radius = 0.1f, .method = Method::table});
  ASSERT_NE(engine->table(), nullptr);
  EXPECT_EQ(engine->table()->counts().live, built.listed_cells);
  EXPECT_THAT(engine->table()->check_invariants(), IsEmpty());
  Visit const visit = engine->visit({0.5f, 0.5f, 0.5f}, 0);
  ASSERT_FALSE(visit.cells.empty());
  for (Visit::Cell const& cell : visit.cells) {
    EXPECT_EQ(engine->table()->probe_path(cell.key).value.has_value(), cell.points != 0);
  }
  engine->build({.radius = 0.1f});
  EXPECT_EQ(engine->table(), nullptr);
}

TEST_P(NeighbourSearchTest, AnyFamilyHoldsTheCells)
{
  std::vector<Point> const points = test::random_points(400, {0, 0, 0}, {1, 1, 1}, 24);
  engine->set_points(points);
  for (std::string const& family : family_names()) {
    SCOPED_TRACE(family);
    expect_right(points, {.radius = 0.15f, .method = Method::table, .family = family, .load_factor = 0.25}, 0);
  }
}

TEST_P(NeighbourSearchTest, ManyCellsHaveWideKeys)
{
  std::vector<Point> points = test::random_points(200, {0, 0, 0}, {1, 1, 1}, 25);
  for (Point const& point : test::random_points(200, {9999, 9999, 9999}, {1e4f, 1e4f, 1e4f}, 26)) {
    points.push_back(point);
  }
  engine->set_points(points);
  NeighbourSettings settings{.radius = 0.2f, .method = Method::table};
  EXPECT_EQ(engine->build(settings).key_bits, 64);
  expect_right(points, settings, 0);
  settings.family = "two_level_cuckoo";
  EXPECT_THAT([&] { engine->build(settings); },
              ThrowsMessage<Error>(HasSubstr("take 64 bits, which two_level_cuckoo does not store")));
  settings.radius = 20.0f;
  EXPECT_EQ(engine->build(settings).key_bits, 32);
}

TEST_P(NeighbourSearchTest, TheLargestGridIsExact)
{
  std::vector<Point> points = test::random_points(150, {0, 0, 0}, {2, 2, 2}, 27);
  for (Point const& point : test::random_points(150, {1.3e8f, 0, 0}, {1.3e8f + 64, 2, 2}, 28)) {
    points.push_back(point);
  }
  engine->set_points(points);
  for (NeighbourSettings const& way : ways(4.0f)) { expect_right(points, way, 0); }
  EXPECT_THAT([&] { engine->build({.radius = 0.9f}); }, ThrowsMessage<Error>(HasSubstr("choose a larger radius")));
  EXPECT_THAT([&] { engine->search(0, true); }, Throws<std::logic_error>()) << "nothing is left of other cells";
}

TEST_P(NeighbourSearchTest, CellsInAllAreLimitedToo)
{
  engine->set_points(std::vector<Point>{{0, 0, 0}, {3e6f, 3e6f, 3e6f}});
  EXPECT_THAT([&] { engine->build({.radius = 1.0f}); }, ThrowsMessage<Error>(HasSubstr("2^62 in all")));
  EXPECT_NO_THROW(engine->build({.radius = 2.0f}));
  EXPECT_EQ(engine->search(0, true).neighbours, 0u);
}

TEST_P(NeighbourSearchTest, RefusesWhatHasNoPlace)
{
  constexpr float none = std::numeric_limits<float>::quiet_NaN();
  constexpr float infinite = std::numeric_limits<float>::infinity();
  for (float const bad : {none, infinite, -infinite}) {
    std::vector<Point> points = test::random_points(6000, {0, 0, 0}, {1, 1, 1}, 29);
    points[4100].y = bad;
    points[5000].z = bad;
    engine->set_points(points);
    EXPECT_THAT([&] { engine->build({.radius = 0.1f}); },
                ThrowsMessage<Error>(HasSubstr("Point 4100 has a coordinate")));
    points[4100].y = points[5000].z = 0.5f;
    engine->set_points(points);
    engine->build({.radius = 0.1f});
    std::vector<Point> const queries{{0, 0, 0}, {bad, 0, 0}};
    EXPECT_THAT([&] { engine->search(queries, 0, true); }, ThrowsMessage<Error>(HasSubstr("Query 1 has a coordinate")));
    EXPECT_THAT([&] { engine->visit(queries[1], 0); }, ThrowsMessage<Error>(HasSubstr("not a number")));
  }
}

TEST_P(NeighbourSearchTest, RefusesSettingsThatCannotBe)
{
  engine->set_points(std::vector<Point>{{0, 0, 0}});
  for (float const radius : {0.0f, -1.0f, std::numeric_limits<float>::quiet_NaN(), 1e-20f, 1e20f}) {
    EXPECT_THAT([&] { engine->build({.radius = radius}); }, ThrowsMessage<Error>(HasSubstr("The radius must be")));
  }
  EXPECT_THAT([&] { engine->build({.divisor = 0}); }, ThrowsMessage<Error>(HasSubstr("spans 1 to 4 cells")));
  EXPECT_THAT([&] { engine->build({.divisor = 5}); }, ThrowsMessage<Error>(HasSubstr("spans 1 to 4 cells")));
  EXPECT_THAT([&] { engine->build({.method = Method::table, .load_factor = 0.0}); },
              ThrowsMessage<Error>(HasSubstr("load factor")));
}

TEST(NeighbourSearch, RefusesAnswersThatAreTooLarge)
{
  exec::Cpu exec;
  std::vector<Point> const points(1000, Point{1, 1, 1});
  Cells<exec::Cpu> cells(exec);
  cells.build(points.data(), points.size(), 1.0f, 1, Listing::fitting);
  auto const search = [&](SearchRequest const& request) {
    passes::SortedSource const source{cells.view()};
    return NeighbourSearch<exec::Cpu>(exec).run(cells.view().placed, points.size(), 1.0f, request, 100,
                                                [&](auto, auto) { return source; }, {});
  };
  EXPECT_THAT([&] { search({.excludes_self = true, .most = 998'999}); },
              ThrowsMessage<Error>(HasSubstr("Choose a smaller radius")));
  EXPECT_EQ(search({.excludes_self = true, .most = 999'000}).totals.neighbours, 999'000u);
  EXPECT_EQ(search({.k = 2, .excludes_self = true, .most = 2'000}).totals.neighbours, 2'000u);
  EXPECT_EQ(search({.excludes_self = true, .lists = false, .most = 0}).totals.neighbours, 999'000u);
}

TEST_P(NeighbourSearchTest, EndsWhereItIsCancelled)
{
  engine->set_points(test::random_points(200000, {0, 0, 0}, {1, 1, 1}, 30));
  engine->build({.radius = 0.02f});
  int asked = 0;
  Progress const progress([&](Progress const&) { return ++asked < 2; });
  EXPECT_THROW(engine->search(0, true, progress), Cancelled);
  EXPECT_EQ(engine->search(1, true).offsets.size(), 200001u) << "and goes on as before";
}

TEST(NeighbourBackends, BothFindTheSameOnCuda)
{
  if (!why_no_cuda().empty()) { GTEST_SKIP() << why_no_cuda(); }
  std::array const engines{make_neighbour_engine(Backend::cpu), make_neighbour_engine(Backend::cuda)};
  std::vector<Point> const points = test::random_points(200000, {-3, 2, 1e3f}, {7, 9, 1.004e3f}, 31);
  for (NeighbourSettings const& way : ways(0.11f)) {
    SCOPED_TRACE(text_of(way));
    std::array<Neighbours, 2> found;
    for (std::size_t i = 0; i < engines.size(); ++i) {
      engines[i]->set_points(points);
      engines[i]->build(way);
      found[i] = engines[i]->search(0, true);
    }
    EXPECT_EQ(found[0].offsets, found[1].offsets);
    EXPECT_EQ(found[0].indices, found[1].indices);
    EXPECT_EQ(found[0].squared, found[1].squared) << "bit by bit";
    EXPECT_EQ(found[0].cells_read, found[1].cells_read);
    EXPECT_EQ(found[0].candidates, found[1].candidates);
  }
}

}  // namespace
}  // namespace slotscape::neighbours
