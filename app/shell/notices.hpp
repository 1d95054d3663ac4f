#pragma once

#include "app/scene/scene.hpp"
#include "app/widgets/toasts.hpp"

namespace slotscape {

/// Where the program's short messages are shown: errors below the scene, all others over its lower end.
class Notices {
public:
  Toasts& toasts() { return toasts_; }
  Toasts const& toasts() const { return toasts_; }
  /// From now on, they are not drawn: they would cover a picture that nobody sees before its end.
  void hide() { shown_ = false; }

  /// Call every frame, before the scene is laid out: takes the strip of errors from the window.
  void take_place(Look const& look, Rectangle& window);
  /// `canvas`: of the scene. `covered`: something lies over it, and notices wait.
  void draw(Frame const& frame, Rectangle const& canvas, bool covered);

private:
  Toasts toasts_;
  Rectangle strip_;
  bool shown_ = true;
};

}  // namespace slotscape
