#pragma once

#include "app/scenes/match/settings.hpp"

#include <imgui.h>

#include <optional>

namespace slotscape {

/// Moving the query by mouse: a drag moves it; with the right button, or at a corner, it is turned and scaled about its
/// middle. Positions are in pixels of the query's canvas, from its upper left corner. Pure mathematics.
class QueryHand {
public:
  enum class Grip : std::uint8_t { move, turn, turn_and_scale };

  QueryHand(Grip grip, QueryPose const& pose, double width, double height, double x, double y)
      : grip_(grip), start_(pose), middle_x_(width / 2.0), middle_y_(height / 2.0), from_x_(x), from_y_(y)
  {
  }

  /// The pose for this position of the mouse.
  QueryPose to(double x, double y) const;

private:
  Grip grip_;
  QueryPose start_;
  double middle_x_;
  double middle_y_;
  double from_x_;
  double from_y_;
};

/// Normalises an angle in degrees to the range from -180 to 180.
double whole_turns_removed(double degrees);

}  // namespace slotscape
