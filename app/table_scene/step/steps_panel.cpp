#include "app/base/text.hpp"
#include "app/table_map/step/draw.hpp"
#include "app/table_scene/gui.hpp"
#include "app/table_scene/step/code_view.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/labels.hpp"
#include "app/widgets/look.hpp"
#include "gpu/base/translation.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace slotscape {
namespace {

constexpr float number_width = 40.0f;
constexpr float row_margin = 7.0f;  ///< above and below the text of a step
constexpr std::size_t most_measured_rows = 200;

void key_buttons(Look const& look, TableState& state)
{
  float const gaps = 2.0f * ImGui::GetStyle().ItemSpacing.x;
  ImVec2 const size{(ImGui::GetContentRegionAvail().x - gaps) / 3.0f, 0.0f};
  if (text_button("New key", size)) { state.ask(TakeKey{KeySource::fresh}); }
  hint(look, "A key that is not in the table.");
  ImGui::SameLine();
  if (text_button("Live key", size)) { state.ask(TakeKey{KeySource::live}); }
  hint(look, "A random live key.");
  ImGui::SameLine();
  ImGui::BeginDisabled(!state.selection.pinned);
  if (text_button("Pinned slot", size)) { state.ask(TakeKey{KeySource::pinned}); }
  ImGui::EndDisabled();
  hint(look, "The key in the slot pinned on the map.");
}

struct Row {
  std::string number;
  std::string text;
  ImU32 color;
};

Row row_of(StepState const& steps, std::size_t position)
{
  StepPlayer const& player = *steps.player;
  if (position == 0) { return {"", title_of(player), theme::text_dim}; }
  bool const to_come = position > player.position();
  bool const tells_next = steps.shows_upcoming || position < player.position();
  return {std::to_string(position), text_of(player.trace().steps[position - 1], tells_next),
          to_come ? theme::text_faint : theme::text};
}

/// One step in the list; a click jumps there.
void draw_row(Look const& look, StepState& steps, std::size_t position, float height)
{
  StepPlayer& player = *steps.player;
  Row const row = row_of(steps, position);
  bool const is_present = position == player.position();
  ImVec2 const at = ImGui::GetCursorScreenPos();
  ImVec2 const size{ImGui::GetContentRegionAvail().x, height};
  ImGui::PushID(static_cast<int>(position));
  if (ImGui::InvisibleButton("row", size, ImGuiButtonFlags_EnableNav)) { player.go_to(position); }
  ImGui::PopID();
  bool const hovered = ImGui::IsItemHovered();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImVec2 const end{at.x + size.x, at.y + size.y - look(3.0f)};
  if (is_present || hovered) {
    list.AddRectFilled(at, end, is_present ? theme::accent_dim : theme::frame_hovered, look(4.0f));
  }
  float const font = look.small;
  ImVec2 const text{at.x + look(number_width), at.y + look(3.0f)};
  list.PushClipRect(at, end, true);
  list.AddText(look.font, font, {at.x + look(6.0f), text.y}, theme::text_dim, row.number.c_str());
  list.AddText(look.font, font, text, is_present ? theme::text : row.color, row.text.c_str(), nullptr,
               size.x - look(number_width + 4.0f));
  list.PopClipRect();
}

/// Scrolls to the current step when it changes. `tops`: the top of each row, and the bottom of the last.
void follow(StepState& steps, std::vector<float> const& tops)
{
  StepPlayer const& player = *steps.player;
  if (std::exchange(steps.listed, player.position()) == player.position() || player.at_end()) { return; }
  float const top = tops[player.position()];
  float const bottom = tops[player.position() + 1];
  float const room = ImGui::GetWindowHeight() - ImGui::GetStyle().WindowPadding.y * 2.0f;
  if (top < ImGui::GetScrollY()) { ImGui::SetScrollY(top); }
  if (bottom > ImGui::GetScrollY() + room) { ImGui::SetScrollY(bottom - room); }
}

float row_height(Look const& look, std::string const& text)
{
  float const width = ImGui::GetContentRegionAvail().x - look(number_width + 4.0f) - ImGui::GetStyle().ScrollbarSize;
  return look.font->CalcTextSizeA(look.small, FLT_MAX, width, text.c_str()).y + look(row_margin);
}

/// The top of each row, and the bottom of the last. Long lists use one row height, that of the longest text.
std::vector<float> tops_of_rows(Look const& look, StepState const& steps, std::size_t rows)
{
  auto const& all = steps.player->trace().steps;
  bool const is_long = rows > most_measured_rows;
  auto const longest = std::ranges::max_element(all, {}, [](Step const& step) { return step.text.size(); });
  float const highest = is_long ? row_height(look, longest->text) : 0.0f;
  std::vector<float> tops{0.0f};
  for (std::size_t row = 0; row < rows; ++row) {
    tops.push_back(tops.back() + (is_long ? highest : row_height(look, row_of(steps, row).text)));
  }
  return tops;
}

/// Draws the visible rows and a page around them.
void draw_rows(Look const& look, StepState& steps, std::vector<float> const& tops)
{
  float const room = ImGui::GetWindowHeight();
  float const scroll = ImGui::GetScrollY();
  for (std::size_t row = 0; row + 1 < tops.size(); ++row) {
    bool const is_near = tops[row + 1] > scroll - room && tops[row] < scroll + 2.0f * room;
    if (!is_near) { continue; }
    ImGui::SetCursorPosY(tops[row]);
    draw_row(look, steps, row, tops[row + 1] - tops[row]);
  }
  ImGui::SetCursorPosY(tops.back());
  ImGui::Dummy({0.0f, 0.0f});
}

void step_list(Look const& look, StepState& steps, Measure const& measure)
{
  StepPlayer& player = *steps.player;
  remark(look, costs_of(player, measure));
  if (!player.plain()) { hint(look, second_looks_hint); }
  upcoming_box(look, steps);
  std::size_t const rows = (steps.shows_upcoming ? player.count() : player.position()) + 1;
  std::vector<float> const tops = tops_of_rows(look, steps, rows);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0.0f, 0.0f});
  ImGui::BeginChild("##step_list", {0.0f, -look(8.0f)});
  draw_rows(look, steps, tops);
  if (player.at_end()) {
    ImGui::PushStyleColor(ImGuiCol_Text, theme::accent);
    ImGui::TextWrapped("%s", player.summary().c_str());
    ImGui::PopStyleColor();
    if (steps.listed != player.position()) { ImGui::SetScrollHereY(1.0f); }
  }
  follow(steps, tops);
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

}  // namespace

