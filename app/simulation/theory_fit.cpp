#include "app/simulation/theory_fit.hpp"

#include "app/base/text.hpp"
#include "app/simulation/theory_of_structure.hpp"
#include "gpu/analysis/theory.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace slotscape {
namespace {

/// Mean number of slots that a lookup reads at this load, including the one where it ends.
struct Probes {
  std::optional<double> hit;
  std::optional<double> miss;
};

Probes mean_probes(TheoryOf theory, Statistics const& statistics)
{
  constexpr double many_empty = 64.0;  // from this many empty slots on, within 5 % of simulated tables
  double const load = statistics.effective_load();
  auto const slots = static_cast<double>(statistics.slots);
  double const taken = taken_slots(statistics);
  switch (theory) {
    case TheoryOf::linear_probing:
      return {theory::linear_probes_of_a_hit(slots, taken), theory::linear_probes_of_a_miss(slots, taken)};
    case TheoryOf::robin_hood:
      return {theory::linear_probes_of_a_hit(slots, taken), theory::robin_hood_probes_of_a_miss(slots, taken)};
    case TheoryOf::uniform_probing:
      return {theory::uniform_probes_of_a_hit(slots, taken), theory::uniform_probes_of_a_miss(slots, taken)};
    case TheoryOf::secondary_clustering:
      if (slots - taken < many_empty) { return {}; }
      return {theory::secondary_probes_of_a_hit(load), theory::secondary_probes_of_a_miss(load)};
    default: return {};
  }
}

/// Viola's formulas hold for many slots. With this number, simulated deviations are within 8 %.
bool has_slots_for_deviation(Statistics const& statistics)
{
  double const free = 1.0 - statistics.effective_load();
  return static_cast<double>(statistics.slots) * free * free >= 32.0;
}

std::string_view source_of(TheoryOf theory)
{
  switch (theory) {
    case TheoryOf::linear_probing:
      return translatable(
          "Knuth 1963, for this number of slots; for many slots, a hit ½(1 + 1/(1−α)), a miss ½(1 + 1/(1−α)²).");
    case TheoryOf::robin_hood:
      return translatable(
          "Viola 2005: the mean of linear probing, deviation² α(6−5α+2α²)/(12(1−α)²). A miss ends at the slot that its "
          "key would have: for many slots, ½(1 + 1/(1−α)).");
    case TheoryOf::uniform_probing:
      return translatable(
          "Peterson 1957, for this number of slots; for many slots, a hit (1/α) ln(1/(1−α)), a miss 1/(1−α).");
    case TheoryOf::secondary_clustering:
      return translatable(
          "Knuth: a hit 1 − ln(1−α) − α/2, a miss 1/(1−α) − α − ln(1−α). The formulas assume that each home has a "
          "random path. Quadratic paths share slots, so misses take more: by 1 % at α 0.8, 6 % at 0.9, 12 % at 0.95.");
    case TheoryOf::poisson_groups: return translatable("Keys per bucket: Poisson with the measured mean.");
    case TheoryOf::chains:
      return translatable(
          "Knuth: chains of m heads, Poisson(α) if m is large. Nodes read: a hit 1 + (α − 1/m)/2, a miss α; plus the "
          "head and the links between them.");
    case TheoryOf::growing_chains:
      return translatable(
          "Larson 1988: chains, if a share x of the round's heads has been split. Nodes read: a hit 1 + (α/4)(2 + x − "
          "x²), a miss (α/2)(2 + x − x²); plus the head and the links between them.");
    case TheoryOf::coalesced:
      return translatable(
          "Knuth, for this number of slots; with a cellar, Vitter 1982, for many slots. The formulas assume that keys "
          "are inserted one after another. If many are inserted at once, fewer chains meet, and lookups are shorter.");
    case TheoryOf::split_buckets:
      return translatable(
          "Fagin et al. 1979, for this number of keys: a bucket is split if more keys share its bits than it has "
          "slots. With many keys, about ln 2 ≈ 69 % of the slots in use hold keys.");
    case TheoryOf::cuckoo:
    case TheoryOf::two_choices_of_eight:
      return translatable("Load threshold of cuckoo hashing (Fountoulakis et al. 2011).");
    case TheoryOf::hopscotch: return translatable("Hopscotch: no key is farther than H − 1 from home.");
    case TheoryOf::balanced_allocation:
      return translatable("Mitzenmacher 1996, without erasures: of t keys a bucket, dsᵢ/dt = sᵢ₋₁² − sᵢ².");
    case TheoryOf::groups_on_paths:
      return translatable(
          "≈ Our mean-field approximation, up to α 0.9: hits read up to 2 % more groups, misses up to 10 % more.");
    case TheoryOf::two_yards:
      return translatable(
          "Our derivation, without erasures: front buckets are Poisson up to their slots; then balanced allocation.");
    case TheoryOf::rounds_of_fights: return translatable("Of n keys in a sub-table of m slots, m(1 − e^(−n/m)) win.");
    case TheoryOf::nothing: break;
  }
  return "";
}

/// Linear probing and Robin Hood hashing fill the same slots, and differ only in which key is in which slot.
bool fills_as_linear_probing(TheoryOf theory)
{
  return theory == TheoryOf::linear_probing || theory == TheoryOf::robin_hood;
}

/// Whether the theory predicts probes, which erasures affect. False if it predicts only load limits or keys per bucket,
/// and for families with a function of their own below.
bool predicts_probes(TheoryOf theory)
{
  return theory != TheoryOf::hopscotch && theory != TheoryOf::cuckoo && theory != TheoryOf::two_choices_of_eight &&
         theory != TheoryOf::poisson_groups && of_any_state(theory) == nullptr;
}

/// Whether home slots follow from the chosen hash, or from the keys themselves.
bool has_homes(FamilyInfo const& family)
{
  return family.uses_hash || family.key_is_hash;
}

/// Explains why theory does not apply to keys with this distribution of homes.
std::string what_homes_are(Evenness homes)
{
  switch (homes) {
    case Evenness::more_even:
      return tr(
          "Theory does not apply: it assumes a hash that spreads the keys at random, but these keys are spread more "
          "evenly than random homes, so lookups are shorter.");
    case Evenness::less_even:
      return tr(
          "Theory does not apply: it assumes a hash that spreads the keys at random, but these keys are spread less "
          "evenly than random homes, so lookups are longer.");
    case Evenness::runs_of_homes:
      return tr(
          "Theory does not apply: it assumes a hash that spreads the keys at random, but these keys lie side by side, "
          "so hits are shorter, and misses longer.");
    case Evenness::as_random: break;
  }
  return tr("Theory does not apply: it assumes a hash that spreads the keys at random.");
}

/// Whether keys spread at random over homes that were not measured. Given keys, such as typed ones, are considered no
/// more random than sequential ones, unless there are hardly any.
bool spreads_at_random(FamilyInfo const& family, TableSettings const& table, KeyOrigin keys, std::uint64_t live)
{
  if (keys.homes && has_homes(family)) { return *keys.homes == Evenness::as_random; }
  constexpr std::uint64_t hardly_any = 100;  // at most one key in this many
  bool const drawn = hardly_any * keys.given <= live;
  auto const spreads = [&](HashKind hash) {
    return theory::spreads_well(hash, keys.drawn) && (drawn || theory::spreads_well(hash, KeyDistribution::sequential));
  };
  return family.uses_hash ? spreads(table.hash.is_compiled_in() ? table.hash.kind : HashKind::formula)
                          : !family.key_is_hash || spreads(HashKind::identity);
}

double to_measure(FamilyInfo const& family, double accesses)
{
  return (accesses - family.first_access) / family.accesses_per_measure;
}

void add_limits(TheoryFit& fit, FamilyInfo const& family, TableSettings const& table, bool random)
{
  if (family.theory == TheoryOf::hopscotch) {
    fit.measure_bound = parameter_of(family, table, "neighbourhood") - 1.0;
  } else if (family.theory == TheoryOf::cuckoo) {
    std::uint32_t const functions = parameter_of(family, table, "functions");
    bool const reads_all = family.misses_by == MissesBy::nothing;  // lookups in foreign tables may end earlier
    if (reads_all) { fit.miss_accesses = functions; }
    if (random) { fit.load_threshold = theory::cuckoo_threshold(functions, parameter_of(family, table, "bucket")); }
  } else if (family.theory == TheoryOf::two_choices_of_eight && random) {
    fit.load_threshold = theory::cuckoo_threshold(2, 8);
  }
}

/// A function of integers, interpolated linearly.
std::function<double(double)> joined(std::vector<double> values)
{
  return [values = std::move(values)](double at) {
    if (at < 0.0 || values.empty()) { return 0.0; }
    auto const low = static_cast<std::size_t>(at);
    if (low + 1 >= values.size()) { return low < values.size() ? values[low] : 0.0; }
    double const share = at - static_cast<double>(low);
    return values[low] * (1.0 - share) + values[low + 1] * share;
  };
}

std::function<double(double)> joined_shares(std::vector<double> shares, double of)
{
  for (double& share : shares) { share *= of; }
  return joined(std::move(shares));
}

/// The expected number of chains by their length in units of `keys_per_unit` keys. A chain has as many units as its
/// bucket's keys need, and at least one.
std::function<double(double)> chains_by_length(std::uint32_t keys_per_unit, Statistics const& statistics)
{
  auto const buckets = static_cast<double>(statistics.groups.count);
  double const mean = static_cast<double>(statistics.live) / buckets;
  std::vector<double> chains(statistics.groups.max + 2, 0.0);
  for (std::size_t units = 1; units < chains.size(); ++units) {
    std::size_t const fewest = units == 1 ? 0 : (units - 1) * keys_per_unit + 1;
    for (std::size_t keys = fewest; keys <= units * keys_per_unit; ++keys) {
      chains[units] += buckets * theory::poisson(mean, static_cast<double>(keys));
    }
  }
  return joined(std::move(chains));
}

}  // namespace

