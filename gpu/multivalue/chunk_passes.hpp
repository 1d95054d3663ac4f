#pragma once

#include "gpu/multivalue/local_groups.hpp"
#include "gpu/multivalue/ranges.hpp"

/// Grouping without a partition. Blocks take chunks of the pairs and count their keys in shared memory, so that a key
/// with many values costs the table's counters one addition per chunk, instead of one per value.
namespace slotscape::multivalue::chunk_passes {

/// A run of pairs and its entries, one for each distinct key.
struct Chunk {
  std::uint32_t first;
  std::uint32_t end;
  std::uint32_t first_entry;
  std::uint32_t entries;

  static constexpr std::uint32_t size = 2048;  ///< maximum number of pairs
};

/// A block's shared memory for its chunk: 48 KiB, or a little more for 64-bit keys.
template <PairFormat Format>
using Local = LocalGroups<Format, 256, 2 * Chunk::size>;
static_assert(Local<Narrow>::at_most >= Chunk::size);

/// Divides `count` pairs into chunks.
struct Cut {
  std::uint64_t count;
  Chunk* chunks;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    std::uint64_t const end = (i + 1) * Chunk::size;
    chunks[i] = {static_cast<std::uint32_t>(i * Chunk::size), static_cast<std::uint32_t>(end < count ? end : count), 0,
                 0};
  }
};

/// Counts the keys of a chunk, and writes an entry for each.
template <PairFormat Format, class Pairs>
struct Count {
  using Shared = Local<Format>;
  static constexpr int threads = Shared::threads;

  Pairs pairs;
  Chunk* chunks;
  typename Format::Key* keys;  ///< of the entries
  std::uint32_t* numbers;      ///< of values
  std::uint32_t* entries;      ///< total of all chunks

  template <class Block>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t c, Block block, Shared& shared) const
  {
    Chunk& chunk = chunks[c];
    shared.clear(block);
    block.for_each_thread([&](int t) {
      for_items<Format, false>(pairs, chunk.first, chunk.end, t, Block::size,
                               [&](auto key, auto) { block.add(shared.numbers[shared.claim(block, key)], 1); });
    });
    block.for_each_thread([&](int t) {
      if (t != 0) { return; }
      chunk.entries = shared.distinct;
      shared.first_group = exec::fetch_add(*entries, shared.distinct);
      chunk.first_entry = shared.first_group;
    });
    std::uint32_t const start = shared.first_group;
    shared.number_groups(block, [&](auto key, std::uint32_t group, std::uint32_t, std::uint32_t count) {
      keys[start + group] = key;
      numbers[start + group] = count;
    });
  }
};

/// Adds each entry's number of values to the count of its key; the old count is the entry's rank among the key's
/// values.
struct AddEntries {
  Slot const* slots;
  std::uint32_t* numbers;
  std::uint32_t* counts;  ///< by slot

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    numbers[i] = exec::fetch_add(counts[slots[i]], numbers[i]);
  }
};

/// 1 for each slot with values.
struct MarkGroups {
  std::uint32_t const* counts;
  std::uint32_t* marks;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t slot) const { marks[slot] = counts[slot] != 0 ? 1 : 0; }
};

/// Writes the groups in the order of their slots, and their numbers into the table: the keys get consecutive numbers
/// (Alcantara et al. 2009, 4.3).
template <PairFormat Format>
struct WriteGroups {
  std::uint32_t const* groups_before;
  std::uint32_t const* values_before;
  typename Format::Word* words;
  Sizes before;
  GroupArrays<Format> to;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t slot) const
  {
    auto const word = words[slot];
    if (word == Format::empty_word) { return; }
    auto const group = static_cast<std::uint32_t>(before.distinct) + groups_before[slot];
    to.keys[group] = key_of(word);
    to.offsets[group] = static_cast<std::uint32_t>(before.pairs) + values_before[slot];
    words[slot] = pack(key_of(word), typename Format::Value{group});
  }
};

/// Moves the values of a chunk to their places. The chunk's entries give the start of each key's values.
template <PairFormat Format, class Pairs>
struct Place {
  using Shared = Local<Format>;
  static constexpr int threads = Shared::threads;

  Pairs pairs;
  Chunk const* chunks;
  typename Format::Key const* keys;
  std::uint32_t const* ranks;
  Slot const* slots;
  std::uint32_t const* values_before;  ///< by slot
  typename Format::Value* values;

  template <class Block>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t c, Block block, Shared& shared) const
  {
    Chunk const chunk = chunks[c];
    shared.clear(block);
    block.for_each_thread([&](int t) {
      for (std::uint32_t e = t; e < chunk.entries; e += Block::size) {
        std::uint32_t const entry = chunk.first_entry + e;
        shared.numbers[shared.claim(block, keys[entry])] = values_before[slots[entry]] + ranks[entry];
      }
    });
    place_items<Format>(block, shared, pairs, chunk.first, chunk.end, values);
  }
};

}  // namespace slotscape::multivalue::chunk_passes
