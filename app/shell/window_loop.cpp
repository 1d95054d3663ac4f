#include "app/shell/window_loop.hpp"

#include "app/base/encoding.hpp"
#include "app/base/field_error.hpp"
#include "app/base/files.hpp"
#include "app/dialogs/dropped_files.hpp"
#include "app/registry/scenes.hpp"
#include "app/shell/frame_pace.hpp"
#include "app/shell/run.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iterator>
#include <string>
#include <vector>

namespace slotscape {
namespace {

/// The saved or default set-up of every scene, with the options applied.
UserSettings with_options(UserSettings settings, Options const& options)
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
  if (!options.record.empty()) { throw Error(tr("--record needs --headless: frames are recorded offscreen")); }
  if (options.frames > 0) { throw Error(tr("--frames needs --headless: the window stays open until it is closed")); }
  check_outputs(options);
}

void write_results(App& app, Options const& options)
{
  if (!options.screenshot.empty()) {
    app.toasts().dismiss_all();
    app.pictures().save_next_frame(options.screenshot, PicturePart::everything);
    app.frame(0.0);
  }
  write_outputs(app, options);
}

/// Makes each scene write its set-up once. Saving at exit, as when the display is lost, needs tables of fields, which
/// are created on first use. If created after the `SessionSaver`, they would already be destroyed by then.
void make_tables_of_fields()
{
  for (SceneEntry const& entry : scenes()) { format_scenario({&entry, entry.first(), {}}, {}); }
}

/// Whether the file is for a scene or a lesson, rather than a scenario.
bool opens_later(std::filesystem::path const& file)
{
  return !is_scenario(file) || lessons::is_lesson(parse_json(read_text_file(file), path_text(file)));
}

/// The scenario that the window shows first. A file chosen on the desktop has no terminal for errors, so if it cannot
/// be opened, the window shows the reason.
std::optional<Scenario> first_scenario(Options const& options, std::vector<std::string>& messages)
{
  if (options.verb != Verb::open) { return scenario_of(options, 0.0); }
  try {
    if (opens_later(options.scenario)) { return std::nullopt; }
    return scenario_of(options, 0.0);
  } catch (OutsideFile const&) {  // the window will ask
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

/// A lesson that is still being written may be invalid. The window then shows the errors, and the lesson once it is
/// fixed. Throws Error if the file does not exist.
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

/// Hides the window, which would be frozen, unless a picture of it is requested.
void end_recording(App& app, Options const& options)
{
  if (options.screenshot.empty()) { app.screen().context().hide(); }
  std::string const result = app.sharing().finish_recording();
  if (!result.empty()) { fmt::print(stderr, "slotscape: {}\n", result); }
}

/// Saves the settings, and the session if the user has changed something, each as far as possible. Throws Error that
/// names the failures.
void remember(App& app, std::filesystem::path const& file, UserSettings settings)
{
  for (lessons::Progress const& each : load_progress(file)) { keep(each, settings.lessons); }  // from other windows
  std::string failures;
  auto const attempt = [&](auto const& work) {
    try {
      work();
    } catch (std::exception const& error) {
      failures += fmt::format("{}{}", failures.empty() ? "" : "; ", error.what());
    }
  };
  attempt([&] { save_settings(file, settings, scenes()); });
  attempt([&] { app.scene_host().keep_for_next_start(last_session_path(file)); });
  if (!failures.empty()) { throw Error(failures); }
}

}  // namespace

void ProgressSaver::follow(App& app)
{
  lessons::Session const* const lesson = app.lessons().session();
  if (lesson == nullptr || lesson->progress() == saved_) { return; }
  saved_ = lesson->progress();  // saving is tried only once, even if it fails
  app.toasts().dismiss(std::exchange(failure_, {}));
  try {
    save_progress(file_, saved_);
  } catch (Error const& error) {
    failure_ = tr("Your points could not be saved.\n{}", error.what());
    app.toasts().error(failure_);
  }
}

WindowLoop::WindowLoop(Options const& options)
    : options_(options),
      settings_file_(settings_path(options.config)),
      log_(options.log_frames),
      progress_(settings_file_)
{
  std::optional<lessons::Lesson> lesson;
  std::string broken;
  if (options_.lesson) { lesson = lesson_or_error(*options_.lesson, broken); }
  scenario_ = first_scenario(options_, messages_);
  check_options(options_);
  loaded_ = load_settings(settings_file_, scenes());
  UserSettings const& settings = loaded_.settings;
  gl::Size const size = options_.size_given ? gl::Size{options_.width, options_.height}
                                            : gl::Size{settings.window_width, settings.window_height};
  app_.emplace(gl::open_window(size, "Slotscape", !options_.size_given), options_, with_options(settings, options_),
               scenario_);
  open(std::move(lesson), broken);
  make_tables_of_fields();
  session_saver_.emplace([this] { keep(); });
  app_->scene_host().set_max_wait(max_wait_seconds);
  last_ = std::chrono::steady_clock::now();
}

void WindowLoop::open(std::optional<lessons::Lesson> lesson, std::string const& broken)
{
  bool const opens_file = options_.verb == Verb::open && !scenario_ && messages_.empty();
  std::ranges::copy(loaded_.messages, std::back_inserter(messages_));
  for (std::string const& message : messages_) { app_->toasts().error(message); }
  bool const opens = lesson || !broken.empty() || opens_file || scenario_;
  bool const chooses = !opens && loaded_.settings.gallery && messages_.empty();
  app_->offer_last_session(last_session_path(settings_file_), !opens && !chooses);  // the gallery has a card for it
  if (lesson) {
    app_->lessons().start(std::move(*lesson), start_of(*options_.lesson));
  } else if (!broken.empty()) {
    app_->lessons().await([command = options_.lesson] { return read_lessons(*command); }, start_of(*options_.lesson),
                          broken);
  } else if (opens_file) {
    app_->open(options_.scenario, options_.reach);
  } else if (scenario_) {
    if (!options_.scenario.empty()) {
      app_->documents().note_recent(options_.scenario);
      app_->scene_host().note_opened();
    }
  } else if (chooses) {
    app_->gallery().show();
  }
}

bool WindowLoop::step()
{
  quiet_frames_ = app_->quiet() ? quiet_frames_ + 1 : 0;
  if (quiet_frames_ > frames_after_event) {
    quiet_frames_ = event_comes() ? 1 : frames_after_event;
  } else {
    app_->screen().context().poll();
  }
  auto const now = std::chrono::steady_clock::now();
  app_->frame(std::min(std::chrono::duration<double>(now - last_).count(), longest_step_seconds));
  log_.write(app_->screen().gui().input(), app_->moving(), app_->current_entry().name);
  progress_.follow(*app_);
  last_ = now;
  return !app_->screen().closes() && !SessionSaver::told_to_end();
}

bool WindowLoop::event_comes()
{
  auto const start = std::chrono::steady_clock::now();
  app_->screen().context().wait(quiet_wait_seconds);
  std::chrono::duration<double> const waited = std::chrono::steady_clock::now() - start;
  return waited.count() < quiet_wait_seconds;
}

void WindowLoop::keep()
{
  UserSettings last = app_->user_settings();
  if (scenario_) {
    last.scene = loaded_.settings.scene;
    last.set_ups = loaded_.settings.set_ups;
  }
  remember(*app_, settings_file_, std::move(last));
}

void WindowLoop::finish()
{
  session_saver_->say();
  end_recording(*app_, options_);
  write_results(*app_, options_);
}

void run_window(Options const& options)
{
  WindowLoop loop(options);
  while (loop.step()) {}
  loop.finish();
}

}  // namespace slotscape
