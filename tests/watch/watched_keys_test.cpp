#include "gpu/analysis/theory.hpp"
#include "gpu/tables/slot_mark.hpp"
#include "gpu/watch/sampled_homes.hpp"
#include "tests/watch/foreign_tables.hpp"

#include <gmock/gmock.h>

#include <map>
#include <set>

namespace slotscape::watch {
namespace {

using test::Memory;
using test::watched;
using ::testing::HasSubstr;

/// Keys of 16 bytes with a value of 8 behind them, in linear probing from XXH64: the code of this test.
struct WideKeyTable {
  static constexpr std::uint64_t stride = 32;

  explicit WideKeyTable(std::uint64_t slot_count) : slots(slot_count), memory("slots", slot_count * stride) {}
  static AnyKey key(std::uint64_t i) { return (AnyKey{random64(41, i)} << 64) | random64(42, i); }
  std::uint64_t insert(AnyKey inserted, std::uint64_t value)
  {
    std::uint64_t slot = hash_of({.function = HashFunction::xxhash_64}, inserted, 128) & (slots - 1);
    while (memory.read<AnyKey>(stride * slot) != 0) { slot = (slot + 1) & (slots - 1); }
    memory.write(stride * slot, inserted);
    memory.write(stride * slot + 16, value);
    return slot;
  }
  Description description() const
  {
    Description table;
    table.slots = slots;
    table.key = {"slots", 0, stride, 128};
    table.value = Part{"slots", 16, stride, 64};
    table.empty_key = 0;
    table.home_of = HomeOf::hash;
    table.hashes = {{.function = HashFunction::xxhash_64, .reduction = Reduction::mask}};
    table.probing = {.scheme = Scheme::linear};
    return table;
  }

  std::uint64_t slots;
  Memory memory;
};

TEST(WideKeyTest, KeysOf16BytesAreFound)
{
  constexpr std::uint64_t slots = 1u << 13;
  WideKeyTable table(slots);
  std::uint64_t place = 0;
  for (std::uint64_t i = 0; i < slots / 2; ++i) {
    std::uint64_t const slot = table.insert(WideKeyTable::key(i), i + 1);
    place = i == 77 ? slot : place;
  }
  auto const looked = watched(table.description(), {table.memory.array()});
  Statistics const found = looked->statistics();
  EXPECT_EQ(found.live, slots / 2);
  constexpr double half = 0.5 * static_cast<double>(slots);
  EXPECT_NEAR(found.hit_accesses.mean, theory::linear_probes_of_a_hit(slots, half), 0.05);
  EXPECT_NEAR(found.miss_accesses.mean, theory::linear_probes_of_a_miss(slots, half), 0.15);
  EXPECT_EQ(looked->check(false).found, 1000u);
  ASSERT_TRUE(looked->all_key_facts().homes);
  EXPECT_EQ(looked->all_key_facts().homes->evenness(), Evenness::as_random);

  AnyKey const key = WideKeyTable::key(77);
  ProbePath const path = looked->path_of(key);
  EXPECT_EQ(path.value, 78u);
  EXPECT_EQ(path.slots.back(), place);
  EXPECT_EQ(looked->key_in(static_cast<Slot>(place)), key);
  EXPECT_EQ(looked->slot(static_cast<Slot>(place)).pair.key, hash_of({.function = HashFunction::xxhash_64}, key, 128));
  EXPECT_FALSE(looked->path_of(key ^ (AnyKey{1} << 100)).value);  // another upper half is another key
  EXPECT_EQ(hex_of(AnyKey{0xab} << 64), "0x00000000000000ab0000000000000000");
}

TEST(WideKeyTest, AWrongHashOfWideKeysIsFoundOut)
{
  WideKeyTable table(1u << 12);
  for (std::uint64_t i = 0; i < 2000; ++i) { table.insert(WideKeyTable::key(i), i); }
  Description wrong = table.description();
  wrong.hashes.front().function = HashFunction::murmur3_128;
  Check const check = watched(wrong, {table.memory.array()})->check(true);
  EXPECT_TRUE(check.is_wrong());
  ASSERT_FALSE(check.better.empty());
  EXPECT_EQ(check.better.front().description.hashes.front().function, HashFunction::xxhash_64);
}

/// A hash of words says nothing of 16 bytes: states and runs remain.
TEST(WideKeyTest, AHashThatHasNoSuchKeysLeavesHomesUnknown)
{
  WideKeyTable table(1024);
  for (std::uint64_t i = 0; i < 500; ++i) { table.insert(WideKeyTable::key(i), i); }
  Description described = table.description();
  described.hashes.front().function = HashFunction::murmur3_finaliser;
  EXPECT_FALSE(described.knows_homes());
  EXPECT_THAT(text_of(described), HasSubstr("homes unknown"));
  auto const looked = watched(described, {table.memory.array()});
  EXPECT_EQ(looked->statistics().live, 500u);
  EXPECT_EQ(looked->statistics().probe_length.count, 0u);
  EXPECT_FALSE(looked->check(false).was_checked);
}

/// Keys alone, of 32 bits, by linear probing from a masked MurmurHash3 finaliser or from the key itself.
struct KeyTable {
  explicit KeyTable(std::uint64_t slot_count, bool hashes = true) : slots(slot_count), memory("slots", slot_count * 4)
  {
    std::fill(memory.bytes.begin(), memory.bytes.end(), std::byte{0xff});
    function = hashes ? HashFunction::murmur3_finaliser : HashFunction::identity;
  }
  std::uint64_t insert(std::uint32_t key)
  {
    std::uint64_t slot = home(key);
    for (std::uint64_t step = 1; memory.read<std::uint32_t>(4 * slot) != 0xffffffffu; ++step) {
      slot = (slot + (quadratic ? step : 1)) & (slots - 1);
    }
    memory.write(4 * slot, key);
    return slot;
  }
  std::uint64_t home(std::uint32_t key) const { return hash_of({.function = function}, key, 32) & (slots - 1); }
  Description description() const
  {
    Description table;
    table.slots = slots;
    table.key = {"slots", 0, 4, 32};
    table.empty_key = 0xffffffffu;
    table.erased_key = 0xfffffffeu;
    table.home_of = HomeOf::hash;
    table.hashes = {{.function = function, .reduction = Reduction::mask}};
    table.probing = {.scheme = quadratic ? Scheme::quadratic : Scheme::linear};
    return table;
  }

