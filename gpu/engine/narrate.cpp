#include "gpu/engine/narrate.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace slotscape {
namespace {

bool holds(SlotInfo const& slot, Key key)
{
  return slot.has_key && slot.pair.key == key;
}

class Narrator {
public:
  Narrator(Trace& trace, FamilyInfo const& family) : trace_(trace), family_(family) {}

  void run()
  {
    for (std::size_t i = 0; i < trace_.steps.size(); ++i) {
      Step& step = trace_.steps[i];
      if (step.after) { step.moved_from = origin(i); }
      if (step.text.empty()) { step.text = text(i); }
    }
    if (trace_.summary.empty()) { trace_.summary = summary(); }
  }

private:
  /// Where the key written by step i was seen last, if it is another's key and comes from another slot.
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

  std::string text(std::size_t i) const
  {
    Step const& step = trace_.steps[i];
    if (step.kind == Step::Kind::beside) { return "Reads beside the slots"; }
    if (step.after) { return write_text(step); }
    if (step.kind == Step::Kind::compare_and_swap) {
      return fmt::format("Slot {} has changed in the meantime: the compare-and-swap fails", step.seen.front().slot);
    }
    return step.seen.size() == 1 ? read_text(step.seen.front(), i) : window_text(step, i);
  }

  std::string read_text(SlotInfo const& slot, std::size_t i) const
  {
    if (slot.state == SlotState::link) { return fmt::format("Slot {} is a link{}", slot.slot, next_text(i)); }
    if (slot.state == SlotState::empty) {
      bool const ends = trace_.operation != Operation::insert && is_last(i);
      return fmt::format("Slot {} is empty{}", slot.slot, ends ? ": the key is not in the table" : next_text(i));
    }
    if (holds(slot, trace_.key)) { return own_text(slot); }
    if (slot.state == SlotState::tombstone && !slot.has_key) {
      return fmt::format("Slot {} holds a tombstone{}", slot.slot, next_text(i));
    }
    char const* const dead = slot.state == SlotState::tombstone ? ", erased" : "";
    return fmt::format("Slot {} holds {}{}, whose home is {}: another key{}", slot.slot, slot.pair.key, dead, slot.home,
                       next_text(i));
  }

  std::string own_text(SlotInfo const& slot) const
  {
    if (slot.state == SlotState::tombstone) {
      return fmt::format("Slot {} holds {}, erased: {}", slot.slot, slot.pair.key,
                         trace_.operation == Operation::insert ? "it can come back here"
                                                               : "the key is not in the table");
    }
    switch (trace_.operation) {
      case Operation::insert:
        return fmt::format("Slot {} holds {} already: only its value changes", slot.slot, slot.pair.key);
      case Operation::find:
        return fmt::format("Slot {} holds {}: found, its value is {}", slot.slot, slot.pair.key, slot.pair.value);
      case Operation::erase: break;
    }
    return fmt::format("Slot {} holds {}: this is the one to erase", slot.slot, slot.pair.key);
  }

  /// A window, bucket or slab read at once.
  std::string window_text(Step const& step, std::size_t i) const
  {
    auto const count = [&](SlotState state) { return std::ranges::count(step.seen, state, &SlotInfo::state); };
    std::string text = fmt::format("Slots {} to {} at once: ", step.seen.front().slot, step.seen.back().slot);
    auto const own = std::ranges::find_if(step.seen, [&](SlotInfo const& slot) { return holds(slot, trace_.key); });
    if (own != step.seen.end()) { return text + own_text(*own); }
    text += fmt::format("{} keys, {} empty", count(SlotState::live), count(SlotState::empty));
    if (auto const dead = count(SlotState::tombstone); dead != 0) { text += fmt::format(", {} tombstones", dead); }
    text += fmt::format("; {} is not among them", trace_.key);
    return text + next_text(i);
  }

  std::string write_text(Step const& step) const
  {
    SlotInfo const& before = step.seen.front();
    SlotInfo const& after = *step.after;
    if (after.state == SlotState::empty) { return fmt::format("Slot {} is cleared", after.slot); }
    if (after.state == SlotState::link) { return fmt::format("Slot {} now links to a new slab", after.slot); }
    if (!after.has_key) {
      char const* const what = family_.deletes_two_ways ? "becomes a tombstone that a later insert may take"
                                                        : "is set aside: no one else takes it now";
      return fmt::format("Slot {} {}", after.slot, what);
    }
    if (holds(before, after.pair.key)) {
      if (after.state == SlotState::tombstone) {
        return fmt::format("The value of {} becomes empty: slot {} is a tombstone", after.pair.key, after.slot);
      }
      return fmt::format("The value of {} in slot {} becomes {}", after.pair.key, after.slot, after.pair.value);
    }
    std::string const where = after.slot == after.home ? ", its home" : fmt::format(" (its home is {})", after.home);
    std::string const from = step.moved_from ? fmt::format(" from slot {}", *step.moved_from) : "";
    std::string text =
        fmt::format("{} {}{} to slot {}{}", after.pair.key, from.empty() ? "goes" : "moves", from, after.slot, where);
    if (before.state == SlotState::live) { text += fmt::format("; {} must give way", before.pair.key); }
    return text;
  }

  bool is_last(std::size_t i) const { return i + 1 == trace_.steps.size(); }

  /// Where the next step goes on, if it is a read elsewhere.
  std::string next_text(std::size_t i) const
  {
    if (is_last(i)) { return ""; }
    Step const& next = trace_.steps[i + 1];
    if (next.seen.empty()) { return ""; }
    Slot const there = next.seen.front().slot;
    if (there == trace_.steps[i].seen.front().slot) { return next.after ? ": free to take" : ""; }
    if (next.kind != Step::Kind::read) { return fmt::format("; the place is slot {}", there); }
    if (next.seen.size() == 1) { return fmt::format(", go on to slot {}", there); }
    return fmt::format(", go on to slots {} to {}", there, next.seen.back().slot);
  }

  std::string summary() const
  {
    std::string const after =
        fmt::format(" after {} step{}.", trace_.steps.size(), trace_.steps.size() == 1 ? "" : "s");
    switch (trace_.outcome) {
      case Outcome::inserted: return fmt::format("{} is inserted{}", trace_.key, after);
      case Outcome::updated: return fmt::format("{} was there: it has a new value{}", trace_.key, after);
      case Outcome::found: return fmt::format("{} is found{}", trace_.key, after);
      case Outcome::missing: return fmt::format("{} is not in the table{}", trace_.key, after);
      case Outcome::erased: return fmt::format("{} is erased{}", trace_.key, after);
      case Outcome::full: return fmt::format("{} finds no place: the table is full{}", trace_.key, after);
      case Outcome::rejected: break;
    }
    return fmt::format("{} is a reserved key or value, and refused.", trace_.key);
  }

  Trace& trace_;
  FamilyInfo const& family_;
};

}  // namespace

void narrate(Trace& trace, FamilyInfo const& family)
{
  Narrator(trace, family).run();
}

}  // namespace slotscape
