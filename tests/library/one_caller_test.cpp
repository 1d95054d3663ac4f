#include "gpu/library/one_caller.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <utility>

namespace slotscape::library {
namespace {

using Checking = OneCallerIf<true>;

TEST(OneCaller, RefusesASecondThreadWhileTheFirstCalls)
{
  Checking caller;
  auto const enter_elsewhere = [&] {
    bool refused = false;
    std::thread([&] {
      try {
        auto const call = caller.enters();
      } catch (Error const&) {
        refused = true;
      }
    }).join();
    return refused;
  };
  {
    auto const call = caller.enters();
    EXPECT_TRUE(enter_elsewhere());
    {
      auto const nested = caller.enters();
    }
    EXPECT_TRUE(enter_elsewhere()) << "the outer call goes on";
  }
  EXPECT_FALSE(enter_elsewhere());
}

TEST(OneCaller, LeavesACallBehindWhenItMoves)
{
  Checking from;
  auto const call = from.enters();
  Checking to(std::move(from));
  bool refused = false;
  std::thread([&] {
    try {
      auto const other = to.enters();
    } catch (Error const&) {
      refused = true;
    }
  }).join();
  EXPECT_FALSE(refused);
}

}  // namespace
}  // namespace slotscape::library
