#pragma once

namespace slotscape {

/// A rectangle of the framebuffer in pixels, from its top left corner, y downwards.
struct Rectangle {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
};

}  // namespace slotscape
