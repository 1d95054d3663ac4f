#include "app/table_map/cells.hpp"
#include "app/table_map/table_state.hpp"
#include "app/widgets/look.hpp"
#include "tests/app/color_vision.hpp"

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

}  // namespace
}  // namespace slotscape
