#include "app/recording/window_recording.hpp"

#include <chrono>
#include <utility>

namespace slotscape {

double steady_seconds()
{
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

WindowRecording::WindowRecording(Plan plan, gl::Size window, std::function<double()> seconds)
    : plan_(std::move(plan)),
      window_(window),
      seconds_(std::move(seconds)),
      start_(seconds_()),
      reader_(plan_.part.size),
      recorder_(open_sink(plan_.format, plan_.part.size, plan_.frame_rate, plan_.path), plan_.frame_rate)
{
}

void WindowRecording::take(gl::Context const& context)
{
  if (stopped_) { return; }
  if (context.size() != window_) {
    was_resized_ = true;
    return stop();
  }
  while (pass_on(FrameReader::Wait::no)) {}
  double const now = elapsed();
  if (!recorder_.wants_frame(now)) { return; }
  if (reader_.full()) { pass_on(FrameReader::Wait::yes); }
  RecordedPart const& part = plan_.part;
  reader_.ask(context.framebuffer(), part.x, window_.height - part.y - part.size.height, now);
}

/// Passes the next frame that has arrived to the recorder; false if there is none.
bool WindowRecording::pass_on(FrameReader::Wait wait)
{
  if (memory_.pixels.empty()) { memory_ = recorder_.take_memory(); }
  auto frame = reader_.take(wait, memory_);
  if (frame) { recorder_.add(std::move(frame->image), frame->seconds); }
  return frame.has_value();
}

void WindowRecording::stop()
{
  if (std::exchange(stopped_, true)) { return; }
  while (pass_on(FrameReader::Wait::yes)) {}
  recorder_.stop(elapsed());
}

}  // namespace slotscape
