#include "app/base/catalogue.hpp"
#include "app/base/catalogue_json.hpp"
#include "app/languages/languages.hpp"
#include "app/lessons/translated.hpp"
#include "gpu/base/error.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <regex>
#include <set>

namespace slotscape::catalogue_tests {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr std::string_view header = R"(msgid ""
msgstr ""
"Language: xx\n"
"X-Language-Name: Xish\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\n"
)";

Catalogue read(std::string const& entries)
{
  return read_catalogue(std::string(header) + "\n" + entries, "xx.po");
}

auto says(std::string const& what)
{
  return ThrowsMessage<Error>(HasSubstr(what));
}

TEST(Catalogue, ReadsEntriesOfGettext)
{
  Catalogue const catalogue = read(R"(# a translator's remark
#: app/lessons/panel.cpp:12
msgid "Back"
msgstr "Zurück"

msgctxt "verb"
msgid "Find"
msgstr ""
"Su"
"che \"\\\t\n"

msgid "{} key"
msgid_plural "{} keys"
msgstr[0] "{} Schlüssel"
msgstr[1] "{} Schlüsseln"

#, fuzzy
msgid "Next"
msgstr "Falsch"

msgid "Later"
msgstr ""

#~ msgid "Gone"
#~ msgstr "Weg"
)");
  EXPECT_EQ(catalogue.language, "xx");
  EXPECT_EQ(catalogue.name, "Xish");
  EXPECT_EQ(catalogue.texts.size(), 3u);
  EXPECT_THAT(catalogue.texts.at("Back"), ElementsAre("Zurück"));
  EXPECT_THAT(catalogue.texts.at(catalogue_key("verb", "Find")), ElementsAre("Suche \"\\\t\n"));
  EXPECT_THAT(catalogue.texts.at("{} key"), ElementsAre("{} Schlüssel", "{} Schlüsseln"));
}

TEST(Catalogue, NamesTheLineOfWhatIsWrong)
{
  EXPECT_THAT([] { read("msgid \"A\nmsgstr \"B\"\n"); }, says("xx.po, line 7: a text must be in double quotes"));
  EXPECT_THAT([] { read("msgid \"A\\q\"\n"); }, says("line 7: a backslash must be one of"));
  EXPECT_THAT([] { read("msgid \"A\"B\"\n"); }, says("line 7: a double quote within a text must be written \\\""));
  EXPECT_THAT([] { read("msgstr \"B\"\n"); }, says("line 7: 'msgstr' is not expected here"));
  EXPECT_THAT([] { read("\"B\"\n"); }, says("line 7: a text must follow"));
  EXPECT_THAT([] { read("msgid \"A\"\n\n"); }, says("line 8: the entry before has no msgid or no msgstr"));
  EXPECT_THAT([] { read("msgid \"A\"\nmsgstr \"B\"\n\nmsgid \"A\"\nmsgstr \"C\"\n"); },
              says("'A' is translated twice"));
  EXPECT_THAT([] { read("msgid \"A\"\nmsgid_plural \"As\"\nmsgstr[0] \"B\"\n"); }, says("has 1 forms"));
  EXPECT_THAT([] { read_catalogue("msgid \"A\"\nmsgstr \"B\"\n", "xx.po"); }, says("the header must come first"));
  EXPECT_THAT([] { read_catalogue("", "xx.po"); }, says("the header is missing"));
  EXPECT_THAT([] { read_catalogue("msgid \"\"\nmsgstr \"\xff\"\n", "xx.po"); }, says("it must be in UTF-8"));
}

/// The rules of gettext's manual, with forms that its table of languages gives.
TEST(Catalogue, KnowsPluralsOfAllLanguages)
{
  auto const forms = [](std::string_view rule, std::initializer_list<std::uint64_t> counts) {
    Catalogue catalogue;
    set_plural_forms(catalogue, rule);
    std::vector<std::size_t> all;
    for (std::uint64_t const count : counts) { all.push_back(catalogue.form_of(count)); }
    return all;
  };
  EXPECT_THAT(forms("nplurals=1; plural=0;", {0, 1, 2}), ElementsAre(0, 0, 0));        // Japanese
  EXPECT_THAT(forms("nplurals=2; plural=n != 1;", {0, 1, 2}), ElementsAre(1, 0, 1));   // German
  EXPECT_THAT(forms("nplurals=2; plural=(n > 1);", {0, 1, 2}), ElementsAre(0, 0, 1));  // French
  EXPECT_THAT(forms("nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);",
                    {1, 2, 4, 5, 12, 14, 22, 112, 122}),
              ElementsAre(0, 1, 1, 2, 2, 2, 1, 2, 1));  // Polish
  EXPECT_THAT(
      forms("nplurals=6; plural=n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5;",
            {0, 1, 2, 3, 10, 11, 99, 100, 102, 103}),
      ElementsAre(0, 1, 2, 3, 3, 4, 4, 5, 5, 3));  // Arabic
  Catalogue any;
  EXPECT_THAT([&] { set_plural_forms(any, "nplurals=2; plural=n;"); }, says("for n = 2 it does not"));
  EXPECT_THAT([&] { set_plural_forms(any, "nplurals=2; plural=system(1);"); }, says("is not understood"));
  EXPECT_THAT([&] { set_plural_forms(any, "plural=0;"); }, says("'nplurals=' is missing"));
}

