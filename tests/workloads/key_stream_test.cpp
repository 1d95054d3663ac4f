#include "gpu/workloads/key_stream.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <unordered_set>
#include <vector>

namespace slotscape {
namespace {

KeyStream stream_of(KeyDistribution distribution, std::uint64_t seed = 1)
{
  KeyStream stream{};
  stream.distribution = distribution;
  stream.seed = seed;
  stream.hasher = {HashKind::murmur3, 16};
  stream.stride_bits = 6;
  stream.cluster_bits = 12;
  stream.zipf_exponent = 0.99;
  stream.zipf_keys = 1000;
  return stream;
}

constexpr std::array bijective{KeyDistribution::uniform, KeyDistribution::sequential, KeyDistribution::strided,
                               KeyDistribution::clustered, KeyDistribution::one_home};

TEST(KeyStream, KeysAreDistinctAndMissesAreNoneOfThem)
{
  for (KeyDistribution const distribution : bijective) {
    SCOPED_TRACE(int(distribution));
    KeyStream const stream = stream_of(distribution);
    std::unordered_set<Key> keys;
    for (std::uint64_t i = 0; i < 300'000; ++i) {
      Key const key = stream.key(i);
      ASSERT_LT(key, tombstone_key);
      ASSERT_TRUE(keys.insert(key).second) << "key " << i;
    }
    for (std::uint64_t i = 0; i < 100'000; ++i) { ASSERT_FALSE(keys.contains(stream.miss(i))) << "miss " << i; }
  }
}

TEST(KeyStream, MissesAreNeverReservedAndAlwaysEnd)
{
  // The numbers of seed 1 whose random ordinals are the two largest of all: in streams that give ordinals as they are,
  // these would be the reserved keys.
  for (KeyDistribution const distribution : bijective) {
    for (std::uint64_t const number : {159890906ull, 1398058825ull}) {
      EXPECT_LT(stream_of(distribution).miss(number), tombstone_key) << int(distribution);
    }
  }
}

TEST(KeyStream, MissesOfAFileAreNotInIt)
{
  std::vector<Key> const file{5, 6, 7};
  KeyStream stream = stream_of(KeyDistribution::file);
  stream.file_keys = file.data();
  stream.sorted_file_keys = file.data();
  stream.file_count = file.size();
  for (std::uint64_t i = 0; i < 1000; ++i) {
    Key const key = stream.miss(i);
    ASSERT_TRUE(key < 5 || key > 7);
    ASSERT_LT(key, tombstone_key);
  }
}

TEST(KeyStream, ZipfRanksAreAsOftenAsTheirPower)
{
  for (double const exponent : {0.5, 0.99, 1.0, 1.5}) {
    SCOPED_TRACE(exponent);
    KeyStream stream = stream_of(KeyDistribution::zipf);
    stream.zipf_exponent = exponent;
    double norm = 0.0;
    for (int rank = 1; rank <= 1000; ++rank) { norm += std::pow(rank, -exponent); }
    KeyStream const ordinals = stream_of(KeyDistribution::uniform);  // gives the key of each rank
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

TEST(Hasher, RunsBackwards)
{
  for (HashKind const kind : {HashKind::murmur3, HashKind::xxhash, HashKind::fibonacci, HashKind::identity}) {
    for (int const bits : {4, 5, 16, 27, 31}) {
      Hasher const hasher{kind, bits};
      std::unordered_set<Key> keys;
      for (std::uint32_t number = 0; number < 2; ++number) {
        for (Slot const home : {Slot{0}, Slot{1}, hasher.mask() / 3, hasher.mask()}) {
          Key const key = hasher.key_with_home(home, number);
          EXPECT_EQ(hasher.home(key), home);
          EXPECT_TRUE(keys.insert(key).second);
        }
      }
    }
  }
}

TEST(Hasher, MurmurIsThePublishedFinaliser)
{
  constexpr Hasher hasher{HashKind::murmur3, 31};
  EXPECT_EQ(hasher.home(0), 0u);
  EXPECT_EQ(hasher.home(1), 0x514e28b7u);
  EXPECT_EQ(hasher.home(0xffffffffu), 0x81f16f39u & hasher.mask());
}

}  // namespace
}  // namespace slotscape
