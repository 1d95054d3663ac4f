#include "app/scenes/watch/advice_part.hpp"

#include "app/base/text.hpp"
#include "gpu/analysis/theory.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace slotscape {
namespace {

using watch::Scheme;

/// The approximate expected length of the longest run, if each of `places` positions is in a run with this probability.
double expected_run(double places, double in_run)
{
  return std::max(1.0, std::log(std::max(places * (1.0 - in_run), 2.0)) / -std::log(in_run));
}

std::string stretch(watch::Run const& run, std::uint64_t unit, std::uint64_t slots)
{
  return tr("{} to {}", grouped(run.start * unit), grouped(((run.start + run.length) * unit + slots - 1) % slots));
}

/// Whether a run is far longer than expected by chance, and a considerable part of the table.
bool is_striking(std::uint64_t length, double expected, std::uint64_t of)
{
  constexpr double far_longer = 4.0;
  constexpr std::uint64_t small_part = 64;
  return static_cast<double>(length) > far_longer * expected && small_part * length >= of;
}

/// The number of accesses at which the distribution would end if each further access kept the same share of keys as the
/// last ones.
std::uint64_t usual_end(std::vector<std::uint32_t> const& keys, std::size_t longest)
{
  constexpr double slowest = 0.98;
  std::size_t const before = longest / 2;
  double const share = std::pow(static_cast<double>(keys[longest]) / std::max<double>(keys[before], 1.0),
                                1.0 / static_cast<double>(longest - before));
  double const more = std::log(static_cast<double>(keys[longest])) / -std::log(std::min(share, slowest));
  return longest + static_cast<std::uint64_t>(std::max(more, 1.0));
}

}  // namespace

/// How many home slots occur, and which ones do not.
std::string on_homes_in_use(WatchedFacts const& facts)
{
  constexpr double clearly_fewer = 0.9;
  constexpr double beyond_chance = 6.0;  // standard deviations
  auto const& homes = facts.keys.homes;
  auto const& in_use = facts.keys.in_use;
  if (!homes || !in_use || homes->keys < few_keys) { return {}; }
  auto const places = static_cast<double>(in_use->places);
  auto const used = static_cast<double>(in_use->used);
  double const none = std::exp(-homes->load());
  bool const are_few = used < clearly_fewer * in_use->expected && homes->shared_z > beyond_chance;
  bool const has_stretch = is_striking(in_use->unused.length, expected_run(places, none), in_use->places);
  bool const is_given = facts.description.home_of == watch::HomeOf::array;
  if (!are_few && !has_stretch && !is_given) { return {}; }
  std::string text = tr("Of {} homes, {} are used; random keys would use {}. The fullest home has {} keys.",
                        grouped(in_use->places), grouped(in_use->used),
                        grouped(static_cast<std::uint64_t>(std::lround(in_use->expected))), grouped(homes->fullest));
  std::uint64_t const slots = facts.description.slots;
  std::uint64_t const unit = slots / in_use->places;
  if (has_stretch) {
    text += ' ' + tr("None of the {} homes from {} is used.", grouped(in_use->unused.length),
                     stretch(in_use->unused, unit, slots));
  }
  if (in_use->unit > 1) { text += ' ' + tr("All used homes are multiples of {}.", grouped(in_use->unit * unit)); }
  constexpr std::uint64_t large_part = 8;  // of the homes: smaller gaps are due to chance or to a pattern in the keys
  bool const lacks_many = has_stretch && large_part * in_use->unused.length >= in_use->places;
  if (!lacks_many && in_use->unit == 1) { return text; }
  return one_text({text, tr("Does the hash lose bits, or do the keys not differ in the bits that it uses?")});
}

