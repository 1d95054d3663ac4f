#include "gpu/engine/pseudocode.hpp"
#include "gpu/tables/shards.hpp"
#include "tests/engine/engine_fixture.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>

namespace slotscape {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr std::array<Operation, 3> operations{Operation::insert, Operation::find, Operation::erase};

/// A table of the family, with its usual parameters, that reuses the slots of erased keys or does not.
TableSettings table_of(std::string_view family, bool reuses = true)
{
  return {.family = std::string(family), .deletion = reuses ? Deletion::tombstone_reuse : Deletion::empty_value};
}

/// A family may come without.
std::vector<std::string> families_with_pseudocode()
{
  std::vector<std::string> names = family_names();
  std::erase_if(names, [](std::string const& name) { return pseudocode_of(table_of(name), Operation::find).empty(); });
  return names;
}

std::multiset<std::string> labels_of(TableSettings const& table, Operation operation)
{
  std::multiset<std::string> labels;
  for (CodeLine const& line : pseudocode_of(table, operation)) {
    if (!line.label.empty()) { labels.emplace(line.label); }
  }
  return labels;
}

/// A family's tables of 64 and of 16 slots: with each choice of each parameter, both ways to delete, a good hash and
/// none.
std::vector<TableSettings> tables_of_family(FamilyInfo const& family)
{
  std::vector<TableSettings> plain;
  for (std::uint64_t const slots : {64u, 16u}) {
    TableSettings const usual{.family = std::string(family.name), .slots = slots};
    plain.push_back(usual);
    for (Parameter const& parameter : family.parameters) {
      for (std::uint32_t const choice : parameter.choices) {
        plain.push_back(usual);
        plain.back().parameters[std::string(parameter.name)] = choice;
      }
    }
  }
  std::vector<TableSettings> tables;
  for (TableSettings table : plain) {
    for (HashKind const hash : {HashKind::murmur3, HashKind::identity}) {
      for (Deletion const deletion : {Deletion::empty_value, Deletion::tombstone_reuse, Deletion::shift}) {
        if (deletion == Deletion::shift && !family.shifts_back) { continue; }
        table.hash = hash;
        table.deletion = deletion;
        tables.push_back(table);
      }
    }
  }
  return tables;
}

class PseudocodeTest : public ::testing::TestWithParam<std::string> {
protected:
  /// Traces an operation, notes which lines are lit, performs it, and compares: what the steps say at their end must be
  /// what the table then holds.
  void step(Engine& engine, Operation operation, Key key)
  {
    Trace const trace = engine.trace(operation, key, 7);
    auto const labels = labels_of(engine.table(), operation);
    std::string const end(end_line(trace, pseudocode_of(engine.table(), operation)));
    if (!end.empty()) {
      ASSERT_EQ(labels.count(end), 1u) << end;
      lit_[operation].insert(end);
    }
    std::vector<SlotInfo> told = operation == Operation::insert ? testing::all_slots(engine) : std::vector<SlotInfo>();
    bool const says_full = trace.summary.find("the table is full") != std::string::npos;
    ASSERT_TRUE(!says_full || empty_slots_for(engine, key, told) == 0) << trace.summary;
    for (Step const& step : trace.steps) {
      std::string const line(step.place.line);
      ASSERT_EQ(labels.count(line), 1u) << "'" << line << "' in step '" << step.text << "'";
      lit_[operation].insert(line);
    }
    Value const value = 7;
    switch (operation) {
      case Operation::insert: {
        Outcome outcome{};
        engine.insert(std::span(&key, 1), std::span(&value, 1), std::span(&outcome, 1));
        ASSERT_EQ(outcome, trace.outcome) << trace.summary;
        expect_told(engine, trace, std::move(told));
        break;
      }
      case Operation::find: break;
      case Operation::erase: engine.erase(std::span(&key, 1)); break;
    }
  }

  /// In the key's shard.
  static std::ptrdiff_t empty_slots_for(Engine const& engine, Key key, std::span<SlotInfo const> slots)
  {
    std::uint64_t const of_shard = slots_of_shard(engine.table());
    std::uint64_t const first = ShardOf{engine.table().shards}.segment(static_cast<std::uint32_t>(key)) * of_shard;
    return std::ranges::count(slots.subspan(first, of_shard), SlotState::empty, &SlotInfo::state);
  }

