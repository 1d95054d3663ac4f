#include "tests/engine/brute_force.hpp"

#include "tests/support/texel_memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

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

/// Adds those of one shard.
void add_cluster_lengths(std::span<SlotInfo const> slots, std::vector<std::uint64_t>& all)
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
  all.insert(all.end(), lengths.begin(), lengths.end());
}

void expect_same_values(Distribution const& actual, Distribution const& expected)
{
  EXPECT_EQ(actual.count, expected.count);
  EXPECT_NEAR(actual.mean, expected.mean, 1e-9 * (1.0 + expected.mean));
  EXPECT_EQ(actual.max, expected.max);
  EXPECT_EQ(actual.beyond, 0u);
  std::vector<std::uint32_t> histogram = actual.histogram;
  while (!histogram.empty() && histogram.back() == 0) { histogram.pop_back(); }
  EXPECT_EQ(histogram, expected.histogram);
}

/// Rounded up, so that a single slot still shows.
std::uint32_t share(std::uint32_t part, std::uint32_t whole)
{
  return static_cast<std::uint32_t>((65535ull * part + whole - 1) / whole);
}

/// What each slot's colour stands for. None for a slot without one.
std::vector<std::optional<double>> values_of(std::span<SlotInfo const> slots, std::uint32_t shards, ColorBy color_by)
{
  std::size_t const of_shard = slots.size() / shards;
  std::vector<std::optional<double>> values(slots.size());
  for (std::size_t slot = 0; slot < slots.size(); ++slot) {
    if (color_by != ColorBy::cluster_length) {
      bool const by_chain = color_by == ColorBy::chain_length;
      if (slots[slot].state == SlotState::live) {
        values[slot] = by_chain ? slots[slot].chain_length : slots[slot].probe_length;
      }
    } else if (slots[slot].state != SlotState::empty) {
      bool const goes_on = slot % of_shard != 0 && values[slot - 1];
      values[slot] = goes_on ? *values[slot - 1] : static_cast<double>(walk_cluster(slots, slot, shards).length);
    }
  }
  return values;
}

/// What texel (x, y) of the grid of cells should be, from the slots in it and their values; flashes apart.
Texel expected_texel(std::span<SlotInfo const> slots, std::span<std::optional<double> const> values,
                     PictureRequest const& request, std::uint32_t x, std::uint32_t y)
{
  Grid const grid = Grid::of(slots.size(), request.layout);
  std::uint32_t const side = 1u << request.level;
  std::uint32_t count = 0, live = 0, tombstones = 0, valued = 0;
  double sum = 0.0, max = 0.0;
  for (std::uint32_t py = y * side; py < (y + 1) * side && py < grid.rows; ++py) {
    for (std::uint32_t px = x * side; px < (x + 1) * side && px < grid.columns; ++px) {
      Slot const slot = grid.slot({px, py});
      if (slot >= slots.size()) { continue; }
      SlotInfo const& info = slots[slot];
      ++count;
      live += info.state == SlotState::live;
      tombstones += info.state == SlotState::tombstone;
      if (!values[slot]) { continue; }
      ++valued;
      sum += *values[slot];
      max = std::max(max, *values[slot]);
    }
  }
  if (count == 0) { return {0, -1.0f, 0, 0}; }
  double const value = valued == 0 ? -1.0 : request.reduce == Reduce::max ? max : sum / valued;
  return {share(live, count) | share(tombstones, count) << 16, static_cast<float>(value), 0, count};
}

void expect_texels(std::span<Texel const> texels, std::span<SlotInfo const> slots, std::uint32_t shards,
                   PictureRequest const& request)
{
  std::vector<std::optional<double>> const values = values_of(slots, shards, request.color_by);
  for (std::uint32_t j = 0; j < request.height; ++j) {
    for (std::uint32_t i = 0; i < request.width; ++i) {
      Texel const actual = texels[j * request.width + i];
      Texel const wanted = expected_texel(slots, values, request, request.x + i, request.y + j);
      ASSERT_EQ(actual.slots, wanted.slots) << "texel " << i << ", " << j;
      ASSERT_EQ(actual.shares, wanted.shares) << "texel " << i << ", " << j;
      ASSERT_NEAR(actual.value, wanted.value, 1e-5f * (1.0f + wanted.value)) << "texel " << i << ", " << j;
    }
  }
}

}  // namespace

Statistics count_statistics(std::span<SlotInfo const> slots, std::uint32_t shards)
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
  std::vector<std::uint64_t> clusters;
  std::size_t const ring = slots.size() / shards;
  for (std::size_t shard = 0; shard < shards; ++shard) {
    add_cluster_lengths(slots.subspan(shard * ring, ring), clusters);
  }
  result.clusters = distribution_of(clusters);
  return result;
}

Cluster walk_cluster(std::span<SlotInfo const> slots, Slot slot, std::uint32_t shards)
{
  if (shards != 1) {
    std::size_t const ring = slots.size() / shards;
    auto const first = static_cast<Slot>(slot / ring * ring);
    Cluster const within = walk_cluster(slots.subspan(first, ring), slot - first);
    return {within.start + first, within.length};
  }
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

std::vector<Texel> draw(Engine& engine, PictureRequest const& request, Statistics* statistics)
{
  TexelMemory memory(engine.backend(), request.texels());
  Snapshot const snapshot = engine.analyse(request, memory.target());
  if (statistics != nullptr) { *statistics = snapshot.statistics; }
  return memory.read();
}

void expect_picture(Engine& engine, std::span<SlotInfo const> slots, PictureRequest const& request)
{
  expect_texels(draw(engine, request), slots, engine.table().shards, request);
}

void expect_pictures(Engine& engine, std::span<SlotInfo const> slots, Layout layout)
{
  Grid const grid = Grid::of(slots.size(), layout);
  Statistics const expected = count_statistics(slots, engine.table().shards);
  for (ColorBy const color_by : {ColorBy::probe_length, ColorBy::cluster_length}) {
    for (Reduce const reduce : {Reduce::mean, Reduce::max}) {
      for (std::uint32_t level = 0; grid.columns >> level != 0; ++level) {
        SCOPED_TRACE(::testing::Message() << "level " << level);
        PictureRequest const whole{.layout = layout,
                                   .color_by = color_by,
                                   .reduce = reduce,
                                   .level = level,
                                   .width = grid.columns >> level,
                                   .height = std::max(grid.rows >> level, 1u)};
        Statistics counted;
        std::vector<Texel> const texels = draw(engine, whole, &counted);
        expect_equal(counted, expected);
        ASSERT_NO_FATAL_FAILURE(expect_texels(texels, slots, engine.table().shards, whole));
      }
    }
  }
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
    expect_same_values(actual.probe_length, expected.probe_length);
  }
  SCOPED_TRACE("clusters");
  expect_same_values(actual.clusters, expected.clusters);
}

}  // namespace slotscape::testing
