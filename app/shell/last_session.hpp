#pragma once

#include <filesystem>
#include <functional>

namespace slotscape {

/// The file with the last session for these settings.
std::filesystem::path last_session_path(std::filesystem::path const& settings_file);

/// Saves the user's work for the next start, however the program ends: normally, by a signal (SIGTERM, SIGINT, SIGHUP
/// of a closed session), or when the display is lost and Xlib calls `exit`. Only one may exist at a time.
class SessionSaver {
public:
  /// `save` is called once, with the parts of the program that remain.
  explicit SessionSaver(std::function<void()> save);
  SessionSaver(SessionSaver const&) = delete;
  SessionSaver& operator=(SessionSaver const&) = delete;
  ~SessionSaver();

  /// Whether the program was told to end by a signal.
  static bool told_to_end();
  /// Saves, unless already done. Prints errors, because the window is gone.
  void say();

private:
  std::function<void()> save_;
};

}  // namespace slotscape
