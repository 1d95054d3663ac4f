#pragma once

#include "gpu/engine/segment.hpp"

namespace slotscape::segment_passes {

/// Erases a segment's share. A bit per slot is set by the first thread that erases its key; only the slots with set
/// bits are written back.
template <TableFamily Family, PairFormat Format>
struct Erase {
  using Word = typename Format::Word;
  using Key = typename Format::Key;
  using OneSegment = Segment<Family, Format>;
  using Layout = typename OneSegment::Layout;
  static constexpr int threads = Format::bits == 32 ? 512 : 1024;
  static constexpr int blocks_at_once = Format::bits == 32 ? 3 : 1;
  static constexpr std::uint32_t largest_share = 1u << 17;  ///< larger shares run better on all multiprocessors

  struct Shared {
    OneSegment segment;
    std::array<std::uint32_t, OneSegment::slots / 32> erased;
    std::uint32_t count;
  };

  Layout layout;
  Word* words;
  std::uint64_t const* metadata;
  Shares<Format, Key> shares;

  template <class Block>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t segment, Block block, Shared& shared) const
  {
    std::uint32_t const size = shares.size(segment);
    if (size == 0) { return; }
    if (size > largest_share) { return shares.leave(block, segment); }
    block.for_each_thread([&](int t) {
      if (t == 0) { shared.count = 0; }
      for (std::uint32_t i = t; i < shared.erased.size(); i += Block::size) { shared.erased[i] = 0; }
    });
    shared.segment.load(block, layout, segment, words, metadata, false);
    block.for_each_thread([&](int t) { block.add_of_all(shared.count, erase(block, shared, segment, size, t)); });
    clear_erased(block, shared, segment);
    block.for_each_thread([&](int t) {
      if (t != 0) { return; }
      shares.count(Outcome::erased, shared.count);
      shares.count(Outcome::missing, size - shared.count);
    });
  }

private:
  /// Marks the slots of one thread's keys. Returns how many of the keys no other thread had erased before.
  template <class Block>
  SLOTSCAPE_HOST_DEVICE std::uint32_t erase(Block block, Shared& shared, std::uint64_t segment, std::uint32_t size,
                                            int t) const
  {
    constexpr std::uint32_t at_once = 8;
    Key const* const items = shares.items.items + shares.starts[segment];
    std::uint32_t erased = 0;
    for (std::uint32_t base = t; base < size; base += at_once * Block::size) {
      Key keys[at_once];
      SLOTSCAPE_UNROLL
      for (std::uint32_t j = 0; j < at_once; ++j) {
        std::uint32_t const i = base + j * Block::size;
        keys[j] = i < size ? exec::load_once(items[i]) : Format::empty_key;
      }
      SLOTSCAPE_UNROLL
      for (std::uint32_t j = 0; j < at_once; ++j) {
        std::uint32_t const i = base + j * Block::size;
        if (i >= size) { continue; }
        bool const first = erase_one(block, shared, keys[j], t);
        erased += first ? 1 : 0;
        shares.note_outcome(shares.starts[segment] + i, first ? Outcome::erased : Outcome::missing);
      }
    }
    return erased;
  }

  template <class Block>
  SLOTSCAPE_HOST_DEVICE bool erase_one(Block block, Shared& shared, Key key, int t) const
  {
    std::uint32_t const slot = shared.segment.seek(layout.choices(key), key, t);
    if (slot == OneSegment::none) { return false; }
    std::uint32_t const bit = 1u << (slot % 32);
    return (block.set_bits(shared.erased[slot / 32], bit) & bit) == 0;
  }

  template <class Block>
  SLOTSCAPE_HOST_DEVICE void clear_erased(Block block, Shared& shared, std::uint64_t segment) const
  {
    shared.segment.store_without(block, layout, segment, words, shared.erased);
    if (shares.changes == nullptr) { return; }
    std::uint32_t const count = layout.segment_buckets * OneSegment::bucket_slots;
    block.for_each_thread([&](int t) {
      for (std::uint32_t slot = t; slot < count; slot += Block::size) {
        if ((shared.erased[slot / 32] >> (slot % 32) & 1) == 0) { continue; }
        shares.note_change(segment * count + slot, Operation::erase);
      }
    });
  }
};

}  // namespace slotscape::segment_passes
