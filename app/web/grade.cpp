#include "app/web/grade.hpp"

#include "app/base/encoding.hpp"
#include "app/base/files.hpp"
#include "app/base/text.hpp"
#include "app/languages/languages.hpp"
#include "app/web/export.hpp"
#include "app/web/page_lesson.hpp"
#include "gpu/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <system_error>

namespace slotscape::web {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t max_file_bytes = 4'000'000;

std::string read_answers(fs::path const& file)
{
  std::error_code unreadable;
  std::uintmax_t const bytes = fs::file_size(file, unreadable);
  if (!unreadable && bytes > max_file_bytes) { throw Error("it is too large to be answers that a page saved."); }
  return read_input_file(file);
}

int sum_of(std::vector<int> const& points)
{
  return std::accumulate(points.begin(), points.end(), 0);
}

/// A student's text in a table that a spreadsheet opens: it must be no formula there.
std::string plain_in_csv(std::string const& text)
{
  bool const begins_formula = !text.empty() && std::string_view("=+-@").find(text.front()) != std::string_view::npos;
  return in_csv(begins_formula ? "'" + text : text);
}

/// A text of a stranger's that keeps to its line of a table: without characters that control a terminal, and without
/// the semicolon that a spreadsheet may take for the end of a cell.
std::string one_line(std::string text)
{
  text = printable(std::move(text));
  for (char& character : text) {
    if (character == '\n' || character == '\t') { character = ' '; }
    if (character == ';') { character = ','; }
  }
  for (std::size_t at = 0; (at = text.find('\xc2', at)) != std::string::npos; ++at) {  // U+0080 to U+009F
    bool const controls = at + 1 < text.size() && static_cast<unsigned char>(text[at + 1]) < 0xa0;
    if (controls) { text.replace(at, 2, "?"); }
  }
  return text;
}

/// Of a page. It is one of the program's own: a stranger's file names no other file.
std::string language_of(JsonNode const& answers)
{
  auto const language = answers.find("language");
  if (!language) { return std::string(source_language); }
  std::string code = language->text();
  if (!is_language(code)) { language->fail(fmt::format("there is no language '{}' here", printable(code))); }
  return code;
}

}  // namespace

Json const& Grader::data_of(JsonNode const& lesson)
{
  std::string const name = lesson.text();
  std::pair const key{std::string(language_in_use()), name};
  auto const found = data_.find(key);
  if (found != data_.end()) { return found->second; }
  fs::path const file = library_.find(path_of_text(name).filename().string());
  std::error_code unreadable;
  if (path_of_text(name).has_parent_path() || !fs::is_regular_file(file, unreadable)) {
    lesson.fail(fmt::format("there is no lesson '{}' here: grade where its file is", printable(name)));
  }
  lessons::Lesson const read = lessons::read_lesson(scenes_, file, library_.finder());
  auto const leave_out = [](std::size_t) { return RecordedPage{.text = "Recorded."}; };
  return data_.emplace(key, page_data(scenes_, read, library_.finder(), leave_out)).first->second;
}

void Grader::go_through(JsonNode const& answers, Graded& graded)
{
  Json const& data = data_of(answers.at("lesson"));
  lessons::Progress progress;
  progress.seed = graded.seed;
  std::unique_ptr<PageLesson> page;
  auto const end = std::chrono::steady_clock::now() + time_;
  Progress const work([end](Progress const&) { return std::chrono::steady_clock::now() <= end; });
  for (JsonNode const& request : answers.at("requests").elements()) {
    if (names_file(request.json())) { request.fail("a page has no other files"); }
    bool const opens = request.at("do").text() == "open";
    if (!opens && page == nullptr) { request.fail("the page must be opened first"); }
    try {
      work.require();
      if (opens) {
        page = std::make_unique<PageLesson>(data.at("lesson"), graded.lesson, progress, work);
      } else {
        page->ask(request.json());
      }
    } catch (Cancelled const&) {
      request.fail("it takes too long: no page asks for so much");
    }
    progress = page->session().progress();
  }
  if (page == nullptr) { answers.at("requests").fail("it is empty"); }
  graded.points = progress.points;
  graded.possible = page->session().points_possible();
  std::uint64_t const said = answers.at("points").whole_number(0, 1'000'000);
  if (answers.at("edition").text() != data.at("edition").get<std::string>()) {
    graded.remark = "answered on another edition of the lesson";
  } else if (static_cast<int>(said) != sum_of(graded.points)) {
    graded.remark = fmt::format("the file says {}", lessons::points_text(static_cast<int>(said)));
  }
}

Graded Grader::grade(fs::path const& file)
{
  Graded graded{.file = one_line(path_text(file))};
  try {
    Json const json = parse_json(read_answers(file), graded.file);
    JsonNode const answers(json, graded.file);
    answers.expect_fields({"version", "lesson", "language", "edition", "student", "seed", "points", "requests"});
    answers.at("version").whole_number(1, 1);
    graded.student = one_line(answers.at("student").text());
    graded.lesson = one_line(answers.at("lesson").text());
    graded.seed = answers.at("seed").whole_number();
    InLanguage const as_answered(language_of(answers));
    go_through(answers, graded);
  } catch (Error const& error) {
    graded.points.clear();
    graded.remark = one_line(fmt::format("not graded: {}", error.what()));
  }
  return graded;
}

std::string grades_csv(std::vector<Graded> const& grades)
{
  std::string text = "file,student,lesson,seed,points,possible,points_of_pages,remark\n";
  for (Graded const& each : grades) {
    bool const is_graded = !each.points.empty();
    text += fmt::format("{},{},{},{},{},{},{},{}\n", plain_in_csv(each.file), plain_in_csv(each.student),
                        plain_in_csv(each.lesson), each.seed, is_graded ? std::to_string(sum_of(each.points)) : "",
                        is_graded ? std::to_string(each.possible) : "", fmt::join(each.points, " "),
                        plain_in_csv(each.remark));
  }
  return text;
}

std::string grades_text(std::vector<Graded> const& grades)
{
  auto const widest = [&](std::string Graded::*column, std::size_t title) {
    for (Graded const& each : grades) { title = std::max(title, (each.*column).size()); }
    return title;
  };
  std::size_t const file = widest(&Graded::file, 4);
  std::size_t const student = widest(&Graded::student, 7);
  std::size_t const lesson = widest(&Graded::lesson, 6);
  std::string text =
      fmt::format("{:<{}}  {:<{}}  {:<{}}  points\n", "file", file, "student", student, "lesson", lesson);
  for (Graded const& each : grades) {
    std::string const points = each.points.empty() ? "-" : fmt::format("{} of {}", sum_of(each.points), each.possible);
    std::string const remark = each.remark.empty() ? "" : fmt::format("  ({})", each.remark);
    text += fmt::format("{:<{}}  {:<{}}  {:<{}}  {}{}\n", each.file, file, each.student, student, each.lesson, lesson,
                        points, remark);
  }
  return text;
}

}  // namespace slotscape::web
