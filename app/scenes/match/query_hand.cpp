#include "app/scenes/match/query_hand.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace slotscape {

double whole_turns_removed(double degrees)
{
  return std::remainder(degrees, 360.0);
}

QueryPose QueryHand::to(double x, double y) const
{
  QueryPose pose = start_;
  if (grip_ == Grip::move) {
    pose.shift_x = std::clamp(pose.shift_x + x - from_x_, -max_shift, max_shift);
    pose.shift_y = std::clamp(pose.shift_y + y - from_y_, -max_shift, max_shift);
    return pose;
  }
  double const centre_x = middle_x_ + start_.shift_x;
  double const centre_y = middle_y_ + start_.shift_y;
  double const before = std::hypot(from_x_ - centre_x, from_y_ - centre_y);
  double const now = std::hypot(x - centre_x, y - centre_y);
  if (before < 1.0 || now < 1.0) { return pose; }
  double const angle = std::atan2(from_y_ - centre_y, from_x_ - centre_x) - std::atan2(y - centre_y, x - centre_x);
  pose.turn = whole_turns_removed(pose.turn + angle * 180.0 / std::numbers::pi);
  if (grip_ == Grip::turn_and_scale) {
    pose.scale = std::clamp(pose.scale * now / before, smallest_turned_scale, largest_turned_scale);
  }
  return pose;
}

}  // namespace slotscape
