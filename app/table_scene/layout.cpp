#include "app/table_scene/gui.hpp"

#include "app/table_map/overlays.hpp"

#include <algorithm>
#include <utility>

namespace slotscape {
namespace {

/// Below this width of the canvas, the numbers share a panel with the controls, as tabs.
constexpr float least_canvas_width = 420.0f;

}  // namespace

TableSceneLayout lay_out(Look const& look, Rectangle const& window, Panels const& panels, StepState const& steps)
{
  bool const chooses = steps.on && !steps.player;                                  // needs the panel
  bool const controls = panels.controls && !(steps.on && steps.captions_on_maps);  // several maps need the room
  bool const measures = panels.numbers || panels.plots || chooses;
  TableSceneLayout layout;
  layout.sides = lay_out_sides(look, panels.widths, window, controls || chooses, measures, least_canvas_width);
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

void draw_sides_in_steps(Look const& look, SideWidths& widths, SideLayout sides, std::function<void()> const& controls,
                         std::function<void()> const& steps)
{
  bool const shared = std::exchange(sides.tabs, false);
  draw_sides(look, widths, sides, shared ? steps : controls, steps);
}

}  // namespace slotscape
