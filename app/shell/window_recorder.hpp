#pragma once

#include "app/dialogs/record_dialog.hpp"
#include "app/recording/window_recording.hpp"
#include "app/widgets/toasts.hpp"

#include <filesystem>
#include <memory>
#include <optional>

namespace slotscape {

/// Records the window for the user: asks how, shows how far it is in a strip at the top, and tells where the recording
/// is.
class WindowRecorder {
public:
  /// The key that begins and ends a recording.
  static constexpr std::string_view keys = "Ctrl+Shift+R";
  /// The window of the strip, for Dear ImGui: it is drawn after the picture was taken.
  static constexpr char const* strip_window = "##recording";

  explicit WindowRecorder(Toasts& toasts) : toasts_(toasts) {}

  /// Whether a recording is on, or about to begin.
  bool recording() const;
  /// Asks how to record. Throws Error while the one before is being written.
  void ask();
  void stop();
  /// Call every frame. Returns true when the user is to be asked where to write it: then call `begin`.
  bool draw_dialog(Look const& look) { return dialog_.draw(look); }
  RecordSettings const& settings() const { return dialog_.settings(); }
  /// Begins in a moment, when the dialog has faded. Throws Error if nothing can be written there.
  void begin(std::filesystem::path const& path, double wait_seconds);
  /// The strip at the top of the window, up to `end` from its left, while there is something to tell.
  void draw_strip(Look const& look, float end);

  /// Call when the frame is drawn, but for the strip. `canvas`: where the picture is.
  void take(gl::Context const& context, Rectangle const& canvas);
  /// Ends what is on and waits until it is written, at the end of the program. Returns what to say of it; empty if
  /// there was none.
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
