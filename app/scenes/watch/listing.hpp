#pragma once

#include "app/base/json.hpp"
#include "gpu/watch/live.hpp"

#include <span>
#include <string>

namespace slotscape {

/// A readable list of the tables that running programs show: what each is, who shows it, and since when. If there are
/// none, explains how a program shows a table.
std::string list_of(std::span<watch::Announced const> tables);
/// A machine-readable list: an array with an object per table. `since` is UTC.
Json json_of(std::span<watch::Announced const> tables);

}  // namespace slotscape
