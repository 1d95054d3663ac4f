#include "app/app.hpp"

#include "app/base/scenario_files.hpp"
#include "app/registry/scenes.hpp"

#include <fmt/format.h>
#include <glad/gl.h>

#include <GLFW/glfw3.h>

#include <algorithm>
#include <utility>

namespace slotscape {
namespace {

constexpr std::string_view program_group = "PROGRAM";
constexpr double dialog_fades_seconds = 0.25;  ///< the window stays dimmed this long after a dialog closes

}  // namespace

void App::make_commands()
{
  add_file_commands();
  commands_.push_back({.keys = "Tab",
                       .group = "VIEW",
                       .what = "Show or hide the panels",
                       .menu = "View",
                       .label = "Show or hide all panels",
                       .run = [this] { toggle_panels(); }});
  commands_.push_back({.keys = "F11",
                       .group = "VIEW",
                       .what = "Full screen",
                       .menu = "View",
                       .label = "Full screen",
                       .divides = true,
                       .run = [this] { toggle_full_screen(); }});
  add_scene_commands();
  commands_.push_back(
      {.keys = "Esc", .group = program_group, .what = "Cancel or deselect", .run = [this] { cancel(); }});
  commands_.push_back({.keys = "H, ?, F1",
                       .group = program_group,
                       .what = "Show or hide this list",
                       .menu = "Help",
                       .label = "Keyboard shortcuts",
                       .run = [this] { key_list_ = !key_list_; }});
  commands_.push_back({.keys = "Ctrl+Q",
                       .group = program_group,
                       .what = "Quit",
                       .menu = "File",
                       .label = "Quit",
                       .divides = true,
                       .in_popups = true,
                       .run = [this] { closing_ = true; }});
}

void App::add_file_commands()
{
  constexpr std::string_view menu = "File";
  auto const picture = [this](PicturePart part) {
    return [this, part] {
      bool const whole = part == PicturePart::everything;
      ask_where_to_save(whole ? "Save a picture of the window" : "Save a picture without panels",
                        whole ? "slotscape.png" : "canvas.png", ".png", [this, whole, part](auto const& file) {
                          if (whole) { toasts_.dismiss_all(); }
                          save_picture_of_next_frame(file, part, whole ? dialog_fades_seconds : 0.0);
                        });
    };
  };
  auto const saved = [this](auto save) {
    return [this, save](std::filesystem::path const& path) {
      save(path);
      toasts_.notice(fmt::format("Saved {}", path.string()));
    };
  };
  auto const statistics = [this, saved] {
    ask_where_to_save("Save statistics", "statistics.json", ".json",
                      saved([this](auto const& file) { write_statistics(file, {}); }));
  };
  auto const tables = [this, saved] {
    ask_where_to_save("Save statistics as CSV files in a folder", "statistics", "",
                      saved([this](auto const& folder) { write_statistics({}, folder); }));
  };
  auto const scenario = [this, saved] {
    ask_where_to_save("Save the setup as a scenario", fmt::format("scenario{}", scenario_ending), ".json",
                      saved([this](auto const& file) {
                        write_scenario(file, {entry_, scene_->set_up()});
                      }));
  };
  commands_ = {
      {.keys = "Ctrl+O",
       .group = program_group,
       .what = "Open a file",
       .menu = menu,
       .label = "Open…",
       .run = [this] { ask_for_file_to_open(); }},
      {.keys = "Ctrl+S",
       .group = program_group,
       .what = "Save a picture",
       .menu = menu,
       .label = "Save picture…",
       .divides = true,
       .run = picture(PicturePart::everything)},
      {.menu = menu, .label = "Save picture without panels…", .run = picture(PicturePart::canvas)},
      {.keys = "Ctrl+E",
       .group = program_group,
       .what = "Save statistics",
       .menu = menu,
       .label = "Save statistics…",
       .run = statistics},
      {.menu = menu, .label = "Save statistics as CSV…", .run = tables},
      {.keys = "Ctrl+D",
       .group = program_group,
       .what = "Save the setup as a scenario",
       .menu = menu,
       .label = "Save setup as scenario…",
       .run = scenario},
  };
}

void App::add_scene_commands()
{
  for (SceneEntry const& entry : scenes()) {
    commands_.push_back({.keys = entry.keys,
                         .group = program_group,
                         .what = entry.what,
                         .menu = "Scene",
                         .label = std::string(entry.title),
                         .run = [this, &entry] { show(entry); },
                         .checked = [this, &entry] { return entry_ == &entry; }});
  }
}

void App::ask_for_file_to_open()
{
  FileQuestion question{.title = "Open a scenario",
                        .extensions = {".json"},
                        .use = [this](std::filesystem::path const& file) { open(file); }};
  auto const add_new = [](std::vector<std::string_view>& to, std::string_view word) {
    if (std::ranges::find(to, word) == to.end()) { to.push_back(word); }
  };
  std::vector<std::string_view> kinds;
  for (SceneEntry const& entry : scenes()) {
    for (FileKind const& kind : entry.files) {
      add_new(kinds, kind.what);
      for (std::string_view const extension : kind.extensions) { add_new(question.extensions, extension); }
    }
  }
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    question.title += fmt::format("{}{}", i + 1 == kinds.size() ? " or " : ", ", kinds[i]);
  }
  paths_.ask(std::move(question));
}

