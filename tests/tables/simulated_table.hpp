#pragma once

#include "gpu/execution/machines.hpp"
#include "gpu/tables/family.hpp"
#include "gpu/tables/hash.hpp"

#include <algorithm>
#include <vector>

namespace slotscape {

/// Different keys for different numbers below 2^32, in no order.
inline Narrow::Key scattered_key(std::uint64_t number)
{
  return HashRounds<Narrow::Key>::of(HashKind::murmur3)(static_cast<Narrow::Key>(number));
}

/// A table of a family for one thread that inserts and looks up, one key after another, with every access counted.
template <class Family>
struct SimulatedTable {
  using Layout = typename Family::template Layout<Narrow>;
  using Counting = View<Layout, CountingMachine<HostMachine<Narrow>>>;
  using Plain = View<Layout, HostMachine<Narrow>>;

  explicit SimulatedTable(TableSettings const& settings)
      : layout(Family::template layout<Narrow>(settings)), words(layout.slots(), Narrow::empty_word)
  {
    if constexpr (requires { layout.metadata(); }) { metadata.assign(layout.metadata(), 0); }
  }
  Plain view() { return {{words.data(), metadata.data()}, layout}; }
  Counting counting() { return {{{words.data(), metadata.data()}, &accesses}, layout}; }

  Layout layout;
  std::vector<Narrow::Word> words;
  std::vector<std::uint64_t> metadata;
  std::uint32_t accesses = 0;
};

/// The probes of lookups that hit: of all keys, and the expected ones of the unluckiest keys, by when they came.
struct HitProbes {
  double mean = 0.0;
  double worst = 0.0;
  std::uint64_t without_place = 0;
};

/// Fills tables up to 1 - delta with keys of their own. Keys that come at about the same time, a 64th of all, count as
/// one: their mean over all tables is the expected number of probes.
template <class Family>
HitProbes simulate_hits(TableSettings const& settings, double delta, unsigned tables)
{
  constexpr std::size_t parts = 64;
  std::vector<double> sums(parts, 0.0);
  HitProbes result;
  auto const keys = settings.slots - static_cast<std::uint64_t>(delta * static_cast<double>(settings.slots));
  for (unsigned number = 0; number != tables; ++number) {
    SimulatedTable<Family> table(settings);
    for (std::uint64_t i = 0; i != keys; ++i) {
      Narrow::Key const key = scattered_key((number + 1) * std::uint64_t{settings.slots} + i);
      auto const placed = Family::insert(table.view(), key, 1);
      if (placed.outcome == Outcome::full) {
        ++result.without_place;
        continue;
      }
      sums[i * parts / keys] += Family::describe(table.view(), placed.slot, table.words[placed.slot]).measure + 1.0;
    }
  }
  for (double const sum : sums) { result.mean += sum / static_cast<double>(keys * tables); }
  result.worst = *std::ranges::max_element(sums) * parts / static_cast<double>(keys * tables);
  return result;
}

}  // namespace slotscape
