#pragma once

#include "app/base/setting.hpp"
#include "app/scene/entry.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace slotscape {

inline constexpr int scenario_version = 1;

/// The texts of a scenario.
struct ScenarioWords {
  std::string title;    ///< one line
  std::string caption;  ///< shown with the title below the scene
  std::string notes;    ///< for the speaker only
  bool empty() const { return title.empty() && caption.empty(); }
};
template <>
std::span<Setting<ScenarioWords> const> settings_of();

/// A scenario file: a scene, its settings, and its initial steps.
struct Scenario {
  SceneEntry const* scene = nullptr;
  SceneSetup set_up;
  ScenarioWords words = {};
};

/// The fields of a scenario, for the reference page: those of all scenarios, those of scenes whose fields are at the
/// root, and the names of the other scenes.
std::vector<SettingRow> scenario_rows(SceneList scenes);

/// Reads and validates a scenario. Its scene is the one whose name is a field of the document, or the one that claims
/// the document's fields. Throws Error that names the file, and the line (of broken JSON) or the path of the invalid
/// field ("steps[2].count"), and says what is expected. Paths in it are relative to the scenario's folder; throws
/// OutsideFile if they lead beyond its reach.
Scenario read_scenario(SceneList scenes, std::filesystem::path const& file, Reach reach = Reach::folder);
Scenario parse_scenario(SceneList scenes, std::string const& text, std::string const& name,
                        std::filesystem::path const& folder, Reach reach = Reach::folder);
/// Whether a document must have a version, or is part of a document that has one.
enum class Versioned : std::uint8_t { yes, no };
/// Reads a scenario from a parsed document, at `path` of another document.
Scenario scenario_of(SceneList scenes, Json document, std::shared_ptr<JsonSource> const& source,
                     std::string const& path, Versioned versioned);

/// Writes a file that `read_scenario` reads back. Data that is too large for it, and copies of the temporary files that
/// it names, go to files beside it. Returns all files written. Throws Error if one cannot be written.
Paths write_scenario(std::filesystem::path const& file, Scenario scenario);
/// Whether the scenario reads a temporary file, so that its text alone cannot be opened after the program ends.
bool names_temporary_file(Scenario const& scenario);
/// Paths in or under `folder` are written relative to it.
std::string format_scenario(Scenario const& scenario, std::filesystem::path const& folder = {});

}  // namespace slotscape
