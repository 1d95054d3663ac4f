// The same on GPUs: ranks that are threads on one GPU, and over NCCL threads with a GPU each and processes.

#include "gpu/library/cuda_distributed_table.cuh"
#include "tests/library/distributed_cases.hpp"
#include "tests/library/on_cuda.cuh"

#include <gmock/gmock.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <numeric>

namespace slotscape {
namespace {

/// Why NCCL cannot be used here, or "".
std::string why_no_nccl()
{
  if (std::string const why = OnCuda::why_not(); !why.empty()) { return why; }
  try {
    static_cast<void>(nccl::Library::get());
  } catch (Error const& error) {
    return error.what();
  }
  return {};
}
std::uint32_t gpus()
{
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess ? static_cast<std::uint32_t>(count) : 0;
}
/// A stream of the calling thread's own, on its device.
struct OwnStream {
  OwnStream() { SLOTSCAPE_CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking)); }
  ~OwnStream() { cudaStreamDestroy(stream); }
  OwnStream(OwnStream const&) = delete;
  OwnStream& operator=(OwnStream const&) = delete;
  cudaStream_t stream = nullptr;
};

template <class Communicator>
struct OnCudaOver : OnCuda {
  template <class Family, class Key>
  using DistributedTable = CudaDistributedTable<Family, Key, Communicator>;
  template <class Family, class Key>
  DistributedTable<Family, Key> make_distributed(TableOptions const& options, Communicator& communicator,
                                                 PieceOptions const& how)
  {
    return DistributedTable<Family, Key>(options, communicator, own.stream, how);
  }
  OwnStream own;
};
/// Threads that share one GPU.
struct ThreadsOnCuda : OnCudaOver<ThreadCommunicator> {
  static std::uint32_t max_ranks() { return 8; }
  template <class Rank>
  static std::vector<std::string> by_ranks(std::uint32_t ranks, Rank const& rank)
  {
    return by_threads(ranks, no_timeout, rank);
  }
};
/// Threads that share all GPUs.
struct PeersOnCuda : OnCudaOver<PeerCommunicator> {
  static std::uint32_t max_ranks() { return 8; }
  template <class Rank>
  static std::vector<std::string> by_ranks(std::uint32_t ranks, Rank const& rank)
  {
    return by_threads(ranks, no_timeout, [&](ThreadCommunicator& mine) {
      SLOTSCAPE_CUDA_CHECK(cudaSetDevice(static_cast<int>(mine.rank() % gpus())));
      PeerCommunicator communicator(std::move(mine));
      rank(communicator);
    });
  }
};
/// Threads with a GPU each, over NCCL.
struct NcclOnCuda : OnCudaOver<NcclCommunicator> {
  static std::string why_not() { return why_no_nccl(); }
  static std::uint32_t max_ranks() { return gpus(); }
  template <class Rank>
  static std::vector<std::string> by_ranks(std::uint32_t ranks, Rank const& rank)
  {
    std::vector<int> devices(ranks);
    std::iota(devices.begin(), devices.end(), 0);
    std::vector<std::string> thrown(ranks);
    for_each_gpu(devices, [&](NcclCommunicator& communicator) {
      try {
        rank(communicator);
      } catch (std::exception const& error) {
        thrown[communicator.rank()] = error.what();
      }
    });
    return thrown;
  }
};

using RankCases = testing::Types<Case<ThreadsOnCuda, families::linear_probing, std::uint64_t>,
                                 Case<ThreadsOnCuda, families::segmented_cuckoo, std::uint32_t>,
                                 Case<PeersOnCuda, families::linear_probing, std::uint32_t>,
                                 Case<PeersOnCuda, families::segmented_cuckoo, std::uint64_t>,
                                 Case<NcclOnCuda, families::linear_probing, std::uint64_t>,
                                 Case<NcclOnCuda, families::segmented_cuckoo, std::uint32_t>>;
INSTANTIATE_TYPED_TEST_SUITE_P(OnCuda, LibraryRanks, RankCases);

using NcclTable = CudaDistributedTable<families::segmented_cuckoo, std::uint32_t>;
constexpr std::uint64_t of_each_rank = 50'000;

