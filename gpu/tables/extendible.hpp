#pragma once

#include "gpu/base/said.hpp"
#include "gpu/tables/chain_slots.hpp"
#include "gpu/tables/hash.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <span>
#include <string>
#include <vector>

namespace slotscape {

/// Extendible hashing (Fagin, Nievergelt, Pippenger & Strong 1979). A directory of 2^d entries leads to buckets; a
/// key's entry is the last d bits of its hash. All keys of a bucket share the last few of these bits, at most d, and
/// all entries that differ only in the other bits lead to the bucket. A bucket that has no room for a key is split by
/// one more bit; if its keys already share d bits, the directory doubles first. So a lookup takes two reads, of an
/// entry and of a bucket, however far the table has grown. (Fagin et al. use the first bits; courses teach the last
/// ones, with which the directory is doubled by a copy.)
///
/// The slots of the table's memory are those of all buckets; its metadata is the directory: each entry holds the number
/// of its bucket, and the number of bits that the bucket's keys share. There is room for as many buckets as the slots
/// make, and for a directory with the number of entries per bucket that its parameter sets. If either is exhausted, the
/// outcome is `full`. This also happens if more keys have the same hash than a bucket holds.
///
/// Insertions, lookups and erases each have a phase. **Proof that no key is stored twice**: while insertions run, a
/// slot changes its key at most once, from free (empty or a tombstone) to a permanent key, and the free slots of a
/// bucket are taken in their order. Let two threads insert key k, and one have put it into slot s. The other meets it
/// on its walk, or reaches s when it tries the free slots: it passes a slot only where a compare-and-swap has found
/// another key. A stale load may show a free slot where there is now a key, never the reverse. Splits run between
/// insertions (gpu/engine/growing_table.hpp), and each has exclusive access to two buckets. The final directory and the
/// keys of each bucket do not depend on the order of insertions, as long as no key is erased: a bucket is split if and
/// only if more keys share its bits than it has slots.
struct Extendible {
  static constexpr bool leaves_tombstones = true;

  static Guarantees guarantees(TableSettings const& settings);

  static constexpr std::array<std::uint32_t, 6> bucket_choices{2, 3, 4, 8, 16, 32};
  static constexpr std::array<std::uint32_t, 6> directory_choices{1, 2, 4, 8, 16, 32};
  static constexpr std::array parameters{Parameter{.name = "bucket",
                                                   .title = "Bucket",
                                                   .help = "Slots of a bucket. Small buckets need a large directory.",
                                                   .fallback = 16,
                                                   .choices = bucket_choices},
                                         Parameter{.name = "directory",
                                                   .title = "Entries per bucket",
                                                   .help = "The directory may grow to this many entries for each "
                                                           "bucket. Keys whose bucket would need more are not stored.",
                                                   .fallback = 8,
                                                   .choices = directory_choices}};

  static constexpr FamilyInfo info{
      .name = "extendible",
      .title = "Extendible hashing",
      .source = "Fagin, Nievergelt, Pippenger & Strong 1979, Extendible Hashing",
      .idea =
          "A directory leads to buckets by the last bits of the hash. A full bucket is split in two; the directory "
          "doubles if the keys of the bucket share all bits that the directory uses.",
      .guarantees = guarantees,
      .wide = true,
      .growth = Growth::by_directory,
      .parameters = parameters,
      .measure = {"Place in bucket", "slots before it"},
      .first_access = 2,
      .groups = {"Bucket size", "keys"},
      .theory = TheoryOf::split_buckets,
      .misses_by = MissesBy::nothing,
      .steps = {.next = ", the next slot of its bucket", .ends = "Its bucket has no more keys"}};

  template <PairFormat Format, class Hasher = HasherOf<Format>>
  struct Layout {
    Hasher hasher;  ///< hashes to the entries of the largest directory
    Slot buckets;   ///< at most
    Slot bucket;    ///< slots per bucket
    Slot in_use;    ///< number of buckets in use: the first ones
    Slot depth;     ///< bits of a hash that index the directory

    SLOTSCAPE_HOST_DEVICE std::uint64_t slots() const { return std::uint64_t{buckets} * bucket; }
    SLOTSCAPE_HOST_DEVICE std::uint64_t metadata() const { return hasher.slots(); }
    /// The number of the key's entry.
    SLOTSCAPE_HOST_DEVICE Slot home(typename Format::Key key) const { return hasher.home(key) & (entries() - 1); }
    SLOTSCAPE_HOST_DEVICE Slot modulus(typename Format::Key) const { return entries(); }
    SLOTSCAPE_HOST_DEVICE Slot entries() const { return Slot{1} << depth; }
    SLOTSCAPE_HOST_DEVICE Slot first_slot(Slot number) const { return number * bucket; }
    bool can_double() const { return 2 * std::uint64_t{entries()} <= hasher.slots(); }
  };

