#include "app/lessons/rich_text.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace slotscape::lessons {
namespace {

using Style = RichText::Style;
using Word = RichText::Word;

constexpr float line_height = 1.36f;  ///< relative to the font size
constexpr float paragraph_gap = 0.6f;
constexpr float item_gap = 0.2f;
constexpr float item_indent = 1.1f;

float width_of(TextLook const& look, std::string const& text)
{
  return look.font->CalcTextSizeA(look.size, FLT_MAX, 0.0f, text.c_str()).x;
}

void draw_word(Drawing& drawing, ImVec2 at, TextLook const& look, Word const& word)
{
  switch (word.style) {
    case Style::plain: drawing.text(at, look.size, look.plain, word.text); break;
    case Style::emphasis: drawing.text(at, look.size, look.emphasis, word.text); break;
    case Style::strong:  // there is no bold font: drawing the text twice, slightly offset, looks bold
      drawing.text(at, look.size, look.strong, word.text);
      drawing.text({at.x + std::max(look.size * 0.035f, 0.5f), at.y}, look.size, look.strong, word.text);
      break;
    case Style::code: {
      float const pad = look.size * 0.15f;
      drawing.fill({at.x - pad, at.y}, {at.x + width_of(look, word.text) + pad, at.y + look.size * 1.15f},
                   theme::with_alpha(look.plain, 0.14f), pad);
      drawing.text(at, look.size, look.plain, word.text);
      break;
    }
  }
}

/// The end of a group of words that are joined, such as "key" and the comma after it.
std::size_t end_of_group(std::vector<Word> const& words, std::size_t begin)
{
  std::size_t end = begin + 1;
  while (end < words.size() && !words[end].after_space) { ++end; }
  return end;
}

/// The width of the words from `begin` to `end` on one line.
float width_of(TextLook const& look, std::vector<Word> const& words, std::size_t begin, std::size_t end)
{
  float width = 0.0f;
  for (std::size_t i = begin; i < end; ++i) {
    bool const spaced = i != begin && words[i].after_space;
    width += width_of(look, words[i].text) + (spaced ? width_of(look, " ") : 0.0f);
  }
  return width;
}

/// The width of the words that must stay together: those of a group, with the rest of the formula that it begins, if
/// this fits on a line.
float width_to_keep(TextLook const& look, std::vector<Word> const& words, std::size_t begin, float line)
{
  std::size_t end = end_of_group(words, begin);
  float const group = width_of(look, words, begin, end);
  while (end < words.size() && in_one_formula(words[end - 1], words[end])) { end = end_of_group(words, end); }
  float const formula = width_of(look, words, begin, end);
  return formula <= line ? formula : group;
}

/// Lays out the text, and draws it if there is a drawing.
float lay_out(Drawing* drawing, ImVec2 at, float width, TextLook const& look, RichText const& text)
{
  float const line = std::round(look.size * line_height);
  float const space = width_of(look, " ");
  float y = at.y;
  bool first = true;
  for (RichText::Block const& block : text.blocks) {
    if (!std::exchange(first, false)) { y += std::round(look.size * (block.is_item ? item_gap : paragraph_gap)); }
    float const left = at.x + (block.is_item ? std::round(look.size * item_indent) : 0.0f);
    float const right = at.x + width;
    if (block.is_item && drawing != nullptr) {
      drawing->disc({at.x + look.size * 0.45f, y + look.size * 0.6f}, look.size * 0.13f, look.plain);
    }
    float x = left;
    for (std::size_t begin = 0; begin < block.words.size();) {
      std::size_t const end = end_of_group(block.words, begin);
      float const kept = width_to_keep(look, block.words, begin, right - left);
      bool const goes_on = begin != 0 && in_one_formula(block.words[begin - 1], block.words[begin]);
      float const needed = goes_on ? width_of(look, block.words, begin, end) : kept;
      if (x > left && x + space + needed > right) {
        x = left;
        y += line;
      } else if (x > left) {
        x += space;
      }
      for (; begin < end; ++begin) {
        if (drawing != nullptr) { draw_word(*drawing, {x, y}, look, block.words[begin]); }
        x += width_of(look, block.words[begin].text);
      }
    }
    y += line;
  }
  return y - at.y;
}

}  // namespace

TextLook text_look(Look const& look, float size)
{
  return {look.font, size, theme::text_on(look.background), theme::text_on(look.background),
          theme::accent_on(look.background)};
}

float draw_rich_text(Drawing& drawing, ImVec2 at, float width, TextLook const& look, RichText const& text)
{
  return lay_out(&drawing, at, width, look, text);
}

float height_of(float width, TextLook const& look, RichText const& text)
{
  return lay_out(nullptr, {0.0f, 0.0f}, width, look, text);
}

void rich_text(Look const& look, float size, std::string_view markdown)
{
  ImVec2 const at = ImGui::GetCursorScreenPos();
  float const width = ImGui::GetContentRegionAvail().x;
  ScreenDrawing drawing(*ImGui::GetWindowDrawList(), look.font);
  float const height = draw_rich_text(drawing, at, width, text_look(look, size), parse_rich_text(markdown));
  ImGui::Dummy({width, height});
}

}  // namespace slotscape::lessons
