#pragma once

#include "app/base/setting.hpp"
#include "app/scene/entry.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace slotscape {

inline constexpr int scenario_version = 1;

/// What a scenario says to people.
struct ScenarioWords {
  std::string title;    ///< in one line
  std::string caption;  ///< shown with the title below the scene
  std::string notes;    ///< for a speaker alone
  bool empty() const { return title.empty() && caption.empty(); }
};
template <>
std::span<Setting<ScenarioWords> const> settings_of();

/// A scenario file: a scene, its settings, and the steps it starts with.
struct Scenario {
  SceneEntry const* scene = nullptr;
  SceneSetup set_up;
  ScenarioWords words = {};
};

/// The fields of a scenario, for the reference page: those of every one, of scenes whose fields are at the root, and
/// the names of the other scenes.
std::vector<SettingRow> scenario_rows(SceneList scenes);

/// Reads and validates a scenario. Its scene is the one whose name is a field of the document, or the one that
/// claims the document's fields. Throws Error that names the file, and the line (of broken JSON) or the path of the
/// invalid field ("steps[2].count"), and says what is expected. Paths in it are relative to the scenario's folder;
/// throws OutsideFile where they lead beyond its reach.
Scenario read_scenario(SceneList scenes, std::filesystem::path const& file, Reach reach = Reach::folder);
Scenario parse_scenario(SceneList scenes, std::string const& text, std::string const& name,
                        std::filesystem::path const& folder, Reach reach = Reach::folder);
/// Whether a document must have a version, or is part of one that has it.
enum class Versioned : std::uint8_t { yes, no };
/// The same for a document that was parsed already, at `path` of another one.
Scenario scenario_of(SceneList scenes, Json document, std::shared_ptr<JsonSource> const& source,
                     std::string const& path, Versioned versioned);

/// Writes a file that `read_scenario` reads back, and to files beside it what is too long for it, and copies of the
/// temporary files that it names. Returns the files. Throws Error if one cannot be written.
Paths write_scenario(std::filesystem::path const& file, Scenario scenario);
/// Whether it reads a file that goes with the program, so that its text alone cannot be opened later.
bool names_temporary_file(Scenario const& scenario);
/// Paths in or under `folder` are written relative to it.
std::string format_scenario(Scenario const& scenario, std::filesystem::path const& folder = {});

}  // namespace slotscape