std::optional<HomeSpread> spread_of_homes(FamilyInfo const& family, TableSettings const& table,
                                          std::span<Key const> keys)
{
  constexpr std::size_t too_few = 256;
  if (keys.size() < too_few || !has_homes(family)) { return std::nullopt; }
  HashChoice const hash = family.uses_hash ? table.hash : HashKind::identity;
  HomeSpread spread = spread_of(count_homes(hash, keys, table.key_bits, table.slots), table.key_bits);
  explain(spread, hash, keys, table.key_bits);
  return spread;
}

namespace {

/// Explains why no theory applies if homes are not random.
std::string why_not_random(FamilyInfo const& family, KeyOrigin const& keys, std::uint64_t live)
{
  constexpr std::uint64_t few = 4096;
  if (live == 0) { return tr("There are no keys yet to compare with theory."); }
  if (keys.drawn == KeyDistribution::file && !keys.homes && live > few) {
    return tr("Theory is not shown: there are too many keys to count their homes.");
  }
  bool const measured = keys.homes && has_homes(family);
  std::string const why = losses_in_words(keys.losses);
  return what_homes_are(measured ? *keys.homes : Evenness::as_random) + (why.empty() ? "" : " " + why);
}

/// Adds accesses of hits and misses for tables in which a key may be in any slot.
void add_probes(TheoryFit& fit, FamilyInfo const& family, TableSettings const& table, Statistics const& statistics)
{
  double const load = statistics.effective_load();
  fit.clusters = fills_as_linear_probing(family.theory);
  if (fit.clusters) {
    fit.longest_cluster = theory::expected_longest_cluster(static_cast<double>(statistics.slots), load);
  }
  Probes const probes = mean_probes(family.theory, statistics);
  if (!probes.hit) { fit.reason = tr("Theory is not shown: its formulas are for tables with more empty slots."); }
  fit.miss_accesses = probes.miss;
  if (statistics.tombstones != 0 || !probes.hit) { return; }
  fit.measure_mean = to_measure(family, *probes.hit);
  if (fit.clusters) {
    fit.without_replacement = theory::without_replacement(static_cast<double>(statistics.slots), table.key_bits);
    *fit.measure_mean *= fit.without_replacement;
  }
  fit.hit_accesses = to_accesses(family, *fit.measure_mean);
  if (family.theory == TheoryOf::uniform_probing) {
    double const probes_of_worst =
        theory::uniform_probes_of_the_worst(static_cast<double>(statistics.slots), taken_slots(statistics));
    fit.largest_measure = to_measure(family, probes_of_worst);
  }
  if (family.theory != TheoryOf::robin_hood) { return; }
  if (has_slots_for_deviation(statistics)) {
    fit.measure_deviation = std::sqrt(theory::robin_hood_variance(load));
  } else {
    fit.reason = tr("No theory is shown for the deviation: its formula is for larger tables at this load.");
  }
}

}  // namespace

