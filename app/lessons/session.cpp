#include "app/lessons/session.hpp"

#include "gpu/base/error.hpp"
#include "gpu/base/random.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace slotscape::lessons {
namespace {

constexpr double measured_every_seconds = 0.25;
constexpr double most_of_the_time = 0.05;  ///< share of the time spent on measuring a challenge
constexpr double watched_every_seconds = 0.5;

std::vector<std::optional<std::filesystem::file_time_type>> times_of(Paths const& files)
{
  std::vector<std::optional<std::filesystem::file_time_type>> times;
  for (std::filesystem::path const& file : files) {
    std::error_code gone;
    auto const time = std::filesystem::last_write_time(file, gone);
    times.push_back(gone ? std::nullopt : std::optional(time));
  }
  return times;
}

}  // namespace

Session::Session(SceneList scenes, FindFile find, Lesson lesson, Progress progress)
    : scenes_(scenes), find_(std::move(find)), lesson_(std::move(lesson)), progress_(std::move(progress))
{
  written_ = times_of(lesson_.files);
  if (progress_.lesson.empty()) { progress_.lesson = lesson_.name; }
  resize_progress();
  std::size_t const number = std::min<std::size_t>(progress_.page, lesson_.pages.size() - 1);
  open(number, progress_.others[number]);
}

void Session::resize_progress()
{
  progress_.points.resize(count());
  progress_.tries.resize(count());
  progress_.others.resize(count());
  progress_.shown.resize(count());
  solved_with_.resize(count());
}

std::string const& Session::solved_with() const
{
  return solved_with_[number()];
}

int Session::points_possible() const
{
  int points = 0;
  for (std::size_t page = 0; page < count(); ++page) { points += has_task(page) ? max_points : 0; }
  return points;
}

bool Session::has_task(std::size_t page) const
{
  return !lesson_.pages[page].is_scenario && lesson_.pages[page].page->contains("task");
}

bool Session::asks() const
{
  return page_.task && !std::holds_alternative<Challenge>(page_.task->of) && state_.stage != TaskState::Stage::told;
}

bool Session::takes_choice() const
{
  bool const was_wrong = state_.stage == TaskState::Stage::told && !state_.right;
  return begun_ && (state_.stage == TaskState::Stage::asking || was_wrong);
}

bool Session::was_shown() const
{
  int const shown = progress_.shown[number()];
  return shown != 0 && (!page_.varies || shown == progress_.others[number()] + 1);
}

int Session::points_here() const
{
  return progress_.points[number()];
}

/// The first variant of each page uses the same seed, so that shared variables agree.
std::uint64_t Session::seed_of(int other) const
{
  return other == 0 ? progress_.seed : random64(progress_.seed, static_cast<std::uint64_t>(other));
}

void Session::open(std::size_t number, int other)
{
  page_ = open_page(scenes_, lesson_.pages[number], seed_of(other), find_);
  progress_.page = number;
  if (std::exchange(progress_.others[number], other) != other) { solved_with_[number].clear(); }
  restart();
}

void Session::go_to(std::size_t number)
{
  bool const works = state_.stage == TaskState::Stage::working && !state_.revealed;
  auto const is_judgement = [](Job const& job) { return std::holds_alternative<Judge>(job); };
  if (works && std::ranges::count_if(jobs_, is_judgement) == 1) {  // at the first request only
    auto const judgement = std::ranges::find_if(jobs_, is_judgement);
    jobs_.insert(judgement + 1, Judge{[this, number](Subject&) { go_to(number); }});
    return;
  }
  bool const shown = state_.stage == TaskState::Stage::told && !state_.right && !state_.revealed;
  if (shown && !page_.variables.empty()) { another(); }
  std::size_t const next = std::min(number, count() - 1);
  open(next, progress_.others[next]);
}

void Session::restart()
{
  ++visit_;
  state_ = {};
  static Json const none = Json::object();  // numbers of the scene are still unknown: they are shown as …
  text_ = fill_in(page_.text, {page_.variables, nullptr, &none});
  doubt_.clear();
  begun_ = false;
  awaited_.reset();
  seconds_waited_ = 0.0;
  start_ = {};
  now_ = {};
  jobs_.clear();
  jobs_.emplace_back(page_.scenario);
  jobs_.emplace_back(Begin{});
}

void Session::another()
{
  constexpr int tries = 16;  // variables with few possible values sometimes repeat
  Variables const before = page_.variables;
  for (int i = 0; i < tries; ++i) {
    open(number(), progress_.others[number()] + 1);
    if (page_.variables != before) { return; }
  }
}

Names Session::names() const
{
  return {page_.variables, now_.is_null() ? nullptr : &now_, start_.is_null() ? nullptr : &start_};
}

void Session::add(Change const& change)
{
  if (change.is_anew()) {
    jobs_.emplace_back(changed(scenes_, page_, change));
  } else {
    jobs_.emplace_back(change);
  }
}

