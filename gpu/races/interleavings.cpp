#include "gpu/races/interleavings.hpp"

#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/races/fingerprint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace slotscape::races {
namespace {

constexpr std::uint64_t turns_between_reports = 1024;

/// The effects that each thread may have on each place, as known so far.
class Footprints {
public:
  Footprints(std::size_t threads, std::size_t places) : of_(threads, std::vector<std::uint8_t>(places)) {}

  /// Whether a turn of another thread could depend on one with this effect.
  bool concerns(std::size_t thread, Effect const& effect) const
  {
    return (of_[thread][effect.place] & (effect.writes ? touches : writes)) != 0;
  }
  void note(std::size_t thread, Effect const& effect)
  {
    if (!effect.shared) { return; }
    auto const bits = static_cast<std::uint8_t>(touches | (effect.writes ? writes : 0));
    std::uint8_t& known = of_[thread][effect.place];
    grew_ = grew_ || (known & bits) != bits;
    known |= bits;
  }
  bool take_growth() { return std::exchange(grew_, false); }

private:
  static constexpr std::uint8_t touches = 1;
  static constexpr std::uint8_t writes = 2;
  std::vector<std::vector<std::uint8_t>> of_;
  bool grew_ = false;
};

class Search {
public:
  Search(Program& program, std::function<bool(End const&)> const& good, SearchSettings const& settings,
         Progress const& progress)
      : program_(program),
        good_(good),
        settings_(settings),
        progress_(progress),
        footprints_(program.threads(), program.start().memory.size())
  {
  }

  Findings run()
  {
    do {
      found_.counts = {};
      found_.ends = found_.bad_ends = 0;
      remembered_.clear();
      done_ = 0.0;
      visit(program_.start(), {}, 1.0);
    } while (footprints_.take_growth() && settings_.reduces && found_.complete);
    if (!found_.shortest.empty()) { found_.shortest = with_fewest_switches(program_, found_.shortest); }
    return std::move(found_);
  }

private:
  using Mask = std::uint64_t;  ///< a set of turns, in the order of `Program::turns`

  void visit(Moment const& moment, std::vector<Turn> const& sleeping, double share)
  {
    if (!found_.complete) { return; }
    std::vector<Turn> const turns = program_.turns(moment);
    if (turns.size() > 64) {
      throw Error(tr("Too many turns are possible at once here: use fewer threads or operations."));
    }
    Mask asleep = 0;
    for (std::size_t i = 0; i < turns.size(); ++i) {
      if (std::ranges::find(sleeping, turns[i]) != sleeping.end()) { asleep |= Mask{1} << i; }
    }
    Mask const all = turns.size() == 64 ? ~Mask{0} : (Mask{1} << turns.size()) - 1;
    Mask wanted = all & ~asleep;
    Fingerprint const print = fingerprint(moment);
    auto const known = remembered_.find(print);
    if (known != remembered_.end()) {
      wanted = known->second & ~asleep;
      if (wanted == 0) {
        ++found_.counts.met_again;
        done_ += share;
        return;
      }
      asleep &= known->second;
      known->second = asleep;
    } else {
      ++found_.counts.moments;
      if (remembered_.size() < settings_.max_moments) { remembered_.emplace(print, asleep); }
      if (std::string fault = fault_of(program_, moment); turns.empty() || !fault.empty()) {
        done_ += share;
        return end(moment, std::move(fault));
      }
      if (settings_.reduces) { wanted &= enough(moment, turns); }
    }
    found_.counts.asleep += static_cast<std::uint64_t>(std::popcount(asleep));
    if (wanted == 0) { done_ += share; }
    go_on(moment, turns, wanted, asleep, share);
  }

  void go_on(Moment const& moment, std::vector<Turn> const& turns, Mask wanted, Mask asleep, double share)
  {
    double const part = share / std::max(std::popcount(wanted), 1);
    for (std::size_t i = 0; i < turns.size(); ++i) {
      if ((wanted >> i & 1) == 0) { continue; }
      std::vector<Turn> sleeping;
      for (std::size_t other = 0; settings_.reduces && other < turns.size(); ++other) {
        bool const sleeps = (asleep >> other & 1) != 0;
        if (sleeps && program_.independent(moment, turns[i], turns[other])) { sleeping.push_back(turns[other]); }
      }
      footprints_.note(turns[i].thread, program_.effect(moment, turns[i]));
      Moment next = moment;
      program_.take(next, turns[i]);
      schedule_.push_back(turns[i]);
      count_turn();
      visit(next, sleeping, part);
      schedule_.pop_back();
      if (!found_.complete) { return; }
      asleep |= Mask{1} << i;
    }
  }

