#include "gpu/base/work.hpp"

#include <gmock/gmock.h>

#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>

namespace slotscape {
namespace {

using ::testing::ElementsAre;
using ::testing::ThrowsMessage;

/// Work that squares numbers: each number waits until it is let go, or the work is cancelled.
class Squares {
public:
  int compute(int number, Progress const& progress)
  {
    std::unique_lock lock(mutex_);
    begun_.push_back(number);
    wake_.notify_all();
    progress.report(0.5);
    while (!let_go_.contains(number)) {
      if (progress.cancelled()) {
        ended_by_cancel_.push_back(number);
        throw Cancelled();
      }
      wake_.wait_for(lock, std::chrono::milliseconds(1));
    }
    if (number < 0) { throw Error("negative"); }
    return number * number;
  }
  void let_go(int number)
  {
    std::scoped_lock const lock(mutex_);
    let_go_.insert(number);
    wake_.notify_all();
  }
  void await_begin_of(int number)
  {
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [&] { return !begun_.empty() && begun_.back() == number; });
  }
  std::vector<int> begun()
  {
    std::scoped_lock const lock(mutex_);
    return begun_;
  }
  std::vector<int> ended_by_cancel()
  {
    std::scoped_lock const lock(mutex_);
    return ended_by_cancel_;
  }

private:
  std::mutex mutex_;
  std::condition_variable wake_;
  std::set<int> let_go_;
  std::vector<int> begun_;
  std::vector<int> ended_by_cancel_;
};

class WorkTest : public ::testing::Test {
protected:
  using Squaring = Work<int, int>;

  /// The next outcome, whatever has to be started for it.
  Squaring::Outcome outcome()
  {
    while (true) {
      work_.wait();
      if (auto outcome = work_.take()) { return *std::move(outcome); }
      work_.resume();
    }
  }
  void rethrow(std::exception_ptr const& error) { std::rethrow_exception(error); }

  Squares squares_;
  Squaring work_{[this](int number, Progress const& progress) { return squares_.compute(number, progress); }};
};

TEST_F(WorkTest, AnswersAQueryOnAThreadOfItsOwn)
{
  std::thread::id thread;
  Work<int, int> work([&](int number, Progress const&) {
    thread = std::this_thread::get_id();
    return number + 1;
  });
  EXPECT_FALSE(work.busy());
  EXPECT_FALSE(work.take());
  work.start(1);
  EXPECT_TRUE(work.busy());
  EXPECT_TRUE(work.wait());
  EXPECT_TRUE(work.busy()) << "until the outcome is taken";
  EXPECT_EQ(work.take()->result, 2);
  EXPECT_FALSE(work.busy());
  EXPECT_NE(thread, std::this_thread::get_id());
}

TEST_F(WorkTest, TheNewestQueryWins)
{
  work_.start(1);
  squares_.await_begin_of(1);
  work_.start(2);
  work_.start(3);
  squares_.let_go(3);
  Squaring::Outcome const found = outcome();
  EXPECT_EQ(found.query, 3);
  EXPECT_EQ(found.result, 9);
  EXPECT_THAT(squares_.begun(), ElementsAre(1, 3)) << "2 was never begun";
  EXPECT_THAT(squares_.ended_by_cancel(), ElementsAre(1));
  EXPECT_TRUE(work_.is_answered(3));
}

TEST_F(WorkTest, FollowsAQueryThatChanges)
{
  EXPECT_TRUE(work_.follow(1));
  EXPECT_FALSE(work_.follow(1)) << "it runs";
  EXPECT_FALSE(work_.follow(2, true)) << "what runs may end first";
  EXPECT_FALSE(work_.is_answered(2));
  squares_.let_go(1);
  squares_.let_go(2);
  EXPECT_EQ(outcome().result, 1);
  EXPECT_TRUE(work_.follow(2, true));
  EXPECT_EQ(outcome().result, 4);
  EXPECT_TRUE(work_.is_answered(2));
}

TEST_F(WorkTest, WhatRunsIsNotBegunAgainForTheSameQuery)
{
  work_.follow(1);
  work_.follow(2, true);
  work_.follow(1, true);
  squares_.let_go(1);
  EXPECT_EQ(outcome().result, 1);
  EXPECT_TRUE(work_.is_answered(1));
  EXPECT_THAT(squares_.begun(), ElementsAre(1));
}

TEST_F(WorkTest, ACancelledQueryIsAnErrorOfItsOwn)
{
  squares_.let_go(2);
  work_.start(2);
  EXPECT_EQ(outcome().result, 4);
  work_.start(3);
  squares_.await_begin_of(3);
  EXPECT_EQ(work_.progress().share(), 0.5);
  work_.start(4);
  work_.cancel();
  Squaring::Outcome const ended = outcome();
  EXPECT_EQ(ended.query, 3) << "4 is forgotten";
  EXPECT_THROW(rethrow(ended.error), Cancelled);
  EXPECT_EQ(ended.fallback, 2);
  EXPECT_FALSE(work_.asked()) << "the same query may be asked again";
}

TEST_F(WorkTest, WhatWasCancelledHasNoResultOfAnEarlierQuery)
{
  squares_.let_go(3);
  work_.start(3);
  work_.wait();
  work_.start(4);
  work_.cancel();
  Squaring::Outcome const ended = outcome();
  EXPECT_THROW(rethrow(ended.error), Cancelled);
  EXPECT_FALSE(ended.result);
  EXPECT_FALSE(work_.asked());
}

TEST_F(WorkTest, AnErrorReachesTheOwnerWithWhatToFallBackOn)
{
  for (int const number : {5, -1, -2}) { squares_.let_go(number); }
  work_.start(5);
  EXPECT_EQ(outcome().result, 25);
  work_.start(-1);
  Squaring::Outcome const failed = outcome();
  EXPECT_FALSE(failed.result);
  EXPECT_THAT([&] { rethrow(failed.error); }, ThrowsMessage<Error>("negative"));
  EXPECT_EQ(failed.fallback, 5);
  work_.start(-2);
  EXPECT_EQ(outcome().fallback, std::nullopt) << "5 was not there any more";
}

TEST_F(WorkTest, WaitsNoLongerThanItIsTold)
{
  EXPECT_FALSE(work_.wait()) << "there is nothing to wait for";
  work_.start(1);
  EXPECT_FALSE(work_.wait(0.01));
  EXPECT_TRUE(work_.busy());
  squares_.let_go(1);
  EXPECT_TRUE(work_.wait());
  EXPECT_EQ(outcome().result, 1);
}

TEST_F(WorkTest, IsCancelledWhereItsOwnerGoes)
{
  {
    Squaring work([this](int number, Progress const& progress) { return squares_.compute(number, progress); });
    work.start(7);
    squares_.await_begin_of(7);
  }
  EXPECT_THAT(squares_.ended_by_cancel(), ElementsAre(7));
}

TEST_F(WorkTest, StopsAndForgets)
{
  work_.start(7);
  squares_.await_begin_of(7);
  work_.stop();
  EXPECT_FALSE(work_.busy());
  EXPECT_FALSE(work_.take());
  squares_.let_go(8);
  EXPECT_TRUE(work_.follow(8));
  EXPECT_EQ(outcome().result, 64);
}

}  // namespace
}  // namespace slotscape
