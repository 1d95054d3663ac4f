#include "app/tuning/search.hpp"
#include "app/tuning/turns.hpp"
#include "gpu/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace slotscape::tuning {
namespace {

constexpr double pace_share = 0.01;   ///< share of the budget between measurements of the pace
constexpr double min_pace_age = 0.5;  ///< seconds that must pass between measurements of the pace
constexpr double of_coarse = 0.15;    ///< uncertainty of a coarse measurement
constexpr double of_refined = 0.08;

/// Scales a measurement as if the machine had been faster by this factor.
void speed_up(Measured& measured, double factor)
{
  if (factor == 1.0) { return; }
  measured.throughput *= factor;
  measured.batch_seconds /= factor;
  measured.worst_batch_seconds /= factor;
  for (auto& result : measured.operations) {
    if (!result) { continue; }
    result->seconds /= factor;
    result->worst_batch /= factor;
    for (double& sample : result->samples) { sample /= factor; }
  }
}

double uncertainty_of(Stage stage)
{
  return stage == Stage::coarse ? of_coarse : of_refined;
}

/// The uncertainty that the repeats leave, however similar the medians of the turns: half of the value for independent
/// repeats, since all tables of a turn share the machine's pace.
double uncertainty_of_repeats(Measured const& measured)
{
  constexpr double of_median = 1.85;  // 95 % confidence for normal samples, from their interquartile range
  return 0.5 * of_median * measured.spread / std::sqrt(std::max(measured.repeats, 1));
}

}  // namespace

void Search::skip(Candidate const& candidate, LazyText why)
{
  results_.skipped.push_back({candidate, std::move(why)});
}

Effort Search::effort_of(Stage stage) const
{
  switch (stage) {
    case Stage::coarse: return {stage, 2, coarse_keys_};
    case Stage::refined: return {stage, 3, full_keys_};
    case Stage::checked: break;
  }
  return {stage, 3, full_keys_};
}

bool Search::measure(std::size_t number, Effort const& effort)
{
  Entry const& entry = entries_[number];
  if (entry.hopeless) { return false; }
  if (entry.is_known(effort.stage)) { return true; }
  double const expected = entry.measured ? estimate(entry) : 0.0;
  if (!take(number, effort)) { return false; }
  bool const refined = effort.stage == Stage::refined && expected > 0.0;
  if (refined && surprises(middle_of(entries_[number].taken).throughput, expected)) {
    look_again(number, effort);
    if (differ(entries_[number].taken)) { look_again(number, effort); }
  }
  return !entries_[number].hopeless;
}

/// Whether a rate is so far from the expected one that it may be from a bad moment, or the machine's pace was wrong.
bool Search::surprises(double rate, double expected)
{
  constexpr double surprising = 0.85;  // as a share of the expected rate, and vice versa
  return rate < surprising * expected || rate * surprising > expected;
}

/// Measures the entry once more, unless it is known from before.
void Search::look_again(std::size_t number, Effort const& effort)
{
  if (!entries_[number].is_known(effort.stage)) { take(number, effort); }
}

/// Whether there are two measurements that differ, so that a third has to decide.
bool Search::differ(std::vector<Taken> const& taken) const
{
  return taken.size() == 2 && surprises(at_best_pace(taken[0]).throughput, at_best_pace(taken[1]).throughput);
}

/// Measures the entry even if it is known from before.
bool Search::take(std::size_t number, Effort const& effort, int pass)
{
  if (entries_[number].hopeless) { return false; }
  Candidate const candidate = entries_[number].candidate;
  try {
    keep_pace();
    watch_.begin(effort.stage == Stage::coarse    ? Phase::coarse
                 : effort.stage == Stage::refined ? Phase::refining
                                                  : Phase::checking,
                 title_of(candidate));
    double const start = watch_.seconds();
    std::optional<Measured> measured = measures_.measure(candidate, effort, watch_.progress);
    if (!measured) { throw Stopped{}; }
    if (effort.stage == Stage::coarse) { entries_[number].cost = watch_.seconds() - start; }
    bool const works = measured->failed == 0 && measured->throughput > 0.0;
    if (!pacemaker_ && effort.stage == Stage::coarse && works) { pacemaker_ = candidate; }
    if (effort.stage != Stage::checked && !pacing_) { since_pace_.emplace_back(number, effort); }
    note(number, {*std::move(measured), pace_.now(), pass});
    return true;
  } catch (Error const& error) {
    Entry& entry = entries_[number];
    entry.hopeless = true;
    if (entry.measured) { results_.measured[*entry.measured].throughput = 0.0; }
    skip(entry.candidate, std::string(error.what()));
    publish();
    return false;
  }
}