  template <PairFormat Format, class Hasher = HasherOf<Format>>
  static Layout<Format, Hasher> layout(TableSettings const& settings)
  {
    std::uint32_t const bucket = parameter_of(info, settings, "bucket");
    return {{settings.hash, most_entries(settings)},
            static_cast<Slot>((settings.slots + bucket - 1) / bucket),
            bucket,
            1,
            0};
  }

  /// An entry of the directory.
  struct Entry {
    Slot bucket = 0;
    std::uint32_t depth = 0;  ///< number of bits that all keys of the bucket share

    SLOTSCAPE_HOST_DEVICE std::uint64_t word() const { return (std::uint64_t{depth} << 32) | bucket; }
    SLOTSCAPE_HOST_DEVICE static Entry in(std::uint64_t word)
    {
      return {static_cast<Slot>(word), static_cast<std::uint32_t>(word >> 32)};
    }
    /// Entry number `at` after its bucket is split and bucket `to` takes the keys with the next bit set.
    SLOTSCAPE_HOST_DEVICE Entry split(Slot at, Slot to) const
    {
      return {(at >> depth & 1) != 0 ? to : bucket, depth + 1};
    }
  };

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto find(Table const& table, typename Table::Key key) -> typename Table::Result
  {
    using Format = typename Table::Format;
    Slot const first = table.layout.first_slot(entry_of(table, key).bucket);
    for (Slot slot = first; slot != first + table.layout.bucket; ++slot) {
      table.at("look", "slot", slot);
      auto const word = table.machine.load(slot);
      if (key_of(word) == key) { return {Outcome::found, slot, value_of(word)}; }
      if (word == Format::empty_word) { break; }
    }
    return PairWords::missing<Format>();
  }

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto insert(Table const& table, typename Table::Key key, typename Table::Value value) ->
      typename Table::Result
  {
    using Format = typename Table::Format;
    Slot const first = table.layout.first_slot(entry_of(table, key).bucket);
    Slot const end = first + table.layout.bucket;
    Slot free = end;
    for (Slot slot = first; slot != end; ++slot) {
      table.at("search", "slot", slot);
      auto const word = table.machine.load(slot);
      if (key_of(word) == key) {
        put(table, slot, word, value);
        return {Outcome::updated, slot, value};
      }
      if (free == end && ChainSlots::is_free<Format>(word)) { free = slot; }
      if (word == Format::empty_word) { break; }
    }
    for (Slot slot = free; slot != end; ++slot) {
      table.at("again", "slot", slot);
      Outcome const outcome = ChainSlots::take(table, "take", "slot", slot, table.machine.load(slot), key, value);
      if (outcome != Outcome::full) { return {outcome, slot, value}; }
    }
    return {Outcome::full, no_slot, value};
  }

  /// If several threads erase one key, exactly one gets `erased`.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto erase(Table const& table, typename Table::Key key) -> typename Table::Result
  {
    return erase_pair(table, find(table, key), key, Table::Format::tombstone_word);
  }

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static Described describe(Table const& table, Slot slot, typename Table::Word word)
  {
    Described found = PairWords::described<typename Table::Format>(word);
    found.measure = slot % table.layout.bucket;
    return found;
  }
  /// The first slot of the bucket.
  template <class Layout>
  SLOTSCAPE_HOST_DEVICE static Slot home_of_slot(Layout const& layout, Slot slot)
  {
    return layout.first_slot(slot / layout.bucket);
  }

  /// Valid: only buckets in use hold keys or tombstones, and a key's entry leads to its bucket.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static bool is_valid(Table const& table, Slot slot, typename Table::Word word)
  {
    using Format = typename Table::Format;
    Slot const bucket = slot / table.layout.bucket;
    if (ChainSlots::is_free<Format>(word)) { return bucket < table.layout.in_use || word == Format::empty_word; }
    Entry const entry = Entry::in(table.machine.load_metadata(table.layout.home(key_of(word))));
    return entry.bucket == bucket && entry.depth <= table.layout.depth;
  }

