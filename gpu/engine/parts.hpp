#pragma once

#include "gpu/tables/table_parts.hpp"

namespace slotscape {

/// The parts of a table, with as many slots as it really has: its shards, if it has several, else what its family
/// divides it into, which may be nothing. Error if there is no such family.
TableParts parts_of(TableSettings const& settings);

}  // namespace slotscape
