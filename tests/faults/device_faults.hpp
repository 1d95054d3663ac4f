#pragma once

namespace slotscape::faults {

/// Has a kernel write to memory that is not the device's: it does nothing more for this process.
void ruin_device();

}  // namespace slotscape::faults
