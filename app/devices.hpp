#pragma once

#include <string>

namespace slotscape {

/// What there is, in lines for people: CUDA devices, the CPU, OpenGL; and what 'auto' picks and why.
std::string describe_devices();

}  // namespace slotscape
