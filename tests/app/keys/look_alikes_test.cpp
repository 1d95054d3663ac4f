// Texts that look alike, and are not the same byte by byte.

#include "app/base/alike.hpp"
#include "app/base/npy.hpp"
#include "app/keys/comparing.hpp"
#include "app/keys/file_keys.hpp"
#include "app/tuning/workload.hpp"
#include "gpu/base/error.hpp"
#include "tests/app/support/bench_rows.hpp"
#include "tests/app/support/program.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <initializer_list>
#include <string>
#include <utility>

namespace slotscape::look_alikes_tests {
namespace {

using test::message_of;
using test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr char const* composed = "M\u00fcller";
constexpr char const* decomposed = "Mu\u0308ller";

KeySettings texts_of(std::string_view name, std::string const& content, KeyReading const& reading = {})
{
  TemporaryFolder const folder;
  return with_key_file({}, folder.write(name, content), reading);
}

/// As a column 'name' with a row for each.
KeySettings names(std::string_view file, std::initializer_list<std::string> texts)
{
  std::string content = "name\n";
  for (std::string const& text : texts) { content += text + "\n"; }
  return texts_of(file, content, {"name"});
}

std::string all_findings(KeySettings const& keys)
{
  std::string all;
  for (std::string const& finding : key_findings(keys)) { all += finding + "\n"; }
  return all;
}

TEST(LookAlikes, HaveOneLookAndSayWhatTheyDifferIn)
{
  struct Case {
    std::string left;
    std::string right;
    std::string differences;
  };
  for (auto const& [left, right, differences] :
       std::initializer_list<Case>{{composed, decomposed, "composed and decomposed accents"},
                                   {"\u212bngstr\u00f6m", "\u00c5ngstr\u00f6m", "composed and decomposed accents"},
                                   {"\u1112\u1161\u11ab", "\ud55c", "composed and decomposed accents"},
                                   {"\u200bAda", "Ada", "invisible characters"},
                                   {"A\u00adda", "Ada\ufeff", "invisible characters"},
                                   {"Ada\u00a0King", "Ada King", "blanks"},
                                   {"  Ada  King\t", "Ada King", "blanks"},
                                   {"\u201cAda\u201d", "\"Ada\"", "quotation marks or dashes"},
                                   {"O\u2019Neill", "O'Neill", "quotation marks or dashes"},
                                   {"1\u201312", "1-12", "quotation marks or dashes"},
                                   {"\uff21\uff11", "A1", "letter forms"},
                                   {"514E28B7-0000", "514e28b7-0000", "capitalisation"},
                                   {"STRASSE", "Stra\u00dfe", "capitalisation"},
                                   {"ZO\u00cb", "Zoe\u0308 ",
                                    "composed and decomposed accents, blanks and capitalisation"}}) {
    EXPECT_EQ(look_of(left), look_of(right)) << left;
    EXPECT_EQ(differences_text(differences_of(left, right)), differences) << left;
    EXPECT_EQ(differences_text(differences_of(right, left)), differences) << right;
  }
  for (auto const& [left, right] : std::initializer_list<std::pair<char const*, char const*>>{
           {composed, "Muller"}, {"Ada King", "AdaKing"}, {"A-1", "A1"}, {"\u0410da", "Ada"}, {"\"a\"", "a"}}) {
    EXPECT_NE(look_of(left), look_of(right)) << left;
  }
  EXPECT_EQ(differences_text(differences_of(composed, composed)), "");
}

TEST(LookAlikes, OfTwoFilesAreSaid)
{
  KeySettings const stored = names("stored.csv", {composed, "Jos\u00e9", "\u00c5ngstr\u00f6m", "Ada King"});
  auto const hint = [&](std::initializer_list<std::string> texts) {
    return look_alike_hint(stored, names("asked.csv", texts));
  };
  EXPECT_THAT(hint({"Grace", decomposed, "A\u030angstro\u0308m", "Ada King"}),
              AllOf(StartsWith(fmt::format("column 'name' of asked.csv: 2 texts are not in column 'name' of "
                                           "stored.csv, which has look-alikes, such as '{}' in line 3. They "
                                           "differ in composed and decomposed accents. Texts are the same key only if",
                                           decomposed)),
                    Not(HasSubstr("at least"))));
  EXPECT_THAT(hint({"\u200bAda King"}), AllOf(HasSubstr(": 1 text is not in"), HasSubstr("in invisible characters.")));
  EXPECT_THAT(hint({"\"Ada King  \""}), HasSubstr("They differ in blanks."));
  EXPECT_THAT(hint({"ADA KING", composed, composed}), HasSubstr("They differ in capitalisation."));
  EXPECT_EQ(hint({composed, "Ada King", "Grace", "Muller"}), "");
  EXPECT_EQ(look_alike_hint(stored, {}), "");
  EXPECT_EQ(look_alike_hint({}, stored), "");
  EXPECT_EQ(look_alike_hint(stored, texts_of("numbers.csv", "5\n6\n")), "");
}

TEST(LookAlikes, OfLinesAndColumnsAndArraysAreSaid)
{
  KeyReading const as_text{.as_text = true};
  KeySettings const lines = texts_of("lines.txt", "Ada King\nGrace\n", as_text);
  std::vector<char> const bytes{'g', 'r', 'a', 'c', 'e', 'A', 'd', 'a', '\0', '\0'};
  TemporaryFolder const folder;
  std::string const array = "\x93NUMPY\x01" + std::string("\0", 1) + std::string("\x76\0", 2) +
                            fmt::format("{:<117}\n", "{'descr': '|S5', 'fortran_order': False, 'shape': (2,), }") +
                            std::string(bytes.begin(), bytes.end());
  KeySettings const of_array = with_key_file({}, folder.write("a.npy", array));
  EXPECT_THAT(look_alike_hint(lines, of_array), HasSubstr("such as 'grace' in row 1."));
  EXPECT_THAT(look_alike_hint(of_array, lines),
              HasSubstr("lines.txt: 1 text is not in a.npy, which has a look-alike, such "
                        "as 'Grace' in line 2."));
  auto const rows = [&](std::string const& name) {
    return texts_of("rows.csv", "day,user\n5," + name + "\n6,Grace\n", {"day + user"});
  };
  EXPECT_THAT(look_alike_hint(rows(composed), rows(decomposed)),
              HasSubstr(fmt::format("such as '5, {}' in line 2", decomposed)));
  EXPECT_EQ(look_alike_hint(rows(composed), rows(composed)), "");
}

/// Of which a sample is kept: of both files the same texts.
TEST(LookAlikes, OfManyTextsAreFoundInAnyOrder)
{
  constexpr std::uint64_t count = 200'000;
  std::string lower = "id\n";
  std::string upper = "id\n";
  for (std::uint64_t i = 0; i < count; ++i) {
    lower += fmt::format("row-{:x}\n", 0xabc0000 + i);
    upper += fmt::format("ROW-{:X}\n", 0xabc0000 + count - 1 - i);
  }
  KeySettings const stored = texts_of("lower.csv", lower, {"id"});
  EXPECT_THAT(look_alike_hint(stored, texts_of("upper.csv", upper, {"id"})),
              AllOf(HasSubstr("upper.csv: at least "), HasSubstr(" texts are not in "), HasSubstr("capitalisation")));
  EXPECT_EQ(look_alike_hint(stored, stored), "");
}

TEST(LookAlikes, OfOneFileThatNobodyCanSeeAreSaid)
{
  KeySettings const keys = names("k.csv", {composed, "Ada", "\u200bAda", decomposed, "ADA"});
  EXPECT_THAT(all_findings(keys), HasSubstr("k.csv: 2 texts look like other texts of the file, such as '"));
  EXPECT_THAT(all_findings(keys),
              HasSubstr("They differ in composed and decomposed accents and invisible characters."));
  EXPECT_THAT(all_findings(names("k.csv", {"March", "march", "it's", "it\u2019s"})), Not(HasSubstr("look")))
      << "everyone can see that";
}

TEST(LookAlikes, NameColumns)
{
  std::string const table = "Gro\u0308\u00dfe,n\n5,1\n";
  EXPECT_THAT(*texts_of("k.csv", table, {"Gr\u00f6\u00dfe"}).file_keys, ::testing::ElementsAre(5u));
  EXPECT_THAT(*texts_of("k.csv", table, {"n + Gr\u00f6\u00dfe"}).file_keys, ::testing::SizeIs(1));
  EXPECT_THAT(message_of<Error>([&] { texts_of("k.csv", table, {"N"}); }), HasSubstr("there is no column 'N'"));
  EXPECT_THAT(message_of<Error>([] { texts_of("k.csv", "\u200ba,a\ufeff\n1,2\n", {"a"}); }), HasSubstr("no column 'a'"))
      << "either could be meant";
}

TEST(LookAlikes, AreSaidOfJoinsAndWorkloads)
{
  TemporaryFolder const folder;
  std::string const build = folder.write("build.csv", "name\nJos\u00e9\nAda\n").string();
  std::string const probe = folder.write("probe.csv", "name\nJose\u0301\nGrace\n").string();
  EXPECT_THAT(test::column_of(test::bench_rows({"join", "--keys", build.c_str(), "--probe-keys", probe.c_str(),
                                                "--kinds", "inner", "--methods", "hash"}),
                              "findings"),
              Each(HasSubstr("probe.csv: 1 text is not in build.csv, which has a look-alike")));
  tuning::Workload workload;
  workload.source = with_key_file({}, build);
  workload.join.emplace().probe = with_key_file({}, probe);
  EXPECT_THAT(tuning::findings_of(workload), Contains(HasSubstr("1 text is not in build.csv")));
}

class LookAlikesInATable : public ::testing::Test {
protected:
  SlotsScene& scene() { return test::scene_of<SlotsScene>(*app_); }
  void work()
  {
    scene().finish_steps({});
    app_->frame(0.0);
  }

