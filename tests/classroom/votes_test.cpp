// Votes by show of hands, in a lecture.

#include "app/lessons/votes.hpp"
#include "app/base/csv.hpp"
#include "gpu/base/error.hpp"
#include "tests/classroom/at_keyboard.hpp"

#include <gmock/gmock.h>

#include <memory>
#include <string>
#include <vector>

namespace slotscape {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char const* voted_lesson = R"({ "version": 1, "title": "Votes", "pages": [
  { "title": "Choose", "text": "x", "set_up": { "table": { "slots": 16, "hash": "identity" } },
    "task": { "kind": "choice", "ask": "**Which**, and *why*?", "keep_order": true,
              "options": [ { "text": "`this` one, \"here\"", "tell": "No." }, { "text": "that", "right": true } ] } },
  { "title": "Land", "text": "x", "set_up": { "table": { "slots": 16, "hash": "identity" } },
    "task": { "kind": "prediction", "ask": "Where?", "operation": { "op": "insert", "key": 20 }, "asks": "slot" } },
  { "title": "Look", "text": "Nothing is asked." } ] })";

class VotesTest : public test::AtKeyboard {
protected:
  VotesTest()
  {
    open(test::slots_scenario({.slots = 32}), test::with_own_dialogs());
    start_lesson("votes.json", voted_lesson, {.page = 0, .lecture = true});
  }
  void go_to(std::size_t page)
  {
    app_->lessons().session()->go_to(page);
    settle();
  }
  /// Types both counts, with Enter after each.
  void count(std::string const& first, std::string const& second)
  {
    type("v");
    type(first);
    press(ImGuiKey_Enter);
    type(second);
    press(ImGuiKey_Enter);
  }
  /// Texts that the audience sees.
  std::string seen()
  {
    lessons::Vote const* const vote = app_->lecture().vote();
    std::string all;
    if (vote == nullptr) { return all; }
    for (lessons::VoteLine const& line : vote->lines) {
      for (std::size_t round = 0; round < vote->shown; ++round) { all += line.counts[round] + ' '; }
    }
    return all;
  }
};

TEST_F(VotesTest, AreHiddenUntilTheyAreShown)
{
  count("12", "30");
  ASSERT_NE(app_->lecture().vote(), nullptr);
  EXPECT_EQ(lessons::votes_in(*app_->lecture().vote(), 0), 42u);
  EXPECT_EQ(seen(), "");
  EXPECT_TRUE(app_->lecture().counts_votes());
  press(ImGuiKey_Enter);
  EXPECT_EQ(seen(), "12 30 ");
  EXPECT_FALSE(app_->lecture().counts_votes()) << "the fields are closed";
}

TEST_F(VotesTest, ASecondVoteStandsBesideTheFirst)
{
  count("12", "30");
  press(ImGuiKey_Enter);
  count("4", "38");
  EXPECT_EQ(seen(), "12 30 ") << "the second is hidden";
  press(ImGuiKey_Enter);
  EXPECT_EQ(seen(), "12 4 30 38 ");
}

/// Whatever is typed as fast as can be: no digit is a command, and none is lost.
TEST_F(VotesTest, TakeDigitsFromTheFirstOn)
{
  for (char const* character = "v12"; *character != '\0'; ++character) {
    ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(*character));
    app_->frame(0.05);
  }
  frames(4);
  type("3x");
  ASSERT_NE(app_->lecture().vote(), nullptr);
  EXPECT_THAT(app_->lecture().vote()->lines[0].counts, ElementsAre("123", ""));
  type("456");
  EXPECT_THAT(app_->lecture().vote()->lines[0].counts, ElementsAre("1234", "")) << "no hall has more";
}

