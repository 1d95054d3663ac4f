#include "gpu/execution/cuda_error.hpp"
#include "tests/watch/foreign_tables.hpp"

#include <gmock/gmock.h>

namespace slotscape::watch {
namespace {

using test::Memory;

/// A copy of somebody's memory on the device.
class DeviceMemory {
public:
  explicit DeviceMemory(Memory const& memory) : name_(memory.name), bytes_(memory.bytes.size())
  {
    SLOTSCAPE_CUDA_CHECK(cudaMalloc(&data_, bytes_));
    SLOTSCAPE_CUDA_CHECK(cudaMemcpy(data_, memory.bytes.data(), bytes_, cudaMemcpyHostToDevice));
  }
  DeviceMemory(DeviceMemory const&) = delete;
  DeviceMemory& operator=(DeviceMemory const&) = delete;
  ~DeviceMemory() { cudaFree(data_); }
  Array array() const { return {name_, static_cast<std::byte const*>(data_), bytes_}; }

private:
  std::string name_;
  std::uint64_t bytes_;
  void* data_ = nullptr;
};

class WatchedTableOnCuda : public testing::Test {
protected:
  void SetUp() override
  {
    if (!why_no_cuda().empty()) { GTEST_SKIP() << why_no_cuda(); }
  }
  /// Memory that is filled at random, so that all paths are of some length, with half of the slots empty.
  static Memory random_memory(Description const& table, std::string name, std::uint64_t bytes)
  {
    Memory memory(std::move(name), bytes);
    auto const empty = static_cast<std::uint64_t>(table.empty_key.value_or(0));
    for (std::uint64_t at = 0; at + 8 <= bytes; at += 4) {
      std::uint64_t const number = random64(7, at);
      memory.write(at, static_cast<std::uint32_t>(number % 2 == 0 ? empty : number >> 8));
    }
    return memory;
  }
  static void expect_same(Description const& table, std::vector<Memory> const& memories)
  {
    std::vector<Array> host;
    std::vector<std::unique_ptr<DeviceMemory>> copies;
    std::vector<Array> device;
    for (Memory const& memory : memories) {
      host.push_back(memory.array());
      copies.push_back(std::make_unique<DeviceMemory>(memory));
      device.push_back(copies.back()->array());
    }
    auto const here = make_watched_table(Backend::cpu, "here", table, host);
    auto const there = make_watched_table(Backend::cuda, "there", table, device);
    Statistics const expected = here->statistics();
    Statistics const found = there->statistics();
    EXPECT_EQ(found.live, expected.live);
    EXPECT_EQ(found.tombstones, expected.tombstones);
    EXPECT_EQ(found.probe_length.histogram, expected.probe_length.histogram);
    EXPECT_EQ(found.clusters.histogram, expected.clusters.histogram);
    EXPECT_EQ(found.groups.histogram, expected.groups.histogram);
    EXPECT_EQ(found.links, expected.links);
    LostKeys const lost = here->lost_keys();
    LostKeys const other = there->lost_keys();
    EXPECT_EQ(other.unreachable, lost.unreachable);
    EXPECT_EQ(other.twice, lost.twice);
    EXPECT_EQ(other.not_followed, lost.not_followed);
    EXPECT_EQ(other.first_unreachable, lost.first_unreachable);
    EXPECT_EQ(other.first_twice, lost.first_twice);
    EXPECT_EQ(other.found_instead, lost.found_instead);
    EXPECT_EQ(there->pairs(5000), here->pairs(5000));
    Check const check = there->check(true);
    EXPECT_EQ(check.sampled, here->check(false).sampled);
    EXPECT_EQ(check.found, here->check(false).found);
    EXPECT_EQ(there->key_in(7), here->key_in(7));
    WatchedTable::KeyFacts const facts = here->all_key_facts();
    WatchedTable::KeyFacts const others = there->all_key_facts();
    EXPECT_EQ(others.chains, facts.chains);
    EXPECT_EQ(others.homes ? others.homes->z : 0.0, facts.homes ? facts.homes->z : 0.0);
    for (std::uint64_t key = 1; key < 40; ++key) {
      EXPECT_EQ(there->probe_path(key).slots, here->probe_path(key).slots);
      EXPECT_EQ(there->probe_path(key).value, here->probe_path(key).value);
    }
    there->freeze();
    EXPECT_EQ(there->statistics().live, expected.live);
  }
};

TEST_F(WatchedTableOnCuda, SeesWhatTheCpuSees)
{
  constexpr std::uint64_t slots = 16 * 1024;
  for (Preset const& preset : presets()) {
    if (preset.make({.slots = slots}).links) { continue; }
    for (int const bits : {32, 64, 128}) {
      SCOPED_TRACE(std::string(preset.name) + ", " + std::to_string(bits));
      Description table = preset.make({.key_bits = bits, .slots = slots});
      std::vector<Memory> memories;
      for (std::string const& array : {table.key.array, table.value->array}) {
        bool const known = !memories.empty() && memories.front().name == array;
        if (!known) { memories.push_back(random_memory(table, array, slots * 32)); }
      }
      expect_same(table, memories);
    }
  }
}

TEST_F(WatchedTableOnCuda, KeysNeedNotBeAligned)
{
  Description table = preset_named("SimpleGPUHashTable").make({.key_bits = 64, .slots = 4096});
  table.key = {"slots", 3, 29, 64};
  table.value = Part{"slots", 13, 29, 16};
  table.erased_value = 0x1234;
  expect_same(table, {random_memory(table, "slots", 4096 * 29 + 16)});
}

TEST_F(WatchedTableOnCuda, SamplesHomesAndNotesChangesAsTheCpuDoes)
{
  constexpr std::uint64_t slots = 1u << 23;
  Description table = preset_named("SimpleGPUHashTable").make({.slots = slots});
  table.value.reset();
  table.erased_value.reset();
  table.key.stride = 4;
  Memory const memory = random_memory(table, "slots", slots * 4 + 4);
  DeviceMemory const copy(memory);
  auto const here = make_watched_table(Backend::cpu, "here", table, std::vector{memory.array()});
  auto const there = make_watched_table(Backend::cuda, "there", table, std::vector{copy.array()});
  WatchedTable::KeyFacts const facts = here->all_key_facts();
  WatchedTable::KeyFacts const others = there->all_key_facts();
  ASSERT_TRUE(facts.homes && others.homes);
  EXPECT_LT(others.sampled.count(), others.sampled.places);
  EXPECT_EQ(others.homes->keys, facts.homes->keys);
  EXPECT_EQ(others.homes->z, facts.homes->z);
  there->record_recent(true);
  there->analyse({}, {});
  there->changed();
  EXPECT_EQ(there->analyse({}, {}).statistics.live, here->statistics().live);
}

TEST_F(WatchedTableOnCuda, ChainsAndControlBytes)
{
  Description table = preset_named("slabhash").make({.slots = 15 * 64, .seed = 5});
  table.links->parts = {{"pool", 0, 60}, {"pool", 60 * 128, 40, 1u << 27}};
  expect_same(table, {random_memory(table, "slabs", 64 * 128), random_memory(table, "pool", 100 * 128)});
  Description control = preset_named("slotscape").make({.key_bits = 64, .slots = 4096});
  control.key.array = control.value->array = "slots";
  control.control = Control{"control"};
  expect_same(control, {random_memory(control, "slots", 4096 * 16), random_memory(control, "control", 4096)});
}

}  // namespace
}  // namespace slotscape::watch
