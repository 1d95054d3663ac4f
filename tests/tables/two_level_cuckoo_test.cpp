// How a two-level cuckoo table is built: restarts, reseeds, and what the builder leaves in memory.

#include "gpu/tables/two_level_cuckoo.hpp"
#include "gpu/engine/query_passes.hpp"
#include "gpu/execution/cpu.hpp"
#include "tests/tables/random_keys.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

namespace slotscape::two_level_cuckoo_tests {
namespace {

std::uint64_t slots_of(std::uint64_t buckets)
{
  return buckets * two_level::bucket_slots;
}

/// A table built from some keys; the value of a key is half of it.
class Table {
public:
  using Layout = TwoLevelCuckoo::Layout<Narrow>;
  using View = slotscape::View<Layout, HostMachine<Narrow>>;

  explicit Table(std::uint64_t slots)
      : layout_(TwoLevelCuckoo::layout<Narrow>({.slots = slots})),
        words_(layout_.slots()),
        metadata_(layout_.metadata())
  {
  }

  Built build(Keys const& keys, std::uint64_t seed = 1)
  {
    std::vector<std::uint32_t> values(keys.size());
    std::ranges::transform(keys, values.begin(), [](std::uint32_t key) { return key / 2; });
    std::ranges::fill(words_, 0xdeadu);  // the builder writes every word
    return builder_.build(layout_.bucket_hash, seed, {keys.data(), values.data(), 0, keys.size()}, words_.data(),
                          metadata_.data());
  }

  View view() { return {{words_.data(), metadata_.data()}, layout_}; }
  Layout const& layout() const { return layout_; }
  two_level::Report const& report() const { return builder_.report(); }
  two_level::BucketNote note(std::uint64_t bucket) const { return two_level::BucketNote::unpack(metadata_[bucket]); }

