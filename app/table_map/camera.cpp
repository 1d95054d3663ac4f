#include "app/table_map/camera.hpp"

#include <algorithm>
#include <cmath>

namespace slotscape {
namespace {

/// A table that fits is drawn slightly smaller if that makes cells a whole number of pixels, because even cells show no
/// moiré.
double fit_scale(Plane const& plane, double width, double height, double margin)
{
  double const room_x = std::max(width - 2.0 * margin, 16.0);
  double const room_y = std::max(height - 2.0 * margin, 16.0);
  double const scale = std::min(room_x / plane.columns(), room_y / plane.rows());
  double const cell = scale < 1.0 ? scale * std::exp2(std::ceil(-std::log2(scale))) : scale;
  double const even = std::floor(cell) / cell;
  return even > 0.84 ? scale * even : scale;
}

/// Limits the centre along one axis, so that the grid stays visible: centred if it fits, otherwise at most a sixth of
/// the canvas away.
double limit_center(double center, double grid_pixels, double canvas_pixels)
{
  if (grid_pixels <= canvas_pixels) { return 0.5; }
  double const slack = canvas_pixels / 6.0;
  double const low = std::min((canvas_pixels / 2.0 - slack) / grid_pixels, 0.5);
  return std::clamp(center, low, 1.0 - low);
}

}  // namespace

Camera::Camera(Plane const& plane, double width, double height, double margin, std::uint64_t slots)
    : plane_(plane),
      width_(std::max(width, 1.0)),
      height_(std::max(height, 1.0)),
      fit_scale_(fit_scale(plane, width_, height_, margin)),
      slots_(std::min(slots, std::uint64_t{plane.columns()} * plane.rows()))
{
}

void Camera::look(Framing const& framing)
{
  zoom_ = framing.zoom;
  center_ = framing.center;
  keep_in_limits();
}

void Camera::zoom_at(Point screen, double factor)
{
  // Uses the exact centre. The drawn grid is rounded to whole pixels, and these errors would add up over many steps.
  double const from_center_x = screen.x - width_ / 2.0;
  double const from_center_y = screen.y - height_ / 2.0;
  Point const fixed{center_.x * plane_.columns() + from_center_x / slot_pixels(),
                    center_.y * plane_.rows() + from_center_y / slot_pixels()};
  zoom_ = std::clamp(zoom_ * factor, 1.0, max_zoom());
  center_.x = (fixed.x - from_center_x / slot_pixels()) / plane_.columns();
  center_.y = (fixed.y - from_center_y / slot_pixels()) / plane_.rows();
  keep_in_limits();
}

void Camera::pan(double dx, double dy)
{
  center_.x -= dx / (slot_pixels() * plane_.columns());
  center_.y -= dy / (slot_pixels() * plane_.rows());
  keep_in_limits();
}

double Camera::max_zoom() const
{
  return std::max(1.0, widest_slot / fit_scale_);
}

void Camera::keep_in_limits()
{
  zoom_ = std::clamp(zoom_, 1.0, max_zoom());
  center_.x = limit_center(center_.x, plane_.columns() * slot_pixels(), width_);
  center_.y = limit_center(center_.y, plane_.rows() * slot_pixels(), height_);
}

double Camera::slots_per_pixel() const
{
  double const pixels = slot_pixels();
  return 1.0 / (pixels * pixels);
}

Point Camera::origin() const
{
  return {std::round(width_ / 2.0 - center_.x * plane_.columns() * slot_pixels()),
          std::round(height_ / 2.0 - center_.y * plane_.rows() * slot_pixels())};
}

Point Camera::to_screen(Point grid) const
{
  Point const corner = origin();
  return {corner.x + grid.x * slot_pixels(), corner.y + grid.y * slot_pixels()};
}

Point Camera::to_grid(Point screen) const
{
  Point const corner = origin();
  return {(screen.x - corner.x) / slot_pixels(), (screen.y - corner.y) / slot_pixels()};
}

Point Camera::slot_corner(Slot slot) const
{
  Position const position = plane_.position(slot);
  return to_screen({static_cast<double>(position.x), static_cast<double>(position.y)});
}

std::optional<Slot> Camera::slot_at(Point screen) const
{
  Point const at = to_grid(screen);
  bool const on_canvas = screen.x >= 0.0 && screen.y >= 0.0 && screen.x < width_ && screen.y < height_;
  if (!on_canvas || at.x < 0.0 || at.y < 0.0 || at.x >= plane_.columns() || at.y >= plane_.rows()) {
    return std::nullopt;
  }
  auto const slot = plane_.slot({static_cast<std::uint32_t>(at.x), static_cast<std::uint32_t>(at.y)});
  return slot && *slot < slots_ ? slot : std::nullopt;
}

bool Camera::shows(Slot slot) const
{
  Point const corner = slot_corner(slot);
  return corner.x + slot_pixels() > 0.0 && corner.y + slot_pixels() > 0.0 && corner.x < width_ && corner.y < height_;
}

bool Camera::shows_whole(Slot slot) const
{
  Point const corner = slot_corner(slot);
  return corner.x >= 0.0 && corner.y >= 0.0 && corner.x + slot_pixels() <= width_ &&
         corner.y + slot_pixels() <= height_;
}

PictureRequest Camera::request(ViewSettings const& view) const
{
  PictureRequest request;
  request.layout = plane_.grid().layout;
  request.color_by = view.color_by;
  request.reduce = view.reduce;
  if (plane_.kind() != Plane::Kind::grid) {  // few slots: all of them
    request.width = plane_.grid().columns;
    request.height = plane_.grid().rows;
    return request;
  }
  double const scale = slot_pixels();
  // The tolerance prevents a scale computed slightly below 1/2 from using cells of two pixels.
  request.level = scale >= 1.0 ? 0 : static_cast<std::uint32_t>(std::max(0.0, std::ceil(-std::log2(scale) - 1e-9)));
  double const cell_slots = std::exp2(request.level);
  auto const first = [&](double at) { return static_cast<std::uint32_t>(std::max(0.0, std::floor(at / cell_slots))); };
  auto const last = [&](double at, std::uint32_t count) {
    return static_cast<std::uint32_t>(std::ceil(std::clamp(at, 0.0, static_cast<double>(count)) / cell_slots));
  };
  Point const top_left = to_grid({0.0, 0.0});
  Point const bottom_right = to_grid({width_, height_});
  request.x = first(top_left.x);
  request.y = first(top_left.y);
  request.width = std::max(last(bottom_right.x, plane_.columns()), request.x + 1) - request.x;
  request.height = std::max(last(bottom_right.y, plane_.rows()), request.y + 1) - request.y;
  return request;
}

Placement Camera::placement(PictureRequest const& request) const
{
  if (plane_.kind() != Plane::Kind::grid) { return {to_screen({0.0, 0.0}), slot_pixels(), plane_}; }
  double const cell_slots = std::exp2(request.level);
  return {to_screen({request.x * cell_slots, request.y * cell_slots}), cell_slots * slot_pixels()};
}

std::vector<Slot> Camera::visible_slots(std::size_t limit) const
{
  PictureRequest const cells = request(ViewSettings{});
  std::vector<Slot> slots;
  if (cells.level != 0 || cells.texels() > limit) { return slots; }
  if (plane_.kind() != Plane::Kind::grid) {
    for (Slot slot = 0; slot < slots_; ++slot) {
      if (shows(slot)) { slots.push_back(slot); }
    }
    return slots;
  }
  slots.reserve(cells.texels());
  for (std::uint32_t y = cells.y; y < cells.y + cells.height; ++y) {
    for (std::uint32_t x = cells.x; x < cells.x + cells.width; ++x) {
      Slot const slot = plane_.grid().slot({x, y});
      if (slot < slots_) { slots.push_back(slot); }
    }
  }
  return slots;
}

Flight::Flight(Camera const& from, Framing const& to, double seconds)
    : from_(from.framing()), to_{std::clamp(to.zoom, 1.0, from.max_zoom()), to.center}, seconds_(seconds)
{
}

void Flight::advance(Camera& camera, double elapsed_seconds)
{
  time_ = std::min(time_ + elapsed_seconds, seconds_);
  double const t = seconds_ > 0.0 ? time_ / seconds_ : 1.0;
  double const eased = t * t * (3.0 - 2.0 * t);
  double const zoom = from_.zoom * std::pow(to_.zoom / from_.zoom, eased);
  double const span = 1.0 / to_.zoom - 1.0 / from_.zoom;
  double const share = std::abs(span) < 1e-9 ? eased : (1.0 / zoom - 1.0 / from_.zoom) / span;
  camera.look({zoom, from_.center + (to_.center - from_.center) * share});
}

}  // namespace slotscape
