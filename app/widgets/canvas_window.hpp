#pragma once

#include "app/widgets/look.hpp"

namespace slotscape {

/// Begins a Dear ImGui window over a picture: all of `place`, without padding, decoration or background. `id`: a unique
/// name. Call ImGui::End afterwards.
void begin_canvas_window(char const* id, Rectangle const& place);

}  // namespace slotscape