  /// `told`: the slots before the steps.
  static void expect_told(Engine& engine, Trace const& trace, std::vector<SlotInfo> told)
  {
    if (engine.family().name == "cpu_unordered_map") { return; }  // its slots are made anew
    std::set<Slot> written;
    std::vector<SlotInfo> const before = told;
    for (Step const& step : trace.steps) {
      if (!step.after) { continue; }
      if (step.place.line == "rebuild" && step.moved_from) {
        ASSERT_NE(*step.moved_from, step.after->slot) << step.text;
        ASSERT_EQ(before[*step.moved_from].pair.key, step.after->pair.key) << step.text;
      }
      told[step.after->slot] = *step.after;
      written.insert(step.after->slot);
    }
    for (SlotInfo const& slot : testing::all_slots(engine)) {
      SlotInfo const& said = told[slot.slot];
      ASSERT_EQ(said.state, slot.state) << "slot " << slot.slot << ": " << trace.summary;
      ASSERT_EQ(said.has_key, slot.has_key) << "slot " << slot.slot << ": " << trace.summary;
      if (!slot.has_key) { continue; }
      ASSERT_EQ(said.pair, slot.pair) << "slot " << slot.slot << ": " << trace.summary;
      // a split gives keys of a chain another head by their links, which steps tell in words
      bool const is_split = engine.family().growth == Growth::bucket_by_bucket && !trace.rebuild.empty();
      ASSERT_TRUE(is_split || said.home == slot.home) << "slot " << slot.slot << ": " << trace.summary;
      bool const is_own = written.contains(slot.slot);  // that of others may depend on their neighbours
      ASSERT_TRUE(!is_own || is_split || said.probe_length == slot.probe_length)
          << "slot " << slot.slot << ": " << trace.summary;
    }
  }

