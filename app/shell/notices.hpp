#pragma once

#include "app/scene/scene.hpp"
#include "app/widgets/toasts.hpp"

namespace slotscape {

/// Places the program's short messages: errors in a strip below the scene, all others over the scene's lower end.
class Notices {
public:
  Toasts& toasts() { return toasts_; }
  Toasts const& toasts() const { return toasts_; }
  /// Stops drawing messages, which would cover a picture that nobody sees before it is finished.
  void hide() { shown_ = false; }

  /// Takes the strip for errors from the window; to be called every frame, before the scene is laid out.
  void take_place(Look const& look, Rectangle& window);
  /// `canvas`: the scene's. `covered`: something covers it, so notices wait.
  void draw(Frame const& frame, Rectangle const& canvas, bool covered);

private:
  Toasts toasts_;
  Rectangle strip_;
  bool shown_ = true;
};

}  // namespace slotscape
