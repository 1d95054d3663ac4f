#include "app/shell/lesson_host.hpp"

#include "app/base/encoding.hpp"
#include "app/base/files.hpp"
#include "app/base/scenario_files.hpp"
#include "app/languages/languages.hpp"
#include "app/registry/scenes.hpp"
#include "app/widgets/labels.hpp"
#include "app/widgets/sides.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <random>
#include <utility>
#include <variant>

namespace slotscape {
namespace {

constexpr std::string_view lessons_menu = "Lessons";
constexpr std::string_view lessons_group = "LESSONS";
constexpr double lesson_retried_every_seconds = 1.0;
constexpr std::uint64_t smallest_seed = 1;
constexpr std::uint64_t largest_seed = 999'999;  ///< short enough to pass on

std::string broken_text(std::string const& error)
{
  return tr("The lesson cannot be shown yet. It begins as soon as its file is corrected.\n{}", error);
}

std::uint64_t seed_of_student()
{
  std::random_device device;
  return std::uniform_int_distribution<std::uint64_t>(smallest_seed, largest_seed)(device);
}

/// Shows the wanted panels, but keeps the user's panel widths.
void show_only(Panels const& wanted, Panels& panels)
{
  SideWidths const widths = panels.widths;
  panels = wanted;
  panels.widths = widths;
}

}  // namespace

LessonHost::LessonHost(SceneHost& scenes, UserSettings& settings, Panels& panels, Toasts& toasts, Attempts& attempts)
    : scenes_(scenes),
      settings_(settings),
      panels_(panels),
      toasts_(toasts),
      attempts_(attempts),
      library_(scenario_folders(this_executable())),
      said_in_(catalogue_in_use())
{
}

std::vector<lessons::Listed> const& LessonHost::list()
{
  if (!listed_) { listed_ = library_.lessons(); }
  return *listed_;
}

lessons::Progress LessonHost::progress_of(std::string const& name) const
{
  bool const on = lesson_ && lesson_->session.progress().lesson == name;
  return on ? lesson_->session.progress() : find_progress(settings_.lessons, name);
}

std::string LessonHost::kept_as(lessons::Lesson const& lesson) const
{
  if (lesson.files.empty()) { return lesson.name; }
  std::filesystem::path const& file = lesson.files.front();
  std::error_code failure;
  bool const is_ours = std::filesystem::equivalent(library_.find(lesson.name), file, failure);
  return is_ours ? lesson.name : path_text(std::filesystem::weakly_canonical(file, failure));
}

void LessonHost::keep_progress(UserSettings& settings) const
{
  if (lesson_) { keep(lesson_->session.progress(), settings.lessons); }
}

void LessonHost::start(lessons::Lesson lesson, LessonStart const& start)
{
  lessons::Progress progress = progress_of(kept_as(lesson));
  if (progress.seed == 0) { progress.seed = seed_of_student(); }
  if (start.seed) {
    progress.seed = *start.seed;
    progress.others.clear();
    progress.shown.clear();
  }
  if (start.page || start.lecture) { progress.page = start.page.value_or(0); }
  lessons::Session session(scenes(), library_.finder(), std::move(lesson), std::move(progress));
  bool const replaces = lesson_.has_value();
  if (replaces) {
    keep_progress(settings_);
  } else {
    settings_.panels = panels_;
    scenes_.begin_pages();
  }
  lesson_ = ShownLesson{std::move(session), start.lecture};
  for (auto const& use : started_) { use(replaces); }
  broken_lesson_.reset();
}

void LessonHost::open(std::filesystem::path const& file, Reach reach)
{
  start(lessons::read_lesson(scenes(), file, library_.finder(), reach));
}

void LessonHost::start_tour()
{
  Paths const files = library_.tour();
  if (files.empty()) { throw Error(tr("The tour is not installed: its scenarios belong in share/slotscape/tour.")); }
  start(lessons::lesson_of_scenarios(scenes(), "Tour", files, library_.finder()), {.page = 0});
}

/// Starts at the first page if the lesson was finished before.
void LessonHost::start_next()
{
  auto const* const after = lessons::lesson_after(list(), lesson_->session.lesson());
  if (after == nullptr) { return; }
  lessons::Lesson next = lessons::read_lesson(scenes(), after->file, library_.finder());
  lessons::Progress const progress = progress_of(next.name);
  bool const finished = progress.page + 1 >= next.pages.size();
  start(std::move(next), finished ? LessonStart{.page = 0} : LessonStart{});
}

void LessonHost::await(std::function<lessons::Lesson()> read, LessonStart const& start, std::string const& error)
{
  toasts_.error(broken_text(error));
  broken_lesson_ = BrokenLesson{std::move(read), start, error, lesson_retried_every_seconds};
}

void LessonHost::retry(double elapsed_seconds)
{
  if (!broken_lesson_) { return; }
  broken_lesson_->until_retried -= elapsed_seconds;
  if (broken_lesson_->until_retried > 0.0) { return; }
  broken_lesson_->until_retried = lesson_retried_every_seconds;
  try {
    start(broken_lesson_->read(), broken_lesson_->start);
    toasts_.dismiss_all();
  } catch (Error const& error) {
    if (std::exchange(broken_lesson_->error, error.what()) == error.what()) { return; }
    toasts_.dismiss_all();
    toasts_.error(broken_text(error.what()));
  }
}

void LessonHost::end()
{
  if (!lesson_) { return; }
  keep_progress(settings_);
  toasts_.dismiss_scene_notice();
  scenes_.end_pages();
  show_only(settings_.panels, panels_);
  lesson_.reset();
}

void LessonHost::close()
{
  if (lesson_) { return end(); }
  scenes_.close_words();
}

void LessonHost::enter_own(Scenario const& scenario)
{
  if (!lesson_) { return scenes_.enter(scenario); }
  auto fresh = scenes_.make(scenario);
  std::string const title = lesson_->session.lesson().title;
  end();
  scenes_.replace(scenario, std::move(fresh));
  toasts_.notice(tr("'{}' is closed. When you open it again, it continues where you left off.", title));
}

lessons::LessonWords const& LessonHost::words()
{
  lessons::Session const& session = lesson_->session;
  bool const is_new_page = std::exchange(lesson_->named_visit, session.visit()) != session.visit();
  std::string const& title = session.lesson().title;
  bool const is_in_other_words = std::exchange(lesson_->named_title, title) != title;
  if (is_new_page || is_in_other_words) {
    lesson_->words = lessons::words_of(list(), session.lesson(), session.number());
  }
  return lesson_->words;
}

void LessonHost::wish(lessons::Wish wish)
{
  if (lesson_) { lesson_->wishes.push_back(std::move(wish)); }
}

void LessonHost::go_on()
{
  if (!lesson_) { return; }
  if (lesson_->session.has_next()) {
    wish([](lessons::Session& each) { each.go_to(each.number() + 1); });
  } else if (!lesson_->lecture && !words().next.empty()) {
    start_next();
  }
}

void LessonHost::go_back()
{
  if (!lesson_ || !lesson_->session.has_previous()) { return; }
  wish([](lessons::Session& each) { each.go_to(each.number() - 1); });
}

bool LessonHost::lets(Command const& command)
{
  if (!lesson_ || lesson_->session.is_tour() || command.on_question == OnQuestion::leaves) { return true; }
  lessons::Session const& session = lesson_->session;
  if (lecturing() && session.asks()) {
    toasts_.scene_notice(
        tr("Nothing changed: the question is open. Page Down shows the answer, Esc leaves the lecture."));
    return false;
  }
  bool const drops_keys = command.on_question == OnQuestion::drops_keys;
  auto const& task = session.page().task;
  bool const has_question = task && !std::holds_alternative<lessons::Challenge>(task->of);
  bool const is_refused = !command.menu.empty() && (drops_keys ? has_question : session.asks());
  std::string const name = translated(command.label_now ? command.label_now() : command.label);
  if (is_refused) {
    toasts_.scene_notice(
        tr("Nothing changed: on a page with a question, '{}' is only in the menu {}.", name, translated(command.menu)));
  } else if (drops_keys) {
    toasts_.scene_notice(tr("{}: done. Ctrl+Z undoes it.", name));
  }
  return !is_refused;
}

bool LessonHost::follow(double elapsed_seconds)
{
  retry(elapsed_seconds);
  if (!lesson_) { return false; }
  lessons::Session& session = lesson_->session;
  for (lessons::Wish const& wish : std::exchange(lesson_->wishes, {})) { wish(session); }
  lesson_->broken = session.watch(elapsed_seconds);
  session.follow(scenes_.scene(), elapsed_seconds);
  auto const scenario = session.take_scenario();
  if (!scenario) { return false; }
  show_page(*scenario);
  return true;
}

void LessonHost::show_page(Scenario const& scenario)
{
  toasts_.dismiss_all();   // dismisses messages about the previous page
  ImGui::ClearActiveID();  // otherwise a key field would take the typed answer
  scenes_.enter_page(scenario);
  if (lesson_->session.is_tour()) { return; }
  show_only(lesson_->session.page().panels, panels_);
  scroll_sides_to_top();
}

void LessonHost::follow_language()
{
  if (std::exchange(said_in_, catalogue_in_use()) == catalogue_in_use()) { return; }
  listed_.reset();
  toasts_.dismiss_scene_notice();
}

void LessonHost::add_page_commands(std::vector<Command>& commands)
{
  commands.push_back({.menu = lessons_menu, .submenu = [this] { draw_menu(); }});
  commands.push_back({.keys = "Page Down",
                      .group = lessons_group,
                      .what = "Next page of a lesson or a tour",
                      .menu = lessons_menu,
                      .label = "Next page",
                      .divides = true,
                      .in_fields = true,
                      .run = [this] { go_on(); }});
  commands.push_back({.keys = "Page Up",
                      .group = lessons_group,
                      .what = "Previous page of a lesson or a tour",
                      .menu = lessons_menu,
                      .label = "Previous page",
                      .in_fields = true,
                      .run = [this] { go_back(); }});
  commands.push_back({.menu = lessons_menu, .label = "Restart the page", .run = [this] {
                        wish([](lessons::Session& session) { session.restart(); });
                      }});
}

void LessonHost::add_closing_commands(std::vector<Command>& commands)
{
  commands.push_back({.menu = lessons_menu, .label = "Close", .run = [this] { close(); }});
  commands.push_back({.menu = "Help", .label = "Tour", .run = [this] { start_tour(); }});
}

/// The lessons installed with the program, with the user's points.
void LessonHost::draw_menu()
{
  if (ImGui::IsWindowAppearing()) { listed_.reset(); }
  if (list().empty()) { ImGui::MenuItem(translated_label("No lessons are installed").c_str(), nullptr, false, false); }
  for (lessons::Listed const& each : list()) {
    int const points = points_of(progress_of(each.name));
    std::string const score = points == 0 ? "" : lessons::points_text(points);
    bool const on = lesson_ && lesson_->session.lesson().name == each.name;
    std::string const label = fmt::format("{}##{}", numbered_title(each), each.name);
    if (ImGui::MenuItem(label.c_str(), score.c_str(), on)) {
      attempts_.choose([this, file = each.file] { open(file); });
    }
    if (!each.about.empty() && ImGui::IsItemHovered()) { ImGui::SetTooltip("%s", each.about.c_str()); }
  }
}

}  // namespace slotscape
