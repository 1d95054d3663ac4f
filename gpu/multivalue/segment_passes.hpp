#pragma once

#include "gpu/execution/streaming.hpp"
#include "gpu/multivalue/local_groups.hpp"
#include "gpu/multivalue/ranges.hpp"
#include "gpu/tables/linear_probing.hpp"

/// Grouping of pairs that are partitioned by the hash of their keys: all pairs of a key are in one segment, which a
/// block groups in shared memory.
namespace slotscape::multivalue::segment_passes {

/// Deals hashes to segments in ascending order: the layout that `partition` requires.
template <PairFormat Format>
struct Segments {
  std::uint32_t segments;

  SLOTSCAPE_HOST_DEVICE std::uint32_t segment(typename Format::Key key) const
  {
    std::uint64_t const hash = KeyHash<typename Format::Key>::upper(key);
    return static_cast<std::uint32_t>((hash * segments) >> 32);
  }
  /// The smallest upper hash half of a segment's keys.
  SLOTSCAPE_HOST_DEVICE std::uint64_t first_hash(std::uint64_t segment) const
  {
    return ((segment << 32) + segments - 1) / segments;
  }
};

/// Counts the pairs per segment, for very many segments.
template <PairFormat Format>
struct CountPairs {
  Segments<Format> segments;
  typename Format::Key const* keys;
  std::uint32_t* counts;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    auto const key = exec::load_once(keys[i]);
    if (!Format::is_reserved(key)) { count_one(counts, segments.segment(key)); }
  }
};

/// The groups of a segment: the first one, and their number.
struct Share {
  std::uint32_t first;
  std::uint32_t count;
};

/// Numbers of groups.
struct Listed {
  std::uint32_t* groups;
  std::uint32_t* count;
};

struct Counts {
  std::uint64_t sizes;   ///< number of groups, in the low half, and of their values
  std::uint32_t left;    ///< number of segments that were left
  std::uint32_t listed;  ///< number of groups listed by `Fill`
};

/// Copies the groups, and writes the end of the last one.
template <PairFormat Format>
struct CopyGroups {
  GroupArrays<Format> from;
  GroupArrays<Format> to;
  Sizes sizes;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    bool const is_end = i == sizes.distinct;
    if (!is_end) { to.keys[i] = from.keys[i]; }
    to.offsets[i] = is_end ? static_cast<std::uint32_t>(sizes.pairs) : from.offsets[i];
  }
};

/// Counts the keys of a segment, reserves room for its groups and its values, and moves the values there. As in the
/// paper (Alcantara et al. 2009, 4.2), blocks reserve room by adding to a counter, so segments are in any order. A
/// segment with too many keys, or with so many pairs that other blocks would wait for this one, is left.
template <PairFormat Format>
struct Group {
  static constexpr int threads = Format::bits == 32 ? 512 : 1024;
  static constexpr int blocks_at_once = Format::bits == 32 ? 2 : 1;
  /// Room for the keys of a segment in shared memory.
  using Shared = LocalGroups<Format, threads, 12288>;
  static constexpr std::uint64_t pairs_per_segment = 6144;  ///< average: half the number of places
  static constexpr std::uint32_t max_pairs = 1u << 15;

  PackedPairs<Format> pairs;
  std::uint32_t const* starts;  ///< start of each segment, and the end of the last
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
    if (first == end || end - first > max_pairs) { return leave(segment, block, first != end); }
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

/// Writes a part of a linear probing table whose homes ascend with the hashes: the homes of a segment's keys, or equal
/// shares of them. A block fills the part in shared memory. A key that finds no place before the part ends is listed,
/// and inserted when all parts are complete: no slot from its home to that end is empty then, so the table is the same
/// as if the keys had been inserted one after another.
template <PairFormat Format, class View>
struct Fill {
  using Key = typename Format::Key;
  static constexpr int threads = Format::bits == 32 ? 512 : 1024;
  static constexpr int blocks_at_once = Format::bits == 32 ? 2 : 1;
  static constexpr std::uint32_t max_slots = 13312;
  struct Shared {
    std::array<Key, max_slots> keys;
    std::array<std::uint32_t, max_slots> numbers;
  };

  Segments<Format> segments;
  std::uint32_t parts;  ///< per segment
  Share const* shares;
  Key const* keys;  ///< of the groups
  View table;
  Listed listed;

  /// How many parts a segment needs for each part to fit.
  static std::uint32_t parts_of(std::uint64_t slots, std::uint32_t segments)
  {
    return static_cast<std::uint32_t>((slots / segments + 1) / (max_slots - 1)) + 1;
  }

  template <class Block>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t b, Block block, Shared& shared) const
  {
    std::uint64_t const segment = b / parts;
    Slot const start = first_slot(segment);
    std::uint64_t const all = first_slot(segment + 1) - start;
    bool const is_last = b % parts == parts - 1;
    Slot const first = start + static_cast<Slot>(all * (b % parts) / parts);
    std::uint32_t const size = start + static_cast<Slot>(all * (b % parts + 1) / parts) - first;
    Share const share = shares[segment];
    block.for_each_thread([&](int t) {
      for (std::uint32_t i = t; i < size; i += Block::size) { shared.keys[i] = Format::empty_key; }
    });
    block.for_each_thread([&](int t) {
      for (std::uint32_t g = t; g < share.count; g += Block::size) {
        std::uint32_t const group = share.first + g;
        Key const key = keys[group];
        Slot const home = table.layout.home(key);
        if (home < first || (home >= first + size && !is_last)) { continue; }
        std::uint32_t const i = place(shared, home - first, size, key);
        if (i < size) {
          shared.numbers[i] = group;
        } else {
          listed.groups[exec::fetch_add(*listed.count, 1u)] = group;
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
  /// Stores the key in the first free place from i on, and returns that place; `size` or more if there is none.
  SLOTSCAPE_HOST_DEVICE static std::uint32_t place(Shared& shared, std::uint32_t i, std::uint32_t size, Key key)
  {
    for (; i < size; ++i) {
      if (exec::load_relaxed(shared.keys[i]) != Format::empty_key) { continue; }
      if (exec::compare_exchange(shared.keys[i], Format::empty_key, key) == Format::empty_key) { break; }
    }
    return i;
  }
};

/// Inserts the listed groups, and those from `first` to `end`. Runs with few threads, since the host does not know how
/// many groups are listed.
template <TableFamily Family, class View>
struct InsertGroups {
  static constexpr std::uint64_t threads = 1u << 17;

  View table;
  typename View::Key const* keys;
  Listed listed;
  std::uint32_t first;
  std::uint32_t end;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t thread) const
  {
    std::uint64_t const count = *listed.count;
    for (std::uint64_t i = thread; i < count + (end - first); i += threads) {
      std::uint32_t const group = i < count ? listed.groups[i] : first + static_cast<std::uint32_t>(i - count);
      Family::insert(table, keys[group], typename View::Value{group});
    }
  }
};

}  // namespace slotscape::multivalue::segment_passes
