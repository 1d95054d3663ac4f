// Keys, values and settings go along from scene to scene, whichever way the user takes.

#include "tests/app/scenes/compare/compared_tables.hpp"
#include "tests/app/support/program.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include "app/keys/typed_keys.hpp"
#include "app/languages/languages.hpp"
#include "app/lessons/lesson.hpp"
#include "app/lessons/library.hpp"

#include <gmock/gmock.h>

#include <numeric>
#include <utility>

namespace slotscape {
namespace {

using test::scene_of;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

using Pairs = std::vector<Pair>;

/// What a table is filled with before the scenes are switched.
struct Content {
  std::string_view name;
  TableSettings table;
  KeySettings keys = {};
  std::vector<Action> steps;
};

Action typed(std::string_view keys, Operation operation = Operation::insert)
{
  auto pairs = parse_keys(std::string(keys), operation, {32}).pairs;
  return OnKeys{operation, std::make_shared<Pairs const>(std::move(pairs))};
}

KeySettings wide_file()
{
  std::vector<Key> numbers(40);
  std::iota(numbers.begin(), numbers.end(), Key{1} << 40);
  KeySettings keys;
  keys.distribution = KeyDistribution::file;
  keys.file_repeats = false;
  keys.file_keys = std::make_shared<std::vector<Key> const>(std::move(numbers));
  return keys;
}

std::vector<Content> contents()
{
  BatchRequest const mix{.count = 300, .insert = 0.5, .find = 0.2, .erase = 0.3};
  return {{"typed keys with values",
           {.slots = 16, .hash = HashKind::identity},
           {},
           {typed("17=1, 42=2, 33-36, 5=12"), typed("34", Operation::erase)}},
          {"wide keys of a file", {.slots = 64, .key_bits = 64}, wide_file(), {BatchRequest::inserts(40)}},
          {"a mix",
           {.slots = 1024, .deletion = Deletion::tombstone_reuse},
           {},
           {BatchRequest::inserts(500), mix, mix, mix}},
          {"typed keys and random erases",
           {.slots = 256, .deletion = Deletion::tombstone_reuse},
           {},
           {BatchRequest::inserts(100), typed("1-50"), BatchRequest::erases(60)}},
          {"a rehash", {.slots = 64}, {}, {BatchRequest::inserts(40), Rehash{128}, BatchRequest::inserts(20)}},
          {"a sum of values", {.slots = 64, .combine = Combine::add}, {}, {typed("7=3, 8=4"), typed("7=5")}},
          {"nearly full, of a number that few families take", {.slots = 90}, {}, {BatchRequest::inserts(80)}}};
}

class SceneSwitchTest : public testing::Test {
protected:
  void open(Content const& content)
  {
    TableSetup set_up;
    set_up.settings.table = content.table;
    set_up.settings.keys = content.keys;
    set_up.settings.drive.target_load = 0.6;
    set_up.steps = content.steps;
    open(test::slots_scenario(set_up));
  }
  void open(std::optional<Scenario> const& first)
  {
    app_.reset();  // there can be one at a time
    app_ = test::offscreen_app({640, 480}, first);
    app_->let_errors_out();
    work();
  }
  void work()
  {
    app_->frame(0.05);
    bool const is_of_tables = dynamic_cast<TableScene*>(&app_->current_scene()) != nullptr;
    if (is_of_tables) { app_->current_scene().finish_steps({}); }
    app_->frame(0.05);
  }
  void show(SceneEntry const& entry)
  {
    app_->show(entry);
    work();
  }
  void show(std::string_view name) { show(test::entry(name)); }

