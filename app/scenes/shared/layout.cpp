#include "app/scenes/shared/layout.hpp"

#include "app/gui.hpp"
#include "app/scenes/slots/step/steps_gui.hpp"
#include "app/scenes/slots/view/furniture.hpp"

#include <algorithm>

namespace slotscape {
namespace {

constexpr float left_width = 306.0f;
constexpr float right_width = 338.0f;
/// Narrower canvases than this have the numbers in a tab beside the controls.
constexpr float least_canvas_width = 420.0f;

}  // namespace

SideLayout lay_out_sides(Look const& look, Rectangle const& window, bool controls, bool measures, float least_canvas)
{
  int const side_left = static_cast<int>(look(left_width));
  int const side_right = static_cast<int>(look(right_width));
  int const rest = window.width - side_left - side_right;
  SideLayout sides;
  sides.tabs = controls && measures && rest < static_cast<int>(look(least_canvas));
  int const left = controls ? side_left : 0;
  int const right = measures && !sides.tabs ? side_right : 0;
  sides.left = {window.x, window.y, left, window.height};
  sides.right = {window.x + window.width - right, window.y, right, window.height};
  return sides;
}

SlotsLayout lay_out(Look const& look, Rectangle const& window, Panels const& panels, StepState const& steps)
{
  bool const chooses = steps.on && !steps.player;                                  // cannot be done without the panel
  bool const controls = panels.controls && !(steps.on && steps.captions_on_maps);  // several maps need the room
  bool const measures = panels.numbers || panels.plots || chooses;
  SlotsLayout layout;
  layout.sides = lay_out_sides(look, window, controls || chooses, measures, least_canvas_width);
  if (!controls && !layout.sides.tabs) { layout.sides.left.width = 0; }
  int const left = layout.sides.left.width;
  int const middle = std::max(window.width - left - layout.sides.right.width, 1);
  int const toolbar = static_cast<int>(toolbar_height(look, static_cast<float>(middle)));
  int const legend = static_cast<int>(legend_height(look));
  int const caption = steps.on ? static_cast<int>(steps_caption_height(look, steps)) : 0;
  int const above = toolbar + caption;
  layout.toolbar = {window.x + left, window.y, middle, toolbar};
  layout.caption = {window.x + left, window.y + toolbar, middle, caption};
  layout.canvas = {window.x + left, window.y + above, middle, std::max(window.height - above - legend, 1)};
  layout.legend = {window.x + left, window.y + window.height - legend, middle, legend};
  return layout;
}

}  // namespace slotscape