  /// More keys than the table has slots, of which every second one has the same home without a hash.
  void fill_and_churn(TableSettings const& settings)
  {
    auto const engine = make_engine(Backend::cpu, settings);
    std::uint64_t const slots = engine->table().slots;
    auto const keys = static_cast<Key>(slots + slots / 4 + 2);  // a fifth of them is erased
    auto const key_of = [](Key i) { return i % 2 == 0 ? 64 * i + 5 : 1000 + i; };
    for (Key i = 0; i < keys; ++i) {
      step(*engine, Operation::insert, key_of(i));
      if (i % 5 == 4) { step(*engine, Operation::erase, key_of(i - 2)); }
      if (i % 3 == 2) { step(*engine, Operation::insert, key_of(i - 1)); }
      step(*engine, Operation::find, key_of(i / 2));
      step(*engine, Operation::find, 77'000 + i);
      step(*engine, Operation::erase, 78'000 + i);
    }
  }

  std::map<Operation, std::set<std::string>> lit_;
};

/// Every access belongs to exactly one line, and no line that stands for accesses is never lit.
TEST_P(PseudocodeTest, LinesAndAccessesBelongTogether)
{
  for (TableSettings const& settings : tables_of_family(family_info(GetParam()))) {
    SCOPED_TRACE(testing::describe(settings));
    fill_and_churn(settings);
    if (HasFatalFailure()) { return; }
  }
  for (Operation const operation : operations) {
    auto const labels = labels_of(table_of(GetParam()), operation);
    EXPECT_FALSE(labels.empty());
    for (std::string const& label : labels) {
      bool const is_rare =
          std::ranges::count(end_lines, label) != 0 || (label == "rebuild" && GetParam() == "segmented_cuckoo");
      EXPECT_TRUE(is_rare || lit_[operation].contains(label)) << label;
    }
  }
}

/// Slots have their numbers in the whole table, also where a shard is rebuilt.
TEST_P(PseudocodeTest, StepsInShardsTellWhatHappens)
{
  TableSettings settings = tables_of_family(family_info(GetParam())).front();
  settings.shards = 2;
  settings.slots *= 2;
  SCOPED_TRACE(testing::describe(settings));
  fill_and_churn(settings);
}

TEST_P(PseudocodeTest, FitsBesideThePicture)
{
  for (Operation const operation : operations) {
    for (TableSettings const& table : tables_of_family(family_info(GetParam()))) {
      auto const lines = pseudocode_of(table, operation);
      ASSERT_FALSE(lines.empty());
      EXPECT_LE(lines.size(), 20u);
      for (CodeLine const& line : lines) {
        EXPECT_LE(line.text.size() + 2 * static_cast<std::size_t>(line.indent), 60u) << line.text;
      }
    }
  }
}

/// The line at which an operation ends is the one that says what came of it.
TEST(Pseudocode, EndsAtTheLineThatSaysWhatCameOfIt)
{
  auto const engine = make_engine(Backend::cpu, {.family = "linear_probing", .slots = 8, .hash = HashKind::identity});
  auto const insert = [&](Key key) {
    Value const value = 0;
    Outcome outcome{};
    engine->insert(std::span(&key, 1), std::span(&value, 1), std::span(&outcome, 1));
  };
  auto const end = [&](Operation operation, Key key) {
    auto const lines = pseudocode_of(engine->table(), operation);
    std::string_view const label = end_line(engine->trace(operation, key, 0), lines);
    auto const line = std::ranges::find(lines, label, &CodeLine::label);
    return label.empty() || line == lines.end() ? std::string() : line->text;
  };
  insert(3);
  EXPECT_EQ(end(Operation::find, 3), "if it holds key: found, unless it was erased");
  EXPECT_EQ(end(Operation::find, 11), "if it is empty: not in the table");
  EXPECT_EQ(end(Operation::erase, 11), "if key is not there: nothing changes");
  EXPECT_EQ(end(Operation::insert, 4), "") << "its last access says it";
  Key const erased = 3;
  engine->erase(std::span(&erased, 1));
  EXPECT_EQ(end(Operation::find, 3), "if it holds key: found, unless it was erased") << "it is there, but erased";
  for (Key key = 8; key < 15; ++key) { insert(key); }
  EXPECT_EQ(end(Operation::find, 100), "not in the table") << "the whole table was read";
}

/// What a table does not do, its code does not say.
TEST(Pseudocode, SaysHowSlotsAreReusedOnlyWhereTheyAre)
{
  for (std::string const& family : families_with_pseudocode()) {
    auto const searches = [&](bool reuses) {
      return std::ranges::count(pseudocode_of(table_of(family, reuses), Operation::insert), "search", &CodeLine::label);
    };
    bool const has_choice = family_info(family).deletes_two_ways && family != "gel_hash";
    EXPECT_EQ(searches(true) - searches(false), has_choice ? 1 : 0) << family;
  }
  TableSettings const table = table_of("linear_probing");
  auto const lines = code_lines("insert(key)\n  if:  @reuse\n    look  @search\n      far\n  go\n", Operation::insert,
                                family_info("linear_probing"), table);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[1].indent, 1) << "the condition is gone, and what it was about stands in its place";
  EXPECT_EQ(lines[2].indent, 2);
  EXPECT_EQ(lines[3].indent, 1);
}

/// For one thread: an insertion goes its way once, and nothing is said of others.
TEST(Pseudocode, OfTextbooksGoesOneWayWithoutOtherThreads)
{
  for (std::string const& family : families_with_pseudocode()) {
    for (bool const reuses : {false, true}) {
      TableSettings const table = table_of(family, reuses);
      auto const lines = pseudocode_of(table, Operation::insert, CodeStyle::textbook);
      std::string code;
      for (CodeLine const& line : lines) {
        code += line.text + '\n';
        EXPECT_LE(line.text.size() + 2 * static_cast<std::size_t>(line.indent), 60u) << line.text;
      }
      EXPECT_LE(lines.size(), 20u) << family;
      EXPECT_THAT(code, Not(HasSubstr("still"))) << family;
      EXPECT_EQ(std::ranges::count(lines, full_line, &CodeLine::label), 1) << family;
      bool const probes = family_info(family).keys_alone;
      if (!probes) { continue; }
      EXPECT_EQ(std::ranges::count(lines, reuses ? "search" : "look", &CodeLine::label), 1) << family;
      EXPECT_EQ(std::ranges::count(lines, reuses ? "look" : "search", &CodeLine::label), 0) << family << ", once";
      EXPECT_EQ(std::ranges::count(lines, "take", &CodeLine::label), 1) << family;
      EXPECT_EQ(code.find("tombstone") != std::string::npos, reuses) << family;
    }
  }
}

TEST(Pseudocode, OfSetsSpeaksOfNoValues)
{
  for (std::string const& family : families_with_pseudocode()) {
    if (!family_info(family).keys_alone) { continue; }
    TableSettings set = table_of(family);
    set.keys_only = true;
    for (CodeStyle const style : {CodeStyle::threads, CodeStyle::textbook}) {
      for (Operation const operation : operations) {
        for (CodeLine const& line : pseudocode_of(set, operation, style)) {
          EXPECT_THAT(line.text, Not(HasSubstr("value"))) << family;
        }
      }
    }
  }
}

/// A table that keeps an order of its own decides ties, so its code says how.
TEST(Pseudocode, SaysHowTiesAreDecided)
{
  for (auto const& [family, words] :
       {std::pair{"robin_hood", "smaller"}, std::pair{"robin_hood", "larger"}, std::pair{"graveyard", "larger"},
        std::pair{"iceberg", "equal"}, std::pair{"two_choice", "equal"}}) {
    auto const says = [&, words = words](CodeLine const& line) { return line.text.find(words) != line.text.npos; };
    auto const insertion = pseudocode_of(table_of(family), Operation::insert);
    auto const lookup = pseudocode_of(table_of(family), Operation::find);
    EXPECT_TRUE(std::ranges::any_of(insertion, says) || std::ranges::any_of(lookup, says)) << family << ": " << words;
  }
}

INSTANTIATE_TEST_SUITE_P(Of, PseudocodeTest, ::testing::ValuesIn(families_with_pseudocode()),
                         [](auto const& info) { return info.param; });

TEST(Pseudocode, IsReadLineByLine)
{
  char const* const text = "insert(key)\n  look  @one\n\nfind(key)\n  go\n    on, and @ on  @two words\n";
  auto const read = [&](Operation operation) {
    return code_lines(text, operation, family_info("linear_probing"), table_of("linear_probing"));
  };
  auto const lines = read(Operation::find);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0].text, "find(key)");
  EXPECT_EQ(lines[1].indent, 1);
  EXPECT_EQ(lines[1].label, "");
  EXPECT_EQ(lines[2].indent, 2);
  EXPECT_EQ(lines[2].text, "on, and @ on");
  EXPECT_EQ(lines[2].label, "two words");
  EXPECT_THAT(read(Operation::erase), IsEmpty());
}

