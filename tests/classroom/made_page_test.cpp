// A lecturer's own example becomes a page of a lesson.

#include "app/dialogs/page_trial.hpp"
#include "app/table_scene/example_page.hpp"
#include "app/web/export.hpp"
#include "gpu/base/error.hpp"
#include "tests/classroom/at_keyboard.hpp"

#include <gmock/gmock.h>

#include <memory>
#include <vector>

namespace slotscape {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

lessons::FindFile finder()
{
  return lessons::Library({}).finder();
}

OnKeys keys(Operation operation, std::vector<Pair> pairs)
{
  return {operation, std::make_shared<std::vector<Pair> const>(std::move(pairs))};
}

/// Keys whose homes are their remainders by 16.
TableSetup remainders(std::vector<Action> steps)
{
  TableSetup set_up;
  set_up.settings.table = usual_table();
  set_up.settings.table.slots = 16;
  set_up.settings.table.hash = HashKind::identity;
  set_up.steps = std::move(steps);
  return set_up;
}

/// The window, in which keys are typed and files are saved.
class MadePage : public test::AtKeyboard {
protected:
  MadePage() { open(test::slots_scenario(remainders({})), test::with_own_dialogs()); }

  void insert(std::string const& text)
  {
    type(text);
    press(ImGuiKey_Enter);
    app_->current_scene().finish_steps({});
    ImGui::ClearActiveID();
    frames(2);
  }
  static std::string open_dialog()
  {
    ImGuiWindow const* const modal = ImGui::GetTopMostPopupModal();
    return modal == nullptr ? "" : modal->Name;
  }
  /// In the program's own dialog for files.
  void name_file(std::filesystem::path const& file)
  {
    press(ImGuiMod_Ctrl | ImGuiKey_A);
    type(file.string());
    press(ImGuiKey_Enter);
  }
  void expect_right(std::filesystem::path const& file)
  {
    lessons::Lesson const lesson = lessons::read_lesson(scenes(), file, finder());
    app_->lessons().start(lesson, {.page = 0, .seed = 1});
    for (std::size_t page = 0; page < lesson.pages.size(); ++page) {
      app_->lessons().session()->go_to(page);
      EXPECT_THAT(lessons::check_page(*app_->lessons().session(), stage()), IsEmpty()) << "page " << page + 1;
    }
    auto const record = [](std::size_t) { return web::RecordedPage{.text = "recorded"}; };
    Json const data = web::page_data(scenes(), lesson, finder(), record);
    EXPECT_TRUE(data.at("recorded").empty()) << "every page runs in a browser";
  }
};

TEST_F(MadePage, AsksAboutWhatWasJustDoneAndIsThereAtOnce)
{
  insert("17, 33");
  insert("49");
  press(ImGuiMod_Ctrl | ImGuiKey_M);
  ASSERT_THAT(open_dialog(), HasSubstr("Make this a page"));
  press(ImGuiKey_Enter);
  ASSERT_THAT(open_dialog(), HasSubstr("path")) << "where to save the lesson";
  name_file(folder_ / "mine.json");
  ASSERT_NE(app_->lessons().session(), nullptr) << "the lesson is open";
  EXPECT_EQ(app_->lessons().session()->lesson().name, "mine");
  Json const page = Json::parse(test::content_of(folder_ / "mine.json")).at("pages").at(0);
  EXPECT_EQ(page.at("task").at("operation").at("key"), 49);
  EXPECT_EQ(page.at("task").at("asks"), "slot");
  EXPECT_EQ(page.at("task").at("answer"), "3") << "17 and 33 are in slots 1 and 2";
  EXPECT_THAT(page.at("task").at("ask").get<std::string>(), HasSubstr("49"));
  EXPECT_THAT(page.at("set_up").at("steps").dump(), Not(HasSubstr("49"))) << "it begins before that";
  expect_right(folder_ / "mine.json");
}

/// Else the choice of a question would save the page, too.
TEST_F(MadePage, EnterInItsListOfQuestionsOnlyChoosesOne)
{
  insert("17, 33");
  insert("49");
  press(ImGuiMod_Ctrl | ImGuiKey_M);
  ASSERT_THAT(open_dialog(), HasSubstr("Make this a page"));
  ImGui::ActivateItemByID(ImGui::GetTopMostPopupModal()->DC.ChildWindows.front()->GetID("##question"));
  frames(3);
  ASSERT_GT(ImGui::GetCurrentContext()->OpenPopupStack.Size, 1) << "the list of questions";
  for (int down = 0; down < 2; ++down) { press(ImGuiKey_DownArrow); }
  press(ImGuiKey_Enter);
  EXPECT_EQ(ImGui::GetCurrentContext()->OpenPopupStack.Size, 1) << "one is chosen";
  EXPECT_THAT(open_dialog(), HasSubstr("Make this a page")) << "and the page is not saved yet";
  ImGui::ClearActiveID();
  ImGui::SetNavCursorVisible(false);
  press(ImGuiKey_Enter);
  ASSERT_THAT(open_dialog(), HasSubstr("path"));
  name_file(folder_ / "mine.json");
  Json const page = Json::parse(test::content_of(folder_ / "mine.json")).at("pages").at(0);
  EXPECT_EQ(page.at("task").at("asks"), "accesses") << "the third question";
}

TEST_F(MadePage, IsAddedToTheSameLessonNextTime)
{
  insert("17, 33");
  press(ImGuiMod_Ctrl | ImGuiKey_M);
  press(ImGuiKey_Enter);
  name_file(folder_ / "mine.json");
  app_->lessons().end();
  frames(3);
  insert("1, 2, 3");
  press(ImGuiMod_Ctrl | ImGuiKey_M);
  press(ImGuiKey_Enter);
  EXPECT_EQ(open_dialog(), "");
  ASSERT_NE(app_->lessons().session(), nullptr);
  EXPECT_EQ(app_->lessons().session()->count(), 2u);
  EXPECT_EQ(app_->lessons().session()->number(), 1u) << "the new page is shown";
  expect_right(folder_ / "mine.json");
}

TEST_F(MadePage, IsRefusedWhereTheSceneKnowsNoKeys)
{
  app_->let_errors_out();
  app_->show(test::entry("sparse"));
  frames(2);
  EXPECT_THAT(test::message_of<Error>([&] { press(ImGuiMod_Ctrl | ImGuiKey_M); }), HasSubstr("Only a single table"));
}

class TriedPageTest : public ::testing::Test {
protected:
  TriedPage try_out(ExamplePage page, TableSetup const& set_up, bool repeats = true)
  {
    if (page.title.empty()) { page.title = "A page"; }
    DeviceFacts device;
    device.backend = Backend::cpu;
    PageTrial trial(test::entry("slots"), device);
    return trial.try_out(page, set_up, repeats);
  }
  std::unique_ptr<gl::Context> context_ = gl::open_offscreen({64, 64});  // a scene has a map
};

/// Every question, with the answer of the table.
TEST_F(TriedPageTest, TakesItsAnswerFromTheTable)
{
  TableSetup const set_up = remainders({keys(Operation::insert, {{17, 0}, {33, 0}, {49, 0}})});
  EXPECT_EQ(try_out({.question = ExampleQuestion::lands, .key = 65}, set_up).answer, 4u);
  EXPECT_EQ(try_out({.question = ExampleQuestion::found, .key = 33}, set_up).answer, 2u);
  EXPECT_EQ(try_out({.question = ExampleQuestion::accesses, .key = 49}, set_up).answer, 3u);
  EXPECT_EQ(try_out({.question = ExampleQuestion::accesses, .key = 81}, set_up).answer, 4u) << "a miss, to the gap";
  TableSetup robin_hood = remainders({keys(Operation::insert, {{17, 0}, {33, 0}, {2, 0}})});
  robin_hood.settings.table.family = "robin_hood";
  EXPECT_EQ(try_out({.question = ExampleQuestion::moves, .key = 49}, robin_hood).answer, 1u);
}

TEST_F(TriedPageTest, SaysHowTiesAreBrokenWhereTheAnswerDependsOnIt)
{
  TableSetup robin_hood = remainders({keys(Operation::insert, {{17, 0}, {34, 0}})});
  robin_hood.settings.table.family = "robin_hood";
  constexpr char const* rule = "equally far from home, the smaller one";
  for (ExampleQuestion const question : {ExampleQuestion::lands, ExampleQuestion::moves, ExampleQuestion::accesses}) {
    EXPECT_THAT(try_out({.question = question, .key = 1}, robin_hood).ask, HasSubstr(rule));
    EXPECT_THAT(try_out({.question = question, .key = 1, .ask = "Mine?"}, robin_hood).ask,
                AllOf(HasSubstr("Mine?"), HasSubstr(rule)));
    EXPECT_THAT(try_out({.question = question, .key = 1}, remainders({})).ask, Not(HasSubstr(rule)));
  }
  EXPECT_THAT(try_out({.question = ExampleQuestion::found, .key = 17}, robin_hood).ask, Not(HasSubstr(rule)));
  EXPECT_THAT(rule_for(ExampleQuestion::moves, {.family = "graveyard"}), HasSubstr(rule));
  EXPECT_EQ(try_out({.question = ExampleQuestion::moves, .key = 1}, robin_hood).answer, 2u)
      << "as the family does: 1 is smaller than 17, and 17, away from home, than 34 at home";
  EXPECT_EQ(try_out({.question = ExampleQuestion::lands, .key = 33}, robin_hood).answer, 2u) << "33 is not";
}

TEST(ExamplePages, TellTheFamilyAndItsRules)
{
  std::string const reuses = family_rule({.family = "linear_probing", .deletion = Deletion::tombstone_reuse});
  EXPECT_EQ(reuses, "Its family: Linear probing, erasing: tombstones reused.");
  EXPECT_NE(family_rule({.family = "linear_probing", .deletion = Deletion::empty_value}), reuses);
  EXPECT_THAT(family_rule({.family = "hopscotch", .parameters = {{"neighbourhood", 8}}}),
              AllOf(HasSubstr("Hopscotch hashing, Neighbourhood H 8"), HasSubstr("the one farthest from it")));
  EXPECT_THAT(hash_rule({.family = "simple_hash", .hash = HashKind::identity}), HasSubstr("h, h + 1, h − 1"));
}

/// Whoever is asked for slots must know what leads to them.
TEST(ExamplePages, TellTheHashThatTheirAnswersAreComputedWith)
{
  TableSettings cuckoo{.family = "cuckoo", .slots = 22, .parameters = {{"bucket", 1}, {"hashing", 2}}};
  EXPECT_EQ(
      hash_rule(cuckoo),
      "Its hash functions, with m = 11: k mod m (T1), (k div m) mod m (T2). Answers number the slots consecutively: "
      "slot 0 in T2 is slot 11.");
  cuckoo.slots = 24;
  cuckoo.parameters = {{"functions", 3}, {"bucket", 2}, {"hashing", 2}};
  EXPECT_EQ(hash_rule(cuckoo),
            "Its hash functions, with m = 4: k mod m (T1), (k div m) mod m (T2), (k div m^2) mod m (T3). They lead to "
            "buckets of 2 slots.");
  EXPECT_EQ(hash_rule({.family = "cuckoo", .slots = 24}), "") << "nobody computes those by hand";
  EXPECT_EQ(hash_rule({.family = "linear_probing", .hash = HashKind::identity}), "Its hash: identity (key mod slots).");
  auto const by_hand = [](std::string const& family, std::uint64_t slots, std::uint32_t parameter) {
    return hash_rule({.family = family,
                      .slots = slots,
                      .hash = HashKind::identity,
                      .parameters = {{family == "quadratic" ? "sequence" : "modulus_below", parameter}}});
  };
  EXPECT_THAT(by_hand("double_hashing", 13, 2), HasSubstr("Its step size: 1 + k mod 11."));
  EXPECT_THAT(by_hand("double_hashing", 16, 1), HasSubstr("Its step size: (1 + 2 (k div 16)) mod 16."));
  EXPECT_THAT(by_hand("quadratic", 16, 1), HasSubstr("Its probes: h + i(i+1)/2."));
  EXPECT_THAT(by_hand("quadratic", 13, 2), HasSubstr("Its probes: h + i\u00b2."));
}

TEST_F(MadePage, GivesTheHashFunctionsOfACuckooTableByHand)
{
  TableSetup set_up;
  set_up.settings.table = {.family = "cuckoo", .slots = 22, .parameters = {{"bucket", 1}, {"hashing", 2}}};
  open(test::slots_scenario(set_up), test::with_own_dialogs());
  insert("20, 50, 53");
  insert("75");
  press(ImGuiMod_Ctrl | ImGuiKey_M);
  press(ImGuiKey_Enter);
  name_file(folder_ / "mine.json");
  std::string const text = Json::parse(test::content_of(folder_ / "mine.json")).at("pages").at(0).at("text").dump();
  EXPECT_THAT(text, HasSubstr("with m = 11: k mod m (T1), (k div m) mod m (T2)"));
  expect_right(folder_ / "mine.json");
}

TEST(ExamplePages, KeepTheirAuthorsWordsForTheQuestionTheyWereWrittenFor)
{
  OwnWords kept;
  ExamplePage page{
      .title = "Mine", .text = "Look.", .question = ExampleQuestion::lands, .ask = "Where to?", .tell = "Up."};
  choose_question(page, ExampleQuestion::accesses, kept);
  EXPECT_EQ(page.question, ExampleQuestion::accesses);
  EXPECT_EQ(page.ask + page.tell, "") << "the usual words of the new question";
  EXPECT_EQ(page.title + page.text, "MineLook.") << "these fit every question";
  page.ask = "How long?";
  choose_question(page, ExampleQuestion::lands, kept);
  EXPECT_EQ(page.ask + page.tell, "Where to?Up.");
  choose_question(page, ExampleQuestion::accesses, kept);
  EXPECT_EQ(page.ask, "How long?");
}

TEST_F(TriedPageTest, SaysItsNumbersInItsWords)
{
  TableSetup const set_up = remainders({keys(Operation::insert, {{17, 0}, {33, 0}})});
  TriedPage const tried = try_out({.text = "{[table/live]} keys\nin {[table/slots]} slots", .key = 1}, set_up);
  EXPECT_EQ(tried.problem, "");
  EXPECT_THAT(tried.text, HasSubstr("2 keys\nin 16 slots"));
  EXPECT_EQ(tried.page.at("text").dump(), R"(["{[table/live]} keys","in {[table/slots]} slots"])");
}

TEST_F(TriedPageTest, SaysWhatKeepsItFromBeingAPage)
{
  TableSetup const set_up = remainders({keys(Operation::insert, {{17, 0}, {33, 0}})});
  EXPECT_THAT(try_out({.question = ExampleQuestion::lands, .key = 17}, set_up).problem, HasSubstr("by then"));
  EXPECT_THAT(try_out({.question = ExampleQuestion::found, .key = 18}, set_up).problem, HasSubstr("not in the table"));
  EXPECT_THAT(try_out({.text = "{1 +}", .key = 18}, set_up).problem, HasSubstr("text"));
  std::string many_words;
  for (std::size_t i = 0; i <= lessons::max_words; ++i) { many_words += "word "; }
  EXPECT_THAT(try_out({.text = many_words, .key = 18}, set_up).problem, HasSubstr("at most 60"));
  std::vector<Pair> all(16);
  for (std::size_t i = 0; i < all.size(); ++i) { all[i].key = i + 16; }
  EXPECT_THAT(try_out({.key = 99}, remainders({keys(Operation::insert, all)})).problem, HasSubstr("does not fit"));
}

/// Where threads raced, another device may have the keys elsewhere: the page claims nothing.
TEST_F(TriedPageTest, ClaimsAnAnswerOnlyWhereItIsTheSameEverywhere)
{
  TableSetup const set_up = remainders({keys(Operation::insert, {{17, 0}})});
  EXPECT_TRUE(try_out({.key = 33}, set_up, true).page.at("task").contains("answer"));
  EXPECT_FALSE(try_out({.key = 33}, set_up, false).page.at("task").contains("answer"));
}

TEST(ExamplePages, BeginBeforeTheLastOperation)
{
  TableSetup const two = remainders({keys(Operation::insert, {{17, 0}, {33, 5}})});
  auto const last = last_operation(two);
  ASSERT_TRUE(last);
  EXPECT_EQ(last->key, 33u);
  EXPECT_EQ(last->value, 5u);
  TableSetup const one = before_last_operation(two);
  EXPECT_EQ(one.steps, std::vector<Action>{keys(Operation::insert, {{17, 0}})});
  EXPECT_TRUE(before_last_operation(one).steps.empty());
  EXPECT_FALSE(last_operation(remainders({BatchRequest::inserts(4)})));
  TableSetup stepped = one;
  stepped.step_mode = StepRequest{{Operation::find, 17, 0}};
  EXPECT_EQ(last_operation(stepped)->operation, Operation::find);
  EXPECT_EQ(before_last_operation(stepped).steps, one.steps) << "what is only stepped through was not done";
}

/// A lookup leaves no trace in the table, and yet is what was done last.
TEST(ExamplePages, AskAboutAKeyThatWasLookedUpLast)
{
  TableSetup looked_up = remainders({keys(Operation::insert, {{17, 0}, {33, 5}})});
  looked_up.looked_up = OnKey{Operation::find, 17};
  EXPECT_EQ(last_operation(looked_up), (OnKey{Operation::find, 17}));
  EXPECT_EQ(before_last_operation(looked_up).steps, looked_up.steps);
}

TEST_F(MadePage, ProposesTheKeyOfTheLastLookup)
{
  auto& scene = test::scene_of<SlotsScene>(*app_);
  auto const looked_up = [&] { return std::any_cast<TableSetup>(scene.set_up()).looked_up; };
  auto const typed = [&](Operation operation, Key key) {
    scene.state().ask(OnTyped{keys(operation, {{key, 0}})});
    frames(4);
    scene.finish_steps({});
  };
  typed(Operation::insert, 17);
  typed(Operation::insert, 33);
  EXPECT_FALSE(looked_up());
  typed(Operation::find, 17);
  EXPECT_EQ(looked_up(), (OnKey{Operation::find, 17}));
  typed(Operation::erase, 33);
  EXPECT_FALSE(looked_up()) << "it is not the last one any more";
}

TEST(ExamplePages, ShowAllSlotsOfASmallTable)
{
  for (std::uint64_t const slots : {16u, 4096u}) {
    TableSetup set_up = remainders({});
    set_up.settings.table.slots = slots;
    set_up.camera = {3.0, {0.3, 0.5}};
    Json const page = page_json({.title = "T", .text = "t"}, set_up, std::nullopt);
    EXPECT_EQ(page["set_up"]["view"]["zoom"], slots == 16 ? 1.0 : 3.0);
  }
}

TEST(ExamplePages, ForgetWhatWasDoneBeforeTheTableWasCleared)
{
  Action const seventeen = keys(Operation::insert, {{17, 0}});
  Action const batch = BatchRequest::inserts(4);
  auto const left = [](std::vector<Action> steps) { return since_last_clear(remainders(std::move(steps))).steps; };
  EXPECT_EQ(left({batch, Clear{}, batch, Clear{}, seventeen}), std::vector<Action>{seventeen});
  EXPECT_THAT(left({batch, Clear{}}), IsEmpty());
  EXPECT_EQ(left({batch, seventeen}).size(), 2u) << "it was not cleared";
  EXPECT_EQ(left({batch, Clear{}, batch}).size(), 3u) << "the stream goes on where it was";
  EXPECT_EQ(left({Rehash{}, Clear{}, seventeen}).size(), 3u) << "it has other slots since";
}

TEST(ExamplePages, AreRefusedWithAReasonWhereAPageCannotHoldTheTable)
{
  EXPECT_EQ(why_no_page(remainders({keys(Operation::insert, {{17, 0}})})), "");
  std::vector<Pair> many(5000);
  for (std::size_t i = 0; i < many.size(); ++i) { many[i].key = i + 1; }
  EXPECT_THAT(why_no_page(remainders({keys(Operation::insert, many)})), HasSubstr("5,000 keys"));
  TableSetup large = remainders({});
  large.settings.table.slots = std::uint64_t{1} << 30;
  EXPECT_THAT(why_no_page(large), HasSubstr("1,073,741,824 slots"));
  TableSetup of_file = remainders({});
  of_file.settings.keys.distribution = KeyDistribution::file;
  EXPECT_THAT(why_no_page(of_file), HasSubstr("from a file"));
  EXPECT_THAT(why_no_page(remainders(std::vector<Action>(3000, BatchRequest::inserts(1)))), HasSubstr("3,000 steps"));
}

TEST(ExamplePages, AreAppendedToLessonsAlone)
{
  Json lesson = lesson_with({{"title", "One"}}, "Mine");
  append_page(lesson, {{"title", "Two"}}, "mine.json");
  EXPECT_EQ(lesson.at("pages").size(), 2u);
  Json playlist{{"version", 1}, {"playlist", Json::array()}};
  EXPECT_THAT(test::message_of<Error>([&] { append_page(playlist, {}, "tuesday.json"); }), HasSubstr("a playlist"));
  Json scenario{{"version", 1}, {"table", Json::object()}};
  EXPECT_THAT(test::message_of<Error>([&] { append_page(scenario, {}, "table.json"); }), HasSubstr("not a lesson"));
}

}  // namespace
}  // namespace slotscape
