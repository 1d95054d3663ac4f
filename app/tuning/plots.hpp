#pragma once

#include "app/tuning/frontier.hpp"
#include "app/tuning/printed_rates.hpp"
#include "app/widgets/drawing.hpp"
#include "app/widgets/look.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape::tuning {

enum class Plot : std::uint8_t {
  tradeoff,  ///< throughput over bytes a key: a mark for each candidate, the frontier and the knee
  load,      ///< throughput over the load factor: a line for each family, in one piece and in shards, its best
             ///< parameters at each load
  latency    ///< typical and worst seconds of a batch, for the candidates on the frontier
};
inline constexpr int plot_count = 3;

/// The position of a candidate's mark, to find what is under the cursor.
struct PlotMark {
  std::size_t measured = 0;  ///< into `Results::measured`
  ImVec2 at;
  bool printed = false;  ///< whether `measured` is an index into `PlotOptions::printed` instead
};

struct PlotOptions {
  ImVec2 low = {0.0f, 0.0f};  ///< the upper left corner
  ImVec2 size = {800.0f, 500.0f};
  std::optional<std::size_t> selected = {};  ///< the table to draw with a ring
  std::optional<std::size_t> compared = {};
  std::span<PrintedRate const> printed = {};  ///< drawn over the throughput plots where they are within the axes
};

std::string_view title_of(Plot plot);  ///< in English
/// Draws one plot with its axes and legend, and returns the positions of its marks.
std::vector<PlotMark> draw_plot(Look const& look, Drawing& drawing, Plot plot, Results const& results,
                                Choice const& choice, PlotOptions const& options);
/// The three plots on one page of this size.
void draw_page(Look const& look, Drawing& drawing, ImVec2 size, Results const& results, Choice const& choice);

}  // namespace slotscape::tuning
