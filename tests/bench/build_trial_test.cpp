#include "gpu/bench/build_trial.hpp"

#include "gpu/bench/texels.hpp"
#include "gpu/execution/backend.hpp"

#include <gtest/gtest.h>

namespace slotscape::bench::build_trial_tests {
namespace {

class EveryTrialBackend : public ::testing::TestWithParam<Backend> {
protected:
  void SetUp() override
  {
    if (GetParam() == Backend::cuda && !why_no_cuda().empty()) { GTEST_SKIP() << why_no_cuda(); }
  }
};
INSTANTIATE_TEST_SUITE_P(On, EveryTrialBackend, ::testing::Values(Backend::cpu, Backend::cuda),
                         [](auto const& info) { return info.param == Backend::cpu ? "cpu" : "cuda"; });

/// Every key is looked up by the bench itself, which throws if one is missing.
TEST_P(EveryTrialBackend, BuildsTablesOfThePapersLoad)
{
  auto const trials = make_build_trials(GetParam(), 409 * 20 - 5);
  EXPECT_EQ(trials->slots(), 20u * 576);
  EXPECT_EQ(trials->memory_bytes(), 20u * (576 * 8 + 8));
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    auto const trial = trials->run(seed, {});
    ASSERT_TRUE(trial);
    EXPECT_GT(trial->seconds, 0.0);
    EXPECT_GT(trial->rounds, 1.0);  // the paper: 5.5 on average
    EXPECT_LT(trial->rounds, 12.0);
    EXPECT_LE(trial->restarts, 2u);
  }
  EXPECT_FALSE(trials->run(6, Progress([](Progress const&) { return false; })));
}

TEST_P(EveryTrialBackend, HasMemoryForPictures)
{
  auto const texels = make_texels(GetParam(), 100);
  EXPECT_EQ(texels->target().capacity, 100u);
  EXPECT_EQ(texels->read().size(), 100u);
}

}  // namespace
}  // namespace slotscape::bench::build_trial_tests
