// The program in a web page: assets/page/page.js calls these functions.

#include "app/base/files.hpp"
#include "app/base/page_address.hpp"
#include "app/cli/command_line.hpp"
#include "app/languages/languages.hpp"
#include "app/registry/scenes.hpp"
#include "app/scene/share_link.hpp"
#include "app/shell/run.hpp"
#include "app/shell/settings_file.hpp"
#include "app/shell/window_loop.hpp"
#include "app/widgets/touch.hpp"
#include "gpu/base/error.hpp"

#include <GLFW/glfw3.h>
#include <emscripten/emscripten.h>
#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cfloat>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

extern "C" {  // app/page/page_library.js
void slotscape_copy(char const* text);
char* slotscape_copied();
char* slotscape_address();
}

namespace slotscape::page {
namespace {

/// The program's state. It is never destroyed, as a page ends without notice.
struct Page {
  WindowLoop loop;
  Paths dropped = {};
  std::string pasted = {};
};
Page* page = nullptr;

std::vector<std::string> lines_of(char const* text)
{
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) { lines.push_back(line); }
  return lines;
}

void use_clipboard_of_browser()
{
  ImGuiPlatformIO& platform = ImGui::GetPlatformIO();
  platform.Platform_SetClipboardTextFn = [](ImGuiContext*, char const* text) { slotscape_copy(text); };
  platform.Platform_GetClipboardTextFn = [](ImGuiContext*) {
    char* const text = slotscape_copied();
    page->pasted = text;
    std::free(text);
    return page->pasted.c_str();
  };
}

/// The scrollable panel at this position; null: none. Searches at the finger's current position, because ImGui's own
/// answer is as old as the last frame, which may have been drawn long ago.
ImGuiWindow* panel_at(ImVec2 position)
{
  ImGuiWindow* window = nullptr;
  ImGui::FindHoveredWindowEx(position, true, &window, nullptr);
  while (window != nullptr && window->ScrollMax.y <= 0.0f) {
    bool const is_child = (window->Flags & ImGuiWindowFlags_ChildWindow) != 0;
    window = is_child ? window->ParentWindow : nullptr;
  }
  return window;
}

/// The field that has the keyboard; null: none.
ImGuiInputTextState* field()
{
  ImGuiContext& gui = *ImGui::GetCurrentContext();
  return gui.IO.WantTextInput ? ImGui::GetInputTextState(gui.ActiveId) : nullptr;
}

void press(ImGuiKey key)
{
  for (bool const down : {true, false}) { ImGui::GetIO().AddKeyEvent(key, down); }
}

}  // namespace
}  // namespace slotscape::page

std::string slotscape::page_address()
{
  char* const address = slotscape_address();
  std::string const text = address;
  std::free(address);
  return text;
}

