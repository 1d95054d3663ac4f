// The system starts no more threads, or has no memory left.

#include "app/gl/image.hpp"
#include "app/recording/recorder.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/random.hpp"
#include "gpu/base/work.hpp"
#include "gpu/engine/find_many.hpp"
#include "gpu/execution/cpu.hpp"
#include "gpu/execution/own_threads.hpp"
#include "tests/app/support/temporary_folder.hpp"
#include "tests/faults/faults.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <new>
#include <vector>

namespace slotscape {
namespace {

using faults::Call;
using ::testing::HasSubstr;

/// Without oneTBB, passes start threads of their own.
TEST(WithoutThreads, APassIsDoneByThoseThatThereAre)
{
  using exec::own_threads::blocked_range;
  constexpr std::size_t workers = 4;
  for (std::uint64_t after = 0; after < workers; ++after) {
    std::vector<std::atomic<int>> visits(10'000);
    faults::fail(Call::thread, after, true);
    exec::own_threads::for_each_part(blocked_range<std::size_t>(0, visits.size()), workers,
                                     [&](std::size_t, blocked_range<std::size_t> const& part) {
                                       for (std::size_t i = part.begin(); i != part.end(); ++i) { ++visits[i]; }
                                     });
    EXPECT_EQ(faults::stop(), after + 1 < workers);
    EXPECT_TRUE(std::ranges::all_of(visits, [](int times) { return times == 1; })) << "after " << after;
  }
}

TEST(WithoutThreads, WorkBesideTheFramesSaysSoAndGoesOnLater)
{
  Work<int, int> work([](int query, Progress const&) { return query + 1; });
  faults::fail(Call::thread, 0);
  EXPECT_TRUE(work.follow(5));
  faults::stop();
  ASSERT_TRUE(work.wait());
  auto const failed = work.take();
  ASSERT_TRUE(failed && failed->error);
  EXPECT_EQ(failed->query, 5);
  EXPECT_THAT(test::message_of<Error>([&] { std::rethrow_exception(failed->error); }), HasSubstr("no more threads"));
  EXPECT_FALSE(work.is_answered(5));
  EXPECT_TRUE(work.follow(5)) << "it is asked again";
  ASSERT_TRUE(work.wait());
  EXPECT_EQ(work.take()->result, 6);
}

TEST(WithoutThreads, ARecordingSaysSoOrIsMadeByThoseThatThereAre)
{
  for (std::uint64_t after = 0; after < 3; ++after) {
    test::TemporaryFolder const folder;
    faults::fail(Call::thread, after, true);
    std::optional<Recorder> recorder;
    std::string const said = test::message_of<Error>([&] { recorder.emplace(open_png_sink(folder / "frames"), 10); });
    faults::stop();
    if (after == 0) {
      EXPECT_THAT(said, HasSubstr("no more threads"));
      continue;
    }
    recorder->add({2, 2, std::vector<std::uint8_t>(16)}, 0.0);
    recorder->stop(0.5);
    ASSERT_TRUE(recorder->wait(20.0));
    EXPECT_EQ(recorder->status().phase, RecordingPhase::done);
    EXPECT_EQ(recorder->status().written, 5u);
  }
}

/// While it lives, the system has no memory left.
class NoMemory {
public:
  NoMemory()
  {
    std::set_new_handler([] { throw std::bad_alloc(); });
    faults::fail(Call::memory, 0, true);
  }
  ~NoMemory()
  {
    faults::stop();
    std::set_new_handler(nullptr);
  }
  NoMemory(NoMemory const&) = delete;
  NoMemory& operator=(NoMemory const&) = delete;
};

/// A batch that is half done cannot be called back: what it does in between goes on, if more slowly.
TEST(WithoutMemory, TheCpuSortsAndSelectsTheSame)
{
  exec::Cpu cpu;
  cpu.for_each(1u << 20, [](std::uint64_t) {});  // oneTBB takes what it needs the first time
  for (std::uint64_t const count : {0u, 1u, 2u, 3u, 17u, 1000u, 20'000u}) {
    std::vector<std::uint32_t> keys(count);
    std::vector<std::uint32_t> values(count);
    for (std::uint64_t i = 0; i < count; ++i) {
      keys[i] = random_below(1, i, 1 + count / 3);
      values[i] = static_cast<std::uint32_t>(i);
    }
    auto const wanted = [&](std::uint64_t i) { return i % 3 == 0 ? 0u : static_cast<std::uint32_t>(i); };
    std::vector<std::uint32_t> selected(count);
    std::vector<std::uint32_t> selected_then(count);
    std::vector<std::uint32_t> keys_then = keys;
    std::vector<std::uint32_t> values_then = values;
    cpu.sort_pairs(keys.data(), values.data(), count);
    std::uint64_t const found = cpu.select(count, 0u, selected.data(), wanted);
    std::uint64_t found_then = 0;
    {
      NoMemory const none;
      cpu.sort_pairs(keys_then.data(), values_then.data(), count);
      found_then = cpu.select(count, 0u, selected_then.data(), wanted);
    }
    EXPECT_EQ(keys_then, keys);
    EXPECT_EQ(values_then, values);
    EXPECT_EQ(found_then, found);
    EXPECT_EQ(selected_then, selected);
  }
}

/// What counts lookups is cleared as it is added up: a call that failed in between would be counted with the next one.
TEST(WithoutMemory, LookupsAreAddedUp)
{
  exec::Cpu cpu;
  cpu.for_each(1u << 20, [](std::uint64_t) {});
  std::vector<FindCounts> stripes(find_stripes, {2, 1});
  FindCounts total{};
  {
    NoMemory const none;
    cpu.for_each_block<AddUpFinds::threads>(1, AddUpFinds{stripes.data(), &total});
  }
  EXPECT_EQ(total.missing, 2 * find_stripes);
  EXPECT_EQ(total.rejected, find_stripes);
  EXPECT_TRUE(std::ranges::all_of(stripes, [](FindCounts const& each) { return each.missing + each.rejected == 0; }));
}

}  // namespace
}  // namespace slotscape
