#pragma once

#include "gpu/base/error.hpp"

namespace slotscape {

/// The device has failed and is unusable for this process: the contents of its memory are lost.
struct DeviceLost : Error {
  using Error::Error;
};

}  // namespace slotscape
