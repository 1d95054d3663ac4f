#pragma once

#include "app/languages/languages.hpp"
#include "tests/app/support/program.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape::test {

/// Whether there is a word in it that would be another one in German.
inline bool has_words(std::string_view text)
{
  static std::regex const word("[A-Za-z]{3,}");
  return std::regex_search(text.begin(), text.end(), word);
}

/// Commas look like decimals in German, so digits are grouped by no-break spaces.
inline void expect_no_commas_in_numbers(std::string const& german)
{
  static std::regex const number("[0-9],[0-9]{3}(?![0-9])");
  EXPECT_FALSE(std::regex_search(german, number)) << german;
}

/// Of one text, said in both languages.
inline void expect_said_in_german(std::function<std::string()> const& say)
{
  std::string const english = say();
  InLanguage const german("de");
  if (has_words(english)) { EXPECT_NE(say(), english); }
  expect_no_commas_in_numbers(say());
}

/// Sentences said in both languages; none may be the same, or have English words left in it but in quotation marks.
inline void expect_all_in_german(std::function<std::vector<std::string>()> const& say, std::set<std::string>& said)
{
  std::vector<std::string> const english = say();
  InLanguage const language("de");
  std::vector<std::string> const german = say();
  ASSERT_EQ(german.size(), english.size());
  static std::regex const quoted("„[^“]*“|'[^']*'|\"[^\"]*\"");
  static std::regex const left(R"(\b(the|is|are|with|its|would|of|and|keys?|slots?)\b)");
  for (std::size_t i = 0; i < german.size(); ++i) {
    if (!has_words(english[i])) { continue; }
    EXPECT_NE(german[i], english[i]);
    EXPECT_FALSE(std::regex_search(std::regex_replace(german[i], quoted, ""), left)) << german[i];
    expect_no_commas_in_numbers(german[i]);
    said.insert(german[i]);
  }
}

/// The lines of a panel that are the same in both languages, without those that are to be.
template <class Draw>
std::set<std::string> lines_left_in_english(Draw const& draw, std::set<std::string> const& alike)
{
  auto const lines = [&] {
    std::set<std::string> all;
    std::istringstream text(test::text_of_panel(draw));
    for (std::string line; std::getline(text, line);) {
      std::size_t const begin = line.find_first_not_of(" \t|[]>#");
      if (begin != std::string::npos) { all.insert(line.substr(begin)); }
    }
    return all;
  };
  std::set<std::string> const english = lines();
  InLanguage const german("de");
  std::set<std::string> left;
  for (std::string const& line : lines()) {
    bool const is_alike = std::ranges::any_of(alike, [&](std::string const& word) { return line.starts_with(word); });
    if (english.contains(line) && has_words(line) && !is_alike) { left.insert(line); }
    expect_no_commas_in_numbers(line);
  }
  EXPECT_FALSE(english.empty());
  return left;
}

}  // namespace slotscape::test
