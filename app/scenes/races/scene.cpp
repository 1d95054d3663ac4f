#include "app/scenes/races/scene.hpp"

#include "app/base/text.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/races/published.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace slotscape {
namespace {

using races::Schedule;
using races::Turn;

constexpr double moment_seconds = 1.0 / 60.0;
/// The maximum number of states remembered to count all schedules: about a second of work.
constexpr std::size_t max_counted = 200'000;

/// Describes the user's change, for the Edit menu.
std::string change_of(RacesSettings const& before, RacesSettings const& now)
{
  if (before.case_name != now.case_name && !now.case_name.empty()) { return translatable("choosing another race"); }
  if (before.race != now.race) { return translatable("changing the race"); }
  return translatable("discarding these turns");
}

bool begins_with(Schedule const& whole, Schedule const& part)
{
  return part.size() <= whole.size() && std::equal(part.begin(), part.end(), whole.begin());
}

}  // namespace

RacesScene::RacesScene(RacesSettings const& settings, DeviceFacts const&)
    : search_([](races::Race const& race, Progress const& now) { return races::explore(race, {}, now, max_counted); })
{
  state_.settings = settings;
  follow_settings();
  show_history();
  known_ = state_.settings;
  commands_ = make_commands();
  if (settings.explore) { state_.ask(ExploreRace{}); }
}

void RacesScene::follow_settings()
{
  RacesSettings& settings = state_.settings;
  if (state_.race.table && settings.race == made_) { return; }
  try {
    state_.race = races::make_race(settings.race);
  } catch (Error const&) {
    if (state_.race.table) { settings.race = made_; }
    throw;
  }
  bool const first = made_.calls.empty();
  bool const replaced = !first && settings.schedule == known_.schedule;  // a schedule that came with the race is kept
  made_ = settings.race;
  if (replaced) {
    settings.schedule.clear();
    settings.position = 0;
  }
  reconcile(settings);
  search_.stop();
  state_.report.reset();
  state_.fields = {};
  state_.playing = false;
  shown_schedule_.clear();
  shown_ = max_turns + 1;
  state_.promise = races::why_not_promised(*state_.race.table, state_.race.calls);
  races::Published const* const published = races::find_published(settings.race.published);
  state_.flaw = published == nullptr ? std::string_view() : published->flaw;
}

void RacesScene::show_history()
{
  RacesSettings& settings = state_.settings;
  settings.position = std::min(settings.position, settings.schedule.size());
  bool const same = shown_ == settings.position && begins_with(shown_schedule_, settings.schedule) &&
                    shown_schedule_.size() == settings.schedule.size();
  if (same) { return; }
  auto const end = settings.schedule.begin() + static_cast<std::ptrdiff_t>(settings.position);
  state_.history = races::history_of(state_.race, {settings.schedule.begin(), end});
  shown_ = settings.position;
  shown_schedule_ = settings.schedule;
}

void RacesScene::go_on_with(RacesSettings settings)
{
  RacesSettings const before = std::exchange(state_.settings, std::move(settings));
  try {
    follow_settings();
  } catch (Error const&) {
    state_.settings = before;
    throw;
  }
}

std::optional<Turn> RacesScene::turn_of(std::uint8_t thread) const
{
  std::vector<Turn> const& turns = state_.history.turns;
  auto const found = std::ranges::find(turns, thread, &Turn::thread);
  return found == turns.end() ? std::nullopt : std::optional(*found);
}

void RacesScene::handle(TakeTurn const& request)
{
  RacesSettings& settings = state_.settings;
  bool const known = state_.to_come() != 0 && settings.schedule[settings.position] == request.turn;
  if (!known) {
    if (std::ranges::find(state_.history.turns, request.turn) == state_.history.turns.end()) { return; }
    settings.schedule.resize(settings.position);
    settings.schedule.push_back(request.turn);
  }
  ++settings.position;
}

void RacesScene::handle(GoToTurn const& request)
{
  state_.settings.position = std::min(request.position, state_.settings.schedule.size());
}

void RacesScene::handle(GoForward const&)
{
  RacesSettings& settings = state_.settings;
  if (state_.to_come() != 0) {
    ++settings.position;
  } else if (!state_.history.turns.empty()) {
    handle(TakeTurn{races::random_turn(state_.history, settings.seed)});
  }
}

void RacesScene::handle(RunToEnd const&)
{
  RacesSettings& settings = state_.settings;
  if (state_.to_come() == 0) {
    settings.schedule = races::random_schedule(state_.race, std::move(settings.schedule), settings.seed);
  }
  settings.position = settings.schedule.size();
}

void RacesScene::handle(RestartRace const&)
{
  state_.settings.schedule.clear();
  state_.settings.position = 0;
  state_.playing = false;
}

void RacesScene::handle(PlayRace const&)
{
  bool const at_end = state_.history.turns.empty() && state_.to_come() == 0;
  if (at_end && !state_.playing) { state_.settings.position = 0; }
  state_.playing = !state_.playing;
  since_turn_ = 0.0;
}

