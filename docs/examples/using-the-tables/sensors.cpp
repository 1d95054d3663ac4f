// Deduplicates keys, counts them, and joins two arrays of pairs, on all cores of the CPU.

#include "readings.hpp"

#include <slotscape/table.hpp>

#include <algorithm>
#include <exception>
#include <numeric>

namespace {

using Table = slotscape::CpuTable<slotscape::families::linear_probing, std::uint32_t>;
using Set = slotscape::CpuSet<slotscape::families::linear_probing, std::uint32_t>;

/// Each key once.
std::vector<std::uint32_t> deduplicate(std::vector<std::uint32_t> const& keys)
{
  Set set({.slots = Set::slots_for(keys.size())});
  set.insert(keys.data(), keys.size()).or_throw();

  std::vector<std::uint32_t> unique(set.size());
  set.export_keys(unique.data(), unique.size());
  return unique;
}

/// For each key, whether it is `inserted`, the first of its kind, or not.
std::vector<slotscape::Outcome> tell_first(std::vector<std::uint32_t> const& keys)
{
  Set set({.slots = Set::slots_for(keys.size())});
  std::vector<slotscape::Outcome> outcomes(keys.size());
  set.insert(keys.data(), keys.size(), {.outcomes = outcomes.data()}).or_throw();
  return outcomes;
}

/// Each key once, and how often it occurs.
Pairs count_keys(std::vector<std::uint32_t> const& keys)
{
  Table table({.slots = Table::slots_for(keys.size())});
  std::vector<std::uint32_t> const ones(keys.size(), 1);
  table.insert_or_add(keys.data(), ones.data(), keys.size()).or_throw();

  std::uint64_t const different = table.size();
  Pairs counts{std::vector<std::uint32_t>(different), std::vector<std::uint32_t>(different)};
  table.export_pairs(counts.keys.data(), counts.values.data(), different);
  return counts;
}

/// For each pair of `left`, the value that `right` has for its key; pairs whose key it does not have are left out.
/// The keys of `right` differ.
Pairs join(Pairs const& left, Pairs const& right)
{
  Table table({.slots = Table::slots_for(right.keys.size())});
  table.insert(right.keys.data(), right.values.data(), right.keys.size(), {.distinct = true}).or_throw();

  std::vector<std::uint32_t> found(left.keys.size());
  table.find(left.keys.data(), found.data(), found.size());
  Pairs joined;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i] == Table::empty_value) { continue; }
    joined.keys.push_back(found[i]);
    joined.values.push_back(left.values[i]);
  }
  return joined;
}

}  // namespace

int main()
{
  try {
    Pairs const readings = take_readings();
    std::vector<std::uint32_t> const sensors = deduplicate(readings.keys);
    auto const first = std::ranges::count(tell_first(readings.keys), slotscape::Outcome::inserted);
    Pairs const counts = count_keys(readings.keys);
    std::uint64_t const counted = std::accumulate(counts.values.begin(), counts.values.end(), std::uint64_t{0});
    Pairs const temperatures_in_rooms = join(readings, list_rooms());
    return report(readings, sensors.size(), static_cast<std::uint64_t>(first), counted,
                  temperatures_in_rooms.keys.size())
               ? 0
               : 1;
  } catch (std::exception const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
