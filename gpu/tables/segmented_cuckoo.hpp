#pragma once

#include "gpu/base/said.hpp"
#include "gpu/tables/cuckoo.hpp"

#include <array>
#include <cmath>
#include <string>

namespace slotscape {

/// Cuckoo hashing in segments. A key hashes to one of many equal segments, and to two of its buckets of 8 slots; both
/// choices are in the same segment. A segment fits in the shared memory of a multiprocessor, or in the L2 cache of a
/// CPU core, so a large batch can be partitioned by segment and applied there, at the speed of streams instead of
/// random accesses (`SegmentedTable`). Small batches, and lookups, go straight to memory, by tiles, as in `Cuckoo`.
///
/// A new key goes to its first bucket while there is room, so most lookups end there. Each bucket has an overflow bit
/// in the metadata, which is set once a key is in its second bucket and this is its first. A lookup that misses in the
/// first bucket reads the second only if the bit is set. Bits are cleared only with the whole table, not by erasures: a
/// superfluous bit costs an access, a missing bit would lose a key.
///
/// A segment overflows if it gets more keys than it has slots. This number is binomial, so segments of thousands of
/// slots stay below 0.95 or so when the table's load does, and only small segments need a lower safe load: see
/// `guarantees`. The remedy is the same as in `Cuckoo`: the table is rebuilt with other hash functions, which
/// redistribute the keys. That also handles keys chosen to meet in one segment, for which a stash beside each segment
/// would be too small. No key is lost on the way: paths are found before anything moves, a segment applied in shared
/// memory is written back only when all its keys have found a slot, and the old words stay until a rebuild has
/// succeeded. For a key that finds no slot, the outcome is `full`, and the table is unchanged.
struct SegmentedCuckoo {
  static constexpr bool inserts_new_keys = true;
  static constexpr std::uint32_t bucket_slots = 8;
  static constexpr std::uint32_t largest_segment = 8192;  ///< slots: 64 KiB of 32-bit pairs, 128 KiB of 64-bit ones
  static constexpr std::uint32_t never = 0, if_worthwhile = 1, always = 2;
  static constexpr std::array<int, 1> lane_choices{bucket_slots};
  static constexpr std::array<std::uint32_t, 4> segment_choices{128, 1024, 4096, largest_segment};
  static constexpr std::array<std::uint32_t, 3> partition_choices{never, if_worthwhile, always};
  static constexpr std::array<std::string_view, 3> partition_names{"never", "if worthwhile", "always"};
  static constexpr std::array parameters{
      Parameter{.name = "segment",
                .title = "Slots per segment",
                .help = "The maximum: both buckets of a key are in one segment. Large batches are sorted by segment "
                        "and applied in fast memory. Small segments fill less evenly.",
                .fallback = largest_segment,
                .choices = segment_choices},
      Parameter{.name = "partition",
                .title = "Partition batches",
                .help = "Whether batches of inserts or of erases are sorted by segment first. Sorting is worthwhile "
                        "for large batches.",
                .fallback = if_worthwhile,
                .choices = partition_choices,
                .choice_names = partition_names}};

  static Guarantees guarantees(TableSettings const& settings);

  static constexpr FamilyInfo info{
      .name = "segmented_cuckoo",
      .title = "Segmented cuckoo",
      .source = "Pagh & Rodler 2004; in segments, after partitioned hash joins (Manegold et al. 2002)",
      .idea =
          "Both buckets of a key lie in one segment of the table. A large batch is partitioned by segment, and each "
          "segment's part is applied in shared memory.",
      .guarantees = guarantees,
      .uses_hash = false,
      .wide = true,
      .parameters = parameters,
      .measure = {"Choice", "0 in the first bucket, 1 in the second"},
      .accesses_per_measure = 2,  // the overflow bit, and the second bucket
      .moves = {"Evictions", "keys that an insertion evicted"},
      .theory = TheoryOf::two_choices_of_eight,
      .steps = {.next_by = NextPlace::bucket, .ends = "{} has no other bucket"}};

