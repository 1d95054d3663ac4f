#include "app/lessons/own_question.hpp"

#include "app/base/text.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/labels.hpp"
#include "app/widgets/text_field.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <imgui_stdlib.h>

#include <utility>

namespace slotscape::lessons {
namespace {

constexpr char const* popup = translatable("A question of your own");
constexpr float form_width = 460.0f;
constexpr std::size_t min_own_options = 2;

}  // namespace

void OwnQuestion::open()
{
  opening_ = true;
  wanted_ = 0;
}

/// Returns whether Enter was pressed in the field.
bool OwnQuestion::field(std::size_t number, char const* label, char const* proposed, std::string& text)
{
  if (wanted_ == number) {
    ImGui::SetKeyboardFocusHere();
    wanted_.reset();
  }
  bool const entered = ImGui::InputTextWithHint(label, proposed, &text, ImGuiInputTextFlags_EnterReturnsTrue);
  ask_for_enter(ImGui::GetItemID());
  return entered;
}

/// Enter moves from field to field; in an empty option and in the last one, it asks the question.
bool OwnQuestion::fields(Look const& look)
{
  bool asks = false;
  ImGui::SetNextItemWidth(look(form_width));
  if (field(0, "##question", tr("Your question"), question)) { wanted_ = 1; }
  for (std::size_t i = 0; i < options.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(letter_of(i).c_str());
    ImGui::SameLine();
    ImGui::SetNextItemWidth(look(form_width) - (ImGui::GetCursorPosX() - ImGui::GetCursorStartPos().x));
    char const* const proposed = i < min_own_options ? tr("An option") : tr("Another option, or nothing");
    if (field(i + 1, "##option", proposed, options[i])) {
      bool const no_more = trimmed(options[i]).empty() || i + 1 == options.size();
      asks = asks || no_more;
      if (!no_more) { wanted_ = i + 2; }
    }
    ImGui::PopID();
  }
  return asks;
}

Vote OwnQuestion::vote(std::string title) const
{
  Vote vote{.kind = VoteKind::own, .title = std::move(title), .question = question};
  for (std::string const& option : options) {
    if (!trimmed(option).empty()) { vote.lines.push_back({.answer = option, .right = {}}); }
  }
  if (trimmed(question).empty()) { throw Error(tr("Type the question first.")); }
  if (vote.lines.size() < min_own_options) { throw Error(tr("Type at least two options for people to vote on.")); }
  return vote;
}

bool OwnQuestion::draw(Look const& look)
{
  std::string const title = translated_label(popup);
  if (std::exchange(opening_, false)) { ImGui::OpenPopup(title.c_str()); }
  ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetCenter(), ImGuiCond_Always, {0.5f, 0.5f});
  constexpr ImGuiWindowFlags flags = ImGuiWindowFlags_NoResize | ImGuiWindowFlags_AlwaysAutoResize;
  if (!ImGui::BeginPopupModal(title.c_str(), nullptr, flags)) { return false; }
  bool const entered = fields(look);
  ImVec2 const size{look(130.0f), 0.0f};
  align_right(size.x * 2.0f + ImGui::GetStyle().ItemSpacing.x);
  bool const cancelled = text_button("Cancel", size) || ImGui::IsKeyPressed(ImGuiKey_Escape, false);
  ImGui::SameLine();
  bool const asks = primary_button("Ask", size) || entered || enter_confirms();
  if (cancelled || asks) { ImGui::CloseCurrentPopup(); }
  ImGui::EndPopup();
  return asks && !cancelled;
}

}  // namespace slotscape::lessons
