#pragma once

#include "app/widgets/chart.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>

namespace slotscape {

/// What the user asked to save of a chart.
struct ChartToSave {
  enum class As : std::uint8_t { csv, png };
  As as;
  std::string title;
  std::string csv;  ///< the data, for `As::csv`
};

/// Draws charts with ImPlot and remembers how the user looks at each: the wheel zooms, dragging moves, a double click
/// fits, names in the legend show and hide their series, and a menu copies, saves, and changes to logarithmic axes.
/// One chart at a time may fill the canvas.
class Charts {
public:
  /// Draws at ImGui's cursor, `size` pixels with the title; if the chart is enlarged, on the canvas.
  void draw(Look const& look, Chart const& chart, ImVec2 size);

  /// Call once a frame, before anything is drawn.
  void begin_frame(Rectangle const& canvas);
  bool enlarged() const { return !enlarged_.empty(); }
  void shrink() { enlarged_.clear(); }
  /// What was asked for since the last call. A chart to be saved as a picture fills the canvas now.
  std::optional<ChartToSave> take_request() { return std::exchange(request_, std::nullopt); }

private:
  /// How the user looks at a chart.
  struct View {
    bool zoomed = false;  ///< otherwise the axes follow the data
    Axis x = {};          ///< what is visible
    Axis y = {};
    bool other_x = false;
    bool other_y = false;
    std::set<std::string> hidden;
    bool menu_by_key = false;  ///< its menu was asked for with a key

    void show(std::string const& series, bool shown);
  };

  void draw_large(Look const& look, Chart const& chart, View& view);
  void draw_title(Look const& look, Chart const& chart, View& view);
  void draw_legend(Look const& look, Chart const& chart, View& view);
  void draw_plot(Look const& look, Chart const& chart, View& view, ImVec2 size);
  void draw_menu(Chart const& chart, View& view);
  void toggle_size(std::string const& id);

  std::map<std::string, View> views_;
  std::string enlarged_;     ///< the chart's id; empty: none
  bool drawn_large_ = true;  ///< in the present frame
  Rectangle canvas_;
  std::optional<ChartToSave> request_;
};

}  // namespace slotscape
