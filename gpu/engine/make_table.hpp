#pragma once

#include "gpu/engine/table.hpp"

#include <memory>

namespace slotscape {

/// Makes a table with these settings, sharded or not; `make` makes the table, or each shard. Instantiated for each
/// executor together with sharded tables (sharded_table.hpp).
template <exec::Executor Exec, PairFormat Format>
std::unique_ptr<BatchTable<Exec, Format>> make_table(Exec& exec, TableSettings const& settings,
                                                     MakeTable<Exec, Format> make);

}  // namespace slotscape