double Search::measure_pacemaker()
{
  Effort effort = effort_of(Stage::coarse);
  effort.repeats = 1;
  std::optional<Measured> const measured = measures_.measure(*pacemaker_, effort, watch_.progress);
  if (!measured) { throw Stopped{}; }
  return measured->throughput;
}

void Search::set_pace(Entry& entry, double pace)
{
  if (entry.taken.empty()) { return; }
  entry.taken.back().pace = pace;
  if (entry.stage == Stage::coarse) { entry.coarse = entry.taken; }
}

/// Measures the pace if the last measurement is old, then repeats the measurements during which it changed.
void Search::keep_pace()
{
  double const now = watch_.seconds();
  double const max_age = std::max(min_pace_age, pace_share * settings_.budget_seconds);
  if (!pacemaker_ || pacing_ || (pace_.known() && pace_.age(now) < max_age)) { return; }
  try {
    double rate = measure_pacemaker();
    bool const slower = pace_.known() && std::log(pace_.now() / std::max(rate, 1e-9)) > Pace::different;
    if (slower) { rate = std::max(rate, measure_pacemaker()); }  // the machine may have had one bad moment
    bool const known = pace_.known();
    pace_.add(rate, watch_.seconds());
    for (auto const& [number, effort] : since_pace_) {
      if (!known) { set_pace(entries_[number], rate); }  // no pace was known when it was measured
    }
  } catch (Error const&) {
    pacemaker_.reset();
    return;
  }
  auto const uncertain = std::exchange(since_pace_, {});
  if (!pace_.changed()) { return; }
  pacing_ = true;
  for (auto const& [number, effort] : uncertain) {
    if (entries_[number].stage != effort.stage || left(0.9) <= 0.0) { continue; }
    entries_[number].taken.pop_back();
    take(number, effort);
  }
  pacing_ = false;
}

void Search::note(std::size_t number, Taken taken)
{
  bool const waits = taken.measured.stage == Stage::checked;  // a checked entry waits until its pass is complete
  put(number, std::move(taken));
  if (!waits) { publish(); }
}

void Search::put(std::size_t number, Taken taken)
{
  Entry& entry = entries_[number];
  Stage const stage = taken.measured.stage;
  if (!entry.measured) {
    entry.measured = results_.measured.size();
    results_.measured.emplace_back();
  }
  if (stage != entry.stage) {
    if (entry.stage == Stage::refined && !entry.taken.empty()) { entry.refined = entry.taken; }
    entry.taken.clear();
  }
  entry.stage = stage;
  entry.taken.push_back(std::move(taken));
  if (stage == Stage::coarse) {
    entry.coarse = entry.taken;
  } else if (!entry.coarse.empty()) {
    double const small = middle_of(entry.coarse).throughput;
    double const full = middle_of(entry.taken).throughput;
    if (small > 0.0 && full > 0.0) { note_slowdown(number, full / small); }
  }
}

Measured Search::at_best_pace(Taken const& taken) const
{
  Measured measured = taken.measured;
  speed_up(measured, pace_.to_best(taken.pace));
  return measured;
}

/// The measurement with median throughput; of two, which are similar, the better one.
Measured Search::middle_of(std::vector<Taken> const& taken) const
{
  std::vector<Measured> all;
  all.reserve(taken.size());
  for (Taken const& each : taken) { all.push_back(at_best_pace(each)); }
  std::ranges::sort(all, {}, &Measured::throughput);
  return all[all.size() / 2];
}

