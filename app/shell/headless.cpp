#include "app/shell/run.hpp"

#include "app/base/files.hpp"
#include "app/base/interrupt.hpp"
#include "app/base/text.hpp"
#include "app/recording/frame_sink.hpp"
#include "app/shell/app.hpp"
#include "app/shell/work_report.hpp"
#include "gpu/base/error.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <utility>

namespace slotscape {
namespace {

constexpr int default_frames = 10;
/// Scene time between frames, however long drawing takes: 60 frames a second.
constexpr double frame_seconds = 1.0 / 60.0;

/// A GIF shows every other frame, because viewers play faster ones too slowly.
int frame_rate_of(RecordingFormat format)
{
  return format == RecordingFormat::gif ? 30 : 60;
}

/// Writes frames into a folder, numbered from 1, or into a video. Does nothing if the path is empty.
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
    sink_->write(app.screen().picture(), count_++, 1, {});
  }
  void finish()
  {
    if (on()) { sink_->finish({}); }
  }
  std::uint64_t count() const { return count_; }

private:
  std::filesystem::path path_;
  std::unique_ptr<FrameSink> sink_;
  std::uint64_t frames_each_ = 1;  ///< frames drawn per written frame
  std::uint64_t drawn_ = 0;
  std::uint64_t count_ = 0;
};

void write_to_stderr(std::string const& text)
{
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

int frames_of(Options const& options)
{
  return options.frames > 0 ? options.frames : default_frames;
}

/// Reports the progress of long work from now on, and stops work at an interrupt.
void watch_work(App& app, Interrupt& interrupt, WorkReport& report)
{
  auto const start = std::chrono::steady_clock::now();
  app.current_scene().watch_work(Progress([&, start](Progress const& progress) {
    report.tell(progress, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    return !interrupt.asked();
  }));
}

/// Runs all steps at once or, if frames are recorded, as they would appear in the window. A video does not include
/// loading and computing before the first picture.
void run_steps(App& app, FrameWriter& writer, WorkReport& report)
{
  bool has_pictures = false;
  auto const draw = [&] {
    if (!std::exchange(has_pictures, true)) { app.frame(0.0); }  // fonts and layout need one frame
    app.frame(frame_seconds);
    writer.take(app);
  };
  bool const plays = writer.on() && app.current_scene().plays_steps();
  app.current_scene().finish_steps(plays ? std::function<void()>(draw) : nullptr);
  report.end();
}

/// Writes the scene's own files once nothing can change them, before work that only pictures and statistics need.
/// Returns false if there are none, or if it is too early. Errors are reported at the end, when writing is repeated.
bool write_files_early(App& app, Options const& options)
{
  if (!options.scene_files || !options.scene_files->are_asked_for() || !app.current_scene().quiet()) { return false; }
  try {
    write_scene_files(app, options);
    return true;
  } catch (Error const&) {
    return false;
  }
}

void draw_frames(App& app, Options const& options, FrameWriter& writer, Interrupt& interrupt, WorkReport& report)
{
  app.frame(frame_seconds);  // untimed: the first frame builds fonts and buffers
  bool const is_seen = !options.screenshot.empty() && !interrupt.asked();
  if (is_seen) { app.current_scene().finish_steps(nullptr); }  // data for its charts
  report.end();
  app.measurements().forget_times();
  for (int frame = 0; frame < frames_of(options) && !interrupt.asked(); ++frame) {
    app.frame(frame_seconds);
    writer.take(app);
  }
}

/// The time by which an animation starts early, so that it reaches the requested time in the last frame, or in the
/// first frame of a recording.
double lead_seconds(Options const& options)
{
  int const frames = options.record.empty() ? frames_of(options) : 1;
  return (frames + 1) * frame_seconds;
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
  if (options.scene_files) {
    for (auto const& [name, file] : options.scene_files->outputs()) { say(name, file); }
  }
  if (writer.on()) {
    fmt::print("frames     {} ({} {})\n", options.record.string(), writer.count(),
               film_format_of(options.record) ? "in a film" : "pictures");
  }
}

void say_interrupted(std::uint64_t operations)
{
  std::string const after = operations == 0 ? "" : fmt::format(" after {} operations", grouped(operations));
  fmt::print(stderr, "slotscape: stopped by {}{}; the results so far are written.\n", interrupt_name(), after);
}

/// Writes as many files as possible. Throws Error if one fails.
void write_files(App& app, Options const& options, FrameWriter& writer, bool has_scene_files)
{
  writer.finish();
  if (!options.screenshot.empty()) { gl::write_png(options.screenshot, app.screen().picture()); }
  write_outputs(app, options, !has_scene_files);
  say_what_was_written(options, writer);
}

void run_to_the_end(Options const& options, Interrupt& interrupt)
{
  Scenario const scenario = scenario_of(options, lead_seconds(options)).value();
  check_outputs(options);
  FrameWriter writer(options);
  App app(gl::open_offscreen({options.width, options.height}), options, {}, scenario);
  app.let_errors_out();
  app.hide_notices();
  WorkReport report(write_to_stderr, isatty(STDERR_FILENO) == 1);
  watch_work(app, interrupt, report);
  run_steps(app, writer, report);
  bool const has_scene_files = write_files_early(app, options);
  draw_frames(app, options, writer, interrupt, report);
  for (std::string const& line : app.current_scene().told()) { fmt::print("{}\n", line); }
  write_files(app, options, writer, has_scene_files);
  report.end();
  app.current_scene().watch_work({});
  if (interrupt.asked()) { say_interrupted(report.operations()); }
}

}  // namespace

int run_headless(Options const& options)
{
  Interrupt interrupt;
  try {
    run_to_the_end(options, interrupt);
  } catch (Error const& error) {
    if (!interrupt.asked()) { throw; }
    fmt::print(stderr, "slotscape: stopped by {} before everything was there: {}\n", interrupt_name(), error.what());
  }
  return interrupt.asked() ? interrupted_status() : 0;
}

}  // namespace slotscape
