// A lesson is worked through: answers, points, variants, watching the file, lectures, and what comes back afterwards.

#include "app/base/encoding.hpp"
#include "app/base/files.hpp"
#include "app/languages/languages.hpp"
#include "app/lessons/check.hpp"
#include "app/lessons/library.hpp"
#include "app/shell/settings_file.hpp"
#include "gpu/base/error.hpp"
#include "tests/app/program.hpp"
#include "tests/app/temporary_folder.hpp"

#include <slotscape_paths.hpp>

#include <gmock/gmock.h>
#include <imgui_internal.h>

#include <chrono>

namespace slotscape {
namespace {

using lessons::TaskState;
using test::scene_of;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

constexpr char const* lesson_text = R"({ "version": 1, "title": "Test", "pages": [
  { "title": "Land", "text": "{key} of {[table/slots]}",
    "variables": { "home": { "from": 1, "to": 12 }, "q": { "from": 1, "to": 50 }, "key": { "is": "home + 16 * q" } },
    "set_up": { "table": { "slots": 16, "hash": "identity" }, "steps": [ { "op": "insert", "key": "{home}" } ] },
    "task": { "kind": "prediction", "ask": "Where?", "operation": { "op": "insert", "key": "{key}" }, "asks": "slot",
              "answer": "home + 1" } },
  { "title": "Choose", "text": "x",
    "set_up": { "table": { "slots": 16, "hash": "identity" } },
    "task": { "kind": "choice", "ask": "?", "keep_order": true,
              "options": [ { "text": "wrong", "tell": "No: {[table/live]} keys.", "show": [ { "op": "insert", "keys": [1, 2] } ] },
                           { "text": "right", "right": true } ] } },
  { "title": "Estimate", "text": "x",
    "set_up": { "table": { "slots": 16, "hash": "identity" } },
    "task": { "kind": "number", "ask": "?", "after": [ { "op": "insert", "keys": [1, 17] } ],
              "answer": "[table/live]", "tell": "{[given]} against {[answer]}" } },
  { "title": "Reach", "text": "x",
    "set_up": { "table": { "slots": 16, "hash": "identity" }, "steps": [ { "op": "insert", "keys": [3] } ] },
    "buttons": [ { "label": "Insert 4", "do": [ { "op": "insert", "keys": [4] } ] } ],
    "task": { "kind": "challenge", "ask": "?", "until": [ { "what": "keys", "of": "[table/live]", "at_least": 2 } ],
              "solution": [ { "op": "insert", "keys": [4] } ] } } ] })";

/// The lesson in the program, offscreen.
class LessonTest : public ::testing::Test {
protected:
  LessonTest() : app_(test::offscreen_app({1280, 720}, test::slots_scenario({.slots = 32}))) { app_->let_errors_out(); }

  std::vector<std::string> problems_of_first_page()
  {
    app_->start_lesson(lessons::read_lesson(scenes(), file_, finder()), {.page = 0, .seed = 7});
    return lessons::check_page(session(), {[this]() -> Scene& { return app_->current_scene(); },
                                           [this] {
                                             app_->frame(0.3);
                                             app_->current_scene().finish_steps({});
                                           }});
  }

  void start(LessonStart const& how = {.page = 0, .seed = 7})
  {
    file_ = folder_.write("test.json", lesson_text);
    app_->start_lesson(lessons::read_lesson(scenes(), file_, finder()), how);
    settle();
  }
  static lessons::FindFile finder() { return lessons::Library({}).finder(); }
  lessons::Session& session() { return *app_->lesson(); }
  TaskState const& task() { return session().task(); }
  SlotsScene& scene() { return scene_of<SlotsScene>(*app_); }
  void settle()
  {
    lessons::settle(session(), {[this]() -> Scene& { return app_->current_scene(); },
                                [this] {
                                  app_->frame(0.3);
                                  app_->current_scene().finish_steps({});
                                }});
  }
  void play_out()
  {
    lessons::play_out(session(), {[this]() -> Scene& { return app_->current_scene(); },
                                  [this] {
                                    app_->frame(0.3);
                                    app_->current_scene().finish_steps({});
                                  }});
  }
  /// Of the page in the lesson's panel.
  static ImGuiWindow const* page_window()
  {
    ImGuiWindow const* found = nullptr;
    for (ImGuiWindow const* const window : ImGui::GetCurrentContext()->Windows) {
      std::string_view const name = window->Name;
      bool const is_page = name.starts_with("##lesson/page ") && name.find('/', name.find('/') + 1) == name.npos;
      if (window->WasActive && is_page) { found = window; }
    }
    return found;
  }
  void go_to(std::size_t page)
  {
    session().go_to(page);
    settle();
  }
  void press(ImGuiKey key)
  {
    ImGui::GetIO().AddKeyEvent(key, true);
    app_->frame(0.05);
    ImGui::GetIO().AddKeyEvent(key, false);
    app_->frame(0.05);
  }
  void press_undo()
  {
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, true);
    press(ImGuiKey_Z);
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, false);
    app_->frame(0.05);
  }
  double variable(std::string_view name) { return std::get<double>(session().page().variables.find(name)->second); }

  test::TemporaryFolder folder_;
  std::filesystem::path file_;
  std::unique_ptr<App> app_;
};

