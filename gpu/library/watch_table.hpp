#pragma once

#include "gpu/library/owned_table.hpp"
#include "gpu/library/watch.hpp"
#include "gpu/library/watch_probing.hpp"
#include "gpu/library/watch_words.hpp"

#include <string>
#include <string_view>

namespace slotscape {

/// The layout of a table of this library. Keys and values are shown in the program's types if they can be computed from
/// words; otherwise viewers say what the words stand for. Homes and probe lengths are known for linear, quadratic and
/// double hashing's probing, Robin Hood and graveyard hashing, hopscotch hashing, Simple Hash, the warp-cooperative
/// table, SwissTable in Abseil's variant, and for chains (SlabHash, GEL-Hash); for other families, viewers show the
/// contents of slots.
template <class Table>
WatchLayout watch_layout(Table const& table)
{
  static_assert(
      requires { table.slot_memory(); },
      "Viewers look at tables whose slots lie in one piece of memory: not at those in shards, in pages, on several "
      "GPUs, or with several values for a key.");
  using Format = typename Table::TableFormat;
  using Family = typename Table::TableFamilyType;
  constexpr std::uint64_t word_bytes = sizeof(typename Format::Word);
  constexpr auto bits = static_cast<unsigned>(Format::bits);
  WatchLayout layout;
  layout.slots = table.places();
  layout.key = {"slots", 0, word_bytes, bits};
  if constexpr (Format::has_values) {
    layout.value = {"slots", sizeof(typename Format::Key), word_bytes, bits};
    layout.erased_value = static_cast<std::uint64_t>(Format::empty_value);
  }
  layout.empty_key = static_cast<std::uint64_t>(Format::empty_key);
  layout.erased_key = static_cast<std::uint64_t>(Format::tombstone_key);
  library::describe_words<Table>(layout);
  layout.family = Family::info.title;
#if !defined(SLOTSCAPE_WATCH_OFF)
  auto const shape = table.layout();
  if constexpr (library::has_chains<Family>) {
    layout.slots = std::uint64_t{shape.buckets} * Family::link_lane;
    layout.bucket = {Family::link_lane, Family::size * word_bytes};
    layout.more = library::watched_chains<Family>(shape, word_bytes);
  } else {
    layout.more = library::watched_paths<Family>(shape);
  }
#endif
  return layout;
}

/// Lets viewers show a table of this library until the result is destroyed, which must precede the table's end.
template <class Table>
Watch watch_table(std::string_view name, Table const& table, WatchOptions const& options = {})
{
  return Watch(name, table.slot_memory(), table.places(), watch_layout(table), options);
}

/// Call it after the table was rehashed. Its old memory is gone by then, so viewers may have missed a moment.
template <class Table>
void table_moved(Watch& watch, Table const& table, std::string_view text = {})
{
  watch.moved(table.slot_memory(), table.places(), watch_layout(table), text);
}

}  // namespace slotscape
