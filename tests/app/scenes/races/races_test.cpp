#include "app/scenes/races/scene.hpp"
#include "app/shell/run.hpp"
#include "gpu/tables/hash_formula.hpp"
#include "tests/app/support/program.hpp"
#include "tests/app/support/temporary_folder.hpp"
#include "tests/app/support/typed_words.hpp"

#include <gmock/gmock.h>

#include <set>

namespace slotscape {
namespace {

using races::Fill;
using races::MemoryModel;
using races::Schedule;
using races::Turn;
using test::message_of;
using test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

RacesSettings case_named(std::string_view name)
{
  return settings_of(*races::find_case(name));
}

class RacesSceneTest : public testing::Test {
protected:
  explicit RacesSceneTest(RacesSettings settings = case_named("two-inserts"))
      : app_(test::offscreen_app({1280, 720}, Scenario{&test::entry("races"), std::move(settings)}))
  {
    frames(2);
  }
  void frames(int count)
  {
    for (int i = 0; i < count; ++i) { app_->frame(0.1); }
  }
  void press(std::string_view keys)
  {
    test::press(scene(), keys);
    frames(1);
  }
  void finish_search()
  {
    scene().finish_steps([this] { frames(1); });
    frames(1);
  }
  RacesScene& scene() { return test::scene_of<RacesScene>(*app_); }
  RacesState& state() { return scene().state(); }
  std::vector<int> threads_of_turns()
  {
    std::vector<int> threads;
    for (races::Event const& event : state().history.events) { threads.push_back(event.turn.thread + 1); }
    return threads;
  }

