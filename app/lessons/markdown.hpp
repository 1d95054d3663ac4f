#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape::lessons {

/// A text in a subset of Markdown: paragraphs, lists of lines that begin with "- ", **strong**, *emphasis* and `code`.
struct RichText {
  enum class Style : std::uint8_t { plain, strong, emphasis, code };
  struct Word {
    std::string text;
    Style style = Style::plain;
    bool after_space = true;  ///< otherwise it is joined to the previous word
  };
  struct Block {
    bool is_item = false;
    std::vector<Word> words;
  };
  std::vector<Block> blocks;
};

RichText parse_rich_text(std::string_view markdown);
/// The words without markup, on one line.
std::string without_markup(std::string_view markdown);

/// Whether both words belong to one formula, which must not be broken: "4 ·", "· 16", "½ (1".
bool in_one_formula(RichText::Word const& left, RichText::Word const& right);

}  // namespace slotscape::lessons
