// What an audience sees of a lesson, and what the lecturer's keys do.

#include "app/lessons/right_answer.hpp"
#include "tests/classroom/at_keyboard.hpp"

#include "tests/support/paths.hpp"

#include <gmock/gmock.h>

namespace slotscape {
namespace {

using test::scene_of;

constexpr char const* row_lesson = R"({ "version": 1, "title": "Row", "pages": [
  { "title": "One", "text": "x", "set_up": { "table": { "slots": 11, "hash": "identity" },
      "steps": [ { "op": "insert", "keys": [7, 18, 29] } ], "view": { "arrangement": "row" } },
    "task": { "kind": "prediction", "ask": "Where?", "operation": { "op": "insert", "key": 40 }, "asks": "slot" } },
  { "title": "Two", "text": "y" } ] })";

class LectureTest : public test::AtKeyboard {
protected:
  LectureTest() { open(test::slots_scenario({.slots = 32})); }

  void start(LessonStart const& how) { start_lesson("row.json", row_lesson, how); }
  static bool shows_keys()
  {
    ImGuiWindow const* const list = ImGui::FindWindowByName("##keys");
    return list != nullptr && list->Active;
  }
};

TEST_F(LectureTest, BeginsAtTheFirstPageWhereverTheLessonWasLeft)
{
  start({.page = 1});
  app_->lessons().end();
  start({});
  EXPECT_EQ(app_->lessons().session()->number(), 1u) << "who learns goes on";
  app_->lessons().end();
  start({.lecture = true});
  EXPECT_EQ(app_->lessons().session()->number(), 0u);
}

/// Its slots are small beside the code, but all of them are seen.
TEST_F(LectureTest, TheAnswerShowsTheWholeRow)
{
  start({.page = 0, .lecture = true});
  press(ImGuiKey_PageDown);
  frames(20, 0.3);
  auto& scene = scene_of<SlotsScene>(*app_);
  ASSERT_TRUE(scene.state().steps.player);
  Camera const& camera = scene.only_map()->camera();
  for (Slot slot = 0; slot < 11; ++slot) { EXPECT_TRUE(camera.shows_whole(slot)) << slot; }
}

TEST_F(LectureTest, EscapeClosesTheListOfKeysFirst)
{
  start({.page = 0, .lecture = true});
  type("h");
  EXPECT_TRUE(shows_keys());
  press(ImGuiKey_Escape);
  EXPECT_FALSE(shows_keys());
  type("b");  // a key of lectures
  app_->lessons().end();
  frames(2);
  scene_of<SlotsScene>(*app_).state().selection.pinned = 3;
  type("h");
  EXPECT_TRUE(shows_keys());
  press(ImGuiKey_Escape);
  EXPECT_FALSE(shows_keys());
  EXPECT_TRUE(scene_of<SlotsScene>(*app_).state().selection.pinned) << "that is what the next Esc lets go";
}

TEST(Themes, ThatAnOptionTellsAreNotRemembered)
{
  Options options = test::cpu_options();
  options.theme = Background::light;
  App app(gl::open_offscreen({640, 480}), options, UserSettings{}, test::slots_scenario({.slots = 16}));
  app.frame(0.05);
  EXPECT_EQ(app.user_settings().theme, Background::dark);
}

/// Where all slots are read already, a lookup moves nothing.
TEST_F(LectureTest, FindStaysWhereAllSlotsAreSeen)
{
  open(test::slots_scenario({.slots = 11}));
  auto& scene = scene_of<SlotsScene>(*app_);
  auto const zoom_after_find = [&](Key key) {
    scene.state().ask(LookUp{key});
    frames(8, 0.3);
    return scene.only_map()->camera().zoom();
  };
  EXPECT_EQ(zoom_after_find(5), 1.0);
  open(test::slots_scenario({.slots = 65536}));
  auto& large = scene_of<SlotsScene>(*app_);
  large.state().ask(LookUp{5});
  frames(8, 0.3);
  EXPECT_GT(large.only_map()->camera().zoom(), 2.0);
}

