#pragma once

#include "gpu/multivalue/local_groups.hpp"
#include "gpu/multivalue/ranges.hpp"
#include "gpu/tables/linear_probing.hpp"

/// Grouping of pairs that are partitioned by the hash of their keys: all pairs of a key are in one segment, which a
/// block groups in shared memory.
namespace slotscape::multivalue::segment_passes {

/// Deals hashes to segments in ascending order: this is what `partition` asks of a layout.
template <PairFormat Format>
struct Segments {
  std::uint32_t segments;

  SLOTSCAPE_HOST_DEVICE std::uint32_t segment(typename Format::Key key) const
  {
    return static_cast<std::uint32_t>((std::uint64_t{KeyHash<typename Format::Key>::upper(key)} * segments) >> 32);
  }
  /// The least upper hash of a segment's keys.
  SLOTSCAPE_HOST_DEVICE std::uint64_t first_hash(std::uint64_t segment) const
  {
    return ((segment << 32) + segments - 1) / segments;
  }
};

/// The groups of a segment: the first, and how many.
struct Share {
  std::uint32_t first;
  std::uint32_t count;
};

struct alignas(8) Counts {
  std::uint64_t sizes;  ///< groups, in the low half, and their values
  std::uint32_t left;   ///< segments that were left
};

/// Counts the keys of a segment, takes room for its groups and its values, and moves the values there. As in the paper
/// (Alcantara et al. 2009, 4.2), blocks take room by adding to a counter, so that segments lie in any order. A segment
/// of too many keys, or of so many pairs that other blocks would wait for this one, is left.
template <PairFormat Format>
struct Group {
  static constexpr int threads = Format::bits == 32 ? 512 : 1024;
  static constexpr int blocks_at_once = Format::bits == 32 ? 2 : 1;
  /// What the keys of a segment may take in shared memory.
  using Shared = LocalGroups<Format, threads, 12288>;
  static constexpr std::uint64_t pairs_per_segment = 6000;  ///< at most half as many as places, on average
  static constexpr std::uint32_t most_pairs = 1u << 16;

  PackedPairs<Format> pairs;
  std::uint32_t const* starts;  ///< of the segments, and the end of the last
  Share* shares;
  std::uint32_t* left;
  Counts* counts;
  GroupArrays<Format> to;
  typename Format::Value* values;

  template <class Block>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t segment, Block block, Shared& shared) const
  {
    std::uint32_t const first = starts[segment];
    std::uint32_t const end = starts[segment + 1];
    if (first == end || end - first > most_pairs) { return leave(segment, block, first != end); }
    shared.clear(block);
    block.for_each_thread([&](int t) {
      for_items<Format, false>(pairs, first, end, t, Block::size, [&](auto key, auto) {
        std::uint32_t const slot = shared.claim(block, key);
        if (slot != Shared::none) { block.add(shared.numbers[slot], 1); }
      });
    });
    if (shared.is_full()) { return leave(segment, block, true); }
    block.for_each_thread([&](int t) {
      if (t != 0) { return; }
      std::uint64_t const before = exec::fetch_add(counts->sizes, (std::uint64_t{end - first} << 32) | shared.distinct);
      shares[segment] = {static_cast<std::uint32_t>(before), shared.distinct};
      shared.first_item = static_cast<std::uint32_t>(before >> 32);
      shared.first_group = static_cast<std::uint32_t>(before);
    });
    std::uint32_t const first_value = shared.first_item;
    std::uint32_t const first_group = shared.first_group;
    shared.number_groups(block, [&](auto key, std::uint32_t group, std::uint32_t place, std::uint32_t) {
      to.keys[first_group + group] = key;
      to.offsets[first_group + group] = first_value + place;
    });
    place_items<Format>(block, shared, pairs, first, end, values + first_value);
  }

private:
  template <class Block>
  SLOTSCAPE_HOST_DEVICE void leave(std::uint64_t segment, Block block, bool has_pairs) const
  {
    block.for_each_thread([&](int t) {
      if (t != 0) { return; }
      shares[segment] = {0, 0};
      if (has_pairs) { left[exec::fetch_add(counts->left, 1u)] = static_cast<std::uint32_t>(segment); }
    });
  }
};

/// Writes a segment's part of a linear probing table whose homes ascend with the hashes: a block fills it in shared
/// memory. A key that finds no place before the next segment's part is listed, to be inserted when all parts are there:
/// as no slot before the end is empty then, the table is what inserting one key after another would have made.
template <PairFormat Format, class View>
struct Fill {
  using Key = typename Format::Key;
  static constexpr int threads = Format::bits == 32 ? 512 : 1024;
  static constexpr int blocks_at_once = Format::bits == 32 ? 2 : 1;
  static constexpr std::uint32_t most_slots = 12288;
  struct Shared {
    std::array<Key, most_slots> keys;
    std::array<std::uint32_t, most_slots> numbers;
  };

  Segments<Format> segments;
  Share const* shares;
  Key const* keys;  ///< of the groups
  View table;
  std::uint32_t* listed;
  std::uint32_t* count;  ///< of those that are listed

  /// Whether no part is too large.
  static bool suits(std::uint64_t slots, std::uint32_t segments) { return slots / segments + 2 <= most_slots; }

  template <class Block>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t segment, Block block, Shared& shared) const
  {
    Slot const first = first_slot(segment);
    std::uint32_t const size = first_slot(segment + 1) - first;
    Share const share = shares[segment];
    block.for_each_thread([&](int t) {
      for (std::uint32_t i = t; i < size; i += Block::size) { shared.keys[i] = Format::empty_key; }
    });
    block.for_each_thread([&](int t) {
      for (std::uint32_t g = t; g < share.count; g += Block::size) {
        std::uint32_t const group = share.first + g;
        Key const key = keys[group];
        std::uint32_t i = table.layout.home(key) - first;
        while (i < size && exec::compare_exchange(shared.keys[i], Format::empty_key, key) != Format::empty_key) { ++i; }
        if (i < size) {
          shared.numbers[i] = group;
        } else {
          listed[exec::fetch_add(*count, 1u)] = group;
        }
      }
    });
    block.for_each_thread([&](int t) {
      for (std::uint32_t i = t; i < size; i += Block::size) {
        bool const taken = shared.keys[i] != Format::empty_key;
        table.machine.words[first + i] =
            taken ? pack(shared.keys[i], typename Format::Value{shared.numbers[i]}) : Format::empty_word;
      }
    });
  }

private:
  SLOTSCAPE_HOST_DEVICE Slot first_slot(std::uint64_t segment) const
  {
    std::uint64_t const slots = table.layout.slots();
    if (segment == segments.segments) { return static_cast<Slot>(slots); }
    return static_cast<Slot>((segments.first_hash(segment) * slots) >> 32);
  }
};

/// Inserts the listed groups, and those from `first` on.
template <TableFamily Family, class View>
struct InsertGroups {
  View table;
  typename View::Key const* keys;
  std::uint32_t const* listed;
  std::uint32_t count;  ///< of those that are listed
  std::uint32_t first;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    std::uint32_t const group = i < count ? listed[i] : first + static_cast<std::uint32_t>(i - count);
    Family::insert(table, keys[group], typename View::Value{group});
  }
};

}  // namespace slotscape::multivalue::segment_passes
