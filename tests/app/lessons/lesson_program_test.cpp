// A lesson and the program around it: lectures, watched files, languages, progress, and what comes back afterwards.

#include "app/base/encoding.hpp"
#include "app/base/files.hpp"
#include "app/languages/languages.hpp"
#include "app/shell/settings_file.hpp"
#include "gpu/base/error.hpp"
#include "tests/app/lessons/lesson_scene.hpp"

#include "tests/support/paths.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <chrono>

namespace slotscape {
namespace {

using lessons::TaskState;
using test::lesson_text;
using test::LessonTest;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

TEST_F(LessonTest, TheUsersSceneAndPanelsComeBack)
{
  scene().state().act(OnKey{Operation::insert, 77});
  app_->frame(0.1);
  app_->frame(0.1);
  UserSettings const before = app_->user_settings();
  start();
  EXPECT_EQ(scene().state().settings.table.slots, 16u);
  EXPECT_TRUE(app_->user_settings().panels.controls) << "the lesson's panels are not remembered";
  app_->lessons().end();
  app_->frame(0.1);
  scene().finish_steps({});
  EXPECT_EQ(app_->lessons().session(), nullptr);
  EXPECT_EQ(scene().state().settings.table.slots, 32u);
  EXPECT_EQ(scene().simulation().live(), 1u);
  EXPECT_EQ(app_->user_settings().panels.numbers, before.panels.numbers);
}

TEST_F(LessonTest, AfterItTablesShowFewSettingsUntilTheUserAsksForAll)
{
  auto const few = [&] {
    app_->frame(0.1);
    return scene().state().few_settings;
  };
  EXPECT_FALSE(few());
  start();
  EXPECT_FALSE(few()) << "the page chooses its panels";
  app_->lessons().end();
  EXPECT_TRUE(few());
  UserSettings const settings = app_->user_settings();
  app_.reset();  // there is one interface at a time
  app_ = test::offscreen_app({1280, 720}, test::slots_scenario({.slots = 32}), settings);
  EXPECT_TRUE(few()) << "also at the next start";
  ImGui::ActivateItemByID(ImGui::FindWindowByName("##left")->GetID("Show all settings"));
  few();
  EXPECT_FALSE(few());
  start();
  app_->lessons().end();
  EXPECT_FALSE(few()) << "the user has asked for all";
  for (int i = 0; i < 2; ++i) { press(ImGuiKey_Tab); }
  EXPECT_TRUE(app_->user_settings().panels.all_settings) << "hiding the panels does not forget it";
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
    app_->lessons().end();
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
  app_->lessons().start(lessons::read_lesson(scenes(), file_, finder()), {.page = 0, .seed = 7});
  app_->lessons().end();
  EXPECT_EQ(&app_->current_scene(), before);
}

/// A lecture has no panels but those that its page speaks of: its plots and, step by step, the code.
TEST_F(LessonTest, ALectureShowsThePlotsAndTheCodeOfItsPage)
{
  auto const is_shown = [] {
    return std::ranges::any_of(std::array{"##right", "##below"}, [](char const* name) {
      ImGuiWindow const* const window = ImGui::FindWindowByName(name);
      return window != nullptr && window->WasActive;
    });
  };
  file_ = folder_.write("plots.json", R"({ "version": 1, "title": "Plots", "pages": [
    { "title": "A", "text": "x", "panels": ["plots"], "set_up": { "table": { "slots": 16 } } },
    { "title": "B", "text": "x", "set_up": { "table": { "slots": 16 } } },
    { "title": "C", "text": "x",
      "set_up": { "table": { "slots": 16 }, "steps": [ { "op": "step", "operation": "insert", "key": 7 } ] } },
    { "title": "D", "text": "x", "panels": ["plots"], "set_up": { "table": { "slots": 16 } },
      "task": { "kind": "number", "ask": "?", "answer": "1" } } ] })");
  app_->lessons().start(lessons::read_lesson(scenes(), file_, finder()), {.page = 0, .seed = 7, .lecture = true});
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
  later->lessons().start(lessons::read_lesson(scenes(), file_, finder()));
  EXPECT_EQ(later->lessons().session()->number(), 2u);
  EXPECT_EQ(later->lessons().session()->points(), 2);
  std::filesystem::create_directory(folder_ / "elsewhere");
  auto const other = folder_.write("elsewhere/test.json", lesson_text);
  later->lessons().start(lessons::read_lesson(scenes(), other, finder()));
  EXPECT_EQ(later->lessons().session()->number(), 0u) << "another lesson, in a file of the same name";
  EXPECT_EQ(later->lessons().session()->points(), 0);
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
  std::filesystem::path const file = lessons::Library({test::in_project("assets")}).find("4");
  app_->lessons().start(lessons::read_lesson(scenes(), file, finder()), {.page = 0, .seed = 1});
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
    app_->lessons().start(lessons::read_lesson(scenes(), file_, finder()), {.page = 0, .seed = 7, .lecture = true});
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
    std::vector<std::uint8_t> const pixels = app_->screen().picture().pixels;
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

TEST_F(LessonTest, TheLastPageHasAScoreAndLeadsToTheNextLesson)
{
  lessons::Library const library({test::in_project("assets")});
  auto const all = library.lessons();
  lessons::Lesson first = lessons::read_lesson(scenes(), all[0].file, library.finder());
  std::size_t const last = first.pages.size() - 1;
  app_->lessons().start(std::move(first), {.page = 0, .seed = 7});
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
  app_->lessons().start(lessons::read_lesson(scenes(), all[0].file, library.finder()), {.page = last});
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
  app_->lessons().await(read, {.page = 1, .seed = 7}, test::message_of<Error>(read));
  app_->frame(0.1);
  EXPECT_THAT(app_->toasts().latest(), AllOf(HasSubstr("cannot be shown yet"), HasSubstr("test.json: line")));
  EXPECT_EQ(app_->lessons().session(), nullptr);
  folder_.write("test.json", R"({ "version": 1, "title": "Test", "pages": [ {} ] })");
  for (int frame = 0; frame < 3; ++frame) { app_->frame(0.6); }
  EXPECT_THAT(app_->toasts().latest(), HasSubstr("the field 'title' is missing"));
  folder_.write("test.json", text);
  for (int frame = 0; frame < 3; ++frame) { app_->frame(0.6); }
  ASSERT_NE(app_->lessons().session(), nullptr);
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
  app_->lessons().start(lessons::joined(
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
  app_->documents().save_set_up(saved);
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
  EXPECT_EQ(app_->lessons().session(), nullptr);
  EXPECT_EQ(app_->current_scene().statistics({}).json.at("table").at("slots"), 64);
  app_->lessons().start(lessons::read_lesson(scenes(), file_, finder()), {});
  settle();
  EXPECT_EQ(session().number(), 2u) << "it goes on where it was";
  app_->lessons().end();
  app_->frame(0.1);
  EXPECT_EQ(app_->current_scene().statistics({}).json.at("table").at("slots"), 64) << "as it was before the lesson";
}

TEST_F(LessonTest, OpensLikeAnyFile)
{
  start();
  app_->lessons().end();
  app_->open(file_);
  settle();
  EXPECT_EQ(session().lesson().title, "Test");
}

}  // namespace
}  // namespace slotscape
