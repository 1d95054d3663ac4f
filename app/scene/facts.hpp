#pragma once

#include "app/widgets/side_widths.hpp"
#include "gpu/execution/backend.hpp"
#include "gpu/interop/presenter.hpp"

#include <string>
#include <vector>

namespace slotscape {

/// Where the work runs, as shown to the user.
struct DeviceFacts {
  Backend backend = Backend::cpu;
  std::string device;
  std::string backend_reason;
  PresentPath present = PresentPath::host;
  std::string present_reason;
};

/// Seconds of one frame, or the medians of the latest ones.
struct FrameFacts {
  double frame = 0.0;
  double analyse = 0.0;  ///< device time for picture and statistics
  double present = 0.0;  ///< CPU time to hand the pictures to OpenGL
};

/// The same for every frame since the start.
struct FrameTimes {
  std::vector<double> frame_seconds;
  std::vector<double> analyse_seconds;
  std::vector<double> present_seconds;
};

/// Which panels are shown, and how wide those at the sides are.
struct Panels {
  bool controls = true;
  bool numbers = true;
  bool plots = true;
  bool slot_card = true;
  SideWidths widths;
};
inline constexpr Panels no_panels{false, false, false, false, {}};

}  // namespace slotscape
