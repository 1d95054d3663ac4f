// What a lesson's page of its own asks and shows, compiled for this machine, and how it is written.

#include "app/base/encoding.hpp"
#include "app/base/files.hpp"
#include "app/languages/languages.hpp"
#include "app/lessons/library.hpp"
#include "app/registry/scenes.hpp"
#include "app/web/export.hpp"
#include "app/web/grade.hpp"
#include "app/web/package.hpp"
#include "app/web/page_lesson.hpp"
#include "gpu/base/error.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include "tests/support/paths.hpp"

#include <gmock/gmock.h>
#include <zip.h>

#include <chrono>
#include <sstream>

namespace slotscape {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;
using ::testing::StartsWith;
using ::testing::ThrowsMessage;

/// As it comes from a page: as text.
Json as_read(Json const& json)
{
  return Json::parse(json.dump());
}

/// Keys whose homes are their remainders by 16, and a question of each kind.
Json lesson_of(Json const& task)
{
  Json page{{"title", "Remainders"},
            {"text", "Keys with </script> **{[table/live]}**."},
            {"set_up",
             {{"table", {{"slots", 16}, {"hash", "identity"}, {"deletion", "tombstone_reuse"}}},
              {"steps", Json::parse(R"([{ "op": "insert", "keys": [17, 33] }])")}}},
            {"task", task}};
  return {{"version", 1}, {"title", "A test"}, {"pages", Json::array({page})}};
}

Json const where_49_lands = Json::parse(R"({ "kind": "prediction", "ask": "Where will 49 land?", "asks": "slot",
                                             "operation": { "op": "insert", "key": 49 }, "answer": "3" })");
Json const five_keys = Json::parse(R"({ "kind": "challenge", "ask": "Five keys.", "solution": [],
                                        "until": [{ "what": "Keys", "of": "[table/live]", "equals": 5 }] })");

web::PageLesson page_of(Json const& task, lessons::Progress progress = {})
{
  progress.seed = 1;
  return {as_read(lesson_of(task)), "test", std::move(progress)};
}

Json ask(web::PageLesson& page, Json const& request)
{
  return page.ask(as_read(request));
}

std::string key_in(Json const& shown, std::size_t slot)
{
  return shown.at("tables")[0].at("cells")[slot].value("key", "");
}

TEST(LessonPage, ReadsAnswersAsTheWindowDoes)
{
  web::PageLesson page = page_of(where_49_lands);
  EXPECT_THAT(ask(page, {{"do", "answer"}, {"text", "many"}}).at("complaint").get<std::string>(),
              HasSubstr("not a number"));
  EXPECT_THAT(ask(page, {{"do", "answer"}, {"text", "16"}}).at("complaint").get<std::string>(),
              HasSubstr("There is no slot 16"));
  Json const told = ask(page, {{"do", "answer"}, {"text", "1 + 2"}});
  EXPECT_TRUE(told.at("task").at("right"));
  EXPECT_EQ(told.at("points"), 2);
}

/// What a class answers in German is graded by a program that speaks English.
TEST(LessonPage, IsWrittenAndGradedInOtherLanguages)
{
  lessons::Library const library({test::in_project("assets")});
  auto const record = [](std::size_t) { return web::RecordedPage{.text = "Recorded."}; };
  auto const data = [&] {
    lessons::Lesson const lesson = lessons::read_lesson(scenes(), library.find("1"), library.finder());
    return web::page_data(scenes(), lesson, library.finder(), record);
  };
  std::string const english = data().at("edition");
  Json answers{{"version", 1},     {"lesson", "1-what-a-hash-table-is"},
               {"language", "de"}, {"student", "Ada"},
               {"seed", 5},        {"points", 2}};
  {
    InLanguage const german("de");
    Json const spoken = data();
    EXPECT_EQ(spoken.at("lesson").at("title"), "Was eine Hashtabelle ist");
    answers["edition"] = spoken.at("edition");
    EXPECT_NE(answers["edition"], english);
    lessons::Progress progress;
    progress.seed = 5;
    web::PageLesson page(as_read(spoken.at("lesson")), "1-what-a-hash-table-is", progress);
    std::string const key =
        std::to_string(static_cast<int>(std::get<double>(page.session().page().variables.find("key")->second)));
    std::string const home = std::to_string(std::stoi(key) % 16);
    Json const shown = ask(page, {{"do", "answer"}, {"text", home}});
    EXPECT_THAT(shown.at("task").at("told").dump(), HasSubstr("Richtig"));
    Json const stepped = ask(page, {{"do", "step"}, {"position", 2}});
    EXPECT_THAT(stepped.at("tables")[0].at("steps").at("text"), HasSubstr("Platz " + home));
    answers["requests"] = Json::array({{{"do", "open"}}, {{"do", "answer"}, {"text", home}}});
  }
  test::TemporaryFolder const folder;
  write_text_file(folder / "ada.json", answers.dump());
  web::Graded const graded = web::Grader(scenes(), library).grade(folder / "ada.json");
  EXPECT_EQ(graded.remark, "");
  ASSERT_FALSE(graded.points.empty());
  EXPECT_EQ(graded.points.front(), 2);
  answers["language"] = "zz";
  write_text_file(folder / "ada.json", answers.dump());
  EXPECT_THAT(web::Grader(scenes(), library).grade(folder / "ada.json").remark, HasSubstr("no language 'zz'"));
}

