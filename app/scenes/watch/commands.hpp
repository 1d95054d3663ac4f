#pragma once

#include "app/scene/commands.hpp"
#include "app/scenes/watch/state.hpp"
#include "app/table_map/map_view.hpp"

#include <vector>

namespace slotscape {

/// The scene's commands. They modify the state and the map, which must outlive them.
std::vector<Command> watch_commands(WatchState& state, MapView& map);

}  // namespace slotscape
