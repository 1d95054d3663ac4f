#include "gpu/engine/narrate.hpp"

#include "gpu/base/translation.hpp"
#include "gpu/engine/parts.hpp"
#include "gpu/engine/step_costs.hpp"
#include "gpu/engine/step_reasons.hpp"
#include "gpu/engine/step_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_set>

namespace slotscape {
namespace {

bool holds(SlotInfo const& slot, Key key)
{
  return slot.has_key && slot.pair.key == key;
}

bool holds_live_key(SlotInfo const& slot)
{
  return slot.state == SlotState::live && slot.has_key;
}

class Narrator {
public:
  Narrator(Trace& trace, FamilyInfo const& family)
      : trace_(trace), family_(family), arrays_(trace.slots_each), carried_(trace.key)
  {
  }

  void run()
  {
    for (std::size_t i = 0; i < trace_.steps.size(); ++i) {
      Step& step = trace_.steps[i];
      if (step.after) { step.moved_from = origin(i); }
      bool const is_told = !step.text.empty();  // the family has supplied the text
      if (is_told && i == 0) { step.text = head_text(step) + step.text; }
      step.found = is_told ? step.text : told(i, is_last(i));  // after the last step, there is nothing to guess
      step.text = is_told ? step.text + what_the_bit_says(trace_, i) : told(i, true);
      if (step.after) { note_write(step); }
      if (starts_over(i)) { ++searches_; }
    }
    if (trace_.summary.empty()) { trace_.summary = summary(); }
  }

private:
  /// A slot with its number for users.
  std::string named(Slot slot) const { return arrays_.in_words(slot); }

  /// The slot where the key written by step i was last seen, unless it is the operation's own key or was in the same
  /// slot.
  std::optional<Slot> origin(std::size_t i) const
  {
    SlotInfo const& after = *trace_.steps[i].after;
    if (!after.has_key || after.pair.key == trace_.key || holds(trace_.steps[i].seen.front(), after.pair.key)) {
      return std::nullopt;
    }
    for (std::size_t before = i; before-- > 0;) {
      for (SlotInfo const& seen : trace_.steps[before].seen) {
        if (holds(seen, after.pair.key) && seen.slot != after.slot) { return seen.slot; }
      }
    }
    return std::nullopt;
  }

  /// The text of step i, optionally with what happens next.
  std::string told(std::size_t i, bool with_next)
  {
    tells_next_ = with_next;
    return text(i) + explanation(i);
  }

  std::string text(std::size_t i) const
  {
    Step const& step = trace_.steps[i];
    if (step.kind == Step::Kind::metadata) { return tr("Reads the metadata of the table") + next_text(i); }
    if (step.after) { return write_text(i); }
    if (step.kind == Step::Kind::compare_and_swap) { return failure_text(i); }
    if (step.seen.size() != 1) { return window_text(step, i); }
    SlotInfo const& slot = step.seen.front();
    return (i == 0 ? hash_text(slot.slot) : "") + read_text(slot, i);
  }

  /// Why the search begins at this slot, with the arithmetic if it can be done by hand.
  std::string hash_text(Slot slot) const
  {
    if (!family_.uses_hash && !family_.steps.begins_by_hash) { return {}; }
    bool const by_hand = trace_.first_hash.ends_with(fmt::format(" = {}", slot));
    std::string const sum = by_hand ? trace_.first_hash : digit_in_words(trace_, trace_.key, slot);
    std::string home = tr("{} hashes to slot {}", trace_.key, named(slot)) + (sum.empty() ? ". " : ": " + sum + ". ");
    if (trace_.second_hash.empty()) { return home; }
    return home + (tells_probes(trace_.second_hash) ? tr("Its probes: {}. ", trace_.second_hash)
                                                    : tr("Its step size: {}. ", trace_.second_hash));
  }

  /// Why the search begins at the head of a chain.
  std::string head_text(Step const& step) const
  {
    auto const head = variable(step, "head");
    if (!head) { return {}; }
    std::string const sum = trace_.first_hash.empty() ? "" : ": " + trace_.first_hash;
    return tr("{} hashes to head {}", trace_.key, *head) + sum + ". ";
  }