  TableScene& tables() { return scene_of<TableScene>(*app_); }
  Pairs pairs(std::size_t table = 0)
  {
    Pairs pairs = tables().simulation().engine(table).pairs();
    std::ranges::sort(pairs, {}, &Pair::key);
    return pairs;
  }
  void expect_all_hold(Pairs const& wanted)
  {
    for (std::size_t i = 0; i < tables().simulation().tables(); ++i) {
      TableSettings const& table = tables().simulation().engine(i).table();
      EXPECT_EQ(pairs(i), wanted) << "table " << i << ", " << table.family << " of " << table.slots;
    }
  }

  /// From one table by every ordered pair of these scenes to one table, to several, and back to one.
  void expect_kept(Content const& content, std::vector<SceneEntry const*> const& on_the_way)
  {
    SCOPED_TRACE(content.name);
    open(content);
    Pairs const before = pairs();
    ASSERT_THAT(before, Not(IsEmpty()));
    TableSceneSettings const settings = tables().state().settings;
    for (SceneEntry const* const from : on_the_way) {
      for (SceneEntry const* const to : on_the_way) {
        if (from == to && on_the_way.size() > 1) { continue; }
        SCOPED_TRACE(std::string(from->name) + " to " + std::string(to->name));
        show(*from);
        show(*to);
        for (char const* const name : {"slots", "compare", "slots"}) {
          show(name);
          expect_all_hold(before);
          expect_settings(settings);
        }
      }
    }
  }
  void expect_settings(TableSceneSettings const& wanted)
  {
    TableSceneSettings const& now = tables().state().settings;
    EXPECT_EQ(now.table, wanted.table);
    EXPECT_EQ(now.keys, wanted.keys);
    EXPECT_EQ(now.seed, wanted.seed);
    EXPECT_EQ(now.drive, wanted.drive);
  }