TEST_F(LessonTest, AClickedSlotIsAnAnswer)
{
  start();
  EXPECT_THAT(session().text(), HasSubstr("of 16")) << "numbers of the scene are filled in";
  scene().state().selection.pinned = static_cast<Slot>(variable("home") + 1);
  settle();
  ASSERT_TRUE(task().chosen);
  session().give_slot();
  settle();
  EXPECT_EQ(task().stage, TaskState::Stage::told);
  EXPECT_TRUE(task().right) << task().told;
  EXPECT_EQ(session().points_here(), 2);
  EXPECT_TRUE(scene().state().steps.on) << "what happens is shown step by step";
}

/// The picture at the end is the table's own: colours by cluster are right, too.
TEST_F(LessonTest, APredictedInsertionIsDoneAtItsEndAndUndoneByAStepBack)
{
  start();
  session().give_number(variable("home") + 1);
  settle();
  EXPECT_EQ(scene().simulation().live(), 1u) << "while it is played";
  play_out();
  ASSERT_TRUE(scene().state().steps.player);
  EXPECT_TRUE(scene().state().steps.player->at_end());
  EXPECT_EQ(scene().simulation().live(), 2u);
  EXPECT_TRUE(scene().state().steps.player->changes().empty()) << "nothing is painted over the table";
  EXPECT_EQ(scene().state().statistics.clusters.max, 2u);
  app_->frame(0.1);
  EXPECT_EQ(scene().simulation().live(), 2u) << "once";
  scene().state().steps.player->back();
  app_->frame(0.1);
  EXPECT_EQ(scene().simulation().live(), 1u);
  scene().state().steps.player->forward();
  play_out();
  EXPECT_EQ(scene().simulation().live(), 2u);
  press(ImGuiKey_Enter);
  settle();
  EXPECT_EQ(scene().simulation().live(), 2u) << "it is done already";
}

/// What is recorded of an answer is its end, not its first step.
TEST_F(LessonTest, APictureShowsTheEndOfAnAnswer)
{
  start();
  session().solve(scene());
  play_out();
  EXPECT_TRUE(scene().state().steps.player->at_end());
  EXPECT_TRUE(scene().quiet());
}

TEST_F(LessonTest, AnAnswerComesIntoViewAndSoDoesTheScore)
{
  for (float const scale : {1.0f, 1.5f}) {
    lessons::Library const library({SLOTSCAPE_SOURCE_DIR "/assets"});
    app_.reset();
    UserSettings settings;
    settings.ui_scale = scale;
    app_ = test::offscreen_app({1280, 720}, test::slots_scenario({.slots = 32}), settings);
    app_->let_errors_out();
    lessons::Lesson tombstones = lessons::read_lesson(scenes(), library.find("4"), library.finder());
    app_->start_lesson(std::move(tombstones), {.page = 5, .seed = 7});
    settle();
    auto const& options = std::get<lessons::Choice>(session().page().task->of).options;
    session().choose_option(options[0].right ? 1 : 0);
    settle();
    for (int frame = 0; frame < 6; ++frame) { app_->frame(0.05); }
    ImGuiWindow const* const page = page_window();
    ASSERT_NE(page, nullptr);
    if (scale > 1.0f) { EXPECT_GT(page->ScrollMax.y, 0.0f) << "else this tests nothing"; }
    EXPECT_GE(page->Scroll.y, page->ScrollMax.y - 1.0f) << "Try again is below the verdict";
    session().restart();
    settle();
    for (int frame = 0; frame < 6; ++frame) { app_->frame(0.05); }
    EXPECT_EQ(page_window()->Scroll.y, 0.0f) << "a page begins at its top";
  }
}

TEST_F(LessonTest, MeasurementsThatAreNotAsExpectedAreDoubted)
{
  file_ = folder_.write("measured.json", R"({ "version": 1, "title": "Measured", "pages": [
    { "title": "P", "text": "x",
      "set_up": { "table": { "slots": 16, "hash": "identity" }, "steps": [ { "op": "insert", "keys": [3] } ] },
      "measured": { "expected": [ { "what": "keys", "of": "[table/live]", "above": 1 } ],
                    "otherwise": "Only {[table/live]}." } },
    { "title": "Q", "text": "x",
      "measured": { "expected": [ { "what": "keys", "of": "[table/live]", "below": 2 } ], "otherwise": "No." } } ] })");
  app_->start_lesson(lessons::read_lesson(scenes(), file_, finder()), {.page = 0, .seed = 7});
  EXPECT_EQ(session().doubt(), "") << "before anything is measured";
  settle();
  EXPECT_EQ(session().doubt(), "Only 1.");
  go_to(1);
  EXPECT_EQ(session().doubt(), "");
}

/// What is unasked for solves nothing: the warning over the map, whose button would.
TEST_F(LessonTest, NoAdviceWhileATaskIsOpen)
{
  lessons::Library const library({SLOTSCAPE_SOURCE_DIR "/assets"});
  app_->start_lesson(lessons::read_lesson(scenes(), library.find("4"), library.finder()), {.page = 3, .seed = 7});
  settle();
  app_->frame(0.1);
  auto const& warning = scene().state().room_warning;
  ASSERT_TRUE(warning.purge_helps && !warning.title.empty()) << "else this tests nothing";
  ImGuiWindow const* const card = ImGui::FindWindowByName("##tombstones");
  EXPECT_TRUE(card == nullptr || !card->WasActive);
  EXPECT_TRUE(session().waits());
  app_->end_lesson();
}