  /// A key's segment, and its two buckets there, which differ.
  struct Choices {
    std::uint32_t segment;
    std::uint32_t first;
    std::uint32_t second;
  };

  template <PairFormat Format>
  struct Layout {
    using Key = typename Format::Key;
    static constexpr std::uint32_t functions = 2;
    static constexpr std::uint32_t bucket_slots = SegmentedCuckoo::bucket_slots;

    std::uint64_t seed;
    std::uint32_t segments;
    std::uint32_t segment_buckets;  ///< buckets of a segment, at least 2
    bool ends_at_empty = false;     ///< no key is in its second bucket while its first has an empty slot

    SLOTSCAPE_HOST_DEVICE std::uint64_t slots() const
    {
      return std::uint64_t{segments} * segment_buckets * bucket_slots;
    }
    /// The number of 64-bit words of overflow bits. No two segments share a word.
    SLOTSCAPE_HOST_DEVICE std::uint64_t metadata() const { return std::uint64_t{segments} * bit_words(); }
    SLOTSCAPE_HOST_DEVICE std::uint32_t bit_words() const { return (segment_buckets + 63) / 64; }

    /// Scaling the hash to the segments leaves a fraction, which is scaled to the buckets for the first choice. Further
    /// bits of the hash give the distance to the second.
    SLOTSCAPE_HOST_DEVICE Choices choices(Key key) const
    {
      Hash const hash = hash_of(key);
      std::uint64_t const place = std::uint64_t{hash.place} * segments;
      std::uint32_t const first = scaled(place << 32, segment_buckets);
      std::uint32_t const second = first + 1 + scaled(std::uint64_t{hash.distance} << 32, segment_buckets - 1);
      return {static_cast<std::uint32_t>(place >> 32), first,
              second < segment_buckets ? second : second - segment_buckets};
    }
    SLOTSCAPE_HOST_DEVICE std::uint32_t segment(Key key) const
    {
      std::uint64_t const place = std::uint64_t{hash_of(key).place} * segments;
      return static_cast<std::uint32_t>(place >> 32);
    }

    SLOTSCAPE_HOST_DEVICE std::uint32_t bucket(Key key, std::uint32_t function) const
    {
      Choices const choice = choices(key);
      return choice.segment * segment_buckets + (function == 0 ? choice.first : choice.second);
    }
    SLOTSCAPE_HOST_DEVICE Slot first_slot(std::uint32_t bucket) const { return bucket * bucket_slots; }
    SLOTSCAPE_HOST_DEVICE Slot home(Key key) const { return first_slot(bucket(key, 0)); }
    /// Which of the key's choices the bucket is; `functions` if neither.
    SLOTSCAPE_HOST_DEVICE std::uint32_t function_of(Key key, std::uint32_t its_bucket) const
    {
      Choices const choice = choices(key);
      std::uint32_t const start = choice.segment * segment_buckets;
      if (its_bucket == start + choice.first) { return 0; }
      return its_bucket == start + choice.second ? 1 : functions;
    }

    struct Hash {
      std::uint32_t place;
      std::uint32_t distance;
    };
    /// Every pass over a batch hashes its keys, so 32-bit keys use 32-bit rounds (constants: Wellons 2018).
    SLOTSCAPE_HOST_DEVICE Hash hash_of(Key key) const
    {
      if constexpr (sizeof(Key) == 4) {
        std::uint32_t x = key ^ (static_cast<std::uint32_t>(seed) * 0x9e3779b9u);
        x = (x ^ (x >> 16)) * 0x21f0aaadu;
        x = (x ^ (x >> 15)) * 0x735a2d97u;
        x ^= x >> 15;
        std::uint32_t const y = x * 0x9e3779b1u;
        return {x, (y ^ (y >> 15)) * 0x85ebca6bu};
      } else {
        std::uint64_t const hash = seeded_hash(seed, key);
        return {static_cast<std::uint32_t>(hash >> 32), static_cast<std::uint32_t>(hash)};
      }
    }