extern "C" {

/// Starts the program with command-line arguments, one per line. Returns an error message; empty: none.
EMSCRIPTEN_KEEPALIVE char const* slotscape_start(char const* arguments, int embedded)
{
  using namespace slotscape;
  static std::string failure;
  try {
    std::vector<std::string> words = page::lines_of(arguments);
    if (auto const shared = scenario_in_link(words.back())) {
      std::filesystem::path const file = "/shared/table.slotscape.json";
      std::filesystem::create_directories(file.parent_path());
      write_text_file(file, *shared);
      words = {words.front(), file.string()};
    }
    std::vector<char const*> pointers;
    for (std::string const& word : words) { pointers.push_back(word.c_str()); }
    auto const options = parse_command_line(static_cast<int>(pointers.size()), pointers.data(), scenes(), time_frames);
    if (!options) { throw Error("The address of this page asks for nothing that can be shown."); }
    std::string const language =
        options->language.empty() ? saved_language(settings_path(options->config)) : options->language;
    use_language(language.empty() ? language_of_environment() : language);
    page::page = new page::Page{WindowLoop(*options)};
    page::use_clipboard_of_browser();
    if (embedded != 0) { page::page->loop.app().embed(); }
  } catch (std::exception const& error) {
    failure = error.what();
  }
  return failure.c_str();
}

EMSCRIPTEN_KEEPALIVE void slotscape_frame()
{
  slotscape::page::Page& page = *slotscape::page::page;
  if (!page.dropped.empty()) { page.loop.app().open_dropped(std::exchange(page.dropped, {})); }
  page.loop.step();
}

/// `paths`: one per line.
EMSCRIPTEN_KEEPALIVE void slotscape_drop(char const* paths)
{
  for (std::string const& path : slotscape::page::lines_of(paths)) {
    slotscape::page::page->dropped.emplace_back(path);
  }
}

/// All positions and sizes are in pixels of the canvas.
EMSCRIPTEN_KEEPALIVE void slotscape_resize(int width, int height)
{
  glfwSetWindowSize(slotscape::page::page->loop.app().screen().context().window(), width, height);
}

/// --- touch input, instead of the mouse
EMSCRIPTEN_KEEPALIVE void slotscape_by_touch(int on)
{
  slotscape::set_by_touch(on != 0);
}
EMSCRIPTEN_KEEPALIVE void slotscape_pointer(float x, float y)
{
  bool const is_nowhere = x < 0.0f;
  ImGui::GetIO().AddMousePosEvent(is_nowhere ? -FLT_MAX : x, is_nowhere ? -FLT_MAX : y);
}
EMSCRIPTEN_KEEPALIVE void slotscape_button(int button, int down)
{
  ImGui::GetIO().AddMouseButtonEvent(button, down != 0);
}
/// The ID of the scrollable panel at this position; 0: none.
EMSCRIPTEN_KEEPALIVE unsigned slotscape_panel_at(float x, float y)
{
  ImGuiWindow const* const window = slotscape::page::panel_at({x, y});
  return window == nullptr ? 0 : window->ID;
}
EMSCRIPTEN_KEEPALIVE void slotscape_scroll(unsigned panel, float pixels)
{
  if (ImGuiWindow* const window = ImGui::FindWindowByID(panel)) {
    ImGui::SetScrollY(window, std::clamp(window->Scroll.y - pixels, 0.0f, window->ScrollMax.y));
  }
}
EMSCRIPTEN_KEEPALIVE void slotscape_wheel(float steps)
{
  ImGui::GetIO().AddMouseWheelEvent(0.0f, steps);
}

/// --- the field that has the keyboard, which the page shows above a phone's on-screen keyboard "text", "numeric" or
/// "decimal": the kind of input; "none": no field has the keyboard.
EMSCRIPTEN_KEEPALIVE char const* slotscape_field_kind()
{
  ImGuiInputTextState const* const field = slotscape::page::field();
  if (field == nullptr) { return "none"; }
  if ((field->Flags & (ImGuiInputTextFlags_CharsDecimal | ImGuiInputTextFlags_CharsScientific)) != 0) {
    return "decimal";
  }
  bool const is_for_keys = (field->Flags & ImGuiInputTextFlags_CallbackHistory) != 0;  // only this field has a history
  bool const are_letters = slotscape::page::page->loop.app().current_scene().types_letters();
  return is_for_keys && !are_letters ? "numeric" : "text";
}
EMSCRIPTEN_KEEPALIVE char const* slotscape_field_text()
{
  ImGuiInputTextState* const field = slotscape::page::field();
  return field == nullptr ? "" : field->GetText();
}
/// Replaces the field's text.
EMSCRIPTEN_KEEPALIVE void slotscape_write(char const* text)
{
  ImGuiInputTextState* const field = slotscape::page::field();
  if (field == nullptr) { return; }
  field->SelectAll();
  if (*text == 0) { return slotscape::page::press(ImGuiKey_Delete); }
  ImGui::GetIO().AddInputCharactersUTF8(text);
}
EMSCRIPTEN_KEEPALIVE void slotscape_enter()
{
  slotscape::page::press(ImGuiKey_Enter);
}
EMSCRIPTEN_KEEPALIVE void slotscape_leave_field()
{
  if (slotscape::page::field() != nullptr) { ImGui::ClearActiveID(); }
}

/// The statistics of the current scene as JSON, for embedding pages and for tests.
EMSCRIPTEN_KEEPALIVE char const* slotscape_statistics()
{
  static std::string text;
  slotscape::App& app = slotscape::page::page->loop.app();
  slotscape::Json json = slotscape::Json::object();
  try {
    json = app.measurements().statistics().json;
  } catch (slotscape::Error const& error) {  // no statistics yet
    json["error"] = error.what();
  }
  json["scene"] = app.current_entry().name;
  json["moving"] = app.moving();
  text = json.dump();
  return text.c_str();
}

/// Saves the settings and the current scene for the next visit. Call this between frames, because like them it may wait
/// for work.
EMSCRIPTEN_KEEPALIVE void slotscape_keep()
{
  try {
    slotscape::page::page->loop.keep();
  } catch (std::exception const& error) {
    fmt::print(stderr, "slotscape: could not keep everything: {}\n", error.what());
  }
}
/// The file that `slotscape_keep` saves the scene to.
EMSCRIPTEN_KEEPALIVE char const* slotscape_kept_file()
{
  static std::string const file = slotscape::last_session_path(slotscape::settings_path({})).string();
  return file.c_str();
}
}
