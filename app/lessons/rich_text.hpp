#pragma once

#include "app/widgets/drawing.hpp"
#include "app/widgets/look.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace slotscape::lessons {

/// A text in a part of Markdown: paragraphs, lists of lines that begin with "- ", **strong**, *emphasis* and `code`.
struct RichText {
  enum class Style : std::uint8_t { plain, strong, emphasis, code };
  struct Word {
    std::string text;
    Style style = Style::plain;
    bool after_space = true;  ///< else it continues the word before it
  };
  struct Block {
    bool is_item = false;
    std::vector<Word> words;
  };
  std::vector<Block> blocks;
};

RichText parse_rich_text(std::string_view markdown);

/// How it is drawn.
struct TextLook {
  ImFont* font = nullptr;
  float size = 0.0f;  ///< height of a line of letters
  ImU32 plain = theme::text;
  ImU32 strong = theme::text;
  ImU32 emphasis = theme::accent;
};
TextLook text_look(Look const& look, float size);

/// Draws the text, wrapped at `width`, from its top left corner on. Returns its height.
float draw_rich_text(Drawing& drawing, ImVec2 at, float width, TextLook const& look, RichText const& text);
/// The height alone.
float height_of(float width, TextLook const& look, RichText const& text);

/// Draws it as an item of ImGui's current window, as wide as there is room.
void rich_text(Look const& look, float size, std::string_view markdown);

}  // namespace slotscape::lessons
