#pragma once

#include "app/scenes/scene.hpp"

#include <functional>

namespace slotscape {

/// The panels beside the canvas: `controls` on the left and `measures` on the right, or in tabs on the left.
void draw_sides(Look const& look, SlotsLayout const& layout, std::function<void()> const& controls,
                std::function<void()> const& measures);

}  // namespace slotscape
