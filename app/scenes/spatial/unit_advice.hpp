#pragma once

#include "app/scenes/spatial/state.hpp"

#include <string>

/// What to do about two files in different units.
namespace slotscape {

/// For files that name these different units: "convert one of them (1 ft is 0.3048 m)." of_whole_file: the units are
/// those of x and y, so a whole file may be converted here.
std::string advice_on_units(std::string const& a, std::string const& b, bool of_whole_file);

/// Names the unit that one file seems to be in, if the other one is in metres: then both would have about the same size
/// and be in the same place. Empty if there is no such unit.
std::string advice_on_likely_unit(SpatialState const& state);

}  // namespace slotscape
