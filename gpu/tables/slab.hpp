#pragma once

#include "gpu/tables/hash.hpp"
#include "gpu/tables/window_probing.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace slotscape {

/// SlabHash (Ashkiani et al. 2018): chains of slabs of 128 bytes: 15 pairs and a link to the next slab, read together
/// by a tile of 16 lanes. The base slabs, one for each bucket, come first in memory, followed by a pool of slabs from
/// which chains grow.
///
/// A search ends at the end of its chain, not at an empty slot. So an erased slot is simply empty again, for any key,
/// and no lookup ever passes tombstones. In return, inserts and erases must not overlap: if a slot became free early in
/// a chain after a tile has passed it, two tiles could store the same key twice.
///
/// The pool needs no lock and no free list, and leaks nothing, because the metadata records the owner of each of its
/// slabs: the slab whose link leads to it, and with it the slab's place in its chain. The owners form an
/// open-addressing table of their own, whose key is the slab that wants a successor: a compare-and-swap claims a place
/// along a fixed path that starts at a hash of the key. Owners stay until the table is cleared. So several tiles that
/// extend the same chain get the same slab, and it does not matter which of them writes the link. (With SlabHash's bump
/// allocation, each of them gets a slab, and all but one must be returned.)
struct Slab : WindowProbing<Slab> {
  static constexpr Slot size = 16;       ///< words of a slab
  static constexpr Slot link_lane = 15;  ///< the last word is the link
  static constexpr Slot reach = 1024;    ///< pool slabs tried before a chain counts as full
  static constexpr Slot none = 0xffffffffu;

  static constexpr std::array<int, 1> lane_choices{size};
  static constexpr std::array<std::uint32_t, 3> pool_choices{25, 50, 100};
  static constexpr std::array parameters{Parameter{
      .name = "pool",
      .title = "Pool, %",
      .help = "Spare slabs for growing chains, per 100 buckets. Once all are used, full chains accept no more keys.",
      .fallback = 50,
      .choices = pool_choices}};
  /// In terms of all slots for pairs, including the pool's. Lower for few buckets, where chains vary more.
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
      .misses_by = MissesBy::home};

  template <PairFormat Format>
  struct Layout {
    HasherOf<Format> hasher;  ///< to slots of the whole table
    Slot buckets;
    Slot pool;
    std::uint64_t buckets_per_slot;  ///< in 2^-32

    SLOTSCAPE_HOST_DEVICE std::uint64_t slots() const { return hasher.slots(); }
    SLOTSCAPE_HOST_DEVICE std::uint64_t metadata() const { return pool; }
    /// The first slot of the key's base slab.
    SLOTSCAPE_HOST_DEVICE Slot home(typename Format::Key key) const
    {
      return static_cast<Slot>((hasher.home(key) * buckets_per_slot) >> 32) * size;
    }
  };

  template <PairFormat Format>
  static Layout<Format> layout(TableSettings const& settings)
  {
    std::uint64_t const slabs = std::max<std::uint64_t>((settings.slots + size - 1) / size, 2);
    std::uint64_t const pool = std::max<std::uint64_t>(share_of_pool(settings, slabs), 1);
    std::uint64_t const buckets = slabs - pool;
    return {{settings.hash, slabs * size},
            static_cast<Slot>(buckets),
            static_cast<Slot>(pool),
            (buckets << 32) / (slabs * size)};
  }
  template <class Layout>
  SLOTSCAPE_HOST_DEVICE static constexpr int lanes(Layout const&)
  {
    return size;
  }

  struct Path {
    Slot first;  ///< the slab's first slot
    Slot left;   ///< upper bound of the slabs left in the chain
  };
  template <class Layout, class Key>
  SLOTSCAPE_HOST_DEVICE static Path path(Layout const& layout, Key key)
  {
    return {layout.home(key), layout.pool};
  }
  template <class Table, class Tile, class Window>
  SLOTSCAPE_HOST_DEVICE static bool next(Table const&, Tile tile, Path& path, Window const& window, typename Table::Key)
  {
    auto const link = tile.word(window, link_lane);
    if (link == Table::Format::empty_word || path.left == 0) { return false; }
    path = {key_of(link), path.left - 1};
    return true;
  }
  template <class Table, class Tile>
  SLOTSCAPE_HOST_DEVICE static bool extend(Table const& table, Tile tile, Path& path)
  {
    using Format = typename Table::Format;
    auto const link = tile.once([&] {
      Slot const slab = slab_after(table, path.first / size, table.layout.pool - path.left);
      if (slab == none) { return Format::empty_word; }
      auto const link = pack(slab * size, typename Format::Value{0});
      table.at("link", "slab", slab);
      table.machine.compare_exchange(path.first + link_lane, Format::empty_word, link);
      return link;
    });
    if (link == Format::empty_word || path.left == 0) { return false; }
    path = {key_of(link), path.left - 1};
    return true;
  }
  SLOTSCAPE_HOST_DEVICE static constexpr std::uint32_t pair_lanes() { return (1u << link_lane) - 1; }
  SLOTSCAPE_HOST_DEVICE static constexpr bool ends(std::uint32_t empty) { return (empty >> link_lane & 1) != 0; }
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

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static Described describe(Table const& table, Slot slot, typename Table::Word word)
  {
    if (slot % size == link_lane) { return {SlotState::link, false, 0}; }
    if (Table::Format::is_reserved(key_of(word))) { return {SlotState::empty, false, 0}; }
    return {SlotState::live, true, place_of(table, slot / size)};
  }

  /// Valid: a link leads to a pool slab owned by this slab; an owned slab is linked; a key is in its bucket's chain.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static bool is_valid(Table const& table, Slot slot, typename Table::Word word)
  {
    using Format = typename Table::Format;
    Slot const slab = slot / size;
    if (slot % size != link_lane) {
      if (word == Format::empty_word) { return true; }
      return !Format::is_reserved(key_of(word)) && base_of(table, slab) * size == table.layout.home(key_of(word));
    }
    std::uint64_t const owner = owner_of(table, slab);
    Slot const first = slab * size;
    if (owner * size > table.layout.slots()) { return false; }
    if (owner != 0 && key_of(table.machine.load(static_cast<Slot>(owner) * size - 1)) != first) { return false; }
    if (word == Format::empty_word) { return true; }
    Slot const next = key_of(word);
    return next % size == 0 && next < table.layout.slots() && owner_of(table, next / size) == slab + 1 &&
           place_of(table, next / size) == place_of(table, slab) + 1;
  }

  template <class Layout>
  static std::uint64_t groups(Layout const& layout)
  {
    return layout.buckets;
  }
  /// Slabs in the chain of a bucket.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static std::uint32_t group_size(Table const& table, std::uint64_t bucket)
  {
    Slot first = static_cast<Slot>(bucket) * size;
    std::uint32_t slabs = 1;
    for (; slabs <= table.layout.pool; ++slabs) {
      auto const link = table.machine.load(first + link_lane);
      if (link == Table::Format::empty_word) { break; }
      first = key_of(link);
    }
    return slabs;
  }

  /// Explains an access to the owner of a pool slab, for display.
  template <class Layout>
  static std::string explain(Layout const& layout, std::uint64_t index, std::uint64_t found, std::uint64_t written)
  {
    std::uint64_t const first = (layout.buckets + index) * size;
    std::string const slab = "Slab " + std::to_string(layout.buckets + index) + " of the pool (slots " +
                             std::to_string(first) + " to " + std::to_string(first + size - 1) + ") ";
    if (found == 0 && written == 0) { return slab + "is in no chain yet: it becomes part of this one"; }
    if (found == 0) { return slab + "now follows slab " + std::to_string(owner_in(written) - 1); }
    return slab + "follows slab " + std::to_string(owner_in(found) - 1) + " already";
  }