  std::string read_text(SlotInfo const& slot, std::size_t i) const
  {
    if (trace_.steps[i].place.line == "follow") { return follow_text(slot, i); }
    if (auto const added = variable(trace_.steps[i], "new"); added && slot.has_key) { return split_text(slot, *added); }
    if (slot.state == SlotState::link) { return tr("Slot {} links to more slots", named(slot.slot)) + next_text(i); }
    if (slot.state == SlotState::empty) { return empty_text(slot, i); }
    if (holds(slot, trace_.key)) { return own_text(slot, i); }
    if (!slot.has_key) { return tombstone_text(slot, i); }
    bool const is_dead = slot.state == SlotState::tombstone;
    // A sorted array hashes its keys neither to slots nor to buckets.
    bool const has_home = family_.uses_hash || !family_.groups.name.empty();
    std::string const home = has_home ? tr(" (home {})", named(slot.home)) : "";
    std::string const text = (is_dead ? tr("Slot {} holds the erased key {}", named(slot.slot), slot.pair.key)
                                      : tr("Slot {} holds {}", named(slot.slot), slot.pair.key)) +
                             home;
    std::string const distances = compared_distances(trace_, i, carried_, tells_next_);
    if (!distances.empty()) { return text + distances + (is_written_next(i) ? "" : next_text(i)); }
    if (is_written_next(i) && (tells_next_ || is_dead || gap_)) { return text + next_text(i); }
    if (gap_) {
      return text + tr(": it cannot move to slot {}", named(*gap_)) + why_not_to_gap(trace_, i) + next_text(i);
    }
    std::string const what = tells_next_ ? compared_keys(trace_, i, family_) : "";
    return fmt::format("{}{}{}", text,
                       is_dead        ? tr(", and is still reserved for it")
                       : what.empty() ? tr(", another key")
                                      : what.c_str(),
                       after_text(i));
  }

  /// A key's chain or bucket is split. added: the new head or bucket, which takes some of the keys.
  std::string split_text(SlotInfo const& slot, std::uint64_t added) const
  {
    std::string text = tr("Slot {} holds {}", named(slot.slot), slot.pair.key);
    if (family_.growth != Growth::bucket_by_bucket) { return text; }
    return text + (slot.home == added ? tr(", which now belongs to head {}", slot.home)
                                      : tr(", which stays with head {}", slot.home));
  }

  /// A slot behind the gap that an erased key has left.
  std::string follow_text(SlotInfo const& slot, std::size_t i) const
  {
    if (slot.state == SlotState::empty) {
      return tr("Slot {} is empty: the cluster ends here, and no key behind it has to move", named(slot.slot));
    }
    std::string text = tr("Slot {} holds {}", named(slot.slot), slot.pair.key) + tr(" (home {})", named(slot.home));
    if (!tells_next_) { return text; }
    bool const moves = !is_last(i) && trace_.steps[i + 1].place.line == "move";
    if (!moves) { return text + tr(", which comes after the gap, so it stays") + next_text(i); }
    return text +
           tr(", which does not come after the gap, so it moves to slot {}", named(trace_.steps[i + 1].after->slot));
  }

  /// Most searches end at the first empty slot; an insert may then go back to a free slot that it passed.
  std::string empty_text(SlotInfo const& slot, std::size_t i) const
  {
    std::string const empty = was_read_before(i) ? tr("Slot {} is still empty at a second look", named(slot.slot))
                                                 : tr("Slot {} is empty", named(slot.slot));
    if (is_last(i)) {
      return trace_.operation == Operation::insert ? empty : empty + tr(", so {} is not in the table", trace_.key);
    }
    if (tells_next_) {
      if (std::string const too_far = why_too_far(trace_, i); !too_far.empty()) { return empty + too_far; }
      if (std::string const who = who_may_move_here(trace_, i); !who.empty()) { return empty + who; }
    }
    Step const& next = trace_.steps[i + 1];
    bool const searched = next.kind == Step::Kind::read && next.seen.size() == 1 && slot_was_read(i + 1, i + 1);
    if (!searched || !tells_next_) { return empty + next_text(i); }
    if (next.seen.front().slot == slot.slot) { return empty + tr(", so {} is not in the table yet", trace_.key); }
    std::string const back = tr(", so {} is not in the table yet", trace_.key) + ". ";
    Slot const there = next.seen.front().slot;
    return empty + back +
           (next.place.line == "seek"
                ? tr("Back to slot {}, its home, to look for an empty slot from there", named(there))
                : tr("Back to slot {}, the first place for it", named(there)));
  }

