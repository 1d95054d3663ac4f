// Tables in shards: they answer as one table does, and say where keys and bytes went.

#include "tests/engine/brute_force.hpp"
#include "tests/engine/engine_fixture.hpp"

#include "gpu/base/error.hpp"
#include "gpu/engine/parts.hpp"
#include "gpu/tables/shards.hpp"
#include "gpu/tables/slot_mark.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace slotscape::testing {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;

TableSettings in_shards(std::string const& family, std::uint32_t shards, std::uint64_t slots_each,
                        ShardDevices devices = ShardDevices::one)
{
  TableSettings table{.family = family, .slots = shards * slots_each};
  table.shards = shards;
  table.devices = devices;
  return table;
}

constexpr std::array<ShardDevices, 2> all_devices{ShardDevices::one, ShardDevices::each};

std::string error_of(TableSettings const& table)
{
  try {
    validate(table, Backend::cpu);
  } catch (Error const& error) {
    return error.what();
  }
  return "";
}

class ShardedTableTest : public EngineTest {};
SLOTSCAPE_ON_EVERY_BACKEND(ShardedTableTest);

/// What a table answered, in the order in which it was asked.
struct Answers {
  std::vector<Outcome> outcomes;
  std::vector<Value> values;
  friend bool operator==(Answers const&, Answers const&) = default;
};

Answers ask(Engine& engine, std::vector<Operation> const& operations, std::span<Key const> keys)
{
  Answers answers{std::vector<Outcome>(keys.size()), std::vector<Value>(keys.begin(), keys.end())};
  for (Value& value : answers.values) { value %= 1000; }
  engine.mixed(operations, keys, answers.values, answers.outcomes);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (operations[i] != Operation::find) { answers.values[i] = 0; }
  }
  return answers;
}

/// Batches of one kind and of all kinds; keys repeat from batch to batch, and some are reserved.
void expect_same_answers(Engine& sharded, Engine& whole, int key_bits)
{
  std::mt19937 random(11);
  std::vector<Key> keys = random_keys(120, random, key_bits);
  keys.push_back(largest_key(key_bits) + 1);
  for (int batch = 0; batch < 8; ++batch) {
    std::ranges::shuffle(keys, random);
    std::vector<Operation> operations(keys.size(), static_cast<Operation>(batch % 3));
    if (batch >= 5) {
      std::ranges::generate(operations, [&] { return static_cast<Operation>(random() % 3); });
    }
    if (batch == 2) { operations.assign(keys.size(), Operation::insert); }
    EXPECT_EQ(ask(sharded, operations, keys), ask(whole, operations, keys)) << "batch " << batch;
    EXPECT_EQ(sorted_pairs(sharded), sorted_pairs(whole)) << "batch " << batch;
  }
  EXPECT_EQ(sharded.check_invariants(), "");
  EXPECT_EQ(sharded.counts().live, whole.counts().live);
}

TEST_P(ShardedTableTest, EveryFamilyAnswersAsOneTable)
{
  constexpr std::array<std::uint32_t, 4> shard_counts{2, 3, 7, 16};
  std::size_t next = 0;
  for (std::string const& family : family_names()) {
    std::uint32_t const shards = shard_counts[next++ % shard_counts.size()];
    SCOPED_TRACE(family + " in " + std::to_string(shards) + " shards");
    TableSettings table = in_shards(family, shards, 256, all_devices[next % 3 == 0 ? 0 : 1]);
    table.key_bits = family_info(family).wide && next % 2 == 0 ? 64 : 32;
    TableSettings whole = table;
    whole.shards = 1;
    whole.slots = 1024;
    expect_same_answers(*make(table), *make(whole), table.key_bits);
    if (HasFailure()) { return; }
  }
}

