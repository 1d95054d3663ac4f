#pragma once

#include "gpu/base/types.hpp"

#include <optional>
#include <string>

namespace slotscape {

/// Makes ImGui's last item draggable as this key. `text` appears beside the mouse.
void offer_to_drag(Pair const& key, std::string const& text);
/// The key that is being dragged, if any.
std::optional<Key> dragged_key();
/// The key that was dropped on ImGui's last item, if any.
std::optional<Pair> dropped_key();

}  // namespace slotscape
