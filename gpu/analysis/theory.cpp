#include "gpu/analysis/theory.hpp"

#include "gpu/tables/fight_rounds.hpp"
#include "gpu/tables/two_choice_load.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace slotscape::theory {

namespace {

/// The expected maximum of `count` independent whole numbers, each at least k with probability `at_least(k)`.
template <class AtLeast>
double expected_most(double count, AtLeast const& at_least)
{
  double sum = 0.0;
  for (double k = 1.0;; ++k) {
    double const reached = -std::expm1(count * std::log1p(-std::min(at_least(k), 1.0)));
    if (!(reached > 1e-12)) { return sum; }
    sum += reached;
  }
}

constexpr std::size_t arrivals = 32;  ///< more arrivals in one unit of time have a probability below 1e-36

/// P(Poisson(load) ≥ n) for n up to `arrivals`.
std::array<double, arrivals + 1> arrival_tails(double load)
{
  std::array<double, arrivals + 1> tails{};
  for (std::size_t n = 0; n < tails.size(); ++n) { tails[n] = poisson_at_least(load, static_cast<std::uint32_t>(n)); }
  return tails;
}

/// The distribution of the queue's length at the start of a unit of time. The queue shrinks to n as often as it grows
/// beyond n, hence P(n+1) P(no arrival) = Σ P(j) P(arrivals ≥ n+2−j): sums of positive terms only, which lose no
/// precision.
std::vector<double> queue_lengths(double load, std::size_t count)
{
  auto const tails = arrival_tails(load);
  std::vector<double> lengths(count, 0.0);
  lengths[0] = (1.0 - load) * std::exp(load);
  for (std::size_t n = 0; n + 1 < count; ++n) {
    double sum = 0.0;
    std::size_t const oldest = n + 2 > arrivals ? n + 2 - arrivals : 0;
    for (std::size_t j = oldest; j <= n; ++j) { sum += lengths[j] * tails[n + 2 - j]; }
    lengths[n + 1] = sum * std::exp(load);
  }
  return lengths;
}

}  // namespace

double mean_probe_length(double load)
{
  return 0.5 * (1.0 + 1.0 / (1.0 - load)) - 1.0;
}

double mean_probes_of_a_miss(double load)
{
  double const free = 1.0 - load;
  return 0.5 * (1.0 + 1.0 / (free * free));
}

namespace {

/// Knuth's Q, for r = 0 or 1.
double knuths_q(int r, double slots, double taken)
{
  constexpr double negligible = 1e-12;
  double sum = 1.0;
  double product = 1.0;  // n(n−1)…(n−k+1) / mᵏ
  for (double k = 1.0; k <= taken; k += 1.0) {
    product *= (taken - k + 1.0) / slots;
    double const term = r == 0 ? product : (k + 1.0) * product;
    sum += term;
    if (term < negligible * sum) { break; }
  }
  return sum;
}

}  // namespace

double linear_probes_of_a_hit(double slots, double taken)
{
  return 0.5 * (1.0 + knuths_q(0, slots, taken - 1.0));
}

double linear_probes_of_a_miss(double slots, double taken)
{
  return 0.5 * (1.0 + knuths_q(1, slots, taken));
}

double robin_hood_probes_of_a_miss(double slots, double taken)
{
  return linear_probes_of_a_hit(slots, taken + 1.0);
}

double borel(double mu, double n)
{
  if (n < 1.0) { return 0.0; }
  if (mu <= 0.0) { return n == 1.0 ? 1.0 : 0.0; }
  // Uses logarithms: (μn)^(n−1) and n! overflow a double from n = 150 or so.
  return std::exp(-mu * n + (n - 1.0) * std::log(mu * n) - std::lgamma(n + 1.0));
}