TEST_P(ShardedTableTest, RebuildsOfAllShardsAreCounted)
{
  std::mt19937 random(3);
  TableSettings const table = in_shards("perfect_hash", 3, 256);
  TableSettings whole = table;
  whole.shards = 1;
  whole.slots = 1024;
  auto const sharded = make(table);
  auto const one = make(whole);
  std::vector<Key> const keys = random_keys(200, random);
  for (std::size_t const first : {0u, 100u}) {
    for (Engine* const engine : {sharded.get(), one.get()}) {
      engine->insert(std::span(keys).subspan(first, 100), std::vector<Value>(100, 1));
    }
  }
  EXPECT_GT(one->rebuilds(), 0u);
  EXPECT_EQ(sharded->rebuilds(), 3 * one->rebuilds()) << "each batch brings keys to every shard";
  EXPECT_EQ(sharded->statistics().rebuilds, sharded->rebuilds());
}

TEST_P(ShardedTableTest, SetsAnswerAsOneSet)
{
  TableSettings table = in_shards("linear_probing", 5, 64);
  table.keys_only = true;
  table.deletion = Deletion::tombstone_reuse;
  TableSettings whole = table;
  whole.shards = 1;
  whole.slots = 1024;
  expect_same_answers(*make(table), *make(whole), 32);
}

TEST_P(ShardedTableTest, RepeatedKeysAreAddedUp)
{
  TableSettings table = in_shards("linear_probing", 3, 64);
  table.combine = Combine::add;
  auto const engine = make(table);
  std::vector<Key> keys;
  for (Key i = 0; i < 2000; ++i) { keys.push_back(i % 40); }
  Tally const tally = engine->insert(keys, std::vector<Value>(keys.size(), 2));
  EXPECT_EQ(tally[Outcome::inserted], 40u);
  EXPECT_EQ(tally[Outcome::updated], 1960u);
  for (Pair const& pair : engine->pairs()) { EXPECT_EQ(pair.value, 100u); }
}

TEST_P(ShardedTableTest, KeysAreInTheSlotsOfTheirShard)
{
  TableSettings const table = in_shards("cuckoo", 6, 64);
  auto const engine = make(table);
  std::mt19937 random(3);
  engine->insert(random_keys(150, random), std::vector<Value>(150, 1));
  std::uint64_t const slots = slots_of_shard(engine->table());
  std::vector<std::uint64_t> live(6);
  for (SlotInfo const& slot : all_slots(*engine)) {
    if (slot.state != SlotState::live) { continue; }
    std::uint32_t const shard = ShardOf{6}.segment(static_cast<std::uint32_t>(slot.pair.key));
    ++live[shard];
    EXPECT_EQ(slot.slot / slots, shard);
    EXPECT_EQ(slot.home / slots, shard);
    ProbePath const path = engine->probe_path(slot.pair.key);
    ASSERT_FALSE(path.slots.empty());
    for (Slot const visited : path.slots) { EXPECT_EQ(visited / slots, shard); }
  }
  ASSERT_NE(engine->shards(), nullptr);
  for (std::size_t i = 0; i < live.size(); ++i) { EXPECT_EQ(engine->shards()->shards[i].live, live[i]); }
  TableParts const parts = parts_of(engine->table());
  ASSERT_EQ(parts.size(), 6u);
  EXPECT_EQ(parts[5].first, 5 * slots);
}

TEST_P(ShardedTableTest, StepsAreToldInSlotsOfTheWholeTable)
{
  TableSettings table = in_shards("linear_probing", 4, 64);
  auto const engine = make(table);
  Key key = 1;
  while (ShardOf{4}.segment(static_cast<std::uint32_t>(key)) != 3) { ++key; }
  Trace const trace = engine->trace(Operation::insert, key, 7);
  ASSERT_FALSE(trace.steps.empty());
  Slot const slot = trace.steps.front().seen.front().slot;
  EXPECT_GE(slot, 192u);
  EXPECT_THAT(trace.steps.front().text, HasSubstr(std::to_string(key) + " belongs to shard 3. "));
  EXPECT_THAT(trace.steps.front().text, HasSubstr("slot " + std::to_string(slot)));
  engine->insert(std::vector{key}, std::vector<Value>{7});
  EXPECT_EQ(engine->slot(slot).pair.key, key);
}

