#include "gpu/base/error.hpp"
#include "tests/sparse/brute_force.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace slotscape::sparse {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Gt;
using ::testing::HasSubstr;
using ::testing::Le;
using ::testing::Lt;

class KernelMapTest : public test::SparseTest {
protected:
  /// Compares all that an update finds with the definition of the convolution.
  void expect_right(std::vector<Site> const& sites, Extents const& extents, SparseSettings const& settings)
  {
    SCOPED_TRACE("kernel " + std::to_string(settings.kernel) + ", stride " + std::to_string(settings.stride) +
                 ", dilation " + std::to_string(settings.dilation) + ", mode " +
                 std::to_string(static_cast<int>(settings.mode)) + ", order " +
                 std::to_string(static_cast<int>(settings.order)) + ", search " +
                 std::to_string(static_cast<int>(settings.search)) + ", " + settings.family);
    engine->set_sites(sites, extents);
    SparseSnapshot const snapshot = engine->update(settings).value();
    test::BruteForce const truth(sites, extents, settings);
    EXPECT_EQ(test::pairs_of(*engine), truth.pairs);
    test::SiteSet const outputs(engine->outputs().begin(), engine->outputs().end());
    EXPECT_EQ(outputs, truth.outputs);
    EXPECT_EQ(engine->outputs().size(), outputs.size()) << "each once";
    EXPECT_EQ(snapshot.sites, engine->inputs().size());
    EXPECT_EQ(snapshot.outputs, outputs.size());
    ASSERT_EQ(snapshot.pairs_per_offset.size(), truth.pairs.size());
    std::uint64_t pairs = 0;
    for (std::size_t i = 0; i < truth.pairs.size(); ++i) {
      EXPECT_EQ(snapshot.pairs_per_offset[i], truth.pairs[i].size());
      pairs += truth.pairs[i].size();
    }
    EXPECT_EQ(snapshot.pairs, pairs);
    EXPECT_EQ(snapshot.map_bytes, 4 * outputs.size() * truth.pairs.size());
    EXPECT_THAT(engine->table().check_invariants(), ::testing::IsEmpty());
  }
};
SLOTSCAPE_SPARSE_ON_EVERY_BACKEND(KernelMapTest);

constexpr Extents flat{2, 13, 9, 1, {}, true};
constexpr Extents deep{2, 7, 6, 9};

TEST_P(KernelMapTest, SubmanifoldConvolutionsAreThoseOfTheDefinition)
{
  for (int const kernel : {1, 2, 3, 5}) {
    for (int const dilation : {1, 2}) {
      expect_right(test::random_sites(flat, 0.3, 1), flat, {.kernel = kernel, .dilation = dilation});
      expect_right(test::random_sites(deep, 0.3, 2), deep, {.kernel = kernel, .dilation = dilation});
    }
  }
}

TEST_P(KernelMapTest, SparseConvolutionsAreThoseOfTheDefinition)
{
  for (int const kernel : {2, 3, 5}) {
    for (int const stride : {1, 2, 3}) {
      for (int const dilation : {1, 2}) {
        SparseSettings const settings{.kernel = kernel, .stride = stride, .dilation = dilation, .mode = Mode::sparse};
        expect_right(test::random_sites(flat, 0.1, 3), flat, settings);
        expect_right(test::random_sites(deep, 0.1, 4), deep, settings);
      }
    }
  }
}

constexpr Site far_below{-3, -1'000'003, -11, -17};

/// The same box from another site on.
Extents from(Extents extents, Site const& low)
{
  extents.low = low;
  return extents;
}

TEST_P(KernelMapTest, SitesBelowZeroAreThoseOfTheDefinition)
{
  unsigned seed = 20;
  for (Site const& low : {Site{0, -7, -7, -7}, Site{-1, -4, -3, -8}, Site{0, 5, 11, 3}}) {
    for (Mode const mode : {Mode::submanifold, Mode::sparse, Mode::transposed}) {
      for (int const kernel : {1, 2, 3, 4}) {
        for (int const stride : {1, 2, 3}) {
          if (mode == Mode::submanifold && stride > 1) { continue; }
          SparseSettings const settings{.kernel = kernel, .stride = stride, .dilation = 1 + kernel % 2, .mode = mode};
          Extents const box = from(deep, low);
          expect_right(test::random_sites(box, 0.2, ++seed), box, settings);
        }
      }
    }
  }
  Extents const level = from(flat, {-1, -6, -4, 0});
  for (int const stride : {1, 2, 4}) {
    SparseSettings const settings{.kernel = 3, .stride = stride, .mode = Mode::sparse};
    expect_right(test::random_sites(level, 0.1, ++seed), level, settings);
  }
}

