#include "gpu/races/interleavings.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <tuple>

namespace slotscape::races {
namespace {

constexpr std::size_t max_cuts = std::size_t{1} << 18;

/// A turn of a schedule, and the turns of other threads that precede it in every equivalent schedule.
struct CutEvent {
  Turn turn;
  Effect effect;
  bool begins;
  bool ends;
  std::array<std::uint32_t, max_threads> after{};  ///< number of preceding turns of each thread
};

bool depend(CutEvent const& a, CutEvent const& b)
{
  Effect const& one = a.effect;
  Effect const& other = b.effect;
  bool const meet = one.shared && other.shared && one.place == other.place && (one.writes || other.writes);
  return meet || (a.begins && b.ends) || (a.ends && b.begins);
}

/// The turns of each thread.
using CutEvents = std::vector<std::vector<CutEvent>>;

CutEvents events_of(Program& program, Schedule const& schedule)
{
  CutEvents events(program.threads());
  Moment moment = program.start();
  for (Turn const& turn : schedule) {
    CutEvent event{.turn = turn,
                   .effect = program.effect(moment, turn),
                   .begins = program.keeps_time() && program.begins(moment, turn),
                   .ends = program.keeps_time() && program.ends(moment, turn)};
    for (std::size_t other = 0; other < events.size(); ++other) {
      if (other == turn.thread) { continue; }
      for (std::uint32_t i = 0; i < events[other].size(); ++i) {
        if (depend(events[other][i], event)) { event.after[other] = i + 1; }
      }
    }
    events[turn.thread].push_back(event);
    program.take(moment, turn);
  }
  return events;
}

/// The progress of each thread, and the thread that took the last turn.
struct Cut {
  std::array<std::uint32_t, max_threads> taken{};
  std::uint8_t last = max_threads;

  friend bool operator<(Cut const& a, Cut const& b) { return std::tie(a.taken, a.last) < std::tie(b.taken, b.last); }
};

struct Way {
  std::uint32_t switches = std::numeric_limits<std::uint32_t>::max();
  Cut from;
};

bool can_take(CutEvent const& event, Cut const& cut)
{
  for (std::size_t other = 0; other < max_threads; ++other) {
    if (cut.taken[other] < event.after[other]) { return false; }
  }
  return true;
}

}  // namespace

/// The cheapest path through all cuts of the partial order that equivalent schedules share: always expands a cut with
/// the fewest switches.
Schedule with_fewest_switches(Program& program, Schedule const& schedule)
{
  CutEvents const events = events_of(program, schedule);
  std::size_t cuts = 1;
  for (auto const& of_thread : events) { cuts *= of_thread.size() + 1; }
  if (cuts > max_cuts) { return schedule; }
  std::map<Cut, Way> ways{{Cut{}, {0, {}}}};
  std::deque<Cut> next{Cut{}};
  Cut end;
  while (!next.empty()) {
    end = next.front();
    next.pop_front();
    std::uint32_t const switches = ways[end].switches;
    std::size_t taken = 0;
    for (std::size_t thread = 0; thread < events.size(); ++thread) {
      taken += end.taken[thread];
      if (end.taken[thread] == events[thread].size()) { continue; }
      if (!can_take(events[thread][end.taken[thread]], end)) { continue; }
      Cut to = end;
      ++to.taken[thread];
      to.last = static_cast<std::uint8_t>(thread);
      std::uint32_t const cost = switches + (thread == end.last ? 0 : 1);
      Way& way = ways[to];
      if (cost >= way.switches) { continue; }
      way = {cost, end};
      thread == end.last ? next.push_front(to) : next.push_back(to);
    }
    if (taken == schedule.size()) { break; }
  }
  Schedule best;
  for (Cut at = end; at.last != max_threads; at = ways[at].from) {
    best.push_back(events[at.last][at.taken[at.last] - 1].turn);
  }
  std::ranges::reverse(best);
  return best;
}

}  // namespace slotscape::races
