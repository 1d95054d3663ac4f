#pragma once

#include "app/bench/report.hpp"
#include "app/widgets/drawing.hpp"
#include "app/widgets/look.hpp"

namespace slotscape {

/// Draws rows of `slotscape bench tables`: a chart for each operation, with a line for each table. The rate is plotted
/// against the load factor, or against the number of slots if there is only one load factor.
void draw_table_bench(Look const& look, Drawing& drawing, ImVec2 size, std::vector<BenchRow> const& rows);

/// Draws rows of `slotscape bench blocks`: memory, and the rate of each access pattern, against the side of a voxel.
void draw_blocks_bench(Look const& look, Drawing& drawing, ImVec2 size, std::vector<BenchRow> const& rows);

}  // namespace slotscape
