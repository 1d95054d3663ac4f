// Surveys that are not clean: what is left out decides the placement again, exports have the numbers of the files, and
// voxels keep the width that was asked for.

#include "app/clouds/coordinate_steps.hpp"
#include "app/clouds/outliers.hpp"
#include "app/scenes/spatial/coordinates.hpp"
#include "app/scenes/spatial/export.hpp"
#include "app/scenes/spatial/gui.hpp"
#include "app/scenes/spatial/placing.hpp"
#include "tests/app/clouds/cloud_files.hpp"
#include "tests/app/scenes/spatial/spatial_scene.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <unordered_map>

namespace slotscape {
namespace {

using clouds::Outliers;
using clouds::Pile;
using clouds::Position;
using clouds::RepeatedCoordinate;
using spatial::Model;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Optional;
using ::testing::StartsWith;

constexpr Position site{412'345.6, 5'678'901.2, 187.3};

/// 100 by 80 metres of hills, in millimetres.
std::vector<Position> hills_of(int count, unsigned seed)
{
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> share(0.0, 1.0);
  auto const millimetres = [](double x) { return std::round(x * 1000.0) / 1000.0; };
  std::vector<Position> points;
  for (int i = 0; i < count; ++i) {
    double const x = 100.0 * share(random);
    double const y = 80.0 * share(random);
    double const z = 4.0 * std::sin(x / 17.0) + 3.0 * std::cos(y / 13.0) + 0.05 * x + 0.03 * share(random);
    points.push_back({millimetres(site.x + x), millimetres(site.y + y), millimetres(site.z + z)});
  }
  return points;
}

std::string rows_of(std::vector<Position> const& points)
{
  std::string text = "x,y,z,intensity,classification\n";
  for (std::size_t i = 0; i < points.size(); ++i) {
    Position const& p = points[i];
    text += fmt::format("{:.3f},{:.3f},{:.3f},{},{}\n", p.x, p.y, p.z, i % 200, i % 3 == 0 ? 2 : 5);
  }
  return text;
}

/// The same with points that are no part of it, and one that is no number.
std::string dirty_rows_of(std::vector<Position> points)
{
  points[500] = {site.x + 50.0, site.y + 40.0, 5000.0};
  points[501] = {};
  points[502] = {site.x + 50.0, site.y + 40.0, -9999.0};
  std::string text = rows_of(points);
  text.insert(text.find('\n') + 1, "nan,nan,nan,0,0\n");
  return text;
}

class DirtySurvey : public test::SpatialSceneTest {
protected:
  static constexpr int count = 6000;

  std::filesystem::path clean() { return folder_.write("a.csv", rows_of(hills_of(count, 1))); }
  std::filesystem::path dirty() { return folder_.write("b.csv", dirty_rows_of(hills_of(count, 2))); }

  void open_both(SpatialSetup set_up = {test::small_settings()})
  {
    set_up.settings.models[Model::a] = fresh_model(clean().string());
    set_up.settings.models[Model::b] = fresh_model(dirty().string());
    set_up.settings.hashing.grid.side = 128;
    set_up.settings.boolean = spatial::Boolean::both;
    app_.reset();
    app_ = test::offscreen_app({1280, 720}, test::spatial_scenario(set_up));
    frames(2);
  }
  void leave_out(bool leaves = true)
  {
    ModelSettings wanted = state().settings.models[Model::b];
    wanted.ignore_outliers = leaves;
    state().ask(UseModel{Model::b, wanted});
    frames(1);
    wait_for_models();
  }
  /// Ends the program.
  std::string panel()
  {
    SpatialState copy = state();
    app_.reset();  // there can be one at a time
    return test::text_of_panel([&](Look const& look) { models_panel(look, copy); });
  }

  test::TemporaryFolder folder_;
};

// --- the placement

TEST_F(DirtySurvey, LeavingOutStrayPointsDecidesThePlacementAgain)
{
  open_both();
  EXPECT_EQ(placement_of(state()), PlacedAs::each_by_itself);
  EXPECT_THAT(scene().findings(),
              Contains(AllOf(HasSubstr("placed separately"), HasSubstr("B has 3 points far outside"))));
  EXPECT_THAT(text_of_placement(state()), AllOf(StartsWith("Each by itself"), HasSubstr("B has 3 points")));
  leave_out();
  EXPECT_EQ(placement_of(state()), PlacedAs::same_coordinates);
  EXPECT_THAT(text_of_placement(state()), HasSubstr("overlap"));
  spatial::PerModel<spatial::Pose> const places = state().poses;
  leave_out(false);
  EXPECT_EQ(placement_of(state()), PlacedAs::each_by_itself) << "they are back";
  leave_out();
  EXPECT_EQ(state().poses, places);

  SpatialSetup set_up{test::small_settings()};
  set_up.settings.models[Model::a] = fresh_model(clean().string());
  set_up.settings.models[Model::b] = fresh_model(dirty().string());
  set_up.settings.models[Model::b].ignore_outliers = true;
  app_ = nullptr;
  app_ = test::offscreen_app({1280, 720}, test::spatial_scenario(set_up));
  frames(2);
  EXPECT_EQ(state().poses, places) << "as if they had been left out from the start";
}

TEST_F(DirtySurvey, FilesOpenedInTheWindowAreNoDifferent)
{
  press("A");
  app_->open(clean());
  frames(1);
  wait_for_models();
  press("B");
  app_->open(dirty());
  frames(1);
  wait_for_models();
  ASSERT_EQ(placement_of(state()), PlacedAs::each_by_itself);
  leave_out();
  EXPECT_EQ(placement_of(state()), PlacedAs::same_coordinates);
  scene().undo();
  frames(1);
  wait_for_models();
  EXPECT_EQ(placement_of(state()), PlacedAs::each_by_itself);
  scene().redo();
  frames(1);
  wait_for_models();
  EXPECT_EQ(placement_of(state()), PlacedAs::same_coordinates);
}

TEST_F(DirtySurvey, WhatTheUserHasChosenStays)
{
  open_both();
  state().ask(PlaceEachByItself{});
  frames(1);
  leave_out();
  EXPECT_EQ(placement_of(state()), PlacedAs::each_by_itself) << "asked for";
  EXPECT_THAT(text_of_placement(state()), HasSubstr("you chose"));
  open_both();
  state().settings.models[Model::a].place.translation.x += 0.2f;
  frames(1);
  leave_out();
  EXPECT_EQ(placement_of(state()), PlacedAs::each_by_itself) << "A was moved";
}

TEST_F(DirtySurvey, ThePanelSaysHowTheModelsArePlaced)
{
  open_both();
  EXPECT_THAT(panel(), AllOf(HasSubstr("Each by itself"), HasSubstr("far outside")));
  open_both();
  leave_out();
  EXPECT_THAT(panel(), HasSubstr("In the coordinates of their files, at the same scale"));
}

TEST_F(DirtySurvey, ExchangedAxesAreTold)
{
  std::vector<Position> points = hills_of(2000, 2);
  for (Position& p : points) { std::swap(p.x, p.y); }
  SpatialSetup set_up{test::small_settings()};
  set_up.settings.models[Model::a] = fresh_model(clean().string());
  set_up.settings.models[Model::b] = fresh_model(folder_.write("n.csv", rows_of(points)).string());
  app_.reset();
  app_ = test::offscreen_app({640, 480}, test::spatial_scenario(set_up));
  frames(1);
  EXPECT_THAT(scene().findings(), Contains(AllOf(HasSubstr("northing first"), Not(HasSubstr("outlier")))));
}

// --- outliers

std::vector<Position> with_no_data(std::vector<Position> points, int one_in, double value)
{
  for (std::size_t i = 0; i < points.size(); i += static_cast<std::size_t>(one_in)) { points[i].z = value; }
  return points;
}

TEST(SurveyOutliers, OneCoordinateOfManyPointsStandsForNoData)
{
  for (int const one_in : {10, 40, 60, 3}) {
    Outliers const found = clouds::find_outliers(with_no_data(hills_of(3000, 1), one_in, -9999.0));
    std::uint64_t const points = (2999 / static_cast<std::uint64_t>(one_in)) + 1;
    EXPECT_THAT(found.repeated, ElementsAre(RepeatedCoordinate{2, -9999.0, points})) << one_in;
    EXPECT_EQ(found.points.size(), points);
    EXPECT_THAT(clouds::note_of_outliers(found, 3000, false), HasSubstr("z is −9999 in"));
  }
  EXPECT_EQ(clouds::find_outliers(with_no_data(hills_of(3000, 1), 10, 77777.0)).repeated.size(), 1u) << "of their own";
  std::vector<Position> both = with_no_data(hills_of(3000, 1), 7, -9999.0);
  EXPECT_EQ(clouds::find_outliers(with_no_data(both, 20, -32768.0)).repeated.size(), 2u);
}

/// Beams that did not return, at the place of the scanner or at 0 0 0 of the map.
TEST(SurveyOutliers, PointsInOnePlaceStandForNoData)
{
  auto const with_pile = [](std::vector<Position> points, std::size_t of_a_hundred, Position const& place) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (i * 37 % 100 < of_a_hundred) { points[i] = place; }
    }
    return points;
  };
  for (std::size_t const share : {2u, 30u, 55u, 85u}) {
    SCOPED_TRACE(share);
    std::uint64_t const points = 30 * share;
    Outliers const found = clouds::find_outliers(with_pile(hills_of(3000, 1), share, {}));
    EXPECT_THAT(found.pile, Optional(Pile{{}, false, points}));
    EXPECT_EQ(found.points.size(), points);
    EXPECT_THAT(clouds::note_of_outliers(found, 3000, false), HasSubstr("are at the same place, 0 0 0"));
    Outliers const no_data = clouds::find_outliers(with_pile(hills_of(3000, 1), share, {-9999.0, -9999.0, -9999.0}));
    EXPECT_EQ(no_data.points.size(), points);
    EXPECT_THAT(clouds::note_of_outliers(no_data, 3000, false), Not(HasSubstr("is −9999 in"))) << "the place says it";
    Position const elsewhere{-1000.0, -1000.0, 7.5};
    EXPECT_EQ(clouds::find_outliers(with_pile(hills_of(3000, 1), share, elsewhere)).points.size(), points);
    std::vector<Position> around_the_scanner = hills_of(3000, 1);
    for (Position& p : around_the_scanner) { p = p - site - Position{30.0, 40.0, 0.0}; }
    EXPECT_EQ(clouds::find_outliers(with_pile(around_the_scanner, share, {})).points.size(), points);
  }
  std::vector<Position> without_place = hills_of(3000, 1);
  for (std::size_t i = 0; i < 1800; ++i) { without_place[i].x = without_place[i].y = 0.0; }
  EXPECT_THAT(clouds::find_outliers(without_place).pile, Optional(Pile{{}, true, 1800}));
}

TEST(SurveyOutliers, RepeatedPointsOfTheSurfaceAreNone)
{
  std::vector<Position> const twenty = hills_of(20, 1);
  std::vector<Position> all_repeated(3000);
  for (std::size_t i = 0; i < all_repeated.size(); ++i) { all_repeated[i] = twenty[i % twenty.size()]; }
  EXPECT_THAT(clouds::find_outliers(all_repeated).points, IsEmpty());
  std::vector<Position> one_often = hills_of(3000, 1);
  for (std::size_t i = 0; i < 300; ++i) { one_often[i] = one_often[2000]; }
  EXPECT_THAT(clouds::find_outliers(one_often).points, IsEmpty());
}

TEST(SurveyOutliers, MissingHeightsOfALargeTileAreFar)
{
  std::vector<Position> points = hills_of(3000, 1);
  for (Position& p : points) { p.x += 200.0 * (p.x - site.x); }
  Outliers const found = clouds::find_outliers(with_no_data(points, 30, -9999.0));
  EXPECT_EQ(found.points.size(), 100u);
  EXPECT_GT(found.share, 0.9);
  EXPECT_THAT(clouds::note_of_outliers(found, 3000, true), Not(HasSubstr("span only")));
}

TEST(SurveyOutliers, AFewBirdsAreFound)
{
  std::vector<Position> points = hills_of(3000, 1);
  points[7].z = site.z + 200.0;
  points[8].z = site.z - 150.0;
  EXPECT_THAT(clouds::find_outliers(points).points, ElementsAre(7u, 8u));
}

TEST(SurveyOutliers, TailsFloorsAndMastsAreNone)
{
  std::mt19937 random(1);
  std::cauchy_distribution<double> far(0.0, 5.0);
  std::vector<Position> scan;  // thinner with the distance
  for (int i = 0; i < 5000; ++i) {
    double const radius = std::min(std::abs(far(random)), 150.0);
    scan.push_back({radius * std::cos(i), radius * std::sin(i), 0.0});
  }
  EXPECT_THAT(clouds::find_outliers(scan).points, IsEmpty());
  std::vector<Position> room = hills_of(2000, 1);  // as flat as paper, and a ceiling
  for (std::size_t i = 0; i < room.size(); ++i) { room[i].z = i % 2 == 0 ? 0.0 : 30.0; }
  EXPECT_THAT(clouds::find_outliers(room).points, IsEmpty());
  std::vector<Position> mast = hills_of(3000, 1);
  for (std::size_t i = 0; i < 200; ++i) { mast[i] = site + Position{50.0, 40.0, static_cast<double>(i)}; }
  EXPECT_THAT(clouds::find_outliers(mast).points, IsEmpty());
}

TEST(SurveyOutliers, AskingForThemIsAlwaysAnswered)
{
  auto const notes_of = [](std::string_view name, std::string const& text) {
    return clouds::test::load_content(name, text, {.points = 1000, .ignore_outliers = true}).notes;
  };
  EXPECT_THAT(notes_of("a.csv", rows_of(hills_of(500, 1))),
              Contains(HasSubstr("No outliers were found: none of 500 points")));
  EXPECT_THAT(notes_of("a.xyz", "0 0 0\n1 0 0\n0 1 0\n"), Contains(HasSubstr("3 points are too few")));
  EXPECT_THAT(notes_of("a.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n"), Contains(HasSubstr("of a mesh")));
  EXPECT_THAT(notes_of("b.csv", dirty_rows_of(hills_of(500 + 3, 1))), Contains(HasSubstr("Left out 3 of 503 points")));
}

// --- exports

TEST_F(DirtySurvey, ExportedPointsHaveTheNumbersOfTheFile)
{
  open_both();
  std::vector<Position> const points = hills_of(count, 2);
  clouds::PlyPoints const ply = result_points(scene().engine(), state());
  CellsInFile const cells = cells_in_file(state(), Model::b).value();
  std::size_t of_b = 0;
  ASSERT_EQ(ply.rows.size(), ply.positions.size());
  for (std::size_t i = 0; i < ply.positions.size(); ++i) {
    std::size_t const row = static_cast<std::size_t>(ply.rows[i]);
    if (ply.model[i] == 0 || (row >= 501 && row <= 503)) { continue; }
    ++of_b;
    ASSERT_EQ(ply.positions[i], points.at(row - 1)) << "behind the row that is no number";
    Position const from = ply.positions[i] - cells.origin;
    double const width = cells.steps[0].x;
    ASSERT_NEAR(std::floor(from.x / width), ply.cells[i].x, 1.0);
  }
  EXPECT_EQ(of_b, std::size_t{count} - 3);
}

TEST_F(DirtySurvey, CellsAndOriginsPutVoxelsIntoTheFile)
{
  open_both();
  leave_out();
  clouds::PlyPoints const ply = all_voxels(scene().engine(), state());
  CellsInFile const cells = cells_in_file(state(), Model::a).value();
  ASSERT_EQ(ply.cells.size(), ply.positions.size());
  for (std::size_t i = 0; i < ply.cells.size(); ++i) {
    Position const from = ply.positions[i] - cells.origin;
    ASSERT_NEAR(from.x / cells.steps[0].x, ply.cells[i].x + 0.5, 0.501);
    ASSERT_NEAR(from.y / cells.steps[1].y, ply.cells[i].y + 0.5, 0.501);
    ASSERT_NEAR(from.z / cells.steps[2].z, ply.cells[i].z + 0.5, 0.501);
  }
  EXPECT_THAT(ply.comments, Contains(HasSubstr("cells of A begin at (")));
  EXPECT_THAT(ply.comments, Contains(AllOf(HasSubstr("1 behind"), HasSubstr("2 in front")))) << "both are open";
}

TEST_F(DirtySurvey, VoxelsHaveTheAttributesOfTheirPoints)
{
  open_both();
  std::vector<Position> const points = hills_of(count, 1);
  clouds::PlyPoints const result = result_points(scene().engine(), state());
  clouds::PlyPoints const voxels = all_voxels(scene().engine(), state());
  struct Sums {
    double intensity = 0.0;
    double points = 0.0;
    int first_class = -1;
  };
  auto const key = [](spatial::Cell const& cell) { return (cell.x * 4096 + cell.y) * std::int64_t{4096} + cell.z; };
  std::unordered_map<std::int64_t, Sums> expected;
  for (std::size_t i = 0; i < result.rows.size() && result.model[i] == 0; ++i) {
    Sums& sums = expected[key(result.cells[i])];
    sums.intensity += result.rows[i] % 200;
    sums.points += 1.0;
    if (sums.first_class < 0) { sums.first_class = result.rows[i] % 3 == 0 ? 2 : 5; }
  }
  ASSERT_EQ(voxels.attributes.size(), 2u);
  EXPECT_EQ(voxels.attributes[0].name(), "intensity");
  EXPECT_EQ(voxels.attributes[1].name(), "classification");
  for (std::size_t i = 0; i < voxels.cells.size() && voxels.model[i] == 0; ++i) {
    Sums const& sums = expected.at(key(voxels.cells[i]));
    ASSERT_NEAR(voxels.attributes[0][i], sums.intensity / sums.points, 1e-9);
    ASSERT_EQ(voxels.attributes[1][i], sums.first_class);
  }
}

// --- voxels of a width

TEST_F(DirtySurvey, AVoxelThatWasAskedForKeepsItsWidth)
{
  SpatialSetup set_up{test::small_settings()};
  set_up.voxel = 1.0;
  open_both(set_up);
  auto const expect_width = [&](double width) { EXPECT_NEAR(*voxel_in_file(state(), Model::a), width, 1e-5 * width); };
  expect_width(1.0);
  leave_out();
  expect_width(1.0);
  state().ask(PlaceEachByItself{});
  frames(2);
  expect_width(1.0);
  state().ask(PlaceByCoordinates{});
  frames(2);
  expect_width(1.0);
  state().settings.models[Model::a].place.scale *= 0.8f;
  frames(2);
  expect_width(1.0);
  state().settings.hashing.grid.side = 64;  // another one was chosen
  frames(1);
  EXPECT_EQ(state().asked_voxel, std::nullopt);
  leave_out(false);
  EXPECT_EQ(state().settings.hashing.grid.side, 64u);
}

TEST_F(DirtySurvey, StrayPointsAreTheReasonWhyAVoxelIsTooSmall)
{
  SpatialSetup set_up{test::small_settings()};
  set_up.settings.models[Model::a] = fresh_model(dirty().string());
  set_up.voxel = 0.5;
  auto const open = [&] {
    app_.reset();
    app_ = test::offscreen_app({640, 480}, test::spatial_scenario(set_up));
    frames(1);
  };
  EXPECT_THAT(test::message_of<Error>(open), AllOf(HasSubstr("would need a grid of"), HasSubstr("A has 3 points far"),
                                                   HasSubstr("--ignore-outliers"), HasSubstr("may then be smaller")));
  set_up.settings.models[Model::a].ignore_outliers = true;
  open();
  EXPECT_NEAR(*voxel_in_file(state(), Model::a), 0.5, 1e-6);
  set_up.voxel = 1e-5;
  EXPECT_THAT(test::message_of<Error>(open), Not(HasSubstr("outliers"))) << "they are left out";
}

TEST_F(DirtySurvey, AVoxelThatNoGridCanHaveAnyMoreIsTold)
{
  SpatialSetup set_up{test::small_settings()};
  set_up.voxel = 1.0;
  open_both(set_up);
  state().settings.models[Model::a].place.scale = 50.0f;
  frames(2);
  EXPECT_THAT(state().notice, HasSubstr("Voxels are no longer 1 of the file's units wide"));
}

// --- cells, as other programs count them

using CellOfFile = std::array<std::int64_t, 3>;

/// Cubic metres, by whole millimetres.
std::set<CellOfFile> metres_of(std::vector<Position> const& points)
{
  std::set<CellOfFile> cells;
  for (Position const& p : points) {
    cells.insert(
        {std::llround(1000.0 * p.x) / 1000, std::llround(1000.0 * p.y) / 1000, std::llround(1000.0 * p.z) / 1000});
  }
  return cells;
}

std::uint64_t count_of_common(std::set<CellOfFile> const& a, std::set<CellOfFile> const& b)
{
  return static_cast<std::uint64_t>(std::ranges::count_if(a, [&](CellOfFile const& cell) { return b.contains(cell); }));
}

/// Two surveys of one place, some points of which are the same, and many of which lie on borders of cells.
class Cells : public DirtySurvey {
protected:
  Cells()
  {
    for (int i = 0; i < 4000; ++i) {
      Position& p = a_[static_cast<std::size_t>(i)];
      p = {std::round(p.x), p.y, i % 2 == 0 ? std::round(p.z) : p.z};
    }
    b_ = hills_of(3000, 2);
    for (std::size_t i = 0; i < 3000; ++i) { b_.push_back(a_[i]); }
  }
  void open_both_at(double voxel) { open_cells(voxel, fresh_model(folder_.write("b.csv", rows_of(b_)).string())); }
  void open_cells(double voxel, ModelSettings const& b)
  {
    SpatialSetup set_up{test::small_settings()};
    set_up.settings.models[Model::a] = fresh_model(folder_.write("a.csv", rows_of(a_)).string());
    set_up.settings.models[Model::b] = b;
    set_up.settings.boolean = spatial::Boolean::both;
    set_up.voxel = voxel;
    app_.reset();
    app_ = test::offscreen_app({640, 480}, test::spatial_scenario(set_up));
    frames(2);
  }
  std::uint64_t voxels(Model model) { return state().snapshot.models[model].voxels; }
  std::uint64_t shown(Model model) { return state().snapshot.models[model].shown; }

