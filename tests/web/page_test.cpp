// What a lesson's page of its own asks and shows, compiled for this machine, and how it is written.

#include "app/base/files.hpp"
#include "app/lessons/library.hpp"
#include "app/registry/scenes.hpp"
#include "app/web/export.hpp"
#include "app/web/page_lesson.hpp"
#include "gpu/base/error.hpp"
#include "tests/app/temporary_folder.hpp"

#include <slotscape_paths.hpp>

#include <gmock/gmock.h>

namespace slotscape {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
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
        [&](std::size_t) { return web::RecordedPage{.text = "Recorded.", .picture = picture_, .device = "a test"}; },
        folder_.path() / "pages");
    return read_text_file(exported_.file);
  }

  test::TemporaryFolder folder_;
  std::filesystem::path module_ = folder_.path() / "module.gz";
  lessons::Library library_{{SLOTSCAPE_SOURCE_DIR "/assets"}};
  std::string picture_ = "a picture";
  web::ExportedLesson exported_;
};

TEST_F(LessonExport, WritesOneFileThatNeedsNoOther)
{
  std::string const page = written(lesson_of(five_keys));
  EXPECT_EQ(exported_.file.filename(), "a-test.html");
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
  EXPECT_THAT(exported_.recorded, ElementsAre(1));
  EXPECT_THAT(page, HasSubstr("Recorded with Slotscape on a test, because its table is too large for a page."));
  EXPECT_THAT(page, HasSubstr("data:image/png;base64,YSBwaWN0dXJl"));
  picture_.assign(web::max_page_bytes, 'x');
  EXPECT_THAT([&] { written(lesson); }, ThrowsMessage<Error>(HasSubstr("at most 3 are allowed")));
}

TEST_F(LessonExport, SaysHowToGetTheModule)
{
  EXPECT_THAT([] { web::module_file("/nowhere/build/release/slotscape"); },
              ThrowsMessage<Error>(HasSubstr("build it with scripts/web")));
}

}  // namespace
}  // namespace slotscape
