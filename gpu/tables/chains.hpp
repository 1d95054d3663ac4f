#pragma once

#include "gpu/base/said.hpp"
#include "gpu/tables/hash.hpp"
#include "gpu/tables/window_probing.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace slotscape {

/// Texts about a pool node, with placeholders for its number, its first and last slot, and the node that it follows.
struct PoolWords {
  char const* unused;
  char const* now_follows;
  char const* follows;
};

/// Tables of chains: each bucket is a list of nodes of `node_slots` words, the last of which is the link to the next
/// node, and a node is read at once. The first nodes, one for each bucket, come first in memory, followed by a pool of
/// nodes from which chains grow. A chain is only ever extended at its end, so it is a path as `WindowProbing` needs it.
///
/// The pool needs no lock and no free list, and leaks nothing, because the metadata records the owner of each of its
/// nodes: the node whose link leads to it, and with it the node's place in its chain. The owners form an
/// open-addressing table of their own, whose key is the node that needs a successor: a compare-and-swap claims a place
/// along a fixed path that starts at a hash of the key. Owners stay until the table is cleared. So several tiles that
/// extend the same chain get the same node, and it does not matter which of them writes the link. (With SlabHash's bump
/// allocation, each of them gets a slab, and all but one must be returned.)
///
/// A family derives from this with `erased_word`, with `keeps_keys` (see `WindowProbing`), with its parameter `pool`,
/// and with
///   static constexpr char const* node();   the family's name for a node
///   static constexpr PoolWords in_words;
template <class Family, Slot node_slots>
struct Chains : WindowProbing<Family> {
  static constexpr Slot size = node_slots;           ///< words of a node
  static constexpr Slot link_lane = node_slots - 1;  ///< the last word is the link
  static constexpr Slot reach = 1024;                ///< pool nodes tried before a chain counts as full
  static constexpr Slot none = 0xffffffffu;

  static constexpr std::array<int, 1> lane_choices{node_slots};

  template <PairFormat Format, class Hasher = HasherOf<Format>>
  struct Layout {
    Hasher hasher;  ///< hashes to slots of the whole table
    Slot buckets;
    Slot pool;
    std::uint64_t buckets_per_slot;  ///< in 2^-32
    Deletion deletion;

    SLOTSCAPE_HOST_DEVICE std::uint64_t slots() const { return hasher.slots(); }
    SLOTSCAPE_HOST_DEVICE std::uint64_t metadata() const { return pool; }
    SLOTSCAPE_HOST_DEVICE Slot bucket(typename Format::Key key) const
    {
      return static_cast<Slot>((hasher.home(key) * buckets_per_slot) >> 32);
    }
    /// The first slot of the first node of the key's bucket.
    SLOTSCAPE_HOST_DEVICE Slot home(typename Format::Key key) const { return bucket(key) * size; }
  };

  template <PairFormat Format, class Hasher = HasherOf<Format>>
  static Layout<Format, Hasher> layout(TableSettings const& settings)
  {
    std::uint64_t const nodes = std::max<std::uint64_t>((settings.slots + size - 1) / size, 2);
    std::uint64_t const pool = std::max<std::uint64_t>(share_of_pool(settings, nodes), 1);
    std::uint64_t const buckets = nodes - pool;
    return {{settings.hash, nodes * size},
            static_cast<Slot>(buckets),
            static_cast<Slot>(pool),
            (buckets << 32) / (nodes * size),
            settings.deletion};
  }
  template <class Layout>
  SLOTSCAPE_HOST_DEVICE static constexpr int lanes(Layout const&)
  {
    return size;
  }

  struct Path {
    Slot first;  ///< the node's first slot
    Slot left;   ///< upper bound on the nodes left in the chain
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
    path = {linked(link), path.left - 1};
    return true;
  }
  template <class Table, class Tile>
  SLOTSCAPE_HOST_DEVICE static bool extend(Table const& table, Tile tile, Path& path)
  {
    using Format = typename Table::Format;
    auto const link = tile.once([&] {
      Slot const node = node_after(table, path.first / size, table.layout.pool - path.left);
      if (node == none) { return Format::empty_word; }
      auto const link = pack(static_cast<typename Format::Key>(std::uint64_t{node} * size), typename Format::Value{0});
      table.at("link", Family::node(), node);
      table.machine.compare_exchange(path.first + link_lane, Format::empty_word, link);
      return link;
    });
    if (link == Format::empty_word || path.left == 0) { return false; }
    path = {linked(link), path.left - 1};
    return true;
  }
  SLOTSCAPE_HOST_DEVICE static constexpr std::uint32_t pair_lanes() { return (1u << link_lane) - 1; }
  SLOTSCAPE_HOST_DEVICE static constexpr bool ends(std::uint32_t empty) { return (empty >> link_lane & 1) != 0; }

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static Described describe(Table const& table, Slot slot, typename Table::Word word)
  {
    if (slot % size == link_lane) { return {SlotState::link, false, 0}; }
    Described described = PairWords::described<typename Table::Format>(word);
    if (described.has_key) { described.measure = place_of(table, slot / size); }
    return described;
  }

