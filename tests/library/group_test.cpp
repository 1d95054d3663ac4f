// Calls of views by groups of threads, on the CPU, where one thread plays a group.

#include "tests/library/group_cases.hpp"
#include "tests/library/on_cpu.hpp"

namespace slotscape {
namespace {

struct GroupsOnCpu : OnCpu {
  template <unsigned>
  static constexpr std::uint64_t threads_of_group = 1;
};

template <class Family, class Key, class Value, unsigned threads, std::uint32_t tile = 0>
using Of = GroupCase<GroupsOnCpu, CpuTable<Family, Key, Value>, threads, tile>;
using Cases = testing::Types<
    Of<families::warp_cooperative, std::uint32_t, std::uint32_t, 8>,
    Of<families::warp_cooperative, std::int64_t, float, 4, 1>, Of<families::slab, std::int32_t, float, 16>,
    Of<families::two_choice, std::uint64_t, std::uint64_t, 32>, Of<families::cuckoo, std::int32_t, TwoNumbers, 1>>;

}  // namespace

INSTANTIATE_TYPED_TEST_SUITE_P(OnTheCpu, LibraryGroups, Cases);

namespace {

TEST(LibraryGroupsOfSets, AnswerAsThreadsDo)
{
  using Set = CpuSet<families::warp_cooperative, std::int16_t>;
  Set set({.slots = Set::slots_for(100)});
  auto const view = set.mutable_view();
  LaneGroup<8> const group;
  EXPECT_EQ(view.insert(group, std::int16_t{-1}), Outcome::inserted);
  EXPECT_EQ(view.insert(group, std::int16_t{-1}), Outcome::updated);
  EXPECT_TRUE(set.view().contains(group, std::int16_t{-1}));
  EXPECT_EQ(view.erase(group, std::int16_t{-1}), Outcome::erased);
  EXPECT_FALSE(view.contains(group, std::int16_t{-1}));
  EXPECT_EQ(view.lanes(), 8);
}

TEST(LibraryGroupsOfMultiTables, FindAllValues)
{
  CpuMultiTable<families::cuckoo, int, double> table;
  int const keys[] = {7, -7, 7};
  double const values[] = {0.5, 1.5, 2.5};
  table.build(keys, values, 3);
  auto const view = table.view();
  auto const found = view.find(LaneGroup<16>{}, 7);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0] + found[1], 3.0);
  EXPECT_TRUE(view.contains(LaneGroup<16>{}, -7));
  EXPECT_TRUE(view.find(LaneGroup<16>{}, 8).empty());
}

TEST(ServeEach, GivesWhoHasNoItemAnEmptyResult)
{
  auto const half = [](int number) { return number / 2; };
  EXPECT_EQ(serve_each(LaneGroup<32>{}, true, 8, half), 4);
  EXPECT_EQ(serve_each(LaneGroup<32>{}, false, 8, half), 0);
}

}  // namespace
}  // namespace slotscape