TEST(LessonPage, WritesValuesWhereThereAreAny)
{
  web::PageLesson page = page_of(five_keys);
  auto const value = [&](std::size_t slot) {
    return ask(page, {{"do", "show"}}).at("tables")[0].at("cells")[slot].value("value", "");
  };
  EXPECT_EQ(value(1), "") << "17 was typed without one";
  ask(page, {{"do", "keys"}, {"operation", "insert"}, {"text", "5=7"}});
  EXPECT_EQ(value(5), "7");
  EXPECT_EQ(value(1), "0") << "as in the window: others have values";
}

/// Textbook cuckoo: two tables of 8 slots.
TEST(LessonPage, NamesThePartsOfATable)
{
  Json lesson = lesson_of(five_keys);
  Json& set_up = lesson.at("pages")[0].at("set_up");
  EXPECT_EQ(web::PageLesson(as_read(lesson), "test", {}).ask({{"do", "show"}}).at("tables")[0].at("parts"),
            Json::array());
  set_up.at("table") = {{"family", "cuckoo"}, {"slots", 16}, {"hash", "identity"},
                        {"functions", 2},     {"bucket", 1}, {"hashing", 2}};
  Json const parts = web::PageLesson(as_read(lesson), "test", {}).ask({{"do", "show"}}).at("tables")[0].at("parts");
  EXPECT_EQ(parts, Json::parse(R"([{ "name": "T1", "title": "T1: h1(k) = k mod 8", "first": 0, "slots": 8 },
                           { "name": "T2", "title": "T2: h2(k) = (k div 8) mod 8", "first": 8, "slots": 8 }])"));
}

TEST(LessonPage, StepsForthAndBackThroughWhatTheTableDoes)
{
  web::PageLesson page = page_of(where_49_lands);
  Json shown = ask(page, {{"do", "answer"}, {"text", "5"}});
  EXPECT_FALSE(shown.at("task").at("right"));
  EXPECT_TRUE(shown.at("plays"));
  auto const steps = [&] { return shown.at("tables")[0].at("steps"); };
  EXPECT_EQ(steps().at("position"), 0);
  std::size_t const count = steps().at("count");
  ASSERT_GT(count, 2u);
  std::set<std::string> told;
  for (std::size_t step = 1; step <= count; ++step) {
    shown = ask(page, {{"do", "step"}, {"position", step}});
    told.insert(steps().at("text").get<std::string>());
    EXPECT_EQ(std::ranges::count_if(steps().at("code"), [](Json const& line) { return line.at("lit").get<bool>(); }),
              1);
  }
  EXPECT_EQ(told.size(), count);
  EXPECT_EQ(key_in(shown, 3), "49");
  EXPECT_EQ(shown.at("tables")[0].at("numbers")[1], Json({"Keys", "3"}));
  shown = ask(page, {{"do", "step"}, {"position", 1}});
  EXPECT_EQ(key_in(shown, 3), "");
  EXPECT_EQ(shown.at("tables")[0].at("numbers")[1], Json({"Keys", "2"}));
}

TEST(LessonPage, IsWorkedOnByHand)
{
  web::PageLesson page = page_of(five_keys);
  Json shown = ask(page, {{"do", "keys"}, {"operation", "insert"}, {"text", "5, 6 7"}});
  EXPECT_EQ(shown.at("said"), "3 keys were inserted.");
  EXPECT_TRUE(shown.at("task").at("right"));
  EXPECT_EQ(key_in(shown, 7), "7");
  shown = ask(page, {{"do", "set"}, {"name", "family"}, {"value", "robin_hood"}});
  EXPECT_EQ(shown.at("tables")[0].at("title"), "Robin Hood hashing");
  EXPECT_EQ(shown.at("tables")[0].at("numbers")[1], Json({"Keys", "5"}));
  shown = ask(page, {{"do", "set"}, {"name", "hash"}, {"value", "murmur3"}});
  EXPECT_EQ(shown.at("complaint"), "");
  EXPECT_EQ(shown.at("settings")[1].at("value"), "murmur3");
  shown = ask(page, {{"do", "change"}, {"change", Json::parse(R"([{ "op": "rehash", "slots": 32 }])")}});
  EXPECT_EQ(shown.at("tables")[0].at("slots"), 32);
}

