#pragma once

#include "gpu/exec/backend.hpp"

namespace slotscape {

/// Bytes that new tables may take now.
std::uint64_t free_memory(Backend backend);

}  // namespace slotscape