  std::unique_ptr<App> app_;
};

TEST_F(RacesSceneTest, KeysLetThreadsHaveTheirTurns)
{
  EXPECT_TRUE(state().history.events.empty());
  for (char const* key : {"1", "2", "2", "1", "2", "1", "1"}) { press(key); }
  EXPECT_THAT(threads_of_turns(), ElementsAre(1, 2, 2, 1, 2, 1, 1));
  ASSERT_TRUE(state().history.verdict);
  EXPECT_EQ(races::text_of(state().race, *state().history.verdict),
            "legal: the same as insert 13: 11, then insert 13: 10")
      << "T2's compare-and-swap was first";
  press("3");
  press("1");
  EXPECT_EQ(threads_of_turns().size(), 7u) << "nobody has anything left to do";
  press("Left");
  press("Left");
  EXPECT_EQ(threads_of_turns().size(), 5u);
  EXPECT_EQ(state().to_come(), 2u);
  press("Right");
  EXPECT_THAT(threads_of_turns(), ElementsAre(1, 2, 2, 1, 2, 1));
  press("Home");
  EXPECT_TRUE(threads_of_turns().empty());
  press("End");
  EXPECT_EQ(threads_of_turns().size(), 7u);
  EXPECT_EQ(app_->toasts().errors(), 0u);
}

TEST_F(RacesSceneTest, AnotherTurnInThePastMakesAnotherHistoryAndCanBeTakenBack)
{
  for (char const* key : {"1", "1", "1", "2"}) { press(key); }
  press("Left");
  press("Left");
  EXPECT_EQ(scene().undoes(), "") << "going back loses nothing";
  press("2");
  EXPECT_THAT(threads_of_turns(), ElementsAre(1, 1, 2));
  EXPECT_EQ(scene().undoes(), "discarding these turns");
  scene().undo();
  frames(1);
  press("End");
  EXPECT_THAT(threads_of_turns(), ElementsAre(1, 1, 1, 2));
  scene().redo();
  frames(1);
  EXPECT_THAT(threads_of_turns(), ElementsAre(1, 1, 2));
}

TEST_F(RacesSceneTest, ASeedDecidesWhereNobodyElseDoes)
{
  std::set<std::vector<int>> histories;
  for (int seed = 0; seed < 12; ++seed) {
    press("End");
    ASSERT_TRUE(state().history.verdict);
    EXPECT_TRUE(state().history.verdict->legal);
    histories.insert(threads_of_turns());
    press("Backspace");
    press("S");
  }
  EXPECT_GT(histories.size(), 4u);
}

TEST_F(RacesSceneTest, PlaysTurnAfterTurnUntilAllHaveEnded)
{
  press("Space");
  EXPECT_FALSE(scene().quiet());
  for (int i = 0; i < 200 && state().playing; ++i) { frames(1); }
  EXPECT_TRUE(state().history.verdict);
  EXPECT_TRUE(scene().quiet());
}

TEST_F(RacesSceneTest, TheSearchGoesThroughAllSchedules)
{
  press("E");
  finish_search();
  ASSERT_TRUE(state().report);
  EXPECT_TRUE(state().report->legal());
  EXPECT_EQ(state().report->schedules, 20.0);
  EXPECT_EQ(text_of(*state().report), "All 20 schedules are legal.");
  EXPECT_TRUE(state().history.events.empty()) << "there is nothing to replay";
}

TEST_F(RacesSceneTest, WhatIsIllegalIsReplayed)
{
  state().ask(ShowCase{"first-tombstone"});
  frames(1);
  EXPECT_THAT(std::string(state().flaw), HasSubstr("first tombstone"));
  press("E");
  finish_search();
  EXPECT_THAT(text_of(*state().report), HasSubstr("the shortest takes 4 turns"));
  EXPECT_TRUE(state().shows_bad_history());
  press("Home");
  for (int i = 0; i < 4; ++i) { press("Right"); }
  EXPECT_THAT(threads_of_turns(), ElementsAre(2, 2, 1, 1));
  ASSERT_TRUE(state().history.verdict);
  EXPECT_EQ(state().history.verdict->fault, "13 is stored twice: in slots 5 and 6");
  press("Home");
  for (char const* key : {"1", "1", "1", "2", "2"}) { press(key); }
  ASSERT_TRUE(state().history.verdict);
  EXPECT_TRUE(state().history.verdict->legal) << "the insertion was first";
  press("B");
  EXPECT_TRUE(state().shows_bad_history());
  EXPECT_EQ(state().settings.position, 0u);
}

TEST_F(RacesSceneTest, EveryFamousCaseIsShownAndSearched)
{
  for (std::size_t i = 0; i < races::famous_cases().size(); ++i) {
    press("N");
    races::Case const* const shown = races::find_case(state().settings.case_name);
    ASSERT_NE(shown, nullptr);
    press("E");
    finish_search();
    ASSERT_TRUE(state().report) << shown->name;
    EXPECT_EQ(state().report->legal(), shown->legal) << shown->name;
    press("End");
  }
  EXPECT_EQ(state().settings.case_name, "two-inserts") << "once round";
  press("P");
  EXPECT_EQ(state().settings.case_name, "released-key");
  EXPECT_EQ(app_->toasts().errors(), 0u);
}

TEST_F(RacesSceneTest, AChangedRaceIsAnother)
{
  press("1");
  state().settings.race.calls.push_back({.operation = Operation::erase, .key = 5});
  frames(2);
  EXPECT_EQ(state().settings.case_name, "");
  EXPECT_EQ(state().history.threads.size(), 3u);
  EXPECT_TRUE(state().history.events.empty());
  EXPECT_EQ(state().promise, "");
  state().settings.race.table.deletion = Deletion::tombstone_reuse;
  frames(2);
  EXPECT_THAT(state().promise, HasSubstr("separate phase"));
  EXPECT_EQ(scene().undoes(), "changing the race");
  scene().undo();
  scene().undo();
  frames(2);
  EXPECT_EQ(state().settings.case_name, "two-inserts");
  EXPECT_THAT(threads_of_turns(), ElementsAre(1));
}

TEST_F(RacesSceneTest, ARaceThatCannotBeIsRefusedAndNothingIsLost)
{
  press("1");
  for (Narrow::Key key = 100; key < 120; ++key) {
    state().settings.race.before.push_back({.operation = Operation::insert, .key = key, .value = 1});
  }
  frames(2);
  EXPECT_EQ(app_->toasts().errors(), 1u);
  EXPECT_THAT(app_->toasts().latest(), HasSubstr("no place"));
  EXPECT_EQ(state().settings.case_name, "two-inserts");
  EXPECT_THAT(threads_of_turns(), ElementsAre(1));
}

TEST_F(RacesSceneTest, EveryFamilyThatCanBeSharedIsDrawn)
{
  for (HashChoice const& hash : {HashChoice(HashKind::identity), HashChoice(parse_hash_formula("teschner"))}) {
    for (std::string const& family : family_names()) {
      if (!races::can_race(family)) { continue; }
      state().settings.race.table.family = family;
      state().settings.race.table.hash = hash;
      frames(2);
      press("End");
      EXPECT_TRUE(state().history.verdict) << family;
    }
  }
  EXPECT_EQ(app_->toasts().errors(), 0u);
}

TEST_F(RacesSceneTest, ModelsOfMemoryOfferMoreTurns)
{
  state().ask(ShowCase{"key-before-value"});
  frames(1);
  for (int i = 0; i < 4; ++i) { press("1"); }
  EXPECT_EQ(state().history.now.waiting.size(), 2u);
  std::size_t arrivals = 0;
  for (Turn const& turn : state().history.turns) { arrivals += turn.kind == Turn::Kind::arrival ? 1 : 0; }
  EXPECT_EQ(arrivals, 2u);
  EXPECT_EQ(state().race.table->slot(state().history.now.memory, 6).fill, Fill::empty) << "nothing has arrived";
  press("1");
  EXPECT_EQ(state().race.table->slot(state().history.now.memory, 6).fill, Fill::key_only);
  press("M");
  EXPECT_EQ(state().race.memory, MemoryModel::stale_loads);
  EXPECT_EQ(state().settings.case_name, "");
}

TEST_F(RacesSceneTest, LongSearchesGoOnBesideTheFramesAndCanBeCancelled)
{
  races::RaceSettings& race = state().settings.race;
  race.table = {.family = "slab", .slots = 32, .hash = HashKind::identity};
  race.before.clear();
  for (Narrow::Key key = 0; key < 14; ++key) { race.before.push_back({Operation::insert, 32 * key, 1}); }
  race.calls = {{Operation::insert, 800, 1},
                {Operation::insert, 832, 1},
                {Operation::insert, 864, 1},
                {Operation::insert, 896, 1}};
  frames(2);
  ASSERT_EQ(state().race.calls.size(), 4u);
  press("E");
  EXPECT_TRUE(state().searching);
  ASSERT_TRUE(state().progress);
  EXPECT_THAT(state().progress->what, HasSubstr("Searching all schedules"));
  EXPECT_TRUE(scene().cancellable());
  press("1");
  EXPECT_THAT(threads_of_turns(), ElementsAre(1)) << "turns can be taken meanwhile";
  press("Esc");
  finish_search();
  ASSERT_TRUE(state().report);
  EXPECT_FALSE(state().report->findings.complete);
  EXPECT_THAT(text_of(*state().report), HasSubstr("was stopped"));
}

TEST_F(RacesSceneTest, ComesBackFromAScenario)
{
  state().ask(ShowCase{"key-before-value"});
  frames(1);
  for (char const* key : {"1", "1", "1", "1", "1", "2", "Left"}) { press(key); }
  std::string const text = format_scenario({&test::entry("races"), scene().set_up()});
  EXPECT_EQ(test::parse_setup<RacesSettings>(text), state().settings) << text;
  state().settings.race.calls[1] = {.operation = Operation::insert, .key = 13, .value = 3, .combine = Combine::add};
  state().settings.race.published.clear();
  state().settings.race.table.family = "cuckoo";
  state().settings.race.table.parameters["bucket"] = 1;
  frames(2);
  state().settings.race.table.hash = HashChoice(parse_hash_formula("3*k + 1"));
  frames(2);
  EXPECT_EQ(app_->toasts().errors(), 0u);
  std::string const other = format_scenario({&test::entry("races"), scene().set_up()});
  EXPECT_EQ(test::parse_setup<RacesSettings>(other), state().settings) << other;
}

TEST(RacesScenarios, AreRefusedWithAReason)
{
  auto const wrong = [](std::string const& fields) {
    return message_of<Error>([&] { test::parse_setup<RacesSettings>(R"({ "version": 1, "races": )" + fields + " }"); });
  };
  EXPECT_THAT(wrong(R"({ "case": "two-insert" })"), AllOf(HasSubstr("races.case"), HasSubstr("'two-inserts'")));
  EXPECT_THAT(wrong(R"({ "family": "cpu_unordered_map" })"), HasSubstr("races.family"));
  EXPECT_THAT(wrong(R"({ "slots": 12 })"), AllOf(HasSubstr("races.slots"), HasSubstr("small")));
  EXPECT_THAT(wrong(R"({ "threads": [] })"), HasSubstr("1 to 4 operations"));
  EXPECT_THAT(wrong(R"({ "threads": [{ "op": "find", "key": 1, "value": 2 }] })"), HasSubstr("threads[0]"));
  EXPECT_THAT(wrong(R"({ "threads": [{ "op": "insert", "key": 4294967295 }] })"), HasSubstr("threads[0].key"));
  EXPECT_THAT(wrong(R"({ "turns": [1, 3] })"), AllOf(HasSubstr("races.turns"), HasSubstr("Turn 2"), HasSubstr("T3")));
  EXPECT_THAT(wrong(R"({ "turns": [1], "position": 2 })"), HasSubstr("races.position"));
  EXPECT_THAT(wrong(R"({ "parameters": { "bucket": 2 } })"), HasSubstr("races.parameters"));
  EXPECT_THAT(wrong(R"({ "published": "farrell" })"), HasSubstr("races.published"));
  EXPECT_THAT(wrong(R"({ "published": "first_tombstone", "hash": "formula: 3*k" })"), HasSubstr("a named hash"));
  EXPECT_THAT(
      wrong(R"({ "before": [{ "op": "insert", "key": 1 }, { "op": "insert", "key": 2 }, { "op": "insert", "key": 3 },
                                    { "op": "insert", "key": 4 }, { "op": "insert", "key": 5 }, { "op": "insert", "key": 6 },
                                    { "op": "insert", "key": 7 }, { "op": "insert", "key": 8 }, { "op": "insert", "key": 9 }] })"),
      HasSubstr("no place"));
}

