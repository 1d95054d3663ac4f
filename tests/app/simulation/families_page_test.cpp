// docs/families.md, README.md and the library tell of every family, and of nothing that there is not. What they lack is
// made of what the family says of itself: scripts/render_settings adds it, and people may say it better.

#include "app/base/files.hpp"
#include "app/base/text.hpp"
#include "app/simulation/families.hpp"
#include "app/simulation/names.hpp"
#include "gpu/engine/engine.hpp"
#include "gpu/engine/pseudocode.hpp"
#include "gpu/races/shared_table.hpp"
#include "tests/support/rendered_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include "tests/support/paths.hpp"

#include <array>
#include <regex>
#include <set>

namespace slotscape {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

std::string page_of(std::string const& name)
{
  return read_text_file(test::in_project() / name);
}

/// From a heading to the next one.
std::string section_of(std::string const& page, std::string const& heading)
{
  std::size_t const from = page.find(heading);
  if (from == std::string::npos) { return ""; }
  return page.substr(from, page.find("\n## ", from + heading.size()) - from);
}

/// What stands in backticks in the first cells of the tables.
std::set<std::string> rows_of(std::string const& section)
{
  static std::regex const first_cell("\n\\| ([^|]*`[^|]*) \\|");
  static std::regex const name("`([a-z_]+)`");
  std::set<std::string> names;
  for (std::sregex_iterator row(section.begin(), section.end(), first_cell), end; row != end; ++row) {
    std::string const cell = (*row)[1];
    for (std::sregex_iterator at(cell.begin(), cell.end(), name); at != end; ++at) { names.insert((*at)[1]); }
  }
  return names;
}

std::set<std::string> all_families()
{
  std::vector<std::string> const names = family_names();
  return {names.begin(), names.end()};
}

std::string yes_or_no(bool yes)
{
  return yes ? "yes" : "no";
}

std::string named_row(FamilyInfo const& family)
{
  return fmt::format("| `{}` | {} | {} |\n", family.name, family.source, family.idea);
}

std::string choices_text(Parameter const& parameter)
{
  std::vector<std::string> choices;
  for (std::size_t i = 0; i < parameter.choices.size(); ++i) {
    std::uint32_t const value = parameter.choices[i];
    std::string text = value == parameter.fallback ? fmt::format("**{}**", value) : std::to_string(value);
    if (!parameter.choice_names.empty()) { text += fmt::format(" ({})", parameter.choice_names[i]); }
    choices.push_back(text);
  }
  return fmt::format("`{}`: {}", parameter.name, fmt::join(choices, ", "));
}

std::string settings_row(FamilyInfo const& family)
{
  std::string const slots = family.slot_counts == SlotCounts::any            ? "any"
                            : family.slot_counts == SlotCounts::power_of_two ? "power of two"
                                                                             : "power of two, or prime";
  std::vector<std::string> parameters;
  for (Parameter const& parameter : family.parameters) { parameters.push_back(choices_text(parameter)); }
  return fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", family.name, slots, yes_or_no(family.uses_hash),
                     yes_or_no(!ways_to_erase(family, {}).empty()), yes_or_no(family.wide),
                     fmt::join(parameters, "; "));
}

std::string concurrency_text(Concurrency concurrency)
{
  switch (concurrency) {
    case Concurrency::mixed: return "all";
    case Concurrency::erases_apart: return "inserts and finds; erases run on their own";
    case Concurrency::erases_alone: return "one kind at a time; erases take effect one after another";
    case Concurrency::phased: break;
  }
  return "one kind at a time";
}

/// One for each way to delete.
std::string guarantee_rows(FamilyInfo const& family)
{
  std::string rows;
  for (Deletion const deletion : {Deletion::empty_value, Deletion::tombstone_reuse, Deletion::shift}) {
    TableSettings table{.family = std::string(family.name), .deletion = Deletion::empty_value};
    std::vector<Deletion> const ways = ways_to_erase(family, table);
    bool const is_usual = deletion == Deletion::empty_value;
    if (!is_usual && std::ranges::count(ways, deletion) == 0) { continue; }
    table.deletion = deletion;
    Guarantees const promised = family.guarantees(table);
    std::string const way = !ways.empty() ? fmt::format(", `{}`", to_text(deletion)) : "";
    std::string const free = promised.erase_frees_slot     ? "any key"
                             : promised.erase_frees_bucket ? "keys of the same bucket"
                                                           : "the same key; others after a rehash";
    rows += fmt::format("| `{}`{} | {} | {} | {:.3g} | {} |\n", family.name, way,
                        concurrency_text(promised.concurrency), free, promised.safe_load,
                        promised.overflow == OverflowPolicy::rebuild ? "rebuild, then `full`" : "`full`");
  }
  return rows;
}

