#include "app/keys/typed_keys.hpp"

#include <gmock/gmock.h>

namespace slotscape {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

std::vector<Pair> pairs_in(std::string_view text, Operation operation = Operation::insert)
{
  ParsedKeys const parsed = parse_keys(text, operation, {32});
  EXPECT_EQ(parsed.error, "") << text;
  return parsed.pairs;
}

std::string error_of(std::string_view text, Operation operation = Operation::insert, int key_bits = 32)
{
  return parse_keys(text, operation, {key_bits}).error;
}

TEST(TypedKeys, AreNumbersRangesAndValues)
{
  EXPECT_THAT(pairs_in("17"), ElementsAre(Pair{17, 0}));
  EXPECT_THAT(pairs_in(" 17,42 0x1F;\n5=12,"), ElementsAre(Pair{17, 0}, Pair{42, 0}, Pair{31, 0}, Pair{5, 12}));
  EXPECT_THAT(pairs_in("33-35"), ElementsAre(Pair{33, 0}, Pair{34, 0}, Pair{35, 0}));
  EXPECT_THAT(pairs_in("33 – 34, 7 = 1"), ElementsAre(Pair{33, 0}, Pair{34, 0}, Pair{7, 1}));
  EXPECT_THAT(pairs_in("8—9=3"), ElementsAre(Pair{8, 3}, Pair{9, 3}));
  EXPECT_THAT(pairs_in("1-1000"), SizeIs(1000));
}

TEST(TypedKeys, ThatAreNoneAreExplained)
{
  EXPECT_THAT(error_of("seven"), HasSubstr("'seven' is not a key"));
  EXPECT_THAT(error_of("17, 4x2"), HasSubstr("'4x2' is not a key"));
  EXPECT_THAT(error_of("-3"), HasSubstr("'-3' is not a key"));
  EXPECT_THAT(error_of("5="), HasSubstr("'5=' is not a key"));
  EXPECT_THAT(error_of("9-3"), HasSubstr("ends before it begins"));
  EXPECT_THAT(error_of("4294967295"), HasSubstr("reserved"));
  EXPECT_EQ(error_of("4294967295", Operation::insert, 64), "");
  EXPECT_THAT(error_of("18446744073709551615", Operation::insert, 64), HasSubstr("reserved"));
  EXPECT_THAT(error_of("99999999999999999999"), HasSubstr("is not a key"));
  EXPECT_THAT(error_of("0-4000000000"), HasSubstr("key file"));
  EXPECT_THAT(error_of("0-999999, 1000000"), HasSubstr("key file"));
  EXPECT_THAT(error_of(""), HasSubstr("type one or more keys"));
  EXPECT_THAT(error_of(" , "), HasSubstr("type one or more keys"));
}

TEST(TypedKeys, WhatWasTypedIsKeptOnce)
{
  TypedKeys typed;
  typed.type("4");
  typed.type("2");
  EXPECT_EQ(typed.text, "42");
  EXPECT_THAT(*typed.enter({32})->pairs, ElementsAre(Pair{42, 0}));
  EXPECT_TRUE(typed.enter({32}));
  EXPECT_THAT(typed.past, ElementsAre("42"));
  typed.type("7");
  EXPECT_EQ(typed.text, "7") << "a new entry replaces the old one";
  typed.show({Operation::insert, 5, 12});
  EXPECT_EQ(typed.text, "5=12");
  EXPECT_THAT(typed.parsed({32}).pairs, ElementsAre(Pair{5, 12})) << "the new text is read";
  typed.text = "5-";
  EXPECT_FALSE(typed.enter({32}));
  EXPECT_FALSE(typed.parsed({32}).error.empty());
  EXPECT_THAT(typed.past, ElementsAre("42"));
}

TEST(TypedKeys, MayHaveASignWhereKeysDo)
{
  auto const pairs_in = [](std::string_view text) {
    std::vector<std::string> keys;
    ParsedKeys const parsed = parse_keys(text, Operation::insert, {64, KeyStyle::with_sign});
    EXPECT_EQ(parsed.error, "") << text;
    for (Pair const& pair : parsed.pairs) { keys.push_back(pair_text(pair, KeyStyle::with_sign)); }
    return keys;
  };
  EXPECT_THAT(pairs_in("17 -5, 3"), ElementsAre("17", "-5", "3"));
  EXPECT_THAT(pairs_in("-2–1"), ElementsAre("-2", "-1", "0", "1"));
  EXPECT_THAT(pairs_in("-4--2=9"), ElementsAre("-4=9", "-3=9", "-2=9"));
  EXPECT_THAT(parse_keys("-5", Operation::insert, {32, KeyStyle::with_sign}).error,
              HasSubstr("no sign: choose 64-bit keys"));
  EXPECT_THAT(parse_keys("3--5", Operation::insert, {64, KeyStyle::with_sign}).error, HasSubstr("ends before"));
  EXPECT_THAT(parse_keys("five", Operation::insert, {64, KeyStyle::with_sign}).error, HasSubstr("17, -5, 33–40"));
}

}  // namespace
}  // namespace slotscape
