#include "app/scenes/spatial/coloring.hpp"
#include "app/scenes/spatial/gui.hpp"
#include "app/scenes/spatial/placing.hpp"
#include "app/scenes/spatial/settings.hpp"
#include "app/widgets/controls.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace slotscape {
namespace {

/// Attributes are offered only if a model has some.
bool offers_attributes(SpatialState const& state)
{
  return state.settings.view.paint_by == spatial::PaintBy::attribute || !state.attributes.empty();
}

bool fits_one_row(Look const& look, SpatialState const& state, float width)
{
  return is_one_alone(state) || width >= look(offers_attributes(state) ? 948.0f : 868.0f);
}

/// `names`: those of the labels.
template <class Enum>
void enum_segments(Look const& look, char const* id, std::span<std::string_view const> labels, Enum& value,
                   std::span<EnumName<Enum> const> names = enum_names<Enum>())
{
  int chosen = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].value == value) { chosen = static_cast<int>(i); }
  }
  if (segmented(look, id, labels, chosen)) { value = names[static_cast<std::size_t>(chosen)].value; }
}

/// The choice of a Boolean, or of the changes between two surveys.
void boolean_segments(Look const& look, SpatialSceneSettings& settings)
{
  constexpr std::array<std::string_view, 6> labels{"Both",  "Union", "Intersection",
                                                   "A − B", "B − A", translatable("Changes")};
  constexpr int changes = labels.size() - 1;
  auto const booleans = enum_names<spatial::Boolean>();
  auto const of_boolean = std::ranges::find(booleans, settings.boolean, &EnumName<spatial::Boolean>::value);
  int chosen = settings.hashing.changes.shown ? changes : static_cast<int>(of_boolean - booleans.begin());
  if (!segmented(look, "boolean", labels, chosen)) { return; }
  if (chosen == changes) {
    show_changes(settings, true);
  } else {
    show_boolean(settings, booleans[static_cast<std::size_t>(chosen)].value);
  }
}

}  // namespace

float models_toolbar_height(Look const& look, SpatialState const& state, float width)
{
  float const row = ImGui::GetFrameHeight();
  bool const two_rows = !fits_one_row(look, state, width);
  return row + look(16.0f) + (two_rows ? row + ImGui::GetStyle().ItemSpacing.y : 0.0f);
}

void draw_models_toolbar(Look const& look, SpatialState& state, Rectangle const& place)
{
  constexpr std::array<std::string_view, 6> paints{"Status", "Model", "Points", "Probe", "Slot", "Attribute"};
  constexpr std::array<std::string_view, 2> kinds{"Voxels", "Points"};
  ImGui::SetNextWindowPos({static_cast<float>(place.x), static_cast<float>(place.y)});
  ImGui::SetNextWindowSize({static_cast<float>(place.width), static_cast<float>(place.height)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look(10.0f), look(8.0f)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
  ImGui::Begin("##models_toolbar", nullptr, strip_flags);
  bool const is_alone = is_one_alone(state);
  if (!is_alone) {
    boolean_segments(look, state.settings);
    if (fits_one_row(look, state, static_cast<float>(place.width))) { ImGui::SameLine(); }
  }
  spatial::PaintBy& paint_by = state.settings.view.paint_by;
  std::size_t const first = is_alone && paint_by != spatial::PaintBy::status ? 1 : 0;
  std::size_t const offered = paints.size() - first - (offers_attributes(state) ? 0 : 1);
  enum_segments(look, "paint", std::span(paints).subspan(first, offered), paint_by,
                enum_names<spatial::PaintBy>().subspan(first));
  ImGui::SameLine();
  enum_segments(look, "kind", kinds, state.settings.view.kind);
  ImGui::End();
  ImGui::PopStyleVar(2);
}

}  // namespace slotscape
