#pragma once

#include "app/simulation/action.hpp"

#include <cstdint>
#include <vector>

namespace slotscape {

/// Whether most of the live keys lie where a rehash has put them: fewer than half as many were inserted after it. One
/// into as many slots as there were, which began with `slots`, leaves them where they are unless keys were erased.
bool lies_as_rehashed(std::vector<Done> const& done, std::uint64_t slots, std::uint64_t live);

}  // namespace slotscape
