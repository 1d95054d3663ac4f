#include "app/scenes/spatial/gui.hpp"
#include "app/scenes/spatial/settings.hpp"
#include "app/widgets/controls.hpp"

#include <fmt/format.h>

#include <array>

namespace slotscape {

void picture_panel(Look const& look, SpatialState& state)
{
  ModelsViewSettings& view = state.settings.view;
  heading(look, "PICTURE");
  row_label(look, "Status");
  constexpr std::array<std::string_view, 2> colors{"As in the paper", "Colour-blind"};
  int chosen = view.color_blind ? 1 : 0;
  if (segmented(look, "colors", colors, chosen, ImGui::GetContentRegionAvail().x)) { view.color_blind = chosen == 1; }
  hint(look,
       "Inside blue, intersection green, outside grey, as in Alcantara et al.; or colours that colour-blind people can "
       "tell apart.");
  if (view.kind == spatial::InstanceKind::points) {
    row_label(look, "Point size");
    auto size = static_cast<double>(view.point_size);
    if (slider(look, "##size", size, 0.2, 4.0, fmt::format("{:.2f} voxels", size), true)) {
      view.point_size = static_cast<float>(size);
    }
  }
  ImGui::Checkbox("Ghosts", &view.ghosts);
  hint(look, "Show faintly what the Boolean hides (O).");
  ImGui::SameLine(look(108.0f));
  ImGui::Checkbox("Box", &view.show_box);
  hint(look, "The grid's edges and axes.");
  ImGui::SameLine(look(186.0f));
  ImGui::Checkbox("Turntable", &state.settings.turntable);
  hint(look, "Rotate the view continuously (T).");
}

}  // namespace slotscape
