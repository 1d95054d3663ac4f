#pragma once

#include "gpu/engine/partition.hpp"
#include "gpu/engine/run_operations.hpp"
#include "gpu/execution/streaming.hpp"

#include <array>

/// Applies a partitioned batch: a block copies a segment to shared memory, changes it there, and writes it back.
namespace slotscape::segment_passes {

/// What the blocks report.
struct Counts {
  std::array<std::uint64_t, outcome_count> outcomes;
  std::uint32_t overflowed;  ///< the partition failed, and nothing was applied
  std::uint32_t copies;      ///< copies of keys folded in the first pass of the partition
  std::uint32_t in_vain;     ///< segments with too many copies to merge at the end
};

/// A segment's share of a batch, and where its results go.
template <PairFormat Format, class Item>
struct Shares {
  partition::Items<Item> items;
  std::uint32_t const* starts;  ///< start of each segment's share
  std::uint32_t const* ends;
  Outcome* outcomes;
  std::uint8_t* changes;  ///< one per slot; or null
  std::uint32_t* left;    ///< one per segment: set if the share was left because it could not be applied completely
  Counts* counts;

  SLOTSCAPE_HOST_DEVICE static bool is_rejected(Item item)
  {
    if constexpr (std::is_same_v<Item, typename Format::Word>) { return value_of(item) == Format::empty_value; }
    return false;
  }
  /// 0 if the partition failed.
  SLOTSCAPE_HOST_DEVICE std::uint32_t size(std::uint64_t segment) const
  {
    return counts->overflowed != 0 ? 0 : ends[segment] - starts[segment];
  }
  SLOTSCAPE_HOST_DEVICE void note_outcome(std::uint32_t i, Outcome outcome) const
  {
    if (items.numbers != nullptr) { outcomes[items.numbers[i]] = outcome; }
  }
  SLOTSCAPE_HOST_DEVICE void count(Outcome outcome, std::uint64_t more) const
  {
    if (more != 0) { exec::fetch_add(counts->outcomes[static_cast<std::size_t>(outcome)], more); }
  }
  SLOTSCAPE_HOST_DEVICE void note_change(std::uint64_t slot, Operation operation) const
  {
    if (changes != nullptr) { exec::store_relaxed(changes[slot], fresh_change(operation)); }
  }
  /// Leaves a segment's whole share, except rejected operations, to the direct path.
  template <class Block>
  SLOTSCAPE_HOST_DEVICE void leave(Block block, std::uint64_t segment) const
  {
    block.for_each_thread([&](int t) {
      std::uint64_t full = 0;
      for (std::uint32_t i = starts[segment] + t; i < ends[segment]; i += Block::size) {
        if (is_rejected(items.items[i])) { continue; }
        note_outcome(i, Outcome::full);
        ++full;
      }
      count(Outcome::full, full);
      if (t == 0) { left[segment] = 1; }
    });
  }
};

/// A segment in shared memory.
template <TableFamily Family, PairFormat Format>
struct Segment {
  using Word = typename Format::Word;
  using Key = typename Format::Key;
  using Layout = typename Family::template Layout<Format>;
  static constexpr std::uint32_t bucket_slots = Family::bucket_slots;
  static constexpr std::uint32_t slots = Family::largest_segment;
  static constexpr std::uint32_t buckets = slots / bucket_slots;
  static constexpr std::uint32_t none = 0xffffffffu;

  /// The unit of copying between memories.
  struct alignas(16) Chunk {
    static constexpr std::uint32_t words = 16 / sizeof(Word);
    std::array<Word, words> pairs;
  };

  std::array<Chunk, slots / Chunk::words> chunks;
  std::array<std::uint32_t, buckets / 32> overflow;  ///< bits

  SLOTSCAPE_HOST_DEVICE Word& word(std::uint32_t slot) { return reinterpret_cast<Word*>(chunks.data())[slot]; }
  /// The upper half of a word.
  SLOTSCAPE_HOST_DEVICE typename Format::Value& value(std::uint32_t slot)
  {
    return reinterpret_cast<typename Format::Value*>(chunks.data())[std::size_t{2} * slot + 1];
  }
  SLOTSCAPE_HOST_DEVICE Word const& word(std::uint32_t slot) const
  {
    return reinterpret_cast<Word const*>(chunks.data())[slot];
  }

  SLOTSCAPE_HOST_DEVICE bool has_overflowed(std::uint32_t bucket) const
  {
    return ((exec::load_relaxed(overflow[bucket / 32]) >> (bucket % 32)) & 1) != 0;
  }
  /// The key's slot in the bucket, or `none`. Neighbouring threads start at different slots to avoid bank conflicts.
  SLOTSCAPE_HOST_DEVICE std::uint32_t seek(std::uint32_t bucket, Key key, int thread) const
  {
    std::uint32_t found = none;
    for (std::uint32_t s = 0; s < bucket_slots; ++s) {
      std::uint32_t const slot = bucket * bucket_slots + (s + static_cast<std::uint32_t>(thread)) % bucket_slots;
      if (key_of(word(slot)) == key) { found = slot; }
    }
    return found;
  }
  SLOTSCAPE_HOST_DEVICE std::uint32_t seek(typename Family::Choices const& choice, Key key, int thread) const
  {
    std::uint32_t const slot = seek(choice.first, key, thread);
    return slot == none && has_overflowed(choice.first) ? seek(choice.second, key, thread) : slot;
  }

