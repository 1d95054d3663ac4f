#include "app/cli/lesson_command.hpp"

#include "app/base/encoding.hpp"
#include "app/base/option_text.hpp"
#include "app/base/text.hpp"
#include "app/recording/format.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <limits>

namespace slotscape {
namespace {

constexpr std::uint64_t max_pages = 10'000;

std::optional<std::uint64_t> read_number(std::string_view option, std::string const& text, std::uint64_t low,
                                         std::uint64_t high)
{
  if (text.empty()) { return std::nullopt; }
  std::uint64_t number = 0;
  read_whole(option, text, low, high, number);
  return number;
}

}  // namespace

LessonCommand::LessonCommand(CLI::App& app)
    : lesson_(app.add_subcommand("lesson", "work through a lesson; without a name, list the lessons")),
      lecture_(app.add_subcommand("lecture", "show lessons, playlists and scenarios to an audience")),
      export_(lesson_->add_subcommand("export", "write lessons as pages for browsers and courses")),
      grade_(lesson_->add_subcommand("grade", "compute points from answers that pages saved"))
{
  add_common(*lesson_);
  add_common(*lecture_);
  lesson_->add_option("NAME", files, "a lesson's file, or the name or number of one that comes with the program");
  lesson_->add_flag("--check", check, "try every page out, and say what is wrong");
  add_export();
  add_grade();
  lecture_->add_option("FILE", files, "lessons, playlists and scenarios, in this order");
}

void LessonCommand::add_export()
{
  export_->fallthrough();
  export_->add_option("NAME", files, "the lesson; with several, a page leads to theirs");
  export_->add_flag("--all", all, "every lesson that comes with the program");
  export_
      ->add_option("--web", typed_.web,
                   "the folder to write pages into: each is one file that needs no other; or that file")
      ->type_name("DIR or FILE.html");
  export_->add_option("--scorm", typed_.package, "the SCORM 1.2 package to write, for a course")->type_name("FILE.zip");
  export_->add_option("--pass", typed_.pass, "the percentage of points that passes")->type_name("PERCENT");
  export_->add_flag("--xapi", xapi, "report to the record store that the page is launched with");
}

void LessonCommand::add_grade()
{
  grade_->fallthrough();
  grade_->add_option("FILE", typed_.answers, "answers that pages saved");
  grade_->add_option("--csv", typed_.csv, "the table to write")->type_name("FILE.csv");
}

void LessonCommand::add_common(CLI::App& command)
{
  command.fallthrough();
  command.add_option("--page", typed_.page, "the page to begin with; offscreen, the only one")->type_name("N");
  command.add_option("--variant", typed_.variant, "which variant of its questions")->type_name("SEED");
  command.add_flag("--headless", headless, "draw offscreen, without a window");
  command.add_option("--record", typed_.record, "write every page into a folder, as numbered PNGs")->type_name("DIR");
  command.add_flag("--solved", solved, "record the pages with their tasks solved");
}

CLI::App const* LessonCommand::given() const
{
  if (lesson_->parsed()) { return lesson_; }
  return lecture_->parsed() ? lecture_ : nullptr;
}

bool LessonCommand::web_is_page() const
{
  return lower_case(web.extension().string()) == ".html";
}

void LessonCommand::interpret_export()
{
  constexpr std::uint64_t most = 100;
  web = typed_.web;
  package = typed_.package;
  if (auto const number = read_number("--pass", typed_.pass, 0, most)) { pass = static_cast<std::uint32_t>(*number); }
  if (web.empty() && package.empty()) {
    throw Error(tr("lesson export needs a place to write to: add --web DIR or --scorm FILE.zip"));
  }
  if (files.empty() && !all) { throw Error(tr("which lesson? 'slotscape lesson' lists them all")); }
  if (!files.empty() && all) { throw Error(tr("--all exports every lesson: leave the names out")); }
  if (web_is_page() && (all || files.size() > 1)) {
    throw Error(tr("--web: a page holds one lesson; name a folder for several"));
  }
  if (!package.empty() && lower_case(path_text(package.extension())) != ".zip") {
    throw Error(
        tr("--scorm: a package is a .zip file, but {} is not; name it FILE.zip", path_text(package.filename())));
  }
  if (pass && package.empty() && !xapi) {
    throw Error(tr("--pass is for a course or a record store: use it together with --scorm or --xapi"));
  }
  if (!package.empty() && (all || files.size() > 1)) {
    throw Error(tr("--scorm: a package holds one lesson; name just one"));
  }
}

void LessonCommand::interpret()
{
  lecture = lecture_->parsed();
  if (auto const number = read_number("--page", typed_.page, 1, max_pages)) { page = *number - 1; }
  variant = read_number("--variant", typed_.variant, 0, std::numeric_limits<std::uint64_t>::max());
  record = typed_.record;
  exports = export_->parsed();
  grades = grade_->parsed();
  answers.assign(typed_.answers.begin(), typed_.answers.end());
  csv = typed_.csv;
  if (grades && answers.empty()) { throw Error(tr("lesson grade needs answers: slotscape lesson grade FILE...")); }
  if (exports) { return interpret_export(); }
  if (lecture && files.empty()) { throw Error(tr("lecture needs something to show: slotscape lecture FILE...")); }
  if (!lecture && files.size() > 1) { throw Error(tr("lesson takes one lesson; 'slotscape lecture' shows several")); }
  bool const draws = !record.empty();
  if (headless && !draws && !check) { throw Error(tr("--headless needs something to write: add --record DIR")); }
  if (film_format_of(record)) {
    throw Error(tr("--record: pages are saved as pictures, not as a film: name a folder"));
  }
  if (draws && !headless) { throw Error(tr("--record needs --headless: pages are recorded offscreen")); }
  if (solved && !draws) { throw Error(tr("--solved is for recorded pages: add --headless --record DIR")); }
  if ((check || draws) && files.empty()) { throw Error(tr("which lesson? 'slotscape lesson' lists them all")); }
}

}  // namespace slotscape
