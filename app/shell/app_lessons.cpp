// What App does for lessons, tours and lectures.

#include "app/base/encoding.hpp"
#include "app/base/files.hpp"
#include "app/lessons/answer.hpp"
#include "app/registry/scenes.hpp"
#include "app/shell/app.hpp"
#include "app/widgets/labels.hpp"
#include "app/widgets/sides.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>
#include <glad/gl.h>
#include <imgui_internal.h>

#include <algorithm>
#include <random>
#include <utility>

namespace slotscape {
namespace {

constexpr std::string_view menu = "Lessons";
constexpr std::string_view lessons_group = "LESSONS";
constexpr float lecture_height = 720.0f;  ///< of a window at scale 1
constexpr double lesson_retried_every_seconds = 1.0;
constexpr std::uint64_t smallest_seed = 1;
constexpr std::uint64_t largest_seed = 999'999;  ///< short enough to tell others

std::string broken_text(std::string const& error)
{
  return tr("The lesson cannot be shown yet. It begins as soon as its file is right.\n{}", error);
}

std::uint64_t seed_of_student()
{
  std::random_device device;
  return std::uniform_int_distribution<std::uint64_t>(smallest_seed, largest_seed)(device);
}

}  // namespace

void App::add_lesson_commands()
{
  commands_.push_back({.menu = menu, .submenu = [this] { draw_lesson_menu(); }});
  commands_.push_back({.keys = "Page Down",
                       .group = lessons_group,
                       .what = "Next page of a lesson or a tour",
                       .menu = menu,
                       .label = "Next page",
                       .divides = true,
                       .in_fields = true,
                       .run = [this] { go_on(); }});
  commands_.push_back({.keys = "Page Up",
                       .group = lessons_group,
                       .what = "Previous page of a lesson or a tour",
                       .menu = menu,
                       .label = "Previous page",
                       .in_fields = true,
                       .run = [this] { go_back(); }});
  commands_.push_back({.menu = menu, .label = "Restart the page", .run = [this] {
                         wish_in_lesson([](lessons::Session& session) { session.restart(); });
                       }});
  commands_.push_back({.menu = menu,
                       .label = "Lecture mode",
                       .run = [this] { set_lecture(!lecturing()); },
                       .checked = [this] { return lecturing(); }});
  commands_.push_back({.keys = "Ctrl+N",
                       .group = lessons_group,
                       .what = "Window for the presenter",
                       .menu = menu,
                       .label = "Presenter's window",
                       .not_in_page = true,
                       .run = [this] { open_or_close_presenter(); },
                       .checked = [this] { return presenter_ != nullptr; }});
  commands_.push_back({.menu = menu, .label = "Save the votes…", .run = [this] { ask_where_to_save_votes(); }});
  commands_.push_back({.menu = menu, .label = "Close", .run = [this] { close_lesson(); }});
  commands_.push_back({.keys = "Ctrl+M",
                       .group = lessons_group,
                       .what = "Make a page of this table",
                       .menu = menu,
                       .label = "Make this a page…",
                       .divides = true,
                       .run = [this] { ask_for_page(); }});
  commands_.push_back({.menu = menu,
                       .label = "Export for browsers and courses…",
                       .not_in_page = true,
                       .run = [this] { export_lesson_or_stop(); },
                       .label_now =
                           [this] {
                             return lesson_export_.busy() ? translatable("Stop exporting the lesson")
                                                          : translatable("Export for browsers and courses…");
                           }});
  commands_.push_back({.menu = "Help", .label = "Tour", .run = [this] { start_tour(); }});
  lecture_commands_ = lecture_commands();
  question_commands_.push_back({.keys = "V", .run = [this] { count_votes_or_stop(); }});
  vote_commands_ = vote_commands();
  mark_commands_ = mark_commands();
}

/// The lessons that come with the program, with the user's points.
void App::draw_lesson_menu()
{
  if (ImGui::IsWindowAppearing()) { listed_.reset(); }
  if (lesson_list().empty()) {
    ImGui::MenuItem(translated_label("No lessons are installed").c_str(), nullptr, false, false);
  }
  for (lessons::Listed const& each : lesson_list()) {
    int const points = points_of(progress_of(each.name));
    std::string const score = points == 0 ? "" : lessons::points_text(points);
    bool const on = lesson_ && lesson_->session.lesson().name == each.name;
    std::string const label = fmt::format("{}##{}", numbered_title(each), each.name);
    if (ImGui::MenuItem(label.c_str(), score.c_str(), on)) {
      chosen_.emplace_back(
          [this, file = each.file] { start_lesson(lessons::read_lesson(scenes(), file, library_.finder())); });
    }
    if (!each.about.empty() && ImGui::IsItemHovered()) { ImGui::SetTooltip("%s", each.about.c_str()); }
  }
}

lessons::Progress App::progress_of(std::string const& name) const
{
  bool const on = lesson_ && lesson_->session.progress().lesson == name;
  return on ? lesson_->session.progress() : find_progress(settings_.lessons, name);
}

std::string App::kept_as(lessons::Lesson const& lesson) const
{
  if (lesson.files.empty()) { return lesson.name; }
  std::filesystem::path const& file = lesson.files.front();
  std::error_code failure;
  bool const is_ours = std::filesystem::equivalent(library_.find(lesson.name), file, failure);
  return is_ours ? lesson.name : path_text(std::filesystem::weakly_canonical(file, failure));
}

std::vector<lessons::Listed> const& App::lesson_list()
{
  if (!listed_) { listed_ = library_.lessons(); }
  return *listed_;
}

lessons::LessonWords const& App::lesson_words()
{
  lessons::Session const& session = lesson_->session;
  bool const is_new_page = std::exchange(lesson_->named_visit, session.visit()) != session.visit();
  std::string const& title = session.lesson().title;
  bool const is_in_other_words = std::exchange(lesson_->named_title, title) != title;
  if (is_new_page || is_in_other_words) {
    lesson_->words = lessons::words_of(lesson_list(), session.lesson(), session.number());
  }
  return lesson_->words;
}

/// From its first page on, if it was finished before.
void App::start_next_lesson()
{
  auto const* const after = lessons::lesson_after(lesson_list(), lesson_->session.lesson());
  if (after == nullptr) { return; }
  lessons::Lesson next = lessons::read_lesson(scenes(), after->file, library_.finder());
  lessons::Progress const progress = progress_of(next.name);
  bool const finished = progress.page + 1 >= next.pages.size();
  start_lesson(std::move(next), finished ? LessonStart{.page = 0} : LessonStart{});
}

void App::start_tour()
{
  Paths const files = library_.tour();
  if (files.empty()) { throw Error(tr("The tour is not installed: its scenarios belong in share/slotscape/tour.")); }
  start_lesson(lessons::lesson_of_scenarios(scenes(), "Tour", files, library_.finder()), {.page = 0});
}

void App::start_lesson(lessons::Lesson lesson, LessonStart const& start)
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
  if (lesson_) {
    keep(lesson_->session.progress(), settings_.lessons);
    lesson_->session = std::move(session);
    lesson_->wishes.clear();
    lesson_->broken.clear();
    lesson_->noted.reset();
    lesson_->named_visit = 0;
    lesson_->start = std::chrono::steady_clock::now();
  } else {
    settings_ = user_settings();
    lesson_ = std::make_unique<ShownLesson>(
        ShownLesson{std::move(session), {entry_, scene_->set_up(), words_}, worth_keeping(), false});
  }
  lesson_->lecture = start.lecture;
  lesson_panel_ = {};
  broken_lesson_.reset();
}

