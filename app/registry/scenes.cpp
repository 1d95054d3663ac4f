#include "app/registry/scenes.hpp"

#include <array>

namespace slotscape {

#define SLOTSCAPE_SCENE(name) SceneEntry name##_scene();
#include "scenes.inc"
#undef SLOTSCAPE_SCENE

SceneList scenes()
{
#define SLOTSCAPE_SCENE(name) name##_scene(),
  static auto const entries = std::to_array<SceneEntry>({
#include "scenes.inc"
  });
#undef SLOTSCAPE_SCENE
  return entries;
}

}  // namespace slotscape
