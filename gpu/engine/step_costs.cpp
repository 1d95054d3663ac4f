#include "gpu/engine/step_costs.hpp"

#include "gpu/engine/narrate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace slotscape {

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

std::string costs_in_words(Trace const& trace, std::size_t steps)
{
  std::size_t const count = std::min(steps, trace.steps.size());
  std::size_t const probed = probes(trace, count);
  std::size_t const again = second_looks(trace, count);
  std::string accesses = fmt::format("{} memory access{}", count, count == 1 ? "" : "es");
  if (again != 0) { accesses += fmt::format(", {} of them {}", again, again == 1 ? "a second look" : "second looks"); }
  if (probed == 0) { return accesses; }
  return fmt::format("{} probe{} ({})", probed, probed == 1 ? "" : "s", accesses);
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
