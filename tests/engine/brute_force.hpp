#pragma once

#include "gpu/engine/engine.hpp"

#include <span>
#include <vector>

namespace slotscape::testing {

/// Statistics counted slot by slot, as their definitions say. Clusters lie within shards, of which there are so many.
Statistics count_statistics(std::span<SlotInfo const> slots, std::uint32_t shards = 1);

/// The cluster of one slot, found by walking.
Cluster walk_cluster(std::span<SlotInfo const> slots, Slot slot, std::uint32_t shards = 1);

/// The picture, as the engine draws it, and what it counts on the way.
std::vector<Texel> draw(Engine& engine, PictureRequest const& request, Statistics* statistics = nullptr);

/// The engine's picture shows the slots, whatever it says of recent changes.
void expect_picture(Engine& engine, std::span<SlotInfo const> slots, PictureRequest const& request);
/// So do all pictures of the whole table in this layout, and each comes with the right statistics.
void expect_pictures(Engine& engine, std::span<SlotInfo const> slots, Layout layout);

/// The same numbers, whatever follows the last entry of the histograms.
void expect_equal(Statistics const& actual, Statistics const& expected);

}  // namespace slotscape::testing
