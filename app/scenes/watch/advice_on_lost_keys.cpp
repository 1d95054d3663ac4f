#include "app/scenes/watch/advice_part.hpp"

#include "app/base/text.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace slotscape {
namespace {

using watch::Scheme;

std::string on_unreachable(WatchedFacts const& facts)
{
  LostFacts const& lost = facts.lost;
  std::uint64_t const count = lost.keys.unreachable;
  if (count == 0) { return {}; }
  if (lost.unreachable.home == no_slot) {
    return tr_plural(
        "{} of {} stored keys is LOST: no lookup finds it. Key {} lies in slot {}, and the home given for it is not a "
        "slot of the table.",
        "{} of {} stored keys are LOST: no lookup finds them. For example, key {} lies in slot {}, and the home given "
        "for it is not a slot of the table.",
        count, grouped(count), grouped(facts.statistics.live), lost.unreachable_key, grouped(lost.unreachable.slot));
  }
  return tr_plural(
      "{} of {} stored keys is LOST: no lookup finds it. Key {} lies in slot {}; a lookup starts in slot {} and ends "
      "before reaching it.",
      "{} of {} stored keys are LOST: no lookup finds them. For example, key {} lies in slot {}; a lookup starts in "
      "slot {} and ends before reaching it.",
      count, grouped(count), grouped(facts.statistics.live), lost.unreachable_key, grouped(lost.unreachable.slot),
      grouped(lost.unreachable.home));
}

std::string on_twice(WatchedFacts const& facts)
{
  LostFacts const& lost = facts.lost;
  std::uint64_t const count = lost.keys.twice;
  if (count == 0) { return {}; }
  return tr_plural(
      "{} of {} stored keys is a second copy: its key is STORED TWICE. For example, key {} lies in slot {}, but a "
      "lookup finds the one in slot {}. The other copy takes a slot, and comes back when the first one is erased.",
      "{} of {} stored keys are second copies: their keys are STORED TWICE. For example, key {} lies in slot {}, but a "
      "lookup finds the one in slot {}. The other copy takes a slot, and comes back when the first one is erased.",
      count, grouped(count), grouped(facts.statistics.live), lost.twice_key, grouped(lost.twice.slot),
      grouped(lost.keys.found_instead));
}

std::uint64_t found_after(WatchedFacts const& facts, std::size_t accesses)
{
  std::vector<std::uint32_t> const& hits = facts.statistics.hit_accesses.histogram;
  return accesses < hits.size() ? hits[accesses] : 0;
}

/// Whether found keys confirm the whole lookup procedure of the description. Keys in their first slot do not confirm
/// the probing; in cuckoo hashing, keys found by one function do not confirm the next.
bool confirms_whole_probing(WatchedFacts const& facts)
{
  std::uint64_t const lost = facts.lost.keys.unreachable;
  if (facts.description.probing.scheme != Scheme::cuckoo) {
    return lost <= facts.statistics.hit_accesses.count - found_after(facts, 1);
  }
  for (std::size_t function = 1; function < facts.description.hashes.size(); ++function) {
    if (found_after(facts, function + 1) < lost) { return false; }
  }
  return true;
}

bool has_tombstones(watch::Description const& table)
{
  return table.erased_key || table.erased_value || table.control;
}

/// "Look for ...", based on how far most lost keys are from their homes under linear probing.
std::string causes_by_distance(WatchedFacts const& facts, std::uint64_t distance)
{
  constexpr std::uint64_t near = 8;
  LostFacts const& lost = facts.lost;
  bool const is_near = distance <= std::max<std::uint64_t>(near, facts.statistics.probe_length.max);
  if (is_near && lost.lie_before) {
    return tr_plural(
        "The lost key lies before its home (distance {}): look at how your deletion shifts keys. It must not move a "
        "key before its home, even where the table wraps around.",
        "Lost keys lie before their homes, by {} slots in the median: look at how your deletion shifts keys. It must "
        "not move a key before its home, even where the table wraps around.",
        lost.distances, grouped(distance));
  }
  if (is_near) {
    return tr_plural(
        "The lost key lies close behind its home (distance {}), with an empty slot between: look for erasures that "
        "empty a slot on the path to other keys, and for an insertion that runs at the same time as an erasure.",
        "Lost keys lie close behind their homes, {} slots in the median, with an empty slot before them: look for "
        "erasures that empty a slot on the path to other keys, and for an insertion that runs at the same time as an "
        "erasure.",
        lost.distances, grouped(distance));
  }
  return tr_plural(
      "The lost key lies far from its home (distance {}): look for tables copied into another number of slots, or with "
      "another hash or seed.",
      "Lost keys lie far from their homes, {} slots in the median: look for tables copied into another number of "
      "slots, or with another hash or seed.",
      lost.distances, grouped(distance));
}

/// "Look for ...", based on where the unreachable keys are.
std::string causes_of_lost_keys(WatchedFacts const& facts)
{
  LostFacts const& lost = facts.lost;
  std::uint64_t const seen = lost.slots.size() - lost.copies;
  if (lost.keys.unreachable == 0) { return {}; }
  if (std::string const end = on_early_end(facts); !end.empty()) {
    return one_text({end, tr("The lost keys may be those that the insertion then put elsewhere.")});
  }
  if (2 * lost.behind_own_key > seen) {
    return tr(
        "Lost keys lie behind a tombstone of the same key, where their lookups end: look for an insertion that takes "
        "the first tombstone on its path without checking the rest of the path for the key. One of the two copies that "
        "it leaves was erased.");
  }
  if (lost.distance) { return causes_by_distance(facts, *lost.distance); }
  return tr(
      "Look for erasures that empty a slot on the path to other keys, for tables copied into another number of slots "
      "or with another hash, and for two threads that write at once.");
}

/// The likely insertion bug that leaves copies of keys that it could have found.
std::string cause_of_copies_behind(WatchedFacts const& facts)
{
  bool const reuses_slots = facts.statistics.tombstones != 0;
  if (has_tombstones(facts.description) && reuses_slots) {
    return tr(
        "The table reuses slots: look first for an insertion that takes the first tombstone on its path without "
        "checking the rest of the path for the key. It must go on to an empty slot, and only then take the tombstone. "
        "Two threads that insert the same key at once leave copies, too.");
  }
  if (has_tombstones(facts.description) && facts.lost.keys.unreachable != 0) {
    return tr(
        "The table has no tombstone: look first for erasures that empty a slot, which a second insertion of a key "
        "behind it then fills.");
  }
  return tr(
      "Look for an insertion that does not compare the keys that it passes, for two threads that insert the "
      "same key at once, and for erasures that empty a slot, which a second insertion of the key then fills.");
}

/// "Look for ...", for keys that are stored twice.
std::string causes_of_copies(WatchedFacts const& facts)
{
  LostFacts const& lost = facts.lost;
  if (lost.copies == 0) { return {}; }
  if (2 * lost.copies_behind < lost.copies) {
    return tr(
        "Most of the copies would not be found even if lookups went on: look for erasures that empty a slot on the "
        "path to other keys. A key lost in this way is inserted once more.");
  }
  std::string const copies =
      lost.slots.size() < lost.count()
          ? tr("Of {} copies examined, {} lie further on the same path, with no empty slot before them.",
               grouped(lost.copies), grouped(lost.copies_behind))
          : tr("Of {} copies, {} lie further on the same path, with no empty slot before them.", grouped(lost.copies),
               grouped(lost.copies_behind));
  return one_text({copies, cause_of_copies_behind(facts)});
}

/// Suggests how to declare a key that occurs in many slots in the description.
std::string what_it_marks(WatchedFacts const& facts)
{
  watch::Description const& table = facts.description;
  std::string const& key = facts.lost.repeated_key;
  std::string const number = key.starts_with("0x") ? fmt::format("\"{}\"", key) : key;
  bool const knows_empty = facts.statistics.empty() != 0;
  bool const knows_erased = table.erased_key && facts.statistics.tombstones != 0;
  if (knows_empty && !knows_erased) {
    return tr("This is the mark of erased slots: add \"erased_key\": {} to the description.", number);
  }
  if (knows_erased && !knows_empty) {
    return tr("This is the mark of empty slots: add \"empty_key\": {} to the description.", number);
  }
  return tr(
      "If it marks erased slots, add \"erased_key\": {} to the description; if it marks empty slots, \"empty_key\": "
      "{}.",
      number, number);
}

/// Advice for a table that grew while its keys stayed in their old slots.
std::string on_growth(WatchedFacts const& facts)
{
  watch::Check const& check = facts.check;
  watch::Check::Growth const& growth = *check.growth;
  std::string const rehash = tr("Reinsert all keys when the table grows.");
  bool const explains_all = growth.found + check.elsewhere >= check.sampled;
  std::string const smaller =
      explains_all ? tr("If its lookups use only {} slots, say so: \"slots\": {}.", grouped(growth.slots), growth.slots)
                   : std::string();
  return one_text({watch::text_of(growth, facts.description.slots), rehash, smaller});
}

/// Reports that another description fits better.
std::string on_description(watch::Check const& check)
{
  watch::Check::Better const& better = check.better.front();
  return tr(
      "The description is at fault: {} finds {} of {} sampled keys, but this one only {}. Use the better one (beside "
      "'Description').",
      watch::text_of(better.description), grouped(better.found), grouped(check.sampled), grouped(check.found));
}

std::string on_fault(WatchedFacts const& facts)
{
  std::uint64_t const found = facts.statistics.live - facts.lost.count();
  switch (fault_of(facts)) {
    case Fault::description: return on_description(facts.check);
    case Fault::table:
      if (facts.check.growth) { return on_growth(facts); }
      return one_text({tr("The table is at fault, not the description, which finds the other {} keys.", grouped(found)),
                       causes_of_lost_keys(facts), causes_of_copies(facts)});
    case Fault::unknown: break;
  }
  if (facts.lost.repeats != 0) { return on_repeated(facts); }
  if (!facts.check.was_checked) {
    return tr("The homes that the program gives do not lead there: does it write them when it writes the keys?");
  }
  if (facts.check.is_nearly_right() && facts.check.better.empty()) {
    return tr(
        "It is not clear whether the table or the description is at fault: {} keys are found where their lookups "
        "begin, and hardly any by the rest of the description. Are the other hashes and the probe sequence right?",
        grouped(found_after(facts, 1)));
  }
  std::string const causes =
      facts.check.finds_half() ? one_text({causes_of_lost_keys(facts), causes_of_copies(facts)}) : std::string();
  if (facts.check.better.empty()) {
    return one_text({tr("It is not clear whether the table or the description is at fault: the description finds {} of "
                        "{} sampled keys, and no other known description finds more.",
                        grouped(facts.check.found), grouped(facts.check.sampled)),
                     causes});
  }
  watch::Check::Better const& other = facts.check.better.front();
  return one_text({tr("It is not clear whether the table or the description is at fault: of {} sampled keys, the "
                      "description finds {}, and {} finds {}.",
                      grouped(facts.check.sampled), grouped(facts.check.found), watch::text_of(other.description),
                      grouped(other.found)),
                   causes});
}

}  // namespace

