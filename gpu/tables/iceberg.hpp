#pragma once

#include "gpu/base/said.hpp"
#include "gpu/tables/fingerprints.hpp"
#include "gpu/tables/hash.hpp"
#include "gpu/tables/table_parts.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>

namespace slotscape {

/// IcebergHT (Pandey et al. 2023; on GPUs, McCoy & Pandey 2025, WarpSpeed). Most keys are in the front yard, in the one
/// large bucket that they hash to. If that is full, a key goes to the back yard, a ninth as large, into the less full
/// of two small buckets; if both are full, to the overflow. Fingerprints of a bucket's keys are read at once. No key
/// ever moves, and few keys are outside the front yard.
///
/// From the sources: front buckets of 64 slots, back buckets of 8 slots, one of these for each front bucket; a byte of
/// metadata for each slot; two choices in the back; a search goes front, back, overflow. WarpSpeed has buckets of one
/// size, 83 % of its slots in front, fingerprints of 16 bits, and no overflow; both lock a key's front bucket while
/// they change it. IcebergHT's overflow is a linked list for each front bucket, with a counter that lookups read.
///
/// Our choices: front buckets may also have 32 slots; the overflow is 1/64 of the slots, in buckets of 16 that are
/// tried one after another; a table has a fixed size, while the source's grow by doubling. It is also our choice that a
/// lookup ends at a bucket with an empty byte: no key has gone on from there, see fingerprints.hpp. IcebergHT always
/// looks into the back yard.
///
/// There are no locks. Many threads may insert the same key into its front bucket at once (`insert_unmoved`), as
/// fingerprints.hpp proves: slots do not become free meanwhile, so if one of them finds the bucket full, they all do.
/// Which back bucket is less full changes, and two threads that insert one key could choose differently. Therefore keys
/// that do not fit in front are inserted in a second pass, in which they are distinct and new (`PhasedTable`).
struct Iceberg {
  static constexpr bool inserts_new_keys = true;
  static constexpr bool inserts_unmoved = true;
  static constexpr bool leaves_tombstones = true;
  static constexpr Slot back_slots = 8;
  static constexpr Slot overflow_slots = 16;
  static constexpr std::uint64_t overflow_share = 64;  ///< one in this many slots
  static constexpr std::uint8_t erased_byte = 1;       ///< other bytes are fingerprints: 2 to 255
  static constexpr std::array<std::uint32_t, 2> front_choices{32, 64};
  static constexpr std::array parameters{Parameter{
      .name = "front",
      .title = "Front bucket",
      .help =
          "Slots of a bucket in the front yard. Large buckets fill more evenly, so fewer keys go to the back yard. The "
          "fingerprints of 32 slots fill one sector of a GPU's memory, those of 64 slots one cache line of a CPU.",
      .fallback = 64,
      .choices = front_choices}};

  static Guarantees guarantees(TableSettings const& settings);
  static constexpr FamilyInfo info{
      .name = "iceberg",
      .title = "Iceberg",
      .source = "Pandey et al. 2023, IcebergHT; McCoy & Pandey 2025, WarpSpeed",
      .idea =
          "Nearly all keys fit into the one large bucket of their hash, in the front yard. The others go to the less "
          "full of two small buckets in the back yard. No key ever moves.",
      .guarantees = guarantees,
      .uses_hash = false,
      .wide = true,
      .parameters = parameters,
      .measure = {"Extra accesses", "beyond two"},
      .first_access = 2,
      .groups = {"Front bucket", "slots taken"},
      .theory = TheoryOf::two_yards};

  /// Front buckets come first, then those of the back yard, then the overflow. Their bytes are in the same order.
  template <PairFormat Format>
  struct Layout {
    Slot front_slots;
    Slot front;  ///< buckets
    Slot back;
    Slot overflow;

