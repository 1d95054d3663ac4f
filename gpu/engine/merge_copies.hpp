#pragma once

#include "gpu/engine/segment.hpp"
#include "gpu/execution/combine.hpp"

namespace slotscape::segment_passes {

/// Merges pairs with the same key, in a segment whose items were placed as if all their keys were distinct.
///
/// Copies of a key are in its two buckets. Step 1 compares the keys of each bucket; a thread changes only its own
/// buckets. A bucket then has at most one copy of a key, and step 2 looks for the keys of guests, which are in their
/// second buckets, in their first buckets: the copy there is not a guest, so no other thread removes it.
template <TableFamily Family, PairFormat Format>
struct MergeCopies {
  using Word = typename Format::Word;
  using Key = typename Format::Key;
  using OneSegment = Segment<Family, Format>;
  using Layout = typename OneSegment::Layout;
  static constexpr std::uint32_t bucket_slots = OneSegment::bucket_slots;

  Layout layout;
  Combine combine;

  /// Step 1 for one thread's buckets; returns how many pairs were removed.
  template <class Block>
  SLOTSCAPE_HOST_DEVICE std::uint32_t in_buckets(OneSegment& segment, int t) const
  {
    std::uint32_t removed = 0;
    for (std::uint32_t b = t; b < layout.segment_buckets; b += Block::size) {
      for (Equal both = equal_keys(segment, b, t); both.stays != both.goes; both = equal_keys(segment, b, t)) {
        merge(segment, both.stays, both.goes);
        ++removed;
      }
    }
    return removed;
  }
  /// Step 2. `buckets` are words in which `guest_bit` says whether a bucket has guests.
  template <class Block, std::size_t count>
  SLOTSCAPE_HOST_DEVICE std::uint32_t of_guests(OneSegment& segment, std::array<std::uint32_t, count> const& buckets,
                                                std::uint32_t guest_bit, int t) const
  {
    std::uint32_t removed = 0;
    for (std::uint32_t b = t; b < layout.segment_buckets; b += Block::size) {
      if ((buckets[b] & guest_bit) != 0) { removed += merge_guests(segment, b, t); }
    }
    return removed;
  }

private:
  /// Two slots of a bucket with the same key; the same slot twice if there are none.
  struct Equal {
    std::uint32_t stays;
    std::uint32_t goes;
  };
  /// Neighbouring threads begin at different slots, to avoid bank conflicts.
  SLOTSCAPE_HOST_DEVICE static Equal equal_keys(OneSegment const& segment, std::uint32_t bucket, int t)
  {
    auto const slot_of = [=](std::uint32_t s) {
      return bucket * bucket_slots + (s + static_cast<std::uint32_t>(t)) % bucket_slots;
    };
    Key keys[bucket_slots];
    SLOTSCAPE_UNROLL
    for (std::uint32_t s = 0; s < bucket_slots; ++s) { keys[s] = key_of(segment.word(slot_of(s))); }
    Equal found{0, 0};
    SLOTSCAPE_UNROLL
    for (std::uint32_t s = 1; s < bucket_slots; ++s) {
      SLOTSCAPE_UNROLL
      for (std::uint32_t r = 0; r < s; ++r) {
        if (keys[r] == keys[s] && keys[s] != Format::empty_key) { found = {r, s}; }
      }
    }
    return {slot_of(found.stays), slot_of(found.goes)};
  }

  SLOTSCAPE_HOST_DEVICE std::uint32_t merge_guests(OneSegment& segment, std::uint32_t bucket, int t) const
  {
    std::uint32_t removed = 0;
    for (std::uint32_t slot = bucket * bucket_slots; slot < (bucket + 1) * bucket_slots; ++slot) {
      Key const key = key_of(segment.word(slot));
      if (key == Format::empty_key) { continue; }
      std::uint32_t const first = layout.choices(key).first;
      if (first == bucket) { continue; }
      std::uint32_t const other = segment.seek(first, key, t);
      if (other == OneSegment::none) { continue; }
      merge(segment, other, slot);
      ++removed;
    }
    return removed;
  }

  /// If values replace each other, or the first is kept, any of the values may stay.
  SLOTSCAPE_HOST_DEVICE void merge(OneSegment& segment, std::uint32_t stays, std::uint32_t goes) const
  {
    Word const kept = segment.word(stays);
    auto const value = combined<Format>(combine, value_of(kept), value_of(segment.word(goes)));
    segment.word(stays) = pack(key_of(kept), value);
    segment.word(goes) = Format::empty_word;
  }
};

}  // namespace slotscape::segment_passes
