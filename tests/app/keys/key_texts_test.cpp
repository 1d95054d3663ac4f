// Keys that are texts: what belongs to them, and what does not.

#include "app/base/npy.hpp"
#include "app/keys/comparing.hpp"
#include "app/keys/file_keys.hpp"
#include "gpu/base/error.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <gmock/gmock.h>

#include <set>

namespace slotscape::key_texts_tests {
namespace {

using namespace std::string_literals;
using test::message_of;
using test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

KeyReading const as_text{.as_text = true};

KeySettings texts_of(std::string_view name, std::string_view content, KeyReading const& reading = {})
{
  TemporaryFolder const folder;
  return with_key_file({}, folder.write(name, content), reading);
}

std::size_t different_in(KeySettings const& keys)
{
  return std::set<Key>(keys.file_keys->begin(), keys.file_keys->end()).size();
}

std::string notes_on(KeySettings const& keys)
{
  std::string all;
  for (std::string const& finding : key_findings(keys)) { all += finding + "\n"; }
  return all;
}

std::string array_of(std::vector<std::int64_t> const& all)
{
  return npy_of(std::span<std::int64_t const>(all), {all.size()});
}

TEST(KeyTexts, BlanksInQuotesArePartOfThem)
{
  KeySettings const quoted = texts_of("k.csv", "k,n\n\" a\",1\n\"a\",2\n\"a \" ,3\n a ,4\n", {"k"});
  EXPECT_EQ(different_in(quoted), 3u) << "the last one is 'a'";
  EXPECT_EQ((*quoted.file_keys)[1], (*quoted.file_keys)[3]);
  EXPECT_THAT(notes_on(quoted), HasSubstr("1 text has blanks around it, such as ' a ' in line 5"));
  KeySettings const both = texts_of("k.csv", "k,n\n\" a\",1\n\"a\",1\n a,1\n", {"k + n"});
  EXPECT_EQ(different_in(both), 2u);
  EXPECT_THAT(notes_on(both), HasSubstr("1 text has blanks around it"));
  EXPECT_THAT(notes_on(texts_of("k.csv", "k,n\n\" 5\",1\n5 ,2\n", {"k"})), IsEmpty()) << "numbers have none";
  EXPECT_THAT(*texts_of("k.csv", "k,n\n\" 5\",1\n5 ,2\n", {"k"}).file_keys, Each(5u));
}

TEST(KeyTexts, TheFirstLineIsAKeyIfItIsLikeAllOthers)
{
  std::string const ids = "1b4e28ba-2fa1-11d2-883f-0016d3cca427\n6fa459ea-ee8a-3ca4-894e-db77e160355e\n";
  EXPECT_EQ(different_in(texts_of("k.csv", ids)), 2u);
  EXPECT_EQ(different_in(texts_of("k.csv", "2024-01-02\n2024-01-03\n2024-02-01\n")), 3u);
  EXPECT_EQ(different_in(texts_of("k.csv", "id\n" + ids)), 2u);
  KeySettings const words = texts_of("k.csv", "anna\nberta\nclara\n");
  EXPECT_EQ(different_in(words), 2u);
  EXPECT_THAT(notes_on(words), HasSubstr("the first line, 'anna', was read as the name of the column"));
  EXPECT_THAT(notes_on(texts_of("k.csv", "name\nberta\nclara\n", {"name"})), Not(HasSubstr("first line")));
  EXPECT_EQ(different_in(texts_of("k.csv", "kmer\nACGT\nACGA\n")), 2u) << "no digits: a name";
  EXPECT_THAT(notes_on(texts_of("k.csv", "A001,5\nA002,6\n", {"A001"})), HasSubstr("which has the number '5'"));
}

TEST(KeyTexts, OfWholeLinesAHashBelongsToThem)
{
  KeySettings const whole = texts_of("k.txt", "# issues\nissue #5\nissue #6\n  # more\nC#\n", as_text);
  EXPECT_EQ(different_in(whole), 3u);
  KeySettings const cut = texts_of("k.txt", "issue #5\nissue #6\n");
  EXPECT_EQ(different_in(cut), 1u);
  EXPECT_THAT(notes_on(cut), HasSubstr("2 lines have a comment after their key (the first is '#5' in line 1)"));
  EXPECT_THAT(notes_on(texts_of("k.txt", "17 # seventeen\n")), IsEmpty());
  EXPECT_THAT(notes_on(texts_of("k.txt", " anna \r\nberta\r\n", as_text)), HasSubstr("1 text has blanks around it"));
}

TEST(KeyTexts, NumbersOfArraysAndWordsAreTextsIfAsked)
{
  KeySettings const of_text = texts_of("k.csv", "k\n5\n-7\n5\n", as_text);
  KeySettings const of_array = texts_of("k.npy", array_of({5, -7, 5}), as_text);
  EXPECT_EQ(*of_array.file_keys, *of_text.file_keys);
  EXPECT_THAT(why_not_comparable(of_text, of_array), IsEmpty());
  KeySettings const of_words = texts_of("k.u32", "\x05\0\0\0"s, as_text);
  EXPECT_EQ(of_words.file_keys->front(), of_text.file_keys->front());
  EXPECT_THAT(why_not_comparable(of_text, of_words), IsEmpty());
}

TEST(KeyTexts, FilesOfOtherProgramsAreNamedForWhatTheyAre)
{
  auto const wrong = [](std::string_view name, std::string const& content) {
    return message_of<Error>([&] { texts_of(name, content); });
  };
  EXPECT_THAT(wrong("k.gz", "\x1f\x8b\x08\x00"s), HasSubstr("compressed; unpack it"));
  EXPECT_THAT(wrong("k.npz", "PK\x03\x04\x01\x02"s), HasSubstr(".npz"));
  EXPECT_THAT(wrong("k.parquet", "PAR1\x15\x04"s), AllOf(HasSubstr("as CSV"), Not(HasSubstr(".bin"))));
  EXPECT_THAT(wrong("k.dat", "\x01\x02\x03"s), HasSubstr("rename it to .bin"));
}

TEST(KeyTexts, AThousandWithAPointIsSaidToBeOne)
{
  KeySettings const keys = texts_of("k.csv", "k;n\n1.000;1\n12.000;1\n7;1\n", {"k"});
  EXPECT_EQ(different_in(keys), 3u);
  EXPECT_THAT(notes_on(keys), HasSubstr("2 keys end in .000, such as '1.000' in line 2"));
}

}  // namespace
}  // namespace slotscape::key_texts_tests