TEST_F(RacesSceneTest, StatisticsTellTheHistoryAndTheSearch)
{
  TemporaryFolder const folder;
  state().ask(ShowCase{"first-tombstone"});
  frames(1);
  press("E");
  finish_search();
  press("End");
  SceneStatistics const statistics = scene().statistics({});
  Json const& json = statistics.json;
  EXPECT_EQ(json["case"], "first-tombstone");
  EXPECT_EQ(json["published"], true);
  EXPECT_EQ(json["legal"], false);
  EXPECT_EQ(json["turns"].size(), 4u);
  EXPECT_EQ(json["threads"][0]["answer"], "inserted");
  EXPECT_THAT(json["threads"][0]["code"].dump(), HasSubstr("insert"));
  EXPECT_EQ(json["search"]["schedules"], 10.0);
  EXPECT_EQ(json["search"]["shortest"]["verdict"], "illegal: 13 is stored twice: in slots 5 and 6");
  EXPECT_THAT(statistics.tables.front().second, HasSubstr("4,1,1,"));
}

TEST_F(RacesSceneTest, SlidesShowTheSlotsAndWhatHappened)
{
  test::paint();
  TemporaryFolder const folder;
  for (char const* key : {"1", "2"}) { press(key); }
  app_->pictures().save_slide(folder / "slide.png", {});
  EXPECT_GT(std::filesystem::file_size(folder / "slide.png"), 5000u);
  app_->pictures().save_slide(folder / "slide.svg", {});
  EXPECT_THAT(test::content_of(folder / "slide.svg"), AllOf(HasSubstr("insert 13: 10"), HasSubstr("hashes to slot 5")));
}

