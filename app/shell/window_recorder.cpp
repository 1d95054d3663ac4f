#include "app/shell/window_recorder.hpp"

#include "app/base/files.hpp"
#include "app/base/text.hpp"
#include "app/widgets/controls.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <string>
#include <utility>

namespace slotscape {
namespace {

/// At exit. A video is encoded while recording, so little remains then.
constexpr double max_seconds_at_end = 60.0;

/// "1:05"
std::string clock_text(double seconds)
{
  auto const whole = static_cast<std::uint64_t>(seconds);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

std::string strip_text(RecordingStatus const& status)
{
  std::string const size = bytes_text(status.bytes);
  if (status.phase == RecordingPhase::recording) {
    return tr("{} · {} frames · {}", clock_text(status.seconds), status.frames, size);
  }
  if (status.written == status.frames) { return tr("Finishing the recording · {}", size); }
  double const share =
      status.frames == 0 ? 0.0 : static_cast<double>(status.written) / static_cast<double>(status.frames);
  return tr("Writing the recording: {:.0f} % · {}", 100.0 * share, size);
}

char const* button_of(RecordingStatus const& status)
{
  return status.phase == RecordingPhase::recording ? tr("Stop") : tr("Cancel");
}

/// Widths of the dot, the text and the button.
struct Strip {
  float dot;
  float padding;
  float button_width;
  float width;

  Strip(Look const& look, std::string const& text, char const* button)
      : dot(look(5.0f)),
        padding(look(10.0f)),
        button_width(ImGui::CalcTextSize(button).x + 2.0f * padding),
        width(4.0f * padding + 2.0f * dot + ImGui::CalcTextSize(text.c_str()).x + button_width)
  {
  }
};

RecordedPart part_of(gl::Size window, std::optional<Rectangle> const& place)
{
  if (!place) { return {0, 0, window}; }
  int const x = std::clamp(place->x, 0, window.width - 1);
  int const y = std::clamp(place->y, 0, window.height - 1);
  return {x, y, {std::clamp(place->width, 1, window.width - x), std::clamp(place->height, 1, window.height - y)}};
}

}  // namespace

bool WindowRecorder::recording() const
{
  return wanted_ || (recording_ && recording_->status().phase == RecordingPhase::recording);
}

void WindowRecorder::ask()
{
  if (recording_) { throw Error(tr("The previous recording is still being written: wait for it, or cancel it.")); }
  dialog_.open();
}

void WindowRecorder::stop()
{
  wanted_.reset();
  if (recording_) { recording_->stop(); }
}

void WindowRecorder::begin(std::filesystem::path const& path, double wait_seconds)
{
  if (settings().format == RecordingFormat::png) {
    check_writable_folder(path);
  } else {
    check_writable(path);
  }
  wanted_ = Wanted{path, wait_seconds};
}

void WindowRecorder::begin_wanted(gl::Context const& context, Rectangle const& canvas)
{
  Wanted const wanted = *std::exchange(wanted_, std::nullopt);
  RecordSettings const& how = settings();
  auto const place = how.canvas_only ? std::optional(canvas) : std::nullopt;
  recording_ = std::make_unique<WindowRecording>(WindowRecording::Plan{how.format,
                                                                       possible_frame_rate(how.format, how.frame_rate),
                                                                       part_of(context.size(), place), wanted.path},
                                                 context.size());
}

void WindowRecorder::take(gl::Context const& context, Rectangle const& canvas)
{
  if (wanted_) {
    wanted_->wait_seconds -= static_cast<double>(ImGui::GetIO().DeltaTime);
    if (wanted_->wait_seconds <= 0.0) { begin_wanted(context, canvas); }
  }
  if (!recording_) { return; }
  recording_->take(context);
  RecordingStatus const status = recording_->status();
  if (!status.over()) { return; }
  tell_end(status);
  recording_.reset();
}

std::string WindowRecorder::result(RecordingStatus const& status) const
{
  return tr("{}: {}, {} frames, {}", recording_->plan().path.string(), clock_text(status.seconds), status.frames,
            bytes_text(status.bytes));
}

void WindowRecorder::tell_end(RecordingStatus const& status)
{
  if (status.phase == RecordingPhase::cancelled) { return toasts_.notice(tr("The recording was discarded.")); }
  if (status.phase == RecordingPhase::failed) {
    return toasts_.error(tr("The recording ended after {}: {}.\nThe part written before that is in {}.",
                            clock_text(status.seconds), status.error, recording_->plan().path.string()));
  }
  std::string const saved = tr("Recorded {}", result(status));
  if (recording_->was_resized()) {
    toasts_.error(tr("The recording ended because the window was resized.\n{}", saved));
  } else {
    toasts_.notice(saved);
  }
}

std::string WindowRecorder::finish()
{
  if (!recording_) { return {}; }
  recording_->stop();
  bool const over = recording_->wait(max_seconds_at_end);
  RecordingStatus const status = recording_->status();
  std::string text =
      status.phase == RecordingPhase::done ? fmt::format("recorded {}", result(status))
      : over                               ? fmt::format("the recording ended early: {}", status.error)
             : fmt::format("the recording was not finished in {:.0f} seconds, and thrown away", max_seconds_at_end);
  recording_.reset();
  return text;
}

void WindowRecorder::draw_strip(Look const& look, float end)
{
  if (!recording_) { return; }
  RecordingStatus const status = recording_->status();
  bool const records = status.phase == RecordingPhase::recording;
  std::string const text = strip_text(status);
  char const* const button = button_of(status);
  auto const [dot, padding, button_width, width] = Strip(look, text, button);
  float const height = ImGui::GetFrameHeight();
  ImVec2 const corner{end - width, 0.0f};
  ImGui::SetNextWindowPos(corner);
  ImGui::SetNextWindowSize({width, height});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme::raised);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0.0f, 0.0f});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1.0f, 1.0f});
  ImGui::Begin(strip_window, nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav);
  ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
  ImGui::GetWindowDrawList()->AddCircleFilled({corner.x + padding + dot, height / 2.0f}, dot,
                                              records ? theme::error : theme::accent);
  ImGui::SetCursorPos({2.0f * (padding + dot), (height - ImGui::GetTextLineHeight()) / 2.0f});
  ImGui::TextUnformatted(text.c_str());
  ImGui::SetCursorPos({width - button_width, 0.0f});
  if (ImGui::Button(button, {button_width, height})) {
    if (records) {
      recording_->stop();
    } else {
      recording_->cancel();
    }
  }
  ImGui::End();
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor();
}

}  // namespace slotscape