std::string access_row(FamilyInfo const& family)
{
  std::vector<std::string> counted;
  if (family.clusters) { counted.emplace_back("clusters"); }
  if (!family.groups.name.empty()) { counted.push_back(uncapitalised(family.groups.name)); }
  if (!family.moves.name.empty()) { counted.emplace_back(family.moves.unit); }
  std::string const each = family.accesses_per_measure == 1 ? "" : std::to_string(family.accesses_per_measure);
  return fmt::format("| `{}` | {} | {} + {}m | {} |\n", family.name, family.measure.unit, family.first_access, each,
                     fmt::join(counted, "; "));
}

/// A table of docs/families.md, the first one below its heading.
struct FamilyTable {
  std::string heading;
  std::string (*rows)(FamilyInfo const&);
  bool is_told_below;  ///< text beside the table may name families that share a row
};

std::vector<FamilyTable> const& family_tables()
{
  static std::vector<FamilyTable> const tables{{"# The families", named_row, false},
                                               {"## Settings and parameters", settings_row, false},
                                               {"## Guarantees", guarantee_rows, true},
                                               {"## Probe lengths and accesses", access_row, false}};
  return tables;
}

/// From the table's first line to the empty line behind it.
std::string table_of(std::string const& page, FamilyTable const& table)
{
  std::string const section = section_of(page, table.heading);
  std::size_t const from = section.find("\n| `family`");
  return from == std::string::npos ? "" : section.substr(from, section.find("\n\n", from) + 1 - from);
}

/// The page with rows for all families that the table lacks.
std::string with_all_rows(std::string page, FamilyTable const& table)
{
  std::string const present = table_of(page, table);
  std::string const named = table.is_told_below ? section_of(page, table.heading) : present;
  std::string rows = present;
  for (std::string const& name : family_names()) {
    if (named.find("`" + name + "`") == std::string::npos) { rows += table.rows(family_info(name)); }
  }
  return page.replace(page.find(present), present.size(), rows);
}

TEST(FamiliesPage, HasARowForEveryFamilyInEveryTable)
{
  test::RenderedPage page("docs/families.md");
  for (FamilyTable const& table : family_tables()) {
    SCOPED_TRACE(table.heading);
    ASSERT_NE(table_of(page.text(), table), "");
    page.set_text(with_all_rows(page.text(), table));
    if (table.is_told_below) { continue; }
    std::set<std::string> rows = rows_of(table_of(page.text(), table));
    rows.erase("family");
    EXPECT_EQ(rows, all_families());
  }
  page.expect_right();
}

TEST(FamiliesPage, MakesRowsOfWhatAFamilySays)
{
  FamilyInfo const& cuckoo = family_info("segmented_cuckoo");
  EXPECT_EQ(
      settings_row(cuckoo),
      "| `segmented_cuckoo` | any | no | no | yes | `segment`: 128, 1024, 4096, **8192**; `partition`: 0 (never), "
      "**1** (if worthwhile), 2 (always) |\n");
  EXPECT_EQ(
      access_row(cuckoo),
      "| `segmented_cuckoo` | 0 in the first bucket, 1 in the second | 1 + 2m | keys that an insertion evicted |\n");
  EXPECT_EQ(
      guarantee_rows(family_info("linear_probing")),
      "| `linear_probing`, `empty_value` | all | the same key; others after a rehash | 1 | `full` |\n"
      "| `linear_probing`, `tombstone_reuse` | inserts and finds; erases run on their own | any key | 1 | `full` |\n"
      "| `linear_probing`, `shift` | one kind at a time; erases take effect one after another | any key | 1 | `full` "
      "|\n");
  std::string const page = "# The families\n\n| `family` | after |\n| --- | --- |\n| `slab` | x |\n\nText.\n";
  std::string const rendered = with_all_rows(page, family_tables().front());
  EXPECT_THAT(rendered, HasSubstr("| `slab` | x |\n| `linear_probing` | Farrell 2020"));
  EXPECT_THAT(rendered, EndsWith(" |\n\nText.\n"));
}

/// Families with buckets share a row.
bool has_row_of_theory(FamilyInfo const& family)
{
  return family.theory != TheoryOf::nothing && family.theory != TheoryOf::poisson_groups;
}

std::string theory_row(FamilyInfo const& family)
{
  if (!has_row_of_theory(family)) { return ""; }
  std::vector<std::string> others;
  for (std::string const& name : family_names()) {
    bool const is_other = name != family.name && family_info(name).theory == family.theory;
    if (is_other) { others.push_back("`" + name + "`"); }
  }
  return fmt::format("| `{}` | {} |\n", family.name,
                     others.empty() ? std::string("its own") : fmt::format("that of {}", fmt::join(others, ", ")));
}

