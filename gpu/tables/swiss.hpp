#pragma once

#include "gpu/base/said.hpp"
#include "gpu/tables/fingerprints.hpp"
#include "gpu/tables/hash.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <string>

namespace slotscape {

/// SwissTable (Benzaquen, Evlogimenos, Kulukundis & Perepelitsa 2017; Abseil's flat_hash_map), and as a variant,
/// Boost's unordered_flat_map (López Muñoz 2022). Each slot has a control byte. The control bytes of a group of slots
/// are read and compared at once, so a lookup reads hardly any slot except that of its key.
///
/// From the sources: Abseil's byte says that a slot is empty, or that its key was erased, or has 7 bits of the key's
/// hash; 16 of them are compared by SSE2; groups are probed quadratically; a lookup ends at a group with an empty byte;
/// so an erased slot is empty again, unless its group was full. Boost's group has 15 slots and an overflow byte. Each
/// bit of the overflow byte stands for an eighth of all keys, and is set when one of these finds the group full and
/// goes on. A lookup goes on only if its bit is set, so there are no tombstones; a key's byte has 254 values.
///
/// Our choices: groups begin at multiples of their size (Abseil's at any slot, for which it stores the first bytes
/// twice); fingerprint and overflow bit come from a second hash, since a 32-bit hash has no bits to spare in a large
/// table; bytes are Abseil's with the high bit flipped, so that cleared memory is empty; any number of groups, where
/// the sources have a power of two: probing skips those past the end. A table has a fixed size, and takes keys until
/// all of its slots are full; the sources grow at 7/8, and Boost earlier if erased keys have left many bits set.
///
/// Neither source runs operations concurrently. fingerprints.hpp explains how that is possible here. In addition, an
/// overflow bit is set before a key goes on, so a thread that finds the key's slot in a later group finds the bit as
/// well.
///
/// bytes: of a group's metadata, the last of which is Boost's overflow byte; abseil_slots, boost_slots: of a group.
/// Tests use smaller groups, which a few threads fill.
template <int bytes, Slot abseil_slots, Slot boost_slots>
struct SwissOfGroups {
  static_assert(bytes % 8 == 0 && abseil_slots <= bytes && boost_slots < bytes);
  static constexpr bool leaves_tombstones = true;
  static constexpr std::uint32_t abseil = 1;
  static constexpr std::uint32_t boost = 2;
  static constexpr std::array<std::uint32_t, 2> variants{abseil, boost};
  static constexpr std::array<std::string_view, 2> variant_names{"Abseil, 2017", "Boost, 2022"};
  static constexpr std::array parameters{Parameter{
      .name = "variant",
      .title = "Variant",
      .help = "Abseil: groups of 16 slots; an erased slot of a full group stays a tombstone. Boost: groups of 15 slots "
              "and an overflow byte, which says whether to go on; no tombstones.",
      .fallback = abseil,
      .choices = variants,
      .choice_names = variant_names}};
  static constexpr int group_numbers = bytes / 8;  ///< of metadata
  static constexpr int overflow_lane = bytes - 1;  ///< for Boost's groups
  static constexpr std::uint8_t abseil_erased = 0x7e;
  using Group = FingerprintBucket<group_numbers>;

  static constexpr Guarantees guarantees(TableSettings const& settings)
  {
    return {.concurrency = unless_combining(Concurrency::erases_apart, settings.combine), .erase_frees_slot = true};
  }
  static constexpr FamilyInfo info{
      .name = "swiss",
      .title = "SwissTable",
      .source = "Abseil's flat_hash_map, 2017; Boost's unordered_flat_map, 2022",
      .idea =
          "Each slot has a control byte, which marks it as empty or holds a fingerprint of its key. The bytes of a "
          "group are compared at once, and only slots that match are read.",
      .guarantees = guarantees,
      .wide = true,
      .parameters = parameters,
      .measure = {"Extra accesses", "beyond two"},
      .first_access = 2,
      .groups = {"Group size", "keys"},
      .theory = TheoryOf::groups_on_paths};

