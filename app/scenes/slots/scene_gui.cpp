#include "app/scenes/shared/sides.hpp"
#include "app/scenes/slots/panels/panels.hpp"
#include "app/scenes/slots/scene.hpp"
#include "app/scenes/slots/step/steps_gui.hpp"
#include "app/scenes/slots/view/furniture.hpp"

namespace slotscape {
namespace {

void draw_controls(Look const& look, SlotsState& state)
{
  table_panel(look, state);
  keys_panel(look, state);
  drive_panel(look, state);
  maintenance_panel(look, state);
  ImGui::Dummy({0.0f, look(8.0f)});
}

void draw_measures(Look const& look, SlotsState& state, Panels const& panels)
{
  if (panels.numbers) { numbers_panel(look, state); }
  if (panels.plots) { plots_panel(look, state); }
  ImGui::Dummy({0.0f, look(8.0f)});
}

}  // namespace

void SlotsScene::draw_gui(Look const& look, Panels const& panels)
{
  SlotsLayout const& layout = this->layout();
  view_.draw(look, state_);
  draw_toolbar(look, state_, layout.toolbar);
  if (state_.steps.on) { draw_steps_caption(look, state_, layout.caption); }
  draw_legend(look, state_, view_.camera(), layout.legend);
  if (state_.steps.on) {
    auto const steps = [&] { steps_panel(look, state_); };
    SideLayout without_tabs = layout.sides;
    without_tabs.tabs = false;
    if (layout.sides.tabs) {
      draw_sides(look, without_tabs, steps, steps);
    } else {
      draw_sides(
          look, layout.sides, [&] { draw_controls(look, state_); }, steps);
    }
  } else {
    draw_sides(
        look, layout.sides, [&] { draw_controls(look, state_); }, [&] { draw_measures(look, state_, panels); });
  }
  ViewSettings& view = state_.settings.view;
  bool const much_is_shown = state_.steps.on && view_.camera().zoom() < 4.0;
  if (view.show_minimap && !much_is_shown) {
    if (auto const center = draw_minimap(look, view_.camera(), layout.canvas)) {
      view.center_x = center->x;
      view.center_y = center->y;
    }
  }
  if (panels.slot_card && !draw_selection(look, state_, layout.canvas)) { let_go(); }
  if (state_.progress && draw_progress(look, *state_.progress, layout.canvas)) { state_.ask(CancelWork{}); }
  slots_question(look, state_);
}

}  // namespace slotscape