  std::string tombstone_text(SlotInfo const& slot, std::size_t i) const
  {
    bool const passes = tells_next_ && !is_last(i) && trace_.steps[i + 1].kind == Step::Kind::read &&
                        trace_.steps[i + 1].place.line == trace_.steps[i].place.line;
    bool const is_grave = family_.digs_graves;
    if (is_grave && ends_in_vain(i)) {
      return tr("Slot {} holds a tombstone that a rebuild left here. {} would have taken its place", named(slot.slot),
                trace_.key);
    }
    return (is_grave ? tr("Slot {} holds a tombstone that a rebuild left here", named(slot.slot))
                     : tr("Slot {} holds a tombstone, left by an erased key", named(slot.slot))) +
           (passes ? tr(": {} may lie beyond it", trace_.key) : std::string()) + next_text(i);
  }

  /// Whether the next step does not touch the slot.
  bool passes_by(SlotInfo const& slot, std::size_t i) const
  {
    return !is_last(i) && !trace_.steps[i + 1].seen.empty() && sight_of(slot.slot, i + 1) == nullptr;
  }

  std::string own_text(SlotInfo const& slot, std::size_t i) const
  {
    if (slot.state == SlotState::tombstone) {
      bool const comes_back = trace_.operation == Operation::insert;
      return comes_back
                 ? tr("Slot {} holds the erased key {}: it comes back here", named(slot.slot), slot.pair.key)
                 : tr("Slot {} holds the erased key {}: it is no longer in the table", named(slot.slot), slot.pair.key);
    }
    switch (trace_.operation) {
      case Operation::insert:
        if (passes_by(slot, i)) {  // in a race
          return tr("Slot {} holds {} already, but this insertion is no longer looking for it", named(slot.slot),
                    slot.pair.key) +
                 next_text(i);
        }
        return tr("Slot {} holds {} already, {}", named(slot.slot), slot.pair.key, fate_of_value(slot.pair.value));
      case Operation::find:
        return tr("Slot {} holds {}: found", named(slot.slot), slot.pair.key) +
               (trace_.has_values ? ". " + tr("Its value is {}", slot.pair.value) : "");
      case Operation::erase: break;
    }
    return tr("Slot {} holds {}, the key to erase", named(slot.slot), slot.pair.key);
  }

  /// What happens to the value of a key that is inserted again.
  std::string fate_of_value(Value value) const
  {
    if (!trace_.has_values) { return tr("so nothing changes"); }
    switch (trace_.combine) {
      case Combine::replace: break;
      case Combine::keep_first: return tr("and its value {} stays", value);
      case Combine::add_freely:
      case Combine::add: return tr("so {} is added to its value {}", trace_.value, value);
      case Combine::min:
        return trace_.value < value ? std::string(tr("so its value becomes the smaller one"))
                                    : tr("and its value {} stays, as the smaller one", value);
      case Combine::max:
        return trace_.value > value ? std::string(tr("so its value becomes the larger one"))
                                    : tr("and its value {} stays, as the larger one", value);
    }
    return tr("so only its value changes");
  }