std::vector<Turn> Search::turns_of(std::size_t number) const
{
  std::vector<Turn> turns;
  for (Taken const& taken : entries_[number].taken) {
    double const rate = at_best_pace(taken).throughput;
    if (rate <= 0.0) { continue; }
    if (taken.pass > 0) { turns.push_back({number, taken.pass, rate}); }
    for (int turn = 1; turn <= taken.before; ++turn) { turns.push_back({number, -turn, rate}); }
  }
  return turns;
}

/// The turn with median throughput, with the spread and the worst moments of all turns.
Measured Search::sum_of_turns(std::size_t number) const
{
  std::vector<Measured> list;
  for (Taken const& taken : entries_[number].taken) { list.push_back(at_best_pace(taken)); }
  std::ranges::sort(list, {}, &Measured::throughput);
  Measured middle = list[list.size() / 2];
  middle.repeats = 0;
  for (Measured const& each : list) {
    middle.repeats += each.repeats;
    middle.spread = std::max(middle.spread, each.spread);
    middle.worst_batch_seconds = std::max(middle.worst_batch_seconds, each.worst_batch_seconds);
    middle.failed = std::max(middle.failed, each.failed);
    middle.handover.add(each.handover);
    if (each.clogged_after) { middle.clogged_after = each.clogged_after; }
  }
  return middle;
}

/// Similar turns may all be from a bad moment. If their rate is far from the earlier measurement with as many keys: by
/// how much it may be off, as a share; else 0.
double Search::jump_of(Entry const& entry, Measured const& checked) const
{
  constexpr double far = 2.0;
  if (entry.refined.empty() || checked.throughput <= 0.0) { return 0.0; }
  Measured const before = middle_of(entry.refined);
  if (before.throughput <= 0.0 || before.keys != checked.keys || before.slots != checked.slots) { return 0.0; }
  double const ratio = before.throughput / checked.throughput;
  double const times = std::max(ratio, 1.0 / ratio);
  return times > far ? times - 1.0 : 0.0;
}

/// The entries measured in turn, with rates estimated from all turns together.
std::map<std::size_t, Measured> Search::checked_ones() const
{
  std::vector<Turn> turns;
  std::map<std::size_t, Measured> checked;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].stage != Stage::checked || !entries_[i].measured) { continue; }
    std::ranges::copy(turns_of(i), std::back_inserter(turns));
    checked.emplace(i, sum_of_turns(i));
  }
  for (auto const& [i, standing] : standings_of(turns)) {
    Measured& middle = checked.at(i);
    speed_up(middle, standing.rate / middle.throughput);
    middle.uncertainty = std::max(standing.uncertainty, uncertainty_of_repeats(middle));
    for (Taken const& taken : entries_[i].taken) {  // for earlier turns, only their sum is known, and not their spread
      double const share = static_cast<double>(taken.before) / static_cast<double>(standing.turns);
      middle.uncertainty = std::max(middle.uncertainty, taken.measured.uncertainty * std::sqrt(share));
    }
    middle.uncertainty = std::max(middle.uncertainty, jump_of(entries_[i], middle));
    bool const had_its_turns = standing.turns >= fair_turns_ || entries_[i].is_known(Stage::checked);
    if (!had_its_turns) { middle.stage = Stage::refined; }
  }
  return checked;
}

void Search::publish()
{
  auto checked = checked_ones();
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    Entry const& entry = entries_[i];
    if (!entry.measured || entry.hopeless) { continue; }
    Measured& measured = results_.measured[*entry.measured];
    if (auto const found = checked.find(i); found != checked.end()) {
      measured = std::move(found->second);
    } else {
      measured = middle_of(entry.taken);
      measured.uncertainty = std::max(uncertainty_of(entry.stage) + pace_.unrest(), uncertainty_of_repeats(measured));
    }
  }
  results_.unrest = pace_.unrest();
  note_unmeasured_shards();
  watch_.publish(results_);
}

}  // namespace slotscape::tuning