/// Kernel and stride 2: each site is read by one output, the one that it is halved to.
TEST_P(KernelMapTest, PoolingHalvesSitesDownwards)
{
  Extents const box{1, 15, 15, 15, {0, -7, -7, -7}};
  std::vector<Site> const sites = test::random_sites(box, 0.02, 40);
  test::SiteSet halves;
  auto const half = [](int number) { return static_cast<int>(std::floor(number / 2.0)); };
  for (Site const& site : sites) { halves.insert({0, half(site.x), half(site.y), half(site.z)}); }
  engine->set_sites(sites, box);
  engine->update({.kernel = 2, .stride = 2, .mode = Mode::sparse});
  EXPECT_EQ(test::SiteSet(engine->outputs().begin(), engine->outputs().end()), halves);
  EXPECT_EQ(engine->outputs().size(), halves.size());
}

TEST_P(KernelMapTest, WhereTheOriginIsChangesNothing)
{
  std::vector<Site> const sites = test::random_sites(deep, 0.2, 41);
  for (Order const order : {Order::given, Order::row_major, Order::morton}) {
    for (Mode const mode : {Mode::submanifold, Mode::sparse, Mode::transposed}) {
      int const stride = mode == Mode::submanifold ? 1 : 2;
      SparseSettings const settings{.kernel = 3, .stride = stride, .mode = mode, .order = order};
      engine->set_sites(sites, deep);
      SparseSnapshot const here = engine->update(settings).value();
      auto const pairs = engine->pairs(4);
      std::uint64_t const probes = engine->table().statistics().probe_length.max;
      std::vector<Site> moved = sites;
      Site const by{-3, -1'000'004, 8, -18};  // whole strides
      for (Site& site : moved) { site = {site.batch + by.batch, site.x + by.x, site.y + by.y, site.z + by.z}; }
      engine->set_sites(moved, from(deep, by));
      SparseSnapshot const there = engine->update(settings).value();
      EXPECT_EQ(there.pairs_per_offset, here.pairs_per_offset);
      EXPECT_EQ(there.outputs, here.outputs);
      EXPECT_EQ(engine->pairs(4), pairs) << "rows, too";
      EXPECT_EQ(engine->table().statistics().probe_length.max, probes);
    }
  }
  Extents const narrow_box = from(deep, far_below);
  expect_right(test::random_sites(narrow_box, 0.2, 42), narrow_box, {.search = Search::symmetric});
  expect_right(test::random_sites(narrow_box, 0.2, 43), narrow_box, {.search = Search::shared});
}

TEST_P(KernelMapTest, LayersOfStridesHalveAgainAndAgain)
{
  Extents const box{1, 40, 40, 40, {0, -23, -20, -17}};
  std::vector<Site> const sites = test::random_sites(box, 0.01, 44);
  auto const layers = [&](int kernel) {
    engine->set_sites(sites, box);
    return engine->layers({.kernel = kernel, .stride = 2, .mode = Mode::sparse}, 5);
  };
  std::vector<SparseSnapshot> const found = layers(2);
  ASSERT_EQ(found.size(), 5u);
  for (int layer = 1; layer <= 5; ++layer) {
    test::SiteSet cells;
    double const side = std::pow(2.0, layer);
    auto const cell = [&](int number) { return static_cast<int>(std::floor(number / side)); };
    for (Site const& site : sites) { cells.insert({0, cell(site.x), cell(site.y), cell(site.z)}); }
    EXPECT_EQ(found[static_cast<std::size_t>(layer - 1)].outputs, cells.size()) << layer;
  }
  std::vector<Site> now = sites;
  for (SparseSnapshot const& layer : layers(3)) {
    test::BruteForce const truth(now, box, {.kernel = 3, .stride = 2, .mode = Mode::sparse});
    EXPECT_EQ(layer.outputs, truth.outputs.size());
    now.assign(truth.outputs.begin(), truth.outputs.end());
  }
}

TEST_P(KernelMapTest, OneLayerOfSitesInSpaceIsNotFlat)
{
  Extents const one{1, 1, 1, 1, {0, -3, -3, -3}};
  std::vector<Site> const site{{0, -3, -3, -3}};
  expect_right(site, one, {.mode = Mode::sparse});
  EXPECT_EQ(engine->outputs().size(), 27u);
  Extents drawing = one;
  drawing.flat = true;
  expect_right(site, drawing, {.mode = Mode::sparse});
  EXPECT_EQ(engine->outputs().size(), 9u);
}

