// Farrell's own figures, at his scale: random keys, drawn with repetition, in 2^27 slots.

#include "gpu/engine/engine.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <random>

namespace slotscape {
namespace {

/// Knuth's mean probe length of a hit, 0 at home, for keys that are all the 32-bit words there are. The finaliser is a
/// bijection, so each of m home slots has 2^32/m keys, and different keys fall on homes like draws without replacement:
/// the variance of keys per home, and with it the mean displacement, is less than Knuth's by the factor 1 - m/2^32.
/// At m = 2^27 that is 3 %, and it is why Farrell's means are below Knuth's formula.
double expected_mean(Statistics const& found)
{
  double const universe = 1.0 - static_cast<double>(found.slots) / 0x1p32;
  return 0.5 * (1.0 / (1.0 - found.load_factor()) - 1.0) * universe;
}

/// Draws `count` random keys and inserts them, as Farrell's test did: some come twice.
Statistics insert_random(Engine& engine, std::mt19937& random, std::uint64_t count)
{
  std::vector<Key> keys(1u << 22);
  std::vector<Value> const values(keys.size(), 1);
  std::uniform_int_distribution<Key> any(0, largest_key(32));
  for (std::uint64_t done = 0; done < count; done += keys.size()) {
    for (Key& key : keys) { key = any(random); }
    engine.insert(keys, values);
  }
  return engine.statistics();
}

TEST(FarrellOnCuda, ProbeLengthsAtHisTwoLoads)
{
  if (!why_no_cuda().empty()) { GTEST_SKIP() << why_no_cuda(); }
  std::unique_ptr<Engine> const engine = make_engine(Backend::cuda, {.slots = 1u << 27});
  std::mt19937 random(2020);
  auto const report = [](char const* what, Statistics const& found) {
    std::printf("%s: %llu live, load factor %.4f, mean probe length %.4f (expected %.4f), max %llu\n", what,
                static_cast<unsigned long long>(found.live), found.load_factor(), found.probe_length.mean,
                expected_mean(found), static_cast<unsigned long long>(found.probe_length.max));
  };

  // Of 2^26 draws from 2^32 keys some come twice: 2^32 (1 - exp(-2^-6)) are left, a load of 0.496.
  Statistics const half = insert_random(*engine, random, 1u << 26);
  report("2^26 random keys", half);
  EXPECT_NEAR(static_cast<double>(half.live), 0x1p32 * (1.0 - std::exp(-0x1p-6)), 5000.0);
  EXPECT_NEAR(half.probe_length.mean, expected_mean(half), 0.002);
  EXPECT_NEAR(half.probe_length.mean, 0.4774, 0.002);
  EXPECT_GT(half.probe_length.max, 40u);
  EXPECT_LT(half.probe_length.max, 120u);

  Statistics const high = insert_random(*engine, random, (124u << 20) - (1u << 26));
  report("124 * 2^20 random keys", high);
  EXPECT_NEAR(high.probe_length.mean, expected_mean(high), 0.15);
  EXPECT_NEAR(high.probe_length.mean, 10.1757, 0.3);
  EXPECT_GT(high.probe_length.max, 3000u);
  EXPECT_LT(high.probe_length.max, 20000u);
}

}  // namespace
}  // namespace slotscape
