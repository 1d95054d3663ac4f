#pragma once

#include "gpu/tables/chains.hpp"

#include <array>

namespace slotscape {

/// SlabHash (Ashkiani et al. 2018): chains of slabs of 128 bytes: 15 pairs and a link to the next slab, read together
/// by a tile of 16 lanes. The base slabs, one for each bucket, come first in memory, followed by a pool of slabs from
/// which chains grow (`Chains`).
///
/// A search ends at the end of its chain, not at an empty slot. So an erased slot is simply empty again, for any key,
/// and no lookup ever passes tombstones. In return, inserts and erases must not overlap: if a slot became free early in
/// a chain after a tile has passed it, two tiles could store the same key twice.
struct Slab : Chains<Slab, 16> {
  SLOTSCAPE_HOST_DEVICE static constexpr char const* node() { return "slab"; }
  static constexpr PoolWords in_words{
      translatable("Slab {} of the pool (slots {} to {}) is in no chain yet: it becomes part of this one"),
      translatable("Slab {} of the pool (slots {} to {}) now follows slab {}"),
      translatable("Slab {} of the pool (slots {} to {}) already follows slab {}")};
  static constexpr std::array<std::uint32_t, 3> pool_choices{25, 50, 100};
  static constexpr std::array parameters{Parameter{
      .name = "pool",
      .title = "Pool, %",
      .help = "Spare slabs for growing chains, per 100 buckets. Once all are used, full chains accept no more keys.",
      .fallback = 50,
      .choices = pool_choices}};
  /// Relative to all slots for pairs, including those of the pool. Lower for few buckets, where chains vary more.
  static constexpr double safe_load(std::uint64_t slots) { return slots < 1024 ? 0.5 : 0.6; }
  static constexpr Guarantees guarantees(TableSettings const& settings)
  {
    return {.concurrency = unless_combining(Concurrency::erases_apart, settings.combine),
            .erase_frees_bucket = true,
            .safe_load = safe_load(settings.slots)};
  }
  static constexpr FamilyInfo info{
      .name = "slab",
      .title = "Slab hash",
      .source = "Ashkiani et al. 2018, A Dynamic Hash Table for the GPU",
      .idea = "A bucket is a chain of slabs of 15 slots and a link, each read at once by 16 neighbouring threads.",
      .guarantees = guarantees,
      .parameters = parameters,
      .measure = {"Slabs", "slabs before the key's"},
      .groups = {"Chain length", "slabs in a chain"},
      .keys_per_group_unit = link_lane,
      .theory = TheoryOf::poisson_groups,
      .misses_by = MissesBy::home,
      .steps = {.next = ", the next slab of its chain",
                .ends = "Its chain ends here",
                .links = "Slot {} now links to a new slab"}};

  template <class Layout>
  SLOTSCAPE_HOST_DEVICE static bool keeps_keys(Layout const&)
  {
    return false;
  }
  template <PairFormat Format>
  SLOTSCAPE_HOST_DEVICE static constexpr typename Format::Word erased_word()
  {
    return Format::empty_word;
  }
};

namespace families {
using slab = Slab;
}

}  // namespace slotscape
