// Tables that are divided among ranks, which are threads here: what all backends go through, and what becomes of the
// others when a rank fails.

#include "gpu/library/distributed_table.hpp"
#include "gpu/library/nccl_id_file.hpp"
#include "tests/library/distributed_cases.hpp"
#include "tests/library/on_cpu.hpp"

#include <gmock/gmock.h>

#include <stdlib.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <string>
#include <system_error>
#include <thread>

namespace slotscape {
namespace {

struct RanksOnCpu : OnCpu {
  template <class Family, class Key>
  using DistributedTable = CpuDistributedTable<Family, Key>;
  template <class Family, class Key>
  DistributedTable<Family, Key> make_distributed(TableOptions const& options, ThreadCommunicator& communicator,
                                                 PieceOptions const& how)
  {
    return DistributedTable<Family, Key>(options, communicator, how);
  }
  static std::uint32_t max_ranks() { return 8; }
  template <class Rank>
  static std::vector<std::string> by_ranks(std::uint32_t ranks, Rank const& rank)
  {
    return by_threads(ranks, no_timeout, rank);
  }
};

using RankCases = testing::Types<Case<RanksOnCpu, families::linear_probing, std::uint64_t>,
                                 Case<RanksOnCpu, families::segmented_cuckoo, std::uint32_t>,
                                 Case<RanksOnCpu, families::robin_hood, std::uint32_t>,
                                 Case<RanksOnCpu, families::perfect_hash, std::uint32_t>>;
INSTANTIATE_TYPED_TEST_SUITE_P(OnTheCpu, LibraryRanks, RankCases);

using SomeTable = CpuDistributedTable<families::linear_probing, std::uint32_t>;
constexpr std::uint64_t some = 1000;

std::vector<std::uint32_t> numbers_from(std::uint32_t first)
{
  std::vector<std::uint32_t> numbers(some);
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}
/// What a call throws, or "".
template <class F>
std::string thrown_by(F const& f)
{
  try {
    f();
  } catch (Error const& error) {
    return error.what();
  }
  return {};
}
/// Every rank inserts; then, fail(rank) on rank 1 while the others look up. Returns what each rank was told, after it
/// was seen that its own shard can still be read, and that another call fails as well.
template <class Fail>
std::vector<std::string> told_when_rank_1(std::uint32_t ranks, std::chrono::duration<double> timeout, Fail const& fail)
{
  std::vector<std::string> told(ranks);
  auto const thrown = by_threads(ranks, timeout, [&](ThreadCommunicator& communicator) {
    SomeTable table({.slots = 8192}, communicator);
    auto keys = numbers_from(static_cast<std::uint32_t>(some) * communicator.rank());
    std::vector<std::uint32_t> found(some);
    table.insert(keys.data(), keys.data(), some).or_throw();
    if (communicator.rank() == 1) { return fail(communicator, table); }
    told[communicator.rank()] = thrown_by([&] { table.find(keys.data(), found.data(), some); });
    EXPECT_NE(thrown_by([&] { table.size(); }), "");
    std::uint64_t const size = table.local().size();
    EXPECT_GT(size, 0u);
    std::vector<std::uint32_t> its_keys(size);
    std::vector<std::uint32_t> its_values(size);
    EXPECT_EQ(table.local().export_pairs(its_keys.data(), its_values.data(), size), size);
    EXPECT_EQ(its_keys, its_values);
    EXPECT_EQ(table.local().find(its_keys.data(), its_values.data(), size), size);
  });
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    if (rank != 1) { EXPECT_EQ(thrown[rank], ""); }
  }
  return told;
}
double seconds_since(std::chrono::steady_clock::time_point start)
{
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

TEST(LibraryRanksThatFail, TellTheOthersWhenTheyLeave)
{
  auto const start = std::chrono::steady_clock::now();
  auto const told = told_when_rank_1(3, no_timeout, [](auto&, auto&) { throw std::runtime_error("of its own"); });
  EXPECT_LT(seconds_since(start), 60.0) << "nobody waits for the timeout";
  for (std::uint32_t const rank : {0u, 2u}) {
    EXPECT_THAT(told[rank], testing::StartsWith("Rank 1 left while others waited.")) << rank;
  }
}

TEST(LibraryRanksThatFail, TellTheOthersWhy)
{
  auto const told =
      told_when_rank_1(3, no_timeout, [](auto& communicator, auto&) { communicator.abort("the power went off"); });
  for (std::uint32_t const rank : {0u, 2u}) {
    EXPECT_EQ(told[rank], "Rank 1 has ended the work of all ranks: the power went off") << rank;
  }
}

TEST(LibraryRanksThatFail, AreWaitedForUntilTheTimeout)
{
  std::atomic<int> told = 0;
  auto const thrown = by_threads(4, std::chrono::seconds(2), [&](ThreadCommunicator& communicator) {
    SomeTable table({.slots = 8192}, communicator);
    auto const start = std::chrono::steady_clock::now();
    while (communicator.rank() == 1 && told != 3) { std::this_thread::sleep_for(std::chrono::milliseconds(5)); }
    EXPECT_EQ(thrown_by([&] { table.size(); }),
              "Rank 1 did not join a call within 2 s. Have all ranks make the same calls, or choose a longer timeout.");
    EXPECT_GT(seconds_since(start), 0.25);
    EXPECT_EQ(table.local().size(), 0u);
    ++told;
  });
  EXPECT_EQ(thrown, std::vector<std::string>(4));
}

/// One piece of memory is missing on one rank, whichever it is that a call asks for.
TEST(LibraryRanksThatFail, MayHaveTooLittleMemory)
{
  bool was_enough = false;
  for (std::uint64_t pieces = 0; pieces < 100 && !was_enough; ++pieces) {
    auto const thrown = by_threads(3, no_timeout, [&](ThreadCommunicator& communicator) {
      OnCpu::Limited memory;
      TableOptions options{.slots = 8192};
      if (communicator.rank() == 1) { options.scratch = memory; }
      SomeTable table(options, communicator);
      memory.left = pieces;
      auto keys = numbers_from(static_cast<std::uint32_t>(some) * communicator.rank());
      std::vector<Outcome> outcomes(some);
      table.insert(keys.data(), keys.data(), some, {.outcomes = outcomes.data()}).or_throw();
      if (communicator.rank() == 1) { was_enough = true; }
      EXPECT_EQ(table.size(), 3 * some);
    });
    if (was_enough) {
      EXPECT_GT(pieces, 3u) << "memory was short before";
      EXPECT_EQ(thrown, std::vector<std::string>(3));
    } else {
      EXPECT_NE(thrown[1], "");
      EXPECT_THAT(thrown[0], testing::StartsWith("Rank 1 has ended the work of all ranks: ")) << pieces;
      EXPECT_THAT(thrown[2], testing::StartsWith("Rank 1 has ended the work of all ranks: ")) << pieces;
    }
  }
  EXPECT_TRUE(was_enough);
}

TEST(LibraryRanksThatDisagree, AreToldAndGoOn)
{
  auto const thrown = by_threads(3, no_timeout, [&](ThreadCommunicator& communicator) {
    SomeTable table({.slots = 4096}, communicator);
    auto keys = numbers_from(0);
    std::string const told = thrown_by([&] {
      if (communicator.rank() == 2) {
        table.erase(keys.data(), some);
      } else {
        table.insert(keys.data(), keys.data(), some).or_throw();
      }
    });
    EXPECT_THAT(told, testing::HasSubstr("have all ranks make the same calls in the same order. Nothing was done."));
    EXPECT_EQ(table.size(), 0u);
    table.insert(keys.data(), keys.data(), some).or_throw();
    EXPECT_EQ(table.size(), some);
  });
  EXPECT_EQ(thrown, std::vector<std::string>(3));
}

TEST(LibraryRanksThatDisagree, DoNotMakeATable)
{
  auto thrown = by_threads(2, no_timeout, [&](ThreadCommunicator& communicator) {
    SomeTable table({.slots = 4096}, communicator, {.pieces = communicator.rank() + 1});
  });
  for (std::string const& told : thrown) { EXPECT_THAT(told, testing::StartsWith("The ranks make different tables")); }
  thrown = by_threads(2, no_timeout, [&](ThreadCommunicator& communicator) {
    if (communicator.rank() == 0) { return static_cast<void>(SomeTable({.slots = 4096}, communicator)); }
    CpuDistributedTable<families::robin_hood, std::uint32_t> const other({.slots = 4096}, communicator);
  });
  for (std::string const& told : thrown) { EXPECT_THAT(told, testing::StartsWith("The ranks make different tables")); }
}

TEST(LibraryRanksThatDisagree, AreToldIfOneCannotRehash)
{
  auto const thrown = by_threads(3, no_timeout, [&](ThreadCommunicator& communicator) {
    SomeTable table({.slots = 4096}, communicator);
    auto keys = numbers_from(0);
    table.insert(keys.data(), keys.data(), communicator.rank() == 0 ? some : 0).or_throw();
    std::string const told = thrown_by([&] { table.rehash(communicator.rank() == 1 ? 4 : 8192); });
    EXPECT_THAT(told, testing::StartsWith(communicator.rank() == 1 ? "The keys of the table do not fit in 4 slots"
                                                                   : "On 1 other rank, the keys found no place"));
    EXPECT_EQ(table.local().slots(), communicator.rank() == 1 ? 4096u : 8192u);
    EXPECT_EQ(table.size(), some);
  });
  EXPECT_EQ(thrown, std::vector<std::string>(3));
}

TEST(LibraryRanksThemselves, RefuseWhatCannotBe)
{
  EXPECT_THROW(ThreadCommunicator::group(0), Error);
  EXPECT_THROW(ThreadCommunicator::group(2, std::chrono::seconds(0)), Error);
  EXPECT_THROW(SomeTable::slots_for(100, 0), Error);
  EXPECT_THROW(SomeTable::slots_for(100, 513), Error);
  std::vector<ThreadCommunicator> group = ThreadCommunicator::group(1);
  EXPECT_THROW(SomeTable({.slots = 64}, group[0], {.pieces = 0}), Error);
  EXPECT_THROW(SomeTable({.slots = 64}, group[0], {.min_piece = 0}), Error);
  EXPECT_THROW(SomeTable({.slots = 64}, group[0], {.max_at_once = (std::uint64_t{1} << 30) + 1}), Error);
}

/// A file in a folder of its own, which goes with it.
class RanksFile : public testing::Test {
protected:
  RanksFile()
  {
    std::string name = (std::filesystem::temp_directory_path() / "slotscape_ranks_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) { throw Error("no folder for a test: " + name); }
    folder_ = name;
    for (std::size_t i = 0; i < sizeof(id_.internal); ++i) { id_.internal[i] = static_cast<char>(i * 37); }
  }
  ~RanksFile() override
  {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  std::filesystem::path file() const { return folder_ / "ranks"; }
  std::string told(std::uint32_t ranks) const
  {
    return thrown_by([&] { nccl::read_id(file(), ranks, std::chrono::milliseconds(50)); });
  }

  std::filesystem::path folder_;
  nccl::UniqueId id_{};
};

TEST_F(RanksFile, TellsAllRanksHowToFindEachOther)
{
  nccl::UniqueId read{};
  library::run_ranks(2, [&](std::uint32_t rank) {
    if (rank == 1) {
      read = nccl::read_id(file(), 3, no_timeout);
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    nccl::write_id(file(), id_, 3);
  });
  EXPECT_TRUE(std::ranges::equal(read.internal, id_.internal));
}

TEST_F(RanksFile, TakesThePlaceOfAnOlderOneAndLeavesNothingBeside)
{
  nccl::write_id(file(), {}, 2);
  nccl::write_id(file(), id_, 3);
  EXPECT_TRUE(std::ranges::equal(nccl::read_id(file(), 3, no_timeout).internal, id_.internal));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
}

TEST_F(RanksFile, IsRefusedWithWhatToDo)
{
  EXPECT_THAT(told(2), testing::HasSubstr("in time: start it, too, with the same file."));
  nccl::write_id(file(), id_, 3);
  EXPECT_THAT(told(2), testing::HasSubstr("was written for 3 ranks, not for 2: start all ranks with the same number."));
  for (char const* const text : {"", "something else", "slotscape-nccl 2 0123", "slotscape-nccl x 00"}) {
    std::ofstream(file()) << text;
    EXPECT_THAT(told(2), testing::HasSubstr("is no file by which ranks find each other")) << text;
  }
  EXPECT_THAT(thrown_by([&] { nccl::write_id(folder_ / "nowhere" / "ranks", id_, 2); }),
              testing::StartsWith("Could not write "));
}

TEST(LibraryRanksThemselves, SayWhereNcclComesFrom)
{
  setenv("SLOTSCAPE_NCCL", "/nowhere/libnccl.so.2", 1);
  std::string const none = thrown_by([] { nccl::Library::get(); });
  setenv("SLOTSCAPE_NCCL", "libc.so.6", 1);
  std::string const other = thrown_by([] { nccl::Library::get(); });
  unsetenv("SLOTSCAPE_NCCL");
  EXPECT_THAT(none, testing::StartsWith("NCCL was not found (/nowhere/libnccl.so.2: "));
  EXPECT_THAT(none, testing::HasSubstr("have the environment's SLOTSCAPE_NCCL say where libnccl.so.2 is"));
  EXPECT_THAT(other, testing::StartsWith("The library that was found as NCCL has no ncclGetVersion"));
}

}  // namespace
}  // namespace slotscape
