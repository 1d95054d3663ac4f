#include "app/base/text.hpp"
#include "app/gui/gui.hpp"
#include "app/registry/scenes.hpp"
#include "app/scenes/compare/scene.hpp"
#include "app/scenes/tune/scene.hpp"
#include "app/scenes/watch/advice.hpp"
#include "app/scenes/watch/gui.hpp"
#include "app/scenes/watch/scene.hpp"
#include "app/shell/app.hpp"
#include "tests/app/program.hpp"
#include "tests/app/watch/dumped_table.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <chrono>
#include <functional>
#include <thread>

namespace slotscape {
namespace {

using test::DumpedTable;
using test::message_of;
using test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::uint32_t table_slots = 1u << 14;

class WatchSceneTest : public testing::Test {
protected:
  static WatchSetup set_up_of(std::filesystem::path const& file, Json layout)
  {
    WatchSetup set_up;
    set_up.settings.files = {file.string()};
    set_up.settings.layout = std::move(layout);
    return set_up;
  }
  static Json preset() { return Json{{"preset", "SimpleGPUHashTable"}}; }
  void open(DumpedTable const& table, Json layout = preset())
  {
    show(set_up_of(folder_.write("table.npy", table.structured()), std::move(layout)));
  }
  /// Keys alone, of 32 bits, where empty slots have all bits set.
  void open_keys(std::vector<std::uint32_t> const& keys, Json layout)
  {
    std::string const bytes(reinterpret_cast<char const*>(keys.data()), 4 * keys.size());
    layout["slots"] = keys.size();
    layout["key"] = {{"bits", 32}};
    layout["empty_key"] = DumpedTable::empty;
    show(set_up_of(folder_.write("keys.bin", bytes), std::move(layout)));
  }
  void show(WatchSetup const& set_up)
  {
    app_.reset();  // two at once would share what there is one of, such as the state of ImGui
    app_ = test::offscreen_app({1280, 720}, Scenario{&test::entry("watch"), set_up});
    frames(3);
  }
  void frames(int count)
  {
    for (int i = 0; i < count; ++i) { app_->frame(0.1); }
  }
  /// As if it had been typed.
  void find(Key key)
  {
    auto const pairs = std::make_shared<std::vector<Pair> const>(1, Pair{key, 0});
    state().table.ask(OnTyped{{.operation = Operation::find, .pairs = pairs}});
    frames(1);
  }
  WatchScene& scene() { return dynamic_cast<WatchScene&>(app_->current_scene()); }
  WatchState& state() { return scene().state(); }

