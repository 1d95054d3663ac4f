#include "app/tuning/hash_uniformity.hpp"

#include "app/simulation/hash_choice.hpp"
#include "app/simulation/names.hpp"
#include "gpu/analysis/theory.hpp"
#include "gpu/engine/engine.hpp"
#include "gpu/workloads/key_stream.hpp"

#include <gmock/gmock.h>

namespace slotscape::tuning {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

template <PairFormat Format>
std::vector<Key> drawn(KeyDistribution distribution, TableSettings const& table, std::size_t count)
{
  KeySettings settings;
  settings.distribution = distribution;
  settings.cluster_length = 256;
  auto const stream = key_stream_of<Format>(settings, 1, table);
  std::vector<Key> keys(count);
  for (std::size_t i = 0; i < count; ++i) { keys[i] = stream.key(i); }
  return keys;
}

std::vector<Key> keys_of(KeyDistribution distribution, TableSettings const& table, double load)
{
  auto const count = static_cast<std::size_t>(load * static_cast<double>(table.slots));
  return table.key_bits == 64 ? drawn<Wide>(distribution, table, count) : drawn<Narrow>(distribution, table, count);
}

/// What lookups really need in a table of these keys.
struct Needed {
  double hit;
  double miss;
};

Needed measured(TableSettings const& table, std::vector<Key> const& keys)
{
  auto const engine = make_engine(Backend::cpu, table);
  std::vector<Value> const values(keys.size(), 1);
  EXPECT_EQ(engine->insert(keys, values)[Outcome::inserted], keys.size());
  Statistics const statistics = engine->statistics();
  return {statistics.hit_accesses.mean, theory::measured_misses(statistics).value().mean};
}

constexpr std::array patterns{KeyDistribution::uniform, KeyDistribution::sequential, KeyDistribution::strided,
                              KeyDistribution::clustered, KeyDistribution::one_home};

/// The verdict and the accesses of a real table agree, for every hash and every pattern of keys.
TEST(TuningHashes, VerdictsAgreeWithMeasuredAccesses)
{
  for (int const key_bits : {32, 64}) {
    for (std::uint64_t const slots : {4096u, 5003u}) {
      for (double const load : {0.5, 0.82}) {
        for (KeyDistribution const pattern : patterns) {
          for (HashKind const hash : compiled_in_hashes) {
            TableSettings const table{.family = "linear_probing", .slots = slots, .hash = hash, .key_bits = key_bits};
            std::vector<Key> const keys = keys_of(pattern, table, load);
            HashUniformity const found = uniformity_of(hash, keys, key_bits, slots);
            Needed const needed = measured(table, keys);
            SCOPED_TRACE(to_text(HashChoice(hash)) + ", " + std::string(to_text(pattern)) + ": " + verdict_of(found));
            EXPECT_NEAR(found.probing.hit, needed.hit, 1e-6 * needed.hit);
            EXPECT_NEAR(found.probing.miss, needed.miss, 1e-6 * needed.miss);
            double const hit = theory::mean_probe_length(load) + 1.0;
            double const miss = theory::mean_probes_of_a_miss(load);
            switch (found.evenness()) {
              case Evenness::more_even:
                EXPECT_TRUE(needed.hit < hit || needed.miss < miss);
                EXPECT_LT(needed.hit, 1.06 * hit);
                EXPECT_LT(needed.miss, 1.06 * miss);
                break;
              case Evenness::less_even: EXPECT_GT(needed.hit, hit); break;
              case Evenness::runs_of_homes:
                EXPECT_LT(needed.hit, 1.06 * hit);
                EXPECT_GT(needed.miss, miss);
                break;
              case Evenness::as_random: EXPECT_NEAR(needed.hit, hit, 0.25 * hit); break;
            }
            bool const says_bad = verdict_of(found).find("choose another hash") != std::string::npos ||
                                  verdict_of(found).find("Choose another hash") != std::string::npos;
            EXPECT_EQ(says_bad, found.bad());
            if (needed.hit < hit && needed.miss < miss) { EXPECT_FALSE(found.bad()); }
            if (needed.hit > 2.0 * hit) { EXPECT_TRUE(found.bad(0.0)); }
            if (needed.miss > 2.0 * miss) { EXPECT_TRUE(found.bad(1.0)); }
          }
        }
      }
    }
  }
}

/// Two and two keys share their homes here, more than of random homes; and yet lookups are shorter.
TEST(TuningHashes, PairsOfSequentialKeysAreGoodUnderFibonacciHashing)
{
  TableSettings const table{.family = "linear_probing", .slots = 1u << 21, .hash = HashKind::fibonacci};
  for (double const load : {0.5, 0.82}) {
    HashUniformity const found =
        uniformity_of(HashKind::fibonacci, keys_of(KeyDistribution::sequential, table, load), 32, table.slots);
    EXPECT_GT(found.shared, 1.15 * found.expected_shared);
    EXPECT_LT(found.z, -100.0);
    EXPECT_EQ(found.longest_run, 2u);
    EXPECT_EQ(found.evenness(), Evenness::more_even);
    EXPECT_FALSE(found.bad());
    EXPECT_THAT(verdict_of(found), AllOf(HasSubstr("more evenly than random homes"), HasSubstr("good for"),
                                         Not(HasSubstr("another hash"))));
    EXPECT_LT(slowdown_of(found, family_info("linear_probing"), 0.3), 0.9);
    EXPECT_LT(slowdown_of(found, family_info("hash_graph"), 0.3), 1.25) << "chains are a little longer";
  }
}

TEST(TuningHashes, RunsAreGoodForHitsAndBadForMisses)
{
  TableSettings const table{.family = "linear_probing", .slots = 1u << 14, .hash = HashKind::identity};
  HashUniformity const found =
      uniformity_of(HashKind::identity, keys_of(KeyDistribution::sequential, table, 0.5), 32, table.slots);
  EXPECT_DOUBLE_EQ(found.probing.hit, 1.0);
  EXPECT_NEAR(found.probing.miss, 1.0 + 0.5 * 8192.0 * 8193.0 / 16384.0, 1e-6);
  EXPECT_EQ(found.evenness(), Evenness::runs_of_homes);
  EXPECT_FALSE(found.bad(0.0));
  EXPECT_TRUE(found.bad(0.5));
  EXPECT_LT(slowdown_of(found, family_info("robin_hood"), 0.9), 1.0) << "its misses end early";
}

TEST(TuningHashes, FullAndNearlyEmptyTablesHaveVerdicts)
{
  for (std::size_t const count : {1u, 2u, 63u, 64u}) {
    std::vector<Key> keys(count);
    for (std::size_t i = 0; i < count; ++i) { keys[i] = i; }
    for (HashKind const hash : compiled_in_hashes) {
      HashUniformity const found = uniformity_of(hash, keys, 32, 64);
      EXPECT_GE(found.probing.hit, 1.0);
      EXPECT_TRUE(std::isfinite(found.probing.miss) && std::isfinite(found.random_probing.miss));
      EXPECT_FALSE(verdict_of(found).empty());
    }
  }
  std::vector<Key> const many(1000, 7);  // more keys than slots, as in chains
  EXPECT_FALSE(verdict_of(uniformity_of(HashKind::murmur3, many, 32, 64)).empty());
}

TEST(TuningHashes, TheVerdictSaysWhatAHashLoses)
{
  std::vector<Key> keys(10'000);
  for (std::size_t i = 0; i < keys.size(); ++i) { keys[i] = 8 * i; }
  auto const verdict = [&](std::string const& hash, std::uint64_t slots) {
    return verdict_of(uniformity_of(hash_from_text(hash), keys, 32, slots));
  };
  EXPECT_THAT(verdict("identity", 1u << 15),
              ::testing::HasSubstr("These keys differ by multiples of 8, which leaves them 2^12 homes."));
  EXPECT_THAT(verdict("formula: murmur3(k) & 0xfff", 1u << 15),
              ::testing::HasSubstr("The hash has only 2^12 different values."));
  EXPECT_THAT(verdict("murmur3", 1u << 15), ::testing::Not(::testing::HasSubstr("only")));
}

}  // namespace
}  // namespace slotscape::tuning
