#pragma once

#include <imgui.h>

namespace slotscape {

/// A rectangle of the framebuffer in pixels, from its top left corner, y downwards.
struct Rectangle {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
};

/// What a picture is drawn on.
enum class Background : unsigned char { dark, light };

/// The interface's scale and font, whose text is sharp in any size. Sizes are in pixels.
struct Look {
  float scale = 1.0f;
  ImFont* font = nullptr;
  float body = 0.0f;
  float small = 0.0f;
  float large = 0.0f;
  float caption = 0.0f;                      ///< to be read from the back of a lecture room
  Background background = Background::dark;  ///< of maps; the interface is dark

  float operator()(float points) const { return points * scale; }  ///< a length at scale 1, in pixels
};

}  // namespace slotscape

namespace slotscape::theme {

/// The interface's colours: greys of one hue, from the canvas (darkest) to text, and one accent.
inline constexpr ImU32 panel = IM_COL32(0x13, 0x18, 0x1f, 0xff);
inline constexpr ImU32 raised = IM_COL32(0x1a, 0x20, 0x29, 0xff);
inline constexpr ImU32 frame = IM_COL32(0x22, 0x2a, 0x35, 0xff);
inline constexpr ImU32 frame_hovered = IM_COL32(0x2c, 0x36, 0x44, 0xff);
inline constexpr ImU32 frame_active = IM_COL32(0x36, 0x43, 0x54, 0xff);
inline constexpr ImU32 line = IM_COL32(0x26, 0x2e, 0x39, 0xff);
inline constexpr ImU32 text = IM_COL32(0xdd, 0xe3, 0xea, 0xff);
inline constexpr ImU32 text_dim = IM_COL32(0x8d, 0x98, 0xa7, 0xff);
inline constexpr ImU32 text_faint = IM_COL32(0x5c, 0x67, 0x75, 0xff);
inline constexpr ImU32 accent = IM_COL32(0x5f, 0xb3, 0xf0, 0xff);
inline constexpr ImU32 accent_dim = IM_COL32(0x2b, 0x5c, 0x86, 0xff);
inline constexpr ImU32 warning = IM_COL32(0xe8, 0xb3, 0x4d, 0xff);
inline constexpr ImU32 error = IM_COL32(0xf0, 0x6b, 0x64, 0xff);
inline constexpr ImU32 theory = IM_COL32(0xe8, 0xb3, 0x4d, 0xff);  ///< for curves that are not measured

/// Text and emphasis on a picture's background.
constexpr ImU32 text_on(Background background)
{
  return background == Background::light ? IM_COL32(0x14, 0x1b, 0x24, 0xff) : text;
}
constexpr ImU32 accent_on(Background background)
{
  return background == Background::light ? IM_COL32(0x15, 0x5f, 0xa0, 0xff) : accent;
}

ImU32 with_alpha(ImU32 color, float alpha);
ImVec4 rgba(ImU32 color);

/// Sets ImGui's style for an interface that looks like this.
void apply(Look const& look);

}  // namespace slotscape::theme
