// What is typed while a question is open is its answer: by keys, into the program, without a click before.

#include "app/languages/languages.hpp"
#include "app/lessons/answer.hpp"
#include "app/lessons/check.hpp"
#include "app/lessons/library.hpp"
#include "tests/app/support/program.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include "tests/support/paths.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <imgui_internal.h>

#include <tuple>

namespace slotscape {
namespace {

using lessons::read_number;
using lessons::TaskState;
using test::scene_of;
using ::testing::HasSubstr;

TEST(TypedAnswers, AreNumbersAndFormulas)
{
  std::vector<std::pair<std::string, double>> const answers{{"100", 100.0},
                                                            {" 2.5 ", 2.5},
                                                            {"65,536", 65536.0},
                                                            {"-1,048,576.5", -1048576.5},
                                                            {"1e3", 1000.0},
                                                            {"1/(1-0.75)", 4.0},
                                                            {"3·4", 12.0},
                                                            {"1 − 0.25", 0.75},
                                                            {"min(3,5)", 3.0},
                                                            {".5", 0.5},
                                                            {"2 ^ 10 / 8", 128.0},
                                                            {"37.5%", 0.375},
                                                            {"+1.5", 1.5},
                                                            {"3/8 %", 0.00375},
                                                            {"65 536", 65536.0},
                                                            {"1 048 576", 1048576.0},
                                                            {"100,000-77,686", 22314.0},
                                                            {"max(100,200)", 200.0}};
  for (auto const& [typed, value] : answers) {
    auto const read = read_number(typed);
    ASSERT_TRUE(read.number) << typed << ": " << read.complaint;
    EXPECT_NEAR(*read.number, value, 1e-12) << typed;
    EXPECT_EQ(read.complaint, "") << typed;
  }
}

TEST(TypedAnswers, ThatAreNoneGetASentence)
{
  std::vector<std::pair<std::string, std::string>> const answers{{"abc", "'abc' is not a number"},
                                                                 {"", "Type a number first"},
                                                                 {"0,5", "Type 0.5, with a point"},
                                                                 {"0,793", "Type 0.793, with a point"},
                                                                 {"a%", "'a' is not a number"},
                                                                 {"%", "Type a number first"},
                                                                 {"3 accesses", "'3 accesses' is not a number"},
                                                                 {"inf", "is not a number"},
                                                                 {"nan", "is not a number"},
                                                                 {"1/0", "division by 0"},
                                                                 {"ln(0)", "is not a finite number"},
                                                                 {"ln(0,5)", "Type ln(0.5), with a point"},
                                                                 {"1e999", "is not a number"},
                                                                 {"6,55,36", "is not a number"},
                                                                 {"[table/live]", "is not a number"},
                                                                 {"key", "is not a number"},
                                                                 {std::string(300, '('), "is not a number"}};
  for (auto const& [typed, sentence] : answers) {
    auto const read = read_number(typed);
    EXPECT_FALSE(read.number) << typed;
    EXPECT_THAT(read.complaint, HasSubstr(sentence)) << typed;
    EXPECT_TRUE(read.complaint.ends_with('.')) << read.complaint;
  }
}

TEST(TypedAnswers, MayMeanTwoNumbers)
{
  EXPECT_EQ(read_number("36,788").number, 36788.0);
  EXPECT_EQ(read_number("36,788").otherwise, 36.788);
  EXPECT_EQ(read_number("65.536").number, 65.536);
  EXPECT_FALSE(read_number("65.536").otherwise) << "a point begins decimals in English";
  EXPECT_EQ(read_number("1.000").number, 1.0);
  EXPECT_FALSE(read_number("1.000").otherwise);
  EXPECT_FALSE(read_number("2.5").otherwise);
  EXPECT_FALSE(read_number("1,048,576").otherwise);
  EXPECT_FALSE(read_number("100").otherwise);
}

TEST(TypedAnswers, MayHaveDecimalCommasInGerman)
{
  InLanguage const german("de");
  EXPECT_EQ(read_number("7,14").number, 7.14);
  EXPECT_EQ(read_number("-7,1428").number, -7.1428);
  EXPECT_EQ(read_number("7,143").number, 7.143);
  EXPECT_EQ(read_number("7,143").otherwise, 7143.0);
  EXPECT_EQ(read_number("65.536").number, 65.536);
  EXPECT_EQ(read_number("65.536").otherwise, 65536.0);
  EXPECT_EQ(read_number("1,048,576").number, 1048576.0);
  EXPECT_EQ(read_number("36,8%").number, 0.368);
}

constexpr char const* lesson_with_questions = R"({ "version": 1, "title": "Test", "pages": [
  { "title": "Number", "text": "x",
    "set_up": { "table": { "slots": 16, "hash": "identity" }, "steps": [ { "op": "insert", "keys": [3] } ] },
    "task": { "kind": "number", "ask": "?", "answer": "100" } },
  { "title": "Slot", "text": "x",
    "set_up": { "table": { "slots": 16, "hash": "identity" }, "steps": [ { "op": "insert", "keys": [3] } ] },
    "task": { "kind": "prediction", "ask": "?", "operation": { "op": "insert", "key": 19 }, "asks": "slot" } },
  { "title": "Accesses", "text": "x",
    "set_up": { "table": { "slots": 16, "hash": "identity" }, "steps": [ { "op": "insert", "keys": [3, 19] } ] },
    "task": { "kind": "prediction", "ask": "?", "operation": { "op": "find", "key": 19 }, "asks": "accesses" } },
  { "title": "Choice", "text": "x",
    "set_up": { "table": { "slots": 16, "hash": "identity" }, "steps": [ { "op": "insert", "keys": [3] } ] },
    "task": { "kind": "choice", "ask": "?", "keep_order": true,
              "options": [ { "text": "wrong", "tell": "No." }, { "text": "right", "right": true } ] } },
  { "title": "Challenge", "text": "x",
    "set_up": { "table": { "slots": 16, "hash": "identity" }, "steps": [ { "op": "insert", "keys": [3] } ] },
    "task": { "kind": "challenge", "ask": "?", "until": [ { "what": "keys", "of": "[table/live]", "at_least": 2 } ],
              "solution": [ { "op": "insert", "keys": [4] } ] } },
  { "title": "Decimals", "text": "x",
    "set_up": { "table": { "slots": 16, "hash": "identity" }, "steps": [ { "op": "insert", "keys": [3] } ] },
    "task": { "kind": "number", "ask": "What percent?", "answer": "36.788", "within": 0.05 } },
  { "title": "Third", "text": "x", "task": { "kind": "number", "ask": "?", "answer": "1/3" } },
  { "title": "More than it shows", "text": "x", "task": { "kind": "number", "ask": "?", "answer": "123.4" } },
  { "title": "Within", "text": "x", "task": { "kind": "number", "ask": "?", "answer": "100/7", "within": 0.05 } },
  { "title": "Large", "text": "x", "task": { "kind": "number", "ask": "?", "answer": "2^40" } } ] })";
