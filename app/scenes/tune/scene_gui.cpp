#include "app/scenes/tune/scene.hpp"

#include "app/widgets/canvas_window.hpp"
#include "app/widgets/drawing.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>
#include <cmath>

namespace slotscape {
namespace {

constexpr float bar_height = 40.0f;
constexpr float side_by_side_width = 900.0f;
constexpr float reach = 11.0f;  ///< maximum distance of the mouse from a mark
constexpr float card_clearance = 40.0f;

void draw_controls(Look const& look, TuneState& state)
{
  workload_panel(look, state);
  keys_of_workload_panel(look, state);
  operations_panel(look, state);
  limits_panel(look, state);
  shards_panel(look, state);
  present_panel(look, state);
  ImGui::Dummy({0.0f, look(8.0f)});
}

void draw_measures(Look const& look, TuneState& state, Frame const& frame)
{
  if (frame.panels.numbers) {
    answer_panel(look, state);
    skipped_panel(look, state);
  }
  if (frame.panels.plots) { hashes_panel(look, state, frame.charts); }
  ImGui::Dummy({0.0f, look(8.0f)});
}

Rectangle left_part(Rectangle const& place, double share)
{
  return {place.x, place.y, static_cast<int>(std::lround(place.width * share)), place.height};
}
Rectangle upper_part(Rectangle const& place, double share)
{
  return {place.x, place.y, place.width, static_cast<int>(std::lround(place.height * share))};
}
Rectangle right_of(Rectangle const& part, Rectangle const& place)
{
  return {part.x + part.width, place.y, place.width - part.width, place.height};
}
Rectangle below(Rectangle const& part, Rectangle const& place)
{
  return {place.x, part.y + part.height, place.width, place.height - part.height};
}

}  // namespace

void TuneScene::lay_out(Frame const& frame)
{
  Look const& look = frame.look;
  Rectangle const& window = frame.window;
  Panels const& panels = frame.panels;
  layout_ = {};
  if (frame.bare) {
    layout_.plots = window;
    place_plots(look, window);
    return place_canvas(window);
  }
  layout_.sides =
      lay_out_sides(look, panels.widths, window, panels.controls, panels.numbers || panels.plots, min_canvas_width);
  Rectangle const& middle = layout_.sides.middle;
  int const bar = static_cast<int>(look(bar_height));
  layout_.sweep = {middle.x, middle.y, middle.width, bar};
  layout_.views = {middle.x, middle.y + bar, middle.width, bar};
  layout_.plots = {middle.x, middle.y + 2 * bar, middle.width, std::max(middle.height - 2 * bar, 1)};
  place_canvas(layout_.plots);
  place_plots(look, layout_.plots);
}

void TuneScene::place_plots(Look const& look, Rectangle const& place)
{
  using tuning::Plot;
  plots_.clear();
  state_.printed.clear();
  if (state_.settings.printed && state_.results) { state_.printed = tuning::printed_rates(state_.results->workload); }
  if (!state_.results || state_.results->measured.empty()) { return; }
  switch (state_.settings.view) {
    case TuneView::tradeoff: plots_.push_back({Plot::tradeoff, place}); return;
    case TuneView::load: plots_.push_back({Plot::load, place}); return;
    case TuneView::latency: plots_.push_back({Plot::latency, place}); return;
    case TuneView::code: return;
    case TuneView::all: break;
  }
  bool const beside = static_cast<float>(place.width) >= look(side_by_side_width);
  Rectangle const main = beside ? left_part(place, 0.56) : upper_part(place, 0.55);
  Rectangle const rest = beside ? right_of(main, place) : below(main, place);
  Rectangle const first = beside ? upper_part(rest, 0.5) : left_part(rest, 0.5);
  plots_.push_back({Plot::tradeoff, main});
  plots_.push_back({Plot::load, first});
  plots_.push_back({Plot::latency, beside ? below(first, rest) : right_of(first, rest)});
}

void TuneScene::draw_plots_with(Look const& look, Drawing& drawing)
{
  for (ShownPlot& shown : plots_) {
    tuning::PlotOptions options;
    options.low = {static_cast<float>(shown.place.x), static_cast<float>(shown.place.y)};
    options.size = {static_cast<float>(shown.place.width), static_cast<float>(shown.place.height)};
    options.selected = state_.selected;
    options.compared = state_.compared;
    options.printed = state_.printed;
    shown.marks = tuning::draw_plot(look, drawing, shown.plot, *state_.results, state_.choice, options);
  }
}

/// Finds the mark under the mouse. A click selects it; a double click opens it.
void TuneScene::follow_mouse(Look const& look)
{
  state_.hovered.reset();
  if (!ImGui::IsItemHovered()) { return; }
  ImVec2 const mouse = ImGui::GetIO().MousePos;
  float nearest = look(reach);
  tuning::PlotMark const* under_mouse = nullptr;
  for (ShownPlot const& shown : plots_) {
    for (tuning::PlotMark const& mark : shown.marks) {
      float const distance = std::hypot(mark.at.x - mouse.x, mark.at.y - mouse.y);
      if (distance >= nearest) { continue; }  // ties go to the first, as on the frontier
      nearest = distance;
      under_mouse = &mark;
    }
  }
  bool const is_printed = under_mouse != nullptr && under_mouse->printed;
  if (is_printed) { ImGui::SetTooltip("%s", tuning::text_of(state_.printed[under_mouse->measured]).c_str()); }
  if (under_mouse != nullptr && !is_printed) { state_.hovered = under_mouse->measured; }
  bool const twice = ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
  if (twice && state_.hovered) { return state_.ask(OpenInSlots{*state_.hovered}); }
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) { select(state_.hovered); }
  if (state_.hovered) { draw_mark_tooltip(look, state_, *state_.hovered); }
}

