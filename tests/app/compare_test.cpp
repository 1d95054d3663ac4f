#include "app/app.hpp"
#include "app/headless.hpp"
#include "app/scenes/compare/panels/panels.hpp"
#include "gpu/error.hpp"
#include "tests/app/strict_family.hpp"
#include "tests/app/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <set>

namespace slotscape {
namespace {

using nlohmann::json;
using test::content_of;
using test::message_of;
using test::TemporaryFolder;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TableSettings table_of(Deletion deletion, HashKind hash = HashKind::murmur3)
{
  return {.slots = 1024, .deletion = deletion, .hash = hash};
}

std::vector<TableSettings> tables(std::size_t count)
{
  std::vector<TableSettings> const all{table_of(Deletion::empty_value), table_of(Deletion::tombstone_reuse),
                                       table_of(Deletion::tombstone_reuse, HashKind::xxhash),
                                       table_of(Deletion::tombstone_reuse, HashKind::identity)};
  return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count)};
}

Scenario scenario_of(std::size_t count)
{
  Scenario scenario;
  scenario.tables = tables(count);
  scenario.settings.table = scenario.tables.front();
  scenario.settings.seed = 17;
  scenario.settings.view.color_by = ColorBy::state;
  scenario.steps = {FillTo{0.6}, BatchRequest::erases(200), BatchRequest::inserts(100)};
  return scenario;
}

std::string wrong(std::string const& fields)
{
  return message_of<Error>([&] { parse_scenario(R"({ "version": 1, )" + fields + " }", "two.json", "."); });
}

TEST(CompareScenario, ComesBackAsItWasWritten)
{
  for (std::size_t count = fewest_compared; count <= most_compared; ++count) {
    Scenario const written = scenario_of(count);
    std::string const text = format_scenario(written);
    Scenario const read = parse_scenario(text, "two.json", ".");
    EXPECT_EQ(read.tables, written.tables);
    EXPECT_EQ(read.settings.table, written.tables.front());
    EXPECT_EQ(read.settings.seed, 17u);
    EXPECT_EQ(read.steps, written.steps);
    EXPECT_EQ(format_scenario(read), text);
    EXPECT_FALSE(json::parse(text).contains("table"));
  }
}

TEST(CompareScenario, WithOneTableIsAsItWas)
{
  EXPECT_FALSE(json::parse(format_scenario({})).contains("tables"));
  EXPECT_THAT(parse_scenario(R"({ "version": 1, "table": { "slots": 64 } })", "one.json", ".").tables, IsEmpty());
}

TEST(CompareScenario, SaysWhatIsWrong)
{
  std::string const one = R"({ "slots": 64 })";
  EXPECT_THAT(wrong(R"("tables": [ )" + one + " ]"), AllOf(HasSubstr("two.json: tables"), HasSubstr("2 to 4")));
  EXPECT_THAT(wrong(R"("tables": [])"), HasSubstr("2 to 4"));
  EXPECT_THAT(wrong(R"("tables": [ {}, {}, {}, {}, {} ])"), AllOf(HasSubstr("2 to 4"), HasSubstr("5")));
  EXPECT_THAT(wrong(R"("table": {}, "tables": [ {}, {} ])"), AllOf(HasSubstr("tables"), HasSubstr("'table'")));
  EXPECT_THAT(wrong(R"("tables": {})"), HasSubstr("tables"));
  EXPECT_THAT(wrong(R"("tables": [ {}, { "hash": "md5" } ])"), HasSubstr("tables[1].hash"));
}

TEST(CompareScenario, TheShippedOneCanBeRead)
{
  Scenario const scenario = read_scenario(SLOTSCAPE_SOURCE_DIR "/assets/compare/two-deletions.json");
  ASSERT_THAT(scenario.tables, SizeIs(2));
  EXPECT_NE(scenario.tables[0].deletion, scenario.tables[1].deletion);
}

TEST(ComparedTables, AreToldApartByWhatDiffers)
{
  std::vector<TableSettings> const two = tables(2);
  EXPECT_EQ(distinction_of(0, two), "value becomes empty");
  EXPECT_EQ(distinction_of(1, two), "tombstones reused");
  EXPECT_EQ(distinction_of(2, tables(3)), "tombstones reused, xxhash");
  EXPECT_THAT(distinction_of(0, {two[0], two[0]}), IsEmpty());
}

