#include "gpu/engine/narrate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace slotscape {
namespace {

bool differ(SlotInfo const& a, SlotInfo const& b)
{
  return a.state != b.state || a.has_key != b.has_key || (a.has_key && a.pair != b.pair);
}

std::unordered_map<Key, Slot> places_of_live(std::span<SlotInfo const> slots)
{
  std::unordered_map<Key, Slot> places;
  for (SlotInfo const& slot : slots) {
    if (slot.state == SlotState::live) { places[slot.pair.key] = slot.slot; }
  }
  return places;
}

std::string text_of(Step const& step)
{
  char const* const start = "The table is rebuilt: ";
  SlotInfo const& after = *step.after;
  if (!after.has_key) {
    return fmt::format("{}slot {} becomes {}", start, after.slot,
                       after.state == SlotState::empty ? "empty" : "a grave");
  }
  if (!step.moved_from) { return fmt::format("{}{} goes to slot {}", start, after.pair.key, after.slot); }
  return fmt::format("{}{} moves from slot {} to slot {}", start, after.pair.key, *step.moved_from, after.slot);
}

}  // namespace

std::uint64_t add_rebuild(Trace& trace, std::span<SlotInfo const> before, std::span<SlotInfo const> after)
{
  auto const places = places_of_live(before);
  std::uint64_t moved = 0;
  for (std::size_t slot = after.size();
       slot-- > 0;) {  // from the end, so that a key that makes room for another moves first
    if (!differ(before[slot], after[slot])) { continue; }
    Step step{.kind = Step::Kind::exchange, .seen = {before[slot]}, .after = after[slot], .place = {"rebuild"}};
    auto const place = after[slot].has_key ? places.find(after[slot].pair.key) : places.end();
    if (place != places.end()) {
      step.moved_from = place->second;
      ++moved;
    }
    step.found = step.text = text_of(step);
    trace.steps.push_back(std::move(step));
  }
  return moved;
}

void narrate_rebuild(Trace& trace, std::span<SlotInfo const> before, std::span<SlotInfo const> after)
{
  std::size_t const first_step = trace.steps.size();
  std::uint64_t const moved = add_rebuild(trace, before, after);
  std::stable_partition(trace.steps.begin() + static_cast<std::ptrdiff_t>(first_step), trace.steps.end(),
                        [&](Step const& step) { return !step.after->has_key || step.after->pair.key != trace.key; });
  trace.outcome = Outcome::inserted;
  trace.summary = fmt::format("{} is new: the table is rebuilt with it, and {} of the other {} keys change{} places.",
                              trace.key, moved, places_of_live(before).size(), moved == 1 ? "s" : "");
}

void summarise_rebuild(Trace& trace, std::uint64_t keys)
{
  trace.outcome = Outcome::inserted;
  trace.summary = fmt::format(
      "{} is new: the table is rebuilt with {} keys. In smaller tables, the keys that change places are shown here.",
      trace.key, keys);
}

void narrate_failed_rebuild(Trace& trace)
{
  trace.outcome = Outcome::full;
  trace.summary = fmt::format("{} is new, and no table of this size can be built with it: it is too full.", trace.key);
}

}  // namespace slotscape