void App::end_lesson()
{
  if (!lesson_) { return; }
  keep(lesson_->session.progress(), settings_.lessons);
  toasts_.dismiss_scene_notice();
  if (lesson_->has_begun) {
    bring_back_scene(lesson_->before, std::move(lesson_->scene_before));
    left_ = std::move(lesson_->left_before);
  }
  SideWidths const widths = panels_.widths;
  panels_ = settings_.panels;
  panels_.widths = widths;
  lesson_.reset();
}

/// waited: null where it is to be made anew.
void App::bring_back_scene(Scenario const& before, std::unique_ptr<Scene> waited)
{
  if (waited) {
    use_scene(*before.scene, std::move(waited), before.words);
    return come_back();
  }
  try {
    enter(before);
  } catch (Error const&) {  // as when its memory is not there any more
    enter_remembered(*before.scene, remembered(settings_, *before.scene), Arrival::later);
  }
}

void App::wish_in_lesson(lessons::Wish wish)
{
  if (lesson_) { lesson_->wishes.push_back(std::move(wish)); }
}

bool App::lesson_lets(Command const& command)
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
        tr("Nothing changed: on a page with a question, '{}' is in the menu {} only.", name, translated(command.menu)));
  } else if (drops_keys) {
    toasts_.scene_notice(tr("{}: done. Ctrl+Z takes it back.", name));
  }
  return !is_refused;
}

bool App::answer(char character)
{
  if (!answers()) { return false; }
  std::vector<lessons::Wish> wishes;
  bool const taken = lessons::type_answer(lesson_->session, lesson_panel_, character, wishes);
  for (lessons::Wish& wish : wishes) { wish_in_lesson(std::move(wish)); }
  return taken;
}

bool App::answer_with_enter()
{
  if (!answers()) { return false; }
  std::vector<lessons::Wish> wishes;
  bool const taken = lessons::enter_answer(lesson_->session, lesson_panel_, wishes);
  for (lessons::Wish& wish : wishes) { wish_in_lesson(std::move(wish)); }
  return taken;
}

void App::await_lesson(std::function<lessons::Lesson()> read, LessonStart const& start, std::string const& error)
{
  toasts_.error(broken_text(error));
  broken_lesson_ = BrokenLesson{std::move(read), start, error, lesson_retried_every_seconds};
}

void App::retry_lesson(double elapsed_seconds)
{
  if (!broken_lesson_) { return; }
  broken_lesson_->until_retried -= elapsed_seconds;
  if (broken_lesson_->until_retried > 0.0) { return; }
  broken_lesson_->until_retried = lesson_retried_every_seconds;
  try {
    start_lesson(broken_lesson_->read(), broken_lesson_->start);
    toasts_.dismiss_all();
  } catch (Error const& error) {
    if (std::exchange(broken_lesson_->error, error.what()) == error.what()) { return; }
    toasts_.dismiss_all();
    toasts_.error(broken_text(error.what()));
  }
}