TEST(ComparedTables, SayWhereKeysOfOneHomeHaveSeveral)
{
  std::vector<TableSettings> const same = tables(2);
  std::vector<TableSettings> sizes = tables(2);
  sizes[1].slots = 2048;
  EXPECT_THAT(homes_that_differ(KeyDistribution::one_home, same), IsEmpty());
  EXPECT_THAT(homes_that_differ(KeyDistribution::one_home, tables(3)), HasSubstr("hash"));
  EXPECT_THAT(homes_that_differ(KeyDistribution::one_home, sizes), HasSubstr("slots"));
  EXPECT_THAT(homes_that_differ(KeyDistribution::zipf, sizes), IsEmpty());
  EXPECT_THAT(homes_that_differ(KeyDistribution::uniform, tables(3)), IsEmpty());
}

TEST(ComparedTables, GetTheSameKeysOfOneHomeAndOfZipf)
{
  std::vector<TableSettings> different = tables(3);
  different[1].slots = 2048;
  for (KeyDistribution const distribution : {KeyDistribution::one_home, KeyDistribution::zipf}) {
    KeySettings keys;
    keys.distribution = distribution;
    Simulation simulation{Backend::cpu, different, keys, 1};
    simulation.submit(BatchRequest::inserts(100));
    simulation.finish();
    auto const keys_in = [&](std::size_t table) {
      std::set<Key> held;
      for (Pair const& pair : simulation.engine(table).pairs()) { held.insert(pair.key); }
      return held;
    };
    EXPECT_THAT(keys_in(0), testing::Not(IsEmpty()));
    EXPECT_EQ(keys_in(1), keys_in(0));
    EXPECT_EQ(keys_in(2), keys_in(0));
  }
}

TEST(ComparedTables, BeginWithTheOneThatWasThere)
{
  TableSettings const first = table_of(Deletion::tombstone_reuse);
  std::vector<TableSettings> const fresh = compared_with(first, {});
  ASSERT_THAT(fresh, SizeIs(2));
  EXPECT_EQ(fresh[0], first);
  EXPECT_EQ(fresh[1], table_of(Deletion::empty_value));
  TableSettings large = first;
  large.slots = 4096;
  std::vector<TableSettings> const kept = compared_with(large, tables(4));
  ASSERT_THAT(kept, SizeIs(3)) << "the one that is as the first is left out";
  EXPECT_EQ(kept[2].hash, HashKind::identity);
  EXPECT_EQ(kept[2].slots, 4096u);
}

/// The program, drawn offscreen.
class CompareTest : public testing::Test {
protected:
  void open(UserSettings const& settings)
  {
    Options options;
    options.backend = BackendChoice::cpu;
    app_.reset();  // there can be one at a time
    app_ = std::make_unique<App>(gl::open_offscreen({1280, 720}), options, settings);
  }

  void compare(std::size_t count)
  {
    Scenario const scenario = scenario_of(count);
    UserSettings settings;
    set_scene(settings, scenario);
    open(settings);
    for (Action const& step : scenario.steps) { app_->table_scene().simulation().submit(step); }
    work();
  }

  void work()
  {
    for (std::size_t frame = 0; frame <= most_compared; ++frame) {  // on a slow machine, tables take turns
      app_->current_scene().finish_steps();
      app_->frame(0.01);
    }
  }

  CompareState& state() { return app_->compare_scene().compared(); }

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
    auto const places = arrange_maps(look, {0, 0, 1200, 900}, 4, 1.0, captions);
    EXPECT_EQ(places[1].header.y, places[0].header.y);
    EXPECT_GT(places[2].header.y, places[0].header.y);
    EXPECT_EQ(places[3].header.y, places[2].header.y);
    EXPECT_EQ(places[0].caption.height > 0, captions);
    EXPECT_EQ(places[0].canvas.y, places[0].caption.y + places[0].caption.height);
  }
}

TEST_F(CompareTest, ShowsAMapOfEachTable)
{
  for (std::size_t count = fewest_compared; count <= most_compared; ++count) {
    compare(count);
    gl::Image const picture = app_->picture();
    for (std::size_t i = 0; i < count; ++i) {
      Rectangle const& place = app_->compare_scene().map_place(i);
      EXPECT_GT(place.width, 200);
      EXPECT_GT(place.height, 150);
      EXPECT_GE(colors_in(picture, place), 4u) << "around the table, empty, live and tombstone";
    }
    expect_live(514);
  }
}

TEST_F(CompareTest, TakesTheTableOfTheSlotsSceneAndGivesItBack)
{
  UserSettings settings;
  settings.slots.table = table_of(Deletion::tombstone_reuse, HashKind::fibonacci);
  settings.slots.seed = 4;
  open(settings);
  app_->table_scene().simulation().submit(FillTo{0.5});
  work();
  app_->show(SceneKind::compare);
  work();
  ASSERT_THAT(state().tables, SizeIs(2));
  EXPECT_EQ(state().tables[0].slots.settings.table, settings.slots.table);
  EXPECT_EQ(state().shared.settings.seed, 4u);
  expect_live(512);
  app_->compare_scene().perform(UserCommand::rehash_double);
  work();
  EXPECT_EQ(state().tables[1].slots.settings.table.slots, 2048u);
  app_->show(SceneKind::slots);
  work();
  EXPECT_EQ(app_->scene().state().settings.table, settings.slots.table);
  EXPECT_EQ(app_->scene().state().statistics.live, 512u);
  EXPECT_THAT(app_->user_settings().compare.tables, SizeIs(2));
}