  SLOTSCAPE_HOST_DEVICE static constexpr Slot slots_of_group(std::uint32_t variant)
  {
    return variant == abseil ? abseil_slots : boost_slots;  // NOLINT(bugprone-branch-clone): tests have groups of two
  }

  template <PairFormat Format, class Hasher = HasherOf<Format>>
  struct Layout {
    Hasher hasher;
    Slot groups;
    Slot last_number;  ///< the number of groups rounded up to a power of two, minus 1
    std::uint32_t variant;

    SLOTSCAPE_HOST_DEVICE Slot group_slots() const { return slots_of_group(variant); }
    SLOTSCAPE_HOST_DEVICE std::uint64_t slots() const { return hasher.slots(); }
    SLOTSCAPE_HOST_DEVICE std::uint64_t metadata() const { return std::uint64_t{groups} * group_numbers; }
    SLOTSCAPE_HOST_DEVICE Slot group(typename Format::Key key) const { return hasher.home(key) / group_slots(); }
    /// The first slot of the key's first group.
    SLOTSCAPE_HOST_DEVICE Slot home(typename Format::Key key) const { return group(key) * group_slots(); }
  };

  template <PairFormat Format, class Hasher = HasherOf<Format>>
  static Layout<Format, Hasher> layout(TableSettings const& settings)
  {
    std::uint32_t const variant = parameter_of(info, settings, "variant");
    std::uint64_t const size = slots_of_group(variant);
    std::uint64_t const groups = (settings.slots + size - 1) / size;
    return {{settings.hash, groups * size},
            static_cast<Slot>(groups),
            static_cast<Slot>(std::bit_ceil(groups) - 1),
            variant};
  }

  /// A key's control byte, from its second hash, and its overflow bit.
  struct Tag {
    std::uint8_t byte;
    std::uint8_t overflow;
  };
  template <class Layout, class Key>
  SLOTSCAPE_HOST_DEVICE static Tag tag(Layout const& layout, Key key)
  {
    std::uint64_t const hash = seeded_hash(0x7377697373u, key);
    auto const byte = layout.variant == abseil ? 0x80u | static_cast<std::uint32_t>(hash >> 57) : 2 + scaled(hash, 254);
    return {static_cast<std::uint8_t>(byte), static_cast<std::uint8_t>(1u << (hash & 7u))};
  }

  /// The groups that a key tries: its first group plus triangular numbers, modulo a power of two, which visits each
  /// number once. Numbers without a group are skipped.
  struct Path {
    Slot group;
    Slot number;
    Slot step;
    Slot left;  ///< groups not yet visited

    template <class Layout>
    SLOTSCAPE_HOST_DEVICE bool next(Layout const& layout)
    {
      if (left == 0) { return false; }
      --left;
      do {
        number = (number + ++step) & layout.last_number;
      } while (number >= layout.groups);
      group = number;
      return true;
    }
  };
  template <class Layout, class Key>
  SLOTSCAPE_HOST_DEVICE static Path path(Layout const& layout, Key key)
  {
    Slot const group = layout.group(key);
    return {group, group, 0, layout.groups - 1};
  }

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto find(Table const& table, typename Table::Key key) -> typename Table::Result
  {
    return find_group(table, key).place;
  }

