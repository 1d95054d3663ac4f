#include "gpu/watch/description.hpp"
#include "tests/watch/foreign_tables.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <random>

/// Tables in the layouts of libraries, filled by code that knows nothing of gpu/watch: it follows the libraries'
/// documentation with hashes written out here.
namespace slotscape::watch {
namespace {

using test::key32;
using test::key64;
using test::Memory;
using test::watched;

std::uint32_t rotated(std::uint32_t x, int by)
{
  return (x << by) | (x >> (32 - by));
}

std::uint32_t finaliser32(std::uint32_t x)
{
  x ^= x >> 16;
  x *= 0x85ebca6bu;
  x ^= x >> 13;
  x *= 0xc2b2ae35u;
  return x ^ (x >> 16);
}
std::uint64_t finaliser64(std::uint64_t x)
{
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdu;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53u;
  return x ^ (x >> 33);
}

/// XXH32 of a key of four bytes.
std::uint32_t xxh32(std::uint32_t key, std::uint32_t seed)
{
  std::uint32_t hash = seed + 374761393u + 4;
  hash += key * 3266489917u;
  hash = rotated(hash, 17) * 668265263u;
  hash ^= hash >> 15;
  hash *= 2246822519u;
  hash ^= hash >> 13;
  hash *= 3266489917u;
  return hash ^ (hash >> 16);
}

/// MurmurHash3_x86_32 of a key of four bytes.
std::uint32_t murmur32(std::uint32_t key, std::uint32_t seed)
{
  std::uint32_t const block = rotated(key * 0xcc9e2d51u, 15) * 0x1b873593u;
  return finaliser32((rotated(seed ^ block, 13) * 5 + 0xe6546b64u) ^ 4u);
}

/// What a table must come to: every key is found where its library put it.
void expect_all_found(WatchedTable& table, std::uint64_t keys)
{
  Check const check = table.check(false);
  EXPECT_EQ(check.sampled, std::min<std::uint64_t>(keys, 1000));
  EXPECT_EQ(check.found, check.sampled);
  EXPECT_EQ(text_of(check), "");
  Statistics const found = table.statistics();
  EXPECT_EQ(found.live, keys);
  EXPECT_EQ(found.tombstones, 0u);
}

/// An array of pairs of 32 bits.
class Pairs {
public:
  Pairs(std::uint64_t slots, std::uint32_t empty) : memory("slots", slots * 8), slots_(slots), empty_(empty)
  {
    for (std::uint64_t i = 0; i < slots; ++i) { memory.write(8 * i, empty); }
  }
  bool is_free(std::uint64_t slot) const { return memory.read<std::uint32_t>(8 * slot) == empty_; }
  void put(std::uint64_t slot, std::uint32_t key)
  {
    memory.write(8 * slot, key);
    memory.write(8 * slot + 4, key / 2);
  }
  std::uint64_t slots() const { return slots_; }
  /// Windows that a lookup of an absent key reads, one after another, over all homes.
  double mean_miss(std::uint64_t width) const
  {
    double reads = 0.0;
    for (std::uint64_t home = 0; home < slots_; home += width) {
      auto const is_full = [&](std::uint64_t at) {
        for (std::uint64_t i = 0; i < width; ++i) {
          if (is_free(at + i)) { return false; }
        }
        return true;
      };
      std::uint64_t at = home;
      for (++reads; is_full(at); ++reads) { at = (at + width) % slots_; }
    }
    std::uint64_t const windows = slots_ / width;
    return reads / static_cast<double>(windows);
  }

