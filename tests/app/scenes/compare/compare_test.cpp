#include "app/scenes/compare/gui.hpp"
#include "app/shell/run.hpp"
#include "app/simulation/families.hpp"
#include "app/simulation/names.hpp"
#include "tests/app/scenes/compare/compared_tables.hpp"
#include "tests/app/support/program.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <imgui_internal.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <regex>
#include <set>

namespace slotscape {
namespace {

using test::scene_of;

using nlohmann::json;
using test::content_of;
using test::setup_of;
using test::table_of;
using test::tables;
using test::TemporaryFolder;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

/// The program, drawn offscreen.
class CompareTest : public testing::Test {
protected:
  void open(std::optional<Scenario> const& first = std::nullopt)
  {
    app_.reset();  // there can be one at a time
    app_ = test::offscreen_app({1280, 720}, first);
  }

  void compare(std::size_t count)
  {
    open(test::compare_scenario(setup_of(count)));
    work();
  }

  void work()
  {
    for (std::size_t frame = 0; frame <= max_compared; ++frame) {  // on a slow machine, tables take turns
      app_->current_scene().finish_steps({});
      app_->frame(0.01);
    }
  }

  CompareState& state() { return scene_of<CompareScene>(*app_).compared(); }

  void expect_live(std::uint64_t live)
  {
    for (ComparedTable const& table : state().tables) { EXPECT_EQ(table.slots.statistics.live, live); }
  }

  std::unique_ptr<App> app_;
};

std::size_t colors_in(gl::Image const& picture, Rectangle const& place)
{
  std::set<std::uint32_t> colors;
  for (int y = place.y; y < place.y + place.height; ++y) {
    for (int x = place.x; x < place.x + place.width; ++x) {
      std::size_t const at =
          4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width) + static_cast<std::size_t>(x));
      colors.insert(picture.pixels[at] << 16 | picture.pixels[at + 1] << 8 | picture.pixels[at + 2]);
    }
  }
  return colors.size();
}

TEST(CompareArrangement, LeavesNoGapsThatFewerColumnsWouldNot)
{
  Look const look;
  for (bool const captions : {false, true}) {
    auto const places = arrange_maps(look, {0, 0, 1200, 900}, 4, size_by_aspect(1.0), captions);
    EXPECT_EQ(places[1].header.y, places[0].header.y);
    EXPECT_GT(places[2].header.y, places[0].header.y);
    EXPECT_EQ(places[3].header.y, places[2].header.y);
    EXPECT_EQ(places[0].caption.height > 0, captions);
    EXPECT_EQ(places[0].canvas.y, places[0].caption.y + places[0].caption.height);
  }
}

TEST(CompareArrangement, LeavesRoomForMapsInALowCanvas)
{
  Look look;
  look.scale = 1.5f;
  auto const places = arrange_maps(look, {0, 260, 773, 285}, 3, size_by_aspect(1.0), true);
  for (MapPlace const& place : places) {
    EXPECT_GE(place.canvas.height, 70);
    EXPECT_LE(place.canvas.y + place.canvas.height, 260 + 285);
    EXPECT_LE(place.header.y + place.header.height, place.caption.y);
    EXPECT_LE(place.caption.y + place.caption.height, place.canvas.y);
  }
}

/// Slots of small tables are as large as a slide has room for, however they lay in the window.
TEST(CompareLayout, SlidesOfSmallTablesHaveLargeSlots)
{
  TemporaryFolder const folder;
  CompareSetup set_up;
  set_up.tables = {{.slots = 11, .hash = HashKind::identity},
                   {.family = "robin_hood", .slots = 11, .hash = HashKind::identity}};
  set_up.shared.settings.table = set_up.tables.front();
  set_up.shared.steps = {OnKey{Operation::insert, 27, 0}};
  auto const app = test::offscreen_app({1280, 720}, test::compare_scenario(set_up));
  app->current_scene().finish_steps({});
  app->frame(0.1);
  app->frame(0.1);
  app->pictures().save_slide(folder / "two.svg", SlideSettings{});
  std::string const picture = content_of(folder / "two.svg");
  static std::regex const square(R"re(<rect x="[-\d.]+" y="[-\d.]+" width="([\d.]+)" height="([\d.]+)")re");
  double largest = 0.0;
  for (std::sregex_iterator each(picture.begin(), picture.end(), square), end; each != end; ++each) {
    bool const is_slot = (*each)[1] == (*each)[2];
    if (is_slot) { largest = std::max(largest, std::stod((*each)[1])); }
  }
  EXPECT_GT(largest, 200.0) << "two columns of six slots, as in the window, would have 140 pixels each";
}

