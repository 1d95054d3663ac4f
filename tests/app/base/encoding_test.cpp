#include "app/base/encoding.hpp"

#include "app/base/files.hpp"
#include "app/base/json.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <gmock/gmock.h>

namespace slotscape {
namespace {

using namespace std::string_literals;
using test::TemporaryFolder;

TEST(Encoding, TellsUtf8FromOtherBytes)
{
  for (std::string const& text : {""s, "keys"s, "gr\xc3\xb6\xc3\x9f"s, "\xe2\x82\xac"s, "\xf0\x9f\x98\x80"s}) {
    EXPECT_TRUE(is_utf8(text)) << text;
  }
  // a letter of Latin-1, a cut letter, an overlong form, a surrogate, beyond the last letter, a byte that begins none
  for (std::string const& text :
       {"gr\xf6"s, "\xe2\x82"s, "\xc0\xaf"s, "\xe0\x80\xaf"s, "\xed\xa0\x80"s, "\xf4\x90\x80\x80"s, "\x80"s, "\xff"s}) {
    EXPECT_FALSE(is_utf8(text));
  }
}

TEST(Encoding, TakesOtherTextForWindows1252)
{
  EXPECT_EQ(valid_text("gr\xf6\xdf"), "größ");
  EXPECT_EQ(valid_text("5 \x80"), "5 €");
  EXPECT_EQ(valid_text("größ"), "größ");
}

TEST(Encoding, ReadsTextHoweverItWasSaved)
{
  EXPECT_EQ(decoded("\xef\xbb\xbf"
                    "17"),
            "17");
  EXPECT_EQ(decoded("\xff\xfe"
                    "1\0"
                    "\xf6\0"
                    "\n\0"s),
            "1ö\n");
  EXPECT_EQ(decoded("\xfe\xff"
                    "\0"
                    "1"
                    "\0\xf6"
                    "\0\n"s),
            "1ö\n");
  EXPECT_EQ(decoded("1\0"
                    "7\0"
                    "\n\0"
                    "8\0"s),
            "17\n8")
      << "without a byte order mark";
  EXPECT_EQ(decoded("\0"
                    "1"
                    "\0"
                    "7"
                    "\0\n"
                    "\0"
                    "8"s),
            "17\n8");
  EXPECT_EQ(decoded("\xff\xfe\x3d\xd8\x00\xde"s), "😀") << "a pair of surrogates";
  EXPECT_EQ(decoded("\xff\xfe\x3d\xd8"s), "\xef\xbf\xbd") << "half of it";
  EXPECT_EQ(decoded("1\r2\r"), "1\n2\n");
  EXPECT_EQ(decoded("1\r\n2\r\n"), "1\r\n2\r\n");
  EXPECT_EQ(decoded("\x01\0\0\0\x02\0\0\0"s), "\x01\0\0\0\x02\0\0\0"s) << "words of 32 bits are no text";
}

TEST(Encoding, PathsAreFoundAgainWhateverTheirBytesAre)
{
  TemporaryFolder const folder;
  for (std::string const& name : {"keys.txt"s, "größe.txt"s,
                                  "gr\xf6\xdf"
                                  "e.txt"s,
                                  "a\\xF6.txt"s, "b\\x5C\xf6.txt"s, "\xff"s, "a\nb\x7f.txt"s}) {
    std::filesystem::path const file = folder.write(name, name);
    std::string const text = path_text(file);
    EXPECT_TRUE(is_utf8(text));
    EXPECT_EQ(path_of_text(text), file) << text;
    EXPECT_EQ(read_text_file(path_of_text(text)), name);
    EXPECT_EQ(path_text(path_of_text(text)), text);
    EXPECT_TRUE(is_utf8(relative_name(text, folder.path())));
    EXPECT_EQ(folder.path() / path_of_text(relative_name(text, folder.path())), file);
    std::filesystem::path const from_here = std::filesystem::relative(file);
    EXPECT_EQ(path_of_text(relative_name(path_text(from_here), folder.path() / "elsewhere")), file);
  }
  EXPECT_EQ(path_text("gr\xf6\xdf"
                      "e.txt"),
            "gr\\xF6\\xDFe.txt");
  EXPECT_EQ(path_text("größe.txt"), "größe.txt");
  EXPECT_EQ(path_text("a\tb"), "a\\x09b") << "an error is to be shown";
}

TEST(Encoding, JsonIsWrittenWhateverTextsItHas)
{
  Json const document{{"gr\xf6", "f\xfcr"}, {"list", {"\xe4", "b"}}};
  Json const again = parse_json(format_json(document), "it");
  EXPECT_EQ(again.at("grö"), "für");
  EXPECT_EQ(again.at("list").at(0), "ä");
  EXPECT_EQ(parse_json("{ \"name\": \"f\xfcr\" }", "it").at("name"), "für") << "read from Latin-1";
}

}  // namespace
}  // namespace slotscape
