#include "app/table_scene/step/code_view.hpp"

#include "app/widgets/controls.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace slotscape {
namespace {

constexpr float indent_width = 14.0f;
constexpr float margin = 6.0f;
constexpr float smallest_text = 0.64f;  ///< relative to the usual size
constexpr float line_gap = 0.22f;       ///< relative to the text size
constexpr float largest_text = 2.0f;    ///< in a panel widened for a projector

class CodeBlock {
public:
  CodeBlock(Look const& look, StepPlayer const& player, std::vector<CodeLine> const& lines, bool marks_next,
            float height)
      : look_(look),
        player_(player),
        lines_(lines),
        lit_(line_of(player, lines)),
        next_(marks_next ? next_line_of(player, lines) : std::string_view()),
        width_(ImGui::GetContentRegionAvail().x),
        height_(height)
  {
  }

  /// Returns the position to go to if a line was clicked.
  std::optional<std::size_t> draw()
  {
    float widest = 1.0f;
    for (CodeLine const& line : lines_) { widest = std::max(widest, width_of(line)); }
    // whole pixels: text at a fractional size may be wider than that size suggests
    float const of_width =
        look_.small * std::clamp((width_ - look_(2.0f * margin)) / widest, smallest_text, largest_text);
    float const of_height = std::max(height_ / code_height(lines_.size(), 1.0f), smallest_text * look_.small);
    font_ = std::floor(std::min(of_width, of_height));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0.0f, 0.0f});
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      ImGui::PushID(static_cast<int>(i));
      draw_line(lines_[i], i == 0 ? signature_of(player_) : lines_[i].text);
      ImGui::PopID();
    }
    ImGui::PopStyleVar();
    return clicked_;
  }

private:
  float width_of(CodeLine const& line) const
  {
    char const* const begin = line.text.data();
    float const text = look_.font->CalcTextSizeA(look_.small, FLT_MAX, 0.0f, begin, begin + line.text.size()).x;
    return text + look_(indent_width) * static_cast<float>(line.indent);
  }

  void draw_line(CodeLine const& line, std::string const& text)
  {
    ImVec2 const at = ImGui::GetCursorScreenPos();
    float const x = at.x + look_(margin) + font_ / look_.small * look_(indent_width) * static_cast<float>(line.indent);
    float const room = std::max(at.x + width_ - x, 1.0f);  // longer lines wrap where text would become too small
    float const text_height = look_.font->CalcTextSizeA(font_, FLT_MAX, room, text.c_str()).y;
    float const height = std::floor(text_height + font_ * line_gap);
    ImVec2 const end{at.x + width_, at.y + height};
    auto const target = line.label.empty() ? std::nullopt : position_at_line(player_, lines_, line.label);
    if (ImGui::InvisibleButton("line", {width_, height}, ImGuiButtonFlags_EnableNav) && target) { clicked_ = target; }
    ImDrawList& list = *ImGui::GetWindowDrawList();
    bool const is_lit = !line.label.empty() && line.label == lit_;
    if (is_lit || (target && ImGui::IsItemHovered())) {
      list.AddRectFilled(at, end, is_lit ? theme::accent_dim : theme::frame_hovered, look_(3.0f));
    }
    if (!line.label.empty() && line.label == next_) {
      list.AddRectFilled(at, {at.x + look_(3.0f), end.y}, theme::accent);
    }
    ImU32 const color = is_lit ? theme::text : target ? theme::text_dim : theme::text_faint;
    list.AddText(look_.font, font_, {x, at.y + (height - text_height) / 2.0f}, color, text.c_str(), nullptr, room);
    if (target) { hint(look_, "Click to run to this line."); }
  }

  Look const& look_;
  StepPlayer const& player_;
  std::vector<CodeLine> const& lines_;
  std::string_view lit_;
  std::string_view next_;
  float width_;
  float height_;
  float font_ = 0.0f;
  std::optional<std::size_t> clicked_;
};

}  // namespace

std::optional<std::size_t> code_view(Look const& look, StepPlayer const& player, TableSettings const& table,
                                     CodeStyle style, bool marks_next, float height)
{
  std::vector<CodeLine> const lines = pseudocode_of(table, player.trace().operation, style);
  if (lines.empty()) { return std::nullopt; }
  auto const clicked = CodeBlock(look, player, lines, marks_next, height).draw();
  std::string const variables = variables_of(player, lines);
  remark(look, variables.empty() ? " " : variables);
  return clicked;
}

float code_height(std::size_t lines, float letters)
{
  return static_cast<float>(lines) * letters * (1.0f + line_gap);
}

}  // namespace slotscape
