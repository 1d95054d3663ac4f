#include "app/window_loop.hpp"

#include "app/app.hpp"
#include "app/outputs.hpp"
#include "gpu/error.hpp"

#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace slotscape {
namespace {

/// Longer pauses (the window was dragged, the machine slept) count as this much time.
constexpr double longest_step_seconds = 0.1;
/// How long to wait for an event while nothing moves.
constexpr double quiet_wait_seconds = 0.1;
/// Frames drawn after the last event, for ImGui to settle.
constexpr int frames_after_event = 4;

void loop(App& app)
{
  GLFWwindow* const window = app.context().window();
  auto last = std::chrono::steady_clock::now();
  int quiet_frames = 0;
  while (glfwWindowShouldClose(window) == 0 && !app.closing()) {
    quiet_frames = app.quiet() ? quiet_frames + 1 : 0;
    if (quiet_frames > frames_after_event) {
      glfwWaitEventsTimeout(quiet_wait_seconds);
      quiet_frames = 1;
    } else {
      glfwPollEvents();
    }
    auto const now = std::chrono::steady_clock::now();
    app.frame(std::min(std::chrono::duration<double>(now - last).count(), longest_step_seconds));
    last = now;
  }
}

/// A table that goes on for ever under the mix: with `Deletion::empty_value` it would be full of tombstones in seconds.
SlotsSettings first_settings()
{
  SlotsSettings settings;
  settings.table.deletion = Deletion::tombstone_reuse;
  settings.drive.rate = 5000.0;
  settings.drive.target_load = 0.85;
  return settings;
}

UserSettings starting_settings(Options const& options, UserSettings const& loaded, Scenario const* scenario)
{
  UserSettings settings = loaded;
  if (scenario != nullptr) { set_scene(settings, *scenario); }
  for (SlotsSettings* scene : {&settings.slots, &settings.compare.shared}) {
    if (options.seed) { scene->seed = *options.seed; }
    if (scenario == nullptr) { scene->view.zoom = 1.0; }
  }
  return settings;
}

/// A table that was made on a larger machine may not fit here: says so, and puts the first one in its place.
std::string replace_unfit_table(UserSettings& settings, Options const& options)
{
  bool const compares = settings.scene == SceneKind::compare;
  try {
    Backend const backend = decide_backend(options.backend).backend;
    validate(settings.slots.table, backend);
    for (TableSettings const& table : settings.compare.tables) { validate(table, backend); }
    return {};
  } catch (Error const& error) {
    settings.scene = SceneKind::slots;
    settings.slots.table = first_settings().table;
    settings.compare = {};
    return fmt::format("The {} of the last time cannot be made here, so this is another one. {}",
                       compares ? "tables" : "table", error.what());
  }
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
  app.write_statistics(options.stats, options.csv);
  save_models(app, options);
}

/// At the very end there is no window left to say it in, and nothing else to be lost.
void remember(std::filesystem::path const& file, UserSettings const& settings)
{
  try {
    save_settings(file, settings);
  } catch (Error const& error) {
    fmt::print(stderr, "slotscape: the settings are not remembered: {}\n", error.what());
  }
}

}  // namespace

void run_window(Options const& options)
{
  std::optional<Scenario> scenario;
  if (options.command == Command::run) { scenario = read_scenario(options.scenario); }
  if (options.command == Command::spatial) { scenario.emplace().spatial = options.spatial.settings; }
  check_options(options);
  std::filesystem::path const settings_file = settings_path(options.config);
  LoadedSettings loaded = load_settings(settings_file);
  std::error_code unreadable;
  bool const nothing_remembered =
      !std::filesystem::exists(settings_file, unreadable);  // a broken file has been set aside
  if (nothing_remembered) { loaded.settings.slots = first_settings(); }
  UserSettings settings = starting_settings(options, loaded.settings, scenario ? &*scenario : nullptr);
  gl::Size const size = options.size_given ? gl::Size{options.width, options.height}
                                           : gl::Size{settings.window_width, settings.window_height};
  std::string const unfit = scenario ? std::string() : replace_unfit_table(settings, options);
  App app(gl::open_window(size, "Slotscape"), options, settings);
  for (std::string const& message : {loaded.message, unfit}) {
    if (!message.empty()) { app.toasts().error(message); }
  }
  if (scenario) {
    app.current_scene().begin(*scenario);
  } else {
    app.current_scene().begin_opening();
  }
  loop(app);
  write_results(app, options);
  UserSettings last = app.user_settings();
  if (scenario) {
    last.scene = loaded.settings.scene;
    last.slots = loaded.settings.slots;
    last.compare = loaded.settings.compare;
    last.spatial = loaded.settings.spatial;
  }
  remember(settings_file, last);
}

}  // namespace slotscape
