#pragma once

#include "app/scenes/slots/settings.hpp"

namespace slotscape {

/// What a plain start shows: the table fills up to a load factor, quickly at first, and rests there. A pause
/// holds it up; it ends as soon as the user sets a load.
class Opening {
public:
  explicit Opening(DriveSettings& drive);
  bool over() const { return over_; }
  /// The settings as they will be when it is over.
  void settle(DriveSettings& drive) const;
  /// Moves the target of the settings on; gives what is to be run in this frame: the filling, and no mix besides.
  DriveSettings advance(DriveSettings& drive, double elapsed_seconds);

private:
  double goal_;
  double last_target_ = 0.0;
  double time_ = 0.0;
  bool over_ = false;
};

}  // namespace slotscape
