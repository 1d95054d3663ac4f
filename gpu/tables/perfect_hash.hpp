#pragma once

#include "gpu/base/said.hpp"
#include "gpu/tables/fks_build.hpp"
#include "gpu/tables/psh_build.hpp"

#include <array>
#include <string>

namespace slotscape {

/// Perfect hashing: a first hash distributes the keys over small buckets, and a note for each bucket sends each of its
/// keys to a slot of its own. A lookup reads one note and one slot. There are two ways to find such notes:
/// fks_build.hpp and psh_build.hpp.
struct PerfectHash : StaticFamily<PerfectHash> {
  static constexpr std::uint32_t variant_fks = 1;
  static constexpr std::uint32_t variant_psh = 2;
  static constexpr std::array<std::uint32_t, 2> variants{variant_fks, variant_psh};
  static constexpr std::array<std::string_view, 2> variant_names{"FKS, 1984", "PSH, 2006"};
  static constexpr std::array<Parameter, 1> parameters{
      {{"variant", "Variant",
        "FKS: a bucket of k keys has k*k slots of its own. PSH: buckets interleave, up to load 1.", variant_fks,
        variants, variant_names}}};

  /// FKS needs n + n^2 / buckets slots on average. PSH can fill every slot.
  static Guarantees guarantees(TableSettings const& settings)
  {
    Guarantees result = StaticFamily::guarantees(settings);
    result.safe_load = parameter_of(info, settings, "variant") == variant_psh ? 1.0 : 0.45;
    result.overflow = OverflowPolicy::rebuild;
    return result;
  }

  static constexpr FamilyInfo info{
      .name = "perfect_hash",
      .title = "Perfect hashing",
      .source = "Fredman, Komlos & Szemeredi 1984; Lefebvre & Hoppe 2006, Perfect Spatial Hashing",
      .idea =
          "Small buckets of keys, each with its own hash or offset, chosen so that no two keys share a slot: every "
          "lookup reads one note and one slot.",
      .guarantees = guarantees,
      .uses_hash = false,
      .parameters = parameters,
      .measure = {"Extra reads", "beyond two"},
      .first_access = 2,
      .groups = {"Bucket sizes", "keys in a bucket"},
      .theory = TheoryOf::poisson_groups,
      .steps = {.ends = "{} cannot be in any other slot"}};
  static constexpr int attempts = 1;  ///< the builders themselves try several seeds

  template <PairFormat Format>
  struct Layout {
    bool shared;  ///< PSH, whose buckets share one area of slots; else FKS
    psh::Hashes psh_hashes;
    fks::Hashes fks_hashes;

    SLOTSCAPE_HOST_DEVICE std::uint64_t slots() const { return shared ? psh_hashes.slots : fks_hashes.slots; }
    SLOTSCAPE_HOST_DEVICE std::uint64_t metadata() const { return shared ? psh_hashes.buckets : fks_hashes.buckets; }
    SLOTSCAPE_HOST_DEVICE std::uint32_t bucket(typename Format::Key key) const
    {
      return shared ? psh_hashes.bucket(key) : fks_hashes.bucket(key);
    }
    /// PSH: the key's slot at offset 0. FKS: where its bucket would begin if all areas had the same size.
    SLOTSCAPE_HOST_DEVICE Slot home(typename Format::Key key) const
    {
      return shared ? psh_hashes.home(key) : fks_hashes.home(key);
    }
    /// The key's slot. Its bucket must not be empty.
    SLOTSCAPE_HOST_DEVICE Slot slot(typename Format::Key key, BucketNote const& note) const
    {
      return shared ? psh_hashes.slot(key, note) : fks_hashes.slot(key, note);
    }
  };

  template <PairFormat Format>
  static Layout<Format> layout(TableSettings const& settings)
  {
    bool const shared = parameter_of(info, settings, "variant") == variant_psh;
    return {shared, psh::Hashes::of(settings.slots), fks::Hashes::of(settings.slots)};
  }