double expected_clusters(double slots, double taken, double length)
{
  if (length < 1.0 || length > taken) { return 0.0; }
  if (taken >= slots - 1.0) { return length == taken ? 1.0 : 0.0; }
  // Uses logarithms, because the powers overflow.
  double const keys_to_choose =
      std::lgamma(taken + 1.0) - std::lgamma(length + 1.0) - std::lgamma(taken - length + 1.0);
  double const slots_behind = slots - length - 1.0;
  double const ways_behind = (taken - length - 1.0) * std::log(slots_behind) + std::log(slots - taken - 1.0);
  double const ways_of_cluster = (length - 1.0) * std::log(length + 1.0);
  return std::exp(keys_to_choose + ways_of_cluster + ways_behind - (taken - 1.0) * std::log(slots));
}

double expected_clusters(double slots, double taken)
{
  if (taken >= slots - 1.0) { return 1.0; }
  double const both_empty = std::exp(taken * std::log1p(-1.0 / slots)) * (slots - 1.0 - taken) / (slots - 1.0);
  return slots - taken - slots * both_empty;
}

double mean_cluster_length(double slots, double taken)
{
  return taken < 1.0 ? 1.0 : taken / expected_clusters(slots, taken);
}

std::optional<double> expected_longest_cluster(double slots, double load)
{
  constexpr double enough = 32.0;  // how much longer a table must be than the range in which its clusters are dependent
  if (load <= 0.0 || load >= 1.0 || (1.0 - load) * (1.0 - load) * slots < enough) { return std::nullopt; }
  // From `length` on, the expected numbers are nearly a geometric series.
  auto const ratio_at = [&](double length) { return borel(load, length + 2.0) / borel(load, length + 1.0); };
  auto const at_least = [&](double length) {
    return slots * (1.0 - load) * borel(load, length + 1.0) / (1.0 - ratio_at(length));
  };
  double low = 1.0;
  double high = slots;
  for (int halving = 0; halving < 60; ++halving) {
    double const middle = (low + high) / 2.0;
    (at_least(middle) > 1.0 ? low : high) = middle;
  }
  double const longest = low + std::numbers::egamma / -std::log(ratio_at(low));
  return longest <= slots / 16.0 ? std::optional(longest) : std::nullopt;
}

double without_replacement(double slots, int key_bits)
{
  return 1.0 - std::min(1.0, std::ldexp(slots, -key_bits));
}

std::optional<Distribution> measured_misses(Statistics const& statistics)
{
  std::uint64_t const slots = statistics.slots;
  if (slots == 0 || statistics.clusters.beyond != 0) { return std::nullopt; }
  bool const is_full = statistics.clusters.max == slots;  // then each miss reads all slots
  auto const& clusters = statistics.clusters.histogram;
  std::uint64_t const most = is_full ? slots : std::max<std::uint64_t>(clusters.size(), 1);
  Distribution misses{.count = slots, .max = most, .histogram = std::vector<std::uint32_t>(most + 1)};
  std::uint64_t from_clusters = 0;
  std::uint32_t as_long = 0;  // clusters of at least this length: each has one slot with this many slots to its end
  double steps = 0.0;
  for (std::uint64_t length = most - 1; length > 0 && !is_full; --length) {
    as_long += clusters[length];
    misses.histogram[length + 1] = as_long;
    from_clusters += as_long;
    steps += static_cast<double>(as_long) * static_cast<double>(length);
  }
  misses.histogram[is_full ? most : 1] = static_cast<std::uint32_t>(slots - from_clusters);
  misses.mean = is_full ? static_cast<double>(slots) : 1.0 + steps / static_cast<double>(slots);
  return misses;
}

std::vector<double> robin_hood_displacement(double load, std::size_t count)
{
  if (count == 0) { return {}; }
  std::vector<double> displacement(count, 0.0);
  if (load <= 0.0) {
    displacement[0] = 1.0;
    return displacement;
  }
  // A key waits for the queue present when it arrives, and for the keys of its own home that precede it: k of them with
  // probability P(arrivals > k) / α.
  std::vector<double> const queue = queue_lengths(load, count);
  auto const tails = arrival_tails(load);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t ahead = 0; ahead <= std::min(i, arrivals - 1); ++ahead) {
      displacement[i] += queue[i - ahead] * tails[ahead + 1] / load;
    }
  }
  return displacement;
}

