#pragma once

#include "gpu/execution/tile.hpp"
#include "gpu/tables/cuckoo_path.hpp"
#include "gpu/tables/hash.hpp"
#include "gpu/tables/pair_words.hpp"
#include "gpu/tables/probe_sequence.hpp"
#include "gpu/tables/table_parts.hpp"

#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace slotscape {

/// Cuckoo hashing (Pagh & Rodler 2004) with d hash functions and buckets of b slots, a tile of b lanes per operation
/// (Alcantara 2011; BGHT: Awad et al. 2021): a key is in one of its d buckets, and a lookup reads only these, each in
/// one access. A new key goes to the first bucket with room, so most lookups end there. If all are full, a
/// breadth-first search over evictions finds the shortest way to make room (`CuckooPath`).
///
/// The search only reads. Then the path is walked from its end, where the empty slot is, back to a bucket of the new
/// key. Each move has an owner: compare-and-swaps reserve the empty slot (empty -> reserved) and take the victim out of
/// its slot (pair -> reserved); the victim is written to the reserved slot, which no other thread touches, and its old
/// slot is now the reserved one. So every key is either in one of its buckets or held by the one thread that has a slot
/// for it. If a compare-and-swap shows that the table has changed since the search, the reserved slot becomes empty
/// again and the search starts over. Keys moved by then stay where they are, in one of their own buckets. So no key
/// ever loses its slot, unlike in the published insertions, which drop a key when they give up.
///
/// If a key has no path, the table is rebuilt with other hash functions, unless it is too full for that.
///
/// For computation by hand, the functions can be those of textbooks: each has a table of m buckets of its own, T1, T2,
/// ..., and returns a digit of the key in base m, k mod m and floor(k / m) mod m. There are then no other functions for
/// a rebuild.
struct Cuckoo {
  static constexpr bool inserts_new_keys = true;
  static constexpr std::array<int, 5> lane_choices{1, 2, 4, 8, 16};
  static constexpr std::array<std::uint32_t, 3> function_choices{2, 3, 4};
  static constexpr std::array<std::uint32_t, 5> bucket_choices{1, 2, 4, 8, 16};
  static constexpr std::array<std::uint32_t, 2> hashing_choices{static_cast<std::uint32_t>(BucketHashing::by_seed),
                                                                static_cast<std::uint32_t>(BucketHashing::by_digits)};
  static constexpr std::array<std::string_view, 2> hashing_names{"pseudo-random", "k mod m, (k div m) mod m"};
  static constexpr std::array<Parameter, 3> parameters{
      {{.name = "functions",
        .title = "Hash functions d",
        .help = "A key is in one of d buckets",
        .fallback = 2,
        .choices = function_choices},
       {.name = "bucket",
        .title = "Slots per bucket b",
        .help = "A bucket is read at once, by a tile of b lanes",
        .fallback = 8,
        .choices = bucket_choices},
       {.name = "hashing",
        .title = "Hashing",
        .help =
            "Pseudo-random functions, or textbook functions: k mod m leads to a table T1 of m buckets, and (k div m) "
            "mod m to another one, T2. Textbook functions are fixed, so a rebuild does not help a key without a slot.",
        .fallback = hashing_choices.front(),
        .choices = hashing_choices,
        .choice_names = hashing_names,
        .is_for_textbooks = true}}};

  static Guarantees guarantees(TableSettings const& settings);

  static constexpr FamilyInfo info{
      .name = "cuckoo",
      .title = "Cuckoo hashing",
      .source = "Pagh & Rodler 2004; Alcantara 2011; Awad et al. 2021, Better GPU Hash Tables",
      .idea =
          "A key is in one of d buckets. If all are full, it evicts a key, which moves to another of its own buckets, "
          "and so on.",
      .guarantees = guarantees,
      .uses_hash = false,
      .wide = true,
      .parameters = parameters,
      .measure = {"Hash function", "number of the one used"},
      .moves = {"Evictions", "keys that an insertion evicted"},
      .theory = TheoryOf::cuckoo,
      .misses_by = MissesBy::nothing,
      .steps = {.next_by = NextPlace::bucket, .ends = "{} has no other bucket", .begins_by_hash = true}};

  template <PairFormat Format>
  struct Layout {
    using Key = typename Format::Key;

    std::uint64_t seed;  ///< hash function i is the seeded hash with seed + i
    std::uint32_t buckets;
    std::uint32_t functions;
    std::uint32_t bucket_slots;
    std::uint32_t table_buckets;  ///< m, buckets of each function's own table; 0 if all share one table

