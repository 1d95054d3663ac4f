// The format of lessons: what they may say, and what is told of a broken one.

#include "app/lessons/library.hpp"
#include "app/lessons/rich_text.hpp"
#include "app/lessons/variables.hpp"
#include "app/widgets/drawing.hpp"
#include "gpu/analysis/theory.hpp"
#include "gpu/base/error.hpp"
#include "tests/app/support/program.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <gmock/gmock.h>

#include <fmt/format.h>

#include <cmath>
#include <regex>
#include <set>

namespace slotscape {
namespace {

using lessons::evaluate_number;
using lessons::Variables;
using test::message_of;
using test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Variables const variables{{"key", 42.0}, {"slots", 16.0}, {"name", std::string("Ada")}};

double value_of(std::string const& expression)
{
  return evaluate_number(expression, {variables}).value();
}
std::string wrong_expression(std::string const& expression)
{
  return message_of<Error>([&] { evaluate_number(expression, {variables}); });
}

TEST(LessonExpression, Computes)
{
  EXPECT_EQ(value_of("key % slots"), 10.0);
  EXPECT_EQ(value_of("7 % -3"), 1.0);
  EXPECT_EQ(value_of("(0 - 7) % 3"), 2.0);
  EXPECT_EQ(value_of("2 + 3 * 4 - 6 / 3"), 12.0);
  EXPECT_EQ(value_of("2 * (3 + 4)"), 14.0);
  EXPECT_EQ(value_of("-2 ^ 2"), -4.0);
  EXPECT_EQ(value_of("2 ^ 3 ^ 2"), 512.0);
  EXPECT_EQ(value_of("floor(key / slots) + min(3, 4) + max(3, 4)"), 9.0);
  EXPECT_EQ(value_of("max(1, 7, 3) + min(4, 2, 9)"), 9.0);
  EXPECT_NEAR(value_of("0.5 * (1 + 1 / (1 - 0.9) ^ 2)"), 50.5, 1e-9);
  EXPECT_EQ(value_of("linear_miss(4096, 4000)"), theory::linear_probes_of_a_miss(4096.0, 4000.0));
  EXPECT_NEAR(value_of("linear_miss(2, 1)"), 1.5, 1e-12) << "one look, or two";
  EXPECT_NEAR(value_of("ln(exp(2)) + sqrt(16) + log2(8) + abs(-1) + round(1.4) + ceil(0.2)"), 12.0, 1e-12);
}

TEST(LessonExpression, SaysWhatIsWrongAndWhere)
{
  EXPECT_THAT(wrong_expression("1 +"), AllOf(HasSubstr("'1 +', character 4"), HasSubstr("is missing")));
  EXPECT_THAT(wrong_expression("2 * keys"), AllOf(HasSubstr("character 5"), HasSubstr("did you mean 'key'?")));
  EXPECT_THAT(wrong_expression("1 2"), HasSubstr("'2' is unexpected"));
  EXPECT_THAT(wrong_expression("1 ½"), HasSubstr("'½' is unexpected"));
  EXPECT_THAT(wrong_expression("½"), HasSubstr("'½' is unexpected"));
  EXPECT_THAT(wrong_expression("min(1)"), HasSubstr("',' is missing"));
  EXPECT_THAT(wrong_expression("(2^64 - 7) % 16"), HasSubstr("above 2^53"));
  EXPECT_THAT(wrong_expression("linear_miss(4, 4)"), HasSubstr("not a finite number"));
  EXPECT_THAT(wrong_expression("1 / (key - 42)"), HasSubstr("division by 0"));
  EXPECT_THAT(wrong_expression("name + 1"), HasSubstr("a number is needed"));
  EXPECT_THAT(wrong_expression("ln(0)"), HasSubstr("not a finite number"));
  EXPECT_THAT(wrong_expression("[accesses"), HasSubstr("']' is missing"));
  EXPECT_THAT(wrong_expression(std::string(100, '(')), HasSubstr("nested too deeply"));
  EXPECT_THAT(wrong_expression(std::string(100'000, '-')), HasSubstr("nested too deeply"));
}

TEST(LessonExpression, ReadsStatistics)
{
  Json const start = Json::parse(R"({ "table": { "live": 3 } })");
  Json const now = Json::parse(R"({ "table": { "live": 5, "family": "cuckoo" }, "list": [7, 8], "none": null })");
  lessons::Names const names{variables, &now, &start};
  EXPECT_EQ(evaluate_number("[table/live] - start[table/live] + [list/1]", names), 10.0);
  EXPECT_EQ(lessons::evaluate("[table/family]", names), lessons::Quantity("cuckoo"));
  for (char const* const missing : {"[table/dead]", "[list/2]", "[none]", "[table]", "1 + [table/live/x]"}) {
    EXPECT_EQ(evaluate_number(missing, names), std::nullopt) << missing;
  }
  EXPECT_EQ(evaluate_number("[table/live]", {variables}), std::nullopt) << "not known yet";
  Json const runs = Json::parse(R"({ "runs": [ { "out": { "full": 2 } }, { "out": {} }, { "out": { "full": 5 } } ] })");
  EXPECT_EQ(evaluate_number("[runs/*/out/full]", {variables, &runs}), 7.0) << "added up";
}

TEST(LessonExpression, FillsTextsIn)
{
  Json const now = Json::parse(R"({ "live": 1048576, "mean": 14.6933 })");
  EXPECT_EQ(lessons::fill_in("{key} = {floor(key / 16)} · 16 + {key % 16}, {name}", {variables}),
            "42 = 2 · 16 + 10, Ada");
  EXPECT_EQ(lessons::fill_in("{[live]} of {key}", {variables}), "{[live]} of 42") << "waits for the statistics";
  EXPECT_EQ(lessons::fill_in("{[live]}, {[mean]}, {[more]}", {variables, &now}), "1,048,576, 14.7, …");
}

Variables draw(std::string const& text, std::uint64_t seed)
{
  Json const json = parse_json(text, "lesson.json");
  Variables drawn;
  lessons::add_variables(json, {json, "lesson.json"}, seed, drawn);
  return drawn;
}

TEST(LessonVariables, FollowFromTheSeed)
{
  std::string const text = R"({ "a": { "from": 1, "to": 1000 }, "b": { "from": 1, "to": 3, "but_not": ["2"] },
                                "c": { "one_of": ["x", 7] }, "d": { "is": "a + b" } })";
  EXPECT_EQ(draw(text, 5), draw(text, 5));
  EXPECT_NE(draw(text, 5), draw(text, 6));
  std::set<double> seen;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Variables const drawn = draw(text, seed);
    double const a = std::get<double>(drawn.at("a"));
    double const b = std::get<double>(drawn.at("b"));
    EXPECT_TRUE(a >= 1 && a <= 1000 && (b == 1 || b == 3)) << a << ' ' << b;
    EXPECT_EQ(std::get<double>(drawn.at("d")), a + b);
    seen.insert(a);
  }
  EXPECT_GT(seen.size(), 40u);
}

TEST(LessonVariables, SayWhatIsWrong)
{
  auto const wrong = [](std::string const& text) { return message_of<Error>([&] { draw(text, 1); }); };
  EXPECT_THAT(wrong(R"({ "a": { "from": 5, "to": 1 } })"), HasSubstr("a.to: 1 is invalid"));
  EXPECT_THAT(wrong(R"({ "a": { "from": 5 } })"), HasSubstr("the field 'to' is missing"));
  EXPECT_THAT(wrong(R"({ "2a": { "is": "1" } })"), HasSubstr("beginning with a letter"));
  EXPECT_THAT(wrong(R"({ "a": { "is": "b" } })"), HasSubstr("there is no variable 'b'"));
  EXPECT_THAT(wrong(R"({ "a": { "one_of": [] } })"), HasSubstr("at least one value"));
  EXPECT_THAT(wrong(R"({ "a": { "from": 1, "to": 1, "but_not": ["1"] } })"), HasSubstr("no number is left"));
}

/// A line ends before a formula, or after it. One that is wider than a line is divided as words are.
TEST(RichText, KeepsFormulasTogether)
{
  auto const context = gl::open_offscreen({320, 240});
  Gui gui(*context);
  gui.begin_frame(0.02);
  lessons::TextLook const look = lessons::text_look(gui.look(), 16.0f);
  auto const width_of = [&](std::string const& text) {
    return gui.look().font->CalcTextSizeA(16.0f, FLT_MAX, 0.0f, text.c_str()).x;
  };
  for (std::string const formula : {"½ (1 + 1/(1−α)²)", "77 = 4 · 16 + 13", "(2048 + 800) / 4096"}) {
    float const width = width_of("words and " + formula) - 3.0f;
    SvgDrawing drawing(400.0f, 300.0f, IM_COL32_BLACK, gui.look().font);
    lessons::draw_rich_text(drawing, {0.0f, 0.0f}, width, look, lessons::parse_rich_text("words and " + formula));
    std::string const svg = drawing.finished();
    std::set<std::string> lines;  // the heights at which words of the formula are
    std::regex const word("<text[^>]* y=\"([^\"]*)\"[^>]*>([^<]*)<");
    for (std::sregex_iterator match(svg.begin(), svg.end(), word); match != std::sregex_iterator(); ++match) {
      if ((*match)[2] != "words" && (*match)[2] != "and") { lines.insert((*match)[1]); }
    }
    EXPECT_EQ(lines.size(), 1u) << formula << "\n" << svg;
    EXPECT_EQ(lessons::height_of(width, look, lessons::parse_rich_text("words and " + formula)),
              lessons::height_of(width_of("one"), look, lessons::parse_rich_text("one two")));
  }
  gui.end_frame();
}

TEST(RichText, IsReadInBlocksAndStyles)
{
  using Style = lessons::RichText::Style;
  auto const text = lessons::parse_rich_text("A **b c**, 2 * 3.\nd\n\n- *e*\n- `f`g");
  ASSERT_EQ(text.blocks.size(), 3u);
  std::vector<std::string> words;
  for (auto const& word : text.blocks[0].words) { words.push_back(word.text); }
  EXPECT_THAT(words, ElementsAre("A", "b", "c", ",", "2", "*", "3.", "d"));
  EXPECT_EQ(text.blocks[0].words[1].style, Style::strong);
  EXPECT_FALSE(text.blocks[0].words[3].after_space) << "a comma stays with its word";
  EXPECT_EQ(text.blocks[0].words[3].style, Style::plain);
  EXPECT_TRUE(text.blocks[1].is_item && text.blocks[2].is_item);
  EXPECT_EQ(text.blocks[1].words[0].style, Style::emphasis);
  EXPECT_EQ(text.blocks[2].words[0].style, Style::code);
}

/// A lesson of one page, with these fields besides its title and text.
std::string lesson_with(std::string const& fields)
{
  return R"({ "version": 1, "title": "T", "pages": [ { "title": "P", "text": "x" )" +
         (fields.empty() ? "" : ", " + fields) + " } ] }";
}

std::string wrong_lesson(std::string const& text)
{
  TemporaryFolder const folder;
  auto const file = folder.write("broken.json", text);
  lessons::Library const library({});
  return message_of<Error>([&] { lessons::read_lesson(scenes(), file, library.finder()); });
}
std::string wrong_page(std::string const& fields)
{
  return wrong_lesson(lesson_with(fields));
}
std::string wrong_task(std::string const& fields)
{
  return wrong_page(R"("set_up": { "table": { "slots": 16 } }, "task": { "ask": "?", )" + fields + " }");
}

TEST(LessonFile, SaysWhatIsWrongAndWhere)
{
  EXPECT_EQ(wrong_lesson(lesson_with("")), "nothing was thrown");
  EXPECT_THAT(wrong_lesson("{ \"version\": 1, \n \"pages\": [ }"),
              AllOf(HasSubstr("broken.json"), HasSubstr("line 2")));
  EXPECT_THAT(wrong_lesson(R"({ "version": 1, "title": "T", "pages": [] })"),
              HasSubstr("pages: it must list at least"));
  EXPECT_THAT(wrong_lesson(R"({ "version": 2, "title": "T", "pages": [{}] })"), HasSubstr("version: unknown version"));
  EXPECT_THAT(wrong_lesson(R"({ "version": 1, "title": "T", "pages": [5] })"), HasSubstr("pages[0]: 5 is invalid"));
  EXPECT_THAT(wrong_page(R"("txet": "y")"), AllOf(HasSubstr("broken.json: pages[0].txet"), HasSubstr("'text'?")));
  EXPECT_THAT(wrong_page(R"("notes": "{ky}")"), AllOf(HasSubstr("pages[0].notes"), HasSubstr("no variable 'ky'")));
  EXPECT_THAT(wrong_page(R"("set_up": { "table": { "slots": 3 } })"), HasSubstr("pages[0].set_up.table.slots: 3"));
  EXPECT_THAT(wrong_page(R"("set_up": "no/such-scenario")"), HasSubstr("no/such-scenario"));
  EXPECT_THAT(wrong_page(R"("view": { "color_by": "taste" })"), HasSubstr("pages[0].view.view.color_by"));
  EXPECT_THAT(wrong_page(R"("panels": ["knobs"])"), AllOf(HasSubstr("panels[0]"), HasSubstr("controls")));
  EXPECT_THAT(wrong_page(R"("claims": [ { "what": "w", "of": "1" } ])"), HasSubstr("needs exactly one of 'below', "));
  EXPECT_THAT(wrong_page(R"("claims": [ { "what": "w", "of": "1", "below": 2, "above": 0 } ])"),
              HasSubstr("but has 2; write a condition for each"));
  EXPECT_THAT(wrong_page(R"("claims": [ { "what": "w", "of": "1 +", "below": 2 } ])"),
              HasSubstr("claims[0].of: '1 +'"));
}

TEST(LessonFile, SaysWhatIsWrongWithATask)
{
  EXPECT_THAT(wrong_task(R"("kind": "riddle")"), AllOf(HasSubstr("pages[0].task.kind"), HasSubstr("challenge, ")));
  EXPECT_THAT(wrong_task(R"("kind": "challenge", "until": [], "solution": [])"), HasSubstr("task.until: it must list"));
  EXPECT_THAT(wrong_task(R"("kind": "challenge", "until": [{ "what": "w", "of": "1", "is": "1" }],
                            "solution": [ { "op": "bake" } ])"),
              HasSubstr("task.solution[0].op"));
  EXPECT_THAT(wrong_task(R"("kind": "challenge", "until": [{ "what": "w", "of": "1", "is": "1" }],
                            "solution": { "table": { "slots": 3 } })"),
              HasSubstr("task.solution.table.slots"));
  EXPECT_THAT(wrong_task(R"("kind": "prediction", "operation": { "op": "insert" }, "asks": "slot")"),
              HasSubstr("task.operation: the field 'key' is missing"));
  EXPECT_THAT(wrong_task(R"("kind": "prediction", "operation": { "op": "find", "key": 1 }, "asks": "luck")"),
              HasSubstr("task.asks: \"luck\" is invalid"));
  EXPECT_THAT(wrong_task(R"("kind": "challenge", "until": [{ "what": "w", "of": "1", "is": "1" }],
                            "solution": { "op": "clear" })"),
              HasSubstr("task.solution: a step must be in a list"));
  EXPECT_THAT(wrong_task(R"("kind": "choice", "options": [ { "text": "a", "right": true } ])"),
              HasSubstr("task.options: it must list 2 to 6"));
  EXPECT_THAT(wrong_task(
                  R"("kind": "choice", "options": [ { "text": "a", "tell": "t" }, { "text": "b", "tell": "t" } ])"),
              HasSubstr("exactly one option must be \"right\""));
  EXPECT_THAT(wrong_task(R"("kind": "choice", "options": [ { "text": "a", "right": true }, { "text": "b" } ])"),
              HasSubstr("task.options[1]: the field 'tell' is missing"));
  EXPECT_THAT(wrong_task(R"("kind": "number", "answer": "2 *")"), HasSubstr("task.answer: '2 *'"));
  EXPECT_THAT(wrong_page(R"("set_up": { "sparse": {} }, "task": { "ask": "?", "kind": "prediction", "asks": "slot",
                            "operation": { "op": "find", "key": 1 } })"),
              HasSubstr("the scene 'sparse' takes no steps"));
}

/// A claim names the words that it is about: whoever changes a sentence must look at it.
TEST(LessonFile, ClaimsAreOfWordsThatThePageSays)
{
  auto const page = [](std::string const& says) {
    return R"("notes": [ "The cost is", "*four* times" ], "claims": [ { "says": ")" + says +
           R"(", "of": "4", "equals": 4 } ])";
  };
  EXPECT_EQ(wrong_page(page("cost is four times")), "nothing was thrown") << "across lines, without marks";
  EXPECT_THAT(wrong_page(page("cost is five times")),
              AllOf(HasSubstr("pages[0].claims[0].says"), HasSubstr("the page does not say this")));
  EXPECT_THAT(wrong_page(R"("claims": [ { "of": "4", "equals": 4 } ])"), HasSubstr("the field 'what' is missing"));
  EXPECT_THAT(wrong_task(R"("kind": "number", "answer": "1", "leads_to": [ { "says": "y", "of": "1", "equals": 1 } ])"),
              HasSubstr("task.leads_to[0].says"));
  EXPECT_THAT(wrong_task(R"("kind": "challenge", "until": [{ "what": "w", "of": "1", "is": "1", "says": "x" }],
                            "solution": [])"),
              HasSubstr("task.until[0]: 'says' and 'operation' are for claims"));
  EXPECT_THAT(wrong_task(R"("kind": "challenge", "until": [{ "what": "w", "of": "1", "is": "1" }], "solution": [],
                            "not_yet": [ [ { "op": "bake" } ] ])"),
              HasSubstr("task.not_yet[0][0].op"));
}