double robin_hood_variance(double load)
{
  double const free = 1.0 - load;
  return load * (6.0 + load * (2.0 * load - 5.0)) / (12.0 * free * free);
}

namespace {

/// 1 + 1/2 + ... + 1/n.
double harmonic(double n)
{
  constexpr double few = 64.0;
  if (n > few) { return std::log(n + 0.5) + 1.0 / (24.0 * (n + 0.5) * (n + 0.5)) + std::numbers::egamma; }
  double sum = 0.0;
  for (double k = n; k >= 1.0; --k) { sum += 1.0 / k; }
  return sum;
}

/// P(a stored key takes more than j probes), for j = 0, 1, ...
class UniformProbesAbove {
public:
  UniformProbesAbove(double slots, double taken) : slots_(slots), taken_(taken) {}
  double next()
  {
    double const present = share_;
    ++j_;
    share_ *= j_ < taken_ ? j_ * (taken_ - j_) / ((j_ + 1.0) * (slots_ - j_ + 1.0)) : 0.0;
    return present;
  }

private:
  double slots_;
  double taken_;
  double j_ = 0.0;
  double share_ = 1.0;
};

}  // namespace

double uniform_probes_of_a_hit(double load)
{
  return load <= 0.0 ? 1.0 : -std::log1p(-load) / load;
}

double uniform_probes_of_a_miss(double load)
{
  return 1.0 / (1.0 - load);
}

double uniform_probes_of_a_hit(double slots, double taken)
{
  return (slots + 1.0) / taken * (harmonic(slots + 1.0) - harmonic(slots + 1.0 - taken));
}

double uniform_probes_of_a_miss(double slots, double taken)
{
  return (slots + 1.0) / (slots + 1.0 - taken);
}

std::vector<double> uniform_probes_above(double slots, double taken, std::size_t count)
{
  std::vector<double> shares(count);
  std::ranges::generate(shares, [above = UniformProbesAbove(slots, taken)]() mutable { return above.next(); });
  return shares;
}

double secondary_probes_of_a_hit(double load)
{
  return 1.0 - std::log1p(-load) - load / 2.0;
}

double secondary_probes_of_a_miss(double load)
{
  return 1.0 / (1.0 - load) - load - std::log1p(-load);
}

double poisson(double mean, double n)
{
  if (n < 0.0) { return 0.0; }
  if (mean <= 0.0) { return n == 0.0 ? 1.0 : 0.0; }
  return std::exp(n * std::log(mean) - mean - std::lgamma(n + 1.0));
}

double poisson_at_least(double mean, std::uint32_t n)
{
  double const start = static_cast<double>(n);
  double term = poisson(mean, start);
  double sum = 0.0;  // from n up, so that small values keep their precision
  for (double k = start; term > 0.0 && (k <= mean || term > 1e-18 * sum); ++k) {
    sum += term;
    term *= mean / (k + 1.0);
  }
  return std::min(sum, 1.0);
}

double expected_fullest_bucket(double buckets, double mean)
{
  return expected_most(buckets, [&](double keys) { return poisson_at_least(mean, static_cast<std::uint32_t>(keys)); });
}

double uniform_probes_of_the_worst(double slots, double taken)
{
  UniformProbesAbove above(slots, taken);
  return expected_most(taken, [&](double) { return above.next(); });
}

std::optional<double> cuckoo_threshold(std::uint32_t hashes, std::uint32_t bucket)
{
  if (hashes < 2 || bucket < 1) { return std::nullopt; }
  if (hashes == 2 && bucket == 1) { return 0.5; }
  double const places = static_cast<double>(hashes) * bucket;
  auto const found = [&](double xi) { return xi * poisson_at_least(xi, bucket) / poisson_at_least(xi, bucket + 1); };
  double low = 1e-3;  // found() increases, is at least bucket + 1, and exceeds xi
  double high = places;
  for (int halving = 0; halving < 100; ++halving) {
    double const middle = (low + high) / 2.0;
    (found(middle) < places ? low : high) = middle;
  }
  double const xi = (low + high) / 2.0;
  return xi / (places * std::pow(poisson_at_least(xi, bucket), hashes - 1.0));
}

