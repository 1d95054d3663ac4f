#include "app/scenes/spatial/gui.hpp"
#include "app/scenes/spatial/placing.hpp"
#include "app/scenes/spatial/settings.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/setting_row.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <array>

namespace slotscape {

namespace {

void status_row(Look const& look, ModelsViewSettings& view)
{
  row_label(look, "Status");
  constexpr std::array<std::string_view, 2> colors{translatable("As in the paper"), translatable("Colour-blind")};
  int chosen = view.color_blind ? 1 : 0;
  if (segmented(look, "colors", colors, chosen, ImGui::GetContentRegionAvail().x)) { view.color_blind = chosen == 1; }
  hint(look,
       "Inside blue, intersection green, outside grey, as in Alcantara et al.; or colours that colour-blind people can "
       "tell apart.");
}

}  // namespace

void picture_panel(Look const& look, SpatialState& state)
{
  ModelsViewSettings& view = state.settings.view;
  heading(look, "PICTURE");
  if (!is_one_alone(state)) { status_row(look, view); }
  if (view.kind == spatial::InstanceKind::points) {
    setting_row(look, "point_size", view, {.shown = tr("{:.2f} voxels", view.point_size), .low = 0.2, .high = 4.0});
  }
  setting_row(look, "ghosts", view);
  ImGui::SameLine(look(108.0f));
  setting_row(look, "box", view);
  ImGui::SameLine(look(186.0f));
  setting_row(look, "turntable", state.settings);
  setting_row(look, "eye_dome", view);
}

}  // namespace slotscape
