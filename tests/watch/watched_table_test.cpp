#include "gpu/analysis/theory.hpp"
#include "tests/watch/foreign_tables.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <thread>

namespace slotscape::watch {
namespace {

using test::key32;
using test::Memory;
using test::watched;
using ::testing::HasSubstr;

/// Pairs of 32 bits, inserted by linear probing from a masked MurmurHash3 finaliser: the code of this test.
struct LinearTable {
  explicit LinearTable(std::uint64_t slot_count) : slots(slot_count), memory("slots", slot_count * 8)
  {
    for (std::uint64_t i = 0; i < slots; ++i) { memory.write(8 * i, empty); }
  }
  static std::uint32_t hash(std::uint32_t x)
  {
    x = (x ^ (x >> 16)) * 0x85ebca6bu;
    x = (x ^ (x >> 13)) * 0xc2b2ae35u;
    return x ^ (x >> 16);
  }
  void insert(std::uint32_t key)
  {
    std::uint64_t slot = hash(key) & (slots - 1);
    while (memory.read<std::uint32_t>(8 * slot) != empty) { slot = (slot + 1) & (slots - 1); }
    memory.write(8 * slot, key);
  }
  void fill(std::uint64_t keys)
  {
    for (std::uint64_t i = 0; i < keys; ++i) { insert(key32(i)); }
  }
  /// Slots that a lookup of an absent key reads, over all homes.
  double mean_miss() const
  {
    double reads = 0.0;
    for (std::uint64_t home = 0; home < slots; ++home) {
      std::uint64_t slot = home;
      for (++reads; memory.read<std::uint32_t>(8 * slot) != empty; ++reads) { slot = (slot + 1) & (slots - 1); }
    }
    return reads / static_cast<double>(slots);
  }
  Description description() const
  {
    Description table = preset_named("SimpleGPUHashTable").make({.slots = slots});
    table.erased_value.reset();
    table.erased_key = 0xfffffffeu;
    table.preset.clear();
    return table;
  }

