#include "app/base/text.hpp"
#include "app/table_map/map_view.hpp"
#include "app/table_map/overlays.hpp"
#include "app/table_map/step/draw.hpp"
#include "app/table_scene/gui.hpp"
#include "app/table_scene/toolbar.hpp"
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
/// In a lecture, the caption shows the last step and the outcome together, and the code is read from afar.
constexpr float lecture_step_height = 132.0f;
/// The text size of code below the map, relative to small text; `worth_code_below` is how much larger this layout must
/// make the cells.
constexpr float min_letters_below = 1.15f;
constexpr float max_letters_below = 2.0f;
constexpr float least_letters_aside = 0.8f;  ///< for code below a lecture's text, where the map keeps its size
constexpr double worth_code_below = 1.15;
constexpr double height_of_row = 4.5;  ///< in cells, including the arrows above; the code gets the rest

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
  Rectangle const& middle = layout.sides.middle;
  int const toolbar = static_cast<int>(toolbar_height(look, static_cast<float>(middle.width)));
  int const legend = static_cast<int>(legend_height(look));
  int const caption = steps.on ? static_cast<int>(steps_caption_height(look, steps)) : 0;
  int const above = toolbar + caption;
  layout.toolbar = {middle.x, middle.y, middle.width, toolbar};
  layout.caption = {middle.x, middle.y + toolbar, middle.width, caption};
  layout.canvas = {middle.x, middle.y + above, middle.width, std::max(middle.height - above - legend, 1)};
  layout.legend = {middle.x, middle.y + middle.height - legend, middle.width, legend};
  return layout;
}

TableSceneLayout lay_out_slide(Look const& look, Rectangle const& window, StepState const& steps)
{
  return lay_out_bare(look, window, steps, slide_step_height);
}

namespace {

/// The layout with the lecture's numbers, plots or code to the right of the map.
TableSceneLayout lay_out_with_side(Look const& look, Rectangle const& window, SideWidths const& widths, bool shows,
                                   StepState const& steps)
{
  SideLayout const sides = lay_out_sides(look, widths, window, false, shows, min_map_width);
  TableSceneLayout layout = lay_out_bare(look, sides.middle, steps, lecture_step_height);
  layout.sides = sides;
  return layout;
}

/// The layout with the code below the map and the legend; nullopt if the code would have to be scrolled.
std::optional<TableSceneLayout> lay_out_over_code(Look const& look, Rectangle const& window, TableState const& state)
{
  TableSceneLayout layout = lay_out_bare(look, window, state.steps, lecture_step_height);
  Rectangle const whole = layout.canvas;
  auto const take = [&](int code) {
    layout.canvas.height = whole.height - code;
    layout.legend.y = layout.canvas.y + layout.canvas.height;
    layout.sides.below = {window.x, window.y + window.height - code, window.width, code};
  };
  int const least = static_cast<int>(code_panel_height(look, state, min_letters_below * look.small));
  if (least > whole.height * 2 / 3) { return std::nullopt; }
  take(least);
  Camera const map = fitting_camera(look, layout.canvas, state);
  if (map.plane().rows() > 1) { return layout; }
  int const rest = whole.height - static_cast<int>(height_of_row * map.slot_pixels());
  int const most = static_cast<int>(code_panel_height(look, state, max_letters_below * look.small));
  take(std::clamp(rest, least, most));
  return layout;
}

/// Whether a row stays a row and a ring a ring, however small the cells: the table must not change its shape when steps
/// begin.
bool keeps_arrangement(Camera const& map, ViewSettings const& view)
{
  if (view.arrangement == Arrangement::row) { return map.plane().rows() == 1; }
  return view.arrangement != Arrangement::ring || map.plane().kind() == Plane::Kind::ring;
}

}  // namespace

TableSceneLayout lay_out_lecture(Look const& look, Rectangle const& window, Panels const& panels,
                                 TableState const& state, Rectangle const& aside)
{
  StepState const& steps = state.steps;
  bool const has_code = steps.player && !steps.captions_on_maps;
  if (!has_code) {
    bool const shows = !steps.on && (panels.numbers || panels.plots);
    return lay_out_with_side(look, window, panels.widths, shows, steps);
  }
  if (static_cast<float>(aside.height) >= code_panel_height(look, state, least_letters_aside * look.small)) {
    TableSceneLayout layout = lay_out_bare(look, window, steps, lecture_step_height);
    layout.sides.below = aside;
    return layout;
  }
  SideWidths const first{.right = SideWidths{}.lecture};
  TableSceneLayout const usual = lay_out_with_side(look, window, first, true, steps);
  auto const below = is_arranged(state) ? lay_out_over_code(look, window, state) : std::nullopt;
  Camera const beside = fitting_camera(look, usual.canvas, state);
  auto const is_worth_it = [&](Camera const& over) {
    bool const is_kept =
        keeps_arrangement(over, state.settings.view) && !keeps_arrangement(beside, state.settings.view);
    return is_kept || over.slot_pixels() >= worth_code_below * beside.slot_pixels();
  };
  if (below && is_worth_it(fitting_camera(look, below->canvas, state))) { return *below; }
  return lay_out_with_side(look, window, {.right = panels.widths.lecture, .sheet = panels.widths.sheet}, true, steps);
}

void draw_lecture_code(Look const& look, SideWidths& widths, SideLayout const& sides, TableState& state)
{
  SideWidths shown{.right = widths.lecture, .sheet = widths.sheet};
  draw_sides(look, shown, sides, {}, [&] { code_panel(look, state, sides.below.height > 0); });
  widths.lecture = shown.right;
  widths.sheet = shown.sheet;
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
    bool const is_named = caption.text.starts_with(title);  // at the start, the caption begins with the title
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
