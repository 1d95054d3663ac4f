#pragma once

#include "app/table_map/camera.hpp"
#include "app/table_map/step/player.hpp"

namespace slotscape {

/// Frames the whole table if its slots are large enough for their keys, else the whole path if its slots have at
/// least `legible` pixels; else nullopt.
std::optional<Framing> frame_path(Camera const& camera, Trace const& trace, double legible);

/// Frames the slots of one step, `legible` pixels each, or smaller so that all fit; nullopt if the step has none.
std::optional<Framing> frame_step(Camera const& camera, Step const& step, double legible);

/// Whether all of the step's slots are visible.
bool shows_slots(Camera const& camera, Step const& step);

/// Whether all of the step's slots are well within view and legible.
bool shows_step(Camera const& camera, Step const& step, double legible);

}  // namespace slotscape
