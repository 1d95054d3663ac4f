#include "app/shell/lecture.hpp"

#include "app/base/encoding.hpp"
#include "app/base/files.hpp"
#include "app/lessons/right_answer.hpp"
#include "app/registry/scenes.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <utility>

namespace slotscape {

Lecture::Lecture(LessonHost& lessons, LessonView const& view, SceneHost const& scenes, Screen& screen,
                 FileQuestions& files, Attempts& attempts)
    : lessons_(lessons),
      view_(view),
      scenes_(scenes),
      screen_(screen),
      files_(files),
      attempts_(attempts),
      page_commands_{{.keys = "Page Down", .in_fields = true, .run = [this] { go_on(); }},
                     {.keys = "Page Up", .in_fields = true, .run = [this] { go_back(); }},
                     {.keys = "B, Period", .run = [this] { state_.black = !state_.black; }},
                     {.keys = "Q", .run = [this] { ask_own_question_or_stop(); }},
                     {.keys = "Esc", .run = [this] { set(false); }}},
      question_commands_{{.keys = "V", .run = [this] { count_votes_or_stop(); }}},
      vote_commands_{{.keys = "Enter",
                      .run =
                          [this] {
                            if (vote_fields_.focus) { return lessons::go_to_next_field(*vote(), vote_fields_); }
                            show_votes();
                          }},
                     {.keys = "Esc", .in_fields = true, .run = [this] { count_votes_or_stop(); }}}
{
  lessons_.when_started([this](bool replaces) { begin(replaces); });
}

void Lecture::begin(bool replaces)
{
  if (!replaces) { state_ = {}; }
  state_.noted.reset();
  state_.start = std::chrono::steady_clock::now();
}

void Lecture::add_commands(std::vector<Command>& commands)
{
  constexpr std::string_view menu = "Lessons";
  commands.push_back(
      {.menu = menu, .label = "Lecture mode", .run = [this] { set(!on()); }, .checked = [this] { return on(); }});
  commands.push_back({.keys = "Ctrl+N",
                      .group = "LESSONS",
                      .what = "Window for the presenter",
                      .menu = menu,
                      .label = "Presenter's window",
                      .not_in_page = true,
                      .run = [this] { open_or_close_presenter(); },
                      .checked = [this] { return presenter_ != nullptr; }});
  commands.push_back({.menu = menu, .label = "Save the votes…", .run = [this] { ask_where_to_save_votes(); }});
}

std::vector<std::span<Command const>> Lecture::commands_now()
{
  std::vector<std::span<Command const>> now;
  if (counts_votes()) { now.emplace_back(vote_commands_); }
  if (asks_own() || (on() && session().page().task)) { now.emplace_back(question_commands_); }
  if (on()) { now.emplace_back(page_commands_); }
  return now;
}

void Lecture::go_on()
{
  if (lessons_.session() == nullptr || stops_own_question()) { return; }
  bool const waits = session().page().task && session().task().stage == lessons::TaskState::Stage::asking;
  if (on() && waits && session().begun()) {
    return lessons_.wish([](lessons::Session& each) { each.reveal(); });
  }
  lessons_.go_on();
}

void Lecture::go_back()
{
  if (lessons_.session() == nullptr || stops_own_question()) { return; }
  bool const is_told = session().task().stage != lessons::TaskState::Stage::asking;
  if (on() && is_told) {
    return lessons_.wish([](lessons::Session& each) { each.restart(); });
  }
  lessons_.go_back();
}

void Lecture::set(bool on)
{
  if (lessons_.session() == nullptr) {
    throw Error(
        tr("Open a lesson first: lecture mode shows it to an audience. 'slotscape lecture FILE...' shows several."));
  }
  lessons_.set_lecturing(on);
  state_.black = false;
}

void Lecture::print_notes()
{
  std::size_t const number = session().number();
  bool const begins = !state_.noted;
  if (!screen_.has_window() || std::exchange(state_.noted, number) == number) { return; }
  if (begins) {
    fmt::print("{}\n",
               printable(tr("Variant {0} of the questions: --variant {0} shows the same numbers on another machine.",
                            session().progress().seed)));
  }
  fmt::print("{}", printable(lessons::notes_of(session())));
  std::fflush(stdout);
}

gl::Image Lecture::picture_of_notes()
{
  screen_.set_look(on());
  return screen_.picture_with(
      [this](Look const& look, Rectangle const& place) { lessons::draw_notes(look, session(), place); });
}

lessons::Vote* Lecture::vote()
{
  if (lessons_.session() == nullptr) { return nullptr; }
  lessons::Votes& votes = (asks_own() ? own_votes_ : votes_)[session().progress().lesson];
  auto const found = votes.find(session().number());
  bool const is_there = found != votes.end() && is_vote_on(found->second, session());
  return is_there ? &found->second : nullptr;
}

bool Lecture::counts_votes()
{
  return on() && state_.counted_visit == session().visit() && vote() != nullptr;
}

bool Lecture::type(char character)
{
  return counts_votes() && type_vote(*vote(), vote_fields_, character);
}

void Lecture::count_votes_or_stop()
{
  if (counts_votes()) {
    state_.counted_visit = 0;
    return;
  }
  if (!session().begun()) { throw Error(tr("The page is not shown yet: count votes when it is.")); }
  lessons::Vote* const present = vote();
  lessons::Vote& counted =
      present != nullptr
          ? *present
          : votes_[session().progress().lesson].insert_or_assign(session().number(), new_vote(session())).first->second;
  begin_count(counted);
  vote_fields_ = {.height = vote_fields_.height};
  state_.counted_visit = session().visit();
}

void Lecture::show_votes()
{
  lessons::show_votes(*vote());
  state_.counted_visit = 0;
}

void Lecture::ask_where_to_save_votes()
{
  if (lessons_.session() == nullptr) { throw Error(tr("Open the lesson whose votes you want to save.")); }
  std::string const& name = session().lesson().name;
  std::string const& lesson = session().progress().lesson;
  std::string const csv = lessons::votes_csv(votes_[lesson], own_votes_[lesson]);
  files_.ask_where_to_save(tr("Save the votes"), name + "-votes.csv", {{"CSV file", {".csv"}}},
                           files_.saved([csv](auto const& file) { write_text_file(file, csv); }));
}

bool Lecture::asks_own() const
{
  return on() && state_.own_visit == session().visit();
}

/// Closes the lecturer's own question. Returns whether one was open.
bool Lecture::stops_own_question()
{
  if (!asks_own()) { return false; }
  state_.own_visit = state_.counted_visit = 0;
  return true;
}

void Lecture::ask_own_question_or_stop()
{
  if (!stops_own_question()) { own_question_.open(); }
}

/// A question repeated on the same page keeps its votes.
void Lecture::draw_own_question(Look const& look)
{
  if (!own_question_.draw(look) || !on()) { return; }
  attempts_.make([&] {
    lessons::Vote asked = own_question_.vote(session().page().title);
    lessons::Vote& kept = own_votes_[session().progress().lesson][session().number()];
    if (!asks_the_same(kept, asked)) { kept = std::move(asked); }
    state_.own_visit = session().visit();
  });
}

/// No space is reserved while votes are counted: they stay hidden until they are shown.
Rectangle Lecture::free_place()
{
  if (!on() || counts_votes()) { return {}; }
  Rectangle free = view_.place();
  auto const text = static_cast<int>(lessons::lecture_height(screen_.look(), session(), vote(), free));
  free.y += text;
  free.height = std::max(free.height - text, 0);
  return free;
}

void Lecture::draw(Look const& look)
{
  if (view_.place().height != 0) {
    draw_page(look);
    ImVec2 const size = ImGui::GetIO().DisplaySize;
    if (state_.black) { ImGui::GetForegroundDrawList()->AddRectFilled({0.0f, 0.0f}, size, IM_COL32_BLACK); }
  }
  draw_own_question(look);
}

void Lecture::draw_page(Look const& look)
{
  lessons::Vote* const votes = vote();
  Rectangle place = view_.place();
  bool const counts = counts_votes() && !presenter_;  // the presenter's window has the vote fields
  if (counts) { place.height -= vote_fields_.height; }
  lessons::draw_lecture(look, session(), votes, place);
  if (!counts) { return; }
  switch (lessons::draw_vote_panel(look, *votes, view_.place(), vote_fields_)) {
    case lessons::VotePress::show: return attempts_.make([this] { show_votes(); });
    case lessons::VotePress::close: state_.counted_visit = 0; return;
    case lessons::VotePress::nothing: break;
  }
}

void Lecture::open_or_close_presenter()
{
  if (presenter_) { return presenter_.reset(); }
  if (lessons_.session() == nullptr) {
    throw Error(tr("Open a lesson first: the presenter's window shows its notes and its next page."));
  }
  if (!screen_.has_window()) { throw Error(tr("The presenter's window needs a desktop.")); }
  presenter_ = std::make_unique<PresenterWindow>(screen_.context());
  presented_visit_ = 0;
}

/// Previews the next page, without its numbers, which are not known yet.
void Lecture::note_next_page()
{
  if (std::exchange(presented_visit_, session().visit()) == session().visit()) { return; }
  presented_.question.clear();
  presented_.next_title.clear();
  presented_.next_text.clear();
  if (!session().has_next()) { return; }
  lessons::PageSource const& source = session().lesson().pages[session().number() + 1];
  lessons::Page const next =
      lessons::open_page(scenes(), source, session().progress().seed, lessons_.library().finder());
  static Json const none = Json::object();
  presented_.next_title = next.title;
  presented_.next_text = lessons::fill_in(next.text, {next.variables, &none, &none});
}

/// Updates the question and answer once the page's table is ready, because the answer may depend on it, and again when
/// the answer is revealed.
void Lecture::note_question()
{
  bool const can = session().page().task && session().begun() && session().settled() && scenes_.scene().ready();
  bool const is_new = presented_.question.empty() || session().task().stage == lessons::TaskState::Stage::told;
  if (can && is_new) { presented_.question = lessons::question_and_answer(session(), scenes_.scene()); }
}

void Lecture::draw_presenter(double elapsed_seconds)
{
  if (!presenter_) { return; }
  if (lessons_.session() == nullptr || presenter_->closes()) { return presenter_.reset(); }
  note_next_page();
  note_question();
  bool const waits = session().page().task && session().task().stage == lessons::TaskState::Stage::asking;
  presented_.shows_answer_next = on() && waits && session().begun();
  presented_.clock = fmt::format("{:%H:%M}", fmt::localtime(std::time(nullptr)));
  presented_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - state_.start).count();
  presented_.takes_votes = on() && (session().page().task || asks_own()) && session().begun();
  auto pressed = lessons::PresenterPress::nothing;
  presenter_->frame(elapsed_seconds, screen_.theme(), [&](Look const& look, Rectangle const& place) {
    lessons::Vote* const counted = counts_votes() ? vote() : nullptr;
    pressed = lessons::draw_presenter(look, session(), presented_, counted, vote_fields_, place);
  });
  press(pressed);
}

void Lecture::press(lessons::PresenterPress press)
{
  switch (press) {
    case lessons::PresenterPress::next: return go_on();
    case lessons::PresenterPress::back: return go_back();
    case lessons::PresenterPress::count: return count_votes_or_stop();
    case lessons::PresenterPress::show: return show_votes();
    case lessons::PresenterPress::nothing: break;
  }
}

}  // namespace slotscape
