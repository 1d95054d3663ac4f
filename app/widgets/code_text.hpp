#pragma once

#include "app/widgets/look.hpp"

#include <string>

namespace slotscape {

/// Selectable source text in a monospaced font. It fills the rest of the window.
void code_text(Look const& look, char const* id, std::string& text);

}  // namespace slotscape
