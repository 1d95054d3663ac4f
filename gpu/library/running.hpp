#pragma once

#include "gpu/engine/bare_table.hpp"
#include "gpu/engine/running_table.hpp"
#include "gpu/library/options.hpp"
#include "gpu/tables/slot_counts.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace slotscape::library {

template <TableFamily Family, PairFormat Format>
TableSettings settings_of(TableOptions const& options)
{
  return {.family = std::string(Family::info.name),
          .slots = options.slots,
          .deletion = Format::has_values ? options.deletion : Deletion::tombstone_reuse,
          .hash = options.hash,
          .key_bits = Format::bits,
          .parameters = options.parameters};
}

/// Keys and values as a batch of one operation.
template <PairFormat Format>
Batch<Format> batch_of(Operation operation, typename Format::Key const* keys, typename Format::Value* values,
                       std::uint64_t count, BatchOptions const& options)
{
  return {.count = count,
          .operations = nullptr,
          .keys = keys,
          .values = values,
          .outcomes = options.outcomes,
          .changes = nullptr,
          .distinct = options.distinct,
          .kinds = mask_of(operation),
          .keeps_outcomes = options.outcomes != nullptr};
}

/// The number of slots for `keys` keys, at a safe load factor of at most `load_factor`.
template <TableFamily Family, PairFormat Format>
std::uint64_t slots_for(std::uint64_t keys, double load_factor, std::map<std::string, std::uint32_t> const& parameters)
{
  auto const smallest = settings_of<Family, Format>({.slots = min_slots, .parameters = parameters});
  validate_parameters(Family::info, smallest);
  double const most = Family::guarantees(smallest).max_load;
  if (!(load_factor > 0.0 && load_factor <= most)) {
    throw Error("A load factor of " + std::to_string(load_factor) + " is impossible: choose one above 0, up to " +
                std::to_string(static_cast<int>(most)) + ".");
  }
  bool const any = slot_counts_of(Family::info, smallest) == SlotCounts::any;
  auto const count = static_cast<double>(keys);
  for (double load = load_factor;; load *= 0.98) {
    double const wanted = std::max(std::ceil(count / load), static_cast<double>(min_slots));
    if (wanted > static_cast<double>(max_slots)) { break; }
    auto slots = static_cast<std::uint64_t>(wanted);
    if (!any) { slots = std::bit_ceil(slots); }
    if (probes_by_squares(Family::info, smallest)) { slots = next_prime(slots); }
    if (slots > max_slots) { break; }
    TableSettings const settings = settings_of<Family, Format>({.slots = slots, .parameters = parameters});
    if (count <= Family::guarantees(settings).safe_load * static_cast<double>(slots)) { return slots; }
  }
  throw Error(std::to_string(keys) + " keys need more than " + std::to_string(max_slots) +
              " slots: choose a higher load factor, or a table in shards.");
}

/// The total number of slots for `keys` keys in parts that share them by a hash: the fullest part has a load factor
/// that is safe, and not much above `load_factor`.
template <TableFamily Family, PairFormat Format>
std::uint64_t slots_for_parts(std::uint64_t keys, std::uint32_t parts, double load_factor,
                              std::map<std::string, std::uint32_t> const& parameters)
{
  auto const mean = static_cast<double>(keys) / parts;
  auto const fullest = static_cast<std::uint64_t>(std::ceil(mean + 4.0 * std::sqrt(mean)));
  return parts * slots_for<Family, Format>(parts == 1 ? keys : fullest, load_factor, parameters);
}

/// The class that runs a family's batches, with the members that `BasicTable` needs made public.
template <TableFamily Family, exec::Executor Exec, PairFormat Format>
class Running final : public RunningTable<Family, Exec, Format, BareTable<Exec, Format>> {
  using Base = RunningTable<Family, Exec, Format, BareTable<Exec, Format>>;

public:
  using Base::Base;
  using Base::combine_with;
  using Base::set_state;
  using Base::state;
  using Base::swap_memory;
  using Base::view;
  using typename Base::State;

  /// Calls f<Lanes>() for the number of lanes in a tile of this table; 1 if the family uses no tiles.
  template <class F>
  void with_lanes(F const& f) const
  {
    if constexpr (UsesTiles<Family>) {
      Base::with_lanes(f);
    } else {
      f.template operator()<1>();
    }
  }
};

}  // namespace slotscape::library
