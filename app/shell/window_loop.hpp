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

/// Saves what the user reaches in lessons as soon as it changes.
class ProgressSaver {
public:
  explicit ProgressSaver(std::filesystem::path settings_file) : file_(std::move(settings_file)) {}

  void follow(App& app);

private:
  std::filesystem::path file_;
  lessons::Progress saved_;
  std::string failure_;  ///< as it was told; empty: they are saved
};

/// The program in its window, frame by frame, so that whoever else has the thread can be in between.
class WindowLoop {
public:
  /// Opens the window with what the options name, or with what the user left. Throws Error.
  explicit WindowLoop(Options const& options);

  /// Takes what the user has done, and draws a frame; where nothing moves, waits for something a while. Returns false
  /// when the window is to be closed.
  bool step();
  /// Keeps what the user did, and writes the requested files. Throws Error if one cannot be written.
  void finish();
  /// Keeps the settings, and what the user has made, for the next start. Throws Error if they cannot be written.
  void keep();
  App& app() { return *app_; }

private:
  /// Returns whether there was something. A wait to its end had nothing: then one frame is enough.
  bool event_comes();
  /// Shows what the options name first.
  void open(std::optional<lessons::Lesson> lesson, std::string const& broken);

  Options options_;
  std::vector<std::string> messages_;  ///< of what could not be read
  std::optional<Scenario> scenario_;   ///< that was opened first
  std::filesystem::path settings_file_;
  LoadedSettings loaded_;  ///< at the start
  FrameLog log_;
  std::optional<App> app_;
  std::optional<SessionSaver> session_saver_;
  ProgressSaver progress_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();  ///< when a frame was drawn
  int quiet_frames_ = 0;
};

}  // namespace slotscape
