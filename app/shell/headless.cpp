#include "app/shell/run.hpp"

#include "app/base/files.hpp"
#include "app/base/interrupt.hpp"
#include "app/base/text.hpp"
#include "app/recording/frame_sink.hpp"
#include "app/shell/app.hpp"
#include "app/shell/work_report.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <utility>

namespace slotscape {
namespace {

constexpr int default_frames = 10;
/// The scene's time between frames, however long they take to draw: 60 a second.
constexpr double frame_seconds = 1.0 / 60.0;

/// A GIF shows every other frame: viewers play more of them too slowly.
int frame_rate_of(RecordingFormat format)
{
  return format == RecordingFormat::gif ? 30 : 60;
}

/// Writes frames into a folder, numbered from 1, or into a film; does nothing if the path is empty.
class FrameWriter {
public:
  explicit FrameWriter(Options const& options) : path_(options.record)
  {
    if (path_.empty()) { return; }
    RecordingFormat const format = film_format_of(path_).value_or(RecordingFormat::png);
    frames_each_ = 60 / frame_rate_of(format);
    sink_ = open_sink(format, {options.width, options.height}, frame_rate_of(format), path_);
  }
  bool on() const { return sink_ != nullptr; }
  void take(App& app)
  {
    if (!on() || drawn_++ % frames_each_ != 0) { return; }
    sink_->write(app.picture(), count_++, 1, {});
  }
  void finish()
  {
    if (on()) { sink_->finish({}); }
  }
  std::uint64_t count() const { return count_; }

private:
  std::filesystem::path path_;
  std::unique_ptr<FrameSink> sink_;
  std::uint64_t frames_each_ = 1;  ///< frames drawn for each one that is written
  std::uint64_t drawn_ = 0;
  std::uint64_t count_ = 0;
};

void write_to_stderr(std::string const& text)
{
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

/// Runs all steps at once or, if frames are recorded, as they would appear in the window. Tells how far it is if that
/// takes long, and leaves the rest undone at an interrupt.
void run_steps(App& app, FrameWriter& writer, Interrupt& interrupt, WorkReport& report)
{
  auto const start = std::chrono::steady_clock::now();
  app.current_scene().watch_work(Progress([&, start](Progress const& progress) {
    report.tell(progress, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    return !interrupt.asked();
  }));
  auto const draw = [&] {
    app.frame(frame_seconds);
    writer.take(app);
  };
  app.current_scene().finish_steps(writer.on() ? std::function<void()>(draw) : nullptr);
  app.current_scene().watch_work({});
  report.end();
}

void draw_frames(App& app, int frames, FrameWriter& writer, Interrupt& interrupt)
{
  app.frame(frame_seconds);  // untimed: the first frame builds fonts and buffers
  app.forget_frame_times();
  app.toasts().dismiss_all();  // notices are on stderr, and would cover the picture
  for (int frame = 0; frame < frames && !interrupt.asked(); ++frame) {
    app.frame(frame_seconds);
    writer.take(app);
  }
}

int frames_of(Options const& options)
{
  return options.frames > 0 ? options.frames : default_frames;
}

/// How far ahead of the requested time an animation starts, so that it gets there with the last frame. A recording
/// starts at that time.
double lead_seconds(Options const& options)
{
  return options.record.empty() ? (frames_of(options) + 1) * frame_seconds : 0.0;
}

void say_what_was_written(Options const& options, FrameWriter const& writer)
{
  auto const say = [](std::string_view what, std::filesystem::path const& path) {
    if (!path.empty()) { fmt::print("{:<10} {}\n", what, path.string()); }
  };
  say("picture", options.screenshot);
  say("slide", options.slide);
  say("statistics", options.stats);
  say("tables", options.csv);
  say("setup", options.save_setup);
  if (options.subcommand) {
    for (auto const& [name, file] : options.subcommand->outputs()) { say(name, file); }
  }
  if (writer.on()) {
    fmt::print("frames     {} ({} {})\n", options.record.string(), writer.count(),
               film_format_of(options.record) ? "in a film" : "pictures");
  }
}

}  // namespace

int run_headless(Options const& options)
{
  Interrupt interrupt;
  Scenario const scenario = scenario_of(options, lead_seconds(options)).value();
  check_outputs(options);
  FrameWriter writer(options);
  App app(gl::open_offscreen({options.width, options.height}), options, {}, scenario);
  app.let_errors_out();
  WorkReport report(write_to_stderr, isatty(STDERR_FILENO) == 1);
  run_steps(app, writer, interrupt, report);
  draw_frames(app, frames_of(options), writer, interrupt);
  writer.finish();
  if (!options.screenshot.empty()) { gl::write_png(options.screenshot, app.picture()); }
  write_outputs(app, options);
  say_what_was_written(options, writer);
  if (!interrupt.asked()) { return 0; }
  fmt::print(stderr, "slotscape: stopped by Ctrl-C after {} operations; what was done until then is written.\n",
             grouped(report.operations()));
  return interrupted_status;
}

}  // namespace slotscape
