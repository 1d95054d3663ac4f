#pragma once

#include "app/gui.hpp"
#include "app/scenes/shared/layout.hpp"

#include <functional>

namespace slotscape {

/// The panels beside the canvas: `controls` on the left and `measures` on the right, or in tabs on the left.
void draw_sides(Look const& look, SideLayout const& sides, std::function<void()> const& controls,
                std::function<void()> const& measures);

}  // namespace slotscape