TEST(LessonPage, ComplainsOfWhatItCannotDo)
{
  web::PageLesson page = page_of(five_keys);
  for (Json const& wrong :
       {Json{{"do", "dance"}}, Json{{"do", "choose"}, {"option", 0}}, Json{{"do", "press"}, {"button", 0}},
        Json{{"do", "go_to"}, {"page", 9}}, Json{{"do", "set"}, {"name", "hash"}, {"value", "md5"}},
        Json{{"do", "keys"}, {"operation", "insert"}, {"text", ""}},
        Json{{"do", "change"}, {"change", Json::array({{{"op", "explode"}}})}}}) {
    EXPECT_THAT(ask(page, wrong).at("complaint").get<std::string>(), Not(IsEmpty())) << wrong;
  }
  EXPECT_EQ(ask(page, {{"do", "show"}}).at("complaint"), "");
}

TEST(LessonPage, RehashesAsTheProgramDoes)
{
  web::PageLesson page = page_of(five_keys);
  auto const slots_of = [](Json const& shown) { return shown.at("tables")[0].at("slots"); };
  EXPECT_EQ(slots_of(ask(page, {{"do", "rehash"}, {"slots", 24}})), 24);
  ask(page, {{"do", "set"}, {"name", "family"}, {"value", "quadratic"}});  // which takes powers of two
  EXPECT_EQ(slots_of(ask(page, {{"do", "rehash"}, {"slots", 12}})), 16);
  EXPECT_EQ(slots_of(ask(page, {{"do", "rehash"}, {"slots", 1}})), 4);
  EXPECT_EQ(ask(page, {{"do", "show"}}).at("complaint"), "");
}

TEST(LessonPage, RefusesWhatIsTooMuchForAPage)
{
  web::PageLesson page = page_of(five_keys);
  auto const complaint = [&](Json const& request) { return ask(page, request).at("complaint").get<std::string>(); };
  auto const change = [](char const* change) { return Json{{"do", "change"}, {"change", Json::parse(change)}}; };
  EXPECT_THAT(complaint({{"do", "rehash"}, {"slots", 1 << 17}}), HasSubstr("the table would be too large"));
  EXPECT_THAT(complaint(change(R"([{ "op": "rehash", "slots": 131072 }])")), HasSubstr("takes 65,536 slots"));
  EXPECT_THAT(complaint(change(R"([{ "op": "insert", "count": 9000000 }])")), HasSubstr("too many operations"));
  EXPECT_THAT(complaint(change(R"({ "table": { "slots": 131072 } })")), HasSubstr("the table would be too large"));
  EXPECT_EQ(ask(page, {{"do", "restart"}}).at("tables")[0].at("slots"), 16);
}

TEST(LessonPage, TakesTheRightAnswerAfterAWrongOne)
{
  web::PageLesson page = page_of(where_49_lands);
  for (int wrong = 5; wrong < 8; ++wrong) {
    EXPECT_FALSE(ask(page, {{"do", "answer"}, {"text", std::to_string(wrong)}}).at("task").at("right"));
    ask(page, {{"do", "step"}, {"position", 99}});
    EXPECT_EQ(ask(page, {{"do", "another"}}).at("task").at("stage"), "asking");
  }
  Json const told = ask(page, {{"do", "answer"}, {"text", "3"}});
  EXPECT_TRUE(told.at("task").at("right"));
  EXPECT_EQ(told.at("points"), 1);
}

TEST(LessonPage, GoesOnWhereItWasLeft)
{
  web::PageLesson page = page_of(where_49_lands);
  Json const left = as_read(ask(page, {{"do", "answer"}, {"text", "3"}}).at("progress"));
  lessons::Progress progress;
  read_fields(JsonNode(left, "progress"), progress);
  EXPECT_EQ(page_of(where_49_lands, progress).ask(Json{{"do", "show"}}).at("points"), 2);
}

class LessonExport : public ::testing::Test {
protected:
  LessonExport() { write_text_file(module_, "not a module"); }

