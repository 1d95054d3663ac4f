#pragma once

#include "gpu/library/owned_table.hpp"
#include "gpu/library/watch.hpp"

#include <bit>
#include <string>
#include <string_view>

namespace slotscape {

/// What lies in the memory of a table of this library. The probing is known of linear probing; of other families,
/// viewers show what slots hold and, by the hash, where keys are at home.
template <class Table>
WatchLayout watch_layout(Table const& table)
{
  using Format = typename Table::TableFormat;
  constexpr std::uint64_t bytes = sizeof(typename Format::Key);
  constexpr auto bits = static_cast<unsigned>(Format::bits);
  WatchLayout layout;
  layout.slots = table.slots();
  layout.key = {"slots", 0, sizeof(typename Format::Word), bits};
  if constexpr (Format::has_values) {
    layout.value = {"slots", bytes, sizeof(typename Format::Word), bits};
    layout.erased_value = static_cast<std::uint64_t>(Format::empty_value);
  }
  layout.empty_key = static_cast<std::uint64_t>(Format::empty_key);
  layout.erased_key = static_cast<std::uint64_t>(Format::tombstone_key);
  if constexpr (Table::TableFamilyType::info.name != "linear_probing") { return layout; }

  bool const high_bits = table.hash() == HashKind::fibonacci;
  bool const power_of_two = std::has_single_bit(table.slots());
  switch (table.hash()) {
    case HashKind::murmur3: layout.hash.function = "murmur3"; break;
    case HashKind::xxhash: layout.hash.function = "xxhash"; break;
    case HashKind::fibonacci: layout.hash.function = "fibonacci"; break;
    case HashKind::identity: layout.hash.function = "identity"; break;
  }
  layout.hash.reduction = power_of_two                         ? (high_bits ? "multiply_shift" : "mask")
                          : table.hash() == HashKind::identity ? "modulo"
                                                               : "multiply_shift_32";
  layout.probing = "linear";
  return layout;
}

/// Lets viewers look at a table of this library as long as the result lives, which must end before the table.
template <class Table>
Watch watch_table(std::string_view name, Table const& table, WatchOptions const& options = {})
{
  return Watch(name, table.slot_memory(), table.slots(), watch_layout(table), options);
}

/// To be called after the table was rehashed. Its old memory is gone by then, so viewers may have missed a moment.
template <class Table>
void table_moved(Watch& watch, Table const& table, std::string_view text = {})
{
  watch.moved(table.slot_memory(), table.slots(), watch_layout(table), text);
}

}  // namespace slotscape
