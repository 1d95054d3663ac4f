// Surveys of one place: stray points, tiles, voxels in metres, and updates that take long.

#include "app/clouds/outliers.hpp"
#include "app/scenes/spatial/coordinates.hpp"
#include "app/scenes/spatial/export.hpp"
#include "app/scenes/spatial/placing.hpp"
#include "tests/app/clouds/cloud_files.hpp"
#include "tests/app/scenes/spatial/spatial_scene.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace slotscape {
namespace {

using clouds::Position;
using clouds::test::lines_of;
using spatial::Model;
using test::message_of;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// A tile of a survey: hills 100 metres wide, from this corner on.
std::vector<Position> tile(Position corner, int count, double noise = 0.0)
{
  std::mt19937 random(1);
  std::uniform_real_distribution<double> place(0.0, 100.0);
  std::normal_distribution<double> height(0.0, 1.0);
  std::vector<Position> points;
  for (int i = 0; i < count; ++i) {
    double const x = place(random);
    double const y = place(random);
    points.push_back(corner + Position{x, y, 3.0 * std::sin(x / 9.0) * std::sin(y / 7.0) + noise * height(random)});
  }
  return points;
}

constexpr Position on_the_map{4'500'000.0, 300'000.0, 200.0};

class Survey : public test::SpatialSceneTest {
protected:
  ModelSettings file(std::string_view name, std::string const& text)
  {
    return fresh_model(folder_.write(name, text).string());
  }
  SpatialSetup two(std::string const& a, std::string const& b)
  {
    SpatialSceneSettings settings = test::small_settings();
    settings.models[Model::a] = file("a.xyz", a);
    settings.models[Model::b] = file("b.xyz", b);
    settings.hashing.grid.side = 128;
    return {settings};
  }
  void open(SpatialSetup const& set_up)
  {
    app_.reset();
    app_ = test::offscreen_app({1280, 720}, test::spatial_scenario(set_up));
    frames(2);
  }
  std::string refusal_of(SpatialSetup const& set_up)
  {
    app_.reset();
    return message_of<Error>([&] { test::offscreen_app({640, 480}, test::spatial_scenario(set_up)); });
  }
  Json statistics()
  {
    app_->measurements().write(folder_ / "s.json", {});
    return parse_json(test::content_of(folder_ / "s.json"), "s.json");
  }
  std::uint64_t voxels(Model model) { return state().snapshot.models[model].voxels; }
  template <class Done>
  bool frames_until(Done done)
  {
    for (int i = 0; i < 6000 && !done(); ++i) {
      frames(1);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return done();
  }

  test::TemporaryFolder folder_;
};

// --- stray points

TEST(Outliers, AreFoundWhereTheyMakeTheOthersSmall)
{
  std::vector<Position> points = tile(on_the_map, 5000, 0.1);
  EXPECT_TRUE(clouds::find_outliers(points).points.empty());
  points[17] = on_the_map + Position{100'000.0, 0.0, 0.0};
  points[4000] = {};
  clouds::Outliers const found = clouds::find_outliers(points);
  EXPECT_THAT(found.points, ElementsAre(17u, 4000u));
  EXPECT_NEAR(found.share, 100.0 / 4'600'000.0, 1e-6);
}

TEST(Outliers, AreNotWhatBelongsThere)
{
  std::vector<Position> points = tile({}, 5000);
  for (int i = 0; i < 40; ++i) { points[i].z = 80.0; }  // a tower
  EXPECT_TRUE(clouds::find_outliers(points).points.empty()) << "the tile is as wide as before";
  std::vector<Position> two_places = tile({}, 5000);
  for (int i = 0; i < 2500; ++i) { two_places[i].x += 100'000.0; }
  EXPECT_TRUE(clouds::find_outliers(two_places).points.empty()) << "half of all points";
  EXPECT_TRUE(clouds::find_outliers(std::vector<Position>(1000, on_the_map)).points.empty());
  EXPECT_TRUE(clouds::find_outliers(std::vector<Position>{{}, {1.0, 0.0, 0.0}, {1000.0, 0.0, 0.0}}).points.empty());
}

TEST_F(Survey, AStrayPointIsToldAndCanBeLeftOut)
{
  std::vector<Position> points = tile(on_the_map, 5000);
  points.push_back(on_the_map + Position{0.0, 0.0, 100'000.0});
  SpatialSetup set_up = two(lines_of(points), lines_of(tile(on_the_map, 5000)));
  set_up.settings.same_coordinates = false;
  open(set_up);
  EXPECT_LT(voxels(Model::a), 20u);
  EXPECT_THAT(scene().findings(), Contains(AllOf(HasSubstr("1 of 5,001 points lie far outside"), HasSubstr("0.1 %"),
                                                 HasSubstr("--ignore-outliers"))));
  EXPECT_EQ(statistics()["a"]["outliers"], 1);
  EXPECT_EQ(statistics()["a"]["outliers_left_out"], false);

  ModelSettings wanted = state().settings.models[Model::a];
  wanted.ignore_outliers = true;
  state().ask(UseModel{Model::a, wanted});
  frames(1);
  wait_for_models();
  EXPECT_EQ(voxels(Model::a), voxels(Model::b));
  EXPECT_EQ(state().snapshot.models[Model::a].points, 5000u);
  EXPECT_THAT(scene().findings(), Contains(HasSubstr("Left out 1 of 5,001 points")));
  EXPECT_EQ(statistics()["a"]["outliers_left_out"], true);
  EXPECT_THAT(all_voxels(scene().engine(), state()).comments, Contains(HasSubstr("1 points of A are left out")));

  scene().undo();
  frames(1);
  wait_for_models();
  EXPECT_LT(voxels(Model::a), 20u) << "undone";
}

TEST_F(Survey, ScenariosLeaveOutStrayPoints)
{
  std::vector<Position> points = tile(on_the_map, 5000);
  points.push_back({});
  folder_.write("a.xyz", lines_of(points));
  Scenario const scenario =
      read_scenario(scenes(),
                    folder_.write("s.slotscape.json",
                                  R"({"version": 1, "spatial": {"a": {"source": "a.xyz", "ignore_outliers": true}}})"));
  auto const& settings = std::any_cast<SpatialSetup const&>(scenario.set_up).settings;
  EXPECT_TRUE(settings.models[Model::a].ignore_outliers);
  EXPECT_FALSE(settings.models[Model::b].ignore_outliers);
  Json const saved = scenario.scene->write(scenario.set_up, folder_.path());
  EXPECT_EQ(saved["a"]["ignore_outliers"], true);
}

TEST_F(Survey, TheUpdatedModelStaysWhereTheCoordinatesHaveIt)
{
  std::vector<Position> points = tile(on_the_map, 5000);
  points.push_back(on_the_map + Position{0.0, 0.0, 5'000.0});
  SpatialSetup set_up = two(lines_of(points), lines_of(tile(on_the_map, 5000)));
  open(set_up);
  ASSERT_EQ(statistics()["common_coordinates"], true);
  std::uint64_t const before = voxels(Model::b);
  ModelSettings wanted = state().settings.models[Model::a];
  wanted.ignore_outliers = true;
  state().ask(UseModel{Model::a, wanted});
  frames(1);
  wait_for_models();
  EXPECT_EQ(statistics()["common_coordinates"], true);
  EXPECT_GT(voxels(Model::b), 100 * before) << "the common scale follows";
}

// --- changes

/// Two scans of one place: B lacks a heap that A has, has a trench beside it, and other points everywhere.
TEST_F(Survey, ChangesAreWhatOnlyOneSurveyHas)
{
  std::mt19937 random(7);
  std::uniform_real_distribution<double> place(0.0, 100.0);
  auto const scan = [&](double change, double from) {
    std::vector<Position> points;
    for (int i = 0; i < 60'000; ++i) {
      double const x = place(random);
      double const y = place(random);
      bool const changed = x > from && x < from + 10.0 && y > 40.0 && y < 50.0;
      points.push_back(on_the_map + Position{x, y, changed ? change : 0.0});
    }
    return lines_of(points);
  };
  SpatialSetup set_up = two(scan(6.0, 20.0), scan(-6.0, 60.0));
  set_up.voxel = 1.0;
  set_up.settings.hashing.changes = {.shown = true, .min_points = 3, .neighbours = true};
  open(set_up);
  Json const status = statistics()["status"];
  constexpr double top_and_hidden_ground = 10 * 10 + 8 * 8;  // what is beside the ground of the other one is the same
  EXPECT_NEAR(status["a"]["only_a"].get<double>(), top_and_hidden_ground, 20.0) << "the heap, and ground of the trench";
  EXPECT_NEAR(status["b"]["only_b"].get<double>(), top_and_hidden_ground, 20.0) << "the trench, and ground of the heap";
  EXPECT_EQ(status["a"]["only_b"], 0);
  EXPECT_GT(status["a"]["a_and_b"].get<double>(), 9'000.0);
  EXPECT_THAT(all_voxels(scene().engine(), state()).comments,
              Contains(HasSubstr("0 too_few_points, 1 only_a, 2 only_b, 3 a_and_b")));
  state().settings.hidden = *parts_of_name("a_and_b", true);
  frames(2);
  EXPECT_THAT(result_points(scene().engine(), state()).comments,
              Contains(HasSubstr("points of the changes between A and B, without what is hidden: a_and_b")));
  EXPECT_THAT(scene().findings(), Not(Contains(HasSubstr("differences mean nothing"))));
  press("3");
  EXPECT_FALSE(state().settings.hashing.changes.shown) << "a Boolean is of inside and outside";
  EXPECT_EQ(state().settings.hidden, 0) << "the intersection is something else";
  EXPECT_TRUE(statistics()["status"]["a"].contains("inside"));
}

/// What only one of two places has is everything.
TEST_F(Survey, ChangesNeedOneCoordinateSystem)
{
  SpatialSetup set_up = two(lines_of(tile(on_the_map, 2000)), lines_of(tile(on_the_map + Position{5000, 0, 0}, 2000)));
  set_up.settings.hashing.changes.shown = true;
  set_up.insists = true;
  EXPECT_THAT(message_of<Error>([&] { open(set_up); }),
              AllOf(HasSubstr("--changes"), HasSubstr("apart"), HasSubstr("--own-coordinates")));
  set_up.settings.same_coordinates = false;
  open(set_up);
  EXPECT_THAT(scene().findings(), Contains(HasSubstr("differences mean nothing")));
  EXPECT_TRUE(app_->toasts().says("differences mean nothing"));
  press("1");
  frames(2);
  EXPECT_FALSE(app_->toasts().says("differences mean nothing")) << "it does not hold any more";
}

TEST_F(Survey, OneCloudAloneHasNothingBesideIt)
{
  SpatialSceneSettings settings = test::small_settings();
  settings.models[Model::a] = file("a.xyz", lines_of(tile(on_the_map, 5000)));
  settings.models[Model::b].place = place_of_stand_in();
  open({settings});
  EXPECT_EQ(voxels(Model::b), 0u);
  EXPECT_EQ(statistics()["b"]["voxels"], 0);
  EXPECT_THAT(scene().findings(), Contains(HasSubstr("Only one model is shown")));
  EXPECT_EQ(all_voxels(scene().engine(), state()).positions.size(), voxels(Model::a));
  state().settings.models[Model::b].place.translation = {0.4f, 0.0f, 0.0f};
  frames(2);
  EXPECT_GT(voxels(Model::b), 0u) << "it was moved in";
}

TEST_F(Survey, KeysAreMadeAsTheStatisticsTell)
{
  for (std::uint32_t const side : {64u, 2048u}) {
    SpatialSceneSettings settings = test::small_settings();
    spatial::SpatialSettings& hashing = settings.hashing;
    set_grid_side(hashing, side);
    open({settings});
    Json const steps = statistics()["grid"]["key_steps"];
    for (spatial::VoxelInfo const& voxel : scene().engine().voxels(Model::a)) {
      auto const part = [&](std::int32_t at, std::size_t axis) {
        return static_cast<std::uint64_t>(at) * steps[axis].get<std::uint64_t>();
      };
      ASSERT_EQ(voxel.key, part(voxel.cell.x, 0) + part(voxel.cell.y, 1) + part(voxel.cell.z, 2));
    }
  }
}

// --- coordinates

TEST_F(Survey, TilesWithAGapKeepTheirFrame)
{
  for (double const apart : {150.0, 350.0}) {
    open(two(lines_of(tile(on_the_map, 3000)), lines_of(tile(on_the_map + Position{apart, 0.0, 0.0}, 3000))));
    EXPECT_EQ(statistics()["common_coordinates"], true) << apart;
    EXPECT_THAT(scene().findings(), Contains(AllOf(HasSubstr("keep the coordinates of their files"),
                                                   HasSubstr("tiles of one survey"), HasSubstr("--own-coordinates"))));
    EXPECT_EQ(state().snapshot.models[Model::a].outside_grid + state().snapshot.models[Model::b].outside_grid, 0u);
  }
}

TEST_F(Survey, FilesOfTwoPlacesDoNotAndSayWhy)
{
  open(two(lines_of(tile(on_the_map, 3000)), lines_of(tile(on_the_map + Position{20'000.0, 0.0, 0.0}, 3000))));
  EXPECT_EQ(statistics()["common_coordinates"], false);
  EXPECT_THAT(scene().findings(), Contains(AllOf(HasSubstr("19,900 apart"), HasSubstr("--same-coordinates"))));
  open(two(lines_of(tile({}, 3000)), lines_of(tile({150.0, 0.0, 0.0}, 3000))));
  EXPECT_EQ(statistics()["common_coordinates"], false);
  EXPECT_THAT(scene().findings(), Contains(HasSubstr("they do not both lie far from the origin")));
}

TEST_F(Survey, SameCoordinatesAreObeyedOrRefused)
{
  SpatialSetup set_up = two(lines_of(tile({}, 3000)), lines_of(tile({400.0, 0.0, 0.0}, 3000)));
  set_up.insists = true;
  set_up.settings.same_coordinates = true;
  open(set_up);
  EXPECT_EQ(statistics()["common_coordinates"], true);
  set_up = two(lines_of(tile({}, 3000)), lines_of(tile(on_the_map, 3000)));
  set_up.insists = true;
  set_up.settings.same_coordinates = true;
  EXPECT_THAT(refusal_of(set_up), AllOf(HasSubstr("--same-coordinates"), HasSubstr("too small or too far away")));
}

// --- voxels in the units of a file

TEST_F(Survey, AVoxelCanBeAskedForInTheUnitsOfTheFile)
{
  SpatialSetup set_up = two(lines_of(tile(on_the_map, 3000)), lines_of(tile(on_the_map, 3000)));
  for (double const metres : {0.5, 1.7, 0.3}) {
    set_up.voxel = metres;
    open(set_up);
    EXPECT_NEAR(statistics()["a"]["voxel_in_file_units"].get<double>(), metres, 1e-5 * metres);
    EXPECT_EQ(state().snapshot.models[Model::a].outside_grid, 0u);
  }
  state().ask(UseVoxel{Model::b, 2.0});
  frames(2);
  EXPECT_NEAR(*voxel_in_file(state(), Model::b), 2.0, 1e-5);
  set_up.voxel = 0.06;
  open(set_up);
  EXPECT_EQ(state().settings.hashing.family, "linear_probing") << "more than 1024 along a side";
  set_up.insists_on_table = true;
  EXPECT_THAT(refusal_of(set_up), AllOf(HasSubstr("--voxel 0.06"), HasSubstr("two_level_cuckoo")));
  set_up.voxel = 0.0001;
  EXPECT_THAT(refusal_of(set_up), AllOf(HasSubstr("4096"), HasSubstr("choose 0.05")));
  set_up.voxel = 1e6;
  EXPECT_THAT(refusal_of(set_up), HasSubstr("or less"));
}

TEST_F(Survey, ScenariosAskForVoxels)
{
  folder_.write("a.xyz", lines_of(tile(on_the_map, 3000)));
  Scenario const scenario =
      read_scenario(scenes(), folder_.write("s.slotscape.json",
                                            R"({"version": 1, "spatial": {"a": {"source": "a.xyz"}, "voxel": 0.5}})"));
  app_.reset();
  app_ = test::offscreen_app({640, 480}, scenario);
  frames(1);
  EXPECT_NEAR(*voxel_in_file(state(), Model::a), 0.5, 1e-5);
  auto const saved = std::any_cast<SpatialSetup>(scene().set_up());
  EXPECT_EQ(saved.voxel, 0.5);
  EXPECT_EQ(saved.settings.hashing.grid, state().settings.hashing.grid);
  state().settings.hashing.grid.side = 64;
  EXPECT_EQ(std::any_cast<SpatialSetup>(scene().set_up()).voxel, std::nullopt) << "another grid was chosen";
}

/// B stands in a scale of its own, so that a metre of its file is not one of A's.
TEST_F(Survey, ASavedVoxelKeepsItsWidthAndItsFile)
{
  SpatialSetup set_up = two(lines_of(tile(on_the_map, 3000)), lines_of(tile({}, 3000)));
  set_up.settings.models[Model::b].place.scale = 0.4f;
  open(set_up);
  for (Model const model : both_models) {
    SCOPED_TRACE(letter_of(model));
    state().ask(UseVoxel{model, 0.75});
    frames(2);
    auto const asked = state().asked_voxel;
    ASSERT_TRUE(asked);
    app_->documents().save_set_up(folder_ / "saved.slotscape.json");
    app_.reset();
    app_ = test::offscreen_app({1280, 720}, read_scenario(scenes(), folder_ / "saved.slotscape.json"));
    frames(2);
    EXPECT_EQ(state().asked_voxel, asked);
    EXPECT_NEAR(*voxel_in_file(state(), model), 0.75, 1e-5);
    state().settings.models[model].place.scale *= 0.9f;
    frames(2);
    EXPECT_NEAR(*voxel_in_file(state(), model), 0.75, 1e-5) << "it was opened as metres, not as a grid";
  }
}

TEST_F(Survey, AVoxelThatWasAskedForIsUndoneAndRedone)
{
  open(two(lines_of(tile(on_the_map, 3000)), lines_of(tile(on_the_map, 3000))));
  state().ask(UseVoxel{Model::b, 0.75});
  frames(2);
  auto const asked = state().asked_voxel;
  scene().undo();
  frames(2);
  EXPECT_EQ(state().asked_voxel, std::nullopt);
  scene().redo();
  frames(2);
  EXPECT_EQ(state().asked_voxel, asked);
}

// --- attributes

TEST_F(Survey, AnAttributeThatNoFileHasIsAnError)
{
  std::string rows = "//X Y Z intensity\n";
  for (Position const& p : tile({}, 400)) { rows += fmt::format("{} {} {} {}\n", p.x, p.y, p.z, 7); }
  SpatialSetup set_up = two(rows, lines_of(tile({}, 400)));
  set_up.settings.view.paint_by = spatial::PaintBy::attribute;
  set_up.settings.view.attribute = "foo";
  set_up.insists = true;
  EXPECT_THAT(refusal_of(set_up), AllOf(HasSubstr("--attribute"), HasSubstr("'foo'"), HasSubstr("intensity")));
  set_up.insists = false;  // a scenario
  open(set_up);
  EXPECT_THAT(scene().findings(), Contains(AllOf(HasSubstr("'foo'"), HasSubstr("intensity"))));
  set_up.settings.view.attribute = "intensity";
  set_up.insists = true;
  open(set_up);
  EXPECT_THAT(scene().findings(), Not(Contains(HasSubstr("Neither model"))));
}

// --- the view

TEST_F(Survey, AFileFillsTheViewAtFirstWhichIsNothingToUndo)
{
  SpatialSetup set_up = two(lines_of(tile(on_the_map, 3000)), lines_of(tile(on_the_map, 3000)));
  auto const width_in_view = [&] {
    double left = 1.0;
    double right = 0.0;
    for (spatial::Vector const& corner : corners_in_scene(state(), Model::a)) {
      double const at = scene().camera().to_canvas(corner)->x / scene().camera().width();
      left = std::min(left, at);
      right = std::max(right, at);
    }
    return right - left;
  };
  open(set_up);
  frames(20);
  EXPECT_GT(width_in_view(), 0.5);
  EXPECT_EQ(scene().undoes(), "");
  EXPECT_EQ(std::any_cast<SpatialSetup>(scene().set_up()).camera, std::nullopt);
  set_up.fits = false;
  open(set_up);
  EXPECT_LT(width_in_view(), 0.5);
}

TEST_F(Survey, FFramesTheModels)
{
  SpatialSceneSettings settings = test::small_settings();
  settings.models[Model::a].place = {{}, {-0.6f, 0.0f, 0.0f}, 0.1f};
  settings.models[Model::b].place = {{}, {-0.9f, 0.0f, 0.0f}, 0.1f};
  test::SpatialSceneTest::open(settings);
  auto const share_of = [&](spatial::Vector point) {
    auto const at = scene().camera().to_canvas(point).value();
    return std::pair(at.x / scene().camera().width(), at.y / scene().camera().height());
  };
  press("F");
  frames(20);
  double left = 1.0;
  double right = 0.0;
  double low = 1.0;
  double high = 0.0;
  for (float const x : {-1.0f, -0.5f}) {
    for (float const y : {-0.1f, 0.1f}) {
      for (float const z : {-0.1f, 0.1f}) {
        auto const [across, down] = share_of({x, y, z});
        left = std::min(left, across);
        right = std::max(right, across);
        low = std::min(low, down);
        high = std::max(high, down);
      }
    }
  }
  EXPECT_GE(std::min(left, low), 0.0);
  EXPECT_LE(std::max(right, high), 1.0);
  EXPECT_GT(std::max(right - left, high - low), 0.7) << "they fill the view";
  double const of_both = scene().camera().place().distance;
  press("F");
  frames(20);
  EXPECT_LT(scene().camera().place().distance, of_both) << "again: the chosen one";
}

// --- updates that take longer than a frame

class SlowUpdate : public Survey {
protected:
  SpatialSetup slow(std::uint32_t side)
  {
    constexpr int points = 250'000;
    SpatialSetup set_up =
        two(lines_of(tile(on_the_map, points, 0.1)), lines_of(tile(on_the_map + Position{0.0, 0.0, 0.3}, points, 0.1)));
    set_up.settings.hashing.grid.side = side;
    set_up.settings.show_maps = false;
    return set_up;
  }
  /// As in the window.
  void let_frames_go_on() { app_->scene_host().set_max_wait(0.001); }
  bool updating() { return state().update_progress.has_value(); }
};

TEST_F(SlowUpdate, GoesOnBesideTheFramesAndCanBeCancelled)
{
  open(slow(64));
  let_frames_go_on();
  spatial::SpatialSnapshot const before = state().snapshot;
  state().settings.hashing.grid.side = 1024;
  frames(1);
  ASSERT_TRUE(updating());
  EXPECT_THAT(state().update_progress->what, HasSubstr("1024"));
  EXPECT_TRUE(scene().cancellable());
  EXPECT_FALSE(scene().quiet());
  EXPECT_THAT(message_of<Error>([&] { scene().save_voxels(folder_ / "v.ply"); }), HasSubstr("being updated"));
  EXPECT_EQ(statistics()["a"]["voxels"], before.models[Model::a].voxels) << "of the picture that is shown";
  scene().cancel();
  ASSERT_TRUE(frames_until([&] { return scene().quiet(); }));
  EXPECT_EQ(state().settings.hashing.grid.side, 64u);
  EXPECT_EQ(voxels(Model::a), before.models[Model::a].voxels);
  EXPECT_THAT(state().notice, HasSubstr("Cancelled"));
  scene().save_voxels(folder_ / "v.ply");
}

TEST_F(SlowUpdate, EndsWithTheGridThatWasAskedFor)
{
  open(slow(64));
  let_frames_go_on();
  state().settings.hashing.grid.side = 1024;
  frames(1);
  state().settings.hashing.grid.side = 256;  // she thinks better of it
  ASSERT_TRUE(frames_until([&] { return scene().quiet(); }));
  EXPECT_EQ(state().settings.hashing.grid.side, 256u);
  EXPECT_GT(voxels(Model::a), 4000u);
  EXPECT_FALSE(updating());
}

TEST_F(SlowUpdate, OfTheFirstPictureCanBeCancelled)
{
  SpatialSetup set_up = slow(1024);
  set_up.settings.show_maps = true;
  app_.reset();
  app_ = test::offscreen_app({1280, 720}, test::spatial_scenario(set_up));
  let_frames_go_on();
  frames(1);
  ASSERT_TRUE(updating());
  scene().cancel();
  ASSERT_TRUE(frames_until([&] { return scene().quiet(); }));
  EXPECT_EQ(state().settings.hashing.grid.side, SpatialSceneSettings{}.hashing.grid.side);
  EXPECT_GT(voxels(Model::a), 0u);
}

TEST_F(SlowUpdate, AnotherModelEndsIt)
{
  open(slow(64));
  let_frames_go_on();
  state().settings.hashing.grid.side = 1024;
  frames(1);
  ASSERT_TRUE(updating());
  state().ask(UseModel{Model::b, {"sphere", 4000, {{}, {}, 0.7f}}});
  ASSERT_TRUE(frames_until([&] { return scene().quiet(); }));
  EXPECT_EQ(state().settings.models[Model::b].source, "sphere");
  EXPECT_EQ(state().snapshot.models[Model::b].points, 4000u);
}

TEST_F(SlowUpdate, MovingModelsAreShownAllTheSame)
{
  SpatialSceneSettings settings = test::small_settings();
  settings.animation.motion = Motion::spin;
  settings.animation.running = true;
  for (ModelSettings& model : settings.models.of) { model.points = 200'000; }
  settings.hashing.grid.side = 512;
  open(SpatialSetup{settings});
  let_frames_go_on();
  std::size_t const before = state().stages.frames().size();
  ASSERT_TRUE(frames_until([&] { return state().stages.frames().size() >= before + 5; }));
}

}  // namespace
}  // namespace slotscape
