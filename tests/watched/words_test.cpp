#include "app/keys/key_text.hpp"
#include "gpu/base/random.hpp"
#include "tests/watched/library_table.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>

namespace slotscape {
namespace {

using test::AsWatched;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Keys and values as people read them.
template <class Table>
std::map<std::string, std::string> shown(Table const& table)
{
  AsWatched const watched(table);
  watch::Description const& description = watched.description;
  KeyStyle const style = description.key.is_signed ? KeyStyle::with_sign : KeyStyle::numbers;
  NumberCode const values = description.value ? description.value->code() : NumberCode{};
  std::map<std::string, std::string> pairs;
  for (Pair const& pair : watched.looked->pairs(1000)) {
    pairs[key_text(pair.key, style)] = number_text(values, pair.value);
  }
  return pairs;
}

template <class Key, class Value>
std::map<std::string, std::string> shown_of(std::vector<Key> keys, std::vector<Value> values)
{
  CpuTable<families::linear_probing, Key, Value> table({.slots = 64});
  table.insert(keys.data(), values.data(), keys.size()).or_throw();
  return shown(table);
}

using Shown = std::map<std::string, std::string>;

TEST(WatchedWordsTest, KeysAndValuesOfAnyNumbersAreShownAsTheProgramHasThem)
{
  EXPECT_EQ((shown_of<std::int32_t, float>({-5, 7, 0}, {1.5f, -2.0f, 0.0f})),
            (Shown{{"-5", "1.5"}, {"7", "-2"}, {"0", "0"}}));
  EXPECT_EQ((shown_of<std::int64_t, std::int64_t>({7, -5, 100}, {-7, 5, -100})),
            (Shown{{"7", "-7"}, {"-5", "5"}, {"100", "-100"}}));
  EXPECT_EQ((shown_of<std::int8_t, std::int16_t>({-128, 127, 0}, {-300, 300, 0})),
            (Shown{{"-128", "-300"}, {"127", "300"}, {"0", "0"}}));
  EXPECT_EQ((shown_of<std::int16_t, double>({-300, 12}, {-0.25, 1e300})), (Shown{{"-300", "-0.25"}, {"12", "1e+300"}}));
  EXPECT_EQ((shown_of<std::uint64_t, float>({1u, 200u}, {-1.0f, 2.5f})), (Shown{{"1", "-1"}, {"200", "2.5"}}));
  EXPECT_EQ((shown_of<std::uint8_t, std::int32_t>({255, 0}, {-1, 1})), (Shown{{"255", "-1"}, {"0", "1"}}));
  EXPECT_EQ((shown_of<std::uint32_t, std::uint32_t>({7, 42}, {1, 2})), (Shown{{"7", "1"}, {"42", "2"}}));
}

template <class T, class Word>
void expect_code()
{
  NumberCode const code{8 * sizeof(T), std::is_integral_v<T>, std::is_floating_point_v<T>, true};
  for (std::uint64_t i = 0; i < 1000; ++i) {
    auto const number = static_cast<T>(static_cast<std::int64_t>(random64(5, i)));
    Word const word = library::Code<T, Word>::encode(number);
    EXPECT_EQ(number_text(code, word), fmt::format("{}", number));
    if (std::is_integral_v<T>) { EXPECT_EQ(code.word_of_integer(static_cast<std::uint64_t>(number)), word); }
  }
}

TEST(WatchedWordsTest, CodesAreThoseOfTheTables)
{
  expect_code<std::int8_t, std::uint32_t>();
  expect_code<std::int16_t, std::uint32_t>();
  expect_code<std::int32_t, std::uint32_t>();
  expect_code<std::int32_t, std::uint64_t>();
  expect_code<std::int64_t, std::uint64_t>();
  expect_code<float, std::uint32_t>();
  expect_code<float, std::uint64_t>();
  expect_code<double, std::uint64_t>();
}

enum class Degrees : std::int32_t { cold = -20, warm = 20 };

TEST(WatchedWordsTest, EnumerationsAreShownAsTheirNumbers)
{
  EXPECT_EQ((shown_of<Degrees, std::uint32_t>({Degrees::cold, Degrees::warm}, {1, 2})),
            (Shown{{"-20", "1"}, {"20", "2"}}));
}

TEST(WatchedWordsTest, KeysOfSetsAreShownSoToo)
{
  CpuSet<families::linear_probing, std::int64_t> set({.slots = 64});
  std::array<std::int64_t, 3> const keys{-1000, 0, 1000};
  set.insert(keys.data(), keys.size()).or_throw();
  Shown const pairs = shown(set);
  EXPECT_TRUE(pairs.size() == 3 && pairs.contains("-1000") && pairs.contains("0") && pairs.contains("1000"));
  EXPECT_EQ(AsWatched(set).description.value->meaning, watch::Meaning::nothing);
  CpuSet<families::linear_probing, std::uint32_t> words({.slots = 64});
  std::array<std::uint32_t, 1> const word{7};
  words.insert(word.data(), 1).or_throw();
  EXPECT_THAT(watch::words_explained(AsWatched(words).description), IsEmpty());
}

TEST(WatchedWordsTest, LookupsAreOfTheWord)
{
  CpuTable<families::linear_probing, std::int32_t, float> table({.slots = 64});
  std::array<std::int32_t, 2> const keys{-5, 7};
  std::array<float, 2> const values{1.5f, -2.0f};
  table.insert(keys.data(), values.data(), 2).or_throw();
  AsWatched const watched(table);
  NumberCode const code = watched.description.key.code();
  auto const value = watched.looked->path_of(code.word_of_integer(static_cast<std::uint64_t>(std::int64_t{-5}))).value;
  ASSERT_TRUE(value);
  EXPECT_EQ(number_text(watched.description.value->code(), *value), "1.5");
  EXPECT_FALSE(watched.looked->path_of(code.word_of_integer(5)).value);
}

TEST(WatchedWordsTest, OfRowsItIsSaidThatTheyAreRows)
{
  CpuTable<families::linear_probing, std::uint32_t, std::array<float, 4>> table({.slots = 64});
  std::array<std::uint32_t, 3> const keys{7, 42, 4294967295u};
  std::array<std::array<float, 4>, 3> const values{};
  table.insert(keys.data(), values.data(), 3).or_throw();
  AsWatched const watched(table);
  EXPECT_EQ(watched.looked->counts().live, 3u);
  EXPECT_EQ(watched.description.key.meaning, watch::Meaning::fingerprint);
  EXPECT_EQ(watched.description.value->meaning, watch::Meaning::row);
  EXPECT_THAT(watch::words_explained(watched.description),
              ElementsAre(HasSubstr("are fingerprints: hashes"), HasSubstr("numbers of the rows")));
  CpuSet<families::linear_probing, std::array<std::uint64_t, 2>> wide({.slots = 64});
  EXPECT_EQ(AsWatched(wide).description.key.meaning, watch::Meaning::fingerprint);
}

struct Place {
  std::int16_t x;
  std::int16_t y;
};

TEST(WatchedWordsTest, OfObjectsItIsSaidThatTheirWordsAreShown)
{
  CpuTable<families::linear_probing, Place, Place> table({.slots = 64});
  EXPECT_THAT(watch::words_explained(AsWatched(table).description),
              ElementsAre(HasSubstr("Keys are objects"), HasSubstr("Values are objects"),
                          HasSubstr("outside its slots")));
}

TEST(WatchedWordsTest, KeysBesideTheSlotsAreNamed)
{
  CpuTable<families::linear_probing, std::int32_t, float> table({.slots = 64});
  std::array<std::int32_t, 2> const keys{7, std::numeric_limits<std::int32_t>::max()};
  std::array<float, 2> const values{};
  table.insert(keys.data(), values.data(), 2).or_throw();
  AsWatched const watched(table);
  EXPECT_EQ(table.size(), 2u);
  EXPECT_EQ(watched.looked->counts().live, 1u);
  EXPECT_THAT(watch::words_explained(watched.description), ElementsAre(HasSubstr("2147483646, 2147483647")));
  CpuTable<families::linear_probing, std::int64_t> wide({.slots = 64});
  EXPECT_THAT(watch::words_explained(AsWatched(wide).description),
              ElementsAre(HasSubstr("9223372036854775805, 9223372036854775806, 9223372036854775807")));
  CpuTable<families::linear_probing, std::int8_t, float> narrow({.slots = 64});
  EXPECT_THAT(watch::words_explained(AsWatched(narrow).description), IsEmpty());
}

TEST(WatchedWordsTest, WhatIsReadOfThemIsWrittenBack)
{
  CpuTable<families::slab, std::int32_t, float> table({.slots = 1000});
  AsWatched const watched(table);
  EXPECT_EQ(watch::read_description(watch::description_json(watched.description).dump(), "again"), watched.description);
}

}  // namespace
}  // namespace slotscape
