#pragma once

#include "app/widgets/look.hpp"

#include <string>

namespace slotscape {

/// Source text in a font of equal widths, which can be selected and copied. It fills what is left of the window.
void code_text(Look const& look, char const* id, std::string& text);

}  // namespace slotscape