  std::unique_ptr<App> app_;
};

TEST_F(SceneSwitchTest, EveryWayKeepsKeysValuesAndSettings)
{
  std::vector<SceneEntry const*> const ways{&test::entry("slots"), &test::entry("compare"), &test::entry("tune")};
  for (Content const& content : contents()) { expect_kept(content, ways); }
}

/// Scenes with keys of their own leave those of others alone.
TEST_F(SceneSwitchTest, AWayThroughOtherScenesKeepsThemToo)
{
  open(contents().front());
  Pairs const before = pairs();
  for (SceneEntry const& other : scenes()) {
    for (char const* const name : {"slots", "compare", "slots"}) {
      SCOPED_TRACE(std::string(other.name) + " to " + name);
      show(other);
      show(name);
      expect_all_hold(before);
    }
  }
}

/// Where the state comes back, so does the way to it.
TEST_F(SceneSwitchTest, TheWayBackKeepsWhatCanBeUndone)
{
  open(contents().front());
  tables().state().act(typed("40"));
  work();
  std::string const done = tables().undoes();
  ASSERT_EQ(done, "insert 40");
  Pairs const with = pairs();
  for (SceneEntry const& other : scenes()) {
    if (other.name == "slots") { continue; }
    show(other);
    show("slots");
    EXPECT_EQ(tables().undoes(), done) << "by way of " << other.name;
  }
  tables().undo();
  work();
  EXPECT_EQ(pairs().size() + 1, with.size());
  tables().redo();
  work();
  EXPECT_EQ(pairs(), with);
  show("compare");
  tables().state().act(typed("99"));
  work();
  show("spatial");
  show("compare");
  EXPECT_EQ(tables().undoes(), "insert 99");
  show("slots");
  EXPECT_EQ(pairs().size(), with.size() + 1) << "what was done to the compared tables since";
  EXPECT_EQ(tables().undoes(), "") << "which was not done here";
}

/// Whatever table the slots scene would begin with, which was not shown.
TEST_F(SceneSwitchTest, ComparedTablesThatWereOpenedFirstComeBack)
{
  open(test::compare_scenario(test::setup_of(3)));
  auto const settings = [&] {
    std::vector<TableSettings> all;
    for (TableState const* const table : tables().table_states()) { all.push_back(table->settings.table); }
    return all;
  };
  std::vector<TableSettings> const before = settings();
  show("spatial");
  show("compare");
  EXPECT_EQ(settings(), before);
}

TEST_F(SceneSwitchTest, WhatIsDoneToComparedTablesIsKeptToo)
{
  open(contents().front());
  show("compare");
  tables().state().act(typed("77=9"));
  work();
  Pairs const compared = pairs();
  ASSERT_THAT(compared, SizeIs(7));
  show("tune");
  show("compare");
  expect_all_hold(compared);
  show("spatial");
  show("slots");
  EXPECT_EQ(pairs(), compared) << "the compared tables were shown last";
  tables().state().act(typed("77", Operation::erase));
  work();
  Pairs const one = pairs();
  show("tune");
  show("compare");
  expect_all_hold(one);
}

/// The next keys of the stream are new ones, and the same ones, wherever they are drawn.
TEST_F(SceneSwitchTest, TheStreamGoesOn)
{
  open(contents()[2]);
  show("compare");
  std::uint64_t const live = pairs().size();
  tables().state().act(BatchRequest::inserts(10));
  work();
  expect_all_hold(pairs());
  EXPECT_EQ(pairs().size(), live + 10);
}

/// The mark of a sweep with her keys is opened, and then compared: keys of 64 bits, which not all families take.
TEST_F(SceneSwitchTest, ComparedTablesTakeKeysOfTheFirstOnesWidth)
{
  UserSettings settings;
  CompareSetup remembered;
  remembered.tables = {{.slots = 64}, {.family = "quadratic", .slots = 64}};
  for (std::string const& family : family_names()) {
    if (!family_info(family).wide) { remembered.tables.push_back({.family = family, .slots = 64}); }
  }
  Content const content = contents()[1];
  std::vector<TableSettings> const compared = compared_with(content.table, remembered.tables);
  EXPECT_GE(compared.size(), 2u);
  for (TableSettings const& table : compared) {
    EXPECT_EQ(table.key_bits, 64) << table.family;
    EXPECT_TRUE(family_info(table.family).wide) << table.family;
  }
}

TEST_F(SceneSwitchTest, ALessonsEndBringsBackKeysAndSettings)
{
  test::TemporaryFolder folder;
  auto const file =
      folder.write("test.json", R"({ "version": 1, "title": "Test", "pages": [ { "title": "A", "text": "x",
    "set_up": { "table": { "family": "robin_hood", "slots": 16 }, "steps": [ { "op": "insert", "keys": [1, 2] } ] } } ] })");
  for (char const* const begun_in : {"slots", "compare"}) {
    for (char const* const ended_in : {"slots", "compare", "tune"}) {
      SCOPED_TRACE(std::string(begun_in) + ", left in " + ended_in);
      open(contents().front());
      show(begun_in);
      Pairs const before = pairs();
      app_->lessons().start(lessons::read_lesson(scenes(), file, lessons::Library({}).finder()));
      work();
      show("slots");
      EXPECT_THAT(pairs(), SizeIs(2)) << "of the lesson";
      show("compare");
      expect_all_hold(Pairs{{1, 0}, {2, 0}});
      show(ended_in);
      app_->lessons().end();
      work();
      EXPECT_EQ(app_->current_entry().name, begun_in);
      expect_all_hold(before);
      show(std::string_view(begun_in) == "slots" ? "compare" : "slots");
      expect_all_hold(before);
    }
  }
}