  /// Holds these keys, each once and where lookups find it, and nothing else.
  void expect_holds(Keys const& keys)
  {
    std::set<std::uint32_t> const wanted(keys.begin(), keys.end());
    std::set<std::uint32_t> found;
    for (Slot slot = 0; slot < words_.size(); ++slot) {
      Slot wrong = no_slot;
      using Checked = CheckSlot<TwoLevelCuckoo, View>;
      EXPECT_NE((Checked{view(), words_.data(), &wrong}(slot)), Checked::violated) << slot;
      if (words_[slot] != Narrow::empty_word) {
        EXPECT_TRUE(found.insert(key_of(words_[slot])).second) << key_of(words_[slot]);
        EXPECT_EQ(value_of(words_[slot]), key_of(words_[slot]) / 2);
      }
    }
    EXPECT_EQ(found, wanted);
  }

private:
  exec::Cpu exec_;
  Layout layout_;
  std::vector<Narrow::Word> words_;
  std::vector<std::uint64_t> metadata_;
  two_level::Builder<exec::Cpu, Narrow> builder_{exec_};
};

TEST(TwoLevelCuckoo, RoundsSlotsUpToWholeBuckets)
{
  EXPECT_EQ(Table(1).layout().slots(), 576u);
  EXPECT_EQ(Table(576).layout().slots(), 576u);
  EXPECT_EQ(Table(577).layout().slots(), 1152u);
}

TEST(TwoLevelCuckoo, HoldsRandomSetsOfManySizes)
{
  for (std::size_t const count : {0, 1, 2, 31, 32, 33, 512, 513, 5000, 100'000}) {
    SCOPED_TRACE(count);
    Keys const keys = random_keys(count, 7);
    Table table(count * 10 / 7);
    ASSERT_EQ(table.build(keys), Built::done);
    table.expect_holds(keys);
    EXPECT_EQ(TwoLevelCuckoo::find(table.view(), 4'000'000'007u).outcome, Outcome::missing);
  }
}

TEST(TwoLevelCuckoo, FillsOneBucketWith512KeysAndNotWithMore)
{
  Table table(576);
  for (unsigned seed = 0; seed < 50; ++seed) {
    Keys keys = random_keys(513, seed);
    EXPECT_EQ(table.build(keys), Built::too_full);
    keys.pop_back();
    ASSERT_EQ(table.build(keys, seed), Built::done) << seed;
    table.expect_holds(keys);
    EXPECT_EQ(TwoLevelCuckoo::group_size(table.view(), 0), 512u);
  }
}

TEST(TwoLevelCuckoo, The409KeysPerBucketOfThePaperNeedFewReseeds)
{
  constexpr std::size_t buckets = 256;
  Table table(slots_of(buckets));
  std::uint64_t reseeds = 0;
  for (unsigned seed = 0; seed < 8; ++seed) {
    Keys const keys = random_keys(409 * buckets, seed);
    ASSERT_EQ(table.build(keys, seed), Built::done);
    reseeds += table.report().reseeds;
  }
  EXPECT_LT(reseeds, 8 * buckets / 20);  // 'only a few buckets fail to build with the first hash functions'
}

TEST(TwoLevelCuckoo, RestartsWhereABucketOverflows)
{
  constexpr std::uint32_t buckets = 8;
  Keys keys;
  for (std::uint32_t i = 0; i < 513; ++i) { keys.push_back(i * buckets); }  // h(k) = k mod 8: all in bucket 0
  Table table(slots_of(buckets));
  ASSERT_EQ(table.build(keys), Built::done);
  EXPECT_EQ(table.report().overfull, table.report().restarts);
  EXPECT_GE(table.report().restarts, 1u);
  EXPECT_EQ(table.layout().bucket_hash.restart, table.report().restarts);
  table.expect_holds(keys);

  keys.pop_back();  // 512 fit
  ASSERT_EQ(table.build(keys), Built::done);
  EXPECT_EQ(table.report().restarts, 0u);
  EXPECT_EQ(table.note(0).size, 512u);
  table.expect_holds(keys);
}

TEST(TwoLevelCuckoo, GivesUpWhereEveryHashOverfillsABucket)
{
  Table table(slots_of(8));
  EXPECT_EQ(table.build(random_keys(std::size_t{8} * 512, 1)),
            Built::too_full);  // every bucket would have to have exactly 512
  EXPECT_EQ(table.report().restarts, two_level::max_restarts);
  EXPECT_EQ(table.report().overfull, two_level::max_restarts + 1);
}

/// Thirteen keys with twelve places between them, the first four slots of each sub-table, under the seed that bucket 0
/// tries first.
Keys too_many_for_their_places(std::uint64_t seed)
{
  auto const first = two_level::Seed::of(two_level::Seed::source(seed, 0), 0, 0);
  Keys keys;
  for (std::uint32_t key = 0; keys.size() < 13; ++key) {
    bool const among_first = first.place(0, key) < 4 && first.place(1, key) < 4 && first.place(2, key) < 4;
    if (among_first) { keys.push_back(key); }
  }
  return keys;
}

TEST(TwoLevelCuckoo, ReseedsABucketWhoseKeysEvictEachOtherForEver)
{
  Keys keys = too_many_for_their_places(1);
  Table table(576);
  ASSERT_EQ(table.build(keys, 1), Built::done);
  EXPECT_GE(table.report().reseeds, 1u);
  EXPECT_EQ(table.note(0).reseeds, table.report().reseeds);
  EXPECT_EQ(table.report().restarts, 0u);
  table.expect_holds(keys);

  keys.resize(3);  // there is a place in some sub-table for each
  ASSERT_EQ(table.build(keys, 1), Built::done);
  EXPECT_EQ(table.report().reseeds, 0u);
  table.expect_holds(keys);
}

TEST(TwoLevelCuckoo, KeysThatAreEqualModuloThePapersPrimeFindPlaces)
{
  Keys keys;
  for (std::uint32_t i = 0; i < 512; ++i) { keys.push_back(i * two_level::papers_prime); }
  Table table(576);
  ASSERT_EQ(table.build(keys), Built::done);
  EXPECT_TRUE(table.note(0).seed.large);
  table.expect_holds(keys);
}

TEST(TwoLevelCuckoo, HoldsTheLargestKeys)
{
  Keys keys;
  for (std::uint32_t i = 0; i < 1000; ++i) { keys.push_back(Narrow::locked_key - 1 - i); }
  Table table(2000);
  ASSERT_EQ(table.build(keys), Built::done);
  table.expect_holds(keys);
}

TEST(TwoLevelCuckoo, SubTablesOfAllBucketsLieTogether)
{
  constexpr std::uint32_t buckets = 5;
  Keys const keys = random_keys(std::size_t{409} * buckets, 3);
  Table table(slots_of(buckets));
  ASSERT_EQ(table.build(keys), Built::done);
  std::array<std::uint32_t, 3> in_sub_table{};
  for (std::uint32_t const key : keys) {
    std::uint32_t const bucket = key % buckets;  // h(k) at the first attempt
    Slot const slot = TwoLevelCuckoo::find(table.view(), key).slot;
    std::uint32_t const t = slot / (buckets * 192);
    EXPECT_EQ(slot, t * buckets * 192 + bucket * 192 + table.note(bucket).seed.place(t, key));
    EXPECT_EQ(table.layout().home(key), bucket * 192);
    EXPECT_EQ(TwoLevelCuckoo::describe(table.view(), slot, table.view().machine.load(slot)).measure, t);
    ++in_sub_table[t];
  }
  EXPECT_EQ(table.report().restarts, 0u);
  EXPECT_GT(in_sub_table[0], in_sub_table[1]);
  EXPECT_GT(in_sub_table[1], in_sub_table[2]);
  EXPECT_GT(in_sub_table[2], 0u);
}

TEST(TwoLevelCuckoo, AKeyIsInvalidInAnotherBucketSubTableOrPlace)
{
  constexpr std::uint32_t buckets = 5;
  Keys const keys = random_keys(1, 3);
  Table table(slots_of(buckets));
  ASSERT_EQ(table.build(keys), Built::done);
  Slot const slot = TwoLevelCuckoo::find(table.view(), keys[0]).slot;
  auto const word = table.view().machine.load(slot);
  EXPECT_LT(slot, buckets * 192);  // alone, it is in T1
  EXPECT_TRUE(TwoLevelCuckoo::is_valid(table.view(), slot, word));
  EXPECT_FALSE(TwoLevelCuckoo::is_valid(table.view(), slot + 192, word));
  EXPECT_FALSE(TwoLevelCuckoo::is_valid(table.view(), slot + buckets * 192, word));
  EXPECT_FALSE(TwoLevelCuckoo::is_valid(table.view(), slot ^ 1, word));
}

TEST(TwoLevelCuckoo, TheNoteSaysWhereABucketLies)
{
  Keys const keys = random_keys(1000, 3);
  Table table(slots_of(3));
  ASSERT_EQ(table.build(keys), Built::done);
  EXPECT_EQ(TwoLevelCuckoo::explain(table.layout(), 1, two_level::BucketNote{{}, 333, 0}.pack(), 0),
            "Bucket 1 (T1 in slots 192 to 383, T2 in slots 768 to 959, T3 in slots 1344 to 1535) was built from 333 "
            "keys: the key belongs there, and the seed says where in T1, T2 and T3");
}

TEST(TwoLevelCuckoo, ALookupMakesTwoAccessesAndOneMorePerSubTable)
{
  Keys const keys = random_keys(2000, 3);
  Table table(3000);
  ASSERT_EQ(table.build(keys), Built::done);
  std::array<int, 3> in_sub_table{};
  for (std::uint32_t const key : keys) {
    std::uint32_t count = 0;
    View<Table::Layout, CountingMachine<HostMachine<Narrow>>> const counted{{table.view().machine, &count},
                                                                            table.layout()};
    auto const result = TwoLevelCuckoo::find(counted, key);
    auto const word = table.view().machine.load(result.slot);
    std::uint32_t const measure = TwoLevelCuckoo::describe(table.view(), result.slot, word).measure;
    EXPECT_EQ(count, 2 + measure);
    ++in_sub_table[measure];
  }
  EXPECT_GT(in_sub_table[0], 0);
  EXPECT_GT(in_sub_table[2], 0);
}

}  // namespace
}  // namespace slotscape::two_level_cuckoo_tests