TEST(ComparisonPanel, SpeaksOfNoSpreadOfOneOrTwoRuns)
{
  CompareState state;
  state.tables.resize(2);
  for (std::size_t runs = 0; runs < 4; ++runs) {
    std::string const text = test::text_of_panel([&](Look const& look) { compared_numbers_panel(look, state); });
    EXPECT_EQ(text.find("one run") != text.npos, runs == 1) << text;
    EXPECT_EQ(text.find("2 runs") != text.npos, runs == 2) << text;
    EXPECT_EQ(text.find("± 10 %") != text.npos, runs == 3) << text;
    ActionReport run{.op = "insert", .count = 1000, .outcomes = {}, .seconds = 1e-4 * static_cast<double>(runs + 9)};
    run.load_factor = 0.01 * static_cast<double>(runs);
    run.outcomes[Outcome::inserted] = 1000;
    state.tables[0].slots.history.throughput.add(run);
  }
}

/// Knuth's formulas for linear probing, beside what is measured: at α = 0.9, ½ (1 + 1/(1−α)) = 5.5 and
/// ½ (1 + 1/(1−α)²) = 50.5; a little less in 65,536 slots.
TEST(ComparisonPanel, ShowsWhatTheoryExpects)
{
  CompareSetup set_up;
  set_up.tables = {{.slots = 65536}, {.family = "robin_hood", .slots = 65536}};
  set_up.shared.settings.table = set_up.tables.front();
  set_up.shared.steps = {FillTo{0.9}};
  auto app = test::offscreen_app({640, 480}, test::compare_scenario(set_up));
  app->current_scene().finish_steps({});
  app->frame(0.1);
  app->frame(0.1);
  CompareState state = scene_of<CompareScene>(*app).compared();
  app.reset();  // there can be one interface at a time
  auto const text = [&] { return test::text_of_panel([&](Look const& look) { compared_numbers_panel(look, state); }); };
  EXPECT_THAT(text(), ContainsRegex("theory[^0-9]*5\\.(49|50)"));
  EXPECT_THAT(text(), ContainsRegex("theory[^0-9]*50\\.[2-5]"));
  for (ComparedTable& table : state.tables) { table.slots.settings.keys.distribution = KeyDistribution::one_home; }
  EXPECT_THAT(text(), Not(HasSubstr("theory"))) << "no formula is about such keys";
}

TEST_F(CompareTest, ShowsAMapOfEachTable)
{
  for (std::size_t count = min_compared; count <= max_compared; ++count) {
    compare(count);
    test::paint();
    app_->frame(0.05);
    gl::Image const picture = app_->screen().picture();
    for (std::size_t i = 0; i < count; ++i) {
      Rectangle const& place = scene_of<CompareScene>(*app_).view(i).canvas();
      EXPECT_GT(place.width, 200);
      EXPECT_GT(place.height, 150);
      EXPECT_GE(colors_in(picture, place), 4u) << "around the table, empty, live and tombstone";
    }
    expect_live(514);
  }
}

/// As it is then, with what was done to it beside the others.
TEST_F(CompareTest, TakesTheTableOfTheSlotsSceneAndGivesItBack)
{
  TableSetup slots;
  slots.settings.table = table_of(Deletion::tombstone_reuse, HashKind::fibonacci);
  slots.settings.seed = 4;
  open(test::slots_scenario(slots));
  scene_of<TableScene>(*app_).simulation().submit(FillTo{0.5});
  work();
  app_->show(test::entry("compare"));
  work();
  ASSERT_THAT(state().tables, SizeIs(2));
  EXPECT_EQ(state().tables[0].slots.settings.table, slots.settings.table);
  EXPECT_EQ(state().shared.settings.seed, 4u);
  expect_live(512);
  test::press(app_->current_scene(), "R");
  work();
  EXPECT_EQ(state().tables[1].slots.settings.table.slots, 2048u);
  app_->show(test::entry("slots"));
  work();
  TableSettings rehashed = slots.settings.table;
  rehashed.slots = 2048;
  EXPECT_EQ(scene_of<SlotsScene>(*app_).state().settings.table, rehashed);
  EXPECT_EQ(scene_of<SlotsScene>(*app_).state().statistics.live, 512u);
  EXPECT_THAT(std::any_cast<CompareSetup>(app_->user_settings().set_ups.at("compare")).tables, SizeIs(2));
}

TEST_F(CompareTest, AChangedSetOfTablesKeepsTheKeys)
{
  compare(2);
  test::press(app_->current_scene(), "C");
  state().shared.act(FillTo{0.25});
  work();
  ask_for_tables(state(), tables(4));
  work();
  ASSERT_THAT(state().tables, SizeIs(4));
  EXPECT_EQ(settings_of(state().tables), tables(4));
  expect_live(256);
  ask_for_tables(state(), tables(3));
  work();
  ASSERT_THAT(state().tables, SizeIs(3));
  expect_live(256);
}

