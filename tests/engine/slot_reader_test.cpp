#include "gpu/engine/slot_reader.hpp"

#include "gpu/execution/cpu.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace slotscape {
namespace {

struct CountingCpu : exec::Cpu {
  int downloads = 0;

  template <class T>
  void download(std::span<T> to, T const* from)
  {
    ++downloads;
    exec::Cpu::download(to, from);
  }
};

TEST(SlotReader, DownloadsEachWindowOnceInWhateverOrderItsWordsAreRead)
{
  constexpr std::uint64_t count = 10'000;
  std::vector<std::uint32_t> words(count);
  std::iota(words.begin(), words.end(), 3u);
  CountingCpu cpu;
  SlotReader<CountingCpu, std::uint32_t> reader(cpu, words.data(), count);
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint64_t const index = i * 7919 % count;
    ASSERT_EQ(reader.read(index), index + 3);
  }
  EXPECT_EQ(cpu.downloads, 3);
}

}  // namespace
}  // namespace slotscape