/// A key that was pressed by mistake.
TEST_F(LessonTest, ALetterThatDropsKeysAsksOrCanBeTakenBack)
{
  auto const type_c = [&] {
    ImGui::GetIO().AddInputCharacter('c');
    for (int frame = 0; frame < 4; ++frame) { app_->frame(0.05); }
    settle();
  };
  start();
  session().give_number(variable("home") + 1);
  play_out();
  type_c();
  EXPECT_EQ(scene().simulation().live(), 2u) << "a page with a question";
  EXPECT_THAT(app_->toasts().latest(), HasSubstr("Nothing changed"));
  go_to(3);
  type_c();
  EXPECT_EQ(scene().simulation().live(), 0u) << "a challenge";
  EXPECT_THAT(app_->toasts().latest(), HasSubstr("Ctrl+Z"));
  scene().undo();
  settle();
  EXPECT_EQ(scene().simulation().live(), 1u);
}

/// An error is about the latest thing that was asked of the table.
TEST_F(LessonTest, AnErrorGoesWithTheNextRequest)
{
  app_.reset();
  app_ = test::offscreen_app({1280, 720}, test::slots_scenario({.slots = 16}));
  for (Key key = 1; key <= 9; ++key) { scene().state().act(OnKey{Operation::insert, key}); }
  auto const frames = [&] {
    for (int frame = 0; frame < 4; ++frame) { app_->frame(0.05); }
  };
  frames();
  test::press(scene(), "D");
  frames();
  EXPECT_EQ(app_->toasts().errors(), 1u) << "nine keys do not fit in eight slots";
  test::press(scene(), "R");
  frames();
  EXPECT_EQ(app_->toasts().errors(), 0u);
  EXPECT_EQ(scene().simulation().engine().table().slots, 32u);
}

TEST_F(LessonTest, AWrongAnswerIsMetWithWhatHappens)
{
  start();
  session().give_number(variable("home"));
  settle();
  EXPECT_FALSE(task().right);
  EXPECT_THAT(task().told, HasSubstr("It is **slot"));
  EXPECT_EQ(session().points_here(), 0);
  ASSERT_TRUE(scene().state().steps.player);
  EXPECT_EQ(scene().state().steps.player->trace().key, static_cast<Key>(variable("key")));
  double const before = variable("key");
  session().another();
  settle();
  EXPECT_NE(variable("key"), before) << "another variant";
  session().give_number(variable("home") + 1);
  settle();
  EXPECT_EQ(session().points_here(), 1) << "not at the first try";
}

TEST_F(LessonTest, AQuestionWhoseAnswerWasShownDoesNotComeBack)
{
  start();
  session().give_number(variable("home"));  // wrong
  settle();
  double const shown = variable("key");
  go_to(1);
  go_to(0);
  settle();
  double const next = variable("key");
  EXPECT_NE(next, shown);
  go_to(1);
  go_to(0);
  settle();
  EXPECT_EQ(variable("key"), next) << "a question that was not answered stays";
  session().another();
  settle();
  double const other = variable("key");
  lessons::Session const later(scenes(), finder(), lessons::read_lesson(scenes(), file_, finder()),
                               session().progress());
  EXPECT_EQ(std::get<double>(later.page().variables.find("key")->second), other) << "after a restart of the program";
  session().reveal();
  settle();
  go_to(1);
  go_to(0);
  settle();
  EXPECT_EQ(variable("key"), other) << "a lecturer comes back to what was shown";
}

TEST_F(LessonTest, AChoiceShowsItsConsequence)
{
  start({.page = 1, .seed = 7});
  EXPECT_TRUE(session().asks());
  session().choose_option(0);
  settle();
  EXPECT_EQ(task().told, "You said A. It is **B**.\n\nNo: 2 keys.");
  EXPECT_FALSE(session().asks()) << "it is answered";
  EXPECT_EQ(scene().simulation().live(), 2u);
  session().restart();
  settle();
  EXPECT_EQ(scene().simulation().live(), 0u);
  session().choose_option(1);
  settle();
  EXPECT_TRUE(task().right);
}

/// Who presses Next while the scene still does what an answer is about loses neither the answer nor a try.
TEST_F(LessonTest, AnAnswerIsJudgedBeforeThePageIsLeft)
{
  start({.page = 2, .seed = 7});
  session().give_number(2.0);
  ASSERT_EQ(task().stage, TaskState::Stage::working);
  session().go_to(0);
  EXPECT_EQ(session().number(), 2u) << "not yet";
  session().go_to(0);
  EXPECT_EQ(session().number(), 0u) << "who asks twice does not wait";
  EXPECT_EQ(session().progress().tries[2], 0) << "and has lost nothing";
  settle();
  go_to(2);
  session().give_number(2.0);
  session().go_to(0);
  settle();
  EXPECT_EQ(session().number(), 0u);
  EXPECT_EQ(session().progress().points[2], 2);
}

TEST_F(LessonTest, ANumberIsMeasured)
{
  start({.page = 2, .seed = 7});
  session().give_number(3.0);
  settle();
  EXPECT_FALSE(task().right);
  EXPECT_THAT(task().told, HasSubstr("3 against 2"));
  session().another();
  settle();
  session().give_number(2.0);
  settle();
  EXPECT_TRUE(task().right);
}