void App::follow_lesson(double elapsed_seconds)
{
  retry_lesson(elapsed_seconds);
  if (!lesson_) { return; }
  lessons::Session& session = lesson_->session;
  for (lessons::Wish const& wish : std::exchange(lesson_->wishes, {})) { wish(session); }
  lesson_->broken = session.watch(elapsed_seconds);
  session.follow(*scene_, elapsed_seconds);
  auto const scenario = session.take_scenario();
  if (!scenario) { return; }
  toasts_.dismiss_all();   // those of the page before
  ImGui::ClearActiveID();  // its field for keys would take what is typed as an answer
  enter_page(*scenario);
  if (!session.is_tour()) {
    SideWidths const widths = panels_.widths;
    panels_ = session.page().panels;
    panels_.widths = widths;
    scroll_sides_to_top();
  }
  if (lesson_->lecture) { print_notes(); }
}

gl::Image App::picture_of_notes()
{
  set_look();
  gui_->begin_frame(0.0);
  gl::Size const size = context_->size();
  lessons::draw_notes(gui_->look(), lesson_->session, {0, 0, size.width, size.height});
  gui_->end_frame();
  glBindFramebuffer(GL_FRAMEBUFFER, context_->framebuffer());
  glClear(GL_COLOR_BUFFER_BIT);
  gui_->draw();
  return picture();
}

void App::set_look()
{
  gui_->set_background(theme_);
  float const wanted = settings_.ui_scale > 0.0f ? settings_.ui_scale : context_->content_scale();
  float const large = static_cast<float>(context_->size().height) / lecture_height;
  gui_->set_projected(lecturing());
  gui_->set_scale(lecturing() ? std::max(wanted, large) : settings_.ui_scale);
}

void App::close_lesson()
{
  if (lesson_) { return end_lesson(); }
  shows_words_ = false;
}

/// Empty where there is no strip.
ScenarioWords App::words_in_strip() const
{
  if (lecturing()) { return {}; }
  if (!lesson_) { return shows_words_ ? words_ : ScenarioWords{}; }
  lessons::Page const& page = lesson_->session.page();
  return lesson_->session.is_tour() ? ScenarioWords{page.title, page.text, {}} : ScenarioWords{};
}

/// Then there is no room for the scene's own panels.
bool App::has_lesson_below() const
{
  return lesson_ && !lecturing() && !lesson_->session.is_tour() && is_upright(gui_->look(), window_below_menu());
}

Rectangle App::place_lesson(Rectangle& window) const
{
  Rectangle place = window;
  if (ScenarioWords const words = words_in_strip(); !words.empty()) {
    place.height = lessons::strip_height(gui_->look(), window, words, lesson_ ? &lesson_->session : nullptr);
    window.height -= place.height;
    place.y = window.y + window.height;
    return place;
  }
  if (!lesson_) { return {}; }
  if (has_lesson_below()) {
    place.height = window.height * 9 / 20;
    window.height -= place.height;
    place.y = window.y + window.height;
    return place;
  }
  place.width = lecturing() ? lessons::lecture_place(window).width : lessons::panel_width(gui_->look(), window);
  window.x += place.width;
  window.width -= place.width;
  return place;
}

void App::draw_lesson(Look const& look)
{
  ScenarioWords const words = words_in_strip();
  lesson_panel_.active = false;  // until its field is drawn
  if ((!lesson_ && words.empty()) || lesson_place_.height == 0) { return; }
  if (lecturing()) {
    draw_lecture_page(look);
    ImVec2 const size = ImGui::GetIO().DisplaySize;
    if (lesson_->black) { ImGui::GetForegroundDrawList()->AddRectFilled({0.0f, 0.0f}, size, IM_COL32_BLACK); }
    return;
  }
  lesson_panel_.stays_at_top = draws_sheets_;
  auto wishes = words.empty() ? lessons::draw_panel(look, lesson_->session, lesson_words(), lesson_->broken,
                                                    lesson_place_, lesson_panel_)
                              : lessons::draw_strip(look, words, lesson(), lesson_place_, lesson_panel_);
  for (lessons::Wish& wish : wishes) { wish_in_lesson(std::move(wish)); }
  if (std::exchange(lesson_panel_.wants_next_lesson, false)) {
    chosen_.emplace_back([this] { start_next_lesson(); });
  }
  if (!std::exchange(lesson_panel_.wants_close, false)) { return; }
  chosen_.emplace_back([this] { close_lesson(); });
}

void App::open_document(std::filesystem::path const& file, Reach reach)
{
  bool const is_lesson = lessons::is_lesson(parse_json(read_text_file(file), path_text(file)));
  if (is_lesson) {
    start_lesson(lessons::read_lesson(scenes(), file, library_.finder(), reach));
  } else {
    enter_own(read_scenario(scenes(), file, reach));
    note_opened();
  }
}

}  // namespace slotscape
