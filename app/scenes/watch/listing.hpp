#pragma once

#include "app/base/json.hpp"
#include "gpu/watch/live.hpp"

#include <span>
#include <string>

namespace slotscape {

/// The tables that running programs show, for people: what each is, who shows it, and since when. If there are none,
/// how a program shows one.
std::string list_of(std::span<watch::Announced const> tables);
/// The same for programs: an array of an object for each. `since` is UTC.
Json json_of(std::span<watch::Announced const> tables);

}  // namespace slotscape
