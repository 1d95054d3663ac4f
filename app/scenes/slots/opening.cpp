#include "app/scenes/slots/opening.hpp"

#include "app/table_scene/table_state.hpp"

#include <algorithm>

namespace slotscape {
namespace {

constexpr double seconds = 12.0;
constexpr double settling_seconds = 0.5;  ///< time limit for the last keys
/// The share of the goal that is filled at once, so that clusters are visible within the first second.
constexpr double head_start = 0.4;

}  // namespace

Opening::Opening(DriveSettings& drive) : goal_(std::clamp(drive.target_load, 0.1, 0.99))
{
  drive.running = true;
  drive.hold_load = true;
  drive.target_load = last_target_ = goal_ * head_start;
}

void Opening::settle(DriveSettings& drive) const
{
  drive.target_load = goal_;
  drive.running = false;
}

DriveSettings Opening::advance(DriveSettings& drive, double elapsed_seconds)
{
  bool const untouched = drive.hold_load && drive.target_load == last_target_;
  if (!untouched) {
    over_ = true;
    return drive;
  }
  if (!drive.running) { return drive; }
  time_ += elapsed_seconds;
  double const rest = std::max(1.0 - time_ / seconds, 0.0);
  drive.target_load = last_target_ = goal_ * (1.0 - (1.0 - head_start) * rest * rest);
  DriveSettings const filling = steering_alone(drive);
  if (time_ >= seconds + settling_seconds) {
    over_ = true;
    settle(drive);
  }
  return filling;
}

}  // namespace slotscape
