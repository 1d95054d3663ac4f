#pragma once

#include "app/widgets/look.hpp"
#include "gpu/base/progress.hpp"

namespace slotscape {

/// The bar of work that takes a while: what, how much of it, the time left, and a Cancel button. Returns true when that
/// is pressed.
bool draw_progress(Look const& look, ProgressSnapshot const& progress, Rectangle const& canvas);

}  // namespace slotscape
