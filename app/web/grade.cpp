#include "app/web/grade.hpp"

#include "app/base/alike.hpp"
#include "app/base/encoding.hpp"
#include "app/base/files.hpp"
#include "app/base/text.hpp"
#include "app/languages/languages.hpp"
#include "app/web/export.hpp"
#include "app/web/page_lesson.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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
  if (is_device_or_pipe(file)) { throw Error(tr("it is a device or a pipe, not a file of answers saved by a page.")); }
  std::uintmax_t const bytes = fs::file_size(file, unreadable);
  if (!unreadable && bytes > max_file_bytes) {
    throw Error(tr("it is too large for a file of answers saved by a page."));
  }
  return read_input_file(file);
}

int sum_of(std::vector<int> const& points)
{
  return std::accumulate(points.begin(), points.end(), 0);
}

/// A student's text for a CSV file that a spreadsheet opens: it must not become a formula, and must stay in one cell
/// even if semicolons separate cells, too.
std::string plain_in_csv(std::string const& text)
{
  bool const begins_formula = !text.empty() && std::string_view("=+-@").find(text.front()) != std::string_view::npos;
  std::string const cell = in_csv(begins_formula ? "'" + text : text);
  bool const is_open = cell.find(';') != std::string::npos && !cell.starts_with('"');
  return is_open ? fmt::format("\"{}\"", cell) : cell;
}

/// Untrusted text restricted to one line, without terminal control characters.
std::string one_line(std::string_view raw)
{
  std::string text = printable(raw);
  std::ranges::replace_if(
      text, [](char character) { return character == '\n' || character == '\t'; }, ' ');
  return text;
}

bool begins_letter(char byte)
{
  return (static_cast<unsigned char>(byte) & 0xc0u) != 0x80u;
}

/// The text, cut to at most `most` letters.
std::string shortened_text(std::string const& text, std::size_t most)
{
  std::size_t letters = 0;
  std::size_t end = 0;  // end of the letters that fit, except the last
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!begins_letter(text[at])) { continue; }
    if (letters + 1 == most) { end = at; }
    if (++letters > most) { return text.substr(0, end) + "…"; }
  }
  return text;
}

/// Remarks on students who answered the same lesson in several files, because a sum of points would count them twice.
void remark_on_repeats(std::vector<Graded>& grades)
{
  std::map<std::pair<std::string, std::string>, std::vector<Graded*>> handed_in;  // answers by student and lesson
  for (Graded& each : grades) {
    std::string const student = look_of(each.student);
    if (!student.empty() && !each.points.empty()) { handed_in[{student, each.lesson}].push_back(&each); }
  }
  for (auto const& [what, files] : handed_in) {
    if (files.size() == 1) { continue; }
    Graded const& best = **std::ranges::max_element(files, {}, [](Graded const* each) { return sum_of(each->points); });
    for (Graded* const each : files) {
      if (!each->remark.empty()) { each->remark += "; "; }
      each->remark += tr("handed in {} times, with the most points in {}", files.size(), best.file);
    }
  }
}

/// Whether the lesson has a page, in its present version, that can make this request.
bool is_of_page(JsonNode const& request, lessons::Session const& session)
try {
  constexpr std::array<std::string_view, 11> others{"restart", "another", "hint", "answer", "keys", "change",
                                                    "set",     "rehash",  "step", "trace",  "leave"};
  lessons::Page const& page = session.page();
  auto const is_below = [&](char const* field, std::size_t count) { return request.at(field).whole_number() < count; };
  std::string const what = request.at("do").text();
  if (what == "go_to") { return is_below("page", session.count()); }
  if (what == "press") { return is_below("button", page.buttons.size()); }
  if (what == "choose") {
    auto const* choice = page.task ? std::get_if<lessons::Choice>(&page.task->of) : nullptr;
    return is_below("option", choice == nullptr ? 0 : choice->options.size());
  }
  return std::ranges::find(others, what) != others.end();
} catch (Error const&) {
  return false;  // the request is malformed and belongs to no page
}

/// The page's language. Must be one of the program's own: an untrusted file must not name other files.
std::string language_of(JsonNode const& answers)
{
  auto const language = answers.find("language");
  if (!language) { return std::string(source_language); }
  std::string code = language->text();
  if (!is_language(code)) { language->fail(tr("there is no language '{}'", printable(code))); }
  return code;
}

}  // namespace

Json const& Grader::data_of(JsonNode const& lesson, std::string const& language)
{
  std::string const name = lesson.text();
  std::pair const key{language, name};
  auto const found = data_.find(key);
  if (found != data_.end()) { return found->second; }
  fs::path const file = library_.find(path_of_text(name).filename().string());
  std::error_code unreadable;
  if (path_of_text(name).has_parent_path() || !fs::is_regular_file(file, unreadable)) {
    lesson.fail(tr("there is no lesson '{}' here: grade in the folder of its file", printable(name)));
  }
  static_cast<void>(lessons::read_lesson(scenes_, file, library_.finder()));  // reports errors in its own language
  InLanguage const as_answered(language);
  lessons::Lesson const read = lessons::read_lesson(scenes_, file, library_.finder());
  auto const leave_out = [](std::size_t) { return RecordedPage{.text = "Recorded."}; };
  return data_.emplace(key, page_data(scenes_, read, library_.finder(), leave_out)).first->second;
}

