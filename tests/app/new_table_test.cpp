#include "app/simulation/families.hpp"
#include "app/table_map/table_state.hpp"
#include "tests/app/strict_family.hpp"

#include <gmock/gmock.h>

namespace slotscape {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TableState with_typed_slots(std::string text, std::uint64_t live = 0, std::string const& family = "linear_probing")
{
  TableState state;
  state.settings.table = with_family({}, family_info(family));
  state.statistics.live = live;
  state.slots_entry = std::move(text);
  ask_for_typed_slots(state);
  return state;
}

std::string error_of(TableState const& state)
{
  EXPECT_THAT(state.requests, SizeIs(1));
  auto const* error_message = state.requests.empty() ? nullptr : std::get_if<ErrorMessage>(&state.requests.front());
  EXPECT_NE(error_message, nullptr);
  return error_message == nullptr ? "" : error_message->text;
}

TEST(NewTable, TypedSlotsMakeAnEmptyTable)
{
  TableState const state = with_typed_slots("2^10");
  ASSERT_THAT(state.requests, SizeIs(1));
  EXPECT_EQ(std::get<NewTable>(state.requests.front()).table.slots, 1024u);
}

TEST(NewTable, TypedSlotsOfATableWithKeysAreAQuestion)
{
  TableState const state = with_typed_slots("131,072", 5);
  EXPECT_THAT(state.requests, IsEmpty());
  EXPECT_EQ(state.pending_slots, 131072u);
}

TEST(NewTable, TypedSlotsThatWillNotDoAreRefusedWithWhatWould)
{
  EXPECT_THAT(error_of(with_typed_slots("many")), AllOf(HasSubstr("'many' is invalid"), HasSubstr("from 16")));
  EXPECT_THAT(error_of(with_typed_slots("3", 5)), HasSubstr("3 slots"));
  EXPECT_THAT(with_typed_slots("65536", 5).requests, IsEmpty());  // as many as there are
}

TEST(NewTable, IsFilledAgainUpToWhatIsSafe)
{
  for (std::string const& name : family_names()) {
    FamilyInfo const& family = family_info(name);
    TableSettings const table = with_family({}, family);
    double const safe = family.guarantees(table).safe_load;
    TableState held;
    held.settings.drive.hold_load = true;
    held.settings.drive.target_load = 1.0;
    ask_for_refilled(held, table, 3);
    ASSERT_THAT(held.requests, SizeIs(2)) << name;
    EXPECT_EQ(std::get<NewTable>(held.requests[0]).table.family, name);
    EXPECT_EQ(std::get<FillTo>(std::get<Action>(held.requests[1])).load, safe) << name;
    EXPECT_EQ(held.settings.drive.target_load, safe) << name;

    TableState free;
    free.statistics.slots = 1000;
    free.statistics.live = 10;
    ask_for_refilled(free, table, 3);
    ASSERT_THAT(free.requests, SizeIs(2)) << name;
    EXPECT_EQ(std::get<FillTo>(std::get<Action>(free.requests[1])).load, std::min(0.01, safe)) << name;
  }
}

TEST(NewTable, OddSlotsAreForFamiliesThatTakeThem)
{
  EXPECT_THAT(error_of(with_typed_slots("1000", 0, test::strict_family())),
              AllOf(HasSubstr("1000 slots"), HasSubstr("power of two")));
}

TEST(NewTable, RehashesToANumberThatSuitsTheFamily)
{
  for (std::string const& name : family_names()) {
    TableState state;
    state.settings.table = with_family({}, family_info(name));
    EXPECT_EQ(rehash_to(state, 131072).slots, 131072u) << name;
    SlotCounts const counts = family_info(name).slot_counts;
    std::uint64_t const expected = counts == SlotCounts::any            ? 100000
                                   : counts == SlotCounts::power_of_two ? 131072
                                                                        : 100003;  // the next prime
    EXPECT_EQ(rehash_to(state, 100000).slots, expected) << name;
  }
}

}  // namespace
}  // namespace slotscape
