#include "app/gui/keyboard_focus.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

namespace slotscape {
namespace {

constexpr std::string_view menu_bar = "##MainMenuBar";
constexpr int frames_between_menus = 3;  ///< when the user moves to a neighbouring menu, no menu is open for a moment

bool any_popup()
{
  return ImGui::GetCurrentContext()->OpenPopupStack.Size > 0;
}

bool any_click()
{
  return std::ranges::any_of(ImGui::GetIO().MouseClicked, [](bool clicked) { return clicked; });
}

/// Whether keyboard navigation can reach anything in the window, as of the last frame.
bool is_stop(ImGuiWindow const& window)
{
  constexpr ImGuiWindowFlags none =
      ImGuiWindowFlags_NoNavInputs | ImGuiWindowFlags_Tooltip | ImGuiWindowFlags_Popup | ImGuiWindowFlags_ChildWindow;
  bool const has_controls =
      window.DC.NavLayersActiveMask != 0 || window.DC.ChildWindows.Size > 0 || window.DC.NavWindowHasScrollY;
  return window.WasActive && !window.Hidden && (window.Flags & none) == 0 && has_controls && window.Name != menu_bar &&
         !window.IsFallbackWindow;
}

/// The windows to visit, from left to right, then from top to bottom.
std::vector<ImGuiWindow*> stops()
{
  std::vector<ImGuiWindow*> found;
  for (ImGuiWindow* const window : ImGui::GetCurrentContext()->Windows) {
    if (is_stop(*window)) { found.push_back(window); }
  }
  std::ranges::stable_sort(found, {},
                           [](ImGuiWindow const* window) { return std::pair(window->Pos.x, window->Pos.y); });
  return found;
}

bool moves_in_panels(ImGuiKeyChord key)
{
  constexpr std::array<ImGuiKeyChord, 10> keys{ImGuiKey_LeftArrow,   ImGuiKey_RightArrow, ImGuiKey_UpArrow,
                                               ImGuiKey_DownArrow,   ImGuiKey_Space,      ImGuiKey_Enter,
                                               ImGuiKey_KeypadEnter, ImGuiKey_Home,       ImGuiKey_End,
                                               ImGuiKey_Tab};
  return std::ranges::find(keys, key) != keys.end();
}

}  // namespace

void KeyboardFocus::begin(bool wanted)
{
  ImGuiContext& gui = *ImGui::GetCurrentContext();
  gui.ConfigNavWindowingKeyNext = gui.ConfigNavWindowingKeyPrev = ImGuiKey_None;  // Ctrl+Tab is a command
  had_popup_ = any_popup();
  busy_ = gui.ActiveId != 0 || had_popup_;
  takes_escape_ = in_panels_ || had_popup_;
  bool const moves = in_panels_ || had_popup_ || wanted;
  ImGuiConfigFlags& flags = gui.IO.ConfigFlags;
  flags = moves ? flags | ImGuiConfigFlags_NavEnableKeyboard : flags & ~ImGuiConfigFlags_NavEnableKeyboard;
  // Tab is disabled here, unless a field has the keyboard and Tab moves to the next field. Otherwise, Dear ImGui would
  // enter a field of the last panel used, where Tab could no longer hide the panels.
  if (!moves && !gui.IO.WantTextInput) { ImGui::SetKeyOwner(ImGuiKey_Tab, ImHashStr("panels")); }
}

bool KeyboardFocus::in_menus() const
{
  ImGuiWindow const* const window = ImGui::GetCurrentContext()->NavWindow;
  return window != nullptr && window->Name == menu_bar;
}

void KeyboardFocus::follow()
{
  if (any_click() && !any_popup()) {
    in_panels_ = visits_menus_ = false;
    ImGui::SetNavCursorVisible(false);
  }
  follow_alt();
  if (visits_menus_) { follow_menus(); }
  bool const leaves = in_panels_ && !busy_ && ImGui::IsKeyPressed(ImGuiKey_Escape, false);
  bool const lost = in_panels_ && ImGui::GetCurrentContext()->NavWindow == nullptr;
  if (leaves || lost) { go_to_map(); }
}

/// Once a menu has closed: opens the neighbouring menu, or returns to the map.
void KeyboardFocus::follow_menus()
{
  frames_closed_ = any_popup() ? 0 : frames_closed_ + 1;
  auto const pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(key); };
  bool const arrow = pressed(ImGuiKey_LeftArrow) || pressed(ImGuiKey_RightArrow);
  if (had_popup_ && ImGui::GetCurrentContext()->LastKeyboardKeyPressTime == ImGui::GetTime()) { sideways_ = arrow; }
  if (frames_closed_ != frames_between_menus) { return; }
  if (!in_menus()) {  // the chosen command has taken the keyboard
    in_panels_ = visits_menus_ = false;
  } else if (std::exchange(sideways_, false)) {
    ImGui::ActivateItemByID(ImGui::GetCurrentContext()->NavId);
  } else {
    go_to_map();
  }
}

