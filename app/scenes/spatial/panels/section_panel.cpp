#include "app/base/text.hpp"
#include "app/scenes/spatial/coordinates.hpp"
#include "app/scenes/spatial/gui.hpp"
#include "app/scenes/spatial/settings.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/setting_row.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace slotscape {
namespace {

using spatial::Section;
using spatial::Vector;

/// A field for a position with this many decimals. Returns the typed value when Enter is pressed.
std::optional<double> place_field(char const* id, double place, int decimals, float width)
{
  double typed = place;
  ImGui::SetNextItemWidth(width);
  std::string const format = fmt::format("%.{}f", decimals);
  if (!ImGui::InputDouble(id, &typed, 0.0, 0.0, format.c_str(), ImGuiInputTextFlags_EnterReturnsTrue)) {
    return std::nullopt;
  }
  bool const is_as_shown = fmt::format("{:.{}f}", place, decimals) == fmt::format("{:.{}f}", typed, decimals);
  return is_as_shown ? std::nullopt : std::optional(typed);
}

/// The number of decimals that single precision resolves for positions in the grid.
int decimals_of(AxisScale const& scale, spatial::VoxelGrid const& grid)
{
  double const step = 1e-5 * static_cast<double>(grid.extent) * std::abs(scale.factor);
  return std::clamp(static_cast<int>(std::ceil(-std::log10(step))), 0, 9);
}

/// The limits of the section's box along an axis of the scene.
void side_row(Look const& look, SpatialState& state, std::size_t axis)
{
  constexpr std::array parts{&Vector::x, &Vector::y, &Vector::z};
  auto const part = parts[axis];
  Section& section = state.settings.section;
  AxisScale const scale = axis_scale(state, axis);
  bool const turned = scale.factor < 0.0;  // the file's axis points the other way
  float& first = (turned ? section.high : section.low).*part;
  float& last = (turned ? section.low : section.high).*part;
  row_label(look, std::string(1, scale.name).c_str());
  ImGui::PushID(static_cast<int>(axis));
  float const width = (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x) / 2.0f;
  int const decimals = decimals_of(scale, state.settings.hashing.grid);
  auto const field = [&](char const* id, float& place) {
    auto const typed = place_field(id, scale.told(static_cast<double>(place)), decimals, width);
    std::string text = scale.is_of_file ? tr("The extent of the box, in the coordinates of the file.")
                                        : tr("The extent of the box, in units of the scene.");
    if (!scale.unit.empty()) { text += fmt::format(" ({})", scale.unit); }
    hint(look, text);
    if (!typed) { return; }
    double const in_scene = scale.in_scene(*typed);
    Section wanted = section;
    float& wanted_place = &place == &(section.low.*part) ? wanted.low.*part : wanted.high.*part;
    wanted_place = static_cast<float>(std::clamp(in_scene, -farthest_position, farthest_position));
    if (wanted.low.*part < wanted.high.*part) {
      section = wanted;
    } else {
      state.notice = tr("The box would be empty along {}: enter its lower end first.", scale.name);
    }
  };
  field("##first", first);
  ImGui::SameLine();
  field("##last", last);
  ImGui::PopID();
}

void plane_row(Look const& look, SpatialState& state)
{
  Section& section = state.settings.section;
  row_label(look, "Plane");
  if (text_button(section.cuts ? translatable("Turn to the view") : translatable("Cut"))) { state.ask(CutSection{}); }
  hint(look,
       "Cut away everything in front of the middle of the box, with a plane that faces the current view. Drag its "
       "handle to move it.");
  if (!section.cuts) { return; }
  ImGui::SameLine();
  if (text_button("Without")) { section.cuts = false; }
  hint(look, "The box alone, without the plane.");
}

}  // namespace

void section_panel(Look const& look, SpatialState& state)
{
  Section& section = state.settings.section;
  heading(look, "SECTION");
  setting_row(look, "shown", section);
  if (!section.shown) { return; }
  for (std::size_t axis = 0; axis < 3; ++axis) { side_row(look, state, axis); }
  plane_row(look, state);
  if (text_button("Fit the models")) { state.ask(FitSection{}); }
  hint(look, "Put the box around both models again, without a plane.");
  std::uint64_t points = 0;
  std::uint64_t voxels = 0;
  for (spatial::Model const model : both_models) {
    points += state.snapshot.models[model].points_in_section;
    voxels += state.snapshot.models[model].voxels_in_section();
  }
  remark(look,
         tr("Inside: {} points and {} voxels, which are counted by their centres.", grouped(points), grouped(voxels)));
}

}  // namespace slotscape
