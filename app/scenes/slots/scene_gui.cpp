#include "app/scene/work_bar.hpp"
#include "app/scenes/slots/panels/panels.hpp"
#include "app/scenes/slots/scene.hpp"
#include "app/table_map/overlays.hpp"
#include "app/table_scene/gui.hpp"
#include "app/table_scene/key_chips.hpp"
#include "app/table_scene/toolbar.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/sides.hpp"

namespace slotscape {
namespace {

void draw_controls(Look const& look, TableState& state, Panels& panels)
{
  table_panel(look, state);
  all_settings_button(look, state, panels);
  keys_panel(look, state);
  drive_panel(look, state);
  maintenance_panel(look, state);
  ImGui::Dummy({0.0f, look(8.0f)});
}

void draw_measures(Look const& look, TableState& state, Frame const& frame)
{
  if (frame.asks) { return remark(look, "The numbers are shown with the answer."); }
  if (frame.panels.numbers) { numbers_panel(look, state); }
  if (frame.panels.plots) { plots_panel(look, state, frame.charts); }
  ImGui::Dummy({0.0f, look(8.0f)});
}

}  // namespace

void SlotsScene::draw_gui(Frame const& frame)
{
  Look const& look = frame.look;
  TableSceneLayout const& layout = this->layout();
  state_.frames = frame.times;
  state_.few_settings = frame.few_settings;
  if (auto const key = view_.draw(look, state_)) { insert_dropped(state_, *key); }
  draw_toolbar(look, state_, layout.toolbar, state_.inspected.written);
  if (state_.steps.on) { draw_steps_caption(look, state_, layout.caption); }
  draw_legend(look, state_, view_.camera(), layout.legend);
  auto const controls = [&] { draw_controls(look, state_, frame.panels); };
  if (state_.steps.on) {
    draw_sides_in_steps(look, frame.panels.widths, layout.sides, controls, [&] { steps_panel(look, state_); });
  } else {
    draw_sides(look, frame.panels.widths, layout.sides, controls, [&] { draw_measures(look, state_, frame); });
  }
  draw_minimap_and_card(frame);
  draw_tombstone_warning(look, state_, view_);
  if (state_.progress && draw_progress(look, *state_.progress, layout.canvas)) { state_.ask(CancelWork{}); }
  slots_question(look, state_);
}

void SlotsScene::draw_slide(Look const& look, Drawing& drawing, bool paints)
{
  draw_slide_caption(look, drawing, state_, layout().caption);
  view_.draw_slide(look, drawing, state_, paints);
  draw_slide_legend(look, drawing, state_, rare_slots(state_), layout().legend);
}

void SlotsScene::draw_lecture_panels(Frame const& frame)
{
  state_.frames = frame.times;
  SideWidths& widths = frame.panels.widths;
  if (state_.steps.player) { return draw_lecture_code(frame.look, widths, layout().sides, state_); }
  draw_sides(frame.look, widths, layout().sides, {}, [&] { draw_measures(frame.look, state_, frame); });
}

void SlotsScene::draw_minimap_and_card(Frame const& frame)
{
  bool const whole = view_.camera().plane().kind() != Plane::Kind::grid && view_.camera().zoom() <= 1.001;
  bool const much_is_shown = whole || (state_.steps.on && view_.camera().zoom() < 4.0);
  if (state_.settings.view.show_minimap && !much_is_shown) {
    auto const center = draw_minimap(frame.look, view_.camera(), layout().canvas);
    if (center) { view_.look({view_.framing().zoom, *center}); }
  }
  Rectangle const& canvas = layout().canvas;
  bool const closed = frame.panels.slot_card &&
                      !draw_selection(frame.look, state_, view_.camera(), canvas, room_for_cards(state_, canvas));
  if (closed) { deselect(); }
}

}  // namespace slotscape
