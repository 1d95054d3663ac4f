#pragma once

#include "gpu/engine/table.hpp"

#include <string>

namespace slotscape {

/// What makes tables of the family of this name, for code that runs batches of its own. Null if the family has no
/// tables of this width. Each backend defines its own specialisations.
template <exec::Executor Exec, PairFormat Format>
MakeTable<Exec, Format> table_maker_of(std::string const& family);

}  // namespace slotscape
