#pragma once

#include "app/base/json.hpp"

#include <string>

namespace slotscape {

/// The numbers and words of a scene's statistics as tab-separated lines, for spreadsheets: a name and its value, or one
/// value for each of the compared `tables`. Findings (app/base/findings.hpp) come last; other lists, such as
/// histograms, are left out.
std::string table_of_statistics(Json const& statistics);

}  // namespace slotscape