/// What a rank of two does, as a thread or as a process: inserts keys of its own and finds those of the other. Returns
/// how many.
std::uint64_t insert_and_find(NcclTable& table, std::uint32_t rank)
{
  std::vector<std::uint32_t> keys(of_each_rank);
  std::iota(keys.begin(), keys.end(), static_cast<std::uint32_t>(of_each_rank) * rank);
  OnCuda::Array<std::uint32_t> mine(keys);
  table.insert(mine.data(), mine.data(), of_each_rank).or_throw();
  std::iota(keys.begin(), keys.end(), static_cast<std::uint32_t>(of_each_rank) * (table.ranks() - 1 - rank));
  OnCuda::Array<std::uint32_t> others(keys);
  OnCuda::Array<std::uint32_t> found(of_each_rank);
  table.find(others.data(), found.data(), of_each_rank);
  std::vector<std::uint32_t> const values = found.host();
  std::uint64_t right = 0;
  for (std::uint64_t i = 0; i < of_each_rank; ++i) { right += values[i] == keys[i] ? 1 : 0; }
  return right;
}

/// A file in a folder of its own, which goes with it.
class IdFile {
public:
  IdFile()
  {
    std::string name = (std::filesystem::temp_directory_path() / "slotscape_ranks_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) { throw Error("no folder for a test: " + name); }
    folder_ = name;
  }
  ~IdFile()
  {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  IdFile(IdFile const&) = delete;
  IdFile& operator=(IdFile const&) = delete;
  std::filesystem::path path() const { return folder_ / "ranks"; }

private:
  std::filesystem::path folder_;
};

/// This program again, as rank 1, with one of the tests below. Returns its process.
pid_t start_rank_1(std::filesystem::path const& file, std::string const& test)
{
  std::string const filter = "--gtest_filter=LibraryRanksInProcesses." + test;
  setenv("SLOTSCAPE_TEST_RANKS", file.c_str(), 1);
  char program[] = "/proc/self/exe";
  std::string argument = filter;
  char* const arguments[] = {program, argument.data(), nullptr};
  pid_t process = 0;
  int const failure = posix_spawn(&process, program, nullptr, nullptr, arguments, environ);
  unsetenv("SLOTSCAPE_TEST_RANKS");
  if (failure != 0) { throw Error("no second process"); }
  return process;
}
/// Where the test runs as rank 1 in a process of its own, its file; else null.
char const* file_of_rank_1()
{
  return std::getenv("SLOTSCAPE_TEST_RANKS");
}
int status_of(pid_t process)
{
  int status = 0;
  waitpid(process, &status, 0);
  return status;
}

class LibraryRanksInProcesses : public testing::Test {
protected:
  void SetUp() override
  {
    if (std::string const why = why_no_nccl(); !why.empty()) { GTEST_SKIP() << why; }
    if (gpus() < 2) { GTEST_SKIP() << "Two processes need a GPU each, and there is one."; }
  }
};

TEST_F(LibraryRanksInProcesses, FindEachOthersKeysOnCuda)
{
  char const* const file = file_of_rank_1();
  IdFile const own;
  pid_t const other = file == nullptr ? start_rank_1(own.path(), "FindEachOthersKeysOnCuda") : 0;
  std::uint32_t const rank = file == nullptr ? 0 : 1;
  SLOTSCAPE_CUDA_CHECK(cudaSetDevice(static_cast<int>(rank)));
  {
    NcclCommunicator communicator(file == nullptr ? own.path() : std::filesystem::path(file), rank, 2);
    OwnStream const stream;
    NcclTable table({.slots = NcclTable::slots_for(2 * of_each_rank, 2)}, communicator, stream.stream);
    EXPECT_EQ(insert_and_find(table, rank), of_each_rank);
    EXPECT_EQ(table.size(), 2 * of_each_rank);
  }
  EXPECT_FALSE(std::filesystem::exists(own.path())) << "rank 0 removes it";
  if (file == nullptr) { EXPECT_EQ(status_of(other), 0); }
}

TEST_F(LibraryRanksInProcesses, NoticeThatOneWasKilledOnCuda)
{
  char const* const file = file_of_rank_1();
  IdFile const own;
  pid_t const other = file == nullptr ? start_rank_1(own.path(), "NoticeThatOneWasKilledOnCuda") : 0;
  std::uint32_t const rank = file == nullptr ? 0 : 1;
  SLOTSCAPE_CUDA_CHECK(cudaSetDevice(static_cast<int>(rank)));
  NcclCommunicator communicator(file == nullptr ? own.path() : std::filesystem::path(file), rank, 2,
                                std::chrono::seconds(20));
  OwnStream const stream;
  NcclTable table({.slots = NcclTable::slots_for(2 * of_each_rank, 2)}, communicator, stream.stream);
  EXPECT_EQ(insert_and_find(table, rank), of_each_rank);
  if (rank == 1) { std::raise(SIGKILL); }
  EXPECT_TRUE(WIFSIGNALED(status_of(other)));
  auto const start = std::chrono::steady_clock::now();
  EXPECT_THROW(insert_and_find(table, rank), Error);
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 60.0);
  EXPECT_THROW(table.size(), Error);
  std::uint64_t const size = table.local().size();
  EXPECT_GT(size, of_each_rank / 2);
  OnCuda::Array<std::uint32_t> keys(size), values(size);
  EXPECT_EQ(table.local().export_pairs(keys.data(), values.data(), size), size);
  EXPECT_EQ(keys.host(), values.host());
}

TEST(LibraryRanksOfPeersOnCuda, NoticeThatOneLeaves)
{
  if (std::string const why = OnCuda::why_not(); !why.empty()) { GTEST_SKIP() << why; }
  using Table = CudaDistributedTable<families::linear_probing, std::uint32_t, PeerCommunicator>;
  std::vector<std::string> told(3);
  int const last = static_cast<int>(gpus()) - 1;
  for_each_peer({0, last, 0}, [&](PeerCommunicator& communicator) {
    OwnStream const stream;
    Table table({.slots = Table::slots_for(3 * of_each_rank, 3)}, communicator, stream.stream);
    std::vector<std::uint32_t> keys(of_each_rank);
    std::iota(keys.begin(), keys.end(), static_cast<std::uint32_t>(of_each_rank) * communicator.rank());
    OnCuda::Array<std::uint32_t> mine(keys);
    table.insert(mine.data(), mine.data(), of_each_rank).or_throw();
    if (communicator.rank() == 1) { return; }
    try {
      table.erase(mine.data(), of_each_rank);
    } catch (Error const& error) {
      told[communicator.rank()] = error.what();
    }
    EXPECT_GT(table.local().size(), of_each_rank / 2);
    EXPECT_GT(table.local().find(mine.data(), mine.data(), of_each_rank), 0u);
  });
  EXPECT_THAT(told[0], testing::StartsWith("Rank 1 left while others waited."));
  EXPECT_EQ(told[2], told[0]);
}

/// In one process, with a thread that goes away without a word.
TEST(LibraryRanksOverNcclOnCuda, NoticeThatOneDoesNotCome)
{
  if (std::string const why = why_no_nccl(); !why.empty()) { GTEST_SKIP() << why; }
  if (gpus() < 2) { GTEST_SKIP() << "Two ranks need a GPU each, and there is one."; }
  std::string told;
  for_each_gpu(
      {0, 1},
      [&](NcclCommunicator& communicator) {
        OwnStream const stream;
        NcclTable table({.slots = NcclTable::slots_for(2 * of_each_rank, 2)}, communicator, stream.stream);
        EXPECT_EQ(insert_and_find(table, communicator.rank()), of_each_rank);
        if (communicator.rank() == 1) { return communicator.abort("of the test"); }
        try {
          table.size();
        } catch (Error const& error) {
          told = error.what();
        }
        EXPECT_TRUE(communicator.was_aborted());
        EXPECT_GT(table.local().size(), 0u);
      },
      std::chrono::seconds(5));
  EXPECT_THAT(told, testing::HasSubstr("Other ranks did not take part in a call within 5 s"));
}

TEST(LibraryRanksOverNcclOnCuda, DoNotWaitForeverForOneThatNeverStarts)
{
  if (std::string const why = why_no_nccl(); !why.empty()) { GTEST_SKIP() << why; }
  auto const start = std::chrono::steady_clock::now();
  EXPECT_THROW(NcclCommunicator(NcclCommunicator::make_id(), 0, 2, std::chrono::seconds(3)), Error);
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 30.0);
}

}  // namespace
}  // namespace slotscape
