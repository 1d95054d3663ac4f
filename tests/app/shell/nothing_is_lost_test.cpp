// What the user made is kept: in saved set-ups, when the table or the scene is changed, and by undo.

#include "tests/app/support/program.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include "app/keys/typed_keys.hpp"
#include "app/simulation/families.hpp"

#include <gmock/gmock.h>

#include <numeric>
#include <tuple>

namespace slotscape {
namespace {

using test::scene_of;
using test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

/// The program, drawn offscreen, with an empty table of 16 slots.
class NothingIsLostTest : public testing::Test {
protected:
  void SetUp() override { open({.slots = 16, .deletion = Deletion::tombstone_reuse, .hash = HashKind::identity}); }

  void open(TableSettings const& table)
  {
    app_.reset();  // there can be one at a time
    app_ = test::offscreen_app({800, 600}, test::slots_scenario(table));
    frames();
  }
  void frames(int count = 3)
  {
    for (int frame = 0; frame < count; ++frame) { app_->frame(0.1); }
  }
  void work()
  {
    app_->frame(0.1);
    app_->current_scene().finish_steps({});
    frames();
  }
  void type(std::string_view keys, Operation operation = Operation::insert)
  {
    state().ask(
        OnTyped{{operation, std::make_shared<std::vector<Pair> const>(parse_keys(keys, operation, {32}).pairs)}});
    work();
  }
  void reopen(std::filesystem::path const& file)
  {
    app_.reset();
    app_ = test::offscreen_app({800, 600}, read_scenario(scenes(), file));
    work();
  }

  TableScene& scene() { return scene_of<TableScene>(*app_); }
  TableState& state() { return scene().state(); }
  Engine& engine(std::size_t table = 0) { return scene().simulation().engine(table); }

  /// What is in each slot.
  using Slots = std::vector<std::tuple<SlotState, Key, Value>>;
  Slots slots(std::size_t table = 0)
  {
    std::vector<Slot> all(engine(table).table().slots);
    std::iota(all.begin(), all.end(), Slot{0});
    Slots slots;
    for (SlotInfo const& slot : engine(table).slots(all)) {
      Pair const pair = slot.has_key ? slot.pair : Pair{};
      slots.emplace_back(slot.state, pair.key, slot.state == SlotState::live ? pair.value : 0);
    }
    return slots;
  }

  TemporaryFolder folder_;
  std::unique_ptr<App> app_;
};

/// Keys that the steps of a scenario could not store are said, by name where they were given.
TEST_F(NothingIsLostTest, KeysOfAScenarioThatFoundNoPlaceAreNamed)
{
  auto const findings_of = [&](std::string const& steps) {
    std::string const text = R"({ "version": 1, "table": { "family": "linear_probing", "slots": 8, "hash": "identity" },
      "steps": [)" + steps + "] }";
    reopen(folder_.write("full.slotscape.json", text));
    return scene().findings();
  };
  EXPECT_THAT(findings_of(R"({ "op": "insert", "keys": [1, 2, 3, 4, 5, 6, 7, 8] })"), IsEmpty());
  EXPECT_THAT(findings_of(R"({ "op": "insert", "keys": [1, 2, 3, 4, 5, 6, 7, 8, 9] })"),
              ElementsAre("Key 9 did not fit."));
  EXPECT_THAT(findings_of(
                  R"({ "op": "insert", "keys": [1, 2, 3, 4, 5, 6, 7, 8, 9] }, { "op": "insert", "keys": [17] })"),
              ElementsAre("Keys 9 and 17 did not fit."));
  EXPECT_THAT(findings_of(R"({ "op": "insert", "count": 11 })"), ElementsAre("3 keys did not fit."));
}

TEST_F(NothingIsLostTest, ASavedSetUpBringsBackEverySlot)
{
  type("17, 42, 33-36, 5=12");
  type("34", Operation::erase);
  state().act(BatchRequest::inserts(3));
  state().act(BatchRequest::erases(2));
  work();
  Slots const before = slots();
  app_->documents().save_set_up(folder_ / "lecture.slotscape.json");
  reopen(folder_ / "lecture.slotscape.json");
  EXPECT_EQ(slots(), before);
  app_->documents().save_set_up(folder_ / "again.slotscape.json");
  reopen(folder_ / "again.slotscape.json");
  EXPECT_EQ(slots(), before) << "also after a round trip";
}

