#include "app/base/text.hpp"
#include "app/table_map/cells.hpp"
#include "app/table_map/overlays.hpp"
#include "app/table_map/palette.hpp"
#include "app/table_map/slide_legend.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/look.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace slotscape {
namespace {

/// The label for an occupied slot whose key, if any, is not found by lookups.
char const* link_label(MapState const& state)
{
  return state.foreign == nullptr ? translatable("link") : translatable("lost key or second copy");
}

constexpr float scale_end_width = 104.0f;

void swatch(Look const& look, Color const& color, char const* label, bool hatched = false)
{
  float const side = look(13.0f);
  ImVec2 const cursor = ImGui::GetCursorScreenPos();
  ImVec2 const at{cursor.x, cursor.y + (ImGui::GetFrameHeight() - side) / 2.0f};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, {at.x + side, at.y + side}, packed(color), look(2.0f));
  if (hatched) {
    list.PushClipRect(at, {at.x + side, at.y + side}, true);
    for (float x = 0.0f; x < side * 2.0f; x += look(5.0f)) {
      list.AddLine({at.x + x, at.y}, {at.x + x - side, at.y + side}, packed(empty_color), look(1.4f));
    }
    list.PopClipRect();
  }
  list.AddRect(at, {at.x + side, at.y + side}, theme::frame_active, look(2.0f));
  ImGui::Dummy({side, ImGui::GetFrameHeight()});
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(tr(label));
  ImGui::SameLine(0.0f, look(16.0f));
}

std::string mark_text(double mark)
{
  bool const whole = mark < 1e5 && mark == std::floor(mark);
  return whole ? grouped(static_cast<std::uint64_t>(mark)) : brief_number(mark);
}

std::vector<ScaleMark> marks_of(MapState const& state)
{
  std::vector<ScaleMark> marks;
  for (double const mark : scale_marks(scale_end(state), state.settings.view.log_scale)) {
    marks.push_back({scale_share(state, mark), mark_text(mark)});
  }
  return marks;
}

/// Draws the numbers below the bar at `corner`.
void draw_marks(Look const& look, MapState const& state, ImVec2 corner, float width)
{
  ImDrawList& list = *ImGui::GetWindowDrawList();
  float const top = corner.y + look(3.0f);
  for (PlacedMark const& mark : placed_marks(look, marks_of(state), width)) {
    list.AddLine({corner.x + mark.tick, corner.y}, {corner.x + mark.tick, top}, theme::text_dim);
    list.AddText(look.font, look.small, {corner.x + mark.left, top}, theme::text_dim, mark.text.c_str());
  }
}

/// The colour scale, with numbers below it.
void color_scale(Look const& look, MapState const& state, float width)
{
  Palette const palette = state.settings.view.palette;
  ImVec2 const at = ImGui::GetCursorScreenPos();
  float const bar = look(10.0f);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (float x = 0.0f; x < width; x += 1.0f) {
    list.AddRectFilled({at.x + x, at.y}, {at.x + x + 1.0f, at.y + bar},
                       packed(palette_color(palette, static_cast<double>(x / width))));
  }
  draw_marks(look, state, {at.x, at.y + bar}, width);
  ImGui::Dummy({width, ImGui::GetFrameHeight()});
}

/// What the colours of live slots show.
std::string name_of_value(MapState const& state)
{
  switch (state.settings.view.color_by) {
    case ColorBy::cluster_length: return tr("Cluster length");
    case ColorBy::chain_length: return tr("Chain length");
    default: return translated(family_of(state).measure.name);
  }
}

std::string explained_value(MapState const& state)
{
  switch (state.settings.view.color_by) {
    case ColorBy::cluster_length: return tr("Length of the run of non-empty slots that each key is in.");
    case ColorBy::chain_length: return tr("Length of the chain that each key is in, in nodes.");
    default: break;
  }
  Measure const& measure = family_of(state).measure;
  return tr("{} of each key, in {}.", translated(measure.name), translated(measure.unit));
}

void explain_values(Look const& look, MapState const& state, Camera const& camera)
{
  ViewSettings const& view = state.settings.view;
  bool const many = camera.slot_pixels() < 1.0;
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(name_of_value(state).c_str());
  std::string const read_as = cell_legend(look, camera, view_of(state));
  hint(look, explained_value(state) + (read_as.empty() ? "" : "\n" + read_as));
  ImGui::SameLine();
  if (many) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextColored(theme::rgba(theme::text_dim), "%s", view.reduce == Reduce::max ? tr("max") : tr("mean"));
    hint(look, "A pixel covers several slots: it shows their maximum or their mean (M).");
    ImGui::SameLine();
  }
}

std::string scale_end_text(double end)
{
  if (end <= 0.0) { return tr("end auto"); }
  return tr("end {}", end < 1e4 ? fmt::format("{:.6g}", end) : brief_number(end));
}