TheoryFit theory_fit(FamilyInfo const& family, TableSettings const& table, KeyOrigin const& keys,
                     Statistics const& statistics)
{
  TheoryFit fit;
  if (family.theory == TheoryOf::nothing) {
    fit.reason = tr("No theory is shown: no formula is known for this family.");
    return fit;
  }
  bool const random = spreads_at_random(family, table, keys, statistics.live);
  add_limits(fit, family, table, random);
  fit.by = translated(source_of(family.theory));
  if (family.theory == TheoryOf::cuckoo && fit.miss_accesses) {
    fit.by += std::string(" ") + tr("A miss reads all d buckets, at any load.");
  }
  if (!random) {
    fit.reason = why_not_random(family, keys, statistics.live);
    return fit;
  }
  if (family.theory == TheoryOf::poisson_groups && statistics.groups.count > 0 && family.keys_per_group_unit == 1) {
    fit.fullest_group =
        theory::expected_fullest_bucket(static_cast<double>(statistics.groups.count), statistics.groups.mean);
  }
  if (auto const add = of_any_state(family.theory)) { add(fit, family, table, statistics); }
  if (!predicts_probes(family.theory)) { return fit; }
  auto const add_untouched = of_untouched(family.theory);
  bool const reuses = family.guarantees(table).erase_frees_slot;
  bool const untouched = statistics.tombstones == 0;
  if (!untouched && (reuses || add_untouched != nullptr)) {
    fit.reason = tr("Theory does not apply: it assumes a table without erasures, and reused tombstones move keys.");
    return fit;
  }
  if (!untouched) { fit.reason = why_only_misses(family); }
  double const load = statistics.effective_load();
  if (load >= 1.0) { fit.reason = tr("Theory is not shown: its formulas are for tables with more empty slots."); }
  if (load >= 1.0 || statistics.live == 0) { return fit; }
  if (add_untouched != nullptr) {
    if (table.shards != 1) {
      fit.reason = why_not_shards();
    } else {
      add_untouched(fit, family, table, statistics);
    }
    return fit;
  }
  add_probes(fit, family, table, statistics);
  return fit;
}