    SLOTSCAPE_HOST_DEVICE Slot first_back() const { return front * front_slots; }
    SLOTSCAPE_HOST_DEVICE Slot first_overflow() const { return first_back() + back * back_slots; }
    SLOTSCAPE_HOST_DEVICE std::uint64_t slots() const
    {
      return std::uint64_t{first_overflow()} + std::uint64_t{overflow} * overflow_slots;
    }
    /// Between back yard and overflow, a number is skipped if necessary to make the overflow's first index even.
    SLOTSCAPE_HOST_DEVICE std::uint64_t overflow_bytes_at() const { return (first_overflow() / 8 + 1) / 2 * 2; }
    SLOTSCAPE_HOST_DEVICE std::uint64_t metadata() const
    {
      return overflow_bytes_at() + std::uint64_t{overflow} * (overflow_slots / 8);
    }
    SLOTSCAPE_HOST_DEVICE Slot front_bucket(typename Format::Key key) const
    {
      return scaled(seeded_hash(0x66726f6e74u, key), front);
    }
    SLOTSCAPE_HOST_DEVICE Slot home(typename Format::Key key) const { return front_bucket(key) * front_slots; }
  };

  template <PairFormat Format>
  static Layout<Format> layout(TableSettings const& settings)
  {
    std::uint64_t const size = parameter_of(info, settings, "front");
    auto const rounded_up = [](std::uint64_t number, std::uint64_t by) { return (number + by - 1) / by; };
    std::uint64_t const overflow = rounded_up(settings.slots, overflow_share * overflow_slots);
    std::uint64_t const aside = std::min(settings.slots, overflow * overflow_slots);
    std::uint64_t const back = std::max<std::uint64_t>(1, rounded_up(settings.slots - aside, 9 * back_slots));
    std::uint64_t const yard = settings.slots - std::min(settings.slots, aside + back * back_slots);
    return {static_cast<Slot>(size), static_cast<Slot>(std::max<std::uint64_t>(1, rounded_up(yard, size))),
            static_cast<Slot>(back), static_cast<Slot>(overflow)};
  }

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto find(Table const& table, typename Table::Key key) -> typename Table::Result
  {
    auto place = no_place(table);
    search(table, key, [&](auto const& bucket, std::uint8_t byte) {
      place = fingerprints::find(table, bucket, byte, key);
      return place.slot != no_slot;
    });
    return place;
  }

  /// Updates the key, or inserts it if there is room in its front bucket; otherwise returns `full`.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto insert_unmoved(Table const& table, typename Table::Key key,
                                                   typename Table::Value value) -> typename Table::Result
  {
    auto const place = find(table, key);
    if (place.slot != no_slot) {
      put(table, place.slot, pack(key, place.value), value);
      return {Outcome::updated, place.slot, value};
    }
    typename Table::Result result{Outcome::full, no_slot, value};
    take_in_front(table, key, result);
    return result;
  }

  /// The key must not be in the table.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto insert(Table const& table, typename Table::Key key, typename Table::Value value) ->
      typename Table::Result
  {
    typename Table::Result result{Outcome::full, no_slot, value};
    if (take_in_front(table, key, result) || take_in_back(table, key, result)) { return result; }
    Choices const choice = choices(table.layout, key);
    Slot bucket = choice.overflow;
    for (Slot left = table.layout.overflow; left != 0; --left) {
      table.at("beyond", "bucket", bucket);
      if (fingerprints::take(table, read_overflow(table, bucket), ByteOf<Table>{table}, key, result)) { break; }
      bucket = bucket + 1 == table.layout.overflow ? 0 : bucket + 1;
    }
    return result;
  }

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto erase(Table const& table, typename Table::Key key) -> typename Table::Result
  {
    auto result = no_place(table);
    search(table, key, [&](auto const& bucket, std::uint8_t byte) {
      auto const place = fingerprints::find(table, bucket, byte, key);
      if (place.slot == no_slot) { return false; }
      result = fingerprints::erase(table, bucket, place, key);
      return true;
    });
    return result;
  }

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static Described describe(Table const& table, Slot slot, typename Table::Word word)
  {
    if (word == Table::Format::empty_word) { return {SlotState::empty, false, 0}; }
    if (Table::Format::is_reserved(key_of(word))) { return {SlotState::tombstone, false, 0}; }
    return {SlotState::live, true, extra_accesses(table, slot, key_of(word))};
  }
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static std::uint16_t byte_beside(Table const& table, Slot slot)
  {
    std::uint8_t byte = 0;
    in_bucket_of(table, slot,
                 [&](auto const& bucket) { byte = bucket.read.at(static_cast<int>(slot - bucket.first)); });
    return byte;
  }
  /// Valid: slot and byte agree, and a key is in one of its buckets; only there can a lookup find it.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static bool is_valid(Table const& table, Slot slot, typename Table::Word word)
  {
    std::uint8_t const byte = choices(table.layout, key_of(word)).byte;
    bool agrees = false;
    in_bucket_of(table, slot, [&](auto const& bucket) {
      agrees = fingerprints::agree<typename Table::Format>(bucket, slot, word, byte);
    });
    return agrees;
  }

