#pragma once

#include "gpu/engine/engine.hpp"
#include "gpu/engine/table.hpp"

#include <memory>

namespace slotscape {

/// The engine over a family's tables. Knows no family, so it is compiled once for each executor and format, in
/// cpu_engine.cpp and cuda_engine.cu; lists of families are elsewhere.
template <exec::Executor Exec, PairFormat Format>
std::unique_ptr<Engine> make_engine_over(MakeTable<Exec, Format> make_table, TableSettings const& settings);

}  // namespace slotscape
