#include "app/shell/run.hpp"

#include "app/base/encoding.hpp"
#include "app/base/files.hpp"
#include "app/base/scenario_files.hpp"
#include "app/dialogs/dropped_files.hpp"
#include "app/registry/scenes.hpp"
#include "app/shell/app.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

namespace slotscape {

void set_as_told(Options const& options, SceneEntry const& scene, SceneSetup& set_up)
{
  if (options.seed && scene.set_seed) { scene.set_seed(set_up, *options.seed); }
  if (options.devices.size() > 1 && scene.use_devices) { scene.use_devices(set_up, options.devices); }
}

std::optional<Scenario> scenario_of(Options const& options, double lead_seconds)
{
  std::optional<Scenario> scenario;
  if (!options.scenario.empty()) {
    auto const folders = scenario_folders(this_executable());
    std::filesystem::path const file = find_scenario(options.scenario, folders);
    std::error_code unreadable;
    if (file.extension().empty() && !std::filesystem::exists(file, unreadable)) {
      throw Error(
          tr("There is no scenario '{0}'. {1} takes a scenario's file, or the name of one that comes with the program. "
             "Lessons are in the window's menu; to open one: slotscape lesson NAME",
             options.scenario.string(), options.verb == Verb::serve ? "serve" : "run"));
    }
    bool const is_for_a_scene =
        std::ranges::any_of(scenes(), [&](SceneEntry const& scene) { return fits(file, scene.files); });
    if (is_for_a_scene && !is_scenario(file)) {
      throw Error(
          tr("{0} is not a scenario, as its name does not end in .json; to open it in the window: slotscape {0}",
             path_text(file)));
    }
    scenario = read_scenario(scenes(), file, options.reach);
    if (options.scene_files && options.scene != scenario->scene) {
      throw Error(tr("{} is a scenario of '{}', but only '{}' can save such files", path_text(file),
                     scenario->scene->name, options.scene->name));
    }
  }
  if (options.verb == Verb::scene) { scenario = Scenario{options.scene, options.subcommand->set_up()}; }
  if (!scenario) { return scenario; }
  set_as_told(options, *scenario->scene, scenario->set_up);
  if (scenario->scene->rewind) { scenario->scene->rewind(scenario->set_up, lead_seconds); }
  return scenario;
}

void check_outputs(Options const& options)
{
  std::vector<std::filesystem::path> files{options.screenshot, options.slide, options.stats, options.save_setup};
  if (options.scene_files) {
    for (auto const& [name, file] : options.scene_files->outputs()) { files.emplace_back(file); }
  }
  claim_outputs(files);
  if (!options.csv.empty()) { check_writable_folder(options.csv); }
}

void write_scene_files(App& app, Options const& options)
{
  if (options.scene_files && &app.current_entry() == options.scene) {
    options.scene_files->write_outputs(app.current_scene());
  }
}

void write_outputs(App& app, Options const& options, bool with_scene_files)
{
  std::exception_ptr first;
  auto const attempt = [&](auto const& write) {
    try {
      write();
    } catch (Error const&) {
      if (!first) { first = std::current_exception(); }
    }
  };
  if (with_scene_files) {
    attempt([&] { write_scene_files(app, options); });
  }
  if (!options.save_setup.empty()) {
    attempt([&] { app.documents().save_set_up(options.save_setup); });
  }
  if (!options.slide.empty()) {
    attempt([&] { app.pictures().save_slide(options.slide, options.slide_settings); });
  }
  attempt([&] { app.measurements().write(options.stats, options.csv); });
  if (first) { std::rethrow_exception(first); }
}

}  // namespace slotscape
