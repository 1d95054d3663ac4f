#pragma once

#include "app/scenes/slots/camera.hpp"
#include "app/step/player.hpp"

namespace slotscape {

/// Where a camera is to look: as in `Camera::look`.
struct Framing {
  double zoom;
  Point center;
};

/// The whole table where its slots can be told apart (half of `legible`), else the whole path, with slots of at least
/// `legible` pixels; nothing where slots would be smaller.
std::optional<Framing> frame_path(Camera const& camera, Trace const& trace, double legible);

/// The slots of one step, `legible` pixels each, or all of them as large as they can be; nothing where the step has
/// none.
std::optional<Framing> frame_step(Camera const& camera, Step const& step, double legible);

/// Whether all of the step's slots are on the canvas.
bool shows_slots(Camera const& camera, Step const& step);

/// Whether all of the step's slots are well within sight and legible.
bool shows_step(Camera const& camera, Step const& step, double legible);

}  // namespace slotscape