  /// A window, bucket or slab that is read in one access.
  std::string window_text(Step const& step, std::size_t i) const
  {
    auto const count = [&](SlotState state) { return std::ranges::count(step.seen, state, &SlotInfo::state); };
    std::string text =
        tr("Slots {} to {} are read at once: ", named(step.seen.front().slot), named(step.seen.back().slot));
    auto const own = std::ranges::find_if(step.seen, [&](SlotInfo const& slot) { return holds(slot, trace_.key); });
    if (own != step.seen.end()) { return text + in_mid_sentence(own_text(*own, i)); }
    auto const keys = count(SlotState::live);
    text += tr_plural("{} key", "{} keys", static_cast<std::uint64_t>(keys), keys) +
            tr(", {} empty", count(SlotState::empty));
    if (auto const dead = count(SlotState::tombstone); dead != 0) {
      text += ", " + tr_plural("{} tombstone", "{} tombstones", static_cast<std::uint64_t>(dead), dead);
    }
    if (searches_ == 0 && (!starts_over(i) || !tells_next_)) { text += ". " + tr("{} is not among them", trace_.key); }
    if (searches_ != 0 && keys == std::ssize(step.seen)) { text += std::string(". ") + tr("There is no room"); }
    return text + after_text(i);
  }

  std::string after_text(std::size_t i) const
  {
    return ends_in_vain(i) ? ". " + why_it_ends(trace_, i, family_) : next_text(i);
  }

  /// A failed compare-and-swap: another key is in the slot, either seen only now or there since the slot was read.
  std::string failure_text(std::size_t i) const
  {
    SlotInfo const& found = trace_.steps[i].seen.front();
    if (was_read_before(i)) {
      return tr("Slot {} has changed since it was read, so nothing is written", named(found.slot)) + next_text(i);
    }
    return tr("Nothing is written, because the slot is not free: ") + in_mid_sentence(read_text(found, i));
  }

  std::string write_text(std::size_t i) const
  {
    Step const& step = trace_.steps[i];
    SlotInfo const& before = step.seen.front();
    SlotInfo const& after = *step.after;
    if (after.state == SlotState::empty) { return cleared_text(before); }
    if (after.state == SlotState::link) { return link_text(after.slot); }
    if (!after.has_key) { return keyless_text(before); }
    if (holds(before, after.pair.key)) { return value_text(before, after); }
    return arrival_text(i);
  }

  std::string link_text(Slot slot) const
  {
    std::string_view const words = family_.steps.links;
    return words.empty() ? tr("Slot {} now links to more slots", named(slot)) : with_value(words, named(slot));
  }

  /// A word that is neither a pair nor empty replaces what the slot held before.
  std::string keyless_text(SlotInfo const& before) const
  {
    if (trace_.operation == Operation::erase) {
      return tr("Slot {} becomes a tombstone, which a later insert may replace", named(before.slot));
    }
    return holds_live_key(before) ? tr("{} is taken out of slot {}, which no other thread can use for now",
                                       before.pair.key, named(before.slot))
                                  : tr("Slot {} is reserved: no other thread can use it for now", named(before.slot));
  }

  std::string cleared_text(SlotInfo const& before) const
  {
    return before.has_key ? tr("{} leaves slot {}: it is empty now", before.pair.key, named(before.slot))
                          : tr("Slot {} is empty now", named(before.slot));
  }

  std::string value_text(SlotInfo const& before, SlotInfo const& after) const
  {
    if (after.state == SlotState::tombstone) {
      return tr("{} is erased: it loses its value, and slot {} is a tombstone now", after.pair.key, named(after.slot));
    }
    if (before.state == SlotState::tombstone) {
      return tr("{} is back in slot {}, with value {}", after.pair.key, named(after.slot), after.pair.value);
    }
    if (before.pair.value == after.pair.value) {
      return tr("{} in slot {} keeps its value {}: the new one is the same", after.pair.key, named(after.slot),
                after.pair.value);
    }
    return tr("The value of {} in slot {} changes from {} to {}", after.pair.key, named(after.slot), before.pair.value,
              after.pair.value);
  }

  /// Whether step i puts the key into a slot where it read a tombstone earlier, before other slots.
  bool turns_back_to(Slot slot, std::size_t i) const
  {
    if (trace_.operation != Operation::insert || trace_.steps[i].moved_from || i == 0) { return false; }
    SlotInfo const* const first = first_sight(slot, i - 1);
    return first != nullptr && first->state == SlotState::tombstone && sight_of(slot, i - 1) == nullptr;
  }

