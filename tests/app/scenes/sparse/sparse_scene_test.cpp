#include "app/base/npy.hpp"
#include "app/scenes/sparse/gui.hpp"
#include "app/scenes/sparse/scene.hpp"
#include "app/shell/run.hpp"
#include "app/view3d/grid_box.hpp"
#include "tests/app/support/program.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <glm/vec3.hpp>

#include <algorithm>
#include <array>
#include <regex>
#include <set>

namespace slotscape {
namespace {

using sparse::Mode;
using sparse::Site;
using test::message_of;
using test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::HasSubstr;

SparseSetup small_set_up()
{
  SparseSetup set_up;
  set_up.settings.source = {.name = "sphere", .points = 20000, .grid = 16};
  set_up.settings.layers = 2;
  return set_up;
}

class SparseSceneTest : public testing::Test {
protected:
  explicit SparseSceneTest(SparseSetup set_up = small_set_up())
      : app_(test::offscreen_app({1280, 720}, Scenario{&test::entry("sparse"), std::move(set_up)}))
  {
    frames(3);
  }
  void frames(int count)
  {
    for (int i = 0; i < count; ++i) { app_->frame(0.1); }
  }
  /// Until the growth has been counted, too.
  void finish()
  {
    scene().finish_steps({});
    frames(2);
  }
  SparseScene& scene() { return test::scene_of<SparseScene>(*app_); }
  SparseState& state() { return scene().state(); }