  template <class Layout>
  static std::uint64_t heads_of(Layout const& layout)
  {
    return layout.entries();
  }
  template <class Layout>
  static std::uint64_t groups(Layout const& layout)
  {
    return layout.in_use;
  }
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static std::uint32_t group_size(Table const& table, std::uint64_t bucket)
  {
    std::uint32_t keys = 0;
    Slot const first = table.layout.first_slot(static_cast<Slot>(bucket));
    for (Slot i = 0; i != table.layout.bucket; ++i) {
      auto const word = table.machine.load(first + i);
      keys += ChainSlots::is_free<typename Table::Format>(word) ? 0 : 1;
    }
    return keys;
  }

  /// For each entry of the directory, the slots of its bucket. metadata: of the whole table.
  template <class Layout>
  static std::vector<std::vector<Slot>> chains(Layout const& layout, std::span<std::uint64_t const> metadata)
  {
    std::vector<std::vector<Slot>> buckets(layout.entries());
    for (std::size_t entry = 0; entry < buckets.size(); ++entry) {
      Slot const first = layout.first_slot(Entry::in(metadata[entry]).bucket);
      for (Slot i = 0; i != layout.bucket; ++i) { buckets[entry].push_back(first + i); }
    }
    return buckets;
  }

  /// Explains an access to an entry, for display.
  template <class Layout>
  static std::string explain(Layout const&, std::uint64_t index, std::uint64_t found, std::uint64_t written)
  {
    Entry const entry = Entry::in(written);
    std::string const leads = found == written ? said("Entry {} leads to bucket {}", {index, entry.bucket})
                                               : said("Entry {} now leads to bucket {}", {index, entry.bucket});
    if (entry.depth == 0) { return leads + said(", the only one"); }
    return leads + (entry.depth == 1 ? said(", whose keys share the last bit")
                                     : said(", whose keys share the last {} bits", {entry.depth}));
  }

  /// Splits a bucket whose keys share `depth` bits: moves the keys whose next bit is set to `to`, an empty bucket. No
  /// other thread may use either. The remaining keys are compacted, and tombstones are dropped.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static void split(Table const& table, Slot bucket, std::uint32_t depth, Slot to)
  {
    using Format = typename Table::Format;
    Slot const first = table.layout.first_slot(bucket);
    Slot stays = first;
    Slot moves = table.layout.first_slot(to);
    for (Slot slot = first; slot != first + table.layout.bucket; ++slot) {
      table.at("split", "slot", slot, "bucket", bucket, "new", to);
      auto const word = table.machine.load(slot);
      if (word == Format::empty_word) { continue; }
      if (!ChainSlots::is_free<Format>(word)) {
        bool const has_bit = (table.layout.hasher.home(key_of(word)) >> depth & 1) != 0;
        Slot const place = has_bit ? moves++ : stays++;
        if (place == slot) { continue; }
        table.at("move", "slot", place);
        table.machine.exchange(place, word);
      }
      table.at("leave", "slot", slot);
      table.machine.exchange(slot, Format::empty_word);
    }
  }

private:
  static std::uint64_t most_entries(TableSettings const& settings)
  {
    std::uint64_t const buckets = (settings.slots - 1) / parameter_of(info, settings, "bucket") + 1;
    std::uint64_t const entries = std::bit_ceil(buckets) * parameter_of(info, settings, "directory");
    return std::clamp<std::uint64_t>(entries, 2, max_entries);
  }
  static constexpr std::uint64_t max_entries = std::uint64_t{1} << 31;

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static Entry entry_of(Table const& table, typename Table::Key key)
  {
    Slot const entry = table.layout.home(key);
    table.at("entry", "entry", entry);
    return Entry::in(table.machine.load_metadata(entry));
  }
};

/// Random keys fill buckets to ln 2 on average (Fagin et al. 1979). They fit until more keys share all bits of the
/// largest directory than a bucket holds. With n keys and c entries, c (n / c)^(b + 1) / (b + 1)! buckets of b slots
/// are expected to be in that case; the safe load is where one table in a thousand has such a bucket.
inline Guarantees Extendible::guarantees(TableSettings const& settings)
{
  constexpr double rare = 1e-3;
  auto const entries = static_cast<double>(most_entries(settings));
  double const more = parameter_of(info, settings, "bucket") + 1.0;
  double const each = std::exp((std::log(rare / entries) + std::lgamma(more + 1.0)) / more);
  auto const slots = static_cast<double>(settings.slots);
  double const of_buckets = slots / (more - 1.0) < 64.0 ? 0.25 : 0.5;
  return {.concurrency = Concurrency::phased,
          .erase_frees_bucket = true,
          .safe_load = std::min(of_buckets, each * entries / slots)};
}

namespace families {
using extendible = Extendible;
}

}  // namespace slotscape
