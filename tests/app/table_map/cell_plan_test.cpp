#include "app/table_map/cell_plan.hpp"
#include "app/table_map/overlays.hpp"
#include "app/table_scene/table_state.hpp"
#include "tests/app/support/program.hpp"

#include <gtest/gtest.h>

namespace slotscape {
namespace {

constexpr Measure probe_length{"Probe length", "slots from home"};

ViewSettings with_all_lines()
{
  ViewSettings view;
  view.write_homes = view.write_values = view.write_measures = true;
  return view;
}

SlotInfo slot_with_key_at(std::uint32_t away)
{
  SlotInfo slot{};
  slot.state = SlotState::live;
  slot.has_key = true;
  slot.pair = {74, 0};
  slot.probe_length = away;
  return slot;
}

/// What colours mean is read in the last line that is left.
TEST(CellPlan, LeavesTheValueOutBeforeTheMeasure)
{
  test::text_of_panel([](Look const& look) {
    ViewSettings const view = with_all_lines();
    WidestCell const alone;
    SlotInfo const slot = slot_with_key_at(3);
    bool any = false;
    for (float side = 30.0f; side < 250.0f; side += 1.0f) {
      CellPlan const plan(look, side, std::span(&slot, 1), {view, probe_length, alone});
      EXPECT_TRUE(plan.has_measures() || !plan.has_values()) << side;
      any = any || (plan.has_measures() && !plan.has_values());
    }
    EXPECT_TRUE(any) << "somewhere there is room for one of them";
  });
}

TEST(CellPlan, HasNoLineForHomesThatAreUnknown)
{
  test::text_of_panel([](Look const& look) {
    ViewSettings const view = with_all_lines();
    WidestCell const alone;
    SlotInfo slot = slot_with_key_at(3);
    constexpr float large = 200.0f;
    EXPECT_TRUE(CellPlan(look, large, std::span(&slot, 1), {view, probe_length, alone}).has_homes());
    slot.home = no_slot;
    CellPlan const plan(look, large, std::span(&slot, 1), {view, Measure{}, alone});
    EXPECT_FALSE(plan.has_homes());
    EXPECT_FALSE(plan.has_measures()) << "what is not known has no number";
  });
}

/// In somebody else's table.
TEST(SlotCard, OfASecondCopyNamesTheOtherSlot)
{
  SlotDetail detail{slot_with_key_at(0), {}};
  detail.slot.state = SlotState::link;
  TableState const state;
  auto const text = [&] { return test::text_of_panel([&](Look const& look) { slot_facts(look, state, detail); }); };
  EXPECT_NE(text().find("lost: no lookup finds it here"), std::string::npos) << text();
  detail.found_in = 1234;
  EXPECT_NE(text().find("a second copy"), std::string::npos) << text();
  EXPECT_NE(text().find("1,234"), std::string::npos) << text();
  EXPECT_EQ(text().find("lost"), std::string::npos) << text();
}

TEST(CellPlan, ShowsTheSameLinesInMapsBesideOneAnother)
{
  test::text_of_panel([](Look const& look) {
    ViewSettings const view = with_all_lines();
    SlotInfo const near = slot_with_key_at(0);
    SlotInfo const far = slot_with_key_at(123'456'789);
    WidestCell const both{far, probe_length.name};
    for (float side = 30.0f; side < 250.0f; side += 1.0f) {
      CellPlan const left(look, side, std::span(&near, 1), {view, probe_length, both});
      CellPlan const right(look, side, std::span(&far, 1), {view, probe_length, both});
      EXPECT_EQ(left.has_homes(), right.has_homes()) << side;
      EXPECT_EQ(left.has_values(), right.has_values()) << side;
      EXPECT_EQ(left.has_measures(), right.has_measures()) << side;
    }
  });
}

}  // namespace
}  // namespace slotscape