enum Page : std::size_t {
  number_page,
  slot_page,
  accesses_page,
  choice_page,
  challenge_page,
  decimals_page,
  third_page,
  more_page,
  within_page,
  large_page
};

/// The program with a lesson, driven by keys.
class AnswerTest : public ::testing::Test {
protected:
  AnswerTest() : app_(test::offscreen_app({1280, 720}, test::slots_scenario({.slots = 32}))) { app_->let_errors_out(); }

  void start(std::size_t page)
  {
    auto const file = folder_.write("test.json", lesson_with_questions);
    app_->lessons().start(lessons::read_lesson(scenes(), file, lessons::Library({}).finder()),
                          {.page = page, .seed = 7});
    settle();
  }
  lessons::Session& session() { return *app_->lessons().session(); }
  TaskState const& task() { return session().task(); }
  SlotsScene& scene() { return scene_of<SlotsScene>(*app_); }
  void frames(int count = 6)
  {
    for (int frame = 0; frame < count; ++frame) { app_->frame(0.05); }
  }
  void settle()
  {
    lessons::settle(session(), {[this]() -> Scene& { return app_->current_scene(); },
                                [this] {
                                  app_->frame(0.3);
                                  app_->current_scene().finish_steps({});
                                }});
  }
  /// A character a frame, or all at once, as where a frame is slow.
  void type(std::string_view text, bool at_once = false)
  {
    for (char const character : text) {
      ImGui::GetIO().AddInputCharacter(static_cast<unsigned char>(character));
      if (!at_once) { frames(1); }
    }
    frames(at_once ? 6 : 1);
  }
  void press(ImGuiKey key)
  {
    ImGui::GetIO().AddKeyEvent(key, true);
    frames(1);
    ImGui::GetIO().AddKeyEvent(key, false);
    frames(6);
  }
  void enter(std::string_view text, bool at_once = false)
  {
    type(text, at_once);
    press(ImGuiKey_Enter);
    settle();
  }
  std::string keys_typed() { return scene().state().typed.text; }
  std::uint64_t live() { return scene().simulation().live(); }

