#pragma once

#include "app/widgets/look.hpp"
#include "gpu/base/progress.hpp"

namespace slotscape {

/// A progress bar for longer work: a description, the progress, the time left, and a Cancel button. Returns true when
/// that is pressed.
bool draw_progress(Look const& look, ProgressSnapshot const& progress, Rectangle const& canvas);

}  // namespace slotscape
