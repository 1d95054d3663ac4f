#include "app/simulation/families.hpp"
#include "app/table_scene/sizes.hpp"
#include "gpu/base/error.hpp"
#include "tests/app/support/strict_family.hpp"

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
  state.edits.slots_entry = std::move(text);
  ask_for_typed_slots(state);
  return state;
}

std::string refusal_of(TableState const& state)
{
  EXPECT_THAT(state.requests, SizeIs(1));
  auto const* error_message = state.requests.empty() ? nullptr : std::get_if<ErrorMessage>(&state.requests.front());
  EXPECT_NE(error_message, nullptr);
  return error_message == nullptr ? "" : error_message->text;
}

TEST(ReplaceTables, TypedSlotsMakeAnEmptyTable)
{
  TableState const state = with_typed_slots("2^10");
  ASSERT_THAT(state.requests, SizeIs(1));
  EXPECT_EQ(std::get<ReplaceTables>(state.requests.front()).table.slots, 1024u);
}

TEST(ReplaceTables, TypedSlotsOfATableWithKeysAreAQuestion)
{
  TableState const state = with_typed_slots("131,072", 5);
  EXPECT_THAT(state.requests, IsEmpty());
  EXPECT_EQ(state.edits.pending_slots, 131072u);
}

TEST(ReplaceTables, TypedSlotsThatWillNotDoAreRefusedWithWhatWould)
{
  EXPECT_THAT(refusal_of(with_typed_slots("many")), AllOf(HasSubstr("'many' is invalid"), HasSubstr("from 4")));
  EXPECT_THAT(refusal_of(with_typed_slots("3", 5)), HasSubstr("3 slots"));
  EXPECT_THAT(with_typed_slots("65536", 5).requests, IsEmpty());  // as many as there are
}

TEST(ReplaceTables, KeepsTheKeysAndLowersALoadToHoldToWhatIsSafe)
{
  for (std::string const& name : family_names()) {
    FamilyInfo const& family = family_info(name);
    TableSettings const table = with_family({}, family);
    TableState held;
    held.settings.drive.hold_load = true;
    held.settings.drive.target_load = max_load;
    ask_for_table(held, table);
    ASSERT_THAT(held.requests, SizeIs(1)) << name;
    EXPECT_EQ(std::get<ReplaceTables>(held.requests[0]).table.family, name);
    EXPECT_TRUE(std::get<ReplaceTables>(held.requests[0]).keeps_keys);
    EXPECT_EQ(held.settings.drive.target_load, family.guarantees(table).safe_load) << name;
  }
}

TEST(ReplaceTables, OfAnotherSeedIsFilledAgainUnlessItIsEmpty)
{
  TableState state;
  state.statistics.slots = 1000;
  state.statistics.live = 10;
  ask_for_seed(state, 3);
  ASSERT_THAT(state.requests, SizeIs(2));
  EXPECT_EQ(std::get<ReplaceTables>(state.requests[0]).seed, 3u);
  EXPECT_FALSE(std::get<ReplaceTables>(state.requests[0]).keeps_keys);
  EXPECT_EQ(std::get<FillTo>(std::get<Action>(state.requests[1])).load, 0.01);

  TableState empty;
  empty.settings.drive.hold_load = true;
  ask_for_seed(empty, 3);
  EXPECT_THAT(empty.requests, SizeIs(1));
}

TEST(ReplaceTables, SlotsCanBeTypedAsKeysOrAsBytesAKey)
{
  TableState state;
  state.statistics.live = 1000;
  EXPECT_EQ(typed_slots(state, "2^12"), 4096u);
  EXPECT_EQ(typed_slots(state, "16 bytes a key"), 2000u);
  state.settings.drive.hold_load = true;
  state.settings.drive.target_load = 0.8;
  EXPECT_EQ(typed_slots(state, "50,000 keys"), 62500u);
  state.settings.table.family = test::strict_family();
  EXPECT_EQ(typed_slots(state, "50000 keys"), 65536u) << "rounded up to what the family takes";
  for (std::string_view const text : {"keys", "-5 keys", "0 bytes a key", "12 apples", "1e99x"}) {
    EXPECT_THROW(typed_slots(state, text), Error) << text;
  }
  state.statistics.live = 0;
  EXPECT_THROW(typed_slots(state, "16 bytes a key"), Error);
}

TEST(ReplaceTables, OddSlotsAreForFamiliesThatTakeThem)
{
  EXPECT_THAT(refusal_of(with_typed_slots("1000", 0, test::strict_family())),
              AllOf(HasSubstr("1000 slots"), HasSubstr("power of two")));
}

TEST(ReplaceTables, RehashesToANumberThatSuitsTheFamily)
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
