#include "app/tuning/hash_uniformity.hpp"

#include "app/base/text.hpp"
#include "app/simulation/names.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/pair_format.hpp"
#include "gpu/tables/hash.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace slotscape::tuning {
namespace {

constexpr std::size_t most_of_a_home = 16;  ///< keys that the histogram tells apart
constexpr double keys_of_a_group = 64.0;    ///< neighbouring homes are counted together until they expect so many
constexpr double too_uneven = 6.0;          ///< standard deviations, above which no random homes ever are
constexpr double much_more = 1.15;          ///< times as many shared homes, or keys in groups, that cost speed

/// The keys of each home slot, at most 2^32 - 1.
template <class Key>
std::vector<std::uint32_t> count_homes(HashKind hash, std::span<slotscape::Key const> keys, std::uint64_t slots)
{
  BasicHasher<Key> const hasher(hash, slots);
  std::vector<std::uint32_t> counts(slots);
  for (slotscape::Key const key : keys) { ++counts[hasher.home(static_cast<Key>(key))]; }
  return counts;
}

/// The longest run of home slots in use, around the end of the table, too.
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

/// The share of values above z of a normal distribution.
double above(double z)
{
  return 0.5 * std::erfc(z / std::sqrt(2.0));
}

/// Chi-square of equal numbers in groups of neighbouring homes. With many degrees of freedom its cube root is normal
/// (Wilson & Hilferty 1931).
void compare_groups(std::vector<std::uint32_t> const& counts, HashUniformity& result)
{
  auto const slots = static_cast<double>(result.slots);
  auto const keys = static_cast<double>(result.keys);
  auto const width = static_cast<std::uint64_t>(std::clamp(std::ceil(keys_of_a_group * slots / keys), 1.0, slots));
  double sum = 0.0;
  for (std::uint64_t begin = 0; begin < result.slots; begin += width) {
    std::uint64_t const end = std::min(begin + width, result.slots);
    std::uint64_t found = 0;
    for (std::uint64_t i = begin; i < end; ++i) { found += counts[i]; }
    double const expected = keys * static_cast<double>(end - begin) / slots;
    sum += (static_cast<double>(found) - expected) * (static_cast<double>(found) - expected) / expected;
    ++result.groups;
  }
  result.chi_square = sum;
  if (result.groups < 2) { return; }
  double const freedom = static_cast<double>(result.groups - 1);
  double const unit = 2.0 / (9.0 * freedom);
  result.z = (std::cbrt(sum / freedom) - (1.0 - unit)) / std::sqrt(unit);
  result.p_value = above(result.z);
}

void compare_homes(std::vector<std::uint32_t> const& counts, HashUniformity& result)
{
  result.homes.assign(most_of_a_home + 1, 0);
  std::uint64_t alone = 0;
  for (std::uint32_t const count : counts) {
    ++result.homes[std::min<std::size_t>(count, most_of_a_home)];
    result.fullest = std::max<std::uint64_t>(result.fullest, count);
    if (count == 1) { ++alone; }
  }
  auto const keys = static_cast<double>(result.keys);
  double const mean = keys / static_cast<double>(result.slots);
  double probability = std::exp(-mean);
  double rest = 1.0;
  for (std::size_t k = 0; k < most_of_a_home; ++k) {
    result.expected.push_back(probability * static_cast<double>(result.slots));
    rest -= probability;
    probability *= mean / static_cast<double>(k + 1);
  }
  result.expected.push_back(std::max(rest, 0.0) * static_cast<double>(result.slots));
  result.shared = 1.0 - static_cast<double>(alone) / keys;
  result.expected_shared = 1.0 - std::exp(-mean);
  double const used = 1.0 - std::exp(-mean);  // of the homes; a run of r is in n places with probability n u^r (1 - u)
  result.expected_longest_run = std::log(static_cast<double>(result.slots) * (1.0 - used)) / -std::log(used);
  result.longest_run = longest_run_of(counts);
}

/// Only unevenness that costs something is worth a warning: keys that share homes, or crowded regions. That keys are
/// spread more evenly than random ones harms nobody.
std::string warning_of(HashUniformity const& found)
{
  std::string const name(to_text(found.hash));
  if (found.shared > much_more * found.expected_shared && found.shared > 0.1) {
    return fmt::format(
        "The hash {} is bad for these keys: {} of them share their home slot with others, up to {} with one; of random "
        "homes it would be {}. Choose another hash.",
        name, percent(found.shared), grouped(found.fullest), percent(found.expected_shared));
  }
  double const mean_square = found.chi_square / static_cast<double>(std::max<std::uint64_t>(found.groups, 1));
  bool const crowded = found.z > too_uneven && mean_square > 2.0;
  bool const long_runs =
      found.z > too_uneven && static_cast<double>(found.longest_run) > 4.0 * found.expected_longest_run + 16.0;
  if (!crowded && !long_runs) { return ""; }
  std::string runs;
  if (long_runs) {
    runs = fmt::format(", and up to {} home slots in a row are in use, where random homes have about {:.0f}",
                       grouped(found.longest_run), found.expected_longest_run);
  }
  return fmt::format(
      "The hash {} spreads these keys unevenly: some regions of the table get far more of them than others{}. Tables "
      "that probe neighbouring slots become slow. Choose another hash.",
      name, runs);
}

}  // namespace

HashUniformity uniformity_of(HashKind hash, std::span<Key const> keys, int key_bits, std::uint64_t slots)
{
  if (keys.empty()) { throw Error("There are no keys whose home slots could be counted."); }
  HashUniformity result;
  result.hash = hash;
  result.slots = slots;
  result.keys = keys.size();
  std::vector<std::uint32_t> const counts =
      key_bits == 64 ? count_homes<Wide::Key>(hash, keys, slots) : count_homes<Narrow::Key>(hash, keys, slots);
  compare_homes(counts, result);
  compare_groups(counts, result);
  result.warning = warning_of(result);
  return result;
}

std::vector<HashUniformity> uniformity_of_hashes(std::span<Key const> keys, int key_bits, std::uint64_t slots)
{
  std::vector<HashUniformity> list;
  for (auto const& name : enum_names<HashKind>()) { list.push_back(uniformity_of(name.value, keys, key_bits, slots)); }
  return list;
}

}  // namespace slotscape::tuning