TEST_P(ShardedTableTest, AnImageBringsBackSlotsAndCounts)
{
  for (ShardDevices const devices : all_devices) {
    auto const engine = make(in_shards("robin_hood", 4, 64, devices));
    engine->run(BatchRequest::inserts(100));
    std::vector<Pair> const before = sorted_pairs(*engine);
    std::uint64_t const live = engine->shards()->shards[2].live;
    auto const image = engine->save();
    engine->run(BatchRequest::inserts(50));
    engine->clear();
    EXPECT_EQ(engine->shards()->shards[2].live, 0u);
    engine->restore(*image);
    EXPECT_EQ(sorted_pairs(*engine), before);
    EXPECT_EQ(engine->shards()->shards[2].live, live);
  }
}

TEST_P(ShardedTableTest, ARehashKeepsShardsAndKeys)
{
  for (ShardDevices const devices : all_devices) {
    auto const engine = make(in_shards("quadratic", 3, 64, devices));
    engine->run(BatchRequest::inserts(80));
    std::vector<Pair> const before = sorted_pairs(*engine);
    std::uint64_t const operations = engine->shards()->shards[1].operations;
    engine->rehash(std::uint64_t{3} * 256);
    EXPECT_EQ(engine->shards()->shards[1].operations, operations) << "a rehash is no batch";
    EXPECT_EQ(engine->table().slots, 3u * 256u);
    EXPECT_EQ(engine->table().shards, 3u);
    EXPECT_EQ(sorted_pairs(*engine), before);
    EXPECT_EQ(engine->check_invariants(), "");
    EXPECT_THROW(engine->rehash(1000), Error);
    engine->run(BatchRequest::erases(40));
    EXPECT_EQ(engine->counts().live, 40u);
  }
}

/// In the end, one shard is full before the others.
TEST_P(ShardedTableTest, StatisticsAndClustersAreThoseOfTheSlots)
{
  constexpr std::uint32_t shards = 3;
  for (std::uint64_t const ring : {64u, 67u, 21u, 128u}) {
    SCOPED_TRACE(ring);
    ShardDevices const devices = all_devices[ring == 64 || ring == 21 ? 1 : 0];
    auto const engine = make(in_shards("linear_probing", shards, ring, devices));
    for (std::uint64_t inserted = 0; inserted < shards * ring; inserted += ring / 2) {
      engine->run(BatchRequest::inserts(ring / 2));
      engine->run(BatchRequest::erases(3));
      std::vector<SlotInfo> const slots = all_slots(*engine);
      expect_equal(engine->statistics(), count_statistics(slots, shards));
      for (Slot slot = 0; slot < shards * ring; slot += 5) {
        Cluster const expected = walk_cluster(slots, slot, shards);
        EXPECT_EQ(engine->cluster(slot).start, expected.start);
        EXPECT_EQ(engine->cluster(slot).length, expected.length);
      }
    }
    EXPECT_GT(engine->statistics().miss_accesses.count, 0u);
  }
}

/// Bytes of a pair there, and of an outcome back; of a key there, and of a value and an outcome back.
TEST_P(ShardedTableTest, BytesAreCountedForEachPairOfDevices)
{
  for (KeysStart const start : {KeysStart::spread, KeysStart::one_device}) {
    TableSettings table = in_shards("linear_probing", 4, 256);
    table.keys_start = start;
    auto const engine = make(table);
    std::mt19937 random(5);
    std::vector<Key> const keys = random_keys(400, random);
    std::vector<Outcome> outcomes(keys.size());
    engine->insert(keys, std::vector<Value>(keys.size(), 1), outcomes);
    DevicePairs expected{4};
    for (std::size_t i = 0; i < keys.size(); ++i) {
      auto const from = static_cast<std::uint32_t>(start == KeysStart::spread ? i / 100 : 0);
      std::uint32_t const to = ShardOf{4}.segment(static_cast<std::uint32_t>(keys[i]));
      expected.at(from, to) += 8;
      expected.at(to, from) += 1;
    }
    EXPECT_EQ(engine->shards()->bytes.numbers, expected.numbers);
    std::vector<Value> values(keys.size());
    engine->find(keys, values, outcomes);
    EXPECT_THAT(outcomes, Each(Outcome::found));
    std::uint64_t const all = engine->shards()->bytes.to(0) + engine->shards()->bytes.to(1) +
                              engine->shards()->bytes.to(2) + engine->shards()->bytes.to(3);
    EXPECT_EQ(all, 400u * (8 + 1) + 400u * (4 + 4 + 1));
    EXPECT_LT(engine->shards()->bytes.crossing(), all);
    EXPECT_GE(engine->shards()->bytes.crossing(), engine->shards()->bytes.busiest());
  }
}

