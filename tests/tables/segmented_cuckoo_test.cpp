// What segmented cuckoo hashing promises of its layout, its overflow bits, and the loads that it states.

#include "gpu/tables/segmented_cuckoo.hpp"

#include "gpu/engine/engine.hpp"
#include "tests/tables/scheduled_operations.hpp"

#include <gtest/gtest.h>

#include <set>

namespace slotscape::segmented_cuckoo_tests {
namespace {

using Layout = SegmentedCuckoo::Layout<Narrow>;
using Words = std::vector<Narrow::Word>;
using Results = std::vector<Result<Narrow>>;
using Stored = Narrow::Key;
using Lanes = exec::HostLanes<SegmentedCuckoo::bucket_slots>;

TableSettings settings_of(std::uint64_t slots, std::uint32_t segment)
{
  return {.family = "segmented_cuckoo", .slots = slots, .parameters = {{"segment", segment}}};
}

TEST(SegmentedCuckoo, SegmentsAreEqualAndHoldAllSlotsAskedFor)
{
  for (std::uint64_t const slots : {16u, 17u, 100u, 1000u, 8192u, 8193u, 100'000u, 1u << 20}) {
    for (std::uint32_t const segment : SegmentedCuckoo::segment_choices) {
      Layout const layout = SegmentedCuckoo::layout<Narrow>(settings_of(slots, segment));
      EXPECT_GE(layout.slots(), slots);
      EXPECT_LT(layout.slots(), slots + 16 + std::uint64_t{8} * layout.segments);
      EXPECT_GE(layout.segment_buckets, 2u);
      EXPECT_LE(layout.segment_buckets * SegmentedCuckoo::bucket_slots, segment);
      EXPECT_EQ(layout.metadata(), std::uint64_t{layout.segments} * ((layout.segment_buckets + 63) / 64));
    }
  }
  Layout const largest = SegmentedCuckoo::layout<Narrow>(settings_of(std::uint64_t{1} << 31, 8192));
  EXPECT_EQ(largest.slots(), std::uint64_t{1} << 31);
}

TEST(SegmentedCuckoo, BothChoicesOfAKeyDifferAndLieInItsSegment)
{
  for (std::uint64_t const slots : {16u, 1000u, 100'000u}) {
    Layout const layout = SegmentedCuckoo::layout<Narrow>(settings_of(slots, 1024));
    std::set<std::uint32_t> segments;
    std::set<std::uint32_t> buckets;
    for (Stored key = 0; key < 50'000; ++key) {
      SegmentedCuckoo::Choices const choice = layout.choices(key);
      ASSERT_LT(choice.segment, layout.segments);
      ASSERT_LT(choice.first, layout.segment_buckets);
      ASSERT_LT(choice.second, layout.segment_buckets);
      ASSERT_NE(choice.first, choice.second);
      ASSERT_EQ(choice.segment, layout.segment(key));
      ASSERT_EQ(layout.function_of(key, layout.bucket(key, 0)), 0u);
      ASSERT_EQ(layout.function_of(key, layout.bucket(key, 1)), 1u);
      segments.insert(choice.segment);
      buckets.insert(layout.bucket(key, 1));
    }
    EXPECT_EQ(segments.size(), layout.segments);
    EXPECT_GE(buckets.size(), layout.slots() / SegmentedCuckoo::bucket_slots * 9 / 10);
  }
}

/// A table of 16 buckets in one segment, for the scheduled machine.
class OneSegment : public ::testing::Test {
protected:
  using Operations = ScheduledOperations<SegmentedCuckoo, Lanes>;

  /// Keys whose first bucket this is.
  std::vector<Stored> keys_of_bucket(std::uint32_t bucket, std::size_t count, Stored from = 1) const
  {
    std::vector<Stored> keys;
    for (Stored key = from; keys.size() < count; ++key) {
      if (operations.layout.choices(key).first == bucket) { keys.push_back(key); }
    }
    return keys;
  }
  std::map<Slot, Narrow::Word> full_bucket(std::uint32_t bucket, std::vector<Stored> const& keys) const
  {
    std::map<Slot, Narrow::Word> words;
    for (Slot slot = 0; slot < SegmentedCuckoo::bucket_slots; ++slot) {
      words[operations.layout.first_slot(bucket) + slot] = pack(keys[slot], 1u);
    }
    return words;
  }
  Result<Narrow> find_in(Words memory, Stored key) const
  {
    std::uint64_t* const metadata = memory.data() + operations.layout.slots();
    View<Layout, HostMachine<Narrow>> const table{{memory.data(), metadata}, operations.layout};
    return SegmentedCuckoo::find(table, Lanes{}, key);
  }

  Operations const operations{settings_of(128, 128)};
};

TEST_F(OneSegment, OverflowsOfTwoBucketsAtOnceSetBothBits)
{
  std::vector<Stored> const a = keys_of_bucket(3, 9);
  std::vector<Stored> const b = keys_of_bucket(7, 9);
  auto words = full_bucket(3, a);
  words.merge(full_bucket(7, b));
  Words const start = operations.memory(words, operations.layout.metadata());
  Interleavings all({operations.insert(a.back(), 5), operations.insert(b.back(), 6)},
                    [&](Words const& end, Results const& results) {
                      EXPECT_EQ(count(results, Outcome::inserted), 2);
                      EXPECT_EQ(end[operations.layout.slots()], (1u << 3) | (1u << 7));
                      EXPECT_EQ(find_in(end, a.back()).value, 5u);
                      EXPECT_EQ(find_in(end, b.back()).value, 6u);
                    });
  EXPECT_GE(all.explore(start), 1u);
}

TEST_F(OneSegment, AKeyPushedIntoItsSecondBucketSetsTheBitOfItsFirst)
{
  // Both buckets of the new key are full of keys that are at home there: one of them has to go to its second bucket.
  Stored const key = keys_of_bucket(2, 1).front();
  std::uint32_t const other = operations.layout.choices(key).second;
  std::vector<Stored> const first = keys_of_bucket(2, 8, key + 1);
  std::vector<Stored> const second = keys_of_bucket(other, 8);
  auto words = full_bucket(2, first);
  words.merge(full_bucket(other, second));
  Words const start = operations.memory(words, operations.layout.metadata());
  Interleavings one({operations.insert(key, 9)}, [&](Words const& end, Results const& results) {
    EXPECT_EQ(results.front().outcome, Outcome::inserted);
    EXPECT_EQ(results.front().moves, 1u);
    EXPECT_EQ(find_in(end, key).value, 9u);
    for (Stored const old : first) { EXPECT_EQ(find_in(end, old).value, 1u) << "key " << old; }
    for (Stored const old : second) { EXPECT_EQ(find_in(end, old).value, 1u) << "key " << old; }
    EXPECT_NE(end[operations.layout.slots()], 0u);
  });
  EXPECT_EQ(one.explore(start), 1u);
}

TEST_F(OneSegment, WithoutItsBitASecondBucketIsNotRead)
{
  Stored const key = keys_of_bucket(4, 1).front();
  SegmentedCuckoo::Choices const choice = operations.layout.choices(key);
  Words memory =
      operations.memory({{operations.layout.first_slot(choice.second), pack(key, 1u)}}, operations.layout.metadata());
  EXPECT_EQ(find_in(memory, key).outcome, Outcome::missing);
  memory[operations.layout.slots()] = Layout::bit(choice);
  EXPECT_EQ(find_in(memory, key).outcome, Outcome::found);
}

TEST(SegmentedCuckoo, TheSafeLoadIsSafeForEverySizeOfSegmentsAndHoldsUnderChurn)
{
  for (std::uint32_t const segment : SegmentedCuckoo::segment_choices) {
    SCOPED_TRACE(segment);
    TableSettings const settings = settings_of(1u << 15, segment);
    auto const engine = make_engine(Backend::cpu, settings);
    double const safe = engine->family().guarantees(engine->table()).safe_load;
    auto const keys = static_cast<std::uint64_t>(safe * static_cast<double>(engine->table().slots));
    ASSERT_EQ(engine->run(BatchRequest::inserts(keys)).outcomes[Outcome::inserted], keys);
    for (int batch = 0; batch < 6; ++batch) {
      ASSERT_EQ(engine->run(BatchRequest::erases(keys / 4)).outcomes[Outcome::erased], keys / 4);
      ASSERT_EQ(engine->run(BatchRequest::inserts(keys / 4)).outcomes[Outcome::inserted], keys / 4);
    }
    EXPECT_EQ(engine->check_invariants(), "");
    EXPECT_LE(engine->statistics().probe_length.max, 1u);
    EXPECT_LE(engine->statistics().miss_accesses.max, 3u) << "a bucket, its bit, and the other bucket";
  }
}

TEST(SegmentedCuckoo, AStoryTellsOfTheOverflowBit)
{
  auto const engine = make_engine(Backend::cpu, settings_of(64, 128));
  std::vector<Key> keys(56);
  for (std::size_t i = 0; i < keys.size(); ++i) { keys[i] = i + 1; }
  engine->insert(keys, keys);
  bool reads = false;
  bool sets = false;
  for (Key key = 100; key < 200; ++key) {
    for (Step const& step : engine->trace(Operation::insert, key, 1).steps) {
      reads = reads || step.text.find("overflow bits of slots 0 to 63 are read") != std::string::npos;
      sets = sets || step.text.find("is set: a lookup that misses there goes on") != std::string::npos;
    }
  }
  EXPECT_TRUE(reads);
  EXPECT_TRUE(sets);
}

}  // namespace
}  // namespace slotscape::segmented_cuckoo_tests