  std::unique_ptr<App> app_;
};

TEST_F(SparseSceneTest, ShowsTheConvolution)
{
  EXPECT_EQ(state().snapshot.outputs, state().snapshot.sites);
  EXPECT_EQ(state().table.statistics.live, state().snapshot.sites);
  EXPECT_EQ(state().snapshot.pairs_per_offset.size(), 27u);
  EXPECT_EQ(state().snapshot.pairs_per_offset[13], state().snapshot.sites);
  EXPECT_EQ(app_->toasts().errors(), 0u);
}

TEST_F(SparseSceneTest, CountsHowLayersGrow)
{
  finish();
  ASSERT_TRUE(state().growth);
  EXPECT_EQ(state().growth->submanifold.size(), 2u);
  ASSERT_EQ(state().growth->full.size(), 2u);
  EXPECT_EQ(state().growth->submanifold[1].outputs, state().snapshot.sites);
  EXPECT_GT(state().growth->full[0].outputs, 2 * state().snapshot.sites);
  EXPECT_GT(state().growth->full[1].outputs, state().growth->full[0].outputs);
  EXPECT_TRUE(scene().quiet());
}

TEST_F(SparseSceneTest, LayersHaveTheStrideThatWasChosen)
{
  for (Mode const mode : {Mode::sparse, Mode::transposed}) {
    state().settings.convolution.mode = mode;
    state().settings.convolution.stride = 2;
    frames(2);
    finish();
    ASSERT_TRUE(state().growth);
    ASSERT_EQ(state().growth->full.size(), 2u);
    std::uint64_t const given = mode == Mode::sparse ? state().snapshot.sites : state().snapshot.outputs;
    std::uint64_t const coarse = mode == Mode::sparse ? state().snapshot.outputs : state().snapshot.sites;
    EXPECT_EQ(state().growth->full[0].sites, given);
    EXPECT_EQ(state().growth->full[0].outputs, coarse) << "as the convolution itself, or as what it goes back from";
    EXPECT_LT(state().growth->full[1].outputs, coarse);
    EXPECT_EQ(state().growth->submanifold[1].outputs, given);
  }
}

/// They take much longer than the convolution.
TEST_F(SparseSceneTest, LayersAreCountedOnlyWhereTheyAreShown)
{
  DeviceFacts device;
  device.backend = Backend::cpu;
  SparseScene alone(small_set_up(), device);
  alone.finish_steps({});
  EXPECT_FALSE(alone.state().growth);
  EXPECT_EQ(alone.statistics({}).json.count("layers"), 0u) << "of the window";
  alone.watch_work(Progress::tracked());
  EXPECT_EQ(alone.statistics({}).json["layers"]["sparse"].size(), 2u) << "of the command line";
}

TEST_F(SparseSceneTest, ACancelledCountKeepsTheLayersSoFar)
{
  LayersQuery query{nullptr, {.kernel = 3}, 4};
  query.sites = std::make_shared<Sites const>(load_sites({.name = "sphere", .points = 2000, .grid = 16}, {}));
  auto const engine = sparse::make_sparse_engine(Backend::cpu);
  auto const until = [&](double share) {
    return count_layers(*engine, query, Progress([share](Progress const& now) { return now.share() < share; }));
  };
  EXPECT_THROW(until(0.0), Cancelled);
  LayerGrowth const some = until(0.5);
  EXPECT_EQ(some.submanifold.size(), 4u);
  EXPECT_GT(some.full.size(), 0u);
  EXPECT_LT(some.full.size(), 4u);
}

TEST_F(SparseSceneTest, KeysAndSettingsMakeAnotherConvolution)
{
  test::press(scene(), "K");
  frames(2);
  EXPECT_EQ(state().snapshot.pairs_per_offset.size(), 64u);
  test::press(scene(), "S");
  frames(2);
  EXPECT_EQ(state().shown->convolution.mode, Mode::sparse);
  EXPECT_GT(state().snapshot.outputs, state().snapshot.sites);
  state().settings.convolution.stride = 2;
  frames(2);
  EXPECT_LT(state().snapshot.outputs, state().snapshot.sites);
  test::press(scene(), "S");
  frames(2);
  EXPECT_EQ(state().shown->convolution.mode, Mode::transposed);
  test::press(scene(), "S");
  frames(2);
  EXPECT_EQ(state().shown->convolution.stride, 1) << "a submanifold convolution has no other";
  test::press(scene(), "Period");
  frames(2);
  EXPECT_EQ(state().input_extents.x, 32);
  EXPECT_EQ(app_->toasts().errors(), 0u);
}

TEST_F(SparseSceneTest, AChosenOutputSaysWhatItReads)
{
  Site const site = {0, 8, 8, 0};
  scene().choose(site);
  frames(2);
  ASSERT_TRUE(state().chosen);
  std::uint64_t hits = 0;
  for (std::uint32_t const row : state().chosen->neighbours) { hits += row != sparse::no_row ? 1 : 0; }
  EXPECT_GE(hits, 9u) << "the pole of a sphere";
  EXPECT_LE(hits, 18u) << "beyond it there is nothing";
  auto const again = std::any_cast<SparseSetup>(scene().set_up());
  EXPECT_EQ(again.selected, site);
  test::press(scene(), "K");
  test::press(scene(), "J");
  frames(3);
  EXPECT_TRUE(state().chosen) << "the same site stays chosen";
  test::press(scene(), "Esc");
  frames(1);
  EXPECT_FALSE(state().chosen);
  scene().choose(Site{0, 8, 8, 8});
  EXPECT_FALSE(state().chosen) << "there is no output in the middle of the ball";
}

TEST_F(SparseSceneTest, KeysGoThroughTablesAndOrders)
{
  std::set<std::string> families;
  std::set<sparse::Order> orders;
  for (int i = 0; i < 4; ++i) {
    test::press(scene(), "X");
    test::press(scene(), "O");
    frames(2);
    families.insert(state().table.settings.table.family);
    orders.insert(state().shown->convolution.order);
    EXPECT_EQ(state().table.statistics.live, state().snapshot.sites);
  }
  EXPECT_EQ(families.size(), sparse::table_families.size());
  EXPECT_EQ(orders.size(), 3u);
  EXPECT_EQ(app_->toasts().errors(), 0u);
}

TEST_F(SparseSceneTest, SlidesShowSitesInSpace)
{
  test::paint();
  TemporaryFolder const folder;
  app_->pictures().save_slide(folder / "slide.png", {});
  EXPECT_GT(std::filesystem::file_size(folder / "slide.png"), 5000u);
  test::press(scene(), "V");
  frames(1);
  EXPECT_THAT(message_of<Error>([&] { app_->pictures().save_slide(folder / "other.png", {}); }),
              HasSubstr("sites in space"));
}

TEST_F(SparseSceneTest, SlicesMoveAndTurn)
{
  std::int32_t const before = state().slice_index;
  test::press(scene(), "Up");
  frames(1);
  EXPECT_EQ(state().slice_index, before + 1);
  test::press(scene(), "Down");
  test::press(scene(), "A");
  frames(1);
  EXPECT_EQ(state().settings.slice_across, SliceAxis::x);
  for (int i = 0; i < 40; ++i) {
    test::press(scene(), "Up");
    frames(1);
  }
  EXPECT_EQ(state().slice_index, 15);
}

/// Where a ray enters a cube; nothing if it misses it.
std::optional<double> entry_into(spatial::Ray const& ray, glm::dvec3 const& low, glm::dvec3 const& high)
{
  glm::dvec3 const from(ray.origin.x, ray.origin.y, ray.origin.z);
  glm::dvec3 const along(ray.direction.x, ray.direction.y, ray.direction.z);
  glm::dvec3 const a = (low - from) / along;
  glm::dvec3 const b = (high - from) / along;
  double const enters = std::max({std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)});
  double const leaves = std::min({std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)});
  return enters < leaves ? std::optional(enters) : std::nullopt;
}