  std::string written(Json const& document)
  {
    std::filesystem::path const file = folder_.path() / "a-test.json";
    write_text_file(file, document.dump());
    lessons::Lesson const lesson = lessons::read_lesson(scenes(), file, library_.finder());
    exported_ = web::export_lesson(
        scenes(), lesson, library_.finder(), module_,
        [&](std::size_t) {
          return web::RecordedPage{.text = "Recorded.",
                                   .picture = picture_,
                                   .statistics = {{"table", {{"slots", 1 << 20}, {"live", 3}}}},
                                   .device = "a test"};
        },
        options_);
    return exported_.page;
  }

  test::TemporaryFolder folder_;
  std::filesystem::path module_ = folder_.path() / "module.gz";
  lessons::Library library_{{test::in_project("assets")}};
  std::string picture_ = "a picture";
  web::PageOptions options_;
  web::ExportedLesson exported_;
};

TEST_F(LessonExport, WritesOneFileThatNeedsNoOther)
{
  std::string const page = written(lesson_of(five_keys));
  EXPECT_EQ(exported_.name, "a-test");
  EXPECT_EQ(exported_.points, 2);
  EXPECT_THAT(exported_.recorded, IsEmpty());
  EXPECT_THAT(page, Not(HasSubstr("{{")));
  EXPECT_THAT(page, Not(HasSubstr("Keys with </script>")));  // it would end the data
  EXPECT_THAT(page, HasSubstr("bm90IGEgbW9kdWxl"));          // the module
  for (char const* const outside : {"src=\"http", "href=\"http", "@import", "url("}) {
    EXPECT_THAT(page, Not(HasSubstr(outside)));
  }
}

TEST_F(LessonExport, RecordsWhatAPageCannotRun)
{
  Json lesson = lesson_of(five_keys);
  Json large = lesson["pages"][0];
  large["set_up"] = {{"table", {{"slots", 1 << 20}}}};
  large.erase("task");
  lesson["pages"].push_back(large);
  lesson["pages"].push_back(lesson["pages"][0]);
  lesson["pages"].push_back(lesson["pages"][0]);
  lesson["pages"][3].erase("set_up");  // it starts as the one before
  std::string const page = written(lesson);
  EXPECT_THAT(exported_.recorded, ElementsAre(Pair(1, "its table is too large for a page")));
  EXPECT_THAT(page, HasSubstr("The scene of the page 'Remainders'. Table: 1,048,576 slots, 3 keys."));
  EXPECT_THAT(page, HasSubstr("Recorded with Slotscape on a test, because its table is too large for a page."));
  EXPECT_THAT(page, HasSubstr("data:image/png;base64,YSBwaWN0dXJl"));
  picture_.assign(web::max_page_bytes, 'x');
  EXPECT_THAT([&] { written(lesson); }, ThrowsMessage<Error>(HasSubstr("at most 3 are allowed")));
}

/// Keys from 1 to 99 are made, not read.
TEST_F(LessonExport, RunsTablesWithSmallKeys)
{
  Json lesson = lesson_of(five_keys);
  lesson["pages"][0]["set_up"]["steps"] = Json::parse(R"([{ "op": "insert", "count": 4, "keys": "small" }])");
  written(lesson);
  EXPECT_THAT(exported_.recorded, IsEmpty());
}

TEST(LessonPictures, AreDescribedByTheirNumbers)
{
  Json const table = Json::parse(R"({ "table": { "family": "robin_hood", "slots": 1048576, "live": 524288 },
                                      "accesses": { "hits": { "mean": 1.5 }, "misses": { "mean": 2.5 } } })");
  std::string const words =
      "Robin Hood hashing: 1,048,576 slots, 524,288 keys. Accesses of a hit, mean: 1.5. "
      "Accesses of a miss, mean: 2.5.";
  EXPECT_EQ(web::described(table, true), words);
  EXPECT_EQ(web::described(table, false), words.substr(0, words.find(" Accesses"))) << "they may be asked for";
  EXPECT_EQ(web::described({{"tables", {table, table}}}, true), words + " " + words);
  EXPECT_EQ(web::described({{"a", {{"points", 20000}}}, {"b", {{"points", 3}}}}, true),
            "Models of 20,000 and 3 points.");
  EXPECT_EQ(web::described(Json::object(), true), "");
  Json const race = Json::parse(R"({ "table": "Linear probing", "slots": 8, "threads": [
      { "operation": "insert 13", "next": "read slot 5" }, { "operation": "erase 5", "answer": "erased" } ],
      "turns": [{ "thread": 2, "text": "swaps slot 5" }] })");
  EXPECT_EQ(web::described(race, false),
            "Linear probing, 8 slots. Thread 1: insert 13. Next: read slot 5. Thread 2: erase 5. "
            "Answer: erased. Turn 1, thread 2: swaps slot 5.");
}

