#pragma once

namespace slotscape {

// The timing of frames, in the window and in browsers.

/// Longer pauses, such as while the window is dragged or the machine sleeps, are cut to this duration.
inline constexpr double longest_step_seconds = 0.1;
/// How long to wait for events while nothing moves.
inline constexpr double quiet_wait_seconds = 0.1;
/// The maximum time that a frame waits for work on tables.
inline constexpr double max_wait_seconds = 0.1;
/// Frames drawn after the last event, for ImGui to settle.
inline constexpr int frames_after_event = 4;

}  // namespace slotscape
