// What funnel hashing promises: the paper's sizes, a path per key, and its bounds for hits, by simulation.

#include "gpu/tables/funnel.hpp"

#include "tests/tables/simulated_table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace slotscape::funnel_tests {
namespace {

TableSettings settings_of(std::uint64_t slots, std::uint32_t inverse_delta)
{
  return {.family = "funnel", .slots = slots, .parameters = {{"inverse_delta", inverse_delta}}};
}
std::uint32_t log_of(std::uint32_t inverse_delta)
{
  return static_cast<std::uint32_t>(std::countr_zero(inverse_delta));
}

TEST(Funnel, LevelsAreOfThePapersSizes)
{
  for (std::uint32_t const inverse_delta : Funnel::inverse_deltas) {
    for (std::uint64_t const slots : {1u << 20, 1'000'003u}) {
      SCOPED_TRACE(::testing::Message() << inverse_delta << ", " << slots);
      std::uint32_t const log = log_of(inverse_delta);
      TableParts const parts = Funnel::parts(settings_of(slots, inverse_delta));
      ASSERT_EQ(parts.size(), 4 * log + 10 + 2) << "levels, and two halves of the overflow array";
      std::uint64_t next = 0;
      for (std::size_t i = 0; i != parts.size(); ++i) {
        EXPECT_EQ(parts[i].first, next);
        next += parts[i].slots;
        if (i + 2 >= parts.size()) { continue; }
        ASSERT_EQ(parts[i].slots % (std::uint64_t{2} * log), 0u) << parts[i].name;
        if (i == 0) { continue; }
        double const buckets = static_cast<double>(parts[i].slots) / (2 * log);
        EXPECT_NEAR(buckets, 0.75 * static_cast<double>(parts[i - 1].slots) / (2 * log), 1.0) << parts[i].name;
      }
      EXPECT_EQ(next, slots);
      double const overflow = static_cast<double>(slots - parts[parts.size() - 2].first);
      double const free = static_cast<double>(slots) / inverse_delta;
      EXPECT_GE(overflow, 0.5 * free);
      EXPECT_LE(overflow, 0.75 * free);
    }
  }
}

TEST(Funnel, APathIsABucketOfEachLevelThenTriesThenTwoBucketsInTurn)
{
  auto const layout = Funnel::layout<Narrow>(settings_of(1u << 16, 64));
  Funnel::Shape const& shape = layout.shape;
  TableParts const parts = Funnel::parts(settings_of(1u << 16, 64));
  for (Narrow::Key key = 1; key <= 200; ++key) {
    auto path = Funnel::path(layout, key);
    std::vector<Slot> slots;
    for (Slot left = Funnel::path_length(layout); left != 0; --left, path.next(layout)) {
      slots.push_back(path.slot);
      std::size_t const first_visit = static_cast<std::size_t>(std::ranges::find(slots, path.slot) - slots.begin());
      ASSERT_EQ(Funnel::measure(layout, path.slot, key), first_visit) << "key " << key;
    }
    for (std::uint32_t level = 0; level != shape.levels; ++level) {
      Slot const first = slots[std::size_t{level} * shape.bucket];
      EXPECT_EQ((first - parts[level].first) % shape.bucket, 0u);
      EXPECT_LT(first - parts[level].first, parts[level].slots);
      for (Slot place = 0; place != shape.bucket; ++place) {
        EXPECT_EQ(slots[level * shape.bucket + place], first + place);
      }
    }
    std::uint32_t const tries = shape.steps_of_levels();
    for (std::uint32_t i = 0; i != shape.tries; ++i) {
      EXPECT_GE(slots[tries + i], shape.overflow);
      EXPECT_LT(slots[tries + i], shape.choices);
    }
    Slot const* const chosen = slots.data() + tries + shape.tries;
    for (Slot i = 0; i != 2 * shape.choice_bucket; ++i) { EXPECT_EQ(chosen[i], chosen[i % 2] + i / 2) << "step " << i; }
  }
}

/// A key is in the emptier of its two last buckets.
TEST(Funnel, TheLastBucketsFillEvenly)
{
  SimulatedTable<Funnel> table(settings_of(1u << 14, 8));
  Funnel::Shape const& shape = table.layout.shape;
  std::fill(table.words.begin(), table.words.begin() + shape.choices, pack(1u, 1u));
  for (Narrow::Key key = 2; key != 2 + 4 * shape.choice_buckets; ++key) {
    ASSERT_EQ(Funnel::insert(table.view(), key, 1u).outcome, Outcome::inserted);
  }
  Slot fullest = 0;
  for (std::uint32_t bucket = 0; bucket != shape.choice_buckets; ++bucket) {
    auto const first = table.words.begin() + shape.choices + std::ptrdiff_t{bucket} * shape.choice_bucket;
    auto const taken = shape.choice_bucket - std::count(first, first + shape.choice_bucket, Narrow::empty_word);
    fullest = std::max(fullest, static_cast<Slot>(taken));
  }
  EXPECT_LE(fullest, 7u) << "of four keys a bucket; with one choice, ten or more are usual";
}

TEST(Funnel, HitsKeepThePapersBounds)
{
  constexpr std::uint64_t slots = 1u << 16;
  for (std::uint32_t const inverse_delta : Funnel::inverse_deltas) {
    SCOPED_TRACE(inverse_delta);
    double const log = log_of(inverse_delta);
    HitProbes const probes = simulate_hits<Funnel>(settings_of(slots, inverse_delta), 1.0 / inverse_delta, 4);
    std::cout << "1/" << inverse_delta << ": mean " << probes.mean << ", worst " << probes.worst << '\n';
    EXPECT_EQ(probes.without_place, 0u);
    EXPECT_LT(probes.mean, 8.0 * log);
    EXPECT_LT(probes.worst, 8.0 * log * log);
  }
}

TEST(Funnel, TheOverflowArrayStaysAQuarterFull)
{
  for (std::uint32_t const inverse_delta : {8u, 64u, 1024u}) {
    SimulatedTable<Funnel> table(settings_of(1u << 18, inverse_delta));
    auto const keys = static_cast<std::uint64_t>((1.0 - 1.0 / inverse_delta) * (1u << 18));
    for (std::uint64_t i = 0; i != keys; ++i) { Funnel::insert(table.view(), scattered_key(i), 1u); }
    Slot const first = table.layout.shape.overflow;
    auto const empty = std::count(table.words.begin() + first, table.words.end(), Narrow::empty_word);
    EXPECT_GE(4 * static_cast<std::uint64_t>(empty), 3 * (table.words.size() - first)) << inverse_delta;
  }
}

}  // namespace
}  // namespace slotscape::funnel_tests
