#pragma once

#include "app/simulation/action.hpp"

#include <cstdint>
#include <vector>

namespace slotscape {

/// Whether most of the live keys are where a rehash has put them: fewer than half as many have been inserted since.
/// `slots` is the initial number of slots. A rehash to the same number of slots leaves keys in place unless some were
/// erased.
bool lies_as_rehashed(std::vector<Done> const& done, std::uint64_t slots, std::uint64_t live);

}  // namespace slotscape