  std::string arrival_text(std::size_t i) const
  {
    Step const& step = trace_.steps[i];
    SlotInfo const& before = step.seen.front();
    SlotInfo const& after = *step.after;
    std::string const where =
        after.slot == after.home ? std::string(tr(", its home")) : tr(" (home {})", named(after.home));
    std::string const sum = digit_in_words(trace_, after.pair.key, after.slot);
    std::string text = (step.moved_from ? tr("{} moves from slot {} to slot {}", after.pair.key,
                                             named(*step.moved_from), named(after.slot))
                                        : tr("{} goes to slot {}", after.pair.key, named(after.slot))) +
                       where;
    if (!sum.empty()) { text += ": " + sum; }
    if (turns_back_to(after.slot, i)) { text += tr(", the first tombstone that it passed"); }
    if (!holds_live_key(before)) { return text; }
    bool const is_carried_on = step.place.line == "swap" && trace_.operation == Operation::insert;
    return text + tr(", in place of {}", before.pair.key) + (tells_next_ ? "" : why_it_takes(trace_, i)) +
           (is_carried_on ? ". " + tr("{} is now carried", before.pair.key) : "");
  }

  bool is_last(std::size_t i) const { return i + 1 == trace_.steps.size(); }
  /// Whether the search ends with this step without finding the key or a place for it.
  bool ends_in_vain(std::size_t i) const
  {
    return is_last(i) && (trace_.outcome == Outcome::missing || trace_.outcome == Outcome::full);
  }

  /// Whether step i reads a single slot, and the next step writes it.
  bool is_written_next(std::size_t i) const
  {
    if (is_last(i) || trace_.steps[i].seen.size() != 1) { return false; }
    Step const& next = trace_.steps[i + 1];
    return next.after && next.after->slot == trace_.steps[i].seen.front().slot;
  }

  void note_write(Step const& step)
  {
    SlotInfo const& before = step.seen.front();
    bool const takes_a_place = step.after->has_key && holds_live_key(before) && !holds(before, step.after->pair.key);
    if (takes_a_place) { carried_ = before.pair.key; }
    note_gap(*step.after);
  }

  void note_gap(SlotInfo const& written)
  {
    bool const is_aside =
        trace_.operation == Operation::insert && written.state == SlotState::tombstone && !written.has_key;
    if (is_aside) {
      gap_ = written.slot;
    } else if (gap_ == written.slot) {
      gap_.reset();
    }
  }

  /// Whether an insertion that has not written anything yet ends a search with step i and returns to its start.
  bool starts_over(std::size_t i) const
  {
    if (trace_.operation != Operation::insert || is_last(i)) { return false; }
    auto const sees_slots = [](Step const& step) { return !step.seen.empty(); };
    auto const first = std::ranges::find_if(trace_.steps, sees_slots);
    auto const next = trace_.steps.begin() + static_cast<std::ptrdiff_t>(i) + 1;
    bool const is_first_again = first < next - 1 && next->kind == Step::Kind::read && sees_slots(*next) &&
                                next->seen.front().slot == first->seen.front().slot;
    return is_first_again && std::none_of(first, next, [](Step const& step) { return step.after.has_value(); });
  }

  /// Whether an insertion has reached the end of its key's path at step i without finding an empty slot, and goes back
  /// to a free one.
  bool ends_first_way(std::size_t i) const
  {
    Step const& step = trace_.steps[i];
    bool const goes_back = step.place.line == "search" && trace_.steps[i + 1].place.line == "look";
    bool const meets_empty = std::ranges::count(step.seen, SlotState::empty, &SlotInfo::state) != 0;
    return trace_.operation == Operation::insert && goes_back && !meets_empty;
  }

  bool was_read_before(std::size_t i) const { return slot_was_read(i, i); }
  /// Whether the first slot of step i was read in one of the first `steps` steps.
  bool slot_was_read(std::size_t i, std::size_t steps) const
  {
    return first_sight(trace_.steps[i].seen.front().slot, steps) != nullptr;
  }

