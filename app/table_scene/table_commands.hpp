#pragma once

#include "app/scene/commands.hpp"
#include "app/table_scene/driven_tables.hpp"
#include "app/table_scene/typed.hpp"

#include <vector>

namespace slotscape {

/// The commands of every scene of driven tables, which outlive them.
std::vector<Command> table_scene_commands(DrivenTables& tables, TypedOperations& typed);

}  // namespace slotscape
