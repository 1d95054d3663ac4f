#include "tests/support/watchdog.hpp"

namespace slotscape {
namespace {

constexpr double state_seconds = 10.0;  ///< a dozen states take about two minutes
constexpr double an_hour = 3600.0;
constexpr std::uint64_t slots = 1u << 18;

class WatchdogSoakTest : public testing::TestWithParam<std::string> {};

TEST_P(WatchdogSoakTest, NoFrameTakesLongInTheWorstStates)
{
  test::expect_no_long_frame(GetParam(), [] {
    test::Watchdog watchdog(GetParam(), slots, state_seconds);
    watchdog.watch_all();
    return watchdog.longest_frames();
  });
}

INSTANTIATE_TEST_SUITE_P(Families, WatchdogSoakTest, testing::ValuesIn(family_names()),
                         [](auto const& info) { return info.param; });

TEST(EngineersHour, HasNoFrozenFrame)
{
  test::expect_no_long_frame("warp_cooperative", [] {
    test::Watchdog watchdog("warp_cooperative", slots, an_hour / 2.0);
    watchdog.watch_tombstones();
    return watchdog.longest_frames();
  });
}

}  // namespace
}  // namespace slotscape