TEST(LessonFile, HasAViewForAllItsPages)
{
  std::string const text =
      R"({ "version": 1, "title": "T", "view": { "plain_steps": true, "color_by": "state" }, "pages": [
      { "title": "1", "text": "x" },
      { "title": "2", "text": "x", "set_up": { "table": { "slots": 16 }, "view": { "color_by": "recent" } } } ] })";
  TemporaryFolder const folder;
  auto const file = folder.write("view.json", text);
  lessons::Library const library({});
  lessons::Lesson const lesson = lessons::read_lesson(scenes(), file, library.finder());
  auto const view_of = [&](std::size_t page) {
    lessons::Page const opened = lessons::open_page(scenes(), lesson.pages[page], 1, library.finder());
    return std::any_cast<TableSetup const&>(opened.scenario.set_up).settings.view;
  };
  EXPECT_TRUE(view_of(0).plain_steps && view_of(1).plain_steps);
  EXPECT_EQ(view_of(0).color_by, ColorBy::state);
  EXPECT_EQ(view_of(1).color_by, ColorBy::recent) << "a page's own view is stronger";
  std::string wrong = text;
  wrong.replace(wrong.find("\"state\""), 7, "\"taste\"");
  EXPECT_THAT(wrong_lesson(wrong), HasSubstr("color_by"));
}