  test::TemporaryFolder folder_;
  std::unique_ptr<App> app_;
};

TEST_F(AnswerTest, ANumberIsTypedWithoutAClick)
{
  for (bool const at_once : {false, true}) {
    start(number_page);
    enter("100", at_once);
    EXPECT_EQ(task().stage, TaskState::Stage::told);
    EXPECT_TRUE(task().right) << task().told;
    EXPECT_EQ(live(), 1u) << "no key was inserted";
    EXPECT_EQ(keys_typed(), "");
  }
}

TEST_F(AnswerTest, ADecimalCommaIsTakenWhereItIsRight)
{
  for (auto const& [typed, right] : std::vector<std::pair<std::string, bool>>{
           {"36,788", true}, {"36.8", true}, {"36,788%", true}, {"36,9", false}, {"38,788", false}}) {
    start(decimals_page);
    enter(typed);
    EXPECT_EQ(task().right, right) << typed << ": " << task().told;
    EXPECT_EQ(task().stage == TaskState::Stage::told, typed != "36,9") << typed << " is refused in a sentence";
  }
}

TEST_F(AnswerTest, WhatThePageShowsOfTheAnswerIsRight)
{
  struct Case {
    std::size_t page;
    std::string typed;
    bool right;
    std::string told;
  };
  for (auto const& [page, typed, right, told] :
       std::vector<Case>{{third_page, "1/3", true, "0.333"},
                         {third_page, "0.333", true, "0.333"},
                         {third_page, "0.33", false, "You said 0.33. It is **0.333**."},
                         {more_page, "123", true, "123"},
                         {more_page, "124", false, "You said 124. It is **123**."},
                         {within_page, "14.33", true, "14.3"},
                         {within_page, "14.34", false, "You said 14.34. It is **14.2857**."},
                         {large_page, "1099511627776", true, "1,099,511,627,776"},
                         {large_page, "1099511627775", false,
                          "You said 1,099,511,627,775. It is **1,099,511,627,776**."}}) {
    start(page);
    enter(typed);
    EXPECT_EQ(task().right, right) << typed << ": " << task().told;
    EXPECT_THAT(task().told, HasSubstr(told)) << typed;
  }
}

TEST_F(AnswerTest, WhatIsNoNumberLosesNothing)
{
  start(number_page);
  TableSettings const before = scene().state().settings.table;
  enter("abc");
  EXPECT_EQ(task().stage, TaskState::Stage::asking);
  EXPECT_EQ(session().progress().tries[number_page], 0) << "it was no try";
  EXPECT_TRUE(ImGui::GetIO().WantTextInput) << "the field keeps the keyboard";
  EXPECT_EQ(live(), 1u);
  EXPECT_EQ(scene().state().settings.table, before) << "no letter was a command";
  enter("1/(1-0.99)");
  EXPECT_TRUE(task().right) << task().told;
  EXPECT_EQ(session().points_here(), 2);
  EXPECT_EQ(live(), 1u);
}

/// Each letter and digit, one by one: none is a command, as P (purge) and R (twice the slots) elsewhere.
TEST_F(AnswerTest, NoCharacterReachesTheTable)
{
  for (std::size_t const page : {number_page, slot_page, accesses_page, choice_page}) {
    start(page);
    auto const settings = scene().state().settings;
    for (char const character : std::string("cdefghijklmnopqrstuvwxyz0123456789CDEFGHIJKLMNOPQRSTUVWXYZ")) {
      type(std::string(1, character));
      EXPECT_EQ(scene().state().settings, settings) << character << " on page " << page;
      EXPECT_EQ(keys_typed(), "") << character << " on page " << page;
      EXPECT_FALSE(scene().state().steps.on) << character << " on page " << page;
      EXPECT_EQ(live(), page == accesses_page ? 2u : 1u) << character << " on page " << page;
    }
    EXPECT_EQ(task().stage, TaskState::Stage::asking) << "page " << page;
  }
}