bool Session::measure(Subject& scene)
{
  try {
    now_ = scene.statistics({}).json;
    return true;
  } catch (Error const&) {  // the scene has no results yet
    return false;
  }
}

void Session::update_statistics(Subject& scene)
{
  Json const before = now_;
  if (!measure(scene) || !before.is_object()) { return; }
  for (char const* const said : {"answer", "given"}) {
    if (before.contains(said)) { now_[said] = before[said]; }
  }
}

void Session::fill_in_texts()
{
  Names const at_start{page_.variables, &start_, &start_};
  text_ = fill_in(page_.text, at_start);
  bool const as_expected = !page_.measured || all_met(page_.measured->expected, at_start);
  doubt_ = as_expected ? std::string() : fill_in(page_.measured->otherwise, at_start);
}

void Session::follow(Subject& scene, double seconds)
{
  awaited_.reset();
  if (!begun_) { seconds_waited_ += seconds; }
  while (!jobs_.empty()) {
    if (auto* const scenario = std::get_if<Scenario>(&jobs_.front())) {
      wanted_ = std::move(*scenario);
      jobs_.pop_front();
      return;
    }
    if (!scene.ready()) {
      awaited_ = scene.awaited();
      return;
    }
    if (std::holds_alternative<Begin>(jobs_.front())) {
      if (!measure(scene)) { return; }
      start_ = now_;
      fill_in_texts();
      begun_ = true;
      jobs_.pop_front();
      continue;
    }
    Job const job = std::move(jobs_.front());
    jobs_.pop_front();
    if (auto const* change = std::get_if<Change>(&job)) {
      scene.perform({change->json, page_.source, change->path});
    } else {
      std::get<Judge>(job).judge(scene);
    }
  }
  state_.chosen = scene.chosen_slot();
  watch_challenge(scene, seconds);
}

void Session::watch_challenge(Subject& scene, double seconds)
{
  auto const* const challenge = page_.task ? std::get_if<Challenge>(&page_.task->of) : nullptr;
  until_measured_ -= seconds;
  if (challenge == nullptr || !begun_ || until_measured_ > 0.0 || !scene.ready()) { return; }
  auto const start = std::chrono::steady_clock::now();
  if (!measure(scene)) { return; }
  double const took = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  until_measured_ = std::max(measured_every_seconds, took / most_of_the_time);
  state_.findings.clear();
  for (Condition const& condition : challenge->until) { state_.findings.push_back(check(condition, names())); }
  bool const all = std::ranges::all_of(state_.findings, &Finding::met);
  if (all && state_.stage == TaskState::Stage::asking) {
    judge(true, page_.task->tell.empty() ? tr("**Solved.**") : tr("**Solved.**") + ("\n\n" + page_.task->tell));
  }
}

std::string const& Session::watch(double seconds)
{
  bool const is_other_language = said_in_ != catalogue_in_use() && settled();
  until_watched_ -= seconds;
  if (until_watched_ > 0.0 && !is_other_language) { return broken_; }
  until_watched_ = watched_every_seconds;
  auto times = times_of(lesson_.files);
  bool const has_changed = times != written_;
  if (!has_changed && !is_other_language) { return broken_; }
  written_ = std::move(times);
  said_in_ = catalogue_in_use();
  try {
    has_changed ? reload() : reword();
    broken_.clear();
  } catch (Error const& error) {
    broken_ = error.what();
  }
  return broken_;
}

Lesson Session::read_again() const
{
  std::vector<Lesson> parts;
  Reach const reach = lesson_.pages.front().source->reach;
  for (std::filesystem::path const& source : lesson_.sources) {
    parts.push_back(read_lesson(scenes_, source, find_, reach));
  }
  Lesson fresh = joined(std::move(parts));
  if (lesson_.sources.size() > 1) {
    fresh.name = lesson_.name;
    fresh.title = lesson_.title;
  }
  return fresh;
}

/// Updates the texts but keeps the page's progress; reactions that have been shown already are not shown again.
void Session::reword()
{
  Lesson fresh = read_again();
  page_ = open_page(scenes_, fresh.pages.at(number()), seed_of(progress_.others[number()]), find_);
  lesson_ = std::move(fresh);
  fill_in_texts();
}

void Session::reload()
{
  Lesson fresh = read_again();
  std::swap(lesson_, fresh);
  Json const before = page_.set_up;
  bool const began = begun_;
  Progress const reached = progress_;
  try {
    resize_progress();
    std::size_t const page = std::min(number(), count() - 1);
    open(page, progress_.others[page]);
  } catch (Error const&) {
    std::swap(lesson_, fresh);
    progress_ = reached;
    throw;
  }
  written_ = times_of(lesson_.files);
  if (page_.set_up != before || !began) { return; }
  jobs_.clear();  // the scene is unchanged: only texts have changed
  jobs_.emplace_back(Begin{});
}

}  // namespace slotscape::lessons