TEST_F(CompareTest, TablesThatCannotBeLeaveTheOldOnes)
{
  compare(3);
  std::vector<TableSettings> impossible = tables(2);
  impossible[1].parameters["no_such_parameter"] = 1;
  ask_for_tables(state(), impossible);
  app_->frame(0.01);
  EXPECT_EQ(app_->toasts().errors(), 1u);
  EXPECT_EQ(settings_of(state().tables), tables(3));
  expect_live(514);
}

/// 11 slots were asked for: who can have them has them, and who could not has them again as another family.
TEST_F(CompareTest, TheSlotsAskedForAreRemembered)
{
  CompareSetup set_up = setup_of(2);
  for (TableSettings& table : set_up.tables) { table.slots = 11; }
  set_up.tables[1].family = "robin_hood";
  set_up.shared.settings.table = set_up.tables.front();
  set_up.shared.steps = {OnKey{Operation::insert, 22, 1}, OnKey{Operation::insert, 24, 1}};
  open(test::compare_scenario(set_up));
  work();
  auto const choose = [&](std::string const& family) {
    std::vector<TableSettings> asked = asked_of(state().tables);
    asked[1].family = family;
    ask_for_tables(state(), asked);
    work();
    return state().tables[1].slots.settings.table.slots;
  };
  EXPECT_EQ(choose("quadratic"), 16u);
  EXPECT_EQ(app_->toasts().latest(),
            "Table 2, Quadratic probing, has 16 slots instead of 11: it needs a power of two; with the probe sequence "
            "h + i\u00b2, any number will do.");
  std::vector<TableSettings> more = asked_of(state().tables);
  more.push_back(another_table(more.back(), more));
  EXPECT_EQ(more.back().slots, 11u) << "not what the table before had to take";
  app_->current_scene().undo();
  work();
  EXPECT_EQ(state().tables[1].slots.settings.table.slots, 11u);
  EXPECT_EQ(choose("quadratic"), 16u);
  EXPECT_EQ(choose("double_hashing"), 11u);
  expect_live(2);
}

TEST_F(CompareTest, WidthsAskedForAreRemembered)
{
  CompareSetup set_up = setup_of(2);
  for (TableSettings& table : set_up.tables) { table.key_bits = 64; }
  set_up.shared.settings.table = set_up.tables.front();
  open(test::compare_scenario(set_up));
  work();
  std::vector<TableSettings> asked = asked_of(state().tables);
  asked[1].family = "slab";
  ask_for_tables(state(), asked);
  work();
  EXPECT_EQ(state().tables[0].slots.settings.table.key_bits, 32);
  EXPECT_THAT(app_->toasts().latest(), HasSubstr("has 32-bit keys only, so all tables do"));
  asked = asked_of(state().tables);
  asked[1].family = "robin_hood";
  ask_for_tables(state(), asked);
  work();
  EXPECT_EQ(state().tables[0].slots.settings.table.key_bits, 64);
}

/// Of one table all misses are counted, of the other a sample: the counts cannot be drawn over one another.
TEST_F(CompareTest, DistributionsAreComparedByShares)
{
  CompareSetup set_up = setup_of(2);
  set_up.tables[0].slots = set_up.tables[1].slots = 11;
  set_up.tables[1].family = "robin_hood";
  set_up.shared.settings.table = set_up.tables.front();
  set_up.shared.steps = {};
  for (Key const key : {22, 1, 13, 24, 33, 18, 42, 31, 11}) {
    set_up.shared.steps.emplace_back(OnKey{Operation::insert, key, 1});
  }
  open(test::compare_scenario(set_up));
  work();
  std::vector<Chart> const charts = compared_distributions(state());
  ASSERT_THAT(charts, SizeIs(3));
  for (Chart const& chart : charts) {
    EXPECT_THAT(chart.y.label, HasSubstr("%"));
    EXPECT_LE(chart.y.range.high, 120.0);
    for (ChartSeries const& series : chart.series) {
      auto const* const bars = std::get_if<Bars>(&series.shape);
      if (bars == nullptr) { continue; }
      double sum = 0.0;
      for (std::uint32_t const count : bars->counts) { sum += count * bars->each; }
      EXPECT_NEAR(sum, 100.0, 1e-6) << chart.title << ", table " << series.name;
    }
  }
  EXPECT_FALSE(charts.front().y.range.log) << "each of nine keys is to be seen";
}

/// Without a load to hold, nobody has asked for the keys that would fill it.
TEST(CompareEntry, ComesBackEmptyIfNoLoadWasHeld)
{
  SceneEntry const& entry = test::entry("compare");
  for (bool const holds : {false, true}) {
    CompareSetup set_up = setup_of(2);
    set_up.shared.settings.drive.hold_load = holds;
    set_up.shared.steps.clear();
    EXPECT_EQ(std::any_cast<CompareSetup>(entry.recall(set_up, Arrival::start)).shared.steps.empty(), !holds);
  }
}

