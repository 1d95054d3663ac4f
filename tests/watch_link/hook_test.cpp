// slotscape/watch.hpp in the test's own process.

#include "gpu/library/watch.hpp"

#include "gpu/watch/live_packets.hpp"
#include "tests/watch_link/program.hpp"

#include <fcntl.h>

#include <fstream>
#include <numeric>

namespace slotscape::watch::test {
namespace {

using Slots = std::vector<Pair>;

WatchLayout layout_of(Slots const& slots)
{
  return WatchLayout::pairs<std::uint64_t, std::uint64_t>(slots.size());
}

/// Threads of this process that serve viewers: a sanitizer may have threads of its own.
int threads()
{
  int count = 0;
  for (auto const& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream file(task.path() / "comm");
    std::string name;
    std::getline(file, name);
    count += name == "slotscape-watch" ? 1 : 0;
  }
  return count;
}

TEST(WatchHook, WritesLayouts)
{
  WatchLayout layout = WatchLayout::pairs<std::uint32_t, std::uint64_t>(1000);
  EXPECT_EQ(layout.json(), R"({"slots": 1000, "key": {"array": "slots", "offset": 0, "stride": 16, "bits": 32}, )"
                           R"("value": {"array": "slots", "offset": 8, "stride": 16, "bits": 64}})");
  enum class Direction : std::int32_t {};
  layout = WatchLayout::pairs<Direction, float>(10);
  EXPECT_EQ(layout.json(), R"({"slots": 10, "key": {"array": "slots", "offset": 0, "stride": 8, "bits": 32, )"
                           R"("signed": true}, "value": {"array": "slots", "offset": 4, "stride": 8, "bits": 32, )"
                           R"("float": true}})");
  layout = WatchLayout::keys<std::uint64_t>(16);
  layout.bucket = {8, 72};
  layout.empty_key = ~std::uint64_t{0};
  layout.erased_key = 1;
  layout.hash = {"murmur3_32", 7, "modulo", {}};
  layout.probing = "double";
  layout.more = R"("note": "mine")";
  EXPECT_EQ(layout.json(), R"({"slots": 16, "key": {"array": "slots", "offset": 0, "stride": 8, "bits": 64}, )"
                           R"("bucket": {"slots": 8, "stride": 72}, "empty_key": "18446744073709551615", )"
                           R"("erased_key": 1, "hash": {"function": "murmur3_32", "seed": 7, "reduction": "modulo"}, )"
                           R"("probing": {"scheme": "double"}, "note": "mine"})");
  layout = WatchLayout::of_preset("cuco::static_map", 5);
  layout.hash.homes = "ho\"mes";
  EXPECT_EQ(layout.json(), R"({"preset": "cuco::static_map", "slots": 5, "hash": {"homes": "ho\"mes"}})");
}

TEST(WatchHook, OneThreadServesAllWatches)
{
  RuntimeFolder const folder;
  Slots a(1000);
  std::vector<std::uint32_t> keys(500, 1);
  std::vector<std::uint32_t> homes(500, 2);
  {
    Watch const first("first", a.data(), a.size(), layout_of(a));
    Watch const second("second", {{"keys", keys.data(), 2000}, {"homes", homes.data(), 2000}}, R"({"slots": 500})");
    EXPECT_EQ(first.problem(), "");
    EXPECT_TRUE(comes_true([] { return threads() == 1; }));  // it gives itself its name
    auto const tables = announced();
    ASSERT_EQ(tables.size(), 2u);
    EXPECT_EQ(tables[0].name, "first");
    EXPECT_EQ(tables[1].name, "second");
    EXPECT_EQ(tables[1].bytes, 4000u);
    auto const source = connect(tables[1]);
    ASSERT_EQ(source->arrays().size(), 2u);
    EXPECT_EQ(source->arrays()[1].name, "homes");
    EXPECT_EQ(static_cast<int>(source->arrays()[1].data[1996]), 2);
  }
  EXPECT_EQ(threads(), 0);
  EXPECT_TRUE(std::filesystem::is_empty(folder.sockets()));
}

TEST(WatchHook, WatchesComeAndGoInManyThreads)
{
  RuntimeFolder const folder;
  std::vector<std::thread> makers;
  makers.reserve(4);
  for (int i = 0; i < 4; ++i) {
    makers.emplace_back([i] {
      Slots slots(100);
      for (int round = 0; round < 50; ++round) {
        Watch watch("thread " + std::to_string(i), slots.data(), slots.size(), layout_of(slots));
        watch.mark("round");
        EXPECT_EQ(watch.problem(), "");
        Watch const taken(std::move(watch));
        EXPECT_EQ(taken.viewers(), 0u);
      }
    });
  }
  for (int i = 0; i < 20; ++i) { announced(); }
  for (std::thread& maker : makers) { maker.join(); }
  EXPECT_TRUE(std::filesystem::is_empty(folder.sockets()));
}

TEST(WatchHook, SaysWhyItDoesNotWatch)
{
  RuntimeFolder const folder;
  Slots slots(10);
  auto const problem = [&](std::string const& name, void const* memory, std::size_t bytes, std::string const& json) {
    testing::internal::CaptureStderr();
    Watch const watch(name, memory, bytes, json);
    EXPECT_NE(testing::internal::GetCapturedStderr().find(watch.problem()), std::string::npos);
    return watch.problem();
  };
  EXPECT_EQ(problem("", slots.data(), 160, "{}"), "its name must have 1 to 256 bytes");
  EXPECT_EQ(problem("a", nullptr, 160, "{}"), "the array 'slots' has no memory");
  EXPECT_EQ(problem("a", slots.data(), 0, "{}"), "the array 'slots' has no memory");
  EXPECT_EQ(problem("a", slots.data(), 160, std::string(50000, ' ')), "its description has more than 48 KiB");

  setenv("SLOTSCAPE_WATCH", "0", 1);
  Watch const off("off", slots.data(), slots.size(), "{}");
  unsetenv("SLOTSCAPE_WATCH");
  EXPECT_EQ(off.problem(), "SLOTSCAPE_WATCH=0 in the environment");
  EXPECT_TRUE(announced().empty());
}

