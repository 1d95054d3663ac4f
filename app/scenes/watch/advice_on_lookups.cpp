#include "app/scenes/watch/advice_part.hpp"

#include "app/base/text.hpp"
#include "gpu/analysis/homes.hpp"
#include "gpu/analysis/theory.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <cmath>
#include <optional>

namespace slotscape {
namespace {

using watch::Scheme;

/// A share of all slots in words: "A tenth", "a third", "62 %".
std::string share_in_words(double share)
{
  struct Word {
    double share;
    std::string_view text;
  };
  constexpr std::array words{Word{0.1, translatable("a tenth")}, Word{0.2, translatable("a fifth")},
                             Word{0.25, translatable("a quarter")}, Word{1.0 / 3.0, translatable("a third")},
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

/// The expected mean accesses of lookups at this load, for keys inserted up to that load, if a formula is known.
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

double miss_of(Statistics const& statistics)
{
  return statistics.miss_accesses.count == 0 ? 0.0 : statistics.miss_accesses.mean;
}

/// Formats "4.1" or, for sampled homes, "~4.1 ± 0.2".
std::string accesses_text(double accesses, double within)
{
  return within == 0.0 ? fmt::format("{:.1f}", accesses) : fmt::format("~{:.1f} ± {:.2g}", accesses, within);
}

/// Whether formulas for random home slots apply to these keys.
bool has_random_homes(WatchedFacts const& facts)
{
  return facts.keys.homes && facts.keys.homes->evenness() == Evenness::as_random;
}

/// Keys that share home slots, with gaps between these, have slow hits although misses soon reach an empty slot.
OnHash on_hits(WatchedFacts const& facts, TheoryOf theory)
{
  constexpr double clearly = 1.25;
  Statistics const& now = facts.statistics;
  auto const expected = expected_costs(theory, static_cast<double>(now.slots), taken_slots(now));
  auto const& rehashed = facts.keys.rehashed;
  double const hit = now.hit_accesses.mean;
  if (!expected || hit <= clearly * expected->hit) { return {}; }
  if (rehashed && rehashed->hit + rehashed->hit_within <= clearly * expected->hit) {
    return {
        tr("A hit takes {:.1f} accesses, but only {} if the same keys are reinserted, each once: a rehash helps, "
           "another hash does not.",
           hit, accesses_text(rehashed->hit, rehashed->hit_within))};
  }
  if (has_random_homes(facts)) { return {}; }
  return {tr("A hit takes {:.1f} accesses; with a hash that spreads the keys at random, it would take {:.1f}. These "
             "keys crowd under this hash: try another hash, or another seed.",
             hit, expected->hit),
          true};
}

}  // namespace

/// Whether homes were only sampled and the cost of lookups cannot be estimated, because the keys' homes are not random.
bool sample_says_nothing(WatchedFacts const& facts)
{
  watch::SampledHomes const& homes = facts.keys.sampled;
  bool const is_linear = theory_of_probing(facts.description) == TheoryOf::linear_probing;
  return is_linear && homes.count() != homes.places && !facts.keys.rehashed;
}

/// The effect of rehashing into the same number of slots.
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
  } else if (has_random_homes(facts) && !sample_says_nothing(facts)) {
    TheoryOf const theory = theory_of_probing(facts.description);
    after = expected_miss(theory, slots, static_cast<double>(now.live)).value_or(unknown);
  }
  double const miss = miss_of(now);
  if (after == unknown || within >= 0.25 * after || miss <= 0.0) {
    return tr(
        "{} of the slots are tombstones, and lookups read past them: a rehash, or another way of erasing, would free "
        "them.",
        part);
  }
  double const saved = 1.0 - after / miss;
  if (saved < 0.05) { return tr("{} of the slots are tombstones; a rehash would hardly speed up lookups.", part); }
  std::string const then = accesses_text(after, within);
  if (saved > 0.45 && saved < 0.55) {
    return tr(
        "{} of the slots are tombstones: a rehash would halve the cost of misses, from {:.1f} to {} accesses each.",
        part, miss, then);
  }
  return tr(
      "{} of the slots are tombstones: a rehash would cut the cost of misses by {}{}, from {:.1f} to {} accesses each.",
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
  TheoryOf const theory = facts.description.knows_paths() ? theory_of_probing(facts.description) : TheoryOf::nothing;
  std::optional<double> here;
  std::optional<double> wider;
  if (has_random_homes(facts)) {
    here = expected_miss(theory, slots, live);
    wider = expected_miss(theory, 2.0 * slots, live);
  }
  if (facts.keys.rehashed) { here = facts.keys.rehashed->miss; }
  if (facts.keys.doubled) { wider = facts.keys.doubled->miss; }
  constexpr double crowded = 8.0;  // accesses
  if (!sample_says_nothing(facts) && here && wider && *here > crowded) {
    return tr("At α {:.2f}, a miss takes {} accesses even without tombstones: with twice the slots, it would take {}.",
              now.load_factor(), accesses_text(*here, facts.keys.rehashed ? facts.keys.rehashed->miss_within : 0.0),
              accesses_text(*wider, facts.keys.doubled ? facts.keys.doubled->miss_within : 0.0));
  }
  constexpr double roomy = 0.25;
  if (now.load_factor() < roomy && theory != TheoryOf::nothing && has_random_homes(facts)) {
    auto const narrower = expected_miss(theory, 0.5 * slots, taken_slots(now));
    if (!narrower) { return {}; }
    return tr("{} of the slots are empty: with half the slots, a miss would still take only {:.1f} accesses.",
              percent(1.0 - now.effective_load()), *narrower);
  }
  return {};
}

/// Whether lookups are as fast as with random home slots.
OnHash on_hash(WatchedFacts const& facts)
{
  Statistics const& now = facts.statistics;
  TheoryOf const theory = theory_of_probing(facts.description);
  double const slots = static_cast<double>(now.slots);
  auto const expected = expected_miss(theory, slots, taken_slots(now));
  double const miss = miss_of(now);
  if (!facts.description.knows_paths()) { return {}; }
  if (!expected || miss <= 0.0 || now.hit_accesses.count < few_keys) { return {}; }
  constexpr double clearly = 1.25;
  auto const& rehashed = facts.keys.rehashed;
  bool const is_as_put_in = theory == TheoryOf::linear_probing && now.tombstones == 0 && facts.lost.count() == 0;
  bool const would_help = !is_as_put_in && rehashed && rehashed->miss + rehashed->miss_within <= clearly * *expected;
  if (miss > clearly * *expected && would_help) {
    return {
        tr("A miss takes {:.1f} accesses, but only {} if the same keys are reinserted, each once: a rehash helps, "
           "another hash does not.",
           miss, accesses_text(rehashed->miss, rehashed->miss_within))};
  }
  if (miss > clearly * *expected && !has_random_homes(facts)) {
    return {tr("A miss takes {:.1f} accesses; with a hash that spreads the keys at random, it would take {:.1f}. These "
               "keys crowd under this hash: try another hash, or another seed.",
               miss, *expected),
            true};
  }
  return on_hits(facts, theory);
}

/// If the program supplies the homes, absent keys have none, so only hits are judged.
std::string on_given_homes(WatchedFacts const& facts)
{
  constexpr double clearly = 1.25;
  Statistics const& now = facts.statistics;
  auto const& homes = facts.keys.homes;
  auto const expected =
      expected_costs(theory_of_probing(facts.description), static_cast<double>(now.slots), taken_slots(now));
  bool const is_given = facts.description.home_of == watch::HomeOf::array;
  if (!is_given || !expected || !homes || now.hit_accesses.count < few_keys) { return {}; }
  double const hit = now.hit_accesses.mean;
  if (hit <= clearly * expected->hit) {
    return tr("A hit takes {:.1f} accesses, as with random homes; with those, a miss would take {:.1f}.", hit,
              expected->miss);
  }
  bool const is_linear = facts.description.probing.scheme == Scheme::linear;
  if (is_linear && homes->load() <= 1.0 && homes->probing.hit <= clearly * expected->hit) {
    return tr(
        "A hit takes {:.1f} accesses, but only {:.1f} if the same keys are reinserted: a rehash helps, another hash "
        "does not.",
        hit, homes->probing.hit);
  }
  if (has_random_homes(facts)) { return {}; }
  return tr(
      "A hit takes {:.1f} accesses. With random homes it would take {:.1f}, and a miss {:.1f}: these keys crowd under "
      "the program's hash. Try another one, or another seed.",
      hit, expected->hit, expected->miss);
}

/// Reports that nothing seems wrong, as far as was checked.
std::string on_nothing(WatchedFacts const& facts)
{
  std::optional<HomeSpread> const& homes = facts.keys.homes;
  if (homes && homes->evenness() == Evenness::less_even) {
    return tr(
        "Nothing is wrong with the table, but its keys crowd a little under this hash: {} share their home with "
        "others; of random keys, {} would.",
        percent(homes->shared), percent(homes->expected_shared));
  }
  if (facts.statistics.live < few_keys) { return tr("Nothing seems wrong with it, as far as so few keys can show."); }
  if (!homes) { return {}; }  // counting is not finished
  constexpr double alike = 1.1;
  auto const expected = expected_miss(theory_of_probing(facts.description), static_cast<double>(facts.statistics.slots),
                                      taken_slots(facts.statistics));
  double const miss = miss_of(facts.statistics);
  if (expected && miss > alike * *expected) {
    return tr(
        "Nothing is wrong with it: the keys spread like random ones. A miss takes {:.1f} accesses; the average over "
        "many such tables is {:.1f}, and the difference is chance.",
        miss, *expected);
  }
  return tr("Nothing is wrong with it: at this load, this kind of probing cannot do better.");
}

}  // namespace slotscape