  /// First looks for the key, noting the first group with a free slot on the way; then takes the first slot from there
  /// on that is still free.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto insert(Table const& table, typename Table::Key key, typename Table::Value value) ->
      typename Table::Result
  {
    Sought<Table> const sought = find_group<true>(table, key);
    if (sought.place.slot != no_slot) {
      put(table, sought.place.slot, pack(key, sought.place.value), value);
      return {Outcome::updated, sought.place.slot, value};
    }
    typename Table::Result result{Outcome::full, no_slot, value};
    auto const byte_of = [&](typename Table::Key of) { return tag(table.layout, of).byte; };
    Path path = sought.start;
    Group group = sought.group;
    while (true) {
      if (path.group * table.layout.group_slots() != group.first) {
        table.at("again", "group", path.group);
        group = read(table, path.group);
      }
      if (fingerprints::take(table, group, byte_of, key, result)) { return result; }
      if (table.layout.variant == boost) { set_overflow(table, group, tag(table.layout, key)); }
      if (!path.next(table.layout)) { return result; }
    }
  }

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto erase(Table const& table, typename Table::Key key) -> typename Table::Result
  {
    Sought<Table> const sought = find_group(table, key);
    return fingerprints::erase(table, sought.group, sought.place, key);
  }

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static Described describe(Table const& table, Slot slot, typename Table::Word word)
  {
    if (word == Table::Format::empty_word) { return {SlotState::empty, false, 0}; }
    if (Table::Format::is_reserved(key_of(word))) { return {SlotState::tombstone, false, 0}; }
    return {SlotState::live, true, extra_accesses(table, slot, key_of(word))};
  }
  /// The control byte of a slot, as in Abseil or Boost.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static std::uint16_t byte_beside(Table const& table, Slot slot)
  {
    Slot const size = table.layout.group_slots();
    std::uint8_t const byte = read(table, slot / size).read.at(static_cast<int>(slot % size));
    return table.layout.variant == abseil ? byte ^ 0x80u : byte;
  }

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static bool is_valid(Table const& table, Slot slot, typename Table::Word word)
  {
    Group const group = read(table, slot / table.layout.group_slots());
    return fingerprints::agree<typename Table::Format>(group, slot, word, tag(table.layout, key_of(word)).byte);
  }

  template <class Layout>
  static std::uint64_t groups(Layout const& layout)
  {
    return layout.groups;
  }
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static std::uint32_t group_size(Table const& table, std::uint64_t group)
  {
    return read(table, static_cast<Slot>(group)).keys();
  }

  /// Describes the control bytes of a group, for display.
  template <class Layout>
  static std::string explain_window(Layout const& layout, std::uint64_t index, std::span<std::uint64_t const> found)
  {
    auto const number = static_cast<Slot>(index / group_numbers);
    ByteGroup<group_numbers> read;
    std::copy_n(found.begin(), group_numbers, read.words.begin());
    Group const group = bucket(layout, number, read);
    auto const free = static_cast<std::uint32_t>(count_bits(group.free()));
    auto const empty = static_cast<std::uint32_t>(count_bits(group.empty()));
    Slot const last = group.first + layout.group_slots() - 1;
    std::string text = group.keys() == 1
                           ? said("The control bytes of slots {} to {} are read at once: 1 fingerprint, {} empty",
                                  {group.first, last, empty})
                           : said("The control bytes of slots {} to {} are read at once: {} fingerprints, {} empty",
                                  {group.first, last, group.keys(), empty});
    if (free != empty) { text += said(", {} erased", {free - empty}); }
    if (layout.variant == abseil) { return text; }
    return text + (group.read.at(overflow_lane) == 0
                       ? said(". No key has overflowed from here")
                       : said(". Keys have overflowed from here: the overflow byte says which"));
  }
  /// Describes a change to the control bytes, for display.
  template <class Layout>
  static std::string explain(Layout const& layout, std::uint64_t index, std::uint64_t found, std::uint64_t written)
  {
    auto const number = static_cast<Slot>(index / group_numbers);
    Slot const first = number * layout.group_slots();
    std::uint64_t const change = found ^ written;
    int const lane = static_cast<int>(index % group_numbers) * 8 + (change == 0 ? 0 : first_bit(change) / 8);
    if (change == 0) { return said("Some control bytes of group {} are read", {number}); }
    if (layout.variant == boost && lane == overflow_lane) {
      return said("A bit of the overflow byte of slots {} to {} is set: a lookup of this key goes on from here",
                  {first, first + layout.group_slots() - 1});
    }
    std::uint8_t const byte = byte_in(written, lane);
    Slot const slot = first + static_cast<Slot>(lane);
    if (byte == Group::empty_byte) { return said("The control byte of slot {} is empty again", {slot}); }
    bool const is_erased = layout.variant == abseil && byte == abseil_erased;
    return is_erased ? said(
                           "The control byte of slot {} says that its key was erased: the group was full, so lookups "
                           "must go on past it",
                           {slot})
                     : said("The control byte of slot {} becomes the fingerprint of the key", {slot});
  }

private:
  /// The state of a search.
  template <class Table>
  struct Sought {
    typename Table::Result place;
    Group group;  ///< the last group read
    Path start;   ///< at the first group with a free slot; if none was met yet, at the last one read
  };

