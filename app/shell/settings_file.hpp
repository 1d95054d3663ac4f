#pragma once

#include "app/lessons/progress.hpp"
#include "app/scene/entry.hpp"
#include "app/widgets/look.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace slotscape {

/// What the program saves between runs.
struct UserSettings {
  std::string scene = {};                                       ///< shown at the start; empty: the first
  std::map<std::string, SceneSetup, std::less<>> set_ups = {};  ///< by scene name; missing: not shown yet
  float ui_scale = 0.0f;                                        ///< 0: follows the monitor
  Background theme = Background::dark;                          ///< of the window
  std::string language = {};                                    ///< its code; empty: that of the environment
  int window_width = 1600;
  int window_height = 1000;
  Panels panels = {};
  bool key_list = false;
  bool desktop_file_dialog = true;              ///< where the desktop has one
  std::vector<lessons::Progress> lessons = {};  ///< that the user has begun
  bool gallery = true;                          ///< it is shown at the start
  std::vector<std::string> recent = {};         ///< files that were opened or saved, the latest first
};

/// The saved set-up of a scene, or its first one.
SceneSetup remembered(UserSettings const& settings, SceneEntry const& scene);

struct LoadedSettings {
  UserSettings settings;
  std::vector<std::string> messages;  ///< for the user: what failed, and where the file is now
};

/// `given` if not empty, else slotscape/settings.json in XDG_CONFIG_HOME or ~/.config.
std::filesystem::path settings_path(std::filesystem::path const& given);

/// Returns the defaults if there is no such file. A value that cannot be used costs itself alone; a file that is no
/// JSON, or of another version, is renamed to NAME.broken, NAME.broken-2 and so on; a missing key file is dropped. All
/// are reported in `messages`; no content makes it throw.
LoadedSettings load_settings(std::filesystem::path const& file, SceneList scenes);

/// Puts the progress in one lesson into the settings file, and leaves all else as it is there: after every answer, so
/// that no end of the program, and no other window of the user's, costs a point. Throws Error if it cannot be written.
void save_progress(std::filesystem::path const& file, lessons::Progress const& progress);
/// The lessons in the settings file as it is now; none where it cannot be read.
std::vector<lessons::Progress> load_progress(std::filesystem::path const& file);

/// The language in the settings file; empty where there is none that the program has.
std::string saved_language(std::filesystem::path const& file);

/// Creates the folder if needed. Writes nothing that it would not read again. Throws Error if the file cannot be
/// written or, once the rest is, if the set-up of a scene cannot.
void save_settings(std::filesystem::path const& file, UserSettings const& settings, SceneList scenes);

}  // namespace slotscape
