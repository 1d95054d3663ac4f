#pragma once

#include "app/widgets/side_widths.hpp"
#include "gpu/execution/backend.hpp"
#include "gpu/interop/presenter.hpp"

#include <string>
#include <vector>

namespace slotscape {

/// The device in use, as shown to the user.
struct DeviceFacts {
  Backend backend = Backend::cpu;
  std::string device;
  std::string backend_reason;
  PresentPath present = PresentPath::host;
  std::string present_reason;
};

/// Times of one frame in seconds, or medians of the latest frames.
struct FrameFacts {
  double frame = 0.0;
  double analyse = 0.0;  ///< device time for pictures and statistics
  double present = 0.0;  ///< CPU time to pass the pictures to OpenGL
};

/// The times of all frames since the start.
struct FrameTimes {
  std::vector<double> frame_seconds;
  std::vector<double> analyse_seconds;
  std::vector<double> present_seconds;
};

/// The visible panels, and the widths of the side panels.
struct Panels {
  bool controls = true;
  bool numbers = true;
  bool plots = true;
  bool slot_card = true;
  SideWidths widths;
  bool all_settings = false;  ///< shows all settings, even after a lesson
};
inline constexpr Panels no_panels{false, false, false, false, {}};

}  // namespace slotscape
