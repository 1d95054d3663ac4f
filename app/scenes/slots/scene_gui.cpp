#include "app/scenes/shared/sides.hpp"
#include "app/scenes/slots/panels/panels.hpp"
#include "app/scenes/slots/scene.hpp"
#include "app/scenes/slots/step/steps_gui.hpp"
#include "app/scenes/slots/view/furniture.hpp"

#include <algorithm>
#include <cmath>

namespace slotscape {
namespace {

constexpr float left_width = 306.0f;
constexpr float right_width = 338.0f;
/// Narrower canvases than this have the numbers in a tab beside the controls.
constexpr float least_canvas_width = 420.0f;

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

SlotsLayout lay_out(Look const& look, Rectangle const& window, Panels const& panels, StepState const& steps)
{
  int const side_left = static_cast<int>(look(left_width));
  int const side_right = static_cast<int>(look(right_width));
  bool const chooses = steps.on && !steps.player;                                  // cannot be done without the panel
  bool const controls = panels.controls && !(steps.on && steps.captions_on_maps);  // several maps need the room
  bool const measures = panels.numbers || panels.plots || chooses;
  int const rest = window.width - side_left - side_right;
  SlotsLayout layout;
  layout.tabs = (controls || chooses) && measures && rest < static_cast<int>(look(least_canvas_width));
  int const left = controls || (chooses && layout.tabs) ? side_left : 0;
  int const right = measures && !layout.tabs ? side_right : 0;
  int const middle = std::max(window.width - left - right, 1);
  int const toolbar = static_cast<int>(toolbar_height(look, static_cast<float>(middle)));
  int const legend = static_cast<int>(legend_height(look));
  layout.left = {window.x, window.y, left, window.height};
  layout.right = {window.x + window.width - right, window.y, right, window.height};
  layout.toolbar = {window.x + left, window.y, middle, toolbar};
  int const caption = steps.on ? static_cast<int>(steps_caption_height(look, steps)) : 0;
  int const above = toolbar + caption;
  layout.caption = {window.x + left, window.y + toolbar, middle, caption};
  layout.canvas = {window.x + left, window.y + above, middle, std::max(window.height - above - legend, 1)};
  layout.legend = {window.x + left, window.y + window.height - legend, middle, legend};
  return layout;
}

void SlotsScene::draw_gui(Look const& look, SlotsLayout const& layout, Panels const& panels)
{
  view_.draw(look, state_);
  draw_toolbar(look, state_, layout.toolbar);
  if (state_.steps.on) { draw_steps_caption(look, state_, layout.caption); }
  draw_legend(look, state_, view_.camera(), layout.legend);
  if (state_.steps.on) {
    auto const steps = [&] { steps_panel(look, state_); };
    SlotsLayout without_tabs = layout;
    without_tabs.tabs = false;
    if (layout.tabs) {
      draw_sides(look, without_tabs, steps, steps);
    } else {
      draw_sides(
          look, layout, [&] { draw_controls(look, state_); }, steps);
    }
  } else {
    draw_sides(
        look, layout, [&] { draw_controls(look, state_); }, [&] { draw_measures(look, state_, panels); });
  }
  ViewSettings& view = state_.settings.view;
  bool const much_is_shown = state_.steps.on && view_.camera().zoom() < 4.0;
  if (view.show_minimap && !much_is_shown) {
    if (auto const center = draw_minimap(look, view_.camera(), layout.canvas)) {
      view.center_x = center->x;
      view.center_y = center->y;
    }
  }
  if (panels.slot_card && !draw_selection(look, state_, layout.canvas)) {
    state_.selection.pinned.reset();
    state_.selection.lookup.reset();
  }
  if (state_.progress && draw_progress(look, *state_.progress, layout.canvas)) { state_.ask(CancelWork{}); }
  slots_question(look, state_);
}

}  // namespace slotscape
