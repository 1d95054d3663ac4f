#pragma once

#include "gpu/base/pair_format.hpp"
#include "gpu/execution/atomics.hpp"
#include "gpu/execution/block.hpp"
#include "gpu/execution/combine.hpp"

#include <array>
#include <bit>
#include <type_traits>

namespace slotscape::partition {

/// What is partitioned: pairs to insert, or keys to erase.
template <PairFormat Format, Operation operation>
using Item = std::conditional_t<operation == Operation::insert, typename Format::Word, typename Format::Key>;
template <PairFormat Format>
SLOTSCAPE_HOST_DEVICE typename Format::Key key_in(typename Format::Word pair)
{
  return key_of(pair);
}
template <PairFormat Format>
SLOTSCAPE_HOST_DEVICE typename Format::Key key_in(typename Format::Key key)
{
  return key;
}

/// So many copies seen in the first pass show that keys come more than once. A batch of keys that each come twice shows
/// some 20.
inline constexpr std::uint32_t few_copies = 4;

/// For batches whose keys differ, or whose copies are all wanted.
struct NoFolding {
  static constexpr bool folds = false;
};

/// Of operations on one key that meet in a tile, one goes on for all: a hot key then reaches its segment once a tile,
/// instead of keeping a single block busy. The others end here. Not every copy is found: one whose place in a small
/// table is taken by another key goes on, too. A tile is looked through only if its first items show copies. Where the
/// first pass has `seen` some, the second looks through all tiles: there a key is dense enough for a room to run over,
/// but may be too rare to show.
template <PairFormat Format, Operation operation>
struct Folding {
  static constexpr bool folds = true;
  static constexpr bool inserts = operation == Operation::insert;
  using Key = typename Format::Key;
  using Value = typename Format::Value;
  using Item = partition::Item<Format, operation>;

  /// How many keys an array of so many items tells apart.
  template <std::size_t size>
  static constexpr std::uint32_t places = std::bit_floor(size);

  Combine combine;
  Outcome* outcomes;    ///< of those that end here, too; or null
  std::uint32_t* seen;  ///< copies in the first pass

  /// A place that no key has taken: a reserved key, and a value that changes none.
  SLOTSCAPE_HOST_DEVICE Item nobody() const
  {
    if constexpr (inserts) {
      if constexpr (AddsNumbers<Format>) {
        if (combine == Combine::add) { return pack(Format::empty_key, Format::zero()); }
      }
      return pack(Format::empty_key, combine == Combine::min ? Format::empty_value : Value{0});
    } else {
      return Format::empty_key;
    }
  }

  /// Whether another operation goes on for this one; if none does, but may for others, `is_first` becomes true. A key
  /// has two places, lest two hot ones should meet at one.
  template <class Block, std::size_t size>
  SLOTSCAPE_HOST_DEVICE bool is_copy(Block block, std::array<Item, size>& items, Item item, bool& is_first) const
  {
    Key const key = key_in<Format>(item);
    for (int choice = 0; choice < 2; ++choice) {
      Item& place = items[place_of<size>(key, choice)];
      Key& taken_by = *reinterpret_cast<Key*>(&place);
      Key seen = exec::load_relaxed(taken_by);
      if (seen == Format::empty_key) { seen = block.compare_exchange(taken_by, Format::empty_key, key); }
      is_first = seen == Format::empty_key;
      if (is_first) { return false; }
      if (seen != key) { continue; }
      if constexpr (inserts) {
        if (combines()) { exec::combine_live<Format>(reinterpret_cast<Value*>(&place)[1], combine, value_of(item)); }
      }
      return true;
    }
    return false;
  }
  SLOTSCAPE_HOST_DEVICE void note_copy(std::uint32_t number) const
  {
    if (outcomes != nullptr) { outcomes[number] = inserts ? Outcome::updated : Outcome::missing; }
  }

  SLOTSCAPE_HOST_DEVICE bool combines() const
  {
    return inserts && combine != Combine::replace && combine != Combine::keep_first;
  }
  /// The item that goes on, with the values of those that do not.
  template <std::size_t size>
  SLOTSCAPE_HOST_DEVICE Item with_copies(std::array<Item, size> const& items, Item item) const
  {
    if constexpr (inserts) {
      Item const first = items[place_of<size>(key_of(item), 0)];
      Item const place = key_of(first) == key_of(item) ? first : items[place_of<size>(key_of(item), 1)];
      return pack(key_of(item), combined<Format>(combine, value_of(item), value_of(place)));
    } else {
      return item;
    }
  }

private:
  template <std::size_t size>
  SLOTSCAPE_HOST_DEVICE static std::uint32_t place_of(Key key, int choice)
  {
    constexpr std::uint32_t count = places<size>;
    constexpr auto bits = static_cast<std::size_t>(std::bit_width(count) - 1);
    constexpr Key odd = sizeof(Key) == 4 ? static_cast<Key>(0x9e3779b1u) : static_cast<Key>(0x9e3779b97f4a7c15u);
    auto const product = static_cast<Key>(key * odd);
    auto const upper = static_cast<std::uint32_t>(product >> (8 * sizeof(Key) - 2 * bits));
    return (choice == 0 ? upper >> bits : upper) & (count - 1);
  }
};

}  // namespace slotscape::partition
