#pragma once

#include "app/scenes/slots/settings.hpp"

#include <glm/vec2.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace slotscape {

using Point = glm::dvec2;

/// Where a picture's texels lie on the canvas: `origin` is the top left corner of its first cell and `cell` the side of
/// a cell, in pixels of the canvas, y downwards.
struct Placement {
  Point origin{0.0, 0.0};
  double cell = 1.0;
};

/// Which part of the grid the canvas shows. Pure mathematics: positions on the grid are in slots, positions on the
/// canvas in pixels from its top left corner, y downwards.
class Camera {
public:
  static constexpr std::uint64_t whole_grid = std::numeric_limits<std::uint64_t>::max();
  /// `margin`: pixels left free on each side where the whole table fits. `slots`: of the table; places of the grid from
  /// this one on are outside.
  Camera(Grid grid, double width, double height, double margin = 0.0, std::uint64_t slots = whole_grid);

  void look(double zoom, Point center);  ///< as in ViewSettings; brought into its limits
  void fit() { look(1.0, {0.5, 0.5}); }
  void zoom_at(Point screen, double factor);  ///< what lies under `screen` stays there
  void pan(double dx, double dy);             ///< by pixels of the canvas

  double zoom() const { return zoom_; }
  double max_zoom() const;  ///< at which a slot is `widest_slot` pixels
  Point center() const { return center_; }
  double width() const { return width_; }
  double height() const { return height_; }
  Grid const& grid() const { return grid_; }
  std::uint64_t slots() const { return slots_; }

  double slot_pixels() const { return fit_scale_ * zoom_; }  ///< side of a slot
  double slots_per_pixel() const;
  Point to_screen(Point grid) const;
  Point to_grid(Point screen) const;
  Point slot_corner(Slot slot) const;  ///< on the canvas, of the slot's top left
  std::optional<Slot> slot_at(Point screen) const;
  bool shows(Slot slot) const;

  /// The smallest cells of at least one pixel, and all of them that can be seen.
  PictureRequest request(ViewSettings const& view) const;
  Placement placement(PictureRequest const& request) const;
  /// Visible slots, in no particular order, where there are at most `limit`; none otherwise.
  std::vector<Slot> visible_slots(std::size_t limit) const;

  static constexpr double widest_slot = 220.0;

private:
  Point origin() const;  ///< of the grid on the canvas, in whole pixels so that cells are crisp
  void keep_in_limits();

  Grid grid_;
  double width_;
  double height_;
  double fit_scale_;
  std::uint64_t slots_;
  double zoom_ = 1.0;
  Point center_{0.5, 0.5};
};

/// A flight of the camera that takes `seconds`: along it, what lies at the destination moves straight to its place.
class Flight {
public:
  Flight(Camera const& from, double zoom, Point center, double seconds);
  bool done() const { return time_ >= seconds_; }
  void advance(Camera& camera, double elapsed_seconds);

private:
  double from_zoom_;
  Point from_center_;
  double to_zoom_;
  Point to_center_;
  double seconds_;
  double time_ = 0.0;
};

}  // namespace slotscape