TEST_F(LessonTest, AChallengeIsCheckedAgainstTheLiveTable)
{
  start({.page = 3, .seed = 7});
  ASSERT_THAT(task().findings, SizeIs(1));
  EXPECT_FALSE(task().findings[0].met);
  EXPECT_EQ(task().findings[0].value, "1");
  scene().state().act(OnKey{Operation::insert, 9});
  settle();
  settle();
  EXPECT_TRUE(task().right);
  EXPECT_EQ(session().points_here(), 2);
}

TEST_F(LessonTest, AButtonDoesItsSteps)
{
  start({.page = 3, .seed = 7});
  session().take_hint();
  session().press(session().page().buttons.at(0));
  settle();
  settle();
  EXPECT_EQ(scene().simulation().live(), 2u);
  EXPECT_EQ(session().points_here(), 1) << "a hint was taken";
}

TEST_F(LessonTest, StudentsHaveOtherVariants)
{
  std::set<double> keys;
  for (std::uint64_t const seed : {1, 2, 3, 4, 5}) {
    start({.page = 0, .seed = seed});
    keys.insert(variable("key"));
  }
  EXPECT_GE(keys.size(), 4u);
}

TEST_F(LessonTest, TheUsersSceneAndPanelsComeBack)
{
  scene().state().act(OnKey{Operation::insert, 77});
  app_->frame(0.1);
  app_->frame(0.1);
  UserSettings const before = app_->user_settings();
  start();
  EXPECT_EQ(scene().state().settings.table.slots, 16u);
  EXPECT_TRUE(app_->user_settings().panels.controls) << "the lesson's panels are not remembered";
  app_->end_lesson();
  app_->frame(0.1);
  scene().finish_steps({});
  EXPECT_EQ(app_->lesson(), nullptr);
  EXPECT_EQ(scene().state().settings.table.slots, 32u);
  EXPECT_EQ(scene().simulation().live(), 1u);
  EXPECT_EQ(app_->user_settings().panels.numbers, before.panels.numbers);
}

/// As a lecturer does: an example of one's own, a lesson in between, and back.
TEST_F(LessonTest, WhatWasDoneBeforeALessonCanBeUndoneAfterIt)
{
  for (bool const lecture : {false, true}) {
    scene().state().act(OnKey{Operation::insert, 18});
    app_->frame(0.1);
    scene().state().act(OnKey{Operation::erase, 18});
    app_->frame(0.1);
    app_->frame(0.1);
    ASSERT_EQ(scene().simulation().live(), 0u);
    start({.page = 0, .seed = 7, .lecture = lecture});
    go_to(1);
    EXPECT_EQ(scene().undoes(), "") << "the page's scene is another one";
    app_->end_lesson();
    app_->frame(0.1);
    EXPECT_EQ(scene().undoes(), "erase 18");
    press_undo();
    EXPECT_EQ(scene().simulation().live(), 1u);
  }
}

/// A lesson whose page is not there yet has not taken the scene's place.
TEST_F(LessonTest, ALessonThatEndsAtOnceLeavesTheSceneAlone)
{
  Scene const* const before = &app_->current_scene();
  file_ = folder_.write("test.json", lesson_text);
  app_->start_lesson(lessons::read_lesson(scenes(), file_, finder()), {.page = 0, .seed = 7});
  app_->end_lesson();
  EXPECT_EQ(&app_->current_scene(), before);
}

/// A lecture has no panels but those that its page speaks of: its plots and, step by step, the code.
TEST_F(LessonTest, ALectureShowsThePlotsAndTheCodeOfItsPage)
{
  auto const is_shown = [] {
    ImGuiWindow const* const window = ImGui::FindWindowByName("##right");
    return window != nullptr && window->WasActive;
  };
  file_ = folder_.write("plots.json", R"({ "version": 1, "title": "Plots", "pages": [
    { "title": "A", "text": "x", "panels": ["plots"], "set_up": { "table": { "slots": 16 } } },
    { "title": "B", "text": "x", "set_up": { "table": { "slots": 16 } } },
    { "title": "C", "text": "x",
      "set_up": { "table": { "slots": 16 }, "steps": [ { "op": "step", "operation": "insert", "key": 7 } ] } },
    { "title": "D", "text": "x", "panels": ["plots"], "set_up": { "table": { "slots": 16 } },
      "task": { "kind": "number", "ask": "?", "answer": "1" } } ] })");
  app_->start_lesson(lessons::read_lesson(scenes(), file_, finder()), {.page = 0, .seed = 7, .lecture = true});
  for (std::size_t page = 0; page < 3; ++page) {
    go_to(page);
    app_->frame(0.1);
    app_->frame(0.1);
    EXPECT_EQ(is_shown(), page != 1) << page;
    ASSERT_EQ(ImGui::FindWindowByName("##left") != nullptr && ImGui::FindWindowByName("##left")->WasActive, false);
  }
  go_to(3);
  app_->frame(0.1);
  app_->frame(0.1);
  EXPECT_FALSE(is_shown()) << "it would answer the question";
  session().reveal();
  settle();
  app_->frame(0.1);
  app_->frame(0.1);
  EXPECT_TRUE(is_shown());
}

