#pragma once

#include "gpu/tables/table_parts.hpp"

namespace slotscape {

/// The parts of a table, with as many slots as it really has; empty if its family has none. Error if there is no such
/// family.
TableParts parts_of(TableSettings const& settings);

}  // namespace slotscape