/// As without a lesson: what was done to the page's table stays with it, and nobody's own table takes its place.
TEST_F(SceneSwitchTest, ALessonsTableWaitsWhileOtherScenesAreShown)
{
  test::TemporaryFolder folder;
  auto const file =
      folder.write("test.json", R"({ "version": 1, "title": "Test", "pages": [ { "title": "A", "text": "x",
    "set_up": { "table": { "family": "robin_hood", "slots": 16 }, "steps": [ { "op": "insert", "keys": [1, 2] } ] } },
  { "title": "B", "text": "x", "set_up": { "table": { "slots": 32 }, "steps": [ { "op": "insert", "keys": [7] } ] } } ] })");
  open(contents().front());
  Pairs const before = pairs();
  show("tune");
  show("slots");
  app_->lessons().start(lessons::read_lesson(scenes(), file, lessons::Library({}).finder()), {.page = 0, .seed = 1});
  work();
  tables().state().act(typed("3=5"));
  work();
  Pairs const of_page = pairs();
  ASSERT_THAT(of_page, SizeIs(3));
  for (char const* const other : {"tune", "races", "spatial"}) {
    show(other);
    show("slots");
    EXPECT_EQ(pairs(), of_page) << other;
    EXPECT_EQ(tables().simulation().engine(0).table().slots, 16u) << other;
    EXPECT_FALSE(app_->current_scene().undoes().empty()) << "its history, too";
  }
  app_->lessons().session()->go_to(1);
  work();
  show("tune");
  show("slots");
  EXPECT_EQ(pairs(), (Pairs{{7, 0}})) << "of the second page";
  app_->lessons().end();
  work();
  EXPECT_EQ(pairs(), before);
  show("tune");
  show("slots");
  EXPECT_EQ(pairs(), before);
}

TEST_F(SceneSwitchTest, WhatASceneSaidIsNotSaidAgainWhenOneComesBack)
{
  open(contents().front());
  tables().state().ask(OnTyped{std::get<OnKeys>(typed("49"))});
  work();
  ASSERT_EQ(app_->toasts().latest(), "49 was inserted.");
  show("tune");
  for (int frame = 0; frame < 3; ++frame) { app_->frame(10.0); }
  ASSERT_NE(app_->toasts().latest(), "49 was inserted.");
  show("slots");
  EXPECT_NE(app_->toasts().latest(), "49 was inserted.");
  tables().state().ask(OnTyped{std::get<OnKeys>(typed("50"))});
  work();
  EXPECT_EQ(app_->toasts().latest(), "50 was inserted.") << "what is new is";
  InLanguage const german("de");
  app_->frame(0.05);
  EXPECT_NE(app_->toasts().latest(), "50 was inserted.") << "in another language it is gone";
}

/// A plain start fills the table for a while. Whoever leaves before it is full finds it full, as the settings say.
TEST_F(SceneSwitchTest, ATableThatIsLeftWhileItFillsUpIsFullAfterwards)
{
  UserSettings settings;
  auto table = std::any_cast<TableSetup>(test::entry("slots").first());
  table.settings.table.slots = 1024;
  settings.set_ups["slots"] = table;
  app_ = test::offscreen_app({640, 480}, std::nullopt, settings);
  app_->frame(0.01);
  EXPECT_LT(tables().simulation().load_factor(), 0.5);
  show("spatial");
  show("slots");
  EXPECT_TRUE(tables().state().settings.drive.hold_load);
  EXPECT_NEAR(tables().simulation().load_factor(), tables().state().settings.drive.target_load, 0.002);
}

TEST(CompareScene, KeepsTheSlotsOfEachTableFromStartToStart)
{
  CompareSetup set_up;
  set_up.tables = {{.family = "linear_probing", .slots = 1000}, {.family = "robin_hood", .slots = 1800}};
  set_up.shared.settings.table = set_up.tables.front();
  SceneEntry const& compare = test::entry("compare");
  auto const recalled = std::any_cast<CompareSetup>(compare.recall(set_up, {}));
  EXPECT_EQ(recalled.tables, set_up.tables);
  set_up.shared.settings.table.slots = 500;
  auto const followed = std::any_cast<CompareSetup>(compare.recall(set_up, {}));
  EXPECT_EQ(followed.tables[1].slots, 500u) << "the first one is another table now";
}

}  // namespace
}  // namespace slotscape