  static constexpr std::uint32_t empty = 0xffffffffu;
  std::uint64_t slots;
  Memory memory;
};

TEST(WatchedTableTest, StatisticsAreThoseOfTheTheory)
{
  constexpr std::uint64_t slots = 1u << 16;
  LinearTable table(slots);
  table.fill(slots * 3 / 4);
  auto const looked = watched(table.description(), {table.memory.array()});
  Statistics const found = looked->statistics();
  EXPECT_EQ(found.live, slots * 3 / 4);
  double const hits = theory::linear_probes_of_a_hit(static_cast<double>(slots), static_cast<double>(found.live));
  double const misses = theory::linear_probes_of_a_miss(static_cast<double>(slots), static_cast<double>(found.live));
  EXPECT_NEAR(found.hit_accesses.mean, hits, 0.05 * hits);
  EXPECT_NEAR(found.miss_accesses.mean, misses, 0.1 * misses);
  EXPECT_EQ(looked->family().theory, TheoryOf::linear_probing);
  WatchedTable::KeyFacts const facts = looked->all_key_facts();
  ASSERT_TRUE(facts.homes);
  EXPECT_EQ(facts.homes->evenness(), Evenness::as_random);
  // The same keys in a table of the same size take what they take now; in a larger one less, as theory has it.
  ASSERT_TRUE(facts.rehashed && facts.doubled);
  EXPECT_NEAR(facts.rehashed->hit, found.hit_accesses.mean, 0.05 * hits);
  EXPECT_NEAR(facts.rehashed->miss, misses, 0.1 * misses);
  double const wider = theory::linear_probes_of_a_miss(static_cast<double>(2 * slots), static_cast<double>(found.live));
  EXPECT_NEAR(facts.doubled->miss, wider, 0.05 * wider);
}

/// Without tombstones, a table is what its keys alone make of it.
TEST(WatchedTableTest, ARehashIsForetold)
{
  constexpr std::uint64_t slots = 1u << 12;
  LinearTable table(slots);
  table.fill(slots * 9 / 10);
  LinearTable rehashed(slots);
  for (std::uint64_t i = 0; i < slots * 9 / 10; ++i) {
    if (i % 4 != 0) {
      rehashed.insert(key32(i));
      continue;
    }
    for (std::uint64_t at = 0; at < slots * 8; at += 8) {
      if (table.memory.read<std::uint32_t>(at) == key32(i)) { table.memory.write(at, 0xfffffffeu); }
    }
  }
  auto const with_tombstones = watched(table.description(), {table.memory.array()});
  auto const without = watched(rehashed.description(), {rehashed.memory.array()});
  auto const foretold = with_tombstones->all_key_facts().rehashed;
  ASSERT_TRUE(foretold);
  double const misses = without->statistics().miss_accesses.mean;
  EXPECT_NEAR(foretold->miss, misses, 1e-9) << "which slots are taken does not depend on the order of the keys";
  EXPECT_NEAR(foretold->miss, rehashed.mean_miss(), 1e-9);
  EXPECT_EQ(foretold->miss_within, 0.0);
  EXPECT_NEAR(foretold->hit, without->statistics().hit_accesses.mean, 0.01);
  EXPECT_GT(with_tombstones->statistics().miss_accesses.mean, 3.0 * misses);
}

TEST(WatchedTableTest, NothingIsWritten)
{
  LinearTable table(4096);
  table.fill(3000);
  std::vector<std::byte> const before = table.memory.bytes;
  auto const looked = watched(table.description(), {table.memory.array()});
  looked->statistics();
  looked->check(true);
  looked->pairs(5000);
  looked->probe_path(key32(5));
  EXPECT_EQ(table.memory.bytes, before);
}

TEST(WatchedTableTest, WithoutAHashOccupancyAndRunsRemain)
{
  LinearTable table(1024);
  table.fill(512);
  Description described = table.description();
  described.home_of = HomeOf::unknown;
  auto const looked = watched(described, {table.memory.array()});
  Statistics const found = looked->statistics();
  EXPECT_EQ(found.live, 512u);
  EXPECT_GT(found.clusters.count, 0u);
  EXPECT_EQ(found.probe_length.count, 0u);
  EXPECT_EQ(found.hit_accesses.count, 0u);
  EXPECT_TRUE(looked->family().measure.name.empty());
  EXPECT_TRUE(looked->family().clusters);
  EXPECT_TRUE(looked->probe_path(key32(1)).slots.empty());
  EXPECT_EQ(looked->slot(looked->cluster(0).start).home, no_slot);
}

TEST(WatchedTableTest, AWrongHashIsFoundOut)
{
  LinearTable table(1u << 14);
  table.fill(10000);
  Description described = table.description();
  described.hashes.front().function = HashFunction::xxhash_32;
  Check const check = watched(described, {table.memory.array()})->check(true);
  EXPECT_EQ(check.sampled, 1000u);
  EXPECT_LT(check.found, 100u);
  EXPECT_TRUE(check.is_wrong());
  ASSERT_FALSE(check.better.empty());
  Description const& better = check.better.front().description;
  EXPECT_EQ(check.better.front().found, 1000u);
  EXPECT_EQ(better.hashes.front().function, HashFunction::murmur3_finaliser);
  EXPECT_EQ(better.hashes.front().reduction, Reduction::mask);
  EXPECT_EQ(better.probing.scheme, Scheme::linear);
  EXPECT_EQ(better.probing.window, 1u);
  EXPECT_THAT(text_of(check), HasSubstr("Of 1,000 sampled keys, this description finds "));
  EXPECT_THAT(text_of(check), HasSubstr(". Is the hash right?"));
  EXPECT_THAT(text_of(check), HasSubstr("murmur3, mask"));
}

TEST(WatchedTableTest, AWrongReductionIsFoundOut)
{
  LinearTable table(1u << 12);
  table.fill(2000);
  Description described = table.description();
  described.hashes.front().reduction = Reduction::multiply_shift;
  Check const check = watched(described, {table.memory.array()})->check(true);
  EXPECT_TRUE(check.is_wrong());
  ASSERT_FALSE(check.better.empty());
  EXPECT_EQ(check.better.front().description.hashes.front().reduction, Reduction::mask);
}

TEST(WatchedTableTest, AFullTableWithAWrongHashEndsSoon)
{
  LinearTable table(1u << 14);
  table.fill(1u << 14);
  Description described = table.description();
  described.hashes.front().function = HashFunction::identity;
  auto const looked = watched(described, {table.memory.array()});
  EXPECT_EQ(looked->statistics().empty(), 0u);
  looked->check(true);
}

TEST(WatchedTableTest, ACopyStaysAsItWas)
{
  LinearTable table(1024);
  table.fill(100);
  auto const looked = watched(table.description(), {table.memory.array()});
  looked->freeze();
  EXPECT_TRUE(looked->is_frozen());
  table.insert(key32(100));
  looked->changed();
  EXPECT_EQ(looked->statistics().live, 100u);
  looked->look_at(table.description(), std::vector{table.memory.array()});
  EXPECT_FALSE(looked->is_frozen());
  EXPECT_EQ(looked->statistics().live, 101u);
}

TEST(WatchedTableTest, AnErrorChangesNothing)
{
  LinearTable table(1024);
  table.fill(100);
  auto const looked = watched(table.description(), {table.memory.array()});
  Description wrong = table.description();
  wrong.slots = 4096;
  EXPECT_THAT(test::error_of([&] { looked->look_at(wrong, std::vector{table.memory.array()}); }), HasSubstr("end at"));
  EXPECT_EQ(looked->description().slots, 1024u);
  EXPECT_EQ(looked->statistics().live, 100u);
}

/// Another thread writes rubbish into all of the memory, also half keys, while it is looked at.
TEST(WatchedTableTest, TornSlotsBreakNothing)
{
  constexpr std::uint64_t slots = 1u << 12;
  LinearTable table(slots);
  table.fill(3000);
  std::atomic<bool> ends = false;
  std::thread writer([&] {
    auto* const bytes = reinterpret_cast<unsigned char*>(table.memory.bytes.data());
    for (std::uint64_t i = 0; !ends; ++i) {
      std::uint64_t const number = random64(23, i);
      __atomic_store_n(bytes + number % (slots * 8), static_cast<unsigned char>(number >> 56), __ATOMIC_RELAXED);
    }
  });
  for (Scheme const scheme : {Scheme::linear, Scheme::quadratic, Scheme::double_hashing, Scheme::cuckoo}) {
    Description described = table.description();
    described.probing = {.scheme = scheme, .window = scheme == Scheme::cuckoo ? 4u : 1u};
    if (scheme == Scheme::double_hashing || scheme == Scheme::cuckoo) { described.hashes.push_back({.seed = 1}); }
    described.hashes.front().reduction = Reduction::modulo;
    auto const looked = watched(described, {table.memory.array()});
    for (int i = 0; i < 3; ++i) {
      looked->changed();
      Statistics const found = looked->statistics();
      EXPECT_LE(found.live + found.tombstones, slots);
      looked->probe_path(key32(static_cast<std::uint64_t>(i)));
      for (Pair const& pair : looked->pairs(100)) { EXPECT_LE(pair.key, 0xffffffffu); }
    }
    looked->check(true);
  }
  ends = true;
  writer.join();
}

}  // namespace
}  // namespace slotscape::watch