TEST_F(LessonTest, ProgressIsRemembered)
{
  start();
  session().give_number(variable("home") + 1);
  settle();
  go_to(2);
  UserSettings const settings = app_->user_settings();
  auto const file = folder_ / "settings.json";
  save_settings(file, settings, scenes());
  LoadedSettings const loaded = load_settings(file, scenes());
  EXPECT_THAT(loaded.messages, SizeIs(0));
  lessons::Progress const progress = lessons::find_progress(loaded.settings.lessons, path_text(file_));
  EXPECT_EQ(progress.seed, 7u);
  EXPECT_EQ(progress.page, 2u);
  EXPECT_EQ(lessons::points_of(progress), 2);
  app_.reset();  // there is one interface at a time
  auto const later = test::offscreen_app({640, 480}, test::slots_scenario({.slots = 16}), loaded.settings);
  later->start_lesson(lessons::read_lesson(scenes(), file_, finder()));
  EXPECT_EQ(later->lesson()->number(), 2u);
  EXPECT_EQ(later->lesson()->points(), 2);
  std::filesystem::create_directory(folder_ / "elsewhere");
  auto const other = folder_.write("elsewhere/test.json", lesson_text);
  later->start_lesson(lessons::read_lesson(scenes(), other, finder()));
  EXPECT_EQ(later->lesson()->number(), 0u) << "another lesson, in a file of the same name";
  EXPECT_EQ(later->lesson()->points(), 0);
}

TEST(LessonProgress, IsSavedAloneAndKeepsAllElse)
{
  test::TemporaryFolder const folder;
  auto const file = folder / "new/settings.json";
  lessons::Progress mine{
      .lesson = "mine", .seed = 7, .page = 2, .points = {2, 0, 1}, .tries = {1, 3, 2}, .others = {0, 4, 0}};
  lessons::Progress const theirs{.lesson = "theirs", .seed = 9, .page = 1, .points = {1}, .tries = {2}, .others = {}};
  save_progress(file, mine);
  EXPECT_THAT(load_progress(file), ElementsAre(mine)) << "a file without anything else";
  EXPECT_THAT(load_settings(file, scenes()).messages, SizeIs(0));
  UserSettings settings;
  settings.theme = Background::light;
  settings.lessons = {mine, theirs};
  save_settings(file, settings, scenes());
  mine.points[1] = 1;
  save_progress(file, mine);
  LoadedSettings const loaded = load_settings(file, scenes());
  EXPECT_THAT(loaded.messages, SizeIs(0));
  EXPECT_EQ(loaded.settings.theme, Background::light);
  EXPECT_THAT(loaded.settings.lessons, ElementsAre(mine, theirs));
  folder.write("broken.json", "{");
  EXPECT_THAT(load_progress(folder / "broken.json"), SizeIs(0));
  EXPECT_THROW(save_progress(folder / "broken.json/settings.json", mine), Error);
}

/// Writes the file and makes it look newer, which a file system may be too coarse to tell.
void rewrite(test::TemporaryFolder const& folder, std::string const& text, int seconds_later)
{
  auto const file = folder.write("test.json", text);
  std::filesystem::last_write_time(file, std::filesystem::last_write_time(file) + std::chrono::seconds(seconds_later));
}

TEST_F(LessonTest, TheFileIsWatched)
{
  start();
  std::string text = test::content_of(file_);
  text.replace(text.find("\"Land\""), 6, "\"Else\"");
  rewrite(folder_, text, 1);
  EXPECT_EQ(session().watch(1.0), "");
  EXPECT_EQ(session().page().title, "Else");
  settle();
  EXPECT_EQ(scene().simulation().live(), 1u);

  rewrite(folder_, "{ \"version\": 1,\n broken", 2);
  EXPECT_THAT(session().watch(1.0), HasSubstr("line 2"));
  EXPECT_EQ(session().page().title, "Else") << "the old page stays";
  EXPECT_THAT(session().watch(1.0), HasSubstr("line 2")) << "until the file is right again";

  rewrite(folder_, text, 3);
  EXPECT_EQ(session().watch(1.0), "");
}

/// Whoever changes the language reads on in it, where they were.
TEST_F(LessonTest, FollowsTheLanguageAndKeepsItsAnswers)
{
  std::filesystem::path const file = lessons::Library({SLOTSCAPE_SOURCE_DIR "/assets"}).find("4");
  app_->start_lesson(lessons::read_lesson(scenes(), file, finder()), {.page = 0, .seed = 1});
  settle();
  std::string const second_title = Json::parse(read_text_file(file)).at("pages").at(1).at("title");
  std::string const english = session().text();
  std::string const title = session().page().title;
  session().solve(app_->current_scene());
  play_out();
  ASSERT_GT(session().points(), 0);
  int const points = session().points();
  Json const table = app_->current_scene().statistics({}).json.at("table");
  {
    InLanguage const german("de");
    app_->frame(0.05);
    EXPECT_NE(session().text(), english);
    EXPECT_NE(session().page().title, title);
    EXPECT_EQ(session().text().find("{["), std::string::npos) << "numbers of the page's beginning are in it";
    EXPECT_EQ(session().points(), points);
    EXPECT_EQ(task().stage, TaskState::Stage::told) << "the answer stays";
    EXPECT_EQ(app_->current_scene().statistics({}).json.at("table"), table) << "and so does the table";
    go_to(1);
    EXPECT_NE(session().page().title, second_title) << "further pages are in German, too";
  }
  app_->frame(0.05);
  go_to(0);
  EXPECT_EQ(session().page().title, title) << "and back";
}

