#include "tests/engine/brute_force.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace slotscape::testing {

namespace {

Distribution distribution_of(std::span<std::uint64_t const> values)
{
  Distribution result;
  result.count = values.size();
  if (values.empty()) { return result; }
  result.max = std::ranges::max(values);
  result.histogram.resize(result.max + 1);
  double sum = 0.0;
  for (std::uint64_t const value : values) {
    ++result.histogram[value];
    sum += static_cast<double>(value);
  }
  result.mean = sum / static_cast<double>(values.size());
  return result;
}

std::vector<std::uint64_t> cluster_lengths(std::span<SlotInfo const> slots)
{
  std::size_t const count = slots.size();
  auto const occupied = [&](std::size_t slot) { return slots[slot % count].state != SlotState::empty; };
  std::vector<std::uint64_t> lengths;
  for (std::size_t start = 0; start < count; ++start) {
    if (!occupied(start) || occupied(start + count - 1)) { continue; }
    std::uint64_t length = 0;
    while (occupied(start + length)) { ++length; }
    lengths.push_back(length);
  }
  bool const no_empty_slot = lengths.empty() && occupied(0);
  if (no_empty_slot) { lengths.push_back(count); }
  return lengths;
}

void expect_equal(Distribution const& actual, Distribution const& expected)
{
  EXPECT_EQ(actual.count, expected.count);
  EXPECT_NEAR(actual.mean, expected.mean, 1e-9 * (1.0 + expected.mean));
  EXPECT_EQ(actual.max, expected.max);
  EXPECT_EQ(actual.beyond, 0u);
  std::vector<std::uint32_t> histogram = actual.histogram;
  while (!histogram.empty() && histogram.back() == 0) { histogram.pop_back(); }
  EXPECT_EQ(histogram, expected.histogram);
}

}  // namespace

Statistics count_statistics(std::span<SlotInfo const> slots)
{
  Statistics result;
  std::vector<std::uint64_t> probe_lengths;
  for (SlotInfo const& info : slots) {
    result.live += info.state == SlotState::live;
    result.tombstones += info.state == SlotState::tombstone;
    result.links += info.state == SlotState::link;
    if (info.state == SlotState::live) { probe_lengths.push_back(info.probe_length); }
  }
  result.slots = slots.size() - result.links;
  result.probe_length = distribution_of(probe_lengths);
  result.clusters = distribution_of(cluster_lengths(slots));
  return result;
}

Cluster walk_cluster(std::span<SlotInfo const> slots, Slot slot)
{
  std::size_t const count = slots.size();
  auto const occupied = [&](std::size_t at) { return slots[at % count].state != SlotState::empty; };
  if (!occupied(slot)) { return {slot, 0}; }
  std::size_t before = 0;
  while (before < count && occupied(slot + count - 1 - before)) { ++before; }
  if (before == count) { return {0, count}; }
  std::size_t after = 0;
  while (occupied(slot + after + 1)) { ++after; }
  return {static_cast<Slot>((slot + count - before) % count), before + 1 + after};
}

void expect_equal(Statistics const& actual, Statistics const& expected)
{
  EXPECT_EQ(actual.slots, expected.slots);
  EXPECT_EQ(actual.live, expected.live);
  EXPECT_EQ(actual.tombstones, expected.tombstones);
  EXPECT_EQ(actual.links, expected.links);
  EXPECT_EQ(actual.empty(), expected.empty());
  {
    SCOPED_TRACE("probe lengths");
    expect_equal(actual.probe_length, expected.probe_length);
  }
  SCOPED_TRACE("clusters");
  expect_equal(actual.clusters, expected.clusters);
}

}  // namespace slotscape::testing
