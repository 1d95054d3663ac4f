#pragma once

#include "app/widgets/chart.hpp"
#include "app/widgets/drawing.hpp"
#include "app/widgets/look.hpp"

#include <string>
#include <vector>

namespace slotscape {

/// A pair of axes of a plot that is drawn on paper: with ticks, labels and a title.
class Axes {
public:
  static constexpr float row_height = 17.0f;  ///< of text, at scale 1

  /// The whole takes the rectangle from `low` to `high`.
  Axes(Look const& look, Drawing& drawing, ImVec2 low, ImVec2 high, Axis const& x, Axis const& y);

  /// How ticks are written.
  using Text = std::string (*)(double);
  /// The title of the axis upwards stands above it; it may be empty.
  void draw(std::string const& title, std::string const& x_title, std::string const& y_title, Text x_text, Text y_text);
  ImVec2 place(ChartPoint const& point) const;
  ImVec2 low() const { return low_; }  ///< of the area between the axes
  ImVec2 high() const { return high_; }

private:
  Look const& look_;
  Drawing& drawing_;
  ImVec2 corner_;
  ImVec2 low_;
  ImVec2 high_;
  Axis x_;
  Axis y_;
};

/// Finds places for texts beside marks, where they cover neither marks nor one another if there is room.
class LabelPlaces {
public:
  /// Texts stay between these corners, if they fit.
  LabelPlaces(ImVec2 low, ImVec2 high) : low_(low), high_(high) {}

  void occupy(ImVec2 low, ImVec2 high) { taken_.push_back({low, high}); }
  /// The upper left corner of a text of this size beside a mark of this radius. From now on, it is occupied.
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

/// The colours of lines and marks; those of alike colours differ in shape.
ImU32 color_of_line(std::size_t number, Background background);
void draw_mark(Look const& look, Drawing& drawing, ImVec2 at, std::size_t number, float alpha = 1.0f);

}  // namespace slotscape
