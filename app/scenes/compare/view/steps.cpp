#include "app/scenes/compare/gui.hpp"

#include "app/base/text.hpp"
#include "app/table_map/step/draw.hpp"
#include "app/table_scene/gui.hpp"
#include "app/table_scene/step/code_view.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/look.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace slotscape {
namespace {

constexpr ImGuiWindowFlags step_strip_flags = strip_flags | ImGuiWindowFlags_NoFocusOnAppearing;

void begin_strip(char const* name, Rectangle const& place, ImVec2 padding)
{
  ImGui::SetNextWindowPos({static_cast<float>(place.x), static_cast<float>(place.y)});
  ImGui::SetNextWindowSize({static_cast<float>(place.width), static_cast<float>(place.height)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme::raised);
  ImGui::Begin(name, nullptr, step_strip_flags);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
}

void table_progress(Look const& look, ComparedTable const& table, std::size_t index, bool tells_total)
{
  StepPlayer const& player = *table.slots.steps.player;
  table_swatch(look, index);
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(title_of(table.slots.settings.table).c_str());
  std::string const progress = progress_of(player.position(), player.count(), tells_total);
  ImGui::SameLine();
  align_right(ImGui::CalcTextSize(progress.c_str()).x);
  ImGui::TextUnformatted(progress.c_str());
  remark(look, costs_of(player, family_of(table.slots).measure));
  if (!player.plain()) { hint(look, second_looks_hint); }
  if (player.at_end()) { remark(look, player.trace().summary); }
}

/// Shows a table's code; a click on a line takes all tables there.
void table_code(Look const& look, CompareState& state, std::size_t index)
{
  ImGui::PushID(static_cast<int>(index));
  if (disclosure(look, "Code")) {
    TableState const& slots = state.tables[index].slots;
    auto const line = code_view(look, *slots.steps.player, slots.settings.table, code_style(state.shared.settings.view),
                                state.shared.steps.shows_upcoming);
    if (line) { players_of(state).go_to(*line); }
  }
  ImGui::PopID();
  ImGui::Dummy({0.0f, look(4.0f)});
}

}  // namespace

void draw_steps_strip(Look const& look, CompareState& state, Rectangle const& place)
{
  begin_strip("##steps", place, {look(16.0f), look(10.0f)});
  StepState& steps = state.shared.steps;
  StepGroup players = players_of(state);
  finish_buttons(look, state.shared, !players.empty(), !players.empty() && players.at_end());
  std::string text = waiting_text(state.shared);
  if (!players.empty()) {
    std::string const progress = progress_of(players.position(), players.count(), steps.shows_upcoming);
    text = fmt::format("{}   {}", title_of(*state.tables.front().slots.steps.player), progress);
    float const width = ImGui::CalcTextSize(text.c_str()).x;
    bool const room_for_speed = ImGui::GetContentRegionAvail().x > transport_width(look) + width + look(20.0f);
    draw_transport(look, players, steps.speed, room_for_speed);
    ImGui::SameLine();
    align_right(width);
  }
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(text.c_str());
  ImGui::End();
}

void draw_table_caption(Look const& look, CompareState const& state, std::size_t table, Rectangle const& place)
{
  begin_strip(fmt::format("##caption{}", table).c_str(), place, {0.0f, 0.0f});
  StepPlayer const& player = *state.tables[table].slots.steps.player;
  StepCaption caption = caption_of(player, state.shared.steps.shows_upcoming);
  if (player.at_start()) { caption.text = player.count() != 0 ? tr("Where does it look first?") : ""; }
  if (player.at_end()) { caption.text.clear(); }
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImVec2 const low = ImGui::GetWindowPos();
  ImVec2 const high{low.x + static_cast<float>(place.width), low.y + static_cast<float>(place.height)};
  list.AddRectFilled(low, {low.x + look(4.0f), high.y}, caption.color);
  ScreenDrawing drawing(list, look.font);
  draw_caption(look, drawing, {low.x + look(12.0f), low.y + look(2.0f)}, {high.x - look(10.0f), high.y - look(4.0f)},
               caption);
  ImGui::End();
}

void compared_steps_panel(Look const& look, CompareState& state)
{
  heading(look, "STEP THROUGH ONE OPERATION");
  bool const steps = !players_of(state).empty();
  steps_chooser(look, state.shared, steps);
  if (!steps) {
    remark(
        look,
        "The same operation in every table, one memory access at a time: Right and Left step all of them forward "
        "and back, Space plays, Esc leaves. The tables are paused, and nothing changes them until Enter, or 'Do it', "
        "performs the operation.");
    return;
  }
  heading(look, "MEMORY ACCESSES");
  upcoming_box(look, state.shared.steps);
  for (std::size_t i = 0; i < state.tables.size(); ++i) {
    table_progress(look, state.tables[i], i, state.shared.steps.shows_upcoming);
    table_code(look, state, i);
  }
}

}  // namespace slotscape