  std::uint64_t slots;
  Memory memory;
  HashFunction function;
  bool quadratic = false;
};

TEST(SampledHomesTest, RunsLieOverTheWholeTable)
{
  SampledHomes const homes = SampledHomes::of(1000, 64);
  EXPECT_EQ(homes.count(), 64u);
  std::vector<int> seen(homes.count());
  std::uint64_t last = 0;
  for (std::uint64_t place = 0; place < homes.places; ++place) {
    std::uint64_t const index = homes.index_of(place);
    if (index == SampledHomes::left_out) { continue; }
    ASSERT_LT(index, homes.count());
    ++seen[index];
    last = place;
  }
  EXPECT_THAT(seen, testing::Each(1));
  EXPECT_GT(last, 900u);
  EXPECT_EQ(SampledHomes::of(64, 64).index_of(63), 63u);
}

/// More keys than are counted one by one: a sample of homes says the same as all of them, and within what it says.
TEST(ManyKeysTest, ASampleOfTheHomesTellsWhatARehashBrings)
{
  constexpr std::uint64_t slots = 1u << 22;
  constexpr std::uint64_t keys = slots / 8 * 5;
  KeyTable table(slots);
  for (std::uint64_t i = 0; i < keys; ++i) { table.insert(test::key32(i)); }
  auto const looked = watched(table.description(), {table.memory.array()});
  int calls = 1;
  auto facts = looked->key_facts(0.0);
  EXPECT_FALSE(facts);  // not in one go
  for (; !facts; ++calls) { facts = looked->key_facts(0.0); }
  EXPECT_GT(calls, 10);
  EXPECT_LT(facts->sampled.count(), facts->sampled.places);
  ASSERT_TRUE(facts->homes && facts->rehashed && facts->doubled);
  EXPECT_EQ(facts->homes->evenness(), Evenness::as_random);
  EXPECT_NEAR(facts->homes->load(), 0.625, 0.01);
  double const hit = theory::linear_probes_of_a_hit(slots, keys);
  double const miss = theory::linear_probes_of_a_miss(slots, keys);
  EXPECT_GT(facts->rehashed->miss_within, 0.0);
  EXPECT_LT(facts->rehashed->miss_within, 0.1 * miss);
  EXPECT_NEAR(facts->rehashed->hit, hit, 2.0 * facts->rehashed->hit_within);
  EXPECT_NEAR(facts->rehashed->miss, miss, 2.0 * facts->rehashed->miss_within);
  EXPECT_NEAR(facts->doubled->miss, theory::linear_probes_of_a_miss(2 * slots, keys),
              2.0 * facts->doubled->miss_within);
}

TEST(ManyKeysTest, ASampleSeesKeysThatLieSideBySide)
{
  constexpr std::uint64_t slots = 1u << 22;
  KeyTable table(slots, false);
  for (std::uint32_t i = 0; i < slots / 8 * 5; ++i) { table.insert(i + 1000); }
  auto const facts = watched(table.description(), {table.memory.array()})->all_key_facts();
  ASSERT_TRUE(facts.homes);
  EXPECT_NE(facts.homes->evenness(), Evenness::as_random);
}

/// Between the samples, so that these say 3 accesses where there are more than 1,000.
TEST(ManyKeysTest, OfKeysThatCrowdWhereNoSampleLiesNothingIsSaid)
{
  constexpr std::uint64_t slots = 1u << 22;
  for (std::uint32_t const crowded : {2'000u, 60'000u}) {
    KeyTable table(slots, false);
    for (std::uint32_t i = 0; i < crowded; ++i) { table.insert(i + 100'000); }
    for (std::uint64_t i = 0; i < slots * 11 / 20 - crowded; ++i) { table.insert(test::key32(i)); }
    auto const facts = watched(table.description(), {table.memory.array()})->all_key_facts();
    ASSERT_LT(facts.sampled.count(), facts.sampled.places);
    EXPECT_FALSE(facts.rehashed) << crowded;
    EXPECT_FALSE(facts.doubled) << crowded;
  }
}

TEST(LongPassTest, ItReportsAndEndsWhenItIsToldTo)
{
  constexpr std::uint64_t slots = 1u << 24;
  KeyTable table(slots);
  for (std::uint32_t i = 0; i < 1000; ++i) { table.insert(test::key32(i)); }
  auto const looked = watched(table.description(), {table.memory.array()});
  looked->watch_work(Progress([](Progress const& progress) { return progress.share() < 0.5; }));
  EXPECT_THROW(looked->analyse({}, {}), Cancelled);
  Progress const whole = Progress::tracked();
  looked->watch_work(whole);
  EXPECT_EQ(looked->analyse({}, {}).statistics.live, 1000u);
  EXPECT_GT(whole.share(), 0.5);
  looked->watch_work({});
  looked->changed();
  EXPECT_EQ(looked->statistics().live, 1000u);
}

/// The strengths of the latest insertion, change and erasure in a slot's texel.
struct Flashes {
  std::uint32_t inserted;
  std::uint32_t changed;
  std::uint32_t erased;
};

TEST(RecentChangeTest, InsertionsChangesAndErasuresFlashAndFade)
{
  constexpr std::uint64_t slots = 4096;
  KeyTable table(slots);
  std::uint64_t const old = table.insert(5);
  Description described = table.description();
  auto const looked = watched(described, {table.memory.array()});
  std::vector<Texel> texels(slots);
  PictureRequest request{.layout = Layout::rows, .color_by = ColorBy::recent, .width = 64, .height = 64};
  auto const look = [&](std::uint64_t slot) {
    looked->changed();
    looked->analyse(request, {texels.data(), texels.size()});
    std::uint32_t const flash = texels[slot].flash;
    return Flashes{flash & 0xff, flash >> 8 & 0xff, flash >> 16 & 0xff};
  };
  looked->record_recent(true);
  EXPECT_EQ(look(old).inserted, 0u);  // it was there
  std::uint64_t const fresh = table.insert(6);
  std::uint32_t const full = look(fresh).inserted;
  EXPECT_GT(full, 200u);
  request.fade = flash_full / 2;
  std::uint32_t const half = look(fresh).inserted;
  EXPECT_LT(half, full);
  EXPECT_GT(half, 0u);
  table.memory.write(4 * fresh, std::uint32_t{7});
  request.fade = 0;
  EXPECT_GT(look(fresh).changed, 200u);
  EXPECT_EQ(look(old).changed, 0u);
  table.memory.write(4 * fresh, std::uint32_t{0xfffffffe});
  EXPECT_GT(look(fresh).erased, 200u);
  request.fade = flash_full;
  EXPECT_EQ(look(fresh).erased, 0u);
}

TEST(ChainTest, ChainsThatLeaveTheDescribedSlabsAreCounted)
{
  constexpr std::uint64_t buckets = 8;
  Description table = preset_named("slabhash").make({.slots = 15 * buckets});
  table.links->parts = {{"pool", 0, 4}};
  Memory base("slabs", buckets * 128);
  Memory pool("pool", 512);
  std::fill(base.bytes.begin(), base.bytes.end(), std::byte{0xff});
  std::fill(pool.bytes.begin(), pool.bytes.end(), std::byte{0xff});
  base.write(0 * 128 + 124, std::uint32_t{2});         // goes on, and ends
  base.write(1 * 128 + 124, std::uint32_t{1u << 24});  // of the second super block
  base.write(2 * 128 + 124, std::uint32_t{3});
  pool.write(3 * 128 + 124, std::uint32_t{4});
  auto const looked = watched(table, {base.array(), pool.array()});
  EXPECT_EQ(looked->all_key_facts().chains, (ChainCounts{.cut = 2, .slabs = 2}));
  base.write(3 * 128 + 124, std::uint32_t{0});
  pool.write(0 * 128 + 124, std::uint32_t{0});  // round and round
  EXPECT_EQ(looked->all_key_facts().chains, (ChainCounts{.cut = 2, .slabs = 3}));
}

/// Also where one slot in a thousand is taken, the description is checked.
TEST(SampleTest, RareKeysAreSampled)
{
  constexpr std::uint64_t slots = 1u << 20;
  constexpr std::uint64_t keys = 1000;
  Description table;
  table.slots = slots;
  table.key = {{}, 0, 4, 32};
  table.empty_key = 0;
  Memory memory("slots", 4 * slots);
  for (std::uint64_t i = 0; i < keys; ++i) { memory.write(4 * (1048 * i + 7), static_cast<std::uint32_t>(i + 1)); }
  std::uint64_t const sampled = watched(table, {memory.array()})->check(false).sampled;
  EXPECT_GT(sampled, 400u) << "500 of half a million draws";
  EXPECT_LT(sampled, 600u);
}

/// What a walk through the memory of a `KeyTable` comes to, slot by slot: the code of this test.
struct Walked {
  std::uint64_t found = 0;
  std::uint64_t unreachable = 0;
  std::uint64_t twice = 0;
  std::uint64_t first_unreachable = ~std::uint64_t{0};
  std::uint64_t first_twice = ~std::uint64_t{0};
  double hits = 0.0;  ///< accesses, mean
  std::uint64_t longest = 0;
  double misses = 0.0;                               ///< over all homes
  std::map<std::uint64_t, std::uint32_t> misses_of;  ///< homes by the accesses of a miss
  std::set<std::uint32_t> keys;
};
Walked walk(KeyTable const& table, bool quadratic)
{
  Walked result;
  auto const at = [&](std::uint64_t slot) { return table.memory.read<std::uint32_t>(4 * slot); };
  auto const end_of = [&](std::uint64_t home, std::uint32_t key, std::uint64_t& accesses) {
    std::uint64_t slot = home;
    for (accesses = 1; at(slot) != key && at(slot) != 0xffffffffu; ++accesses) {
      slot = (slot + (quadratic ? accesses : 1)) & (table.slots - 1);
    }
    return slot;
  };
  for (std::uint64_t slot = 0; slot < table.slots; ++slot) {
    std::uint64_t accesses = 0;
    end_of(slot, 0xffffffffu, accesses);
    result.misses += static_cast<double>(accesses) / static_cast<double>(table.slots);
    ++result.misses_of[accesses];
    std::uint32_t const key = at(slot);
    if (key >= 0xfffffffeu) { continue; }
    result.keys.insert(key);
    std::uint64_t const end = end_of(table.home(key), key, accesses);
    if (at(end) != key) {
      result.first_unreachable = std::min(result.first_unreachable, slot);
      ++result.unreachable;
    } else if (end != slot) {
      result.first_twice = std::min(result.first_twice, slot);
      ++result.twice;
    } else {
      ++result.found;
      result.hits += static_cast<double>(accesses);
      result.longest = std::max(result.longest, accesses);
    }
  }
  result.hits /= static_cast<double>(result.found);
  return result;
}

/// A table of which some slots were emptied that others are found behind, and some keys were written twice.
KeyTable broken_table(bool quadratic)
{
  constexpr std::uint64_t slots = 1u << 12;
  KeyTable table(slots);
  table.quadratic = quadratic;
  for (std::uint64_t i = 0; i < 3200; ++i) { table.insert(test::key32(i)); }
  for (std::uint64_t slot = 0, emptied = 0; emptied < 25; slot += 61) {
    if (table.memory.read<std::uint32_t>(4 * slot) == 0xffffffffu) { continue; }
    table.memory.write(4 * slot, 0xffffffffu);
    ++emptied;
  }
  for (std::uint64_t i = 0; i < 40; ++i) {  // the walk says which of these are second copies
    std::uint64_t slot = table.home(test::key32(70 * i + 3));
    while (table.memory.read<std::uint32_t>(4 * slot) != 0xffffffffu) { slot = (slot + 1) & (slots - 1); }
    table.memory.write(4 * slot, test::key32(70 * i + 3));
  }
  return table;
}

class LostKeysTest : public testing::TestWithParam<Scheme> {};

TEST_P(LostKeysTest, StatisticsAreOfTheKeysThatALookupFinds)
{
  bool const quadratic = GetParam() == Scheme::quadratic;
  KeyTable const table = broken_table(quadratic);
  Walked const expected = walk(table, quadratic);
  ASSERT_GT(expected.unreachable, 10u);
  ASSERT_GT(expected.twice, 10u);
  auto const looked = watched(table.description(), {table.memory.array()});
  Statistics const found = looked->statistics();
  EXPECT_EQ(found.slots, table.slots);
  EXPECT_EQ(found.live, expected.found + expected.unreachable + expected.twice);
  EXPECT_EQ(found.links, expected.unreachable + expected.twice);
  EXPECT_EQ(looked->counts().live, found.live);
  EXPECT_EQ(found.hit_accesses.count, expected.found);
  EXPECT_NEAR(found.hit_accesses.mean, expected.hits, 1e-9);
  EXPECT_EQ(found.hit_accesses.max, expected.longest);
  EXPECT_EQ(found.misses_are_exact(), !quadratic);
  EXPECT_NEAR(found.miss_accesses.mean, expected.misses, quadratic ? 0.1 * expected.misses : 1e-9);
  for (auto const& [accesses, homes] : expected.misses_of) {
    if (!quadratic) { ASSERT_EQ(found.miss_accesses.histogram.at(accesses), homes) << accesses; }
  }

  LostKeys const lost = looked->lost_keys();
  EXPECT_EQ(lost.unreachable, expected.unreachable);
  EXPECT_EQ(lost.twice, expected.twice);
  EXPECT_EQ(lost.not_followed, 0u);
  EXPECT_EQ(lost.first_unreachable, expected.first_unreachable);
  EXPECT_EQ(lost.first_twice, expected.first_twice);
  std::vector<Slot> const slots = looked->lost_slots(1000);
  ASSERT_EQ(slots.size(), lost.count());
  EXPECT_TRUE(std::ranges::is_sorted(slots));
  EXPECT_EQ(slots.front(), std::min(lost.first_unreachable, lost.first_twice));
  EXPECT_EQ(looked->lost_slots(5).size(), 5u);
  EXPECT_EQ(looked->key_in(lost.found_instead), looked->key_in(lost.first_twice));
  EXPECT_NE(lost.found_instead, lost.first_twice);
  EXPECT_FALSE(looked->path_of(looked->key_in(lost.first_unreachable)).value);
  EXPECT_EQ(looked->slot(lost.first_unreachable).state, SlotState::link);

  WatchedTable::KeyFacts const facts = looked->all_key_facts();  // of each key once
  ASSERT_TRUE(facts.homes && facts.rehashed);
  EXPECT_EQ(facts.homes->keys, expected.keys.size());
  KeyTable rehashed(table.slots);
  rehashed.quadratic = quadratic;
  for (std::uint32_t const key : expected.keys) { rehashed.insert(key); }
  EXPECT_NEAR(facts.rehashed->hit, walk(rehashed, quadratic).hits, 0.02 * facts.rehashed->hit);
  EXPECT_NEAR(facts.rehashed->miss, walk(rehashed, quadratic).misses, 0.05 * facts.rehashed->miss);
}

INSTANTIATE_TEST_SUITE_P(, LostKeysTest, testing::Values(Scheme::linear, Scheme::quadratic), [](auto const& instance) {
  return std::string(scheme_names[static_cast<std::size_t>(instance.param)]);
});

TEST(LostKeyTest, ItHasAColorOfItsOwn)
{
  KeyTable const table = broken_table(false);
  auto const looked = watched(table.description(), {table.memory.array()});
  std::vector<Texel> texels(table.slots);
  looked->analyse({.layout = Layout::rows, .width = 64, .height = 64}, {texels.data(), texels.size()});
  std::uint64_t marked = 0;
  for (Texel const& texel : texels) { marked += texel.flash >> 24 != 0 ? 1 : 0; }
  EXPECT_EQ(marked, looked->lost_keys().count());
  EXPECT_NE(texels[looked->lost_keys().first_twice].flash >> 24, 0u);
}

/// Where homes are given slot by slot, the way from there to the slot tells.
TEST(LostKeyTest, OfAnArrayOfHomes)
{
  KeyTable const table = broken_table(false);
  Walked const expected = walk(table, false);
  Memory homes("homes", 4 * table.slots);
  for (std::uint64_t slot = 0; slot < table.slots; ++slot) {
    homes.write(4 * slot, static_cast<std::uint32_t>(table.home(table.memory.read<std::uint32_t>(4 * slot))));
  }
  Description described = table.description();
  described.home_of = HomeOf::array;
  described.homes = {"homes", 0, 4, 32};
  auto const looked = watched(described, {table.memory.array(), homes.array()});
  EXPECT_NEAR(looked->statistics().hit_accesses.mean, expected.hits, 1e-9);
  EXPECT_EQ(looked->lost_keys().unreachable, expected.unreachable);
  EXPECT_EQ(looked->lost_keys().twice, expected.twice);
}

/// Such a table can hold a key that a wider window would find: that is no better description.
TEST(LostKeyTest, AWiderWindowIsNotABetterDescription)
{
  KeyTable const table = broken_table(false);
  Check const check = watched(table.description(), {table.memory.array()})->check(true);
  EXPECT_LT(check.found, check.sampled);
  EXPECT_TRUE(check.is_nearly_right());
  EXPECT_TRUE(check.better.empty());
}

/// Nearly all keys lie where linear probing has its first two slots, too; but only one description finds all.
TEST(LostKeyTest, AnotherDescriptionThatFindsThemAllIsNamed)
{
  KeyTable table(1u << 12);
  for (std::uint64_t i = 0; i < 1100; ++i) { table.insert(test::key32(i)); }
  table.quadratic = true;
  Check const check = watched(table.description(), {table.memory.array()})->check(true);
  EXPECT_TRUE(check.is_nearly_right());
  EXPECT_LT(check.found, 1000u);
  ASSERT_FALSE(check.better.empty());
  EXPECT_EQ(check.better.front().found, 1000u);
  EXPECT_EQ(check.better.front().description.probing.scheme, Scheme::linear);
}

/// Without an empty slot, lookups are long; however long, all of them come to an end.
/// All keys have one home: the last ones are 12,000 slots from it, or 20,000.
TEST(LostKeyTest, LongLookupsAreFollowedAsFarAsInTheScanAndThenSaidToBeGivenUp)
{
  constexpr std::uint64_t slots = 1u << 15;
  for (std::uint32_t const count : {12'000u, 20'000u}) {
    Memory memory("slots", slots * 4);
    for (std::uint32_t i = 0; i < count; ++i) { memory.write(4 * std::uint64_t{i}, (i + 1) << 15); }
    Description table;
    table.slots = slots;
    table.key = {"slots", 0, 4, 32};
    table.empty_key = 0;
    table.home_of = HomeOf::hash;
    table.hashes = {{.function = HashFunction::identity, .reduction = Reduction::mask}};
    table.probing = {.scheme = Scheme::linear};
    auto const looked = watched(table, {memory.array()});
    Check const check = looked->check(true);
    EXPECT_EQ(check.found + check.not_followed, check.sampled);
    EXPECT_EQ(check.not_followed != 0, count > max_followed);
    looked->statistics();
    EXPECT_EQ(looked->lost_keys().unreachable, 0u);
    EXPECT_TRUE(check.is_nearly_right() && check.better.empty());
    EXPECT_EQ(text_of(check), "");
  }
}

TEST(LostKeyTest, KeysWithASignAreShownAsKeysOfTables)
{
  Memory memory("slots", 64);
  memory.write(0, std::int32_t{-5});
  Description table;
  table.slots = 16;
  table.key = {"slots", 0, 4, 32, true};
  table.empty_key = 0;
  EXPECT_EQ(watched(table, {memory.array()})->slot(0).pair.key, static_cast<Key>(-5));
  table.key = {"slots", 0, 8, 64, true};
  table.slots = 8;
  memory.write(0, std::int64_t{-1});
  EXPECT_EQ(watched(table, {memory.array()})->slot(0).pair.key, Key{1} << 63) << "as in key files: -1 is reserved";
}

/// As the tables of the library code them: the sign bit is inverted.
TEST(LostKeyTest, OrderedKeysAreShownAsTheirNumbers)
{
  Memory memory("slots", 64);
  memory.write(0, std::uint32_t{0x80000000u - 5});
  memory.write(4, std::uint32_t{0x80 + 7});
  Description table;
  table.slots = 16;
  table.key = {"slots", 0, 4, 32, true, false, 32};
  table.empty_key = 0;
  EXPECT_EQ(watched(table, {memory.array()})->slot(0).pair.key, static_cast<Key>(-5));
  table.key.ordered_bits = 8;
  EXPECT_EQ(watched(table, {memory.array()})->slot(1).pair.key, Key{7});
  table.key.ordered_bits = 33;
  EXPECT_THAT(test::error_of([&] { watched(table, {memory.array()}); }), HasSubstr("it must be from 1 to 32"));
}

/// A link that is no multiple of the unit leads nowhere.
TEST(ChainTest, LinksMayCountSlots)
{
  Description table;
  table.slots = 4;
  table.key = {"slots", 0, 4, 32};
  table.empty_key = 0;
  table.buckets = Buckets{2, 12};
  table.links = Links{.parts = {{"slots", 24, 2, 6}}, .offset = 8, .none = 0, .unit = 3};
  table.home_of = HomeOf::hash;
  table.hashes = {{.function = HashFunction::identity}};
  table.probing = {.scheme = Scheme::chains, .window = 2, .ends_at_empty = false};
  Memory memory("slots", 48);
  memory.write(0, std::uint32_t{2});
  memory.write(8, std::uint32_t{9});  // the second slab
  memory.write(20, std::uint32_t{7});
  memory.write(36, std::uint32_t{4});
  auto const looked = watched(table, {memory.array()});
  EXPECT_EQ(looked->all_key_facts().chains, (ChainCounts{.cut = 1, .slabs = 1}));
  EXPECT_TRUE(looked->probe_path(4).value);
  EXPECT_EQ(looked->statistics().groups.max, 2u);
  table.links->unit = 0;
  EXPECT_THAT(test::error_of([&] { watched(table, {memory.array()}); }), HasSubstr("at least 1"));
}

TEST(LostKeyTest, AFullTableIsCountedSlotBySlot)
{
  KeyTable table(1u << 8);
  for (std::uint64_t i = 0; i < table.slots; ++i) { table.insert(test::key32(i)); }
  auto const looked = watched(table.description(), {table.memory.array()});
  EXPECT_EQ(looked->statistics().live, table.slots);
  EXPECT_EQ(looked->statistics().hit_accesses.count, table.slots);
  EXPECT_EQ(looked->lost_keys().count(), 0u);
  constexpr std::uint64_t key_bytes = 4;
  table.memory.write(key_bytes * 17, table.memory.read<std::uint32_t>(key_bytes * 90));
  looked->changed();
  EXPECT_EQ(looked->statistics().live, table.slots);
  EXPECT_EQ(looked->statistics().empty(), 0u);
  EXPECT_EQ(looked->statistics().clusters.max, table.slots);
  EXPECT_EQ(looked->lost_keys().twice, 1u);
}

}  // namespace
}  // namespace slotscape::watch