TEST_F(CompareTest, TheCamerasMoveTogether)
{
  compare(3);
  test::press(app_->current_scene(), "+");
  app_->frame(0.01);
  test::press(app_->current_scene(), "Right");
  app_->frame(0.01);
  Framing const& shared = scene_of<CompareScene>(*app_).framing();
  EXPECT_GT(shared.zoom, 1.2);
  for (std::size_t table = 0; table < 3; ++table) {
    EXPECT_EQ(scene_of<CompareScene>(*app_).view(table).framing(), shared);
  }
  test::press(app_->current_scene(), "Home");
  for (int frames = 0; frames < 20; ++frames) { app_->frame(0.1); }
  EXPECT_DOUBLE_EQ(shared.zoom, 1.0);
}

TEST_F(CompareTest, AKeyIsLookedUpInEveryTable)
{
  compare(2);
  Key const key = scene_of<CompareScene>(*app_).simulation().engine(1).pairs().front().key;
  state().shared.ask(LookUp{key});
  app_->frame(0.01);
  for (ComparedTable const& table : state().tables) {
    ASSERT_TRUE(table.slots.selection.lookup);
    EXPECT_TRUE(table.slots.selection.lookup->path.value);
  }
  test::press(app_->current_scene(), "Esc");
  EXPECT_FALSE(state().tables[1].slots.selection.lookup);
}

TEST_F(CompareTest, InsertsThatFoundNoPlaceAreCounted)
{
  compare(2);
  test::press(app_->current_scene(), "C");
  for (int i = 0; i < 3; ++i) {
    state().shared.act(FillTo{0.7});
    state().shared.act(BatchRequest::erases(700));
  }
  state().shared.act(BatchRequest::inserts(600));
  work();
  EXPECT_GT(state().tables[0].refused, 0u) << "its tombstones are never reused";
  EXPECT_EQ(state().tables[1].refused, 0u);
  EXPECT_THAT(state().shared.notice, HasSubstr("Table 1"));
  test::press(app_->current_scene(), "C");
  work();
  EXPECT_EQ(state().tables[0].refused, 0u);
  EXPECT_THAT(state().shared.notice, IsEmpty());
}

TEST_F(CompareTest, ASavedSetUpOpensTheSceneAgain)
{
  TemporaryFolder const folder;
  compare(3);
  write_scenario(folder / "three.json", {&app_->current_entry(), app_->current_scene().set_up()});
  open();
  ASSERT_EQ(app_->current_entry().name, "slots");
  app_->open(folder / "three.json");
  work();
  ASSERT_EQ(app_->current_entry().name, "compare");
  EXPECT_EQ(settings_of(state().tables), tables(3));
  expect_live(514);
}

TEST_F(CompareTest, TheSettingsFileKeepsTheSetUp)
{
  TemporaryFolder const folder;
  compare(3);
  save_settings(folder / "settings.json", app_->user_settings(), scenes());
  auto const [loaded, messages] = load_settings(folder / "settings.json", scenes());
  EXPECT_THAT(messages, IsEmpty());
  EXPECT_EQ(loaded.scene, "compare");
  auto const compare = std::any_cast<CompareSetup>(loaded.set_ups.at("compare"));
  EXPECT_EQ(compare.tables, tables(3));
  EXPECT_EQ(compare.shared.settings.seed, 17u);
  EXPECT_EQ(compare.shared.settings.view.color_by, ColorBy::state);
  EXPECT_FALSE(loaded.set_ups.contains("slots")) << "which was never shown";
}

TEST(CompareHeadless, WritesAPictureAndTheStatisticsOfEachTable)
{
  TemporaryFolder const folder;
  write_scenario(folder / "four.json", test::compare_scenario(setup_of(4)));
  Options options = test::cpu_options();
  options.verb = Verb::run;
  options.scenario = folder / "four.json";
  options.headless = true;
  options.frames = 2;
  options.screenshot = folder / "four.png";
  options.stats = folder / "four-stats.json";
  options.csv = folder / "csv";
  run_headless(options);
  EXPECT_GT(std::filesystem::file_size(options.screenshot), 10'000u);
  json const stats = json::parse(content_of(options.stats));
  ASSERT_THAT(stats["tables"], SizeIs(4));
  for (json const& table : stats["tables"]) {
    EXPECT_EQ(table["table"]["live"], 514);
    EXPECT_EQ(table["operations"].size(), 3u);
    EXPECT_EQ(table["operations"][1]["outcomes"]["erased"], 200);
  }
  EXPECT_EQ(stats["tables"][3]["table"]["hash"], "identity");
  EXPECT_TRUE(std::filesystem::exists(folder / "csv/table-4/operations.csv"));
}

}  // namespace
}  // namespace slotscape
