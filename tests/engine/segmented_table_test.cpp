// Batches that are partitioned by segment: the same outcomes as the direct way gives, whatever the keys.

#include "gpu/tables/segmented_cuckoo.hpp"

#include "tests/engine/engine_fixture.hpp"
#include "tests/engine/model.hpp"
#include "tests/engine/repeated_keys.hpp"
#include "tests/support/texel_memory.hpp"

#include <map>

namespace slotscape::testing {
namespace {

class SegmentedTableTest : public EngineTest {
protected:
  static TableSettings settings(std::uint64_t slots, std::uint32_t segment, int key_bits = 32,
                                std::uint32_t partition = SegmentedCuckoo::always)
  {
    return {.family = "segmented_cuckoo",
            .slots = slots,
            .key_bits = key_bits,
            .parameters = {{"segment", segment}, {"partition", partition}}};
  }

  /// Distinct keys of one segment of the table with its first hash functions.
  static std::vector<Key> keys_of_segment(TableSettings const& table, std::uint32_t segment, std::size_t count)
  {
    auto const layout = SegmentedCuckoo::layout<Narrow>(table);
    std::vector<Key> keys;
    for (std::uint32_t key = 1; keys.size() < count; ++key) {
      if (layout.segment(key) == segment) { keys.push_back(key); }
    }
    return keys;
  }