TEST_F(LessonTest, AFileThatGoesAwayIsNoTrouble)
{
  start();
  std::filesystem::remove(file_);
  session().watch(1.0);
  settle();
  EXPECT_EQ(session().page().title, "Land");
}

TEST_F(LessonTest, ALectureGoesFromQuestionToAnswerToTheNextPage)
{
  start({.page = 0, .seed = 7, .lecture = true});
  Rectangle const& canvas = app_->current_scene().canvas();
  EXPECT_EQ(canvas.x + canvas.width, 1280);
  EXPECT_GT(canvas.width, 700) << "no panels";
  press(ImGuiKey_PageDown);
  settle();
  EXPECT_EQ(session().number(), 0u);
  EXPECT_TRUE(scene().state().steps.on) << "the answer is shown first";
  press(ImGuiKey_PageDown);
  settle();
  EXPECT_EQ(session().number(), 1u);
  press(ImGuiKey_PageUp);
  settle();
  EXPECT_EQ(session().number(), 0u);
  EXPECT_EQ(session().points(), 0) << "nobody scores in a lecture";
}

/// Of every kind of question: not on the same page, not after a restart of the page or of the program.
TEST_F(LessonTest, AnAnswerThatWasShownBringsNoPoints)
{
  auto const answer = [&](std::size_t page) {
    switch (page) {
      case 0: return session().give_number(variable("home") + 1);
      case 1: return session().choose_option(1);
      case 2: return session().give_number(2);
      default: return scene().state().act(OnKey{Operation::insert, 4});
    }
  };
  auto const answer_here = [&](std::size_t page) {
    answer(page);
    for (int frame = 0; frame < 10; ++frame) { app_->frame(0.3); }
    settle();
  };
  start();
  for (std::size_t page = 0; page < session().count(); ++page) {
    go_to(page);
    session().reveal();
    settle();
    session().restart();
    settle();
    answer_here(page);
    EXPECT_TRUE(task().right) << page;
    EXPECT_EQ(session().points_here(), 0) << page;
    EXPECT_THAT(task().told, HasSubstr("no points")) << page;
  }
  lessons::Progress const progress = session().progress();
  app_->end_lesson();
  start();
  EXPECT_EQ(session().progress().shown, (std::vector<int>{0, 0, 0, 0})) << "a seed that is chosen begins anew";
  lessons::Session later(scenes(), finder(), lessons::read_lesson(scenes(), file_, finder()), progress);
  for (std::size_t page = 0; page < later.count(); ++page) {
    later.go_to(page);
    EXPECT_TRUE(later.was_shown()) << "after a restart of the program, page " << page;
  }
}

/// Another question was not answered by that one; yet it counts as what a hint leaves.
TEST_F(LessonTest, AQuestionLikeTheShownOneBringsAPoint)
{
  start();
  session().reveal();
  settle();
  session().another();
  settle();
  EXPECT_FALSE(session().was_shown());
  session().give_number(variable("home") + 1);
  settle();
  EXPECT_EQ(session().points_here(), 1);
}

/// What shows the answer or makes it another one waits until the question is answered: by its key, not by the menu.
TEST_F(LessonTest, KeysThatWouldAnswerTheQuestionWait)
{
  auto const type = [&](char letter) {
    ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(letter));
    for (int frame = 0; frame < 4; ++frame) { app_->frame(0.05); }
  };
  for (bool const lecture : {false, true}) {
    start({.page = 2, .seed = 7, .lecture = lecture});
    for (char const letter : {'t', 'i', 's', 'r'}) {
      app_->toasts().dismiss_all();
      type(letter);
      if (lecture) { EXPECT_THAT(app_->toasts().latest(), HasSubstr("Nothing changed")) << letter << lecture; }
      EXPECT_FALSE(scene().state().steps.on);
      EXPECT_FALSE(scene().state().settings.drive.running);
      settle();
      EXPECT_EQ(scene().simulation().live(), 0u) << letter << lecture;
      EXPECT_EQ(scene().simulation().engine().table().slots, 16u);
    }
    app_->end_lesson();
  }
  start({.page = 2, .seed = 7, .lecture = true});
  app_->toasts().dismiss_all();
  type(',');
  EXPECT_FALSE(scene().state().settings.drive.hold_load) << "without a place in a menu, too";
  app_->end_lesson();
  start({.page = 2, .seed = 7});
  session().give_number(2);
  settle();
  type('t');
  EXPECT_TRUE(scene().state().steps.on) << "the answer is known";
}

