// What elastic hashing promises: the order of phi, the paper's batches and cases, and its bounds for hits, by
// simulation.

#include "gpu/tables/elastic.hpp"

#include "gpu/engine/engine.hpp"
#include "tests/tables/simulated_table.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <numeric>
#include <tuple>

namespace slotscape::elastic_tests {
namespace {

TableSettings settings_of(std::uint64_t slots, std::uint32_t inverse_delta, std::uint32_t factor = 4)
{
  return {.family = "elastic", .slots = slots, .parameters = {{"inverse_delta", inverse_delta}, {"factor", factor}}};
}

/// The injection of lemma 1, by its digits.
std::uint64_t phi(std::uint32_t i, std::uint32_t j)
{
  std::uint64_t digits = 0;
  for (int bit = std::bit_width(j) - 1; bit >= 0; --bit) { digits = digits * 4 + 2 + (j >> bit & 1); }
  digits *= 2;
  for (int bit = std::bit_width(i) - 1; bit >= 0; --bit) { digits = digits * 2 + (i >> bit & 1); }
  return digits;
}

TEST(Elastic, ProbesComeInTheOrderOfPhi)
{
  for (std::uint32_t const arrays : {1u, 2u, 3u, 4u, 7u, 8u, 12u, 15u, 16u, 20u, 31u}) {
    std::vector<std::tuple<std::uint64_t, std::uint32_t, std::uint32_t>> pairs;
    for (std::uint32_t i = 1; i <= arrays; ++i) {
      for (std::uint32_t j = 1; j < 4096; ++j) { pairs.emplace_back(phi(i, j), i, j); }
    }
    std::ranges::sort(pairs);
    ProbeOrder order(arrays);
    for (std::uint32_t place = 0; place != 4000; ++place, order.next()) {
      auto const& [number, i, j] = pairs[place];
      ASSERT_EQ(std::pair(order.array(), order.probe()), std::pair(i, j)) << arrays << " arrays, place " << place;
      ASSERT_EQ(ProbeOrder::place_of(arrays, i, j), place);
      ASSERT_LT(number, std::uint64_t{15} * i * j * j) << "the lemma's O(i j^2)";
    }
  }
}

TEST(Elastic, ArraysHalve)
{
  for (std::uint64_t const slots : {16u, 17u, 31u, 33u, 1000u, 1u << 16, 1'000'003u}) {
    TableParts const parts = Elastic::parts(settings_of(slots, 64));
    ASSERT_EQ(parts.size(), static_cast<std::size_t>(std::bit_width(slots - 1))) << "ceil(log n)";
    auto const layout = Elastic::layout<Narrow>(settings_of(slots, 64));
    std::uint64_t next = 0;
    for (std::size_t i = 0; i != parts.size(); ++i) {
      EXPECT_EQ(parts[i].first, next);
      EXPECT_EQ(layout.array_of(parts[i].first), i + 1);
      next += parts[i].slots;
      EXPECT_EQ(layout.array_of(static_cast<Slot>(next - 1)), i + 1);
      if (i != 0) {
        EXPECT_NEAR(static_cast<double>(parts[i].slots), static_cast<double>(parts[i - 1].slots) / 2, 1.0);
      }
    }
    EXPECT_EQ(next, slots);
  }
}

TEST(Elastic, EachBatchLeavesItsArraysAsFullAsThePaperSays)
{
  SimulatedTable<Elastic> table(settings_of(1u << 14, 64));
  auto const& layout = table.layout;
  std::uint64_t inserted = 0;
  for (std::uint32_t batch = 0; batch + 1 < layout.arrays; ++batch) {
    while (inserted != layout.keys_after(batch)) {
      ASSERT_EQ(Elastic::insert(table.view(), scattered_key(inserted++), 1u).outcome, Outcome::inserted);
    }
    for (std::uint32_t array = 1; array <= layout.arrays; ++array) {
      auto const first = table.words.begin() + layout.first(array);
      auto const end = first + static_cast<std::ptrdiff_t>(layout.size(array));
      auto const keys = layout.size(array) - static_cast<std::uint64_t>(std::count(first, end, Narrow::empty_word));
      std::uint64_t const size = layout.size(array);
      std::uint64_t const expected = array <= batch       ? size - size / 128
                                     : array == batch + 1 ? (3 * size + 3) / 4
                                                          : std::uint64_t{0};
      EXPECT_EQ(keys, expected) << "A" << array << " after batch " << batch;
      EXPECT_EQ(table.metadata[array], keys);
    }
  }
}

/// A table in batch 1, with so many keys in A1 and A2 by its counts, and as many slots taken from their starts on.
SimulatedTable<Elastic> in_first_batch(std::uint64_t in_first, std::uint64_t in_second)
{
  SimulatedTable<Elastic> table(settings_of(1u << 12, 64));
  table.metadata[table.layout.batch_number()] = 1;
  table.metadata[1] = in_first;
  table.metadata[2] = in_second;
  auto const taken = pack(1u, 1u);
  std::fill_n(table.words.begin(), in_first, taken);
  std::fill_n(table.words.begin() + table.layout.first(2), in_second, taken);
  return table;
}
std::uint32_t array_taken(SimulatedTable<Elastic>& table, Narrow::Key key)
{
  return table.layout.array_of(Elastic::insert(table.view(), key, 1u).slot);
}

TEST(Elastic, InTheFirstCaseAFewProbesInTheFullerArrayComeFirst)
{
  auto const start = in_first_batch(1920, 100);  // 1/16 of A1 is free
  std::uint32_t const probes = start.layout.probes_at(1, 128);
  EXPECT_EQ(probes, 4 * 6u) << "c min(4^2, log 64)";
  EXPECT_EQ(start.layout.probes_at(1, 1024), 4 * 1u) << "c 1^2";
  EXPECT_EQ(start.layout.probes_at(1, 512), 4 * 4u) << "c 2^2";
  int in_first = 0;
  for (Narrow::Key key = 100; key != 400; ++key) {
    auto table = start;
    std::uint32_t free = 0;  // the first probe that finds a free slot
    while (free != 4096 && table.words[table.layout.slot(key, 1, free + 1)] != Narrow::empty_word) { ++free; }
    std::uint32_t const array = array_taken(table, key);
    ASSERT_EQ(array, free < probes ? 1u : 2u) << "key " << key;
    in_first += array == 1 ? 1 : 0;
  }
  EXPECT_GT(in_first, 150);
  EXPECT_LT(in_first, 300);
}

TEST(Elastic, InTheSecondCaseAFullArrayIsLeftAlone)
{
  auto const start = in_first_batch(2048 - 16, 100);  // |A1| - d |A1| / 2
  for (Narrow::Key key = 100; key != 400; ++key) {
    auto table = start;
    ASSERT_EQ(array_taken(table, key), 2u) << "key " << key;
  }
}

TEST(Elastic, InTheThirdCaseTheKeyFindsAPlaceInTheFullerArrayWhateverItTakes)
{
  auto const start = in_first_batch(2048 - 20, 768);  // 3/4 of A2
  std::uint32_t longest = 0;
  for (Narrow::Key key = 100; key != 200; ++key) {
    auto table = start;
    table.accesses = 0;
    Slot const slot = Elastic::insert(table.counting(), key, 1u).slot;
    ASSERT_EQ(table.layout.array_of(slot), 1u) << "key " << key;
    longest = std::max(longest, table.accesses);
  }
  EXPECT_GT(longest, 100u) << "one probe in a hundred finds a free slot";
}

TEST(Elastic, HitsKeepThePapersBounds)
{
  constexpr std::uint64_t slots = 1u << 16;
  for (std::uint32_t const inverse_delta : Elastic::inverse_deltas) {
    SCOPED_TRACE(inverse_delta);
    double const log = std::countr_zero(inverse_delta);
    HitProbes const probes = simulate_hits<Elastic>(settings_of(slots, inverse_delta), 1.0 / inverse_delta, 4);
    std::cout << "1/" << inverse_delta << ": mean " << probes.mean << ", worst " << probes.worst << '\n';
    EXPECT_EQ(probes.without_place, 0u);
    EXPECT_LT(probes.mean, 26.0) << "O(1)";
    EXPECT_LT(probes.worst, 12.0 * log) << "O(log 1/d)";
    if (inverse_delta >= 256) { EXPECT_LT(probes.worst, 0.5 * inverse_delta) << "uniform probing takes 1/d at last"; }
  }
}

TEST(Elastic, AMissEndsAfterTheLargestPlaceInUse)
{
  SimulatedTable<Elastic> table(settings_of(1u << 12, 64));
  std::uint32_t largest = 0;
  for (std::uint64_t i = 0; i != 4000; ++i) {
    Slot const slot = Elastic::insert(table.view(), scattered_key(i), 1u).slot;
    largest = std::max(largest, Elastic::describe(table.view(), slot, table.words[slot]).measure + 1);
    if (i % 500 != 0) { continue; }
    table.accesses = 0;
    EXPECT_EQ(Elastic::find(table.counting(), scattered_key(100'000 + i)).outcome, Outcome::missing);
    EXPECT_EQ(table.accesses, largest + 1) << "and one to learn how many";
  }
}

TEST(Elastic, TakesExactlyAsManyKeysAsItWasMadeFor)
{
  for (std::uint32_t const inverse_delta : {8u, 64u, 1024u}) {
    auto const engine = make_engine(Backend::cpu, settings_of(5000, inverse_delta));
    std::vector<Key> keys(6000);
    std::iota(keys.begin(), keys.end(), Key{1});
    EXPECT_EQ(engine->insert(keys, keys)[Outcome::inserted], 5000 - 5000 / inverse_delta);
    EXPECT_EQ(engine->check_invariants(), "");
  }
}

TEST(Elastic, AnErasedKeyComesBackToItsSlotAndNoOtherTakesIt)
{
  auto const engine = make_engine(Backend::cpu, settings_of(64, 64));
  std::vector<Key> keys(63);
  std::iota(keys.begin(), keys.end(), Key{1});
  ASSERT_EQ(engine->insert(keys, keys)[Outcome::inserted], 63u);
  Slot const slot = engine->probe_path(17).slots.back();
  std::vector<Key> const one{17};
  std::vector<Key> const other{1000};
  ASSERT_EQ(engine->erase(one)[Outcome::erased], 1u);
  EXPECT_EQ(engine->insert(other, other)[Outcome::full], 1u);
  EXPECT_EQ(engine->insert(one, one)[Outcome::inserted], 1u);
  EXPECT_EQ(engine->probe_path(17).slots.back(), slot);
}

TEST(Elastic, ADeviceTakesAQuarterOfWhatABatchHasLeftAtOnce)
{
  auto const layout = Elastic::layout<Narrow>(settings_of(1u << 20, 64));
  std::uint64_t const first_batch = 393'216;  // 3/4 of A1
  EXPECT_EQ(layout.keys_after(0), first_batch);
  EXPECT_EQ(Elastic::insertions_at_once(layout, 0), first_batch / 4);
  EXPECT_EQ(Elastic::insertions_at_once(layout, first_batch - 4000), 1000u);
  EXPECT_EQ(Elastic::insertions_at_once(layout, first_batch - 4), 32u);
  EXPECT_EQ(Elastic::insertions_at_once(layout, first_batch), (layout.keys_after(1) - first_batch) / 4);
  EXPECT_EQ(Elastic::insertions_at_once(layout, 1u << 20), 32u) << "they are told that there is no place";
}

}  // namespace
}  // namespace slotscape::elastic_tests
