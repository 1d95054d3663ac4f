#pragma once

#include "app/scenario/scenario.hpp"
#include "app/scenes/compare/settings.hpp"
#include "app/scenes/kind.hpp"
#include "app/scenes/spatial/settings.hpp"

#include <filesystem>
#include <string>

namespace slotscape {

/// What the program remembers of its user from one start to the next.
struct UserSettings {
  SceneKind scene = SceneKind::slots;  ///< the one to begin with
  SlotsSettings slots;
  CompareSettings compare;
  SpatialSceneSettings spatial;
  float ui_scale = 0.0f;  ///< 0: follows the monitor
  int window_width = 1600;
  int window_height = 1000;
  bool show_controls = true;
  bool show_statistics = true;
  bool show_plots = true;
  bool show_inspector = true;
  bool show_keys_help = false;
};

/// Begins with the scene of a scenario, set as it says.
void set_scene(UserSettings& settings, Scenario const& scenario);

struct LoadedSettings {
  UserSettings settings;
  std::string message;  ///< for the user: what was wrong and where the file now is; empty where nothing was
};

/// `given` where it is not empty, or else slotscape/settings.json under XDG_CONFIG_HOME or ~/.config.
std::filesystem::path settings_path(std::filesystem::path const& given);

/// The defaults where there is no such file. A broken one is renamed to NAME.broken, or NAME.broken-2 and so on. Never
/// throws for what a file holds.
LoadedSettings load_settings(std::filesystem::path const& file);

/// Makes the folder where it is missing. Throws Error where the file cannot be written.
void save_settings(std::filesystem::path const& file, UserSettings const& settings);

}  // namespace slotscape
