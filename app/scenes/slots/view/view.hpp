#pragma once

#include "app/gui.hpp"
#include "app/scenes/slots/camera.hpp"
#include "app/scenes/slots/slot_map.hpp"
#include "app/scenes/slots/state.hpp"

#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace slotscape {

struct Annotator;

/// The canvas with the slot map: looks after the camera and the mouse, and draws.
class SlotsView {
public:
  /// `window`: a name that no other view's has.
  explicit SlotsView(std::string window = "##canvas") : window_(std::move(window)) {}

  /// Puts the camera on this canvas, as the settings have it, and moves it on where it is in flight.
  void place(Rectangle const& canvas, Look const& look, SlotsState& state, double elapsed_seconds);
  Camera const& camera() const { return camera_; }
  Rectangle const& canvas() const { return canvas_; }
  bool in_flight() const { return flight_.has_value(); }

  /// What is to be reduced for this frame.
  PictureRequest request(SlotsState const& state, double elapsed_seconds);
  /// Reads the slots that this frame shows one by one.
  void inspect(InspectedTable& table, Look const& look, SlotsState& state) const;

  void draw_map(unsigned texels, SlotsState const& state, int framebuffer_height);
  /// What is drawn over the annotations of a map.
  using Overlay = std::function<void(Annotator const&)>;
  /// Annotations, and what the mouse does.
  void draw(Look const& look, SlotsState& state, Overlay const& overlay = {});
  /// The slot under the mouse, while this rests on the map.
  std::optional<Slot> hovered_slot() const;

  /// Brings the camera to what is stepped through, where it does not show it.
  void frame_steps(Look const& look, SlotsState& state);

  void fly_to(Slot slot, double slot_pixels);
  void fit();
  void zoom_by(SlotsState& state, double factor);
  void pan_by(SlotsState& state, double share_x, double share_y);  ///< shares of the canvas

private:
  void follow_mouse(SlotsState& state, bool hovered, bool active);
  void look_at(SlotsState& state, Camera const& camera);
  Point mouse_on_canvas() const;
  void finish_flight(SlotsState& state);

  std::string window_;
  Camera camera_{Grid::of(16, Layout::rows), 1.0, 1.0};
  Rectangle canvas_;
  PictureRequest request_;
  SlotMap map_;
  std::optional<Flight> flight_;
  double fade_ = 0.0;  // of recent changes, not yet passed on
  bool hovered_ = false;
  bool dragged_ = false;
  std::optional<Slot> pinned_before_click_;
};

}  // namespace slotscape
