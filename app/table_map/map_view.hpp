#pragma once

#include "app/scene/facts.hpp"
#include "app/table_map/camera.hpp"
#include "app/table_map/map_state.hpp"
#include "app/table_map/slot_map.hpp"
#include "app/widgets/look.hpp"

#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace slotscape {

class Drawing;
struct Annotator;

/// A camera that shows the whole table on this canvas.
Camera fitting_camera(Look const& look, Rectangle const& canvas, MapState const& state);

/// The canvas with the slot map: handles the camera and the mouse, and draws.
class MapView {
public:
  /// `window`: a unique ImGui name.
  explicit MapView(std::string window = "##canvas") : window_(std::move(window)) {}

  /// Places the camera on this canvas, and advances its flight.
  void place(Rectangle const& canvas, Look const& look, MapState const& state, double elapsed_seconds);
  Camera const& camera() const { return camera_; }
  Framing const& framing() const { return framing_; }
  void look(Framing const& framing) { framing_ = framing; }
  Rectangle const& canvas() const { return canvas_; }
  bool in_flight() const { return flight_.has_value(); }

  /// Analyses the visible part of the table. The picture goes to the presenter; statistics and individual slots go to
  /// the state. `elapsed_seconds`: since the last call. Returns the time taken.
  FrameFacts analyse(InspectedTable& table, Presenter& presenter, MapState& state, double elapsed_seconds);
  /// The parts before and after the analysis, for tables that are analysed together.
  struct Asked {
    PictureRequest picture;
    TexelTarget target;
  };
  Asked ask(Presenter& presenter, MapState const& state, double elapsed_seconds);
  FrameFacts take(Snapshot snapshot, InspectedTable& table, Presenter& presenter, MapState& state);
  /// Reads the slots that are shown individually in this frame.
  void inspect(InspectedTable& table, MapState& state) const;

  void draw_map(unsigned texels, MapState const& state, int framebuffer_height);
  /// Drawn over the map's annotations.
  using Overlay = std::function<void(Annotator const&)>;
  /// Draws the annotations and handles the mouse. Returns a key dropped on the map.
  std::optional<Pair> draw(Look const& look, MapState& state, Overlay const& overlay = {});
  /// Draws the annotations for a slide, without the mouse. `paints`: also draws the cells, if there is no picture
  /// below. Throws Error if they are too small.
  void draw_slide(Look const& look, Drawing& drawing, MapState const& state, bool paints) const;
  /// The slot pointed at by keyboard, or else the one under the mouse, if the mouse is over the map.
  std::optional<Slot> hovered_slot() const;

  /// Points at a slot this many cells away from the current one; at first, at one in the middle.
  void point(int right, int down);
  /// Pins the slot pointed at by keyboard, as a click would.
  void choose_pointed();
  /// Returns whether a slot was pointed at.
  bool forget_pointed();
  /// Whether keys tried to point past the ends of the table since the last call: 1 after the last slot, -1 before the
  /// first one, else 0.
  int points_beyond();

  /// Moves the camera to the current step if it is out of view.
  void frame_steps(Look const& look, MapState& state);

  /// Does not move if the slot is already legible.
  void fly_to(Slot slot, double slot_pixels);
  void fit();
  void zoom_by(double factor);
  void pan_by(double share_x, double share_y);  ///< moves the camera by shares of the canvas

private:
  struct PointerKeys {
    int right = 0;
    int down = 0;
    bool moves = false;
    bool chooses = false;
  };
  void follow_keys(Look const& look, MapState& state);
  void move_pointer(Look const& look, MapState const& state, PointerKeys const& keys);
  void place_card_of_pointed(Annotator const& on) const;
  void follow_mouse(MapState& state, bool hovered, bool active);
  Plane plane_for(MapState const& state, double width, double height);
  PictureRequest next_request(MapState const& state, double elapsed_seconds);
  Point mouse_on_canvas() const;

  std::string window_;
  Framing framing_;
  Camera camera_{Grid::of(16, Layout::rows), 1.0, 1.0};
  Arrangement arrangement_ = Arrangement::fitting;  ///< for which the camera's plane was chosen
  Rectangle canvas_;
  Background background_ = Background::dark;
  PictureRequest request_;
  SlotMap map_;
  std::optional<Flight> flight_;
  double fade_ = 0.0;  // pending fading of recent changes
  bool hovered_ = false;
  bool dragged_ = false;
  std::optional<Slot> pinned_before_click_;
  std::optional<Slot> pointed_;  ///< slot pointed at by keyboard
  PointerKeys keys_;
  int beyond_ = 0;
};

/// Applies the writes of the steps so far to the slots read from the table.
void overlay_steps(StepPlayer const& player, Inspected& inspected);

}  // namespace slotscape
