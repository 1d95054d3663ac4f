// A program and a viewer that look at the same CUDA device. Without a device, the driver of fake_cuda.cpp takes its
// place.

#include "gpu/library/watch.hpp"
#include "tests/watch_link/program.hpp"

#include <algorithm>
#include <atomic>

namespace slotscape::watch::test {
namespace {

/// The driver, as a viewer has it.
class Driver {
public:
  Driver() : library_(dlopen("libcuda.so.1", RTLD_NOW))
  {
    if (library_ == nullptr) { return; }
    Dl_info from{};
    if (dladdr(dlsym(library_, "cuInit"), &from) != 0) {  // Python is not linked to it
      std::string folders = std::filesystem::path(from.dli_fname).parent_path();
      if (char const* const others = std::getenv("LD_LIBRARY_PATH")) { folders += std::string(":") + others; }
      setenv("LD_LIBRARY_PATH", folders.c_str(), 1);
    }
    auto* const initialise = reinterpret_cast<int (*)(unsigned)>(dlsym(library_, "cuInit"));
    int device = 0;
    cuda_ = initialise != nullptr && initialise(0) == 0 ? watch_link::Cuda::loaded() : nullptr;
    if (cuda_ == nullptr || cuda_->cuDeviceGet(&device, 0) != 0 ||
        cuda_->cuDevicePrimaryCtxRetain(&context_, device) != 0) {
      cuda_ = nullptr;
    }
  }
  bool is_there() const { return cuda_ != nullptr; }
  std::vector<Pair> download(Array const& array) const
  {
    watch_link::CudaScope const scope(*cuda_, context_);
    std::vector<Pair> pairs(static_cast<std::size_t>(array.bytes / sizeof(Pair)));
    auto const from = watch_link::Cuda::address_of(array.data);
    EXPECT_EQ(cuda_->cuMemcpyAsync(watch_link::Cuda::address_of(pairs.data()), from, array.bytes, nullptr), 0);
    EXPECT_EQ(cuda_->cuStreamSynchronize(nullptr), 0);
    return pairs;
  }
  /// How much of other processes' memory this one holds open; -1: the real driver does not say.
  int opened() const
  {
    auto* const count = reinterpret_cast<int (*)()>(dlsym(library_, "fake_cuda_opened"));
    return count == nullptr ? -1 : count();
  }

private:
  void* library_;
  watch_link::Cuda const* cuda_ = nullptr;
  void* context_ = nullptr;
};

struct Memory {
  char const* options;
  char const* manner;
  Backend backend;
  Language language = Language::cpp_on_device;
};
void PrintTo(Memory const& memory, std::ostream* out)
{
  PrintTo(memory.language, out);
  *out << ' ' << memory.options;
}

class WatchLinkOnCuda : public testing::TestWithParam<Memory> {
protected:
  void SetUp() override
  {
    if (!driver_.is_there() || program_.ask("device") != "done") { GTEST_SKIP() << "there is no CUDA device"; }
    std::string const answer = program_.ask(std::string("watch cells 65536 ") + GetParam().options);
    if (answer == "there is no memory of this kind") { GTEST_SKIP() << answer; }
    ASSERT_EQ(answer, "done");
  }
  std::size_t keys(Source& source)
  {
    program_.ask("snapshot");
    source.refresh();
    return keys_now(source);
  }
  std::size_t keys_now(Source& source) const
  {
    if (source.arrays().empty()) { return 0; }
    Array const& array = source.arrays()[0];
    auto const* const host = reinterpret_cast<Pair const*>(array.data);
    std::vector<Pair> const found = source.backend() == Backend::cuda
                                        ? driver_.download(array)
                                        : std::vector<Pair>(host, host + array.bytes / sizeof(Pair));
    for (Pair const& pair : found) { EXPECT_EQ(pair.value, 10 * pair.key); }
    return static_cast<std::size_t>(std::ranges::count_if(found, [](Pair const& pair) { return pair.key != 0; }));
  }
  /// Refreshes while the program does something for which it waits.
  std::string ask_while_looking(Source& source, std::string const& command)
  {
    std::atomic<bool> is_answered{false};
    std::string answer;
    std::thread other([&] {
      answer = program_.ask(command);
      is_answered = true;
    });
    while (!is_answered) {
      source.refresh();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    other.join();
    return answer;
  }

  RuntimeFolder folder_;
  Driver driver_;  // before the program, which looks for it in the folder that this one came from
  Program program_{GetParam().language};
};

TEST_P(WatchLinkOnCuda, ShowsTheTableAsItChangesMovesAndEnds)
{
  program_.ask("insert 1 1000");
  ASSERT_EQ(find("cells").on_device, std::string(GetParam().options).find("managed") == std::string::npos);
  auto const source = connect(find("cells"));
  ASSERT_TRUE(comes_true([&] { return keys(*source) == 1000; }));
  EXPECT_EQ(source->manner(), GetParam().manner);
  EXPECT_EQ(source->backend(), GetParam().backend);
  program_.ask("insert 2000 500");
  EXPECT_TRUE(comes_true([&] { return keys(*source) == 1500; }));

  EXPECT_LT(std::stoi(ask_while_looking(*source, "move 131072")), 400);
  EXPECT_EQ(program_.ask("viewers"), "1");
  program_.ask("insert 1 700");
  EXPECT_TRUE(comes_true([&] { return keys(*source) == 700; }));
  EXPECT_EQ(source->arrays()[0].bytes, 131072 * sizeof(Pair));

  EXPECT_LT(std::stoi(ask_while_looking(*source, "end")), 400);
  EXPECT_TRUE(comes_true([&] { return !(source->refresh(), source->alive()); }));
  EXPECT_EQ(keys_now(*source), 700u);  // the last state, in memory of the viewer's own
  if (driver_.opened() >= 0) { EXPECT_EQ(driver_.opened(), 0); }
}

TEST_P(WatchLinkOnCuda, LetsGoOfMemoryBeforeItIsFreed)
{
  program_.ask("insert 1 1000");
  auto const source = connect(find("cells"));
  ASSERT_TRUE(comes_true([&] { return keys(*source) == 1000; }));
  int const hung = std::stoi(program_.ask("move 131072"));  // without refreshing: the program does not wait for long
  EXPECT_LT(hung, 400);
  if (find("cells").on_device) { EXPECT_GE(hung, 90); }
  EXPECT_TRUE(comes_true([&] { return !(source->refresh(), source->alive()) || !find("cells").on_device; }));
}

TEST_P(WatchLinkOnCuda, KeepsTheLastStateOfAProgramThatIsKilled)
{
  program_.ask("insert 1 1000");
  auto const source = connect(find("cells"));
  ASSERT_TRUE(comes_true([&] { return keys(*source) == 1000; }));
  program_.kill(SIGKILL);
  program_.wait();
  EXPECT_TRUE(comes_true([&] { return !(source->refresh(), source->alive()); }));
  ASSERT_EQ(source->arrays().size(), 1u);
  EXPECT_EQ(keys_now(*source), 1000u);
}

TEST_P(WatchLinkOnCuda, IsCopiedToTheHostForAViewerWithoutTheDevice)
{
  program_.ask("insert 1 1000");
  auto const source = connect(find("cells"), BackendChoice::cpu);
  EXPECT_TRUE(comes_true([&] { return keys(*source) == 1000; }));
  EXPECT_EQ(source->backend(), Backend::cpu);
  auto const other = connect(find("cells"));  // both at once, in different places
  program_.ask("insert 2000 500");
  EXPECT_TRUE(comes_true([&] {
    other->refresh();
    return keys(*source) == 1500;
  }));
  EXPECT_TRUE(comes_true([&] {
    source->refresh();
    return keys(*other) == 1500;
  }));
}

INSTANTIATE_TEST_SUITE_P(, WatchLinkOnCuda,
                         testing::Values(Memory{"malloc", "in place, in the memory of the GPU", Backend::cuda},
                                         Memory{"created", "in place, in the memory of the GPU", Backend::cuda},
                                         Memory{"shared_pool", "in place, in the memory of the GPU", Backend::cuda},
                                         Memory{"pool fast", "copied 100 times a second, on the GPU", Backend::cuda},
                                         Memory{"managed fast", "copied 100 times a second", Backend::cpu},
                                         Memory{"malloc snapshots", "snapshots that the program takes, on the GPU",
                                                Backend::cuda}));

constexpr auto python_language = Language::python_on_device;
INSTANTIATE_TEST_SUITE_P(
    InPython, WatchLinkOnCuda,
    testing::Values(Memory{"malloc", "in place, in the memory of the GPU", Backend::cuda, python_language},
                    Memory{"pool fast", "copied 100 times a second, on the GPU", Backend::cuda, python_language},
                    Memory{"managed fast", "copied 100 times a second", Backend::cpu, python_language},
                    Memory{"malloc snapshots", "snapshots that the program takes, on the GPU", Backend::cuda,
                           python_language}));

}  // namespace
}  // namespace slotscape::watch::test