/// The longest runs of taken and of empty slots. A hash that loses bits leaves long runs, even if the hash is unknown.
std::string on_runs(WatchedFacts const& facts)
{
  Statistics const& now = facts.statistics;
  auto const& runs = facts.keys.runs;
  if (!runs || now.live < few_keys || now.empty() == 0) { return {}; }
  auto const slots = static_cast<double>(now.slots);
  std::string text;
  auto const expected = theory::expected_longest_cluster(slots, now.effective_load());
  if (expected && is_striking(runs->taken.length, *expected, now.slots)) {
    text = tr("One run of taken slots is {} slots long, from {}; at this load, the longest run has about {:.0f}.",
              grouped(runs->taken.length), stretch(runs->taken, 1, now.slots), *expected);
  }
  // The slot after an empty one is empty, too, unless it is the home of some key.
  double const expected_gap = expected_run(slots, std::exp(-now.effective_load()));
  if (is_striking(runs->empty.length, expected_gap, now.slots)) {
    text +=
        (text.empty() ? "" : " ") + tr("{} slots in a row are empty, from {}; at this load, about {:.0f} are expected.",
                                       grouped(runs->empty.length), stretch(runs->empty, 1, now.slots), expected_gap);
  }
  if (text.empty() || facts.keys.homes) { return text; }
  return one_text({text, tr("The keys lie in a part of the table: does the hash lose bits?")});
}

std::string on_longest(WatchedFacts const& facts)
{
  Statistics const& now = facts.statistics;
  bool const out_of_order = facts.theory.largest_measure && now.probe_length.count > 0 &&
                            static_cast<double>(now.probe_length.max) > 3.0 * *facts.theory.largest_measure + 8.0;
  if (!out_of_order) { return {}; }
  return tr("One key is {} steps from home; at most {:.0f} are expected.", grouped(now.probe_length.max),
            *facts.theory.largest_measure);
}

std::optional<std::size_t> early_end(watch::Description const& table, Statistics const& now)
{
  constexpr std::uint32_t many = 32;    // keys with the maximum number of accesses
  constexpr double hardly_fewer = 0.4;  // share of the keys with one access fewer
  constexpr std::size_t least = 3;      // accesses
  std::vector<std::uint32_t> const& keys = now.hit_accesses.histogram;
  std::size_t const longest = now.hit_accesses.max;
  if (!probes_for_empty_slots(table) || longest < least || longest >= keys.size()) { return {}; }
  bool const is_cut = keys[longest] >= many && keys[longest] >= hardly_fewer * keys[longest - 1] &&
                      usual_end(keys, longest) >= longest + longest / 2;  // otherwise the distribution ends naturally
  return is_cut ? std::optional(longest) : std::nullopt;
}

std::string on_early_end(WatchedFacts const& facts)
{
  std::optional<std::size_t> const longest = early_end(facts.description, facts.statistics);
  if (!longest) { return {}; }
  std::vector<std::uint32_t> const& keys = facts.statistics.hit_accesses.histogram;
  return tr(
      "No key is found after more than {} accesses, and {} take just as many; some should take about {} or more: does "
      "your insertion give up after {}?",
      *longest, grouped(keys[*longest]), usual_end(keys, *longest), *longest);
}

/// Fewer keys per bucket make chains shorter.
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
      "{} chain continues in a slab beyond the {} that are described: its keys there are not seen. Give all parts of "
      "their memory in \"links\".",
      "{} of the chains continue in slabs beyond the {} that are described: their keys there are not seen. Give all "
      "parts of their memory in \"links\".",
      cut, grouped(cut), grouped(facts.description.links ? facts.description.links->slabs() : 0));
}

/// Most of a pool may be unused by chains so far, or belong to other tables.
std::string on_slabs_beside(WatchedFacts const& facts)
{
  watch::Description const& table = facts.description;
  watch::ChainCounts const& chains = facts.keys.chains;
  if (!table.links || chains.slabs >= table.links->slabs()) { return {}; }
  std::uint64_t const room = table.slots + chains.slabs * table.buckets->slots;
  if (facts.statistics.live > room) { return {}; }  // chains have not been counted yet
  std::string text =
      tr("Chains lead to {} of {} slabs: in the buckets and these, α is {:.2f}.", grouped(chains.slabs),
         grouped(table.links->slabs()), static_cast<double>(facts.statistics.live) / static_cast<double>(room));
  if (chains.stray == 0) { return text; }
  return text + ' ' +
         tr_plural(
             "{} more slab holds keys, but no chain leads to it: it belongs to another table in the same memory, or to "
             "a chain that was cut. Its keys do not count.",
             "{} more hold keys, but no chain leads to them: they belong to another table in the same memory, or to a "
             "chain that was cut. Their keys do not count.",
             chains.stray, grouped(chains.stray));
}

}  // namespace slotscape
