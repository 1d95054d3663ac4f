#include "app/scenes/watch/advice.hpp"

#include "app/base/text.hpp"
#include "app/simulation/theory_fit.hpp"
#include "app/table_map/key_text.hpp"
#include "gpu/analysis/homes.hpp"
#include "gpu/analysis/theory.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace slotscape {
namespace {

using watch::Scheme;

constexpr std::uint64_t few_keys = 256;  ///< of fewer, no homes are compared with random ones

/// "A tenth", translatable("a third"), "62 %": of all slots.
std::string share_in_words(double share)
{
  struct Word {
    double share;
    std::string_view text;
  };
  constexpr std::array words{Word{0.1, translatable("a tenth")}, Word{0.2, translatable("a fifth")},
                             Word{0.25, translatable("a quarter")}, Word{1.0 / 3.0, "a third"},
                             Word{0.5, translatable("half")}};
  for (Word const& word : words) {
    if (std::abs(share - word.share) < 0.03 * word.share) { return translated(word.text); }
  }
  return percent(share);
}

std::string capitalised(std::string text)
{
  if (!text.empty()) { text.front() = static_cast<char>(std::toupper(text.front())); }
  return text;
}

/// Mean accesses of lookups at a load, of keys that all came at up to that, where formulas say it.
std::optional<HomeCosts> expected_costs(TheoryOf theory, double slots, double taken)
{
  double const load = taken / slots;
  if (load >= 1.0) { return std::nullopt; }
  switch (theory) {
    case TheoryOf::linear_probing:
      return HomeCosts{theory::linear_probes_of_a_hit(slots, taken), theory::linear_probes_of_a_miss(slots, taken)};
    case TheoryOf::uniform_probing:
      return HomeCosts{theory::uniform_probes_of_a_hit(slots, taken), theory::uniform_probes_of_a_miss(slots, taken)};
    case TheoryOf::secondary_clustering:
      return HomeCosts{theory::secondary_probes_of_a_hit(load), theory::secondary_probes_of_a_miss(load)};
    default: return std::nullopt;
  }
}

std::optional<double> expected_miss(TheoryOf theory, double slots, double taken)
{
  auto const expected = expected_costs(theory, slots, taken);
  return expected ? std::optional(expected->miss) : std::nullopt;
}

TheoryOf theory_of(watch::Description const& table)
{
  if (!table.knows_paths() || !table.is_plain() || table.probing.window > 1) { return TheoryOf::nothing; }
  switch (table.probing.scheme) {
    case Scheme::linear: return TheoryOf::linear_probing;
    case Scheme::double_hashing: return TheoryOf::uniform_probing;
    case Scheme::quadratic: return TheoryOf::secondary_clustering;
    default: return TheoryOf::nothing;
  }
}

bool probes_for_empty_slots(watch::Description const& table)
{
  Scheme const scheme = table.probing.scheme;
  if (!table.is_plain()) { return false; }
  return scheme == Scheme::linear || scheme == Scheme::quadratic || scheme == Scheme::double_hashing;
}

double miss_of(Statistics const& statistics)
{
  return statistics.miss_accesses.count == 0 ? 0.0 : statistics.miss_accesses.mean;
}

/// "4.1" or, of a sample of the homes, "~4.1 ± 0.2".
std::string accesses_text(double accesses, double within)
{
  return within == 0.0 ? fmt::format("{:.1f}", accesses) : fmt::format("~{:.1f} ± {:.2g}", accesses, within);
}

/// Whether homes were sampled, and what lookups would take does not follow from them: the keys are not as random ones.
bool sample_says_nothing(WatchedFacts const& facts)
{
  watch::SampledHomes const& homes = facts.keys.sampled;
  bool const is_linear = theory_of(facts.description) == TheoryOf::linear_probing;
  return is_linear && homes.count() != homes.places && !facts.keys.rehashed;
}

/// What a rehash into the same number of slots would change.
std::string on_tombstones(WatchedFacts const& facts)
{
  constexpr double few = 0.02;
  Statistics const& now = facts.statistics;
  auto const slots = static_cast<double>(now.slots);
  double const share = static_cast<double>(now.tombstones) / slots;
  if (share < few) { return {}; }
  std::string const part = capitalised(share_in_words(share));
  constexpr double unknown = 0.0;
  double after = unknown;
  double within = 0.0;
  if (facts.keys.rehashed) {
    after = facts.keys.rehashed->miss;
    within = facts.keys.rehashed->miss_within;
  } else if (!sample_says_nothing(facts)) {
    after = expected_miss(theory_of(facts.description), slots, static_cast<double>(now.live)).value_or(unknown);
  }
  double const miss = miss_of(now);
  if (after == unknown || within >= 0.25 * after || miss <= 0.0) {
    return tr(
        "{} of the slots are tombstones, and lookups read past them: a rehash, or erasing in another way, would free "
        "them.",
        part);
  }
  double const saved = 1.0 - after / miss;
  if (saved < 0.05) {
    return tr("{} of the slots are tombstones; a rehash would hardly change how long lookups take.", part);
  }
  std::string const then = accesses_text(after, within);
  if (saved > 0.45 && saved < 0.55) {
    return tr("{} of the slots are tombstones: a rehash would halve the misses, from {:.1f} to {} accesses each.", part,
              miss, then);
  }
  return tr("{} of the slots are tombstones: a rehash would take {}{} off the misses, from {:.1f} to {} accesses each.",
            part, within == 0.0 ? "" : "~", percent(saved), miss, then);
}

std::string on_room(WatchedFacts const& facts)
{
  Statistics const& now = facts.statistics;
  if (!probes_for_empty_slots(facts.description) || now.live == 0) { return {}; }
  if (now.empty() == 0) {
    return tr("No empty slot is left: looking up an absent key reads the whole table. Rehash into more slots.");
  }
  auto const slots = static_cast<double>(now.slots);
  auto const live = static_cast<double>(now.live);
  TheoryOf const theory = theory_of(facts.description);
  std::optional<double> here = expected_miss(theory, slots, live);
  std::optional<double> wider = expected_miss(theory, 2.0 * slots, live);
  if (facts.keys.rehashed) { here = facts.keys.rehashed->miss; }
  if (facts.keys.doubled) { wider = facts.keys.doubled->miss; }
  constexpr double crowded = 8.0;  // accesses
  if (!sample_says_nothing(facts) && here && wider && *here > crowded) {
    return tr("At α {:.2f}, a miss takes {} accesses even without tombstones: in twice the slots it would take {}.",
              now.load_factor(), accesses_text(*here, facts.keys.rehashed ? facts.keys.rehashed->miss_within : 0.0),
              accesses_text(*wider, facts.keys.doubled ? facts.keys.doubled->miss_within : 0.0));
  }
  constexpr double roomy = 0.25;
  if (now.load_factor() < roomy && theory != TheoryOf::nothing) {
    auto const narrower = expected_miss(theory, 0.5 * slots, taken_slots(now));
    if (!narrower) { return {}; }
    return tr("{} of the slots are empty: in half of them a miss would still take only {:.1f} accesses.",
              percent(1.0 - now.effective_load()), *narrower);
  }
  return {};
}

/// Keys that share their homes, with gaps between them, are found late, however soon an empty slot comes.
std::string on_hits(WatchedFacts const& facts, TheoryOf theory)
{
  constexpr double clearly = 1.25;
  Statistics const& now = facts.statistics;
  auto const expected = expected_costs(theory, static_cast<double>(now.slots), taken_slots(now));
  auto const& rehashed = facts.keys.rehashed;
  double const hit = now.hit_accesses.mean;
  if (!expected || hit <= clearly * expected->hit) { return {}; }
  if (rehashed && rehashed->hit + rehashed->hit_within <= clearly * expected->hit) {
    return tr(
        "A hit takes {:.1f} accesses, and {} with the same keys, each once, put in anew: a rehash helps, and another "
        "hash does not.",
        hit, accesses_text(rehashed->hit, rehashed->hit_within));
  }
  return tr(
      "A hit takes {:.1f} accesses where a hash that spreads the keys at random would make it {:.1f}: these keys "
      "crowd under this hash. Try another one, or another seed.",
      hit, expected->hit);
}

/// Whether lookups are as long as random homes make them.
std::string on_hash(WatchedFacts const& facts)
{
  Statistics const& now = facts.statistics;
  TheoryOf const theory = theory_of(facts.description);
  double const slots = static_cast<double>(now.slots);
  auto const expected = expected_miss(theory, slots, taken_slots(now));
  double const miss = miss_of(now);
  if (!expected || miss <= 0.0 || now.live < few_keys) { return {}; }
  constexpr double clearly = 1.25;
  auto const& rehashed = facts.keys.rehashed;
  bool const is_as_put_in = theory == TheoryOf::linear_probing && now.tombstones == 0 && facts.lost.count() == 0;
  bool const would_help = !is_as_put_in && rehashed && rehashed->miss + rehashed->miss_within <= clearly * *expected;
  if (miss > clearly * *expected && would_help) {
    return tr(
        "A miss takes {:.1f} accesses, and {} with the same keys, each once, put in anew: a rehash helps, and another "
        "hash does not.",
        miss, accesses_text(rehashed->miss, rehashed->miss_within));
  }
  if (miss > clearly * *expected) {
    return tr(
        "A miss takes {:.1f} accesses where a hash that spreads the keys at random would make it {:.1f}: these keys "
        "crowd under this hash. Try another one, or another seed.",
        miss, *expected);
  }
  return on_hits(facts, theory);
}

std::string on_longest(WatchedFacts const& facts)
{
  Statistics const& now = facts.statistics;
  bool const out_of_order = facts.theory.largest_measure && now.probe_length.count > 0 &&
                            static_cast<double>(now.probe_length.max) > 3.0 * *facts.theory.largest_measure + 8.0;
  if (!out_of_order) { return {}; }
  return tr("One key is {} steps from home, where {:.0f} are expected of the worst.", grouped(now.probe_length.max),
            *facts.theory.largest_measure);
}

std::string on_unreachable(WatchedFacts const& facts)
{
  LostFacts const& lost = facts.lost;
  std::uint64_t const count = lost.keys.unreachable;
  if (count == 0) { return {}; }
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
  std::string text = tr_plural(
      "{} of {} stored keys is a second copy: its key is STORED TWICE. For example, key {} lies in slot {}, but a "
      "lookup finds the one in slot {}. The other copy takes a slot, and comes back when the first one is erased.",
      "{} of {} stored keys are second copies: their keys are STORED TWICE. For example, key {} lies in slot {}, but a "
      "lookup finds the one in slot {}. The other copy takes a slot, and comes back when the first one is erased.",
      count, grouped(count), grouped(facts.statistics.live), lost.twice_key, grouped(lost.twice.slot),
      grouped(lost.keys.found_instead));
  bool const many = 10 * count > facts.statistics.live;
  if (many) { text += " " + tr("If {} is what empty slots hold, say so: \"empty_key\".", lost.twice_key); }
  return text;
}

/// "Key -2 is in 1,200 of them": that hardly is one.
std::string on_repeated(WatchedFacts const& facts)
{
  LostFacts const& lost = facts.lost;
  if (lost.slots.size() == lost.count()) {
    return tr(
        "Key {} is in {} of them, and a table holds a key once. If it is what erased slots hold, say so: "
        "\"erased_key\"; if empty ones do, \"empty_key\".",
        lost.repeated_key, grouped(lost.repeats));
  }
  return tr(
      "Key {} is in {} of the first {} of them, and a table holds a key once. If it is what erased slots hold, say so: "
      "\"erased_key\"; if empty ones do, \"empty_key\".",
      lost.repeated_key, grouped(lost.repeats), grouped(lost.slots.size()));
}

std::uint64_t found_after(WatchedFacts const& facts, std::size_t accesses)
{
  std::vector<std::uint32_t> const& hits = facts.statistics.hit_accesses.histogram;
  return accesses < hits.size() ? hits[accesses] : 0;
}

/// Whether keys are found by all that the description says of lookups: keys that lie where those begin say nothing of
/// how they go on, nor those of one function of cuckoo hashing of the next.
bool goes_on_right(WatchedFacts const& facts)
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

std::string on_fault(WatchedFacts const& facts)
{
  std::uint64_t const found = facts.statistics.live - facts.lost.count();
  switch (fault_of(facts)) {
    case Fault::description: {
      watch::Check::Better const& better = facts.check.better.front();
      return tr(
          "The description is at fault: {} finds {} of {} sampled keys, and this one {}. Use that one (beside "
          "'Description').",
          watch::text_of(better.description), grouped(better.found), grouped(facts.check.sampled),
          grouped(facts.check.found));
    }
    case Fault::table:
      return tr(
          "The table is at fault, not the description, which finds the other {} keys: look for erasures that empty a "
          "slot that others are found behind, for copies of a table with other slots or another hash, and for two "
          "threads that insert at once.",
          grouped(found));
    case Fault::unknown: break;
  }
  if (facts.lost.repeats != 0) { return on_repeated(facts); }
  if (!facts.check.was_checked) {
    return tr("The homes that the program gives do not lead there: does it write them when it writes the keys?");
  }
  if (facts.check.is_nearly_right()) {
    return tr(
        "Whether the table or the description is at fault cannot be told: {} keys are found where their lookups begin, "
        "and hardly any by the rest of what it says. Are the further hashes right, and the way from slot to slot?",
        grouped(found_after(facts, 1)));
  }
  return tr(
      "Whether the table or the description is at fault cannot be told: the description finds {} of {} sampled keys, "
      "and nothing else that is known here finds more.",
      grouped(facts.check.found), grouped(facts.check.sampled));
}

std::string on_not_followed(WatchedFacts const& facts)
{
  if (facts.lost.keys.not_followed == 0) { return {}; }
  return tr("Lookups of {} keys were given up after {} accesses; these keys count as found.",
            grouped(facts.lost.keys.not_followed), grouped(watch::max_followed));
}

/// Fewer keys in a bucket, fewer slabs behind it.
std::string on_long_chains(WatchedFacts const& facts)
{
  constexpr double long_miss = 2.0;  // slabs
  double const miss = facts.statistics.miss_accesses.mean;
  bool const is_long = facts.description.probing.scheme == Scheme::chains && miss >= long_miss;
  if (!is_long) { return {}; }
  return tr(
      "A miss reads {:.1f} slabs, for {:.1f} keys to a bucket on average: more buckets would shorten the "
      "chains.",
      miss,
      static_cast<double>(facts.statistics.live * facts.description.probing.window) /
          static_cast<double>(facts.description.slots));
}

std::string on_cut_chains(WatchedFacts const& facts)
{
  std::uint64_t const cut = facts.keys.chains.cut;
  if (cut == 0) { return {}; }
  return tr_plural(
      "{} chain goes on in a slab beyond the {} that are described: the keys there are not seen. Give all parts of "
      "their "
      "memory in \"links\".",
      "{} of the chains go on in slabs beyond the {} that are described: the keys there are not seen. Give all parts "
      "of "
      "their memory in \"links\".",
      cut, grouped(cut), grouped(facts.description.links ? facts.description.links->slabs() : 0));
}

/// Most of a pool may be room that no chain has taken yet, or be taken by other tables.
std::string on_slabs_beside(WatchedFacts const& facts)
{
  watch::Description const& table = facts.description;
  watch::ChainCounts const& chains = facts.keys.chains;
  if (!table.links || chains.slabs >= table.links->slabs()) { return {}; }
  std::uint64_t const room = table.slots + chains.slabs * table.buckets->slots;
  if (facts.statistics.live > room) { return {}; }  // the chains were not counted yet
  std::string text =
      tr("Chains lead to {} of {} slabs: in the buckets and these, α is {:.2f}.", grouped(chains.slabs),
         grouped(table.links->slabs()), static_cast<double>(facts.statistics.live) / static_cast<double>(room));
  if (chains.stray == 0) { return text; }
  return text + " " +
         tr_plural(
             "{} more slab is filled with keys, and no chain leads there: of another table in the same memory, or of a "
             "chain that was cut. They do not count.",
             "{} more are filled with keys, and no chain leads there: of another table in the same memory, or of a "
             "chain that was cut. They do not count.",
             chains.stray, grouped(chains.stray));
}

std::string on_sample(WatchedFacts const& facts)
{
  watch::SampledHomes const& homes = facts.keys.sampled;
  if (!facts.keys.homes || homes.count() == homes.places) { return {}; }
  std::string text =
      tr("Of so many keys, those of {} of {} homes were counted: what follows from them is marked with ~.",
         grouped(homes.count()), grouped(homes.places));
  if (!sample_says_nothing(facts)) { return text; }
  return text + " " +
         tr("What a rehash would bring does not follow: some of the other homes are much fuller, or the keys crowd too "
            "much.");
}

std::string on_what_is_missing(WatchedFacts const& facts)
{
  watch::Description const& table = facts.description;
  if (facts.check.is_wrong()) {
    return tr(
        "Homes, probe lengths and theory are not shown: the description's hash or probing does not find the keys.");
  }
  if (table.has_undefined_hash()) {
    return tr(
        "Homes, probe lengths and theory are not shown: {} is not defined for keys of 16 bytes. Those of bytes are: "
        "xxhash_32, xxhash_64, murmur3_32 and murmur3_128.",
        watch::hash_function_names[static_cast<std::size_t>(table.hashes.front().function)]);
  }
  if (table.home_of == watch::HomeOf::unknown && !table.family.empty()) {
    return tr("Homes, probe lengths and theory are not shown: where '{}' has its keys at home is not described here.",
              translated(table.family));
  }
  if (table.home_of == watch::HomeOf::unknown) {
    return tr("Homes, probe lengths and theory are not shown: the description has no \"hash\".");
  }
  if (table.probing.scheme == Scheme::unknown && !table.family.empty()) {
    return tr("Probe lengths and theory are not shown: how '{}' goes on from a home is not described here.",
              translated(table.family));
  }
  if (table.probing.scheme == Scheme::unknown) {
    return tr("Probe lengths and theory are not shown: the description has no \"probing\".");
  }
  if (!table.probing.counts_misses) {
    return tr("Accesses of misses are not counted: a lookup of an absent key may end sooner than is described here.");
  }
  if (table.home_of == watch::HomeOf::array) {
    return tr("Keys cannot be looked up, and misses are not counted: where an absent key belongs is not known.");
  }
  return {};
}

/// That nothing is wrong, as far as that was looked at.
std::string on_nothing(WatchedFacts const& facts)
{
  std::optional<HomeSpread> const& homes = facts.keys.homes;
  if (homes && homes->evenness() == Evenness::less_even) {
    return tr(
        "Nothing is wrong with the table, but its keys crowd a little under this hash: {} share their home with "
        "others, where {} of random keys would.",
        percent(homes->shared), percent(homes->expected_shared));
  }
  if (facts.statistics.live < few_keys) { return tr("Nothing is wrong with it that can be seen in so few keys."); }
  if (!homes) { return {}; }  // they are still counted
  return tr("Nothing is wrong with it: at this load, probing of this kind can do no better.");
}

std::string text_of_key(watch::WatchedTable& table, SlotInfo const& info)
{
  watch::Part const& part = table.description().key;
  KeyStyle const style = part.is_signed ? KeyStyle::with_sign : KeyStyle::numbers;
  return part.bits > 64 ? watch::hex_of(table.key_in(info.slot)) : key_text(info.pair.key, style);
}

/// Whether one key is in most of the slots that are named.
void note_repeated(watch::WatchedTable& table, LostFacts& lost)
{
  constexpr std::size_t many = 16;
  if (lost.slots.size() < many) { return; }
  std::vector<SlotInfo> infos = table.slots(lost.slots);
  auto const key_of = [](SlotInfo const& info) { return info.pair.key; };
  std::ranges::sort(infos, {}, key_of);
  SlotInfo const& middle = infos[infos.size() / 2];
  auto const repeats = static_cast<std::uint64_t>(std::ranges::count(infos, middle.pair.key, key_of));
  if (2 * repeats < infos.size()) { return; }
  lost.repeats = repeats;
  lost.repeated_key = text_of_key(table, middle);
}

}  // namespace