TEST_F(LessonExport, RefusesPlaylistsAndScenarios)
{
  folder_.write("first.json", lesson_of(where_49_lands).dump());
  folder_.write("second.json", lesson_of(five_keys).dump());
  Json const list{{"version", 1},
                  {"title", "Both"},
                  {"playlist", {"second.json", "first.json", {{"file", "second.json"}, {"pages", {1, 1}}}}}};
  EXPECT_THAT([&] { written(list); }, ThrowsMessage<Error>(HasSubstr("one by one (second.json and first.json)")));
  Json const scenario{{"version", 1}, {"title", "A table"}, {"table", {{"slots", 16}}}};
  EXPECT_THAT([&] { written(scenario); }, ThrowsMessage<Error>(HasSubstr("write a lesson with the same contents")));
}

TEST_F(LessonExport, JudgesWhatPagesDoAndAllVariants)
{
  Json const usual = lesson_of(five_keys)["pages"][0];
  struct Case {
    char const* patch;  ///< of the page
    char const* why;
  };
  for (
      auto const& [patch, why] : std::initializer_list<Case>{
          {R"({ "buttons": [{ "label": "Grow", "do": [{ "op": "rehash", "slots": 131072 }] }] })",
           "with its button 'Grow', the table would be too large for a page"},
          {R"({ "buttons": [{ "label": "Go", "do": { "drive": { "running": true } } }] })",
           "with its button 'Go', its table changes all the time"},
          {R"({ "task": { "solution": { "table": { "slots": 131072 } } } })",
           "with its solution, its table is too large for a page"},
          {R"({ "set_up": { "steps": [{ "op": "rehash", "slots": 131072 }] } })",
           "the table would be too large for a page"},
          {R"({ "set_up": { "steps": [{ "op": "mix", "count": 9000000, "insert": 1 }] } })",
           "that would be too many operations for a page"},
          {R"({ "variables": { "n": { "one_of": [16, 16, 16, 131072] } }, "set_up": { "table": { "slots": "{n}" } } })",
           "its table is too large for a page"}}) {
    Json lesson = lesson_of(five_keys);
    lesson["pages"][0].merge_patch(Json::parse(patch));
    EXPECT_THAT(written(lesson), HasSubstr(std::string("because ") + why + '.')) << patch;
    EXPECT_THAT(exported_.recorded, ElementsAre(Pair(0, why)));
    EXPECT_EQ(exported_.points, 0);
  }
}

TEST_F(LessonExport, MakesPackagesForCourses)
{
  Json lesson = lesson_of(five_keys);
  lesson["title"] = "Slots & <keys>\u0007";
  written(lesson);
  std::string const package = web::course_package(exported_);
  EXPECT_EQ(package, web::course_package(exported_)) << "equal pages make equal packages";
  write_text_file(folder_ / "a.zip", package);
  zip_t* const archive = zip_open((folder_ / "a.zip").c_str(), ZIP_RDONLY | ZIP_CHECKCONS, nullptr);
  ASSERT_NE(archive, nullptr);
  std::vector<std::pair<std::string, std::string>> files;
  for (zip_int64_t i = 0; i < zip_get_num_entries(archive, 0); ++i) {
    zip_stat_t found;
    ASSERT_EQ(zip_stat_index(archive, static_cast<zip_uint64_t>(i), 0, &found), 0);
    std::string content(found.size, '\0');
    zip_file_t* const file = zip_fopen_index(archive, static_cast<zip_uint64_t>(i), 0);
    ASSERT_EQ(zip_fread(file, content.data(), content.size()), static_cast<zip_int64_t>(content.size()));
    zip_fclose(file);
    files.emplace_back(found.name, std::move(content));
  }
  zip_close(archive);
  EXPECT_THAT(files, ElementsAre(std::pair{"imsmanifest.xml", web::manifest_of(exported_)},
                                 std::pair{"index.html", exported_.page}));
}

TEST_F(LessonExport, DescribesPackagesInAManifest)
{
  web::ExportedLesson const lesson{.name = "1 größte", .title = "Slots & <keys>\x07", .pages = 1000};
  std::string const manifest = web::manifest_of(lesson);
  for (char const* const part :
       {"<manifest identifier=\"slotscape-1_20gr_c3_b6_c3_9fte\"", "<schema>ADL SCORM</schema>",
        "<schemaversion>1.2</schemaversion>", "<title>Slots &amp; &lt;keys&gt;?</title>",
        "<item identifier=\"item\" identifierref=\"page\"",
        "<resource identifier=\"page\" type=\"webcontent\" adlcp:scormtype=\"sco\" href=\"index.html\">",
        "<file href=\"index.html\"/>"}) {
    EXPECT_THAT(manifest, HasSubstr(part));
  }
  EXPECT_THAT(manifest, Not(HasSubstr("masteryscore"))) << "courses would judge unfinished lessons by it";
  web::course_package(lesson);
  EXPECT_THAT([] { web::course_package({.name = "long", .title = "Long", .pages = 1001}); },
              ThrowsMessage<Error>(HasSubstr("1,001 pages, and a course keeps the points of at most 1,000: split it")));
}

