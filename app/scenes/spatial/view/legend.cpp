#include "app/base/text.hpp"
#include "app/scenes/spatial/gui.hpp"
#include "app/scenes/spatial/settings.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/look.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace slotscape {
namespace {

constexpr ImGuiWindowFlags strip_flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                         ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus;

void swatch(Look const& look, Color const& color, std::string const& label)
{
  ImVec2 at = ImGui::GetCursorScreenPos();
  float const side = look(12.0f);
  at.y += (ImGui::GetFrameHeight() - side) / 2.0f;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, {at.x + side, at.y + side}, packed(color), look(2.0f));
  ImGui::Dummy({side, ImGui::GetFrameHeight()});
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(label.c_str());
  ImGui::SameLine(0.0f, look(16.0f));
}

/// The palette with its ends below it.
void color_scale(Look const& look, ModelsViewSettings const& view, double end, float width)
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
  std::array<double, 3> const marks{0.0, view.is_log_scale() ? std::expm1(std::log1p(end) / 2.0) : end / 2.0, end};
  std::array<float, 3> const places{0.0f, 0.5f, 1.0f};
  for (std::size_t i = 0; i < marks.size(); ++i) {
    std::string const text = brief_number(std::round(marks[i]));
    float const text_width = look.font->CalcTextSizeA(size, 1e9f, 0.0f, text.c_str()).x;
    list.AddText(look.font, size, {at.x + (width - text_width) * places[i], top}, theme::text_dim, text.c_str());
  }
  ImGui::Dummy({width, ImGui::GetFrameHeight()});
  ImGui::SameLine(0.0f, look(14.0f));
}

void value_legend(Look const& look, SpatialState& state, double end)
{
  constexpr std::array<std::string_view, 2> scales{"Log", "Linear"};
  ModelsViewSettings& view = state.settings.view;
  std::string const label(to_label(view.paint_by));
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(label.c_str());
  ImGui::SameLine(0.0f, look(12.0f));
  float const segments = ImGui::CalcTextSize("LogLinear").x + look(40.0f);
  float const palette = look(92.0f);
  float const controls = segments + palette + ImGui::GetStyle().ItemSpacing.x;
  float const room = ImGui::GetContentRegionAvail().x;
  bool const with_controls = room > controls + look(120.0f);
  float const width = std::min(room - (with_controls ? controls + look(20.0f) : 0.0f), look(260.0f));
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + look(1.0f));
  color_scale(look, view, end, std::floor(std::max(width, look(40.0f))));
  if (!with_controls) { return ImGui::NewLine(); }
  ImGui::SetCursorPosY(look(8.0f));
  align_right(controls);
  int chosen = view.is_log_scale() ? 0 : 1;
  if (segmented(look, "scale", scales, chosen)) { view.log_scale = chosen == 0; }
  ImGui::SameLine();
  ImGui::SetNextItemWidth(palette);
  choose("##palette", view.palette);
}

}  // namespace

void draw_models_legend(Look const& look, SpatialState& state, double scale_end, Rectangle const& place)
{
  ImGui::SetNextWindowPos({static_cast<float>(place.x), static_cast<float>(place.y)});
  ImGui::SetNextWindowSize({static_cast<float>(place.width), static_cast<float>(place.height)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look(14.0f), look(8.0f)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
  ImGui::Begin("##models_legend", nullptr, strip_flags);
  ModelsViewSettings const& view = state.settings.view;
  if (view.paint_by == spatial::PaintBy::status) {
    for (EnumName<spatial::VoxelStatus> const& status : enum_names<spatial::VoxelStatus>()) {
      swatch(look, status_colors(view)[status.value], label_of_both(state, status.value));
    }
  } else if (view.paint_by == spatial::PaintBy::model) {
    for (spatial::Model const model : both_models) {
      swatch(look, model_colors[static_cast<std::size_t>(model)], title_of(state, model));
    }
  } else {
    value_legend(look, state, scale_end);
  }
  ImGui::End();
  ImGui::PopStyleVar(2);
}

}  // namespace slotscape
