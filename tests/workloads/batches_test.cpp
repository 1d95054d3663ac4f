#include "tests/engine/engine_fixture.hpp"

#include "gpu/base/error.hpp"

#include <cmath>
#include <set>

namespace slotscape::testing {
namespace {

KeySettings keys_of(KeyDistribution distribution)
{
  KeySettings settings;
  settings.distribution = distribution;
  return settings;
}

KeySettings keys_of_file(std::vector<Key> keys)
{
  KeySettings settings = keys_of(KeyDistribution::file);
  settings.file_keys = std::make_shared<std::vector<Key> const>(std::move(keys));
  settings.file_name = "keys.txt";
  return settings;
}

/// One setting of each kind.
std::vector<KeySettings> all_keys()
{
  std::vector<KeySettings> all;
  for (auto const kind : {KeyDistribution::uniform, KeyDistribution::sequential, KeyDistribution::strided,
                          KeyDistribution::zipf, KeyDistribution::clustered, KeyDistribution::one_home}) {
    all.push_back(keys_of(kind));
  }
  std::mt19937 random(41);
  all.push_back(keys_of_file(random_keys(6000, random)));
  return all;
}

bool is_mix(BatchRequest const& request)
{
  return request.insert > 0.0 && request.erase > 0.0;
}

class BatchesTest : public EngineTest {
protected:
  static std::unique_ptr<Engine> make_with(TableSettings const& table, KeySettings const& keys, std::uint64_t seed = 1)
  {
    auto engine = make(table);
    engine->set_keys(keys, seed);
    return engine;
  }
};

TEST_P(BatchesTest, TheSameSeedGivesTheSameKeys)
{
  std::vector<BatchRequest> const requests{BatchRequest::inserts(1500),
                                           BatchRequest::erases(400),
                                           BatchRequest::finds(100, KeyChoice::mixed),
                                           {.count = 700, .insert = 0.5, .find = 0.2, .erase = 0.3},
                                           BatchRequest::erases(123),
                                           BatchRequest::erases(50, KeyChoice::stream),
                                           BatchRequest::inserts(300)};
  for (Deletion const deletion : deletions) {
    for (KeySettings const& keys : all_keys()) {
      SCOPED_TRACE(::testing::Message() << "keys " << int(keys.distribution) << ", deletion " << int(deletion));
      TableSettings const table{.slots = 4096, .deletion = deletion};
      auto const first = make_with(table, keys, 5);
      auto const second = make_with(table, keys, 5);
      auto const other = make_with(table, keys, 6);
      for (BatchRequest const& request : requests) {
        bool const races = keys.distribution == KeyDistribution::zipf && is_mix(request);
        if (races) { continue; }  // an insert and an erase of one key in one batch: their order is left to chance
        for (Engine* const engine : {first.get(), second.get(), other.get()}) { engine->run(request); }
        ASSERT_EQ(sorted_keys(*first), sorted_keys(*second));
      }
      bool const random =
          keys.distribution != KeyDistribution::sequential && keys.distribution != KeyDistribution::strided;
      if (random) { EXPECT_NE(sorted_keys(*first), sorted_keys(*other)); }
    }
  }
}

TEST_P(BatchesTest, StartingAfreshGivesTheSameHistory)
{
  auto const engine = make_with({.slots = 4096, .deletion = Deletion::tombstone_reuse}, {}, 9);
  auto const play = [&] {
    for (int i = 0; i < 10; ++i) { engine->run({.count = 500, .insert = 0.6, .find = 0.2, .erase = 0.2}); }
    engine->rehash(8192);
    for (int i = 0; i < 10; ++i) { engine->run({.count = 500, .insert = 0.6, .find = 0.2, .erase = 0.2}); }
    return sorted_keys(*engine);
  };
  std::vector<Key> const first = play();
  engine->clear();
  engine->rehash(4096);
  engine->set_keys({}, 9);
  EXPECT_EQ(play(), first);
}

TEST_P(BatchesTest, HitsAreFoundAndMissesAreMissing)
{
  for (Deletion const deletion : deletions) {
    for (KeySettings const& keys : all_keys()) {
      SCOPED_TRACE(::testing::Message() << "keys " << int(keys.distribution));
      auto const engine = make_with({.slots = 4096, .deletion = deletion}, keys);
      engine->run(BatchRequest::inserts(2000));
      engine->run(BatchRequest::erases(200));
      BatchReport const hits = engine->run(BatchRequest::finds(3000, KeyChoice::hits));
      EXPECT_EQ(hits.count, 3000u);
      EXPECT_EQ(hits.outcomes[Outcome::found], 3000u);
      EXPECT_EQ(engine->run(BatchRequest::finds(3000, KeyChoice::misses)).outcomes[Outcome::missing], 3000u);
      EXPECT_EQ(engine->run(BatchRequest::erases(500, KeyChoice::misses)).outcomes[Outcome::missing], 500u);
    }
  }
}

TEST_P(BatchesTest, MixedFindsHitAsOftenAsAsked)
{
  auto const engine = make_with({.slots = 1u << 14}, {});
  engine->run(BatchRequest::inserts(8000));
  for (double const share : {0.0, 0.25, 0.5, 1.0}) {
    std::uint64_t const count = 20'000;
    BatchRequest request = BatchRequest::finds(count, KeyChoice::mixed);
    request.hit_share = share;
    double const expected = share * count;
    double const deviation = std::sqrt(count * share * (1.0 - share));
    EXPECT_NEAR(static_cast<double>(engine->run(request).outcomes[Outcome::found]), expected, 4.5 * deviation);
  }
}

TEST_P(BatchesTest, ErasesOfHitsTakeEachLiveKeyOnce)
{
  for (Deletion const deletion : deletions) {
    for (KeySettings const& keys : all_keys()) {
      SCOPED_TRACE(::testing::Message() << "keys " << int(keys.distribution));
      auto const engine = make_with({.slots = 4096, .deletion = deletion}, keys);
      std::uint64_t live = engine->run(BatchRequest::inserts(3000)).outcomes[Outcome::inserted];
      for (int round = 0; round < 4; ++round) {
        BatchReport const report = engine->run(BatchRequest::erases(live / 3));
        EXPECT_EQ(report.count, live / 3);
        EXPECT_EQ(report.outcomes[Outcome::erased], live / 3);
        live -= live / 3;
        EXPECT_EQ(engine->pairs().size(), live);
      }
      BatchReport const rest = engine->run(BatchRequest::erases(live + 100));
      EXPECT_EQ(rest.count, live) << "no more than there are";
      EXPECT_EQ(rest.outcomes[Outcome::erased], live);
      EXPECT_EQ(engine->run(BatchRequest::erases(10)).count, 0u);
      EXPECT_TRUE(engine->pairs().empty());
    }
  }
}

TEST_P(BatchesTest, KeysGivenByHandAreDrawnToo)
{
  auto const engine = make_with({.slots = 1024}, {});
  std::mt19937 random(43);
  std::vector<Key> const keys = random_keys(300, random);
  engine->insert(keys, random_values(300, random));
  engine->erase(std::span(keys).first(100));
  EXPECT_EQ(engine->run(BatchRequest::finds(500, KeyChoice::hits)).outcomes[Outcome::found], 500u);
  EXPECT_EQ(engine->run(BatchRequest::erases(200)).outcomes[Outcome::erased], 200u);
  EXPECT_TRUE(engine->pairs().empty());
}

TEST_P(BatchesTest, KeysAreDistinctUntilTheyRunOut)
{
  for (KeySettings const& keys : all_keys()) {
    if (keys.distribution == KeyDistribution::zipf) { continue; }
    SCOPED_TRACE(::testing::Message() << "keys " << int(keys.distribution));
    auto const engine = make_with({.slots = 8192}, keys);
    EXPECT_EQ(engine->run(BatchRequest::inserts(2500)).outcomes[Outcome::inserted], 2500u);
    EXPECT_EQ(engine->run(BatchRequest::inserts(2500)).outcomes[Outcome::inserted], 2500u);
  }
}

TEST_P(BatchesTest, KeysOfOneHomeShareIt)
{
  for (TableSettings const& table : linear_tables(1024)) {
    SCOPED_TRACE(describe(table));
    auto const engine = make_with(table, keys_of(KeyDistribution::one_home), 3);
    engine->run(BatchRequest::inserts(200));
    std::set<Slot> homes;
    for (SlotInfo const& info : all_slots(*engine)) {
      if (info.state == SlotState::live) { homes.insert(info.home); }
    }
    EXPECT_EQ(homes.size(), 1u);
    EXPECT_EQ(engine->statistics().probe_length.max, 199u);
    engine->clear();
    engine->rehash(256);
    engine->run(BatchRequest::inserts(100));
    EXPECT_EQ(engine->statistics().probe_length.max, 99u) << "the home is one of the new table";
  }
}

TEST_P(BatchesTest, SequentialStridedAndClusteredKeysAreWhatTheySay)
{
  std::vector<Key> expected(1000);
  std::iota(expected.begin(), expected.end(), Key{0});
  auto const sequential = make_with({.slots = 4096}, keys_of(KeyDistribution::sequential));
  sequential->run(BatchRequest::inserts(400));
  sequential->run(BatchRequest::inserts(600));
  EXPECT_EQ(sorted_keys(*sequential), expected);

  KeySettings strides = keys_of(KeyDistribution::strided);
  strides.stride = 256;
  auto const strided = make_with({.slots = 4096}, strides);
  strided->run(BatchRequest::inserts(1000));
  for (Key& key : expected) { key *= 256; }
  EXPECT_EQ(sorted_keys(*strided), expected);

  KeySettings clusters = keys_of(KeyDistribution::clustered);
  clusters.cluster_length = 128;
  auto const clustered = make_with({.slots = 4096}, clusters);
  clustered->run(BatchRequest::inserts(1280));
  std::set<Key> ranges;
  for (Key const key : sorted_keys(*clustered)) { ranges.insert(key / 128); }
  EXPECT_EQ(ranges.size(), 10u) << "each hot range is used up before the next";
}

TEST_P(BatchesTest, FilesGiveTheirKeysInOrderAndThenEnd)
{
  auto const engine = make_with({.slots = 64}, keys_of_file({10, 20, 30, 20, 40}));
  EXPECT_EQ(engine->run(BatchRequest::inserts(3)).count, 3u);
  BatchReport const last = engine->run(BatchRequest::inserts(7));
  EXPECT_EQ(last.count, 2u);
  EXPECT_EQ(last.outcomes[Outcome::inserted], 1u);
  EXPECT_EQ(last.outcomes[Outcome::updated], 1u);
  EXPECT_EQ(engine->run(BatchRequest::inserts(7)).count, 0u);
  EXPECT_EQ(engine->keys_drawn(), 5u);
  BatchReport const mix = engine->run({.count = 10, .insert = 0.5, .find = 0.5});
  EXPECT_EQ(mix.count, 5u);
  EXPECT_EQ(mix.outcomes[Outcome::found], 5u);
  EXPECT_EQ(sorted_keys(*engine), (std::vector<Key>{10, 20, 30, 40}));
}

/// 1 to 100, which are in the table, then 100 keys that are not.
KeySettings half_stored()
{
  std::vector<Key> keys(200);
  for (Key i = 0; i < 100; ++i) {
    keys[i] = i + 1;
    keys[100 + i] = 100'001 + i;
  }
  return keys_of_file(std::move(keys));
}

TEST_P(BatchesTest, LookupsAndDeletionsTakeAFileInItsOrderAndThenEnd)
{
  auto const engine = make_with({.slots = 4096}, half_stored());
  engine->run(BatchRequest::inserts(100));
  EXPECT_EQ(engine->run(BatchRequest::finds(100, KeyChoice::stream)).outcomes[Outcome::found], 100u);
  BatchReport const rest = engine->run(BatchRequest::finds(300, KeyChoice::stream));
  EXPECT_EQ(rest.count, 100u);
  EXPECT_EQ(rest.outcomes[Outcome::missing], 100u);
  EXPECT_EQ(engine->run(BatchRequest::finds(1, KeyChoice::stream)).count, 0u);
  EXPECT_EQ(engine->run(BatchRequest::erases(60, KeyChoice::stream)).outcomes[Outcome::erased], 60u);
  EXPECT_EQ(engine->pairs().size(), 40u);
  BatchReport const last = engine->run(BatchRequest::erases(1000, KeyChoice::stream));
  EXPECT_EQ(last.count, 140u);
  EXPECT_EQ(last.outcomes[Outcome::erased], 40u);
  EXPECT_EQ(engine->keys_drawn(), 100u) << "insertions go on where they were";
}

TEST_P(BatchesTest, LookupsGoRoundAFileThatRepeats)
{
  KeySettings keys = half_stored();
  keys.file_repeats = true;
  auto const engine = make_with({.slots = 4096}, keys);
  engine->run(BatchRequest::inserts(100));
  BatchReport const twice = engine->run(BatchRequest::finds(450, KeyChoice::stream));
  EXPECT_EQ(twice.count, 450u);
  EXPECT_EQ(twice.outcomes[Outcome::found], 250u);
}

TEST_P(BatchesTest, PartsAndImagesKeepThePlaceInAFile)
{
  auto const engine = make_with({.slots = 4096}, half_stored());
  engine->run(BatchRequest::inserts(100));
  engine->begin_batch(BatchRequest::finds(150, KeyChoice::stream));
  EXPECT_EQ(engine->run_part(90).outcomes[Outcome::found], 90u);
  engine->end_batch();  // the other 60 have not run
  auto const image = engine->save();
  for (int i = 0; i < 2; ++i) {
    BatchReport const next = engine->run(BatchRequest::finds(20, KeyChoice::stream));
    EXPECT_EQ(next.outcomes[Outcome::found], 10u);
    EXPECT_EQ(next.outcomes[Outcome::missing], 10u);
    engine->restore(*image);
  }
}

/// Half of the file is in the table, so half of the lookups hit, but for six deviations.
TEST_P(BatchesTest, MixesDrawFromAFileAtRandom)
{
  auto const engine = make_with({.slots = 4096}, half_stored());
  engine->run(BatchRequest::inserts(100));
  BatchReport const mix = engine->run(BatchRequest::finds(10'000, KeyChoice::stream).as_mix());
  EXPECT_EQ(mix.count, 10'000u);
  EXPECT_NEAR(static_cast<double>(mix.outcomes[Outcome::found]), 5000.0, 300.0);
}

TEST_P(BatchesTest, FilesRepeatWhereAsked)
{
  KeySettings keys = keys_of_file({10, 20, 30, 20, 40});
  keys.file_repeats = true;
  auto const engine = make_with({.slots = 64}, keys);
  BatchReport const first = engine->run(BatchRequest::inserts(3));
  EXPECT_EQ(first.outcomes[Outcome::inserted], 3u);
  EXPECT_EQ(sorted_keys(*engine), (std::vector<Key>{10, 20, 30}));
  BatchReport const second = engine->run(BatchRequest::inserts(7));
  EXPECT_EQ(second.outcomes[Outcome::inserted], 1u);
  EXPECT_EQ(second.outcomes[Outcome::updated], 6u);
  EXPECT_EQ(sorted_keys(*engine), (std::vector<Key>{10, 20, 30, 40}));
}

TEST_P(BatchesTest, MixesHaveTheirSharesAndLeaveAValidTable)
{
  for (Deletion const deletion : deletions) {
    for (KeySettings const& keys : all_keys()) {
      SCOPED_TRACE(::testing::Message() << "keys " << int(keys.distribution));
      auto const engine = make_with({.slots = 8192, .deletion = deletion}, keys);
      std::uint64_t live = engine->run(BatchRequest::inserts(3000)).outcomes[Outcome::inserted];
      for (int round = 0; round < 5; ++round) {
        BatchReport const report = engine->run({.count = 1000, .insert = 0.5, .find = 0.4, .erase = 0.1});
        EXPECT_EQ(report.count, 1000u);
        EXPECT_EQ(report.outcomes[Outcome::inserted] + report.outcomes[Outcome::updated], 500u);
        EXPECT_EQ(report.outcomes[Outcome::erased], 100u);
        live += report.outcomes[Outcome::inserted];
        live -= report.outcomes[Outcome::erased];
        EXPECT_EQ(engine->pairs().size(), live);
      }
      expect_valid(*engine);
    }
  }
}

TEST_P(BatchesTest, OneRunIsAtMostTheBatchLimit)
{
  auto const engine = make_with({.slots = 1u << 10}, {});
  std::uint64_t const limit = engine->batch_limit();
  EXPECT_EQ(engine->run(BatchRequest::finds(limit + 5, KeyChoice::misses)).count, limit);
}

TEST_P(BatchesTest, BadSettingsAreExplained)
{
  auto const engine = make_with({.slots = 1024}, keys_of(KeyDistribution::sequential));
  KeySettings stride = keys_of(KeyDistribution::strided);
  stride.stride = 3;
  EXPECT_THROW(engine->set_keys(stride, 1), Error);
  KeySettings cluster = keys_of(KeyDistribution::clustered);
  cluster.cluster_length = 0;
  EXPECT_THROW(engine->set_keys(cluster, 1), Error);
  KeySettings zipf = keys_of(KeyDistribution::zipf);
  zipf.zipf_exponent = 0.0;
  EXPECT_THROW(engine->set_keys(zipf, 1), Error);
  EXPECT_THROW(engine->set_keys(keys_of_file({}), 1), Error);
  EXPECT_THROW(engine->set_keys(keys_of(KeyDistribution::file), 1), Error);
  engine->run(BatchRequest::inserts(3));
  EXPECT_EQ(sorted_keys(*engine), (std::vector<Key>{0, 1, 2})) << "the keys are as they were";
}

SLOTSCAPE_ON_EVERY_BACKEND(BatchesTest);

}  // namespace
}  // namespace slotscape::testing
