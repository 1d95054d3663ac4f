// What cuckoo hashing promises: each key in one of its buckets, once, whatever the interleaving of evictions; paths;
// and rebuilds with other hash functions.

#include "gpu/tables/cuckoo.hpp"

#include "gpu/engine/engine.hpp"
#include "tests/tables/moving_keys.hpp"

#include <fmt/format.h>

#include <numeric>
#include <optional>

namespace slotscape::cuckoo_tests {
namespace {

using Words = std::vector<Narrow::Word>;
using Results = std::vector<Result<Narrow>>;
using Stored = Narrow::Key;
using Keys = std::vector<Stored>;
using Layout = Cuckoo::Layout<Narrow>;

TableSettings settings_of(std::uint64_t slots, std::uint32_t functions, std::uint32_t bucket)
{
  return {.family = "cuckoo", .slots = slots, .parameters = {{"functions", functions}, {"bucket", bucket}}};
}

/// The first `count` keys whose two buckets are these, in this order, or in any where `any_order`.
template <class Key>
std::vector<Key> keys_of_buckets(Layout const& layout, std::uint32_t first, std::uint32_t second, std::size_t count,
                                 bool any_order = false)
{
  std::vector<Key> keys;
  for (Stored key = 1; keys.size() < count; ++key) {
    std::uint32_t const a = layout.bucket(key, 0);
    std::uint32_t const b = layout.bucket(key, 1);
    bool const turned = any_order && a == second && b == first;
    if ((a == first && b == second) || turned) { keys.push_back(key); }
  }
  return keys;
}

/// Two hash functions, 16 buckets of a slot: what moves where is easily drawn up.
class SingleSlots : public ::testing::Test {
protected:
  Stored key(std::uint32_t first, std::uint32_t second, std::size_t number = 0) const
  {
    return keys_of_buckets<Stored>(table.layout, first, second, number + 1).back();
  }

