#pragma once

#include "app/base/text.hpp"
#include "app/widgets/axis.hpp"
#include "app/widgets/drawing.hpp"
#include "app/widgets/look.hpp"

#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace slotscape {

/// --- plots drawn as a whole, on the screen or into a file: measurements, without a cursor. `Chart` is for interactive
/// exploration: it zooms, decimates and describes the data under the mouse.

/// A drawing with the colours and fonts for its background.
struct Paper {
  static constexpr float margin = 16.0f;      ///< around plots, at scale 1
  static constexpr float row_height = 17.0f;  ///< of small text, at scale 1

  Look const& look;
  Drawing& drawing;

  ImU32 ink() const { return theme::text_on(look.background); }
  ImU32 faint() const { return theme::with_alpha(ink(), 0.25f); }
  ImU32 color_of_line(std::size_t number) const;

  /// Small text; `wrap` as in `Drawing::text`.
  void text(ImVec2 at, std::string const& words, float wrap = 0.0f) const;
  ImVec2 size_of(std::string const& words, float wrap = 0.0f) const;
};

/// The labels along one axis of a plot.
struct PlotAxis {
  Axis range;
  std::string title = {};                       ///< the vertical axis has it above; may be empty
  std::string (*text)(double) = &brief_number;  ///< formats the ticks
};

/// The rows of a plot, from top to bottom, in place of numbers on the vertical axis: row i has the y from i to i + 1.
struct PlotRows {
  std::vector<std::string> names;
  float names_width;
  float max_height = std::numeric_limits<float>::infinity();  ///< limit for the height of a row
};

/// The axes of a plot: titles, ticks, and the positions of points.
class Axes {
public:
  /// The plot fills the rectangle from `low` to `high`; the last tick's text may end slightly outside.
  Axes(Paper const& paper, ImVec2 low, ImVec2 high, PlotAxis x, PlotAxis y);
  Axes(Paper const& paper, ImVec2 low, ImVec2 high, PlotAxis x, PlotRows rows);

  void draw(std::string const& title) const;
  ImVec2 place(ChartPoint const& point) const;
  /// Draw points in order of x as a line, and as marks of that line.
  void line(std::vector<ChartPoint> const& points, std::size_t number) const;
  void marks(std::vector<ChartPoint> const& points, std::size_t number) const;

  ImVec2 low() const { return low_; }  ///< of the area between the axes
  ImVec2 high() const { return high_; }

private:
  std::vector<ImVec2> places(std::vector<ChartPoint> const& points) const;
  void draw_across() const;
  void draw_upwards() const;
  void name_rows() const;

  Paper paper_;
  ImVec2 corner_;
  ImVec2 low_;
  ImVec2 high_;
  PlotAxis x_;
  PlotAxis y_;
  std::optional<std::vector<std::string>> rows_;  ///< row names, if y has no numbers
};

/// The mark of a line; lines with similar colours differ in shape.
void draw_mark(Paper const& paper, ImVec2 at, std::size_t number, float alpha = 1.0f);
/// The mark of points that belong to no line.
void draw_diamond(Paper const& paper, ImVec2 at);

/// A line of a legend.
struct LegendLine {
  enum class Mark : std::uint8_t { none, line, diamond };

  std::string text;
  Mark mark = Mark::none;
  std::size_t number = 0;  ///< number of the line
};
/// Draws a legend between these corners, with marks on its left edge. If there is not enough room, it says how many
/// `lines` are missing; the lines in `below` are always drawn.
void draw_legend(Paper const& paper, ImVec2 low, ImVec2 high, std::vector<LegendLine> const& lines,
                 std::vector<LegendLine> const& below = {});

/// Finds places for labels beside marks. If there is room, labels cover neither marks nor each other.
class LabelPlaces {
public:
  /// Labels stay between these corners, if they fit.
  LabelPlaces(ImVec2 low, ImVec2 high) : low_(low), high_(high) {}

  void occupy(ImVec2 low, ImVec2 high) { taken_.push_back({low, high}); }
  /// The upper left corner of a label of this size beside a mark of this radius. The place is then occupied.
  ImVec2 place(ImVec2 mark, float radius, ImVec2 size);

private:
  struct Area {
    ImVec2 low;
    ImVec2 high;
  };
  float covered_by(Area const& text) const;

  ImVec2 low_;
  ImVec2 high_;
  std::vector<Area> taken_;
};

}  // namespace slotscape