/// Releasing Alt alone switches between the menus and the map.
void KeyboardFocus::follow_alt()
{
  ImGuiContext const& gui = *ImGui::GetCurrentContext();
  auto const either = [](auto const& happens) { return happens(ImGuiKey_LeftAlt) || happens(ImGuiKey_RightAlt); };
  bool const goes_down = either([](ImGuiKey key) { return ImGui::IsKeyPressed(key, false); });
  bool const comes_up = either([](ImGuiKey key) { return ImGui::IsKeyReleased(key); });
  bool const other = gui.IO.KeyCtrl || gui.IO.KeyShift || gui.IO.KeySuper || gui.IO.AppFocusLost || any_click() ||
                     gui.IO.InputQueueCharacters.Size > 0;
  bool const pressed_more = alt_alone_ && !goes_down && gui.LastKeyboardKeyPressTime == gui.Time;
  if (goes_down) { alt_alone_ = true; }
  if (other || pressed_more) { alt_alone_ = false; }
  if (!comes_up || !std::exchange(alt_alone_, false) || ImGui::GetTopMostPopupModal() != nullptr) { return; }
  if (in_menus() || any_popup()) {
    ImGui::ClosePopupToLevel(0, false);
    go_to_map();
  } else {
    go_to_menus();
  }
}

bool KeyboardFocus::takes(ImGuiKeyChord key) const
{
  if (key == ImGuiKey_Escape) { return takes_escape_; }
  bool const opens_menu_of_control = key == ImGuiKey_F10 && ImGui::GetIO().KeyShift;
  return in_panels_ && (moves_in_panels(key) || opens_menu_of_control);
}

void KeyboardFocus::enter(ImGuiWindow& window)
{
  ImGuiContext& gui = *ImGui::GetCurrentContext();
  in_panels_ = true;
  ImGui::ClearActiveID();
  ImGui::FocusWindow(&window, ImGuiFocusRequestFlags_RestoreFocusedChild);
  gui.NavInputSource = ImGuiInputSource_Keyboard;
  if (gui.NavWindow != nullptr && gui.NavWindow->NavLastIds[ImGuiNavLayer_Main] == 0) {
    ImGui::NavInitWindow(gui.NavWindow, true);
  }
  ImGui::SetNavCursorVisible(true);
  gui.NavHighlightItemUnderNav = true;
}

void KeyboardFocus::go_on(bool forwards)
{
  std::vector<ImGuiWindow*> const all = stops();
  ImGuiWindow const* const now = in_panels_ ? ImGui::GetCurrentContext()->NavWindow : nullptr;
  auto const here = now == nullptr ? all.end() : std::ranges::find(all, now->RootWindow);
  visits_menus_ = false;
  // The map comes after the last panel in this cycle.
  if (here == all.end()) {
    if (!all.empty()) { enter(forwards ? *all.front() : *all.back()); }
  } else if (forwards) {
    here + 1 == all.end() ? go_to_map() : enter(**(here + 1));
  } else {
    here == all.begin() ? go_to_map() : enter(**(here - 1));
  }
}

void KeyboardFocus::go_to_menus()
{
  ImGuiWindow* const window = ImGui::FindWindowByName(menu_bar.data());
  if (window == nullptr || !window->WasActive) { return; }
  enter(*window);
  visits_menus_ = true;
  frames_closed_ = frames_between_menus;  // nothing happens if no menu opens
  sideways_ = false;
  ImGui::GetCurrentContext()->NavLayer = ImGuiNavLayer_Menu;
  ImGui::NavInitWindow(window, true);
}

void KeyboardFocus::go_to_map()
{
  in_panels_ = visits_menus_ = false;
  ImGui::SetNavCursorVisible(false);
  ImGui::FocusWindow(nullptr);
}

}  // namespace slotscape
