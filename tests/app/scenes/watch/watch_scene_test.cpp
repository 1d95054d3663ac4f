// Somebody's own table in the scene that watches it: what is shown, opened, saved and handed over.

#include "tests/app/scenes/watch/watch_scene.hpp"
#include "app/registry/scenes.hpp"
#include "app/scenes/compare/scene.hpp"
#include "app/scenes/tune/scene.hpp"
#include "app/watch/dump.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <chrono>
#include <thread>
#include <utility>

namespace slotscape {
namespace {

using test::DumpedTable;
using test::message_of;
using test::table_slots;
using test::WatchSceneTest;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

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
  EXPECT_THAT(json["summary"].get<std::string>(), HasSubstr("α 0.50, 1.5 accesses per hit, 2."));
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
  auto const of_tables = Contains(HasSubstr("The tables here hash the keys with"));
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
              ElementsAre(HasSubstr("with Murmur3 finaliser, unlike your own: identity of key + 1, mask is not one of "
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
  EXPECT_THAT(workload.present->unlike, testing::IsEmpty());
}

/// Keys that crowd under a hash of the user's own: the table that tuning compares with is not theirs.
TEST_F(WatchSceneTest, TuningIsToldWhatTheTablesHereLack)
{
  Json layout = preset();
  layout["hash"] = {{"function", "identity"}, {"shift", 6}, {"reduction", "mask"}};
  layout["erased_key"] = 1;
  DumpedTable crowded(table_slots, 0);
  for (std::uint32_t i = 0; i < 4'000; ++i) { crowded.overwrite(i, 2 + i); }
  open(crowded, layout);
  frames(3);
  auto const set_up = std::any_cast<TableSetup>(scene().set_up_for_others());
  EXPECT_EQ(set_up.settings.table.deletion, Deletion::tombstone_reuse);
  EXPECT_THAT(set_up.handed_over.unlike, ElementsAre(Unlike::crowded_hash));
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
  layout["slots"] = table_slots / 2;
  open(DumpedTable(table_slots, table_slots / 4), layout);
  EXPECT_THAT(app_->toasts().latest(), HasSubstr("has room for 16384 slots")) << "the hash is a matter of the panels";
  app_->toasts().dismiss_all();
  app_->show(*find_scene(scenes(), "slots"));
  frames(2);
  app_->show(*find_scene(scenes(), "watch"));
  frames(3);
  EXPECT_TRUE(state().check.is_wrong());
  EXPECT_THAT(app_->toasts().latest(), Not(HasSubstr("has room for")));
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
  app_->scene_host().set_max_wait(0.0);
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
  ASSERT_TRUE(state().table.run.homes);
  EXPECT_EQ(state().table.run.homes->keys, many / 8);
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
  EXPECT_THAT(parsed_keys(state().table).error, HasSubstr("not a 16-byte key"));
  EXPECT_THAT(scene().statistics({}).json["description"]["erased_key"].get<std::string>(),
              HasSubstr("0xffffffffffffffffffffffffffffffff"));
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
