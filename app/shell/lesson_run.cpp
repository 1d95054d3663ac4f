// `slotscape lesson` and `slotscape lecture` without a window.

#include "app/base/encoding.hpp"
#include "app/base/files.hpp"
#include "app/base/scenario_files.hpp"
#include "app/base/text.hpp"
#include "app/lessons/check.hpp"
#include "app/registry/scenes.hpp"
#include "app/shell/app.hpp"
#include "app/shell/run.hpp"
#include "app/shell/settings_file.hpp"
#include "app/web/export.hpp"
#include "app/web/grade.hpp"
#include "app/web/package.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/execution/backend.hpp"

#include <fmt/format.h>
#include <glad/gl.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace slotscape {
namespace {

constexpr double lesson_frame_seconds = 1.0 / 60.0;
constexpr int frames_at_rest = 40;  ///< until all motion ends, for example of a camera
constexpr std::uint64_t usual_variant = 1;
constexpr int recorded_width = 1080;  ///< of the window in which an exported page's scene is recorded
constexpr int recorded_height = 640;

lessons::Library library()
{
  return lessons::Library(scenario_folders(this_executable()));
}

void list_lessons()
{
  auto const all = library().lessons();
  if (all.empty()) { throw Error(tr("no lessons are installed: they belong in share/slotscape/lessons")); }
  for (lessons::Listed const& each : all) {
    fmt::print("{:<28} {}\n{:<28} {}\n", each.name, numbered_title(each), "", each.about);
  }
}

/// The number of variants in which a page is answered, and in which it is begun.
struct Tried {
  std::uint64_t answered;
  std::uint64_t begun;
};
constexpr Tried of_check{8, 64};
constexpr Tried of_export{1, 8};  ///< for a check of a few seconds

/// Draws pages offscreen, letting each one come to rest.
class Offscreen {
public:
  Offscreen(Options const& options, lessons::Lesson lesson)
      : lesson_(*options.lesson),
        app_(gl::open_offscreen({options.width, options.height}), options, settings_for(options),
             first_scenario(lesson))
  {
    app_.let_errors_out();
    app_.lesson_view().draw_sheets();
    app_.hide_notices();
    bool const is_drawn = lesson_.variant || app_.lessons().knows_variant_of(lesson);
    app_.lessons().start(std::move(lesson), {.page = lesson_.page.value_or(0),
                                             .seed = is_drawn ? lesson_.variant : usual_variant,
                                             .lecture = lesson_.lecture});
  }

  /// The faults of each page, in the requested variant, or in the first of many that shows them.
  std::vector<std::string> problems(Tried const& tried)
  {
    std::vector<std::string> all;
    std::size_t const first = lesson_.page.value_or(0);
    std::size_t const end = lesson_.page ? first + 1 : session().count();
    lessons::Lesson const lesson = session().lesson();
    for (std::size_t page = first; page < end; ++page) {
      std::ranges::move(problems_of(lesson, page, tried), std::back_inserter(all));
    }
    return all;
  }
  int check()
  {
    std::vector<std::string> const all = problems(of_check);
    for (std::string const& problem : all) { fmt::print("{}\n", problem); }
    if (all.empty()) {
      std::size_t const pages = session().count();
      fmt::print("{}: nothing is wrong with its {} {}\n", session().lesson().name, pages,
                 pages == 1 ? "page" : "pages");
    }
    return all.empty() ? 0 : 1;
  }

  void record()
  {
    check_writable_folder(lesson_.record);
    int pictures = 0;
    for_each_page([&] {
      settle();
      if (lesson_.solved && session().page().task) {
        session().solve(app_.current_scene());
        settle();
      }
      auto const file = [&](std::string_view what) {
        return lesson_.record / fmt::format("page_{:02}{}.png", session().number() + 1, what);
      };
      gl::write_png(file(""), app_.screen().picture());
      ++pictures;
      if (!lesson_.lecture) { return; }
      gl::write_png(file("_notes"), app_.lecture().picture_of_notes());
      ++pictures;
    });
    fmt::print("pages      {} ({} pictures)\nvariant    {}\n", lesson_.record.string(), pictures,
               session().progress().seed);
  }

