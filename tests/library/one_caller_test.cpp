#include "gpu/library/one_caller.hpp"
#include "gpu/library/view_ticket.hpp"

#include <gtest/gtest.h>

#include <memory>
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

TEST(OneCaller, IsOfNoUseOnceItWasMovedFromUntilAnotherMovesThere)
{
  Checking from, other;
  Checking to(std::move(from));  // NOLINTBEGIN(bugprone-use-after-move): what is tested
  EXPECT_NO_THROW(to.expect_here());
  EXPECT_THROW(static_cast<void>(from.enters()), Error);
  EXPECT_THROW(from.expect_here(), Error);
  from = std::move(other);
  EXPECT_NO_THROW(static_cast<void>(from.enters()));
  EXPECT_THROW(other.expect_here(), Error);  // NOLINTEND(bugprone-use-after-move)
}

TEST(ViewTickets, AreValidUntilTheyAreRetiredWhereverTheTableMoves)
{
  auto tickets = std::make_unique<ViewTickets<true>>();
  auto const first = tickets->issue();
  auto moved = std::make_unique<ViewTickets<true>>(std::move(*tickets));
  tickets = nullptr;
  EXPECT_NO_THROW(first.check());
  moved->retire();
  EXPECT_THROW(first.check(), Error);
  auto const second = moved->issue();
  EXPECT_NO_THROW(second.check());
  auto const copy = second;  // NOLINT(performance-unnecessary-copy-initialization): it is a copy that is tested
  *moved = ViewTickets<true>();
  EXPECT_THROW(copy.check(), Error);
  auto const third = moved->issue();
  moved = nullptr;
  EXPECT_THROW(third.check(), Error);
  EXPECT_NO_THROW(ViewTickets<true>::Ticket().check());
}

}  // namespace
}  // namespace slotscape::library
