// Perfect hash tables of both kinds: every key in one note and one slot, and what else the builders promise.

#include "gpu/tables/perfect_hash.hpp"
#include "gpu/engine/run_operations.hpp"
#include "gpu/execution/cpu.hpp"
#include "tests/tables/random_keys.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <vector>

namespace slotscape::perfect_hash_tests {
namespace {

/// A table built from some keys; the value of a key is half of it.
class Table {
public:
  using Layout = PerfectHash::Layout<Narrow>;
  using View = slotscape::View<Layout, HostMachine<Narrow>>;

  Table(std::uint32_t variant, std::uint64_t slots)
      : layout_(PerfectHash::layout<Narrow>({.slots = slots, .parameters = {{"variant", variant}}}))
  {
  }

  Built build(Keys const& keys, std::uint64_t seed = 1)
  {
    std::vector<std::uint32_t> values(keys.size());
    std::ranges::transform(keys, values.begin(), [](std::uint32_t key) { return key / 2; });
    words_.assign(layout_.slots(), Narrow::empty_word);
    metadata_.assign(layout_.metadata(), 0);
    Contents<Narrow> const pairs{keys.data(), values.data(), 0, keys.size()};
    return PerfectHash::build(exec_, layout_, seed, pairs, words_.data(), metadata_.data());
  }

  View view() { return {{words_.data(), metadata_.data()}, layout_}; }
  Layout const& layout() const { return layout_; }
  BucketNote note(std::uint64_t bucket) const { return BucketNote::unpack(metadata_[bucket]); }

