#include "app/keys/key_text.hpp"

#include "app/base/text.hpp"
#include "app/keys/typed_keys.hpp"
#include "app/simulation/families.hpp"
#include "app/simulation/small_keys.hpp"
#include "app/table_map/step/retold.hpp"
#include "gpu/engine/engine.hpp"
#include "tests/app/support/program.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cctype>
#include <set>

namespace slotscape {
namespace {

using test::message_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::array spoken_styles{KeyStyle::words, KeyStyle::names};

TEST(KeyText, IsAWordOrANameThatStandsForItsKeyAlone)
{
  for (KeyStyle const style : spoken_styles) {
    std::set<std::string> texts;
    ASSERT_GE(largest_named_key(style), 200u);
    for (Key key = 1; key <= largest_named_key(style); ++key) {
      std::string const text = key_text(key, style);
      EXPECT_LE(text.size(), 7u) << text;
      EXPECT_TRUE(std::ranges::all_of(text, [](unsigned char c) { return c < 0x80 && std::isalpha(c) != 0; })) << text;
      EXPECT_TRUE(texts.insert(lower_case(text)).second) << text << " stands for two keys";
      EXPECT_EQ(key_named(text, style), key);
      EXPECT_EQ(key_named(lower_case(text), style), key);
    }
  }
}

TEST(KeyText, IsANumberWhereTheListHasNone)
{
  EXPECT_EQ(key_text(1, KeyStyle::names), "Ada");
  EXPECT_EQ(key_text(1, KeyStyle::words), "apple");
  for (KeyStyle const style : {KeyStyle::numbers, KeyStyle::small}) { EXPECT_EQ(key_text(42, style), "42"); }
  for (KeyStyle const style : spoken_styles) {
    EXPECT_EQ(key_text(0, style), "0");
    EXPECT_EQ(key_text(largest_named_key(style) + 1, style), std::to_string(largest_named_key(style) + 1));
    EXPECT_EQ(key_text(~Key{0}, style), "18446744073709551615");
    EXPECT_FALSE(key_named("Rumpelstiltskin", style));
    EXPECT_FALSE(key_named("", style));
  }
  EXPECT_FALSE(key_named("Ada", KeyStyle::numbers));
}

TEST(TypedWords, AreKeysInLettersOfAnyCase)
{
  auto const keys = [](std::string_view text, KeyStyle style) {
    ParsedKeys const parsed = parse_keys(text, Operation::insert, {32, style});
    EXPECT_EQ(parsed.error, "") << text;
    return parsed.pairs;
  };
  EXPECT_THAT(keys("7 12 Ada", KeyStyle::names), ElementsAre(Pair{7, 0}, Pair{12, 0}, Pair{1, 0}));
  EXPECT_THAT(keys("BEN=5, ada – chloe", KeyStyle::names), ElementsAre(Pair{2, 5}, Pair{1, 0}, Pair{2, 0}, Pair{3, 0}));
  EXPECT_THAT(keys("Apple", KeyStyle::words), ElementsAre(Pair{1, 0}));
}

TEST(TypedWords, ThatAreInNoListAreExplained)
{
  auto const error = [](std::string_view text, KeyStyle style) {
    return parse_keys(text, Operation::insert, {32, style}).error;
  };
  EXPECT_THAT(error("Cloe", KeyStyle::names), HasSubstr("'Cloe' is not in the list of names: did you mean Chloe?"));
  EXPECT_THAT(error("xxxxxxxxxx", KeyStyle::words), HasSubstr("'xxxxxxxxxx' is not in the list of words: try apple"));
  EXPECT_THAT(error("Ada", KeyStyle::numbers), HasSubstr("'Ada' is not a key"));
  EXPECT_THAT(error("Ada=", KeyStyle::names), Not(""));
}

TEST(TypedWords, GoBackIntoTheFieldAsWords)
{
  TypedKeys typed;
  typed.show({Operation::insert, 1, 3}, KeyStyle::names);
  EXPECT_EQ(typed.text, "Ada=3");
  EXPECT_THAT(typed.parsed({32, KeyStyle::names}).pairs, ElementsAre(Pair{1, 3}));
  EXPECT_NE(typed.parsed({32, KeyStyle::words}).error, "") << "the style has changed, and the text is read again";
  typed.note(*typed.enter({32, KeyStyle::names}));
  typed.show({Operation::find, 2}, KeyStyle::names);
  typed.note(*typed.enter({32, KeyStyle::names}));
  EXPECT_THAT(typed.lately, ElementsAre(Pair{2, 0}, Pair{1, 3}));
  typed.show({Operation::insert, 1}, KeyStyle::names);
  typed.note(*typed.enter({32, KeyStyle::names}));
  EXPECT_THAT(typed.lately, ElementsAre(Pair{1, 0}, Pair{2, 0})) << "each key once, the latest first";
}

TEST(SmallKeys, AreThoseFrom1To99InTheOrderOfTheSeed)
{
  KeySettings const keys = small_keys({});
  EXPECT_TRUE(are_small(keys));
  EXPECT_EQ(keys, small_keys(keys)) << "settings that are alike compare equal";
  std::vector<Key> const first = *in_order_of_seed(keys, 1).file_keys;
  EXPECT_EQ(first, *in_order_of_seed(keys, 1).file_keys);
  EXPECT_NE(first, *in_order_of_seed(keys, 2).file_keys);
  std::set<Key> const all(first.begin(), first.end());
  EXPECT_EQ(all.size(), 99u);
  EXPECT_EQ(*all.begin(), 1u);
  EXPECT_EQ(*all.rbegin(), 99u);
  EXPECT_EQ(without_small_keys(keys), KeySettings{});
  EXPECT_EQ(in_order_of_seed({}, 1), KeySettings{});
}

TEST(SmallKeys, FillSmallTables)
{
  for (std::uint64_t const slots : {16u, 64u}) {
    Simulation simulation(Backend::cpu, {.slots = slots}, small_keys({}), 7);
    simulation.submit(FillTo{0.9});
    simulation.finish();
    EXPECT_NEAR(simulation.load_factor(), 0.9, 0.05);
    for (Pair const& pair : simulation.engine().pairs()) {
      EXPECT_GE(pair.key, 1u);
      EXPECT_LE(pair.key, max_small_key);
    }
  }
}

TEST(SmallKeys, ComeBackWhenTheyWereErased)
{
  Simulation simulation(Backend::cpu, {.slots = 16, .deletion = Deletion::tombstone_reuse}, small_keys({}), 7);
  for (int round = 0; round < 20; ++round) {
    simulation.submit(FillTo{0.8});
    simulation.submit(BatchRequest::erases(12));
  }
  simulation.submit(FillTo{0.8});
  simulation.finish();
  EXPECT_GE(simulation.live(), 12u);
}

TableSetup read(std::string const& fields)
{
  return test::parse_setup<TableSetup>("{ \"version\": 1, " + fields + " }");
}

TEST(KeysForHumans, AreAFieldOfTheView)
{
  std::string const names = R"("table": { "slots": 16 }, "view": { "keys_as": "names" })";
  TableSetup const set_up = read(names);
  EXPECT_EQ(set_up.settings.view.keys_as, KeyStyle::names);
  EXPECT_TRUE(are_small(set_up.settings.keys)) << "new keys are in the list";
  std::string const drawn = R"(, "steps": [ { "op": "insert", "count": 5 } ])";
  EXPECT_TRUE(are_small(read(names + drawn).settings.keys)) << "and those of steps, too";
  EXPECT_FALSE(are_small(read(R"("table": { "slots": 16 })" + drawn).settings.keys));
  EXPECT_FALSE(are_small(read(R"("table": { "slots": 1024 }, "view": { "keys_as": "names" })").settings.keys));
  EXPECT_FALSE(are_small(read(names + R"(, "keys": "sequential")").settings.keys));
  EXPECT_THAT(message_of<Error>([] { read(R"("view": { "keys_as": "colours" })"); }),
              testing::AllOf(HasSubstr("view.keys_as"), HasSubstr("colours"), HasSubstr("names")));
}

TEST(KeysForHumans, AreSavedAsTheirStreamAndStyle)
{
  for (std::string const keys : {R"("keys": "small")", R"("keys": { "distribution": "small" })"}) {
    TableSetup const set_up = read(keys + R"(, "view": { "keys_as": "words" })");
    ASSERT_TRUE(are_small(set_up.settings.keys));
    Json json = table_setup_json(set_up, ".");
    EXPECT_EQ(json["keys"]["distribution"], "small");
    EXPECT_FALSE(json["keys"].contains("file"));
    EXPECT_FALSE(json["keys"].contains("repeat"));
    json["version"] = 1;
    EXPECT_EQ(test::parse_setup<TableSetup>(json.dump()).settings, set_up.settings);
  }
  TableSetup const others = read(R"("keys": "small", "steps": [ { "op": "set_keys", "keys": "uniform" } ])");
  EXPECT_EQ(std::get<SetKeys>(others.steps.front()).keys, KeySettings{});
  Json json = table_setup_json(others, ".");
  json["version"] = 1;
  EXPECT_EQ(test::parse_setup<TableSetup>(json.dump()).steps, others.steps);
}

/// Every sentence of a trace.
std::vector<std::string> sentences(Trace const& trace)
{
  std::vector<std::string> all{trace.summary};
  for (Step const& step : trace.steps) {
    all.push_back(step.text);
    all.push_back(step.found);
  }
  return all;
}

std::string replaced(std::string text, std::string_view from, std::string_view to)
{
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

/// In sentences, no number but a key is as large as these.
constexpr Key first_key = 700'001;

std::string in_brackets(Key key)
{
  return fmt::format("<{}>", key);
}

TEST(Retold, SentencesNameEveryKeyAndSayTheSame)
{
  for (std::string const& name : family_names()) {
    FamilyInfo const& family = family_info(name);
    TableSettings table = with_family({.slots = 64}, family);
    table.slots = allowed_slots(table, 64);
    auto const engine = make_engine(Backend::cpu, table);
    std::vector<Key> keys;
    for (Key key = first_key; key < first_key + 40; ++key) { keys.push_back(key); }
    engine->insert(keys, std::vector<Value>(keys.size(), 5));
    engine->erase(std::vector<Key>(keys.begin(), keys.begin() + 6));
    for (Operation const operation : {Operation::insert, Operation::find, Operation::erase}) {
      for (Key const key : {first_key, first_key + 20, first_key + 60, first_key + 61}) {
        Trace const plain = engine->trace(operation, key, 3);
        std::vector<std::string> const before = sentences(plain);
        std::vector<std::string> const after = sentences(retold(plain, family, in_brackets));
        ASSERT_EQ(after.size(), before.size());
        for (std::size_t i = 0; i < after.size(); ++i) {
          EXPECT_EQ(replaced(replaced(after[i], "<", ""), ">", ""), before[i]) << name;
          EXPECT_THAT(replaced(after[i], "<7000", ""), Not(HasSubstr("7000"))) << name << ": " << after[i];
        }
      }
    }
  }
}

/// Sums are of numbers; what else is said of slots in T1 and T2 names their keys.
TEST(Retold, SentencesOfCuckooByHandNameTheirKeys)
{
  TableSettings const table{.family = "cuckoo", .slots = 22, .parameters = {{"bucket", 1}, {"hashing", 2}}};
  auto const engine = make_engine(Backend::cpu, table);
  std::size_t in_arrays = 0;
  for (Key key = first_key; key < first_key + 99; key += 11) {
    Trace const plain = engine->trace(Operation::insert, key, 3);
    std::vector<std::string> const before = sentences(plain);
    std::vector<std::string> const after = sentences(retold(plain, family_info("cuckoo"), in_brackets));
    for (std::size_t i = 0; i < after.size(); ++i) {
      EXPECT_EQ(replaced(replaced(after[i], "<", ""), ">", ""), before[i]);
      if (before[i].find(" mod ") != std::string::npos) { continue; }
      EXPECT_THAT(replaced(after[i], "<7000", ""), Not(HasSubstr("7000"))) << after[i];
      if (after[i].find("<7000") != std::string::npos && after[i].find(" in T") != std::string::npos) { ++in_arrays; }
    }
    if (plain.outcome == Outcome::full) { continue; }
    engine->insert(std::span(&key, 1), std::vector<Value>{3});
  }
  EXPECT_GT(in_arrays, 10u);
}

}  // namespace
}  // namespace slotscape
