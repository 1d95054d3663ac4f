// Every lesson that comes with the program, page by page.

#include "app/base/text.hpp"
#include "app/languages/languages.hpp"
#include "app/lessons/check.hpp"
#include "app/lessons/library.hpp"
#include "tests/app/support/program.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include "tests/support/paths.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <imgui_internal.h>

#include <regex>
#include <set>

namespace slotscape {
namespace {

using ::testing::IsEmpty;

constexpr std::uint64_t seeds[]{1, 2, 3};

lessons::Library library()
{
  return lessons::Library({test::in_project("assets")});
}

/// The program with a lesson, and time that passes fast.
class LessonRun {
public:
  void start(std::filesystem::path const& file, std::uint64_t seed)
  {
    app_->lessons().start(lessons::read_lesson(scenes(), file, library().finder()), {.page = 0, .seed = seed});
  }
  lessons::Session& session() { return *app_->lessons().session(); }
  lessons::Stage stage()
  {
    return {[this]() -> Scene& { return app_->current_scene(); },
            [this] {
              app_->frame(1.0);
              app_->current_scene().finish_steps({});
            }};
  }

private:
  static std::unique_ptr<App> quiet_app()
  {
    auto app = test::offscreen_app({640, 480}, test::slots_scenario({.slots = 16}));
    app->let_errors_out();
    return app;
  }
  std::unique_ptr<App> app_ = quiet_app();
};

/// Claims hold, tasks are not solved as a page begins, and their solutions solve them, in several variants.
TEST(Lessons, KeepTheirWord)
{
  LessonRun run;
  std::size_t pages = 0;
  for (lessons::Listed const& lesson : library().lessons()) {
    for (std::uint64_t const seed : seeds) {
      run.start(lesson.file, seed);
      for (std::size_t page = 0; page < run.session().count(); ++page) {
        run.session().go_to(page);
        if (seed != seeds[0] && !run.session().page().varies) { continue; }
        EXPECT_THAT(lessons::check_page(run.session(), run.stage()), IsEmpty()) << lesson.name << ", variant " << seed;
        ++pages;
      }
    }
  }
  EXPECT_GT(pages, 100u);
}

/// The same in other languages; and none of what is said of a step is in English.
TEST(Lessons, KeepTheirWordInEveryLanguage)
{
  LessonRun run;
  for (Language const& language : languages()) {
    if (language.code == source_language) { continue; }
    InLanguage const spoken(language.code);
    for (lessons::Listed const& lesson : library().lessons()) {
      run.start(lesson.file, seeds[0]);
      for (std::size_t page = 0; page < run.session().count(); ++page) {
        run.session().go_to(page);
        EXPECT_THAT(lessons::check_page(run.session(), run.stage()), IsEmpty()) << language.name << ", " << lesson.name;
        auto const* const scene = dynamic_cast<SlotsScene*>(&run.stage().scene());
        if (scene == nullptr || !scene->state().steps.player) { continue; }
        for (Step const& step : scene->state().steps.player->trace().steps) {
          for (char const* const word : {"lot ", "holds", "Next", "Back"}) {
            EXPECT_EQ(step.text.find(word), std::string::npos) << step.text;
          }
        }
      }
    }
  }
}

/// A full table takes further keys in place of those that it refused: pressing Insert often enough is no solution, and
/// making room first is, by the controls as a student has them.
TEST(Lessons, RefusedKeysDoNotMakeRoom)
{
  struct Case {
    char const* lesson;
    std::string parameter;
    std::uint32_t wide;
  };
  LessonRun run;
  for (Case const& each : {Case{"7", "neighbourhood", 64}, Case{"8", "bucket", 8}}) {
    for (bool const makes_room : {false, true}) {
      run.start(library().find(each.lesson), seeds[0]);
      run.session().go_to(3);
      lessons::settle(run.session(), run.stage());
      auto& scene = dynamic_cast<SlotsScene&>(run.stage().scene());
      if (makes_room) {
        TableSettings wider = scene.state().settings.table;
        wider.parameters[each.parameter] = each.wide;
        ask_for_table(scene.state(), wider);
        lessons::settle(run.session(), run.stage());
      }
      for (int batch = 0; batch < (makes_room ? 4 : 60) && !run.session().task().right; ++batch) {
        scene.state().act(BatchRequest::inserts(256));
        lessons::settle(run.session(), run.stage());
      }
      lessons::settle(run.session(), run.stage());
      EXPECT_EQ(run.session().task().right, makes_room) << "lesson " << each.lesson;
    }
  }
}

/// What compare-and-swap is, lesson 9 says. Before it, nobody is told of one.
TEST(Lessons, SpeakPlainlyBeforeTheyTeachAtomics)
{
  constexpr std::uint64_t teaches_atomics = 9;
  LessonRun run;
  for (lessons::Listed const& lesson : library().lessons()) {
    if (lesson.number >= teaches_atomics) { continue; }
    std::string const text = lower_case(test::content_of(lesson.file));
    for (char const* const word : {"compare-and-swap", "atomic", "thread"}) {
      EXPECT_EQ(text.find(word), std::string::npos) << lesson.name << ": " << word;
    }
    run.start(lesson.file, seeds[0]);
    for (std::size_t page = 0; page < run.session().count(); ++page) {
      run.session().go_to(page);
      lessons::settle(run.session(), run.stage());
      run.session().solve(run.stage().scene());
      lessons::settle(run.session(), run.stage());
      auto const* const scene = dynamic_cast<SlotsScene*>(&run.stage().scene());
      if (scene == nullptr || !scene->state().steps.player) { continue; }
      Trace const& trace = scene->state().steps.player->trace();
      for (Step const& step : trace.steps) { EXPECT_EQ(step.text.find("swap"), std::string::npos) << step.text; }
      EXPECT_EQ(trace.summary.find("access"), std::string::npos) << lesson.name << ": " << trace.summary;
    }
  }
}

/// All that a page may say.
std::string said_by(lessons::Page const& page)
{
  std::string said = page.text + page.notes;
  if (!page.task) { return said; }
  said += page.task->ask + page.task->hint + page.task->tell;
  if (auto const* const choice = std::get_if<lessons::Choice>(&page.task->of)) {
    for (lessons::Option const& option : choice->options) { said += option.text + option.tell; }
  }
  return said;
}

/// What a page speaks of is beside its map, also in a lecture.
TEST(Lessons, ShowThePlotsAndNumbersThatTheySpeakOf)
{
  std::size_t pages = 0;
  for (lessons::Listed const& listed : library().lessons()) {
    lessons::Lesson const lesson = lessons::read_lesson(scenes(), listed.file, library().finder());
    for (lessons::PageSource const& source : lesson.pages) {
      lessons::Page const page = lessons::open_page(scenes(), source, seeds[0], library().finder());
      // Statistics such as [groups/histogram/0] are numbers, and nothing to look at.
      std::string const said = std::regex_replace(lower_case(said_by(page)), std::regex(R"(\{[^}]*\})"), "");
      bool const of_plots = std::regex_search(said, std::regex(R"(\b(plots?|histograms?)\b)"));
      bool const of_numbers = std::regex_search(said, std::regex(R"(\*(miss|hit|live)\*,? beside the)"));
      pages += of_plots || of_numbers ? 1 : 0;
      EXPECT_TRUE(!of_plots || page.panels.plots) << listed.name << ": " << page.title;
      EXPECT_TRUE(!of_numbers || page.panels.numbers) << listed.name << ": " << page.title;
    }
  }
  EXPECT_GE(pages, 3u) << "else this tests nothing";
}

/// Large letters that say what became of an operation would confirm a wrong option that it was to refute.
TEST(Lessons, DoNotConfirmWrongOptions)
{
  LessonRun run;
  std::size_t shown = 0;
  for (lessons::Listed const& lesson : library().lessons()) {
    run.start(lesson.file, seeds[0]);
    for (std::size_t page = 0; page < run.session().count(); ++page) {
      run.session().go_to(page);
      lessons::settle(run.session(), run.stage());
      auto const& task = run.session().page().task;
      auto const* const choice = task ? std::get_if<lessons::Choice>(&task->of) : nullptr;
      for (std::size_t i = 0; choice != nullptr && i < choice->options.size(); ++i) {
        auto const& options = std::get<lessons::Choice>(run.session().page().task->of).options;
        bool const finds =
            options[i].show && options[i].show->json.dump().find("\"operation\":\"find\"") != std::string::npos;
        if (options[i].right || !finds) { continue; }
        run.session().choose_option(i);
        lessons::play_out(run.session(), run.stage());
        auto const& player = dynamic_cast<SlotsScene&>(run.stage().scene()).state().steps.player;
        ASSERT_TRUE(player && player->at_end()) << lesson.name;
        EXPECT_NE(player->summary(), player->trace().summary) << lesson.name << ": " << options[i].text;
        ++shown;
      }
    }
  }
  EXPECT_GE(shown, 2u);
}

/// Titles and texts do not say what the question asks for.
TEST(Lessons, GiveNothingAway)
{
  lessons::Lesson const lesson = lessons::read_lesson(scenes(), library().find("4"), library().finder());
  for (std::size_t const number : {std::size_t{3}, std::size_t{4}}) {
    lessons::Page const page = lessons::open_page(scenes(), lesson.pages[number], seeds[0], library().finder());
    std::string const before = lower_case(page.title + " " + page.text + " " + page.task->ask);
    for (char const* const word : {"purge", "reuse", "better"}) {
      EXPECT_EQ(before.find(word), std::string::npos) << page.title << ": " << word;
    }
  }
}

/// Where values are hidden, nobody speaks of them.
TEST(Lessons, SpeakOfNoValuesThatAreHidden)
{
  LessonRun run;
  std::size_t stepped = 0;
  for (char const* const name : {"1", "2", "4"}) {
    run.start(library().find(name), seeds[0]);
    for (std::size_t page = 0; page < run.session().count(); ++page) {
      run.session().go_to(page);
      lessons::settle(run.session(), run.stage());
      run.session().solve(run.stage().scene());
      lessons::settle(run.session(), run.stage());
      auto const* const scene = dynamic_cast<SlotsScene*>(&run.stage().scene());
      if (scene == nullptr || !scene->state().steps.player) { continue; }
      if (scene->state().settings.view.write_values) { continue; }
      ++stepped;
      Trace const& trace = scene->state().steps.player->trace();
      for (Step const& step : trace.steps) { EXPECT_EQ(step.text.find("value"), std::string::npos) << step.text; }
      EXPECT_EQ(trace.summary.find("value"), std::string::npos) << trace.summary;
    }
  }
  EXPECT_GE(stepped, 5u);
}

/// The last pages lead on.
TEST(Lessons, LeadToTheNext)
{
  auto const all = library().lessons();
  for (std::size_t i = 0; i < all.size(); ++i) {
    lessons::Lesson const lesson = lessons::read_lesson(scenes(), all[i].file, library().finder());
    lessons::LessonWords const words = words_of(all, lesson, lesson.pages.size() - 1);
    EXPECT_EQ(words.title, fmt::format("Lesson {}: {}", i + 1, all[i].title));
    EXPECT_EQ(words.next, i + 1 == all.size() ? "" : fmt::format("Lesson {}: {}", i + 2, all[i + 1].title));
  }
}

TEST(Lessons, AreComplete)
{
  auto const all = library().lessons();
  EXPECT_EQ(all.size(), 20u);
  for (lessons::Listed const& each : all) {
    lessons::Lesson const lesson = lessons::read_lesson(scenes(), each.file, library().finder());
    EXPECT_GE(lesson.pages.size(), 3u) << each.name;
    EXPECT_FALSE(each.about.empty()) << each.name;
    for (lessons::PageSource const& source : lesson.pages) {
      lessons::Page const page = lessons::open_page(scenes(), source, seeds[0], library().finder());
      EXPECT_TRUE(page.task) << each.name << ": " << page.title;
      EXPECT_FALSE(page.notes.empty()) << each.name << ": " << page.title;
    }
  }
}

/// Two students get different numbers: most pages differ from variant to variant, where they have any.
TEST(Lessons, Vary)
{
  std::size_t varying = 0;
  for (lessons::Listed const& each : library().lessons()) {
    lessons::Lesson const lesson = lessons::read_lesson(scenes(), each.file, library().finder());
    for (lessons::PageSource const& source : lesson.pages) {
      std::set<std::string> variants;
      lessons::Page page;
      for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        page = lessons::open_page(scenes(), source, seed, library().finder());
        variants.insert(page.set_up.dump() + (page.task ? page.task->ask : ""));
      }
      if (!page.varies) { continue; }
      ++varying;
      EXPECT_GE(variants.size(), 2u) << each.name << ": " << page.title;
    }
  }
  EXPECT_GT(varying, 20u);
}

/// Each character is in the font of the interface.
TEST(Lessons, CanBeWritten)
{
  auto const context = gl::open_offscreen({320, 240});
  Gui gui(*context);
  gui.begin_frame(0.02);
  ImFont* const font = gui.look().font;
  for (lessons::Listed const& each : library().lessons()) {
    std::string const text = test::content_of(each.file);
    for (char const* at = text.c_str(); *at != '\0';) {
      unsigned character = 0;
      at += ImTextCharFromUtf8(&character, at, nullptr);
      if (character < 128) { continue; }
      EXPECT_TRUE(font->IsGlyphInFont(static_cast<ImWchar>(character))) << each.name << ": U+" << std::hex << character;
    }
  }
  gui.end_frame();
}

/// The tour's scenarios say what they show.
TEST(Tour, ExplainsItself)
{
  Paths const files = library().tour();
  EXPECT_EQ(files.size(), 13u);
  for (std::filesystem::path const& file : files) {
    ScenarioWords const words = read_scenario(scenes(), file).words;
    EXPECT_FALSE(words.title.empty()) << file;
    EXPECT_FALSE(words.caption.empty()) << file;
  }
}

}  // namespace
}  // namespace slotscape