  static void expect_pairs(Engine& engine, std::vector<Key> keys)
  {
    std::ranges::sort(keys);
    std::vector<Key> stored;
    for (Pair const& pair : sorted_pairs(engine)) { stored.push_back(pair.key); }
    EXPECT_EQ(stored, keys);
    EXPECT_EQ(engine.check_invariants(), "");
  }
};

TEST_P(SegmentedTableTest, HistoriesInManySegmentsMatchAModel)
{
  for (int const key_bits : {32, 64}) {
    for (std::uint64_t const slots : {1000u, 20000u}) {
      SCOPED_TRACE(key_bits);
      SCOPED_TRACE(slots);
      std::mt19937 random(3);
      auto const engine = make(settings(slots, 128, key_bits));
      Model model(*engine, random);
      std::vector<Key> universe = random_keys(slots * 6 / 10, random, key_bits);
      for (int batch = 0; batch < rounds(48); ++batch) {
        std::ranges::shuffle(universe, random);
        std::span<Key const> const keys = std::span(universe).first(random() % universe.size() + 1);
        switch (random() % 6) {
          case 0:
          case 1: model.insert(keys); break;
          case 2:
          case 3: model.erase(keys); break;
          case 4: model.mixed(keys); break;
          default: random() % 8 == 0 ? model.clear() : model.find(keys);
        }
        model.compare();
        if (HasFailure()) { return; }
      }
    }
  }
}

TEST_P(SegmentedTableTest, SegmentsFillUpInPartsToAHighLoad)
{
  std::uint64_t const slots = is_sanitized() ? 16384 : 65536;
  for (int const key_bits : {32, 64}) {
    std::mt19937 random(4);
    auto const engine = make(settings(slots, 8192, key_bits));
    std::vector<Key> const keys = random_keys(slots * 94 / 100, random, key_bits);
    std::size_t const half = keys.size() / 2;
    std::vector<Value> const values(keys.size(), 5);
    std::span<Key const> const all(keys);
    EXPECT_EQ(engine->insert(all.first(half), std::span(values).first(half))[Outcome::inserted], half);
    EXPECT_EQ(engine->insert(all, values)[Outcome::updated], half) << "the first half is there, the second is not";
    EXPECT_EQ(engine->find(keys)[Outcome::found], keys.size());
    expect_pairs(*engine, keys);
    Statistics const statistics = engine->statistics();
    EXPECT_EQ(statistics.live, keys.size());
    EXPECT_EQ(statistics.probe_length.max, 1u);
    EXPECT_GT(statistics.moves.max, 0u) << "so full a table has evicted keys";
    EXPECT_EQ(engine->erase(all.first(half))[Outcome::erased], half);
    EXPECT_EQ(engine->erase(all)[Outcome::erased], keys.size() - half);
    EXPECT_TRUE(engine->pairs().empty());
  }
}

TEST_P(SegmentedTableTest, KeysInSecondBucketsAreFoundWhenTheFirstHasRoomAgain)
{
  std::uint64_t const slots = 16384;
  for (int const key_bits : {32, 64}) {
    for (std::uint32_t const partition : {SegmentedCuckoo::never, SegmentedCuckoo::always}) {
      SCOPED_TRACE(key_bits);
      SCOPED_TRACE(partition);
      std::mt19937 random(6);
      auto const engine = make(settings(slots, 1024, key_bits, partition));
      std::vector<Key> const keys = random_keys(slots, random, key_bits);
      std::span<Key const> const inserted = std::span(keys).first(slots * 9 / 10);
      std::span<Key const> const absent = std::span(keys).subspan(inserted.size());
      std::span<Key const> const erased = inserted.first(inserted.size() / 2);
      std::span<Key const> const left = inserted.subspan(erased.size());
      std::vector<Value> const values(keys.size(), 5);
      ASSERT_EQ(engine->insert(inserted, std::span(values).first(inserted.size()))[Outcome::inserted], inserted.size());
      EXPECT_EQ(engine->find(inserted)[Outcome::found], inserted.size());
      EXPECT_EQ(engine->find(absent)[Outcome::missing], absent.size());
      ASSERT_GT(engine->statistics().probe_length.max, 0u) << "some keys are in their second bucket";
      ASSERT_EQ(engine->erase(erased)[Outcome::erased], erased.size());
      EXPECT_EQ(engine->find(left)[Outcome::found], left.size());
      EXPECT_EQ(engine->find(erased)[Outcome::missing], erased.size());
      ASSERT_EQ(engine->insert(absent, std::span(values).first(absent.size()))[Outcome::inserted], absent.size());
      EXPECT_EQ(engine->find(left)[Outcome::found], left.size());
      EXPECT_EQ(engine->check_invariants(), "");
    }
  }
}

TEST_P(SegmentedTableTest, OfCopiesInOneBatchExactlyOneCounts)
{
  for (int const copies : {2, 7, 300}) {
    SCOPED_TRACE(copies);
    std::mt19937 random(static_cast<unsigned>(copies));
    auto const engine = make(settings(4096, 1024));
    std::vector<Key> const distinct = random_keys(3600, random);
    std::size_t const several = copies == 300 ? 40 : distinct.size();
    RepeatedKeys const batch(std::span<Key const>(distinct).first(several), copies, random);
    std::vector<Outcome> outcomes(batch.keys.size());
    for (bool const there : {false, true}) {
      Tally const tally = engine->insert(batch.keys, batch.values, outcomes);
      EXPECT_EQ(tally, tally_of(outcomes));
      std::map<Key, int> inserted;
      for (std::size_t i = 0; i < outcomes.size(); ++i) {
        inserted[batch.keys[i]] += outcomes[i] == Outcome::inserted ? 1 : 0;
        ASSERT_TRUE(outcomes[i] == Outcome::inserted || outcomes[i] == Outcome::updated);
      }
      for (auto const& [key, times] : inserted) { ASSERT_EQ(times, there ? 0 : 1) << "key " << key; }
      for (Pair const& pair : engine->pairs()) { ASSERT_TRUE(batch.gave(pair)) << "key " << pair.key; }
      expect_pairs(*engine, std::vector(distinct.begin(), distinct.begin() + static_cast<std::ptrdiff_t>(several)));
    }
    Tally const tally = engine->erase(batch.keys, outcomes);
    EXPECT_EQ(tally, tally_of(outcomes));
    EXPECT_EQ(tally[Outcome::erased], several);
    std::map<Key, int> erased;
    for (std::size_t i = 0; i < outcomes.size(); ++i) { erased[batch.keys[i]] += outcomes[i] == Outcome::erased; }
    for (auto const& [key, times] : erased) { ASSERT_EQ(times, 1) << "key " << key; }
    EXPECT_TRUE(engine->pairs().empty());
  }
}

TEST_P(SegmentedTableTest, MoreCopiesOfOneKeyThanABlockTakes)
{
  auto const engine = make(settings(4096, 1024));
  std::vector<Key> keys(200'000, 99);
  keys.front() = 98;
  keys.back() = 97;
  std::vector<Value> const values(keys.size(), 3);
  Tally const inserted = engine->insert(keys, values);
  EXPECT_EQ(inserted[Outcome::inserted], 3u);
  EXPECT_EQ(inserted[Outcome::updated], keys.size() - 3);
  expect_pairs(*engine, {97, 98, 99});
  std::vector<Outcome> outcomes(keys.size());
  Tally const erased = engine->erase(keys, outcomes);
  EXPECT_EQ(erased[Outcome::erased], 3u);
  EXPECT_EQ(erased[Outcome::missing], keys.size() - 3);
  EXPECT_EQ(erased, tally_of(outcomes));
  EXPECT_TRUE(engine->pairs().empty());
}

TEST_P(SegmentedTableTest, KeysThatAllMeetInOneSegmentAreSpreadByOtherFunctions)
{
  TableSettings const table = settings(4096, 256 / 2);
  std::vector<Key> const chosen = keys_of_segment(table, 5, 700);
  std::mt19937 random(9);
  auto const engine = make(table);
  std::vector<Key> others = random_keys(1500, random);
  std::erase_if(others, [&](Key key) { return std::ranges::find(chosen, key) != chosen.end(); });
  engine->insert(others, others);
  std::vector<Outcome> outcomes(chosen.size());
  EXPECT_EQ(engine->insert(chosen, chosen, outcomes)[Outcome::inserted], chosen.size());
  EXPECT_EQ(std::ranges::count(outcomes, Outcome::inserted), std::ssize(chosen));
  std::vector<Key> all = others;
  all.insert(all.end(), chosen.begin(), chosen.end());
  expect_pairs(*engine, all);
  EXPECT_EQ(engine->erase(all)[Outcome::erased], all.size());
}

TEST_P(SegmentedTableTest, WhatFindsNoPlaceIsFullAndChangesNothing)
{
  for (std::uint32_t const segment : {128u, 8192u}) {
    SCOPED_TRACE(segment);
    std::mt19937 random(10);
    auto const engine = make(settings(3000, segment));
    std::uint64_t const slots = engine->table().slots;
    Model model(*engine, random);
    std::vector<Key> const keys = random_keys(4 * slots, random);
    std::span<Key const> const all(keys);
    model.insert(all.first(slots / 2));
    model.allow_full();
    model.insert(all.first(3 * slots));
    model.compare();
    EXPECT_GE(model.live(), slots * 9 / 10);
    EXPECT_LT(model.live(), 3 * slots);
    model.find(keys);
    model.erase(all.subspan(slots));
    model.insert(all.last(slots / 4));
    model.compare();
    if (HasFailure()) { return; }
  }
}

TEST_P(SegmentedTableTest, ReservedKeysAndValuesAreRefusedOnTheWay)
{
  auto const engine = make(settings(1024, 128));
  std::vector<Key> keys(600);
  std::iota(keys.begin(), keys.end(), Key{5});
  std::vector<Value> values(600, 1);
  for (std::size_t i = 0; i < 600; i += 3) { keys[i] = largest_key(32) + 1 + i % 2; }
  for (std::size_t i = 1; i < 600; i += 6) { values[i] = empty_value; }
  std::vector<Outcome> outcomes(600);
  Tally const tally = engine->insert(keys, values, outcomes);
  EXPECT_EQ(tally, tally_of(outcomes));
  EXPECT_EQ(tally[Outcome::rejected], 300u);
  for (std::size_t i = 0; i < 600; ++i) {
    bool const refused = i % 3 == 0 || i % 6 == 1;
    ASSERT_EQ(outcomes[i], refused ? Outcome::rejected : Outcome::inserted) << i;
  }
  Tally const erased = engine->erase(keys, outcomes);
  EXPECT_EQ(erased, tally_of(outcomes));
  EXPECT_EQ(erased[Outcome::rejected], 200u);
  EXPECT_EQ(erased[Outcome::erased], 300u);
  EXPECT_EQ(erased[Outcome::missing], 100u);
}

TEST_P(SegmentedTableTest, WithoutOutcomesTheCountsAreTheSame)
{
  std::mt19937 random(11);
  TableSettings const table = settings(2048, 128);
  std::vector<Key> const keys = random_keys(3000, random);
  RepeatedKeys const batch(keys, 2, random);
  auto const with = make(table);
  auto const without = make(table);
  std::vector<Outcome> outcomes(batch.keys.size());
  Tally const a = with->insert(batch.keys, batch.values, outcomes);
  Tally const b = without->insert(batch.keys, batch.values);
  EXPECT_EQ(a, tally_of(outcomes));
  EXPECT_EQ(a[Outcome::inserted] + a[Outcome::updated] + a[Outcome::full], batch.keys.size());
  EXPECT_EQ(b[Outcome::inserted] + b[Outcome::updated] + b[Outcome::full], batch.keys.size());
  EXPECT_EQ(b[Outcome::inserted], without->pairs().size());
  Tally const erased = without->erase(batch.keys);
  EXPECT_EQ(erased[Outcome::erased], b[Outcome::inserted]);
  EXPECT_EQ(erased[Outcome::missing], batch.keys.size() - b[Outcome::inserted]);
  EXPECT_TRUE(without->pairs().empty());
}

TEST_P(SegmentedTableTest, GeneratedBatchesOfEveryKindOfKeysAreWorthPartitioning)
{
  bool const cuda = GetParam() == Backend::cuda;
  std::uint64_t const count = cuda ? 1u << 21 : 1u << 17;
  for (auto const kind : {KeyDistribution::uniform, KeyDistribution::sequential, KeyDistribution::strided,
                          KeyDistribution::zipf, KeyDistribution::clustered}) {
    SCOPED_TRACE(static_cast<int>(kind));
    auto const engine = make(settings(2 * count, 8192, 32, SegmentedCuckoo::if_worthwhile));
    KeySettings keys;
    keys.distribution = kind;
    engine->set_keys(keys, 3);
    std::uint64_t live = 0;
    for (int part = 0; part < 2; ++part) {
      Tally const tally = engine->run(BatchRequest::inserts(count * 9 / 10)).outcomes;
      ASSERT_EQ(tally[Outcome::inserted] + tally[Outcome::updated], count * 9 / 10);
      live += tally[Outcome::inserted];
    }
    EXPECT_EQ(engine->statistics().live, live);
    EXPECT_EQ(engine->check_invariants(), "");
    EXPECT_EQ(engine->run(BatchRequest::finds(5000, KeyChoice::hits)).outcomes[Outcome::found], 5000u);
    EXPECT_EQ(engine->run(BatchRequest::finds(5000, KeyChoice::misses)).outcomes[Outcome::missing], 5000u);
    Tally const erased = engine->run(BatchRequest::erases(live * 3 / 4)).outcomes;
    EXPECT_EQ(erased[Outcome::erased], live * 3 / 4);
    EXPECT_EQ(engine->statistics().live, live - live * 3 / 4);
    EXPECT_EQ(engine->check_invariants(), "");
  }
}

TEST_P(SegmentedTableTest, EachSlotThatABatchChangesFlashes)
{
  auto const engine = make(settings(1024, 128));
  engine->record_recent(true);
  std::vector<Key> const keys{3, 1, 4, 15, 9, 2, 6};
  std::vector<Key> const gone{4, 2};
  engine->insert(keys, keys);
  std::vector<Slot> slots(keys.size());
  std::ranges::transform(keys, slots.begin(), [&](Key key) { return engine->probe_path(key).slots.back(); });
  engine->erase(gone);
  PictureRequest const request{.color_by = ColorBy::recent, .width = 32, .height = 32};
  TexelMemory texels(GetParam(), request.texels());
  engine->analyse(request, texels.target());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    bool const erased = std::ranges::find(gone, keys[i]) != gone.end();
    EXPECT_EQ(texels.read()[slots[i]].flash, erased ? 255u << 16 : 255u) << "key " << keys[i];
  }
  EXPECT_EQ(std::ranges::count_if(texels.read(), [](Texel const& texel) { return texel.flash != 0; }), 7);
}

SLOTSCAPE_ON_EVERY_BACKEND(SegmentedTableTest);

}  // namespace
}  // namespace slotscape::testing
