#pragma once

#include "app/widgets/look.hpp"

#include <optional>
#include <string>
#include <vector>

namespace slotscape {

/// Short messages. A notice disappears by itself; it is shown at the bottom of the canvas, over the legend. Only the
/// newest two are open; earlier ones are folded into a line and wait. An error stays until it is dismissed, in a
/// separate strip that covers nothing.
class Toasts {
public:
  void notice(std::string text) { add(std::move(text), false); }
  /// Sets the scene's message, which replaces its previous one; dismiss it when it no longer holds.
  void scene_notice(std::string text);
  void dismiss_scene_notice();
  void error(std::string text) { add(std::move(text), true); }
  /// An error about the user's request or input. It disappears with their next action: a command, a change in a
  /// control, a file that they open.
  void refusal(std::string text);
  void dismiss_refusals();
  /// Dismisses a message that no longer holds.
  void dismiss(std::string const& text);
  void dismiss_all() { toasts_.clear(); }
  bool empty() const { return toasts_.empty(); }
  std::size_t errors() const;
  std::string latest() const;               ///< the latest message; empty if there is none
  bool says(std::string_view words) const;  ///< whether a message contains these words

  /// The height of the strip that errors need at the bottom of this window; 0 without errors.
  int strip_height(Look const& look, Rectangle const& window) const;
  /// Draws the errors into the strip, and the notices upwards from the bottom of `place`; without a place, notices
  /// wait. Errors that arrived after the strip was measured wait for the next frame.
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
