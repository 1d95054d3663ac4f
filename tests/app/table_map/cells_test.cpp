#include "app/table_map/cells.hpp"
#include "app/table_map/map_view.hpp"
#include "app/table_map/step/words.hpp"
#include "app/table_scene/gui.hpp"
#include "app/table_scene/table_state.hpp"
#include "app/widgets/look.hpp"
#include "tests/app/support/color_vision.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace slotscape {
namespace {

using test::contrast;

/// A colour with its opacity, drawn over another.
Color over(ImU32 drawn, Color const& below)
{
  ImVec4 const color = theme::rgba(drawn);
  auto const mixed = [&](float top, float bottom) { return bottom + (top - bottom) * color.w; };
  return {mixed(color.x, below.red), mixed(color.y, below.green), mixed(color.z, below.blue)};
}

std::vector<Color> cell_colors()
{
  std::vector<Color> colors{empty_color, tombstone_color, live_color, link_color, empty_color_on(Background::light)};
  for (Palette const palette : {Palette::cividis, Palette::viridis, Palette::turbo}) {
    for (int i = 0; i <= 100; ++i) { colors.push_back(palette_color(palette, i / 100.0)); }
  }
  return colors;
}

TEST(Arrows, OrTheirRimsStandOutFromEveryCell)
{
  std::vector<ImU32> const lines{theme::accent,
                                 theme::warning,
                                 theme::error,
                                 IM_COL32(0xff, 0xd8, 0x4d, 0xff),
                                 IM_COL32(0x7f, 0xe0, 0x8c, 0xff),
                                 IM_COL32(0xf2, 0xf5, 0xf8, 0xf0),
                                 IM_COL32(0x10, 0x18, 0x22, 0xff)};
  for (Color const& cell : cell_colors()) {
    for (ImU32 const line : lines) {
      double const best = std::max(contrast(over(line, cell), cell), contrast(over(rim_of(line), cell), cell));
      EXPECT_GT(best, 2.0) << "line " << std::hex << line << " on " << cell.red << " " << cell.green << " "
                           << cell.blue;
    }
  }
}

/// WCAG 2.1, 1.4.3, for text below 18 points: as cells write it, without any opacity.
TEST(SlotText, StandsOutFromEveryCell)
{
  for (Color const& cell : cell_colors()) {
    EXPECT_EQ(text_on(cell) >> IM_COL32_A_SHIFT, 255u);
    EXPECT_GE(contrast(over(text_on(cell), cell), cell), 4.5) << cell.red << " " << cell.green << " " << cell.blue;
  }
}

/// A tombstone that has lost its key is no slot that a moving key has reserved.
TEST(Tombstones, AreReservedWhereKeysMoveAlone)
{
  SlotInfo slot;
  slot.state = SlotState::tombstone;
  slot.has_key = false;
  TableState state;
  for (auto const& [family, is_reserved_slot] : {std::pair{"linear_probing", false}, std::pair{"swiss", false},
                                                 std::pair{"hopscotch", true}, std::pair{"cuckoo", true}}) {
    state.settings.table = {.family = family, .deletion = Deletion::tombstone_reuse};
    EXPECT_EQ(is_reserved(state, slot), is_reserved_slot) << family;
  }
}

// What an audience is shown beside the map of a table leaves cells that are large enough to be read.

constexpr Rectangle beside_the_text{435, 0, 845, 720};

Look look_of_tests()
{
  Look look;
  look.small = 13.0f;
  look.body = 15.0f;
  return look;
}

TableState stepped_table(std::uint64_t slots, Arrangement arrangement)
{
  TableState state;
  state.settings.table.family = "linear_probing";
  state.settings.table.slots = slots;
  state.settings.view.arrangement = arrangement;
  state.settings.view.plain_steps = state.settings.view.textbook_code = true;
  state.steps.on = true;
  Trace trace{};
  trace.operation = Operation::insert;
  state.steps.player.emplace(trace);
  return state;
}

double cell_of(TableSceneLayout const& layout, TableState const& state)
{
  return fitting_camera(look_of_tests(), layout.canvas, state).slot_pixels();
}

TEST(LectureLayout, PutsTheCodeBelowARowThatItWouldNarrow)
{
  TableState state = stepped_table(16, Arrangement::row);
  state.min_cell = 44.0f;  // beside the code, it would have to be laid out in lines
  Panels const panels;
  TableSceneLayout const layout = lay_out_lecture(look_of_tests(), beside_the_text, panels, state);
  EXPECT_EQ(fitting_camera(look_of_tests(), layout.canvas, state).plane().rows(), 1u);
  EXPECT_EQ(layout.sides.right.width, 0);
  EXPECT_GE(layout.sides.below.height, code_panel_height(look_of_tests(), state, 13.0f));
  EXPECT_EQ(layout.sides.below.y + layout.sides.below.height, 720);
  EXPECT_EQ(layout.legend.y + layout.legend.height, layout.sides.below.y);
  EXPECT_GE(cell_of(layout, state), 48.0);
}

TEST(LectureLayout, KeepsTheCodeBesideAMapThatIsHigh)
{
  TableState const state = stepped_table(16, Arrangement::grid);
  Panels panels;
  panels.widths.lecture = 500.0f;  // as dragged
  TableSceneLayout const layout = lay_out_lecture(look_of_tests(), {435, 0, 1485, 1080}, panels, state);
  EXPECT_EQ(layout.sides.below.height, 0);
  EXPECT_EQ(layout.sides.right.width, 500);
}

TEST(LectureLayout, WrapsARowOfCellsThatAreTooSmall)
{
  TableState state = stepped_table(16, Arrangement::row);
  Rectangle const narrow{435, 100, 500, 500};
  EXPECT_EQ(fitting_camera(look_of_tests(), narrow, state).plane().rows(), 1u) << "outside of lectures, as asked";
  state.min_cell = 44.0f;
  Camera const wrapped = fitting_camera(look_of_tests(), narrow, state);
  EXPECT_GT(wrapped.plane().rows(), 1u);
  EXPECT_GE(wrapped.slot_pixels(), 44.0);
  EXPECT_EQ(fitting_camera(look_of_tests(), {0, 0, 900, 500}, state).plane().rows(), 1u) << "large enough";
}

/// The sums of such tables count functions and arrays from 1.
TEST(SlotArrays, NumberFunctionsAsTheirSumsDo)
{
  EXPECT_EQ(SlotArrays(7).measured(1), "h2");
  EXPECT_EQ(SlotArrays().measured(1), "1");
  Step step{};
  step.place = {"place", {{"gap", 8}, {"key", 52}}};
  Trace trace{};
  trace.steps = {step};
  trace.slots_each = 7;
  EXPECT_EQ(variables_of(StepPlayer(trace, 1), {}), "gap = 1 in T2   key = 52");
}

}  // namespace
}  // namespace slotscape
