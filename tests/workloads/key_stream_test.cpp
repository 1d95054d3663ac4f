#include "gpu/workloads/key_stream.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <unordered_set>
#include <vector>

namespace slotscape {
namespace {

template <PairFormat Format>
KeyStream<Format> stream_of(KeyDistribution distribution, std::uint64_t seed = 1)
{
  KeyStream<Format> stream{};
  stream.distribution = distribution;
  stream.seed = seed;
  stream.hasher = {HashKind::murmur3, 1u << 16};
  stream.stride_bits = 6;
  stream.cluster_bits = 12;
  stream.zipf_exponent = 0.99;
  stream.zipf_keys = 1000;
  return stream;
}

constexpr std::array bijective{KeyDistribution::uniform, KeyDistribution::sequential, KeyDistribution::strided,
                               KeyDistribution::clustered, KeyDistribution::one_home};

using Widths = ::testing::Types<Narrow, Wide>;

/// Tests of keys of one width.
template <PairFormat Format>
class KeyStreamTest : public ::testing::Test {
};

struct WidthName {
  template <PairFormat Format>
  static std::string GetName(int)
  {
    return std::to_string(Format::bits) + "_bits";
  }
};
TYPED_TEST_SUITE(KeyStreamTest, Widths, WidthName);

TYPED_TEST(KeyStreamTest, KeysAreDistinctAndMissesAreNoneOfThem)
{
  for (KeyDistribution const distribution : bijective) {
    SCOPED_TRACE(int(distribution));
    auto const stream = stream_of<TypeParam>(distribution);
    std::unordered_set<Key> keys;
    for (std::uint64_t i = 0; i < 300'000; ++i) {
      auto const key = stream.key(i);
      ASSERT_FALSE(TypeParam::is_reserved(key));
      ASSERT_TRUE(keys.insert(key).second) << "key " << i;
    }
    for (std::uint64_t i = 0; i < 100'000; ++i) { ASSERT_FALSE(keys.contains(stream.miss(i))) << "miss " << i; }
  }
}

TYPED_TEST(KeyStreamTest, AbsentKeysOfStridesAreMultiplesOfThemToo)
{
  for (int const bits : {1, 5, 6, 20}) {
    auto stream = stream_of<TypeParam>(KeyDistribution::strided);
    stream.stride_bits = bits;
    std::uint64_t const stride = std::uint64_t{1} << bits;
    std::unordered_set<Key> different;
    for (std::uint64_t i = 0; i < 1000; ++i) {
      ASSERT_EQ(stream.key(i), i * stride);
      ASSERT_EQ(stream.miss(i) % stride, 0u) << bits;
      different.insert(stream.miss(i));
    }
    EXPECT_GT(different.size(), 700u) << bits;
  }
  auto strides = stream_of<Narrow>(KeyDistribution::strided);
  EXPECT_EQ(strides.key((1u << 25) - 1), 0x7fffffc0u);
  EXPECT_EQ(strides.key(1u << 25), 1u) << "the numbers after the multiples";
}

TYPED_TEST(KeyStreamTest, MissesAreNeverReservedAndAlwaysEnd)
{
  // The numbers of seed 1 whose random ordinals are the two largest of all: in streams of 32-bit keys that give
  // ordinals as they are, these would be the reserved keys.
  for (KeyDistribution const distribution : bijective) {
    for (std::uint64_t const number : {159890906ull, 1398058825ull}) {
      EXPECT_FALSE(TypeParam::is_reserved(stream_of<TypeParam>(distribution).miss(number))) << int(distribution);
    }
  }
}

TYPED_TEST(KeyStreamTest, MissesOfAFileAreNotInIt)
{
  std::vector<typename TypeParam::Key> const file{5, 6, 7};
  auto stream = stream_of<TypeParam>(KeyDistribution::file);
  stream.file_keys = file.data();
  stream.sorted_file_keys = file.data();
  stream.file_count = file.size();
  for (std::uint64_t i = 0; i < 1000; ++i) {
    auto const key = stream.miss(i);
    ASSERT_TRUE(key < 5 || key > 7);
    ASSERT_FALSE(TypeParam::is_reserved(key));
  }
}

TEST(KeyStream, WideKeysAreSpreadOverAllNumbers)
{
  for (KeyDistribution const distribution : {KeyDistribution::uniform, KeyDistribution::clustered}) {
    auto const stream = stream_of<Wide>(distribution);
    int above = 0;
    for (std::uint64_t i = 0; i < 100; ++i) { above += stream.key(i << 12) > 0xffffffffu; }
    EXPECT_GT(above, 90) << int(distribution);
  }
}

TEST(KeyStream, ZipfRanksAreAsOftenAsTheirPower)
{
  for (double const exponent : {0.5, 0.99, 1.0, 1.5}) {
    SCOPED_TRACE(exponent);
    auto stream = stream_of<Narrow>(KeyDistribution::zipf);
    stream.zipf_exponent = exponent;
    double norm = 0.0;
    for (int rank = 1; rank <= 1000; ++rank) { norm += std::pow(rank, -exponent); }
    auto const ordinals = stream_of<Narrow>(KeyDistribution::uniform);  // gives the key of each rank
    std::vector<int> times(4);
    int const draws = 200'000;
    std::vector<Key> keys;
    for (std::uint64_t rank = 0; rank < times.size(); ++rank) { keys.push_back(ordinals.key(rank)); }
    for (std::uint64_t i = 0; i < draws; ++i) {
      Key const key = stream.key(i);
      for (std::size_t rank = 0; rank < keys.size(); ++rank) { times[rank] += key == keys[rank]; }
    }
    for (std::size_t rank = 0; rank < times.size(); ++rank) {
      double const p = std::pow(static_cast<double>(rank + 1), -exponent) / norm;
      EXPECT_NEAR(times[rank], draws * p, 4.5 * std::sqrt(draws * p * (1.0 - p))) << "rank " << rank + 1;
    }
  }
}

TEST(Permutation, IsABijectionOfAnySize)
{
  for (int bits = 0; bits <= 16; ++bits) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      Permutation const permutation{seed, bits};
      std::vector<bool> seen(std::size_t{1} << bits);
      for (std::uint32_t x = 0; x < seen.size(); ++x) {
        std::uint32_t const y = permutation(x);
        ASSERT_LT(y, seen.size());
        ASSERT_FALSE(seen[y]);
        seen[y] = true;
      }
    }
  }
}

TEST(Shuffle, IsABijectionOfAnySize)
{
  for (std::uint64_t const size : {1u, 2u, 3u, 100u, 1000u, 4097u}) {
    Shuffle const shuffle = make_shuffle(7, size);
    std::vector<bool> seen(size);
    for (std::uint32_t x = 0; x < size; ++x) {
      ASSERT_LT(shuffle(x), size);
      ASSERT_FALSE(seen[shuffle(x)]);
      seen[shuffle(x)] = true;
    }
  }
}

TYPED_TEST(KeyStreamTest, HashesRunBackwards)
{
  for (HashKind const kind : {HashKind::murmur3, HashKind::xxhash, HashKind::fibonacci, HashKind::identity}) {
    for (std::uint64_t const slots : {16ull, 17ull, 32ull, 100ull, 1009ull, 65536ull, 1ull << 27, 1ull << 31}) {
      SCOPED_TRACE(::testing::Message() << "hash " << int(kind) << ", " << slots << " slots");
      HasherOf<TypeParam> const hasher{kind, slots};
      std::unordered_set<Key> keys;
      for (std::uint64_t const number : {std::uint64_t{0}, hasher.keys_per_home() - 1}) {
        for (std::uint64_t const home : {std::uint64_t{0}, std::uint64_t{1}, slots / 3, slots - 1}) {
          auto const key = hasher.key_with_home(static_cast<Slot>(home), number);
          EXPECT_EQ(hasher.home(key), home);
          EXPECT_TRUE(keys.insert(key).second);
        }
      }
    }
  }
}

TYPED_TEST(KeyStreamTest, HomesAreEvenlySpread)
{
  for (HashKind const kind : {HashKind::murmur3, HashKind::xxhash, HashKind::fibonacci}) {
    for (std::uint64_t const slots : {64u, 100u}) {
      std::vector<int> keys_at(slots);
      HasherOf<TypeParam> const hasher{kind, slots};
      for (std::uint32_t key = 0; key < 100'000; ++key) {
        Slot const home = hasher.home(key);
        ASSERT_LT(home, slots);
        ++keys_at[home];
      }
      double const expected = 100'000.0 / static_cast<double>(slots);
      for (int const count : keys_at) { EXPECT_NEAR(count, expected, 6.0 * std::sqrt(expected)) << int(kind); }
    }
  }
}

TEST(Hasher, MurmurIsThePublishedFinaliser)
{
  std::uint32_t const mask = 0x7fffffffu;
  constexpr HasherOf<Narrow> narrow{HashKind::murmur3, 1u << 31};
  EXPECT_EQ(narrow.home(0), 0u);
  EXPECT_EQ(narrow.home(1), 0x514e28b7u);
  EXPECT_EQ(narrow.home(0xffffffffu), 0x81f16f39u & mask);
  constexpr HasherOf<Wide> wide{HashKind::murmur3, 1u << 31};
  EXPECT_EQ(wide.home(1), 0xb456bcfc34c2cb2cu & mask);
}

}  // namespace
}  // namespace slotscape
