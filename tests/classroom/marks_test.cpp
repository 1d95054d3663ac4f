// Marks that are drawn over a picture by hand.

#include "app/table_map/marks.hpp"
#include "tests/classroom/at_keyboard.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace slotscape {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr Rectangle map_place{100, 50, 640, 480};

/// Where the middle of each line comes to lie.
class DrawnLines final : public Drawing {
public:
  void fill(ImVec2, ImVec2, ImU32, float) override {}
  void frame(ImVec2, ImVec2, ImU32, float, float) override {}
  void polyline(std::span<ImVec2 const> points, ImU32, float) override
  {
    ImVec2 middle{0.0f, 0.0f};
    for (ImVec2 const& point : points) {
      middle.x += point.x / static_cast<float>(points.size());
      middle.y += point.y / static_cast<float>(points.size());
    }
    middles.push_back(middle);
  }
  void triangle(ImVec2, ImVec2, ImVec2, ImU32) override {}
  void circle(ImVec2, float, ImU32, float) override {}
  void disc(ImVec2, float, ImU32) override {}
  void text(ImVec2, float, ImU32, std::string const& said, float) override { texts.push_back(said); }
  void clip(ImVec2, ImVec2) override {}
  void unclip() override {}

  std::vector<ImVec2> middles;
  std::vector<std::string> texts;
};

Camera camera_on(Plane const& plane)
{
  return {plane, static_cast<double>(map_place.width), static_cast<double>(map_place.height), 10.0, 64};
}

ImVec2 middle_of(Camera const& camera, Slot slot)
{
  Point const corner = camera.slot_corner(slot);
  auto const half = camera.slot_pixels() / 2.0;
  return {static_cast<float>(map_place.x + corner.x + half), static_cast<float>(map_place.y + corner.y + half)};
}

/// A ring around a slot.
void circle(Marks& marks, MarkCanvas const& canvas, ImVec2 middle, float radius)
{
  constexpr int corners = 24;
  constexpr float turn = 6.2831853f / static_cast<float>(corners);
  marks.begin_line(canvas, {middle.x + radius, middle.y}, MarkColor::red);
  for (int i = 1; i <= corners; ++i) {
    float const angle = turn * static_cast<float>(i);
    marks.continue_line(canvas, {middle.x + radius * std::cos(angle), middle.y + radius * std::sin(angle)});
  }
  marks.end_line(canvas);
}

class MarksTest : public ::testing::Test {
protected:
  MarksTest() { gui_.begin_frame(0.02); }
  ~MarksTest() override { gui_.end_frame(); }

  std::unique_ptr<gl::Context> context_ = gl::open_offscreen({64, 64});
  Gui gui_{*context_};
  Marks marks_;
};

/// However the map is zoomed, and however its slots are laid out.
TEST_F(MarksTest, StayWithTheirSlot)
{
  constexpr Slot marked = 21;
  Camera camera = camera_on(Plane(Grid::of(64, Layout::rows)));
  circle(marks_, {map_place, &camera}, middle_of(camera, marked), 30.0f);
  Camera zoomed = camera;
  zoomed.zoom_at({200.0, 150.0}, 2.0);
  Camera const hilbert = camera_on(Plane(Grid::of(64, Layout::hilbert)));
  for (Camera const* const now : std::vector<Camera const*>{&camera, &zoomed, &hilbert}) {
    DrawnLines drawn;
    marks_.draw(gui_.look(), drawn, {map_place, now});
    ASSERT_THAT(drawn.middles, SizeIs(2)) << "a line and its rim";
    ImVec2 const expected = middle_of(*now, marked);
    EXPECT_NEAR(drawn.middles[0].x, expected.x, 4.0f);
    EXPECT_NEAR(drawn.middles[0].y, expected.y, 4.0f);
  }
}

TEST_F(MarksTest, StayOnACanvasWithoutSlots)
{
  circle(marks_, {map_place}, {420.0f, 290.0f}, 30.0f);
  DrawnLines drawn;
  marks_.draw(gui_.look(), drawn, {{0, 0, 1280, 960}});
  ASSERT_THAT(drawn.middles, SizeIs(2));
  EXPECT_NEAR(drawn.middles[0].x, 640.0f, 8.0f);
  EXPECT_NEAR(drawn.middles[0].y, 480.0f, 8.0f);
}

