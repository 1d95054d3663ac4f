// Pseudocode in another language, line by line.

#include "app/languages/languages.hpp"
#include "gpu/engine/engine.hpp"
#include "gpu/engine/pseudocode.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <regex>
#include <string>
#include <vector>

namespace slotscape {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::array operations{Operation::insert, Operation::find, Operation::erase};

struct Shown {
  TableSettings table;
  Operation operation;
  CodeStyle style;
};

/// The code of every family, as it runs and as textbooks have it.
void for_all_code(std::function<void(Shown const&)> const& look)
{
  for (std::string const& family : family_names()) {
    for (Deletion const deletion : {Deletion::empty_value, Deletion::tombstone_reuse}) {
      for (Operation const operation : operations) {
        for (CodeStyle const style : {CodeStyle::threads, CodeStyle::textbook}) {
          look({{.family = family, .deletion = deletion}, operation, style});
        }
      }
    }
  }
}

std::vector<CodeLine> code_of(Shown const& shown)
{
  return pseudocode_of(shown.table, shown.operation, shown.style);
}

std::size_t letters_in(std::string const& text)
{
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char byte) { return (byte & 0xc0) != 0x80; }));
}

TEST(GermanCode, HasTheSameLinesInOtherWords)
{
  std::regex const english(R"(\b(the|is|if|it|read|put|repeat|until|not|of|and|key there|done|for each)\b)");
  for_all_code([&](Shown const& shown) {
    std::vector<CodeLine> const before = code_of(shown);
    InLanguage const german("de");
    std::vector<CodeLine> const after = code_of(shown);
    ASSERT_EQ(after.size(), before.size());
    EXPECT_EQ(after.front().text, before.front().text) << "the operation";
    for (std::size_t i = 1; i < after.size(); ++i) {
      EXPECT_EQ(after[i].label, before[i].label);
      EXPECT_FALSE(std::regex_search(after[i].text, english)) << after[i].text;
      EXPECT_LE(letters_in(after[i].text) + 2 * static_cast<std::size_t>(after[i].indent), 60u) << after[i].text;
    }
  });
}

/// As in English, words that speak of other threads or of values are left out of a line.
TEST(GermanCode, OfTextbooksAndSetsLeavesOutTheSame)
{
  InLanguage const german("de");
  for_all_code([](Shown const& shown) {
    for (CodeLine const& line : code_of(shown)) {
      for (char const* const of_threads : {"noch frei", "noch leer", "noch da"}) {
        if (shown.style == CodeStyle::textbook) { EXPECT_THAT(line.text, Not(HasSubstr(of_threads))); }
      }
    }
    bool const is_set = family_info(shown.table.family).keys_alone;
    if (!is_set) { return; }
    Shown set = shown;
    set.table.keys_only = true;
    for (CodeLine const& line : code_of(set)) { EXPECT_THAT(line.text, Not(HasSubstr("Wert"))); }
  });
}

}  // namespace
}  // namespace slotscape