TEST(RacesCommand, DrawsTheShortestIllegalHistoryWithoutAWindow)
{
  TemporaryFolder const folder;
  std::string const file = (folder / "races.json").string();
  Options const options = test::parse({"races", "copied-twice", "--explore", "--headless", "--backend", "cpu", "--size",
                                       "1600x1000", "--frames", "1", "--stats", file.c_str()})
                              .value();
  testing::internal::CaptureStdout();
  EXPECT_EQ(run_headless(options), 0);
  testing::internal::GetCapturedStdout();
  Json const json = Json::parse(test::content_of(file));
  EXPECT_EQ(json["verdict"], "illegal: 3 is stored twice: in slots 4 and 5");
  EXPECT_EQ(json["turns"].size(), json["search"]["shortest"]["turns"]);
}

TEST(RacesCommand, SaysWhatIsWrong)
{
  auto const wrong = [](test::Words words) {
    words.insert(words.begin(), {"races", "--headless"});
    return message_of<Error>([&] { scenario_of(test::parse(words).value(), 0.0); });
  };
  EXPECT_THAT(wrong({"one-insert"}), AllOf(HasSubstr("'one-insert'"), HasSubstr("two-inserts")));
  EXPECT_THAT(wrong({"--memory", "weak"}), HasSubstr("--memory"));
  EXPECT_THAT(wrong({"--turns", "1,5"}), HasSubstr("--turns"));
  EXPECT_THAT(wrong({"--turns", "1,1,1,1"}), AllOf(HasSubstr("--turns"), HasSubstr("Turn 4")));
}

/// The smallest that `--size` allows: there is no room for some texts.
TEST(RacesScene, IsDrawnInTheSmallestWindow)
{
  for (races::Case const& each : races::famous_cases()) {
    auto const app = test::offscreen_app({320, 240}, Scenario{&test::entry("races"), settings_of(each)});
    for (int frame = 0; frame < 2; ++frame) { app->frame(0.1); }
    EXPECT_TRUE(test::scene_of<RacesScene>(*app).ready()) << each.name;
  }
}

}  // namespace
}  // namespace slotscape