void steps_chooser(Look const& look, TableState& state, bool restarts)
{
  if (!restarts) { remark(look, "Type one or more keys above the map, or choose one:"); }
  key_buttons(look, state);
  ImGui::BeginDisabled(!parsed_keys(state).error.empty());
  bool const pressed =
      restarts ? text_button("Start over", {-FLT_MIN, 0.0f}) : primary_button("Start", {-FLT_MIN, look(32.0f)});
  ImGui::EndDisabled();
  if (pressed) {
    if (auto on_keys = enter_keys(state)) { state.ask(OnTyped{std::move(*on_keys)}); }
  }
  StepState const& steps = state.steps;
  if (!steps.next.empty()) { remark(look, tr("Then {} more.", steps.next.size())); }
  if (!steps.performed.empty()) {
    remark(look, tr("{} done. Left at the start goes back to the previous one.", steps.performed.size()));
  }
}

void upcoming_box(Look const& look, StepState& steps)
{
  ImGui::Checkbox(translated_label("Show upcoming steps").c_str(), &steps.shows_upcoming);
  hint(look, "Show the next step, and list the remaining ones. Leave this off to guess what happens next.");
}

void code_panel(Look const& look, TableState& state, bool whole)
{
  heading(look, "CODE");
  StepPlayer& player = *state.steps.player;
  float const variables = look.small + look(8.0f);
  float const height = whole ? ImGui::GetContentRegionAvail().y - variables : std::numeric_limits<float>::max();
  auto const line = code_view(look, player, state.settings.table, code_style(state.settings.view),
                              state.steps.shows_upcoming, height);
  if (line) { player.go_to(*line); }
}

float code_panel_height(Look const& look, TableState const& state, float letters)
{
  float const around = 2.0f * look.small + look(42.0f);  // height of the heading and the variables
  return around + code_height(pseudocode_of(state.settings.table, state.steps.player->trace().operation,
                                            code_style(state.settings.view))
                                  .size(),
                              letters);
}

void steps_panel(Look const& look, TableState& state)
{
  heading(look, "STEP THROUGH ONE OPERATION");
  steps_chooser(look, state, state.steps.player.has_value());
  if (!state.steps.player) {
    remark(look,
           "One memory access at a time: Right and Left step forward and back, Space plays, Esc leaves. The table is "
           "paused, and nothing changes it until Enter, or 'Do it', performs the operation.");
    return;
  }
  code_panel(look, state);
  heading(look, "STEPS");
  step_list(look, state.steps, family_of(state).measure);
}

}  // namespace slotscape