TEST_F(NothingIsLostTest, ASavedSetUpBringsBackTheTableAfterARehashAndTheNextKeys)
{
  state().act(BatchRequest::inserts(9));
  state().act(Rehash{32});
  work();
  app_->documents().save_set_up(folder_ / "rehashed.slotscape.json");
  state().act(BatchRequest::inserts(5));
  work();
  Slots const next = slots();
  reopen(folder_ / "rehashed.slotscape.json");
  EXPECT_THAT(engine().pairs(), SizeIs(9));
  state().act(BatchRequest::inserts(5));
  work();
  EXPECT_EQ(slots(), next);
}

TEST_F(NothingIsLostTest, AnOpenStepModeIsSaved)
{
  type("17, 33");
  state().ask(EnterSteps{StepRequest{{Operation::find, 33, 0}}});
  frames();
  test::press(scene(), "Right");
  app_->documents().save_set_up(folder_ / "step.slotscape.json");
  reopen(folder_ / "step.slotscape.json");
  ASSERT_TRUE(state().steps.player);
  EXPECT_EQ(state().steps.player->trace().key, 33u);
  EXPECT_EQ(state().steps.player->position(), 1u);
}

TEST_F(NothingIsLostTest, ALongHistoryIsSavedByItsKeysInAFileBesideTheScenario)
{
  open({.family = "cuckoo", .slots = 1u << 14, .key_bits = 64});
  state().act(BatchRequest::inserts(5000));
  for (int i = 0; i < 300; ++i) { state().act(BatchRequest::finds(1u << 16, KeyChoice::hits)); }
  state().act(OnKey{Operation::insert, 77, 5});
  work();
  std::vector<Pair> before = engine().pairs();
  app_->documents().save_set_up(folder_ / "long.slotscape.json");
  EXPECT_THAT(app_->toasts().latest(), HasSubstr("long.pairs"));
  EXPECT_EQ(std::filesystem::file_size(folder_ / "long.pairs"), before.size() * 16);
  std::uint64_t const drawn = engine().keys_drawn();
  reopen(folder_ / "long.slotscape.json");
  std::vector<Pair> after = engine().pairs();
  std::ranges::sort(before, {}, &Pair::key);
  std::ranges::sort(after, {}, &Pair::key);
  EXPECT_EQ(after, before);
  EXPECT_EQ(engine().keys_drawn(), drawn) << "the next keys are new ones";
}

TEST_F(NothingIsLostTest, AFileOfPairsThatIsNoneIsNamed)
{
  folder_.write("short.pairs", "12345");
  auto const file =
      folder_.write("a.json", R"({ "version": 1, "steps": [ { "op": "insert", "pairs": "short.pairs" } ] })");
  app_->open(file);
  EXPECT_THAT(app_->toasts().latest(), HasSubstr("short.pairs: 5 bytes is not a multiple of 16"));
  app_->open(folder_.write("b.json", R"({ "version": 1, "steps": [ { "op": "insert", "keys": [1, [2, 3, 4]] } ] })"));
  EXPECT_THAT(app_->toasts().latest(), HasSubstr("steps[0].keys[1]"));
  app_->open(folder_.write("c.json", R"({ "version": 1, "steps": [ { "op": "find", "keys": [4294967295] } ] })"));
  EXPECT_THAT(app_->toasts().latest(), HasSubstr("reserved"));
}

TEST_F(NothingIsLostTest, AnotherFamilyHashOrWidthKeepsTheKeys)
{
  type("17=1, 42=2, 33-36");
  state().act(BatchRequest::inserts(3));
  work();
  std::vector<Pair> before = engine().pairs();
  std::ranges::sort(before, {}, &Pair::key);
  for (std::string const family : {"robin_hood", "cuckoo", "sorted_array", "slab", "linear_probing"}) {
    TableSettings table = with_family(state().settings.table, family_info(family));
    table.slots = 64;
    ask_for_table(state(), table);
    work();
    EXPECT_EQ(engine().family().name, family);
    std::vector<Pair> after = engine().pairs();
    std::ranges::sort(after, {}, &Pair::key);
    EXPECT_EQ(after, before) << family;
  }
  TableSettings wide = state().settings.table;
  wide.key_bits = 64;
  ask_for_table(state(), wide);
  work();
  EXPECT_EQ(engine().table().key_bits, 64);
  EXPECT_THAT(engine().pairs(), SizeIs(9));
}

