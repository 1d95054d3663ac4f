#pragma once

#include "app/simulation/action.hpp"
#include "app/table_map/key_text.hpp"

#include <string>

namespace slotscape {

/// What became of an operation on typed keys: "2 keys were inserted. 17 found no place."
std::string answer_to(OnKeys const& on_keys, Tally const& outcomes, KeyStyle style);

}  // namespace slotscape