  /// The slot as read by step i; null if the step does not read it.
  SlotInfo const* sight_of(Slot slot, std::size_t i) const
  {
    auto const& seen = trace_.steps[i].seen;
    auto const found = std::ranges::find(seen, slot, &SlotInfo::slot);
    return found == seen.end() ? nullptr : &*found;
  }

  /// The slot as first read within the first `steps` steps; null if none reads it.
  SlotInfo const* first_sight(Slot slot, std::size_t steps) const
  {
    for (std::size_t i = 0; i < steps; ++i) {
      if (SlotInfo const* const seen = sight_of(slot, i)) { return seen; }
    }
    return nullptr;
  }

  static std::string in_mid_sentence(std::string text)
  {
    if (text.starts_with("Slot")) { text.front() = 's'; }
    return text;
  }

  /// The text on where the next step continues.
  std::string next_text(std::size_t i) const
  {
    if (is_last(i) || !tells_next_) { return ""; }
    Step const& next = trace_.steps[i + 1];
    bool const is_link = next.place.line == "next" && !family_.steps.link.empty();
    if (is_link) { return ". " + translated(family_.steps.link); }
    if (next.seen.empty()) { return std::string(". ") + tr("Next: the metadata of the table"); }
    Slot const there = next.seen.front().slot;
    auto const& seen = trace_.steps[i].seen;
    if (is_written_next(i)) { return fate_text(seen.front(), *next.after); }
    bool const stays = !seen.empty() && there == seen.front().slot && next.seen.size() == seen.size();
    if (stays) { return ""; }
    if (next.kind != Step::Kind::read) {
      Key const key = next.after && next.after->has_key ? next.after->pair.key : trace_.key;
      return ". " + tr("{} goes to slot {}", key, named(there));
    }
    bool const is_one = next.seen.size() == 1;
    Slot const last = next.seen.back().slot;
    if (ends_first_way(i)) {
      std::string const all =
          ". " + tr("That was the last place to look: {} is not in the table yet", trace_.key) + ". ";
      return all + (is_one ? tr("Back to slot {}, the first place for it", named(there))
                           : tr("Back to slots {} to {}, the first place for it", named(there), named(last)));
    }
    if (!starts_over(i) || searches_ > 1) {
      return ". " +
             (is_one ? tr("Next: slot {}", named(there)) : tr("Next: slots {} to {}", named(there), named(last))) +
             what_comes_next(trace_, i, family_);
    }
    std::string const back =
        is_one ? tr("Back to slot {}", named(there)) : tr("Back to slots {} to {}", named(there), named(last));
    return searches_ == 1 ? ". " + back + tr(", to see which key can move")
                          : ". " + tr("{} is not in the table yet", trace_.key) + ". " + back;
  }

  /// What happens to the contents of a slot when it is written.
  static std::string fate_text(SlotInfo const& seen, SlotInfo const& after)
  {
    if (!holds_live_key(seen)) { return after.has_key ? tr(": {} goes here", after.pair.key) : ""; }
    if (holds(seen, after.pair.key) && after.has_key) { return ""; }
    return after.has_key ? tr(": {} takes its place", after.pair.key) : tr(": {} is taken out", seen.pair.key);
  }

  /// Explains what is special about an access, when it first occurs.
  std::string explanation(std::size_t i) const
  {
    Step const& step = trace_.steps[i];
    auto const before = trace_.steps.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::any_of(trace_.steps.begin(), before, [&](Step const& each) { return each.kind == step.kind; })) {
      return "";
    }
    if (step.kind == Step::Kind::exchange) { return std::string(". ") + tr(exchange_in_words); }
    if (step.kind != Step::Kind::compare_and_swap) { return ""; }
    bool const swaps = step.after && holds_live_key(step.seen.front());
    return std::string(". ") + tr(swaps ? swap_in_words : take_in_words);
  }

  bool writes() const
  {
    return std::ranges::any_of(trace_.steps, [](Step const& step) { return step.after.has_value(); });
  }

