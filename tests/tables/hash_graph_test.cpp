#include "gpu/tables/hash_graph.hpp"

#include "gpu/engine/engine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace slotscape::hash_graph_tests {
namespace {

TEST(HashGraphs, BucketsAreAsLongAsTheyHaveKeysAndLieInOrder)
{
  constexpr std::uint64_t slots = 500;
  auto const engine = make_engine(Backend::cpu, {.family = "hash_graph", .slots = slots});
  std::vector<Key> keys(slots);
  std::iota(keys.begin(), keys.end(), Key{1000});
  EXPECT_EQ(engine->insert(keys, std::vector<Value>(slots, 1))[Outcome::inserted], slots);
  EXPECT_EQ(engine->check_invariants(), "");

  HasherOf<Narrow> const hasher(HashKind::murmur3, slots);
  std::vector<std::uint32_t> sizes(slots);
  for (Key const key : keys) { ++sizes[hasher.home(static_cast<std::uint32_t>(key))]; }
  std::vector<std::uint32_t> histogram(*std::max_element(sizes.begin(), sizes.end()) + 1);
  for (std::uint32_t const size : sizes) { ++histogram[size]; }
  EXPECT_EQ(engine->statistics().groups.histogram, histogram);

  Slot slot = 0;
  for (Slot bucket = 0; bucket < slots; ++bucket) {
    for (std::uint32_t place = 0; place < sizes[bucket]; ++place, ++slot) {
      SlotInfo const info = engine->slot(slot);
      EXPECT_EQ(info.home, bucket);
      EXPECT_EQ(info.probe_length, place);
      EXPECT_EQ(engine->trace(Operation::find, info.pair.key, 0).steps.size(), 2 + place);
    }
  }
}

TEST(HashGraphs, TakeAnyNumberOfKeysOfOneBucket)
{
  auto const engine = make_engine(Backend::cpu, {.family = "hash_graph", .slots = 64});
  KeySettings keys;
  keys.distribution = KeyDistribution::one_home;
  engine->set_keys(keys, 1);
  EXPECT_EQ(engine->run(BatchRequest::inserts(64)).outcomes[Outcome::inserted], 64u);
  Statistics const statistics = engine->statistics();
  EXPECT_EQ(statistics.groups.max, 64u);
  EXPECT_EQ(statistics.hit_accesses.max, 65u);
  EXPECT_EQ(engine->run(BatchRequest::finds(64, KeyChoice::hits)).outcomes[Outcome::found], 64u);
}

}  // namespace
}  // namespace slotscape::hash_graph_tests
