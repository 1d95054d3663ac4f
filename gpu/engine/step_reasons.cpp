#include "gpu/engine/step_reasons.hpp"

#include "gpu/base/translation.hpp"
#include "gpu/engine/step_words.hpp"
#include "gpu/tables/cuckoo_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

namespace slotscape {

std::optional<std::uint64_t> variable(Step const& step, std::string_view name)
{
  for (auto const& [known, number] : step.place.variables) {
    if (known == name) { return number; }
  }
  return std::nullopt;
}

namespace {

/// The next step; null after the last one.
Step const* step_after(Trace const& trace, std::size_t step)
{
  return step + 1 < trace.steps.size() ? &trace.steps[step + 1] : nullptr;
}

/// The first slot that the trace reads: in families that probe, the home of its key.
Slot first_slot(Trace const& trace)
{
  auto const sees = [](Step const& step) { return !step.seen.empty(); };
  auto const first = std::ranges::find_if(trace.steps, sees);
  return first == trace.steps.end() ? no_slot : first->seen.front().slot;
}

/// Two keys that compete for a slot, compared as `OrderedProbing` does: by distance from home in that slot and, if the
/// distances are equal, by key.
struct Contest {
  Key key;  ///< the arriving key
  Key resident;
  std::uint64_t mine;
  std::uint64_t other;
};

/// ": equally far, and 22 is the smaller key, so it takes the slot", or would have taken it.
std::string won(Contest const& contest, bool takes)
{
  if (contest.mine != contest.other) {
    return takes ? tr(": farther, so it takes the slot") : tr(": farther, so it would have taken this slot");
  }
  return takes ? tr(": equally far, and {} is the smaller key, so it takes the slot", contest.key)
               : tr(": equally far, and {} is the smaller key, so it would have taken this slot", contest.key);
}

std::string lost(Contest const& contest)
{
  if (contest.mine != contest.other) { return tr(": nearer, so it goes on"); }
  return tr(": equally far, but {} is the smaller key, so {} goes on", contest.resident, contest.key);
}

std::string further_on(Slot from, Slot to, std::string_view why)
{
  return (to > from ? tr(", {} further on", to - from) : tr(", around the end")) + std::string(why);
}

/// ": (5 + 2²) mod 11 = 9" for the probe that follows a step, if the path's formula is known; otherwise empty.
std::string sum_of_probe(Trace const& trace, Step const& step, Slot to)
{
  auto const probe = variable(step, "step");
  bool const is_known = probe && variable(step, "slot") == to;  // not in a shard
  if (!is_known) { return {}; }
  std::string sum = trace.second_hash;
  sum.replace(sum.find('i'), 1, std::to_string(*probe));
  return fmt::format(": {} = {}", sum, to);
}

/// The reason for the distance to the next probe, as a calculation by hand if possible.
std::string why_so_far(Trace const& trace, Step const& step, Slot to, std::string_view otherwise)
{
  if (tells_probes(trace.second_hash)) { return sum_of_probe(trace, step, to); }
  if (!trace.second_hash.empty()) { return ": " + trace.second_hash; }
  return otherwise.empty() ? std::string() : translated(otherwise);
}

/// The modulus m of a cuckoo table whose hash functions can be computed by hand.
std::optional<std::uint64_t> base_of_digits(Trace const& trace)
{
  for (Step const& step : trace.steps) {
    if (auto const base = variable(step, "m")) { return base; }
  }
  return std::nullopt;
}

/// What a slot of a cuckoo table with hand-computable hash functions says about its keys: their digit `number` is
/// `value`.
struct Digit {
  std::uint64_t base;
  std::uint64_t number;
  std::uint64_t value;
};
std::optional<Digit> digit_at(Trace const& trace, Slot slot)
{
  auto const base = base_of_digits(trace);
  if (!base || trace.steps.front().seen.empty()) { return std::nullopt; }
  // The first access is to the key's bucket in T1. In a shard, the buckets of the shards before it precede T1.
  SlotInfo const& home = trace.steps.front().seen.front();
  std::uint64_t const width = trace.steps.front().seen.size();
  std::uint64_t const before = home.slot / width - trace.key % *base;
  std::uint64_t const bucket = slot / width - before;
  return Digit{*base, bucket / *base, bucket % *base};
}

bool has_digit(Key key, Digit const& digit)
{
  for (std::uint64_t i = 0; i < digit.number; ++i) { key /= digit.base; }
  return key % digit.base == digit.value;
}

/// The first key that a cuckoo table's search read in another slot before this step and that may move to `to`.
std::optional<Key> key_for(Trace const& trace, std::size_t step, Slot to)
{
  auto const digit = digit_at(trace, to);
  if (!digit) { return std::nullopt; }
  for (std::size_t i = 0; i < step; ++i) {
    if (trace.steps[i].place.line != "search") { continue; }
    for (SlotInfo const& slot : trace.steps[i].seen) {
      if (slot.has_key && slot.slot != to && has_digit(slot.pair.key, *digit)) { return slot.pair.key; }
    }
  }
  return std::nullopt;
}

bool is_own_bucket(Trace const& trace, Slot slot)
{
  return std::ranges::any_of(trace.steps, [slot](Step const& step) {
    bool const looks = step.place.line == "look" || step.place.line == "first" || step.place.line == "second";
    return looks && !step.seen.empty() && step.seen.front().slot == slot;
  });
}

std::string next_bucket(std::string const& sum)
{
  return sum.empty() ? std::string(tr(", its next bucket")) : tr(", its next bucket: {}", sum);
}

/// Where the search for room goes next.
std::string next_of_search(Trace const& trace, std::size_t step, Slot to)
{
  if (is_own_bucket(trace, to)) { return next_bucket(digit_in_words(trace, trace.key, to)); }
  auto const key = key_for(trace, step + 1, to);
  return key ? tr(", where {} may move: {}", *key, digit_in_words(trace, *key, to))
             : std::string(tr(", to which one of these keys may move"));
}

std::string around_home(Trace const& trace, Slot to)
{
  Slot const home = first_slot(trace);
  Slot const away = to > home ? to - home : home - to;
  if (away == 0 || away > trace.steps.size()) { return {}; }  // wraps around the end of the table
  return to > home ? tr(", {} after its home", away) : tr(", {} before its home", away);
}

/// Which bucket comes next, in families that search one bucket after another for a key or for room.
std::string which_bucket(Trace const& trace, std::size_t step, Slot to)
{
  std::string_view const line = trace.steps[step + 1].place.line;
  if (line == "search") { return next_of_search(trace, step, to); }
  if (line == "second") { return tr(", its second bucket"); }
  if (line == "again") { return tr(", its other bucket, in case other threads have filled this one in the meantime"); }
  if (line != "look" && line != "room") { return {}; }
  return next_bucket(digit_in_words(trace, trace.key, to));
}

/// A family's explanation of a step's place, filled in with the step's variables; empty if the step lacks one of them.
/// An explanation without variables applies only to steps that look for the key.
std::string words_on(Step const& step, std::string_view words, bool looks)
{
  bool const speaks_of_variables = words.find('{') != std::string_view::npos;
  if (words.empty() || (!looks && !speaks_of_variables)) { return {}; }
  std::string text = translated(words);
  for (auto const& [name, number] : step.place.variables) {
    std::string const mark = fmt::format("{{{}}}", name);
    if (std::size_t const at = text.find(mark); at != std::string::npos) {
      text.replace(at, mark.size(), std::to_string(number));
    }
  }
  return text.find('{') == std::string::npos ? text : std::string();
}

}  // namespace

std::string compared_distances(Trace const& trace, std::size_t step, Key carried, bool tells_next)
{
  Step const& present = trace.steps[step];
  auto const mine = variable(present, "distance");
  bool const meets = present.place.line == "meet";
  if (!mine || (!meets && present.place.line != "look") || present.seen.size() != 1) { return {}; }
  SlotInfo const& resident = present.seen.front();
  std::uint64_t const other = resident.probe_length;
  Contest const contest{meets ? carried : trace.key, resident.pair.key, *mine, other};
  std::string text = meets ? tr(", {} from home. {}, carried, is {} from home here", other, carried, *mine)
                           : tr(", {} from home. {} would be {} from home here", other, trace.key, *mine);
  if (!tells_next) {
    return *mine == other ? text + ". " + tr("Of equally far keys, the smaller one has priority") : text;
  }
  Step const* const next = step_after(trace, step);
  bool const goes_on = next != nullptr && next->place.line == present.place.line;
  bool const takes = meets && next != nullptr && next->place.line == "swap";
  if (takes) { return text + won(contest, true); }
  if (meets || goes_on) { return text + lost(contest); }
  if (*mine < other) { return text; }  // after reading the whole table
  return text + won(contest, false);
}

std::string why_it_takes(Trace const& trace, std::size_t step)
{
  Step const& present = trace.steps[step];
  auto const mine = variable(present, "distance");
  if (present.place.line != "swap" || !mine) { return {}; }
  bool const is_tie = *mine == present.seen.front().probe_length;
  return is_tie ? tr(", as far from home, but the larger key") : tr(", nearer to its home");
}

std::string why_missing(Trace const& trace)
{
  if (trace.steps.empty() || trace.steps.back().place.line != "look") { return {}; }
  Step const& last = trace.steps.back();
  auto const mine = variable(last, "distance");
  if (!mine || last.seen.size() != 1 || !last.seen.front().has_key) { return {}; }
  SlotInfo const& resident = last.seen.front();
  if (*mine < resident.probe_length) { return {}; }  // after reading the whole table
  bool const is_tie = *mine == resident.probe_length;
  return " " + (is_tie ? tr("It would have taken slot {} from {}, which is as far from home, but the larger key.",
                            resident.slot, resident.pair.key)
                       : tr("It would have taken slot {} from {}, which is nearer to its home.", resident.slot,
                            resident.pair.key));
}

std::string why_not_to_gap(Trace const& trace, std::size_t step)
{
  Step const& present = trace.steps[step];
  auto const gap = variable(present, "gap");
  if (present.place.line != "candidate" || !gap || present.seen.size() != 1) { return {}; }
  SlotInfo const& seen = present.seen.front();
  if (*gap < seen.slot) { return tr(", which is outside its neighbourhood"); }  // wraps around the end of the table
  return tr(", {} from its home and outside its neighbourhood", seen.probe_length + *gap - seen.slot);
}

std::string why_too_far(Trace const& trace, std::size_t step)
{
  Step const& present = trace.steps[step];
  Step const* const next = step_after(trace, step);
  auto const distance = variable(present, "distance");
  bool const is_reserved = next != nullptr && next->after && !next->after->has_key;
  if (present.place.line != "seek" || !distance || !is_reserved) { return {}; }
  return tr(
      ", but {} from the home of {}, outside its neighbourhood. It is reserved, and a key before it must move there",
      *distance, trace.key);
}

std::string what_comes_next(Trace const& trace, std::size_t step, FamilyInfo const& family)
{
  Step const* const next = step_after(trace, step);
  if (next == nullptr || next->seen.empty() || trace.steps[step].seen.empty()) { return {}; }
  Slot const from = trace.steps[step].seen.front().slot;
  Slot const to = next->seen.front().slot;
  bool const looks = next->place.line == "look" || next->place.line == "search";
  StepWords const& words = family.steps;
  switch (words.next_by) {
    case NextPlace::bucket: return which_bucket(trace, step, to);
    case NextPlace::around_home: return looks ? around_home(trace, to) : std::string();
    case NextPlace::further_on:
      return looks ? further_on(from, to, why_so_far(trace, *next, to, words.next)) : std::string();
    case NextPlace::if_apart:
      if (to == from + 1) { return {}; }
      break;
    case NextPlace::by_order:
    case NextPlace::named: break;
  }
  return words_on(*next, words.next, looks);
}

std::string who_may_move_here(Trace const& trace, std::size_t step)
{
  Step const& present = trace.steps[step];
  if (present.place.line != "search" || present.seen.empty()) { return {}; }
  auto const key = key_for(trace, step, present.seen.front().slot);
  return key ? tr(": {} can move here", *key) : std::string();
}

std::string what_the_bit_says(Trace const& trace, std::size_t step)
{
  if (trace.steps[step].place.line != "bit") { return {}; }
  Step const* const next = step_after(trace, step);
  if (next != nullptr && next->place.line == "second") {
    return std::string(" ") + tr("It is set, so the second bucket is read");
  }
  bool const goes_on = trace.operation == Operation::insert;
  return std::string(" ") + (goes_on ? tr("It is not set, so the key is not in the table yet")
                                     : tr("It is not set, so the key is not in the table"));
}

std::string why_it_ends(Trace const& trace, std::size_t step, FamilyInfo const& family)
{
  if (!family.steps.ends.empty()) { return with_value(family.steps.ends, trace.key); }
  bool const meets_empty = std::ranges::count(trace.steps[step].seen, SlotState::empty, &SlotInfo::state) != 0;
  if (meets_empty && ends_only_at_empty_slots(family)) {
    return tr("An empty slot ends the search: {} is not in the table", trace.key);
  }
  if (tells_probes(trace.second_hash)) {
    return tr("Its probe sequence ends here: all other probes lead to the same slots again");
  }
  return tr("This was the last place to look");
}

std::string digit_in_words(Trace const& trace, Key key, Slot slot)
{
  auto const digit = digit_at(trace, slot);
  if (!digit) { return {}; }
  auto const [base, number, value] = *digit;
  std::string const power = number > 1 ? fmt::format("^{}", number) : "";
  std::string const part = number == 0 ? std::to_string(key) : fmt::format("({} div {}{})", key, base, power);
  if (trace.slots_each != 0) { return fmt::format("h{}({}) = {} mod {} = {}", number + 1, key, part, base, value); }
  return fmt::format("{} mod {} = {} in T{}", part, base, value, number + 1);
}

std::string compared_keys(Trace const& trace, std::size_t step, FamilyInfo const& family)
{
  Step const* const next = step_after(trace, step);
  Step const& present = trace.steps[step];
  bool const compares = family.steps.next_by == NextPlace::by_order;
  if (!compares || next == nullptr || next->place.line != "look" || next->seen.empty()) { return {}; }
  bool const goes_up = next->seen.front().slot > present.seen.front().slot;
  return goes_up ? tr(", smaller than {}", trace.key) : tr(", larger than {}", trace.key);
}

std::string why_it_is_full(Trace const& trace)
{
  std::string_view const last = trace.steps.empty() ? std::string_view() : trace.steps.back().place.line;
  if (tells_probes(trace.second_hash)) {
    return tr("its probe sequence is exhausted: no slot {} is free", trace.second_hash);
  }
  bool const in_vain = last == "search" && trace.empty_slots != 0;
  bool const at_limit = in_vain && variable(trace.steps.back(), "buckets") == CuckooPath::max_buckets;
  std::string limit = tr("the search for keys to move has reached its limit without finding room");
  if (in_vain && base_of_digits(trace)) {
    return tr(
        "{}. Textbooks would now rehash with new functions; here the functions are fixed, so choose another number of "
        "slots",
        at_limit ? limit : std::string(tr("its evictions form a cycle")));
  }
  if (at_limit) { return limit; }
  if (last == "room") { return tr("both of its buckets are full"); }
  if (last == "beyond") { return tr("its buckets and the overflow are full"); }
  if (last == "pool") {
    bool const of_nodes = variable(trace.steps.back(), "node").has_value();
    return of_nodes ? tr("the pool has no node left for its list") : tr("the pool has no slab left for its chain");
  }
  if (last == "again_entry") {
    return variable(trace.steps.back(), "unused") == 0u
               ? tr("its bucket is full, and there is no unused bucket to split it into")
               : tr("its bucket is full and cannot be split: the directory has reached its maximum size");
  }
  if (last == "give up" || last == "candidate") { return tr("no key can move to make room in its neighbourhood"); }
  if (trace.empty_slots == 0) { return tr("the table is full"); }
  if (last == "search") { return tr("moving keys makes no room in any of its buckets"); }
  if (last == "count" || last == "next") { return tr("the table already holds all the keys it is designed for"); }
  return tr("none of its possible slots is free");
}

}  // namespace slotscape
