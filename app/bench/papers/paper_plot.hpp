#pragma once

#include "app/bench/report.hpp"
#include "app/widgets/drawing.hpp"
#include "app/widgets/look.hpp"

#include <string>

namespace slotscape {

/// Draws the rows of a paper's experiments: the speed of each relative to the printed one, on a logarithmic axis. If an
/// experiment has many load factors, both rates are plotted against them beside the list.
void draw_paper(Look const& look, Drawing& drawing, ImVec2 size, std::string const& title,
                std::vector<BenchRow> const& rows);

}  // namespace slotscape
