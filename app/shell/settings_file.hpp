#pragma once

#include "app/lessons/progress.hpp"
#include "app/scene/entry.hpp"
#include "app/widgets/look.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace slotscape {

/// The settings saved between runs.
struct UserSettings {
  std::string scene = {};                                       ///< shown at the start; empty: the first scene
  std::map<std::string, SceneSetup, std::less<>> set_ups = {};  ///< by scene name; missing: never shown
  float ui_scale = 0.0f;                                        ///< 0: follows the monitor
  Background theme = Background::dark;                          ///< of the window
  std::string language = {};                                    ///< a code; empty: from the environment
  int window_width = 1600;
  int window_height = 1000;
  Panels panels = {};
  bool key_list = false;
  bool desktop_file_dialog = true;              ///< if the desktop has one
  std::vector<lessons::Progress> lessons = {};  ///< progress in the lessons that the user has begun
  bool gallery = true;                          ///< shown at the start
  std::vector<std::string> recent = {};         ///< opened or saved files, most recent first
};

/// The saved set-up of a scene, or its default.
SceneSetup remembered(UserSettings const& settings, SceneEntry const& scene);

struct LoadedSettings {
  UserSettings settings;
  std::vector<std::string> messages;  ///< for the user: errors, and the file's new name
};

/// `given` if not empty, else slotscape/settings.json in XDG_CONFIG_HOME or ~/.config.
std::filesystem::path settings_path(std::filesystem::path const& given);

/// Returns the defaults if the file does not exist. An invalid value only affects itself. A file that is not JSON, or
/// has another version, is renamed to NAME.broken, NAME.broken-2 and so on. A missing key file is dropped. All are
/// reported in `messages`; no file content causes an exception.
LoadedSettings load_settings(std::filesystem::path const& file, SceneList scenes);

/// Updates the progress of one lesson in the settings file, leaving everything else unchanged. Called after every
/// answer, so that no points are lost when the program ends or another window saves. Throws Error if the file cannot be
/// written.
void save_progress(std::filesystem::path const& file, lessons::Progress const& progress);
/// The lessons in the current settings file; empty if it cannot be read.
std::vector<lessons::Progress> load_progress(std::filesystem::path const& file);

/// The language in the settings file; empty if it is unknown to the program.
std::string saved_language(std::filesystem::path const& file);

/// Creates the folder if needed. Never writes values that it could not read back. Throws Error if the file cannot be
/// written, or, after writing the rest, if the set-up of a scene cannot.
void save_settings(std::filesystem::path const& file, UserSettings const& settings, SceneList scenes);

}  // namespace slotscape
