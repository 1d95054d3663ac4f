#pragma once

#include <filesystem>
#include <functional>

namespace slotscape {

/// Where the last session of the program with these settings is kept.
std::filesystem::path last_session_path(std::filesystem::path const& settings_file);

/// Keeps what the user did for the next start, however the program ends: at its normal end, when it is told to end
/// (SIGTERM, SIGINT, SIGHUP of a closed session), and when the display is lost, where Xlib calls `exit`. One at a time.
class SessionSaver {
public:
  /// `save` is called once, with what is left of the program.
  explicit SessionSaver(std::function<void()> save);
  SessionSaver(SessionSaver const&) = delete;
  SessionSaver& operator=(SessionSaver const&) = delete;
  ~SessionSaver();

  /// Whether a signal told the program to end.
  static bool told_to_end();
  /// Saves, unless that was done. Prints what goes wrong, for which there is no window left.
  void say();

private:
  std::function<void()> save_;
};

}  // namespace slotscape