    SLOTSCAPE_HOST_DEVICE std::uint64_t slots() const { return std::uint64_t{buckets} * bucket_slots; }
    SLOTSCAPE_HOST_DEVICE std::uint32_t bucket(Key key, std::uint32_t function) const
    {
      if (table_buckets != 0) { return function * table_buckets + digit(key, function); }
      return scaled(seeded_hash(seed + function, key), buckets);
    }
    /// A digit of the key in base m; digit 0 is the lowest.
    SLOTSCAPE_HOST_DEVICE std::uint32_t digit(Key key, std::uint32_t number) const
    {
      for (; number != 0; --number) { key /= table_buckets; }
      return static_cast<std::uint32_t>(key % table_buckets);
    }
    SLOTSCAPE_HOST_DEVICE Slot first_slot(std::uint32_t bucket) const { return bucket * bucket_slots; }
    SLOTSCAPE_HOST_DEVICE Slot home(Key key) const { return first_slot(bucket(key, 0)); }
    /// The first of the key's functions that maps to the bucket; `functions` if none does.
    SLOTSCAPE_HOST_DEVICE std::uint32_t function_of(Key key, std::uint32_t its_bucket) const
    {
      std::uint32_t function = 0;
      while (function != functions && bucket(key, function) != its_bucket) { ++function; }
      return function;
    }
  };

  static constexpr std::array<int, 3> walked_buckets{4, 8, 16};
  /// A key's buckets, in the order of the hash functions.
  template <class Table>
  class Walk {
  public:
    static constexpr int max_buckets = function_choices.back();

    SLOTSCAPE_HOST_DEVICE Walk(Table const& table, typename Table::Key key) : layout_(table.layout), key_(key) {}
    SLOTSCAPE_HOST_DEVICE Slot bucket() const { return layout_.first_slot(layout_.bucket(key_, function_)); }
    SLOTSCAPE_HOST_DEVICE bool goes_on() { return ++function_ != layout_.functions; }

  private:
    Layout<typename Table::Format> const& layout_;
    typename Table::Key key_;
    std::uint32_t function_ = 0;
  };

  template <PairFormat Format>
  static Layout<Format> layout(TableSettings const& settings)
  {
    std::uint32_t const functions = parameter_of(info, settings, "functions");
    std::uint32_t const bucket_slots = parameter_of(info, settings, "bucket");
    std::uint32_t const tables = hashes_by_digits(info, settings) ? functions : 1;
    std::uint32_t const buckets = buckets_of_table(settings.slots, std::uint64_t{tables} * bucket_slots);
    return {1, tables * buckets, functions, bucket_slots, hashes_by_digits(info, settings) ? buckets : 0};
  }
  /// The functions' tables, if each has its own.
  static TableParts parts(TableSettings const& settings)
  {
    TableParts parts;
    auto const layout = Cuckoo::layout<Narrow>(settings);
    if (layout.table_buckets == 0) { return parts; }
    std::uint32_t const slots = layout.table_buckets * layout.bucket_slots;
    for (std::uint32_t i = 0; i != layout.functions; ++i) { parts.push_back({numbered('T', i + 1), i * slots, slots}); }
    return parts;
  }
  /// The table with other hash functions.
  template <PairFormat Format>
  static Layout<Format> reseeded(Layout<Format> layout)
  {
    layout.seed += layout.functions;
    return layout;
  }
  template <PairFormat Format>
  static int lanes(Layout<Format> const& layout)
  {
    return static_cast<int>(layout.bucket_slots);
  }

  template <class Table, class Tile>
  SLOTSCAPE_HOST_DEVICE static auto find(Table const& table, Tile tile, typename Table::Key key) ->
      typename Table::Result
  {
    for (std::uint32_t function = 0; function != table.layout.functions; ++function) {
      say(table, "look", function);
      auto const result = find_in_bucket(table, tile, key, table.layout.bucket(key, function));
      if (result.outcome == Outcome::found) { return result; }
    }
    return {Outcome::missing, no_slot, Table::Format::empty_value};
  }
  template <class Table, class Tile>
  SLOTSCAPE_HOST_DEVICE static auto find_in_bucket(Table const& table, Tile tile, typename Table::Key key,
                                                   std::uint32_t bucket) -> typename Table::Result
  {
    Slot const first = table.layout.first_slot(bucket);
    auto const window = tile.read(table.machine, first);
    std::uint32_t const own = tile.ballot(window, [=](auto word) { return key_of(word) == key; });
    if (own == 0) { return {Outcome::missing, no_slot, Table::Format::empty_value}; }
    int const lane = exec::first_lane(own);
    return {Outcome::found, first + static_cast<Slot>(lane), value_of(tile.word(window, lane))};
  }