  /// Finds each of these keys in two accesses, and holds nothing else.
  void expect_holds(Keys const& keys)
  {
    for (std::uint32_t const key : keys) {
      std::uint32_t accesses = 0;
      slotscape::View<Layout, CountingMachine<HostMachine<Narrow>>> const counted{{view().machine, &accesses}, layout_};
      auto const result = PerfectHash::find(counted, key);
      ASSERT_EQ(result.outcome, Outcome::found) << key;
      ASSERT_EQ(result.value, key / 2);
      ASSERT_EQ(accesses, 2u);
      ASSERT_EQ(PerfectHash::describe(view(), result.slot, words_[result.slot]).measure, 0u);
      ASSERT_TRUE(PerfectHash::is_valid(view(), result.slot, words_[result.slot]));
    }
    EXPECT_EQ(words_.size() - std::ranges::count(words_, Narrow::empty_word), keys.size());
    std::uint64_t in_buckets = 0;
    for (std::uint64_t bucket = 0; bucket < layout_.metadata(); ++bucket) {
      in_buckets += PerfectHash::group_size(view(), bucket);
    }
    EXPECT_EQ(in_buckets, keys.size());
  }

private:
  exec::Cpu exec_;
  Layout layout_;
  std::vector<Narrow::Word> words_;
  std::vector<std::uint64_t> metadata_;
};

double safe_load(std::uint32_t variant)
{
  return PerfectHash::guarantees({.parameters = {{"variant", variant}}}).safe_load;
}

class PerfectHashVariants : public ::testing::TestWithParam<std::uint32_t> {};
INSTANTIATE_TEST_SUITE_P(Variants, PerfectHashVariants,
                         ::testing::Values(PerfectHash::variant_fks, PerfectHash::variant_psh));

TEST_P(PerfectHashVariants, HoldsRandomSetsUpToItsSafeLoad)
{
  for (std::size_t const slots : {1, 2, 16, 17, 33, 64, 100, 1000, 10'000, 65'536, 100'003}) {
    SCOPED_TRACE(slots);
    auto const most = static_cast<std::size_t>(static_cast<double>(slots) * safe_load(GetParam()));
    for (std::size_t const count : {std::size_t{0}, std::size_t{1}, most / 2, most}) {
      if (count > most) { continue; }
      Table table(GetParam(), slots);
      Keys const keys = random_keys(count, static_cast<unsigned>(slots));
      ASSERT_EQ(table.build(keys), Built::done) << count;
      table.expect_holds(keys);
      EXPECT_EQ(PerfectHash::find(table.view(), 4'000'000'007u).outcome, Outcome::missing);
    }
  }
}

TEST_P(PerfectHashVariants, SmallTablesAreBuiltUnderAnySeed)
{
  Keys const keys = random_keys(16, 3);
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    auto const slots = static_cast<std::uint64_t>(std::ceil(16 / safe_load(GetParam())));
    ASSERT_EQ(Table(GetParam(), slots).build(keys, seed), Built::done) << seed;
  }
}

TEST_P(PerfectHashVariants, HoldsKeysThatFollowPatterns)
{
  constexpr std::uint32_t slots = 20'000;
  auto const count = static_cast<std::uint32_t>(slots * safe_load(GetParam()));
  std::uint32_t const buckets = static_cast<std::uint32_t>(Table(GetParam(), slots).layout().metadata());
  for (std::uint32_t const stride : {1u, 64u, 1u << 16, slots, buckets, 65'537u}) {
    SCOPED_TRACE(stride);
    Keys keys;
    for (std::uint32_t i = 0; i < count && std::uint64_t{i} * stride < Narrow::locked_key; ++i) {
      keys.push_back(i * stride);
    }
    Table table(GetParam(), slots);
    ASSERT_EQ(table.build(keys), Built::done);
    table.expect_holds(keys);
  }
}

TEST_P(PerfectHashVariants, HoldsTheLargestKeys)
{
  Keys keys;
  for (std::uint32_t i = 0; i < 400; ++i) { keys.push_back(Narrow::locked_key - 1 - i); }
  Table table(GetParam(), 1000);
  ASSERT_EQ(table.build(keys), Built::done);
  table.expect_holds(keys);
}

TEST_P(PerfectHashVariants, RefusesMoreKeysThanSlots)
{
  EXPECT_EQ(Table(GetParam(), 100).build(random_keys(101, 1)), Built::too_full);
  EXPECT_EQ(Table(GetParam(), 10'000).build(random_keys(10'001, 1)), Built::too_full);
}

TEST(FksHash, AreasOfSquareSizesLieApartWithinTheSlots)
{
  Table table(PerfectHash::variant_fks, 10'000);
  Keys const keys = random_keys(4'500, 5);
  ASSERT_EQ(table.build(keys), Built::done);
  std::uint64_t end = 0;
  for (std::uint64_t bucket = 0; bucket < table.layout().metadata(); ++bucket) {
    BucketNote const note = table.note(bucket);
    EXPECT_EQ(note.offset, end);
    end += std::uint64_t{note.size} * note.size;
  }
  EXPECT_GE(end, keys.size());
  EXPECT_LE(end, table.layout().slots());
}

TEST(FksHash, ChoosesTheFirstHashSoThatTheSquaresFit)
{
  constexpr std::uint64_t slots = 64;
  Keys const keys = random_keys(32, 2);  // the sum of squares is 32 + 32 * 31 / 32 = 63 on average
  std::uint32_t most = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    exec::Cpu exec;
    fks::Builder<exec::Cpu, Narrow> builder(exec);
    fks::Hashes hashes = fks::Hashes::of(slots);
    std::vector<Narrow::Word> words(slots, Narrow::empty_word);
    std::vector<std::uint64_t> metadata(hashes.buckets);
    ASSERT_EQ(builder.build(hashes, seed, {keys.data(), keys.data(), 0, keys.size()}, {words.data(), metadata.data()}),
              Built::done);
    std::uint64_t squares = 0;
    for (std::uint64_t const note : metadata) {
      std::uint64_t const size = BucketNote::unpack(note).size;
      squares += size * size;
    }
    EXPECT_LE(squares, slots);
    most = std::max(most, builder.seeds_tried());
  }
  EXPECT_GT(most, 1u);
}

TEST(FksHash, SaysSoWhereNoHashWillDo)
{
  EXPECT_EQ(Table(PerfectHash::variant_fks, 10'000).build(random_keys(7'000, 5)), Built::too_full);
  EXPECT_EQ(Table(PerfectHash::variant_fks, 16).build(random_keys(16, 5)), Built::too_full);
}

TEST(PshHash, FillsEverySlot)
{
  for (std::size_t const slots : {16, 100, 5'000, 200'000}) {
    Table table(PerfectHash::variant_psh, slots);
    Keys const keys = random_keys(slots, 9);
    ASSERT_EQ(table.build(keys), Built::done) << slots;
    table.expect_holds(keys);
  }
}

TEST(PshHash, KeysOfOneHomeAndOneBucketNeedAnotherSeed)
{
  // Of tables as small as these, about one seed in five has no such keys.
  exec::Cpu exec;
  psh::Builder<exec::Cpu, Narrow> builder(exec);
  psh::Hashes hashes = psh::Hashes::of(5'000);
  Keys const keys = random_keys(5'000, 4);
  std::vector<Narrow::Word> words(5'000, Narrow::empty_word);
  std::vector<std::uint64_t> metadata(hashes.buckets);
  std::uint32_t most = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    std::ranges::fill(words, Narrow::empty_word);
    std::ranges::fill(metadata, 0u);
    ASSERT_EQ(builder.build(hashes, seed, {keys.data(), keys.data(), 0, keys.size()}, {words.data(), metadata.data()}),
              Built::done);
    most = std::max(most, builder.seeds_tried());
  }
  EXPECT_GT(most, 1u);
}

}  // namespace
}  // namespace slotscape::perfect_hash_tests