  Memory memory;

private:
  std::uint64_t slots_;
  std::uint32_t empty_;
};

/// Puts a key into the first free slot of windows of `width` slots.
void put_by_windows(Pairs& table, std::uint32_t key, std::uint64_t first, std::uint64_t step, std::uint64_t width)
{
  for (std::uint64_t at = first;; at = (at + step) % table.slots()) {
    for (std::uint64_t i = 0; i < width; ++i) {
      std::uint64_t const slot = (at + i) % table.slots();
      if (table.is_free(slot)) { return table.put(slot, key); }
    }
  }
}

TEST(PresetsTest, StaticMapOfCuCollections)
{
  constexpr std::uint64_t slots = std::uint64_t{4} * 499;
  constexpr std::uint64_t keys = 1500;
  Pairs table(slots, 0xffffffffu);
  for (std::uint64_t i = 0; i < keys; ++i) {
    std::uint32_t const key = key32(i);
    put_by_windows(table, key, xxh32(key, 0) % (slots / 4) * 4, 4, 4);
  }
  Description const described = preset_named("cuco::static_map").make({.slots = slots});
  auto const looked = watched(described, {table.memory.array()});
  expect_all_found(*looked, keys);
  EXPECT_GT(looked->statistics().probe_length.max, 0u);
  EXPECT_NEAR(looked->all_key_facts().rehashed->miss, table.mean_miss(4), 1e-9);
  ProbePath const path = looked->probe_path(key32(7));
  EXPECT_EQ(path.value, key32(7) / 2);
  EXPECT_EQ(path.slots.front() % 4, 0u);
  EXPECT_FALSE(looked->probe_path(key32(keys + 1)).value);
}

TEST(PresetsTest, StaticMapWithDoubleHashingAndBuckets)
{
  constexpr std::uint64_t window = std::uint64_t{8} * 2;
  constexpr std::uint64_t slots = window * 101;
  constexpr std::uint64_t keys = 1300;
  Pairs table(slots, 0xffffffffu);
  for (std::uint64_t i = 0; i < keys; ++i) {
    std::uint32_t const key = key32(i);
    put_by_windows(table, key, xxh32(key, 0) % (slots / window) * window,
                   (xxh32(key, 1) % (slots / window - 1) + 1) * window, window);
  }
  Description const described = preset_named("cuco::static_map/double").make({.slots = slots, .group = 8, .bucket = 2});
  expect_all_found(*watched(described, {table.memory.array()}), keys);
}

/// Until 2024 groups began at any bucket, so that they wrap round the end of the table.
TEST(PresetsTest, StaticMapUntil2024)
{
  constexpr std::uint64_t slots = std::uint64_t{4} * 251;
  constexpr std::uint64_t keys = 800;
  Pairs table(slots, 0xffffffffu);
  for (std::uint64_t i = 0; i < keys; ++i) { put_by_windows(table, key32(i), xxh32(key32(i), 0) % slots, 4, 4); }
  expect_all_found(*watched(preset_named("cuco::static_map/2024").make({.slots = slots}), {table.memory.array()}),
                   keys);
}

TEST(PresetsTest, Warpcore)
{
  constexpr std::uint64_t slots = std::uint64_t{8} * 127;
  constexpr std::uint64_t keys = 900;
  constexpr std::uint32_t seed = 0x5ad0ded;
  Pairs table(slots, 0);
  for (std::uint64_t i = 0; i < keys; ++i) {
    std::uint32_t const key = key32(i);
    put_by_windows(table, key, finaliser32(key + seed) % slots, (finaliser32(key + seed + 1) % (slots / 8 - 1) + 1) * 8,
                   8);
  }
  table.memory.write(std::uint64_t{8} * 5, 0u);
  auto const looked = watched(preset_named("warpcore").make({.slots = slots}), {table.memory.array()});
  Check const check = looked->check(false);
  EXPECT_GE(check.found + 1, check.sampled);  // but for one whose path led over slot 5
}

TEST(PresetsTest, BucketedCuckooOfBght)
{
  constexpr std::uint64_t bucket = 16;
  constexpr std::uint64_t slots = bucket * 64;
  constexpr std::uint64_t keys = 900;
  Pairs table(slots, 0xffffffffu);
  std::mt19937 generator(2);
  std::vector<std::uint32_t> seeds{static_cast<std::uint32_t>(generator()), static_cast<std::uint32_t>(generator()),
                                   static_cast<std::uint32_t>(generator())};
  std::mt19937 chooses(5);
  std::function<void(std::uint32_t, std::uint64_t)> const put = [&](std::uint32_t key, std::uint64_t home) {
    for (std::uint64_t slot = home * bucket; slot < (home + 1) * bucket; ++slot) {
      if (table.is_free(slot)) { return table.put(slot, key); }
    }
    std::uint64_t const victim = home * bucket + chooses() % bucket;
    auto const evicted = table.memory.read<std::uint32_t>(8 * victim);
    table.put(victim, key);
    std::vector<std::uint64_t> homes;
    homes.reserve(seeds.size());
    for (std::uint32_t const seed : seeds) { homes.push_back(murmur32(evicted, seed) % (slots / bucket)); }
    put(evicted, home == homes[0] ? homes[1] : home == homes[1] ? homes[2] : homes[0]);
  };
  for (std::uint64_t i = 0; i < keys; ++i) { put(key32(i), murmur32(key32(i), seeds[0]) % (slots / bucket)); }
  auto const looked = watched(preset_named("bght").make({.slots = slots}), {table.memory.array()});
  expect_all_found(*looked, keys);
  Statistics const found = looked->statistics();
  EXPECT_LE(found.probe_length.max, 2u);
  EXPECT_EQ(found.groups.count, slots / bucket);
}

/// The slabs of SlabHash; Open3D's have other numbers.
struct SlabShape {
  std::uint64_t entries = 15;
  std::uint64_t words = 2;  ///< of an entry: a key, and its value if there are two
  std::uint64_t bitmap_bytes = 128;
};

/// SlabHash over SlabAllocLight: slabs of 15 pairs; a full one is followed by another, whose number its last word
/// holds. Warps take slabs of all super blocks in turn.
class SlabTable {
public:
  static constexpr std::uint32_t none = 0xffffffffu;
  static constexpr std::uint32_t slabs_of_block = 1024;
  static constexpr std::uint64_t slab_bytes = 128;

