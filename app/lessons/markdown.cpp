#include "app/lessons/markdown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <utility>

namespace slotscape::lessons {
namespace {

using Style = RichText::Style;
using Word = RichText::Word;

/// A Markdown delimiter and the style of the text between two of them; longer delimiters come first.
struct Mark {
  std::string_view mark;
  Style style;
};
constexpr Mark marks[]{{"**", Style::strong}, {"*", Style::emphasis}, {"`", Style::code}};

/// Splits a block into words.
class WordReader {
public:
  explicit WordReader(RichText::Block& block) : block_(block) {}

  void read(std::string_view line)
  {
    for (std::size_t at = 0; at < line.size();) {
      if (line[at] == ' ') {
        end_word();
        space_ = true;
        ++at;
      } else if (auto const* const mark = mark_at(line, at)) {
        end_word();
        inside_ = inside_ ? std::nullopt : std::optional(mark->style);
        at += mark->mark.size();
      } else {
        word_ += line[at++];
      }
    }
    end_word();
  }

private:
  /// A mark that opens or closes a style; null in "2 * 3".
  Mark const* mark_at(std::string_view line, std::size_t at) const
  {
    for (Mark const& mark : marks) {
      if (!line.substr(at).starts_with(mark.mark)) { continue; }
      if (inside_) { return *inside_ == mark.style ? &mark : nullptr; }
      std::size_t const next = at + mark.mark.size();
      bool const in_word = !word_.empty() && std::isalnum(static_cast<unsigned char>(word_.back())) != 0;
      bool const opens =
          next < line.size() && line[next] != ' ' && line.find(mark.mark, next) != std::string_view::npos && !in_word;
      return opens ? &mark : nullptr;
    }
    return nullptr;
  }

  void end_word()
  {
    if (word_.empty()) { return; }
    block_.words.push_back({std::exchange(word_, {}), inside_.value_or(Style::plain), std::exchange(space_, false)});
  }

  RichText::Block& block_;
  std::string word_;
  std::optional<Style> inside_;
  bool space_ = true;
};

bool is_operator(std::string_view word)
{
  constexpr std::array<std::string_view, 9> operators{"+", "-", "−", "·", "×", "/", "=", "≈", "^"};
  return std::ranges::find(operators, word) != operators.end();
}

bool ends_a_number(std::string_view word)
{
  return !word.empty() && (std::isdigit(static_cast<unsigned char>(word.back())) != 0 || word.ends_with("½"));
}

}  // namespace

RichText parse_rich_text(std::string_view markdown)
{
  std::vector<std::pair<bool, std::string>> blocks;  // a flag for list items, and the block's lines
  bool continues = false;
  while (!markdown.empty()) {
    std::size_t const end = std::min(markdown.find('\n'), markdown.size());
    std::string_view line = markdown.substr(0, end);
    markdown.remove_prefix(std::min(end + 1, markdown.size()));
    if (line.find_first_not_of(' ') == std::string_view::npos) {
      continues = false;
      continue;
    }
    bool const is_item = line.starts_with("- ");
    if (is_item) { line.remove_prefix(2); }
    if (is_item || !continues) {
      blocks.emplace_back(is_item, line);
    } else {
      blocks.back().second += fmt::format(" {}", line);
    }
    continues = true;
  }
  RichText text;
  for (auto const& [is_item, line] : blocks) {
    text.blocks.push_back({is_item, {}});
    WordReader(text.blocks.back()).read(line);
  }
  return text;
}

std::string without_markup(std::string_view markdown)
{
  std::string text;
  for (RichText::Block const& block : parse_rich_text(markdown).blocks) {
    for (RichText::Word const& word : block.words) {
      bool const begins = &word == &block.words.front();
      if (!text.empty() && (begins || word.after_space)) { text += ' '; }
      text += word.text;
    }
  }
  return text;
}

bool in_one_formula(Word const& left, Word const& right)
{
  return is_operator(left.text) || is_operator(right.text) || (ends_a_number(left.text) && right.text.starts_with('('));
}

}  // namespace slotscape::lessons
