#pragma once

#include "gpu/engine/run_operations.hpp"
#include "gpu/execution/block.hpp"

namespace slotscape {

/// Looks up the keys of a pure batch in a table of two buckets a key. Groups of four lanes read a bucket together, and
/// have several keys' buckets in flight. Only what is not in its first bucket reads the overflow bit, and only where
/// that is set, the second bucket. On the host one thread plays a group.
template <TableFamily Family, class View>
struct FindMany {
  using Format = typename View::Format;
  using Key = typename Format::Key;
  using Word = typename Format::Word;
  using Choices = typename Family::Choices;
  static constexpr int keys_per_item = 32;
  static constexpr int in_flight = 4;
  static constexpr std::uint32_t stripes = 1024;

  /// Counts, in stripes.
  struct Counts {
    std::uint64_t found;
    std::uint64_t rejected;
  };

  View table;
  Batch<Format> batch;
  Counts* counts;

  static std::uint64_t items(std::uint64_t count) { return (count + keys_per_item - 1) / keys_per_item; }

  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t item, Tile tile) const
  {
    constexpr int at_once = Tile::size / lanes<Tile>() * in_flight;
    std::uint32_t found = 0;
    std::uint32_t rejected = 0;
    for (int k = 0; k < keys_per_item; k += at_once) {
      find_some(item * keys_per_item + static_cast<std::uint64_t>(k), tile, found, rejected);
    }
    found = tile.sum(found);
    rejected = tile.sum(rejected);
    if (tile.rank() != 0) { return; }
    Counts& mine = counts[item % stripes];
    if (found != 0) { exec::fetch_add(mine.found, std::uint64_t{found}); }
    if (rejected != 0) { exec::fetch_add(mine.rejected, std::uint64_t{rejected}); }
  }

private:
  template <class Tile>
  static constexpr int lanes()
  {
    return Tile::size < 4 ? Tile::size : 4;
  }
  /// What one lane knows of a key.
  template <int words>
  struct Sought {
    std::uint64_t number;
    Key key;
    Choices choice;
    bool open;  ///< not answered yet
    Word window[words];
  };

  /// One key for each group, times `in_flight`.
  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void find_some(std::uint64_t first, Tile tile, std::uint32_t& found,
                                       std::uint32_t& rejected) const
  {
    constexpr int words = static_cast<int>(Family::bucket_slots) / lanes<Tile>();
    Sought<words> sought[in_flight];
    int const group = tile.rank() / lanes<Tile>();
    SLOTSCAPE_UNROLL
    for (int j = 0; j < in_flight; ++j) {
      sought[j].number = first + static_cast<std::uint64_t>(j * (Tile::size / lanes<Tile>()) + group);
      sought[j].open = sought[j].number < batch.count;
      sought[j].key = sought[j].open ? batch.keys[sought[j].number] : Format::empty_key;
    }
    SLOTSCAPE_UNROLL
    for (int j = 0; j < in_flight; ++j) {
      sought[j].choice = table.layout.choices(sought[j].key);
      read(tile, sought[j], sought[j].choice.first);
    }
    bool any_left = false;
    SLOTSCAPE_UNROLL
    for (int j = 0; j < in_flight; ++j) {
      if (sought[j].open && Format::is_reserved(sought[j].key)) {
        sought[j].open = false;
        if (is_first(tile)) { rejected += answer(sought[j].number, Outcome::rejected, Format::empty_value, no_slot); }
      }
      found += match(tile, sought[j], sought[j].choice.first);
      any_left = any_left || sought[j].open;
    }
    if (tile.ballot(any_left) == 0) { return; }
    find_in_second(tile, sought, found);
  }

  template <class Tile, int words>
  SLOTSCAPE_HOST_DEVICE void find_in_second(Tile tile, Sought<words> (&sought)[in_flight], std::uint32_t& found) const
  {
    bool goes_on[in_flight];
    SLOTSCAPE_UNROLL
    for (int j = 0; j < in_flight; ++j) {
      std::uint64_t const bits =
          sought[j].open ? table.machine.load_metadata(table.layout.bits_index(sought[j].choice)) : 0;
      goes_on[j] = (bits & table.layout.bit(sought[j].choice)) != 0;
    }
    SLOTSCAPE_UNROLL
    for (int j = 0; j < in_flight; ++j) {
      if (goes_on[j]) { read(tile, sought[j], sought[j].choice.second); }
    }
    SLOTSCAPE_UNROLL
    for (int j = 0; j < in_flight; ++j) {
      bool const was_open = sought[j].open;
      sought[j].open = goes_on[j];
      found += match(tile, sought[j], sought[j].choice.second);
      bool const missing = was_open && (!goes_on[j] || sought[j].open);
      if (missing && is_first(tile)) { answer(sought[j].number, Outcome::missing, Format::empty_value, no_slot); }
    }
  }

  template <class Tile>
  SLOTSCAPE_HOST_DEVICE static bool is_first(Tile tile)
  {
    return tile.rank() % lanes<Tile>() == 0;
  }
  template <class Tile, int words>
  SLOTSCAPE_HOST_DEVICE Slot first_slot(Tile tile, Sought<words> const& sought, std::uint32_t bucket) const
  {
    std::uint32_t const place = sought.choice.segment * table.layout.segment_buckets + bucket;
    return table.layout.first_slot(place) + static_cast<Slot>(tile.rank() % lanes<Tile>() * words);
  }
  template <class Tile, int words>
  SLOTSCAPE_HOST_DEVICE void read(Tile tile, Sought<words>& sought, std::uint32_t bucket) const
  {
    table.machine.load_window(first_slot(tile, sought, bucket), sought.window, words);
  }

  /// Answers an open key that is in the window; returns 1 on the lane that found it. All lanes must call it.
  template <class Tile, int words>
  SLOTSCAPE_HOST_DEVICE std::uint32_t match(Tile tile, Sought<words>& sought, std::uint32_t bucket) const
  {
    int place = -1;
    Word word{};
    SLOTSCAPE_UNROLL
    for (int w = 0; w < words; ++w) {
      if (key_of(sought.window[w]) == sought.key) {
        place = w;
        word = sought.window[w];
      }
    }
    bool const mine = sought.open && place >= 0;
    std::uint32_t const all = tile.ballot(mine);
    constexpr std::uint32_t group_mask = (1u << lanes<Tile>()) - 1;
    if ((all >> (tile.rank() / lanes<Tile>() * lanes<Tile>()) & group_mask) != 0) { sought.open = false; }
    if (!mine) { return 0; }
    return answer(sought.number, Outcome::found, value_of(word),
                  first_slot(tile, sought, bucket) + static_cast<Slot>(place));
  }

  SLOTSCAPE_HOST_DEVICE std::uint32_t answer(std::uint64_t i, Outcome outcome, typename Format::Value value,
                                             Slot slot) const
  {
    if (batch.keeps_outcomes) { batch.outcomes[i] = outcome; }
    batch.values[i] = value;
    if (batch.changes != nullptr && slot != no_slot) {
      exec::store_relaxed(batch.changes[slot], passes::fresh_change(Operation::find));
    }
    return 1;
  }
};

}  // namespace slotscape