  /// The key must not be in the table. Unless `thorough`, no key is evicted to make room.
  template <class Table, class Tile>
  SLOTSCAPE_HOST_DEVICE static auto insert(Table const& table, Tile tile, typename Table::Key key,
                                           typename Table::Value value, bool thorough = true) -> typename Table::Result
  {
    auto const pair = pack(key, value);
    Slot slot = take_free_slot(table, tile, key, pair);
    std::uint32_t moves = 0;
    for (int tries = thorough ? max_tries : 0; slot == no_slot && tries != 0; --tries) {
      CuckooPath path;
      if (!path.search(table, tile, key)) { break; }
      slot = path.walk_back(table, tile, pair, moves);
    }
    return {slot == no_slot ? Outcome::full : Outcome::inserted, slot, value, moves};
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
    if (word == Table::Format::empty_word) { return {SlotState::empty, false, 0}; }
    if (Table::Format::is_reserved(key_of(word))) { return {SlotState::tombstone, false, 0}; }
    return {SlotState::live, true, table.layout.function_of(key_of(word), slot / table.layout.bucket_slots)};
  }

  /// Valid: empty, or a key in one of its buckets.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static bool is_valid(Table const& table, Slot slot, typename Table::Word word)
  {
    Described const found = describe(table, slot, word);
    return found.state == SlotState::empty || (found.has_key && found.measure < table.layout.functions);
  }

private:
  static constexpr int max_tries = 8;

  static constexpr std::uint32_t buckets_of_table(std::uint64_t slots, std::uint64_t unit)
  {
    return static_cast<std::uint32_t>((slots + unit - 1) / unit);
  }

  /// Tells step mode which function is used, and m if its value is computed with m.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static void say(Table const& table, char const* line, std::uint32_t function)
  {
    if constexpr (requires { table.layout.table_buckets; }) {  // a segment's layout has none
      if (table.layout.table_buckets != 0) {
        return table.at(line, "function", function, "m", table.layout.table_buckets);
      }
    }
    table.at(line, "function", function);
  }

  /// Puts the pair into the first of the key's buckets that has room; returns `no_slot` if all are full.
  template <class Table, class Tile>
  SLOTSCAPE_HOST_DEVICE static Slot take_free_slot(Table const& table, Tile tile, typename Table::Key key,
                                                   typename Table::Word pair)
  {
    auto const empty = Table::Format::empty_word;
    for (std::uint32_t function = 0; function != table.layout.functions; ++function) {
      std::uint32_t const bucket = table.layout.bucket(key, function);
      Slot const first = table.layout.first_slot(bucket);
      say(table, "room", function);
      auto const window = tile.read(table.machine, first);
      std::uint32_t free = tile.ballot(window, [=](auto word) { return word == empty; });
      for (; free != 0; free &= free - 1) {
        Slot const slot = first + static_cast<Slot>(exec::first_lane(free));
        table.at("take", "slot", slot);
        if (tile.once([&] { return table.machine.compare_exchange(slot, empty, pair); }) != empty) { continue; }
        note_bucket_of_key(table, tile, key, bucket);
        return slot;
      }
    }
    return no_slot;
  }
};

/// Safe loads are below the thresholds above which random keys no longer all fit, for d functions and buckets of b: 2 x
/// 1 0.5, 3 x 1 0.9179, 4 x 1 0.9768, 2 x 2 0.8970, 2 x 4 0.9804, others above 0.98 (Fountoulakis & Panagiotou 2012;
/// Fernholz & Ramachandran 2007). They also hold if each function has its own table, provided that all digits are
/// random: where random keys have that many digits.
inline Guarantees Cuckoo::guarantees(TableSettings const& settings)
{
  std::uint32_t const functions = parameter_of(info, settings, "functions");
  std::uint32_t const bucket = parameter_of(info, settings, "bucket");
  double safe = 0.95;
  if (bucket == 1 && functions != 4) { safe = functions == 2 ? 0.45 : 0.88; }
  if (bucket == 2 && functions == 2) { safe = 0.87; }
  bool const by_hand = hashes_by_digits(info, settings);
  if (by_hand) {
    double const m = layout<Narrow>(settings).table_buckets;
    bool const has_digits = std::pow(m, functions) <= std::pow(2.0, settings.key_bits);
    if (!has_digits) { safe = 1.0 / static_cast<double>(settings.slots); }  // a single key always fits
  }
  return {.concurrency = Concurrency::phased,
          .erase_frees_slot = true,
          .safe_load = safe,
          .overflow = by_hand ? OverflowPolicy::report_full : OverflowPolicy::rebuild};
}

namespace families {
using cuckoo = Cuckoo;
}

}  // namespace slotscape
