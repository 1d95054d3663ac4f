#include "app/keys/gui.hpp"

#include "app/widgets/controls.hpp"
#include "app/widgets/look.hpp"
#include "app/widgets/text_field.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>
#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <utility>

namespace slotscape {
namespace {

constexpr float min_field = 90.0f;

/// Whether the user is typing a word that began with a letter: T is then a letter, even if the word is not a key.
bool is_in_word(std::string_view before_cursor)
{
  std::size_t const begin = before_cursor.find_last_of(" ,;") + 1;
  return begin < before_cursor.size() && (before_cursor[begin] | 0x20) >= 'a' && (before_cursor[begin] | 0x20) <= 'z';
}

/// The text before the cursor of the active field, without the selection, which will be replaced.
std::string_view before_cursor(ImGuiInputTextState& field)
{
  int const end =
      field.HasSelection() ? std::min(field.GetSelectionStart(), field.GetSelectionEnd()) : field.GetCursorPos();
  return std::string_view(field.GetText()).substr(0, static_cast<std::size_t>(end));
}

/// Up and Down browse the history of typed texts; after a text was set from outside, the cursor is at its end.
int on_edit(ImGuiInputTextCallbackData* data)
{
  auto& typed = *static_cast<TypedKeys*>(data->UserData);
  if (data->EventFlag == ImGuiInputTextFlags_CallbackCharFilter) {
    bool const is_t = data->EventChar == 't' || data->EventChar == 'T';
    bool const is_command = is_t && !is_in_word(before_cursor(*ImGui::GetInputTextState(ImGui::GetActiveID())));
    if (is_command) { typed.steps_wanted = true; }
    return is_command ? 1 : 0;
  }
  if (data->EventFlag == ImGuiInputTextFlags_CallbackAlways) {
    if (std::exchange(typed.replaced, false)) {
      data->CursorPos = data->SelectionStart = data->SelectionEnd = data->BufTextLen;
    }
    return 0;
  }
  std::size_t const newest = typed.past.size();
  if (data->EventKey == ImGuiKey_UpArrow && typed.shown > 0) {
    typed.shown = std::min(typed.shown, newest) - 1;
  } else if (data->EventKey == ImGuiKey_DownArrow && typed.shown < newest) {
    ++typed.shown;
  } else {
    return 0;
  }
  data->DeleteChars(0, data->BufTextLen);
  if (typed.shown < newest) { data->InsertChars(0, typed.past[typed.shown].c_str()); }
  return 0;
}

/// Whether T steps through the typed keys even in their field, except within a word: no numeric key contains this
/// letter.
bool t_steps(TypedKeys const& typed, KeysFieldUse const& use)
{
  return !use.finds_only && !has_letters(use.form) && !typed.t_is_typed;
}

char const* examples_of(KeyForm const& form)
{
  if (form.key_bits > 64) { return tr("Key: 0x00112233445566778899aabbccddeeff"); }
  if (form.keys_of == HashedFrom::texts) { return tr("Keys: apple, \"red apple\", apple=5"); }
  switch (form.style) {
    case KeyStyle::words: return tr("Keys: apple, cloud=5, 42");
    case KeyStyle::names: return tr("Keys: Ada, Ben=5, 42");
    case KeyStyle::with_sign: return tr("Keys: 17, -5, 33–40");
    case KeyStyle::numbers:
    case KeyStyle::small: break;
  }
  return tr("Keys: 17, 42, 33–40");
}

/// Describes what Enter and T do in the field.
std::string what_keys_do(KeysFieldUse const& use)
{
  bool const are_numbers = !has_letters(use.form);
  std::string text = use.form.keys_of == HashedFrom::texts
                         ? tr("Press Enter to apply: a word is a text from the file, as is anything in quotation "
                              "marks, even a number. Add =12 to set its value. Plain numbers are keys, too. Up recalls "
                              "earlier entries. (Just type, or Ctrl+F.)")
                     : are_numbers ? tr("Press Enter to apply: 17, 42 and 33–40 are keys, 5=12 is a key and its value. "
                                        "Up recalls earlier entries. (K, or just type digits.)")
                                   : tr("Press Enter to apply: a word is a key; add =12 to set its value. Numbers are "
                                        "keys, too. Up recalls earlier entries. (Just type, or Ctrl+F.)");
  if (use.finds_only) { return text; }
  text += ' ';
  return text + (are_numbers ? tr("T steps through it, one memory access at a time.")
                             : tr("Ctrl+T steps through it, one memory access at a time."));
}

/// What is wrong with the text; empty if it is valid. For a name or a word from a list, adds how it can be typed.
std::string what_is_wrong(TypedKeys& typed, KeysFieldUse const& use)
{
  std::string const& text = typed.text;
  std::string error = text.empty() ? std::string() : typed.parsed(use.form).error;
  bool const may_be_listed = !error.empty() && !use.finds_only && !has_letters(use.form);
  if (!may_be_listed) { return error; }
  std::string const first = text.substr(0, text.find_first_of(" ,=;"));
  for (KeyStyle const style : {KeyStyle::names, KeyStyle::words}) {
    if (!key_named(first, style)) { continue; }
    return error + "\n" + tr("Or choose View → Show keys as → {}.", translated(to_label(style)));
  }
  return error;
}

/// Shows an error below the last item, flush with its right edge. Not a tooltip, because the map may show one at the
/// same time. Returns the lower end.
int show_error(Look const& look, std::string const& text)
{
  ImVec2 const corner = ImGui::GetItemRectMax();
  ImGui::SetNextWindowPos({corner.x, corner.y + look(6.0f)}, ImGuiCond_Always, {1.0f, 0.0f});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme::raised);
  ImGui::Begin("##keys_error", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_AlwaysAutoResize);
  ImGui::TextUnformatted(text.c_str());
  float const end = ImGui::GetWindowPos().y + ImGui::GetWindowHeight();
  ImGui::End();
  ImGui::PopStyleColor();
  return static_cast<int>(end);
}

}  // namespace

