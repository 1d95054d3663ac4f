#include "app/scenes/neighbours/gui.hpp"
#include "app/scenes/neighbours/scene.hpp"
#include "app/shell/run.hpp"
#include "tests/app/support/program.hpp"
#include "tests/app/support/temporary_folder.hpp"
#include "tests/app/support/typed_words.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <set>

namespace slotscape {
namespace {

using neighbours::Method;
using test::message_of;
using test::TemporaryFolder;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

NeighbourSetup small_set_up()
{
  NeighbourSetup set_up;
  NeighbourSceneSettings& settings = set_up.settings;
  settings.source = {.name = "sphere", .points = 3000};
  settings.search.radius = 0.2;
  settings.point = 17;
  return set_up;
}

class NeighboursSceneTest : public testing::Test {
protected:
  NeighboursSceneTest() : app_(test::offscreen_app({1280, 720}, Scenario{&test::entry("neighbours"), small_set_up()}))
  {
    frames(3);
  }
  void frames(int count)
  {
    for (int i = 0; i < count; ++i) { app_->frame(0.1); }
  }
  NeighbourScene& scene() { return test::scene_of<NeighbourScene>(*app_); }
  NeighbourState& state() { return scene().state(); }
  /// Pairs by comparing all points that are shown.
  std::uint64_t all_pairs()
  {
    auto const& points = *state().result.points;
    auto const radius = static_cast<float>(state().result.radius);
    std::uint64_t pairs = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      for (std::size_t j = 0; j < points.size(); ++j) {
        pairs += i != j && neighbours::squared_distance(points[i], points[j]) <= radius * radius ? 1 : 0;
      }
    }
    return pairs;
  }
  /// Puts the mouse over a place of the points' canvas.
  void point_at(Point on_canvas)
  {
    Rectangle const& canvas = scene().layout().points;
    ImGui::GetIO().AddMousePosEvent(static_cast<float>(canvas.x + on_canvas.x),
                                    static_cast<float>(canvas.y + on_canvas.y));
    frames(3);
  }
  void click()
  {
    for (bool const down : {true, false}) {
      ImGui::GetIO().AddMouseButtonEvent(0, down);
      frames(2);
    }
  }