TEST_F(NothingIsLostTest, WhatFindsNoPlaceInAnotherTableIsTold)
{
  open({.slots = 64, .key_bits = 64});
  type("1-40");
  state().act(OnKey{Operation::insert, Key{1} << 40, 7});
  work();
  TableSettings narrow = state().settings.table;
  narrow.key_bits = 32;
  ask_for_table(state(), narrow);
  work();
  EXPECT_THAT(scene().notice(), HasSubstr("1 of the keys are too wide"));
  TableSettings few = state().settings.table;
  few.slots = 32;
  ask_for_table(state(), few);
  work();
  EXPECT_THAT(scene().notice(), HasSubstr("8 of the keys did not fit"));
  scene().undo();
  frames();
  EXPECT_THAT(engine().pairs(), SizeIs(40));
}

TEST_F(NothingIsLostTest, NothingFillsAnEmptyTableUnasked)
{
  state().settings.drive.hold_load = true;
  TableSettings table = state().settings.table;
  table.hash = HashKind::murmur3;
  ask_for_table(state(), table);
  work();
  EXPECT_EQ(engine().table().hash, HashKind::murmur3);
  EXPECT_THAT(engine().pairs(), IsEmpty());
  ask_for_seed(state(), 9);
  work();
  EXPECT_THAT(engine().pairs(), IsEmpty());
}

TEST_F(NothingIsLostTest, ComparedTablesGetTheTypedKeys)
{
  type("17=1, 42=2, 33");
  auto const is = UnorderedElementsAre(Pair{17, 1}, Pair{42, 2}, Pair{33, 0});
  app_->show(test::entry("compare"));
  work();
  ASSERT_GE(scene().simulation().tables(), 2u);
  EXPECT_THAT(engine(0).pairs(), is);
  EXPECT_THAT(engine(1).pairs(), is);
  app_->show(test::entry("slots"));
  work();
  EXPECT_THAT(engine().pairs(), is);
}

TEST_F(NothingIsLostTest, KeysThatAreInsertedAnewElsewhereAreSaidToBe)
{
  type("5 21 37");
  app_->show(test::entry("compare"));
  work();
  EXPECT_EQ(app_->current_scene().notice(), "") << "the history was repeated";
  app_->show(test::entry("slots"));
  state().act(Rehash{32});
  work();
  app_->show(test::entry("compare"));
  work();
  EXPECT_THAT(app_->current_scene().notice(), HasSubstr("reinserted"));
}

TEST_F(NothingIsLostTest, OperationsAreUndoneAndRedoneSlotForSlot)
{
  std::vector<Slots> seen{slots()};
  auto const note = [&] { seen.push_back(slots()); };
  type("17, 42, 33-36");
  note();
  type("34", Operation::erase);
  note();
  state().act(BatchRequest::inserts(4));
  work();
  note();
  state().act(Rehash{64});
  work();
  note();
  state().act(Clear{});
  work();
  note();
  for (std::size_t i = seen.size() - 1; i-- > 0;) {
    app_->current_scene().undo();
    frames();
    EXPECT_EQ(slots(), seen[i]) << i;
  }
  EXPECT_EQ(scene().undoes(), "");
  for (std::size_t i = 1; i < seen.size(); ++i) {
    app_->current_scene().redo();
    frames();
    EXPECT_EQ(slots(), seen[i]) << i;
  }
  EXPECT_EQ(scene().redoes(), "");
  scene().undo();
  frames();
  app_->documents().save_set_up(folder_ / "undone.slotscape.json");
  reopen(folder_ / "undone.slotscape.json");
  EXPECT_EQ(slots(), seen[seen.size() - 2]) << "what was undone is not saved";
}

TEST_F(NothingIsLostTest, WhatIsClearedIsToldAndComesBack)
{
  type("17, 42, 33-36");
  state().act(Clear{});
  work();
  EXPECT_EQ(scene().notice(), "Cleared 6 keys. Undo (Ctrl+Z) restores them.");
  EXPECT_TRUE(app_->toasts().says(scene().notice()));
  state().act(Clear{});
  work();
  EXPECT_EQ(scene().notice(), "") << "an empty table loses nothing";
  for (int changes = 0; changes < 2; ++changes) { scene().undo(); }
  frames();
  EXPECT_EQ(engine().counts().live, 6u);
  type("34-36, 42, 17", Operation::erase);
  state().act(Clear{});
  work();
  EXPECT_EQ(scene().notice(), "Cleared 1 key. Undo (Ctrl+Z) restores it.");
}