std::optional<Operation> operation_choice(Look const& look, TypedKeys& typed, KeysFieldUse const& use)
{
  constexpr std::array<std::string_view, 3> labels{translatable("Insert"), translatable("Find"), translatable("Erase")};
  if (use.finds_only) {
    typed.operation = Operation::find;
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(tr("Find"));
    return std::nullopt;
  }
  int chosen = static_cast<int>(typed.operation);
  return segmented(look, "typed_operation", labels, chosen) ? std::optional(static_cast<Operation>(chosen))
                                                            : std::nullopt;
}

bool draw_keys_field(Look const& look, TypedKeys& typed, KeysFieldUse const& use, float room_after)
{
  ImGui::SetNextItemWidth(std::max(ImGui::GetContentRegionAvail().x - room_after, look(min_field)));
  ImGuiID const field = ImGui::GetID("##keys");
  bool const active = ImGui::GetActiveID() == field;
  typed.active = active;
  ask_for_keyboard(typed, active);
  if (active && typed.replaced) { ImGui::GetInputTextState(field)->ReloadUserBufAndMoveToEnd(); }
  if (active) { typed.begun = false; }
  std::string const error = what_is_wrong(typed, use);
  int const filter = active && t_steps(typed, use) ? ImGuiInputTextFlags_CallbackCharFilter : 0;
  ImGui::PushStyleColor(ImGuiCol_Text, error.empty() ? theme::text : theme::error);
  bool const entered =
      ImGui::InputTextWithHint("##keys", examples_of(use.form), &typed.text,
                               ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll |
                                   ImGuiInputTextFlags_CallbackHistory | ImGuiInputTextFlags_CallbackAlways | filter,
                               on_edit, &typed);
  ask_for_enter(field);
  if (ImGui::IsItemEdited()) { typed.is_new = true; }
  ImGui::PopStyleColor();
  if (entered && !use.in_steps) { ImGui::SetKeyboardFocusHere(-1); }  // ready for the next keys
  typed.message_end = error.empty() ? 0 : show_error(look, error);
  bool const shows_more = active || use.in_steps;  // keeps the map, or the sentence about a step, visible
  if (error.empty() && !shows_more) { hint(look, what_keys_do(use)); }
  return entered;
}

bool type_key(TypedKeys& typed, KeysFieldUse const& use, char32_t character)
{
  bool const steps = typed.focus && t_steps(typed, use) && (character | 0x20) == U't' && !is_in_word(typed.text);
  if (steps) {  // before the field gets the keyboard
    typed.steps_wanted = true;
    return true;
  }
  constexpr std::u32string_view digits = U"0123456789";
  bool const is_letter = character >= 0x80 || (character | 0x20) - U'a' < 26 || character == U'"';
  bool const begins_key = digits.find(character) != std::u32string_view::npos || (is_letter && has_letters(use.form)) ||
                          (character == U'-' && use.form.style == KeyStyle::with_sign);
  if (!begins_key && !typed.focus) { return false; }
  std::array<char, 5> bytes{};
  auto const size = static_cast<std::size_t>(ImTextCharToUtf8(bytes.data(), character));
  typed.type({bytes.data(), size});
  return true;
}

}  // namespace slotscape
