#include "gpu/paged/engine.hpp"

#include "gpu/base/error.hpp"
#include "gpu/base/progress.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

namespace slotscape::paged {
namespace {

constexpr std::uint32_t pages = 7;
constexpr std::uint32_t cells = 30;  // which do not divide a page's slots
constexpr std::uint64_t many = 100'000;

class PagedEngines : public ::testing::TestWithParam<std::tuple<Backend, int>> {
protected:
  void SetUp() override
  {
    if (std::get<0>(GetParam()) == Backend::cuda && !why_no_cuda().empty()) { GTEST_SKIP() << why_no_cuda(); }
  }
  std::unique_ptr<PagedEngine> make(std::uint64_t slots = 2 * many, std::function<void(double)> making = {})
  {
    auto const [backend, key_bits] = GetParam();
    return make_paged_engine(
        backend, {.key_bits = key_bits, .slots = slots, .pages = pages}, cells,
        [this](PageCells const& page) {
          if (++told_ == ends_at_) { throw Cancelled(); }
          seen_[page.page] = page.live;
        },
        std::move(making));
  }
  std::uint64_t keys_seen() const
  {
    std::uint64_t sum = 0;
    for (auto const& [page, live] : seen_) { sum += std::accumulate(live.begin(), live.end(), std::uint64_t{0}); }
    return sum;
  }

  std::map<std::uint32_t, std::vector<std::uint32_t>> seen_;
  int told_ = 0;
  int ends_at_ = 0;
};
INSTANTIATE_TEST_SUITE_P(On, PagedEngines,
                         ::testing::Combine(::testing::Values(Backend::cpu, Backend::cuda), ::testing::Values(32, 64)),
                         [](auto const& info) {
                           return std::string(std::get<0>(info.param) == Backend::cpu ? "cpu_" : "cuda_") +
                                  std::to_string(std::get<1>(info.param));
                         });

TEST_P(PagedEngines, CellsHaveTheKeysOfTheirPagesAfterEveryCall)
{
  auto const table = make();
  EXPECT_EQ(table->cells(), cells);
  EXPECT_GE(table->cell_slots() * cells, table->page_slots());
  EXPECT_EQ(table->insert({0, many}, true)[Outcome::inserted], many);
  EXPECT_EQ(seen_.size(), pages);
  EXPECT_EQ(keys_seen(), many);
  for (auto const& [page, live] : seen_) {
    EXPECT_EQ(live.size(), cells);
    for (std::uint32_t const keys : live) { EXPECT_LE(keys, table->cell_slots()); }
  }
  EXPECT_EQ(table->erase({many / 2, many / 2})[Outcome::erased], many / 2);
  EXPECT_EQ(keys_seen(), many / 2);
  auto const before = seen_;
  Answers const there = table->find({0, many / 4, 2}, true);
  EXPECT_EQ(there.found, many / 4);
  EXPECT_EQ(there.right, many / 4);
  Answers const gone = table->find({many / 2, many / 2}, false);
  EXPECT_EQ(gone.found, 0u);
  EXPECT_EQ(gone.right, many / 2);
  EXPECT_EQ(seen_, before) << "lookups change nothing";
  Answers const wrong = table->find({many / 2 - 10, 20}, true);
  EXPECT_EQ(wrong.found, 10u);
  EXPECT_EQ(wrong.right, 10u) << "the values of keys that are not there are not right";
}

TEST_P(PagedEngines, ACallThatIsEndedLeavesPagesWholeAndCanBeMadeAgain)
{
  auto const table = make();
  ends_at_ = 4;
  EXPECT_THROW(table->insert({0, many}, true), Cancelled);
  EXPECT_EQ(told_, ends_at_);
  EXPECT_EQ(seen_.size(), 3u) << "what was told when it ended counts as not done";
  EXPECT_EQ(table->size(), keys_seen());
  EXPECT_GT(table->size(), many / 4);
  std::uint64_t const before = table->size();
  ends_at_ = 0;
  Tally const again = table->insert({0, many}, false);
  EXPECT_EQ(again[Outcome::inserted], many - before);
  EXPECT_EQ(again[Outcome::updated], before);
  EXPECT_EQ(keys_seen(), many);
  EXPECT_EQ(table->find({0, many}, true).right, many);
}

TEST_P(PagedEngines, MakingOneTellsHowFarItIsAndCanBeEnded)
{
  std::vector<double> shares;
  make(2 * many, [&](double share) { shares.push_back(share); });
  ASSERT_EQ(shares.size(), pages);
  EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
  EXPECT_LT(shares.back(), 1.0);
  EXPECT_THROW(make(2 * many,
                    [](double share) {
                      if (share > 0.5) { throw Cancelled(); }
                    }),
               Cancelled);
}

TEST_P(PagedEngines, RefuseWhatCannotBe)
{
  EXPECT_THROW(make(3), Error);
  EXPECT_THROW(make(std::uint64_t{1} << 45), Error);
}

}  // namespace
}  // namespace slotscape::paged
