#include "app/headless.hpp"

#include "app/app.hpp"
#include "app/outputs.hpp"

#include <fmt/format.h>

#include <utility>

namespace slotscape {
namespace {

constexpr int default_frames = 10;
/// Frames are this far apart in the table's time, whatever it takes to draw them: 60 a second.
constexpr double frame_seconds = 1.0 / 60.0;

/// Frames in a folder, numbered from 1; none where there is no folder.
class Recorder {
public:
  explicit Recorder(std::filesystem::path folder) : folder_(std::move(folder))
  {
    if (!folder_.empty()) { check_writable_folder(folder_); }
  }
  bool on() const { return !folder_.empty(); }
  void take(App& app)
  {
    if (on()) { gl::write_png(folder_ / fmt::format("frame_{:06}.png", ++count_), app.picture()); }
  }
  int count() const { return count_; }

private:
  std::filesystem::path folder_;
  int count_ = 0;
};

/// All steps at once, or, where frames are recorded, as they would be seen in the window.
void run_steps(App& app, Recorder& recorder)
{
  if (!recorder.on()) { return app.current_scene().finish_steps(); }
  app.current_scene().play_steps([&] {
    app.frame(frame_seconds);
    recorder.take(app);
  });
}

void draw_frames(App& app, int frames, Recorder& recorder)
{
  app.frame(frame_seconds);  // the first builds fonts and buffers: not timed
  app.forget_frame_times();
  for (int frame = 0; frame < frames; ++frame) {
    app.frame(frame_seconds);
    recorder.take(app);
  }
}

int frames_of(Options const& options)
{
  return options.frames > 0 ? options.frames : default_frames;
}

/// The set-up to draw. An animation ends with the last frame at the time asked for; where it is recorded, it begins
/// there.
Scenario scenario_of(Options const& options)
{
  Scenario scenario;
  if (options.command != Command::spatial) {
    scenario = read_scenario(options.scenario);
    if (options.seed) { scenario.settings.seed = *options.seed; }
    if (options.seed && scenario.spatial) { scenario.spatial->seed = *options.seed; }
    return scenario;
  }
  scenario.spatial = options.spatial.settings;
  AnimationSettings& animation = scenario.spatial->animation;
  if (options.record.empty()) { animation.time -= (frames_of(options) + 1) * frame_seconds * animation.speed; }
  return scenario;
}

void say_what_was_written(Options const& options, Recorder const& recorder)
{
  auto const say = [](char const* what, std::filesystem::path const& path) {
    if (!path.empty()) { fmt::print("{} {}\n", what, path.string()); }
  };
  say("picture   ", options.screenshot);
  say("statistics", options.stats);
  say("tables    ", options.csv);
  say("result    ", options.spatial.save_result);
  say("voxels    ", options.spatial.save_voxels);
  if (recorder.on()) { fmt::print("frames     {} ({} pictures)\n", options.record.string(), recorder.count()); }
}

}  // namespace

void run_headless(Options const& options)
{
  Scenario const scenario = scenario_of(options);
  check_outputs(options);
  Recorder recorder(options.record);
  UserSettings settings;
  set_scene(settings, scenario);
  App app(gl::open_offscreen({options.width, options.height}), options, settings);
  app.let_errors_out();
  app.current_scene().begin(scenario);
  run_steps(app, recorder);
  draw_frames(app, frames_of(options), recorder);
  if (!options.screenshot.empty()) { gl::write_png(options.screenshot, app.picture()); }
  app.write_statistics(options.stats, options.csv);
  save_models(app, options);
  say_what_was_written(options, recorder);
}

}  // namespace slotscape
