#pragma once

#include "app/bench/report.hpp"
#include "app/widgets/drawing.hpp"
#include "app/widgets/look.hpp"

#include <string>

namespace slotscape {

/// Draws rows of a paper's experiments: how many times as fast each is here as it is printed, on a logarithmic axis;
/// and beside it, where an experiment has many load factors, both rates over these.
void draw_paper(Look const& look, Drawing& drawing, ImVec2 size, std::string const& title,
                std::vector<BenchRow> const& rows);

}  // namespace slotscape