void scale_end_control(Look const& look, ViewSettings& view)
{
  constexpr double first_choice = 8.0;
  constexpr double last_choice = 1 << 20;
  ImGui::SetNextItemWidth(look(scale_end_width));
  bool const open = ImGui::BeginCombo("##scale_end", scale_end_text(view.scale_max).c_str());
  if (!open) { hint(look, "Scale end: the value at which the colours end. auto follows the table's maximum."); }
  if (!open) { return; }
  if (ImGui::Selectable(scale_end_text(0.0).c_str(), view.scale_max <= 0.0)) { view.scale_max = 0.0; }
  for (double end = first_choice; end <= last_choice; end *= 2.0) {
    if (ImGui::Selectable(scale_end_text(end).c_str(), view.scale_max == end)) { view.scale_max = end; }
  }
  ImGui::EndCombo();
}

void scale_controls(Look const& look, ViewSettings& view)
{
  constexpr std::array<std::string_view, 2> scales{translatable("Log"), translatable("Linear")};
  float const segments = (ImGui::CalcTextSize(tr("Log")).x + ImGui::CalcTextSize(tr("Linear")).x) + look(40.0f);
  float const palette_width = look(92.0f);
  align_right(look(scale_end_width) + segments + palette_width + 2.0f * ImGui::GetStyle().ItemSpacing.x);
  scale_end_control(look, view);
  ImGui::SameLine();
  int chosen = view.log_scale ? 0 : 1;
  if (segmented(look, "scale", scales, chosen)) { view.log_scale = chosen == 0; }
  ImGui::SameLine();
  ImGui::SetNextItemWidth(palette_width);
  choose("##palette", view.palette);
}

/// The map's colour for a cell that has tombstones but no live key.
Color tombstone_tint()
{
  Color const empty = empty_color;
  Color const tombstone = tombstone_color;
  auto const mix = [](float from, float to) { return from + (to - from) * tombstone_strength; };
  return {mix(empty.red, tombstone.red), mix(empty.green, tombstone.green), mix(empty.blue, tombstone.blue)};
}

void value_legend(Look const& look, MapState& state, Camera const& camera)
{
  explain_values(look, state, camera);
  float const controls = look(210.0f + scale_end_width) + ImGui::GetStyle().ItemSpacing.x;
  float const room = ImGui::GetContentRegionAvail().x;
  bool const with_controls = room > controls + look(120.0f);
  RareSlots const rare = rare_slots(state);
  float const beside = rare.tombstones ? look(46.0f) + ImGui::CalcTextSize(tr("tombstone")).x : look(30.0f);
  float const width = std::min(room - (with_controls ? controls : 0.0f) - beside, look(300.0f));
  if (width > look(60.0f)) {
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + look(1.0f));
    color_scale(look, state, std::floor(width));
    ImGui::SameLine(0.0f, look(16.0f));
    ImGui::SetCursorPosY(look(8.0f));
    float const left = ImGui::GetContentRegionAvail().x - (with_controls ? controls : 0.0f);
    if (rare.tombstones) { swatch(look, tombstone_tint(), translatable("tombstone"), true); }
    if (left > look(170.0f)) { swatch(look, empty_color, translatable("empty")); }
    if (left > look(230.0f) && rare.links) { swatch(look, link_color, link_label(state)); }
    std::string const read_as = cell_legend(look, camera, view_of(state));
    float const rest = ImGui::GetContentRegionAvail().x - (with_controls ? controls : 0.0f);
    if (!read_as.empty() && rest > ImGui::CalcTextSize(read_as.c_str()).x) {
      ImGui::AlignTextToFramePadding();
      ImGui::TextColored(theme::rgba(theme::text_dim), "%s", read_as.c_str());
      ImGui::SameLine(0.0f, look(16.0f));
    }
    ImGui::Dummy({});
    ImGui::SameLine(0.0f, 0.0f);
  }
  if (with_controls) { scale_controls(look, state.settings.view); }
}

/// Lookups in foreign memory are invisible; only changes of a slot's key or value are seen.
char const* find_label(MapState const& state)
{
  return state.foreign == nullptr ? translatable("found") : translatable("changed");
}

constexpr double few = 8.0;  ///< up to this value, every number gets a mark

/// The spacing of marks on a linear scale: a quarter of its length if that is an integer, otherwise 1, 2 or 5 times a
/// power of ten.
double distance_of_marks(double end)
{
  if (end < few && end == std::floor(end)) { return 1.0; }
  if (std::fmod(end, 4.0) == 0.0) { return end / 4.0; }
  double const power = std::pow(10.0, std::floor(std::log10(end)));
  double const leading = end / power;
  return power * (leading < 1.5 ? 0.2 : leading < 3.5 ? 0.5 : leading < 7.0 ? 1.0 : 2.0);
}

}  // namespace

