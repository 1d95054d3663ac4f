#pragma once

#include "app/scene/entry.hpp"

namespace slotscape {

/// How files and lessons write a table (`TableSetup`), or several that get the same operations (`CompareSetup`): the
/// entries of their scenes, without what needs a window.
SceneEntry table_format();
SceneEntry compared_format();

}  // namespace slotscape