  std::string summary() const
  {
    std::string const costs = costs_in_words(trace_, trace_.steps.size());
    auto const measure = displacement(trace_);
    std::string const where = measure ? place_in_words(family_.measure, *measure, arrays_) : "";
    std::string const place = where.empty() ? where : fmt::format(" {}", where);
    switch (trace_.outcome) {
      case Outcome::inserted: {
        std::string const moved = moved_in_words(trace_);
        std::string const inserted = tr("{} is inserted after {}.", trace_.key, costs) + place;
        return moved.empty() ? inserted : fmt::format("{} {}", inserted, moved);
      }
      case Outcome::updated:
        if (!trace_.has_values) { return tr("{} was already in the table after {}.", trace_.key, costs) + place; }
        return (writes() ? tr("{} was already in the table: its value is updated after {}.", trace_.key, costs)
                         : tr("{} was already in the table: its value stays after {}.", trace_.key, costs)) +
               place;
      case Outcome::found: return tr("{} is found after {}.", trace_.key, costs) + place;
      case Outcome::missing:
        return tr("{} is not in the table: unsuccessful search, {}.", trace_.key, costs) + why_missing(trace_);
      case Outcome::erased: return tr("{} is erased after {}.", trace_.key, costs);
      case Outcome::full: return tr("{} finds no slot after {}: {}.", trace_.key, costs, why_it_is_full(trace_));
      case Outcome::rejected: break;
    }
    return trace_.has_values ? tr("{} is rejected: its key or value is reserved.", trace_.key)
                             : tr("{} is rejected: its key is reserved.", trace_.key);
  }

  Trace& trace_;
  FamilyInfo const& family_;
  SlotArrays arrays_;        ///< of the table
  Key carried_;              ///< the key to be placed: the operation's, or a displaced one
  std::optional<Slot> gap_;  ///< the last slot that an insertion reserved and has not filled yet
  int searches_ = 0;         ///< finished by an insertion: for its key, then for a place
  bool tells_next_ = true;   ///< whether the current text says what happens next
};

}  // namespace

std::size_t second_looks(Trace const& trace, std::size_t steps)
{
  std::unordered_set<Slot> seen;
  std::size_t again = 0;
  for (std::size_t i = 0; i < std::min(steps, trace.steps.size()); ++i) {
    Step const& step = trace.steps[i];
    auto const known = [&](SlotInfo const& slot) { return seen.contains(slot.slot); };
    bool const reads = step.kind == Step::Kind::read && !step.seen.empty();
    if (reads && std::ranges::all_of(step.seen, known)) { ++again; }
    for (SlotInfo const& slot : step.seen) { seen.insert(slot.slot); }
  }
  return again;
}

std::string moved_in_words(Trace const& trace)
{
  std::set<Key> moved;
  for (Step const& step : trace.steps) {
    bool const is_other = step.moved_from && step.after->has_key && step.after->pair.key != trace.key;
    if (is_other) { moved.insert(step.after->pair.key); }
  }
  if (moved.empty()) { return {}; }
  return tr_plural("{} other key moved to make room.", "{} other keys moved to make room.", moved.size(), moved.size());
}

std::optional<std::uint64_t> displacement(Trace const& trace)
{
  bool const is_split = std::ranges::any_of(trace.steps, [](Step const& step) { return step.place.line == "relink"; });
  if (is_split) { return std::nullopt; }  // the split may have changed its position in the chain
  auto const is_own = [&](SlotInfo const& slot) { return holds(slot, trace.key) && holds_live_key(slot); };
  for (auto step = trace.steps.rbegin(); step != trace.steps.rend(); ++step) {
    if (step->after && is_own(*step->after)) { return step->after->probe_length; }
    auto const own = std::ranges::find_if(step->seen, is_own);
    if (own != step->seen.end()) { return own->probe_length; }
  }
  return std::nullopt;
}

void narrate(Trace& trace, FamilyInfo const& family)
{
  Narrator(trace, family).run();
}

}  // namespace slotscape