/// "Key -2 is in 1,200 slots": probably a marker and not a key.
std::string on_repeated(WatchedFacts const& facts)
{
  LostFacts const& lost = facts.lost;
  bool const is_whole = lost.count() != 0 && lost.slots.size() == lost.count();
  std::uint64_t const seen = lost.count() == 0 ? facts.check.live_slots : lost.slots.size();
  std::string const what = is_whole ? tr("Key {} is in {} slots, but a table holds each key only once.",
                                         lost.repeated_key, grouped(lost.repeats))
                                    : tr("Key {} is in {} of {} slots examined, but a table holds each key only once.",
                                         lost.repeated_key, grouped(lost.repeats), grouped(seen));
  return one_text({what, what_it_marks(facts)});
}

std::string on_not_followed(WatchedFacts const& facts)
{
  if (facts.lost.keys.not_followed == 0) { return {}; }
  return tr("Lookups of {} keys were given up after {} accesses, so it is not known whether they find these keys.",
            grouped(facts.lost.keys.not_followed), grouped(facts.lost.keys.followed));
}

Fault fault_of(WatchedFacts const& facts)
{
  if (facts.check.is_beaten()) { return Fault::description; }
  if (facts.check.growth) { return Fault::table; }
  bool const is_confirmed =
      facts.check.is_nearly_right() && facts.check.better.empty() && confirms_whole_probing(facts);
  return is_confirmed && facts.lost.repeats == 0 ? Fault::table : Fault::unknown;
}