  template <class Layout>
  SLOTSCAPE_HOST_DEVICE static Group bucket(Layout const& layout, Slot group, ByteGroup<group_numbers> const& read)
  {
    Slot const size = layout.group_slots();
    return {group * size, std::uint64_t{group} * group_numbers, (1u << size) - 1, erased_byte(layout), read};
  }
  template <class Layout>
  SLOTSCAPE_HOST_DEVICE static std::uint8_t erased_byte(Layout const& layout)
  {
    return layout.variant == abseil ? abseil_erased : Group::empty_byte;
  }
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static Group read(Table const& table, Slot group)
  {
    Slot const size = table.layout.group_slots();
    return fingerprints::read<group_numbers>(table, group * size, std::uint64_t{group} * group_numbers,
                                             static_cast<int>(size), erased_byte(table.layout));
  }

  /// Whether no key with this tag is in a later group.
  template <class Layout>
  SLOTSCAPE_HOST_DEVICE static bool ends(Layout const& layout, Group const& group, Tag mine)
  {
    if (layout.variant == abseil) { return group.empty() != 0; }
    return (group.read.at(overflow_lane) & mine.overflow) == 0;
  }

  /// Full groups need fresh loads when inserting, because an insertion does not come back to them.
  template <bool inserts = false, class Table>
  SLOTSCAPE_HOST_DEVICE static auto find_group(Table const& table, typename Table::Key key) -> Sought<Table>
  {
    Tag const mine = tag(table.layout, key);
    Path path = SwissOfGroups::path(table.layout, key);
    Path start = path;
    bool any_free = false;
    while (true) {
      table.at("group", "group", path.group, "byte", mine.byte);
      Group const group = read(table, path.group);
      bool const is_last_look = inserts && group.free() == 0;
      auto const loads = is_last_look ? fingerprints::Loads::fresh : fingerprints::Loads::may_be_stale;
      auto const place = fingerprints::find(table, group, mine.byte, key, loads);
      if (!any_free) {
        start = path;
        any_free = group.free() != 0;
      }
      if (place.slot != no_slot || ends(table.layout, group, mine) || !path.next(table.layout)) {
        return {place, group, start};
      }
    }
  }

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static void set_overflow(Table const& table, Group const& group, Tag mine)
  {
    std::uint64_t const bit = std::uint64_t{mine.overflow} << (overflow_lane % 8 * 8);
    std::uint64_t seen = group.read.words[overflow_lane / 8];
    table.at("overflow", "slot", group.first);
    while ((seen & bit) == 0) {
      std::uint64_t const old = table.machine.compare_exchange_metadata(group.at + overflow_lane / 8, seen, seen | bit);
      if (old == seen) { return; }
      seen = old;
    }
  }

  /// The number of accesses of a lookup, not counting the bytes of the key's group and its slot.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static std::uint32_t extra_accesses(Table const& table, Slot slot, typename Table::Key key)
  {
    Tag const mine = tag(table.layout, key);
    Path path = SwissOfGroups::path(table.layout, key);
    std::uint32_t count = 0;
    while (true) {
      Group const group = read(table, path.group);
      Slot const lane = slot - group.first;  // wraps to a large number if the slot is before the group
      bool const is_here = lane < table.layout.group_slots();
      count += is_here ? group.matches_before(static_cast<int>(lane), mine.byte)
                       : 1 + static_cast<std::uint32_t>(count_bits(group.with(mine.byte)));
      if (is_here || !path.next(table.layout)) { return count; }
    }
  }
};

using Swiss = SwissOfGroups<16, 16, 15>;

namespace families {
using swiss = Swiss;
}

}  // namespace slotscape
