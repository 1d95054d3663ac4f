#include "gpu/bench/rivals.hpp"

#include "gpu/base/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <span>
#include <string>

namespace slotscape::bench::rivals_tests {
namespace {

constexpr TimedMask everything = (1u << timed_of_tables) - 1;

class EveryRival : public ::testing::TestWithParam<Rival> {
protected:
  void SetUp() override
  {
    if (!GetParam().built_in) { GTEST_SKIP() << "built without " << GetParam().package; }
  }
  TableCase subject(int key_bits, double load) const
  {
    return {{.family = std::string(GetParam().name), .slots = 4096, .key_bits = key_bits}, load, {}, 0};
  }
};

/// The bench itself checks every answer.
TEST_P(EveryRival, GoesThroughAllOperationsAndAnswersRight)
{
  for (int const bits : {32, 64}) {
    for (double const load : {0.5, 0.95}) {
      TableCase wanted = subject(bits, load);
      wanted.batch = 700;
      auto const table = make_table_bench(Backend::cpu, wanted);
      for (std::uint64_t seed = 1; seed <= 2; ++seed) {
        auto const round = table->run(seed, everything, {});
        ASSERT_TRUE(round);
        for (auto const& run : std::span(*round).first<timed_of_tables>()) {
          ASSERT_TRUE(run);
          EXPECT_GT(run->seconds, 0.0);
          EXPECT_EQ(run->failed, 0u);
        }
      }
      EXPECT_FALSE(table->accesses(Timed::find_hit));
    }
  }
}

TEST_P(EveryRival, CountsItsMemory)
{
  auto const table = make_table_bench(Backend::cpu, subject(32, 0.5));
  table->run(1, mask_of(Timed::insert), {});
  EXPECT_GE(table->memory_bytes(), 2048u * 8);
  EXPECT_LE(table->memory_bytes(), 4096u * 64 + 65536);
}

TEST_P(EveryRival, UpdatesKeysThatComeAgain)
{
  TableCase wanted = subject(32, 0.5);
  wanted.keys.distribution = KeyDistribution::zipf;
  EXPECT_TRUE(make_table_bench(Backend::cpu, wanted)->run(1, everything, {}));
}

INSTANTIATE_TEST_SUITE_P(Is, EveryRival, ::testing::ValuesIn(rivals().begin(), rivals().end()), [](auto const& info) {
  std::string name(info.param.name);
  std::ranges::replace_if(
      name, [](char letter) { return std::isalnum(letter) == 0; }, '_');
  return name;
});

TEST(Rivals, AreNoFamilies)
{
  ASSERT_NE(rival_of("std::unordered_map"), nullptr);
  EXPECT_EQ(rival_of("linear_probing"), nullptr);
  EXPECT_EQ(subject_info("linear_probing").name, "linear_probing");
  EXPECT_EQ(subject_info("absl::flat_hash_map").name, "absl::flat_hash_map");
  EXPECT_THROW(subject_info("std::map"), Error);
  EXPECT_THROW(make_table_bench(Backend::cuda, {{.family = "std::unordered_map"}, 0.5, {}, 0}), Error);
}

}  // namespace
}  // namespace slotscape::bench::rivals_tests
