#include "gpu/analysis/homes.hpp"

#include "gpu/analysis/theory.hpp"
#include "gpu/base/pair_format.hpp"
#include "gpu/tables/formula_hasher.hpp"

#include <algorithm>
#include <cmath>

namespace slotscape {
namespace {

constexpr double keys_of_a_group = 64.0;  ///< expected keys in a group of neighbouring homes
constexpr double never_random = 6.0;      ///< standard deviations that random homes never exceed
constexpr double hardly_matters = 0.05;   ///< share of the cost of lookups

template <class Word>
std::vector<std::uint32_t> count_in_format(HashChoice const& hash, std::span<Key const> keys, std::uint64_t slots)
{
  std::vector<std::uint32_t> counts(slots);
  with_hasher<Word>(hash, slots, [&](auto const& hasher) {
    for (Key const key : keys) { ++counts[hasher.home(static_cast<Word>(key))]; }
  });
  return counts;
}

/// Where a table that wraps around can be cut: just behind a slot that is empty under linear probing. Only a full table
/// has no such slot.
std::size_t behind_an_empty_slot(std::vector<std::uint32_t> const& counts)
{
  std::int64_t sum = 0;
  std::int64_t least = 0;
  std::size_t cut = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    sum += static_cast<std::int64_t>(counts[i]) - 1;
    if (sum < least) {
      least = sum;
      cut = i + 1;
    }
  }
  return cut % counts.size();
}

/// Fills the slots once around the table, each with one of the waiting keys. The choice of the key affects neither the
/// sum of the displacements nor the clusters.
HomeCosts costs_of_probing(std::vector<std::uint32_t> const& counts, double keys)
{
  std::size_t const first = behind_an_empty_slot(counts);
  std::uint64_t waiting = 0;
  std::uint64_t cluster = 0;
  double moved = 0.0;
  double steps = 0.0;  // of misses, from each slot to the end of its cluster
  for (std::size_t i = 0; i < counts.size(); ++i) {
    waiting += counts[(first + i) % counts.size()];
    if (waiting == 0) {
      steps += 0.5 * static_cast<double>(cluster) * static_cast<double>(cluster + 1);
      cluster = 0;
      continue;
    }
    --waiting;
    ++cluster;
    moved += static_cast<double>(waiting);
  }
  steps += 0.5 * static_cast<double>(cluster) * static_cast<double>(cluster + 1);
  return {1.0 + moved / keys, 1.0 + steps / static_cast<double>(counts.size())};
}

/// The n-th key of a home is found after n - 1 others; a miss reads all keys of its home.
void compare_chains(std::vector<std::uint32_t> const& counts, double distinct, HomeSpread& result)
{
  double pairs = 0.0;
  for (std::uint32_t const count : counts) {
    pairs += 0.5 * static_cast<double>(count) * (static_cast<double>(count) - 1.0);
  }
  double const load = result.load();
  result.chains = {1.0 + pairs / static_cast<double>(result.keys), 1.0 + load};
  result.random_chains = {1.0 + 0.5 * load * distinct, 1.0 + load};
}

/// The longest run of home slots in use, which may wrap around the end of the table.
std::uint64_t longest_run_of(std::vector<std::uint32_t> const& counts)
{
  auto const empty = std::ranges::find(counts, 0u);
  if (empty == counts.end()) { return counts.size(); }
  std::uint64_t longest = 0;
  std::uint64_t run = 0;
  auto const first = static_cast<std::size_t>(empty - counts.begin());
  for (std::size_t i = 1; i <= counts.size(); ++i) {
    run = counts[(first + i) % counts.size()] != 0 ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

/// With many degrees of freedom, the cube root of chi-square is normal (Wilson & Hilferty 1931). Distinct keys are
/// drawn without replacement, which reduces the variance of the counts by the factor `distinct`.
void compare_groups(std::vector<std::uint32_t> const& counts, double distinct, HomeSpread& result)
{
  auto const slots = static_cast<double>(result.slots);
  auto const keys = static_cast<double>(result.keys);
  auto const width = static_cast<std::uint64_t>(std::clamp(std::ceil(keys_of_a_group * slots / keys), 1.0, slots));
  for (std::uint64_t begin = 0; begin < result.slots; begin += width) {
    std::uint64_t const end = std::min(begin + width, result.slots);
    std::uint64_t found = 0;
    for (std::uint64_t i = begin; i < end; ++i) { found += counts[i]; }
    double const expected = keys * static_cast<double>(end - begin) / slots;
    double const off = static_cast<double>(found) - expected;
    result.chi_square += off * off / (expected * distinct);
    ++result.groups;
  }
  if (result.groups < 2) { return; }
  auto const freedom = static_cast<double>(result.groups - 1);
  double const unit = 2.0 / (9.0 * freedom);
  result.z = (std::cbrt(result.chi_square / freedom) - (1.0 - unit)) / std::sqrt(unit);
}

/// With 1 / (1 - distinct) possible keys per home, none of which is drawn twice, a home stays empty slightly less
/// often. The number of homes in use has mean m(1 − e^−α) and variance m e^−α (1 − (1 + α) e^−α) (Johnson & Kotz, Urn
/// Models).
void compare_sharing(std::vector<std::uint32_t> const& counts, double distinct, HomeSpread& result)
{
  std::uint64_t used = 0;
  std::uint64_t alone = 0;
  for (std::uint32_t const count : counts) {
    if (count != 0) { ++used; }
    if (count == 1) { ++alone; }
    result.fullest = std::max<std::uint64_t>(result.fullest, count);
  }
  auto const slots = static_cast<double>(result.slots);
  double const load = result.load();
  double const none = std::exp(-load - 0.5 * load * load * (1.0 - distinct));
  double const deviation = std::sqrt(slots * none * std::max(0.0, 1.0 - (1.0 + load) * none));
  result.shared = 1.0 - static_cast<double>(alone) / static_cast<double>(result.keys);
  result.expected_shared = 1.0 - std::exp(-load);
  result.shared_z = (slots * (1.0 - none) - static_cast<double>(used)) / std::max(deviation, 0.5);
  double const in_use = 1.0 - std::exp(-load);  // among n places, a run of r occurs with probability n u^r (1 - u)
  result.expected_longest_run = std::max(1.0, std::log(slots * (1.0 - in_use)) / -std::log(in_use));
  result.longest_run = longest_run_of(counts);
}

}  // namespace

bool HomeSpread::like_random() const
{
  return std::abs(z) <= never_random && std::abs(shared_z) <= never_random;
}

Evenness HomeSpread::evenness() const
{
  if (like_random() || keys < 2) { return Evenness::as_random; }
  auto const above = [](double cost, double random) { return cost > random * (1.0 + hardly_matters); };
  auto const below = [](double cost, double random) { return cost < random * (1.0 - hardly_matters); };
  bool const worse_miss = above(probing.miss, random_probing.miss);
  if (above(probing.hit, random_probing.hit)) { return Evenness::less_even; }
  if (worse_miss) { return Evenness::runs_of_homes; }
  bool const better = below(probing.hit, random_probing.hit) || below(probing.miss, random_probing.miss);
  return better ? Evenness::more_even : Evenness::as_random;
}

std::vector<std::uint32_t> count_homes(HashChoice const& hash, std::span<Key const> keys, int key_bits,
                                       std::uint64_t slots)
{
  return key_bits == 64 ? count_in_format<Wide::Key>(hash, keys, slots)
                        : count_in_format<Narrow::Key>(hash, keys, slots);
}

void explain(HomeSpread& spread, HashChoice const& hash, std::span<Key const> keys, int key_bits)
{
  bool const crowds = spread.evenness() == Evenness::less_even || spread.evenness() == Evenness::runs_of_homes;
  if (crowds) { spread.losses = losses_of(hash, keys, key_bits, spread.slots); }
}

HomeSpread spread_of(std::vector<std::uint32_t> const& counts, int key_bits)
{
  HomeSpread result;
  result.slots = counts.size();
  for (std::uint32_t const count : counts) { result.keys += count; }
  auto const keys = static_cast<double>(result.keys);
  double const distinct = theory::without_replacement(static_cast<double>(result.slots), key_bits);
  compare_groups(counts, std::max(1e-3, 1.0 - std::ldexp(keys, -key_bits)), result);
  compare_sharing(counts, distinct, result);
  compare_chains(counts, distinct, result);
  if (result.load() > 1.0) { return result; }  // buckets of many keys
  result.probing = costs_of_probing(counts, keys);
  double const load = std::min(result.load(), 1.0 - 1.0 / std::sqrt(static_cast<double>(result.slots)));
  result.random_probing = {1.0 + theory::mean_probe_length(load) * distinct, theory::mean_probes_of_a_miss(load)};
  return result;
}

}  // namespace slotscape
