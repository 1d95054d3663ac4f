#include "app/base/encoding.hpp"
#include "app/base/field_error.hpp"
#include "app/shell/run.hpp"

#include "app/base/files.hpp"
#include "app/dialogs/dropped_files.hpp"
#include "app/registry/scenes.hpp"
#include "app/shell/app.hpp"
#include "app/shell/frame_log.hpp"
#include "app/shell/frame_pace.hpp"
#include "app/shell/last_session.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iterator>
#include <string>
#include <vector>

namespace slotscape {
namespace {

/// Waits for one, while nothing moves. A wait to its end had none: then one frame is enough.
bool event_comes()
{
  auto const start = std::chrono::steady_clock::now();
  glfwWaitEventsTimeout(quiet_wait_seconds);
  std::chrono::duration<double> const waited = std::chrono::steady_clock::now() - start;
  return waited.count() < quiet_wait_seconds;
}

/// Saves what the user reaches in lessons as soon as it changes.
class ProgressSaver {
public:
  explicit ProgressSaver(std::filesystem::path settings_file) : file_(std::move(settings_file)) {}

  void follow(App& app)
  {
    if (app.lesson() == nullptr || app.lesson()->progress() == saved_) { return; }
    saved_ = app.lesson()->progress();  // once, whatever becomes of it
    app.toasts().dismiss(std::exchange(failure_, {}));
    try {
      save_progress(file_, saved_);
    } catch (Error const& error) {
      failure_ = tr("Your points could not be saved.\n{}", error.what());
      app.toasts().error(failure_);
    }
  }

private:
  std::filesystem::path file_;
  lessons::Progress saved_;
  std::string failure_;  ///< as it was told; empty: they are saved
};

void loop(App& app, FrameLog& log, ProgressSaver& progress)
{
  GLFWwindow* const window = app.context().window();
  auto last = std::chrono::steady_clock::now();
  int quiet_frames = 0;
  while (glfwWindowShouldClose(window) == 0 && !app.closing() && !SessionSaver::told_to_end()) {
    quiet_frames = app.quiet() ? quiet_frames + 1 : 0;
    if (quiet_frames > frames_after_event) {
      quiet_frames = event_comes() ? 1 : frames_after_event;
    } else {
      glfwPollEvents();
    }
    auto const now = std::chrono::steady_clock::now();
    app.frame(std::min(std::chrono::duration<double>(now - last).count(), longest_step_seconds));
    log.write(app.input(), app.moving(), app.current_entry().name);
    progress.follow(app);
    last = now;
  }
}

/// The saved or first set-up of every scene, with what the command line says.
UserSettings as_told(UserSettings settings, Options const& options)
{
  if (!options.seed && options.devices.size() < 2) { return settings; }
  for (SceneEntry const& scene : scenes()) {
    SceneSetup set_up = remembered(settings, scene);
    set_as_told(options, scene, set_up);
    settings.set_ups[std::string(scene.name)] = std::move(set_up);
  }
  return settings;
}

void check_options(Options const& options)
{
  if (!options.record.empty()) { throw Error("--record needs --headless: frames are recorded offscreen"); }
  if (options.frames > 0) { throw Error("--frames needs --headless: the window stays open until it is closed"); }
  check_outputs(options);
}

void write_results(App& app, Options const& options)
{
  if (!options.screenshot.empty()) {
    app.toasts().dismiss_all();
    app.save_picture_of_next_frame(options.screenshot, PicturePart::everything);
    app.frame(0.0);
  }
  write_outputs(app, options);
}

/// Has each scene write a set-up. What is saved when the process ends, as when the display is lost, needs the tables of
/// its fields, which are made when they are first used: later ones than the `SessionSaver` would be gone by then.
void make_tables_of_fields()
{
  for (SceneEntry const& entry : scenes()) { format_scenario({&entry, entry.first(), {}}, {}); }
}

/// Whether the file to open is for a scene, or a lesson, rather than a scenario.
bool opens_later(std::filesystem::path const& file)
{
  return !is_scenario(file) || lessons::is_lesson(parse_json(read_text_file(file), path_text(file)));
}

/// What the window shows first. A file that was chosen on the desktop has no terminal to complain to: if it cannot be
/// opened, the window says why.
std::optional<Scenario> first_scenario(Options const& options, std::vector<std::string>& messages)
{
  if (options.verb != Verb::open) { return scenario_of(options, 0.0); }
  try {
    if (opens_later(options.scenario)) { return std::nullopt; }
    return scenario_of(options, 0.0);
  } catch (OutsideFile const&) {  // the window asks
    return std::nullopt;
  } catch (Error const& error) {
    messages.push_back(tr("Could not open {}.\n{}", path_text(options.scenario.filename()), error.what()));
    return std::nullopt;
  }
}

LessonStart start_of(LessonCommand const& command)
{
  return {command.page, command.variant, command.lecture};
}

/// A lesson that is being written may be broken: then the window says why, and shows it once it is mended. Throws Error
/// if there is no such file.
std::optional<lessons::Lesson> lesson_or_error(LessonCommand const& command, std::string& broken)
{
  std::optional<lessons::Lesson> lesson;
  try {
    lesson = read_lessons(command);
  } catch (Error const& error) {
    if (!lesson_files_exist(command)) { throw; }
    broken = error.what();
    fmt::print(stderr, "slotscape: {}\n", broken);
    return std::nullopt;
  }
  check_page_of(command, *lesson);
  return lesson;
}

/// Without the window, in which nothing would move, unless a picture of it is wanted.
void end_recording(App& app, Options const& options)
{
  if (options.screenshot.empty()) { glfwHideWindow(app.context().window()); }
  std::string const result = app.finish_recording();
  if (!result.empty()) { fmt::print(stderr, "slotscape: {}\n", result); }
}

/// Saves the settings, and what is shown if the user has done something: each as far as it can be. Throws Error that
/// says what cannot.
void remember(App& app, std::filesystem::path const& file, UserSettings settings)
{
  for (lessons::Progress const& each : load_progress(file)) { keep(each, settings.lessons); }  // other windows' as well
  std::string failures;
  auto const attempt = [&](auto const& work) {
    try {
      work();
    } catch (std::exception const& error) {
      failures += fmt::format("{}{}", failures.empty() ? "" : "; ", error.what());
    }
  };
  attempt([&] { save_settings(file, settings, scenes()); });
  attempt([&] { app.keep_for_next_start(last_session_path(file)); });
  if (!failures.empty()) { throw Error(failures); }
}

}  // namespace

void run_window(Options const& options)
{
  std::vector<std::string> messages;
  std::optional<lessons::Lesson> lesson;
  std::string broken;
  if (options.lesson) { lesson = lesson_or_error(*options.lesson, broken); }
  std::optional<Scenario> const scenario = first_scenario(options, messages);
  bool const opens_file = options.verb == Verb::open && !scenario && messages.empty();
  check_options(options);
  FrameLog log(options.log_frames);
  std::filesystem::path const settings_file = settings_path(options.config);
  LoadedSettings const loaded = load_settings(settings_file, scenes());
  UserSettings const& settings = loaded.settings;
  gl::Size const size = options.size_given ? gl::Size{options.width, options.height}
                                           : gl::Size{settings.window_width, settings.window_height};
  App app(gl::open_window(size, "Slotscape", !options.size_given), options, as_told(settings, options), scenario);
  std::ranges::copy(loaded.messages, std::back_inserter(messages));
  for (std::string const& message : messages) { app.toasts().error(message); }
  app.offer_last_session(last_session_path(settings_file));
  if (lesson) {
    app.start_lesson(std::move(*lesson), start_of(*options.lesson));
  } else if (!broken.empty()) {
    app.await_lesson([command = options.lesson] { return read_lessons(*command); }, start_of(*options.lesson), broken);
  } else if (opens_file) {
    app.open(options.scenario, options.reach);
  } else if (scenario) {
    if (!options.scenario.empty()) {
      app.note_recent(options.scenario);
      app.note_opened();
    }
  } else if (settings.gallery && messages.empty()) {
    app.open_gallery();
  }
  make_tables_of_fields();
  SessionSaver session_saver([&] {
    UserSettings last = app.user_settings();
    if (scenario) {
      last.scene = settings.scene;
      last.set_ups = settings.set_ups;
    }
    remember(app, settings_file, std::move(last));
  });
  app.set_max_wait(max_wait_seconds);
  ProgressSaver progress(settings_file);
  loop(app, log, progress);
  session_saver.say();
  end_recording(app, options);
  write_results(app, options);
}

}  // namespace slotscape
