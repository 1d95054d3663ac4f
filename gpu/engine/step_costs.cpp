#include "gpu/engine/step_costs.hpp"

#include "gpu/base/translation.hpp"
#include "gpu/engine/narrate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_set>
#include <vector>

namespace slotscape {
namespace {

/// Counts of an operation's accesses; the counts add up.
struct Accesses {
  std::size_t reads = 0;
  std::size_t again = 0;  ///< reads that look at a slot a second time
  std::size_t writes = 0;
  std::size_t failed = 0;  ///< compare-and-swaps that wrote nothing
  std::size_t beside = 0;  ///< accesses to data that a table keeps beside its slots
  bool by_slot = true;     ///< each access reads a single slot, not a window or bucket
};

Accesses accesses(Trace const& trace, std::size_t steps)
{
  Accesses made;
  for (std::size_t i = 0; i < std::min(steps, trace.steps.size()); ++i) {
    Step const& step = trace.steps[i];
    if (step.seen.size() > 1) { made.by_slot = false; }
    if (step.kind == Step::Kind::metadata) {
      ++made.beside;
    } else if (step.after) {
      ++made.writes;
    } else {
      ++(step.kind == Step::Kind::read ? made.reads : made.failed);
    }
  }
  made.again = second_looks(trace, steps);
  return made;
}

std::string probes_text(std::size_t count)
{
  return tr_plural("{} probe", "{} probes", count, count);
}

std::string in_words(Accesses const& made)
{
  std::vector<std::string> parts;
  if (made.reads != 0) {
    std::string const all = made.by_slot ? tr_plural("{} slot read", "{} slots read", made.reads, made.reads)
                                         : tr_plural("{} read", "{} reads", made.reads, made.reads);
    parts.push_back(made.again == 0 ? all
                                    : all + tr_plural(", one of them a second time", ", {} of them a second time",
                                                      made.again, made.again));
  }
  if (made.writes != 0) {
    parts.push_back(made.by_slot ? tr("{} written", made.writes)
                                 : tr_plural("{} write", "{} writes", made.writes, made.writes));
  }
  if (made.failed != 0) {
    parts.push_back(tr_plural("{} failed compare-and-swap", "{} failed compare-and-swaps", made.failed, made.failed));
  }
  if (made.beside != 0) {
    parts.push_back(tr_plural("{} metadata access", "{} metadata accesses", made.beside, made.beside));
  }
  if (parts.empty()) { return tr("no memory access"); }
  return fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace

std::size_t probes(Trace const& trace, std::size_t steps)
{
  std::unordered_set<Slot> seen;
  std::size_t probes = 0;
  for (std::size_t i = 0; i < std::min(steps, trace.steps.size()); ++i) {
    std::size_t const known = seen.size();
    for (SlotInfo const& slot : trace.steps[i].seen) { seen.insert(slot.slot); }
    probes += seen.size() != known ? 1 : 0;
  }
  return probes;
}

std::string probes_in_words(Trace const& trace, std::size_t steps)
{
  return probes_text(probes(trace, steps));
}

std::string costs_in_words(Trace const& trace, std::size_t steps)
{
  Accesses const made = accesses(trace, steps);
  std::string const parts = in_words(made);
  std::size_t const probed = probes(trace, steps);  // slow for long traces
  return probed == 0 ? parts : fmt::format("{} ({})", probes_text(probed), parts);
}

std::string place_in_words(Measure const& measure, std::uint64_t value, SlotArrays const& arrays)
{
  constexpr Measure usual = FamilyInfo{}.measure;
  if (measure.name.empty()) { return ""; }
  if (measure.name != usual.name) { return fmt::format("{}: {}.", translated(measure.name), arrays.measured(value)); }
  if (measure.unit != usual.unit) { return ""; }  // equals the number of probes before the last
  return tr_plural("{} slot from home.", "{} slots from home.", value, value);
}

}  // namespace slotscape