    /// The index of the metadata number with the overflow bit of the key's first bucket, and the bit.
    SLOTSCAPE_HOST_DEVICE std::uint64_t bits_index(Choices const& choice) const
    {
      return std::uint64_t{choice.segment} * bit_words() + choice.first / 64;
    }
    SLOTSCAPE_HOST_DEVICE static std::uint64_t bit(Choices const& choice)
    {
      return std::uint64_t{1} << (choice.first % 64);
    }

    /// Sets the key's overflow bit if the bucket is not its first one. `CuckooPath` calls this when a key arrives.
    template <class Machine>
    SLOTSCAPE_HOST_DEVICE std::uint64_t note_bucket_of_key(Machine const& machine, Key key, std::uint32_t bucket) const
    {
      Choices const choice = choices(key);
      if (bucket == choice.segment * segment_buckets + choice.first) { return 0; }
      std::uint64_t seen = machine.load_metadata(bits_index(choice));
      while ((seen & bit(choice)) == 0) {
        std::uint64_t const old = machine.compare_exchange_metadata(bits_index(choice), seen, seen | bit(choice));
        if (old == seen) { break; }
        seen = old;
      }
      return seen;
    }
  };

  static constexpr std::array<int, 1> walked_buckets{bucket_slots};
  /// A key's first bucket and, if its overflow bit is set, the second. The bit is read together with the first bucket,
  /// or, if `saves_bits`, only after the first bucket turned out not to have the key.
  template <class Table>
  class Walk {
  public:
    static constexpr int max_buckets = 2;

    SLOTSCAPE_HOST_DEVICE Walk(Table const& table, typename Table::Key key, bool saves_bits = false)
        : table_(table), choice_(table.layout.choices(key)), has_bits_(!saves_bits), bits_(has_bits_ ? bits() : 0)
    {
    }
    SLOTSCAPE_HOST_DEVICE Slot bucket() const
    {
      auto const& layout = table_.layout;
      return layout.first_slot(choice_.segment * layout.segment_buckets + (second_ ? choice_.second : choice_.first));
    }
    /// Whether an empty slot in this bucket means that the key is in no later bucket.
    SLOTSCAPE_HOST_DEVICE bool ends_at_empty() const { return table_.layout.ends_at_empty; }
    SLOTSCAPE_HOST_DEVICE bool goes_on()
    {
      second_ = true;
      return ((has_bits_ ? bits_ : bits()) & table_.layout.bit(choice_)) != 0;
    }

  private:
    SLOTSCAPE_HOST_DEVICE std::uint64_t bits() const
    {
      return table_.machine.load_metadata(table_.layout.bits_index(choice_));
    }

    Table const& table_;
    Choices choice_;
    bool has_bits_;
    std::uint64_t bits_;
    bool second_ = false;
  };

  template <PairFormat Format>
  static Layout<Format> layout(TableSettings const& settings)
  {
    std::uint64_t const most = parameter_of(info, settings, "segment") / bucket_slots;
    std::uint64_t const buckets = std::max<std::uint64_t>(2, (settings.slots + bucket_slots - 1) / bucket_slots);
    std::uint64_t const segments = (buckets + most - 1) / most;
    return {1, static_cast<std::uint32_t>(segments), static_cast<std::uint32_t>((buckets + segments - 1) / segments),
            false};
  }
  /// The table with other hash functions.
  template <PairFormat Format>
  static Layout<Format> reseeded(Layout<Format> layout)
  {
    ++layout.seed;
    layout.ends_at_empty = false;
    return layout;
  }
  template <PairFormat Format>
  static int lanes(Layout<Format> const&)
  {
    return bucket_slots;
  }

  template <class Table, class Tile>
  SLOTSCAPE_HOST_DEVICE static auto find(Table const& table, Tile tile, typename Table::Key key) ->
      typename Table::Result
  {
    Choices const choice = table.layout.choices(key);
    std::uint32_t const start = choice.segment * table.layout.segment_buckets;
    table.at("first", "segment", choice.segment);
    auto result = Cuckoo::find_in_bucket(table, tile, key, start + choice.first);
    if (result.outcome == Outcome::found) { return result; }
    table.at("bit", "segment", choice.segment);
    std::uint64_t const bits = table.machine.load_metadata(table.layout.bits_index(choice));
    if ((bits & table.layout.bit(choice)) == 0) { return result; }
    table.at("second", "segment", choice.segment);
    return Cuckoo::find_in_bucket(table, tile, key, start + choice.second);
  }