void RacesScene::handle(ExploreRace const&)
{
  if (!search_.busy()) { search_.start(state_.race); }
  state_.settings.explore = true;
}

void RacesScene::handle(CancelSearch const&)
{
  search_.cancel();
}

void RacesScene::handle(ReplayShortest const&)
{
  if (!state_.has_bad_history()) { return; }
  state_.settings.schedule = state_.report->findings.shortest;
  state_.settings.position = 0;
}

void RacesScene::handle(ShowCase const& request)
{
  races::Case const* const shown = races::find_case(request.name);
  if (shown == nullptr) { return; }
  RacesSettings settings = settings_of(*shown);
  settings.seed = state_.settings.seed;
  settings.show_code = state_.settings.show_code;
  go_on_with(std::move(settings));
}

void RacesScene::handle(RefuseTyped const& request)
{
  throw Error(request.why);
}

void RacesScene::handle_requests()
{
  for (RacesRequest const& request : std::exchange(state_.requests, {})) {
    std::visit([this](auto const& each) { this->handle(each); }, request);
    show_history();
  }
}

void RacesScene::play(double elapsed_seconds)
{
  if (!state_.playing) { return; }
  since_turn_ += elapsed_seconds;
  if (since_turn_ < 1.0 / state_.speed) { return; }
  since_turn_ = 0.0;
  handle(GoForward{});
  show_history();
  if (state_.history.turns.empty()) { state_.playing = false; }
}

void RacesScene::follow_search()
{
  if (search_.busy()) { search_.wait(max_wait().value_or(moment_seconds)); }
  if (auto outcome = search_.take()) {
    if (outcome->error) { std::rethrow_exception(outcome->error); }
    state_.report = std::move(outcome->result);
    bool const untouched = state_.settings.schedule.empty();
    if (untouched) { handle(ReplayShortest{}); }
  }
  state_.searching = search_.busy();
  state_.progress.reset();
  if (!state_.searching) { return; }
  state_.progress = search_.progress().snapshot();
  state_.progress->what = tr("Searching all schedules: {} have ended", grouped(state_.progress->count));
}

/// A new race, or turns that were lost, can be undone. Steps forward and back need no undo.
void RacesScene::note_change()
{
  RacesSettings const& now = state_.settings;
  bool const replaced = now.race != known_.race || !begins_with(now.schedule, known_.schedule);
  if (replaced) { undo_.record(known_, change_of(known_, now)); }
  known_ = now;
}

void RacesScene::advance(double elapsed_seconds)
{
  follow_settings();
  handle_requests();
  play(elapsed_seconds);
  follow_search();
  show_history();
  note_change();
}

void RacesScene::finish_steps(std::function<void()> const& frame)
{
  auto const done = [&] { return !search_.busy() && state_.requests.empty(); };
  auto const progress = [&] { return state_.progress.value_or(ProgressSnapshot{}); };
  if (!finish({done, progress, [&] { search_.cancel(); }, max_wait()}, frame)) {
    search_.wait();
    advance(0.0);
  }
  if (!state_.shows_bad_history() || state_.settings.position != 0) { return; }
  if (frame) {  // a window plays the schedule
    state_.playing = true;
    while (state_.playing) { frame(); }
  }
  handle(RunToEnd{});
  show_history();
}

void RacesScene::undo()
{
  undo_.undo([this](RacesSettings const& settings) {
    RacesSettings now = state_.settings;
    go_on_with(settings);
    return now;
  });
  show_history();
  known_ = state_.settings;
}

void RacesScene::redo()
{
  undo_.redo([this](RacesSettings const& settings) {
    RacesSettings now = state_.settings;
    go_on_with(settings);
    return now;
  });
  show_history();
  known_ = state_.settings;
}

void RacesScene::cancel()
{
  if (search_.busy()) {
    state_.ask(CancelSearch{});
  } else {
    state_.playing = false;
  }
}

bool RacesScene::quiet() const
{
  return !search_.busy() && !state_.playing && state_.requests.empty() && state_.settings == known_;
}

std::string thread_name(std::size_t thread)
{
  return fmt::format("T{}", thread + 1);
}

std::string schedules_text(double count)
{
  if (count < 1e9) { return grouped(static_cast<std::uint64_t>(count)); }
  int const power = static_cast<int>(std::floor(std::log10(count)));
  return fmt::format("{:.1f}·10^{}", count / std::pow(10.0, power), power);
}

std::string text_of(races::Report const& report)
{
  races::Findings const& found = report.findings;
  if (!found.complete) {
    return found.bad_ends == 0 ? tr("The search was stopped before it found an illegal history.")
                               : tr("The search was stopped; it had found an illegal history.");
  }
  std::size_t const turns = found.shortest.size();
  if (!report.schedules) {
    return report.legal() ? tr("All schedules are legal.")
                          : tr("Some schedules are illegal: the shortest takes {} turns.", turns);
  }
  std::string const count = schedules_text(*report.schedules);
  return report.legal() ? tr("All {} schedules are legal.", count)
                        : tr("Of all {} schedules, some are illegal: the shortest takes {} turns.", count, turns);
}

}  // namespace slotscape
