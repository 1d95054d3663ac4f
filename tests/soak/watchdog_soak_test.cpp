#include "tests/support/watchdog.hpp"

namespace slotscape {
namespace {

constexpr double state_seconds = 10.0;  ///< a dozen states take about two minutes
constexpr double an_hour = 3600.0;
constexpr std::uint64_t slots = 1u << 18;

class WatchdogSoakTest : public testing::TestWithParam<std::string> {};

TEST_P(WatchdogSoakTest, NoFrameTakesLongInTheWorstStates)
{
  test::Watchdog(GetParam(), slots, state_seconds).watch_all();
}

INSTANTIATE_TEST_SUITE_P(Families, WatchdogSoakTest, testing::ValuesIn(family_names()),
                         [](auto const& info) { return info.param; });

TEST(EngineersHour, HasNoFrozenFrame)
{
  test::Watchdog("warp_cooperative", slots, an_hour / 2.0).watch_tombstones();
}

}  // namespace
}  // namespace slotscape