  /// The buckets for the first seed that a build tries, which nearly always succeeds in a large table.
  template <class Layout>
  struct Buckets {
    Layout layout;

    SLOTSCAPE_HOST_DEVICE std::uint64_t slots() const { return layout.metadata(); }
    SLOTSCAPE_HOST_DEVICE std::uint32_t home(std::uint32_t key) const { return layout.bucket(key); }
  };
  /// If keys are in this order, a build counts and moves pairs within one range of buckets at a time, which stays in
  /// the caches.
  template <class Layout>
  static Buckets<Layout> homes(Layout layout, std::uint64_t seed)
  {
    layout.psh_hashes.seed = layout.fks_hashes.seed = SeedSearch::first(seed);
    return {layout};
  }

  template <exec::Executor Exec, PairFormat Format>
  static Built build(Exec& exec, Layout<Format>& layout, std::uint64_t seed, Contents<Format> const& pairs,
                     typename Format::Word* words, std::uint64_t* metadata)
  {
    typename Exec::template Machine<Format> const memory{words, metadata};
    if (layout.shared) { return psh::Builder<Exec, Format>(exec).build(layout.psh_hashes, seed, pairs, memory); }
    return fks::Builder<Exec, Format>(exec).build(layout.fks_hashes, seed, pairs, memory);
  }

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto find(Table const& table, typename Table::Key key) -> typename Table::Result
  {
    using Format = typename Table::Format;
    table.at("note", "bucket", table.layout.bucket(key));
    BucketNote const note = BucketNote::unpack(table.machine.load_metadata(table.layout.bucket(key)));
    if (note.size == 0) { return missing<Format>(); }
    Slot const slot = table.layout.slot(key, note);
    table.at("look", "slot", slot);
    auto const word = table.machine.load(slot);
    return key_of(word) == key ? met<Format>(slot, word) : missing<Format>();
  }

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static Described describe(Table const&, Slot, typename Table::Word word)
  {
    return described<typename Table::Format>(word);
  }

  /// Valid: a key, erased or not, is in the slot given by its bucket's note.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static bool is_valid(Table const& table, Slot slot, typename Table::Word word)
  {
    if (word == Table::Format::empty_word) { return true; }
    auto const key = key_of(word);
    BucketNote const note = BucketNote::unpack(table.machine.load_metadata(table.layout.bucket(key)));
    return note.size != 0 && table.layout.slot(key, note) == slot;
  }

  template <PairFormat Format>
  static std::uint64_t groups(Layout<Format> const& layout)
  {
    return layout.metadata();
  }
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static std::uint32_t group_size(Table const& table, std::uint64_t bucket)
  {
    return BucketNote::unpack(table.machine.load_metadata(bucket)).size;
  }

  template <PairFormat Format>
  static std::string explain(Layout<Format> const& layout, std::uint64_t bucket, std::uint64_t noted, std::uint64_t)
  {
    BucketNote const note = BucketNote::unpack(noted);
    if (note.size == 0) { return said("Bucket {} was built without keys: the key is not in the table", {bucket}); }
    if (layout.shared && note.size == 1) {
      return said("Bucket {}, of 1 key, has the offset {}: the key belongs that many slots after its home",
                  {bucket, note.offset});
    }
    if (layout.shared) {
      return said("Bucket {}, of {} keys, has the offset {}: the key belongs that many slots after its home",
                  {bucket, note.size, note.offset});
    }
    std::uint32_t const last = note.offset + note.size * note.size - 1;
    if (note.size == 1) { return said("Bucket {} has one key, in slot {}", {bucket, last}); }
    return said("Bucket {}, of {} keys, has the slots {} to {} and a hash of its own, which selects the slot to read",
                {bucket, note.size, note.offset, last});
  }
};

namespace families {
using perfect_hash = PerfectHash;
}

}  // namespace slotscape