std::vector<double> two_choice_buckets(double load, std::uint32_t bucket)
{
  auto const exactly = [](auto const& filled) {
    std::vector<double> shares(filled.at_least.begin(), filled.at_least.end());
    for (std::size_t i = 0; i + 1 < shares.size(); ++i) { shares[i] -= shares[i + 1]; }
    return shares;
  };
  return bucket == 8 ? exactly(two_choice::filled<8>(load)) : exactly(two_choice::filled<4>(load));
}

double two_choice_second(double load, std::uint32_t bucket)
{
  auto const share = [](auto const& filled) { return filled.keys > 0.0 ? filled.to_second / filled.keys : 0.0; };
  return bucket == 8 ? share(two_choice::filled<8>(load)) : share(two_choice::filled<4>(load));
}

double two_choice_load(double buckets, std::uint32_t bucket)
{
  return bucket == 8 ? two_choice::load_of_refused<8>(buckets, 1.0) : two_choice::load_of_refused<4>(buckets, 1.0);
}

std::vector<double> winners_of_rounds(std::uint64_t slots, std::uint32_t percent, double keys)
{
  std::vector<double> winners;
  hash_fight::expect(static_cast<Slot>(slots), percent, keys,
                     [&](hash_fight::Round const&, double, double won) { winners.push_back(won); });
  return winners;
}

double rounds_of_a_miss(std::uint64_t slots, std::uint32_t percent, double keys)
{
  double mean = 0.0;
  double comes_here = 1.0;
  hash_fight::expect(static_cast<Slot>(slots), percent, keys, [&](hash_fight::Round const& round, double, double won) {
    mean += comes_here;
    comes_here *= won / round.size;
  });
  return mean + comes_here;
}

std::optional<Yards> two_yards(double keys, double front_buckets, std::uint32_t front_slots, double back_buckets)
{
  Yards yards;
  double const mean = keys / front_buckets;
  for (std::uint32_t k = 0; k < front_slots; ++k) { yards.in_front.push_back(poisson(mean, k)); }
  yards.full = poisson_at_least(mean, front_slots);
  yards.in_front.push_back(yards.full);
  double const behind = std::max(0.0, keys - front_buckets * mean_keys(yards.in_front));
  yards.behind = behind / keys;
  constexpr std::uint32_t back_slots = 8;
  double const load = behind / (back_slots * back_buckets);
  if (load > two_choice_load(back_buckets, back_slots)) { return std::nullopt; }
  yards.in_back = two_choice_buckets(load, back_slots);
  yards.second = two_choice_second(load, back_slots);
  return yards;
}

double mean_keys(std::vector<double> const& buckets_by_keys)
{
  double keys = 0.0;
  for (std::size_t k = 0; k < buckets_by_keys.size(); ++k) { keys += static_cast<double>(k) * buckets_by_keys[k]; }
  return keys;
}

double slots_before_a_key(std::vector<double> const& buckets_by_keys)
{
  double before = 0.0;
  for (std::size_t k = 0; k < buckets_by_keys.size(); ++k) {
    double const keys = static_cast<double>(k);
    before += buckets_by_keys[k] * keys * (keys - 1.0) / 2.0;
  }
  double const keys = mean_keys(buckets_by_keys);
  return keys > 0.0 ? before / keys : 0.0;
}

bool spreads_well(HashKind hash, KeyDistribution keys)
{
  if (keys == KeyDistribution::one_home || keys == KeyDistribution::file) { return false; }
  if (hash == HashKind::formula) { return false; }
  return keys == KeyDistribution::uniform || hash == HashKind::murmur3 || hash == HashKind::xxhash;
}

}  // namespace slotscape::theory
