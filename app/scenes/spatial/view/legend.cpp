#include "app/base/text.hpp"
#include "app/clouds/coordinate_steps.hpp"
#include "app/scenes/spatial/coloring.hpp"
#include "app/scenes/spatial/gui.hpp"
#include "app/scenes/spatial/placing.hpp"
#include "app/scenes/spatial/settings.hpp"
#include "app/table_map/overlays.hpp"
#include "app/table_map/slide_legend.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/look.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace slotscape {

void draw_swatch(ImDrawList& list, ImVec2 at, float side, ImU32 color, bool hollow)
{
  ImVec2 const end{at.x + side, at.y + side};
  float const rounding = side / 6.0f;
  if (hollow) {
    list.AddRect(at, end, color, rounding, 0, side / 9.0f);
  } else {
    list.AddRectFilled(at, end, color, rounding);
  }
}

void hiding_button(Look const& look, SpatialState& state, std::string const& id, std::uint8_t parts, ImVec2 size,
                   std::string const& called)
{
  bool const is_hidden = (state.settings.hidden & parts) == parts;
  if (ImGui::InvisibleButton(("##hide_" + id).c_str(), size, ImGuiButtonFlags_EnableNav)) {
    hide_or_show(state.settings, parts);
  }
  if (is_hidden) { return hint(look, tr("Hidden: {}. Click to show these voxels again.", called)); }
  bool const of_both = (parts & parts_of_status(spatial::VoxelStatus::intersection)) != 0;
  std::string text = tr("Click to hide these voxels: {}.", called);
  if (of_both) {
    text += fmt::format(
        " {}", tr("Keeps the parts that only A or only B has: between two surveys, everything that is new or gone."));
  }
  hint(look, text);
}

namespace {

void swatch(Look const& look, Color const& color, std::string const& label, bool hollow = false)
{
  ImVec2 at = ImGui::GetCursorScreenPos();
  float const side = look(12.0f);
  at.y += (ImGui::GetFrameHeight() - side) / 2.0f;
  draw_swatch(*ImGui::GetWindowDrawList(), at, side, packed(color), hollow);
  ImGui::Dummy({side, ImGui::GetFrameHeight()});
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  ImGui::TextColored(theme::rgba(hollow ? theme::text_faint : theme::text), "%s", label.c_str());
  ImGui::SameLine(0.0f, look(16.0f));
}

/// Each entry is a button that hides or shows its voxels.
void status_legend(Look const& look, SpatialState& state)
{
  StatusColors const& colors = status_colors(state.settings);
  for (EnumName<spatial::VoxelStatus> const& status : enum_names<spatial::VoxelStatus>()) {
    std::string const label = label_of_both(state, status.value);
    std::uint8_t const parts = parts_of_status(status.value);
    ImVec2 const at = ImGui::GetCursorPos();
    float const width = look(12.0f) + ImGui::GetStyle().ItemSpacing.x + ImGui::CalcTextSize(label.c_str()).x;
    hiding_button(look, state, std::string(status.text), parts, {width, ImGui::GetFrameHeight()}, label);
    ImGui::SetCursorPos(at);
    swatch(look, colors[status.value], label, (state.settings.hidden & parts) == parts);
  }
}

/// The palette, with its start, middle and end values below.
void color_scale(Look const& look, ModelsViewSettings const& view, std::array<std::string, 3> const& marks, float width)
{
  ImVec2 const at = ImGui::GetCursorScreenPos();
  float const bar = look(10.0f);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (float x = 0.0f; x < width; x += 1.0f) {
    list.AddRectFilled({at.x + x, at.y}, {at.x + x + 1.0f, at.y + bar},
                       packed(palette_color(view.palette, static_cast<double>(x / width))));
  }
  float const size = look.small;
  float const top = at.y + bar + look(2.0f);
  std::array<float, 3> const places{0.0f, 0.5f, 1.0f};
  for (std::size_t i = 0; i < marks.size(); ++i) {
    float const text_width = look.font->CalcTextSizeA(size, 1e9f, 0.0f, marks[i].c_str()).x;
    list.AddText(look.font, size, {at.x + (width - text_width) * places[i], top}, theme::text_dim, marks[i].c_str());
  }
  ImGui::Dummy({width, ImGui::GetFrameHeight()});
  ImGui::SameLine(0.0f, look(14.0f));
}

/// A scale and, if there is room, its palette controls. `end`: the end of a scale that may be logarithmic.
void scale_legend(Look const& look, ModelsViewSettings& view, std::array<std::string, 3> const& marks,
                  std::optional<double> end = std::nullopt)
{
  constexpr std::array<std::string_view, 2> scales{"Log", "Linear"};
  float const spacing = ImGui::GetStyle().ItemSpacing.x;
  bool const with_log = end.has_value();
  float const segments = with_log ? ImGui::CalcTextSize("LogLinear").x + look(40.0f) + spacing : 0.0f;
  float const palette = look(92.0f);
  float const controls = segments + palette;
  float const room = ImGui::GetContentRegionAvail().x;
  bool const with_controls = room > controls + look(120.0f);
  float const width = std::min(room - (with_controls ? controls + look(20.0f) : 0.0f), look(260.0f));
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + look(1.0f));
  color_scale(look, view, marks, std::floor(std::max(width, look(40.0f))));
  if (!with_controls) { return ImGui::NewLine(); }
  ImGui::SetCursorPosY(look(8.0f));
  align_right(controls);
  if (with_log) {
    int chosen = view.is_log_scale(*end) ? 0 : 1;
    if (segmented(look, "scale", scales, chosen)) { view.log_scale = chosen == 0; }
    ImGui::SameLine();
  }
  ImGui::SetNextItemWidth(palette);
  choose("##palette", view.palette);
}