  /// Valid: a link leads to a pool node owned by this node; an owned node is linked; a key is in its bucket's chain.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static bool is_valid(Table const& table, Slot slot, typename Table::Word word)
  {
    using Format = typename Table::Format;
    Slot const node = slot / size;
    if (slot % size != link_lane) {
      if (word == Format::empty_word) { return true; }
      if (Format::is_reserved(key_of(word))) {
        return !Family::keeps_keys(table.layout) && word == Family::template erased_word<Format>();
      }
      return base_of(table, node) * size == table.layout.home(key_of(word));
    }
    std::uint64_t const owner = owner_of(table, node);
    Slot const first = node * size;
    if (owner * size > table.layout.slots()) { return false; }
    if (owner != 0 && linked(table.machine.load(static_cast<Slot>(owner) * size - 1)) != first) { return false; }
    if (word == Format::empty_word) { return true; }
    Slot const next = linked(word);
    return next % size == 0 && next < table.layout.slots() && owner_of(table, next / size) == node + 1 &&
           place_of(table, next / size) == place_of(table, node) + 1;
  }

  template <class Layout>
  static std::uint64_t groups(Layout const& layout)
  {
    return layout.buckets;
  }
  /// The number of nodes in a bucket's chain.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static std::uint32_t group_size(Table const& table, std::uint64_t bucket)
  {
    Slot first = static_cast<Slot>(bucket) * size;
    std::uint32_t nodes = 1;
    for (; nodes <= table.layout.pool; ++nodes) {
      auto const link = table.machine.load(first + link_lane);
      if (link == Table::Format::empty_word) { break; }
      first = linked(link);
    }
    return nodes;
  }

  /// Explains an access to the owner of a pool node, for display.
  template <class Layout>
  static std::string explain(Layout const& layout, std::uint64_t index, std::uint64_t found, std::uint64_t written)
  {
    std::uint64_t const node = layout.buckets + index;
    std::uint64_t const first = node * size;
    std::uint64_t const last = first + size - 1;
    if (found == 0 && written == 0) { return said(Family::in_words.unused, {node, first, last}); }
    if (found == 0) { return said(Family::in_words.now_follows, {node, first, last, owner_in(written) - 1}); }
    return said(Family::in_words.follows, {node, first, last, owner_in(found) - 1});
  }

private:
  static std::uint64_t share_of_pool(TableSettings const& settings, std::uint64_t nodes)
  {
    std::uint64_t const percent = parameter_of(Family::info, settings, "pool");
    return nodes * percent / (100 + percent);
  }

  /// The first slot of the node that a link leads to.
  template <class Word>
  SLOTSCAPE_HOST_DEVICE static Slot linked(Word link)
  {
    return static_cast<Slot>(key_of(link));
  }

  /// The node that follows node `from`, which is at this place in its chain. Taken from the pool if there is none yet;
  /// `none` if the pool is exhausted.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static Slot node_after(Table const& table, Slot from, Slot place)
  {
    Slot const pool = table.layout.pool;
    auto const number = static_cast<std::uint64_t>(place) + 1;
    std::uint64_t const owner = (number << 32) | (static_cast<std::uint64_t>(from) + 1);
    Slot at = scaled(seeded_hash(0x736c6162u, from), pool);
    for (Slot left = pool < reach ? pool : reach; left != 0; --left, at = at + 1 == pool ? 0 : at + 1) {
      table.at("pool", Family::node(), table.layout.buckets + at);
      std::uint64_t seen = table.machine.load_metadata(at);
      if (seen == 0) { seen = table.machine.compare_exchange_metadata(at, 0, owner); }
      if (seen == 0 || seen == owner) { return table.layout.buckets + at; }
    }
    return none;
  }

  /// Metadata of a pool node: the low half is 1 + the number of the node before it in its chain, the high half the
  /// number of nodes before it; 0 for unused nodes. First nodes have no metadata, which reads as 0.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static std::uint64_t metadata_of(Table const& table, Slot node)
  {
    return node < table.layout.buckets ? 0 : table.machine.load_metadata(node - table.layout.buckets);
  }
  SLOTSCAPE_HOST_DEVICE static constexpr std::uint64_t owner_in(std::uint64_t metadata)
  {
    return metadata & 0xffffffffu;
  }
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static std::uint64_t owner_of(Table const& table, Slot node)
  {
    return owner_in(metadata_of(table, node));
  }
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static std::uint32_t place_of(Table const& table, Slot node)
  {
    return static_cast<std::uint32_t>(metadata_of(table, node) >> 32);
  }

  /// The first node of this node's chain.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static Slot base_of(Table const& table, Slot node)
  {
    for (Slot left = table.layout.pool; left != 0; --left) {
      std::uint64_t const owner = owner_of(table, node);
      if (owner == 0 || owner * size > table.layout.slots()) { break; }
      node = static_cast<Slot>(owner - 1);
    }
    return node;
  }
};

}  // namespace slotscape