TEST_F(SparseSceneTest, TheSiteUnderTheMouseIsTheFirstOnTheLineOfSight)
{
  Progress const progress = Progress::tracked();
  std::vector<Site> const sites = load_sites(state().settings.source, progress).sites;
  SpaceView& space = scene().space();
  double const side = 2.0 / 16.0;
  int hits = 0;
  for (double x = 10.0; x < space.view().camera().width(); x += 37.0) {
    for (double y = 10.0; y < space.view().camera().height(); y += 41.0) {
      spatial::Ray const ray = space.view().camera().ray({x, y});
      double nearest = 1e9;
      for (Site const& site : sites) {
        glm::dvec3 const low = glm::dvec3(site.x, site.y, site.z) * side - 1.0;
        nearest = std::min(nearest, entry_into(ray, low, low + side).value_or(1e9));
      }
      auto const found = space.site_under({x, y});
      ASSERT_EQ(found.has_value(), nearest < 1e9) << x << ", " << y;
      if (!found) { continue; }
      ++hits;
      glm::dvec3 const low = glm::dvec3(found->x, found->y, found->z) * side - 1.0;
      EXPECT_NEAR(entry_into(ray, low - 1e-5, low + side + 1e-5).value(), nearest, 1e-3);
    }
  }
  EXPECT_GT(hits, 20);
}

TEST_F(SparseSceneTest, WhatCannotBeOpenedChangesNothing)
{
  TemporaryFolder const folder;
  std::uint64_t const sites = state().snapshot.sites;
  app_->open(folder.write("broken.npy", "not an array"));
  frames(3);
  EXPECT_EQ(app_->toasts().errors(), 1u);
  EXPECT_THAT(app_->toasts().latest(), AllOf(HasSubstr("broken.npy"), HasSubstr("numpy.save")));
  EXPECT_EQ(state().settings.source.name, "sphere");
  EXPECT_EQ(state().snapshot.sites, sites);
  EXPECT_TRUE(state().shown);
}

TEST_F(SparseSceneTest, OpensAnArrayOfSites)
{
  TemporaryFolder const folder;
  std::array<std::int32_t, 16> const numbers{0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 2, 0, 0, 0, 1};
  app_->open(folder.write("four.npy", npy_of(numbers, {4, 4})));
  frames(3);
  EXPECT_EQ(state().snapshot.sites, 3u);
  EXPECT_EQ(state().repeated, 1u);
  EXPECT_EQ(state().snapshot.pairs, 5u) << "two are neighbours; the third is in another batch";
  EXPECT_EQ(state().input_extents.batch, 2);
}

