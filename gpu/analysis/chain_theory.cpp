#include "gpu/analysis/chain_theory.hpp"

#include "gpu/analysis/theory.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace slotscape::theory {
namespace {

double sum_of_squares(Heads const& heads)
{
  double sum = 0.0;
  for (EqualHeads const& each : heads) { sum += each.count * each.probability * each.probability; }
  return sum;
}

double all_of(Heads const& heads)
{
  double count = 0.0;
  for (EqualHeads const& each : heads) { count += each.count; }
  return count;
}

}  // namespace

Heads equal_heads(double heads)
{
  return {{heads, 1.0 / heads}};
}

Heads heads_split_in_turn(std::uint64_t in_use)
{
  auto const of_round = static_cast<double>(std::bit_floor(in_use));
  double const split = static_cast<double>(in_use) - of_round;
  return {{2.0 * split, 0.5 / of_round}, {of_round - split, 1.0 / of_round}};
}

double chained_nodes_of_a_miss(double keys, Heads const& heads)
{
  return keys * sum_of_squares(heads);
}

double chained_nodes_before_a_key(double keys, Heads const& heads)
{
  return std::max(keys - 1.0, 0.0) / 2.0 * sum_of_squares(heads);
}

double chained_links_of_a_miss(double keys, Heads const& heads)
{
  double links = chained_nodes_of_a_miss(keys, heads);
  for (EqualHeads const& each : heads) {
    links += each.count * each.probability * std::expm1(keys * std::log1p(-each.probability));
  }
  return links;
}

std::vector<double> chained_places(double keys, Heads const& heads, std::size_t terms)
{
  std::vector<double> shares(terms, 0.0);
  for (std::size_t place = 0; place < terms; ++place) {
    for (EqualHeads const& each : heads) {
      double const longer = poisson_at_least(keys * each.probability, static_cast<std::uint32_t>(place) + 1);
      shares[place] += each.count * longer / keys;
    }
  }
  return shares;
}

std::vector<double> chain_lengths(double keys, Heads const& heads, std::size_t terms)
{
  std::vector<double> shares(terms, 0.0);
  for (std::size_t length = 0; length < terms; ++length) {
    for (EqualHeads const& each : heads) {
      shares[length] += each.count * poisson(keys * each.probability, static_cast<double>(length)) / all_of(heads);
    }
  }
  return shares;
}

double expected_longest_chain(double keys, Heads const& heads)
{
  double expected = 0.0;
  for (std::uint32_t length = 1;; ++length) {
    double none = 0.0;  // logarithm of the probability that all chains are shorter
    for (EqualHeads const& each : heads) {
      if (each.count == 0.0) { continue; }
      none += each.count * std::log1p(-std::min(poisson_at_least(keys * each.probability, length), 1.0));
    }
    double const reached = -std::expm1(none);
    if (!(reached > 1e-12)) { return expected; }
    expected += reached;
  }
}

namespace {

/// The λ with e^(−λ) + λ = sum, for a sum of at least 1.
double vitters_lambda(double sum)
{
  double low = 0.0;
  double high = sum;
  for (int halving = 0; halving < 60; ++halving) {
    double const middle = (low + high) / 2.0;
    (std::exp(-middle) + middle < sum ? low : high) = middle;
  }
  return low;
}

CoalescedProbes without_cellar(double slots, double taken)
{
  double const load = taken / slots;
  double const met = std::expm1(taken * std::log1p(2.0 / slots)) - 2.0 * load;
  return {1.0 + met / (8.0 * load) + (taken - 1.0) / (4.0 * slots), 1.0 + met / 4.0, 1.0 - load};
}

CoalescedProbes with_cellar(double slots, double homes, double taken)
{
  double const per_home = taken / homes;  // α/β
  double const lambda = vitters_lambda(slots / homes);
  if (per_home <= lambda) { return {1.0 + per_home / 2.0, std::exp(-per_home) + per_home, std::exp(-per_home)}; }
  double const x = per_home - lambda;
  double const k = 3.0 - 2.0 * slots / homes + 2.0 * lambda;
  double const hit = 1.0 + (std::expm1(2.0 * x) - 2.0 * x) * k / (8.0 * per_home) + (per_home + lambda) / 4.0 +
                     lambda * (1.0 - lambda / per_home) / 4.0;
  return {hit, slots / homes + std::expm1(2.0 * x) * k / 4.0 - x / 2.0, (slots - taken) / homes};
}

}  // namespace

CoalescedProbes coalesced_probes(double slots, double homes, double taken)
{
  if (taken == 0.0) { return {}; }
  return homes == slots ? without_cellar(slots, taken) : with_cellar(slots, homes, taken);
}

namespace {

/// For t from `first` on, the probabilities that t of n keys share a given prefix, each key with this probability.
std::vector<double> sharing(double keys, double probability, std::size_t first, std::size_t end)
{
  std::vector<double> shares(end, 0.0);
  auto const start = static_cast<double>(first);
  if (keys < start) { return shares; }
  shares[first] = std::exp(std::lgamma(keys + 1.0) - std::lgamma(start + 1.0) - std::lgamma(keys - start + 1.0) +
                           start * std::log(probability) + (keys - start) * std::log1p(-probability));
  for (std::size_t t = first + 1; t < end; ++t) {
    auto const at = static_cast<double>(t);
    shares[t] = shares[t - 1] * std::max(keys - at + 1.0, 0.0) / at * probability / (1.0 - probability);
  }
  return shares;
}

}  // namespace

SplitBuckets split_buckets(std::uint64_t keys, std::uint32_t size)
{
  constexpr int most_bits = 64;
  std::size_t const end =
      8 * std::size_t{size} + 64;  // from this many keys on, half of them hardly ever fit into a bucket
  auto const all = static_cast<double>(keys);
  SplitBuckets found;
  found.with_keys.assign(size + 1, 0.0);
  if (keys <= size) {
    found.with_keys[keys] = 1.0;
    found.slots_of_a_miss = std::min(all + 1.0, static_cast<double>(size));
    return found;
  }
  std::vector<double> divided(end, 0.0);      // expected number of prefixes with t keys, which are divided
  std::vector<double> met_by_miss(end, 0.0);  // probability that a miss meets such a prefix
  if (keys < end) { divided[keys] = met_by_miss[keys] = 1.0; }
  for (int bits = 1; bits < most_bits; ++bits) {
    std::vector<double> const shares = sharing(all, std::ldexp(1.0, -bits), size + 1, end);
    for (std::size_t t = size + 1; t < end; ++t) {
      divided[t] += std::ldexp(shares[t], bits);
      met_by_miss[t] += shares[t];
    }
  }
  found.count = 0.0;
  found.slots_of_a_miss = 0.0;
  for (std::size_t t = size + 1; t < end; ++t) {
    double half = std::ldexp(1.0, -static_cast<int>(t));  // probability that j of t keys are in a given half
    for (std::uint32_t j = 0; j <= size; ++j) {
      found.with_keys[j] += 2.0 * divided[t] * half;
      found.slots_of_a_miss += met_by_miss[t] * half * std::min(j + 1, size);
      half *= static_cast<double>(t - j) / (j + 1.0);
    }
  }
  for (double const buckets : found.with_keys) { found.count += buckets; }
  for (double& buckets : found.with_keys) { buckets /= found.count; }
  return found;
}

}  // namespace slotscape::theory