  void count_turn()
  {
    bool const reports = ++found_.counts.turns % turns_between_reports == 0;
    if (reports && !progress_.report(done_, found_.counts.schedules)) { found_.complete = false; }
  }

  void end(Moment const& moment, std::string fault)
  {
    ++found_.counts.schedules;
    ++found_.ends;
    std::vector<Answer> const results = program_.results(moment);
    if (good_({moment, results, schedule_, std::move(fault)})) { return; }
    ++found_.bad_ends;
    bool const shorter = found_.shortest.empty() || schedule_.size() < found_.shortest.size();
    if (shorter) { found_.shortest = schedule_; }
  }

  /// Turns of one thread that are independent of all others, if there is such a thread; else all turns.
  Mask enough(Moment const& moment, std::vector<Turn> const& turns)
  {
    Mask mask = 0;
    for (std::size_t first = 0, end = 0; first < turns.size(); first = end) {
      while (end < turns.size() && turns[end].thread == turns[first].thread) { ++end; }
      bool const alone = std::all_of(turns.begin() + static_cast<std::ptrdiff_t>(first),
                                     turns.begin() + static_cast<std::ptrdiff_t>(end),
                                     [&](Turn const& turn) { return concerns_nobody(moment, turn); });
      if (!alone) { continue; }
      for (std::size_t i = first; i < end; ++i) { mask |= Mask{1} << i; }
      found_.counts.put_off += turns.size() - (end - first);
      return mask;
    }
    return ~Mask{0};
  }

  bool concerns_nobody(Moment const& moment, Turn const& turn)
  {
    Effect const effect = program_.effect(moment, turn);
    bool const begins = program_.keeps_time() && program_.begins(moment, turn);
    bool const ends = program_.keeps_time() && program_.ends(moment, turn);
    for (std::size_t other = 0; other < program_.threads(); ++other) {
      if (other == turn.thread) { continue; }
      bool const ended = program_.ended(moment, other);
      bool const has_begun = ended || program_.accesses(moment, other) != 0;
      if ((begins && !ended) || (ends && !has_begun)) { return false; }
      bool const is_done = ended && std::ranges::none_of(moment.waiting, [&](Moment::Store const& store) {
                             return store.thread == other;
                           });
      if (!is_done && effect.shared && footprints_.concerns(other, effect)) { return false; }
    }
    return true;
  }

  Program& program_;
  std::function<bool(End const&)> const& good_;
  SearchSettings const& settings_;
  Progress const& progress_;
  Footprints footprints_;
  Findings found_;
  FingerprintMap<Mask> remembered_;  ///< the turns that sleep at each moment
  Schedule schedule_;
  double done_ = 0.0;
};

/// Counts schedules along a graph of moments, visiting each moment once.
class ScheduleCount {
public:
  ScheduleCount(Program& program, std::size_t most) : program_(program), most_(most) {}

  std::optional<double> from(Moment const& moment)
  {
    std::vector<Turn> const turns = program_.turns(moment);
    if (turns.empty()) { return 1.0; }
    Fingerprint const key = fingerprint(moment);
    if (auto const known = counted_.find(key); known != counted_.end()) { return known->second; }
    double sum = 0.0;
    for (Turn const& turn : turns) {
      Moment next = moment;
      program_.take(next, turn);
      std::optional<double> const count = from(next);
      if (!count) { return std::nullopt; }
      sum += *count;
    }
    if (counted_.size() >= most_) { return std::nullopt; }
    counted_.emplace(key, sum);
    return sum;
  }

private:
  Program& program_;
  std::size_t most_;
  FingerprintMap<double> counted_;
};

}  // namespace

std::string fault_of(Program const& program, Moment const& moment)
{
  for (std::size_t thread = 0; thread < program.threads(); ++thread) {
    Access const* const next = program.next(moment, thread);
    if (next != nullptr && next->place >= moment.memory.size()) {
      return fmt::format("T{} is about to leave the table", thread + 1);
    }
    if (program.endless(moment, thread)) {
      return fmt::format("T{} has made {} accesses, and there is no end", thread + 1, max_accesses);
    }
  }
  return {};
}

Findings search(Program& program, std::function<bool(End const&)> const& good, SearchSettings const& settings,
                Progress const& progress)
{
  return Search(program, good, settings, progress).run();
}

std::optional<double> count_schedules(Program& program, std::size_t max_moments)
{
  return ScheduleCount(program, max_moments).from(program.start());
}

std::uint64_t Interleavings::explore(Words memory) const
{
  Program program(operations_, std::move(memory), MemoryModel::in_order, false);
  auto const check = [this](End const& end) {
    if (!end.fault.empty()) { throw Error(end.fault); }
    check_(end.moment.memory, end.results);
    return true;
  };
  return search(program, check).ends;
}

}  // namespace slotscape::races