/// Nobody has given an answer, so what is told of one speaks of the right one.
TEST_F(LessonTest, ALectureTellsOfTheAnswerThatShouldBeGiven)
{
  for (char const* const question :
       {R"("kind": "number", "answer": "9")",
        R"("kind": "prediction", "operation": { "op": "insert", "key": 9 }, "asks": "slot")"}) {
    file_ = folder_.write("told.json", std::string(R"({ "version": 1, "title": "T", "pages": [ {
      "title": "P", "text": "t", "set_up": { "table": { "slots": 16, "hash": "identity" } },
      "task": { "ask": "?", "tell": "{[given]} against {[answer]}.", )") +
                                           question + " } } ] }");
    app_->start_lesson(lessons::read_lesson(scenes(), file_, finder()), {.page = 0, .seed = 7, .lecture = true});
    settle();
    press(ImGuiKey_PageDown);
    settle();
    EXPECT_THAT(task().told, HasSubstr("9 against 9.")) << question;
  }
}

TEST_F(LessonTest, BMakesALectureBlack)
{
  test::paint();
  start({.page = 0, .seed = 7, .lecture = true});
  auto const type_b = [&] {
    ImGui::GetIO().AddInputCharacter('b');
    app_->frame(0.05);
    app_->frame(0.05);
  };
  auto const is_black = [&] {
    std::vector<std::uint8_t> const pixels = app_->picture().pixels;
    return std::ranges::all_of(pixels, [](std::uint8_t byte) { return byte == 0 || byte == 255; });  // 255: opaque
  };
  EXPECT_FALSE(is_black());
  type_b();
  EXPECT_TRUE(is_black());
  type_b();
  EXPECT_FALSE(is_black());
}

TEST_F(LessonTest, PageKeysGoThroughALessonInTheWindow)
{
  start();
  press(ImGuiKey_PageDown);
  settle();
  EXPECT_EQ(session().number(), 1u) << "without an answer, too: a student may skip";
  press(ImGuiKey_PageUp);
  settle();
  EXPECT_EQ(session().number(), 0u);
}

/// A check finds what a page says wrongly: of the scene, of an operation, of what an answer leads to, and of what
/// solves it.
TEST_F(LessonTest, AClaimIsChecked)
{
  file_ = folder_.write("claims.json", R"({ "version": 1, "title": "Claims", "pages": [
    { "title": "P", "text": "three keys, one move, twice as many",
      "set_up": { "table": { "slots": 16, "hash": "identity" }, "steps": [ { "op": "insert", "keys": [3, 4] } ] },
      "claims": [ { "says": "three keys", "of": "[table/live]", "equals": 3 },
                  { "says": "one move", "operation": { "op": "insert", "key": 19 }, "of": "[moves]", "equals": 1 },
                  { "what": "lands in slot 5", "operation": { "op": "insert", "key": 19 }, "of": "[slot]", "equals": 5 } ],
      "task": { "kind": "challenge", "ask": "?", "until": [ { "what": "keys", "of": "[table/live]", "at_least": 5 } ],
                "solution": [ { "op": "insert", "keys": [5, 6, 7] } ],
                "also": [ [ { "op": "insert", "keys": [8] } ] ],
                "not_yet": [ [ { "op": "insert", "keys": [8, 9, 10] } ] ],
                "leads_to": [ { "says": "twice as many", "of": "[table/live] / start[table/live]", "equals": 2 } ] } } ] })");
  EXPECT_THAT(problems_of_first_page(),
              UnorderedElementsAre(HasSubstr("'three keys' does not hold: it is 2, not exactly 3"),
                                   HasSubstr("'one move' does not hold: it is 0, not exactly 1"),
                                   HasSubstr("'twice as many' does not hold after the right answer: it is 2.5"),
                                   HasSubstr("task.also[0] does not solve it"),
                                   HasSubstr("task.not_yet[0] solves it")));
}

/// Nor has a key a slot that finds no place, though a last one was looked at.
TEST_F(LessonTest, ACheckFindsWhatCannotBeAnswered)
{
  file_ = folder_.write("full.json", R"({ "version": 1, "title": "Full", "pages": [
    { "title": "P", "text": "x",
      "set_up": { "table": { "slots": 4, "hash": "identity" }, "steps": [ { "op": "insert", "keys": [0, 1, 2, 3] } ] },
      "task": { "kind": "prediction", "ask": "Where does 7 land?", "operation": { "op": "insert", "key": 7 },
                "asks": "slot" } } ] })");
  EXPECT_THAT(problems_of_first_page(), Contains(HasSubstr("the operation has no slot")));
  file_ = folder_.write("same.json", R"({ "version": 1, "title": "Same", "pages": [
    { "title": "P", "text": "x", "variables": { "a": { "is": "3" }, "b": { "is": "3" } },
      "set_up": { "table": { "slots": 4 } },
      "task": { "kind": "choice", "ask": "Which?", "keep_order": true,
                "options": [ { "text": "{a}", "right": true }, { "text": "{b}", "tell": "{[table/lives]} keys." } ] } } ] })");
  EXPECT_THAT(problems_of_first_page(),
              UnorderedElementsAre(HasSubstr("the options A and B read the same: 3"), HasSubstr("{[table/lives]}")));
  file_ = folder_.write("number.json", R"({ "version": 1, "title": "Number", "pages": [
    { "title": "P", "text": "x", "set_up": { "table": { "slots": 4 } },
      "task": { "kind": "number", "ask": "?", "answer": "[table/lives]" } } ] })");
  EXPECT_THAT(problems_of_first_page(), Contains(HasSubstr("do not have: [table/lives]")));
}

TEST_F(LessonTest, TheLastPageHasAScoreAndLeadsToTheNextLesson)
{
  lessons::Library const library({SLOTSCAPE_SOURCE_DIR "/assets"});
  auto const all = library.lessons();
  lessons::Lesson first = lessons::read_lesson(scenes(), all[0].file, library.finder());
  std::size_t const last = first.pages.size() - 1;
  app_->start_lesson(std::move(first), {.page = 0, .seed = 7});
  settle();
  session().solve(scene());
  settle();
  go_to(last);
  session().take_hint();
  session().solve(scene());
  settle();
  settle();
  EXPECT_EQ(lessons::score_text(session()), "Your score: **3 of 12 points**. Pages 2, 3, 4 and 5 are still open.");
  press(ImGuiKey_PageDown);
  settle();
  EXPECT_EQ(session().lesson().name, "2-primary-clustering");
  EXPECT_EQ(session().number(), 0u);
  EXPECT_EQ(lessons::points_of(lessons::find_progress(app_->user_settings().lessons, "1-what-a-hash-table-is")), 3);
  go_to(session().count() - 1);
  app_->start_lesson(lessons::read_lesson(scenes(), all[0].file, library.finder()), {.page = last});
  settle();
  press(ImGuiKey_PageDown);
  settle();
  EXPECT_EQ(session().lesson().name, "2-primary-clustering");
  EXPECT_EQ(session().number(), 0u) << "not its last page, where it was left";
}

