#include "gpu/execution/scheduled.hpp"
#include "tests/adding_a_table/xor_probing.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace slotscape {
namespace {

using Word = Narrow::Word;

ScheduledOperation insert(std::uint32_t key, std::uint32_t value)
{
  XorProbing::Layout<Narrow> const layout{{HashKind::identity, 8}, Deletion::tombstone_reuse};
  return [=](ScheduledMachine const& machine) {
    return XorProbing::insert(View<XorProbing::Layout<Narrow>, ScheduledMachine>{machine, layout}, key, value);
  };
}

TEST(XorProbing, StoresAKeyOnceHoweverTwoInsertsOfItAndAThirdMeet)
{
  std::vector<Word> start(8, Narrow::empty_word);
  start[5] = Narrow::tombstone_word;  // home of both keys
  start[4] = pack(21u, 1u);           // step 1 of their path
  start[7] = Narrow::tombstone_word;  // step 2
  Interleavings all({insert(13, 10), insert(13, 11), insert(29, 12)}, [](auto const& memory, auto const& results) {
    auto const key_is = [](std::uint32_t key) { return [=](Word word) { return key_of(word) == key; }; };
    auto const became = [](Outcome outcome) { return [=](auto const& result) { return result.outcome == outcome; }; };
    EXPECT_EQ(std::ranges::count_if(memory, key_is(13)), 1);
    EXPECT_EQ(std::ranges::count_if(memory, key_is(29)), 1);
    EXPECT_EQ(std::ranges::count_if(results, became(Outcome::inserted)), 2);
    EXPECT_EQ(std::ranges::count_if(results, became(Outcome::updated)), 1);
  });
  EXPECT_GT(all.explore(start), 1u);
}

}  // namespace
}  // namespace slotscape
