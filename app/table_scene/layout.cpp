#include "app/base/text.hpp"
#include "app/table_map/overlays.hpp"
#include "app/table_map/step/draw.hpp"
#include "app/table_scene/gui.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace slotscape {
namespace {

/// Below this width of the canvas, the numbers share a panel with the controls, as tabs.
constexpr float min_map_width = 420.0f;
constexpr float slide_title_height = 42.0f;
constexpr float slide_step_height = 86.0f;
constexpr float slide_legend_height = 42.0f;
/// In a lecture, the last step and what became of the key stand there together, and the code is read from afar.
constexpr float lecture_step_height = 132.0f;
constexpr SideWidths lecture_widths{.right = 420.0f};

TableSceneLayout lay_out_bare(Look const& look, Rectangle const& window, StepState const& steps, float step_height)
{
  float const wanted = steps.captions_on_maps ? 0.0f : steps.player ? step_height : slide_title_height;
  int const caption = std::min(static_cast<int>(look(wanted)), window.height - 1);
  TableSceneLayout layout;
  layout.caption = {window.x, window.y, window.width, caption};
  int const legend = std::min(static_cast<int>(look(slide_legend_height)), window.height - caption - 1);
  layout.canvas = {window.x, window.y + caption, window.width, window.height - caption - legend};
  layout.legend = {window.x, window.y + window.height - legend, window.width, legend};
  return layout;
}

}  // namespace

TableSceneLayout lay_out(Look const& look, Rectangle const& window, Panels const& panels, StepState const& steps)
{
  bool const controls = panels.controls && !(steps.on && steps.captions_on_maps);  // several maps need the room
  bool const measures = panels.numbers || panels.plots;
  TableSceneLayout layout;
  layout.sides = lay_out_sides(look, panels.widths, window, controls, measures, min_map_width);
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

TableSceneLayout lay_out_slide(Look const& look, Rectangle const& window, StepState const& steps)
{
  return lay_out_bare(look, window, steps, slide_step_height);
}

TableSceneLayout lay_out_lecture(Look const& look, Rectangle const& window, Panels const& panels,
                                 StepState const& steps)
{
  bool const has_code = steps.player && !steps.captions_on_maps;
  bool const shows = steps.on ? has_code : panels.numbers || panels.plots;
  SideLayout const sides = lay_out_sides(look, has_code ? lecture_widths : SideWidths{}, window, false, shows, 0.0f);
  TableSceneLayout layout = lay_out_bare(look, {window.x, window.y, window.width - sides.right.width, window.height},
                                         steps, lecture_step_height);
  layout.sides = sides;
  return layout;
}

void draw_slide_caption(Look const& look, Drawing& drawing, TableState const& state, Rectangle const& place,
                        bool is_one_of_several)
{
  std::string const table = tr("{} · {} slots · α {:.2f}", translated(family_of(state).title),
                               grouped(state.settings.table.slots), halves_up(state.statistics.load_factor()));
  StepCaption caption =
      state.steps.player ? caption_of(*state.steps.player, state.steps.shows_upcoming) : StepCaption{{}, 0, table, {}};
  if (is_one_of_several && !caption.summary.empty()) { caption.text.clear(); }
  if (!is_one_of_several && state.steps.player) {
    std::string const title = title_of(*state.steps.player);
    bool const is_named = caption.text.starts_with(title);  // as at the start
    caption.text =
        is_named ? fmt::format("{} · {}", table, caption.text) : fmt::format("{} · {}. {}", table, title, caption.text);
  }
  float const margin = look(14.0f);
  ImVec2 const low{static_cast<float>(place.x) + margin, static_cast<float>(place.y) + margin / 2.0f};
  draw_caption(look, drawing, low,
               {static_cast<float>(place.x + place.width) - margin, static_cast<float>(place.y + place.height)},
               caption);
}

void draw_sides_in_steps(Look const& look, SideWidths& widths, SideLayout sides, std::function<void()> const& controls,
                         std::function<void()> const& steps)
{
  bool const shared = std::exchange(sides.tabs, false);
  draw_sides(look, widths, sides, shared ? steps : controls, steps);
}

}  // namespace slotscape