  std::unique_ptr<App> app_;
};

TEST_F(NeighboursSceneTest, ShowsTheNeighboursOfThePoint)
{
  EXPECT_EQ(app_->toasts().errors(), 0u);
  EXPECT_EQ(state().result.counts->neighbours, all_pairs());
  auto const& visit = state().result.visit;
  EXPECT_EQ(state().result.point, 17u);
  auto const& offsets = state().result.counts->offsets;
  EXPECT_EQ(visit.neighbours.size(), offsets[18] - offsets[17]);
  EXPECT_LE(visit.cells.size(), 27u);
  EXPECT_GT(visit.candidates.size(), visit.neighbours.size());
  EXPECT_EQ(state().table.statistics.live, state().result.cells.listed_cells);
  EXPECT_THAT(text_of_visit(state()), HasSubstr("Point 17"));
}

TEST_F(NeighboursSceneTest, EachCellThatIsReadIsALookupOnTheMap)
{
  for (auto const& cell : state().result.visit.cells) { EXPECT_TRUE(cell.key < state().result.cells.cells); }
  state().settings.search.method = Method::sorted;
  frames(2);
  EXPECT_FALSE(state().has_table());
  EXPECT_EQ(scene().layout().map.slots.width, 0) << "there is no table to show";
  EXPECT_EQ(state().result.counts->neighbours, all_pairs());
  test::press(scene(), "X");
  frames(2);
  EXPECT_TRUE(state().has_table());
  EXPECT_GT(scene().layout().map.slots.width, 0);
}

TEST_F(NeighboursSceneTest, ThePointUnderTheMouseIsShownUntilAClickHoldsIt)
{
  std::set<std::uint32_t> shown;
  Rectangle const canvas = scene().layout().points;
  Point const middle{canvas.width / 2.0, canvas.height / 2.0};
  for (double const aside : {-60.0, 0.0, 60.0}) {
    point_at({middle.x + aside, middle.y});
    ASSERT_TRUE(scene().points().pointed());
    shown.insert(state().result.point);
    EXPECT_EQ(state().result.point, *scene().points().pointed());
  }
  EXPECT_THAT(shown, SizeIs(3));
  click();
  EXPECT_TRUE(state().is_pinned);
  std::uint32_t const held = state().result.point;
  point_at({middle.x - 90.0, middle.y + 30.0});
  EXPECT_EQ(state().result.point, held);
  click();
  EXPECT_FALSE(state().is_pinned);
  point_at({middle.x, middle.y});
  EXPECT_NE(state().result.point, held);
}

TEST_F(NeighboursSceneTest, PointsMoveAndNeighboursWithThem)
{
  auto const before = *state().result.points;
  test::press(scene(), "Space");
  frames(4);
  EXPECT_FALSE(scene().quiet());
  auto const& after = *state().result.points;
  ASSERT_EQ(after.size(), before.size());
  std::size_t moved = 0;
  for (std::size_t i = 0; i < after.size(); ++i) {
    moved += after[i] != before[i] ? 1 : 0;
    EXPECT_LE(std::sqrt(neighbours::squared_distance(after[i], before[i])), 2.01 * state().result.radius);
  }
  EXPECT_GT(moved, after.size() / 2);
  EXPECT_EQ(state().result.counts->neighbours, all_pairs());
  test::press(scene(), "Space");
  frames(3);
  EXPECT_TRUE(scene().quiet());
}

TEST_F(NeighboursSceneTest, TheUsualRadiusHasThirtyNeighbours)
{
  test::press(scene(), "Home");
  frames(3);
  auto const mean = static_cast<double>(state().result.counts->neighbours) / 3000.0;
  EXPECT_NEAR(mean, usual_neighbours, 0.25 * usual_neighbours);
  double const usual = state().result.radius;
  test::press(scene(), "R");
  frames(3);
  EXPECT_DOUBLE_EQ(state().result.radius, 1.25 * usual);
}

TEST_F(NeighboursSceneTest, SettingsAreTakenBackAndPointsAreNot)
{
  test::press(scene(), "K");
  frames(3);
  EXPECT_EQ(state().shown->search.divisor, 2);
  state().settings.point = 5;
  frames(3);
  scene().undo();
  frames(3);
  EXPECT_EQ(state().shown->search.divisor, 1);
  scene().redo();
  frames(3);
  EXPECT_EQ(state().shown->search.divisor, 2);
}

TEST_F(NeighboursSceneTest, ARadiusThatIsTooSmallIsSaidAndWhatWasThereStays)
{
  state().settings.search.radius = 1e-9;
  frames(3);
  EXPECT_THAT(app_->toasts().latest(), HasSubstr("choose a larger radius"));
  EXPECT_EQ(state().settings.search.radius, 0.2);
  EXPECT_EQ(state().result.counts->neighbours, all_pairs());
}

TEST_F(NeighboursSceneTest, ACloudOpensWithARadiusOfItsOwn)
{
  TemporaryFolder files;
  std::string cloud;
  for (int i = 0; i < 400; ++i) {
    int const row = i / 20;
    cloud += fmt::format("{} {} 0\n", 500000.0 + 0.25 * (i % 20), 4e6 + 0.25 * row);
  }
  app_->open(files.write("far.xyz", cloud));
  scene().finish_steps({});
  frames(2);
  EXPECT_EQ(state().result.points->size(), 400u);
  EXPECT_EQ(state().result.loaded->origin, (clouds::Position{500000.0, 4e6, 0.0}));
  EXPECT_EQ(state().result.points->at(21), (neighbours::Point{0.25f, 0.25f, 0.0f})) << "no decimals are lost";
  EXPECT_EQ(state().result.counts->neighbours, all_pairs());
  EXPECT_THAT(scene().findings(), Not(IsEmpty()));
}

TEST(NeighboursSettings, SurviveSaving)
{
  TemporaryFolder folder;
  NeighbourSceneSettings settings;
  auto& [source, search, point, moves, eye_dome, show_map, map] = settings;
  source = {.name = folder.write("a.xyz", "0 0 0\n").string(), .points = 77, .seed = 5, .ignore_outliers = true};
  search = {.radius = 0.125,
            .k = 12,
            .method = Method::sorted,
            .divisor = 3,
            .family = "swiss",
            .hash = HashKind::identity,
            .load_factor = 0.25};
  point = 9;
  moves = true;
  eye_dome = false;
  show_map = false;
  map.palette = Palette::turbo;
  for (NeighbourSetup const& saved : {NeighbourSetup{settings}, NeighbourSetup{}}) {
    std::string const text = format_scenario({&test::entry("neighbours"), saved}, folder.path());
    EXPECT_EQ(test::parse_setup<NeighbourSetup>(text, "s.json", folder.path()), saved) << text;
  }
}

TEST(NeighboursCommandLine, CountsAndSaves)
{
  TemporaryFolder folder;
  std::string const statistics = (folder / "stats.json").string();
  std::string const archive = (folder / "out.npz").string();
  std::string cloud;
  for (int i = 0; i < 1000; ++i) { cloud += fmt::format("{} {} {}\n", i % 10, i / 10 % 10, i / 100); }
  std::string const file = folder.write("lattice.xyz", cloud).string();
  auto const counted = [&](std::vector<char const*> words) {
    std::vector<char const*> all{"neighbours", file.c_str(), "--backend",       "cpu", "--headless", "--frames",
                                 "1",          "--stats",    statistics.c_str()};
    all.insert(all.end(), words.begin(), words.end());
    run_headless(test::parse(all).value());
    return parse_json(test::content_of(statistics), statistics);
  };
  std::uint64_t const pairs = std::uint64_t{2} * 3 * 9 * 100;  // along each axis, both ways
  for (char const* const method : {"sorted", "table"}) {
    Json const json = counted({"--radius", "1", "--method", method, "--save", archive.c_str()});
    EXPECT_EQ(json["neighbours"], pairs) << method;
    EXPECT_EQ(json["points"], 1000);
    EXPECT_EQ(json.contains("table"), std::string_view(method) == "table");
    EXPECT_GT(json["candidates"], pairs);
    EXPECT_GT(std::filesystem::file_size(archive), 1000u);
  }
  EXPECT_EQ(counted({"--radius", "1", "--k", "2"})["neighbours"], 2000);
}

TEST(NeighboursCommandLine, SaysWhatCannotBe)
{
  auto const refused = [](std::vector<char const*> words) {
    return message_of<Error>([&] {
      words.insert(words.begin(), "neighbours");
      test::parse(words).value().subcommand->set_up();
    });
  };
  EXPECT_THAT(refused({"sphere", "--radius", "0"}), HasSubstr("--radius"));
  EXPECT_THAT(refused({"sphere", "--radius", "-1"}), HasSubstr("--radius"));
  EXPECT_THAT(refused({"sphere", "--radius", "nan"}), HasSubstr("--radius"));
  EXPECT_THAT(refused({"sphere", "--radius", "1e-20"}), HasSubstr("--radius"));
  EXPECT_THAT(refused({"sphere", "--k", "0"}), HasSubstr("--k"));
  EXPECT_THAT(refused({"sphere", "--divisor", "5"}), HasSubstr("1 to 4"));
  EXPECT_THAT(refused({"no-such-cloud.ply"}), HasSubstr("neither a file nor built in"));
}

}  // namespace
}  // namespace slotscape