void App::ask_where_to_save(std::string title, std::string proposed, std::string_view extension,
                            std::function<void(std::filesystem::path const&)> save)
{
  FileQuestion question{.kind = extension.empty() ? FileQuestion::Kind::save_folder : FileQuestion::Kind::save,
                        .title = std::move(title),
                        .proposed = std::move(proposed),
                        .use = std::move(save)};
  if (!extension.empty()) { question.extensions.push_back(extension); }
  paths_.ask(std::move(question));
}

void App::take_input()
{
  for (auto const& run : std::exchange(chosen_, {})) { attempt(run); }
  WindowEvents const events = gui_->take_events();
  for (std::filesystem::path const& file : events.dropped_files) { open(file); }
  bool const in_popup = ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
  bool const typing = ImGui::GetIO().WantTextInput;
  // Look up each press on its own: the one before may have switched scenes.
  auto const perform = [&](auto const& press, auto... how) {
    Command const* command = command_of(press, scene_->commands(), how...);
    if (command == nullptr) { command = command_of(press, commands_, how...); }
    if (command == nullptr || (in_popup && !command->in_popups)) { return; }
    attempt(std::function<void()>(command->run));  // a copy: the command may destroy its scene
  };
  for (KeyPress const& key : events.keys) { perform(key, typing); }
  if (typing) { return; }
  for (ImWchar const character : ImGui::GetIO().InputQueueCharacters) {
    if (character < 128) { perform(static_cast<char>(character)); }
  }
}

/// Closes messages and the list of keys, unless the scene has work to cancel or there is nothing else to close.
void App::cancel()
{
  if (scene_->cancellable() || (!key_list_ && toasts_.empty())) { return scene_->cancel(); }
  key_list_ = false;
  toasts_.dismiss_all();
}

void App::toggle_panels()
{
  bool const hidden = !panels_.controls && !panels_.numbers && !panels_.plots;
  panels_.controls = panels_.numbers = panels_.plots = hidden;
}

void App::toggle_full_screen()
{
  GLFWwindow* const window = context_->window();
  if (window == nullptr) { return; }
  if (glfwGetWindowMonitor(window) != nullptr) {
    glfwSetWindowMonitor(window, nullptr, restored_window_.x, restored_window_.y, restored_window_.width,
                         restored_window_.height, GLFW_DONT_CARE);
    return;
  }
  GLFWmonitor* const monitor = glfwGetPrimaryMonitor();
  if (monitor == nullptr) { return; }
  glfwGetWindowPos(window, &restored_window_.x, &restored_window_.y);
  glfwGetWindowSize(window, &restored_window_.width, &restored_window_.height);
  GLFWvidmode const& mode = *glfwGetVideoMode(monitor);
  glfwSetWindowMonitor(window, monitor, 0, 0, mode.width, mode.height, mode.refreshRate);
}

}  // namespace slotscape
