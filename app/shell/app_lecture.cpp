// What App does in a lecture: pages, votes by show of hands, and the presenter's window.

#include "app/base/encoding.hpp"
#include "app/base/files.hpp"
#include "app/lessons/right_answer.hpp"
#include "app/registry/scenes.hpp"
#include "app/shell/app.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <utility>

namespace slotscape {

std::vector<Command> App::lecture_commands()
{
  return {{.keys = "Page Down", .in_fields = true, .run = [this] { go_on(); }},
          {.keys = "Page Up", .in_fields = true, .run = [this] { go_back(); }},
          {.keys = "B, Period", .run = [this] { lesson_->black = !lesson_->black; }},
          {.keys = "Q", .run = [this] { ask_own_question_or_stop(); }},
          {.keys = "Esc", .run = [this] { set_lecture(false); }}};
}

void App::go_on()
{
  if (!lesson_ || stops_own_question()) { return; }
  lessons::Session const& session = lesson_->session;
  bool const waits = session.page().task && session.task().stage == lessons::TaskState::Stage::asking;
  if (lesson_->lecture && waits && session.begun()) {
    wish_in_lesson([](lessons::Session& each) { each.reveal(); });
  } else if (session.has_next()) {
    wish_in_lesson([](lessons::Session& each) { each.go_to(each.number() + 1); });
  } else if (!lesson_->lecture && !lesson_words().next.empty()) {
    start_next_lesson();
  }
}

void App::go_back()
{
  if (!lesson_ || stops_own_question()) { return; }
  lessons::Session const& session = lesson_->session;
  bool const is_told = session.task().stage != lessons::TaskState::Stage::asking;
  if (lesson_->lecture && is_told) {
    wish_in_lesson([](lessons::Session& each) { each.restart(); });
  } else if (session.has_previous()) {
    wish_in_lesson([](lessons::Session& each) { each.go_to(each.number() - 1); });
  }
}

void App::set_lecture(bool on)
{
  if (!lesson_) {
    throw Error(
        tr("Open a lesson first: lecture mode shows it to an audience. 'slotscape lecture FILE...' shows several."));
  }
  lesson_->lecture = on;
  lesson_->black = false;
}

void App::print_notes()
{
  std::size_t const number = lesson_->session.number();
  bool const has_window = context_->window() != nullptr;
  bool const begins = !lesson_->noted;
  if (!has_window || std::exchange(lesson_->noted, number) == number) { return; }
  if (begins) {
    fmt::print("{}\n", printable(tr("Variant {0} of its questions: --variant {0} shows the same numbers elsewhere.",
                                    lesson_->session.progress().seed)));
  }
  fmt::print("{}", printable(lessons::notes_of(lesson_->session)));
  std::fflush(stdout);
}

std::vector<Command> App::vote_commands()
{
  auto const enter = [this] {
    if (vote_fields_.focus) { return lessons::go_to_next_field(*vote(), vote_fields_); }
    show_votes();
  };
  return {{.keys = "Enter", .run = enter},
          {.keys = "Esc", .in_fields = true, .run = [this] { count_votes_or_stop(); }}};
}

lessons::Vote* App::vote()
{
  if (!lesson_) { return nullptr; }
  lessons::Session const& session = lesson_->session;
  lessons::Votes& votes = (asks_own() ? own_votes_ : votes_)[session.progress().lesson];
  auto const found = votes.find(session.number());
  bool const is_there = found != votes.end() && is_vote_on(found->second, session);
  return is_there ? &found->second : nullptr;
}

bool App::counts_votes()
{
  return lecturing() && lesson_->counted_visit == lesson_->session.visit() && vote() != nullptr;
}

void App::count_votes_or_stop()
{
  lessons::Session const& session = lesson_->session;
  if (counts_votes()) {
    lesson_->counted_visit = 0;
    return;
  }
  if (!session.begun()) { throw Error(tr("The page is not there yet: count when it is.")); }
  lessons::Vote* const present = vote();
  lessons::Vote& counted =
      present != nullptr
          ? *present
          : votes_[session.progress().lesson].insert_or_assign(session.number(), new_vote(session)).first->second;
  begin_count(counted);
  vote_fields_ = {.height = vote_fields_.height};
  lesson_->counted_visit = session.visit();
}

bool App::asks_own() const
{
  return lecturing() && lesson_->own_visit == lesson_->session.visit();
}

/// Returns whether one was asked.
bool App::stops_own_question()
{
  if (!asks_own()) { return false; }
  lesson_->own_visit = lesson_->counted_visit = 0;
  return true;
}

void App::ask_own_question_or_stop()
{
  if (!stops_own_question()) { own_question_.open(); }
}

/// A question that was asked on this page before keeps its votes.
void App::draw_own_question(Look const& look)
{
  if (!own_question_.draw(look) || !lecturing()) { return; }
  attempt([&] {
    lessons::Session const& session = lesson_->session;
    lessons::Vote asked = own_question_.vote(session.page().title);
    lessons::Vote& kept = own_votes_[session.progress().lesson][session.number()];
    if (!asks_the_same(kept, asked)) { kept = std::move(asked); }
    lesson_->own_visit = session.visit();
  });
}

void App::show_votes()
{
  lessons::show_votes(*vote());
  lesson_->counted_visit = 0;
}

void App::ask_where_to_save_votes()
{
  if (!lesson_) { throw Error(tr("Open the lesson whose votes are to be saved.")); }
  std::string const& name = lesson_->session.lesson().name;
  std::string const& lesson = lesson_->session.progress().lesson;
  std::string const csv = lessons::votes_csv(votes_[lesson], own_votes_[lesson]);
  ask_where_to_save(tr("Save the votes"), name + "-votes.csv", {{"CSV file", {".csv"}}},
                    saved([csv](auto const& file) { write_text_file(file, csv); }));
}

/// The votes stay hidden until they are shown.
/// What is left below the page's text.
Rectangle App::free_in_lecture()
{
  if (!lecturing() || counts_votes()) { return {}; }
  Rectangle free = lesson_place_;
  auto const text = static_cast<int>(lessons::lecture_height(gui_->look(), lesson_->session, vote(), lesson_place_));
  free.y += text;
  free.height = std::max(free.height - text, 0);
  return free;
}

void App::draw_lecture_page(Look const& look)
{
  lessons::Vote* const votes = vote();
  Rectangle place = lesson_place_;
  bool const counts = counts_votes() && !presenter_;  // whose window has the fields
  if (counts) { place.height -= vote_fields_.height; }
  lessons::draw_lecture(look, lesson_->session, votes, place);
  if (!counts) { return; }
  switch (lessons::draw_vote_panel(look, *votes, lesson_place_, vote_fields_)) {
    case lessons::VotePress::show: return attempt([this] { show_votes(); });
    case lessons::VotePress::close: lesson_->counted_visit = 0; return;
    case lessons::VotePress::nothing: break;
  }
}

void App::open_or_close_presenter()
{
  if (presenter_) { return presenter_.reset(); }
  if (!lesson_) { throw Error(tr("Open a lesson first: the presenter's window shows its notes and its next page.")); }
  if (context_->window() == nullptr) { throw Error(tr("The presenter's window needs a desktop to be on.")); }
  presenter_ = std::make_unique<PresenterWindow>(*context_);
  presented_visit_ = 0;
}

/// Its numbers are not known yet.
void App::note_next_page()
{
  lessons::Session const& session = lesson_->session;
  if (std::exchange(presented_visit_, session.visit()) == session.visit()) { return; }
  presented_.question.clear();
  presented_.next_title.clear();
  presented_.next_text.clear();
  if (!session.has_next()) { return; }
  lessons::PageSource const& source = session.lesson().pages[session.number() + 1];
  lessons::Page const next = lessons::open_page(scenes(), source, session.progress().seed, library_.finder());
  static Json const none = Json::object();
  presented_.next_title = next.title;
  presented_.next_text = lessons::fill_in(next.text, {next.variables, &none, &none});
}

/// Once the page's table is there, which the answer may depend on, and when it is told.
void App::note_question()
{
  lessons::Session const& session = lesson_->session;
  bool const can = session.page().task && session.begun() && session.settled() && scene_->ready();
  bool const is_new = presented_.question.empty() || session.task().stage == lessons::TaskState::Stage::told;
  if (can && is_new) { presented_.question = lessons::question_and_answer(session, *scene_); }
}

void App::draw_presenter(double elapsed_seconds)
{
  if (!presenter_) { return; }
  if (!lesson_ || presenter_->closes()) { return presenter_.reset(); }
  note_next_page();
  note_question();
  lessons::Session const& session = lesson_->session;
  bool const waits = session.page().task && session.task().stage == lessons::TaskState::Stage::asking;
  presented_.shows_answer_next = lecturing() && waits && session.begun();
  presented_.clock = fmt::format("{:%H:%M}", fmt::localtime(std::time(nullptr)));
  presented_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - lesson_->start).count();
  presented_.takes_votes = lecturing() && (session.page().task || asks_own()) && session.begun();
  auto press = lessons::PresenterPress::nothing;
  presenter_->frame(elapsed_seconds, theme_, [&](Look const& look, Rectangle const& place) {
    press = lessons::draw_presenter(look, session, presented_, counts_votes() ? vote() : nullptr, vote_fields_, place);
  });
  press_in_presenter(press);
}

void App::press_in_presenter(lessons::PresenterPress press)
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