TEST_F(NothingIsLostTest, ANewFamilyIsUndone)
{
  type("17, 42, 33-36");
  Slots const before = slots();
  TableSettings const table = with_family(state().settings.table, family_info("cuckoo"));
  ask_for_table(state(), table);
  work();
  Slots const after = slots();
  scene().undo();
  frames();
  EXPECT_EQ(engine().family().name, "linear_probing");
  EXPECT_EQ(slots(), before);
  scene().redo();
  frames();
  EXPECT_EQ(engine().family().name, "cuckoo");
  EXPECT_EQ(slots(), after);
}

/// Undo keeps no tables of more than 1 GiB: here one of 2^26 keys and values of 8 bytes, and one more.
TEST_F(NothingIsLostTest, ATableThatIsTooLargeToComeBackIsTold)
{
  open({.slots = (std::uint64_t{1} << 26) + 1, .key_bits = 64});
  type("7");
  state().act(Clear{});
  work();
  EXPECT_EQ(scene().notice(), "Cleared 1 key. The previous state took more than 1 GiB, too much for undo.");
  type("7");
  ask_for_table(state(), {.slots = 64});
  work();
  EXPECT_THAT(scene().notice(), HasSubstr("more than 1 GiB, too much for undo"));
  scene().open({folder_.write("few.txt", "7\n8\n")});
  work();
  EXPECT_THAT(scene().notice(), AllOf(HasSubstr("all 2 keys of few.txt"), Not(HasSubstr("GiB"))));
}

TEST_F(NothingIsLostTest, SettingsCameraAndTheMixAreUndone)
{
  type("17, 42");
  Slots const before = slots();
  state().settings.drive.batch = 7;
  frames();
  scene_of<SlotsScene>(*app_).view().look({4.0, {0.25, 0.5}});
  frames(10);
  state().settings.drive.running = true;
  frames(5);
  EXPECT_NE(slots(), before);
  scene().undo();
  frames();
  EXPECT_FALSE(state().settings.drive.running);
  EXPECT_EQ(slots(), before);
  scene().undo();
  frames();
  EXPECT_EQ(scene_of<SlotsScene>(*app_).view().framing().zoom, 1.0);
  EXPECT_EQ(state().settings.drive.batch, 7u);
  scene().undo();
  frames();
  EXPECT_EQ(state().settings.drive.batch, DriveSettings{}.batch);
  EXPECT_EQ(slots(), before);
}

TEST_F(NothingIsLostTest, TypedKeysAreAnswered)
{
  type("17, 42");
  EXPECT_EQ(scene().notice(), "2 keys were inserted.");
  type("17=3");
  EXPECT_EQ(scene().notice(), "17 was already there: its value was replaced.");
  type("42, 43", Operation::erase);
  EXPECT_EQ(scene().notice(), "1 key was erased. 1 key is not in the table.");
  std::uint64_t const slots = state().settings.table.slots;
  type(fmt::format("101-{}", 100 + slots));
  EXPECT_THAT(scene().notice(), HasSubstr("did not fit"));
}

/// By name: whoever typed seven keys is not to look for the one that is missing.
TEST_F(NothingIsLostTest, KeysThatFindNoPlaceAreNamed)
{
  std::uint64_t const slots = state().settings.table.slots;
  type(fmt::format("101-{}", 100 + slots - 1));
  type("7, 8, 9");
  EXPECT_THAT(scene().notice(), HasSubstr("1 key was inserted. 8 and 9 did not fit."));
  type("21-30");
  EXPECT_THAT(scene().notice(), HasSubstr("21, 22, 23, 24, 25 and 5 others did not fit."));
}

TEST_F(NothingIsLostTest, WhatIsUnfinishedIsSavedToo)
{
  open({.slots = 1u << 20});
  state().act(BatchRequest::inserts(1u << 19));
  app_->frame(0.01);
  app_->documents().save_set_up(folder_ / "half.slotscape.json");
  reopen(folder_ / "half.slotscape.json");
  EXPECT_THAT(engine().pairs(), SizeIs(1u << 19));
}

}  // namespace
}  // namespace slotscape