  MovingKeys<Cuckoo, exec::HostLanes<1>> const table{settings_of(16, 2, 1)};
};

TEST_F(SingleSlots, AKeyIsPlacedByTheShortestPath)
{
  Stored const a = key(1, 3), b = key(2, 4), c = key(3, 5), k = key(1, 2);
  Words const start = table.memory({{1, pack(a, 1u)}, {2, pack(b, 2u)}, {3, pack(c, 3u)}});
  Interleavings one({table.insert(k, 10)}, [&](Words const& end, Results const& results) {
    EXPECT_EQ(end, table.memory({{1, pack(a, 1u)}, {2, pack(k, 10u)}, {3, pack(c, 3u)}, {4, pack(b, 2u)}}));
    EXPECT_EQ(results.front().outcome, Outcome::inserted);
    EXPECT_EQ(results.front().slot, 2u);
    EXPECT_EQ(results.front().moves, 1u);
  });
  EXPECT_EQ(one.explore(start), 1u);
}

TEST_F(SingleSlots, PathsThatMeetLoseAndRepeatNoKey)
{
  Stored const a = key(1, 3), b = key(2, 3), c = key(3, 4), k = key(1, 1), l = key(2, 2);
  Words const start = table.memory({{1, pack(a, 1u)}, {2, pack(b, 2u)}, {3, pack(c, 3u)}});
  bool both_gave_up = false;
  Interleavings all({table.insert(k, 10), table.insert(l, 11)}, [&](Words const& end, Results const& results) {
    table.expect_valid(end);
    Keys expected{a, b, c};
    if (results[0].outcome == Outcome::inserted) { expected.push_back(k); }
    if (results[1].outcome == Outcome::inserted) { expected.push_back(l); }
    std::ranges::sort(expected);
    EXPECT_EQ(keys_in(end), expected);
    both_gave_up = both_gave_up || expected.size() == 3;
  });
  EXPECT_GT(all.explore(start), 2u);
  EXPECT_FALSE(both_gave_up);
}

TEST_F(SingleSlots, WithoutAPathTheTableStaysAsItWas)
{
  Stored const a = key(1, 2), b = key(2, 1);
  Words const start = table.memory({{1, pack(a, 1u)}, {2, pack(b, 2u)}});
  Interleavings one({table.insert(key(1, 2, 1), 10)}, [&](Words const& end, Results const& results) {
    EXPECT_EQ(results.front().outcome, Outcome::full);
    EXPECT_EQ(end, start);
  });
  EXPECT_EQ(one.explore(start), 1u);
}

TEST_F(SingleSlots, ErasingOneKeyTwiceErasesItOnceAndFreesItsSlot)
{
  Stored const a = key(1, 2), b = key(2, 1);
  Interleavings all({table.erase(a), table.erase(a), table.erase(b)}, [&](Words const& end, Results const& results) {
    EXPECT_EQ(count(results, Outcome::erased), 2);
    EXPECT_EQ(end, table.memory({}));
  });
  EXPECT_GT(all.explore(table.memory({{1, pack(a, 1u)}, {2, pack(b, 2u)}})), 0u);
}

TEST(Cuckoo, ALongChainOfEvictionsIsWalkedToItsEnd)
{
  // Key i is in slot i, and slot i + 1 is its other place: the new key's only way is to move them all by one.
  constexpr std::uint32_t length = 200;
  MovingKeys<Cuckoo, exec::HostLanes<1>> const table{settings_of(1024, 2, 1)};
  std::vector<std::optional<Stored>> to_next(length);
  for (std::uint32_t missing = length, key = 1; missing != 0; ++key) {
    std::uint32_t const low = std::min(table.layout.bucket(key, 0), table.layout.bucket(key, 1));
    std::uint32_t const high = std::max(table.layout.bucket(key, 0), table.layout.bucket(key, 1));
    if (high != low + 1 || low >= length || to_next[low]) { continue; }
    to_next[low] = key;
    --missing;
  }
  Words memory = table.memory({});
  for (std::uint32_t i = 0; i < length; ++i) { memory[i] = pack(*to_next[i], i); }
  Stored const key = keys_of_buckets<Stored>(table.layout, 0, 0, 1).front();
  View<Layout, HostMachine<Narrow>> const view{{memory.data(), nullptr}, table.layout};
  Result<Narrow> const result = Cuckoo::insert(view, exec::HostLanes<1>{}, key, 7u);
  EXPECT_EQ(result.outcome, Outcome::inserted);
  EXPECT_EQ(result.moves, length);
  EXPECT_EQ(memory[0], pack(key, 7u));
  for (std::uint32_t i = 0; i < length; ++i) { EXPECT_EQ(memory[i + 1], pack(*to_next[i], i)); }
  table.expect_valid(memory);
}

TEST(Cuckoo, ForKeysThatShareTheirBucketsTheTableIsRebuiltWithOtherFunctions)
{
  for (std::uint32_t const bucket : {1u, 4u}) {
    TableSettings const settings = settings_of(1000, 2, bucket);
    Layout const layout = Cuckoo::layout<Narrow>(settings);
    std::vector<Key> const keys = keys_of_buckets<Key>(layout, 3, 7, 2 * bucket + 2, true);
    auto const engine = make_engine(Backend::cpu, settings);
    engine->insert(std::vector<Key>{77}, std::vector<Value>{78});
    EXPECT_EQ(engine->insert(keys, keys)[Outcome::inserted], keys.size());
    EXPECT_EQ(engine->check_invariants(), "");
    EXPECT_EQ(engine->find(keys)[Outcome::found], keys.size());
    EXPECT_EQ(engine->probe_path(77).value, 78u);
    EXPECT_EQ(engine->pairs().size(), keys.size() + 1);
    engine->clear();
    EXPECT_EQ(engine->insert(keys, keys)[Outcome::inserted], keys.size());
  }
}

TEST(Cuckoo, AFullTableSaysSoAndLosesNothing)
{
  for (std::uint32_t const bucket : Cuckoo::bucket_choices) {
    auto const engine = make_engine(Backend::cpu, settings_of(50, 3, bucket));
    std::uint64_t const slots = engine->table().slots;
    EXPECT_EQ(slots % bucket, 0u);
    EXPECT_GE(slots, 50u);
    std::vector<Key> keys(100);
    std::iota(keys.begin(), keys.end(), Key{1});
    std::vector<Outcome> outcomes(100);
    Tally const tally = engine->insert(keys, keys, outcomes);
    EXPECT_EQ(tally[Outcome::inserted] + tally[Outcome::full], 100u);
    EXPECT_GE(tally[Outcome::inserted], slots * 8 / 10);
    EXPECT_EQ(engine->check_invariants(), "");
    std::vector<Value> values(100);
    engine->find(keys, values);
    for (std::size_t i = 0; i < 100; ++i) {
      EXPECT_EQ(values[i], outcomes[i] == Outcome::inserted ? keys[i] : empty_value);
    }
    EXPECT_EQ(engine->erase(keys)[Outcome::erased], tally[Outcome::inserted]);
    EXPECT_EQ(engine->insert(std::vector<Key>{500}, std::vector<Value>{1})[Outcome::inserted], 1u);
  }
}

struct Shape {
  std::uint32_t functions;
  std::uint32_t bucket;
};
class CuckooShapes : public ::testing::TestWithParam<Shape> {};

TEST_P(CuckooShapes, TheSafeLoadIsSafeAndHoldsUnderChurn)
{
  TableSettings const settings = settings_of(1u << 13, GetParam().functions, GetParam().bucket);
  auto const engine = make_engine(Backend::cpu, settings);
  double const safe = engine->family().guarantees(settings).safe_load;
  auto const keys = static_cast<std::uint64_t>(safe * static_cast<double>(settings.slots));
  ASSERT_EQ(engine->run(BatchRequest::inserts(keys)).outcomes[Outcome::inserted], keys);
  for (int batch = 0; batch < 6; ++batch) {
    ASSERT_EQ(engine->run(BatchRequest::erases(keys / 4)).outcomes[Outcome::erased], keys / 4);
    ASSERT_EQ(engine->run(BatchRequest::inserts(keys / 4)).outcomes[Outcome::inserted], keys / 4);
  }
  EXPECT_EQ(engine->check_invariants(), "");
  EXPECT_LT(engine->statistics().probe_length.max, GetParam().functions);
  EXPECT_EQ(engine->statistics().miss_accesses.max, GetParam().functions);
}

INSTANTIATE_TEST_SUITE_P(Of, CuckooShapes,
                         ::testing::Values(Shape{2, 1}, Shape{3, 1}, Shape{4, 1}, Shape{2, 2}, Shape{2, 4}, Shape{2, 8},
                                           Shape{2, 16}, Shape{3, 2}, Shape{3, 16}, Shape{4, 16}),
                         [](::testing::TestParamInfo<Shape> const& info) {
                           return fmt::format("d{}_b{}", info.param.functions, info.param.bucket);
                         });

}  // namespace
}  // namespace slotscape::cuckoo_tests
