#include "app/shell/user_input.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <functional>

namespace slotscape {
namespace {

bool is_enter(ImGuiKeyChord key)
{
  return key == ImGuiKey_Enter || key == ImGuiKey_KeypadEnter;
}

/// Whether the key moves between the cards of the gallery, or opens one.
bool chooses_card(ImGuiKeyChord key)
{
  constexpr std::array keys{ImGuiKey_LeftArrow, ImGuiKey_RightArrow,  ImGuiKey_UpArrow, ImGuiKey_DownArrow,
                            ImGuiKey_Enter,     ImGuiKey_KeypadEnter, ImGuiKey_Tab};
  return std::ranges::find(keys, key) != keys.end();
}

/// Whether the key has no effect in an empty text field.
bool is_idle_in_empty_field(ImGuiKeyChord key)
{
  constexpr std::array keys{ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_Home, ImGuiKey_End, ImGuiKey_Escape};
  return std::ranges::find(keys, key) != keys.end();
}

}  // namespace

UserInput::UserInput(SceneHost const& scenes, LessonHost& lessons, LessonView& lesson_view, Lecture& lecture,
                     MarkLayer const& marks, GalleryPage& gallery, HelpLists& help, Toasts& toasts, Attempts& attempts)
    : scenes_(scenes),
      lessons_(lessons),
      lesson_view_(lesson_view),
      lecture_(lecture),
      marks_(marks),
      gallery_(gallery),
      help_(help),
      toasts_(toasts),
      attempts_(attempts)
{
}

void UserInput::take(std::vector<ImGuiKeyChord> keys)
{
  in_popup_ = ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
  in_field_ = ImGui::GetIO().WantTextInput;
  in_gallery_ = gallery_.shown();
  // Enter is handled last: it came after the text typed in the same frame.
  auto const enters = std::stable_partition(keys.begin(), keys.end(), std::not_fn(is_enter));
  std::for_each(keys.begin(), enters, [this](ImGuiKeyChord key) { press(key); });
  if (!in_field_) {
    for (ImWchar const character : ImGui::GetIO().InputQueueCharacters) { type(character); }
  }
  std::for_each(enters, keys.end(), [this](ImGuiKeyChord key) { press(key); });
}

void UserInput::press(ImGuiKeyChord key)
{
  lesson_view_.forget_complaint();
  if (in_gallery_ && chooses_card(key)) { return; }
  if (key == ImGuiKey_Escape && !in_popup_ && help_.close()) { return; }
  Scene const& scene = scenes_.scene();
  bool const enters = is_enter(key);
  if (enters && lesson_view_.takes_enter()) { return; }
  bool const is_answer = enters && !in_field_ && !in_popup_ && !in_gallery_ && !scene.awaits_keyboard();
  if (is_answer && lesson_view_.answer_with_enter()) { return; }
  bool const for_field = !enters && (scene.awaits_keyboard() || lesson_view_.awaits_keyboard());
  bool const passes = is_idle_in_empty_field(key) && scene.has_empty_field();
  bool const typing = (in_field_ || for_field) && !passes;
  perform([&](std::span<Command const> commands) { return command_of(key, commands, typing); });
}

void UserInput::type(ImWchar character)
{
  lesson_view_.forget_complaint();
  if (in_gallery_ && character == ' ') { return; }
  bool const for_scene = !in_popup_ && !in_gallery_ && !lecture_.on();
  bool const is_ascii = character < 128;
  auto const typed = static_cast<char>(is_ascii ? character : 0);
  if (is_ascii && lecture_.type(typed)) { return; }
  if (is_ascii && for_scene && !scenes_.scene().awaits_keyboard() && lesson_view_.answer(typed)) { return; }
  if (for_scene && scenes_.scene().type(character)) { return; }
  if (!is_ascii) { return; }
  perform([&](std::span<Command const> commands) { return command_of(typed, commands); });
}

/// Each press is looked up separately, because the previous one may have switched scenes.
Command const* UserInput::find_command(Find const& find)
{
  if (Command const* const command = find(marks_.commands_now())) { return command; }
  for (std::span<Command const> const commands : lecture_.commands_now()) {
    if (Command const* const command = find(commands)) { return command; }
  }
  if (Command const* const command = find(scenes_.scene().commands())) { return command; }
  return find(commands_);
}

void UserInput::perform(Find const& find)
{
  Command const* const command = find_command(find);
  if (command == nullptr || (in_popup_ && !command->in_popups)) { return; }
  if (!lessons_.lets(*command)) { return; }
  toasts_.dismiss_refusals();
  attempts_.make(std::function<void()>(command->run), true);  // a copy, because the command may destroy its scene
  if (in_gallery_) { gallery_.close(); }
}

}  // namespace slotscape
