#pragma once

#include "app/scenes/kind.hpp"
#include "app/scenes/slots/settings.hpp"
#include "app/scenes/slots/step/step_state.hpp"
#include "app/scenes/spatial/settings.hpp"
#include "app/simulation/simulation.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace slotscape {

/// A scenario file: how the scene is set, and what is done to its table, in order.
struct Scenario {
  SlotsSettings settings;
  std::vector<Action> steps;
  std::optional<StepRequest> step_mode = {};  ///< opens after them
  /// Those to compare side by side, 2 to 4, the first of them that of `settings`; none for the slots scene.
  std::vector<TableSettings> tables = {};
  std::optional<SpatialSceneSettings> spatial = {};  ///< the spatial scene; all else then counts for nothing
};

/// The scene that it sets up.
SceneKind kind_of(Scenario const& scenario);

/// Reads a scenario and checks all of it. Throws Error that names the file, and the line (of broken JSON) or the path
/// of the wrong field ("steps[2].count"), and what would be right. Key files are found relative to the scenario.
Scenario read_scenario(std::filesystem::path const& file);
Scenario parse_scenario(std::string const& text, std::string const& name, std::filesystem::path const& folder);

/// Writes it so that `read_scenario` gives it back. Throws Error where the file cannot be written.
void write_scenario(std::filesystem::path const& file, Scenario const& scenario);
std::string format_scenario(Scenario const& scenario);

}  // namespace slotscape
