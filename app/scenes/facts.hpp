#pragma once

#include "gpu/exec/backend.hpp"
#include "gpu/interop/presenter.hpp"

#include <string>

namespace slotscape {

/// Where the work runs, in words for people.
struct DeviceFacts {
  Backend backend = Backend::cpu;
  std::string device;
  std::string backend_reason;
  PresentPath present = PresentPath::host;
  std::string present_reason;
};

/// Of the latest frames, in seconds.
struct FrameFacts {
  double frame = 0.0;
  double analyse = 0.0;
  double present = 0.0;
};

/// Which panels are shown.
struct Panels {
  bool controls = true;
  bool numbers = true;
  bool plots = true;
  bool slot_card = true;
};

}  // namespace slotscape
