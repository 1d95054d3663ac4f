#include "tests/app/scenes/compare/compared_tables.hpp"

#include "app/scenes/compare/gui.hpp"
#include "app/scenes/compare/scene.hpp"
#include "app/simulation/families.hpp"
#include "app/simulation/names.hpp"
#include "gpu/base/error.hpp"
#include "tests/app/support/program.hpp"
#include "tests/app/support/temporary_folder.hpp"
#include "tests/support/paths.hpp"

#include <gmock/gmock.h>
#include <imgui_internal.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

namespace slotscape {
namespace {

using test::scene_of;

using nlohmann::json;
using test::message_of;
using test::setup_of;
using test::table_of;
using test::tables;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

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
    RoomWarning const& warning = scene.state().advice.warning;
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
  auto const set_up = test::read_setup<CompareSetup>(test::in_project("assets/compare/stable-tables.slotscape.json"));
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

/// The keys in the slots of each table after the steps of a shipped scenario; none in an empty slot.
std::vector<std::vector<std::optional<Key>>> placed_by(std::string const& name)
{
  auto const set_up = test::read_setup<CompareSetup>(test::in_project("assets/compare/" + name + ".slotscape.json"));
  Simulation simulation{Backend::cpu, set_up.tables, set_up.shared.settings.keys, 1};
  for (Action const& step : set_up.shared.steps) { simulation.submit(step); }
  simulation.finish();
  std::vector<std::vector<std::optional<Key>>> tables(set_up.tables.size());
  for (std::size_t table = 0; table != tables.size(); ++table) {
    Engine& engine = simulation.engine(table);
    for (Slot slot = 0; slot != engine.table().slots; ++slot) {
      SlotInfo const info = engine.slot(slot);
      tables[table].push_back(info.has_key ? std::optional(info.pair.key) : std::nullopt);
    }
  }
  return tables;
}

/// The i-th probe of each table, in the words of a textbook.
TEST(CompareScenario, TheShippedTextbookOneHasTheKeysWhereTheFormulasPutThem)
{
  std::vector<std::function<Key(Key, Key)>> const probes{[](Key key, Key i) { return (key + i) % 11; },
                                                         [](Key key, Key i) { return (key + i * i) % 11; },
                                                         [](Key key, Key i) {
                                                           return (key + i * (1 + key % 10)) % 11;
                                                         }};
  auto const placed = placed_by("textbook-probing");
  ASSERT_THAT(placed, SizeIs(probes.size()));
  for (std::size_t table = 0; table != probes.size(); ++table) {
    std::vector<std::optional<Key>> computed(11);
    for (Key const key : {12u, 44u, 13u, 88u, 23u, 94u, 11u, 39u, 20u, 16u, 5u}) {
      Key i = 0;
      while (computed[probes[table](key, i)]) { ++i; }
      computed[probes[table](key, i)] = key;
    }
    EXPECT_EQ(placed[table], computed) << table;
  }
}

TEST(CompareScenario, TheShippedTextbookCuckooHasEachKeyInOneOfItsTwoSlots)
{
  auto const placed = placed_by("textbook-cuckoo");
  ASSERT_THAT(placed, SizeIs(2));
  ASSERT_THAT(placed.front(), SizeIs(22));
  for (Key const key : {20u, 50u, 53u, 75u, 100u, 67u, 105u, 3u, 36u, 39u}) {
    int const found = (placed[0][key % 11] == key ? 1 : 0) + (placed[0][11 + key / 11 % 11] == key ? 1 : 0);
    EXPECT_EQ(found, 1) << key;
    EXPECT_EQ(std::ranges::count(placed[1], std::optional(key)), 1) << key;
  }
}

TEST(CompareScenario, TheShippedOneOfDeletionsCanBeRead)
{
  auto const set_up = test::read_setup<CompareSetup>(test::in_project("assets/compare/two-deletions.slotscape.json"));
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
      test::read_setup<CompareSetup>(test::in_project("assets/compare/ninety-nine-per-cent.slotscape.json"));
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
    auto const set_up = test::read_setup<CompareSetup>(
        test::in_project("assets/compare/" + std::string(shipped.file) + ".slotscape.json"));
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
      test::read_setup<CompareSetup>(test::in_project("assets/compare/graves-that-help.slotscape.json"));
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

/// What stands below their titles says which hash they have, also where it is the same.
TEST(ComparedTables, NameTheirHash)
{
  TableSettings const murmur{.family = "linear_probing", .slots = 1024};
  TableSettings identity = murmur;
  identity.hash = HashKind::identity;
  TableSettings const cuckoo{.family = "cuckoo", .slots = 1024};
  EXPECT_EQ(subtitle_of(0, {murmur, murmur}), "hash: Murmur3 finaliser");
  EXPECT_EQ(subtitle_of(1, {murmur, identity}), distinction_of(1, {murmur, identity})) << "it is a difference already";
  EXPECT_THAT(subtitle_of(1, {murmur, cuckoo}), IsEmpty()) << "it has hashes of its own";
}

TEST(ComparedTables, SayHowTheyDeleteEvenWhereTheOtherHasNoChoice)
{
  TableSettings const linear{.family = "linear_probing", .slots = 1024};
  TableSettings const hopscotch{.family = "hopscotch", .slots = 1024};
  EXPECT_EQ(distinction_of(0, {linear, hopscotch}), "value becomes empty");
  EXPECT_THAT(distinction_of(1, {linear, hopscotch}), IsEmpty()) << "it has only one way";
  TableSettings const robin_hood{.family = "robin_hood", .slots = 1024, .deletion = Deletion::shift};
  EXPECT_EQ(distinction_of(1, {linear, robin_hood}), "keys move back");
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
  for (HashKind const hash : compiled_in_hashes) {
    TableSettings first = table_of(Deletion::tombstone_reuse, hash);
    first.combine = Combine::max;
    std::vector<TableSettings> const before{table_of(Deletion::empty_value),
                                            {.family = "quadratic", .slots = 1024},
                                            {.family = "robin_hood", .slots = 1024, .hash = HashKind::xxhash}};
    std::vector<TableSettings> const now = compared_with(first, before);
    ASSERT_THAT(now, SizeIs(3));
    EXPECT_EQ(now[1].hash, hash);
    EXPECT_EQ(now[1].deletion, Deletion::tombstone_reuse);
    EXPECT_EQ(now[1].combine, Combine::max);
    EXPECT_EQ(now[2].hash, HashKind::xxhash) << "somebody chose it";
    for (TableSettings const& table : compared_with(first, {})) { EXPECT_EQ(table.hash, hash); }
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

}  // namespace
}  // namespace slotscape
