#pragma once

#include "app/widgets/look.hpp"

#include <string>

namespace slotscape {

/// Begins a list of numbers in a panel, each after its name. If it returns false, the list is hidden and must not be
/// ended; else end it with ImGui::EndTable().
bool begin_number_rows(char const* id);
/// `what` is shown when the mouse is over the name.
void number_row(Look const& look, char const* name, std::string const& what, std::string const& value);

}  // namespace slotscape
