#include "app/base/text.hpp"
#include "app/tuning/check.hpp"
#include "app/tuning/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace slotscape::tuning {

/// All that is known takes its place at once: it counts, however little time there is.
void Search::take_over_known()
{
  constexpr int max_before = 16;  // turns of an earlier check: new ones must be able to correct it
  std::uint64_t most_keys = 0;
  for (Measured const& each : known_) {
    if (each.stage != Stage::coarse) { most_keys = std::max(most_keys, each.keys); }
  }
  std::ranges::stable_sort(known_, {}, &Measured::stage);  // the closest look of a table comes last, and stays
  for (Measured const& each : known_) {
    if (each.throughput <= 0.0 || each.candidate.table.slots == 0) { continue; }  // it failed: perhaps not this time
    if (std::string why = why_set_aside(each, most_keys); !why.empty()) {
      Candidate const what{each.candidate.table, each.load(), each.candidate.grouped};
      bool const told = std::ranges::find(results_.set_aside, what, &Skipped::candidate) != results_.set_aside.end();
      if (!told) { results_.set_aside.push_back({what, std::move(why)}); }
      continue;
    }
    auto const slots = static_cast<double>(each.candidate.table.slots);
    Candidate const candidate{each.candidate.table, static_cast<double>(results_.different) / slots,
                              each.candidate.grouped};
    auto const found = std::ranges::find(entries_, candidate, &Entry::candidate);
    auto const number = static_cast<std::size_t>(found - entries_.begin());
    if (found == entries_.end()) { entries_.push_back({candidate}); }
    Taken taken{each};
    taken.measured.candidate = candidate;
    if (each.stage == Stage::checked) {
      taken.before = std::clamp(each.repeats / effort_of(Stage::checked).repeats, 1, max_before);
    }
    entries_[number].known = each.stage;
    put(number, std::move(taken));
  }
  publish();
}

/// The end of a sentence; empty if it counts.
std::string Search::why_set_aside(Measured const& known, std::uint64_t most_keys) const
{
  double const load = static_cast<double>(results_.different) / static_cast<double>(known.candidate.table.slots);
  // The load that was asked for: some families cannot have so many slots, and hold what they can.
  if (std::abs(known.candidate.load - load) > same_load) {
    return fmt::format("the table of this workload has α {:.2f}", load);
  }
  if (std::string why = cannot_join(known.candidate); !why.empty()) { return why; }
  Workload const& workload = results_.workload;
  TableSettings const& table = known.candidate.table;
  bool const is_present = workload.present && workload.present->table.shards == table.shards &&
                          workload.present->table.devices == table.devices;
  if (!workload.division.has(table) && !is_present) {
    return fmt::format("the workload has no tables {}{}", pieces_text(table.shards),
                       table.devices == ShardDevices::each ? ", each on a device of its own" : "");
  }
  if (known.stage != Stage::coarse && 2 * known.keys < most_keys) {
    return fmt::format("it was measured with {} keys, and others with {}", grouped(known.keys), grouped(most_keys));
  }
  return "";
}

/// Of what was measured in turn before; 0 if nothing was.
int Search::fewest_known_turns() const
{
  int fewest = 0;
  for (Entry const& entry : entries_) {
    if (!entry.is_known(Stage::checked)) { continue; }
    int turns = 0;
    for (Taken const& taken : entry.taken) { turns += taken.before; }
    fewest = fewest == 0 ? turns : std::min(fewest, turns);
  }
  return fewest;
}

/// What is new is to be as large as what is known, to be compared with it.
void Search::keep_known_size()
{
  KeyCounts const& all = results_.available;
  double const inserts_a_key =
      static_cast<double>(all.inserts) / static_cast<double>(std::max<std::uint64_t>(1, all.different));
  std::uint64_t most = 0;
  for (Entry const& entry : entries_) {
    if (!entry.is_known(Stage::refined)) { continue; }
    Measured const& measured = results_.measured[*entry.measured];
    auto const about = static_cast<std::uint64_t>(std::llround(inserts_a_key * static_cast<double>(measured.keys)));
    most = std::max(most, inserts_of(results_, measured).value_or(about));
  }
  if (most >= all.inserts) { return; }
  full_keys_ = most;
  say_size("as they did before: a sweep from the start, with more time, measures larger ones");
}

void Search::say_size(std::string_view why)
{
  if (!results_.remark.empty()) { results_.remark += ' '; }
  results_.remark += fmt::format("Tables of {} insertions stand for those of {}, {}.", grouped(full_keys_),
                                 grouped(results_.inserts), why);
}

}  // namespace slotscape::tuning
