#include "gpu/watch/rehash.hpp"

#include "gpu/analysis/homes.hpp"
#include "gpu/base/random.hpp"
#include "gpu/tables/slot_counts.hpp"
#include "gpu/tables/validation.hpp"
#include "gpu/watch/passes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace slotscape::watch {
namespace {

/// Which slots of the imagined table are taken. That is enough to look up absent keys.
class Taken {
public:
  Taken(TableView const& view) : view_(view), taken_(view.slots, 0) {}

  /// How many windows an insertion reads on its path; 0 if the key does not fit.
  std::uint64_t insert(TableView::Path path, AnyKey key)
  {
    do {
      for (std::uint64_t i = 0; i < view_.window; ++i) {
        char& there = taken_[view_.slot_of(path, i)];
        if (there == 0) {
          there = 1;
          return path.number + 1;
        }
      }
    } while (view_.next(path, key));
    return 0;
  }
  std::uint64_t miss(TableView::Path path, AnyKey key) const
  {
    do {
      if (ends_in(path)) { return path.number + 1; }
    } while (view_.next(path, key));
    return path.number;
  }
  /// The mean over all homes for linear probing, where a path continues from each window as if it began there.
  double mean_miss() const
  {
    auto const most = static_cast<std::uint32_t>((view_.slots + view_.step - 1) / view_.step);  // windows of a path
    std::vector<std::uint32_t> reads(view_.slots, 0);  // from a window on, identified by its first slot; 0: unknown
    double sum = 0.0;
    for (std::uint64_t home = 0; home < view_.slots; home += view_.align) {
      TableView::Path path = view_.path_from(home, 0);
      bool known = true;
      while (known && reads[path.at] == 0 && !ends_in(path)) { known = view_.next(path, 0); }
      auto const windows = static_cast<std::uint32_t>(path.number);
      std::uint32_t left = windows + (!known ? 0 : reads[path.at] == 0 ? 1 : reads[path.at]);
      if (left > most) {
        left = most;
        known = false;
      }
      sum += left;
      path = view_.path_from(home, 0);
      for (std::uint32_t i = 0; i < std::max(windows, 1u); ++i, view_.next(path, 0)) {
        reads[path.at] = left;
        if (known) { --left; }  // otherwise the path has no end: it is equally long from everywhere
      }
    }
    std::uint64_t const homes = view_.slots / view_.align;
    return sum / static_cast<double>(homes);
  }

private:
  bool ends_in(TableView::Path const& path) const
  {
    for (std::uint64_t i = 0; i < view_.window; ++i) {
      if (taken_[view_.slot_of(path, i)] == 0) { return true; }
    }
    return false;
  }

  TableView const& view_;
  std::vector<char> taken_;
};

bool suits(TableView const& view, std::uint64_t slots)
{
  bool const masks = std::any_of(view.hashes.begin(), view.hashes.begin() + view.hash_count,
                                 [](Hash const& hash) { return hash.reduction == Reduction::mask; });
  return slots % view.align == 0 && slots / view.window >= 2 && (!masks || std::has_single_bit(slots / view.align));
}

/// The costs of a run of homes by itself, as if it were a whole table: in a long run, few keys cross its ends.
std::optional<LookupCosts> costs_of_run(TableView const& table, std::span<std::uint32_t const> counts)
{
  constexpr double too_many = 1u << 24;  // accesses: these keys crowd; an exact number would take too long
  TableView view = table;
  view.slots = counts.size() * view.align;
  Taken taken(view);
  double keys = 0.0;
  double hits = 0.0;
  for (std::size_t place = 0; place < counts.size(); ++place) {
    for (std::uint32_t i = 0; i < counts[place]; ++i, ++keys) {
      std::uint64_t const accesses = taken.insert(view.path_from(place * view.align, 0), 0);
      hits += static_cast<double>(accesses);
      if (accesses == 0 || hits > too_many) { return std::nullopt; }
    }
  }
  if (keys == 0.0) { return std::nullopt; }
  return LookupCosts{hits / keys, taken.mean_miss()};
}

/// For linear probing in steps of one slot. The costs follow from the number of keys of each home, however much keys
/// crowd.
LookupCosts costs_slot_by_slot(TableView const& view, std::span<AnyKey const> keys)
{
  std::vector<std::uint32_t> counts(view.slots);
  for (AnyKey const key : keys) { ++counts[view.home(0, key)]; }
  HomeCosts const costs = spread_of(counts, std::min(view.key.bits, 64)).probing;
  return {costs.hit, costs.miss};
}

/// Whether no block of homes is fuller than those in the sample, apart from the variation expected for random homes.
bool is_like_all(SampledHomes const& homes, std::span<std::uint32_t const> counts,
                 std::span<std::uint32_t const> blocks)
{
  constexpr double clearly = 4.0;  // standard deviations
  std::uint32_t in_sample = 0;
  for (std::uint64_t run = 0; run < homes.runs; ++run) {
    auto const of_run = counts.subspan(run * homes.run, homes.run);
    for (std::size_t first = 0; first + SampledHomes::block <= of_run.size(); first += SampledHomes::block) {
      auto const block = of_run.subspan(first, SampledHomes::block);
      in_sample = std::max(in_sample, std::accumulate(block.begin(), block.end(), 0u));
    }
  }
  double const mean = std::accumulate(blocks.begin(), blocks.end(), 0.0) / static_cast<double>(blocks.size());
  return *std::ranges::max_element(blocks) <= in_sample + clearly * std::sqrt(std::max(mean, 1.0));
}

/// The mean of numbers, and the half-width of its confidence interval.
std::pair<double, double> mean_within(std::span<double const> numbers)
{
  constexpr std::size_t few = 16;  // runs of homes: Student's t of 95 % with 15 degrees of freedom; otherwise normal
  double const two_sided = numbers.size() <= few ? 2.13 : 1.96;
  auto const count = static_cast<double>(numbers.size());
  double const mean = std::accumulate(numbers.begin(), numbers.end(), 0.0) / count;
  if (numbers.size() < 2) { return {mean, 0.0}; }
  double squares = 0.0;
  for (double const number : numbers) { squares += (number - mean) * (number - mean); }
  return {mean, two_sided * std::sqrt(squares / (count - 1.0) / count)};
}

}  // namespace

