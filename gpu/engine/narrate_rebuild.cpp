#include "gpu/engine/narrate.hpp"

#include <fmt/format.h>
#include "gpu/base/translation.hpp"
#include "gpu/engine/step_words.hpp"

#include <algorithm>
#include <unordered_map>

namespace slotscape {
namespace {

/// A key that stays may have another home, or use another hash function.
bool differ(SlotInfo const& a, SlotInfo const& b)
{
  if (a.state != b.state || a.has_key != b.has_key) { return true; }
  return a.has_key && (a.pair != b.pair || a.home != b.home || a.probe_length != b.probe_length);
}

std::unordered_map<Key, Slot> places_of_live(std::span<SlotInfo const> slots)
{
  std::unordered_map<Key, Slot> places;
  for (SlotInfo const& slot : slots) {
    if (slot.state == SlotState::live) { places[slot.pair.key] = slot.slot; }
  }
  return places;
}

/// Reorders the steps of a rebuild from `first` on so that those of the trace's own key are last.
void put_own_key_last(Trace& trace, std::size_t first)
{
  std::stable_partition(trace.steps.begin() + static_cast<std::ptrdiff_t>(first), trace.steps.end(),
                        [&](Step const& step) { return !step.after->has_key || step.after->pair.key != trace.key; });
}

std::string moves_text(std::uint64_t moved, std::span<SlotInfo const> before)
{
  return tr_plural("{} of the other {} keys moves.", "{} of the other {} keys move.", moved, moved,
                   places_of_live(before).size());
}

std::string text_of(Step const& step)
{
  char const* const start = tr(rebuild_in_words);
  SlotInfo const& after = *step.after;
  if (!after.has_key) {
    return start + (after.state == SlotState::empty ? tr("slot {} becomes empty", after.slot)
                                                    : tr("slot {} becomes a grave", after.slot));
  }
  bool const stays = step.seen.front().has_key && step.seen.front().pair.key == after.pair.key;
  if (stays) { return start + tr("{} stays in slot {} (home {})", after.pair.key, after.slot, after.home); }
  if (!step.moved_from) { return start + tr("{} goes to slot {}", after.pair.key, after.slot); }
  return start + tr("{} moves from slot {} to slot {}", after.pair.key, *step.moved_from, after.slot);
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
    if (place != places.end() && place->second != after[slot].slot) {
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
  put_own_key_last(trace, first_step);
  trace.outcome = Outcome::inserted;
  std::string const all = moves_text(moved, before);
  trace.rebuild = tr("The table is rebuilt, and {}", all);
  trace.summary = tr("{} is new: the table is rebuilt with it, and {}", trace.key, all);
}

void narrate_reseeding(Trace& trace, std::span<SlotInfo const> before, std::span<SlotInfo const> after,
                       std::uint64_t rebuilds)
{
  bool const is_placed = trace.outcome == Outcome::inserted;
  std::size_t const first_step = trace.steps.size();
  std::uint64_t const moved = add_rebuild(trace, before, after);
  put_own_key_last(trace, first_step);
  std::string const times = rebuilds > 1 ? tr(", {} times", rebuilds) : std::string();
  if (rebuilds == 0) {
    trace.rebuild = tr("None of the other hash functions tried has a slot for every key: the table is unchanged.");
  } else if (after.empty()) {
    trace.rebuild =
        tr("The table is rebuilt with other hash functions{}. In smaller tables, the keys that move are shown here.",
           times);
  } else {
    trace.rebuild = tr("The table is rebuilt with other hash functions{}, and {}", times, moves_text(moved, before));
  }
  std::string end;
  if (is_placed) {
    end = " " + tr("{} is in the table now.", trace.key);
  } else if (rebuilds != 0) {
    end = " " + tr("{} finds no slot with these functions, either.", trace.key);
  }
  trace.summary = tr("{} finds no slot with these hash functions.", trace.key) + " " + trace.rebuild + end;
}

void narrate_large_reseeding(Trace& trace)
{
  trace.rebuild =
      tr("The table may then be rebuilt with other hash functions. In smaller tables, the result is shown here.");
  trace.summary = tr("{} finds no slot with these hash functions.", trace.key) + " " + trace.rebuild;
}

void narrate_no_reseeding(Trace& trace, double safe_load)
{
  if (trace.empty_slots == 0) { return; }
  trace.rebuild = tr(
      "It is not rebuilt: above load factor {:.2f}, other hash functions are tried again only once a 64th of the slots "
      "has changed.",
      safe_load);
  trace.summary += " " + trace.rebuild;
}

void summarise_rebuild(Trace& trace, std::uint64_t keys)
{
  trace.outcome = Outcome::inserted;
  trace.rebuild = tr("The table is rebuilt with {} keys.", keys);
  trace.summary =
      tr("{} is new: the table is rebuilt with {} keys. In smaller tables, the keys that move are shown here.",
         trace.key, keys);
}

std::string heads_split_in_words(Slot splits, Slot head, Slot added)
{
  if (splits != 1) { return tr("{} heads were split in turn.", splits); }
  return tr("Head {} was split: its keys are divided between it and the new head {}.", head, added);
}

std::string buckets_split_in_words(Slot splits, Slot entries)
{
  std::string const text = splits == 1 ? tr("Its bucket was split.") : tr("Its bucket was split {} times.", splits);
  return entries == 0 ? text : text + " " + tr("The directory has grown to {} entries.", entries);
}

void narrate_failed_rebuild(Trace& trace)
{
  trace.outcome = Outcome::full;
  trace.summary = tr("{} is new, but with it, a table of this size would be too full to build.", trace.key);
}

}  // namespace slotscape