TEST_F(SparseSceneTest, SitesBelowZeroAreShownChosenAndCounted)
{
  TemporaryFolder const folder;
  std::array<std::int32_t, 12> const numbers{-1, -3, -3, -3, -1, -3, -3, -2, -1, 2, 2, 2};
  app_->open(folder.write("below.npy", npy_of(numbers, {3, 4})));
  state().settings.convolution = {.kernel = 2, .stride = 2, .mode = Mode::sparse};
  frames(3);
  EXPECT_EQ(state().snapshot.outputs, 3u) << "-3 and -2 are halved to -2 and -1";
  EXPECT_EQ(state().settings.batch, -1) << "the one that there is";
  scene().choose(Site{-1, -2, -2, -1});
  ASSERT_TRUE(state().chosen);
  frames(1);
  EXPECT_EQ(state().table.statistics.live, 3u);
  auto const again = test::parse_setup<SparseSetup>(format_scenario({&test::entry("sparse"), scene().set_up()}));
  EXPECT_EQ(again.selected, (Site{-1, -2, -2, -1}));
  EXPECT_EQ(again.settings.batch, -1);
  test::press(scene(), "V");
  state().settings.slice_at = 0.0;
  frames(1);
  EXPECT_LE(state().slice_coordinate, -3);
  app_->measurements().write(folder / "statistics.json", {});
  Json const statistics = Json::parse(test::content_of(folder / "statistics.json"));
  EXPECT_EQ(statistics.at("lowest"), Json({-1, -3, -3, -3}));
  EXPECT_EQ(statistics.at("origin"), Json({0.0, 0.0, 0.0}));
  EXPECT_EQ(app_->toasts().errors(), 0u);
}

TEST_F(SparseSceneTest, OutputsBeyondTheSitesAreInTheSlice)
{
  TemporaryFolder const folder;
  std::array<std::int32_t, 3> const one{0, 0, 0};
  app_->open(folder.write("one.npy", npy_of(one, {1, 3})));
  state().settings.convolution.mode = Mode::sparse;
  state().settings.view = SiteView::slice;
  state().settings.slice_at = 0.0;
  frames(3);
  EXPECT_EQ(state().snapshot.outputs, 27u);
  EXPECT_EQ(state().slice_depth, 3);
  EXPECT_EQ(state().slice_coordinate, -1);
}

TEST_F(SparseSceneTest, FindingsReachTheStatisticsWhicheverWayAFileComes)
{
  TemporaryFolder const folder;
  std::array<std::int32_t, 12> const numbers{0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1};
  std::string const file = folder.write("four.npy", npy_of(numbers, {4, 3})).string();
  auto const told = [&] {
    app_->measurements().write(folder / "statistics.json", {});
    return Json::parse(test::content_of(folder / "statistics.json")).value("findings", Json::array()).dump();
  };
  EXPECT_EQ(told(), "[]") << "a built-in shape";
  app_->open(file);
  frames(3);
  EXPECT_THAT(told(), HasSubstr("four.npy: 2 of 4 rows repeat a site."));
  SparseSetup set_up = small_set_up();
  set_up.settings.source.name = file;
  app_.reset();
  app_ = test::offscreen_app({1280, 720}, Scenario{&test::entry("sparse"), set_up});
  frames(3);
  EXPECT_THAT(told(), HasSubstr("four.npy: 2 of 4 rows repeat a site."));
  app_->open(folder.write("holes.xyz", "0 0 0\n1 1 1\nnan 0 0\n"));
  frames(3);
  EXPECT_THAT(told(), AllOf(HasSubstr("holes.xyz: Skipped 1 of 3 points"), ::testing::Not(HasSubstr("four.npy"))));
}

TEST_F(SparseSceneTest, TheCardCountsLookUps)
{
  scene().choose(Site{0, 8, 8, 0});
  frames(1);
  ASSERT_TRUE(state().chosen);
  EXPECT_THAT(text_of_lookups(*state().chosen),
              AllOf(HasSubstr("18 lookups, "), HasSubstr(" found a site\n9 other offsets lie outside the tensor")))
      << "at the floor of the grid";
  EXPECT_EQ(text_of_lookups({{}, 0, std::vector<std::uint32_t>(27, 5), 27}), "27 lookups, 27 found a site");
}