std::string why_unknown(std::string const& files, std::string const& error)
{
  return tr("What the bytes of {} mean is not known. Choose a preset, or open a description.\n\n{}", files, error);
}

std::string summary_of(Statistics const& now)
{
  std::string text = fmt::format("α {:.2f}", now.load_factor());
  if (now.hit_accesses.count != 0) { text += ", " + tr("{:.1f} accesses a hit", now.hit_accesses.mean); }
  if (now.miss_accesses.count != 0) { text += ", " + tr("{:.1f} accesses a miss", now.miss_accesses.mean); }
  if (now.links != 0) {
    text += ", " + tr_plural("{} key not found where it is", "{} keys not found where they are", now.links,
                             grouped(now.links));
  }
  return text;
}

Fault fault_of(WatchedFacts const& facts)
{
  if (!facts.check.better.empty()) { return Fault::description; }
  bool const is_confirmed = facts.check.is_nearly_right() && goes_on_right(facts);
  return is_confirmed && facts.lost.repeats == 0 ? Fault::table : Fault::unknown;
}

LostFacts lost_facts(watch::WatchedTable& table)
{
  constexpr std::uint64_t max_slots_named = 1000;
  LostFacts lost{.keys = table.lost_keys(), .unreachable_key = {}, .twice_key = {}, .slots = {}, .repeated_key = {}};
  if (lost.count() != 0) { lost.slots = table.lost_slots(max_slots_named); }
  note_repeated(table, lost);
  auto const fill = [&](std::uint64_t count, Slot slot, SlotInfo& info, std::string& key) {
    if (count == 0) { return; }
    info = table.slot(slot);
    key = text_of_key(table, info);
  };
  fill(lost.keys.unreachable, lost.keys.first_unreachable, lost.unreachable, lost.unreachable_key);
  fill(lost.keys.twice, lost.keys.first_twice, lost.twice, lost.twice_key);
  return lost;
}

