// What the scene says of somebody's own table: of its faults, of its description, and what to do.

#include "app/base/text.hpp"
#include "app/scenes/compare/scene.hpp"
#include "app/watch/dump.hpp"
#include "tests/app/scenes/watch/watch_scene.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <utility>

namespace slotscape {
namespace {

using test::DumpedTable;
using test::table_slots;
using test::WatchSceneTest;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

TEST_F(WatchSceneTest, AWrongHashIsSaidAndTakenBack)
{
  Json layout = preset();
  layout["hash"] = {{"function", "xxhash_32"}};
  open(DumpedTable(table_slots, table_slots / 2), layout);
  EXPECT_TRUE(state().check.is_wrong());
  EXPECT_TRUE(state().homes_hidden);
  EXPECT_TRUE(state().table.foreign->measure.name.empty());
  EXPECT_THAT(scene().findings(), ElementsAre(HasSubstr("Is the hash right? The preset 'SimpleGPUHashTable'")));
  EXPECT_THAT(state().advice, Contains(HasSubstr("does not find the keys")));
  state().ask(UseDescription{state().check.better.front().description});
  frames(2);
  EXPECT_FALSE(state().homes_hidden);
  EXPECT_EQ(state().check.found, 1000u);
  EXPECT_GT(state().table.statistics.probe_length.count, 0u);
}

/// Presets and suggestions replace the user's description, which stays the first of the list.
TEST_F(WatchSceneTest, OnesOwnDescriptionCanBeTakenBack)
{
  Json own = preset();
  own["hash"] = {{"function", "xxhash_32"}};
  open(DumpedTable(table_slots, table_slots / 2), own);
  EXPECT_THAT(state().warnings, ElementsAre(AllOf(HasSubstr("The description is at fault"), HasSubstr("murmur3"))));
  EXPECT_THAT(state().advice.front(), HasSubstr("The description is at fault")) << "in the panel";
  EXPECT_EQ(theory_fit(state().table).reason, "No theory is shown: the description does not fit the table.");
  EXPECT_TRUE(scene().shows(scene().findings().front())) << "the panels have it: no message over the map";
  state().ask(UseDescription{state().check.better.front().description});
  frames(2);
  state().ask(UsePreset{"SimpleGPUHashTable"});
  frames(2);
  ASSERT_TRUE(state().own_layout);
  EXPECT_EQ(*state().own_layout, own);
  state().ask(UseOwnDescription{});
  frames(2);
  EXPECT_EQ(state().settings.layout, own);
  EXPECT_FALSE(state().own_layout);
  EXPECT_TRUE(state().homes_hidden);
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
  EXPECT_THAT(scene().findings(),
              Contains("The array has room for 16384 slots, but the description says 8192: is \"slots\" right?"));
}

TEST_F(WatchSceneTest, AnEmptyKeyThatIsNoneIsAskedAbout)
{
  Json layout = preset();
  layout["empty_key"] = 0;
  layout["erased_value"] = nullptr;
  open(DumpedTable(table_slots, table_slots * 8 / 10), layout);
  EXPECT_THAT(state().advice, Contains(HasSubstr("if it marks empty slots, \"empty_key\": 4294967295.")));
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
  EXPECT_THAT(state().advice, Not(Contains(HasSubstr("wrong with"))));
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
  EXPECT_THAT(json["summary"].get<std::string>(), HasSubstr("2 keys not found by lookup"));

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
  EXPECT_THAT(state().advice.front(), AllOf(HasSubstr("The description is at fault"), HasSubstr("linear")));
  EXPECT_THAT(state().advice, Not(Contains(HasSubstr("LOST")))) << "by the other one, none is";
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
  EXPECT_EQ(state().advice.front(),
            fmt::format("Key 4294967294 is in {} slots, but a table holds each key only once. This is the mark of "
                        "erased slots: add \"erased_key\": 4294967294 to the description.",
                        grouped(lost)));
  EXPECT_THAT(scene().findings(), ElementsAre(state().advice.front()));
  EXPECT_THAT(state().advice, Not(Contains(AnyOf(HasSubstr("The table is at fault"), HasSubstr("LOST")))));
  EXPECT_EQ(scene().statistics({}).json["lost"]["fault"], "unknown");
}

/// Most slots of the table hold what marks erased ones, and a lookup of that finds one of them.
TEST_F(WatchSceneTest, AnErasedKeyInMostSlotsIsNoKeyThatIsStoredTwice)
{
  DumpedTable table(table_slots, table_slots / 2);
  for (std::uint32_t slot = 0; slot < table_slots; ++slot) {
    bool const is_erased = table.key_in(slot) != DumpedTable::empty && slot % 10 != 0;
    if (is_erased) { table.overwrite(slot, 4'294'967'294u); }
  }
  open(table);
  EXPECT_THAT(state().advice.front(), AllOf(HasSubstr("Key 4294967294 is in 1,000 of 1,000 slots"),
                                            HasSubstr("add \"erased_key\": 4294967294 to the description")));
  EXPECT_THAT(state().advice, Not(Contains(AnyOf(HasSubstr("empty_key"), HasSubstr("STORED TWICE")))));
  EXPECT_THAT(scene().findings(), ElementsAre(state().advice.front()));
  EXPECT_THAT(scene().told(), AllOf(SizeIs(state().advice.size() + 1), Contains(state().advice.front())));
}

TEST_F(WatchSceneTest, KeysBelowZeroAreNumbers)
{
  std::string bytes(std::size_t{8} * table_slots, '\xff');
  auto const home = [](std::uint64_t key) { return key * 0x9e3779b97f4a7c15u % table_slots; };
  auto* const words = reinterpret_cast<std::uint64_t*>(bytes.data());
  for (std::uint64_t i = 0; i < table_slots / 2; ++i) {
    std::uint64_t slot = home(~(3 + i));
    while (words[slot] != ~std::uint64_t{0}) { slot = (slot + 1) % table_slots; }
    words[slot] = i % 10 == 0 ? ~std::uint64_t{1} : ~(3 + i);  // -2 marks erased slots
  }
  Json layout{{"key", {{"bits", 64}}},
              {"empty_key", -1},
              {"hash", {{"function", "fibonacci"}, {"reduction", "mask"}}},
              {"probing", "linear"}};
  show(set_up_of(folder_.write("numbers.npy", DumpedTable::npy("'<i8'", fmt::format("({},)", table_slots), bytes)),
                 layout));
  ASSERT_TRUE(state().has_table) << state().problem;
  EXPECT_THAT(state().advice.front(), AllOf(HasSubstr("Key -2 is in"), HasSubstr("add \"erased_key\": -2 to")));
  Json const json = scene().statistics({}).json;
  EXPECT_EQ(json["description"]["empty_key"], -1);
  layout["erased_key"] = -2;
  show(set_up_of(folder_.path() / "numbers.npy", layout));
  EXPECT_THAT(state().check.found, state().check.sampled);
  EXPECT_EQ(state().lost.count(), 0u);
  EXPECT_EQ(scene().statistics({}).json["description"]["erased_key"], -2);
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

TEST_F(WatchSceneTest, ATableThatGrewWithoutARehashIsNamed)
{
  Json layout{{"hash", {{"function", "murmur3"}, {"reduction", "mask"}}}, {"probing", "linear"}};
  std::vector<std::uint32_t> keys = linear(4096, 2000, DumpedTable::key, DumpedTable::hash);
  keys.resize(8192, DumpedTable::empty);
  open_keys(keys, layout);
  EXPECT_FALSE(state().homes_hidden);
  EXPECT_GT(state().lost.keys.unreachable, 800u);
  EXPECT_THAT(state().advice[1],
              HasSubstr(
                  "The table doubled, but its keys are still placed as if it had half the slots (4,096). Reinsert all "
                  "keys when the table grows. If its lookups use only 4,096 slots, say so: \"slots\": 4096."));
  Json const json = scene().statistics({}).json;
  EXPECT_EQ(json["lost"]["fault"], "table");
  EXPECT_EQ(json["check"]["placed_for"]["slots"], 4096);
}

TEST_F(WatchSceneTest, KeysThatShareHomesWithGapsBetweenCrowd)
{
  Json layout{{"hash", {{"function", "identity"}, {"reduction", "mask"}}}, {"probing", "linear"}};
  auto const by_eights = [](std::uint32_t i) { return 8 * (DumpedTable::hash(i) >> 4); };
  open_keys(linear(2048, 1000, by_eights, std::identity()), layout);
  EXPECT_GT(state().table.statistics.hit_accesses.mean, 2.5);
  EXPECT_THAT(state().advice, Contains(AllOf(HasSubstr("A hit takes"), HasSubstr("crowd under this hash"))));
  EXPECT_THAT(state().advice, Not(Contains(HasSubstr("wrong with"))));
  layout["hash"]["function"] = "murmur3";
  open_keys(linear(2048, 1000, by_eights, DumpedTable::hash), layout);
  EXPECT_THAT(state().advice, ElementsAre(HasSubstr("Nothing is wrong")));
}

/// What linear probing leaves where an insertion takes the first tombstone on its path without looking on for the key.
std::vector<std::uint32_t> with_careless_insertions(std::uint32_t slots, std::uint32_t erased)
{
  std::vector<std::uint32_t> all(slots, DumpedTable::empty);
  auto const home = [&](std::uint32_t key) { return DumpedTable::hash(key) % slots; };
  auto const find = [&](std::uint32_t key, bool takes_tombstones) {
    std::uint32_t slot = home(key);
    while (all[slot] != key && all[slot] != DumpedTable::empty && !(takes_tombstones && all[slot] == erased)) {
      slot = (slot + 1) % slots;
    }
    return slot;
  };
  std::uint32_t const keys = slots / 10 * 8;
  for (std::uint32_t i = 0; i < keys; ++i) { all[find(DumpedTable::key(i), false)] = DumpedTable::key(i); }
  for (std::uint32_t i = 0; i < keys; i += 4) { all[find(DumpedTable::key(i), false)] = erased; }
  for (std::uint32_t i = 1; i < keys; i += 2) { all[find(DumpedTable::key(i), true)] = DumpedTable::key(i); }
  return all;
}

TEST_F(WatchSceneTest, AnInsertionThatTakesTheFirstTombstoneIsNamed)
{
  constexpr std::uint32_t erased = 0xfffffffeu;
  Json layout{{"hash", {{"function", "murmur3"}, {"reduction", "mask"}}},
              {"probing", "linear"},
              {"erased_key", erased}};
  open_keys(with_careless_insertions(4096, erased), layout);
  watch::LostKeys const& lost = state().lost.keys;
  EXPECT_GT(lost.twice, 50u);
  EXPECT_EQ(lost.unreachable, 0u);
  EXPECT_EQ(state().lost.copies_behind, state().lost.copies);
  EXPECT_THAT(state().advice, Contains(AllOf(HasSubstr("The table is at fault"),
                                             HasSubstr("look first for an insertion that takes the first tombstone on "
                                                       "its path without checking the rest of the path for the key"),
                                             Not(HasSubstr("another hash")))));
  EXPECT_THAT(state().advice, Not(Contains(HasSubstr("is the mark of empty slots")))) << "they are different keys";
  state().ask(ShowSlot{lost.first_twice});
  frames(2);
  auto const& card = state().table.inspected.pinned;
  ASSERT_TRUE(card && card->found_in);
  EXPECT_EQ(*card->found_in, lost.found_instead);
}

TEST_F(WatchSceneTest, WhereLostKeysLieTellsTheCause)
{
  Json const layout{{"hash", {{"function", "murmur3"}, {"reduction", "mask"}}}, {"probing", "linear"}};
  auto const key = [](std::uint32_t i) { return DumpedTable::key(i); };
  std::vector<std::uint32_t> const sound = linear(4096, 3300, key, DumpedTable::hash);
  std::vector<std::uint32_t> emptied = sound;
  for (std::uint32_t slot = 0; slot < 4096; slot += 50) { emptied[slot] = DumpedTable::empty; }
  open_keys(emptied, layout);
  EXPECT_GT(state().lost.keys.unreachable, 10u);
  EXPECT_THAT(state().advice, Contains(AllOf(HasSubstr("lie close behind their homes"),
                                             HasSubstr("erasures that empty a slot"), Not(HasSubstr("another hash")))));
  std::vector<std::uint32_t> copied = sound;  // a part of another table
  std::uint32_t next = 5000;
  for (std::uint32_t slot = 1000; slot < 1400; ++slot) {
    if (copied[slot] == DumpedTable::empty) { copied[slot] = key(next++); }
  }
  open_keys(copied, layout);
  EXPECT_GT(state().lost.keys.unreachable, 10u);
  EXPECT_THAT(state().advice,
              Contains(AllOf(HasSubstr("lie far from their homes"), HasSubstr("another hash or seed"))));
  std::vector<std::uint32_t> inserted_anew = emptied;
  for (std::uint32_t i = 0; i < 3300; i += 3) {
    std::uint32_t slot = DumpedTable::hash(key(i)) % 4096;
    while (inserted_anew[slot] != key(i) && inserted_anew[slot] != DumpedTable::empty) { slot = (slot + 1) % 4096; }
    inserted_anew[slot] = key(i);
  }
  open_keys(inserted_anew, layout);
  EXPECT_GT(state().lost.keys.twice, 0u);
  EXPECT_THAT(state().advice, Contains(HasSubstr("which a second insertion of the key then fills")));
}

/// Of several hundred keys, a few long runs come by chance.
TEST_F(WatchSceneTest, ChanceIsNotBlamedOnTheHash)
{
  Json const layout{{"hash", {{"function", "murmur3"}, {"reduction", "modulo"}}}, {"probing", "linear"}};
  int crowded = 0;
  for (std::uint32_t seed = 0; seed < 16; ++seed) {
    auto const key = [&](std::uint32_t i) { return DumpedTable::key(1000 * seed + i); };
    open_keys(linear(1000, seed < 3 ? 900 : 700, key, DumpedTable::hash), layout);
    if (!scene().statistics({}).json["homes"]["as_random"]) { continue; }
    for (std::string const& sentence : state().advice) {
      EXPECT_THAT(sentence, Not(HasSubstr("crowd"))) << seed;
      crowded += sentence.find("and the difference is chance") != std::string::npos ? 1 : 0;
    }
  }
  EXPECT_GT(crowded, 0) << "as it was meant";
}

/// A deletion that shifts keys back, and does not see that the end of the table is before its beginning.
TEST_F(WatchSceneTest, AKeyBeforeItsHomeTellsOfADeletionThatWraps)
{
  Json const layout{{"hash", {{"function", "murmur3"}, {"reduction", "mask"}}}, {"probing", "linear"}};
  auto const key = [](std::uint32_t i) { return DumpedTable::key(i); };
  std::vector<std::uint32_t> slots = linear(4096, 1000, key, DumpedTable::hash);
  std::uint32_t home = 10;
  auto const is_alone = [&](std::uint32_t slot) {
    return slots[slot] != DumpedTable::empty && (DumpedTable::hash(slots[slot]) & 4095u) == slot &&
           slots[slot - 1] == DumpedTable::empty && slots[slot + 1] == DumpedTable::empty;
  };
  while (!is_alone(home)) { ++home; }
  slots[home - 1] = std::exchange(slots[home], DumpedTable::empty);
  open_keys(slots, layout);
  ASSERT_EQ(state().lost.count(), 1u);
  EXPECT_THAT(state().advice,
              Contains(AllOf(HasSubstr("The table is at fault"),
                             HasSubstr("The lost key lies before its home (distance 1)"),
                             HasSubstr("even where the table wraps around"), Not(HasSubstr("median")))));
}

/// As much as a fifth of the keys is lost: the description that finds the others is not to blame.
TEST_F(WatchSceneTest, ManyHolesPointToErasuresAndNotToAWiderWindow)
{
  Json const layout{{"hash", {{"function", "murmur3"}, {"reduction", "modulo"}}}, {"probing", "linear"}};
  auto const key = [](std::uint32_t i) { return DumpedTable::key(i); };
  std::vector<std::uint32_t> emptied = linear(1000, 800, key, DumpedTable::hash);
  for (std::uint32_t slot = 0; slot < 1000; slot += 5) { emptied[slot] = DumpedTable::empty; }
  open_keys(emptied, layout);
  EXPECT_GT(10 * state().lost.keys.unreachable, state().check.sampled);
  EXPECT_TRUE(state().check.better.empty());
  EXPECT_THAT(state().advice, Not(Contains(HasSubstr("The description is at fault"))));
  EXPECT_THAT(state().advice,
              Contains(AllOf(HasSubstr("lie close behind their homes"), HasSubstr("erasures that empty a slot"))));
  EXPECT_NE(scene().statistics({}).json["lost"]["fault"], "description");
}

TEST_F(WatchSceneTest, RingsThatAreLeftOutAreSaid)
{
  Json const layout{{"hash", {{"function", "murmur3"}, {"reduction", "mask"}}}, {"probing", "linear"}};
  auto const key = [](std::uint32_t i) { return DumpedTable::key(i); };
  std::vector<std::uint32_t> slots = linear(1u << 16, 50'000, key, DumpedTable::hash);
  for (std::uint32_t slot = 0; slot < slots.size(); slot += 16) { slots[slot] = DumpedTable::empty; }
  open_keys(slots, layout);
  std::uint64_t const lost = state().lost.count();
  ASSERT_GT(lost, 1000u);
  EXPECT_THAT(state().advice, Contains(HasSubstr(fmt::format("Rings mark 1,000 of these {} slots", grouped(lost)))));
  Json const json = scene().statistics({}).json;
  EXPECT_EQ(json["lost"]["slots"].size(), 1000u);
  EXPECT_LT(json["lost"]["slots"].front().get<std::uint64_t>(), 1000u);
  EXPECT_GT(json["lost"]["slots"].back().get<std::uint64_t>(), 64'000u) << "from all parts of the table";
  EXPECT_EQ(json["lost"]["slots_left_out"], lost - 1000);
}

TEST_F(WatchSceneTest, AHashThatLosesBitsIsNamedWithTheHomesThatNeverOccur)
{
  auto const home = [](std::uint32_t key) { return DumpedTable::hash(key) & 0x3ffu; };
  Json const layout{{"hash", {{"function", "murmur3"}, {"reduction", "mask"}}}, {"probing", "linear"}};
  open_keys(linear(4096, 1000, DumpedTable::key, home), layout);
  EXPECT_TRUE(state().homes_hidden);
  EXPECT_THAT(scene().findings(), Contains(HasSubstr("murmur3 & 0x3ff, mask finds 1,000")));
  EXPECT_THAT(state().advice,
              Contains(AllOf(HasSubstr("slots in a row are empty"), HasSubstr("does the hash lose bits?"))));
  state().ask(UseDescription{state().check.better.front().description});
  frames(3);
  EXPECT_EQ(state().check.found, 1000u);
  EXPECT_THAT(state().advice,
              Contains(AllOf(HasSubstr("Of 4,096 homes, "), HasSubstr("are used; random keys would use 887."),
                             HasSubstr("homes from 1,02"), HasSubstr("Does the hash lose bits"))));
  EXPECT_THAT(state().advice, Contains(HasSubstr("crowd under this hash")));
}

/// Symmetric in x, y and z: six cells share a home.
TEST_F(WatchSceneTest, OfGivenHomesAllIsSaidThatFollows)
{
  constexpr std::uint32_t slots = 4096;
  auto const show_with_homes = [&](auto const& home) {
    std::vector<std::uint32_t> keys(slots, DumpedTable::empty);
    std::vector<std::uint32_t> homes(slots, 0);
    for (std::uint32_t i = 0; i < 2744; ++i) {
      std::uint32_t const key = i % 14 + (i / 14 % 14 << 8) + (i / 196 << 16);
      std::uint32_t slot = home(key) % slots;
      while (keys[slot] != DumpedTable::empty) { slot = (slot + 1) % slots; }
      keys[slot] = key;
      homes[slot] = home(key) % slots;
    }
    open_with_homes(keys, homes);
    ASSERT_TRUE(state().has_table) << state().problem;
    EXPECT_EQ(state().lost.count(), 0u);
  };
  show_with_homes([](std::uint32_t key) {
    return DumpedTable::hash((key & 0xff) + 1) ^ DumpedTable::hash((key >> 8 & 0xff) + 1) ^
           DumpedTable::hash((key >> 16) + 1);
  });
  EXPECT_THAT(state().advice, Contains(AllOf(HasSubstr("With random homes it would take"), HasSubstr(", and a miss "),
                                             HasSubstr("these keys crowd under the program's hash"))));
  EXPECT_THAT(state().advice,
              Contains(AllOf(HasSubstr("Of 4,096 homes, "), HasSubstr("are used; random keys would use 2,000."),
                             HasSubstr("The fullest home has "))));
  EXPECT_EQ(scene().statistics({}).json["homes"]["as_random"], false);
  show_with_homes(DumpedTable::hash);
  EXPECT_THAT(state().advice, Contains(HasSubstr("as with random homes; with those, a miss would take")));
  EXPECT_THAT(state().advice, Not(Contains(HasSubstr("crowd"))));
}

/// Homes as size_t: the size of the file, or its type, tells how wide they are; other sizes are refused by name.
TEST_F(WatchSceneTest, HomesMayHave64Bits)
{
  constexpr std::uint32_t slots = 4096;
  std::vector<std::uint32_t> const keys = linear(slots, 2500, DumpedTable::key, DumpedTable::hash);
  std::vector<std::uint64_t> homes(slots, 0);
  for (std::uint32_t slot = 0; slot < slots; ++slot) {
    if (keys[slot] != DumpedTable::empty) { homes[slot] = DumpedTable::hash(keys[slot]) % slots; }
  }
  std::string const key_bytes(reinterpret_cast<char const*>(keys.data()), 4 * keys.size());
  std::string const home_bytes(reinterpret_cast<char const*>(homes.data()), 8 * homes.size());
  auto const set_up_with = [&](std::string const& name, std::string const& content, Json const& of_homes) {
    WatchSetup set_up = set_up_of(folder_.write("keys.bin", key_bytes), {{"slots", slots},
                                                                         {"key", {{"array", "keys"}, {"bits", 32}}},
                                                                         {"empty_key", DumpedTable::empty},
                                                                         {"hash", {{"homes", of_homes}}},
                                                                         {"probing", "linear"}});
    set_up.settings.files.push_back(folder_.write(name, content).string());
    return set_up;
  };
  std::string const npy = DumpedTable::npy("'<u8'", "(4096,)", home_bytes);
  for (Json const& of_homes : {Json("homes"), Json{{"array", "homes"}, {"bits", 64}}}) {
    for (bool const is_npy : {false, true}) {
      show(is_npy ? set_up_with("homes.npy", npy, of_homes) : set_up_with("homes.u64", home_bytes, of_homes));
      ASSERT_TRUE(state().has_table) << state().problem;
      EXPECT_EQ(state().table.statistics.hit_accesses.count, 2500u);
      EXPECT_EQ(state().lost.count(), 0u) << of_homes;
    }
  }
  auto const refuse = [&](std::string const& name, std::string const& content, Json const& of_homes) {
    WatchSettings const settings = set_up_with(name, content, of_homes).settings;
    watch::Dump const dump{{settings.files.begin(), settings.files.end()}, settings.layout};
    EXPECT_THROW(watch::open_dump(dump), Error) << of_homes;
  };
  refuse("homes.bin", home_bytes + home_bytes, "homes");
  refuse("homes.u64", home_bytes, {{"array", "homes"}, {"bits", 32}});
  refuse("homes.npy", DumpedTable::npy("'<f8'", "(4096,)", home_bytes), "homes");
}

/// Where homes are given wrongly, nothing is concluded from the few keys that are found by chance.
TEST_F(WatchSceneTest, OfAFewFoundKeysNothingIsConcluded)
{
  constexpr std::uint32_t slots = 4096;
  std::vector<std::uint32_t> const keys = linear(slots, 2500, DumpedTable::key, DumpedTable::hash);
  std::vector<std::uint32_t> few(slots, slots);  // the others are no slots
  for (std::uint32_t slot = 0, found = 0; found < 5; ++slot) {
    if (keys[slot] == DumpedTable::empty) { continue; }
    few[slot] = slot;
    ++found;
  }
  open_with_homes(keys, few);
  EXPECT_EQ(state().table.statistics.hit_accesses.count, 5u);
  EXPECT_THAT(state().advice, Not(Contains(HasSubstr("random keys would use"))));
  EXPECT_THAT(state().advice, Not(Contains(HasSubstr("A hit takes"))));
}

/// An insertion that gives up after some accesses, and drops the key or puts it elsewhere.
TEST_F(WatchSceneTest, AnInsertionThatGivesUpIsNamed)
{
  constexpr std::uint32_t slots = 1u << 16;
  constexpr std::uint32_t most = 12;
  Json const layout{{"hash", {{"function", "murmur3"}, {"reduction", "mask"}}}, {"probing", "linear"}};
  for (bool const drops : {true, false}) {
    std::vector<std::uint32_t> keys(slots, DumpedTable::empty);
    for (std::uint32_t i = 0; i < 50'000; ++i) {
      std::uint32_t slot = DumpedTable::hash(DumpedTable::key(i)) % slots;
      std::uint32_t const end = (slot + most) % slots;
      while (slot != end && keys[slot] != DumpedTable::empty) { slot = (slot + 1) % slots; }
      if (slot == end && drops) { continue; }
      if (slot == end) { slot = (slot + slots / 2) % slots; }
      while (keys[slot] != DumpedTable::empty) { slot = (slot + 1) % slots; }
      keys[slot] = DumpedTable::key(i);
    }
    open_keys(keys, layout);
    auto const is_said =
        AllOf(HasSubstr("No key is found after more than 12 accesses"),
              HasSubstr("does your insertion give up after 12?"), Not(HasSubstr("tables copied into")));
    EXPECT_EQ(state().lost.count() == 0, drops);
    ASSERT_FALSE(state().advice.empty());
    if (drops) {
      EXPECT_THAT(state().advice.front(), is_said);
    } else {
      EXPECT_THAT(state().advice, Contains(AllOf(HasSubstr("The table is at fault"), is_said)));
    }
    EXPECT_FALSE(state().table.run.homes) << "the keys that are there were chosen by where they found a place";
  }
  open_keys(linear(slots, 50'000, DumpedTable::key, DumpedTable::hash), layout);
  EXPECT_THAT(state().advice, Not(Contains(HasSubstr("give up"))));
}

/// Tombstones are described, and there is none: erasures empty slots.
TEST_F(WatchSceneTest, ErasuresThatLeaveNoTombstonesAreNamedFirst)
{
  constexpr std::uint32_t slots = 1u << 14;
  std::vector<std::uint32_t> keys = linear(slots, 12'000, DumpedTable::key, DumpedTable::hash);
  for (std::uint32_t slot = 0; slot < slots; slot += 8) { keys[slot] = DumpedTable::empty; }
  for (std::uint32_t i = 0; i < 12'000; i += 2) {
    std::uint32_t slot = DumpedTable::hash(DumpedTable::key(i)) % slots;
    while (keys[slot] != DumpedTable::empty && keys[slot] != DumpedTable::key(i)) { slot = (slot + 1) % slots; }
    keys[slot] = DumpedTable::key(i);
  }
  open_keys(keys, {{"hash", {{"function", "murmur3"}, {"reduction", "mask"}}},
                   {"probing", "linear"},
                   {"erased_key", 0xfffffffeu}});
  ASSERT_GT(state().lost.copies, 0u);
  EXPECT_THAT(state().advice, Contains(HasSubstr("erasures that empty a slot")));
  EXPECT_THAT(state().advice, Not(Contains(HasSubstr("look first for an insertion that takes the first tombstone"))));
}

/// Every copy counts, and none of them was lost: nothing was erased.
TEST_F(WatchSceneTest, AnInsertionThatDoesNotCompareIsSuspectedOfThat)
{
  constexpr std::uint32_t slots = 256;
  constexpr std::uint32_t different = 40;
  std::vector<std::uint32_t> keys(slots, DumpedTable::empty);
  for (std::uint32_t i = 0; i < 4 * different; ++i) {
    std::uint32_t slot = DumpedTable::hash(DumpedTable::key(i % different)) % slots;
    while (keys[slot] != DumpedTable::empty) { slot = (slot + 1) % slots; }
    keys[slot] = DumpedTable::key(i % different);
  }
  open_keys(keys, {{"hash", {{"function", "murmur3"}, {"reduction", "mask"}}},
                   {"probing", "linear"},
                   {"erased_key", 0xfffffffeu}});
  EXPECT_EQ(state().lost.copies, 3 * different);
  EXPECT_EQ(state().lost.copies_behind, 3 * different);
  EXPECT_THAT(state().advice, Contains(HasSubstr("an insertion that does not compare the keys that it passes")));
  EXPECT_THAT(state().advice, Not(Contains(HasSubstr("look first for erasures"))));
}

/// Under a hash that crowds, the hash is blamed first, and what a rehash brings is counted with these very keys.
TEST_F(WatchSceneTest, ACrowdingHashComesBeforeItsTombstones)
{
  constexpr std::uint32_t slots = 1u << 14;
  constexpr std::uint32_t erased = 0xfffffffeu;
  auto const crowded = [](std::uint32_t i) { return i % 64 + (i / 64 << 14); };  // 64 homes
  std::vector<std::uint32_t> keys = linear(slots, 8'000, crowded, std::identity());
  for (std::uint32_t slot = 0; slot < slots; slot += 8) {
    if (keys[slot] != DumpedTable::empty) { keys[slot] = erased; }
  }
  open_keys(keys, {{"hash", {{"function", "identity"}, {"reduction", "mask"}}},
                   {"probing", "linear"},
                   {"erased_key", erased}});
  ASSERT_FALSE(state().advice.empty());
  EXPECT_THAT(state().advice.front(), HasSubstr("crowd under this hash"));
  Json const json = scene().statistics({}).json;
  // 7,000 keys in one run: a miss from a home in it reads half of it on average.
  EXPECT_NEAR(json["rehashed"]["miss_accesses"].get<double>(), 7000.0 * 7000.0 / 2.0 / slots, 40.0);
}

/// Homes that are no slots at all are said to be such, and not to begin in slot 4,294,967,295.
TEST_F(WatchSceneTest, AHomeThatIsNoSlotIsNotNamedAsOne)
{
  std::vector<std::uint32_t> keys(64, DumpedTable::empty);
  std::vector<std::uint32_t> homes(64, 0);
  keys[5] = 7;
  homes[5] = 64;
  open_with_homes(keys, homes);
  EXPECT_THAT(state().advice, Contains(HasSubstr("the home given for it is not a slot of the table")));
  EXPECT_TRUE(scene().statistics({}).json["lost"]["first_unreachable"]["home"].is_null());
}

TEST_F(WatchSceneTest, LookupsThatAreGivenUpAccuseNobody)
{
  std::vector<std::uint32_t> const one_home = linear(
      1u << 16, 45'000, [](std::uint32_t i) { return (i + 1) << 16; }, std::identity());
  open_keys(one_home, {{"hash", {{"function", "identity"}, {"reduction", "mask"}}}, {"probing", "linear"}});
  EXPECT_GT(2 * state().check.not_followed, state().check.sampled);
  EXPECT_FALSE(state().homes_hidden);
  EXPECT_THAT(state().advice, Not(Contains(HasSubstr("does not find the keys"))));
  EXPECT_THAT(scene().findings(),
              ElementsAre(AllOf(HasSubstr("does not find 0;"), HasSubstr("It is unclear whether"))));
  EXPECT_THAT(state().advice, Contains(HasSubstr("crowd under this hash")));
  Json const json = scene().statistics({}).json;
  EXPECT_EQ(json["check"]["verdict"], "undecided");
  EXPECT_THAT(state().advice,
              Contains(
                  HasSubstr(fmt::format("given up after {} accesses, so it is not known whether they find these keys",
                                        grouped(state().lost.keys.followed)))));
  for (int i = 0; i < 3; ++i) {
    state().ask(CheckAgain{});
    frames(3);
    EXPECT_EQ(scene().statistics({}).json["lost"], json["lost"]) << "whatever runs beside it";
  }
}

/// Of a table that holds more tombstones than keys, the key that marks them is named all the same, with a hash or not.
TEST_F(WatchSceneTest, TheKeyOfManyErasedSlotsIsNamed)
{
  for (std::uint32_t const percent : {20u, 60u, 95u}) {
    std::vector<std::uint32_t> slots = linear(4096, 3000, DumpedTable::key, DumpedTable::hash);
    for (std::uint32_t slot = 0; slot < slots.size(); ++slot) {
      if (slots[slot] != DumpedTable::empty && DumpedTable::hash(slot) % 100 < percent) {
        slots[slot] = 4'294'967'294u;
      }
    }
    Json layout{{"hash", {{"function", "murmur3"}, {"reduction", "mask"}}}, {"probing", "linear"}};
    open_keys(slots, layout);
    EXPECT_FALSE(state().homes_hidden) << percent;
    EXPECT_THAT(state().advice, Contains(AllOf(HasSubstr("Key 4294967294 is in "), HasSubstr("\"erased_key\""))))
        << percent;
    layout["hash"] = "unknown";
    open_keys(slots, layout);
    EXPECT_THAT(state().advice, Contains(AllOf(HasSubstr("Key 4294967294 is in "), HasSubstr("slots examined"))))
        << percent;
  }
}

/// Without an empty slot every lookup gets to every key, whatever the hash.
TEST_F(WatchSceneTest, AFullTableDoesNotConfirmAWrongHash)
{
  std::vector<std::uint32_t> const full = linear(2048, 2048, DumpedTable::key, DumpedTable::hash);
  open_keys(full, {{"hash", {{"function", "fibonacci"}, {"reduction", "multiply_shift"}}}, {"probing", "linear"}});
  EXPECT_TRUE(state().check.is_wrong()) << state().check.found;
  ASSERT_FALSE(state().check.better.empty());
  EXPECT_EQ(state().check.better.front().description.hashes.front().function, watch::HashFunction::murmur3_finaliser);
  EXPECT_THAT(scene().findings(), ElementsAre(HasSubstr("given up after 512 accesses. Is the hash right?")));
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
  EXPECT_THAT(state().advice, Contains(HasSubstr("Are the other hashes and the probe sequence right")));
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
                             HasSubstr("1 more slab holds keys"))));
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
  EXPECT_THAT(app_->toasts().latest(), HasSubstr("No slot holds that key"));
  std::uint32_t const key = DumpedTable::key(77);
  find(key);
  EXPECT_EQ(app_->toasts().errors(), 0u);
  EXPECT_EQ(state().table.selection.pinned, std::optional<Slot>(DumpedTable(table_slots, table_slots / 2).place(key)));
}

TEST_F(WatchSceneTest, AHashThatHasNoSuchKeysIsNamed)
{
  Json const layout{{"preset", "warpcore"}, {"slots", 256}, {"key_bits", 128}, {"value", nullptr}};
  std::string bytes(8192, '\0');
  bytes[40] = 'x';
  show(set_up_of(folder_.write("wide.bin", bytes), layout));
  ASSERT_TRUE(state().has_table) << state().problem;
  EXPECT_THAT(state().advice, Contains(HasSubstr("murmur3 is not defined for 16-byte keys")));
}

}  // namespace
}  // namespace slotscape
