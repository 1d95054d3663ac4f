// docs/families.md, README.md and the code beside the headers tell of every family, and of nothing that there is not.

#include "app/base/files.hpp"
#include "app/simulation/families.hpp"
#include "gpu/engine/engine.hpp"
#include "gpu/engine/pseudocode.hpp"
#include "gpu/races/shared_table.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <slotscape_paths.hpp>

#include <regex>
#include <set>

namespace slotscape {
namespace {

using ::testing::HasSubstr;

std::string page_of(std::string const& name)
{
  return read_text_file(std::filesystem::path(SLOTSCAPE_SOURCE_DIR) / name);
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

TEST(FamiliesPage, HasARowForEveryFamilyInEveryTable)
{
  std::string const page = page_of("docs/families.md");
  std::set<std::string> const all = all_families();
  for (std::string const heading : {"# The families", "## Probe lengths and accesses"}) {
    std::set<std::string> rows = rows_of(section_of(page, heading));
    rows.erase("family");
    EXPECT_EQ(rows, all) << heading;
  }
  EXPECT_THAT(rows_of(section_of(page, "## Settings and parameters")), ::testing::IsSupersetOf(all));
  std::string const guarantees = section_of(page, "## Guarantees");  // where some share a row, which is explained below
  for (std::string const& family : all) { EXPECT_THAT(guarantees, HasSubstr("`" + family + "`")); }
}

TEST(FamiliesPage, NamesTheTheoryOfEveryFamilyThatHasOne)
{
  std::string const section = section_of(page_of("docs/families.md"), "## Theory");
  std::size_t const table = section.find("\n| `family`");  // the first of two
  ASSERT_NE(table, std::string::npos);
  std::set<std::string> const rows = rows_of(section.substr(table, section.find("\n\n", table) - table));
  for (std::string const& name : family_names()) {
    TheoryOf const theory = family_info(name).theory;
    bool const has_row = theory != TheoryOf::nothing && theory != TheoryOf::poisson_groups;  // those share one
    EXPECT_EQ(rows.contains(name), has_row) << name;
  }
}

TEST(FamiliesPage, TheReadmeNamesAndCountsThem)
{
  ASSERT_EQ(family_names().size(), 23u) << "write the new number into README.md, and here";
  std::string const readme = page_of("README.md");
  EXPECT_THAT(readme, HasSubstr("Twenty-three families are built in"));
  for (std::string const& name : family_names()) { EXPECT_THAT(readme, HasSubstr("`" + name + "`")); }
}

/// What a family comes with besides its header, without being asked.
TEST(FamiliesPage, EveryFamilyHasPseudocodeAndRacesAndStandsInTheLibrary)
{
  std::string const library = page_of("gpu/library/families.hpp");
  std::string const figures = page_of("docs/figures/families.csv");
  for (std::string const& name : family_names()) {
    for (Operation const operation : {Operation::find, Operation::insert}) {
      EXPECT_FALSE(pseudocode_of({.family = name}, operation).empty()) << name;
    }
    bool const others = name == "cpu_unordered_map";  // std::unordered_map itself, of one thread
    EXPECT_EQ(races::can_race(name), !others) << name;
    EXPECT_EQ(library.find("gpu/tables/" + name + ".hpp") != std::string::npos, !others) << name;
    EXPECT_EQ(figures.find(name) != std::string::npos, !others) << name;
  }
}

}  // namespace
}  // namespace slotscape
