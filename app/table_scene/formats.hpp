#pragma once

#include "app/scene/entry.hpp"

namespace slotscape {

/// The file and lesson formats of one table (`TableSetup`) and of several that get the same operations
/// (`CompareSetup`): the entries of their scenes without the parts that need a window.
SceneEntry table_format();
SceneEntry compared_format();

}  // namespace slotscape
