#include "app/scenes/compare/gui.hpp"
#include "app/shell/run.hpp"
#include "app/simulation/families.hpp"
#include "app/simulation/names.hpp"
#include "gpu/base/error.hpp"
#include "slotscape_paths.hpp"
#include "tests/app/program.hpp"
#include "tests/app/strict_family.hpp"
#include "tests/app/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <imgui_internal.h>
#include <nlohmann/json.hpp>

#include <set>
#include <tuple>

namespace slotscape {
namespace {

using test::scene_of;

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

CompareSetup setup_of(std::size_t count)
{
  CompareSetup set_up;
  set_up.tables = tables(count);
  TableSceneSettings& settings = set_up.shared.settings;
  settings.table = set_up.tables.front();
  settings.seed = 17;
  settings.view.color_by = ColorBy::state;
  set_up.shared.steps = {FillTo{0.6}, BatchRequest::erases(200), BatchRequest::inserts(100)};
  return set_up;
}

std::string wrong(std::string const& fields)
{
  return message_of<Error>([&] { parse_scenario(scenes(), R"({ "version": 1, )" + fields + " }", "two.json", "."); });
}

/// A warning lies on the map of the table that it is about: it covers no other table's name.
TEST(CompareScenario, WarnsOnTheMapOfTheTableConcerned)
{
  for (std::size_t const full : {std::size_t{0}, std::size_t{1}}) {
    CompareSetup set_up;
    set_up.tables = {{.slots = 4096, .deletion = Deletion::tombstone_reuse},
                     {.slots = 4096, .deletion = Deletion::tombstone_reuse}};
    set_up.tables[full].deletion = Deletion::empty_value;
    set_up.shared.steps = {FillTo{0.5}, BatchRequest::erases(1950, KeyChoice::hits), BatchRequest::inserts(1950)};
    auto const app = test::offscreen_app({1280, 720}, test::compare_scenario(set_up));
    app->current_scene().finish_steps({});
    for (int frame = 0; frame < 4; ++frame) { app->frame(0.1); }
    auto& scene = test::scene_of<CompareScene>(*app);
    RoomWarning const& warning = scene.state().room_warning;
    ASSERT_FALSE(warning.title.empty());
    EXPECT_EQ(warning.table, full);
    ImGuiWindow const* const card = ImGui::FindWindowByName("##tombstones");
    ASSERT_TRUE(card != nullptr && card->WasActive);
    ImRect const place = card->Rect();
    for (std::size_t table = 0; table != 2; ++table) {
      ImGuiWindow const* const header = ImGui::FindWindowByName(table == 0 ? "##header0" : "##header1");
      ASSERT_NE(header, nullptr);
      EXPECT_FALSE(place.Overlaps(header->Rect())) << "table " << full << " warns over the name of table " << table;
    }
  }
}

TEST(CompareScenario, ComesBackAsItWasWritten)
{
  for (std::size_t count = min_compared; count <= max_compared; ++count) {
    CompareSetup const written = setup_of(count);
    std::string const text = format_scenario(test::compare_scenario(written));
    auto const read = test::parse_setup<CompareSetup>(text);
    EXPECT_EQ(read.tables, written.tables);
    EXPECT_EQ(read.shared.settings.table, written.tables.front());
    EXPECT_EQ(read.shared.settings.seed, 17u);
    EXPECT_EQ(read.shared.steps, written.shared.steps);
    EXPECT_EQ(format_scenario(test::compare_scenario(read)), text);
    EXPECT_FALSE(json::parse(text).contains("table"));
  }
}

TEST(CompareScenario, WithOneTableIsOfTheSlotsScene)
{
  Scenario const scenario = parse_scenario(scenes(), R"({ "version": 1, "table": { "slots": 64 } })", "one.json", ".");
  EXPECT_EQ(scenario.scene->name, "slots");
  EXPECT_FALSE(json::parse(format_scenario(scenario)).contains("tables"));
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

TEST(CompareScenario, TheShippedStableTablesFindAPlaceForEachKey)
{
  auto const set_up =
      test::read_setup<CompareSetup>(SLOTSCAPE_SOURCE_DIR "/assets/compare/stable-tables.slotscape.json");
  ASSERT_THAT(set_up.tables, SizeIs(3));
  Simulation simulation{Backend::cpu, set_up.tables, set_up.shared.settings.keys, set_up.shared.settings.seed};
  for (auto const& step : set_up.shared.steps) { simulation.submit(step); }
  simulation.finish();
  for (std::size_t i = 0; i < set_up.tables.size(); ++i) {
    Statistics const statistics = simulation.engine(i).statistics();
    EXPECT_NEAR(statistics.load_factor(), 0.85, 0.001) << set_up.tables[i].family;
    bool const moves = statistics.moves.count != 0;
    EXPECT_EQ(moves, set_up.tables[i].family == "cuckoo");
  }
}

TEST(CompareScenario, TheShippedOneOfDeletionsCanBeRead)
{
  auto const set_up =
      test::read_setup<CompareSetup>(SLOTSCAPE_SOURCE_DIR "/assets/compare/two-deletions.slotscape.json");
  ASSERT_THAT(set_up.tables, SizeIs(2));
  EXPECT_NE(set_up.tables[0].deletion, set_up.tables[1].deletion);
}

/// The statistics of all tables of a shipped scenario after its first steps, which change them.
std::vector<Statistics> after_steps(CompareSetup const& set_up)
{
  Simulation simulation{Backend::cpu, set_up.tables, set_up.shared.settings.keys, 1};
  for (Action const& step : set_up.shared.steps) { simulation.submit(step); }
  simulation.finish();
  std::vector<Statistics> found;
  for (std::size_t table = 0; table != set_up.tables.size(); ++table) {
    found.push_back(simulation.engine(table).statistics());
  }
  return found;
}

TEST(CompareScenario, NinetyNinePerCentIsWhatTheShippedTablesAreMadeFor)
{
  auto const set_up =
      test::read_setup<CompareSetup>(SLOTSCAPE_SOURCE_DIR "/assets/compare/ninety-nine-per-cent.slotscape.json");
  ASSERT_THAT(set_up.tables, SizeIs(4));
  for (TableSettings const& table : set_up.tables) {
    EXPECT_GE(family_info(table.family).guarantees(table).safe_load, 0.99) << table.family;
  }
  std::vector<Statistics> const found = after_steps(set_up);
  for (Statistics const& each : found) { EXPECT_NEAR(each.load_factor(), 0.99, 1e-4); }
  auto const& [linear, robin_hood, elastic, funnel] = std::tie(found[0], found[1], found[2], found[3]);
  EXPECT_LT(4 * elastic.hit_accesses.max, linear.hit_accesses.max) << "elastic hashing bounds the longest lookup";
  EXPECT_LT(4 * funnel.hit_accesses.max, linear.hit_accesses.max) << "so does funnel hashing";
  EXPECT_LT(elastic.hit_accesses.mean, robin_hood.hit_accesses.mean);
  EXPECT_LT(4.0 * robin_hood.miss_accesses.mean, elastic.miss_accesses.mean) << "a miss reads as far as any hit may";
}

/// The rows of each key of a table whose values count them, in the order of the keys.
std::vector<Pair> rows_by_key(Simulation& simulation, std::size_t table)
{
  std::vector<Pair> pairs = simulation.engine(table).pairs();
  std::ranges::sort(pairs, {}, &Pair::key);
  return pairs;
}

/// Build sides and groups: each value counts the rows of its key, and all tables agree.
TEST(CompareScenario, JoinsAndGroupBysCountTheRowsOfEachKey)
{
  struct Shipped {
    std::string file;
    std::uint64_t rows;
    std::uint64_t of_largest;  ///< at least
  };
  for (Shipped const& shipped : {Shipped{"a-hash-join", 1200, 50}, Shipped{"a-group-by", 100'000, 10'000}}) {
    SCOPED_TRACE(shipped.file);
    auto const set_up = test::read_setup<CompareSetup>(std::string(SLOTSCAPE_SOURCE_DIR "/assets/compare/") +
                                                       shipped.file + ".slotscape.json");
    ASSERT_THAT(set_up.tables, SizeIs(2));
    Simulation simulation{Backend::cpu, set_up.tables, set_up.shared.settings.keys, set_up.shared.settings.seed};
    for (Action const& step : set_up.shared.steps) { simulation.submit(step); }
    simulation.finish();
    std::vector<Pair> const groups = rows_by_key(simulation, 0);
    EXPECT_EQ(rows_by_key(simulation, 1), groups);
    EXPECT_EQ(simulation.refused(0) + simulation.refused(1), 0u);
    std::uint64_t rows = 0;
    for (Pair const& group : groups) { rows += group.value; }
    EXPECT_EQ(rows, shipped.rows);
    EXPECT_GT(std::ranges::max_element(groups, {}, &Pair::value)->value, shipped.of_largest);
    DriveSettings drive = set_up.shared.settings.drive;
    EXPECT_TRUE(drive.running);
    for (int frame = 0; frame < 30; ++frame) { simulation.step(drive, 1.0 / 30.0, 60.0); }
    bool const probes = drive.find > 0.0;
    EXPECT_EQ(rows_by_key(simulation, 0) == groups, probes) << "lookups change nothing, rows do";
  }
}

/// In the window, beside other tables, in files and in the variables of lessons, which read `--stats`.
TEST(CompareScenario, MissesAreTheSameNumberInEveryScene)
{
  for (std::string const family : {"linear_probing", "quadratic", "robin_hood", "double_hashing", "swiss"}) {
    SCOPED_TRACE(family);
    TableSettings const table{.family = family, .slots = 16, .hash = HashKind::identity};
    std::vector<Key> const keys{10, 22, 31, 4, 15, 28, 17, 88, 59};
    CompareSetup both;
    both.tables = {table, table};
    both.shared.settings.table = table;
    auto const fill = [&](App& app) {  // there can be one at a time
      auto& scene = scene_of<TableScene>(app);
      for (Key const key : keys) { scene.simulation().submit(OnKey{Operation::insert, key, 0}); }
      scene.finish_steps({});
      for (int frame = 0; frame < 12; ++frame) { app.frame(0.1); }
    };
    double shown = 0.0;
    {
      auto const alone = test::offscreen_app({1280, 720}, test::slots_scenario(table));
      fill(*alone);
      shown = scene_of<SlotsScene>(*alone).state().statistics.miss_accesses.mean;
      EXPECT_EQ(alone->current_scene().statistics({}).json["accesses"]["misses"]["mean"].get<double>(), shown);
    }
    EXPECT_GT(shown, 1.0);
    auto const compared = test::offscreen_app({1280, 720}, test::compare_scenario(both));
    fill(*compared);
    for (ComparedTable const& each : scene_of<CompareScene>(*compared).compared().tables) {
      EXPECT_EQ(each.slots.statistics.miss_accesses.mean, shown);
    }
    EXPECT_EQ(compared->current_scene().statistics({}).json["tables"][1]["accesses"]["misses"]["mean"].get<double>(),
              shown);
  }
}

TEST(CompareScenario, GravesKeepInsertionsShort)
{
  auto const set_up =
      test::read_setup<CompareSetup>(SLOTSCAPE_SOURCE_DIR "/assets/compare/graves-that-help.slotscape.json");
  ASSERT_THAT(set_up.tables, SizeIs(3));
  EXPECT_EQ(set_up.tables[0].deletion, Deletion::tombstone_reuse);
  std::vector<Statistics> const found = after_steps(set_up);
  auto const& [linear, robin_hood, graveyard] = std::tie(found[0], found[1], found[2]);
  EXPECT_LT(2.0 * graveyard.moves.mean, robin_hood.moves.mean) << "keys displaced by an insertion";
  EXPECT_LT(graveyard.effective_load(), linear.effective_load()) << "tombstones pile up in linear probing";
  EXPECT_LT(10.0 * graveyard.miss_accesses.mean, linear.miss_accesses.mean);
  EXPECT_LT(robin_hood.miss_accesses.mean, graveyard.miss_accesses.mean) << "lookups pay for the graves";
}

TEST(ComparedTables, AreToldApartByWhatDiffers)
{
  std::vector<TableSettings> const two = tables(2);
  EXPECT_EQ(distinction_of(0, two), "value becomes empty");
  EXPECT_EQ(distinction_of(1, two), "tombstones reused");
  EXPECT_EQ(distinction_of(2, tables(3)), "tombstones reused, hash: xxHash-like");
  EXPECT_EQ(distinction_of(3, tables(4)), "tombstones reused, hash: identity (key mod slots)");
  EXPECT_THAT(distinction_of(0, {two[0], two[0]}), IsEmpty());
}

TEST(ComparedTables, SayHowTheyDeleteEvenWhereTheOtherHasNoChoice)
{
  TableSettings const linear{.family = "linear_probing", .slots = 1024};
  TableSettings const robin_hood{.family = "robin_hood", .slots = 1024};
  EXPECT_EQ(distinction_of(0, {linear, robin_hood}), "value becomes empty");
  EXPECT_THAT(distinction_of(1, {linear, robin_hood}), IsEmpty()) << "it has only one way";
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
  EXPECT_EQ(fresh[1].family, "robin_hood");
  EXPECT_EQ(fresh[1].deletion, first.deletion) << "what is not compared is the same";
  TableSettings large = first;
  large.slots = 4096;
  std::vector<TableSettings> const kept = compared_with(large, tables(4));
  ASSERT_THAT(kept, SizeIs(3)) << "the one that is as the first is left out";
  EXPECT_EQ(kept[2].hash, HashKind::identity);
  EXPECT_EQ(kept[2].slots, 4096u);
}

TEST(ComparedTables, NameAllTheirParameters)
{
  TableSettings const slab{.family = "slab", .slots = 1024};
  TableSettings larger = slab;
  larger.parameters["pool"] = 100;
  EXPECT_EQ(distinction_of(0, {slab, larger}), "pool 50 %");
  EXPECT_EQ(distinction_of(1, {slab, larger}), "pool 100 %");
}

/// Where nobody has chosen otherwise, the hash is that of the first table, and so are the ways to delete and to
/// combine.
TEST(ComparedTables, HaveOneHashUnlessTheyWereGivenOthers)
{
  for (EnumName<HashKind> const& hash : enum_names<HashKind>()) {
    TableSettings first = table_of(Deletion::tombstone_reuse, hash.value);
    first.combine = Combine::max;
    std::vector<TableSettings> const before{table_of(Deletion::empty_value),
                                            {.family = "quadratic", .slots = 1024},
                                            {.family = "robin_hood", .slots = 1024, .hash = HashKind::xxhash}};
    std::vector<TableSettings> const now = compared_with(first, before);
    ASSERT_THAT(now, SizeIs(3));
    EXPECT_EQ(now[1].hash, hash.value);
    EXPECT_EQ(now[1].deletion, Deletion::tombstone_reuse);
    EXPECT_EQ(now[1].combine, Combine::max);
    EXPECT_EQ(now[2].hash, HashKind::xxhash) << "somebody chose it";
    for (TableSettings const& table : compared_with(first, {})) { EXPECT_EQ(table.hash, hash.value); }
  }
}

TEST(ComparedTables, CompareNoFamilyWithItself)
{
  for (std::string const& family : family_names()) {
    TableSettings first{.family = family, .slots = 1024, .hash = HashKind::identity};
    std::vector<TableSettings> const before{{.family = "linear_probing", .slots = 64}, {.family = family, .slots = 64}};
    std::vector<TableSettings> const now = compared_with(first, before);
    ASSERT_THAT(now, SizeIs(2)) << family;
    EXPECT_NE(distinction_of(0, now) + now[0].family, distinction_of(1, now) + now[1].family) << family;
    if (family != "linear_probing") { EXPECT_EQ(now[1].family, "linear_probing") << family; }
  }
}

/// Room for as many keys as the first one, also where a family takes powers of two alone.
TEST(ComparedTables, HaveNoFewerSlotsThanTheFirst)
{
  for (std::uint64_t const slots : {17u, 90u, 1025u, 90'000u}) {
    TableSettings const first{.slots = slots};
    for (std::string const& family : family_names()) {
      if (family == first.family) { continue; }
      EXPECT_GE(compared_with(first, {first, {.family = family}})[1].slots, slots) << family;
    }
  }
}

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
    auto const places = arrange_maps(look, {0, 0, 1200, 900}, 4, 1.0, captions);
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
  auto const places = arrange_maps(look, {0, 260, 773, 285}, 3, 1.0, true);
  for (MapPlace const& place : places) {
    EXPECT_GE(place.canvas.height, 70);
    EXPECT_LE(place.canvas.y + place.canvas.height, 260 + 285);
    EXPECT_LE(place.header.y + place.header.height, place.caption.y);
    EXPECT_LE(place.caption.y + place.caption.height, place.canvas.y);
  }
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
    state.tables[0].slots.throughput.add(run);
  }
}

TEST(ComparedTables, TellWhatEachOfThemPromises)
{
  CompareState state;
  state.tables.resize(2);
  state.tables[1].slots.settings.table.family = "robin_hood";
  std::string const text = test::text_of_panel([&](Look const& look) {
    ImGui::GetStateStorage()->SetBool(ImGui::GetID("Guarantees"), true);
    compared_tables_panel(look, state);
  });
  for (ComparedTable const& table : state.tables) {
    for (GuaranteeText const& promise : guarantee_texts(guarantees_of(table.slots))) {
      EXPECT_THAT(text, HasSubstr(promise.text)) << table.slots.settings.table.family;
    }
  }
}

TEST_F(CompareTest, ShowsAMapOfEachTable)
{
  for (std::size_t count = min_compared; count <= max_compared; ++count) {
    compare(count);
    gl::Image const picture = app_->picture();
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
            "Table 2, Quadratic probing, has 16 slots instead of 11: it takes a power of two.");
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
  EXPECT_THAT(app_->toasts().latest(), HasSubstr("has keys of 32 bits only, so all tables have"));
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
