#pragma once

#include "gpu/base/types.hpp"

#include <optional>
#include <string>

namespace slotscape {

/// Lets the user drag ImGui's last item as this key. `text` is shown beside the mouse.
void offer_to_drag(Pair const& key, std::string const& text);
/// The key that is being dragged.
std::optional<Key> dragged_key();
/// The key that was dropped on ImGui's last item.
std::optional<Pair> dropped_key();

}  // namespace slotscape
