#pragma once

#include "app/widgets/chart.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>

namespace slotscape {

/// A chart that the user wants to save.
struct ChartToSave {
  enum class As : std::uint8_t { csv, png };
  As as;
  std::string title;
  std::string csv;  ///< the data, for `As::csv`
};

/// Draws charts with ImPlot and remembers the user's view of each: the wheel zooms, dragging moves, a double click
/// fits, names in the legend show and hide their series, and a menu copies, saves, and switches to logarithmic axes.
/// One chart at a time may fill the canvas.
class Charts {
public:
  /// Draws at ImGui's cursor, with `size` in pixels including the title; an enlarged chart is drawn on the canvas.
  void draw(Look const& look, Chart const& chart, ImVec2 size);

  /// Call once a frame, before anything is drawn.
  void begin_frame(Rectangle const& canvas);
  bool enlarged() const { return !enlarged_.empty(); }
  void shrink() { enlarged_.clear(); }
  /// The request since the last call. A chart to be saved as a picture fills the canvas by then.
  std::optional<ChartToSave> take_request() { return std::exchange(request_, std::nullopt); }

private:
  /// The user's view of a chart.
  struct View {
    bool zoomed = false;  ///< the user has zoomed; otherwise, axes follow the data
    Axis x = {};          ///< the visible range
    Axis y = {};
    bool other_x = false;
    bool other_y = false;
    std::set<std::string> hidden;
    bool menu_by_key = false;  ///< a key has opened its menu

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
  bool drawn_large_ = true;  ///< the enlarged chart was drawn in this frame
  Rectangle canvas_;
  std::optional<ChartToSave> request_;
};

}  // namespace slotscape