/// What is sent from the first device to the others is what would be, and takes time: also in a batch that is large
/// enough for all devices to work at once.
TEST_P(ShardedTableTest, ShardsOnDevicesOfTheirOwnAnswerAsThoseOnOne)
{
  TableSettings here = in_shards("linear_probing", 4, 1u << 14);
  here.keys_start = KeysStart::one_device;
  auto const one = make(here);
  auto const each = make(in_shards("linear_probing", 4, 1u << 14, ShardDevices::each));
  std::mt19937 random(7);
  std::vector<Key> const keys = random_keys(40000, random);
  std::span<Key const> const half = std::span(keys).first(20000);
  for (Operation const operation : {Operation::insert, Operation::erase, Operation::find}) {
    std::span<Key const> const asked = operation == Operation::erase ? half : std::span(keys);
    std::vector<Operation> const operations(asked.size(), operation);
    EXPECT_EQ(ask(*each, operations, asked), ask(*one, operations, asked));
    EXPECT_EQ(sorted_pairs(*each), sorted_pairs(*one));
    EXPECT_EQ(each->shards()->bytes.numbers, one->shards()->bytes.numbers);
  }
  EXPECT_EQ(each->counts().live, 20000u);
  EXPECT_EQ(one->shards()->seconds.exchange, 0.0);
  EXPECT_GT(each->shards()->seconds.exchange, 0.0);
  EXPECT_GT(each->shards()->seconds.table, 0.0);
}

/// Changed slots are noted, and older changes fade, on every device.
TEST_P(ShardedTableTest, ChangesOnOtherDevicesAreSeen)
{
  auto const one = make(in_shards("linear_probing", 3, 67));
  auto const each = make(in_shards("linear_probing", 3, 67, ShardDevices::each));
  PictureRequest const request{.color_by = ColorBy::recent, .width = 16, .height = 16, .fade = flash_full / 4};
  for (Engine* const engine : {one.get(), each.get()}) { engine->record_recent(true); }
  for (BatchRequest const& batch : {BatchRequest::inserts(60), BatchRequest::erases(20), BatchRequest::inserts(5)}) {
    std::vector<std::vector<Texel>> pictures;
    for (Engine* const engine : {one.get(), each.get()}) {
      engine->run(batch);
      pictures.push_back(draw(*engine, request));
    }
    ASSERT_EQ(pictures[0].size(), pictures[1].size());
    for (std::size_t i = 0; i < pictures[0].size(); ++i) {
      EXPECT_EQ(pictures[0][i].flash, pictures[1][i].flash) << "texel " << i;
    }
  }
}

TEST_P(ShardedTableTest, SkewedKeysHeatOneShard)
{
  auto const engine = make(in_shards("linear_probing", 8, 1024));
  auto const latest = [&] { return engine->shards()->imbalance(&ShardWork::latest); };
  engine->run(BatchRequest::inserts(4000));
  EXPECT_LT(latest(), 1.25);
  engine->clear();
  KeySettings skewed;
  skewed.distribution = KeyDistribution::zipf;
  skewed.zipf_exponent = 1.5;
  engine->set_keys(skewed, 1);
  engine->run(BatchRequest::inserts(4000));
  EXPECT_GT(latest(), 2.5) << "every third operation is on one key";
  EXPECT_LT(engine->shards()->imbalance(&ShardWork::live), 1.5) << "different keys are spread all the same";
}

TEST(ShardedTables, WhatIsWrongIsSaid)
{
  TableSettings table = in_shards("linear_probing", 17, 64);
  EXPECT_EQ(error_of(table), "A table cannot have 17 shards: choose from 1 to 16.");
  table = in_shards("quadratic", 3, 100);
  EXPECT_THAT(error_of(table),
              HasSubstr("300 slots in 3 shards: choose 3 times a power of two, for example 384 or 192"));
  table = in_shards("linear_probing", 8, 2);
  EXPECT_THAT(error_of(table), HasSubstr("cannot have 16 slots in 8 shards: choose from 32 to"));
  EXPECT_EQ(error_of(in_shards("linear_probing", 3, 100)), "");
}

