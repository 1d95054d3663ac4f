// German is complete: what a window shows most often is said in it.

#include "tests/app/languages/german.hpp"
#include "app/keys/file_keys.hpp"
#include "app/keys/keys_json.hpp"
#include "app/keys/typed_keys.hpp"
#include "app/languages/languages.hpp"
#include "app/scenes/slots/panels/panels.hpp"
#include "app/simulation/families.hpp"
#include "app/simulation/theory_fit.hpp"
#include "app/table_map/overlays.hpp"
#include "app/table_scene/gui.hpp"
#include "gpu/base/error.hpp"
#include "gpu/engine/engine.hpp"
#include "gpu/races/cases.hpp"
#include "tests/app/support/program.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <regex>
#include <set>

namespace slotscape {
namespace {

using test::expect_said_in_german;
using test::has_words;
using test::lines_left_in_english;

bool german_has(std::string_view text)
{
  return catalogue_in_use()->texts.contains(text);
}

/// What German must have.
void expect_translated(std::string_view text, std::string_view where)
{
  if (!has_words(text)) { return; }
  EXPECT_TRUE(german_has(text)) << where << ": '" << text << "' has no translation";
}

template <class Enum>
void expect_choices(std::string_view where)
{
  for (EnumName<Enum> const& name : enum_names<Enum>()) { expect_translated(name.label, where); }
}

template <class T>
void expect_settings(std::string_view where)
{
  for (Setting<T> const& setting : settings_of<T>()) {
    expect_translated(setting.text.label, where);
    expect_translated(setting.text.hint, where);
    bool const is_choice = setting.range.kind == SettingRange::Kind::choice;
    for (std::string const& label : is_choice ? setting.range.labels : std::vector<std::string>()) {
      expect_translated(label, where);
    }
  }
}

TEST(German, HasTheChoicesOfSettings)
{
  InLanguage const german("de");
  expect_settings<TableSettings>("table");
  expect_settings<KeySettings>("keys");
  expect_settings<DriveSettings>("drive");
  expect_settings<ViewSettings>("view");
  expect_settings<races::RaceSettings>("race");
  expect_choices<Deletion>("deletion");
  expect_choices<Combine>("combine");
  expect_choices<HashKind>("hash");
  expect_choices<KeyDistribution>("keys");
  expect_choices<KeyChoice>("choice of keys");
  expect_choices<SlotState>("state of a slot");
  expect_choices<ColorBy>("colours");
  expect_choices<Layout>("layout");
  expect_choices<Reduce>("reduction");
  expect_choices<KeyStyle>("style of keys");
}

TEST(German, HasWhatFamiliesSayOfThemselves)
{
  InLanguage const german("de");
  for (std::string const& name : family_names()) {
    FamilyInfo const& family = family_info(name);
    if (!german_has(family.idea)) {  // it is new: what is missing is in the list of scripts/catalogue --missing
      fmt::print("{} is not translated yet\n", name);
      continue;
    }
    for (std::string_view const text :
         {family.title, family.rule, family.steps.next, family.steps.ends, family.steps.links, family.steps.link}) {
      expect_translated(text, name);
    }
    for (Measure const& measure : {family.measure, family.groups, family.moves}) {
      expect_translated(measure.name, name);
      expect_translated(measure.unit, name);
      expect_translated(measure.remark, name);
    }
    for (Parameter const& parameter : family.parameters) {
      expect_translated(parameter.title, name);
      expect_translated(parameter.help, name);
      for (std::string_view const choice : parameter.choice_names) { expect_translated(choice, name); }
    }
  }
  for (races::Case const& race : races::famous_cases()) {
    expect_translated(race.title, race.name);
    expect_translated(race.what, race.name);
  }
}

TEST(German, HasTheGuarantees)
{
  for (std::string const& name : family_names()) {
    Guarantees const guarantees = family_info(name).guarantees({.family = name});
    for (std::size_t i = 0; i < guarantee_texts(guarantees).size(); ++i) {
      expect_said_in_german([&] { return guarantee_texts(guarantees)[i].text; });
      InLanguage const german("de");
      expect_translated(guarantee_texts(guarantees)[i].about, name);
    }
    expect_said_in_german([&] { return safe_load_warning(guarantees, 2.0); });
  }
}

Statistics filled_for_words(double load)
{
  Statistics statistics;
  statistics.slots = 1 << 14;
  statistics.live = static_cast<std::uint64_t>(load * static_cast<double>(statistics.slots));
  statistics.groups = {256, 4.0, 9, {}, 0};
  return statistics;
}

/// What theory says beside a table's numbers; texts without a translation are the same in both languages.
std::vector<std::string> remarks_of_theory()
{
  std::vector<Statistics> tables{filled_for_words(0.0), filled_for_words(0.5), filled_for_words(0.95),
                                 filled_for_words(0.998)};
  tables.push_back(tables[1]);
  tables.back().tombstones = 100;
  std::vector<KeyOrigin> const keys{{},
                                    {.drawn = KeyDistribution::one_home},
                                    {.drawn = KeyDistribution::file},
                                    {.homes = Evenness::more_even},
                                    {.homes = Evenness::less_even},
                                    {.homes = Evenness::runs_of_homes}};
  std::vector<std::string> remarks;
  for (std::string const& name : family_names()) {
    FamilyInfo const& family = family_info(name);
    for (std::uint32_t const shards : {1u, 4u}) {
      TableSettings const table = with_family({.slots = 1 << 14, .shards = shards}, family);
      for (Statistics const& statistics : tables) {
        for (KeyOrigin const& origin : keys) {
          TheoryFit const fit = theory_fit(family, table, origin, statistics);
          remarks.push_back(fit.by);
          remarks.push_back(fit.reason);
        }
      }
    }
  }
  for (double const measured : {1.0, 1.3, 0.5}) { remarks.push_back(distance_from_theory(measured, 1.0)); }
  remarks.push_back(distance_from_theory(1.0, 0.0));
  return remarks;
}

TEST(German, HasTheRemarksOfTheory)
{
  std::vector<std::string> const english = remarks_of_theory();
  InLanguage const german("de");
  std::vector<std::string> const said = remarks_of_theory();
  ASSERT_EQ(said.size(), english.size());
  std::set<std::string> different;
  for (std::size_t i = 0; i < english.size(); ++i) {
    if (has_words(english[i])) { EXPECT_NE(said[i], english[i]); }
    different.insert(said[i]);
  }
  EXPECT_GT(different.size(), 20u) << "these tables were to have theory say all that it can";
}

/// A line may end at a blank, and not within a number.
TEST(German, KeepsGroupedNumbersTogether)
{
  InLanguage const german("de");
  std::regex const divided("(^|[^0-9.,])[0-9]{1,3} [0-9]{3}([^0-9]|$)");
  for (auto const& [english, forms] : catalogue_in_use()->texts) {
    for (std::string const& form : forms) { EXPECT_FALSE(std::regex_search(form, divided)) << form; }
  }
}

TEST(German, AbbreviatesNothingThatEnglishSpells)
{
  InLanguage const german("de");
  std::regex const abbreviation("[a-z][.]( |,|/|$)");
  for (auto const& [english, forms] : catalogue_in_use()->texts) {
    if (english.find('.') != std::string::npos) { continue; }
    for (std::string const& form : forms) { EXPECT_FALSE(std::regex_search(form, abbreviation)) << form; }
  }
}

class GermanPanels : public ::testing::Test {
protected:
  GermanPanels()
  {
    TableSetup set_up;
    set_up.settings.table = {.slots = 1 << 12};
    set_up.steps = {FillTo{0.6}};
    auto const app = test::offscreen_app({1280, 720}, test::slots_scenario(set_up));
    for (int frame = 0; frame < 40; ++frame) { app->frame(0.05); }
    state_ = test::scene_of<SlotsScene>(*app).state();
  }

