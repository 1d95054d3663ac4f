// After a lesson, the panels of tables leave out what beginners do not need.

#include "app/scenes/compare/gui.hpp"
#include "app/scenes/slots/panels/panels.hpp"
#include "app/simulation/families.hpp"
#include "app/table_scene/gui.hpp"
#include "tests/app/support/program.hpp"

#include <gmock/gmock.h>

#include <functional>
#include <string>

namespace slotscape {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// The panel with its guarantees open.
std::string text_with_guarantees(std::function<void(Look const&)> const& draw)
{
  return test::text_of_panel([&](Look const& look) {
    ImGui::GetStateStorage()->SetBool(ImGui::GetID("Guarantees"), true);
    draw(look);
  });
}

std::string table_rows(TableState& state)
{
  return text_with_guarantees([&](Look const& look) {
    Panels panels;
    table_panel(look, state);
    all_settings_button(look, state, panels);
  });
}

std::string rows_of_compared(TableState& shared, TableSettings table)
{
  return test::text_of_panel([&](Look const& look) { edit_table(look, shared, table); });
}

std::string first_guarantee(TableState const& state)
{
  return guarantee_texts(guarantees_of(state)).front().text;
}

TEST(FewSettings, LeaveOutWhatBeginnersDoNotNeed)
{
  TableState state;
  EXPECT_THAT(table_rows(state), AllOf(HasSubstr("Key bits"), HasSubstr("Repeats"), HasSubstr("Shards"),
                                       HasSubstr(first_guarantee(state)), Not(HasSubstr("Show all settings"))));
  state.few_settings = true;
  EXPECT_THAT(table_rows(state),
              AllOf(Not(HasSubstr("Key bits")), Not(HasSubstr("Repeats")), Not(HasSubstr("Shards")),
                    Not(HasSubstr(first_guarantee(state))), HasSubstr("Hash"), HasSubstr("Show all settings")));
}

TEST(FewSettings, IncludeThoseInUse)
{
  TableState state;
  state.few_settings = true;
  TableSettings& table = state.settings.table;
  table.key_bits = 64;
  EXPECT_THAT(table_rows(state), AllOf(HasSubstr("Key bits"), Not(HasSubstr("Repeats")), Not(HasSubstr("Shards"))));
  table.combine = Combine::add;
  EXPECT_THAT(table_rows(state), AllOf(HasSubstr("Key bits"), HasSubstr("Repeats"), Not(HasSubstr("Shards"))));
  table.shards = 4;
  EXPECT_THAT(table_rows(state), AllOf(HasSubstr("Key bits"), HasSubstr("Repeats"), HasSubstr("Shards")));
}

TEST(FewSettings, OfComparedTablesAreThoseInUse)
{
  TableState shared;
  EXPECT_THAT(rows_of_compared(shared, {}), AllOf(HasSubstr("Repeats"), HasSubstr("Shards")));
  shared.few_settings = true;
  EXPECT_THAT(rows_of_compared(shared, {}), AllOf(Not(HasSubstr("Repeats")), Not(HasSubstr("Shards"))));
  EXPECT_THAT(rows_of_compared(shared, {.shards = 2}), AllOf(Not(HasSubstr("Repeats")), HasSubstr("Shards")));
  CompareState state;
  state.tables.resize(2);
  auto const tables = [&] {
    return text_with_guarantees([&](Look const& look) { compared_tables_panel(look, state); });
  };
  std::string const guarantee = first_guarantee(state.tables[0].slots);
  EXPECT_THAT(tables(), HasSubstr(guarantee));
  state.shared.few_settings = true;
  EXPECT_THAT(tables(), Not(HasSubstr(guarantee)));
}

}  // namespace
}  // namespace slotscape
