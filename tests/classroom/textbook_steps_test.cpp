// Steps as textbooks have them: for one thread.

#include "app/table_map/step/player.hpp"
#include "app/table_map/step/words.hpp"
#include "gpu/engine/make_engine.hpp"

#include <gmock/gmock.h>

#include <span>
#include <string>
#include <vector>

namespace slotscape {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;

class TextbookCode : public ::testing::Test {
protected:
  /// 11, 22, 33 and 44 share their home, slot 0. Two of them are erased: slots 1 and 3 are tombstones.
  static StepPlayer player(Deletion deletion)
  {
    auto const engine =
        make_engine(Backend::cpu, {.slots = 11, .deletion = deletion, .hash = HashKind::identity, .key_bits = 32});
    auto const insert = [&](Key key) {
      Value const value = 0;
      engine->insert(std::span(&key, 1), std::span(&value, 1));
    };
    for (Key const key : {11, 22, 33, 44}) { insert(key); }
    for (Key const key : {22, 44}) { engine->erase(std::span(&key, 1)); }
    StepPlayer player(engine->trace(Operation::insert, 55, 0));
    player.tell(engine->family(), KeyStyle::numbers, true);
    return player;
  }
  static std::vector<CodeLine> code(Deletion deletion, CodeStyle style)
  {
    return pseudocode_of({.slots = 11, .deletion = deletion}, Operation::insert, style);
  }
};

TEST_F(TextbookCode, LightsTheLineThatRemembersTheFirstTombstone)
{
  StepPlayer player = this->player(Deletion::tombstone_reuse);
  auto const lines = code(Deletion::tombstone_reuse, CodeStyle::textbook);
  EXPECT_EQ(position_at_line(player, lines, remember_line), 2u);
  EXPECT_EQ(line_of(player, lines), "");
  EXPECT_EQ(next_line_of(player, lines), "search");
  player.go_to(1);
  EXPECT_EQ(line_of(player, lines), "search");
  EXPECT_EQ(next_line_of(player, lines), remember_line);
  EXPECT_EQ(variables_of(player, lines).find("remembered"), std::string::npos);
  player.go_to(2);
  EXPECT_EQ(line_of(player, lines), remember_line);
  EXPECT_TRUE(variables_of(player, lines).ends_with("   remembered = 1")) << variables_of(player, lines);
  player.go_to(4);
  EXPECT_EQ(line_of(player, lines), "search") << "the second tombstone is passed by";
  player.go_to(player.count());
  EXPECT_EQ(line_of(player, lines), "take");
  EXPECT_TRUE(variables_of(player, lines).ends_with("   remembered = 1"));
  EXPECT_EQ(player.present()->after->slot, 1u);
}

TEST_F(TextbookCode, OfOtherTablesRemembersNothing)
{
  auto const remembers = [&](Deletion deletion, CodeStyle style) {
    return position_at_line(player(deletion), code(deletion, style), remember_line).has_value();
  };
  EXPECT_FALSE(remembers(Deletion::empty_value, CodeStyle::textbook)) << "it does not reuse slots of erased keys";
  EXPECT_FALSE(remembers(Deletion::tombstone_reuse, CodeStyle::threads)) << "it searches first";
}

/// Cuckoo hashing by hand: h1 is k mod 11, and h2 is (k div 11) mod 11.
class Evictions : public ::testing::Test {
protected:
  static inline TableSettings const table{.family = "cuckoo",
                                          .slots = 22,
                                          .parameters = {{"functions", 2}, {"bucket", 1}, {"hashing", 2}}};

  Evictions() : player_(insertion()) { player_.tell(family_info("cuckoo"), KeyStyle::numbers, true); }
  static Trace insertion()
  {
    auto const engine = make_engine(Backend::cpu, table);
    std::vector<Key> const keys{20, 50, 53, 75, 100, 67};
    for (Key const key : keys) {
      Value const value = 0;
      engine->insert(std::span(&key, 1), std::span(&value, 1), {});
    }
    return engine->trace(Operation::insert, 105, 0);
  }

  StepPlayer player_;
};

TEST_F(Evictions, AreOneMoveEach)
{
  std::vector<std::string> lines;
  for (Step const& step : player_.trace().steps) { lines.emplace_back(step.place.line); }
  EXPECT_THAT(lines, ElementsAre("look", "look", "search", "search", "search", "search", "search", "move", "move",
                                 "move", "place"));
  EXPECT_THAT(player_.summary(), EndsWith(" 3 other keys moved to make room."));
  player_.go_to(8);
  EXPECT_EQ(player_.changes().at(12).pair.key, 20u) << "slot 1 of T2";
  EXPECT_EQ(player_.changes().at(9).state, SlotState::empty) << "20 has left its slot of T1";
  player_.go_to(9);
  EXPECT_EQ(player_.changes().at(9).pair.key, 53u);
  player_.go_to(player_.count());
  EXPECT_EQ(player_.changes().at(6).pair.key, 105u);
}

/// Wherever the player stands as it begins to tell them so.
TEST_F(Evictions, ReserveNothing)
{
  Trace const trace = insertion();
  for (std::size_t position = 0; position <= trace.steps.size(); ++position) {
    StepPlayer player(trace, position);
    player.tell(family_info("cuckoo"), KeyStyle::numbers, true);
    for (auto const& [slot, changed] : player.changes()) {
      EXPECT_NE(changed.state, SlotState::tombstone) << slot << " at access " << position;
    }
  }
}

TEST_F(Evictions, AreSearchedForKeyByKey)
{
  auto const text = [&](std::size_t step) { return player_.trace().steps.at(step).text; };
  EXPECT_THAT(text(1), EndsWith("Next: slot 4 in T2, where 50 may move: h2(50) = (50 div 11) mod 11 = 4"));
  EXPECT_THAT(text(2), EndsWith("Next: slot 1 in T1, where 100 may move: h1(100) = 100 mod 11 = 1"));
  EXPECT_THAT(text(6), EndsWith("Slot 1 in T2 is empty: 20 can move here"));
  player_.tell(family_info("cuckoo"), KeyStyle::names, true);
  EXPECT_THAT(text(1), HasSubstr("where " + key_text(50, KeyStyle::names) + " may move"));
}

TEST_F(Evictions, HaveTheirLinesInTextbookCode)
{
  auto const lines = pseudocode_of(table, Operation::insert, CodeStyle::textbook);
  for (std::size_t position = 1; position <= player_.count(); ++position) {
    player_.go_to(position);
    EXPECT_EQ(std::ranges::count(lines, line_of(player_, lines), &CodeLine::label), 1) << line_of(player_, lines);
  }
}

}  // namespace
}  // namespace slotscape