/// What is told of the colours holds for all steps of the page.
TEST_F(LectureTest, TheLegendNamesATombstoneThatALaterStepLeaves)
{
  auto const names_tombstones = [&](Operation operation) {
    TableSetup set_up;
    set_up.settings.table = {.slots = 11, .hash = HashKind::identity};
    set_up.steps = {OnKey{Operation::insert, 7, 0}};
    set_up.step_mode = StepRequest{{operation, 7}};
    open(test::slots_scenario(set_up));
    frames(3);
    EXPECT_TRUE(scene_of<SlotsScene>(*app_).state().steps.player);
    app_->pictures().save_slide(folder_ / "slide.svg", {.width = 1600, .height = 900});
    return test::content_of(folder_ / "slide.svg").find(">tombstone<") != std::string::npos;
  };
  EXPECT_FALSE(names_tombstones(Operation::find));
  EXPECT_TRUE(names_tombstones(Operation::erase));
}

constexpr char const* asked_lesson = R"({ "version": 1, "title": "Asked", "pages": [
  { "title": "Which", "text": "x", "variables": { "k": { "is": "3 + 4" } },
    "set_up": { "table": { "slots": 11, "hash": "identity" } },
    "task": { "kind": "choice", "ask": "Where is **{k}**?", "keep_order": true,
              "options": [ { "text": "there", "tell": "No." }, { "text": "slot {k}", "right": true } ] } },
  { "title": "Land", "text": "x",
    "set_up": { "table": { "slots": 11, "hash": "identity" }, "steps": [ { "op": "insert", "keys": [7, 18] } ] },
    "task": { "kind": "prediction", "ask": "Where?", "operation": { "op": "insert", "key": 29 }, "asks": "slot" } },
  { "title": "Count", "text": "x",
    "task": { "kind": "number", "ask": "How many keys?", "answer": "[table/live]" } },
  { "title": "Then", "text": "x",
    "task": { "kind": "number", "ask": "How many then?", "answer": "[table/live]",
              "after": [ { "op": "insert", "keys": [40] } ] } } ] })";

/// Beside the page that the audience sees.
TEST_F(LectureTest, ThePresenterReadsTheAnswerBeforeItIsShown)
{
  start_lesson("asked.json", asked_lesson, {.page = 0, .seed = 1, .lecture = true});
  auto const told = [&](std::size_t page) {
    app_->lessons().session()->go_to(page);
    settle();
    return lessons::question_and_answer(*app_->lessons().session(), app_->current_scene());
  };
  EXPECT_EQ(told(0), "Where is **7**?\n\n- A: there\n- **B: slot 7** (right)");
  EXPECT_EQ(told(1), "Where?\n\nThe answer: **slot 9**");
  EXPECT_EQ(told(2), "How many keys?\n\nThe answer: **2**");
  EXPECT_EQ(told(3), "How many then?\n\n*The answer is determined when it is shown.*");
  press(ImGuiKey_PageDown);
  settle();
  EXPECT_EQ(lessons::question_and_answer(*app_->lessons().session(), app_->current_scene()),
            "How many then?\n\nThe answer: **3**");
}

/// Clusters are runs of slots: in the first lessons, none is broken over two rows.
TEST(Lessons, OnClustersKeepNeighboursTogether)
{
  lessons::Library const library({test::in_project("assets")});
  std::size_t seen = 0;
  for (char const* const name : {"1-what-a-hash-table-is", "2-primary-clustering", "3-the-load-factor-cliff",
                                 "4-tombstones", "6-robin-hood", "7-hopscotch", "15-quadratic-probing"}) {
    lessons::Lesson const lesson = lessons::read_lesson(scenes(), library.find(name), library.finder());
    for (lessons::PageSource const& source : lesson.pages) {
      lessons::Page const page = lessons::open_page(scenes(), source, 1, library.finder());
      auto const* const set_up = std::any_cast<TableSetup>(&page.scenario.set_up);
      if (set_up == nullptr || !is_arranged(set_up->settings.table.slots, set_up->settings.view)) { continue; }
      std::uint64_t const slots = set_up->settings.table.slots;
      Plane const plane = Plane::of(slots, set_up->settings.view, 800.0, 560.0);
      for (Slot slot = 0; slot + 1 < slots; ++slot) {
        Position const here = plane.position(slot);
        Position const next = plane.position(slot + 1);
        auto const distance = [](std::uint32_t a, std::uint32_t b) { return a > b ? a - b : b - a; };
        EXPECT_EQ(distance(here.x, next.x) + distance(here.y, next.y), 1u) << name << ": " << page.title;
      }
      ++seen;
    }
  }
  EXPECT_GT(seen, 8u);
}

}  // namespace
}  // namespace slotscape
