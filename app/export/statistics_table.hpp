#pragma once

#include "app/base/json.hpp"

#include <string>

namespace slotscape {

/// The numbers and words of a scene's statistics as lines of tab-separated fields, which spreadsheets take: a name and
/// its value, or a column of values for each of compared `tables`. Findings (app/base/findings.hpp) come last;
/// other lists, such as histograms, are left out.
std::string table_of_statistics(Json const& statistics);

}  // namespace slotscape