std::function<double(double)> keys_by_measure(FamilyInfo const& family, TheoryFit const& fit,
                                              Statistics const& statistics, std::uint64_t longest)
{
  if (!fit.measure_mean) { return {}; }
  constexpr std::uint64_t max_terms = 4096;  // at any safe load, hardly any key is expected beyond it
  std::uint64_t const terms = std::min(longest + 2, max_terms);
  auto const live = static_cast<double>(statistics.live);
  if (!fit.keys_of_measure.empty()) { return joined_shares(fit.keys_of_measure, live); }
  if (family.theory == TheoryOf::robin_hood && fit.measure_deviation) {
    return joined_shares(theory::robin_hood_displacement(statistics.load_factor(), terms), live);
  }
  if (family.theory == TheoryOf::uniform_probing) {
    std::vector<double> shares =
        theory::uniform_probes_above(static_cast<double>(statistics.slots), live, terms + 1);  // of 1, 2, ... probes
    for (std::size_t i = 0; i + 1 < shares.size(); ++i) { shares[i] -= shares[i + 1]; }
    shares.pop_back();
    return [by_probes = joined_shares(std::move(shares), live), of = &family](double measure) {
      return by_probes(to_accesses(*of, measure) - 1.0);
    };
  }
  return {};
}

std::function<double(double)> buckets_by_size(FamilyInfo const& family, TheoryFit const& fit,
                                              Statistics const& statistics)
{
  if (!fit.groups_of_size.empty()) {
    return joined_shares(fit.groups_of_size, static_cast<double>(statistics.groups.count));
  }
  if (family.theory != TheoryOf::poisson_groups || !fit.reason.empty()) { return {}; }
  if (family.keys_per_group_unit > 1) { return chains_by_length(family.keys_per_group_unit, statistics); }
  auto const buckets = static_cast<double>(statistics.groups.count);
  double const mean = statistics.groups.mean;
  return [=](double keys) { return buckets * theory::poisson(mean, keys); };
}

std::string distance_from_theory(double measured, double predicted)
{
  if (predicted == 0.0) { return measured == 0.0 ? tr("as in theory") : tr("{:.3g} above theory", measured); }
  double const percent = 100.0 * (measured - predicted) / predicted;
  if (std::abs(percent) < 0.05) { return tr("as in theory"); }
  double const off = std::abs(percent);
  int const decimals = off < 10.0 ? 1 : 0;
  return percent > 0.0 ? tr("{:.{}f} % above theory", off, decimals) : tr("{:.{}f} % below theory", off, decimals);
}

std::optional<double> deviation(Distribution const& distribution)
{
  if (distribution.count == 0 || distribution.beyond != 0) { return std::nullopt; }
  double squares = 0.0;
  for (std::size_t value = 0; value < distribution.histogram.size(); ++value) {
    double const distance = static_cast<double>(value) - distribution.mean;
    squares += distribution.histogram[value] * distance * distance;
  }
  return std::sqrt(squares / static_cast<double>(distribution.count));
}

}  // namespace slotscape
