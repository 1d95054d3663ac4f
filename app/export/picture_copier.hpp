#pragma once

#include "app/gl/image.hpp"

#include <atomic>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace slotscape {

/// What a session tells about its clipboard.
struct ClipboardSession {
  std::string search_path;  ///< as in PATH
  bool wayland = false;     ///< WAYLAND_DISPLAY is set
  bool x11 = false;         ///< DISPLAY is set
};
ClipboardSession clipboard_session();

/// The command that puts the PNG which it reads on the clipboard; empty if the session has no program for that.
std::vector<std::string> copy_command(ClipboardSession const& session);
/// What people install to have one.
std::string how_to_get_copy_program(ClipboardSession const& session);

/// Puts a picture on the clipboard with the help of another program, beside the frames. Ended with the object.
class PictureCopier {
public:
  /// `max_seconds`: after which the program has failed.
  PictureCopier(std::vector<std::string> command, gl::Image picture, double max_seconds = 10.0);

  /// Once it is over, why it failed; empty if it did not.
  std::optional<std::string> result() const;

private:
  std::string failure_;
  std::atomic<bool> over_ = false;
  std::jthread thread_;  // last: it uses all others
};

}  // namespace slotscape