TEST_P(KernelMapTest, TransposedConvolutionsGoBack)
{
  std::vector<Site> const sites = test::random_sites(deep, 0.2, 5);
  for (int const kernel : {2, 3}) {
    SparseSettings settings{.kernel = kernel, .stride = 2, .mode = Mode::transposed};
    expect_right(sites, deep, settings);
    auto const back = test::pairs_of(*engine);
    settings.mode = Mode::sparse;
    engine->update(settings);
    auto const there = test::pairs_of(*engine);
    for (std::size_t offset = 0; offset < back.size(); ++offset) {
      EXPECT_EQ(back[offset].size(), there[offset].size());
      for (auto const& [in, out] : there[offset]) { EXPECT_TRUE(back[offset].contains({out, in})); }
    }
  }
}

TEST_P(KernelMapTest, EveryTableOrderAndSearchFindsTheSame)
{
  std::vector<Site> const sites = test::random_sites(deep, 0.4, 6);
  for (std::string_view const family : table_families) {
    for (Order const order : {Order::given, Order::row_major, Order::morton}) {
      expect_right(sites, deep, {.family = std::string(family), .order = order});
      expect_right(sites, deep, {.family = std::string(family), .order = order, .search = Search::symmetric});
    }
    expect_right(sites, deep, {.family = std::string(family), .search = Search::shared});
    expect_right(sites, deep,
                 {.family = std::string(family), .kernel = 2, .mode = Mode::sparse, .search = Search::shared});
  }
  expect_right(test::random_sites(flat, 0.5, 7), flat, {.kernel = 5, .search = Search::shared});
}

TEST_P(KernelMapTest, LookUpsAreSavedWhereTheyAreShared)
{
  engine->set_sites(test::random_sites(deep, 0.6, 8), deep);
  auto const lookups = [&](Search search) { return engine->update({.search = search}).value().lookups; };
  std::uint64_t const each = lookups(Search::each);
  EXPECT_LT(lookups(Search::symmetric), each / 2) << "half of all but the centre's";
  EXPECT_LT(lookups(Search::shared), each * 3 / 4);
}

TEST_P(KernelMapTest, NoNeighbourWrapsIntoTheNextRow)
{
  Extents const extents{2, 3, 4, 5};
  std::vector<Site> const ends{{0, 0, 0, 4}, {0, 0, 1, 0}, {0, 0, 3, 2}, {0, 1, 0, 2}, {0, 2, 3, 4}, {1, 0, 0, 0}};
  for (std::size_t i = 0; i + 1 < ends.size(); i += 2) {
    ASSERT_LE(extents.flatten(ends[i + 1]) - extents.flatten(ends[i]), 5u) << "close in the table's eyes";
  }
  for (Search const search : {Search::each, Search::symmetric, Search::shared}) {
    engine->set_sites(ends, extents);
    SparseSnapshot const snapshot = engine->update({.search = search}).value();
    EXPECT_EQ(snapshot.pairs, ends.size()) << "each reads itself alone";
    EXPECT_EQ(snapshot.pairs_per_offset[13], ends.size());
  }
}

TEST_P(KernelMapTest, WideKeysAreTakenWhereFlattenedIndicesNeedThem)
{
  Extents const extents{4, 1 << 20, 1 << 20, 1 << 20};
  std::vector<Site> sites;
  for (Site const& site : test::random_sites(deep, 0.4, 9)) {
    sites.push_back({site.batch + 2, site.x + (1 << 20) - deep.x, site.y, site.z + (1 << 20) - deep.z});
  }
  std::vector<Site> moved;
  moved.reserve(sites.size());
  for (Site const& site : sites) {
    moved.push_back({site.batch - 2, site.x - (1 << 20) + deep.x, site.y, site.z - (1 << 20) + deep.z});
  }
  test::BruteForce const truth(moved, deep, {});
  for (std::string const family : {"linear_probing", "segmented_cuckoo"}) {
    for (Search const search : {Search::each, Search::symmetric, Search::shared}) {
      engine->set_sites(sites, extents);
      SparseSnapshot const snapshot = engine->update({.family = family, .search = search}).value();
      EXPECT_EQ(snapshot.key_bits, 64);
      for (std::size_t i = 0; i < truth.pairs.size(); ++i) {
        EXPECT_EQ(snapshot.pairs_per_offset[i], truth.pairs[i].size()) << family;
      }
    }
  }
  EXPECT_THAT([&] { engine->update({.family = "two_level_cuckoo"}); },
              ::testing::ThrowsMessage<Error>(HasSubstr("choose linear_probing")));
}