std::vector<double> scale_marks(double end, bool log_scale)
{
  std::vector<double> marks{0.0};
  if (log_scale && end >= few) {
    double const factor = end > 5000.0 ? 10.0 : end > 300.0 ? 8.0 : 4.0;
    for (double mark = 1.0; std::log1p(mark) < 0.86 * std::log1p(end); mark *= factor) { marks.push_back(mark); }
  } else {
    double const distance = distance_of_marks(end);
    auto const parts = static_cast<int>(std::ceil(end / distance - 0.6));  // leaves a gap between the last two marks
    for (int part = 1; part < parts; ++part) { marks.push_back(part * distance); }
  }
  marks.push_back(end);
  return marks;
}

std::vector<PlacedMark> placed_marks(Look const& look, std::span<ScaleMark const> marks, float width)
{
  float const gap = look(4.0f);
  auto const width_of = [&](std::string const& text) {
    return look.font->CalcTextSizeA(look.small, 1e9f, 0.0f, text.c_str()).x;
  };
  float const after_first = marks.empty() ? 0.0f : width_of(marks.front().text) + gap;
  float free_until = width + gap;
  std::vector<PlacedMark> placed;
  for (std::size_t i = marks.size(); i-- > 0;) {
    float const text_width = width_of(marks[i].text);
    float const tick = width * static_cast<float>(marks[i].share);
    float const left = std::clamp(tick - text_width / 2.0f, 0.0f, std::max(width - text_width, 0.0f));
    bool const touches = (i != 0 && left < after_first) || left + text_width + gap > free_until;
    placed.push_back({tick, left, touches ? std::string() : marks[i].text});
    if (!touches) { free_until = left; }
  }
  return placed;
}

RareSlots rare_slots(MapState const& state)
{
  RareSlots rare{state.statistics.tombstones > 0, state.statistics.links > 0};
  auto const note = [&](SlotInfo const& slot) {
    rare.tombstones = rare.tombstones || (slot.state == SlotState::tombstone && !is_reserved(state, slot));
    rare.links = rare.links || slot.state == SlotState::link;
  };
  if (!state.steps.player) { return rare; }
  for (Step const& step : state.steps.player->trace().steps) {
    for (SlotInfo const& slot : step.seen) { note(slot); }
    if (step.after) { note(*step.after); }
  }
  return rare;
}

void draw_slide_legend(Look const& look, Drawing& drawing, MapState const& state, RareSlots const& rare,
                       Rectangle const& place)
{
  SlideLegend legend(look, drawing, place);
  ViewSettings const& view = state.settings.view;
  switch (view.color_by) {
    case ColorBy::state: legend.swatch(live_color, tr("live")); break;
    case ColorBy::recent:
      legend.swatch(insert_flash, tr("inserted"));
      legend.swatch(find_flash, tr(find_label(state)));
      legend.swatch(erase_flash, tr("erased"));
      return;
    default:
      legend.word(name_of_value(state) + (view.log_scale ? tr(" (log)") : ""), 12.0f);
      legend.scale(view.palette, marks_of(state),
                   legend.width_of_swatch(tr("empty")) +
                       (rare.tombstones ? legend.width_of_swatch(tr("tombstone")) : 0.0f));
  }
  if (rare.tombstones) {
    legend.swatch(view.color_by == ColorBy::state ? Color(tombstone_color) : tombstone_tint(), tr("tombstone"));
  }
  legend.swatch(empty_color, tr("empty"));
  if (rare.links) { legend.swatch(link_color, tr(link_label(state))); }
}

float legend_height(Look const& look)
{
  return ImGui::GetFrameHeight() + look(16.0f);
}

void draw_legend(Look const& look, MapState& state, Camera const& camera, Rectangle const& place)
{
  ImGui::SetNextWindowPos({static_cast<float>(place.x), static_cast<float>(place.y)});
  ImGui::SetNextWindowSize({static_cast<float>(place.width), static_cast<float>(place.height)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look(14.0f), look(8.0f)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
  ImGui::Begin("##legend", nullptr, strip_flags);
  switch (state.settings.view.color_by) {
    case ColorBy::state:
      swatch(look, live_color, translatable("live"));
      swatch(look, tombstone_color, translatable("tombstone"), true);
      swatch(look, empty_color, translatable("empty"));
      if (rare_slots(state).links) { swatch(look, link_color, link_label(state)); }
      break;
    case ColorBy::recent:
      swatch(look, insert_flash, translatable("inserted"));
      swatch(look, find_flash, find_label(state));
      swatch(look, erase_flash, translatable("erased"));
      break;
    default: value_legend(look, state, camera);
  }
  ImGui::End();
  ImGui::PopStyleVar(2);
}

}  // namespace slotscape