TEST_F(CompareTest, AChangedSetOfTablesIsFilledToTheSameLoad)
{
  compare(2);
  app_->compare_scene().perform(UserCommand::clear);
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
  impossible[1].family = test::strict_family();
  impossible[1].slots = 1000;
  ask_for_tables(state(), impossible);
  app_->frame(0.01);
  EXPECT_EQ(app_->toasts().errors(), 1u);
  EXPECT_EQ(settings_of(state().tables), tables(3));
  expect_live(514);
}

TEST_F(CompareTest, TheCamerasMoveTogether)
{
  compare(3);
  app_->compare_scene().perform(UserCommand::zoom_in);
  app_->frame(0.01);
  app_->compare_scene().perform(UserCommand::pan_right);
  app_->frame(0.01);
  ViewSettings const& shared = state().shared.settings.view;
  EXPECT_GT(shared.zoom, 1.2);
  for (ComparedTable const& table : state().tables) {
    EXPECT_DOUBLE_EQ(table.slots.settings.view.zoom, shared.zoom);
    EXPECT_DOUBLE_EQ(table.slots.settings.view.center_x, shared.center_x);
  }
  app_->compare_scene().perform(UserCommand::fit);
  for (int frames = 0; frames < 20; ++frames) { app_->frame(0.1); }
  EXPECT_DOUBLE_EQ(shared.zoom, 1.0);
}

TEST_F(CompareTest, AKeyIsLookedUpInEveryTable)
{
  compare(2);
  Key const key = app_->compare_scene().simulation().engine(1).pairs().front().key;
  state().shared.ask(LookUp{key});
  app_->frame(0.01);
  for (ComparedTable const& table : state().tables) {
    ASSERT_TRUE(table.slots.selection.lookup);
    EXPECT_TRUE(table.slots.selection.lookup->path.value);
  }
  app_->compare_scene().perform(UserCommand::cancel);
  EXPECT_FALSE(state().tables[1].slots.selection.lookup);
}

TEST_F(CompareTest, InsertsThatFoundNoPlaceAreCounted)
{
  compare(2);
  app_->compare_scene().perform(UserCommand::clear);
  for (int i = 0; i < 3; ++i) {
    state().shared.act(FillTo{0.7});
    state().shared.act(BatchRequest::erases(700));
  }
  state().shared.act(BatchRequest::inserts(600));
  work();
  EXPECT_GT(state().tables[0].refused, 0u) << "its tombstones are never reused";
  EXPECT_EQ(state().tables[1].refused, 0u);
  EXPECT_THAT(state().shared.notice, HasSubstr("Table 1"));
  app_->compare_scene().perform(UserCommand::clear);
  work();
  EXPECT_EQ(state().tables[0].refused, 0u);
  EXPECT_THAT(state().shared.notice, IsEmpty());
}

TEST_F(CompareTest, ASavedSetUpOpensTheSceneAgain)
{
  TemporaryFolder const folder;
  compare(3);
  write_scenario(folder / "three.json", app_->current_scene().set_up());
  open({});
  ASSERT_EQ(app_->current_scene().kind(), SceneKind::slots);
  app_->open(folder / "three.json");
  work();
  ASSERT_EQ(app_->current_scene().kind(), SceneKind::compare);
  EXPECT_EQ(settings_of(state().tables), tables(3));
  expect_live(514);
}

TEST_F(CompareTest, TheSettingsFileKeepsTheSetUp)
{
  TemporaryFolder const folder;
  compare(3);
  save_settings(folder / "settings.json", app_->user_settings());
  auto const [loaded, message] = load_settings(folder / "settings.json");
  EXPECT_THAT(message, IsEmpty());
  EXPECT_EQ(loaded.scene, SceneKind::compare);
  EXPECT_EQ(loaded.compare.tables, tables(3));
  EXPECT_EQ(loaded.compare.shared.seed, 17u);
  EXPECT_EQ(loaded.compare.shared.view.color_by, ColorBy::state);
  EXPECT_EQ(loaded.slots.seed, SlotsSettings{}.seed);
}

TEST(CompareHeadless, WritesAPictureAndTheStatisticsOfEachTable)
{
  TemporaryFolder const folder;
  write_scenario(folder / "four.json", scenario_of(4));
  Options options;
  options.backend = BackendChoice::cpu;
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
