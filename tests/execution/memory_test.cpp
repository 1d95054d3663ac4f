#include "gpu/execution/memory.hpp"
#include "gpu/execution/cpu.hpp"
#include "gpu/execution/free_memory.hpp"
#include "tests/support/sanitized.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <memory_resource>
#include <string>
#include <vector>

namespace slotscape {
namespace {

/// A resource that counts, in each of the forms that there are.
struct CountingMemory {
  int taken = 0;
  int in_order = 0;
  int returned = 0;

  void* take(std::size_t bytes)
  {
    ++taken;
    return std::malloc(bytes);
  }
  void give_back(void* memory)
  {
    ++returned;
    std::free(memory);
  }
};
struct NewForm : CountingMemory {
  void* allocate_sync(std::size_t bytes, std::size_t) { return take(bytes); }
  void deallocate_sync(void* memory, std::size_t, std::size_t) { give_back(memory); }
  void* allocate(CudaStream, std::size_t bytes, std::size_t)
  {
    ++in_order;
    return take(bytes);
  }
  void deallocate(CudaStream, void* memory, std::size_t, std::size_t) { give_back(memory); }
};
struct OldForm : CountingMemory {
  void* allocate(std::size_t bytes, std::size_t) { return take(bytes); }
  void deallocate(void* memory, std::size_t, std::size_t) { give_back(memory); }
  void* allocate_async(std::size_t bytes, std::size_t, CudaStream)
  {
    ++in_order;
    return take(bytes);
  }
  void deallocate_async(void* memory, std::size_t, std::size_t, CudaStream) { give_back(memory); }
};
struct OnlyInOrder : CountingMemory {
  void* allocate_async(std::size_t bytes, std::size_t, CudaStream) { return take(bytes); }
  void deallocate_async(void* memory, std::size_t, std::size_t, CudaStream) { give_back(memory); }
};
/// Stands for a resource, as those references do that are passed by value.
struct ReferenceToMemory {
  NewForm* memory;
  void* allocate_sync(std::size_t bytes, std::size_t alignment) { return memory->allocate_sync(bytes, alignment); }
  void deallocate_sync(void* taken, std::size_t bytes, std::size_t alignment)
  {
    memory->deallocate_sync(taken, bytes, alignment);
  }
};

void use(Memory const& memory, bool in_order)
{
  void* const taken = memory.allocate(100, 16, nullptr, in_order);
  memory.deallocate(taken, 100, 16, nullptr, in_order);
}

TEST(Memory, TakesResourcesOfEveryForm)
{
  NewForm newer;
  OldForm older;
  OnlyInOrder ordered;
  for (bool const in_order : {false, true}) {
    use(newer, in_order);
    use(&newer, in_order);
    use(older, in_order);
  }
  use(ordered, true);
  use(ReferenceToMemory{&newer}, false);
  ReferenceToMemory const constant{&newer};
  use(constant, false);
  EXPECT_EQ(newer.taken, 6);
  EXPECT_EQ(newer.in_order, 2);
  EXPECT_EQ(newer.returned, 6);
  EXPECT_EQ(older.taken, 2);
  EXPECT_EQ(older.in_order, 1);
  EXPECT_EQ(older.returned, 2);
  EXPECT_EQ(ordered.returned, 1);
  EXPECT_TRUE(Memory(newer).in_order() && Memory(newer).at_once() && !Memory(ordered).at_once());
  EXPECT_FALSE(Memory(*std::pmr::new_delete_resource()).in_order());
  EXPECT_TRUE(Memory().is_default() && !Memory(older).is_default());
}

TEST(Memory, TakesPairsOfFunctions)
{
  int left = 1;
  Memory const memory([&](std::size_t bytes) { return left-- > 0 ? std::malloc(bytes) : nullptr; },
                      [](void* taken, std::size_t) { std::free(taken); });
  use(memory, false);
  try {
    use(memory, false);
    FAIL();
  } catch (Error const& error) {
    EXPECT_NE(std::string(error.what()).find("has no 100 bytes left: give it more"), std::string::npos);
  }
  Memory const ordered([](std::size_t bytes, CudaStream) { return std::malloc(bytes); },
                       [](void* taken, std::size_t, CudaStream) { std::free(taken); });
  EXPECT_TRUE(ordered.in_order() && !ordered.at_once() && !memory.in_order());
}

TEST(Memory, OfATableAndOfItsScratchDiffer)
{
  OldForm of_table;
  OldForm of_scratch;
  OnlyInOrder ordered;
  {
    exec::Cpu cpu(exec::Memories(of_table, of_scratch));
    exec::Cpu::Buffer<std::uint64_t> const kept(cpu, 10, exec::MemoryUse::table);
    exec::Cpu::Buffer<std::uint64_t> scratch(cpu, 10);
    exec::grow(cpu, scratch, 20);
    exec::Cpu::Buffer<std::uint64_t> const empty;
  }
  EXPECT_EQ(of_table.taken, 1);
  EXPECT_EQ(of_table.returned, 1);
  EXPECT_EQ(of_scratch.taken, 2);
  EXPECT_EQ(of_scratch.returned, 2);
  exec::Cpu one(exec::Memories(of_table, {}));
  exec::Cpu::Buffer<int> const small(one, 1);
  EXPECT_EQ(of_table.taken, 2);
  exec::Cpu wrong(exec::Memories(ordered, {}));
  EXPECT_THROW(exec::Cpu::Buffer<int>(wrong, 1), Error);
  EXPECT_EQ(ordered.taken, 0);
}

/// Pages of this process that belong to no file, in MiB.
double resident()
{
  constexpr double page = 4096.0 / (1 << 20);
  double all = 0.0;
  double resident = 0.0;
  double shared = 0.0;
  std::ifstream("/proc/self/statm") >> all >> resident >> shared;
  return (resident - shared) * page;
}

TEST(Memory, OfALargeArrayGoesBackToTheSystem)
{
  if (test::sanitized) { GTEST_SKIP() << "a sanitizer has memory of its own"; }
  constexpr std::uint64_t bytes = 16u << 20;
  exec::Cpu cpu;
  std::make_unique<exec::Cpu::Buffer<char>>(cpu, 24u << 20).reset();  // smaller ones would now come from the heap
  double const before = resident();
  std::vector<std::unique_ptr<std::vector<char>>> later;
  for (int i = 0; i < 4; ++i) {
    exec::Cpu::Buffer<char> const array(cpu, bytes);
    std::fill_n(array.data(), array.size(), 'a');
    EXPECT_GT(resident(), before + 12.0);
    later.push_back(std::make_unique<std::vector<char>>(100'000));  // above it, if it were on the heap
  }
  EXPECT_LT(resident(), before + 8.0);
}

TEST(Memory, OfALargeArrayLiesOnLargePages)
{
  exec::Cpu cpu;
  for (std::uint64_t const bytes : {(4u << 20) - 1, 4u << 20, (4u << 20) + 1, 9u << 20}) {
    exec::Cpu::Buffer<char> const array(cpu, bytes);
    bool const is_large = bytes >= 4u << 20;
    EXPECT_TRUE(!is_large || reinterpret_cast<std::uintptr_t>(array.data()) % (2u << 20) == 0) << bytes;
    array.data()[0] = array.data()[bytes - 1] = 'a';
  }
}

TEST(MemoryBlock, GivesEveryByteAgain)
{
  alignas(256) std::array<char, 9728> bytes{};  // 38 · 256: 18 parts of 512 behind the first 256, and a rest
  MemoryBlock block(bytes.data() + 3, bytes.size() - 3);
  std::vector<void*> parts;
  while (void* const part = block.allocate(300)) { parts.push_back(part); }
  EXPECT_GE(parts.size(), 18u);
  for (void* const part : parts) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(part) % 256, 0u);
    EXPECT_GE(static_cast<char*>(part), bytes.data() + 3);
    EXPECT_LE(static_cast<char*>(part) + 300, bytes.data() + bytes.size());
  }
  for (std::size_t i = 0; i < parts.size(); i += 2) { block.deallocate(parts[i], 300); }
  EXPECT_EQ(block.allocate(600), nullptr) << "free parts do not touch";
  for (std::size_t i = 1; i < parts.size(); i += 2) { block.deallocate(parts[i], 300); }
  EXPECT_NE(block.allocate(512 * parts.size()), nullptr) << "parts that touch are one";
  EXPECT_LE(block.most_used(), bytes.size());
  EXPECT_GE(block.most_used(), 512 * parts.size());
  EXPECT_EQ(MemoryBlock(bytes.data(), 0).allocate(1), nullptr);
}

/// Control groups say their limits in files.
TEST(FreeMemory, IsWhatTheLimitOfAGroupLeaves)
{
  using namespace exec::host_limits;
  std::string const folder = testing::TempDir() + "slotscape_free_memory_";
  std::vector<std::string> files;
  auto const file = [&](std::string const& name, std::string const& text) {
    std::ofstream(folder + name) << text;
    return files.emplace_back(folder + name);
  };
  std::string const limit = file("max", "1000000\n");
  std::string const usage = file("current", "600000\n");
  std::string const statistics = file("stat", "anon 1\ninactive_file 150000\n");
  EXPECT_EQ(left_in_group(limit, usage, statistics, "inactive_file"), 550'000u);
  EXPECT_EQ(left_in_group(limit, file("more", "2000000\n"), statistics, "inactive_file"), 0u);
  EXPECT_EQ(left_in_group(limit, folder + "none", folder + "none", "inactive_file"), 1'000'000u);
  EXPECT_EQ(left_in_group(folder + "none", folder + "none", folder + "none", "inactive_file"), unlimited);
  EXPECT_GT(left_in_group(file("unlimited", "max\n"), usage, statistics, "inactive_file"), unlimited / 2);
  EXPECT_EQ(number_in(file("meminfo", "MemTotal: 8 kB\nMemAvailable:   24 kB\n"), "MemAvailable", 1), 24u);

  for (std::string const& name : files) { std::filesystem::remove(name); }

  std::uint64_t const free = exec::free_host_memory();
  EXPECT_GT(free, 0u);
  EXPECT_LT(free, std::uint64_t{1} << 50);
}

}  // namespace
}  // namespace slotscape
