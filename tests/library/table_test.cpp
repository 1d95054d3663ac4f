// The tables that other programs use, on the CPU: families of each kind.

#include "tests/library/fill_cases.hpp"
#include "tests/library/on_cpu.hpp"
#include "tests/library/table_cases.hpp"

namespace slotscape {
namespace {

using Cases = testing::Types<
    Case<OnCpu, families::linear_probing, std::uint64_t>, Case<OnCpu, families::warp_cooperative, std::uint32_t>,
    Case<OnCpu, families::robin_hood, std::uint32_t>, Case<OnCpu, families::segmented_cuckoo, std::uint32_t>,
    Case<OnCpu, families::perfect_hash, std::uint32_t>, Case<OnCpu, families::two_choice, std::uint64_t>,
    Case<OnCpu, families::swiss, std::uint32_t>, Case<OnCpu, families::iceberg, std::uint64_t>,
    Case<OnCpu, families::hash_fight, std::uint64_t>, Case<OnCpu, families::gel_hash, std::uint64_t>>;
INSTANTIATE_TYPED_TEST_SUITE_P(OnTheCpu, LibraryTable, Cases);
INSTANTIATE_TYPED_TEST_SUITE_P(OnTheCpu, LibraryFill, OnCpu);

/// For every family, no key is without a place in a table of so many slots.
template <class Family>
void expect_room_for(std::uint64_t keys)
{
  using Table = CpuTable<Family>;
  std::vector<std::uint32_t> numbers(keys);
  for (std::uint64_t i = 0; i < keys; ++i) { numbers[i] = static_cast<std::uint32_t>(random64(3, i) >> 33); }
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  Table table({.slots = Table::slots_for(keys, 1.0)});
  EXPECT_TRUE(table.insert(numbers.data(), numbers.data(), numbers.size()).all()) << Family::info.name << ' ' << keys;
}

TEST(LibrarySlots, HaveRoomForAllKeys)
{
  for (std::uint64_t const keys : {std::uint64_t{10}, std::uint64_t{1000}, std::uint64_t{30000}}) {
    expect_room_for<families::quadratic>(keys);
    expect_room_for<families::hopscotch>(keys);
    expect_room_for<families::slab>(keys);
  }
}

}  // namespace
}  // namespace slotscape
