#pragma once

#include "app/cli/command_line.hpp"
#include "app/shell/app.hpp"
#include "app/shell/frame_log.hpp"
#include "app/shell/last_session.hpp"
#include "app/shell/settings_file.hpp"

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

namespace slotscape {

/// Saves the user's progress in lessons whenever it changes.
class ProgressSaver {
public:
  explicit ProgressSaver(std::filesystem::path settings_file) : file_(std::move(settings_file)) {}

  void follow(App& app);

private:
  std::filesystem::path file_;
  lessons::Progress saved_;
  std::string failure_;  ///< error message that is shown; empty: the last saving succeeded
};

/// Runs the program in its window frame by frame, so that the thread can do other work in between.
class WindowLoop {
public:
  /// Opens the window with the content named by the options, or with the user's last state. Throws Error.
  explicit WindowLoop(Options const& options);

  /// Handles input and draws a frame. If nothing moves, waits for events for a while. Returns false when the window
  /// should close.
  bool step();
  /// Saves the user's state and writes the requested files. Throws Error if one cannot be written.
  void finish();
  /// Saves the settings and the user's session for the next start. Throws Error if they cannot be written.
  void keep();
  App& app() { return *app_; }

private:
  /// Returns whether there was an event. After a wait without one, a single frame is enough.
  bool event_comes();
  /// Opens the content named by the options.
  void open(std::optional<lessons::Lesson> lesson, std::string const& broken);

  Options options_;
  std::vector<std::string> messages_;  ///< about files that could not be read
  std::optional<Scenario> scenario_;   ///< the scenario that is opened first
  std::filesystem::path settings_file_;
  LoadedSettings loaded_;  ///< settings as loaded at the start
  FrameLog log_;
  std::optional<App> app_;
  std::optional<SessionSaver> session_saver_;
  ProgressSaver progress_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();  ///< time of the last frame
  int quiet_frames_ = 0;
};

}  // namespace slotscape