/// Labels for 0, the middle and the end of the scale. Small scales get a middle label only if it is a whole number.
std::array<std::string, 3> marks_up_to(double end, bool log_scale)
{
  double const middle = log_scale ? std::round(std::expm1(std::log1p(end) / 2.0)) : end / 2.0;
  bool const has_middle = end >= few_values || middle == std::floor(middle);
  return {"0", has_middle ? brief_number(std::round(middle)) : "", brief_number(std::round(end))};
}

void value_legend(Look const& look, SpatialState& state, double end)
{
  ModelsViewSettings& view = state.settings.view;
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(std::string(to_label(view.paint_by)).c_str());
  ImGui::SameLine(0.0f, look(12.0f));
  scale_legend(look, view, marks_up_to(end, view.is_log_scale(end)), end);
}

std::span<std::uint8_t const> first_of(std::vector<std::uint8_t> const& classes, std::size_t room)
{
  return std::span(classes).first(std::min(classes.size(), room));
}

std::string not_shown(std::vector<std::uint8_t> const& classes, std::span<std::uint8_t const> shown)
{
  return shown.size() < classes.size() ? fmt::format("and {} more", classes.size() - shown.size()) : "";
}

/// Labels for the ends of an attribute's scale and the middle.
std::array<std::string, 3> marks_of(clouds::Coloring const& coloring)
{
  auto const [low, high] = coloring.range;
  return {clouds::text_of_length(low), clouds::text_of_length((low + high) / 2.0), clouds::text_of_length(high)};
}

/// Marks on a slide's scale: both ends and the middle.
std::array<ScaleMark, 3> on_scale(std::array<std::string, 3> const& marks)
{
  return {{{0.0, marks[0]}, {0.5, marks[1]}, {1.0, marks[2]}}};
}

std::string text_without_attribute(spatial::Model model)
{
  return tr("{} has none", letter_of(model));
}

/// Drawn over the canvas, because the strip below it has no room for so many. Clicks pass through.
void class_list(Look const& look, std::vector<std::uint8_t> const& classes, Rectangle const& canvas)
{
  float const margin = look(12.0f);
  float const bottom = static_cast<float>(canvas.y + canvas.height) - margin;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0.0f, look(2.0f)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {look(8.0f), 0.0f});
  auto const rows = static_cast<std::size_t>(static_cast<float>(canvas.height) / ImGui::GetFrameHeight());
  std::size_t const room = rows > 4 ? rows - 4 : 1;
  ImGui::SetNextWindowPos({static_cast<float>(canvas.x) + margin, bottom}, ImGuiCond_Always, {0.0f, 1.0f});
  ImGui::SetNextWindowBgAlpha(0.6f);
  ImGui::Begin("##classes", nullptr, strip_flags | ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_AlwaysAutoResize);
  auto const shown = first_of(classes, room);
  for (std::uint8_t const number : shown) {
    swatch(look, color_of(clouds::color_of_class(number)), clouds::name_of_class(number));
    ImGui::NewLine();
  }
  if (std::string const more = not_shown(classes, shown); !more.empty()) { ImGui::TextDisabled("%s", more.c_str()); }
  ImGui::End();
  ImGui::PopStyleVar(2);
}

bool shows_classes(SpatialState const& state)
{
  bool const by_attribute = state.settings.view.paint_by == spatial::PaintBy::attribute;
  return by_attribute && state.coloring && state.coloring->kind == clouds::Coloring::Kind::classes;
}

/// Offers a choice of attribute if there are several.
void choose_attribute(Look const& look, SpatialState& state)
{
  std::string const shown = attribute_asked_for(state);
  if (state.attributes.empty()) { return; }
  ImGui::SetNextItemWidth(std::min(look(150.0f), ImGui::CalcTextSize(shown.c_str()).x + look(46.0f)));
  if (ImGui::BeginCombo("##attribute", shown.c_str(), ImGuiComboFlags_HeightLargest)) {
    for (ColorChoice const& choice : color_choices(state)) {
      if (choice.paint_by != spatial::PaintBy::attribute) { continue; }
      if (ImGui::Selectable(choice.label.c_str(), is_chosen(state, choice))) { choose_color(state, choice); }
    }
    ImGui::EndCombo();
  }
  hint(look, "The attribute of the points, as their file names it. C goes through all of them.");
  ImGui::SameLine(0.0f, look(12.0f));
}

