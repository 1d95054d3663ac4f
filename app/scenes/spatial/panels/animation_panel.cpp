#include "app/scenes/spatial/names.hpp"
#include "app/scenes/spatial/panels/panels.hpp"
#include "app/widgets/controls.hpp"

#include <fmt/format.h>

namespace slotscape {

void animation_panel(Look const& look, SpatialState& state)
{
  AnimationSettings& animation = state.settings.animation;
  heading(look, "ANIMATION");
  float const side = ImGui::GetFrameHeight();
  Icon const icon = animation.running ? Icon::pause : Icon::play;
  if (icon_button(look, "run", icon, {side * 1.4f, side}, !animation.running)) {
    animation.running = !animation.running;
  }
  hint(look, animation.running ? "Pause (Space)" : "Run (Space)");
  ImGui::SameLine();
  ImGui::SetNextItemWidth(-FLT_MIN);
  choose("##motion", animation.motion);
  hint(look, "How the models move by themselves. Each can be dragged meanwhile: it goes on from there.");
  row_label(look, "Speed");
  slider(look, "##speed", animation.speed, slowest_animation, fastest_animation,
         fmt::format("{:.2f} ×", animation.speed), true);
  hint(look, "[ halves it, ] doubles it.");
}

}  // namespace slotscape