  /// Records the scene of one page and its texts.
  web::RecordedPage record_page(std::size_t number)
  {
    session().go_to(number);
    settle();
    lessons::Page const& page = session().page();
    web::RecordedPage recorded{.text = session().text(),
                               .picture = gl::png_of(app_.screen().picture_of(app_.current_scene().canvas())),
                               .statistics = session().statistics(),
                               .shows_numbers = page.panels.numbers,
                               .device = device()};
    if (!page.task) { return recorded; }
    recorded.question = lessons::fill_in(page.task->ask, session().names());
    if (auto const* choice = std::get_if<lessons::Choice>(&page.task->of)) {
      for (lessons::Option const& option : choice->options) {
        recorded.question += "\n- " + lessons::fill_in(option.text, session().names());
      }
    }
    session().solve(app_.current_scene());
    settle();
    recorded.answer = session().task().told;
    return recorded;
  }

private:
  /// Recorded pages show the same numbers as the window, whose settings store a lesson's variant, and whether similar
  /// questions followed a question.
  static UserSettings settings_for(Options const& options)
  {
    UserSettings settings;
    if (options.lesson->record.empty()) { return settings; }
    for (lessons::Progress const& each : load_progress(settings_path(options.config))) {
      lessons::Progress& begun = settings.lessons.emplace_back();
      begun.lesson = each.lesson;
      begun.seed = each.seed;
      begun.others = each.others;
    }
    return settings;
  }

  /// The scene's device. Scenes without tables name none, because they run on the CPU.
  std::string device()
  {
    for (char const* const place : {"device", "tables/0/device"}) {
      if (auto const found = lessons::find_statistic(session().statistics(), place)) {
        return lessons::to_text(*found);
      }
    }
    auto const devices = list_devices();
    return std::ranges::find(devices, Backend::cpu, &DeviceInfo::backend)->name;
  }

  static Scenario first_scenario(lessons::Lesson const& lesson)
  {
    return lessons::open_page(scenes(), lesson.pages.front(), usual_variant, library().finder()).scenario;
  }

  lessons::Session& session() { return *app_.lessons().session(); }
  lessons::Stage stage(double seconds)
  {
    return {[this]() -> Scene& { return app_.current_scene(); },
            [this, seconds] {
              app_.frame(seconds);
              app_.current_scene().finish_steps({});
            }};
  }
  void settle()
  {
    lessons::play_out(session(), stage(1.0));
    auto const frames = stage(lesson_frame_seconds);
    for (int frame = 0; frame < frames_at_rest; ++frame) { frames.frame(); }
  }

  std::vector<std::string> problems_of(lessons::Lesson const& lesson, std::size_t page, Tried const& tried)
  {
    std::uint64_t const first = lesson_.variant.value_or(usual_variant);
    std::uint64_t last = first;
    for (std::uint64_t variant = first; variant <= last; ++variant) {
      std::string const where = variant == usual_variant ? "" : fmt::format("variant {}: ", variant);
      try {
        app_.lessons().start(lesson, {.page = page, .seed = variant, .lecture = lesson_.lecture});
        if (session().page().varies && !lesson_.variant) { last = tried.begun; }
        auto const depth = variant < first + tried.answered ? lessons::Depth::whole : lessons::Depth::start;
        std::vector<std::string> found = lessons::check_page(session(), stage(1.0), depth);
        for (std::string& problem : found) { problem.insert(0, where); }
        if (!found.empty()) { return found; }
      } catch (Error const& error) {
        return {where + error.what()};
      }
    }
    return {};
  }

  template <class Work>
  void for_each_page(Work work)
  {
    std::size_t const first = session().number();
    std::size_t const last = lesson_.page ? first + 1 : session().count();
    for (std::size_t page = first; page < last; ++page) {
      if (page != first) { session().go_to(page); }
      work();
    }
  }

