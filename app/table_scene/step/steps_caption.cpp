#include "app/base/text.hpp"
#include "app/table_map/step/draw.hpp"
#include "app/table_scene/gui.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/labels.hpp"
#include "app/widgets/look.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace slotscape {
namespace {

constexpr float text_height = 88.0f;
constexpr float padding = 10.0f;

/// A tag with the kind of access and the step number, at the right end of the line.
void step_number(Look const& look, StepState const& steps, StepCaption const& caption)
{
  StepPlayer const& player = *steps.player;
  std::string const number = progress_of(player.position(), player.count(), steps.shows_upcoming);
  float const kind_width = ImGui::CalcTextSize(caption.kind.c_str()).x;
  float const number_width = ImGui::CalcTextSize(number.c_str()).x;
  bool const roomy = ImGui::GetContentRegionAvail().x > kind_width + number_width + look(20.0f);
  align_right(number_width + (roomy ? kind_width + look(10.0f) : 0.0f));
  ImGui::AlignTextToFramePadding();
  if (roomy) {
    ImGui::TextColored(theme::rgba(caption.color), "%s", caption.kind.c_str());
    ImGui::SameLine(0.0f, look(10.0f));
  }
  ImGui::TextUnformatted(number.c_str());
}

}  // namespace

std::string waiting_text(TableState const& state)
{
  StepState const& steps = state.steps;
  bool const several = steps.captions_on_maps;
  if (steps.wanted) {
    return several ? tr("Waiting for the tables to finish…") : tr("Waiting for the table to finish…");
  }
  if (!steps.done.empty()) { return tr("Done: {}", steps.done); }
  return several ? tr("Type the keys above the map. The tables are paused.")
                 : tr("Type the keys above the map. The table is paused.");
}

/// As wide as in English, unless the translation is longer.
float button_width(Look const& look, char const* label, float usual)
{
  return std::max(look(usual), ImGui::CalcTextSize(tr(label)).x + 2.0f * ImGui::GetStyle().FramePadding.x);
}

void finish_buttons(Look const& look, TableState& state, bool steps, bool at_end)
{
  ImVec2 const size{button_width(look, "Do it", 66.0f), 0.0f};
  ImGui::BeginDisabled(!steps);
  ImGui::BeginDisabled(state.steps.is_performed);
  if (at_end ? primary_button("Do it", size) : text_button("Do it", size)) { state.ask(DoSteps{}); }
  ImGui::EndDisabled();
  hint(look, state.steps.is_performed
                 ? tr("The operation is done. A step back undoes it.")
                 : tr("Perform the operation (Enter): the table becomes what the map shows at the end."));
  ImGui::SameLine(0.0f, look(6.0f));
  if (text_button("Other key", {button_width(look, "Other key", 76.0f), 0.0f})) { state.ask(EnterSteps{}); }
  hint(look, "Leave the table unchanged and choose another operation.");
  ImGui::EndDisabled();
  ImGui::SameLine(0.0f, look(6.0f));
  if (text_button("Leave", {button_width(look, "Leave", 60.0f), 0.0f})) { state.ask(LeaveSteps{}); }
  hint(look, "Leave step mode (Esc). The table continues as before.");
  ImGui::SameLine(0.0f, look(12.0f));
}

float steps_caption_height(Look const& look, StepState const& steps)
{
  float const text = steps.captions_on_maps ? 0.0f : text_height + padding;
  return look(text + 2.0f * padding) + ImGui::GetFrameHeight();
}

void draw_steps_caption(Look const& look, TableState& state, Rectangle const& place)
{
  ImVec2 const corner{static_cast<float>(place.x), static_cast<float>(place.y)};
  ImVec2 const size{static_cast<float>(place.width), static_cast<float>(place.height)};
  ImGui::SetNextWindowPos(corner);
  ImGui::SetNextWindowSize(size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look(16.0f), look(padding)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme::raised);
  ImGui::Begin("##caption", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoFocusOnAppearing);
  StepState& steps = state.steps;
  StepCaption const caption = steps.player ? caption_of(*steps.player, steps.shows_upcoming)
                                           : StepCaption{{}, theme::text_dim, waiting_text(state), {}};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(corner, {corner.x + look(5.0f), corner.y + size.y}, caption.color);
  ImVec2 const low = ImGui::GetCursorScreenPos();
  ScreenDrawing drawing(list, look.font);
  draw_caption(look, drawing, low, {corner.x + size.x - look(16.0f), low.y + look(text_height)}, caption);
  ImGui::SetCursorScreenPos({low.x, low.y + look(text_height + padding)});
  finish_buttons(look, state, steps.player.has_value(), steps.player && steps.player->at_end());
  if (steps.player) {
    bool const room_for_speed = ImGui::GetContentRegionAvail().x > transport_width(look) + look(60.0f);
    draw_transport(look, StepGroup{{&*steps.player}}, steps.speed, room_for_speed);
    ImGui::SameLine();
    step_number(look, steps, caption);
  }
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
}

}  // namespace slotscape