void TuneScene::draw_plots(Look const& look)
{
  begin_canvas_window("##tune_plots", layout_.plots);
  ImGui::InvisibleButton("##marks",
                         {static_cast<float>(layout_.plots.width), static_cast<float>(layout_.plots.height)});
  ScreenDrawing drawing(*ImGui::GetWindowDrawList(), look.font);
  draw_plots_with(look, drawing);
  follow_mouse(look);
  ImGui::End();
}

FrameFacts TuneScene::analyse(Frame const& frame)
{
  if (auto const save = std::exchange(saving_, nullptr)) {
    Look on_paper = frame.look;
    on_paper.background = Background::light;
    save(on_paper);
  }
  return {};
}

void TuneScene::draw_slide(Look const& look, Drawing& drawing, bool /*paints*/)
{
  need_results();
  if (plots_.empty()) { throw Error(tr("The canvas shows code, not a picture: choose a plot (V).")); }
  draw_plots_with(look, drawing);
}

void TuneScene::draw_gui(Frame const& frame)
{
  Look const& look = frame.look;
  draw_sweep_bar(look, state_, layout_.sweep);
  draw_view_bar(look, state_, layout_.views);
  bool const has_results = state_.results && !state_.results->measured.empty();
  if (state_.settings.view == TuneView::code) {
    draw_code(look, state_, layout_.plots);
  } else if (has_results) {
    draw_plots(look);
  } else if (!state_.sweeping) {
    draw_welcome(look, state_, layout_.plots);
  }
  draw_sides(
      look, frame.panels.widths, layout_.sides, [&] { draw_controls(look, state_); },
      [&] { draw_measures(look, state_, frame); });
  if (frame.panels.slot_card && !plots_.empty() && state_.measured(state_.selected) != nullptr) {
    for (tuning::PlotMark const& mark : plots_.front().marks) {
      if (!mark.printed && mark.measured == *state_.selected) {
        card_ = beside(look, card_, layout_.plots, mark.at, look(card_clearance));
      }
    }
    if (!draw_mark_card(look, state_, layout_.plots, card_)) { select(std::nullopt); }
  }
  note_changes();
}

}  // namespace slotscape
