#pragma once

namespace slotscape {

// How frames follow each other, in the window and in browsers.

/// Longer pauses (the window was dragged, the machine slept) count as this long.
inline constexpr double longest_step_seconds = 0.1;
/// How long to wait for events while nothing moves.
inline constexpr double quiet_wait_seconds = 0.1;
/// How long a frame waits for the work of the tables.
inline constexpr double max_wait_seconds = 0.1;
/// Frames drawn after the last event, for ImGui to settle.
inline constexpr int frames_after_event = 4;

}  // namespace slotscape