  template <class Layout>
  static std::uint64_t groups(Layout const& layout)
  {
    return layout.front;
  }
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static std::uint32_t group_size(Table const& table, std::uint64_t bucket)
  {
    std::uint32_t keys = 0;
    Slot const first = static_cast<Slot>(bucket) * table.layout.front_slots;
    in_bucket_of(table, first, [&](auto const& front) { keys = front.keys(); });
    return keys;
  }

  /// Describes the bytes of a bucket, for display.
  template <class Layout>
  static std::string explain_window(Layout const& layout, std::uint64_t index, std::span<std::uint64_t const> found)
  {
    Named const bucket = named(layout, index);
    return said("{}: the fingerprints of slots {} to {} are read at once, {}",
                {bucket.name, bucket.first, bucket.first + bucket.size - 1, counted(found)});
  }
  template <class Layout>
  static std::string explain(Layout const& layout, std::uint64_t index, std::uint64_t found, std::uint64_t written)
  {
    std::uint64_t const change = found ^ written;
    if (change == 0) { return explain_window(layout, index, {&found, 1}); }
    int const lane = first_bit(change) / 8;
    std::uint8_t const byte = byte_in(written, lane);
    Slot const slot = slot_of(layout, index) + static_cast<Slot>(lane);
    if (byte == 0) { return said("The byte of slot {} is empty again", {slot}); }
    return byte == erased_byte
               ? said(
                     "The byte of slot {} says that its key was erased: the bucket was full, so lookups must go on "
                     "past it",
                     {slot})
               : said("The byte of slot {} becomes the fingerprint of the key", {slot});
  }

  static TableParts parts(TableSettings const& settings)
  {
    Layout<Narrow> const shape = layout<Narrow>(settings);
    return {{"front", 0, shape.first_back()},
            {"back", shape.first_back(), shape.first_overflow() - shape.first_back()},
            {"overflow", shape.first_overflow(), shape.slots() - shape.first_overflow()}};
  }

private:
  static constexpr int max_tries = 16;

  /// A key's buckets after its front bucket, and its fingerprint byte. The two back buckets may be the same.
  struct Choices {
    Slot back[2];
    Slot overflow;
    std::uint8_t byte;
  };
  template <class Layout, class Key>
  SLOTSCAPE_HOST_DEVICE static Choices choices(Layout const& layout, Key key)
  {
    std::uint64_t const hash = seeded_hash(0x6261636bu, key);
    std::uint64_t const other = seeded_hash(0x69636562u, key);
    return {{scaled(hash, layout.back), scaled(hash << 32, layout.back)},
            scaled(other, layout.overflow),
            static_cast<std::uint8_t>(2 + scaled(other << 32, 254))};
  }