TEST_F(LessonExport, ReportsStatementsOnlyWhereAskedTo)
{
  std::string const plain = written(lesson_of(five_keys));
  EXPECT_THAT(plain, Not(HasSubstr("connect-src")));
  EXPECT_THAT(plain, Not(HasSubstr("fetch(")));
  options_ = {.xapi = true, .pass = 60};
  std::string const reporting = written(lesson_of(five_keys));
  EXPECT_THAT(reporting, HasSubstr("img-src data:; connect-src https: http:\""));
  EXPECT_THAT(reporting, HasSubstr("X-Experience-API-Version"));
  EXPECT_THAT(reporting, HasSubstr("\"pass\":60"));
}

TEST_F(LessonExport, ListsLessonsInAnIndex)
{
  std::string const index =
      web::index_page({{.name = "1 & 2", .title = "A < B", .about = "Both.", .pages = 3, .points = 1},
                       {.name = "last", .title = "The last", .pages = 1}});
  EXPECT_THAT(index, HasSubstr("<li><a href=\"1%20%26%202.html\">A &lt; B</a><p>Both.</p>"));
  EXPECT_THAT(index, HasSubstr("3 pages, 1 point<"));
  EXPECT_THAT(index, HasSubstr("1 page, 0 points<"));
  EXPECT_THAT(index, Not(HasSubstr("{{")));
}

class LessonGrades : public ::testing::Test {
protected:
  LessonGrades()
  {
    std::filesystem::create_directory(folder_ / "lessons");
    folder_.write("lessons/a-test.json", lesson_of(where_49_lands).dump());
  }

  Json answers(char const* requests) const
  {
    lessons::Lesson const lesson = lessons::read_lesson(scenes(), library_.find("a-test"), library_.finder());
    auto const nothing = [](std::size_t) { return web::RecordedPage{}; };
    Json const data = web::page_data(scenes(), lesson, library_.finder(), nothing);
    return {{"version", 1}, {"lesson", "a-test"}, {"edition", data.at("edition")},    {"student", "Ada"},
            {"seed", 7},    {"points", 2},        {"requests", Json::parse(requests)}};
  }
  web::Graded graded(std::string const& content)
  {
    return web::Grader(scenes(), library_).grade(folder_.write("ada.json", content));
  }
  std::string remark(char const* patch)
  {
    Json file = answers(right_);
    file.merge_patch(Json::parse(patch));
    return graded(file.dump()).remark;
  }

  static constexpr char const* right_ = R"([{ "do": "open" }, { "do": "answer", "text": "3" }])";
  test::TemporaryFolder folder_;
  lessons::Library library_{{folder_.path()}};
};

TEST_F(LessonGrades, AreComputedAgain)
{
  web::Graded const right = graded(answers(right_).dump());
  EXPECT_THAT(right.points, ElementsAre(2));
  EXPECT_EQ(right.possible, 2);
  EXPECT_EQ(right.student, "Ada");
  EXPECT_EQ(right.seed, 7u);
  EXPECT_EQ(right.remark, "");
  web::Graded const later = graded(answers(R"([{ "do": "open" }, { "do": "answer", "text": "4" }, { "do": "open" },
                                               { "do": "answer", "text": "3" }])")
                                       .dump());
  EXPECT_THAT(later.points, ElementsAre(1)) << "a page that is opened again remembers the wrong answer";
  EXPECT_EQ(later.remark, "the file says 2 points");
}

/// A page that the program recorded asks nothing; the others count.
TEST_F(LessonGrades, AreOfLessonsWithRecordedPages)
{
  Json lesson = lesson_of(where_49_lands);
  lesson.at("pages").push_back({{"title", "Voxels"}, {"text", "Recorded."}, {"set_up", {{"spatial", Json::object()}}}});
  folder_.write("lessons/a-test.json", lesson.dump());
  web::Graded const right = graded(answers(right_).dump());
  EXPECT_EQ(right.remark, "");
  EXPECT_THAT(right.points, ElementsAre(2, 0));
  EXPECT_EQ(right.possible, 2);
}