  TemporaryFolder folder_;
  std::unique_ptr<App> app_ = test::offscreen_app({640, 480}, test::slots_scenario({.slots = 64}));
};

TEST_F(LookAlikesInATable, AreSaidWhereNothingIsFound)
{
  folder_.write("stored.csv", "name\nJos\u00e9\nAda\n");
  folder_.write("asked.csv", "name\nJose\u0301\nada\n");
  app_->open(folder_.write("two.json", R"({ "version": 1, "table": { "slots": 64, "key_bits": 64 },
    "keys": { "file": "stored.csv", "column": "name" },
    "steps": [ { "op": "insert", "count": 2 },
               { "op": "set_keys", "keys": { "file": "asked.csv", "column": "name" } },
               { "op": "find", "count": 2, "keys": "stream" } ] })"));
  work();
  EXPECT_THAT(scene().findings(),
              Contains(HasSubstr("2 texts are not in column 'name' of stored.csv, which has look-alikes")));
}

TEST_F(LookAlikesInATable, AreSaidOfATypedText)
{
  app_->open(folder_.write("stored.csv", "name\nJose\u0301\nAda King\nGrace\n"));
  for (int frame = 0; frame < 4; ++frame) { work(); }
  auto const answer_to = [&](std::string const& typed, Operation operation = Operation::find) {
    scene().state().typed.operation = operation;
    scene().state().typed.text = typed;
    auto const keys = enter_keys(scene().state());
    EXPECT_TRUE(keys.has_value());
    if (keys) { scene().state().ask(OnTyped{*keys}); }
    for (int frame = 0; frame < 4; ++frame) { work(); }
    return scene().notice();
  };
  EXPECT_THAT(answer_to("Jos\u00e9"),
              HasSubstr(
                  "The file has 'Jose\u0301' in line 2, which looks the same but differs in composed and decomposed "
                  "accents."));
  EXPECT_THAT(answer_to("\"ada king\""),
              HasSubstr("'Ada King' in line 3, which looks the same but differs in capital"));
  EXPECT_THAT(answer_to("ada\u00a0king", Operation::erase),
              AllOf(HasSubstr(" is not in the table. The file has 'Ada King'"),
                    HasSubstr("blanks and capitalisation.")));
  EXPECT_THAT(answer_to("Grace"), Not(HasSubstr("alike")));
  EXPECT_THAT(answer_to("Emmy"), Not(HasSubstr("alike")));
}

}  // namespace
}  // namespace slotscape::look_alikes_tests