TEST(LessonFile, LimitsTheWordsOfAPage)
{
  std::string words;
  for (std::size_t i = 0; i < lessons::max_words; ++i) { words += "word "; }
  std::string const fits = R"({ "version": 1, "title": "T", "pages": [ { "title": "P", "text": ")" + words + "\" } ] }";
  std::string const too_many =
      R"({ "version": 1, "title": "T", "pages": [ { "title": "P", "text": ")" + words + "more\" } ] }";
  EXPECT_EQ(wrong_lesson(fits), "nothing was thrown");
  EXPECT_THAT(wrong_lesson(too_many), HasSubstr("pages[0].text: it has 61 words; at most 60"));
}

TEST(Playlist, JoinsLessonsPartsAndScenarios)
{
  TemporaryFolder const folder;
  folder.write("first.json", R"({ "version": 1, "title": "First", "pages": [
      { "title": "1", "text": "x" }, { "title": "2", "text": "x" }, { "title": "3", "text": "x" } ] })");
  folder.write("a.slotscape.json", R"({ "version": 1, "title": "A", "caption": "c", "table": { "slots": 16 } })");
  auto const file = folder.write("list.json", R"({ "version": 1, "title": "List", "playlist": [
      { "file": "first", "pages": [2, 3] }, "a", "first" ] })");
  lessons::Library const library({});
  lessons::Lesson const lesson = lessons::read_lesson(scenes(), file, library.finder());
  std::vector<std::string> titles;
  for (lessons::PageSource const& page : lesson.pages) {
    titles.push_back(lessons::open_page(scenes(), page, 1, library.finder()).title);
  }
  EXPECT_EQ(lesson.title, "List");
  EXPECT_THAT(titles, ElementsAre("2", "3", "A", "1", "2", "3"));
  folder.write("list.json", R"({ "version": 1, "playlist": [ { "file": "first", "pages": [2, 4] } ] })");
  EXPECT_THAT(message_of<Error>([&] { lessons::read_lesson(scenes(), file, library.finder()); }),
              HasSubstr("playlist[0].pages[1]: 4 is invalid"));
}

