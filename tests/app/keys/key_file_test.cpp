#include "app/keys/file_keys.hpp"

#include "app/base/npy.hpp"
#include "gpu/base/error.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <gmock/gmock.h>

namespace slotscape {
namespace {

using test::message_of;
using test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<Key> keys_in(std::string_view name, std::string_view content)
{
  TemporaryFolder const folder;
  return *read_key_file(folder.write(name, content));
}

std::string wrong_in(std::string_view name, std::string_view content)
{
  return message_of<Error>([&] { keys_in(name, content); });
}

TEST(KeyFile, ReadsDecimalAndHexadecimal)
{
  EXPECT_THAT(keys_in("keys.txt", "18446744073709551612"), ElementsAre(18446744073709551612u));
  EXPECT_THAT(keys_in("keys.txt", "1\n0xff\n0XAB\n4294967295\n"), ElementsAre(1u, 255u, 171u, 4294967295u));
}

TEST(KeyFile, PassesOverBlankLinesCommentsAndCarriageReturns)
{
  EXPECT_THAT(keys_in("keys.txt", "\xef\xbb\xbf# keys\r\n\r\n  7 \r\n8 # eight\n\n9"), ElementsAre(7u, 8u, 9u));
}

TEST(KeyFile, NamesTheLineOfAWord)
{
  EXPECT_THAT(wrong_in("keys.txt", "1\n\nseven\n"), AllOf(HasSubstr("keys.txt: line 3"), HasSubstr("'seven'")));
  EXPECT_THAT(wrong_in("keys.txt", "1 2\n"), AllOf(HasSubstr("line 1"), HasSubstr("'1 2'")));
  EXPECT_THAT(wrong_in("keys.txt", "1\n0x\n"), HasSubstr("line 2"));
  EXPECT_THAT(wrong_in("keys.txt", "1.5\n"), HasSubstr("not a whole number"));
}

TEST(KeyFile, NamesTheLineOfANumberThatDoesNotFit)
{
  EXPECT_THAT(wrong_in("keys.txt", "1\n18446744073709551616\n"), AllOf(HasSubstr("line 2"), HasSubstr("bits")));
  EXPECT_THAT(wrong_in("keys.txt", "99999999999999999999999\n"), HasSubstr("does not fit"));
  EXPECT_THAT(wrong_in("keys.txt", "1\n-9223372036854775809\n"), AllOf(HasSubstr("line 2"), HasSubstr("bits")));
}

TEST(KeyFile, RefusesAFileWithoutKeys)
{
  EXPECT_THAT(wrong_in("keys.txt", ""), HasSubstr("empty"));
  EXPECT_THAT(wrong_in("keys.txt", "# only words\n\n"), HasSubstr("no keys"));
  EXPECT_THAT(wrong_in("keys.bin", ""), HasSubstr("empty"));
}

TEST(KeyFile, ReadsLittleEndianWords)
{
  using namespace std::string_view_literals;
  EXPECT_THAT(keys_in("keys.bin", "\x01\0\0\0\x02\x01\0\xff"sv), ElementsAre(1u, 0xff000102u));
  EXPECT_THAT(keys_in("keys.U32", "\x05\0\0\0"sv), ElementsAre(5u));
  EXPECT_THAT(keys_in("keys.u64", "\x05\x01\0\0\0\0\0\0\x06\0\0\0\0\0\0\0"sv), ElementsAre(261u, 6u));
}

TEST(KeyFile, RefusesHalfAWord)
{
  EXPECT_THAT(wrong_in("keys.bin", "123456"), AllOf(HasSubstr("6 bytes"), HasSubstr("multiple of 4")));
  EXPECT_THAT(wrong_in("keys.u64", "123456781234"), AllOf(HasSubstr("12 bytes"), HasSubstr("multiple of 8")));
}

TEST(KeyFile, SaysHowToNameABinaryFile)
{
  using namespace std::string_view_literals;
  EXPECT_THAT(wrong_in("keys.dat", "\x01\0\0\0"sv), AllOf(HasSubstr("binary"), HasSubstr(".bin or .u32")));
}

std::vector<Key> column_in(std::string_view name, std::string_view content, std::string const& column)
{
  TemporaryFolder const folder;
  return *read_key_file(folder.write(name, content), {column});
}

std::string wrong_in_column(std::string_view content, std::string const& column)
{
  return message_of<Error>([&] { column_in("orders.csv", content, column); });
}

TEST(KeyFile, ReadsAColumnByItsName)
{
  EXPECT_THAT(column_in("orders.csv", "id,user\r\n1,0x10\r\n2, 17 \r\n", "user"), ElementsAre(16u, 17u));
  EXPECT_THAT(column_in("orders.csv", "\xef\xbb\xbfid;user\n1;5\n\n2;6", "id"), ElementsAre(1u, 2u));
  EXPECT_THAT(column_in("orders.tsv", "id\tuser\n1\t5\n", "user"), ElementsAre(5u));
  EXPECT_THAT(column_in("orders.csv", "\"the id\",what\n7,\"a, \"\"b\"\"\nc\"\n\"8\",d\n", "the id"),
              ElementsAre(7u, 8u));
  EXPECT_THAT(column_in("orders.csv", "id\n3\n", ""), ElementsAre(3u));
  EXPECT_THAT(column_in("orders.csv", "2\n3\n", ""), ElementsAre(2u, 3u));
}

TEST(KeyFile, NamesTheLineOfAWordInAColumn)
{
  EXPECT_THAT(wrong_in_column("id,user\n1,5\n2,anna\n", "user"),
              AllOf(HasSubstr("orders.csv: line 3, column 'user'"), HasSubstr("'anna' is not a whole number")));
  EXPECT_THAT(wrong_in_column("id,what\n1,\"a\nb\"\nx,c\n", "id"), HasSubstr("line 4"));
  EXPECT_THAT(wrong_in_column("id,user\n1,5\n2\n", "user"), AllOf(HasSubstr("line 3"), HasSubstr("only 1 field,")));
  EXPECT_THAT(wrong_in_column("id,user\n1,5\n", "usr"), HasSubstr("there is no column 'usr'; did you mean 'user'?"));
  EXPECT_THAT(wrong_in_column("id,user\n1,5\n", ""),
              HasSubstr("2 columns; name the one that holds the keys: id, user; or several: id + user"));
  EXPECT_THAT(wrong_in_column("id,user\n", "id"), HasSubstr("no keys"));
}

/// As of 170,63 without quotes: what stands behind it is read from the wrong column.
TEST(KeyFile, RefusesMoreFieldsThanColumns)
{
  EXPECT_THAT(wrong_in_column("amount,order_id,country\n170,63,5000000,DE\n", "order_id"),
              AllOf(HasSubstr("orders.csv: line 2: there are 4 fields for 3 columns"),
                    HasSubstr("If '170,63' or '63,5000000' is one number with a decimal comma, put"),
                    HasSubstr("in double quotes, or separate the columns by ';'")));
  EXPECT_THAT(wrong_in_column("id,x\n1,234,a\n2,b\n", "id"), HasSubstr("line 2"));
  EXPECT_THAT(wrong_in_column("id,x\n2,b\n1,234,a\n", "id + x"), HasSubstr("line 3"));
  EXPECT_THAT(wrong_in_column("id;x\n1;a\n3;c;d\n", "id"), HasSubstr("separate the columns by tabs"));
  EXPECT_THAT(wrong_in_column("id,x\n1,a,\n", "id"), HasSubstr("ends in ',' that does not belong there, remove it"));
  EXPECT_THAT(wrong_in_column("id\n5,\n7,\n", "id"),
              AllOf(HasSubstr("The line ends in ',': remove it"), Not(HasSubstr("decimal")), Not(HasSubstr("quotes"))));
  EXPECT_THAT(wrong_in_column("id,n\n5,7,\n", "id"),
              AllOf(HasSubstr("If the line ends in ',' that does not belong there, remove it; if '5,7' is one number "
                              "with a decimal comma, put values that contain ',' in double quotes")));
  EXPECT_THAT(
      wrong_in_column("id,n\n7,170,63\n", "id"),
      HasSubstr(
          "If '7,170' or '170,63' is one number, leave out its thousands separators; if it has a decimal comma, put"));
  EXPECT_THAT(wrong_in_column("id\n1,234,567\n", "id"),
              AllOf(HasSubstr("If '1,234,567' is one number, write it without thousands separators; otherwise, put"),
                    Not(HasSubstr("decimal"))));
  EXPECT_THAT(wrong_in_column("id\tn\n5\t7\t9\n", "id"),
              AllOf(HasSubstr("Put values that contain a tab in double quotes, or separate the columns by ';'"),
                    Not(HasSubstr("decimal"))));
  EXPECT_THAT(wrong_in("k.csv", "1\n2,5\n3\n"), HasSubstr("line 2: there are 2 fields for 1 column,"));
  EXPECT_THAT(column_in("o.csv", "amount,id\n\"170,63\",5\n", "id"), ElementsAre(5u));
  EXPECT_THAT(column_in("o.csv", "id;name\n1;a;\n2;b;;\n", "id"), ElementsAre(1u, 2u)) << "they shift nothing";
}

TEST(KeyFile, SaysWhichOfTwoColumnsOfOneNameIsRead)
{
  TemporaryFolder const folder;
  KeySettings const keys = with_key_file({}, folder.write("dup.csv", "id;amount;id\n1;7;3\n"), {"id"});
  EXPECT_THAT(*keys.file_keys, ElementsAre(1u));
  EXPECT_THAT(key_findings(keys), ElementsAre(HasSubstr("2 columns are called 'id', and the first of them is read")));
}

TEST(KeyFile, ListsItsColumns)
{
  TemporaryFolder const folder;
  EXPECT_THAT(key_columns(folder.write("a.csv", "id,user\n1,5\n")), ElementsAre("id", "user"));
  EXPECT_THAT(key_columns(folder.write("b.csv", "1\n5\n")), ElementsAre());
  EXPECT_THAT(key_columns(folder.write("c.txt", "id\n")), ElementsAre());
}

TEST(KeyFile, SaysWhichColumnItTookWhereNobodyChose)
{
  TemporaryFolder const folder;
  auto const opened = [&](std::string_view text) { return with_opened_key_file({}, folder.write("a.csv", text)); };
  KeySettings const customers = opened("name,customer_id,row\nAda,3f2504e0-4f89,1\nBob,6fa459ea-ee8a,2\n");
  EXPECT_EQ(customers.file_column, "customer_id") << "by its name, though it has texts";
  EXPECT_THAT(key_findings(customers), Contains(HasSubstr("the keys are taken from 'customer_id'")));
  EXPECT_THAT(notes_of(customers).columns, ElementsAre("name", "customer_id", "row"));
  EXPECT_EQ(opened("name,paid,amount\nAda,no,7\n").file_column, "amount") << "the first with a whole number";
  EXPECT_THAT(key_findings(opened("7\n8\n")), IsEmpty());
  KeySettings const chosen = with_key_file({}, folder / "a.csv");
  EXPECT_THAT(key_findings(chosen), IsEmpty());
  EXPECT_THAT(notes_of(chosen).columns, IsEmpty());
}

TEST(KeyFile, ReadsNumPyArrays)
{
  std::vector<std::int64_t> const numbers{5, 1ll << 40};
  EXPECT_THAT(keys_in("keys.npy", npy_of(numbers, {2})), ElementsAre(5u, std::uint64_t{1} << 40));
  EXPECT_THAT(keys_in("keys.npy", npy_of(numbers, {2, 1})), ElementsAre(5u, std::uint64_t{1} << 40));
  std::string unsigned_numbers = npy_of(std::vector<std::int64_t>{-10}, {1});
  unsigned_numbers.replace(unsigned_numbers.find("<i8"), 3, "<u8");
  EXPECT_THAT(keys_in("keys.npy", unsigned_numbers), ElementsAre(18446744073709551606u));
  EXPECT_THAT(wrong_in("keys.npy", npy_of(numbers, {1, 2})), HasSubstr("2 columns"));
  EXPECT_THAT(column_in("keys.npy", npy_of(numbers, {1, 2}), "column 2"), ElementsAre(std::uint64_t{1} << 40));
  EXPECT_THAT(wrong_in("keys.npy", npy_of(std::vector<std::int64_t>{}, {0})), HasSubstr("no keys"));
}

TEST(KeyFile, RefusesKeysThatAreTooWideForATable)
{
  TemporaryFolder const folder;
  KeySettings const keys = with_key_file({}, folder.write("keys.txt", "7\n4294967295\n"));
  EXPECT_NO_THROW(check_keys_fit(keys, 64));
  EXPECT_NO_THROW(check_keys_fit({}, 32));
  EXPECT_THAT(message_of<Error>([&] { check_keys_fit(keys, 32); }),
              AllOf(HasSubstr("key 2 is 4294967295"), HasSubstr("up to 4294967293"), HasSubstr("64-bit")));
}

TEST(KeyFile, NamesAFileThatIsNotThere)
{
  TemporaryFolder const folder;
  EXPECT_THAT(message_of<Error>([&] { read_key_file(folder / "none.txt"); }),
              AllOf(HasSubstr("none.txt"), HasSubstr("No such file")));
  EXPECT_THAT(message_of<Error>([&] { read_key_file(folder.path()); }), HasSubstr("it is a folder"));
}

TEST(KeyFile, IsReadAgainByTheColumnThatWasChosen)
{
  TemporaryFolder const folder;
  std::filesystem::path const file = folder.write("a.csv", "order,customer\n1,70\n2,80\n");
  KeySettings const chosen = with_key_file({}, file, {.column = "customer"});
  EXPECT_EQ(with_opened_key_file(chosen, file).file_column, "customer");
  EXPECT_THAT(*with_opened_key_file(chosen, file).file_keys, ElementsAre(70u, 80u));
  std::filesystem::path const next = folder.write("b.csv", "customer,order\n90,3\n");
  EXPECT_EQ(with_opened_key_file(chosen, next).file_column, "customer");
  EXPECT_EQ(with_opened_key_file(chosen, folder.write("c.csv", "id,row\n5,1\n")).file_column, "id");
  KeySettings const both = with_key_file({}, file, {.column = "order + customer"});
  EXPECT_EQ(with_opened_key_file(both, file).file_column, "order + customer");
}

}  // namespace
}  // namespace slotscape
