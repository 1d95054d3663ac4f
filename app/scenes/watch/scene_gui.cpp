#include "app/scene/work_bar.hpp"
#include "app/scenes/watch/gui.hpp"
#include "app/scenes/watch/scene.hpp"
#include "app/table_map/annotations.hpp"
#include "app/table_map/overlays.hpp"
#include "app/table_scene/toolbar.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/sides.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>

namespace slotscape {

namespace {

/// Draws rings around the slots of lost keys, which may be a few in a million; in large slots, inside them.
void mark_lost_keys(Annotator const& on, std::vector<Slot> const& lost, std::span<WrittenSlot const> written)
{
  constexpr float least = 7.0f;  // minimum radius
  ImU32 const color = packed(erase_flash);
  float const radius = std::max(on.look(least), 0.44f * static_cast<float>(on.camera.slot_pixels()));
  auto const mark = [&](Slot slot) {
    if (!on.camera.shows(slot)) { return; }
    on.drawing.circle(on.slot_center(slot), radius, rim_of(color), on.look(3.5f));
    on.drawing.circle(on.slot_center(slot), radius, color, on.look(1.5f));
  };
  std::ranges::for_each(lost, mark);
  for (WrittenSlot const& each : written) {
    bool const is_lost = each.slot.state == SlotState::link && each.slot.has_key;
    if (is_lost && !std::ranges::binary_search(lost, each.slot.slot)) { mark(each.slot.slot); }
  }
}

}  // namespace

void WatchScene::draw_gui(Frame const& frame)
{
  Look const& look = frame.look;
  TableState& table = state_.table;
  table.frames = frame.times;
  if (state_.has_table) {
    view_.draw(look, table,
               [&](Annotator const& on) { mark_lost_keys(on, state_.lost.slots, table.inspected.written); });
    draw_toolbar(look, table, layout_.toolbar, table.inspected.written);
    draw_legend(look, table, view_.camera(), layout_.legend);
    ProgressSnapshot const copying{.what = "Copying the table", .share = state_.copied.value_or(0.0)};
    if (state_.copied && draw_progress(look, copying, canvas())) { cancel(); }
  } else if (reader_.is_busy()) {
    if (draw_progress(look, reader_.progress(), canvas())) { reader_.cancel(); }
  } else {
    draw_nothing_to_see(look, state_, canvas());
  }
  draw_sides(
      look, frame.panels.widths, layout_.sides,
      [&] {
        watched_panel(look, state_);
        description_panel(look, state_);
        running_panel(look, state_);
        ImGui::Dummy({0.0f, look(8.0f)});
      },
      [&] {
        if (!state_.has_table) { return; }
        advice_panel(look, state_);
        if (frame.panels.numbers) { numbers_panel(look, table); }
        if (frame.panels.plots) { plots_panel(look, table, frame.charts, history_charts(state_)); }
        ImGui::Dummy({0.0f, look(8.0f)});
      });
  if (!state_.has_table) { return; }
  bool const whole = view_.camera().plane().kind() != Plane::Kind::grid && view_.camera().zoom() <= 1.001;
  if (table.settings.view.show_minimap && !whole) {
    auto const center = draw_minimap(look, view_.camera(), layout_.canvas);
    if (center) { view_.look({view_.framing().zoom, *center}); }
  }
  bool const closed = frame.panels.slot_card && !draw_selection(look, table, view_.camera(), layout_.canvas,
                                                                room_for_cards(table, layout_.canvas));
  if (closed) { cancel(); }
}

void WatchScene::draw_slide(Look const& look, Drawing& drawing, bool paints)
{
  if (!state_.has_table) { throw Error(tr("There is no table to show: open one first.")); }
  draw_slide_caption(look, drawing, state_.table, layout_.caption);
  view_.draw_slide(look, drawing, state_.table, paints);
  draw_slide_legend(look, drawing, state_.table, rare_slots(state_.table), layout_.legend);
}

}  // namespace slotscape
