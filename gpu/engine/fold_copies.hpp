#pragma once

#include "gpu/base/pair_format.hpp"
#include "gpu/execution/atomics.hpp"
#include "gpu/execution/block.hpp"
#include "gpu/execution/combine.hpp"

#include <array>
#include <bit>
#include <type_traits>

namespace slotscape::partition {

/// The items to partition: pairs to insert, or keys to erase.
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

/// At least this many copies in the first pass show that keys repeat. A batch in which each key occurs twice shows
/// about 20.
inline constexpr std::uint32_t few_copies = 4;

/// For batches whose keys are distinct, or whose copies are all needed.
struct NoFolding {
  static constexpr bool folds = false;
};

/// Of several operations on one key in a tile, only one continues, on behalf of all: a hot key then reaches its segment
/// once per tile, instead of keeping a single block busy. The others end here. Not every copy is found: if another key
/// has taken its place in a small table, a copy continues, too. A tile is searched only if its first items show copies.
/// If the first pass has `seen` copies, the second searches all tiles: a key may be dense enough there for a room to
/// overflow, but too rare to show.
template <PairFormat Format, Operation operation>
struct Folding {
  static constexpr bool folds = true;
  static constexpr bool inserts = operation == Operation::insert;
  using Key = typename Format::Key;
  using Value = typename Format::Value;
  using Item = partition::Item<Format, operation>;

  /// The number of keys that an array of this size can distinguish.
  template <std::size_t size>
  static constexpr std::uint32_t places = std::bit_floor(size);

  Combine combine;
  Outcome* outcomes;    ///< also of the operations that end here; or null
  std::uint32_t* seen;  ///< number of copies in the first pass

  /// The content of a place that no key has taken: a reserved key, and a neutral value.
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

  /// Whether another operation continues on behalf of this one. If not, `is_first` becomes true if this operation may
  /// represent others. A key has two places, in case two hot keys share one.
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
  /// The item that continues, combined with the values of those that do not.
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
