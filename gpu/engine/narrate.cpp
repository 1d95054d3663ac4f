#include "gpu/engine/narrate.hpp"

#include "gpu/engine/step_costs.hpp"
#include "gpu/engine/step_reasons.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

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
  Narrator(Trace& trace, FamilyInfo const& family) : trace_(trace), family_(family), carried_(trace.key) {}

  void run()
  {
    for (std::size_t i = 0; i < trace_.steps.size(); ++i) {
      Step& step = trace_.steps[i];
      if (step.after) { step.moved_from = origin(i); }
      bool const is_told = !step.text.empty();                 // by the family
      step.found = is_told ? step.text : told(i, is_last(i));  // after the last one, there is nothing to guess
      step.text = is_told ? step.text + what_the_bit_says(trace_, i) : told(i, true);
      if (step.after) { note_write(step); }
      if (starts_over(i)) { ++searches_; }
    }
    if (trace_.summary.empty()) { trace_.summary = summary(); }
  }

private:
  /// Where the key that step i writes was last seen, if it is not the operation's key and comes from another slot.
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

  /// The text of step i, with what happens next or without.
  std::string told(std::size_t i, bool with_next)
  {
    tells_next_ = with_next;
    return text(i) + explanation(i);
  }

  std::string text(std::size_t i) const
  {
    Step const& step = trace_.steps[i];
    if (step.kind == Step::Kind::metadata) { return "Reads what the table keeps beside its slots" + next_text(i); }
    if (step.after) { return write_text(i); }
    if (step.kind == Step::Kind::compare_and_swap) { return failure_text(i); }
    if (step.seen.size() != 1) { return window_text(step, i); }
    SlotInfo const& slot = step.seen.front();
    return (i == 0 ? hash_text(slot.slot) : "") + read_text(slot, i);
  }

  /// Why the search begins at this slot, with the sums that can be done by hand.
  std::string hash_text(Slot slot) const
  {
    bool const has_own = family_.name == "cuckoo" || family_.name == "hash_fight";
    if (!family_.uses_hash && !has_own) { return {}; }
    bool const by_hand = trace_.first_hash.ends_with(fmt::format(" = {}", slot));
    std::string const sum = by_hand ? trace_.first_hash : digit_in_words(trace_, family_, trace_.key, slot);
    std::string_view const what = family_.name == "quadratic" ? "probes" : "step size";
    std::string const second = trace_.second_hash.empty() ? "" : fmt::format("Its {}: {}. ", what, trace_.second_hash);
    return fmt::format("{} hashes to slot {}{}. {}", trace_.key, slot, sum.empty() ? "" : ": " + sum, second);
  }

  std::string read_text(SlotInfo const& slot, std::size_t i) const
  {
    if (slot.state == SlotState::link) { return fmt::format("Slot {} links to more slots{}", slot.slot, next_text(i)); }
    if (slot.state == SlotState::empty) { return empty_text(slot, i); }
    if (holds(slot, trace_.key)) { return own_text(slot); }
    if (!slot.has_key) { return tombstone_text(slot, i); }
    bool const is_dead = slot.state == SlotState::tombstone;
    // A sorted array hashes its keys neither to slots nor to buckets.
    bool const has_home = family_.uses_hash || !family_.groups.name.empty();
    std::string const home = has_home ? fmt::format(" (home {})", slot.home) : "";
    std::string const text =
        fmt::format("Slot {} holds {}{}{}", slot.slot, is_dead ? "the erased key " : "", slot.pair.key, home);
    std::string const distances = compared_distances(trace_, i, carried_, tells_next_);
    if (!distances.empty()) { return text + distances + (is_written_next(i) ? "" : next_text(i)); }
    if (is_written_next(i) && (tells_next_ || is_dead || gap_)) { return text + next_text(i); }
    if (gap_) {
      return fmt::format("{}: it cannot move to slot {}{}{}", text, *gap_, why_not_to_gap(trace_, i), next_text(i));
    }
    std::string const what = tells_next_ ? compared_keys(trace_, i, family_) : "";
    return fmt::format("{}{}{}", text,
                       is_dead        ? ", and is still reserved for it"
                       : what.empty() ? ", another key"
                                      : what,
                       after_text(i));
  }

  /// Most searches end at the first empty slot; an insert may then go back to a free slot that it passed.
  std::string empty_text(SlotInfo const& slot, std::size_t i) const
  {
    std::string const empty =
        fmt::format("Slot {} is {}", slot.slot, was_read_before(i) ? "still empty at a second look" : "empty");
    if (is_last(i)) {
      return trace_.operation == Operation::insert ? empty
                                                   : empty + fmt::format(", so {} is not in the table", trace_.key);
    }
    if (tells_next_) {
      if (std::string const too_far = why_too_far(trace_, i); !too_far.empty()) { return empty + too_far; }
    }
    Step const& next = trace_.steps[i + 1];
    bool const searched = next.kind == Step::Kind::read && next.seen.size() == 1 && slot_was_read(i + 1, i + 1);
    if (!searched || !tells_next_) { return empty + next_text(i); }
    if (next.seen.front().slot == slot.slot) {
      return empty + fmt::format(", so {} is not in the table yet", trace_.key);
    }
    char const* const why =
        next.place.line == "seek" ? "its home, to seek an empty slot from there" : "the first place for it";
    return empty +
           fmt::format(", so {} is not in the table yet. Back to slot {}, {}", trace_.key, next.seen.front().slot, why);
  }

  std::string tombstone_text(SlotInfo const& slot, std::size_t i) const
  {
    bool const passes = tells_next_ && !is_last(i) && trace_.steps[i + 1].kind == Step::Kind::read &&
                        trace_.steps[i + 1].place.line == trace_.steps[i].place.line;
    bool const is_grave = family_.name == "graveyard";
    if (is_grave && ends_in_vain(i)) {
      return fmt::format("Slot {} holds a tombstone that a rebuild left here. {} would have taken its place", slot.slot,
                         trace_.key);
    }
    return fmt::format("Slot {} holds a tombstone{}{}{}", slot.slot,
                       is_grave ? " that a rebuild left here" : ", left by an erased key",
                       passes ? fmt::format(": {} may lie beyond it", trace_.key) : "", next_text(i));
  }

  std::string own_text(SlotInfo const& slot) const
  {
    if (slot.state == SlotState::tombstone) {
      bool const comes_back = trace_.operation == Operation::insert;
      return fmt::format("Slot {} holds the erased key {}: {}", slot.slot, slot.pair.key,
                         comes_back ? "it comes back here" : "it is not in the table any more");
    }
    switch (trace_.operation) {
      case Operation::insert:
        return fmt::format("Slot {} holds {} already, {}", slot.slot, slot.pair.key, fate_of_value(slot.pair.value));
      case Operation::find:
        return fmt::format("Slot {} holds {}: found{}", slot.slot, slot.pair.key,
                           trace_.has_values ? fmt::format(". Its value is {}", slot.pair.value) : "");
      case Operation::erase: break;
    }
    return fmt::format("Slot {} holds {}, the key to erase", slot.slot, slot.pair.key);
  }

  /// That of a key which is inserted once more.
  std::string fate_of_value(Value value) const
  {
    if (!trace_.has_values) { return "so nothing changes"; }
    switch (trace_.combine) {
      case Combine::replace: break;
      case Combine::keep_first: return fmt::format("and its value {} stays", value);
      case Combine::add_freely:
      case Combine::add: return fmt::format("so {} is added to its value {}", trace_.value, value);
      case Combine::min:
        return trace_.value < value ? "so its value becomes the smaller one"
                                    : fmt::format("and its value {} stays, as the smaller one", value);
      case Combine::max:
        return trace_.value > value ? "so its value becomes the larger one"
                                    : fmt::format("and its value {} stays, as the larger one", value);
    }
    return "so only its value changes";
  }

  /// A window, bucket or slab, read in one access.
  std::string window_text(Step const& step, std::size_t i) const
  {
    auto const count = [&](SlotState state) { return std::ranges::count(step.seen, state, &SlotInfo::state); };
    std::string text = fmt::format("Slots {} to {} are read at once: ", step.seen.front().slot, step.seen.back().slot);
    auto const own = std::ranges::find_if(step.seen, [&](SlotInfo const& slot) { return holds(slot, trace_.key); });
    if (own != step.seen.end()) { return text + in_mid_sentence(own_text(*own)); }
    auto const keys = count(SlotState::live);
    text += fmt::format("{} key{}, {} empty", keys, keys == 1 ? "" : "s", count(SlotState::empty));
    if (auto const dead = count(SlotState::tombstone); dead != 0) {
      text += fmt::format(", {} tombstone{}", dead, dead == 1 ? "" : "s");
    }
    if (searches_ == 0 && (!starts_over(i) || !tells_next_)) {
      text += fmt::format(". {} is not among them", trace_.key);
    }
    if (searches_ != 0 && keys == std::ssize(step.seen)) { text += ". There is no room"; }
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
      return fmt::format("Slot {} has changed since it was read, so nothing is written{}", found.slot, next_text(i));
    }
    return "Nothing is written, because the slot is not free: " + in_mid_sentence(read_text(found, i));
  }

  std::string write_text(std::size_t i) const
  {
    Step const& step = trace_.steps[i];
    SlotInfo const& before = step.seen.front();
    SlotInfo const& after = *step.after;
    if (after.state == SlotState::empty) { return cleared_text(before); }
    if (after.state == SlotState::link) {
      return fmt::format("Slot {} now links to a new {}", after.slot, family_.name == "gel_hash" ? "node" : "slab");
    }
    if (!after.has_key) { return keyless_text(before); }
    if (holds(before, after.pair.key)) { return value_text(before, after); }
    return arrival_text(i);
  }

  /// A word that is neither a pair nor empty replaces what the slot held before.
  std::string keyless_text(SlotInfo const& before) const
  {
    if (trace_.operation == Operation::erase) {
      return fmt::format("Slot {} becomes a tombstone, whose place a later insert may take", before.slot);
    }
    return holds_live_key(before) ? fmt::format("{} is taken out of slot {}, which nobody else can use for now",
                                                before.pair.key, before.slot)
                                  : fmt::format("Slot {} is reserved: nobody else can use it for now", before.slot);
  }

  static std::string cleared_text(SlotInfo const& before)
  {
    return before.has_key ? fmt::format("{} leaves slot {}: it is empty now", before.pair.key, before.slot)
                          : fmt::format("Slot {} is empty now", before.slot);
  }

  static std::string value_text(SlotInfo const& before, SlotInfo const& after)
  {
    if (after.state == SlotState::tombstone) {
      return fmt::format("{} is erased: it loses its value, and slot {} is a tombstone now", after.pair.key,
                         after.slot);
    }
    if (before.state == SlotState::tombstone) {
      return fmt::format("{} is back in slot {}, with value {}", after.pair.key, after.slot, after.pair.value);
    }
    if (before.pair.value == after.pair.value) {
      return fmt::format("{} in slot {} keeps its value {}: the new one is the same", after.pair.key, after.slot,
                         after.pair.value);
    }
    return fmt::format("The value of {} in slot {} changes from {} to {}", after.pair.key, after.slot,
                       before.pair.value, after.pair.value);
  }

  std::string arrival_text(std::size_t i) const
  {
    Step const& step = trace_.steps[i];
    SlotInfo const& before = step.seen.front();
    SlotInfo const& after = *step.after;
    std::string const where = after.slot == after.home ? ", its home" : fmt::format(" (home {})", after.home);
    std::string const sum = digit_in_words(trace_, family_, after.pair.key, after.slot);
    std::string text = step.moved_from ? fmt::format("{} moves from slot {} to slot {}{}", after.pair.key,
                                                     *step.moved_from, after.slot, where)
                                       : fmt::format("{} goes to slot {}{}", after.pair.key, after.slot, where);
    if (!sum.empty()) { text += ": " + sum; }
    if (!holds_live_key(before)) { return text; }
    bool const is_carried_on = step.place.line == "swap" && trace_.operation == Operation::insert;
    return fmt::format("{}, in place of {}{}{}", text, before.pair.key, tells_next_ ? "" : why_it_takes(trace_, i),
                       is_carried_on ? fmt::format(". {} is carried on", before.pair.key) : "");
  }

  bool is_last(std::size_t i) const { return i + 1 == trace_.steps.size(); }
  /// Whether the search ends with this step, having found neither the key nor a place for it.
  bool ends_in_vain(std::size_t i) const
  {
    return is_last(i) && (trace_.outcome == Outcome::missing || trace_.outcome == Outcome::full);
  }

  /// Whether step i sees one slot, and the next step writes it.
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

  /// Whether an insertion that has written nothing yet ends a search with step i and returns to where it began.
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

  bool was_read_before(std::size_t i) const { return slot_was_read(i, i); }
  /// Whether the first slot of step i was seen in one of the first `steps` steps.
  bool slot_was_read(std::size_t i, std::size_t steps) const
  {
    Slot const slot = trace_.steps[i].seen.front().slot;
    auto const sees = [slot](Step const& step) {
      return std::ranges::any_of(step.seen, [slot](SlotInfo const& seen) { return seen.slot == slot; });
    };
    return std::any_of(trace_.steps.begin(), trace_.steps.begin() + static_cast<std::ptrdiff_t>(steps), sees);
  }

  static std::string in_mid_sentence(std::string text)
  {
    if (text.starts_with("Slot")) { text.front() = 's'; }
    return text;
  }

  /// Where the next step continues.
  std::string next_text(std::size_t i) const
  {
    if (is_last(i) || !tells_next_) { return ""; }
    Step const& next = trace_.steps[i + 1];
    if (next.seen.empty()) { return ". Next is what the table keeps beside its slots"; }
    Slot const there = next.seen.front().slot;
    auto const& seen = trace_.steps[i].seen;
    if (is_written_next(i)) { return fate_text(seen.front(), *next.after); }
    bool const stays = !seen.empty() && there == seen.front().slot && next.seen.size() == seen.size();
    if (stays) { return ""; }
    if (next.kind != Step::Kind::read) { return fmt::format(". {} goes to slot {}", trace_.key, there); }
    std::string const slots = next.seen.size() == 1 ? fmt::format("slot {}", there)
                                                    : fmt::format("slots {} to {}", there, next.seen.back().slot);
    if (!starts_over(i) || searches_ > 1) { return ". Next: " + slots + what_comes_next(trace_, i, family_); }
    return searches_ == 1 ? ". Back to " + slots + ", to see which key can move"
                          : fmt::format(". {} is not in the table yet. Back to {}", trace_.key, slots);
  }

  /// What happens to the contents of a slot when it is written.
  static std::string fate_text(SlotInfo const& seen, SlotInfo const& after)
  {
    if (!holds_live_key(seen)) { return after.has_key ? fmt::format(": {} goes here", after.pair.key) : ""; }
    if (holds(seen, after.pair.key) && after.has_key) { return ""; }
    return after.has_key ? fmt::format(": {} takes its place", after.pair.key)
                         : fmt::format(": {} is taken out", seen.pair.key);
  }

  /// What makes an access special is said when it is first seen.
  std::string explanation(std::size_t i) const
  {
    Step const& step = trace_.steps[i];
    auto const before = trace_.steps.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::any_of(trace_.steps.begin(), before, [&](Step const& each) { return each.kind == step.kind; })) {
      return "";
    }
    if (step.kind == Step::Kind::exchange) {
      return ". An exchange writes the slot and reads what it held, in one step";
    }
    if (step.kind != Step::Kind::compare_and_swap) { return ""; }
    bool const swaps = step.after && holds_live_key(step.seen.front());
    return swaps ? ". A compare-and-swap writes the slot in one step, if it is still as it was"
                 : ". A compare-and-swap takes the slot in one step, if it is still free";
  }

  bool writes() const
  {
    return std::ranges::any_of(trace_.steps, [](Step const& step) { return step.after.has_value(); });
  }

  /// Of the keys that made room.
  std::string moved_text() const
  {
    std::set<Key> moved;
    for (Step const& step : trace_.steps) {
      bool const is_other = step.moved_from && step.after->has_key && step.after->pair.key != trace_.key;
      if (is_other) { moved.insert(step.after->pair.key); }
    }
    if (moved.empty()) { return {}; }
    return fmt::format(" {} other key{} moved to make room.", moved.size(), moved.size() == 1 ? "" : "s");
  }

  std::string summary() const
  {
    std::string const after = " after " + costs_in_words(trace_, trace_.steps.size());
    auto const measure = displacement(trace_);
    std::string place = measure ? place_in_words(family_.measure, *measure) : "";
    if (!place.empty()) { place.insert(0, " "); }
    switch (trace_.outcome) {
      case Outcome::inserted: return fmt::format("{} is inserted{}.{}{}", trace_.key, after, place, moved_text());
      case Outcome::updated:
        if (!trace_.has_values) { return fmt::format("{} was already in the table{}.{}", trace_.key, after, place); }
        return fmt::format("{} was already in the table: its value {}{}.{}", trace_.key,
                           writes() ? "is updated" : "stays", after, place);
      case Outcome::found: return fmt::format("{} is found{}.{}", trace_.key, after, place);
      case Outcome::missing:
        return fmt::format("{} is not in the table: unsuccessful search, {}.{}", trace_.key,
                           costs_in_words(trace_, trace_.steps.size()), why_missing(trace_));
      case Outcome::erased: return fmt::format("{} is erased{}.", trace_.key, after);
      case Outcome::full: return fmt::format("{} finds no slot{}: {}.", trace_.key, after, why_it_is_full(trace_));
      case Outcome::rejected: break;
    }
    return fmt::format("{} is rejected: its key{} is reserved.", trace_.key, trace_.has_values ? " or value" : "");
  }

  Trace& trace_;
  FamilyInfo const& family_;
  Key carried_;              ///< for which a slot is sought: the operation's, or one that gave way
  std::optional<Slot> gap_;  ///< the last slot that an insertion reserved and has not filled yet
  int searches_ = 0;         ///< that an insertion has finished: for its key, then for a place
  bool tells_next_ = true;   ///< in the text being made
};

}  // namespace

std::size_t second_looks(Trace const& trace, std::size_t steps)
{
  std::set<Slot> seen;
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

std::optional<std::uint64_t> displacement(Trace const& trace)
{
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