TEST_F(SparseSceneTest, TheCardSaysWhichCoordinatesTheseAre)
{
  scene().choose(Site{0, 8, 8, 0});
  ASSERT_TRUE(state().chosen);
  EXPECT_EQ(text_of_place(state(), *state().chosen), "x 8, y 8, z 0");
  state().settings.convolution = {.stride = 2, .mode = Mode::sparse};
  frames(2);
  scene().choose(Site{0, 4, 4, 0});
  ASSERT_TRUE(state().chosen);
  EXPECT_EQ(text_of_place(state(), *state().chosen), "as output: x 4, y 4, z 0\nas input: x 8, y 8, z 0");
}

struct RoofFile {
  TemporaryFolder const folder;
};

/// A floor, and a roof seven voxels of half a metre above it.
class SparseRoof : RoofFile, public SparseSceneTest {
protected:
  static constexpr clouds::Position corner{412'345.5, 5'678'901.0, 187.0};

  SparseRoof() : SparseSceneTest(set_up(folder)) {}
  static SparseSetup set_up(TemporaryFolder const& folder)
  {
    std::string rows = "x y z\n";
    for (int x = 0; x < 20; ++x) {
      for (int y = 0; y < 20; ++y) {
        bool const roof = x >= 7 && x < 13 && y >= 7 && y < 13;
        rows += fmt::format("{} {} {}\n", corner.x + 0.5 * x + 0.25, corner.y + 0.5 * y + 0.25,
                            corner.z + (roof ? 3.75 : 0.25));
      }
    }
    SparseSetup set_up = small_set_up();
    set_up.settings.source = {.name = folder.write("roof.xyz", rows).string(), .voxel = 0.5};
    return set_up;
  }
  /// How bright the middle of a site's upper face is.
  int brightness(Site const& site)
  {
    spatial::Vector const top{(static_cast<float>(site.x) + 0.5f) / 10.0f - 1.0f,
                              (static_cast<float>(site.y) + 0.5f) / 10.0f - 1.0f,
                              (static_cast<float>(site.z) + 1.0f) / 10.0f - 1.0f};
    Point const at = scene().space().view().camera().to_canvas(top).value();
    gl::Image const image = app_->screen().picture();
    Rectangle const& canvas = scene().space().view().canvas();
    auto const x = static_cast<std::size_t>(canvas.x + at.x);
    auto const y = static_cast<std::size_t>(canvas.y + at.y);
    std::size_t const channels = image.pixels.size() / static_cast<std::size_t>(image.width * image.height);
    std::uint8_t const* const pixel = &image.pixels[(y * static_cast<std::size_t>(image.width) + x) * channels];
    return pixel[0] + pixel[1] + pixel[2];
  }
};

TEST_F(SparseRoof, IsSeenFromAbove)
{
  ASSERT_EQ(state().snapshot.sites, 400u);
  test::paint();
  scene().space().view().camera().look({{0.0, 0.0, 0.0}, -1.57, 1.5, 5.0});
  frames(3);
  int const floor = brightness({0, 3, 3, 0});
  EXPECT_GT(brightness({0, 9, 9, 7}), floor + 60);
  EXPECT_EQ(brightness({0, 16, 3, 0}), floor) << "as high";
}

TEST_F(SparseRoof, TheWholeGridIsSeenAtFirst)
{
  OrbitCamera const& camera = scene().space().view().camera();
  for (float const x : {-1.0f, 1.0f}) {
    for (float const y : {-1.0f, 1.0f}) {
      for (float const z : {-1.0f, 1.0f}) {
        Point const at = camera.to_canvas({x, y, z}).value();
        EXPECT_GT(std::min(at.x, at.y), 0.0);
        EXPECT_LT(at.x, camera.width());
        EXPECT_LT(at.y, camera.height());
      }
    }
  }
}

TEST_F(SparseRoof, CardAndAxesAreInTheUnitsOfTheFile)
{
  scene().choose(Site{0, 9, 9, 7});
  ASSERT_TRUE(state().chosen);
  EXPECT_EQ(text_of_place_in_file(state(), *state().chosen), "in the file: 412350.250, 5678905.750, 190.750");
  state().settings.convolution = {.stride = 2, .mode = Mode::sparse};
  frames(2);
  scene().choose(Site{0, 4, 4, 3});
  ASSERT_TRUE(state().chosen);
  EXPECT_EQ(text_of_place_in_file(state(), *state().chosen), "in the file: 412350.000, 5678905.500, 190.500");
  EXPECT_THAT(scene().space().sides_in_file(), ::testing::Each("10 in the file"));
}

TEST_F(SparseSceneTest, BuiltInShapesHaveNoFile)
{
  scene().choose(Site{0, 8, 8, 0});
  ASSERT_TRUE(state().chosen);
  EXPECT_EQ(text_of_place_in_file(state(), *state().chosen), "");
  EXPECT_THAT(scene().space().sides_in_file(), ::testing::Each(""));
}

TEST_F(SparseSceneTest, AVoxelReplacesTheGridUntilAnotherIsChosen)
{
  state().settings.source.voxel = 0.25;  // a ball of radius 1
  frames(3);
  EXPECT_NEAR(state().input_extents.x, 8, 1) << "from -1 to 1";
  test::press(scene(), "Period");
  frames(3);
  EXPECT_EQ(state().settings.source.voxel, 0.125);
  auto const again = test::parse_setup<SparseSetup>(format_scenario({&test::entry("sparse"), scene().set_up()}));
  EXPECT_EQ(again.settings.source.voxel, 0.125);
}

TEST_F(SparseSceneTest, ComesBackFromAScenario)
{
  state().settings.convolution = {.family = "cuckoo", .kernel = 2, .stride = 2, .mode = Mode::sparse};
  state().settings.slice_at = 0.25;
  frames(2);
  scene().choose(Site{0, 4, 4, 0});
  std::string const text = format_scenario({&test::entry("sparse"), scene().set_up()});
  auto const again = test::parse_setup<SparseSetup>(text);
  EXPECT_EQ(again.settings, state().settings);
  EXPECT_EQ(again.selected, (Site{0, 4, 4, 0}));
  auto const wrong = [](std::string const& fields) {
    return message_of<Error>([&] { test::parse_setup<SparseSetup>(R"({ "version": 1, "sparse": )" + fields + " }"); });
  };
  EXPECT_THAT(wrong(R"({ "kernel": 9 })"), AllOf(HasSubstr("sparse.kernel"), HasSubstr("1 to 7")));
  EXPECT_THAT(wrong(R"({ "stride": 2 })"), HasSubstr("submanifold convolution has stride 1"));
  EXPECT_THAT(wrong(R"({ "kernal": 3 })"), HasSubstr("'kernel'"));
  EXPECT_THAT(wrong(R"({ "family": "robin_hood" })"), HasSubstr("sparse.family"));
  EXPECT_THAT(wrong(R"({ "selected": [1, 2, 3] })"), HasSubstr("four numbers"));
  EXPECT_THAT(wrong(R"({ "selected": [0, 1.5, 2, 3] })"), HasSubstr("whole number"));
}

TEST_F(SparseSceneTest, LongWorkGoesOnBesideTheFramesAndCanBeCancelled)
{
  scene().set_max_wait(0.0);
  std::uint64_t const sites = state().snapshot.sites;
  state().settings.source.grid = 256;
  state().settings.convolution.kernel = 7;
  frames(1);
  ASSERT_TRUE(state().progress);
  EXPECT_FALSE(scene().quiet());
  test::press(scene(), "Esc");
  for (int i = 0; i < 2000 && (state().settings.source.grid == 256 || state().progress); ++i) { frames(1); }
  EXPECT_EQ(state().settings.source.grid, 16u);
  EXPECT_EQ(state().snapshot.sites, sites);
  EXPECT_THAT(scene().notice(), HasSubstr("Cancelled"));
}

/// Texts of an SVG picture, with their boxes: left, top, right, bottom.
std::vector<std::array<double, 4>> boxes_of_texts(std::string const& svg)
{
  static std::regex const text(R"re(<text x="([^"]*)" y="([^"]*)" font-size="([^"]*)" textLength="([^"]*)")re");
  std::vector<std::array<double, 4>> boxes;
  for (std::sregex_iterator at(svg.begin(), svg.end(), text); at != std::sregex_iterator(); ++at) {
    auto const number = [&](std::size_t part) { return std::stod((*at)[part]); };
    boxes.push_back({number(1), number(2) - number(3), number(1) + number(4), number(2)});
  }
  return boxes;
}

TEST(GridBox, HasCoordinatesAtItsCornersLengthsBetweenThemAndNoLabelOverAnother)
{
  std::vector<std::string> pictures;
  test::text_of_panel([&](Look const& look) {
    for (double yaw = 0.0; yaw < 6.28; yaw += 0.1) {
      SvgDrawing drawing(370.0f, 560.0f, 0, look.font);
      OrbitCamera camera(2.0, 370.0, 560.0);
      OrbitPlace place = place_for_whole_grid(camera);
      place.yaw = yaw;
      camera.look(place);
      label_grid_box(drawing, {}, {102, 2.0f}, camera, look, {-1, -1, -1}, {"204 m", "204 m", "204 m"});
      pictures.push_back(drawing.finished());
    }
  });
  for (std::string const& picture : pictures) {
    EXPECT_THAT(picture, AllOf(HasSubstr(">−1<"), HasSubstr(">101<"), HasSubstr(">102 voxels · 204 m<")));
    auto const boxes = boxes_of_texts(picture);
    EXPECT_GE(boxes.size(), 8u);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        bool const apart = boxes[i][0] >= boxes[j][2] || boxes[j][0] >= boxes[i][2] || boxes[i][1] >= boxes[j][3] ||
                           boxes[j][1] >= boxes[i][3];
        EXPECT_TRUE(apart) << picture;
      }
    }
  }
}