  template <class Table>
  struct ByteOf {
    Table const& table;
    SLOTSCAPE_HOST_DEVICE std::uint8_t operator()(typename Table::Key key) const
    {
      return choices(table.layout, key).byte;
    }
  };

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto no_place(Table const&) -> typename Table::Result
  {
    return {Outcome::missing, no_slot, Table::Format::empty_value};
  }

  template <int numbers, class Table>
  SLOTSCAPE_HOST_DEVICE static auto read_front(Table const& table, Slot bucket)
  {
    return fingerprints::read<numbers>(table, bucket * (numbers * 8), std::uint64_t{bucket} * numbers, numbers * 8,
                                       erased_byte);
  }
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto read_back(Table const& table, Slot bucket)
  {
    Slot const first = table.layout.first_back() + bucket * back_slots;
    return fingerprints::read<1>(table, first, first / 8, back_slots, erased_byte);
  }
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto read_overflow(Table const& table, Slot bucket)
  {
    Slot const first = table.layout.first_overflow() + bucket * overflow_slots;
    std::uint64_t const at = table.layout.overflow_bytes_at() + std::uint64_t{bucket} * (overflow_slots / 8);
    return fingerprints::read<overflow_slots / 8>(table, first, at, overflow_slots, erased_byte);
  }
  /// Calls f(bucket) with the key's front bucket.
  template <class Table, class F>
  SLOTSCAPE_HOST_DEVICE static bool in_front(Table const& table, Slot bucket, F const& f)
  {
    return table.layout.front_slots == 64 ? f(read_front<8>(table, bucket)) : f(read_front<4>(table, bucket));
  }
  /// Calls f(bucket) with the bucket of a slot.
  template <class Table, class F>
  SLOTSCAPE_HOST_DEVICE static void in_bucket_of(Table const& table, Slot slot, F const& f)
  {
    auto const& layout = table.layout;
    if (slot < layout.first_back()) {
      in_front(table, slot / layout.front_slots, [&](auto const& bucket) {
        f(bucket);
        return true;
      });
    } else if (slot < layout.first_overflow()) {
      f(read_back(table, (slot - layout.first_back()) / back_slots));
    } else {
      f(read_overflow(table, (slot - layout.first_overflow()) / overflow_slots));
    }
  }

  /// Reads a key's buckets in the order of a lookup, and calls f(bucket, fingerprint) for each until f returns true or
  /// a bucket has never overflowed, so that the key cannot be in a later one.
  template <class Table, class F>
  SLOTSCAPE_HOST_DEVICE static void search(Table const& table, typename Table::Key key, F const& f)
  {
    auto const& layout = table.layout;
    Choices const choice = choices(layout, key);
    auto const ends = [&](auto const& bucket) { return f(bucket, choice.byte) || bucket.empty() != 0; };
    table.at("front", "bucket", layout.front_bucket(key), "byte", choice.byte);
    if (in_front(table, layout.front_bucket(key), ends)) { return; }
    bool any_empty = false;
    for (Slot const number : choice.back) {
      table.at("back", "bucket", number);
      auto const bucket = read_back(table, number);
      if (f(bucket, choice.byte)) { return; }
      any_empty = any_empty || bucket.empty() != 0;
    }
    Slot number = choice.overflow;
    for (Slot left = any_empty ? 0 : layout.overflow; left != 0; --left) {
      table.at("beyond", "bucket", number);
      if (ends(read_overflow(table, number))) { return; }
      number = number + 1 == layout.overflow ? 0 : number + 1;
    }
  }

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static bool take_in_front(Table const& table, typename Table::Key key,
                                                  typename Table::Result& result)
  {
    table.at("room", "bucket", table.layout.front_bucket(key));
    return in_front(table, table.layout.front_bucket(key), [&](auto const& bucket) {
      return fingerprints::take(table, bucket, ByteOf<Table>{table}, key, result);
    });
  }