void Grader::go_through(JsonNode const& answers, Graded& graded)
{
  std::string const language = language_of(answers);
  Json const& data = data_of(answers.at("lesson"), language);
  lessons::Progress progress;
  progress.seed = *graded.seed;
  std::unique_ptr<PageLesson> page;
  std::size_t unknown = 0;
  auto const end = std::chrono::steady_clock::now() + time_;
  Progress const work([end](Progress const&) { return std::chrono::steady_clock::now() <= end; });
  for (JsonNode const& request : answers.at("requests").elements()) {
    if (names_file(request.json())) { request.fail("a page has no other files"); }
    bool const opens = request.at("do").text() == "open";
    if (!opens && page == nullptr) { request.fail("the page must be opened first"); }
    if (!opens && !is_of_page(request, page->session())) {
      ++unknown;
      continue;
    }
    try {
      InLanguage const as_answered(language);
      work.require();
      if (opens) {
        page = std::make_unique<PageLesson>(data.at("lesson"), graded.lesson, progress, work);
      } else {
        page->ask(request.json());
      }
    } catch (Cancelled const&) {
      request.fail("it takes too long: these are more requests than a page can make");
    }
    progress = page->session().progress();
  }
  if (page == nullptr) { answers.at("requests").fail("it is empty"); }
  graded.points = progress.points;
  graded.possible = page->session().points_possible();
  auto const said = static_cast<int>(answers.at("points").whole_number(0, 1'000'000));
  std::vector<std::string> odd;
  if (answers.at("edition").text() != data.at("edition").get<std::string>()) {
    odd.push_back(tr("answered in another edition of the lesson"));
  }
  if (unknown != 0) {
    odd.push_back(tr_plural("{} request does not occur in the lesson", "{} requests do not occur in the lesson",
                            unknown, unknown));
  }
  if (said != sum_of(graded.points)) { odd.push_back(tr("the file says {}", lessons::points_text(said))); }
  graded.remark = fmt::format("{}", fmt::join(odd, "; "));
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
    go_through(answers, graded);
  } catch (Error const& error) {
    graded.points.clear();
    graded.remark = one_line(tr("not graded: {}", error.what()));
  }
  return graded;
}

std::vector<Graded> Grader::grade(std::vector<fs::path> const& files)
{
  std::vector<Graded> grades;
  grades.reserve(files.size());
  for (fs::path const& file : files) { grades.push_back(grade(file)); }
  remark_on_repeats(grades);
  return grades;
}

std::string grades_csv(std::vector<Graded> const& grades)
{
  std::string text = "file,student,lesson,seed,points,possible,points_of_pages,remark\n";
  for (Graded const& each : grades) {
    bool const is_graded = !each.points.empty();
    text += fmt::format("{},{},{},{},{},{},{},{}\n", plain_in_csv(each.file), plain_in_csv(each.student),
                        plain_in_csv(each.lesson), each.seed ? std::to_string(*each.seed) : "",
                        is_graded ? std::to_string(sum_of(each.points)) : "",
                        is_graded ? std::to_string(each.possible) : "", fmt::join(each.points, " "),
                        plain_in_csv(each.remark));
  }
  return text;
}

std::string grades_text(std::vector<Graded> const& grades)
{
  constexpr std::size_t columns = 4;
  constexpr std::size_t most_in_column = 32;  // letters
  constexpr std::size_t most_in_remark = 240;
  using Row = std::array<std::string, columns>;
  std::vector<Row> rows{{tr("file"), tr("student"), tr("lesson"), tr("points")}};
  rows.reserve(grades.size() + 1);
  for (Graded const& each : grades) {
    std::string points = each.points.empty() ? "-" : tr("{} of {}", sum_of(each.points), each.possible);
    if (!each.remark.empty()) { points += fmt::format("  ({})", shortened_text(each.remark, most_in_remark)); }
    rows.push_back({shortened_text(each.file, most_in_column), shortened_text(each.student, most_in_column),
                    shortened_text(each.lesson, most_in_column), std::move(points)});
  }
  auto const width = [&](std::size_t column) {
    std::size_t widest = 0;
    for (Row const& row : rows) { widest = std::max(widest, columns_of_terminal(row[column])); }
    return widest;
  };
  std::string text;
  for (Row const& row : rows) {
    for (std::size_t i = 0; i + 1 < columns; ++i) {
      text += row[i] + std::string(width(i) - columns_of_terminal(row[i]) + 2, ' ');
    }
    text += row.back() + "\n";
  }
  return text;
}

}  // namespace slotscape::web