  SlabTable(std::uint64_t buckets, std::uint32_t super_blocks, std::uint32_t blocks, std::uint32_t seed,
            SlabShape const& of = {})
      : shape(of),
        base("slabs", buckets * slab_bytes),
        pool("pool", super_blocks * super_block_bytes(blocks)),
        buckets_(buckets),
        super_blocks_(super_blocks),
        blocks_(blocks)
  {
    std::ranges::fill(base.bytes, std::byte{0xff});
    std::ranges::fill(pool.bytes, std::byte{0xff});
    for (std::uint32_t i = 0; i < super_blocks; ++i) {
      auto const bitmaps = pool.bytes.begin() + static_cast<std::ptrdiff_t>(i * super_block_bytes(blocks));
      std::fill_n(bitmaps, blocks * shape.bitmap_bytes, std::byte{0});
    }
    std::mt19937 numbers(seed);
    x_ = std::max<std::uint32_t>(static_cast<std::uint32_t>(numbers()) % 4294967291u, 1);
    y_ = static_cast<std::uint32_t>(numbers()) % 4294967291u;
  }

  void insert(std::uint32_t key)
  {
    Place at = bucket_of(key);
    while (true) {
      for (std::uint64_t i = 0; i < shape.entries * shape.words; i += shape.words) {
        if (word(at, i) != none) { continue; }
        put(at, i, key);
        if (shape.words == 2) { put(at, i + 1, key / 2); }
        return;
      }
      if (word(at, 31) == none) { put(at, 31, allocate()); }
      at = slab_of(word(at, 31));
    }
  }
  /// It leaves an empty slot, wherever in the chain that is.
  void erase(std::uint32_t key)
  {
    for (Place at = bucket_of(key);; at = slab_of(word(at, 31))) {
      for (std::uint64_t i = 0; i < shape.entries * shape.words; i += shape.words) {
        if (word(at, i) != key) { continue; }
        for (std::uint64_t part = 0; part < shape.words; ++part) { put(at, i + part, none); }
        return;
      }
    }
  }
  std::uint32_t allocated() const { return allocated_; }

