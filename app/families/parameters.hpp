#pragma once

#include "gpu/tables/family.hpp"

namespace slotscape {

/// Sets a family's parameter. `TableSettings::parameters` keeps only what is not as usual, so that equal tables have
/// equal settings.
void set_parameter(TableSettings& table, Parameter const& parameter, std::uint32_t value);

/// The table that a person gets who chooses another family: as many slots as `table` where that suits it, the same
/// hash and width where it takes them, and its own parameters as usual.
TableSettings with_family(TableSettings table, FamilyInfo const& family);

}  // namespace slotscape
