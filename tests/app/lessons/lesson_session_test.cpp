// A lesson is worked through: answers, points, and what they show.

#include "app/shell/settings_file.hpp"
#include "tests/app/lessons/lesson_scene.hpp"

#include "tests/support/paths.hpp"

#include <gmock/gmock.h>

namespace slotscape {
namespace {

using lessons::TaskState;
using test::LessonTest;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

TEST_F(LessonTest, AClickedSlotIsAnAnswer)
{
  start();
  EXPECT_THAT(session().text(), HasSubstr("of 16")) << "numbers of the scene are filled in";
  scene().state().selection.pinned = static_cast<Slot>(variable("home") + 1);
  settle();
  ASSERT_TRUE(task().chosen);
  session().give_number(static_cast<double>(*task().chosen));
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
    lessons::Library const library({test::in_project("assets")});
    app_.reset();
    UserSettings settings;
    settings.ui_scale = scale;
    app_ = test::offscreen_app({1280, 720}, test::slots_scenario({.slots = 32}), settings);
    app_->let_errors_out();
    lessons::Lesson tombstones = lessons::read_lesson(scenes(), library.find("4"), library.finder());
    app_->lessons().start(std::move(tombstones), {.page = 5, .seed = 7});
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
  app_->lessons().start(lessons::read_lesson(scenes(), file_, finder()), {.page = 0, .seed = 7});
  EXPECT_EQ(session().doubt(), "") << "before anything is measured";
  settle();
  EXPECT_EQ(session().doubt(), "Only 1.");
  go_to(1);
  EXPECT_EQ(session().doubt(), "");
}

/// What is unasked for solves nothing: the warning over the map, whose button would.
TEST_F(LessonTest, NoAdviceWhileATaskIsOpen)
{
  lessons::Library const library({test::in_project("assets")});
  app_->lessons().start(lessons::read_lesson(scenes(), library.find("4"), library.finder()), {.page = 3, .seed = 7});
  settle();
  app_->frame(0.1);
  auto const& warning = scene().state().advice.warning;
  ASSERT_TRUE(warning.purge_helps && !warning.title.empty()) << "else this tests nothing";
  ImGuiWindow const* const card = ImGui::FindWindowByName("##tombstones");
  EXPECT_TRUE(card == nullptr || !card->WasActive);
  EXPECT_TRUE(session().waits());
  app_->lessons().end();
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
    EXPECT_THAT(task().told, HasSubstr("No points")) << page;
  }
  lessons::Progress const progress = session().progress();
  app_->lessons().end();
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
    app_->lessons().end();
  }
  start({.page = 2, .seed = 7, .lecture = true});
  app_->toasts().dismiss_all();
  type(',');
  EXPECT_FALSE(scene().state().settings.drive.hold_load) << "without a place in a menu, too";
  app_->lessons().end();
  start({.page = 2, .seed = 7});
  session().give_number(2);
  settle();
  type('t');
  EXPECT_TRUE(scene().state().steps.on) << "the answer is known";
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

}  // namespace
}  // namespace slotscape
