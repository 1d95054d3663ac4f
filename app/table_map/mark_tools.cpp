#include "app/table_map/mark_tools.hpp"

#include "app/widgets/controls.hpp"
#include "app/widgets/labels.hpp"
#include "app/widgets/text_field.hpp"
#include "gpu/base/translation.hpp"

#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <array>
#include <string_view>
#include <utility>

namespace slotscape {
namespace {

constexpr float strip_padding = 8.0f;
constexpr float words_width = 220.0f;

constexpr ImGuiWindowFlags layer_flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                         ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBackground |
                                         ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav;

/// The map would take the mouse from all windows below it. Menus and dialogs stay in front.
void keep_in_front()
{
  bool const asks = ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
  if (!asks) { ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow()); }
}

ImVec2 corner_of_canvas(MarkCanvas const& canvas)
{
  return {static_cast<float>(canvas.place.x), static_cast<float>(canvas.place.y)};
}

}  // namespace

void MarkTools::take_out_or_put_away()
{
  out_ = !out_;
  writing_.reset();
}

void MarkTools::cancel()
{
  if (writing_) { return writing_.reset(); }
  out_ = false;
}

void MarkTools::follow_mouse(Look const& look, Marks& marks, MarkCanvas const& canvas)
{
  ImVec2 const size{static_cast<float>(canvas.place.width), static_cast<float>(canvas.place.height)};
  ImGui::InvisibleButton("layer", size);
  ImVec2 const mouse = ImGui::GetIO().MousePos;
  bool const begins = ImGui::IsItemActivated();
  switch (tool_) {
    case MarkTool::pen:
      if (begins) { marks.begin_line(canvas, mouse, color_); }
      if (ImGui::IsItemActive()) { marks.continue_line(canvas, mouse); }
      if (ImGui::IsItemDeactivated()) { marks.end_line(canvas); }
      break;
    case MarkTool::eraser:
      if (ImGui::IsItemActive()) { marks.erase(look, canvas, mouse); }
      break;
    case MarkTool::text:
      if (begins && writing_) { marks.write(canvas, writing_->at, std::move(writing_->text), color_); }
      if (begins) { writing_ = Writing{mouse}; }
      break;
  }
}

void MarkTools::draw_field(Look const& look, Marks& marks, MarkCanvas const& canvas)
{
  if (!writing_) { return; }
  ImGui::SetCursorScreenPos(writing_->at);
  ImGui::SetNextItemWidth(look(words_width));
  ask_for_keyboard(*writing_, ImGui::GetActiveID() == ImGui::GetID("##words"));
  bool const entered = ImGui::InputText("##words", &writing_->text, ImGuiInputTextFlags_EnterReturnsTrue);
  ask_for_enter(ImGui::GetItemID());
  if (!entered) { return; }
  marks.write(canvas, writing_->at, std::move(writing_->text), color_);
  writing_.reset();
}

void MarkTools::draw_strip(Look const& look, Marks& marks, MarkCanvas const& canvas)
{
  ImVec2 const corner = corner_of_canvas(canvas);
  ImGui::SetNextWindowPos({corner.x + static_cast<float>(canvas.place.width) / 2.0f,
                           corner.y + static_cast<float>(canvas.place.height) - look(strip_padding)},
                          ImGuiCond_Always, {0.5f, 1.0f});  // at the bottom, because a race's slots are at the top
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look(strip_padding), look(strip_padding)});
  ImGui::Begin("##mark tools", nullptr,
               (layer_flags & ~ImGuiWindowFlags_NoBackground) | ImGuiWindowFlags_AlwaysAutoResize);
  keep_in_front();
  ImGui::BeginGroup();
  int tool = static_cast<int>(tool_);
  std::array<std::string_view, 3> const tools{translatable("Pen"), translatable("Text"), translatable("Eraser")};
  if (segmented(look, "tool", tools, tool)) { tool_ = static_cast<MarkTool>(tool); }
  ImGui::SameLine();
  int color = static_cast<int>(color_);
  std::array<std::string_view, 3> const colors{translatable("Yellow"), translatable("Red"), translatable("Blue")};
  if (segmented(look, "color", colors, color)) { color_ = static_cast<MarkColor>(color); }
  ImGui::EndGroup();
  ImGui::SameLine();
  float const right = ImGui::GetCursorPosX() + width_of_buttons_ + look(strip_padding);
  if (right > static_cast<float>(canvas.place.width)) { ImGui::NewLine(); }
  ImGui::BeginGroup();
  ImGui::BeginDisabled(!marks.can_undo());
  if (text_button("Undo")) { marks.undo(); }
  ImGui::EndDisabled();
  hint(look, "Undoes the latest change to the marks (Ctrl+Z).");
  ImGui::SameLine();
  ImGui::BeginDisabled(marks.empty());
  if (text_button("Erase all")) { marks.clear(); }
  ImGui::EndDisabled();
  ImGui::SameLine();
  if (text_button("Close")) { take_out_or_put_away(); }
  ImGui::EndGroup();
  width_of_buttons_ = ImGui::GetItemRectSize().x;
  ImGui::End();
  ImGui::PopStyleVar();
}

void MarkTools::draw(Look const& look, Marks& marks, MarkCanvas const& canvas)
{
  if (!out_ && marks.empty()) { return; }
  ImGui::SetNextWindowPos(corner_of_canvas(canvas));
  ImGui::SetNextWindowSize({static_cast<float>(canvas.place.width), static_cast<float>(canvas.place.height)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0.0f, 0.0f});
  ImGui::Begin("##marks", nullptr, layer_flags | (out_ ? ImGuiWindowFlags_None : ImGuiWindowFlags_NoInputs));
  ImGui::PopStyleVar();
  ScreenDrawing drawing(*ImGui::GetWindowDrawList(), look.font);
  marks.draw(look, drawing, canvas);
  if (out_) {
    keep_in_front();
    if (writing_) { ImGui::SetNextItemAllowOverlap(); }  // the text field is above the layer
    follow_mouse(look, marks, canvas);
    draw_field(look, marks, canvas);
  }
  ImGui::End();
  if (out_) { draw_strip(look, marks, canvas); }
}

}  // namespace slotscape