/// T begins step mode in the empty field for keys, but does not answer a question.
TEST_F(AnswerTest, TInTheFieldForKeysIsALetterWhileAQuestionIsOpen)
{
  for (std::size_t const page : {choice_page, challenge_page}) {
    start(page);
    scene().state().typed.text.clear();
    scene().state().typed.focus = true;
    frames();
    ASSERT_TRUE(scene().state().typed.active) << "page " << page;
    type("t");
    frames();
    bool const is_question = page == choice_page;
    EXPECT_EQ(scene().state().steps.on, !is_question) << "page " << page;
    EXPECT_EQ(keys_typed(), is_question ? "t" : "") << "page " << page;
  }
}

TEST_F(AnswerTest, AfterAWrongAnswerTheNextNumberIsNoKey)
{
  start(number_page);
  enter("50");
  EXPECT_EQ(task().stage, TaskState::Stage::told);
  EXPECT_FALSE(task().right);
  type("100");
  frames();
  EXPECT_EQ(keys_typed(), "");
  press(ImGuiKey_Enter);  // another try
  settle();
  EXPECT_EQ(task().stage, TaskState::Stage::asking);
  enter("100");
  EXPECT_TRUE(task().right);
  EXPECT_EQ(session().points_here(), 1);
  EXPECT_EQ(live(), 1u);
}

/// Who is quick types the right answer in the frame after a click on *Try again*, and gives it before the page has
/// begun.
TEST_F(AnswerTest, WhatIsTypedAfterAClickOnTryAgainIsForTheNextTry)
{
  start(number_page);
  enter("50");
  lessons::PanelState state;
  std::vector<lessons::Wish> wishes;
  lessons::follow_question(session(), state);
  state.number = "50";
  state.again = true;  // as the button leaves it
  for (char const character : std::string("100")) {
    EXPECT_TRUE(lessons::type_answer(session(), state, character, wishes));
  }
  EXPECT_TRUE(lessons::enter_answer(session(), state, wishes));
  EXPECT_TRUE(wishes.empty());
  session().another();
  lessons::follow_question(session(), state);
  EXPECT_EQ(state.number, "100");
  EXPECT_TRUE(state.given);
  EXPECT_FALSE(state.again);
  session().another();
  lessons::follow_question(session(), state);
  EXPECT_EQ(state.number, "") << "it was for that try alone";
}

/// A scene that is not done yet.
class BusySubject : public Subject {
public:
  bool ready() const override { return false; }
  std::optional<ProgressSnapshot> awaited() const override
  {
    return ProgressSnapshot{"step 3 of 12, insert 100", 0.25};
  }
};

TEST_F(AnswerTest, AQuestionThatWaitsTellsForWhat)
{
  start(choice_page);
  EXPECT_FALSE(session().awaited());
  session().restart();
  BusySubject busy;
  session().follow(busy, 0.5);
  ASSERT_TRUE(session().take_scenario());
  session().follow(busy, 0.5);
  ASSERT_TRUE(session().awaited());
  EXPECT_EQ(session().awaited()->what, "step 3 of 12, insert 100");
  EXPECT_EQ(session().awaited()->share, 0.25);
  EXPECT_EQ(session().seconds_waited(), 1.0);
  EXPECT_FALSE(session().takes_choice());
  session().restart();
  settle();
  EXPECT_FALSE(session().awaited());
  EXPECT_TRUE(session().takes_choice());
}

/// As where the file of its table is gone.
TEST_F(AnswerTest, ATryThatCannotBeginLeavesTheQuestionAsItIs)
{
  start(number_page);
  enter("50");
  lessons::PanelState state;
  std::vector<lessons::Wish> wishes;
  lessons::follow_question(session(), state);
  state.again = true;  // as the button leaves it; its wish fails
  lessons::follow_wishes(session(), state);
  EXPECT_FALSE(state.again);
  EXPECT_TRUE(lessons::type_answer(session(), state, '1', wishes));
  EXPECT_EQ(state.number, "") << "the question is answered, and the next number is for none";
}

