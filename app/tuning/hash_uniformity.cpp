#include "app/tuning/hash_uniformity.hpp"

#include "app/base/text.hpp"
#include "app/simulation/hash_choice.hpp"
#include "app/simulation/names.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace slotscape {

template <>
std::span<EnumName<Evenness> const> enum_names()
{
  static constexpr std::array<EnumName<Evenness>, 4> names{{
      {Evenness::as_random, "as_random", "As even as random homes"},
      {Evenness::more_even, "more_even", "More even than random homes"},
      {Evenness::less_even, "less_even", "Less even than random homes"},
      {Evenness::runs_of_homes, "runs_of_homes", "Side by side"},
  }};
  return names;
}

}  // namespace slotscape

namespace slotscape::tuning {
namespace {

constexpr std::size_t max_of_a_home = 16;  ///< larger numbers of keys share one bin
constexpr double much_more = 1.25;         ///< ratio of accesses

double mixed(HomeCosts const& costs, double misses)
{
  return (1.0 - misses) * costs.hit + misses * costs.miss;
}

double ratio_of(HomeCosts const& costs, HomeCosts const& random, double misses)
{
  return mixed(costs, misses) / mixed(random, misses);
}

void fill_histogram(std::vector<std::uint32_t> const& counts, HashUniformity& result)
{
  result.homes.assign(max_of_a_home + 1, 0);
  for (std::uint32_t const count : counts) { ++result.homes[std::min<std::size_t>(count, max_of_a_home)]; }
  auto const slots = static_cast<double>(result.slots);
  double probability = std::exp(-result.load());
  double rest = 1.0;
  for (std::size_t k = 0; k < max_of_a_home; ++k) {
    result.expected.push_back(probability * slots);
    rest -= probability;
    probability *= result.load() / static_cast<double>(k + 1);
  }
  result.expected.push_back(std::max(rest, 0.0) * slots);
}

std::string accesses(double number)
{
  return number < 100.0 ? fmt::format("{:.2f}", number) : short_number(number);
}

/// "by linear probing at α 0.50, a hit reads 1.27 slots instead of 1.50, a miss from a random home 1.68 instead
/// of 2.50".
std::string costs_text(HashUniformity const& found)
{
  return tr(
      "with linear probing at α {:.2f}, a hit reads {} slots instead of {}, a miss from a random home {} instead of {}",
      found.load(), accesses(found.probing.hit), accesses(found.random_probing.hit), accesses(found.probing.miss),
      accesses(found.random_probing.miss));
}

/// A sentence on crowded homes with a space before it; empty if there is nothing to report.
std::string crowding_of(HashUniformity const& found)
{
  constexpr double many = 1.15;
  if (found.shared > many * found.expected_shared && found.shared > 0.1) {
    return ' ' + tr("{} of the keys share their home slot with others, up to {} in one slot; with random homes, it "
                    "would be {}.",
                    percent(found.shared), grouped(found.fullest), percent(found.expected_shared));
  }
  if (static_cast<double>(found.longest_run) <= many * found.expected_longest_run) { return ""; }
  return ' ' + tr("Up to {} home slots in a row are in use, where random homes have about {:.0f}.",
                  grouped(found.longest_run), found.expected_longest_run);
}

/// `crowding_of`, and the key bits that the hash loses.
std::string reason_of(HashUniformity const& found)
{
  std::string const lost = losses_in_words(found.losses);
  return crowding_of(found) + (lost.empty() ? "" : " " + lost);
}

/// In these families, keys take slots that their neighbours need, which lengthens hits and, in some families, misses.
bool probes_neighbours(FamilyInfo const& family)
{
  return family.clusters;
}

/// A miss ends where a hit would: at a key that is closer to its home, or at the end of the neighbourhood.
bool bounds_misses(FamilyInfo const& family)
{
  return family.misses_by == MissesBy::home_and_key || family.theory == TheoryOf::hopscotch;
}

}  // namespace

bool HashUniformity::bad(double misses) const
{
  return evenness() != Evenness::as_random && ratio_of(probing, random_probing, misses) > much_more;
}

std::string verdict_of(HashUniformity const& found)
{
  std::string const name(to_text(found.hash));
  std::string const costs = costs_text(found);
  std::string const reason = reason_of(found);
  switch (found.evenness()) {
    case Evenness::as_random: return tr("The hash {} spreads these keys as evenly as random homes.", name);
    case Evenness::more_even:
      return tr(
          "The hash {} spreads these keys more evenly than random homes, which is good for tables that probe "
          "neighbouring slots: {}.",
          name, costs);
    case Evenness::runs_of_homes:
      return fmt::format("{}{} {}", tr("The hash {} leaves these keys adjacent: {}.", name, costs), reason,
                         tr("That is good for hits and bad for misses: choose another hash if absent keys are looked "
                            "up."));
    case Evenness::less_even: break;
  }
  if (!found.bad()) {
    return tr("The hash {} is a little worse than random for these keys: {}.", name, costs) + reason;
  }
  return fmt::format("{}{} {}", tr("The hash {} is bad for these keys: {}.", name, costs), reason,
                     tr("Choose another hash."));
}

HashUniformity uniformity_of(HashChoice const& hash, std::span<Key const> keys, int key_bits, std::uint64_t slots)
{
  if (keys.empty()) { throw Error("There are no keys whose home slots could be counted."); }
  std::vector<std::uint32_t> const counts = count_homes(hash, keys, key_bits, slots);
  HashUniformity result{spread_of(counts, key_bits), hash, {}, {}, 1.0};
  explain(result, hash, keys, key_bits);
  fill_histogram(counts, result);
  if (result.groups > 1) { result.p_value = 0.5 * std::erfc(result.z / std::sqrt(2.0)); }
  return result;
}

std::vector<HashUniformity> uniformity_of_hashes(std::span<Key const> keys, int key_bits, std::uint64_t slots)
{
  std::vector<HashUniformity> list;
  list.reserve(std::size(compiled_in_hashes));
  for (HashKind const kind : compiled_in_hashes) { list.push_back(uniformity_of(kind, keys, key_bits, slots)); }
  return list;
}

double slowdown_of(HomeSpread const& homes, FamilyInfo const& family, double misses)
{
  if (!probes_neighbours(family)) { return ratio_of(homes.chains, homes.random_chains, misses); }
  return ratio_of(homes.probing, homes.random_probing, bounds_misses(family) ? 0.0 : misses);
}

}  // namespace slotscape::tuning
