#pragma once

#include "gpu/base/error.hpp"

namespace slotscape {

/// The device has failed, and does nothing more for this process: what its memory held is gone.
struct DeviceLost : Error {
  using Error::Error;
};

}  // namespace slotscape