TEST_P(KernelMapTest, ManySitesInSeveralParts)
{
  Extents const extents{1, 128, 128, 128};
  std::vector<Site> const sites = test::random_sites(extents, 0.04, 10);
  engine->set_sites(sites, extents);
  std::set<Key> active;
  for (Site const& site : sites) { active.insert(extents.flatten(site)); }
  SparseSnapshot const snapshot = engine->update({}).value();
  for (std::uint32_t const row : {0u, 1u, 4095u, 4096u, 40000u, static_cast<std::uint32_t>(sites.size() - 1)}) {
    std::vector<std::uint32_t> const found = engine->neighbours(row);
    for (std::uint32_t offset = 0; offset < 27; ++offset) {
      Site const in = engine->kernel().input(engine->outputs()[row], offset);
      bool const there = extents.contain(in) && active.contains(extents.flatten(in));
      ASSERT_EQ(found[offset] != no_row, there);
      if (there) { EXPECT_EQ(engine->inputs()[found[offset]], in); }
    }
  }
  std::uint64_t neighbours = 0;
  for (Site const& site : sites) {
    neighbours += site.z + 1 < extents.z && active.contains(extents.flatten({0, site.x, site.y, site.z + 1})) ? 1 : 0;
  }
  EXPECT_EQ(snapshot.pairs_per_offset[14], neighbours);
  EXPECT_EQ(snapshot.pairs_per_offset[12], neighbours);
}

TEST_P(KernelMapTest, OneSiteReachesACubeThatGrowsWithTheLayers)
{
  engine->set_sites(std::vector<Site>{{0, 8, 8, 8}}, {1, 17, 17, 17});
  std::vector<SparseSnapshot> const full = engine->layers({.mode = Mode::sparse}, 4);
  std::vector<std::uint64_t> outputs;
  outputs.reserve(full.size());
  for (SparseSnapshot const& layer : full) { outputs.push_back(layer.outputs); }
  EXPECT_THAT(outputs, ElementsAre(27u, 125u, 343u, 729u));
  std::vector<SparseSnapshot> const submanifold = engine->layers({}, 3);
  ASSERT_EQ(submanifold.size(), 3u);
  for (SparseSnapshot const& layer : submanifold) { EXPECT_EQ(layer.outputs, 1u); }
  std::vector<SparseSnapshot> const strided = engine->layers({.kernel = 2, .stride = 2, .mode = Mode::sparse}, 5);
  EXPECT_EQ(strided.back().outputs, 1u);
}

/// The last layers are nearly all of the work: what is reported at the end of each is near its share of all lookups.
TEST_P(KernelMapTest, ProgressOfLayersFollowsTheirWork)
{
  std::vector<Site> surface;
  surface.reserve(std::size_t{40} * 40);
  for (std::int32_t i = 0; i < 40 * 40; ++i) { surface.push_back({0, i / 40, i % 40, 20}); }
  engine->set_sites(surface, {1, 40, 40, 40});
  std::vector<double> told;
  Progress const progress([&](Progress const& now) {
    told.push_back(now.share());
    return true;
  });
  auto const layers = engine->layers({.kernel = 5, .mode = Mode::sparse}, 3, progress);
  ASSERT_EQ(layers.size(), 3u);
  double all = 0.0;
  for (SparseSnapshot const& layer : layers) { all += static_cast<double>(layer.sites + layer.outputs); }
  double const last = static_cast<double>(layers[2].sites + layers[2].outputs) / all;
  EXPECT_THAT(told, Contains(AllOf(Gt(0.97 - last), Lt(1.03 - last)))) << "as the last one begins";
  EXPECT_THAT(told, Each(Le(1.0)));
}

TEST_P(KernelMapTest, LayersThatFitAreKeptWhereTheNextDoesNot)
{
  Extents const nearly_wide{1, 1622, 1622, 1622};
  engine->set_sites(std::vector<Site>{{0, 8, 8, 8}}, nearly_wide);
  SparseSettings const narrow{.family = "two_level_cuckoo", .mode = Mode::sparse};
  EXPECT_EQ(engine->layers(narrow, 4).size(), 1u) << "the second needs keys of 64 bits";
}

TEST_P(KernelMapTest, RepeatedSitesAreLeftOut)
{
  std::vector<Site> const sites{{0, 3, 3, 3}, {0, 1, 2, 3}, {0, 3, 3, 3}, {0, 3, 3, 3}, {0, 1, 2, 2}};
  EXPECT_EQ(engine->set_sites(sites, {1, 8, 8, 8}), 2u);
  engine->update({.order = Order::given});
  EXPECT_THAT(engine->inputs(), ElementsAre(sites[0], sites[1], sites[4])) << "the first of each, in the order given";
  engine->update({.order = Order::row_major});
  EXPECT_THAT(engine->inputs(), ElementsAre(sites[4], sites[1], sites[0]));
}

