#pragma once

#include "app/table_map/settings.hpp"

namespace slotscape {

/// On a plain start, fills the table up to its load factor, quickly at first, and then stops. Pausing delays the
/// opening; setting a load ends it.
class Opening {
public:
  explicit Opening(DriveSettings& drive);
  bool over() const { return over_; }
  /// Applies the settings for the time after the opening.
  void settle(DriveSettings& drive) const;
  /// Raises the target load in the settings. Returns this frame's settings, which fill the table without running the
  /// mix.
  DriveSettings advance(DriveSettings& drive, double elapsed_seconds);

private:
  double goal_;
  double last_target_ = 0.0;
  double time_ = 0.0;
  bool over_ = false;
};

}  // namespace slotscape