/// However few frames are between the last character and Enter, in a field that has the keyboard or not yet.
TEST_F(AnswerTest, QuicklyTypedAnswersAreNotLost)
{
  for (bool const has_keyboard : {false, true}) {
    for (int const frames_between : {0, 1, 2, 3}) {
      SCOPED_TRACE(fmt::format("{} frames, keyboard {}", frames_between, has_keyboard));
      start(number_page);
      session().restart();
      settle();
      type("10");
      if (has_keyboard) { frames(); }
      ImGui::GetIO().AddInputCharacter('0');
      frames(frames_between);
      press(ImGuiKey_Enter);
      settle();
      EXPECT_TRUE(task().right) << task().told;
      EXPECT_EQ(live(), 1u) << "no key was inserted";
    }
  }
}

TEST_F(AnswerTest, ASlotIsClickedOrTyped)
{
  start(slot_page);
  enter("16");
  EXPECT_EQ(task().stage, TaskState::Stage::asking) << "slots are 0 to 15";
  enter("4");
  EXPECT_TRUE(task().right) << task().told;
  start(slot_page);
  scene().state().selection.pinned = Slot{4};
  frames();
  press(ImGuiKey_Enter);
  settle();
  EXPECT_TRUE(task().right) << "the clicked slot is in the field";
}

TEST_F(AnswerTest, AClickedSlotIsNoNumber)
{
  start(accesses_page);
  scene().state().selection.pinned = Slot{2};
  frames();
  press(ImGuiKey_Enter);
  EXPECT_EQ(task().stage, TaskState::Stage::asking) << "the field is empty";
  enter("2.5");
  EXPECT_EQ(task().stage, TaskState::Stage::asking) << "accesses are counted";
  enter("2");
  EXPECT_TRUE(task().right) << task().told;
}

TEST_F(AnswerTest, ALetterChooses)
{
  for (char const letter : {'b', 'B'}) {
    start(choice_page);
    type("x");
    EXPECT_EQ(task().stage, TaskState::Stage::asking);
    type(std::string(1, letter));
    settle();
    EXPECT_TRUE(task().right);
    EXPECT_EQ(session().points_here(), 2);
  }
  start(choice_page);
  type("a");
  settle();
  EXPECT_FALSE(task().right);
  EXPECT_EQ(task().stage, TaskState::Stage::told);
  press(ImGuiKey_Enter);
  type("b");
  settle();
  EXPECT_TRUE(task().right);
}

/// No click on a button in between.
TEST_F(AnswerTest, AfterAWrongChoiceALetterChoosesAgain)
{
  start(choice_page);
  type("a");
  settle();
  EXPECT_FALSE(task().right);
  type("b");
  settle();
  EXPECT_TRUE(task().right);
  EXPECT_EQ(session().points_here(), 1) << "not at the first try";
  type("a");
  settle();
  EXPECT_TRUE(task().right) << "it is answered";
}

/// Who chooses with a letter and presses Enter out of habit is to see why the answer was wrong.
TEST_F(AnswerTest, EnterAfterALetterLeavesTheExplanation)
{
  start(choice_page);
  type("a");
  settle();
  ASSERT_FALSE(task().right);
  std::uint64_t const visit = session().visit();
  press(ImGuiKey_Enter);
  EXPECT_EQ(session().visit(), visit);
  EXPECT_EQ(task().stage, TaskState::Stage::told);
  EXPECT_THAT(app_->lesson_view().state().complaint, HasSubstr("Enter once more"));
  press(ImGuiKey_Enter);
  settle();
  EXPECT_NE(session().visit(), visit) << "a second one is meant";
  EXPECT_EQ(task().stage, TaskState::Stage::asking);
}

TEST_F(AnswerTest, ALetterEndsWhatWasSaidOfEnter)
{
  start(choice_page);
  type("a");
  settle();
  press(ImGuiKey_Enter);
  ASSERT_THAT(app_->lesson_view().state().complaint, HasSubstr("Enter once more"));
  type("b");
  settle();
  EXPECT_EQ(app_->lesson_view().state().complaint, "");
}

