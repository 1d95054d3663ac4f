#include "gpu/races/program.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace slotscape::races {
namespace {

using Kind = Access::Kind;

bool has_store(Moment const& moment, std::uint8_t thread)
{
  return std::ranges::any_of(moment.waiting, [=](Moment::Store const& store) { return store.thread == thread; });
}

/// The first of a thread's stores to a place that has not yet arrived.
auto first_store(std::vector<Moment::Store> const& waiting, std::uint8_t thread, std::uint64_t place)
{
  return std::ranges::find_if(waiting, [=](Moment::Store const& store) {
    return store.thread == thread && store.place == place;
  });
}

/// The latest store that has not yet arrived, which the thread itself reads; null if all have arrived.
Moment::Store const* own_store(Moment const& moment, std::uint8_t thread, std::uint64_t place)
{
  Moment::Store const* latest = nullptr;
  for (Moment::Store const& store : moment.waiting) {
    if (store.thread == thread && store.place == place) { latest = &store; }
  }
  return latest;
}

std::uint32_t writes_to(Moment const& moment, std::uint64_t place)
{
  return static_cast<std::uint32_t>(std::ranges::count(moment.past, place, &Moment::Past::place));
}

std::uint32_t writes_seen(Moment const& moment, std::uint8_t thread, std::uint64_t place)
{
  for (Moment::Seen const& seen : moment.seen) {
    if (seen.thread == thread && seen.place == place) { return seen.writes; }
  }
  return 0;
}

void note_seen(Moment& moment, std::uint8_t thread, std::uint64_t place, std::uint32_t writes)
{
  if (writes == 0) { return; }
  auto const before = [](Moment::Seen const& a, std::pair<std::uint8_t, std::uint64_t> const& b) {
    return std::pair(a.thread, a.place) < b;
  };
  auto const here = std::lower_bound(moment.seen.begin(), moment.seen.end(), std::pair(thread, place), before);
  bool const known = here != moment.seen.end() && here->thread == thread && here->place == place;
  if (known) {
    here->writes = writes;
  } else {
    moment.seen.insert(here, {thread, place, writes});
  }
}

}  // namespace

Operations::Operations(ScheduledOperation operation) : operation_(std::move(operation))
{
  states_.push_back(run(start, 0, {}));
}

Operations::Reached Operations::run(State before, std::uint32_t accesses, Words const& answers) const
{
  Reached reached{.next = std::nullopt, .accesses = accesses, .before = before};
  if (accesses >= max_accesses) { return reached; }
  std::size_t position = 0;
  try {
    reached.result = operation_(ScheduledMachine{&answers, &position});
  } catch (Access const& access) {
    reached.next = access;
  }
  return reached;
}

Words Operations::answers(State state) const
{
  Words answers(states_[state].accesses);
  for (auto answer = answers.rbegin(); answer != answers.rend(); ++answer, state = states_[state].before) {
    *answer = states_[state].word;
  }
  return answers;
}

Operations::State Operations::after(State state, Word word)
{
  for (auto const& [returned, next] : states_[state].after) {
    if (returned == word) { return next; }
  }
  Words words = answers(state);
  words.push_back(word);
  auto const next = static_cast<State>(states_.size());
  states_.push_back(run(state, static_cast<std::uint32_t>(words.size()), words));
  states_.back().word = word;
  states_[state].after.emplace_back(word, next);
  return next;
}

CodePlace Operations::place(State state) const
{
  CodePlace place;
  if (!states_[state].next) { return place; }
  Words const words = answers(state);
  std::size_t position = 0;
  try {
    operation_(ScheduledMachine{.answers = &words, .position = &position, .place = &place});
  } catch (Access const&) {
    // The operation has reached its next access.
  }
  return place;
}

Program::Program(std::vector<ScheduledOperation> const& operations, Words memory, MemoryModel model, bool keeps_time)
    : memory_(std::move(memory)), model_(model), keeps_time_(keeps_time && model == MemoryModel::in_order)
{
  if (operations.size() > max_threads) { throw std::logic_error("too many threads"); }
  for (ScheduledOperation const& operation : operations) { operations_.emplace_back(operation); }
}

Moment Program::start() const
{
  return {.memory = memory_};
}

bool Program::ended(Moment const& moment) const
{
  for (std::size_t thread = 0; thread < threads(); ++thread) {
    if (!ended(moment, thread)) { return false; }
  }
  return moment.waiting.empty();
}

std::vector<Answer> Program::results(Moment const& moment) const
{
  std::vector<Answer> results;
  for (std::size_t thread = 0; thread < threads(); ++thread) {
    results.push_back(operations_[thread].result(moment.at[thread]));
  }
  return results;
}

void Program::add_accesses(Moment const& moment, std::uint8_t thread, std::vector<Turn>& turns) const
{
  Access const* const access = next(moment, thread);
  if (access == nullptr) { return; }
  if (model_ == MemoryModel::late_stores) {
    bool const waits = access->kind == Kind::release_store
                           ? has_store(moment, thread)
                           : !access->is_load() && !access->is_store() && own_store(moment, thread, access->place);
    if (waits) { return; }
  }
  std::uint32_t choices = 1;
  if (model_ == MemoryModel::stale_loads && access->kind == Kind::load) {
    choices += writes_to(moment, access->place) - writes_seen(moment, thread, access->place);
  }
  for (std::uint32_t which = 0; which < choices; ++which) { turns.push_back({thread, Turn::Kind::access, which}); }
}

