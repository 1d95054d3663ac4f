#pragma once

#include "app/gui.hpp"
#include "gpu/tables/family.hpp"

namespace slotscape {

/// Rows of a panel that edit what a table can be set to; each gives whether something was changed.
/// Another family takes its own parameters' fallbacks, and a number of slots that suits it.
bool family_row(Look const& look, TableSettings& table);
/// One of the family's parameters.
bool parameter_row(Look const& look, Parameter const& parameter, TableSettings& table);
bool deletion_row(Look const& look, TableSettings& table);
bool hash_row(Look const& look, TableSettings& table);

}  // namespace slotscape