TEST(ShardedTables, LoadsThatAreSafeLeaveRoomForTheFullestShard)
{
  FamilyInfo const& family = family_info("linear_probing");
  double const small = guarantees_of(family, in_shards("linear_probing", 4, 64)).safe_load;
  double const large = guarantees_of(family, in_shards("linear_probing", 4, 1u << 16)).safe_load;
  EXPECT_NEAR(small, 0.5, 1e-9);
  EXPECT_NEAR(large, 1.0 - 4.0 / 256.0, 1e-9);
}

/// Chi-square of a table of counts against what its margins predict, in standard deviations from its mean.
double dependence(std::vector<std::vector<double>> const& counts)
{
  std::vector<double> of_rows;
  std::vector<double> of_columns(counts.front().size());
  double all = 0.0;
  for (auto const& row : counts) {
    of_rows.push_back(std::accumulate(row.begin(), row.end(), 0.0));
    for (std::size_t c = 0; c < row.size(); ++c) { of_columns[c] += row[c]; }
    all += of_rows.back();
  }
  double chi_square = 0.0;
  for (std::size_t r = 0; r < counts.size(); ++r) {
    for (std::size_t c = 0; c < of_columns.size(); ++c) {
      double const expected = of_rows[r] * of_columns[c] / all;
      chi_square += (counts[r][c] - expected) * (counts[r][c] - expected) / expected;
    }
  }
  double const freedom = static_cast<double>((counts.size() - 1) * (of_columns.size() - 1));
  return (chi_square - freedom) / std::sqrt(2.0 * freedom);
}

/// Whatever the keys are like, their homes say nothing of their shards.
TEST(ShardedTables, ShardsAreIndependentOfHomes)
{
  constexpr std::uint32_t shards = 8;
  constexpr std::uint32_t slots = 64;
  constexpr std::uint32_t keys = 40000;
  std::mt19937 random(1);
  for (std::uint32_t const stride : {0u, 1u, 64u, 4096u}) {
    for (HashKind const hash : hashes) {
      SCOPED_TRACE(std::to_string(stride) + ", " + describe({.hash = hash}));
      BasicHasher<std::uint32_t> const hasher(hash, slots);
      bool const many_homes = hash != HashKind::identity || stride < 2;
      std::vector<std::vector<double>> by_home(shards, std::vector<double>(many_homes ? slots : 0));
      std::vector<double> of_shards(shards);
      for (std::uint32_t i = 0; i < keys; ++i) {
        std::uint32_t const key = stride == 0 ? static_cast<std::uint32_t>(random()) : i * stride;
        std::uint32_t const shard = ShardOf{shards}.segment(key);
        ++of_shards[shard];
        if (many_homes) { ++by_home[shard][hasher.home(key)]; }
      }
      double const mean = static_cast<double>(keys) / shards;
      for (double const count : of_shards) { EXPECT_NEAR(count, mean, 5.0 * std::sqrt(mean)); }
      if (many_homes) { EXPECT_LT(std::abs(dependence(by_home)), 4.5); }
    }
  }
}

/// If a family's own hashes depended on the shard, lookups there would take more than in a table of a shard's size.
TEST(ShardedTables, LookupsTakeWhatTheyTakeInATableOfAShardsSize)
{
  auto const mean_of = [](TableSettings const& table, std::uint64_t keys) {
    auto const engine = make_engine(Backend::cpu, table);
    engine->run(BatchRequest::inserts(keys));
    return engine->statistics().hit_accesses.mean;
  };
  for (std::string const& family : family_names()) {
    SCOPED_TRACE(family);
    TableSettings const table = in_shards(family, 4, 4096);
    double const alone = mean_of(settings_of_shard(table), 1600);
    EXPECT_NEAR(mean_of(table, 6400), alone, 0.1 * alone);
  }
}

}  // namespace
}  // namespace slotscape::testing
