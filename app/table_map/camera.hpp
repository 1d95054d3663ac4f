#pragma once

#include "app/table_map/plane.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace slotscape {

/// The position of a picture on the canvas: `origin` is the top left corner of its first cell and `cell` the side of a
/// cell, in canvas pixels, y downwards.
struct Placement {
  Point origin{0.0, 0.0};
  double cell = 1.0;
  std::optional<Plane> plane = {};  ///< layout of the cells, if different from the analysis
};

/// The part of the grid that the canvas shows. Pure mathematics: grid positions are in slots, canvas positions in
/// pixels from its top left corner, y downwards.
class Camera {
public:
  static constexpr std::uint64_t whole_grid = std::numeric_limits<std::uint64_t>::max();
  /// `margin`: free pixels on each side when the whole table is shown. `slots`: number of slots in the table; the rest
  /// of the grid is outside.
  Camera(Plane const& plane, double width, double height, double margin = 0.0, std::uint64_t slots = whole_grid);
  Camera(Grid const& grid, double width, double height, double margin = 0.0, std::uint64_t slots = whole_grid)
      : Camera(Plane(grid), width, height, margin, slots)
  {
  }

  void look(Framing const& framing);  ///< clamped to the limits
  void fit() { look({}); }
  void zoom_at(Point screen, double factor);  ///< keeps the point under `screen` in place
  void pan(double dx, double dy);             ///< in canvas pixels

  Framing framing() const { return {zoom_, center_}; }
  double zoom() const { return zoom_; }
  double max_zoom() const;  ///< zoom at which a slot is `widest_slot` pixels wide
  Point center() const { return center_; }
  double width() const { return width_; }
  double height() const { return height_; }
  Plane const& plane() const { return plane_; }
  std::uint64_t slots() const { return slots_; }

  double slot_pixels() const { return fit_scale_ * zoom_; }  ///< side of a slot
  double slots_per_pixel() const;
  Point to_screen(Point grid) const;
  Point to_grid(Point screen) const;
  Point slot_corner(Slot slot) const;  ///< top left corner of the slot on the canvas
  std::optional<Slot> slot_at(Point screen) const;
  bool shows(Slot slot) const;  ///< whether the slot is visible, at least in part
  bool shows_whole(Slot slot) const;

  /// A request for the visible cells, as small as possible but at least one pixel.
  PictureRequest request(ViewSettings const& view) const;
  Placement placement(PictureRequest const& request) const;
  /// The visible slots in unspecified order, if there are at most `limit`; otherwise empty.
  std::vector<Slot> visible_slots(std::size_t limit) const;

  static constexpr double widest_slot = 220.0;

private:
  Point origin() const;  ///< of the grid on the canvas, in whole pixels to keep cells crisp
  void keep_in_limits();

  Plane plane_;
  double width_;
  double height_;
  double fit_scale_;
  std::uint64_t slots_;
  double zoom_ = 1.0;
  Point center_{0.5, 0.5};
};

/// A camera flight of `seconds`, during which the destination moves across the screen in a straight line.
class Flight {
public:
  Flight(Camera const& from, Framing const& to, double seconds);
  bool done() const { return time_ >= seconds_; }
  void advance(Camera& camera, double elapsed_seconds);

private:
  Framing from_;
  Framing to_;
  double seconds_;
  double time_ = 0.0;
};

}  // namespace slotscape