TEST(WatchHook, TrustsOnlyFoldersOfItsUser)
{
  RuntimeFolder const folder;
  std::string const path = folder.sockets();
  Slots slots(10);
  EXPECT_NE(watch_link::distrust(path), "");  // it is not there
  mkdir(path.c_str(), 0700);
  EXPECT_EQ(watch_link::distrust(path), "");
  chmod(path.c_str(), 0750);
  EXPECT_EQ(watch_link::distrust(path), path + " is open to other users: chmod 700 " + path);
  {
    Watch const watch("elsewhere", slots.data(), slots.size(), layout_of(slots));
    EXPECT_TRUE(std::filesystem::is_empty(path));  // it went to /tmp
    EXPECT_NE(find("elsewhere").socket.find("/tmp/slotscape-"), std::string::npos);
  }
  rmdir(path.c_str());
  std::filesystem::create_directory(folder.path() + "/other");
  chmod((folder.path() + "/other").c_str(), 0700);
  std::filesystem::create_symlink(folder.path() + "/other", path);
  EXPECT_EQ(watch_link::distrust(path), path + " is not a folder: remove it");
  unlink(path.c_str());

  if (geteuid() != 0) { GTEST_SKIP() << "the rest needs root, who can give a folder away"; }
  mkdir(path.c_str(), 0700);
  ASSERT_EQ(chown(path.c_str(), 65534, 65534), 0);
  EXPECT_EQ(watch_link::distrust(path), path + " belongs to another user");
}

TEST(WatchHook, DoesNotTalkToOtherUsers)
{
  if (geteuid() != 0) { GTEST_SKIP() << "only root can become another user"; }
  RuntimeFolder const folder;
  Slots slots(10);
  Watch const watch("mine", slots.data(), slots.size(), layout_of(slots));
  std::string const socket = find("mine").socket;
  // As if the folder's mode had not stopped it.
  chmod(folder.path().c_str(), 0755);
  chmod(folder.sockets().c_str(), 0755);
  chmod(socket.c_str(), 0777);
  pid_t const other = fork();
  if (other == 0) {
    if (setresgid(65534, 65534, 65534) != 0 || setresuid(65534, 65534, 65534) != 0) { _exit(2); }
    sockaddr_un address;
    watch_link::address_of(socket, address);
    int const number = ::socket(AF_UNIX, SOCK_SEQPACKET, 0);
    if (::connect(number, reinterpret_cast<sockaddr const*>(&address), sizeof(address)) != 0) { _exit(3); }
    std::array<char, 100> bytes{};
    ssize_t const got = recv(number, bytes.data(), bytes.size(), 0);
    if (got > 0) { _exit(4); }  // it must hang up without a word
    try {
      live::Link const link(socket);
    } catch (Error const& error) {  // nor does a viewer talk to a program of another user
      _exit(std::string(error.what()).find("another user") == std::string::npos ? 5 : 0);
    }
    _exit(6);
  }
  int status = 0;
  waitpid(other, &status, 0);
  EXPECT_EQ(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 0);
}

TEST(WatchHook, MemoryOfItsAllocatorIsOrdinaryMemory)
{
  std::size_t const big = (std::size_t{1} << 20) + 17;
  auto* const memory = static_cast<unsigned char*>(watch_alloc(big));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 4096, 0u);
  EXPECT_EQ(std::accumulate(memory, memory + big, 0u), 0u);
  std::memset(memory, 1, big);
  watch_free(memory);
  watch_free(watch_alloc(10));
  watch_free(nullptr);

  std::vector<Pair, watch_allocator<Pair>> slots(100000);
  for (std::size_t i = 0; i < 1000; ++i) { slots.push_back({i, i}); }  // it grows, and is copied
  auto const moved = std::move(slots);
  EXPECT_EQ(moved.size(), 101000u);
  EXPECT_EQ(moved.back().key, 999u);
  watch_allocator<Pair> allocator;
  EXPECT_THROW((void)allocator.allocate(static_cast<std::size_t>(-1) / 8), std::bad_alloc);
}

TEST(WatchHook, AViewerMapsAPartOfAnAllocation)
{
  RuntimeFolder const folder;
  std::vector<std::uint64_t, watch_allocator<std::uint64_t>> memory(100000);
  std::iota(memory.begin(), memory.end(), std::uint64_t{0});
  Watch watch("part", memory.data() + 5000, 1000, WatchLayout::keys<std::uint64_t>(1000));
  auto const source = connect(find("part"));
  EXPECT_EQ(source->manner(), "shared memory");
  ASSERT_EQ(source->arrays()[0].bytes, 8000u);
  auto const* const keys = reinterpret_cast<std::uint64_t const*>(source->arrays()[0].data);
  EXPECT_EQ(keys[0], 5000u);
  EXPECT_EQ(keys[999], 5999u);
  memory[5001] = 7;
  EXPECT_EQ(keys[1], 7u);  // in place

  testing::internal::CaptureStderr();
  watch.moved(memory.data(), 0, "{}");  // nonsense: viewers learn of it
  testing::internal::GetCapturedStderr();
  EXPECT_TRUE(comes_true([&] {
    source->refresh();
    return source->manner().find("has no memory") != std::string::npos;
  }));
}

}  // namespace
}  // namespace slotscape::watch::test