private:
  static std::uint64_t share_of_pool(TableSettings const& settings, std::uint64_t slabs)
  {
    std::uint64_t const percent = parameter_of(info, settings, "pool");
    return slabs * percent / (100 + percent);
  }

  /// The slab that follows slab `from`, which is at this place of its chain; taken from the pool if there is none yet,
  /// `none` if the pool is exhausted.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static Slot slab_after(Table const& table, Slot from, Slot place)
  {
    Slot const pool = table.layout.pool;
    auto const number = static_cast<std::uint64_t>(place) + 1;
    std::uint64_t const owner = (number << 32) | (static_cast<std::uint64_t>(from) + 1);
    Slot at = scaled(seeded_hash(0x736c6162u, from), pool);
    for (Slot left = pool < reach ? pool : reach; left != 0; --left, at = at + 1 == pool ? 0 : at + 1) {
      table.at("pool", "slab", table.layout.buckets + at);
      std::uint64_t seen = table.machine.load_metadata(at);
      if (seen == 0) { seen = table.machine.compare_exchange_metadata(at, 0, owner); }
      if (seen == 0 || seen == owner) { return table.layout.buckets + at; }
    }
    return none;
  }

  /// Metadata of a pool slab: in the low half 1 + the number of the slab before it in its chain, in the high half how
  /// many there are before it; 0 for unused ones. Base slabs have none, which reads as 0.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static std::uint64_t metadata_of(Table const& table, Slot slab)
  {
    return slab < table.layout.buckets ? 0 : table.machine.load_metadata(slab - table.layout.buckets);
  }
  SLOTSCAPE_HOST_DEVICE static constexpr std::uint64_t owner_in(std::uint64_t metadata)
  {
    return metadata & 0xffffffffu;
  }
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static std::uint64_t owner_of(Table const& table, Slot slab)
  {
    return owner_in(metadata_of(table, slab));
  }
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static std::uint32_t place_of(Table const& table, Slot slab)
  {
    return static_cast<std::uint32_t>(metadata_of(table, slab) >> 32);
  }

  /// The first slab of this slab's chain.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static Slot base_of(Table const& table, Slot slab)
  {
    for (Slot left = table.layout.pool; left != 0; --left) {
      std::uint64_t const owner = owner_of(table, slab);
      if (owner == 0 || owner * size > table.layout.slots()) { break; }
      slab = static_cast<Slot>(owner - 1);
    }
    return slab;
  }
};

namespace families {
using slab = Slab;
}

}  // namespace slotscape