  TemporaryFolder folder_;
  std::unique_ptr<App> app_;
};

TEST_F(WatchSceneTest, ShowsADump)
{
  open(DumpedTable(table_slots, table_slots / 2));
  EXPECT_TRUE(state().has_table);
  EXPECT_EQ(state().table.statistics.live, table_slots / 2);
  EXPECT_EQ(state().check.found, 1000u);
  EXPECT_EQ(state().table.foreign->theory, TheoryOf::linear_probing);
  EXPECT_THAT(state().advice, ElementsAre(HasSubstr("Nothing is wrong")));
  EXPECT_TRUE(scene().findings().empty());
  EXPECT_TRUE(scene().quiet());
  EXPECT_EQ(app_->toasts().errors(), 0u);
}

TEST_F(WatchSceneTest, FindsATypedKey)
{
  DumpedTable const table(table_slots, table_slots / 2);
  open(table);
  std::uint32_t const key = DumpedTable::key(77);
  find(key);
  auto const& lookup = state().table.selection.lookup;
  ASSERT_TRUE(lookup);
  EXPECT_EQ(lookup->path.value, 77u);
  EXPECT_EQ(lookup->path.slots.front(), DumpedTable::hash(key) & (table_slots - 1));
  EXPECT_EQ(lookup->path.slots.back(), table.place(key));
  EXPECT_EQ(app_->toasts().errors(), 0u);
}

TEST_F(WatchSceneTest, AWrongHashIsSaidAndTakenBack)
{
  Json layout = preset();
  layout["hash"] = {{"function", "xxhash_32"}};
  open(DumpedTable(table_slots, table_slots / 2), layout);
  EXPECT_TRUE(state().check.is_wrong());
  EXPECT_TRUE(state().homes_hidden);
  EXPECT_TRUE(state().table.foreign->measure.name.empty());
  EXPECT_THAT(scene().findings(), ElementsAre(HasSubstr("is the hash right? The preset 'SimpleGPUHashTable'")));
  EXPECT_THAT(state().advice, Contains(HasSubstr("does not find the keys")));
  state().ask(UseDescription{state().check.better.front().description});
  frames(2);
  EXPECT_FALSE(state().homes_hidden);
  EXPECT_EQ(state().check.found, 1000u);
  EXPECT_GT(state().table.statistics.probe_length.count, 0u);
}

TEST_F(WatchSceneTest, TombstonesAreSaid)
{
  DumpedTable table(table_slots, table_slots * 8 / 10);
  for (std::uint32_t i = 0; i < table_slots / 5; ++i) { table.erase(DumpedTable::key(i)); }
  open(table);
  EXPECT_EQ(state().table.statistics.tombstones, table_slots / 5);
  EXPECT_THAT(state().advice, Contains(HasSubstr("A fifth of the slots are tombstones: a rehash would")));
}

TEST_F(WatchSceneTest, FewerSlotsThanTheArrayHasAreAskedAbout)
{
  Json layout = preset();
  layout["slots"] = table_slots / 2;
  open(DumpedTable(table_slots, table_slots / 4), layout);
  EXPECT_THAT(scene().findings(), Contains("The array has room for 16384 slots, and the description says 8192: is "
                                           "\"slots\" right?"));
}

TEST_F(WatchSceneTest, AnEmptyKeyThatIsNoneIsAskedAbout)
{
  Json layout = preset();
  layout["empty_key"] = 0;
  layout["erased_value"] = nullptr;
  open(DumpedTable(table_slots, table_slots * 8 / 10), layout);
  EXPECT_THAT(state().advice, Contains(HasSubstr("If 4294967295 is what empty slots hold, say so: \"empty_key\".")));
}

/// A key that was put two slots further than an empty one, and one that lies in two slots.
TEST_F(WatchSceneTest, LostKeysAreSaidFirstAndEverywhere)
{
  DumpedTable table(table_slots, table_slots / 2);
  auto const is_empty = [&](std::uint32_t slot) { return table.key_in(slot) == DumpedTable::empty; };
  auto const ends_at_home = [&](std::uint32_t slot) {
    bool const at_home = !is_empty(slot) && (DumpedTable::hash(table.key_in(slot)) & (table_slots - 1)) == slot;
    return at_home && is_empty(slot + 1) && is_empty(slot + 2);
  };
  std::uint32_t home = 1;
  while (!ends_at_home(home)) { ++home; }
  std::uint32_t const lost = home + 2;
  std::uint32_t const lost_key = table.key_in(home);
  table.overwrite(lost, lost_key);
  table.overwrite(home, DumpedTable::empty);
  std::uint32_t copy = lost + 100;
  while (!ends_at_home(copy)) { ++copy; }
  table.overwrite(copy + 1, table.key_in(copy));
  open(table);
  ASSERT_TRUE(state().has_table) << state().problem;
  EXPECT_EQ(state().lost.keys.unreachable, 1u);
  EXPECT_EQ(state().lost.keys.twice, 1u);
  EXPECT_EQ(state().table.statistics.live, table_slots / 2 + 1);
  EXPECT_EQ(state().table.statistics.hit_accesses.count, table_slots / 2 - 1);

  ASSERT_GE(state().advice.size(), 3u);
  EXPECT_THAT(state().advice[0], AllOf(HasSubstr("1 of 8,193 stored keys is LOST"), HasSubstr(std::to_string(lost_key)),
                                       HasSubstr(fmt::format("slot {}", grouped(lost)))));
  EXPECT_THAT(state().advice[1], AllOf(HasSubstr("1 of 8,193 stored keys is a second copy: its key is STORED TWICE"),
                                       HasSubstr(fmt::format("lies in slot {},", grouped(copy + 1))),
                                       HasSubstr(fmt::format("finds the one in slot {}", grouped(copy)))));
  EXPECT_THAT(state().advice[2], HasSubstr("The table is at fault"));
  EXPECT_THAT(state().advice, Not(Contains(HasSubstr("Nothing is wrong"))));
  EXPECT_THAT(scene().findings(), ElementsAre(HasSubstr("LOST"), HasSubstr("STORED TWICE")));

  Json const json = scene().statistics({}).json;
  EXPECT_EQ(json["lost"]["unreachable"], 1);
  EXPECT_EQ(json["lost"]["stored_twice"], 1);
  EXPECT_EQ(json["lost"]["fault"], "table");
  EXPECT_THAT(json["lost"]["slots"], ElementsAre(lost, copy + 1));
  EXPECT_EQ(json["lost"]["first_unreachable"]["slot"], lost);
  EXPECT_EQ(json["lost"]["first_unreachable"]["key"], std::to_string(lost_key));
  EXPECT_EQ(json["lost"]["first_stored_twice"]["found_in"], copy);
  EXPECT_EQ(json["accesses"]["hits"]["count"], table_slots / 2 - 1);
  EXPECT_EQ(json["accesses"]["misses"]["exact"], true);
  EXPECT_THAT(json["summary"].get<std::string>(), HasSubstr("2 keys not found where they are"));

  find(lost_key);
  EXPECT_FALSE(state().table.selection.lookup->path.value) << "the lookup agrees";
  EXPECT_EQ(state().table.selection.lookup->lies_in, std::optional<Slot>(lost));
  state().ask(ShowSlot{state().lost.keys.first_unreachable});
  frames(2);
  EXPECT_EQ(state().table.selection.pinned, std::optional<Slot>(lost));
  ASSERT_TRUE(state().table.inspected.pinned);
  EXPECT_EQ(state().table.inspected.pinned->slot.state, SlotState::link);
  EXPECT_EQ(app_->toasts().errors(), 0u);
}

TEST_F(WatchSceneTest, ADescriptionThatLosesKeysIsAtFault)
{
  Json layout = preset();
  layout["probing"] = {{"scheme", "quadratic"}};
  open(DumpedTable(table_slots, table_slots / 4), layout);
  EXPECT_GT(state().lost.keys.unreachable, 10u);
  EXPECT_THAT(state().advice, Contains(AllOf(HasSubstr("The description is at fault"), HasSubstr("linear"))));
  EXPECT_EQ(scene().statistics({}).json["lost"]["fault"], "description");
}

/// Whoever marks erased slots by a key that the description does not know.
TEST_F(WatchSceneTest, AnErasedKeyThatIsNotDescribedIsRecognised)
{
  DumpedTable table(table_slots, table_slots / 2);
  std::uint32_t erased = 0;
  for (std::uint32_t slot = 0; slot < table_slots; slot += 20) {
    if (table.key_in(slot) == DumpedTable::empty) { continue; }
    table.overwrite(slot, 4'294'967'294u);
    ++erased;
  }
  open(table);
  std::uint64_t const lost = state().lost.count();
  EXPECT_TRUE(lost == erased || lost == erased - 1) << "a lookup may find one of them";
  EXPECT_THAT(state().advice, Contains(AllOf(HasSubstr(fmt::format("Key 4294967294 is in {} of them", grouped(lost))),
                                             HasSubstr("\"erased_key\""))));
  EXPECT_THAT(state().advice, Not(Contains(HasSubstr("The table is at fault"))));
  EXPECT_EQ(scene().statistics({}).json["lost"]["fault"], "unknown");
}

/// The key of each slot, where keys go on from home slot by slot.
std::vector<std::uint32_t> linear(std::uint32_t slots, std::uint32_t keys, auto const& key, auto const& home)
{
  std::vector<std::uint32_t> all(slots, DumpedTable::empty);
  for (std::uint32_t i = 0; i < keys; ++i) {
    std::uint32_t slot = home(key(i)) % slots;
    while (all[slot] != DumpedTable::empty) { slot = (slot + 1) % slots; }
    all[slot] = key(i);
  }
  return all;
}

TEST_F(WatchSceneTest, KeysThatShareHomesWithGapsBetweenCrowd)
{
  Json layout{{"hash", {{"function", "identity"}, {"reduction", "mask"}}}, {"probing", "linear"}};
  auto const by_eights = [](std::uint32_t i) { return 8 * (DumpedTable::hash(i) >> 4); };
  open_keys(linear(2048, 1000, by_eights, std::identity()), layout);
  EXPECT_GT(state().table.statistics.hit_accesses.mean, 2.5);
  EXPECT_THAT(state().advice, Contains(AllOf(HasSubstr("A hit takes"), HasSubstr("crowd under this hash"))));
  EXPECT_THAT(state().advice, Not(Contains(HasSubstr("Nothing is wrong"))));
  layout["hash"]["function"] = "murmur3";
  open_keys(linear(2048, 1000, by_eights, DumpedTable::hash), layout);
  EXPECT_THAT(state().advice, ElementsAre(HasSubstr("Nothing is wrong")));
}

/// Without an empty slot every lookup gets to every key, whatever the hash.
TEST_F(WatchSceneTest, AFullTableDoesNotConfirmAWrongHash)
{
  std::vector<std::uint32_t> const full = linear(2048, 2048, DumpedTable::key, DumpedTable::hash);
  open_keys(full, {{"hash", {{"function", "fibonacci"}, {"reduction", "multiply_shift"}}}, {"probing", "linear"}});
  EXPECT_TRUE(state().check.is_wrong()) << state().check.found;
  ASSERT_FALSE(state().check.better.empty());
  EXPECT_EQ(state().check.better.front().description.hashes.front().function, watch::HashFunction::murmur3_finaliser);
  EXPECT_THAT(scene().findings(), ElementsAre(HasSubstr("given up after 512 accesses: is the hash right?")));
  open_keys(full, {{"hash", {{"function", "murmur3"}, {"reduction", "mask"}}}, {"probing", "linear"}});
  EXPECT_FALSE(state().check.is_wrong());
  EXPECT_TRUE(state().check.better.empty());
  EXPECT_TRUE(scene().findings().empty());
}

/// Nine tenths of the keys lie where the first function leads: that says nothing of the second one.
TEST_F(WatchSceneTest, AFunctionByWhichNoKeyIsFoundIsNotConfirmed)
{
  constexpr std::uint32_t seed = 111;
  std::vector<std::uint32_t> all(4096, DumpedTable::empty);
  for (std::uint32_t i = 0; i < 600; ++i) {
    std::uint32_t const key = DumpedTable::key(i);
    std::uint32_t const first = DumpedTable::hash(key) % 4096;
    std::uint32_t const second = DumpedTable::hash(key ^ seed) % 4096;
    if (std::uint32_t const slot = all[first] == DumpedTable::empty ? first : second; all[slot] == DumpedTable::empty) {
      all[slot] = key;
    }
  }
  auto const with_seed = [](std::uint32_t of_second) {
    Json const first{{"function", "murmur3"}, {"reduction", "mask"}};
    Json second = first;
    second["seed"] = of_second;
    return Json{{"hash", first}, {"probing", {{"scheme", "cuckoo"}, {"hashes", {second}}}}};
  };
  open_keys(all, with_seed(333));
  EXPECT_GT(state().lost.keys.unreachable, 10u);
  EXPECT_EQ(scene().statistics({}).json["lost"]["fault"], "unknown");
  EXPECT_THAT(state().advice, Contains(HasSubstr("Are the further hashes right")));
  open_keys(all, with_seed(seed));
  EXPECT_EQ(state().lost.count(), 0u);
}

/// Keys put one after the other into so many slots by double hashing; and the mean accesses that this takes.
double put_in(std::vector<std::uint32_t>& slots, std::span<std::uint32_t const> keys)
{
  auto const count = static_cast<std::uint32_t>(slots.size());
  double accesses = 0.0;
  for (std::uint32_t const key : keys) {
    std::uint32_t slot = DumpedTable::hash(key) % count;
    std::uint32_t const step = 1 + DumpedTable::hash(key ^ 7) % (count - 1);
    for (++accesses; slots[slot] != DumpedTable::empty; ++accesses) { slot = (slot + step) % count; }
    slots[slot] = key;
  }
  return accesses / static_cast<double>(keys.size());
}

TEST_F(WatchSceneTest, TwiceTheSlotsOfAPrimeAreAPrime)
{
  std::vector<std::uint32_t> keys(450);
  for (std::uint32_t i = 0; i < keys.size(); ++i) { keys[i] = DumpedTable::key(i); }
  std::vector<std::uint32_t> slots(499, DumpedTable::empty);
  put_in(slots, keys);
  open_keys(slots, {{"hash", {{"function", "murmur3"}}},
                    {"probing", {{"scheme", "double"}, {"hashes", {{{"function", "murmur3"}, {"seed", 7}}}}}}});
  EXPECT_EQ(state().check.found, 450u);
  std::erase(slots, DumpedTable::empty);  // they are put in anew in this order
  std::vector<std::uint32_t> again(499, DumpedTable::empty);
  std::vector<std::uint32_t> doubled(1009, DumpedTable::empty);  // the next prime after 998
  Json const json = scene().statistics({}).json;
  EXPECT_NEAR(json["rehashed"]["hit_accesses"].get<double>(), put_in(again, slots), 1e-9);
  EXPECT_NEAR(json["doubled"]["hit_accesses"].get<double>(), put_in(doubled, slots), 1e-9);
}

TEST_F(WatchSceneTest, ASoundTableHasNoLostKeys)
{
  open(DumpedTable(table_slots, table_slots / 2));
  Json const lost = scene().statistics({}).json["lost"];
  EXPECT_EQ(lost["unreachable"], 0);
  EXPECT_EQ(lost["stored_twice"], 0);
  EXPECT_TRUE(lost["fault"].is_null());
  EXPECT_TRUE(lost["first_unreachable"].is_null());
}

/// Two buckets of two keys, of which one goes on in three slabs; a slab is another table's.
TEST_F(WatchSceneTest, LongChainsAndSlabsBesideThemAreSaid)
{
  std::vector<std::uint32_t> words(21, 0xffffffffu);  // seven slabs
  auto const fill = [&](std::size_t slab, std::uint32_t key, std::uint32_t link) {
    words[3 * slab] = key;
    words[3 * slab + 1] = key + 2;
    words[3 * slab + 2] = link;
  };
  fill(0, 2, 1);
  fill(1, 1, 0xffffffffu);
  fill(3, 6, 2);  // slab 1: the first two are buckets
  fill(4, 10, 4);
  fill(6, 14, 0xffffffffu);
  fill(5, 30, 0xffffffffu);
  std::string const bytes(reinterpret_cast<char const*>(words.data()), 4 * words.size());
  show(set_up_of(folder_.write("chains.bin", bytes), {{"slots", 4},
                                                      {"key", {{"bits", 32}}},
                                                      {"bucket", {{"slots", 2}, {"stride", 12}}},
                                                      {"links", {{"start", 24}, {"slabs", 5}, {"offset", 8}}},
                                                      {"empty_key", -1},
                                                      {"hash", {{"function", "identity"}}},
                                                      {"probing", "chains"}}));
  ASSERT_TRUE(state().has_table) << state().problem;
  EXPECT_EQ(state().table.statistics.live, 10u);
  EXPECT_EQ(state().check.found, 10u);
  EXPECT_THAT(state().advice,
              Contains("A miss reads 2.5 slabs, for 5.0 keys to a bucket on average: more buckets would "
                       "shorten the chains."));
  EXPECT_THAT(state().advice,
              Contains(AllOf(HasSubstr("Chains lead to 3 of 5 slabs: in the buckets and these, α is 1.00."),
                             HasSubstr("1 more slab is filled with keys"))));
}

TEST_F(WatchSceneTest, WithoutAHashItSaysWhatIsMissing)
{
  Json layout = preset();
  layout["hash"] = "unknown";
  open(DumpedTable(table_slots, table_slots / 2), layout);
  EXPECT_EQ(state().table.settings.view.color_by, ColorBy::state);
  EXPECT_GT(state().table.statistics.clusters.count, 0u);
  EXPECT_THAT(state().advice, Contains(HasSubstr("the description has no \"hash\"")));
  find(1);
  EXPECT_EQ(app_->toasts().errors(), 1u);
  EXPECT_THAT(app_->toasts().latest(), HasSubstr("is in no slot"));
  std::uint32_t const key = DumpedTable::key(77);
  find(key);
  EXPECT_EQ(app_->toasts().errors(), 0u);
  EXPECT_EQ(state().table.selection.pinned, std::optional<Slot>(DumpedTable(table_slots, table_slots / 2).place(key)));
}

/// Nothing is copied: what was loaded stays as it is.
TEST_F(WatchSceneTest, AFileThatIsPausedIsNotOpenedAgain)
{
  open(DumpedTable(table_slots, 100));
  state().ask(PauseWatch{});
  frames(1);
  EXPECT_TRUE(state().paused);
  std::this_thread::sleep_for(std::chrono::milliseconds(250));
  folder_.write("table.npy", DumpedTable(2 * table_slots, 200).structured());
  frames(2);
  EXPECT_EQ(state().table.statistics.live, 100u);
  state().ask(PauseWatch{});
  frames(2);
  EXPECT_FALSE(state().paused);
  EXPECT_EQ(state().table.statistics.live, 200u);
  EXPECT_EQ(state().table.settings.table.slots, 2 * table_slots);
}

TEST_F(WatchSceneTest, StatisticsAreThoseOfTheTable)
{
  open(DumpedTable(table_slots, table_slots / 2));
  SceneStatistics const written = scene().statistics({});
  Json const& json = written.json;
  EXPECT_EQ(json["table"]["live"], table_slots / 2);
  EXPECT_EQ(json["check"]["found"], 1000);
  EXPECT_EQ(json["probe_length"]["count"], table_slots / 2);
  EXPECT_NEAR(json["accesses"]["hits"]["mean"].get<double>(), json["theory"]["hit_accesses"].get<double>(), 0.1);
  EXPECT_EQ(json["description"]["preset"], "SimpleGPUHashTable");
  EXPECT_THAT(json["summary"].get<std::string>(), HasSubstr("α 0.50, 1.5 accesses a hit, 2."));
}

TEST_F(WatchSceneTest, ASavedSetupShowsTheSame)
{
  open(DumpedTable(table_slots, table_slots / 2));
  SceneEntry const& entry = *find_scene(scenes(), "watch");
  Json const json = entry.write(scene().set_up(), folder_.path());
  EXPECT_THAT(json["files"], ElementsAre("table.npy"));
  auto const source = std::make_shared<JsonSource>(JsonSource{"a.json", folder_.path()});
  auto const read = std::any_cast<WatchSetup>(entry.read(JsonNode(json, source)));
  EXPECT_EQ(read.settings, std::any_cast<WatchSetup>(scene().set_up()).settings);
}

TEST_F(WatchSceneTest, TheSameKeysGoToOtherScenes)
{
  open(DumpedTable(table_slots, table_slots / 2));
  auto const set_up = std::any_cast<TableSetup>(scene().set_up_for_others());
  EXPECT_EQ(set_up.settings.table.slots, table_slots);
  EXPECT_EQ(set_up.settings.table.family, "linear_probing");
  state().ask(SameKeysIn{"compare"});
  frames(40);
  auto& compared = dynamic_cast<CompareScene&>(app_->current_scene());
  compared.finish_steps({});
  EXPECT_EQ(compared.simulation().engine(0).counts().live, table_slots / 2);
  EXPECT_EQ(compared.simulation().engine(1).table().family, "segmented_cuckoo");
  EXPECT_EQ(compared.simulation().engine(1).counts().live, table_slots / 2);
}

/// Nothing is left out in silence.
TEST_F(WatchSceneTest, KeysThatNoTableHereTakesAreSaid)
{
  DumpedTable table(table_slots, table_slots / 2);
  constexpr std::uint32_t reserved = 0xfffffffe;
  table.insert(reserved, 1);
  open(table);
  state().ask(SameKeysIn{"compare"});
  frames(40);
  EXPECT_THAT(app_->current_scene().findings(),
              Contains(
                  "1 key of your table is left out (4294967294). Tables here reserve the 2 largest 32-bit numbers."));
  open(table);
  state().ask(SameKeysIn{"tune"});
  frames(3);
  EXPECT_THAT(app_->current_scene().findings(), Contains(HasSubstr("1 key of your table is left out")));
}

TEST_F(WatchSceneTest, WhatIsSaidOfHandedOverKeysGoesWithThem)
{
  DumpedTable table(table_slots, table_slots / 2);
  table.insert(0xfffffffe, 1);
  Json layout = preset();
  layout["hash"] = {{"function", "identity"}, {"reduction", "mask"}, {"add", 1}};
  open(table, layout);
  state().ask(SameKeysIn{"compare"});
  frames(40);
  auto& compared = dynamic_cast<CompareScene&>(app_->current_scene());
  auto const of_keys = Contains(HasSubstr("1 key of your table is left out"));
  auto const of_tables = Contains(HasSubstr("The tables here hash the keys by"));
  EXPECT_THAT(compared.findings(), AllOf(of_keys, of_tables));
  compared.state().act(Rehash{std::uint64_t{2} * table_slots});
  frames(40);
  EXPECT_THAT(compared.findings(), AllOf(of_keys, Not(of_tables)));
  compared.state().act(Clear{});
  frames(10);
  EXPECT_THAT(compared.findings(), AllOf(Not(of_keys), Not(of_tables)));
  compared.state().ask(Undo{});
  frames(10);
  EXPECT_THAT(compared.findings(), AllOf(of_keys, Not(of_tables)));
  compared.state().ask(Undo{});
  frames(10);
  EXPECT_THAT(compared.findings(), AllOf(of_keys, of_tables));
  compared.state().ask(Restart{});
  frames(10);
  EXPECT_THAT(compared.findings(), AllOf(Not(of_keys), Not(of_tables)));
}

TEST_F(WatchSceneTest, OtherTablesHaveTheHashOfThisOneOrSaySo)
{
  open(DumpedTable(table_slots, table_slots / 2));
  auto set_up = std::any_cast<TableSetup>(scene().set_up_for_others());
  EXPECT_EQ(set_up.settings.table.hash, HashKind::murmur3);
  EXPECT_THAT(set_up.handed_over.findings(), testing::IsEmpty()) << "it is the same one";
  Json layout = preset();
  layout["hash"] = {{"function", "identity"}, {"reduction", "mask"}};
  DumpedTable empty(table_slots, 0);
  for (std::uint32_t slot = 0; slot < 9'000; ++slot) { empty.overwrite(slot, slot); }
  open(empty, layout);
  set_up = std::any_cast<TableSetup>(scene().set_up_for_others());
  EXPECT_EQ(set_up.settings.table.hash, HashKind::identity);
  EXPECT_THAT(set_up.handed_over.findings(), testing::IsEmpty());
  layout["hash"] = {{"function", "identity"}, {"reduction", "mask"}, {"add", 1}};
  for (std::uint32_t slot = 1; slot < 9'000; ++slot) { empty.overwrite(slot, slot - 1); }
  empty.overwrite(0, DumpedTable::empty);
  open(empty, layout);
  set_up = std::any_cast<TableSetup>(scene().set_up_for_others());
  EXPECT_THAT(set_up.handed_over.findings(),
              ElementsAre(HasSubstr("by Murmur3 finaliser, not as your own does: identity of key + 1, mask is none of "
                                    "their hashes for 16,384 slots")));
}

TEST_F(WatchSceneTest, KeysWithASignAreTypedWithIt)
{
  DumpedTable table(table_slots, 100);
  table.insert(static_cast<std::uint32_t>(-5), 3);
  std::string const type = "[('key', '<i4'), ('value', '<u4')]";
  std::string const shape = fmt::format("({},)", table_slots);
  Json layout = preset();
  show(set_up_of(folder_.write("table.npy", DumpedTable::npy(type, shape, table.raw())), layout));
  EXPECT_EQ(state().table.settings.view.keys_as, KeyStyle::with_sign);
  find(key_of_signed(-5));
  ASSERT_TRUE(state().table.selection.lookup);
  EXPECT_EQ(state().table.selection.lookup->path.value, 3u);
  EXPECT_EQ(key_text(state().table.selection.lookup->key, KeyStyle::with_sign), "-5");
}

TEST_F(WatchSceneTest, TuningTakesTheKeysAndTheTable)
{
  open(DumpedTable(table_slots, table_slots / 2));
  state().ask(SameKeysIn{"tune"});
  frames(3);
  auto& tune = dynamic_cast<TuneScene&>(app_->current_scene());
  auto const set_up = std::any_cast<TuneSetup>(tune.set_up());
  tuning::Workload const& workload = set_up.settings.workload;
  ASSERT_TRUE(workload.source.file_keys);
  EXPECT_EQ(workload.source.file_keys->size(), table_slots / 2);
  ASSERT_TRUE(workload.present);
  EXPECT_EQ(workload.present->table.family, "linear_probing");
  EXPECT_NEAR(workload.present->load, 0.5, 0.01);
}

/// Their file is for the other scene, and goes with it.
TEST_F(WatchSceneTest, TheFileOfTheKeysIsRemoved)
{
  open(DumpedTable(table_slots, table_slots / 2));
  state().ask(SameKeysIn{"tune"});
  frames(3);
  std::string const file = std::any_cast<TuneSetup>(app_->current_scene().set_up()).settings.workload.source.file_name;
  EXPECT_TRUE(std::filesystem::exists(file));
  app_.reset();
  EXPECT_FALSE(std::filesystem::exists(file));
}

/// Whoever comes back to the scene has read it.
TEST_F(WatchSceneTest, AFindingIsToldOnce)
{
  Json layout = preset();
  layout["hash"] = {{"function", "xxhash_32"}};
  open(DumpedTable(table_slots, table_slots / 2), layout);
  EXPECT_THAT(app_->toasts().latest(), HasSubstr("is the hash right?"));
  app_->toasts().dismiss_all();
  app_->show(*find_scene(scenes(), "slots"));
  frames(2);
  app_->show(*find_scene(scenes(), "watch"));
  frames(3);
  EXPECT_TRUE(state().check.is_wrong());
  EXPECT_THAT(app_->toasts().latest(), Not(HasSubstr("is the hash right?")));
}

TEST_F(WatchSceneTest, KeysZoomAndPanAsInOtherScenes)
{
  open(DumpedTable(table_slots, 100));
  auto const press = [&](std::string_view keys) {
    for (Command const& command : scene().commands()) {
      if (command.keys == keys) { command.run(); }
    }
  };
  press("+");
  EXPECT_DOUBLE_EQ(scene().view().framing().zoom, 1.5);
  frames(1);
  double const before = scene().view().framing().center.y;
  press("Down");
  EXPECT_NEAR(scene().view().framing().center.y - before, 0.12 * 0.7, 0.04);  // about 0.7 of the grid is in view
}

/// A file is read beside the frames, which show how far that is.
TEST_F(WatchSceneTest, ALargeDumpDoesNotStopTheWindow)
{
  constexpr std::uint32_t many = 1u << 22;
  WatchSetup const set_up = set_up_of(folder_.write("large.npy", DumpedTable(many, many / 8).structured()), preset());
  show({});
  app_->set_max_wait(0.0);
  state().settings = set_up.settings;
  ASSERT_TRUE(scene().open({set_up.settings.files.front()}));
  EXPECT_TRUE(scene().cancellable());
  EXPECT_FALSE(scene().quiet());
  frames(1);
  for (int i = 0; i < 20000 && scene().cancellable(); ++i) { frames(1); }
  frames(2);
  EXPECT_TRUE(state().has_table);
  EXPECT_TRUE(scene().quiet());
  EXPECT_EQ(state().table.statistics.live, many / 8);
  ASSERT_TRUE(state().table.homes);
  EXPECT_EQ(state().table.homes->keys, many / 8);
  EXPECT_EQ(state().check.found, 1000u);

  ASSERT_TRUE(scene().open({set_up.settings.files.front()}));
  scene().cancel();
  for (int i = 0; i < 20000 && scene().cancellable(); ++i) { frames(1); }
  EXPECT_FALSE(state().has_table);
  EXPECT_THAT(state().problem, HasSubstr("was cancelled"));
  EXPECT_EQ(app_->toasts().errors(), 0u);
}

/// What is wrong with a large file is found beside the frames, too.
TEST_F(WatchSceneTest, ALargeDumpThatCannotBeShownSaysWhy)
{
  constexpr std::uint32_t many = 1u << 22;
  Json layout = preset();
  layout["slots"] = 2 * many;
  WatchSetup const set_up = set_up_of(folder_.write("large.npy", DumpedTable(many, 10).structured()), layout);
  show(set_up);
  EXPECT_FALSE(state().has_table);
  EXPECT_THAT(state().problem, HasSubstr("end at byte"));
  app_.reset();
  auto const context = gl::open_offscreen({640, 480});
  WatchScene alone(set_up, DeviceFacts{});
  EXPECT_THAT(message_of<Error>([&] { alone.finish_steps({}); }), HasSubstr("end at byte"));
}

/// While a file is written, it cannot be read.
TEST_F(WatchSceneTest, TheLastStateOfAFileStaysUntilTheNextOneIsWhole)
{
  open(DumpedTable(table_slots, 100));
  std::string const next = DumpedTable(table_slots, 200).structured();
  std::this_thread::sleep_for(std::chrono::milliseconds(250));
  folder_.write("table.npy", next.substr(0, next.size() / 2));
  frames(2);
  EXPECT_TRUE(state().has_table);
  EXPECT_EQ(state().table.statistics.live, 100u);
  std::this_thread::sleep_for(std::chrono::milliseconds(250));
  folder_.write("table.npy", next);
  frames(12);
  EXPECT_EQ(state().table.statistics.live, 200u);
  EXPECT_EQ(app_->toasts().errors(), 0u);
}

TEST_F(WatchSceneTest, AKeyOf16BytesIsTypedInHexadecimalDigits)
{
  constexpr std::uint32_t slots = 256;
  std::string bytes(std::size_t{slots} * 16, '\0');
  constexpr watch::AnyKey key = watch::AnyKey{0x0011223344556677u} << 64 | 0x8899aabbccddeeffu;
  std::uint64_t const home =
      watch::place_of({.function = watch::HashFunction::xxhash_64, .reduction = watch::Reduction::mask}, key, 128,
                      slots);
  std::memcpy(bytes.data() + 16 * home, &key, 16);
  show(set_up_of(folder_.write("wide.bin", bytes), {{"slots", slots},
                                                    {"key", {{"bits", 128}}},
                                                    {"empty_key", "0x0"},
                                                    {"erased_key", "0xffffffffffffffffffffffffffffffff"},
                                                    {"hash", {{"function", "xxhash_64"}, {"reduction", "mask"}}},
                                                    {"probing", "linear"}}));
  ASSERT_TRUE(state().has_table) << state().problem;
  EXPECT_EQ(state().table.statistics.live, 1u);
  state().table.typed.operation = Operation::find;
  state().table.typed.text = "0x00112233445566778899aabbccddeeff";
  auto on_keys = enter_keys(state().table);
  ASSERT_TRUE(on_keys) << parsed_keys(state().table).error;
  state().table.ask(OnTyped{std::move(*on_keys)});
  frames(1);
  auto const& lookup = state().table.selection.lookup;
  ASSERT_TRUE(lookup);
  EXPECT_TRUE(lookup->path.value);
  EXPECT_EQ(lookup->path.slots.back(), home);
  EXPECT_EQ(lookup->wide_key, "0x00112233445566778899aabbccddeeff");
  state().table.selection.pinned = static_cast<Slot>(home);
  frames(1);
  ASSERT_TRUE(state().table.inspected.pinned);
  EXPECT_EQ(state().table.inspected.pinned->wide_key, lookup->wide_key);
  state().table.typed.text = "0x112233445566778899aabbccddeeff00112233";
  EXPECT_THAT(parsed_keys(state().table).error, HasSubstr("32 hexadecimal digits"));
  state().table.typed.text = "apple";
  EXPECT_THAT(parsed_keys(state().table).error, HasSubstr("no key of 16 bytes"));
  EXPECT_THAT(scene().statistics({}).json["description"]["erased_key"].get<std::string>(),
              HasSubstr("0xffffffffffffffffffffffffffffffff"));
}

TEST_F(WatchSceneTest, AHashThatHasNoSuchKeysIsNamed)
{
  Json const layout{{"preset", "warpcore"}, {"slots", 256}, {"key_bits", 128}, {"value", nullptr}};
  std::string bytes(8192, '\0');
  bytes[40] = 'x';
  show(set_up_of(folder_.write("wide.bin", bytes), layout));
  ASSERT_TRUE(state().has_table) << state().problem;
  EXPECT_THAT(state().advice, Contains(HasSubstr("murmur3 is not defined for keys of 16 bytes")));
}

TEST_F(WatchSceneTest, ADumpHasNoRecentChanges)
{
  open(DumpedTable(table_slots, 100));
  state().table.settings.view.color_by = ColorBy::recent;
  frames(1);
  EXPECT_EQ(state().table.settings.view.color_by, ColorBy::state);
}

TEST_F(WatchSceneTest, WithoutATableItSaysSo)
{
  show({});
  EXPECT_FALSE(state().has_table);
  EXPECT_THAT(message_of<Error>([&] { scene().statistics({}); }), HasSubstr("open one first"));
  EXPECT_EQ(app_->toasts().errors(), 0u);
}

TEST_F(WatchSceneTest, ADescriptionThatCannotBeTrueIsRefused)
{
  Json layout = preset();
  layout["slots"] = 2 * table_slots;
  WatchSetup const set_up = set_up_of(folder_.write("table.npy", DumpedTable(table_slots, 10).structured()), layout);
  auto const context = gl::open_offscreen({640, 480});
  DeviceFacts const device;
  EXPECT_THAT(message_of<Error>([&] { WatchScene(set_up, device); }), HasSubstr("end at byte"));
}

}  // namespace
}  // namespace slotscape