  SlabShape shape;
  Memory base;
  Memory pool;

private:
  struct Place {
    Memory* memory;
    std::uint64_t start;
  };
  std::uint64_t super_block_bytes(std::uint64_t blocks) const
  {
    return blocks * (shape.bitmap_bytes + slabs_of_block * slab_bytes);
  }

  Place bucket_of(std::uint32_t key) { return {&base, ((x_ ^ key) + y_) % 4294967291u % buckets_ * slab_bytes}; }
  Place slab_of(std::uint32_t number)
  {
    std::uint64_t const block = number >> 10 & 0x1ffffu;
    return {&pool, (number >> 27) * super_block_bytes(blocks_) + blocks_ * shape.bitmap_bytes +
                       (block * slabs_of_block + (number & 0x3ffu)) * slab_bytes};
  }
  /// The next one is of the next super block.
  std::uint32_t allocate()
  {
    std::uint32_t const number = allocated_++;
    std::uint32_t const in_super_block = number / super_blocks_;
    return number % super_blocks_ << 27 | in_super_block % blocks_ << 10 | in_super_block / blocks_;
  }
  static std::uint32_t word(Place at, std::uint64_t i) { return at.memory->read<std::uint32_t>(at.start + 4 * i); }
  static void put(Place at, std::uint64_t i, std::uint32_t number) { at.memory->write(at.start + 4 * i, number); }