  /// The key must not be in the table. Unless `thorough`, no key is evicted to make room.
  template <class Table, class Tile>
  SLOTSCAPE_HOST_DEVICE static auto insert(Table const& table, Tile tile, typename Table::Key key,
                                           typename Table::Value value, bool thorough = true) -> typename Table::Result
  {
    return Cuckoo::insert(table, tile, key, value, thorough);
  }

  template <class Table, class Tile>
  SLOTSCAPE_HOST_DEVICE static auto erase(Table const& table, Tile tile, typename Table::Key key) ->
      typename Table::Result
  {
    return erase_pair(table, find(table, tile, key), key, Table::Format::empty_word, tile);
  }

  /// Assumes that no slot is reserved, as between batches.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static Described describe(Table const& table, Slot slot, typename Table::Word word)
  {
    return Cuckoo::describe(table, slot, word);
  }

  /// Valid: empty, or a key in one of its buckets; if `ends_at_empty`, in the second only if the first is full.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static bool is_valid(Table const& table, Slot slot, typename Table::Word word)
  {
    if (!Cuckoo::is_valid(table, slot, word)) { return false; }
    if (!table.layout.ends_at_empty || word == Table::Format::empty_word) { return true; }
    Slot const home = table.layout.home(key_of(word));
    bool is_full = true;
    for (Slot i = 0; i != bucket_slots; ++i) {
      is_full = is_full && table.machine.load(home + i) != Table::Format::empty_word;
    }
    return is_full || slot / bucket_slots == home / bucket_slots;
  }

  /// Explains an access to the metadata, for display.
  template <class Layout>
  static std::string explain(Layout const& layout, std::uint64_t index, std::uint64_t found, std::uint64_t written)
  {
    std::uint64_t const start = index / layout.bit_words() * layout.segment_buckets + index % layout.bit_words() * 64;
    if (std::uint64_t const set = written & ~found; set != 0) {
      std::uint64_t const bucket = start + static_cast<std::uint64_t>(std::countr_zero(set));
      return said(
          "The overflow bit of slots {} to {} is set: a lookup that misses there goes on to the key's second "
          "bucket",
          {bucket * bucket_slots, bucket * bucket_slots + bucket_slots - 1});
    }
    std::uint64_t const left = layout.segment_buckets - index % layout.bit_words() * 64;
    std::uint64_t const end = start + (left < 64 ? left : 64);
    return said(
        "The overflow bits of slots {} to {} are read, one for each bucket: was the key's first bucket full, so that "
        "the key may be in its second?",
        {start * bucket_slots, end * bucket_slots - 1});
  }
};

/// The keys of a segment of S slots at load a have a mean of aS and a deviation below sqrt(aS); two choices of 8 slots
/// fill a segment to a load of 0.99 (the threshold is 0.998, but hundreds of buckets vary). At the safe load, the
/// fullest of m segments exceeds that about once in 20 tables (the tail of a normal distribution beyond z deviations is
/// below exp(-z^2 / 2) / 2); then a rebuild tries again.
inline Guarantees SegmentedCuckoo::guarantees(TableSettings const& settings)
{
  auto const table = layout<Narrow>(settings);
  double const slots = static_cast<double>(table.segment_buckets) * bucket_slots;
  double const deviations = table.segments == 1 ? 0.0 : std::sqrt(2.0 * std::log(10.0 * table.segments));
  return {.concurrency = Concurrency::phased,
          .erase_frees_slot = true,
          .safe_load = std::min(0.95, 0.99 - deviations * std::sqrt(0.95 / slots)),
          .overflow = OverflowPolicy::rebuild};
}

namespace families {
using segmented_cuckoo = SegmentedCuckoo;
}

}  // namespace slotscape
