#pragma once

#include "app/widgets/theme.hpp"

#include <imgui.h>

namespace slotscape {

/// A rectangle of the framebuffer in pixels, from its top left corner, y downwards.
struct Rectangle {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
};

/// The interface's scale and font; text is sharp at any size. Sizes are in pixels.
struct Look {
  float scale = 1.0f;
  ImFont* font = nullptr;
  float body = 0.0f;
  float small = 0.0f;
  float large = 0.0f;
  float caption = 0.0f;  ///< legible from the back of a lecture room
  float cells = 0.0f;    ///< minimum size in the cells of a map, if there is room
  Background background = Background::dark;

  float operator()(float points) const { return points * scale; }  ///< a length at scale 1, in pixels
};

}  // namespace slotscape

namespace slotscape::theme {

ImU32 with_alpha(ImU32 color, float alpha);
ImVec4 rgba(ImU32 color);

/// Sets ImGui's style for an interface that looks like this.
void apply(Look const& look);

}  // namespace slotscape::theme