/// Whoever leaves a lecture of several lessons is on a page of one of them.
TEST(Playlist, NamesTheLessonOfEachPage)
{
  TemporaryFolder const folder;
  std::filesystem::create_directories(folder / "lessons");
  auto const lesson = [](std::string const& title) {
    return R"({ "version": 1, "title": ")" + title + R"(", "pages": [ { "title": "P", "text": "x" } ] })";
  };
  folder.write("lessons/2-two.json", lesson("Two"));
  folder.write("lessons/6-six.json", lesson("Six"));
  auto const own = folder.write("own.json", lesson("Own"));
  lessons::Library const library({folder.path()});
  auto const read = [&](std::filesystem::path const& file) {
    return lessons::read_lesson(scenes(), file, library.finder());
  };
  lessons::Lesson const both = lessons::joined({read(library.find("2")), read(library.find("6")), read(own)});
  auto const all = library.lessons();
  EXPECT_EQ(words_of(all, both, 0).title, "Lesson 2: Two");
  EXPECT_EQ(words_of(all, both, 1).title, "Lesson 6: Six");
  EXPECT_EQ(words_of(all, both, 2).title, "Own");
  EXPECT_EQ(words_of(all, both, 2).next, "") << "a lecture ends with its last page";
  EXPECT_EQ(both.name, "2-two+6-six+own") << "its progress is not that of the first lesson";
  EXPECT_EQ(words_of(all, read(library.find("2")), 0).next, "Lesson 6: Six");
  EXPECT_EQ(words_of(all, read(library.find("6")), 0).next, "") << "it is the last one";
  EXPECT_EQ(words_of(all, read(own), 0).next, "");
}

