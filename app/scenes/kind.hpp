#pragma once

#include <cstdint>

namespace slotscape {

enum class SceneKind : std::uint8_t { slots, compare, spatial };

/// Whether operations are driven through the scene's tables.
constexpr bool shows_driven_tables(SceneKind scene)
{
  return scene == SceneKind::slots || scene == SceneKind::compare;
}

}  // namespace slotscape
