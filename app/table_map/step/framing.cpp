#include "app/table_map/step/framing.hpp"

#include <algorithm>
#include <limits>

namespace slotscape {
namespace {

constexpr double room_around = 1.5;      ///< slots left free around the path
constexpr double widest_framed = 150.0;  ///< pixels per slot, few enough to keep neighbours in view
constexpr double enough_for_all = 42.0;  ///< pixels per slot at any scale: enough to prefer showing the whole table
constexpr double enough_for_few = 22.0;  ///< pixels per slot that suffice for a small table, with legible keys
/// A step this far from the edge, as a share of the canvas, is well within view.
constexpr double border = 0.06;

/// A rectangle of the grid, in slots.
struct Box {
  double left = std::numeric_limits<double>::max();
  double top = std::numeric_limits<double>::max();
  double right = 0.0;
  double bottom = 0.0;

  bool empty() const { return right <= left; }
  void take_in(Position at)
  {
    left = std::min(left, static_cast<double>(at.x));
    top = std::min(top, static_cast<double>(at.y));
    right = std::max(right, at.x + 1.0);
    bottom = std::max(bottom, at.y + 1.0);
  }
  void take_in(Plane const& plane, Step const& step)
  {
    for (SlotInfo const& slot : step.seen) { take_in(plane.position(slot.slot)); }
    if (step.moved_from) { take_in(plane.position(*step.moved_from)); }
  }
};

/// The pixels per slot at which the box and some space around it fill the canvas.
double slot_pixels_for(Camera const& camera, Box const& box)
{
  double const columns = std::min(box.right - box.left + 2.0 * room_around, camera.plane().columns() + 0.5);
  double const rows = std::min(box.bottom - box.top + 2.0 * room_around, camera.plane().rows() + 0.5);
  return std::min(camera.width() / columns, camera.height() / rows);
}

Framing framing(Camera const& camera, Box const& box, double slot_pixels)
{
  double const whole = camera.slot_pixels() / camera.zoom();
  return {std::clamp(slot_pixels / whole, 1.0, camera.max_zoom()),
          {(box.left + box.right) / 2.0 / camera.plane().columns(),
           (box.top + box.bottom) / 2.0 / camera.plane().rows()}};
}

}  // namespace

std::optional<Framing> frame_path(Camera const& camera, Trace const& trace, double legible)
{
  double const whole = camera.slot_pixels() / camera.zoom();
  bool const has_few = camera.plane().kind() != Plane::Kind::grid;
  if (whole >= (has_few ? enough_for_few : enough_for_all)) { return Framing{1.0, {0.5, 0.5}}; }
  Box box;
  for (Step const& step : trace.steps) { box.take_in(camera.plane(), step); }
  if (box.empty()) { return std::nullopt; }
  double const pixels = slot_pixels_for(camera, box);
  if (pixels < legible) { return std::nullopt; }
  return framing(camera, box, std::min(pixels, std::max(widest_framed, legible)));
}

std::optional<Framing> frame_step(Camera const& camera, Step const& step, double legible)
{
  Box box;
  box.take_in(camera.plane(), step);
  if (box.empty()) { return std::nullopt; }
  return framing(camera, box, std::min(slot_pixels_for(camera, box), legible));
}

bool shows_slots(Camera const& camera, Step const& step)
{
  return std::ranges::all_of(step.seen, [&](SlotInfo const& slot) { return camera.shows(slot.slot); });
}

bool shows_step(Camera const& camera, Step const& step, double legible)
{
  double const pixels = camera.slot_pixels();
  auto const in_sight = [&](SlotInfo const& slot) {
    Point const corner = camera.slot_corner(slot.slot);
    double const margin_x = border * camera.width();
    double const margin_y = border * camera.height();
    return corner.x >= margin_x && corner.y >= margin_y && corner.x + pixels <= camera.width() - margin_x &&
           corner.y + pixels <= camera.height() - margin_y;
  };
  std::optional<Framing> const best = frame_step(camera, step, legible);
  if (!best) { return true; }
  bool const as_large = camera.zoom() >= 0.9 * best->zoom;
  return as_large && std::ranges::all_of(step.seen, in_sight);
}

}  // namespace slotscape
