#pragma once

#include "app/gl/image.hpp"

#include <atomic>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace slotscape {

/// The clipboard capabilities of a session.
struct ClipboardSession {
  std::string search_path;  ///< formatted like PATH
  bool wayland = false;     ///< WAYLAND_DISPLAY is set
  bool x11 = false;         ///< DISPLAY is set
};
ClipboardSession clipboard_session();

/// The command that copies a PNG from its standard input to the clipboard; empty if the session has no program for
/// that.
std::vector<std::string> copy_command(ClipboardSession const& session);
/// Advice on installing such a program.
std::string how_to_get_copy_program(ClipboardSession const& session);

/// Copies a picture to the clipboard in the background, by means of another program. The destructor ends it.
class PictureCopier {
public:
  /// `max_seconds`: the time limit of the program.
  PictureCopier(std::vector<std::string> command, gl::Image picture, double max_seconds = 10.0);

  /// Once it has finished, the reason of the failure; empty if it succeeded.
  std::optional<std::string> result() const;

private:
  std::string failure_;
  std::atomic<bool> over_ = false;
  std::jthread thread_;  // declared last: it uses all other members
};

}  // namespace slotscape