std::vector<std::string> lost_keys_text(WatchedFacts const& facts)
{
  if (facts.lost.count() == 0) { return {}; }
  std::vector<std::string> sentences;
  for (std::string sentence : {on_unreachable(facts), on_twice(facts), on_fault(facts)}) {
    if (!sentence.empty()) { sentences.push_back(std::move(sentence)); }
  }
  sentences.push_back(tr("All numbers of lookups are of the {} keys that are found.",
                         grouped(facts.statistics.live - facts.lost.count())));
  if (facts.changes) {
    sentences.back() += std::string(" ") +
                        tr("The program may have written meanwhile, and what was read is then of several moments: only "
                           "a snapshot that the program takes is of one.");
  }
  return sentences;
}

std::vector<std::string> advice_on(WatchedFacts const& facts)
{
  std::vector<std::string> sentences = lost_keys_text(facts);
  auto const add = [&](std::string sentence) {
    if (!sentence.empty()) { sentences.push_back(std::move(sentence)); }
  };
  std::vector<std::string> const words = watch::words_explained(facts.description);
  if (facts.statistics.live == 0) {
    add(tr("The table is empty."));
    sentences.insert(sentences.end(), words.begin(), words.end());
    return sentences;
  }
  add(on_tombstones(facts));
  add(on_room(facts));
  add(on_hash(facts));
  add(on_longest(facts));
  add(on_long_chains(facts));
  bool const judged = facts.description.knows_paths() && facts.description.is_plain();
  if (sentences.empty() && judged) { add(on_nothing(facts)); }
  add(on_not_followed(facts));
  add(on_cut_chains(facts));
  add(on_slabs_beside(facts));
  sentences.insert(sentences.end(), words.begin(), words.end());
  add(on_what_is_missing(facts));
  add(on_sample(facts));
  return sentences;
}

}  // namespace slotscape
