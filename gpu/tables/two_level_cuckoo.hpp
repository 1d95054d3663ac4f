#pragma once

#include "gpu/base/said.hpp"
#include "gpu/tables/static_family.hpp"
#include "gpu/tables/two_level_cuckoo_build.hpp"

#include <string>

namespace slotscape {

/// The hybrid of perfect and cuckoo hashing of Alcantara et al. 2009, 'Real-Time Parallel Hashing on the GPU', 4.1. A
/// lookup reads its bucket's seed and at most one slot of each sub-table. two_level_cuckoo_build.hpp builds the tables.
///
/// As in the paper, the T1 of all buckets come first, then every T2, then every T3, so that lookups, most of which end
/// in T1, share one part of memory.
///
/// Here an empty slot ends a lookup, because a key never goes on from an empty slot: the build offers a key to T1, T2,
/// T3, T1, ... in this order, a taken slot never becomes empty again, and an erased key stays in its slot.
struct TwoLevelCuckoo : StaticFamily<TwoLevelCuckoo> {
  /// The paper fills 409 of a bucket's 576 slots on average. Beyond that, buckets of more than 512 keys become
  /// increasingly hard to avoid.
  static constexpr Guarantees guarantees(TableSettings const& settings)
  {
    Guarantees result = StaticFamily::guarantees(settings);
    result.safe_load = 0.7;
    result.overflow = OverflowPolicy::rebuild;
    return result;
  }

  static constexpr FamilyInfo info{
      .name = "two_level_cuckoo",
      .title = "Two-level cuckoo",
      .source = "Alcantara et al. 2009, Real-Time Parallel Hashing on the GPU, 4.1",
      .idea =
          "Keys are divided into buckets of at most 512. Each bucket is a small cuckoo table of its own, built in a "
          "block's shared memory: three sub-tables of 192 slots, with one possible slot for a key in each.",
      .guarantees = guarantees,
      .uses_hash = false,
      .key_is_hash = true,  // at the first attempt, which usually succeeds
      .measure = {"Sub-table", "0 for T1 to 2 for T3"},
      .first_access = 2,
      .groups = {"Bucket sizes", "keys in a bucket"},
      .theory = TheoryOf::poisson_groups,
      .steps = {.next = ", its slot in T{t}"}};
  static constexpr int attempts = 1;  ///< phase 1 restarts on its own

  template <PairFormat Format>
  struct Layout {
    two_level::BucketHash bucket_hash;

    SLOTSCAPE_HOST_DEVICE std::uint64_t slots() const
    {
      return std::uint64_t{bucket_hash.buckets} * two_level::bucket_slots;
    }
    SLOTSCAPE_HOST_DEVICE std::uint64_t metadata() const { return bucket_hash.buckets; }
    /// The first slot of the bucket's sub-table t.
    SLOTSCAPE_HOST_DEVICE Slot first_slot(std::uint32_t bucket, std::uint32_t t) const
    {
      return two_level::first_slot(bucket_hash.buckets, bucket, t);
    }
    /// The first slot of T1 of the key's bucket. Only the bucket's seed determines where in T1 the key belongs.
    SLOTSCAPE_HOST_DEVICE Slot home(typename Format::Key key) const { return first_slot(bucket_hash(key), 0); }
    SLOTSCAPE_HOST_DEVICE std::uint32_t sub_table_of(Slot slot) const
    {
      return slot / two_level::sub_table_slots / bucket_hash.buckets;
    }
    SLOTSCAPE_HOST_DEVICE std::uint32_t bucket_of(Slot slot) const
    {
      return slot / two_level::sub_table_slots % bucket_hash.buckets;
    }
  };

  /// Rounds the number of slots up to whole buckets.
  template <PairFormat Format>
  static Layout<Format> layout(TableSettings const& settings)
  {
    auto const buckets = (settings.slots + two_level::bucket_slots - 1) / two_level::bucket_slots;
    return {{static_cast<std::uint32_t>(std::max<std::uint64_t>(buckets, 1))}};
  }

  template <exec::Executor Exec, PairFormat Format>
  static Built build(Exec& exec, Layout<Format>& layout, std::uint64_t seed, Contents<Format> const& pairs,
                     typename Format::Word* words, std::uint64_t* metadata)
  {
    two_level::Builder<Exec, Format> builder(exec);
    return builder.build(layout.bucket_hash, seed, pairs, words, metadata);
  }

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto find(Table const& table, typename Table::Key key) -> typename Table::Result
  {
    using Format = typename Table::Format;
    std::uint32_t const bucket = table.layout.bucket_hash(key);
    table.at("seed", "bucket", bucket);
    two_level::Seed const seed = two_level::BucketNote::unpack(table.machine.load_metadata(bucket)).seed;
    for (std::uint32_t t = 0; t < two_level::sub_tables; ++t) {
      Slot const slot = table.layout.first_slot(bucket, t) + seed.place(t, key);
      table.at("look", "t", t + 1, "slot", slot);
      auto const word = table.machine.load(slot);
      if (key_of(word) == key) { return met<Format>(slot, word); }
      if (word == Format::empty_word) { break; }
    }
    return missing<Format>();
  }

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static Described describe(Table const& table, Slot slot, typename Table::Word word)
  {
    Described result = described<typename Table::Format>(word);
    if (result.has_key) { result.measure = table.layout.sub_table_of(slot); }
    return result;
  }

  /// Valid: a key, erased or not, is in its bucket, in the slot that the bucket's seed gives for this sub-table.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static bool is_valid(Table const& table, Slot slot, typename Table::Word word)
  {
    if (word == Table::Format::empty_word) { return true; }
    auto const key = key_of(word);
    std::uint32_t const bucket = table.layout.bucket_of(slot);
    two_level::Seed const seed = two_level::BucketNote::unpack(table.machine.load_metadata(bucket)).seed;
    return table.layout.bucket_hash(key) == bucket &&
           seed.place(table.layout.sub_table_of(slot), key) == slot % two_level::sub_table_slots;
  }

  template <PairFormat Format>
  static std::uint64_t groups(Layout<Format> const& layout)
  {
    return layout.metadata();
  }
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static std::uint32_t group_size(Table const& table, std::uint64_t bucket)
  {
    return two_level::BucketNote::unpack(table.machine.load_metadata(bucket)).size;
  }

  template <PairFormat Format>
  static std::string explain(Layout<Format> const& layout, std::uint64_t bucket, std::uint64_t note, std::uint64_t)
  {
    auto const [seed, size, reseeds] = two_level::BucketNote::unpack(note);
    auto const slots_of = [&](std::uint32_t t) {
      Slot const first = layout.first_slot(static_cast<std::uint32_t>(bucket), t);
      return said("{} to {}", {first, first + two_level::sub_table_slots - 1});
    };
    std::string text = said("Bucket {} (T1 in slots {}, T2 in slots {}, T3 in slots {}) was built from {} keys",
                            {bucket, slots_of(0), slots_of(1), slots_of(2), size});
    if (reseeds != 0) { text += said(" with seed number {}", {reseeds + 1}); }
    return text + (layout.metadata() == 1 ? said(": its seed says where to look in T1, T2 and T3")
                                          : said(": the key belongs there, and the seed says where in T1, T2 and T3"));
  }
};

namespace families {
using two_level_cuckoo = TwoLevelCuckoo;
}

}  // namespace slotscape
