#pragma once

#include "app/scene/commands.hpp"
#include "app/table_scene/driven_tables.hpp"
#include "app/table_scene/typed.hpp"

#include <vector>

namespace slotscape {

/// The commands shared by all scenes of driven tables. The references must outlive the commands.
std::vector<Command> table_scene_commands(DrivenTables& tables, TypedOperations& typed);

}  // namespace slotscape
