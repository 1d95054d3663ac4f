#pragma once

#include "app/dialogs/record_dialog.hpp"
#include "app/recording/window_recording.hpp"
#include "app/widgets/toasts.hpp"

#include <filesystem>
#include <memory>
#include <optional>

namespace slotscape {

/// Records the window: asks for options, shows progress in a strip at the top, and reports where the recording was
/// saved.
class WindowRecorder {
public:
  /// The keys that start and stop a recording.
  static constexpr std::string_view keys = "Ctrl+Shift+R";
  /// The ImGui window of the strip, which is drawn after the picture has been taken.
  static constexpr char const* strip_window = "##recording";

  explicit WindowRecorder(Toasts& toasts) : toasts_(toasts) {}

  /// Whether a recording is running or about to begin.
  bool recording() const;
  /// Asks for recording options. Throws Error while the previous recording is being written.
  void ask();
  void stop();
  /// To be called every frame. Returns true when the user should choose a file; then call `begin`.
  bool draw_dialog(Look const& look) { return dialog_.draw(look); }
  RecordSettings const& settings() const { return dialog_.settings(); }
  /// Begins shortly, when the dialog has faded. Throws Error if the path is not writable.
  void begin(std::filesystem::path const& path, double wait_seconds);
  /// Draws the strip at the top of the window, from its left to `end`, while there is something to report.
  void draw_strip(Look const& look, float end);

  /// To be called when the frame is drawn except for the strip. `canvas`: the area of the scene's picture.
  void take(gl::Context const& context, Rectangle const& canvas);
  /// At exit, ends a running recording and waits until it is written. Returns a message; empty if there was none.
  std::string finish();

private:
  struct Wanted {
    std::filesystem::path path;
    double wait_seconds;
  };
  void begin_wanted(gl::Context const& context, Rectangle const& canvas);
  void tell_end(RecordingStatus const& status);
  std::string result(RecordingStatus const& status) const;

  Toasts& toasts_;
  RecordDialog dialog_{keys};
  std::optional<Wanted> wanted_;
  std::unique_ptr<WindowRecording> recording_;
};

}  // namespace slotscape