/// Answers and votes in turn; the first empty answer ends the list.
TEST_F(VotesTest, OnAnswersThatAreCalledOut)
{
  go_to(1);
  type("v");
  ASSERT_NE(app_->lecture().vote(), nullptr);
  press(ImGuiKey_Escape);
  set_kind(*app_->lecture().vote(), lessons::VoteKind::called_out);
  type("v");
  frames(2);
  for (char const* const each : {"slot 4", "25", "5", "7", ""}) {
    type(each);
    press(ImGuiKey_Enter);
  }
  lessons::Vote const& vote = *app_->lecture().vote();
  EXPECT_EQ(vote.lines[0].answer, "slot 4");
  EXPECT_EQ(vote.lines[0].counts[0], "25");
  EXPECT_EQ(vote.lines[1].answer, "5");
  EXPECT_EQ(vote.lines[1].counts[0], "7");
  EXPECT_EQ(seen(), "");
  press(ImGuiKey_Enter);
  EXPECT_EQ(vote.shown, 1u);
}

TEST_F(VotesTest, EscEndsTheCountAndNotTheLecture)
{
  type("v");
  type("7");
  press(ImGuiKey_Escape);
  EXPECT_FALSE(app_->lecture().counts_votes());
  EXPECT_EQ(app_->lecture().vote()->lines[0].counts[0], "7") << "what was counted stays";
  type("v");
  EXPECT_TRUE(app_->lecture().counts_votes()) << "this is still a lecture";
}

TEST_F(VotesTest, AreKeptByPageUntilTheyAreSaved)
{
  count("12", "30");
  press(ImGuiKey_Enter);
  go_to(1);
  EXPECT_EQ(app_->lecture().vote(), nullptr);
  count("5", "6");
  press(ImGuiKey_Enter);
  EXPECT_EQ(seen(), "5 6 ") << "right and wrong";
  go_to(0);
  EXPECT_EQ(seen(), "12 30 ");
  app_->lessons().end();
  frames(2);
  start_lesson("votes.json", voted_lesson, {.page = 0, .lecture = true});
  EXPECT_EQ(seen(), "12 30 ") << "after the lesson was closed";
}

/// Outside of lecture mode, from the menu.
TEST_F(VotesTest, AreSavedFromTheMenu)
{
  count("12", "30");
  press(ImGuiKey_Enter);
  press(ImGuiKey_Escape);
  press(ImGuiKey_F10);
  press(ImGuiKey_LeftArrow);  // around the end: Help
  press(ImGuiKey_LeftArrow);
  press(ImGuiKey_DownArrow);
  bool is_there = false;
  for (int entry = 0; entry < 40 && !is_there; ++entry) {
    press(ImGuiKey_DownArrow);
    ImGuiContext const& gui = *ImGui::GetCurrentContext();
    is_there = gui.NavWindow != nullptr && gui.NavId == gui.NavWindow->GetID("Save the votes…");
  }
  ASSERT_TRUE(is_there) << "in the menu Lessons";
  press(ImGuiKey_Enter);
  frames(4);
  press(ImGuiMod_Ctrl | ImGuiKey_A);
  type((folder_ / "hands.csv").string());
  press(ImGuiKey_Enter);
  EXPECT_THAT(test::content_of(folder_ / "hands.csv"), HasSubstr("1,B,that,yes,30"));
}

TEST_F(VotesTest, ACountEndsWithItsPage)
{
  type("v");
  go_to(1);
  EXPECT_FALSE(app_->lecture().counts_votes());
  go_to(0);
  EXPECT_FALSE(app_->lecture().counts_votes());
}

TEST_F(VotesTest, NeedAQuestionAndHands)
{
  app_->let_errors_out();
  EXPECT_THAT(test::message_of<Error>([&] {
                count("", "");
                press(ImGuiKey_Enter);
              }),
              HasSubstr("how many hands"));
  go_to(2);
  type("v");
  EXPECT_EQ(app_->lecture().vote(), nullptr) << "nothing is asked here";
}