  /// A step: copies the segment into shared memory, or empties it there.
  template <class Block>
  SLOTSCAPE_HOST_DEVICE void load(Block block, Layout const& layout, std::uint64_t segment, Word* from,
                                  std::uint64_t const* metadata, bool fresh)
  {
    std::uint64_t const first_bits = segment * layout.bit_words();
    block.for_each_thread([&](int t) {
      for (std::uint32_t i = t; i < 2 * layout.bit_words(); i += Block::size) {
        overflow[i] = fresh ? 0 : static_cast<std::uint32_t>(metadata[first_bits + i / 2] >> (i % 2 * 32));
      }
      if (fresh) {
        Chunk empty;
        for (Word& pair : empty.pairs) { pair = Format::empty_word; }
        for (std::uint32_t i = t; i < chunk_count(layout); i += Block::size) { chunks[i] = empty; }
      } else {
        load_chunks<Block>(chunks_of(layout, segment, from), chunk_count(layout), t);
      }
    });
  }
  /// A step: writes the whole segment back.
  template <class Block>
  SLOTSCAPE_HOST_DEVICE void store(Block block, Layout const& layout, std::uint64_t segment, Word* to,
                                   std::uint64_t* metadata) const
  {
    std::uint64_t const first_bits = segment * layout.bit_words();
    Chunk* const its = chunks_of(layout, segment, to);
    block.for_each_thread([&](int t) {
      SLOTSCAPE_UNROLL_BY_4
      for (std::uint32_t i = t; i < chunk_count(layout); i += Block::size) { exec::store_once(its[i], chunks[i]); }
      for (std::uint32_t i = t; i < layout.bit_words(); i += Block::size) {
        metadata[first_bits + i] = overflow[2 * i] | (std::uint64_t{overflow[2 * i + 1]} << 32);
      }
    });
  }

  /// A step: empties in memory the slots whose bits are set. Writes every affected sector of 32 bytes as a whole.
  template <class Block, std::size_t size>
  SLOTSCAPE_HOST_DEVICE void store_without(Block block, Layout const& layout, std::uint64_t segment, Word* to,
                                           std::array<std::uint32_t, size> const& emptied) const
  {
    constexpr std::uint32_t sector = 32 / sizeof(Word);
    Chunk* const its = chunks_of(layout, segment, to);
    block.for_each_thread([&](int t) {
      for (std::uint32_t i = t; i < chunk_count(layout); i += Block::size) {
        std::uint32_t const slot = i * Chunk::words;
        std::uint32_t const bits = emptied[slot / 32] >> (slot % 32 / sector * sector);
        if ((bits & ((1u << sector) - 1)) == 0) { continue; }
        Chunk chunk = chunks[i];
        SLOTSCAPE_UNROLL
        for (std::uint32_t w = 0; w < Chunk::words; ++w) {
          if ((bits >> (slot % sector + w) & 1) != 0) { chunk.pairs[w] = Format::empty_word; }
        }
        exec::store_once(its[i], chunk);
      }
    });
  }

private:
  SLOTSCAPE_HOST_DEVICE static std::uint32_t chunk_count(Layout const& layout)
  {
    return layout.segment_buckets * bucket_slots / Chunk::words;
  }
  SLOTSCAPE_HOST_DEVICE static Chunk* chunks_of(Layout const& layout, std::uint64_t segment, Word* words)
  {
    return reinterpret_cast<Chunk*>(words) + segment * chunk_count(layout);
  }
  /// Loads one thread's share, with several loads in flight together.
  template <class Block>
  SLOTSCAPE_HOST_DEVICE void load_chunks(Chunk const* from, std::uint32_t count, int t)
  {
    constexpr std::uint32_t at_once = 4;
    for (std::uint32_t base = t; base < count; base += at_once * Block::size) {
      Chunk some[at_once];
      SLOTSCAPE_UNROLL
      for (std::uint32_t j = 0; j < at_once; ++j) {
        std::uint32_t const i = base + j * Block::size;
        some[j] = from[i < count ? i : base];
      }
      SLOTSCAPE_UNROLL
      for (std::uint32_t j = 0; j < at_once; ++j) {
        std::uint32_t const i = base + j * Block::size;
        if (i < count) { chunks[i] = some[j]; }
      }
    }
  }
};

}  // namespace slotscape::segment_passes