TEST_F(MarksTest, AreErasedWhereTheyAreAndComeBack)
{
  MarkCanvas const canvas{map_place};
  circle(marks_, canvas, {300.0f, 200.0f}, 40.0f);
  marks_.write(canvas, {500.0f, 300.0f}, "here", MarkColor::blue);
  marks_.write(canvas, {500.0f, 400.0f}, "", MarkColor::blue);
  EXPECT_THAT(marks_.all(), SizeIs(2)) << "no words, no mark";
  EXPECT_FALSE(marks_.erase(gui_.look(), canvas, {300.0f, 200.0f})) << "within the ring is nothing";
  EXPECT_TRUE(marks_.erase(gui_.look(), canvas, {340.0f, 200.0f}));
  EXPECT_TRUE(marks_.erase(gui_.look(), canvas, {505.0f, 305.0f}));
  EXPECT_THAT(marks_.all(), IsEmpty());
  marks_.undo();
  ASSERT_THAT(marks_.all(), SizeIs(1));
  EXPECT_EQ(marks_.all()[0].text, "here");
  marks_.undo();
  EXPECT_THAT(marks_.all(), SizeIs(2));
  marks_.clear();
  EXPECT_TRUE(marks_.empty());
  marks_.undo();
  EXPECT_THAT(marks_.all(), SizeIs(2));
}

constexpr char const* marked_lesson = R"({ "version": 1, "title": "Marks", "pages": [
  { "title": "One", "text": "x", "set_up": { "table": { "slots": 16, "hash": "identity" } } },
  { "title": "Two", "text": "x", "set_up": { "table": { "slots": 16, "hash": "identity" } } } ] })";

/// In a lecture, with the mouse.
class MarkedLecture : public test::AtKeyboard {
protected:
  MarkedLecture()
  {
    open(test::slots_scenario({.slots = 32}));
    start_lesson("marks.json", marked_lesson, {.page = 0, .lecture = true});
  }
  /// From the middle of the canvas to the right.
  void drag()
  {
    Rectangle const& canvas = app_->current_scene().canvas();
    auto const x = static_cast<float>(canvas.x) + static_cast<float>(canvas.width) / 2.0f;
    auto const y = static_cast<float>(canvas.y) + static_cast<float>(canvas.height) / 2.0f;
    ImGuiIO& io = ImGui::GetIO();
    io.AddMousePosEvent(x, y);
    frames(2);
    io.AddMouseButtonEvent(ImGuiMouseButton_Left, true);
    frames(1);
    for (float const right : {20.0f, 60.0f, 100.0f}) {
      io.AddMousePosEvent(x + right, y + right / 2.0f);
      frames(1);
    }
    io.AddMouseButtonEvent(ImGuiMouseButton_Left, false);
    frames(2);
  }
};

TEST_F(MarkedLecture, ThePenDrawsAndThePageTakesItAway)
{
  drag();
  EXPECT_TRUE(app_->mark_layer().marks().empty()) << "the pen is not out";
  press(ImGuiMod_Ctrl | ImGuiKey_P);
  drag();
  ASSERT_THAT(app_->mark_layer().marks().all(), SizeIs(1));
  EXPECT_GE(app_->mark_layer().marks().all()[0].points.size(), 4u);
  EXPECT_TRUE(app_->mark_layer().marks().all()[0].slot) << "it stays with a slot";
  press(ImGuiKey_Escape);
  drag();
  EXPECT_THAT(app_->mark_layer().marks().all(), SizeIs(1)) << "the pen is away again";
  press(ImGuiMod_Ctrl | ImGuiKey_P);
  press(ImGuiMod_Ctrl | ImGuiKey_Z);
  EXPECT_TRUE(app_->mark_layer().marks().empty());
  drag();
  EXPECT_FALSE(app_->mark_layer().marks().empty());
  press(ImGuiKey_PageDown);
  settle();
  EXPECT_TRUE(app_->mark_layer().marks().empty());
}

/// Where the map takes the mouse for itself otherwise.
TEST_F(MarkedLecture, ThePenDrawsOutsideOfLecturesToo)
{
  app_->lessons().end();
  frames(3);
  drag();
  EXPECT_TRUE(app_->mark_layer().marks().empty());
  app_->current_scene().forget_choice();
  press(ImGuiMod_Ctrl | ImGuiKey_P);
  frames(2);
  drag();
  EXPECT_THAT(app_->mark_layer().marks().all(), SizeIs(1));
  EXPECT_FALSE(app_->current_scene().chosen_slot()) << "no slot was clicked";
}

TEST_F(MarkedLecture, MarksAreInPicturesForSlides)
{
  auto const lines_of_slide = [&](char const* name) {
    app_->pictures().save_slide(folder_ / name, {.width = 1600, .height = 900});
    std::string const svg = test::content_of(folder_ / name);
    std::size_t lines = 0;
    for (std::size_t at = svg.find("<polyline"); at != std::string::npos; at = svg.find("<polyline", at + 1)) {
      ++lines;
    }
    return lines;
  };
  std::size_t const before = lines_of_slide("before.svg");
  press(ImGuiMod_Ctrl | ImGuiKey_P);
  drag();
  EXPECT_EQ(lines_of_slide("marked.svg"), before + 2) << "a line and its rim";
}

}  // namespace
}  // namespace slotscape
