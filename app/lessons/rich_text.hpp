#pragma once

#include "app/lessons/markdown.hpp"
#include "app/widgets/drawing.hpp"
#include "app/widgets/look.hpp"

#include <string_view>

namespace slotscape::lessons {

/// The appearance of a text.
struct TextLook {
  ImFont* font = nullptr;
  float size = 0.0f;  ///< height of a line of letters
  ImU32 plain = theme::text;
  ImU32 strong = theme::text;
  ImU32 emphasis = theme::accent;
};
TextLook text_look(Look const& look, float size);

/// Draws the text, wrapped at `width`, with its top left corner at `at`. Returns its height.
float draw_rich_text(Drawing& drawing, ImVec2 at, float width, TextLook const& look, RichText const& text);
/// The text's height, without drawing it.
float height_of(float width, TextLook const& look, RichText const& text);

/// Draws the text as an item of ImGui's current window, using the available width.
void rich_text(Look const& look, float size, std::string_view markdown);

}  // namespace slotscape::lessons
