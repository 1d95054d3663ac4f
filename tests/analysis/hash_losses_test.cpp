#include "gpu/analysis/hash_losses.hpp"

#include "gpu/tables/hash_formula.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace slotscape {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;
using Kind = HashLoss::Kind;

std::vector<std::uint64_t> keys_in_steps(std::uint64_t step, std::uint64_t count = 2000)
{
  std::vector<std::uint64_t> keys;
  for (std::uint64_t i = 1; i <= count; ++i) { keys.push_back(i * step); }
  return keys;
}

std::vector<HashLoss> losses(std::string const& formula, std::uint64_t slots,
                             std::vector<std::uint64_t> const& keys = keys_in_steps(1), int key_bits = 32)
{
  return losses_of(HashChoice(parse_hash_formula(formula)), keys, key_bits, slots);
}

TEST(HashLosses, AreNoneOfAHashThatMixes)
{
  for (std::uint64_t const slots : {11u, 1024u, 65537u, 1u << 20}) {
    EXPECT_THAT(losses_of(HashKind::murmur3, keys_in_steps(8), 32, slots), IsEmpty()) << slots;
    EXPECT_THAT(losses("murmur3(k)", slots, keys_in_steps(8)), IsEmpty()) << slots;
    EXPECT_THAT(losses("x*73856093 ^ y*19349669 ^ z*83492791", slots, keys_in_steps(7), 64), IsEmpty()) << slots;
    EXPECT_THAT(losses("k % m", slots), IsEmpty()) << slots;
  }
}

TEST(HashLosses, CountTheValuesOfAHash)
{
  EXPECT_THAT(losses("murmur3(k) & 0xfffff", 1u << 22), Contains(HashLoss{Kind::few_values, 1u << 20}));
  EXPECT_THAT(losses("murmur3(k) & 0xfffff", 1u << 20), IsEmpty());
  EXPECT_THAT(losses("murmur3(k) % 1000", 4096), Contains(HashLoss{Kind::few_values, 1000}));
  EXPECT_EQ(losses_in_words(losses("murmur3(k) & 0xfffff", 1u << 22)), "The hash has only 2^20 different values.");
}

TEST(HashLosses, SeeThatCoordinatesAreTreatedAlike)
{
  EXPECT_THAT(losses("murmur3(x + y + z)", 4096), Contains(HashLoss{Kind::symmetric, 0, 1}));
  EXPECT_THAT(losses("murmur3(x * y) + 3 * z", 4096), Contains(HashLoss{Kind::symmetric, 0, 1}));
  EXPECT_THAT(losses("murmur3(x * y) + 3 * z", 4096), ::testing::Not(Contains(HashLoss{Kind::symmetric, 0, 2})));
  EXPECT_EQ(losses_in_words(std::vector{HashLoss{Kind::symmetric, 0, 1}}),
            "x and y may be swapped without changing the hash.");
}

TEST(HashLosses, SeeBitsThatNeverChange)
{
  EXPECT_THAT(losses("8 * murmur3(k)", 4096), Contains(HashLoss{Kind::constant_bits, 3}));
  EXPECT_EQ(losses_in_words(std::vector{HashLoss{Kind::constant_bits, 3}}), "The low 3 bits of a home never change.");
}

TEST(HashLosses, SeeBitsThatDoNotMatter)
{
  EXPECT_THAT(losses("k & 7", 4096), Contains(HashLoss{Kind::period, 8}));
  EXPECT_THAT(losses("murmur3(k & 0xffffff0f)", 4096), Contains(HashLoss{Kind::unused_bits, 4, 7}));
  EXPECT_THAT(losses("murmur3(k & 0xffffff0f)", 4096, {1, 2, 3}), IsEmpty());  // these keys do not differ there
  EXPECT_EQ(losses_in_words(std::vector{HashLoss{Kind::period, 8}}),
            "Keys that differ by a multiple of 8 share a home.");
}

TEST(HashLosses, SeeTheStepsOfKeys)
{
  EXPECT_THAT(losses_of(HashKind::identity, keys_in_steps(8), 32, 1u << 16),
              Contains(HashLoss{Kind::lattice, 1u << 13, 8}));
  EXPECT_THAT(losses_of(HashKind::identity, keys_in_steps(8), 32, 65537), IsEmpty());
  EXPECT_THAT(losses("k % m", 1000, keys_in_steps(10)), Contains(HashLoss{Kind::lattice, 100, 10}));
}

}  // namespace
}  // namespace slotscape