TEST_P(KernelMapTest, EndsWhereItIsCancelled)
{
  engine->set_sites(test::random_sites({1, 64, 64, 64}, 0.2, 11), {1, 64, 64, 64});
  double last = -1.0;
  Progress const progress([&](Progress const& now) {
    EXPECT_GE(now.share(), last);
    EXPECT_LE(now.share(), 1.0);
    last = now.share();
    return true;
  });
  ASSERT_TRUE(engine->update({.mode = Mode::sparse}, progress));
  EXPECT_GT(last, 0.0);
  Progress const cancelled = Progress::tracked();
  cancelled.cancel();
  EXPECT_FALSE(engine->update({}, cancelled));
  EXPECT_THROW(engine->table(), std::logic_error);
  EXPECT_TRUE(engine->update({}));
  EXPECT_EQ(engine->layers({}, 5, Progress([](Progress const& now) { return now.share() < 0.5; })).size(), 2u);
}

TEST_P(KernelMapTest, WhatCannotBeIsRefused)
{
  auto const sites_refused = [&](std::vector<Site> const& sites, Extents const& extents, std::string const& why) {
    EXPECT_THAT([&] { engine->set_sites(sites, extents); }, ::testing::ThrowsMessage<Error>(HasSubstr(why)));
  };
  EXPECT_THAT([&] { engine->update({}); }, ::testing::ThrowsMessage<Error>(HasSubstr("open a file")));
  sites_refused({}, {1, 8, 8, 8}, "no sites");
  sites_refused({{0, 1, 2, 8}}, {1, 8, 8, 8}, "(0, 1, 2, 8) lies outside of the extents (1, 8, 8, 8)");
  sites_refused({{0, -1, 2, 3}}, {1, 8, 8, 8}, "outside");
  sites_refused({{0, -5, 2, 3}}, {1, 8, 8, 8, {0, -4, 0, 0}}, "(0, -5, 2, 3) lies outside");
  sites_refused({{0, 4, 2, 3}}, {1, 8, 8, 8, {0, -4, 0, 0}}, "outside");
  sites_refused({{0, -2'000'000'000, 0, 0}}, {1, 8, 8, 8, {0, -2'000'000'000, 0, 0}}, "from -1000000000 to 1000000000");
  sites_refused({{1, 1, 2, 3}}, {1, 8, 8, 8}, "outside");
  sites_refused({{0, 0, 0, 0}}, {1, 8, 0, 8}, "1 or more");
  constexpr std::int32_t huge = 2'000'000'000;
  sites_refused({{0, 0, 0, 0}}, {1, huge, huge, huge}, "do not fit in 64 bits");
  engine->set_sites(std::vector<Site>{{0, 0, 0, 0}}, {1, 8, 8, 8});
  auto const refused = [&](SparseSettings const& settings, std::string const& why) {
    EXPECT_THAT([&] { engine->update(settings); }, ::testing::ThrowsMessage<Error>(HasSubstr(why)));
  };
  refused({.family = "robin_hood"}, "'robin_hood'");
  refused({.load_factor = 1.5}, "0.05 to 0.95");
  refused({.family = "two_level_cuckoo", .load_factor = 0.9}, "two_level_cuckoo supports load factors up to");
  refused({.kernel = 8}, "from 1 to 7, not 8");
  refused({.stride = 0}, "stride");
  refused({.dilation = 9}, "dilation");
  refused({.stride = 2}, "submanifold convolution has stride 1");
  refused({.kernel = 2, .search = Search::symmetric}, "odd kernel");
  refused({.order = Order::morton, .search = Search::shared}, "row-major");
  refused({.kernel = 1, .stride = 2, .dilation = 1, .mode = Mode::submanifold}, "stride 1");
  EXPECT_TRUE(engine->update({})) << "and works on";
}

TEST_P(KernelMapTest, OutputsThatReadNothingAreRefused)
{
  engine->set_sites(std::vector<Site>{{0, 1, 1, 1}}, {1, 8, 8, 8});
  EXPECT_THAT([&] { engine->update({.kernel = 1, .stride = 2, .mode = Mode::sparse}); },
              ::testing::ThrowsMessage<Error>(HasSubstr("No output reads an active site")));
}

}  // namespace
}  // namespace slotscape::sparse
