#pragma once

#include <cstdint>

namespace slotscape {

enum class SceneKind : std::uint8_t { slots, compare };

}  // namespace slotscape
