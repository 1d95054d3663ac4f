#include "tests/support/watchdog.hpp"

namespace slotscape {
namespace {

/// So that all families together take two minutes at most.
constexpr double state_seconds = 0.15;

constexpr std::uint64_t slots = 1u << 17;

class WatchdogTest : public testing::TestWithParam<std::string> {};

TEST_P(WatchdogTest, NoFrameTakesLongInTheWorstStates)
{
  test::expect_no_long_frame(GetParam(), [] {
    test::Watchdog watchdog(GetParam(), slots, state_seconds);
    watchdog.watch_all();
    return watchdog.longest_frames();
  });
}

INSTANTIATE_TEST_SUITE_P(Families, WatchdogTest, testing::ValuesIn(family_names()),
                         [](auto const& info) { return info.param; });

}  // namespace
}  // namespace slotscape