  LessonCommand const& lesson_;
  App app_;
};

/// Runs the window's scenes offscreen if a page must be recorded.
web::ExportedLesson exported(Options const& options, lessons::Lesson const& lesson, std::filesystem::path const& module,
                             web::PageOptions const& pages)
{
  Options of_pictures = options;
  of_pictures.width = recorded_width;
  of_pictures.height = recorded_height;
  std::optional<Offscreen> offscreen;
  return web::export_lesson(
      scenes(), lesson, library().finder(), module,
      [&](std::size_t page) {
        if (!offscreen) { offscreen.emplace(of_pictures, lesson); }
        return offscreen->record_page(page);
      },
      pages);
}

/// Readers of an exported page cannot ask its author, so problems found by `--check` are reported first.
void warn_of_problems(Options const& options, lessons::Lesson const& lesson)
{
  try {
    for (std::string const& problem : Offscreen(options, lesson).problems(of_export)) {
      fmt::print(stderr, "slotscape: warning: {}\n", problem);
    }
  } catch (Error const& error) {
    fmt::print(stderr, "slotscape: {}\n", tr("{} could not be checked: {}", lesson.name, error.what()));
  }
}

void write_exported(std::string_view what, std::filesystem::path const& file, std::string_view content)
{
  write_text_file(file, content);
  fmt::print("{:<10} {} ({})\n", what, path_text(file), bytes_text(content.size()));
}

void say_recorded(web::ExportedLesson const& lesson)
{
  std::map<std::string, std::vector<std::string>> pages;  // by the reason why they cannot run in a browser
  for (auto const& [page, why] : lesson.recorded) { pages[why].push_back(std::to_string(page + 1)); }
  for (auto const& [why, numbers] : pages) {
    fmt::print("           {}\n", tr_plural("page {} is recorded, because {}", "pages {} are recorded, because {}",
                                            numbers.size(), listed(numbers, tr("and")), why));
  }
}

void export_lessons(Options const& options)
{
  LessonCommand const& command = *options.lesson;
  web::PageOptions const pages{.xapi = command.xapi, .pass = command.pass};
  std::filesystem::path const module = web::module_file(this_executable());  // before any output; may throw
  if (command.web_is_page()) {
    claim_output(command.web);
  } else if (!command.web.empty()) {
    check_writable_folder(command.web);
  }
  if (!command.package.empty()) { claim_output(command.package); }
  std::vector<std::filesystem::path> files;
  for (std::string const& name : command.files) { files.push_back(library().find(name)); }
  std::vector<lessons::Listed> const of_program = library().lessons();
  if (command.all) {
    for (lessons::Listed const& each : of_program) { files.push_back(each.file); }
  }
  std::set<std::string> names;
  if (files.size() > 1) { names.insert("index"); }
  std::vector<web::ExportedLesson> written;
  for (std::filesystem::path const& file : files) {
    lessons::Lesson const lesson = lessons::read_lesson(scenes(), file, library().finder(), command.reach);
    bool const is_tested = std::ranges::find(of_program, file, &lessons::Listed::file) != of_program.end();
    if (!is_tested) { warn_of_problems(options, lesson); }
    web::ExportedLesson& each = written.emplace_back(exported(options, lesson, module, pages));
    if (!names.insert(each.name).second) {
      throw Error(tr("{}: two lessons would be written to {}.html: export this one into a folder of its own.",
                     path_text(file), each.name));
    }
    auto const page = command.web_is_page() ? command.web : command.web / (each.name + ".html");
    if (!command.web.empty()) { write_exported("page", page, each.page); }
    if (!command.package.empty()) { write_exported("package", command.package, web::course_package(each)); }
    say_recorded(each);
    each.page = {};
  }
  if (written.size() > 1) { write_exported("index", command.web / "index.html", web::index_page(written)); }
}

/// Returns 1 if a file could not be graded.
int grade(LessonCommand const& command)
{
  std::vector<web::Graded> const grades = web::Grader(scenes(), library()).grade(command.answers);
  if (!command.csv.empty()) {
    claim_output(command.csv);
    write_text_file(command.csv, web::grades_csv(grades));
  }
  fmt::print("{}", web::grades_text(grades));
  bool const all = std::ranges::none_of(grades, [](web::Graded const& each) { return each.points.empty(); });
  return all ? 0 : 1;
}

}  // namespace

lessons::Lesson read_lessons(LessonCommand const& command)
{
  lessons::Library const all = library();
  std::vector<lessons::Lesson> lessons;
  for (std::string const& name : command.files) {
    lessons.push_back(lessons::read_lesson(scenes(), all.find(name), all.finder(), command.reach));
  }
  return lessons::joined(std::move(lessons));
}

void check_page_of(LessonCommand const& command, lessons::Lesson const& lesson)
{
  if (command.page && *command.page >= lesson.pages.size()) {
    throw Error(tr("--page: there is no page {}; the last one is {}", *command.page + 1, lesson.pages.size()));
  }
}

bool lesson_files_exist(LessonCommand const& command)
{
  lessons::Library const all = library();
  return std::ranges::all_of(command.files, [&](std::string const& name) {
    std::error_code unreadable;
    return std::filesystem::is_regular_file(all.find(name), unreadable);
  });
}

int run_lesson(Options const& options)
{
  LessonCommand const& command = *options.lesson;
  if (command.grades) { return grade(command); }
  if (command.exports) {
    export_lessons(options);
    return 0;
  }
  if (command.files.empty()) {
    list_lessons();
    return 0;
  }
  if (!command.headless && !command.check) {
    run_window(options);
    return 0;
  }
  lessons::Lesson lesson = read_lessons(command);
  check_page_of(command, lesson);
  Offscreen offscreen(options, std::move(lesson));
  int const status = command.check ? offscreen.check() : 0;
  if (!command.record.empty()) { offscreen.record(); }
  return status;
}

}  // namespace slotscape
