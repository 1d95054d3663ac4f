#include "app/simulation/theory_of_structure.hpp"

#include "app/base/text.hpp"
#include "gpu/analysis/chain_theory.hpp"
#include "gpu/analysis/theory.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/engine/parts.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace slotscape {

std::string why_only_misses(FamilyInfo const& family)
{
  return tr("With tombstones, theory uses the effective load and does not predict the {}.",
            in_sentence(translated(family.measure.name)));
}

std::string why_not_shards()
{
  return tr("Theory does not apply: for this family, it is for a single table, not for shards.");
}

namespace {

/// The number of slots in a 64-byte bucket.
std::uint32_t two_choice_slots(TableSettings const& table)
{
  return table.key_bits == 32 ? 8 : 4;
}

/// The expected number of keys in the fullest bucket; `shares` are those of buckets with 0, 1, ... keys.
double expected_largest(std::vector<double> const& shares, double buckets)
{
  double expected = 0.0;
  double at_least = 1.0;
  for (std::size_t i = 0; i + 1 < shares.size(); ++i) {
    at_least = std::max(0.0, at_least - shares[i]);
    expected += 1.0 - std::pow(1.0 - at_least, buckets);
  }
  return expected;
}

void add_two_choices(TheoryFit& fit, FamilyInfo const& family, TableSettings const& table, Statistics const& statistics)
{
  std::uint32_t const bucket = two_choice_slots(table);
  double const load = statistics.load_factor();
  auto const buckets = static_cast<double>(statistics.groups.count);
  if (buckets == 0.0 || statistics.live == 0) { return; }
  fit.load_threshold = theory::two_choice_load(buckets, bucket);
  if (load > *fit.load_threshold) { return; }
  fit.groups_of_size = theory::two_choice_buckets(load, bucket);
  fit.fullest_group = expected_largest(fit.groups_of_size, buckets);
  fit.measure_mean = theory::two_choice_second(load, bucket);
  fit.hit_accesses = to_accesses(family, *fit.measure_mean);
  fit.miss_accesses = 2.0;
}

/// SwissTable, with groups of Abseil or of Boost. An equal fingerprint of another key costs an extra access.
void add_groups_on_paths(TheoryFit& fit, FamilyInfo const& family, TableSettings const& table,
                         Statistics const& statistics)
{
  bool const abseil = parameter_of(family, table, "variant") == 1;
  std::uint32_t const size = abseil ? 16 : 15;
  double const alike = abseil ? 1.0 / 128.0 : 1.0 / 254.0;  // probability that two keys' fingerprints are equal
  auto const groups = theory::groups_on_paths(statistics.load_factor(), size);
  if (!groups) {
    fit.reason = tr("No theory is shown above α {}: paths of groups depend on each other.", theory::max_load_of_paths);
    return;
  }
  double const full = 1.0 + size * alike;  // accesses in a group that the lookup passes
  fit.measure_mean = (groups->groups_of_a_hit - 1.0) * full + theory::slots_before_a_key(groups->with_keys) * alike;
  fit.hit_accesses = to_accesses(family, *fit.measure_mean);
  fit.groups_of_size = groups->with_keys;
  fit.fullest_group = expected_largest(groups->with_keys, static_cast<double>(statistics.groups.count));
  if (!abseil) { return; }  // overflow bits end misses at a group that is not full
  double const not_full = 1.0 - groups->with_keys[size];
  double const keys_at_end = (theory::mean_keys(groups->with_keys) - size * groups->with_keys[size]) / not_full;
  fit.miss_accesses = (groups->groups_of_a_miss - 1.0) * full + 1.0 + keys_at_end * alike;
}

/// Iceberg. A lookup that continues past the front yard reads both small buckets, unless its key is in the first.
void add_two_yards(TheoryFit& fit, FamilyInfo const& family, TableSettings const& table, Statistics const& statistics)
{
  constexpr double alike = 1.0 / 254.0;
  constexpr double back_slots = 8.0;
  std::uint32_t const front = parameter_of(family, table, "front");
  TableParts const parts = parts_of(table);
  auto const yards =
      theory::two_yards(static_cast<double>(statistics.live), static_cast<double>(statistics.groups.count), front,
                        static_cast<double>(parts.at(1).slots) / back_slots);
  if (!yards) {
    fit.reason = tr("No theory is shown: the back yard is so full that keys go to the overflow.");
    return;
  }
  double const in_front = theory::slots_before_a_key(yards->in_front) * alike;
  double const beside = theory::mean_keys(yards->in_back) * alike;
  double const behind =
      1.0 + front * alike + theory::slots_before_a_key(yards->in_back) * alike + yards->second * (1.0 + beside);
  fit.measure_mean = (1.0 - yards->behind) * in_front + yards->behind * behind;
  fit.hit_accesses = to_accesses(family, *fit.measure_mean);
  fit.miss_accesses = 1.0 + theory::mean_keys(yards->in_front) * alike + yards->full * 2.0 * (1.0 + beside);
  fit.groups_of_size = yards->in_front;
  fit.fullest_group = expected_largest(yards->in_front, static_cast<double>(statistics.groups.count));
}

/// Chains with heads outside the slots. A lookup reads its head, and the link of each node that it passes.
void add_chains(TheoryFit& fit, FamilyInfo const& family, theory::Heads const& heads, Statistics const& statistics)
{
  if (statistics.groups.count == 0 || statistics.live == 0) { return; }
  auto const nodes = static_cast<double>(statistics.live + statistics.tombstones);
  fit.fullest_group = theory::expected_longest_chain(nodes, heads);
  fit.miss_accesses =
      1.0 + theory::chained_nodes_of_a_miss(nodes, heads) + theory::chained_links_of_a_miss(nodes, heads);
  if (statistics.tombstones != 0) {
    fit.reason = why_only_misses(family);
    return;
  }
  fit.measure_mean = theory::chained_nodes_before_a_key(nodes, heads);
  fit.hit_accesses = to_accesses(family, *fit.measure_mean);
  fit.keys_of_measure = theory::chained_places(nodes, heads, statistics.groups.max + 2);
  fit.groups_of_size = theory::chain_lengths(nodes, heads, statistics.groups.max + 2);
}

void add_equal_chains(TheoryFit& fit, FamilyInfo const& family, TableSettings const&, Statistics const& statistics)
{
  add_chains(fit, family, theory::equal_heads(static_cast<double>(statistics.groups.count)), statistics);
}

void add_growing_chains(TheoryFit& fit, FamilyInfo const& family, TableSettings const& table,
                        Statistics const& statistics)
{
  if (table.shards != 1) {
    fit.reason = why_not_shards();
    return;
  }
  add_chains(fit, family, theory::heads_split_in_turn(statistics.groups.count), statistics);
}

/// Chains within the table. A lookup reads a slot and its link, but no link of an empty home.
void add_coalesced(TheoryFit& fit, FamilyInfo const& family, TableSettings const& table, Statistics const& statistics)
{
  if (statistics.live == 0) { return; }
  std::uint64_t const cellar = statistics.slots * parameter_of(family, table, "cellar") / 100;
  theory::CoalescedProbes const probes =
      theory::coalesced_probes(static_cast<double>(statistics.slots), static_cast<double>(statistics.slots - cellar),
                               taken_slots(statistics));
  fit.miss_accesses = 2.0 * probes.miss - probes.empty_home;
  if (statistics.tombstones != 0) {
    fit.reason = why_only_misses(family);
    return;
  }
  fit.measure_mean = probes.hit - 1.0;
  fit.hit_accesses = to_accesses(family, *fit.measure_mean);
}

/// Extendible hashing. A lookup reads an entry of the directory, and slots of a bucket.
void add_split_buckets(TheoryFit& fit, FamilyInfo const& family, TableSettings const& table,
                       Statistics const& statistics)
{
  theory::SplitBuckets const buckets = theory::split_buckets(statistics.live, parameter_of(family, table, "bucket"));
  fit.groups_of_size = buckets.with_keys;
  fit.measure_mean = theory::slots_before_a_key(buckets.with_keys);
  fit.hit_accesses = to_accesses(family, *fit.measure_mean);
  fit.miss_accesses = 1.0 + buckets.slots_of_a_miss;
  double const keys = theory::mean_keys(buckets.with_keys);
  double larger = 1.0;  // share of the buckets with more than `place` keys
  for (std::size_t place = 0; place + 1 < buckets.with_keys.size(); ++place) {
    larger -= buckets.with_keys[place];
    fit.keys_of_measure.push_back(std::max(larger, 0.0) / keys);
  }
}

void add_rounds(TheoryFit& fit, FamilyInfo const& family, TableSettings const& table, Statistics const& statistics)
{
  auto const live = static_cast<double>(statistics.live);
  std::uint32_t const percent = parameter_of(family, table, "shrink");
  fit.keys_of_measure = theory::winners_of_rounds(table.slots, percent, live);
  double sum = 0.0;
  for (std::size_t round = 0; round < fit.keys_of_measure.size(); ++round) {
    fit.keys_of_measure[round] /= live;
    sum += static_cast<double>(round) * fit.keys_of_measure[round];
  }
  fit.measure_mean = sum;
  fit.hit_accesses = to_accesses(family, *fit.measure_mean);
  fit.miss_accesses = theory::rounds_of_a_miss(table.slots, percent, live);
}

}  // namespace

AddTheory of_any_state(TheoryOf theory)
{
  switch (theory) {
    case TheoryOf::chains: return add_equal_chains;
    case TheoryOf::growing_chains: return add_growing_chains;
    case TheoryOf::coalesced: return add_coalesced;
    case TheoryOf::balanced_allocation: return add_two_choices;
    default: return nullptr;
  }
}

AddTheory of_untouched(TheoryOf theory)
{
  switch (theory) {
    case TheoryOf::rounds_of_fights: return add_rounds;
    case TheoryOf::groups_on_paths: return add_groups_on_paths;
    case TheoryOf::two_yards: return add_two_yards;
    case TheoryOf::split_buckets: return add_split_buckets;
    default: return nullptr;
  }
}

}  // namespace slotscape