  /// Inserts into the less full of the two buckets. A try fails only if other threads have filled that bucket
  /// meanwhile.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static bool take_in_back(Table const& table, typename Table::Key key,
                                                 typename Table::Result& result)
  {
    Choices const choice = choices(table.layout, key);
    for (int tries = 0; tries != max_tries; ++tries) {
      table.at("choose", "bucket", choice.back[0]);
      auto const first = read_back(table, choice.back[0]);
      table.at("choose", "bucket", choice.back[1]);
      auto const second = read_back(table, choice.back[1]);
      auto const& chosen = second.keys() < first.keys() ? second : first;
      if (chosen.free() == 0) { return false; }
      if (fingerprints::take(table, chosen, ByteOf<Table>{table}, key, result)) { return true; }
    }
    return false;
  }

  /// The number of accesses of a lookup, not counting the bytes of the key's bucket and its slot.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static std::uint32_t extra_accesses(Table const& table, Slot slot, typename Table::Key key)
  {
    std::uint32_t count = 0;
    search(table, key, [&](auto const& bucket, std::uint8_t byte) {
      Slot const lane = slot - bucket.first;  // wraps to a large number if the slot is before the bucket
      bool const is_here = lane < static_cast<Slot>(count_bits(bucket.lanes));
      count += is_here ? bucket.matches_before(static_cast<int>(lane), byte)
                       : 1 + static_cast<std::uint32_t>(count_bits(bucket.with(byte)));
      return is_here;
    });
    return count;
  }

  /// A bucket's description.
  struct Named {
    std::string name;
    Slot first;
    Slot size;
  };
  template <class Layout>
  static Named named(Layout const& layout, std::uint64_t index)
  {
    Slot const slot = slot_of(layout, index);
    auto const of = [&](char const* name, Slot start, Slot size) {
      Slot const bucket = (slot - start) / size;
      return Named{said(name, {bucket}), start + bucket * size, size};
    };
    if (slot < layout.first_back()) { return of(translatable("Front bucket {}"), 0, layout.front_slots); }
    if (slot < layout.first_overflow()) { return of(translatable("Back bucket {}"), layout.first_back(), back_slots); }
    return of(translatable("Overflow bucket {}"), layout.first_overflow(), overflow_slots);
  }
  /// The first slot whose byte is in this metadata number.
  template <class Layout>
  static Slot slot_of(Layout const& layout, std::uint64_t index)
  {
    bool const is_overflow = index >= layout.overflow_bytes_at();
    std::uint64_t const start = is_overflow ? layout.first_overflow() : 0;
    return static_cast<Slot>(start + (index - (is_overflow ? layout.overflow_bytes_at() : 0)) * 8);
  }
  static std::string counted(std::span<std::uint64_t const> found)
  {
    std::uint64_t empty = 0;
    std::uint64_t erased = 0;
    for (std::uint64_t const word : found) {
      empty += static_cast<std::uint64_t>(count_bits(bytes::equal_in_word(word, 0)));
      erased += static_cast<std::uint64_t>(count_bits(bytes::equal_in_word(word, erased_byte)));
    }
    std::uint64_t const keys = found.size() * 8 - empty - erased;
    std::string const text = keys == 1 ? said("1 key, {} empty", {empty}) : said("{} keys, {} empty", {keys, empty});
    return erased == 0 ? text : text + said(", {} erased", {erased});
  }
};

/// A table that is only filled reaches 0.96 or more with front buckets of 32 slots, 0.98 with 64. But a key in the back
/// yard stays there when room becomes free in front. So while keys come and go, more and more of them are in the back:
/// in the end, those that find their front bucket full, as in Erlang's loss formula. The safe load is below the load at
/// which simulated tables refused a key within 400,000 replacements.
inline Guarantees Iceberg::guarantees(TableSettings const& settings)
{
  double const safe = parameter_of(info, settings, "front") == 64 ? 0.88 : 0.82;
  return {.concurrency = Concurrency::phased, .erase_frees_slot = true, .safe_load = safe};
}

namespace families {
using iceberg = Iceberg;
}

}  // namespace slotscape
