#pragma once

#include "gpu/engine/engine.hpp"

#include <span>
#include <vector>

namespace slotscape::testing {

/// Statistics counted slot by slot, as their definitions say.
Statistics count_statistics(std::span<SlotInfo const> slots);

/// The cluster of one slot, found by walking.
Cluster walk_cluster(std::span<SlotInfo const> slots, Slot slot);

/// The same numbers, whatever follows the last entry of the histograms.
void expect_equal(Statistics const& actual, Statistics const& expected);

}  // namespace slotscape::testing