void attribute_legend(Look const& look, SpatialState& state)
{
  choose_attribute(look, state);
  ImGui::AlignTextToFramePadding();
  if (!state.coloring) { return ImGui::TextUnformatted(why_no_attribute(state).c_str()); }
  clouds::Coloring const& coloring = *state.coloring;
  for (spatial::Model const model : both_models) {
    if (!is_absent(state, model) && !has_attribute(state, model)) {
      swatch(look, neutral_color, text_without_attribute(model));
    }
  }
  if (coloring.kind != clouds::Coloring::Kind::numbers) { return ImGui::NewLine(); }
  scale_legend(look, state.settings.view, marks_of(coloring));
}

/// A column that ends above the other legend.
void class_list_of_slide(Look const& look, Drawing& drawing, std::vector<std::uint8_t> const& classes,
                         Rectangle const& above)
{
  int const row = static_cast<int>(std::ceil(1.4f * look.body));
  auto const room = static_cast<std::size_t>(std::max(above.height / row - 2, 1));
  auto const shown = first_of(classes, room);
  std::string const more = not_shown(classes, shown);
  int const rows = static_cast<int>(shown.size()) + (more.empty() ? 0 : 1);
  Rectangle place{above.x, above.y + above.height - rows * row, above.width, row};
  for (std::uint8_t const number : shown) {
    SlideLegend(look, drawing, place).swatch(color_of(clouds::color_of_class(number)), clouds::name_of_class(number));
    place.y += row;
  }
  if (!more.empty()) { SlideLegend(look, drawing, place).word(more, 0.0f); }
}

/// The slide's counterpart of `attribute_legend` and `class_list`.
void attribute_legend_of_slide(Look const& look, Drawing& drawing, SpatialState const& state, SlideLegend& legend,
                               Rectangle const& above)
{
  if (!state.coloring) { return legend.word(why_no_attribute(state), 12.0f); }
  clouds::Coloring const& coloring = *state.coloring;
  legend.word(coloring.name, 12.0f);
  if (coloring.kind == clouds::Coloring::Kind::numbers) {
    legend.scale(state.settings.view.palette, on_scale(marks_of(coloring)));
  }
  for (spatial::Model const model : both_models) {
    if (!is_absent(state, model) && !has_attribute(state, model)) {
      legend.swatch(neutral_color, text_without_attribute(model));
    }
  }
  if (shows_classes(state)) { class_list_of_slide(look, drawing, coloring.classes, above); }
}

}  // namespace

void draw_models_slide_legend(Look const& look, Drawing& drawing, SpatialState const& state, double scale_end,
                              Rectangle const& canvas)
{
  int const height = static_cast<int>(legend_height(look));
  SlideLegend legend(look, drawing, {canvas.x, canvas.y + canvas.height - height, canvas.width, height});
  ModelsViewSettings const& view = state.settings.view;
  switch (view.paint_by) {
    case spatial::PaintBy::status:
      for (EnumName<spatial::VoxelStatus> const& status : enum_names<spatial::VoxelStatus>()) {
        std::uint8_t const parts = parts_of_status(status.value);
        bool const is_hidden = (state.settings.hidden & parts) == parts;
        if (is_hidden && !view.ghosts) { continue; }
        legend.swatch(status_colors(state.settings)[status.value],
                      is_hidden ? tr("{} (hidden)", label_of_both(state, status.value))
                                : label_of_both(state, status.value),
                      is_hidden);
      }
      return;
    case spatial::PaintBy::model:
      for (spatial::Model const model : both_models) {
        if (!is_absent(state, model)) {
          legend.swatch(model_colors[static_cast<std::size_t>(model)], title_of(state, model));
        }
      }
      return;
    case spatial::PaintBy::attribute:
      return attribute_legend_of_slide(look, drawing, state, legend,
                                       {canvas.x, canvas.y, canvas.width, canvas.height - height});
    default:
      legend.word(translated(to_label(view.paint_by)), 12.0f);
      legend.scale(view.palette, on_scale(marks_up_to(scale_end, view.is_log_scale(scale_end))));
  }
}

void draw_models_legend(Look const& look, SpatialState& state, double scale_end, Rectangle const& canvas,
                        Rectangle const& place)
{
  if (shows_classes(state)) { class_list(look, state.coloring->classes, canvas); }
  ImGui::SetNextWindowPos({static_cast<float>(place.x), static_cast<float>(place.y)});
  ImGui::SetNextWindowSize({static_cast<float>(place.width), static_cast<float>(place.height)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look(14.0f), look(8.0f)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
  ImGui::Begin("##models_legend", nullptr, strip_flags);
  ModelsViewSettings const& view = state.settings.view;
  if (view.paint_by == spatial::PaintBy::status) {
    status_legend(look, state);
  } else if (view.paint_by == spatial::PaintBy::model) {
    for (spatial::Model const model : both_models) {
      if (!is_absent(state, model)) {
        swatch(look, model_colors[static_cast<std::size_t>(model)], title_of(state, model));
      }
    }
  } else if (view.paint_by == spatial::PaintBy::attribute) {
    attribute_legend(look, state);
  } else {
    value_legend(look, state, scale_end);
  }
  ImGui::End();
  ImGui::PopStyleVar(2);
}

}  // namespace slotscape