TEST(Catalogue, SaysWhatItHasAndTheRestInEnglish)
{
  Catalogue const catalogue = read(R"(msgid "Back"
msgstr "Zurück"

msgid "{} of {}"
msgstr "von {1} die {0}"

msgid "Slot {}"
msgstr "Platz {} {}"

msgid "{} key"
msgid_plural "{} keys"
msgstr[0] "ein Ding"
msgstr[1] "{} Dinge"
)");
  InLanguage const english("en");  // comes back at the end
  use_catalogue(&catalogue);
  EXPECT_STREQ(tr("Back"), "Zurück");
  EXPECT_STREQ(tr("Next"), "Next");
  EXPECT_EQ(tr("{} of {}", 3, 7), "von 7 die 3");
  EXPECT_EQ(tr("Slot {}", 5), "Slot 5");  // whose translation wants two values
  EXPECT_EQ(tr_plural("{} key", "{} keys", 1, 1), "ein Ding");
  EXPECT_EQ(tr_plural("{} key", "{} keys", 4, 4), "4 Dinge");
  EXPECT_EQ(tr_plural("{} slot", "{} slots", 1, 1), "1 slot");
  use_catalogue(nullptr);
  EXPECT_EQ(tr_plural("{} key", "{} keys", 4, 4), "4 keys");
  EXPECT_STREQ(tr_in("verb", "Find"), "Find");
}

/// What stands in braces: the places of values and, in lessons, expressions. Those of {fmt} may be numbered.
std::multiset<std::string> places_of(std::string const& text)
{
  static std::regex const place(R"(\{[^{}]*\})");
  std::multiset<std::string> places;
  for (std::sregex_iterator found(text.begin(), text.end(), place), end; found != end; ++found) {
    places.insert(found->str());
  }
  return places;
}

TEST(Languages, HaveTheSamePlacesForValues)
{
  for (Language const& language : languages()) {
    InLanguage const used(language.code);
    if (catalogue_in_use() == nullptr) { continue; }
    std::size_t lessons = 0;
    for (auto const& [key, forms] : catalogue_in_use()->texts) {
      std::string const text = key.substr(key.find('\4') == std::string::npos ? 0 : key.find('\4') + 1);
      lessons += key.starts_with(catalogue_key(lesson_context, "")) ? 1 : 0;
      if (forms.size() > 1) { continue; }  // "one of them": scripts/catalogue compares them with the English plural
      for (std::string const& form : forms) {
        EXPECT_EQ(places_of(text).size(), places_of(form).size()) << text << "\n" << form;
        if (form.find("{0}") == std::string::npos) { EXPECT_EQ(places_of(text), places_of(form)) << text; }
      }
    }
    EXPECT_GT(lessons, 500u) << language.name;
  }
}

TEST(Languages, FollowTheEnvironment)
{
  std::vector<std::pair<char const*, std::string>> before;
  for (char const* const name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
    char const* const value = std::getenv(name);
    before.emplace_back(name, value == nullptr ? "" : value);
    unsetenv(name);
  }
  EXPECT_EQ(language_of_environment(), "en");
  setenv("LANG", "de_AT.UTF-8", 1);
  EXPECT_EQ(language_of_environment(), "de");
  setenv("LC_MESSAGES", "C.UTF-8", 1);
  EXPECT_EQ(language_of_environment(), "en");
  setenv("LC_ALL", "de@euro", 1);
  EXPECT_EQ(language_of_environment(), "de");
  setenv("LC_ALL", "zz_ZZ", 1);
  EXPECT_EQ(language_of_environment(), "en");
  for (auto const& [name, value] : before) { value.empty() ? unsetenv(name) : setenv(name, value.c_str(), 1); }
}

TEST(Languages, AreListedToWhoAsksForAnother)
{
  EXPECT_THAT([] { use_language("klingon"); },
              ThrowsMessage<Error>(AllOf(HasSubstr("no language 'klingon'"), HasSubstr("de"), HasSubstr("FILE.po"))));
}

TEST(Languages, GoThroughJsonToPages)
{
  InLanguage const german("de");
  Json const json = Json::parse(catalogue_json(*catalogue_in_use(), lesson_context).dump());
  Catalogue const again = read_catalogue_json({json, "page"});
  EXPECT_EQ(again.language, "de");
  EXPECT_EQ(again.form_of(1), 0u);
  EXPECT_EQ(again.form_of(0), 1u);
  EXPECT_EQ(json.at("forms").get<std::string>().substr(0, 3), "101");
  EXPECT_THAT(again.texts.at("Slot {} is empty"), ElementsAre("Platz {} ist leer"));
  EXPECT_FALSE(again.texts.contains(catalogue_key(lesson_context, "Tombstones")));
}

TEST(Languages, TranslateDocumentsParagraphByParagraph)
{
  Catalogue const catalogue = read(R"(msgctxt "lesson"
msgid ""
"One line.\n"
"\n"
"Two lines:\n"
"- an item\n"
"- another"
msgstr "Alles."

msgctxt "lesson"
msgid "Goal"
msgstr "Ziel"
)");
  InLanguage const english("en");
  use_catalogue(&catalogue);
  Json const document = Json::parse(R"({ "title": "Goal", "name": "Goal", "pages": [
    { "text": ["One", "line.", "", "Two", "lines:", "- an item", "- another"],
      "task": { "until": [ { "what": "Goal", "of": "Goal" } ] } } ] })");
  EXPECT_EQ(lessons::in_language(document), Json::parse(R"({ "title": "Ziel", "name": "Goal", "pages": [
    { "text": "Alles.", "task": { "until": [ { "what": "Ziel", "of": "Goal" } ] } } ] })"));
  Json const own = Json::parse(R"({ "title": "Mine", "about": "My own words.", "pages": [ { "title": "Goal" } ] })");
  EXPECT_EQ(lessons::in_language(own), own) << "somebody's own lesson, one word of which the catalogue has";
}

}  // namespace
}  // namespace slotscape::catalogue_tests
