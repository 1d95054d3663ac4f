// Keys as people have them: with a sign, with gaps, as texts, in any encoding, in arrays of any type.

#include "app/base/encoding.hpp"
#include "app/keys/comparing.hpp"
#include "app/keys/file_keys.hpp"
#include "app/keys/files/cells.hpp"
#include "app/keys/files/made.hpp"
#include "app/keys/key_text.hpp"
#include "app/keys/keys_json.hpp"
#include "app/table_scene/table_state.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/pair_format.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <gmock/gmock.h>

#include <bit>
#include <cmath>
#include <limits>
#include <set>

namespace slotscape {
namespace {

using namespace std::string_literals;
using test::message_of;
using test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();

KeySettings read_keys(std::string_view name, std::string_view content, KeyReading const& reading = {})
{
  TemporaryFolder const folder;
  return with_key_file({}, folder.write(name, content), reading);
}

std::vector<Key> keys_read(std::string_view name, std::string_view content, KeyReading const& reading = {})
{
  return *read_keys(name, content, reading).file_keys;
}

std::string findings_in(std::string_view name, std::string_view content, KeyReading const& reading = {})
{
  std::string all;
  for (std::string const& finding : key_findings(read_keys(name, content, reading))) { all += finding + "\n"; }
  return all;
}

std::string wrong_with(std::string_view name, std::string_view content, KeyReading const& reading = {})
{
  return message_of<Error>([&] { read_keys(name, content, reading); });
}

/// The keys as they are shown.
std::vector<std::string> shown(KeySettings const& keys)
{
  std::vector<std::string> texts;
  KeyStyle const style = notes_of(keys).with_sign ? KeyStyle::with_sign : KeyStyle::numbers;
  for (Key const key : *keys.file_keys) { texts.push_back(key_text(key, style)); }
  return texts;
}

std::string array(std::string const& type, std::string const& shape, std::string_view data,
                  std::string const& order = "False")
{
  std::string header = "{'descr': " + type + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
  std::string content = "\x93NUMPY\x01\x00"s;
  content += static_cast<char>(header.size() & 0xff);
  content += static_cast<char>(header.size() >> 8);
  return content + header + std::string(data);
}

template <class Number>
std::string bytes_of(std::vector<Number> const& numbers)
{
  return {reinterpret_cast<char const*>(numbers.data()), numbers.size() * sizeof(Number)};
}

TEST(KeyKinds, NumbersWithASignBecomeKeysOneToOne)
{
  std::set<Key> keys;
  std::vector<std::int64_t> numbers{0, 1, 5, -4, -5, lowest + 3, lowest + 4, std::numeric_limits<std::int64_t>::max()};
  for (std::int64_t const number : {-1, -2, -3}) { numbers.push_back(number); }
  for (std::int64_t const number : numbers) {
    Key const key = key_of_signed(number);
    EXPECT_EQ(signed_of_key(key), number);
    EXPECT_FALSE(is_reserved(key, 64)) << number;
    EXPECT_TRUE(keys.insert(key).second) << number;
    if (number >= 0) { EXPECT_EQ(key, static_cast<Key>(number)); }
  }
  EXPECT_EQ(key_of_signed(-4), 18446744073709551612u) << "two's complement, as programs have it";
}

TEST(KeyKinds, NegativeNumbersAreShownAsTheyWere)
{
  for (KeySettings const& keys :
       {read_keys("keys.txt", "5\n-5\n-1\n-9223372036854775805\n9223372036854775807\n"),
        read_keys("keys.csv", "id,n\n5,1\n-5,1\n-1,1\n-9223372036854775805,1\n9223372036854775807,1\n", {"id"}),
        read_keys("keys.npy",
                  array("'<i8'", "(5,)", bytes_of<std::int64_t>({5, -5, -1, lowest + 3, 9223372036854775807})))}) {
    EXPECT_THAT(shown(keys), ElementsAre("5", "-5", "-1", "-9223372036854775805", "9223372036854775807"));
    EXPECT_EQ(key_bits_for(keys), 64);
    EXPECT_THAT(key_findings(keys), Contains(HasSubstr("3 keys are negative (the first is -5 in")));
  }
  EXPECT_THAT(findings_in("keys.txt", "5\n6\n"), IsEmpty());
  EXPECT_THAT(wrong_with("keys.txt", "-5\n18446744073709551611\n"),
              AllOf(HasSubstr("line 2"), HasSubstr("too large in a file with negative numbers")));
}

TEST(KeyKinds, ReservedKeysAreToldAndLeftOut)
{
  EXPECT_THAT(keys_read("keys.txt", "7\n18446744073709551615\n8\n18446744073709551613\n"), ElementsAre(7u, 8u));
  EXPECT_THAT(findings_in("keys.txt", "7\n18446744073709551615\n8\n18446744073709551613\n"),
              AllOf(HasSubstr("2 keys were left out (the first is 18446744073709551615 in line 2)"),
                    HasSubstr("give them other numbers")));
  EXPECT_THAT(findings_in("keys.txt", "-9223372036854775808\n8\n"), HasSubstr("1 key was left out"));
  EXPECT_THAT(keys_read("keys.bin", "\xff\xff\xff\xff"s), ElementsAre(4294967295u)) << "reserved in 32 bits only";
  EXPECT_EQ(key_bits_for(read_keys("keys.bin", "\xff\xff\xff\xff"s)), 64);
  EXPECT_THAT(wrong_with("keys.txt", "18446744073709551615\n"), HasSubstr("has no keys"));
}

TEST(KeyKinds, ColumnsOfFilesWithoutNamesAreRefused)
{
  EXPECT_THAT(wrong_with("a.npy", array("'<u4'", "(1,)", "\x05\x00\x00\x00"s), {"id"}),
              HasSubstr("there is no column 'id': the file has a single column, without a name. Leave the column out"));
  for (std::string const name : {"a.bin", "a.u32", "a.u64"}) {
    EXPECT_THAT(wrong_with(name, "12345678", {"id"}), HasSubstr("there is no column 'id'")) << name;
  }
}

TEST(KeyKinds, WordsThatMayBeWiderAreAskedAbout)
{
  EXPECT_THAT(findings_in("a.bin", bytes_of<std::int64_t>({5, 6, 7})),
              HasSubstr("a.bin: it was read as 6 32-bit keys. If the keys have 64 bits"));
  EXPECT_THAT(findings_in("a.u32", bytes_of<std::int64_t>({5, 6, 7})), IsEmpty());
  EXPECT_THAT(findings_in("a.bin", bytes_of<std::int32_t>({5, 6, 7})), IsEmpty()) << "12 bytes";
}

TEST(KeyKinds, WidthIsFoundInTheData)
{
  EXPECT_EQ(key_bits_for(read_keys("keys.txt", "4294967293\n")), 32);
  EXPECT_EQ(key_bits_for(read_keys("keys.txt", "4294967294\n")), 64);
  EXPECT_THAT(findings_in("keys.txt", "7\n4294967294\n"),
              HasSubstr("1 key does not fit in 32 bits (the first is 4294967294 in line 2)"));
  EXPECT_EQ(key_bits_for({}), 32);
}

TEST(KeyKinds, EmptyCellsAreLeftOutAndCountedOrRefused)
{
  std::string const orders = "id,user\n1,7\n2,\n3,8\n4,  \n5,NULL\n6,\"\"\n";
  EXPECT_THAT(keys_read("orders.csv", orders, {"user"}), ElementsAre(7u, 8u));
  EXPECT_THAT(findings_in("orders.csv", orders, {"user"}),
              HasSubstr("orders.csv: 4 empty cells of column 'user' were left out (the first in line 3)"));
  EXPECT_THAT(findings_in("orders.csv", orders, {"user"}), HasSubstr("): 3 blank, and 1 such as 'NULL'."));
  EXPECT_THAT(wrong_with("orders.csv", orders, {"user", true}),
              AllOf(HasSubstr("line 3, column 'user': it is empty"), HasSubstr("--empty skip")));
  EXPECT_THAT(findings_in("orders.csv", "id,user\n1,7\n2,NaN\n", {"user"}),
              HasSubstr("1 empty cell of column 'user' was left out (the first in line 3, 'NaN')"));
  EXPECT_THAT(wrong_with("orders.csv", "id,user\n1,7\n2,NaN\n", {"user", true}), HasSubstr("'NaN' counts as empty"));
  EXPECT_THAT(keys_read("orders.csv", "id,user\n1,5.0\n2,\n3,7.0\n", {"user"}), ElementsAre(5u, 7u))
      << "as pandas writes them";
}

TEST(KeyKinds, TextsAreHashedAndCollisionsCounted)
{
  std::string const people = "name,id\nanna,1\nben,2\nanna,3\n,4\nchloé,5\n";
  std::vector<Key> const keys = keys_read("people.csv", people, {"name"});
  ASSERT_EQ(keys.size(), 4u);
  EXPECT_EQ(keys[0], keys[2]);
  EXPECT_EQ(std::set<Key>(keys.begin(), keys.end()).size(), 3u);
  EXPECT_EQ(key_bits_for(read_keys("people.csv", people, {"name"})), 64);
  EXPECT_THAT(findings_in("people.csv", people, {"name"}),
              AllOf(HasSubstr("the keys of column 'name' are texts, such as 'anna'"),
                    HasSubstr("hashed to a 64-bit key"), HasSubstr("No two different keys have the same hash"),
                    HasSubstr("1 empty cell")));
  EXPECT_EQ(keys_read("people.txt", "anna\nben\nanna\nchloé\n"), keys) << "in any kind of file";
  EXPECT_EQ(keys_read("people.txt",
                      "\xff\xfe"
                      "a\0n\0n\0a\0\n\0"s),
            std::vector<Key>{keys[0]})
      << "in any encoding";
  EXPECT_THAT(keys_read("ids.txt", "550e8400-e29b-41d4-a716-446655440000\n6ba7b810-9dad-11d1-80b4-00c04fd430c8\n"),
              testing::SizeIs(2));
  EXPECT_THAT(keys_read("numbers.txt", "8# eight\n9 # nine\n"), ElementsAre(8u, 9u));
  EXPECT_THAT(keys_read("words.txt", "C#\nD # a comment\n"), testing::SizeIs(2));
  EXPECT_THAT(wrong_with("letter.txt", "Dear reader,\n"),
              AllOf(HasSubstr("line 1: 'Dear reader,' has several words"), HasSubstr("--as-text")));
  EXPECT_THAT(keys_read("letter.txt", "Dear reader,\n", {"", false, true}), testing::SizeIs(1));
  EXPECT_THAT(wrong_with("people.csv", "id\n1\n2\nanna\n", {"id"}), AllOf(HasSubstr("line 4"), HasSubstr("--as-text")));
  EXPECT_EQ(keys_read("people.csv", "id\n1\n2\nanna\n", {"id", false, true})[2], keys[0]);
}

/// The field takes what the file had: both ask the same function.
TEST(KeyKinds, TextsOfAFileAreTypedAsTheyAreThere)
{
  std::vector<std::string> const typed{"apple",          "\"red apple\"",
                                       "\"a=5\"",        "550e8400-e29b-41d4-a716-446655440000",
                                       "\"42\"",         "chloé",
                                       "\"5\"\" disk\"", "\"a, b – c\"",
                                       "left–right"};
  TableState state;
  state.settings.table.key_bits = 64;
  state.settings.keys = read_keys("texts.txt",
                                  "apple\nred apple\na=5\n550e8400-e29b-41d4-a716-446655440000\n42\nchloé\n5\" disk\n"
                                  "a, b – c\nleft–right\n",
                                  {"", false, true});
  ASSERT_EQ(key_form(state).keys_of, HashedFrom::texts);
  for (std::size_t i = 0; i < typed.size(); ++i) {
    state.typed.text = typed[i];
    ParsedKeys const& parsed = parsed_keys(state);
    EXPECT_EQ(parsed.error, "") << typed[i];
    EXPECT_THAT(parsed.pairs, ElementsAre(Pair{(*state.settings.keys.file_keys)[i], 0})) << typed[i];
  }
  Key const apple = state.settings.keys.file_keys->front();
  state.typed.text = "apple=12, \"apple\" = 7 42=1 " + std::to_string(apple);
  EXPECT_THAT(parsed_keys(state).pairs, ElementsAre(Pair{apple, 12}, Pair{apple, 7}, Pair{42, 1}, Pair{apple, 0}))
      << "what is a number outside of quotation marks is the key's own";
  for (char const* const wrong : {"\"apple", "\"\"", "\"apple\"s"}) {
    state.typed.text = wrong;
    EXPECT_THAT(parsed_keys(state).error, HasSubstr("quotation mark")) << wrong;
  }
  state.settings.table.key_bits = 32;
  state.typed.text = "apple";
  EXPECT_THAT(parsed_keys(state).error, Not(IsEmpty())) << "no key of 32 bits";
}

TEST(KeyKinds, WordsAreNotGuessedWhereNoTextsWereRead)
{
  TableState state;
  state.settings.table.key_bits = 64;
  state.settings.keys = read_keys("numbers.txt", "17\n18\n");
  for (char const* const word : {"apple", "\"apple\"", "émile"}) {
    state.typed.text = word;
    EXPECT_THAT(parsed_keys(state).error, HasSubstr("the keys of this table are numbers. Type numbers")) << word;
  }
  state.settings.keys = read_keys("visits.csv", "day,user\nmonday,anna\n", {"day + user"});
  state.typed.text = "anna";
  EXPECT_THAT(parsed_keys(state).error, HasSubstr("several columns"));
}

TEST(KeyKinds, CollisionsAreThoseOfDifferentTexts)
{
  EXPECT_EQ(key_files::collisions({1, 2, 1}, {10, 20, 10}), 0u) << "one text twice";
  EXPECT_EQ(key_files::collisions({1, 2, 1, 1, 1}, {10, 20, 11, 12, 10}), 1u) << "three texts of one key";
  EXPECT_EQ(key_files::collisions({1, 2, 1, 2}, {10, 20, 11, 21}), 2u);
  EXPECT_EQ(key_files::collisions({}, {}), 0u);
}

TEST(KeyKinds, SeveralColumnsAreHashedTogether)
{
  std::string const visits = "day,user,n\n1,23,a\n12,3,b\n1,23,c\n,3,d\n";
  std::vector<Key> const keys = keys_read("visits.csv", visits, {"day + user"});
  ASSERT_EQ(keys.size(), 3u);
  EXPECT_EQ(keys[0], keys[2]);
  EXPECT_NE(keys[0], keys[1]) << "not only what they are in a row";
  EXPECT_THAT(findings_in("visits.csv", visits, {"day + user"}),
              AllOf(HasSubstr("the columns day + user together"), HasSubstr("1 empty cell")));
  EXPECT_THAT(wrong_with("visits.csv", visits, {"day + usr"}),
              HasSubstr("there is no column 'usr'; did you mean 'user'?"));
  EXPECT_THAT(keys_read("plus.csv", "a,b,a + b\n1,2,3\n", {"a + b"}), ElementsAre(3u)) << "a column of that name";
}

/// A word such as NA stands for nothing among numbers, and is a text among texts: in one column as in several.
TEST(KeyKinds, AMissingNumberIsMissingInOneColumnAndInSeveral)
{
  std::string const orders = "customer,big,name\n1,5,NA\n2,NA,b\nNA,6,c\n3,7,d\n,8,e\n";
  EXPECT_EQ(keys_read("orders.csv", orders, {"customer"}).size(), 3u);
  EXPECT_EQ(keys_read("orders.csv", orders, {"customer + big"}).size(), 2u);  // rows 1 and 4
  EXPECT_THAT(findings_in("orders.csv", orders, {"customer + big"}),
              HasSubstr("3 empty cells of column 'customer + big' were left out (the first in line 3, 'NA')"));
  EXPECT_EQ(keys_read("orders.csv", orders, {"big + name"}).size(), 4u) << "a name may be NA";
  EXPECT_EQ(keys_read("orders.csv", orders, {"customer + big", false, true}).size(), 4u) << "texts, as was asked for";
  EXPECT_THAT(wrong_with("orders.csv", orders, {"customer + big", true}), HasSubstr("'NA' counts as empty"));
}

TEST(KeyKinds, AMissingNumberOfAnArrayIsMissingInSeveralColumns)
{
  std::string data;
  auto const row = [&](double number, double other) { data += bytes_of(std::vector<double>{number, other}); };
  row(1.0, 2.0);
  row(std::nan(""), 2.0);
  row(0.0, 3.0);
  row(-0.0, 3.0);
  std::string const content = array("[('a', '<f8'), ('b', '<f8')]", "(4,)", data);
  std::vector<Key> const keys = keys_read("pairs.npy", content, {"a + b"});
  ASSERT_EQ(keys.size(), 3u);
  EXPECT_EQ(keys[1], keys[2]) << "-0 is 0";
  EXPECT_THAT(findings_in("pairs.npy", content, {"a + b"}), HasSubstr("the first in row 2, 'NaN'"));
}

// A join of two files would find nothing otherwise, and nobody would see why.
TEST(KeyKinds, SeveralColumnsAreEqualWhateverStoresTheirNumbers)
{
  std::vector<Key> const keys =
      keys_read("pairs.csv", "column 1,column 2\n5,1\n-7,0\n40,250\n", {"column 1 + column 2"});
  ASSERT_EQ(std::set<Key>(keys.begin(), keys.end()).size(), 3u);
  std::vector<std::pair<std::string, std::string>> const arrays{
      {"'<i4'", bytes_of<std::int32_t>({5, 1, -7, 0, 40, 250})},
      {"'<i8'", bytes_of<std::int64_t>({5, 1, -7, 0, 40, 250})},
      {"'<f4'", bytes_of<float>({5.0f, 1.0f, -7.0f, -0.0f, 40.0f, 250.0f})},
      {"'<f8'", bytes_of<double>({5.0, 1.0, -7.0, 0.0, 40.0, 250.0})},
      {"'|S3'",
       "5\0\0"
       "01\0"
       "-7\0"
       "0\0\0"
       "40\0"
       "250"s}};
  for (auto const& [type, data] : arrays) {
    EXPECT_EQ(keys_read("pairs.npy", array(type, "(3, 2)", data), {"column 1 + column 2"}), keys) << type;
  }
  std::string const fields = bytes_of<std::int16_t>({5, 1, -7, 0, 40, 250});
  EXPECT_EQ(keys_read("pairs.npy", array("[('a', '<i2'), ('b', '<u2')]", "(3,)", fields), {"a + b"}), keys);
  EXPECT_EQ(keys_read("pairs.csv", "a,b\n05,1.0\n-7.0,0x0\n4e1,+250\n", {"a + b"}), keys);
  EXPECT_EQ(keys_read("halves.csv", "a,b\n0.50,1\n", {"a + b"}),
            keys_read("halves.npy", array("'<f8'", "(1, 2)", bytes_of<double>({0.5, 1.0})), {"column 1 + column 2"}));
  EXPECT_NE(keys_read("codes.csv", "a,b\nx1,1\n05,1\nx2,1\n", {"a + b"}),
            keys_read("codes.csv", "a,b\nx1,1\n5,1\nx2,1\n", {"a + b"}))
      << "among texts, a number is a text";
}

TEST(KeyKinds, FilesAreComparedOnlyWhereEqualNumbersAreEqualKeys)
{
  auto const why_not = [](KeySettings const& left, KeySettings const& right) {
    std::string why;
    for (auto const& [a, b] : {std::pair(&left, &right), std::pair(&right, &left)}) {
      try {
        check_comparable(*a, *b);
        why += "fine ";
      } catch (Error const& error) {
        why += std::string(error.what()) + " ";
      }
    }
    return why;
  };
  auto const whole = read_keys("whole.npy", array("'<f8'", "(2,)", bytes_of<double>({0.0, 1.0})));
  auto const halves = read_keys("halves.npy", array("'<f4'", "(2,)", bytes_of<float>({0.5f, 1.0f})));
  auto const numbers = read_keys("numbers.csv", "0\n1\n");
  EXPECT_EQ(why_not(whole, numbers), "fine fine ");
  EXPECT_EQ(why_not(halves, halves), "fine fine ");
  EXPECT_THAT(why_not(whole, halves), AllOf(HasSubstr("halves.npy has numbers with fractions"),
                                            HasSubstr("whole.npy has whole numbers"), Not(HasSubstr("fine"))));
  EXPECT_THAT(why_not(numbers, halves), AllOf(HasSubstr("Read both as texts: --as-text"), Not(HasSubstr("fine"))));
  KeyReading const as_text{.as_text = true};
  auto const whole_texts = read_keys("whole.npy", array("'<f8'", "(2,)", bytes_of<double>({0.0, 1.0})), as_text);
  auto const halves_texts = read_keys("halves.npy", array("'<f4'", "(2,)", bytes_of<float>({0.5f, 1.0f})), as_text);
  EXPECT_EQ(why_not(whole_texts, halves_texts), "fine fine ");
  EXPECT_EQ((*whole_texts.file_keys)[1], (*halves_texts.file_keys)[1]) << "as that advice promises";
  EXPECT_NE((*whole_texts.file_keys)[0], (*halves_texts.file_keys)[0]);
  auto const days = read_keys("days.npy", array("'<M8[D]'", "(1,)", bytes_of<std::int64_t>({20000})));
  auto const seconds = read_keys("seconds.npy", array("'<M8[s]'", "(1,)", bytes_of<std::int64_t>({20000 * 86400LL})));
  EXPECT_EQ(why_not(days, days), "fine fine ");
  EXPECT_THAT(why_not(days, seconds),
              AllOf(HasSubstr("days.npy has M8[D]"), HasSubstr("seconds.npy has M8[s]"), Not(HasSubstr("fine"))));
  EXPECT_EQ(why_not(days, numbers), "fine fine ") << "days, counted by somebody else";
  std::string const row = bytes_of<std::int64_t>({20000, 3});
  auto const in_rows = [&](std::string const& unit) {
    return read_keys("rows.npy", array("[('t', '<M8[" + unit + "]'), ('n', '<i8')]", "(1,)", row), {"t + n"});
  };
  EXPECT_EQ(why_not(in_rows("D"), in_rows("D")), "fine fine ");
  EXPECT_THAT(why_not(in_rows("D"), in_rows("h")), Not(HasSubstr("fine")));
}

TEST(KeyKinds, TextsOfAnyEncodingAndSeparator)
{
  std::string const latin1 =
      "Kundennummer gr\xf6\xdf"
      "e,n\n5,1\n7,2\n";
  EXPECT_THAT(keys_read("orders.csv", latin1, {"Kundennummer größe"}), ElementsAre(5u, 7u));
  TemporaryFolder const folder;
  EXPECT_THAT(key_columns(folder.write("orders.csv", latin1)), ElementsAre("Kundennummer größe", "n"));
  EXPECT_THAT(keys_read("keys.txt", "5\r6\r7"), ElementsAre(5u, 6u, 7u));
  EXPECT_THAT(keys_read("keys.csv", "id;n\r5;1\r6;2\r", {"id"}), ElementsAre(5u, 6u));
  EXPECT_THAT(keys_read("keys.csv",
                        "\xff\xfe"
                        "i\0d\0,\0n\0\r\0\n\0"
                        "5\0,\0"
                        "1\0\r\0\n\0"s,
                        {"id"}),
              ElementsAre(5u));
  EXPECT_THAT(keys_read("keys.csv", "id|n\n5|1\n", {"id"}), ElementsAre(5u));
  EXPECT_THAT(keys_read("keys.csv", "name, the whole one;id\na;5\nb;6\n", {"id"}), ElementsAre(5u, 6u));
  EXPECT_THAT(keys_read("keys.csv", "sep=;\nid;n,m\n5;1\n", {"id"}), ElementsAre(5u));
  EXPECT_THAT(keys_read("keys.txt", "id\tn\n5\t1\n", {"id"}), ElementsAre(5u));
  EXPECT_THAT(keys_read("keys.csv", "id,size\n5,3\" disk\n6,2\"\n", {"id"}), ElementsAre(5u, 6u))
      << "a quote within a field";
  EXPECT_THAT(wrong_with("keys.csv", "id,what\n5,a\n6,\"b\n7,c\n", {"id"}),
              AllOf(HasSubstr("line 3"), HasSubstr("never closed")));
  EXPECT_THAT(keys_read("keys.csv", "5,1\n6,2\n", {"column 1"}), ElementsAre(5u, 6u)) << "no line of titles is lost";
}

TEST(KeyKinds, NumbersAreReadAsTheyAreWritten)
{
  EXPECT_THAT(keys_read("keys.txt", "+17\n17.0\n1.7e1\n0x11\n17.\n"), ElementsAre(17u, 17u, 17u, 17u, 17u));
  EXPECT_THAT(keys_read("keys.txt", "12345678901234567.0\n"), ElementsAre(12345678901234567u)) << "every digit";
  EXPECT_THAT(findings_in("keys.txt", "1.23457E+11\n"), AllOf(HasSubstr("exponent"), HasSubstr("Spreadsheets round")));
  EXPECT_THAT(findings_in("keys.txt", "007\n7\n"), HasSubstr("1 key has leading zeros, such as '007' in line 1"));
  EXPECT_THAT(findings_in("keys.txt", "0\n70\n0x07\n"), IsEmpty());
  EXPECT_THAT(wrong_with("keys.txt", "1\n2.5\n"), AllOf(HasSubstr("line 2"), HasSubstr("not a whole number")));
  EXPECT_EQ(key_files::read_cell("1e20").kind, key_files::CellKind::too_large);
  EXPECT_EQ(key_files::read_cell("1e").kind, key_files::CellKind::text);
  EXPECT_EQ(key_files::read_cell(".").kind, key_files::CellKind::text);
  EXPECT_EQ(key_files::read_cell("-0").kind, key_files::CellKind::whole);
}

TEST(KeyKinds, ArraysOfAnyType)
{
  EXPECT_THAT(keys_read("a.npy", array("'>u4'", "(2,)", "\x00\x00\x01\x02\x00\x00\x00\x05"s)), ElementsAre(258u, 5u));
  EXPECT_THAT(keys_read("a.npy", array("'|b1'", "(3,)", "\x01\x00\x01"s)), ElementsAre(1u, 0u, 1u));
  EXPECT_THAT(shown(read_keys("a.npy", array("'|i1'", "(2,)", "\xff\x05"))), ElementsAre("-1", "5"));
  std::vector<double> const whole{5.0, 9007199254740991.0, -3.0};
  EXPECT_THAT(shown(read_keys("a.npy", array("'<f8'", "(3,)", bytes_of(whole)))),
              ElementsAre("5", "9007199254740991", "-3"));
  EXPECT_THAT(keys_read("a.npy", array("'<f4'", "(2,)", bytes_of<float>({5.0f, 8.0f}))), ElementsAre(5u, 8u));
  EXPECT_THAT(keys_read("a.npy", array("'<f2'", "(2,)", "\x00\x3c\x00\x45"s)), ElementsAre(1u, 5u));
  std::vector<std::int64_t> const times{1000, lowest, 2000};
  std::string const dates = array("'<M8[ns]'", "(3,)", bytes_of(times));
  EXPECT_THAT(keys_read("a.npy", dates), ElementsAre(1000u, 2000u));
  EXPECT_THAT(findings_in("a.npy", dates), HasSubstr("1 empty cell was left out (the first in row 2, 'NaT')"));
  EXPECT_THAT(wrong_with("a.npy", dates, {"", true}), HasSubstr("'NaT' counts as empty"));
}

/// A file of text would have 'b' for it: who compares both is told.
TEST(KeyKinds, BlanksInTextsOfArraysAreKeptAndSaid)
{
  std::string const texts = array("'|S3'", "(3,)", "a\0\0b \0 c\0"s);
  std::vector<Key> const keys = keys_read("a.npy", texts);
  EXPECT_EQ(keys.front(), keys_read("a.csv", "word\na\nb\nc\n", {"word"}).front());
  EXPECT_NE(keys[1], keys_read("a.csv", "word\na\nb\nc\n", {"word"})[1]);
  EXPECT_THAT(findings_in("a.npy", texts),
              HasSubstr("2 texts have blanks around them, such as 'b ' in row 2, which are"));
  EXPECT_THAT(findings_in("a.npy", array("'|S3'", "(1,)", "b\0\0"s)), Not(HasSubstr("blanks")));
  std::string const pairs = array("[('w', '|S3'), ('n', '|u1')]", "(1,)", "b \0\5"s);
  EXPECT_THAT(findings_in("a.npy", pairs, {"w + n"}), HasSubstr("1 text has blanks around it"));
}

TEST(KeyKinds, NoArrayOfNumbersIsCastAndNoneMerged)
{
  std::vector<double> const mixed{0.5, 1.0, -0.0, 0.0, std::numeric_limits<double>::quiet_NaN()};
  std::string const fractions = array("'<f8'", "(5,)", bytes_of(mixed));
  EXPECT_THAT(keys_read("a.npy", fractions), ElementsAre(std::bit_cast<Key>(0.5), std::bit_cast<Key>(1.0), 0u, 0u));
  EXPECT_THAT(findings_in("a.npy", fractions),
              AllOf(HasSubstr("(the first is 0.5 in row 1)"), HasSubstr("one to one"), HasSubstr("1 empty cell")));
  std::string const large = array("'<f8'", "(1,)", bytes_of<double>({9007199254740994.0}));
  EXPECT_THAT(findings_in("a.npy", large), HasSubstr("beyond 9007199254740992"));
  for (std::string const& type : {"'<f8'"s, "'>i4'"s, "'<M8[s]'"s, "'|O'"s, "'<f16'"s, "'<c8'"s}) {
    EXPECT_THAT(wrong_with("a.npy", array(type, "(1,)", "")), Not(HasSubstr("astype('int"))) << type;
  }
}

TEST(KeyKinds, TextsAndFieldsOfArrays)
{
  std::string const unicode = "a\0\0\0n\0\0\0\xf6\0\0\0\0\0\0\0"s;
  EXPECT_EQ(keys_read("a.npy", array("'<U4'", "(1,)", unicode)), keys_read("a.txt", "anö\n"));
  EXPECT_EQ(keys_read("a.npy", array("'|S4'", "(1,)", "an\0\0"s)), keys_read("a.txt", "an\n"));
  EXPECT_THAT(keys_read("a.npy", array("'|S2'", "(2,)",
                                       "17"
                                       "5\0"s)),
              ElementsAre(17u, 5u))
      << "numbers in texts";
  EXPECT_THAT(keys_read("a.npy", array("'|V16'", "(2,)", std::string(32, 'x'))), testing::SizeIs(2));
  std::string const rows = "\x05\0\0\0\x01\x00\x06\0\0\0\x02\x00"s;
  std::string const fields = array("[('id', '<i4'), ('n', '<u2')]", "(2,)", rows);
  EXPECT_THAT(keys_read("a.npy", fields, {"id"}), ElementsAre(5u, 6u));
  EXPECT_THAT(keys_read("a.npy", fields, {"n"}), ElementsAre(1u, 2u));
  EXPECT_THAT(keys_read("a.npy", fields, {"id + n"}), testing::SizeIs(2));
  EXPECT_THAT(wrong_with("a.npy", fields), HasSubstr("there are 2 columns; name the one that holds the keys: id, n"));
  std::string const columns_first = array("'|u1'", "(2, 2)", "\x01\x02\x03\x04", "True");
  EXPECT_THAT(keys_read("a.npy", columns_first, {"column 2"}), ElementsAre(3u, 4u));
}

TEST(KeyKinds, WhatWasReadIsReadAgainTheSameWay)
{
  TemporaryFolder const folder;
  KeyReading const reading{"user", true, true};
  std::filesystem::path const file = folder.write(
      "gr\xf6\xdf"
      "e.csv",
      "id,user\n1,7\n2,8\n");
  KeySettings const keys = with_key_file({}, file, reading);
  EXPECT_TRUE(is_utf8(keys.file_name));
  for (Json const& json : {key_settings_json(keys, folder.path()), key_settings_json(keys, {}, folder.path())}) {
    Json const document = parse_json(format_json(json), "it");
    KeySettings const again = read_key_settings(JsonNode(document, "it", folder.path()), {});
    EXPECT_EQ(notes_of(again).reading, reading);
    EXPECT_EQ(*again.file_keys, *keys.file_keys);
    EXPECT_TRUE(same_settings(again, keys));
    KeySettings other = with_key_file({}, file, {"user"});
    EXPECT_FALSE(same_settings(other, keys));
  }
}

}  // namespace
}  // namespace slotscape