  std::uint64_t buckets_;
  std::uint32_t super_blocks_;
  std::uint32_t blocks_;
  std::uint32_t x_;
  std::uint32_t y_;
  std::uint32_t allocated_ = 0;
};

TEST(PresetsTest, Slabhash)
{
  constexpr std::uint64_t buckets = 20;
  constexpr std::uint64_t keys = 1500;
  SlabTable table(buckets, 2, 2, 3);
  for (std::uint64_t i = 0; i < keys; ++i) { table.insert(key32(i)); }
  PresetSettings const settings{.slots = buckets * 15, .seed = 3, .super_blocks = 2, .memory_blocks = 2};
  Description const described = preset_named("slabhash").make(settings);
  EXPECT_EQ(described.links->slabs(), 2u * 2 * 1024);
  auto const looked = watched(described, {table.base.array(), table.pool.array()});
  expect_all_found(*looked, keys);
  EXPECT_GE(looked->statistics().probe_length.max, 3u);
  EXPECT_EQ(looked->statistics().groups.count, buckets);
  EXPECT_DOUBLE_EQ(looked->statistics().groups.mean, static_cast<double>(keys) / buckets) << "to the end of a chain";
  EXPECT_EQ(looked->all_key_facts().chains, (ChainCounts{.cut = 0, .slabs = table.allocated()}));
  for (std::uint64_t i = 0; i < keys; ++i) { ASSERT_EQ(looked->probe_path(key32(i)).value, key32(i) / 2) << i; }
  std::uint64_t erased = 0;
  for (std::uint64_t i = 0; i < keys; i += 7, ++erased) { table.erase(key32(i)); }
  looked->changed();
  expect_all_found(*looked, keys - erased);
  EXPECT_EQ(looked->lost_keys().count(), 0u) << "keys behind empty slots are found";
  for (std::uint64_t i = 0; i < keys; ++i) {
    ASSERT_EQ(looked->probe_path(key32(i)).value.has_value(), i % 7 != 0) << i;
  }
  // A link that leads out of memory ends its chain, and a ring of them does not go on forever.
  table.base.write(124, 12345u);
  table.pool.write(2 * 128 + 124, 0u);
  looked->changed();
  looked->statistics();
  looked->probe_path(1);
}

/// All tables of a program may take their slabs from one pool.
TEST(PresetsTest, SlabsOfAnotherTableAreNotOfThisOne)
{
  constexpr std::uint64_t buckets = 8;
  constexpr std::uint64_t keys = 600;
  SlabTable table(2 * buckets, 2, 1, 5);
  for (std::uint64_t i = 0; i < 2 * keys; ++i) { table.insert(key32(i)); }
  PresetSettings const settings{.slots = buckets * 15, .seed = 5, .super_blocks = 2, .memory_blocks = 1};
  Description described = preset_named("slabhash").make(settings);
  // The buckets of the first half are a table of their own; a key is theirs if its bucket is.
  std::mt19937 numbers(5);
  std::uint32_t const x = std::max<std::uint32_t>(static_cast<std::uint32_t>(numbers()) % 4294967291u, 1);
  std::uint32_t const y = static_cast<std::uint32_t>(numbers()) % 4294967291u;
  std::uint64_t own = 0;
  for (std::uint64_t i = 0; i < 2 * keys; ++i) {
    own += ((x ^ key32(i)) + y) % 4294967291u % (2 * buckets) < buckets ? 1 : 0;
  }
  described.home_of = HomeOf::unknown;
  auto const looked = watched(described, {{"slabs", table.base.bytes.data(), buckets * 128}, table.pool.array()});
  EXPECT_EQ(looked->statistics().live, own);
  WatchedTable::KeyFacts const facts = looked->all_key_facts();
  EXPECT_EQ(facts.chains.slabs + facts.chains.stray, table.allocated());
  EXPECT_GT(facts.chains.stray, 0u);
  EXPECT_EQ(looked->pairs(10'000).size(), own);
}

TEST(PresetsTest, SlabhashAsItIsByDefault)
{
  Description const described = preset_named("slabhash").make({.slots = 150, .seed = 1});
  ASSERT_EQ(described.links->parts.size(), 32u);
  EXPECT_EQ(described.links->parts.front(), (Slabs{"pool", 32768, 262144, 0}));
  EXPECT_EQ(described.links->parts.back(), (Slabs{"pool", 31u * 33587200u + 32768, 262144, 31u << 27}));
  EXPECT_THAT(test::error_of([] { preset_named("slabhash").make({.slots = 150, .super_blocks = 33}); }),
              testing::HasSubstr("up to 32 super blocks"));
}

/// Its slots hold the numbers of entries in other buffers, so a lookup by key cannot be followed.
TEST(PresetsTest, SlabsOfOpen3dHaveTheNumbersOfEntries)
{
  constexpr std::uint64_t buckets = 10;
  constexpr std::uint32_t entries = 1500;
  SlabTable table(buckets, 2, 1, 3, {.entries = 31, .words = 1, .bitmap_bytes = 4096});
  for (std::uint32_t number = 0; number < entries; ++number) { table.insert(number); }
  PresetSettings const settings{.slots = buckets * 31, .super_blocks = 2, .memory_blocks = 1};
  Description const described = preset_named("open3d/slab").make(settings);
  auto const looked = watched(described, {table.base.array(), table.pool.array()});
  Statistics const found = looked->statistics();
  EXPECT_EQ(found.live, entries);
  EXPECT_EQ(found.groups.count, buckets);
  EXPECT_DOUBLE_EQ(found.groups.mean, static_cast<double>(entries) / buckets);
  EXPECT_EQ(found.probe_length.count, 0u);
  EXPECT_EQ(looked->all_key_facts().chains, (ChainCounts{.cut = 0, .slabs = table.allocated()}));
  EXPECT_EQ(text_of(looked->check(false)), "") << "nothing to correct in the description";
  EXPECT_THAT(words_explained(described), testing::ElementsAre(testing::HasSubstr("row numbers")));
  table.erase(17);
  looked->changed();
  EXPECT_EQ(looked->statistics().live, entries - 1);
}

TEST(PresetsTest, SlabhashAndOpen3dTakeTheirUsualPools)
{
  EXPECT_EQ(preset_named("open3d/slab").make({.slots = 310}).links->slabs(), 32u * 4 * 1024);
  EXPECT_EQ(preset_named("slabhash").make({.slots = 150}).links->slabs(), 32u * 256 * 1024);
}

TEST(PresetsTest, SimpleGpuHashTableKeepsErasedKeys)
{
  constexpr std::uint64_t slots = 1024;
  constexpr std::uint64_t keys = 600;
  Pairs table(slots, 0xffffffffu);
  for (std::uint64_t i = 0; i < keys; ++i) {
    put_by_windows(table, key32(i), finaliser32(key32(i)) & (slots - 1), 1, 1);
  }
  auto const looked = watched(preset_named("SimpleGPUHashTable").make({.slots = slots}), {table.memory.array()});
  expect_all_found(*looked, keys);
  Slot const slot = looked->probe_path(key32(3)).slots.back();
  table.memory.write(8 * std::uint64_t{slot} + 4, 0xffffffffu);  // erases it
  looked->changed();
  Statistics const found = looked->statistics();
  EXPECT_EQ(found.tombstones, 1u);
  EXPECT_EQ(found.live, keys - 1);
  EXPECT_FALSE(looked->probe_path(key32(3)).value);
  SlotInfo const erased = looked->slot(slot);
  EXPECT_EQ(erased.state, SlotState::tombstone);
  EXPECT_TRUE(erased.has_key);
}

TEST(PresetsTest, SpconvHasKeysAndValuesApart)
{
  constexpr std::uint64_t slots = 700;
  constexpr std::uint64_t keys = 400;
  Memory key_array("keys", slots * 8);
  Memory value_array("values", slots * 4);
  constexpr std::uint64_t empty = 0x7fffffffffffffffu;
  for (std::uint64_t i = 0; i < slots; ++i) { key_array.write(8 * i, empty); }
  for (std::uint64_t i = 0; i < keys; ++i) {
    std::uint64_t const key = key64(i);
    std::uint64_t x = key;
    x ^= x >> 16;
    x *= 0x85ebca6bu;
    x ^= x >> 13;
    x *= 0xc2b2ae35u;
    x ^= x >> 16;
    std::uint64_t slot = x % slots;
    while (key_array.read<std::uint64_t>(8 * slot) != empty) { slot = (slot + 1) % slots; }
    key_array.write(8 * slot, key);
    value_array.write(4 * slot, static_cast<std::uint32_t>(i));
  }
  Description const described = preset_named("spconv").make({.key_bits = 64, .slots = slots});
  auto const looked = watched(described, {key_array.array(), value_array.array()});
  expect_all_found(*looked, keys);
  EXPECT_EQ(looked->probe_path(key64(17)).value, 17u);
}

/// Keys of 64 bits at odd offsets, in structs of 29 bytes, with quadratic probing and homes that the program gives.
TEST(PresetsTest, AnyStrideAndHomesOfTheProgram)
{
  constexpr std::uint64_t slots = 512;
  constexpr std::uint64_t keys = 300;
  constexpr std::uint64_t stride = 29;
  Memory memory("things", slots * stride + 3);
  Memory homes("homes", slots * 4);
  for (std::uint64_t i = 0; i < keys; ++i) {
    std::uint64_t const home = finaliser64(key64(i)) % slots;
    std::uint64_t slot = home;
    while (memory.read<std::uint64_t>(3 + slot * stride) != 0) { slot = (slot + 1) % slots; }
    memory.write(3 + slot * stride, key64(i));
    homes.write(4 * slot, static_cast<std::uint32_t>(home));
  }
  Description described;
  described.slots = slots;
  described.key = {"things", 3, stride, 64};
  described.empty_key = 0;
  described.home_of = HomeOf::array;
  described.homes = {"homes", 0, 4, 32};
  described.probing.scheme = Scheme::linear;
  auto const given = watched(described, {memory.array(), homes.array()});
  described.home_of = HomeOf::hash;
  described.hashes = {Hash{}};
  auto const hashed = watched(described, {memory.array(), homes.array()});
  expect_all_found(*hashed, keys);
  EXPECT_EQ(given->statistics().probe_length.histogram, hashed->statistics().probe_length.histogram);
  EXPECT_TRUE(given->probe_path(key64(1)).slots.empty());
  EXPECT_EQ(given->statistics().miss_accesses.count, 0u);
  ASSERT_TRUE(given->all_key_facts().homes && hashed->all_key_facts().homes);
  EXPECT_EQ(given->all_key_facts().homes->z, hashed->all_key_facts().homes->z);
  EXPECT_EQ(given->all_key_facts().homes->keys, keys);
  EXPECT_FALSE(given->all_key_facts().rehashed);
  EXPECT_GT(hashed->statistics().miss_accesses.count, 0u);
  homes.write(0, 0xffffffffu);  // no slot: nothing is read there
  given->changed();
  given->statistics();
}

TEST(PresetsTest, ControlBytesTellWhichSlotsAreTaken)
{
  constexpr std::uint64_t slots = 128;
  Memory memory("slots", slots * 8);
  Memory control("control", slots);
  for (std::uint64_t i = 0; i < slots; ++i) {
    memory.write(8 * i, key64(i));
    std::uint8_t const byte = i % 4 == 0 ? 0x80 : i % 4 == 1 ? 0xfe : static_cast<std::uint8_t>(i);
    control.write(i, byte);
  }
  Description described;
  described.slots = slots;
  described.key = {"slots", 0, 8, 64};
  described.control = Control{"control"};
  auto const looked = watched(described, {memory.array(), control.array()});
  Statistics const found = looked->statistics();
  EXPECT_EQ(found.live, slots / 2);
  EXPECT_EQ(found.tombstones, slots / 4);
  EXPECT_EQ(looked->slot(2).byte_beside, 2);
}

/// Robin Hood hashing as tsl::robin_map lays it out: the distance to the home, two bytes, then the pair.
template <class Key>
void expect_robin_map(std::uint64_t keys)
{
  constexpr std::uint64_t slots = 1024;
  constexpr std::uint64_t before = sizeof(Key);
  constexpr std::uint64_t stride = before + 2 * sizeof(Key);
  struct Bucket {
    std::int16_t distance = -1;
    Key key = 0;
  };
  std::vector<Bucket> buckets(slots);
  std::mt19937_64 random(7);
  for (std::uint64_t i = 0; i < keys; ++i) {
    Bucket carried{0, static_cast<Key>(random())};
    for (std::uint64_t slot = carried.key % slots; carried.distance >= 0; slot = (slot + 1) % slots) {
      if (buckets[slot].distance < carried.distance) { std::swap(buckets[slot], carried); }
      if (carried.distance >= 0) { ++carried.distance; }
    }
  }
  Memory memory("slots", slots * stride);
  for (std::uint64_t i = 0; i < slots; ++i) {
    memory.write(i * stride, static_cast<std::uint16_t>(buckets[i].distance));
    memory.write(i * stride + before, buckets[i].key);
    memory.write(i * stride + before + sizeof(Key), static_cast<Key>(i));
  }
  Description const described =
      preset_named("tsl::robin_map").make({.key_bits = 8 * static_cast<int>(sizeof(Key)), .slots = slots});
  auto const table = watched(described, {memory.array()});
  expect_all_found(*table, keys);
}

TEST(PresetsTest, RobinMapsDistancesTellWhichSlotsAreTaken)
{
  expect_robin_map<std::uint32_t>(800);
  expect_robin_map<std::uint64_t>(900);
}

TEST(PresetsTest, OwnTablesAreFoundByTheirPreset)
{
  EXPECT_THAT(test::error_of([] { preset_named("cuco"); }), testing::HasSubstr("cuco::static_map, "));
  for (Preset const& preset : presets()) {
    EXPECT_EQ(preset.make({.slots = 1200}).slots, 1200u) << preset.name;
    EXPECT_FALSE(preset.what.empty());
  }
}

}  // namespace
}  // namespace slotscape::watch
