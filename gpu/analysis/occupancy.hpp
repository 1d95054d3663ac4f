#pragma once

#include "gpu/base/types.hpp"

#include <array>
#include <bit>
#include <cstdint>

namespace slotscape {

/// One bit per slot, set if the slot is not empty, and a tree over these bits, in which a set bit marks a full 64-bit
/// word one level down. Finds the next or previous empty slot in a few steps, however long the cluster. Bits past the
/// end of a level are set.
struct Occupancy {
  static constexpr int max_levels = 6;  // 64^6 slots
  static constexpr std::uint64_t full_word = ~std::uint64_t{0};
  static constexpr std::uint64_t none = ~std::uint64_t{0};

  std::array<std::uint64_t*, max_levels> words{};
  std::array<std::uint64_t, max_levels> counts{};  ///< words per level; the top level has one
  int levels = 0;
  std::uint64_t slots = 0;
  std::uint64_t ring = 0;  ///< number of slots after which probing wraps around: those of a shard, or all

  SLOTSCAPE_HOST_DEVICE bool has_rings() const { return ring != slots; }
  SLOTSCAPE_HOST_DEVICE bool occupied(std::uint64_t slot) const { return (words[0][slot / 64] >> (slot % 64)) & 1u; }

  /// The first empty slot at or after `slot`, without wrapping; `none` if all these slots are taken.
  SLOTSCAPE_HOST_DEVICE std::uint64_t next_empty(std::uint64_t slot) const
  {
    std::uint64_t position = slot;
    for (int level = 0; level < levels && position / 64 < counts[level]; ++level) {
      std::uint64_t const holes = ~words[level][position / 64] & (full_word << (position % 64));
      if (holes != 0) { return descend(level, position / 64 * 64 + lowest(holes), false); }
      position = position / 64 + 1;
    }
    return none;
  }

  /// The last empty slot at or before `slot`, without wrapping; `none` if all these slots are taken.
  SLOTSCAPE_HOST_DEVICE std::uint64_t previous_empty(std::uint64_t slot) const
  {
    std::uint64_t position = slot;
    for (int level = 0; level < levels; ++level) {
      std::uint64_t const holes = ~words[level][position / 64] & (full_word >> (63 - position % 64));
      if (holes != 0) { return descend(level, position / 64 * 64 + highest(holes), true); }
      if (position < 64) { return none; }
      position = position / 64 - 1;
    }
    return none;
  }

  /// The cluster that contains `slot`; its length is 0 if the slot is empty. Most clusters lie within one word.
  SLOTSCAPE_HOST_DEVICE Cluster cluster(Slot slot) const
  {
    if (!occupied(slot)) { return {slot, 0}; }
    if (has_rings()) { return cluster_within(slot, slot / ring * ring, slot / ring * ring + ring); }
    std::uint64_t const holes = ~words[0][slot / 64];
    std::uint64_t const holes_after = holes >> (slot % 64);
    std::uint64_t const holes_before = holes << (63 - slot % 64);
    if (holes_after != 0 && holes_before != 0) {
      auto const before = static_cast<Slot>(62 - highest(holes_before));  // slots of the cluster before this one
      return {slot - before, std::uint64_t{before} + static_cast<std::uint64_t>(lowest(holes_after))};
    }
    return cluster_within(slot, 0, slots);
  }

  /// Whether a slot is in the cluster, which must not be empty.
  SLOTSCAPE_HOST_DEVICE bool contains(Cluster const& cluster, Slot slot) const
  {
    std::uint64_t const from_start =
        slot < cluster.start ? std::uint64_t{slot} + ring - cluster.start : std::uint64_t{slot} - cluster.start;
    return from_start < cluster.length && (!has_rings() || slot / ring == cluster.start / ring);
  }

  /// The length of the cluster that starts at `slot`, in a table with an empty slot. Most end in this word or the next.
  SLOTSCAPE_HOST_DEVICE std::uint64_t length_from(std::uint64_t slot) const
  {
    std::uint64_t const holes = ~words[0][slot / 64] >> (slot % 64);
    if (holes != 0) { return static_cast<std::uint64_t>(lowest(holes)); }
    std::uint64_t const next = slot / 64 + 1;
    std::uint64_t const next_holes = next < counts[0] ? ~words[0][next] : 0;
    if (next_holes != 0) { return next * 64 - slot + static_cast<std::uint64_t>(lowest(next_holes)); }
    std::uint64_t const end = next_empty(slot);
    return end == none ? next_empty(0) + slots - slot : end - slot;
  }

  SLOTSCAPE_HOST_DEVICE static std::uint32_t count(std::uint64_t word)
  {
#if defined(__CUDA_ARCH__)
    return __popcll(word);
#else
    return static_cast<std::uint32_t>(std::popcount(word));
#endif
  }
  SLOTSCAPE_HOST_DEVICE static int lowest(std::uint64_t word)
  {
#if defined(__CUDA_ARCH__)
    return __ffsll(static_cast<long long>(word)) - 1;
#else
    return std::countr_zero(word);
#endif
  }
  SLOTSCAPE_HOST_DEVICE static int highest(std::uint64_t word)
  {
#if defined(__CUDA_ARCH__)
    return 63 - __clzll(static_cast<long long>(word));
#else
    return 63 - std::countl_zero(word);
#endif
  }

private:
  /// The cluster of a non-empty slot, within the ring of the slots [first, past).
  SLOTSCAPE_HOST_DEVICE Cluster cluster_within(Slot slot, std::uint64_t first, std::uint64_t past) const
  {
    std::uint64_t end = next_empty(slot);  // `none` is larger than any slot
    if (end >= past) { end = next_empty(first); }
    if (end >= past) { return {static_cast<Slot>(first), past - first}; }
    std::uint64_t before = previous_empty(slot);
    if (before == none || before < first) { before = previous_empty(past - 1); }
    std::uint64_t const start = before + 1 == past ? first : before + 1;
    return {static_cast<Slot>(start), end > start ? end - start : end + (past - first) - start};
  }

  /// Descends from a clear bit at `position` of `level` to the empty slot that it represents.
  SLOTSCAPE_HOST_DEVICE std::uint64_t descend(int level, std::uint64_t position, bool last) const
  {
    for (; level > 0; --level) {
      std::uint64_t const holes = ~words[level - 1][position];
      position = position * 64 + (last ? highest(holes) : lowest(holes));
    }
    return position;
  }
};

}  // namespace slotscape