TEST(ScenarioWords, AreReadAndWritten)
{
  std::string const text = R"({ "version": 1, "title": "T", "caption": "C", "notes": "N", "table": { "slots": 32 } })";
  Scenario const read = parse_scenario(scenes(), text, "a.json", {});
  EXPECT_EQ(read.words.title, "T");
  EXPECT_EQ(std::any_cast<TableSetup const&>(read.set_up).settings.table.slots, 32u);
  Scenario const again = parse_scenario(scenes(), format_scenario(read), "b.json", {});
  EXPECT_EQ(again.words.caption, "C");
  EXPECT_EQ(again.words.notes, "N");
  std::string const sparse = R"({ "version": 1, "title": "S", "sparse": { "grid": 16 } })";
  EXPECT_EQ(parse_scenario(scenes(), sparse, "c.json", {}).words.title, "S");
  EXPECT_THAT(message_of<Error>([&] { parse_scenario(scenes(), R"({ "version": 1, "title": 5 })", "d.json", {}); }),
              HasSubstr("d.json: title: 5 is invalid"));
}

TEST(Library, FindsLessonsByNameAndNumber)
{
  TemporaryFolder const folder;
  std::filesystem::create_directories(folder / "lessons");
  auto const two = folder.write("lessons/2-two.json", lesson_with(""));
  auto const ten = folder.write("lessons/10-ten.json", lesson_with(""));
  lessons::Library const library({folder / "nothing", folder.path()});
  EXPECT_EQ(library.find("2"), two);
  EXPECT_EQ(library.find("10-ten"), ten);
  EXPECT_EQ(library.find("1"), "1");
  auto const all = library.lessons();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].file, two) << "by number, not by letters";
  EXPECT_EQ(all[1].title, "T");
  EXPECT_EQ(numbered_title(all[1]), "10. T");
}

}  // namespace
}  // namespace slotscape
