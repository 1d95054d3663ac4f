#pragma once

#include "app/widgets/look.hpp"

#include <string>

namespace slotscape {

/// A list of numbers in a panel, each with its name before it. Returns false, and is not to be ended, if it is hidden;
/// else end it by ImGui::EndTable().
bool begin_number_rows(char const* id);
/// `what` is said when the mouse is over the name.
void number_row(Look const& look, char const* name, std::string const& what, std::string const& value);

}  // namespace slotscape