std::vector<std::string> lost_keys_text(WatchedFacts const& facts)
{
  bool const hides_lost = facts.check.is_wrong();  // without homes, lost keys are unknown
  if (hides_lost && facts.check.is_beaten()) { return {on_description(facts.check)}; }
  if (facts.lost.count() == 0) { return {}; }
  std::vector<std::string> sentences;
  auto const add = [&](std::string sentence) {
    if (!sentence.empty()) { sentences.push_back(std::move(sentence)); }
  };
  bool const is_other = fault_of(facts) == Fault::description;  // no key is lost by the better description
  if (!facts.lost.are_marks() && !is_other) {
    add(on_unreachable(facts));
    add(on_twice(facts));
  }
  add(on_fault(facts));
  if (facts.lost.slots.size() < facts.lost.count()) {
    sentences.push_back(tr("Rings mark {} of these {} slots, from all parts of the table; zoom in to mark all in view.",
                           grouped(facts.lost.slots.size()), grouped(facts.lost.count())));
  }
  sentences.push_back(tr("All lookup statistics cover only the {} keys that are found.",
                         grouped(facts.statistics.live - facts.lost.count())));
  if (facts.changes) {
    sentences.back() =
        one_text({sentences.back(), tr("The data may be inconsistent: the program may have changed the table while it "
                                       "was read. Only a snapshot taken by the program is consistent.")});
  }
  return sentences;
}

}  // namespace slotscape
