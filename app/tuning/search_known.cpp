#include "app/base/text.hpp"
#include "app/tuning/check.hpp"
#include "app/tuning/search.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace slotscape::tuning {

/// Takes over all earlier measurements at once: they count, however little time there is.
void Search::take_over_known()
{
  constexpr int max_before = 16;  // limits the weight of an earlier check, so that new turns can correct it
  std::uint64_t most_keys = 0;
  for (Measured const& each : known_) {
    if (each.stage != Stage::coarse) { most_keys = std::max(most_keys, each.keys); }
  }
  std::ranges::stable_sort(known_, {}, &Measured::stage);  // the closest measurement of a table comes last and is kept
  for (Measured const& each : known_) {
    if (each.throughput <= 0.0 || each.candidate.table.slots == 0) { continue; }  // it failed, but may work this time
    if (LazyText why = why_set_aside(each, most_keys); !why.empty()) {
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

/// Why a measurement is set aside, as the end of a sentence; empty if it counts.
LazyText Search::why_set_aside(Measured const& known, std::uint64_t most_keys) const
{
  double const load = static_cast<double>(results_.different) / static_cast<double>(known.candidate.table.slots);
  // Compares with the requested load: some families do not support this number of slots and take the closest.
  if (std::abs(known.candidate.load - load) > same_load) {
    return [load] { return tr("the table of this workload has α {:.2f}", load); };
  }
  if (LazyText why = cannot_join(known.candidate); !why.empty()) { return why; }
  Workload const& workload = results_.workload;
  TableSettings const& table = known.candidate.table;
  bool const is_present = workload.present && workload.present->table.shards == table.shards &&
                          workload.present->table.devices == table.devices;
  if (!workload.division.has(table) && !is_present) {
    return [shards = table.shards, each_on_one = table.devices == ShardDevices::each] {
      return each_on_one ? tr("the workload has no tables {}, each on a device of its own", pieces_text(shards))
                         : tr("the workload has no tables {}", pieces_text(shards));
    };
  }
  if (known.stage != Stage::coarse && 2 * known.keys < most_keys) {
    return [few = known.keys, most_keys] {
      return tr("it was measured with {} keys, and others with {}", grouped(few), grouped(most_keys));
    };
  }
  return {};
}

/// The fewest turns of any entry measured in turn before; 0 if there is none.
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

/// New measurements use the size of earlier ones, so that they can be compared.
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
  add_remark([few = full_keys_, inserts = results_.inserts] {
    return tr(
        "As before, tables of {} insertions were measured instead of {}: a new sweep, with more time, measures larger "
        "ones.",
        grouped(few), grouped(inserts));
  });
}

void Search::add_remark(LazyText more)
{
  LazyText& remark = results_.remark;
  if (remark.empty()) {
    remark = std::move(more);
  } else {
    remark = [before = remark, more = std::move(more)] { return fmt::format("{} {}", before.text(), more.text()); };
  }
}

}  // namespace slotscape::tuning
