// Pointing at slots with the keyboard instead of the mouse.

#include "app/table_map/annotations.hpp"
#include "app/table_map/map_view.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace slotscape {
namespace {

/// If slots are smaller, steps of this many pixels at scale 1 skip some.
constexpr float min_step = 8.0f;
constexpr float card_distance = 14.0f;
constexpr float large_slot = 18.0f;  ///< at this size, a slot's outline suffices
constexpr float ring_radius = 10.0f;

/// The slot this many cells to the right and down. At the end of a row, the next slot of the table.
std::optional<Slot> neighbour(Camera const& camera, Slot from, std::int64_t right, std::int64_t down)
{
  auto const slots = static_cast<std::int64_t>(camera.slots());
  Plane const& plane = camera.plane();
  if (plane.kind() == Plane::Kind::ring) {
    return static_cast<Slot>(((static_cast<std::int64_t>(from) + right + down) % slots + slots) % slots);
  }
  Position const at = plane.position(from);
  std::int64_t x = static_cast<std::int64_t>(at.x) + right;
  std::int64_t y = static_cast<std::int64_t>(at.y) + down;
  for (; x >= 0 && y >= 0 && x < plane.columns() && y < plane.rows(); x += right, y += down) {  // skips free cells
    auto const slot = plane.slot({static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y)});
    if (slot && static_cast<std::int64_t>(*slot) < slots) { return slot; }
  }
  std::int64_t const along = static_cast<std::int64_t>(from) + (right > 0 ? 1 : -1);
  bool const goes_on = down == 0 && right != 0 && along >= 0 && along < slots;
  return goes_on ? std::optional(static_cast<Slot>(along)) : std::nullopt;
}

}  // namespace

void MapView::point(int right, int down)
{
  keys_ = {right, down, true, false};
}

void MapView::choose_pointed()
{
  keys_.chooses = true;
}

bool MapView::forget_pointed()
{
  return std::exchange(pointed_, std::nullopt).has_value();
}

int MapView::points_beyond()
{
  return std::exchange(beyond_, 0);
}

void MapView::follow_keys(Look const& look, MapState& state)
{
  PointerKeys const keys = std::exchange(keys_, {});
  if (pointed_ && *pointed_ >= camera_.slots()) { pointed_.reset(); }
  if (keys.moves) { move_pointer(look, state, keys); }
  if (!keys.chooses || !pointed_) { return; }
  pinned_before_click_ = state.selection.pinned;
  state.selection.pinned = pointed_;
}

void MapView::move_pointer(Look const& look, MapState const& state, PointerKeys const& keys)
{
  flight_.reset();
  if (pointed_) {
    auto const cells = static_cast<std::int64_t>(
        std::max(std::ceil(static_cast<double>(look(min_step)) / camera_.slot_pixels()), 1.0));
    auto const next = neighbour(camera_, *pointed_, cells * keys.right, cells * keys.down);
    if (!next) {
      beyond_ = keys.right + keys.down;
      return;
    }
    pointed_ = next;
  } else {
    auto const& pinned = state.selection.pinned;
    bool const begins_there = pinned && *pinned < camera_.slots() && camera_.shows(*pinned);
    pointed_ = begins_there ? pinned : camera_.slot_at({camera_.width() / 2.0, camera_.height() / 2.0});
    if (!pointed_) { pointed_ = 0; }
  }
  Point const corner = camera_.slot_corner(*pointed_);
  double const side = camera_.slot_pixels();
  bool const whole =
      corner.x >= 0.0 && corner.y >= 0.0 && corner.x + side <= camera_.width() && corner.y + side <= camera_.height();
  if (whole) { return; }
  Plane const& plane = camera_.plane();
  Position const at = plane.position(*pointed_);
  Camera camera = camera_;
  camera.look({camera.zoom(), {(at.x + 0.5) / plane.columns(), (at.y + 0.5) / plane.rows()}});
  framing_ = camera.framing();
}

void MapView::place_card_of_pointed(Annotator const& on) const
{
  ImVec2 const center = on.slot_center(*pointed_);
  if (camera_.slot_pixels() < static_cast<double>(on.look(large_slot))) {
    on.drawing.circle(center, on.look(ring_radius), theme::with_alpha(theme::rim, 0.75f), on.look(5.0f));
    on.drawing.circle(center, on.look(ring_radius), theme::text, on.look(2.0f));
  }
  bool const right = center.x > on.corner.x + static_cast<float>(camera_.width()) / 2.0f;
  bool const low = center.y > on.corner.y + static_cast<float>(camera_.height()) / 2.0f;
  float const away = static_cast<float>(camera_.slot_pixels()) / 2.0f + on.look(card_distance);
  ImGui::SetNextWindowPos({center.x + (right ? -away : away), center.y + (low ? -away : away)}, ImGuiCond_Always,
                          {right ? 1.0f : 0.0f, low ? 1.0f : 0.0f});
}

}  // namespace slotscape
