#include "app/table_scene/key_settings.hpp"

#include "gpu/base/error.hpp"
#include "tests/app/temporary_folder.hpp"

#include <gmock/gmock.h>

#include <limits>

namespace slotscape {
namespace {

using test::message_of;
using test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

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
  std::string const largest = std::to_string(std::numeric_limits<Key>::max());
  EXPECT_THAT(keys_in("keys.txt", largest), ElementsAre(std::numeric_limits<Key>::max()));
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
  EXPECT_THAT(wrong_in("keys.txt", "0x\n"), HasSubstr("line 1"));
  EXPECT_THAT(wrong_in("keys.txt", "1.5\n"), HasSubstr("not a whole number"));
}

TEST(KeyFile, NamesTheLineOfANumberThatDoesNotFit)
{
  EXPECT_THAT(wrong_in("keys.txt", "1\n18446744073709551616\n"), AllOf(HasSubstr("line 2"), HasSubstr("bits")));
  EXPECT_THAT(wrong_in("keys.txt", "99999999999999999999999\n"), HasSubstr("does not fit"));
  EXPECT_THAT(wrong_in("keys.txt", "1\n2\n-3\n"), AllOf(HasSubstr("line 3"), HasSubstr("negative")));
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

TEST(KeyFile, NamesAFileThatIsNotThere)
{
  TemporaryFolder const folder;
  EXPECT_THAT(message_of<Error>([&] { read_key_file(folder / "none.txt"); }),
              AllOf(HasSubstr("none.txt"), HasSubstr("No such file")));
  EXPECT_THAT(message_of<Error>([&] { read_key_file(folder.path()); }), HasSubstr("it is a folder"));
}

}  // namespace
}  // namespace slotscape