std::optional<LookupCosts> costs_after_rehash(TableView view, std::uint64_t slots, std::span<AnyKey const> live)
{
  constexpr std::uint64_t sampled_misses = 1u << 14;
  constexpr double too_many = 1u << 28;  // accesses: these keys crowd; an exact number would take too long
  if (!view.knows_paths() || !view.is_plain || !keeps_keys_in_place(view.scheme) || !suits(view, slots) ||
      live.empty() || live.size() >= slots) {
    return std::nullopt;
  }
  constexpr std::uint64_t hardly_fewer = 2;  // step lengths than windows: their number then depends on that of windows
  std::uint64_t const fewer = view.slots / view.window - view.lengths;
  if (fewer <= hardly_fewer) { view.lengths = slots / view.window - fewer; }
  view.slots = slots;
  if (view.scheme == Scheme::linear && view.window == 1 && view.step == 1 && view.align == 1) {
    return costs_slot_by_slot(view, live);
  }
  Taken taken(view);
  double hits = 0.0;
  for (AnyKey const key : live) {
    std::uint64_t const accesses = taken.insert(view.path_of(key), key);
    hits += static_cast<double>(accesses);
    if (accesses == 0 || hits > too_many) { return std::nullopt; }
  }
  double const hit = hits / static_cast<double>(live.size());
  if (view.scheme == Scheme::linear) { return LookupCosts{hit, taken.mean_miss()}; }
  std::vector<double> misses(sampled_misses);
  for (std::uint64_t i = 0; i < sampled_misses; ++i) {
    AnyKey const key = key_drawn(random64(31, i), view.key.bits);
    misses[i] = static_cast<double>(taken.miss(view.path_of(key), key));
  }
  auto const [miss, within] = mean_within(misses);
  return LookupCosts{hit, miss, 0.0, within};
}

std::uint64_t twice_the_slots(TableView const& view)
{
  std::uint64_t const windows = view.slots / view.window;
  bool const by_prime = view.scheme == Scheme::double_hashing && is_prime(windows);
  return view.window * (by_prime ? next_prime(2 * windows) : 2 * windows);
}

std::optional<LookupCosts> costs_of_homes(TableView view, std::uint64_t slots, SampledHomes const& homes,
                                          std::span<std::uint32_t const> counts, std::span<std::uint32_t const> blocks)
{
  if (view.scheme != Scheme::linear || !view.is_plain || !suits(view, slots) || !is_like_all(homes, counts, blocks)) {
    return std::nullopt;
  }
  std::vector<double> hits;
  std::vector<double> misses;
  for (std::uint64_t run = 0; run < homes.runs; ++run) {
    auto const costs = costs_of_run(view, counts.subspan(run * homes.run, homes.run));
    if (!costs) { return std::nullopt; }
    hits.push_back(costs->hit);
    misses.push_back(costs->miss);
  }
  auto const [hit, hit_within] = mean_within(hits);
  auto const [miss, miss_within] = mean_within(misses);
  return LookupCosts{hit, miss, hit_within, miss_within};
}

}  // namespace slotscape::watch