TEST(Pseudocode, OfProbingBySquaresHasTheirFormula)
{
  TableSettings const table{.family = "quadratic", .slots = 11, .parameters = {{"sequence", 2}}};
  for (Operation const operation : {Operation::insert, Operation::find}) {
    std::string code;
    for (CodeLine const& line : pseudocode_of(table, operation)) { code += std::string(line.text) + '\n'; }
    EXPECT_THAT(code, HasSubstr("slot = (home(key) + step\u00b2) mod m"));
    EXPECT_THAT(code, HasSubstr("repeat, while step \u2264 m div 2:"));
    EXPECT_THAT(code, Not(HasSubstr("slot + step")));
    EXPECT_THAT(code, Not(HasSubstr("@")));
  }
}

/// In step mode, and beside the threads of races.
TEST(Pseudocode, OfFunctionsThatAreFixedDoesNotChooseOthers)
{
  TableSettings table{.family = "cuckoo", .slots = 22};
  auto const rebuilds = [](std::vector<CodeLine> const& lines) {
    return std::ranges::count(lines, "rebuild", &CodeLine::label);
  };
  EXPECT_EQ(rebuilds(pseudocode_of(table, Operation::insert)), 1);
  table.parameters = {{"hashing", 2}};
  auto const lines = pseudocode_of(table, Operation::insert);
  EXPECT_EQ(rebuilds(lines), 0);
  EXPECT_EQ(std::ranges::count(lines, "if no path is found: error, no place for key", &CodeLine::text), 1);
  EXPECT_EQ(std::ranges::count(lines, full_line, &CodeLine::label), 1);
}

}  // namespace
}  // namespace slotscape
