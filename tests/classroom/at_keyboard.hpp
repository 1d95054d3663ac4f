#pragma once

#include "app/lessons/check.hpp"
#include "app/lessons/library.hpp"
#include "tests/app/support/program.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <memory>
#include <string>

namespace slotscape::test {

/// Without a desktop, the program's own dialogs for files.
inline UserSettings with_own_dialogs()
{
  UserSettings settings;
  settings.desktop_file_dialog = false;
  return settings;
}

/// Someone sits at the window, offscreen.
class AtKeyboard : public ::testing::Test {
protected:
  void open(Scenario const& scenario, UserSettings const& settings = {})
  {
    app_.reset();  // there can be one at a time
    app_ = offscreen_app({1280, 720}, scenario, settings);
    frames(2);
  }
  /// A lesson's text, as a file of this name.
  void start_lesson(std::string const& name, std::string const& text, LessonStart const& how)
  {
    std::filesystem::path const file = folder_.write(name, text);
    app_->lessons().start(lessons::read_lesson(scenes(), file, lessons::Library({}).finder()), how);
    settle();
  }
  /// Until the page of the lesson has nothing left to do.
  void settle() { lessons::settle(*app_->lessons().session(), stage()); }
  lessons::Stage stage()
  {
    return {[this]() -> Scene& { return app_->current_scene(); },
            [this] {
              app_->frame(0.3);
              app_->current_scene().finish_steps({});
            }};
  }
  void frames(int count, double seconds = 0.05)
  {
    for (int frame = 0; frame < count; ++frame) { app_->frame(seconds); }
  }
  /// So briefly that the key does not repeat.
  void press(ImGuiKeyChord chord)
  {
    ImGuiIO& io = ImGui::GetIO();
    bool const control = (chord & ImGuiMod_Ctrl) != 0;
    for (bool const down : {true, false}) {
      if (control) { io.AddKeyEvent(ImGuiMod_Ctrl, down); }
      io.AddKeyEvent(static_cast<ImGuiKey>(chord & ~ImGuiMod_Mask_), down);
      frames(2);
    }
  }
  /// All at once.
  void type(std::string const& text)
  {
    ImGui::GetIO().AddInputCharactersUTF8(text.c_str());
    frames(5);
  }

  TemporaryFolder folder_;
  std::unique_ptr<App> app_;
};

}  // namespace slotscape::test
