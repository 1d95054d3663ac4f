#pragma once

#include "app/recording/frame_reader.hpp"
#include "app/recording/recorder.hpp"

#include <filesystem>
#include <functional>

namespace slotscape {

/// The part of a window that is recorded, in pixels from its upper left corner.
struct RecordedPart {
  int x = 0;
  int y = 0;
  gl::Size size{0, 0};
};

/// The time of a monotonic clock, in seconds.
double steady_seconds();

/// Records a window, or a part of it, as it is drawn, until it is stopped or the window is resized. The OpenGL context
/// must be current during its lifetime.
class WindowRecording {
public:
  struct Plan {
    RecordingFormat format = RecordingFormat::png;
    int frame_rate = 30;  ///< frames per second
    RecordedPart part = {};
    std::filesystem::path path;  ///< a folder for `png`
  };
  /// Begins recording. `window`: its size. Throws Error if the path cannot be written to.
  WindowRecording(Plan plan, gl::Size window, std::function<double()> seconds = steady_seconds);

  Plan const& plan() const { return plan_; }
  /// Call after each frame is drawn, before it is shown.
  void take(gl::Context const& context);
  void stop();
  void cancel() { recorder_.cancel(); }
  RecordingStatus status() const { return recorder_.status(); }
  /// Whether the window was resized, which stopped the recording.
  bool was_resized() const { return was_resized_; }
  bool wait(double max_seconds) { return recorder_.wait(max_seconds); }

private:
  double elapsed() const { return seconds_() - start_; }
  bool pass_on(FrameReader::Wait wait);

  Plan plan_;
  gl::Size window_;
  std::function<double()> seconds_;
  double start_;
  FrameReader reader_;
  Recorder recorder_;
  gl::Image memory_;  ///< memory for the next frame
  bool stopped_ = false;
  bool was_resized_ = false;
};

}  // namespace slotscape
