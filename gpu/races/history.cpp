#include "gpu/races/history.hpp"

#include "gpu/base/error.hpp"
#include "gpu/base/random.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/engine/narrate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace slotscape::races {
namespace {

using Kind = Access::Kind;

std::string upcoming_text(SharedTable const& table, Words const& memory, Access const& access)
{
  if (std::string text = table.upcoming(access); !text.empty()) { return text; }
  if (access.place >= table.slots()) {
    return access.is_load() ? tr("reads the metadata of the table") : tr("changes the metadata of the table");
  }
  auto const slot = static_cast<Slot>(access.place);
  auto const word = [&](Word there) { return table.word_text(memory, slot, there); };
  if (access.is_load()) { return tr("reads slot {}", slot); }
  std::string const desired = word(access.desired);
  bool const empties = access.desired == Narrow::empty_word;
  bool const reserves = desired == "reserved";
  if (access.kind != Kind::compare_exchange) {
    return empties    ? tr("empties slot {}, whatever is there", slot)
           : reserves ? tr("reserves slot {}, whatever is there", slot)
                      : tr("writes {} to slot {}, whatever is there", desired, slot);
  }
  std::string const expected = word(access.expected);
  return empties    ? tr("empties slot {}, if that is still {}", slot, expected)
         : reserves ? tr("reserves slot {}, if that is still {}", slot, expected)
                    : tr("writes {} to slot {}, if that is still {}", desired, slot, expected);
}

/// Follows a schedule, and collects what step mode needs to describe it.
class Teller {
public:
  explicit Teller(Race const& race) : race_(race), program_(program_of(race)), now_(program_.start())
  {
    for (Call const& call : race.calls) {
      traces_.push_back({.operation = call.operation,
                         .key = call.key,
                         .value = call.value,
                         .outcome = Outcome::found,  // until something else happens
                         .steps = {},
                         .summary = "not told",
                         .combine = call.combine});
    }
  }

  void take(Turn const& turn)
  {
    if (!program_.has(now_, turn)) {
      std::size_t const number = events_.size() + 1;
      throw Error(
          turn.kind == Turn::Kind::arrival
              ? tr("Turn {} of the schedule is impossible: T{} has no such store waiting.", number, turn.thread + 1)
              : tr("Turn {} of the schedule is impossible: T{} cannot make this access.", number, turn.thread + 1));
    }
    Effect const effect = program_.effect(now_, turn);
    Event event{.turn = turn, .slot = race_.table->slot_of(place_of(turn)), .writes = effect.shared && effect.writes};
    Words const before = now_.memory;
    if (turn.kind == Turn::Kind::access) {
      event.access = *program_.next(now_, turn.thread);
      event.code = program_.place(now_, turn.thread);
    }
    Word const word = program_.take(now_, turn);
    if (event.access) {
      event.fails = event.access->kind == Kind::compare_exchange && word != event.access->expected;
      traces_[turn.thread].steps.push_back(race_.table->step(before, *event.access, word));
    } else {
      Access const store{Kind::store, turn.which, 0, word};
      event.text = tr("{}, now visible to all", race_.table->step(before, store, before[turn.which]).text);
    }
    events_.push_back(std::move(event));
  }

  History told()
  {
    for (std::size_t thread = 0; thread < traces_.size(); ++thread) { tell(thread); }
    History history{.events = std::move(events_), .threads = {}, .now = now_, .turns = {}};
    history.fault = fault_of(program_, now_);
    if (history.fault.empty()) { history.turns = program_.turns(now_); }
    std::vector<Answer> const results = program_.results(now_);
    for (std::size_t thread = 0; thread < traces_.size(); ++thread) {
      ThreadNow state{.accesses = program_.accesses(now_, thread), .result = results[thread]};
      if (Access const* const next = program_.next(now_, thread)) {
        state.next = *next;
        state.slot = race_.table->slot_of(next->place);
        state.upcoming = upcoming_text(*race_.table, now_.memory, *next);
        state.code = program_.place(now_, thread);
      }
      history.threads.push_back(std::move(state));
    }
    if (program_.ended(now_) || !history.fault.empty()) {
      history.verdict = Judge(race_).verdict({now_, results, {}, history.fault});
    }
    return history;
  }

private:
  std::uint64_t place_of(Turn const& turn) const
  {
    return turn.kind == Turn::Kind::arrival ? turn.which : program_.next(now_, turn.thread)->place;
  }

  void tell(std::size_t thread)
  {
    Trace& trace = traces_[thread];
    if (Access const* const next = program_.next(now_, thread)) {
      // Describes an access together with what follows, as if nobody interfered.
      trace.steps.push_back(race_.table->step(now_.memory, *next, expected_by(*next)));
    } else {
      trace.outcome = program_.results(now_)[thread].outcome;
    }
    narrate(trace, race_.table->info());
    auto step = trace.steps.begin();
    for (Event& event : events_) {
      if (event.turn.thread != thread || !event.access) { continue; }
      event.text = told(event, *step);
      if (event.turn.which != 0) { event.text = tr("{}. This read is stale: it misses a newer write", event.text); }
      bool const waits = event.access->is_store() && race_.memory == MemoryModel::late_stores;
      if (waits) { event.text = tr("{}, but not visible to others yet", event.text); }
      ++step;
    }
  }

  Word expected_by(Access const& access) const
  {
    bool const is_outside = access.place >= now_.memory.size();
    if (access.kind == Kind::compare_exchange || is_outside) { return access.expected; }
    return now_.memory[access.place];
  }

  /// When a key that might move is read, it is still unknown whether the key will move.
  static std::string told(Event const& event, Step const& step)
  {
    bool const may_move = event.code.line == "candidate" && step.seen.size() == 1 && step.seen.front().has_key;
    if (!may_move) { return step.found; }
    SlotInfo const& slot = step.seen.front();
    return tr("Slot {} holds {} (home {})", slot.slot, slot.pair.key, slot.home);
  }

  Race const& race_;
  Program program_;
  Moment now_;
  std::vector<Trace> traces_;
  std::vector<Event> events_;
};

}  // namespace

History history_of(Race const& race, Schedule const& schedule)
{
  Teller teller(race);
  for (Turn const& turn : schedule) { teller.take(turn); }
  return teller.told();
}

std::string text_of(Race const& race, Verdict const& verdict)
{
  if (!verdict.legal) { return tr("illegal: {}", verdict.fault); }
  if (verdict.order.size() < 2) { return tr("legal"); }
  return tr("legal: the same as {}", words_of(race.calls, verdict.order));
}

Turn random_turn(History const& history, std::uint64_t seed)
{
  std::size_t const at = random_below(seed, history.events.size(), history.turns.size());
  return history.turns[at];
}

Schedule random_schedule(Race const& race, Schedule from, std::uint64_t seed)
{
  Program program = program_of(race);
  Moment moment = program.start();
  for (Turn const& turn : from) { program.take(moment, turn); }
  for (auto turns = program.turns(moment); !turns.empty() && fault_of(program, moment).empty();
       turns = program.turns(moment)) {
    from.push_back(turns[random_below(seed, from.size(), turns.size())]);
    program.take(moment, from.back());
  }
  return from;
}

}  // namespace slotscape::races