/// The lecturer's own question, with options, on any page: its votes are counted as ever.
TEST_F(VotesTest, AreOnAQuestionOfTheLecturersToo)
{
  for (std::size_t const page : {2u, 0u}) {
    go_to(page);
    type("q");
    frames(4);
    for (char const* const text : {"Faster?", "Yes", "No", ""}) {  // the second time, they are there already
      if (page == 2) { type(text); }
      press(ImGuiKey_Enter);
      frames(4);
    }
    ASSERT_TRUE(app_->lecture().asks_own()) << app_->toasts().latest();
    ASSERT_NE(app_->lecture().vote(), nullptr);
    EXPECT_EQ(app_->lecture().vote()->question, "Faster?");
    ASSERT_EQ(app_->lecture().vote()->lines.size(), 2u) << "options that are empty are left out";
    EXPECT_EQ(app_->lecture().vote()->lines[1].answer, "No");
    count("12", "30");
    press(ImGuiKey_Enter);
    EXPECT_EQ(seen(), "12 30 ");
    press(ImGuiKey_PageDown);
    frames(2);
    EXPECT_FALSE(app_->lecture().asks_own()) << "back to the page";
    EXPECT_EQ(app_->lessons().session()->number(), page);
    EXPECT_EQ(app_->lecture().vote(), nullptr) << "nobody has voted on the page's own question";
  }
}

TEST_F(VotesTest, OnAnOwnQuestionNeedTwoOptions)
{
  go_to(2);
  type("q");
  frames(4);
  type("Faster?");
  for (int field = 0; field < 2; ++field) {
    press(ImGuiKey_Enter);
    frames(4);
  }
  EXPECT_FALSE(app_->lecture().asks_own());
  EXPECT_THAT(app_->toasts().latest(), HasSubstr("two options"));
  type("q");
  frames(4);
  press(ImGuiKey_Escape);
  frames(4);
  EXPECT_TRUE(app_->lessons().session() != nullptr && !app_->lecture().asks_own()) << "Esc closes the question alone";
  type("b");
  EXPECT_TRUE(app_->lessons().session() != nullptr);
}

lessons::Vote vote_of(lessons::VoteKind kind, std::vector<lessons::VoteLine> lines)
{
  return {kind, "A page", "Where, then?", std::move(lines)};
}

TEST(VotesFile, HasALineForEachAnswerAndRound)
{
  lessons::Votes const votes{
      {0, vote_of(lessons::VoteKind::options, {{"this, \"here\"", false, {"12", "4"}}, {"that", true, {"30", "38"}}})},
      {2, vote_of(lessons::VoteKind::called_out, {{"slot 3", {}, {"9", ""}}, {"", {}, {"", ""}}})}};
  std::string const csv = lessons::votes_csv(votes);
  CsvReader reader(csv, ',');
  std::vector<std::vector<std::string>> records;
  for (std::vector<std::string> record; reader.next(record);) { records.push_back(record); }
  ASSERT_EQ(records.size(), 6u) << csv;
  EXPECT_THAT(records[0], ElementsAre("page", "title", "question", "round", "answer", "text", "right", "votes"));
  EXPECT_THAT(records[1], ElementsAre("1", "A page", "Where, then?", "1", "A", "this, \"here\"", "no", "12"));
  EXPECT_THAT(records[4], ElementsAre("1", "A page", "Where, then?", "2", "B", "that", "yes", "38"));
  EXPECT_THAT(records[5], ElementsAre("3", "A page", "Where, then?", "1", "1", "slot 3", "", "9"));
  EXPECT_THAT(test::message_of<Error>([] { lessons::votes_csv({}); }), HasSubstr("no votes yet"));
}

TEST(VotesFile, HasTheLecturersQuestions)
{
  lessons::Vote const own = vote_of(lessons::VoteKind::own, {{"*Yes*", {}, {"3", ""}}, {"No", {}, {"5", ""}}});
  EXPECT_THAT(lessons::votes_csv({}, {{1, own}}),
              HasSubstr("2,A page,\"Where, then?\",1,A,*Yes*,,3\n2,A page,\"Where, then?\",1,B,No,,5\n"));
}

TEST(VotesOnAnswersCalledOut, TakeThePlaceOfRightAndWrongWhileNothingIsCounted)
{
  lessons::Vote vote = vote_of(lessons::VoteKind::right_or_wrong, {{"Right", true, {}}, {"Wrong", false, {}}});
  set_kind(vote, lessons::VoteKind::called_out);
  EXPECT_EQ(vote.lines.size(), lessons::max_typed_answers);
  vote.lines[0].counts[0] = "3";
  set_kind(vote, lessons::VoteKind::right_or_wrong);
  EXPECT_EQ(vote.kind, lessons::VoteKind::called_out) << "counts are not thrown away";
}

}  // namespace
}  // namespace slotscape