TEST_F(LessonGrades, AreOfEachLessonOfAPlaylist)
{
  folder_.write("lessons/list.json", R"({ "version": 1, "title": "List", "playlist": ["a-test", "b-test"] })");
  folder_.write("lessons/b-test.json", lesson_of(where_49_lands).dump());
  EXPECT_THAT(remark(R"({ "lesson": "list" })"),
              HasSubstr("not graded: 'list' is a playlist or a scenario, and a page holds one lesson: export and grade "
                        "its lessons one by one (a-test.json and b-test.json)"));
  EXPECT_EQ(remark(R"({ "lesson": "b-test" })"), "");
}

/// Whoever sums a student's points up would count them twice.
TEST_F(LessonGrades, SayThatALessonWasHandedInTwice)
{
  auto const write = [&](char const* file, char const* student, char const* requests) {
    Json content = answers(requests);
    content.at("student") = student;
    return folder_.write(file, content.dump());
  };
  constexpr char const* tried_twice = R"([{ "do": "open" }, { "do": "answer", "text": "4" }, { "do": "open" },
                                          { "do": "answer", "text": "3" }])";
  std::vector<web::Graded> const grades =
      web::Grader(scenes(), library_)
          .grade(std::vector{write("first.json", "Ada  King", tried_twice), write("grace.json", "Grace", right_),
                             write("second.json", " ada king", right_), write("nobody.json", "", right_),
                             write("nobody-else.json", "", right_)});
  auto const best = "handed in 2 times, with the most points in " + path_text(folder_ / "second.json");
  EXPECT_EQ(grades[0].remark, "the file says 2 points; " + best);
  EXPECT_EQ(grades[1].remark, "");
  EXPECT_EQ(grades[2].remark, best);
  EXPECT_EQ(grades[3].remark, "") << "those without a name may be of different students";
}

/// Of names beyond ASCII, too, which one computer writes in other bytes than another one.
TEST_F(LessonGrades, KnowANameHoweverItIsWritten)
{
  std::vector<std::filesystem::path> files;
  for (char const* const student : {"Zo\u00eb M\u00fcller", "ZO\u00cb M\u00dcLLER", "Zoe\u0308 Mu\u0308ller",
                                    "\u200bzo\u00eb\u00a0m\u00fcller", "Zoe Muller"}) {
    Json content = answers(right_);
    content.at("student") = student;
    files.push_back(folder_.write(fmt::format("{}.json", files.size()), content.dump()));
  }
  std::vector<web::Graded> const grades = web::Grader(scenes(), library_).grade(files);
  for (std::size_t i = 0; i < 4; ++i) { EXPECT_THAT(grades[i].remark, HasSubstr("handed in 4 times")) << i; }
  EXPECT_EQ(grades[4].remark, "");
  std::istringstream table(
      web::grades_text({{.student = "Zoe\u0308", .lesson = "L"}, {.student = "Anna", .lesson = "L"}}));
  std::vector<std::string> lines;
  for (std::string line; std::getline(table, line);) { lines.push_back(line); }
  EXPECT_THAT(lines[1], HasSubstr("Zoe\u0308      L")) << "its four characters take three columns";
  EXPECT_THAT(lines[2], HasSubstr("Anna     L"));
}

TEST_F(LessonGrades, SayWhatIsWrongWithAFile)
{
  EXPECT_EQ(remark(R"({ "edition": "of last year" })"), "answered in another edition of the lesson");
  EXPECT_THAT(remark(R"({ "lesson": "b-test" })"), HasSubstr("there is no lesson 'b-test' here"));
  EXPECT_THAT(remark(R"({ "lesson": "lessons/a-test" })"), HasSubstr("there is no lesson"));
  EXPECT_THAT(remark(R"({ "version": 2 })"), HasSubstr("version: 2 is invalid: it must be 1"));
  EXPECT_EQ(remark(R"({ "edition": "of last year", "points": 12 })"),
            "answered in another edition of the lesson; the file says 12 points");
  EXPECT_EQ(remark(R"({ "points": 0, "requests": [{ "do": "open" }, { "do": "dance" }, { "do": "go_to", "page": 99 },
                                     { "do": "press", "button": 9 }, { "do": "choose", "option": 0 }] })"),
            "4 requests do not occur in the lesson");
  EXPECT_THAT(remark(R"({ "requests": [] })"), HasSubstr("it is empty"));
  EXPECT_THAT(remark(R"({ "requests": [{ "do": "hint" }] })"), HasSubstr("opened first"));
  EXPECT_THAT(remark(
                  R"({ "requests": [{ "do": "open" }, { "do": "change", "change": { "keys": { "file": "x" } } }] })"),
              HasSubstr("no other files"));
  EXPECT_THAT(graded("{").remark, HasSubstr("not graded: "));
  EXPECT_THAT(graded(std::string(5'000'000, ' ')).remark, HasSubstr("too large"));
  EXPECT_THAT(graded(R"({ "version": 1 })").points, IsEmpty());
  EXPECT_EQ(graded(R"({ "version": 1 })").seed, std::nullopt);
}