  std::vector<Position> a_ = hills_of(6000, 1);
  std::vector<Position> b_;
};

TEST_F(Cells, OfAMetreAreThoseOfTheCoordinatesWhateverStandsBeside)
{
  std::set<CellOfFile> const a = metres_of(a_);
  std::set<CellOfFile> const b = metres_of(b_);
  open_both_at(1.0);
  EXPECT_EQ(voxels(Model::a), a.size());
  EXPECT_EQ(voxels(Model::b), b.size());
  EXPECT_EQ(SpatialSceneTest::count(Model::a, spatial::VoxelStatus::intersection), count_of_common(a, b));
  CellsInFile const cells = *cells_in_file(state(), Model::a);
  for (double const place : {cells.origin.x, cells.origin.y, cells.origin.z}) {
    EXPECT_NEAR(place - std::round(place), -0.0005, 1e-4) << "a metre, less half a millimetre";
  }
  open_cells(1.0, {"sphere", 4000, {{}, {0.85f, 0.85f, 0.85f}, 0.2f}});
  EXPECT_EQ(voxels(Model::a), a.size());
  SpatialSetup const saved = std::any_cast<SpatialSetup>(scene().set_up());
  app_.reset();
  app_ = test::offscreen_app({640, 480}, test::spatial_scenario(saved));
  frames(2);
  EXPECT_EQ(voxels(Model::a), a.size()) << "as it was saved";
}

TEST_F(Cells, StayThoseOfTheCoordinatesWhileTheOtherFileIsMoved)
{
  open_both_at(1.0);
  for (Model const moved : both_models) {
    Model const other = spatial::other(moved);
    std::uint64_t const before = voxels(other);
    double const scale = *scene_units_per_unit(state(), other);
    CellsInFile const cells = *cells_in_file(state(), other);
    ModelSettings& model = state().settings.models[moved];
    spatial::Pose const opened = model.place;
    model.place.translation.z += 0.123f;
    frames(2);
    ASSERT_EQ(placement_of(state()), PlacedAs::one_scale);
    EXPECT_EQ(voxels(other), before);
    EXPECT_EQ(*scene_units_per_unit(state(), other), scale) << "to the last digit";
    EXPECT_LT(length(cells_in_file(state(), other)->origin - cells.origin), 1e-9);
    model.place = opened;
    frames(2);
  }
}

TEST_F(Cells, HaveOneScaleForBothToTheLastDigit)
{
  open_both_at(0.7);
  app_->measurements().write(folder_ / "s.json", {});
  Json const json = parse_json(test::content_of(folder_ / "s.json"), "s.json");
  EXPECT_EQ(json["a"]["scene_units_per_file_unit"], json["b"]["scene_units_per_file_unit"]);
  EXPECT_EQ(json["a"]["cells_in_file"], json["b"]["cells_in_file"]);
  clouds::PlyPoints const ply = result_points(scene().engine(), state());
  std::map<std::array<double, 3>, spatial::Cell> seen;
  for (std::size_t i = 0; i < ply.positions.size(); ++i) {
    Position const& p = ply.positions[i];
    spatial::Cell const& cell = seen.try_emplace(std::array{p.x, p.y, p.z}, ply.cells[i]).first->second;
    ASSERT_EQ(cell, ply.cells[i]) << "of a point that both files have";
  }
}

/// What is new, and what is gone.
TEST_F(Cells, OfAStatusCanBeHidden)
{
  std::set<CellOfFile> const a = metres_of(a_);
  std::set<CellOfFile> const b = metres_of(b_);
  open_both_at(1.0);
  std::uint64_t const common = count_of_common(a, b);
  hide_or_show(state().settings, parts_of_status(spatial::VoxelStatus::intersection));
  frames(2);
  EXPECT_EQ(shown(Model::a), a.size() - common);
  EXPECT_EQ(shown(Model::b), b.size() - common);
  state().settings.hidden |= *parts_of_name("b");
  frames(2);
  EXPECT_EQ(shown(Model::a), a.size() - common);
  EXPECT_EQ(shown(Model::b), 0u);
  clouds::PlyPoints const ply = result_points(scene().engine(), state());
  EXPECT_EQ(metres_of(ply.positions).size(), a.size() - common);
  EXPECT_THAT(ply.comments, Contains(HasSubstr("without what is hidden: b and a_intersection")));
  press("7");
  EXPECT_EQ(state().settings.hidden, *parts_of_name("b") & ~parts_of_status(spatial::VoxelStatus::intersection));
  scene().undo();
  frames(2);
  EXPECT_THAT(names_of_parts(state().settings.hidden), ElementsAre("b", "a_intersection"));
}

// --- coordinates in steps

TEST(SurveySteps, OfSinglePrecisionAreFound)
{
  std::vector<Position> points = hills_of(5000, 1);
  EXPECT_NEAR(clouds::coordinate_steps(points).y, 0.001, 1e-6) << "millimetres";
  for (Position& p : points) {
    p = {static_cast<double>(static_cast<float>(p.x)), static_cast<double>(static_cast<float>(p.y)), p.z};
  }
  Position const steps = clouds::coordinate_steps(points);
  EXPECT_EQ(steps.x, 0.03125);
  EXPECT_EQ(steps.y, 0.5);
  for (std::size_t i = 0; i < points.size(); ++i) { points[i].y += 0.3 * std::sin(static_cast<double>(i)); }
  EXPECT_LT(clouds::coordinate_steps(points).y, 1e-3);
}

/// A room: 13 different northings.
TEST(SurveySteps, OfSinglePrecisionAreFoundInASmallArea)
{
  std::vector<Position> points;
  for (std::size_t i = 0; i < 2000; ++i) {
    auto const at = static_cast<double>(i);
    auto const single = [](double number) { return static_cast<double>(static_cast<float>(number)); };
    points.push_back({single(500'000.0 + std::fmod(0.0173 * at, 8.0)), single(5'400'000.0 + std::fmod(0.031 * at, 6.0)),
                      single(312.0 + std::fmod(0.0077 * at, 3.0))});
  }
  Position const steps = clouds::coordinate_steps(points);
  EXPECT_EQ(steps.x, 0.03125);
  EXPECT_EQ(steps.y, 0.5);
  EXPECT_EQ(steps.z, std::ldexp(1.0, -15));
  clouds::PointCloud cloud;
  cloud.frame = clouds::frame_of(points);
  cloud.steps = steps;
  EXPECT_THAT(clouds::note_of_steps(cloud, 0.02, "voxels of 0.02"),
              AllOf(HasSubstr("x is stored in steps of 0.03125 and y is stored in steps of 0.5"),
                    HasSubstr("Use voxels of 0.5 or more")));
  for (Position& p : points) { p.y = 5'400'000.0; }
  EXPECT_EQ(clouds::coordinate_steps(points).y, 0.0) << "one value has no steps";
  for (std::size_t i = 0; i < points.size(); ++i) { points[i].y = static_cast<double>(i % 12); }
  EXPECT_EQ(clouds::coordinate_steps(points).y, 0.0) << "a few whole numbers near the origin";
}

TEST_F(DirtySurvey, VoxelsFinerThanTheStepsAreTold)
{
  std::vector<Position> points = hills_of(5000, 1);
  for (Position& p : points) { p.y = static_cast<double>(static_cast<float>(p.y)); }
  SpatialSetup set_up{test::small_settings()};
  set_up.settings.models[Model::a] = fresh_model(folder_.write("f32.csv", rows_of(points)).string());
  set_up.voxel = 0.25;
  app_.reset();
  app_ = test::offscreen_app({640, 480}, test::spatial_scenario(set_up));
  frames(1);
  EXPECT_THAT(scene().findings(),
              Contains(AllOf(HasSubstr("y is stored in steps of 0.5, and voxels of 0.25 are smaller"),
                             HasSubstr("single precision"))));
  state().ask(UseVoxel{Model::a, 0.5});
  frames(2);
  EXPECT_THAT(scene().findings(), Not(Contains(HasSubstr("in steps of"))));
}

}  // namespace
}  // namespace slotscape
