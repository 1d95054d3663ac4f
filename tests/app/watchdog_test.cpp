#include "tests/support/watchdog.hpp"

namespace slotscape {
namespace {

/// So that all families together take two minutes at most.
constexpr double state_seconds = 0.15;

/// Static tables are rebuilt as a whole for each batch of new keys, so that their size bounds a frame.
std::uint64_t slots_of(std::string const& family)
{
  bool const is_static = family_info(family).guarantees({.family = family}).is_static;
  return is_static ? 1u << 12 : 1u << 17;
}

class WatchdogTest : public testing::TestWithParam<std::string> {};

TEST_P(WatchdogTest, NoFrameTakesLongInTheWorstStates)
{
  test::Watchdog(GetParam(), slots_of(GetParam()), state_seconds).watch_all();
}

INSTANTIATE_TEST_SUITE_P(Families, WatchdogTest, testing::ValuesIn(family_names()),
                         [](auto const& info) { return info.param; });

}  // namespace
}  // namespace slotscape