/// Options that cannot be chosen yet do not swallow a letter without a word.
TEST_F(AnswerTest, ALetterBeforeThePageHasBegunIsAnswered)
{
  start(choice_page);
  session().restart();
  lessons::PanelState panel;
  std::vector<lessons::Wish> wishes;
  EXPECT_TRUE(lessons::type_answer(session(), panel, 'a', wishes));
  EXPECT_TRUE(wishes.empty());
  EXPECT_EQ(panel.complaint, "Answer when the table is ready.");
}

/// Who comes back sees what was answered.
TEST_F(AnswerTest, ASolvedPageSaysWithWhat)
{
  std::vector<std::tuple<Page, double, std::string>> const answers{{number_page, 100.0, "100"},
                                                                   {slot_page, 4.0, "slot 4"},
                                                                   {accesses_page, 2.0, "2 accesses"}};
  for (auto const& [page, given, told] : answers) {
    start(page);
    EXPECT_EQ(session().solved_with(), "");
    session().give_number(9.0);
    settle();
    EXPECT_EQ(session().solved_with(), "") << "9 is wrong";
    session().another();
    settle();
    session().give_number(given);
    settle();
    ASSERT_TRUE(task().right) << "page " << page << ": " << task().told;
    session().go_to(choice_page);
    settle();
    session().go_to(page);
    settle();
    EXPECT_EQ(session().solved_with(), told);
  }
  session().go_to(choice_page);
  settle();
  type("b");
  settle();
  EXPECT_EQ(session().solved_with(), "B");
}

TEST_F(AnswerTest, AHintGoesWithTheNextKey)
{
  start(choice_page);
  type("a");
  settle();
  type("7");
  EXPECT_THAT(app_->lesson_view().state().complaint, HasSubstr("Choose with a letter"));
  type("b");
  EXPECT_EQ(app_->lesson_view().state().complaint, "");
  start(choice_page);
  type("7");
  EXPECT_THAT(app_->lesson_view().state().complaint, HasSubstr("Choose with a letter"));
  press(ImGuiKey_RightArrow);
  EXPECT_EQ(app_->lesson_view().state().complaint, "");
}

TEST_F(AnswerTest, PageKeysTurnThePageOutOfAField)
{
  start(number_page);
  enter("abc");
  EXPECT_TRUE(ImGui::GetIO().WantTextInput) << "the field has the keyboard";
  press(ImGuiKey_PageDown);
  settle();
  EXPECT_EQ(session().number(), std::size_t{slot_page});
  enter("abc");
  press(ImGuiKey_PageUp);
  settle();
  EXPECT_EQ(session().number(), std::size_t{number_page});
}

TEST_F(AnswerTest, AChallengeLeavesKeysToTheTable)
{
  start(challenge_page);
  type("7");
  frames();
  press(ImGuiKey_Enter);
  settle();
  EXPECT_EQ(live(), 2u);
  EXPECT_TRUE(task().right);
}

/// After a key has been entered, the field for keys keeps the keyboard.
TEST_F(AnswerTest, TheNextPageTakesTheKeyboardFromTheFieldForKeys)
{
  start(challenge_page);
  type("7");
  frames();
  press(ImGuiKey_Enter);
  EXPECT_TRUE(ImGui::GetIO().WantTextInput);
  session().go_to(number_page);
  settle();
  enter("100");
  EXPECT_TRUE(task().right) << "page " << session().number();
  EXPECT_EQ(live(), 1u);
}

/// The page that people met: 100 was inserted as a key.
TEST_F(AnswerTest, TheBoundOfLesson13)
{
  lessons::Library const library({test::in_project("assets")});
  app_->lessons().start(lessons::read_lesson(scenes(), library.find("13"), library.finder()), {.page = 0, .seed = 1});
  settle();
  std::uint64_t const before = live();
  double const load = std::get<double>(session().page().variables.find("load")->second);
  enter("abc");
  EXPECT_EQ(task().stage, TaskState::Stage::asking);
  EXPECT_EQ(live(), before);
  enter(fmt::format("1/(1-{})", load));
  EXPECT_TRUE(task().right) << task().told;
  EXPECT_GT(live(), before) << "it was filled to the load in question";
  EXPECT_EQ(scene().state().typed.past.size(), 0u) << "and no key was typed";
}

}  // namespace
}  // namespace slotscape