/// A window says what is wrong with a lesson, and begins it once it is mended.
TEST_F(LessonTest, ABrokenLessonIsAwaited)
{
  std::string const text = lesson_text;
  file_ = folder_.write("test.json", text.substr(0, 100));
  auto const read = [this] { return lessons::read_lesson(scenes(), file_, finder()); };
  app_->await_lesson(read, {.page = 1, .seed = 7}, test::message_of<Error>(read));
  app_->frame(0.1);
  EXPECT_THAT(app_->toasts().latest(), AllOf(HasSubstr("cannot be shown yet"), HasSubstr("test.json: line")));
  EXPECT_EQ(app_->lesson(), nullptr);
  folder_.write("test.json", R"({ "version": 1, "title": "Test", "pages": [ {} ] })");
  for (int frame = 0; frame < 3; ++frame) { app_->frame(0.6); }
  EXPECT_THAT(app_->toasts().latest(), HasSubstr("the field 'title' is missing"));
  folder_.write("test.json", text);
  for (int frame = 0; frame < 3; ++frame) { app_->frame(0.6); }
  ASSERT_NE(app_->lesson(), nullptr);
  EXPECT_EQ(session().number(), 1u);
  EXPECT_TRUE(app_->toasts().empty());
}

/// Of several files, too: none is lost when one of them is saved.
TEST_F(LessonTest, FilesShownTogetherAreWatched)
{
  auto const page = [](std::string const& title) {
    return R"({ "version": 1, "title": ")" + title + R"(", "pages": [ { "title": ")" + title +
           R"(", "text": "x" } ] })";
  };
  auto const a = folder_.write("a.json", page("A"));
  auto const b = folder_.write("b.json", page("B"));
  app_->start_lesson(lessons::joined(
                         {lessons::read_lesson(scenes(), a, finder()), lessons::read_lesson(scenes(), b, finder())}),
                     {.page = 1, .seed = 7});
  settle();
  std::string const name = session().lesson().name;
  folder_.write("b.json", page("C"));
  std::filesystem::last_write_time(b, std::filesystem::last_write_time(b) + std::chrono::seconds(2));
  EXPECT_EQ(session().watch(1.0), "");
  EXPECT_EQ(session().count(), 2u);
  EXPECT_EQ(session().page().title, "C");
  EXPECT_EQ(session().lesson().name, name);
}

TEST_F(LessonTest, AScenarioWithWordsHasAStripBelowIt)
{
  app_->frame(0.1);
  Rectangle const before = app_->current_scene().canvas();
  auto const file =
      folder_.write("words.json", R"({ "version": 1, "title": "T", "caption": "C", "table": { "slots": 16 } })");
  app_->open(file);
  app_->frame(0.1);
  app_->frame(0.1);
  EXPECT_LT(app_->current_scene().canvas().height, before.height);
  auto const saved = folder_ / "saved.json";
  app_->save_set_up(saved);
  EXPECT_EQ(read_scenario(scenes(), saved).words.caption, "C");
  int const with_strip = app_->current_scene().canvas().height;
  app_->show(test::entry("compare"));
  app_->frame(0.1);
  app_->show(test::entry("slots"));
  app_->frame(0.1);
  app_->frame(0.1);
  EXPECT_EQ(app_->current_scene().canvas().height, with_strip) << "title and caption come back";
}

/// It would stand where the page speaks of its own table.
TEST_F(LessonTest, MakesRoomForAScenarioOfTheUsers)
{
  start({.page = 2, .seed = 7});
  auto const broken = folder_.write("broken.json", R"({ "version": 1, "table": { "slots": "many" } })");
  EXPECT_THROW(app_->open(broken), Error);
  EXPECT_EQ(session().number(), 2u) << "it stays for what cannot be opened";
  app_->open(folder_.write("own.json", R"({ "version": 1, "table": { "slots": 64 } })"));
  app_->frame(0.1);
  EXPECT_EQ(app_->lesson(), nullptr);
  EXPECT_EQ(app_->current_scene().statistics({}).json.at("table").at("slots"), 64);
  app_->start_lesson(lessons::read_lesson(scenes(), file_, finder()), {});
  settle();
  EXPECT_EQ(session().number(), 2u) << "it goes on where it was";
  app_->end_lesson();
  app_->frame(0.1);
  EXPECT_EQ(app_->current_scene().statistics({}).json.at("table").at("slots"), 64) << "as it was before the lesson";
}

TEST_F(LessonTest, OpensLikeAnyFile)
{
  start();
  app_->end_lesson();
  app_->open(file_);
  settle();
  EXPECT_EQ(session().lesson().title, "Test");
}

}  // namespace
}  // namespace slotscape