  TableState state_;
};

TEST_F(GermanPanels, SayWhatIsInASlot)
{
  SlotDetail detail{.slot = {.slot = 7,
                             .state = SlotState::live,
                             .pair = {42, 5},
                             .home = 5,
                             .has_key = true,
                             .probe_length = 2,
                             .byte_beside = 0x2a},
                    .cluster = {.start = 5, .length = 4}};
  auto const left = [&] {
    return lines_left_in_english([&](Look const& look) { slot_facts(look, state_, detail); }, {"Cluster", "Shard"});
  };
  EXPECT_THAT(left(), ::testing::IsEmpty());
  detail.slot.state = SlotState::tombstone;
  EXPECT_THAT(left(), ::testing::IsEmpty());
  detail.slot.state = SlotState::link;
  EXPECT_THAT(left(), ::testing::IsEmpty()) << "a key that no lookup finds";
}

TEST_F(GermanPanels, SayWhatIsMeasured)
{
  std::set<std::string> const alike{"p99", "max"};
  EXPECT_THAT(lines_left_in_english([&](Look const& look) { numbers_panel(look, state_); }, alike),
              ::testing::IsEmpty());
  state_.settings.keys.distribution = KeyDistribution::one_home;
  EXPECT_THAT(lines_left_in_english([&](Look const& look) { numbers_panel(look, state_); }, alike),
              ::testing::IsEmpty());
}

TEST_F(GermanPanels, SayHowTheTableIsSet)
{
  EXPECT_THAT(lines_left_in_english([&](Look const& look) { table_panel(look, state_); }, {"Hash", "Shards"}),
              ::testing::IsEmpty());
}

TEST(German, AnswersWhoTypesKeys)
{
  OnKeys const one{Operation::insert, std::make_shared<std::vector<Pair> const>(std::vector<Pair>{{17, 0}})};
  OnKeys const two{Operation::insert, std::make_shared<std::vector<Pair> const>(std::vector<Pair>{{17, 0}, {42, 0}})};
  for (Outcome const outcome :
       {Outcome::inserted, Outcome::updated, Outcome::full, Outcome::found, Outcome::erased, Outcome::missing}) {
    for (std::uint64_t const count : {1, 2}) {
      Tally outcomes;
      outcomes[outcome] = count;
      for (OnKeys const& keys : {one, two}) {
        expect_said_in_german([&] { return answer_to(keys, outcomes, {}, KeyStyle::numbers); });
      }
    }
  }
  for (char const* const typed : {"", "x", "9-5", "1-99999999", "0x1ffffffff"}) {
    for (KeyStyle const style : {KeyStyle::numbers, KeyStyle::words, KeyStyle::names, KeyStyle::with_sign}) {
      expect_said_in_german([&] { return parse_keys(typed, Operation::insert, {32, style}).error; });
    }
  }
  expect_said_in_german([] { return why_refused({Operation::insert, std::uint64_t{1} << 40, 0}, 32); });
}

/// What is wrong with keys of files, and what is said of them. Some sentences are put together of several.
TEST(German, SaysWhatKeyFilesAreLike)
{
  struct File {
    std::string name;
    std::string content;
    KeyReading reading = {};
  };
  std::vector<File> const files{
      {"werte.txt", ""},
      {"werte.txt", "17\nanna\n18\n"},
      {"werte.txt", "17\n1.5\n18\n"},
      {"werte.txt", "17\n99999999999999999999\n18\n"},
      {"werte.txt", "17 18\n"},
      {"werte.txt", "Dear reader\n"},
      {"werte.txt", "anna\nben\n"},
      {"werte.txt", "-5\n18446744073709551611\n"},
      {"werte.txt", "-5\n-6\n"},
      {"werte.txt", "007\n1e3\n5000000000\n18446744073709551615\n"},
      {"werte.txt", "-9223372036854775808\n8\n"},
      {"werte.txt", "17\n", {.as_text = true}},
      {"werte.u32", "abc"},
      {"werte.bin", "abcdefgh"},
      {"werte.txt", std::string("a\1b")},
      {"werte.csv", "id,n\n1,2\n"},
      {"werte.csv", "id,n\n1,2\n", {"of"}},
      {"werte.csv", "id,n\n1\n", {"n"}},
      {"werte.csv", "id,n\n\"1,2\n", {"id"}},
      {"werte.csv", "id,id\n1,2\n", {"id"}},
      {"werte.csv", "id,n\n1,2\n,3\nNA,4\n", {"id"}},
      {"werte.csv", "id,n\n1,2\n,3\n", {"id", true}},
      {"werte.csv", "id,n\n1,2\nNA,3\n", {"id", true}},
      {"werte.csv", "id,n\nanna,2\n,3\n", {"id + n"}},
  };
  test::TemporaryFolder const folder;
  for (File const& each : files) {
    std::filesystem::path const file = folder.write(each.name, each.content);
    auto const said = [&] {
      try {
        std::string all;
        for (std::string const& finding : key_findings(with_key_file({}, file, each.reading))) { all += finding; }
        return all.substr(all.find(':'));
      } catch (Error const& error) {
        return std::string(error.what()).substr(file.string().size());
      }
    };
    EXPECT_TRUE(has_words(said())) << each.content;
    expect_said_in_german(said);
    InLanguage const german("de");
    static std::regex const left(R"(\b(the|is|are|with|its|key|keys|such|line|hash stands)\b)");
    EXPECT_FALSE(std::regex_search(said(), left)) << said();
  }
}

}  // namespace
}  // namespace slotscape