TEST(SparseCommandLine, OptionsAreRead)
{
  auto const parse = [](std::vector<char const*> words) {
    words.insert(words.begin(), {"slotscape", "sparse"});
    auto const options = parse_command_line(static_cast<int>(words.size()), words.data(), scenes()).value();
    return std::any_cast<SparseSetup>(options.subcommand->set_up()).settings;
  };
  SparseSceneSettings const plain = parse({});
  EXPECT_EQ(plain.source.grid, 128u);
  EXPECT_EQ(plain.convolution, sparse::SparseSettings{});
  SparseSceneSettings const all =
      parse({"spiral", "--grid", "32", "--kernel", "5", "--stride", "2", "--dilation", "3", "--order", "morton",
             "--table", "cuckoo", "--load-factor", "0.7", "--layers", "1"});
  EXPECT_EQ(all.source.name, "spiral");
  EXPECT_EQ(all.source.grid, 32u);
  EXPECT_EQ(all.convolution.mode, Mode::sparse) << "a stride asks for it";
  EXPECT_EQ(all.convolution.kernel, 5);
  EXPECT_EQ(all.convolution.dilation, 3);
  EXPECT_EQ(all.convolution.order, sparse::Order::morton);
  EXPECT_EQ(all.convolution.family, "cuckoo");
  EXPECT_EQ(all.layers, 1);
  auto const error = [&](std::vector<char const*> const& words) { return message_of<Error>([&] { parse(words); }); };
  EXPECT_THAT(error({"--kernel", "9"}), HasSubstr("--kernel: '9' is invalid; it must be a whole number from 1 to 7"));
  EXPECT_THAT(error({"--mode", "submanifol"}), HasSubstr("did you mean 'submanifold'"));
  EXPECT_THAT(error({"no_such_file"}), HasSubstr("neither a file nor built in"));
  EXPECT_EQ(parse({"--voxel", "0,5"}).source.voxel, 0.5) << "as the window takes it";
  EXPECT_THAT(error({"--voxel", "1", "--grid", "64"}), HasSubstr("both set the cells"));
  EXPECT_THAT(error({"--voxel", "0"}), HasSubstr("--voxel: '0' is invalid"));
  EXPECT_THAT(error({"--mode", "submanifold", "--stride", "2"}), HasSubstr("stride 1"));
}

}  // namespace
}  // namespace slotscape
