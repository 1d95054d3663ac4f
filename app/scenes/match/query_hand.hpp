#pragma once

#include "app/scenes/match/settings.hpp"

#include <imgui.h>

#include <optional>

namespace slotscape {

/// A query in the user's hand: a drag moves it; with the right button, or at a corner, it turns and is scaled about its
/// middle. Places are in pixels of the query's canvas, from its upper left corner. Pure mathematics.
class QueryHand {
public:
  enum class Grip : std::uint8_t { move, turn, turn_and_scale };

  QueryHand(Grip grip, QueryPose const& pose, double width, double height, double x, double y)
      : grip_(grip), start_(pose), middle_x_(width / 2.0), middle_y_(height / 2.0), from_x_(x), from_y_(y)
  {
  }

  /// The pose while the mouse is here.
  QueryPose to(double x, double y) const;

private:
  Grip grip_;
  QueryPose start_;
  double middle_x_;
  double middle_y_;
  double from_x_;
  double from_y_;
};

/// An angle in degrees as one from -180 to 180.
double whole_turns_removed(double degrees);

}  // namespace slotscape
