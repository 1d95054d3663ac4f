#pragma once

#include "app/scene/entry.hpp"

namespace slotscape {

/// The scenes of app/registry/scenes.cmake.
SceneList scenes();

}  // namespace slotscape
