#pragma once

#include "app/widgets/look.hpp"

#include <optional>
#include <string>
#include <vector>

namespace slotscape {

/// Short messages. A notice disappears by itself and lies below the canvas, over the legend; only the newest two are
/// open, and those before them are folded into a line and wait. An error stays until it is dismissed, in a strip of its
/// own that covers nothing.
class Toasts {
public:
  void notice(std::string text) { add(std::move(text), false); }
  /// What the scene says now, instead of what it said before; and an end to it, where it does not hold any more.
  void scene_notice(std::string text);
  void dismiss_scene_notice();
  void error(std::string text) { add(std::move(text), true); }
  /// An error about what the user asked for or typed. It goes with the next thing that they do: a command, a change in
  /// a control, a file that they open.
  void refusal(std::string text);
  void dismiss_refusals();
  /// An end to this message, where it does not hold any more.
  void dismiss(std::string const& text);
  void dismiss_all() { toasts_.clear(); }
  bool empty() const { return toasts_.empty(); }
  std::size_t errors() const;
  std::string latest() const;               ///< the latest message; empty if there is none
  bool says(std::string_view words) const;  ///< whether one of them has these

  /// The height of the strip that the errors need at the bottom of this window; 0 without any.
  int strip_height(Look const& look, Rectangle const& window) const;
  /// Draws the errors into the strip, and the notices upwards from the lower end of `place`; without one, they wait.
  /// Errors that came after the strip was measured wait for the next frame.
  void draw(Look const& look, Rectangle const& strip, std::optional<Rectangle> const& place, double elapsed_seconds);

private:
  struct Toast {
    std::string text;
    bool is_error;
    double age;
    bool is_refusal = false;
    bool is_of_scene = false;
  };
  void add(std::string text, bool is_error);
  std::size_t first_open() const;
  void draw_folded(Look const& look, std::size_t end, ImVec2 corner, float width);
  void draw_all(Look const& look, bool errors, Rectangle const& place, float bottom);

  std::vector<Toast> toasts_;
};

}  // namespace slotscape
