#include "gpu/engine/step_costs.hpp"

#include "gpu/engine/narrate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

namespace slotscape {
namespace {

/// What the accesses of an operation do; they add up.
struct Accesses {
  std::size_t reads = 0;
  std::size_t again = 0;  ///< of these, second looks
  std::size_t writes = 0;
  std::size_t failed = 0;  ///< compare-and-swaps that wrote nothing
  std::size_t beside = 0;  ///< of what a table keeps beside its slots
  bool by_slot = true;     ///< each reads one slot, and no window or bucket
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

std::string counted(std::size_t count, std::string_view what)
{
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string in_words(Accesses const& made)
{
  std::vector<std::string> parts;
  if (made.reads != 0) {
    std::string const all = made.by_slot ? counted(made.reads, "slot") + " read" : counted(made.reads, "read");
    std::string const again = made.again == 1 ? "one of them" : fmt::format("{} of them", made.again);
    parts.push_back(made.again == 0 ? all : fmt::format("{}, {} a second time", all, again));
  }
  if (made.writes != 0) {
    parts.push_back(made.by_slot ? fmt::format("{} written", made.writes) : counted(made.writes, "write"));
  }
  if (made.failed != 0) { parts.push_back(counted(made.failed, "compare-and-swap") + " in vain"); }
  if (made.beside != 0) {
    parts.push_back(fmt::format("{} access{} beside the slots", made.beside, made.beside == 1 ? "" : "es"));
  }
  if (parts.empty()) { return "no memory access"; }
  return fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace

std::size_t probes(Trace const& trace, std::size_t steps)
{
  std::set<Slot> seen;
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
  return counted(probes(trace, steps), "probe");
}

std::string costs_in_words(Trace const& trace, std::size_t steps)
{
  Accesses const made = accesses(trace, steps);
  std::string const parts = in_words(made);
  std::size_t const probed = probes(trace, steps);  // which takes a while in long traces
  return probed == 0 ? parts : fmt::format("{} ({})", counted(probed, "probe"), parts);
}

std::string place_in_words(Measure const& measure, std::uint64_t value)
{
  constexpr Measure usual = FamilyInfo{}.measure;
  if (measure.name.empty()) { return ""; }
  if (measure.name != usual.name) { return fmt::format("{}: {}.", measure.name, value); }
  if (measure.unit != usual.unit) { return ""; }  // as many as the probes before the last
  return fmt::format("{} slot{} from home.", value, value == 1 ? "" : "s");
}

}  // namespace slotscape