std::vector<Turn> Program::turns(Moment const& moment) const
{
  std::vector<Turn> turns;
  for (std::size_t i = 0; i < threads(); ++i) {
    auto const thread = static_cast<std::uint8_t>(i);
    add_accesses(moment, thread, turns);
    std::optional<std::uint64_t> last;
    for (Moment::Store const& store : moment.waiting) {
      if (store.thread != thread || store.place == last) { continue; }
      last = store.place;
      turns.push_back({thread, Turn::Kind::arrival, static_cast<std::uint32_t>(store.place)});
    }
  }
  return turns;
}

bool Program::has(Moment const& moment, Turn const& turn) const
{
  std::vector<Turn> const all = turns(moment);
  return std::ranges::find(all, turn) != all.end();
}

/// The word that the turn's access returns, or that arrives.
Word Program::returned(Moment const& moment, Turn const& turn) const
{
  if (turn.kind == Turn::Kind::arrival) { return first_store(moment.waiting, turn.thread, turn.which)->word; }
  Access const& access = *next(moment, turn.thread);
  if (access.is_store()) { return 0; }
  if (access.is_load()) {
    if (auto const* const own = own_store(moment, turn.thread, access.place)) { return own->word; }
    std::uint32_t unseen = turn.which;
    for (auto past = moment.past.rbegin(); unseen != 0 && past != moment.past.rend(); ++past) {
      if (past->place == access.place && --unseen == 0) { return past->word; }
    }
  }
  return moment.memory.at(access.place);
}

void Program::write(Moment& moment, std::uint64_t place, Word word) const
{
  Word& there = moment.memory.at(place);
  if (there == word) { return; }  // such a write is unobservable
  if (model_ == MemoryModel::stale_loads) {
    auto const after = std::ranges::upper_bound(moment.past, place, {}, &Moment::Past::place);
    moment.past.insert(after, {place, there});
  }
  there = word;
}

Word Program::take(Moment& moment, Turn const& turn)
{
  Word const word = returned(moment, turn);
  std::uint8_t const thread = turn.thread;
  if (turn.kind == Turn::Kind::arrival) {
    auto const store = first_store(moment.waiting, thread, turn.which);
    write(moment, store->place, word);
    moment.waiting.erase(store);
    return word;
  }
  Access const access = *next(moment, thread);
  bool const first = accesses(moment, thread) == 0;
  if (keeps_time_ && first) {
    for (std::size_t other = 0; other < threads(); ++other) {
      bool const before = ended(moment, other) && accesses(moment, other) != 0;
      if (before) { moment.ended_before[thread] |= static_cast<std::uint8_t>(1u << other); }
    }
  }
  if (access.is_store() && model_ == MemoryModel::late_stores) {
    static_cast<void>(moment.memory.at(access.place));  // throws if the place does not exist
    auto const after =
        std::ranges::upper_bound(moment.waiting, std::pair(thread, access.place), {},
                                 [](Moment::Store const& store) { return std::pair(store.thread, store.place); });
    moment.waiting.insert(after, {thread, access.place, access.desired});
  } else if (!access.is_load()) {
    write(moment, access.place, access.after(moment.memory.at(access.place)));
  }
  moment.at[thread] = operations_[thread].after(moment.at[thread], word);
  if (model_ == MemoryModel::stale_loads) {
    if (ended(moment, thread)) {  // an ended thread's knowledge no longer matters
      std::erase_if(moment.seen, [=](Moment::Seen const& seen) { return seen.thread == thread; });
    } else {
      note_seen(moment, thread, access.place, writes_to(moment, access.place) - turn.which);
    }
  }
  return word;
}

Effect Program::effect(Moment const& moment, Turn const& turn) const
{
  if (turn.kind == Turn::Kind::arrival) {
    Word const word = returned(moment, turn);
    return {turn.which, true, moment.memory.at(turn.which) != word};
  }
  Access const& access = *next(moment, turn.thread);
  bool const private_one =
      model_ == MemoryModel::late_stores &&
      (access.is_store() || (access.is_load() && own_store(moment, turn.thread, access.place) != nullptr));
  if (private_one) { return {}; }
  Word const old = moment.memory.at(access.place);
  return {access.place, true, access.after(old) != old};
}

bool Program::begins(Moment const& moment, Turn const& turn) const
{
  return turn.kind == Turn::Kind::access && accesses(moment, turn.thread) == 0;
}

bool Program::ends(Moment const& moment, Turn const& turn)
{
  if (turn.kind != Turn::Kind::access) { return false; }
  Operations& operation = operations_[turn.thread];
  return operation.next(operation.after(moment.at[turn.thread], returned(moment, turn))) == nullptr;
}

bool Program::independent(Moment const& moment, Turn const& a, Turn const& b)
{
  if (a.thread == b.thread) { return false; }
  Effect const one = effect(moment, a);
  Effect const other = effect(moment, b);
  bool const meet = one.shared && other.shared && one.place == other.place && (one.writes || other.writes);
  if (meet) { return false; }
  if (!keeps_time_) { return true; }
  // A history records which operations ended before others began.
  bool const a_begins = begins(moment, a);
  bool const b_begins = begins(moment, b);
  return !(a_begins && ends(moment, b)) && !(b_begins && ends(moment, a));
}

}  // namespace slotscape::races