TEST(FamiliesPage, NamesTheTheoryOfEveryFamilyThatHasOne)
{
  test::RenderedPage page("docs/families.md");
  FamilyTable const theory{"## Theory", theory_row, false};
  page.set_text(with_all_rows(page.text(), theory));
  std::set<std::string> const rows = rows_of(table_of(page.text(), theory));
  for (std::string const& name : family_names()) {
    EXPECT_EQ(rows.contains(name), has_row_of_theory(family_info(name))) << name;
  }
  page.expect_right();
}

/// "Twenty-three", from 20 to 99.
std::string number_in_words(std::size_t number)
{
  constexpr std::array<std::string_view, 10> tens{"",      "",      "Twenty",  "Thirty", "Forty",
                                                  "Fifty", "Sixty", "Seventy", "Eighty", "Ninety"};
  constexpr std::array<std::string_view, 10> ones{"",      "-one", "-two",   "-three", "-four",
                                                  "-five", "-six", "-seven", "-eight", "-nine"};
  return fmt::format("{}{}", tens.at(number / 10), ones.at(number % 10));
}

TEST(FamiliesPage, TheReadmeNamesAndCountsThem)
{
  test::RenderedPage readme("README.md");
  static std::regex const count("[A-Z][a-z]+(-[a-z]+)? families are built in");
  std::string text =
      std::regex_replace(readme.text(), count, number_in_words(family_names().size()) + " families are built in");
  std::string const section = section_of(text, "## The families");
  std::vector<std::string> more;
  for (std::string const& name : family_names()) {
    if (section.find("`" + name + "`") == std::string::npos) { more.push_back("`" + name + "`"); }
  }
  std::size_t const end = text.find("\n\n", text.find("| for comparison |")) + 1;
  if (!more.empty()) { text.insert(end, fmt::format("| more | {} |\n", fmt::join(more, ", "))); }
  readme.set_text(text);
  readme.expect_right();
}

/// All but those that are other people's: std::unordered_map itself.
TEST(FamiliesPage, TheLibraryHasThem)
{
  test::RenderedPage header("gpu/library/families.hpp");
  std::set<std::string> includes;
  for (std::string const& name : family_names()) {
    if (!family_info(name).is_host_container) { includes.insert("#include \"gpu/tables/" + name + ".hpp\"\n"); }
  }
  header.set_text(header.text().substr(0, header.text().find("#include")) + fmt::format("{}", fmt::join(includes, "")));
  header.expect_right();
}

TEST(FamiliesPage, EveryFamilyCanRace)
{
  for (std::string const& name : family_names()) {
    EXPECT_EQ(races::can_race(name), !family_info(name).is_host_container) << name;
  }
}

/// What differs from family to family, each says of itself. Papers, and the two families of models in space, are named.
TEST(FamiliesPage, NoCodeAsksAFamilyForItsName)
{
  std::filesystem::path const root(test::in_project());
  std::size_t files = 0;
  for (std::string const top : {"gpu", "app"}) {
    for (auto const& entry : std::filesystem::recursive_directory_iterator(root / top)) {
      std::string const file = std::filesystem::relative(entry.path(), root).generic_string();
      bool const is_source = entry.path().extension() == ".cpp" || entry.path().extension() == ".hpp";
      bool const may_name = file.find("spatial") != std::string::npos || file.starts_with("app/bench/papers/");
      if (!is_source || may_name) { continue; }
      ++files;
      std::string const code = read_text_file(entry.path());
      for (std::string const& name : family_names()) {
        for (std::string const asks : {"== \"", "!= \""}) {
          EXPECT_EQ(code.find(asks + name + '"'), std::string::npos) << file << " asks for " << name;
        }
      }
    }
  }
  EXPECT_GT(files, 500u);
}

/// A family may come without these; then this says so.
TEST(FamiliesPage, NamesFamiliesWithoutPseudocodeOrFigures)
{
  std::string const figures = page_of("docs/figures/families.csv");
  for (std::string const& name : family_names()) {
    bool const has_figures = figures.find("`" + name) != std::string::npos || family_info(name).is_host_container;
    if (!has_figures) { fmt::print("{} has no figures yet in docs/figures/families.csv\n", name); }
    auto const has_code = [&](Operation operation) { return !pseudocode_of({.family = name}, operation).empty(); };
    if (!has_code(Operation::find)) { fmt::print("{} has no pseudocode yet: gpu/tables/{}.txt\n", name, name); }
    EXPECT_EQ(has_code(Operation::find), has_code(Operation::insert)) << name << ": pseudocode is of all operations";
  }
}

}  // namespace
}  // namespace slotscape
