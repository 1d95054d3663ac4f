#include "app/scenes/spatial/gui.hpp"
#include "app/scenes/spatial/settings.hpp"
#include "app/widgets/controls.hpp"

#include <array>
#include <string_view>

namespace slotscape {
namespace {

constexpr ImGuiWindowFlags strip_flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                         ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus;
constexpr float one_row_width = 790.0f;

template <class Enum>
void enum_segments(Look const& look, char const* id, std::span<std::string_view const> labels, Enum& value)
{
  auto const names = enum_names<Enum>();
  int chosen = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].value == value) { chosen = static_cast<int>(i); }
  }
  if (segmented(look, id, labels, chosen)) { value = names[static_cast<std::size_t>(chosen)].value; }
}

}  // namespace

float models_toolbar_height(Look const& look, float width)
{
  float const row = ImGui::GetFrameHeight();
  bool const two_rows = width < look(one_row_width);
  return row + look(16.0f) + (two_rows ? row + ImGui::GetStyle().ItemSpacing.y : 0.0f);
}

void draw_models_toolbar(Look const& look, SpatialState& state, Rectangle const& place)
{
  constexpr std::array<std::string_view, 5> booleans{"Both", "Union", "Intersection", "A − B", "B − A"};
  constexpr std::array<std::string_view, 5> paints{"Status", "Model", "Points", "Probe", "Slot"};
  constexpr std::array<std::string_view, 2> kinds{"Voxels", "Points"};
  ImGui::SetNextWindowPos({static_cast<float>(place.x), static_cast<float>(place.y)});
  ImGui::SetNextWindowSize({static_cast<float>(place.width), static_cast<float>(place.height)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look(10.0f), look(8.0f)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
  ImGui::Begin("##models_toolbar", nullptr, strip_flags);
  enum_segments(look, "boolean", booleans, state.settings.boolean);
  if (static_cast<float>(place.width) >= look(one_row_width)) { ImGui::SameLine(); }
  enum_segments(look, "paint", paints, state.settings.view.paint_by);
  ImGui::SameLine();
  enum_segments(look, "kind", kinds, state.settings.view.kind);
  ImGui::End();
  ImGui::PopStyleVar(2);
}

}  // namespace slotscape