/// Of the program that grades, whatever they were answered in.
TEST_F(LessonGrades, SpeakOneLanguage)
{
  EXPECT_THAT(remark(R"({ "language": "de", "requests": [{ "do": "hint" }] })"), HasSubstr("must be opened first"));
  InLanguage const german("de");
  EXPECT_EQ(remark(R"({ "edition": "of last year" })"), "mit einer anderen Ausgabe der Lektion beantwortet");
  EXPECT_THAT(remark(R"({ "requests": [] })"), StartsWith("nicht bewertet: "));
  EXPECT_THAT(remark(R"({ "lesson": "b-test" })"), HasSubstr("hier keine Lektion"));
  EXPECT_THAT(web::grades_text({{.file = "a.json", .points = {2, 0}, .possible = 4}}),
              AllOf(StartsWith("Datei "), HasSubstr("2 / 4")));
}

/// Four million lookups among 30,000 keys of one home slot, one request, take a minute and more.
TEST_F(LessonGrades, EndARequestThatTakesTooLong)
{
  Json const file = answers(R"([{ "do": "open" },
      { "do": "change", "change": { "table": { "slots": 65536, "hash": "identity" },
                                    "keys": { "distribution": "one_home" },
                                    "steps": [{ "op": "insert", "count": 30000 },
                                              { "op": "find", "count": 4000000, "keys": "hits" }] } }])");
  auto const begin = std::chrono::steady_clock::now();
  web::Grader grader(scenes(), library_, std::chrono::milliseconds(200));
  web::Graded const graded = grader.grade(folder_.write("ada.json", file.dump()));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
  EXPECT_THAT(graded.remark, HasSubstr("it takes too long"));
  EXPECT_THAT(graded.points, IsEmpty());
}

TEST_F(LessonGrades, AreTables)
{
  web::Graded cheeky{"a.json", "=HYPERLINK(\"x\")", "1-what", 5, {2, 0, 1}, 6};
  web::Graded broken{"b.json"};
  broken.remark = "not graded: why, nobody knows";
  EXPECT_EQ(web::grades_csv({cheeky, broken}),
            "file,student,lesson,seed,points,possible,points_of_pages,remark\n"
            "a.json,\"'=HYPERLINK(\"\"x\"\")\",1-what,5,3,6,2 0 1,\n"
            "b.json,,,,,,,\"not graded: why, nobody knows\"\n");
  cheeky.student = "Ada";
  EXPECT_EQ(web::grades_text({cheeky, broken}),
            "file    student  lesson  points\n"
            "a.json  Ada      1-what  3 of 6\n"
            "b.json                   -  (not graded: why, nobody knows)\n");
  cheeky.student = "Ada; Grace";
  EXPECT_THAT(web::grades_csv({cheeky}), HasSubstr("a.json,\"Ada; Grace\",1-what"))
      << "some spreadsheets part cells by it";
}

/// One name cannot make the table of a class unreadable.
TEST_F(LessonGrades, ShortenLongTextsInLinesOnly)
{
  std::string const name(5000, 'x');
  std::string umlauts;
  for (int i = 0; i < 40; ++i) { umlauts += "ü"; }
  std::vector<web::Graded> const grades{{"a.json", name, "1-what", 5, {2}, 2},
                                        {"b.json", umlauts, "1-what", 5, {2}, 2}};
  EXPECT_THAT(web::grades_csv(grades), HasSubstr(name));
  std::string const text = web::grades_text(grades);
  EXPECT_LT(text.size(), 400u);
  EXPECT_THAT(text, HasSubstr("a.json  " + std::string(31, 'x') + "…  1-what  2 of 2\n"));
  EXPECT_THAT(text, HasSubstr("b.json  " + umlauts.substr(0, 62) + "…  1-what  2 of 2\n"));
}

TEST_F(LessonExport, SaysHowToGetTheModule)
{
  EXPECT_THAT([] { web::module_file("/nowhere/build/release/slotscape"); },
              ThrowsMessage<Error>(HasSubstr("build it with scripts/web")));
}

}  // namespace
}  // namespace slotscape
