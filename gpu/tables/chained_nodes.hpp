#pragma once

#include "gpu/base/said.hpp"
#include "gpu/tables/chain_slots.hpp"
#include "gpu/tables/hash.hpp"

#include <array>
#include <span>
#include <string>
#include <vector>

namespace slotscape {

/// Chains of nodes with one pair each, all allocated from one pool. A family derives from this, with a `FamilyInfo` and
/// a layout; the layout's `heads_in_use` tells how many heads lead to chains.
///
/// The slots of the table's memory are the nodes. The metadata holds a number for each head, which leads to the first
/// node and counts the chain, and one for each node: its link. The nodes of a chain are numbered from its end, where
/// the oldest has number 1. So a lookup knows which node is the last, and never reads the last link.
///
/// **Claiming nodes.** A node's link is also the claim on it: it holds the node that comes next (or, in the oldest, the
/// head) and the node's own number. An unused node has the link 0, and while insertions run, a link never changes
/// again. So the links are an open-addressing table of their own, whose key is the node that needs a predecessor: a
/// compare-and-swap claims a place along a fixed path. All threads that extend a chain from the same node get the same
/// node, whoever is first. No node is ever surplus and none leaks. A thread that finds no unused node knows that there
/// is none; with a bump allocator and a free list, it could not tell nodes in use from those that other threads, having
/// lost a race, are about to return. The path begins in the chain's own part of the pool, so short chains stay close
/// together.
///
/// **Insertion.** Erases run in a phase of their own and leave tombstones in their nodes. While only insertions and
/// lookups run, a node changes its key at most once, from free (empty or a tombstone) to a permanent key. An insertion
/// first walks along its chain. If the key is not there, it tries to put the pair into the first tombstone by
/// compare-and-swap, then into the next one. If no tombstone is left, it claims the node before the first one that it
/// knows, tries to put the pair there, and makes the head lead to that node, whoever has filled it. If another key has
/// taken the node, the insertion goes on to the node before that, and so looks at everything that was added meanwhile.
///
/// Proof that no key is stored twice. The *path* of a chain is its tombstones at the beginning of the phase, in their
/// order, and then the nodes that the phase adds, by number. It is the same for all threads, and only grows at its end.
/// (1) A key that was stored before the phase is found by the first walk. (2) Otherwise, let two threads insert key k,
/// and let one of them have put k into node s of the path. It has passed the nodes before s only because other keys
/// occupy them permanently, so the other thread takes none of these. Nor does the other thread pass s: it passes a node
/// of the path only where it has seen another key, on its first walk or when it failed to claim the node. So it reaches
/// s, and sees k there. (3) Loads may be stale. A stale pair may be free where there is now a key, never the reverse;
/// such a node counts as free, and the compare-and-swap reads the current pair. A stale link is 0, which no node of a
/// chain has, and is read again by a compare-and-swap. A stale head leads to the chain as it was; the insertion meets
/// the nodes added since as nodes that are already claimed. (4) A head only ever changes to the node before its first
/// one, after that node got its pair. So the node that a head leads to has a link and a pair. (5) `full` is right where
/// the search reads the whole pool: the chain has no tombstone and the pool no unused node, nor will there be any in
/// this phase.
struct ChainedNodes {
  static constexpr bool leaves_tombstones = true;  ///< in the nodes of erased keys

  static constexpr std::array<std::uint32_t, 4> node_choices{1, 2, 4, 8};
  /// By default 2: the fewest with which a table can hold more keys than it has heads. Each costs 16 bytes per head.
  static constexpr Parameter nodes_parameter{.name = "nodes",
                                             .title = "Nodes per head",
                                             .help =
                                                 "The pool has this many nodes for each head: the largest load factor. "
                                                 "Once all are in use, only nodes of erased keys accept new keys.",
                                             .fallback = 2,
                                             .choices = node_choices};

  template <class Hasher>
  struct NodesLayout {
    Hasher hasher;  ///< to heads
    Slot nodes;

    SLOTSCAPE_HOST_DEVICE std::uint64_t slots() const { return nodes; }
    SLOTSCAPE_HOST_DEVICE std::uint64_t heads() const { return hasher.slots(); }
    SLOTSCAPE_HOST_DEVICE std::uint64_t metadata() const { return heads() + nodes; }
    SLOTSCAPE_HOST_DEVICE std::uint64_t link(Slot node) const { return heads() + node; }
  };

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto find(Table const& table, typename Table::Key key) -> typename Table::Result
  {
    using Format = typename Table::Format;
    for (Place at = first_of(table, key); at.number != 0; at = next(table, at)) {
      table.at("look", "node", at.node);
      auto word = table.machine.load(at.node);
      if (word == Format::empty_word) { word = table.machine.load_fresh(at.node); }
      if (key_of(word) == key) { return {Outcome::found, at.node, value_of(word)}; }
      if (word == Format::empty_word) { break; }
    }
    return PairWords::missing<Format>();
  }

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto insert(Table const& table, typename Table::Key key, typename Table::Value value) ->
      typename Table::Result
  {
    Place const first = first_of(table, key);
    Place free{};
    for (Place at = first; at.number != 0; at = next(table, at)) {
      table.at("search", "node", at.node);
      auto const word = table.machine.load(at.node);
      if (key_of(word) == key) {
        put(table, at.node, word, value);
        return {Outcome::updated, at.node, value};
      }
      if (free.number == 0 && ChainSlots::is_free<typename Table::Format>(word)) { free = at; }
    }
    for (Place at = free; at.number != 0; at = next(table, at)) {
      table.at("again", "node", at.node);
      auto const seen = table.machine.load(at.node);
      Outcome const outcome = ChainSlots::take(table, "take", "node", at.node, seen, key, value);
      if (outcome != Outcome::full) { return {outcome, at.node, value}; }
    }
    return push(table, first, key, value);
  }

  /// The node stays in its chain, with a tombstone. If several threads erase one key, exactly one gets `erased`.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto erase(Table const& table, typename Table::Key key) -> typename Table::Result
  {
    return erase_pair(table, find(table, key), key, Table::Format::tombstone_word);
  }

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static Described describe(Table const& table, Slot node, typename Table::Word word)
  {
    Described found = PairWords::described<typename Table::Format>(word);
    if (!found.has_key) { return found; }
    std::uint32_t const number = link_of(table, node).number;
    std::uint32_t const nodes = chain_length(table, key_of(word));
    found.measure = nodes > number ? nodes - number : 0;  // the head may not lead to this node yet
    return found;
  }

  /// The number of nodes in the chain of a key's head, including those of erased keys.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static std::uint32_t chain_length(Table const& table, typename Table::Key key)
  {
    return nodes_in(table, table.layout.home(key));
  }

  /// Valid: an unused node is empty; a node in use is in the chain whose end its links lead to, at the place given by
  /// its number, and holds a tombstone or a key of that chain.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static bool is_valid(Table const& table, Slot node, typename Table::Word word)
  {
    using Format = typename Table::Format;
    Place const link = link_of(table, node);
    if (link.number == 0 || word == Format::empty_word) { return link.number == 0 && word == Format::empty_word; }
    Slot head = link.node;
    for (std::uint32_t number = link.number; number != 1; --number) { head = link_of(table, head).node; }
    Place at = place_in(table.machine.load_metadata(head));
    while (at.number > link.number) { at = {link_of(table, at.node).node, at.number - 1}; }
    bool const is_reached = at.number == link.number && at.node == node;
    return is_reached && (word == Format::tombstone_word || table.layout.home(key_of(word)) == head);
  }

  /// How many numbers at the start of the metadata lead to chains.
  template <class Layout>
  static std::uint64_t heads_of(Layout const& layout)
  {
    return layout.heads_in_use();
  }
  template <class Layout>
  static std::uint64_t groups(Layout const& layout)
  {
    return layout.heads_in_use();
  }
  /// The number of nodes in a head's chain, including those of erased keys.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static std::uint32_t group_size(Table const& table, std::uint64_t head)
  {
    return nodes_in(table, head);
  }

  /// The nodes of each used head's chain, in order, including those of erased keys. metadata: of the whole table.
  template <class Layout>
  static std::vector<std::vector<Slot>> chains(Layout const& layout, std::span<std::uint64_t const> metadata)
  {
    std::vector<std::vector<Slot>> chains(layout.heads_in_use());
    for (std::size_t head = 0; head < chains.size(); ++head) {
      for (Place at = place_in(metadata[head]); at.number != 0;) {
        chains[head].push_back(at.node);
        at = {place_in(metadata[layout.link(at.node)]).node, at.number - 1};
      }
    }
    return chains;
  }

  /// Explains an access to a head or a link, for display.
  template <class Layout>
  static std::string explain(Layout const& layout, std::uint64_t index, std::uint64_t found, std::uint64_t written)
  {
    Place const before = place_in(found);
    Place const after = place_in(written);
    if (index < layout.heads()) {
      if (found != written && after.number == 0) { return said("Head {} now leads to no node", {index}); }
      if (found != written) { return said("Head {} now leads to slot {}", {index, after.node}); }
      if (before.number == 0) { return said("Head {} leads to no node yet", {index}); }
      if (before.number == 1) { return said("Head {} leads to slot {}, its only node", {index, before.node}); }
      return said("Head {} leads to slot {}, the first of its {} nodes", {index, before.node, before.number});
    }
    std::uint64_t const node = index - layout.heads();
    if (after.number == 0 && found != written) { return said("Slot {} is no longer in a chain", {node}); }
    if (after.number == 0) { return said("Slot {} is in no chain yet: it becomes a node of this one", {node}); }
    if (after.number == 1) {
      return found == written ? said("Slot {} links to the end of the chain of head {}", {node, after.node})
                              : said("Slot {} now links to the end of the chain of head {}", {node, after.node});
    }
    return found == written ? said("Slot {} links to slot {}", {node, after.node})
                            : said("Slot {} now links to slot {}", {node, after.node});
  }

protected:
  static constexpr Slot none = no_slot;
  /// The search tries this many neighbouring nodes, then continues elsewhere, until it has tried `reach` nodes. A
  /// smaller pool is searched completely.
  static constexpr Slot run = 32;
  static constexpr Slot reach = 1u << 14;

  /// A node and its number in the chain, counted from the end. In a link: the node that comes next, or the head, and
  /// the number of the node that has the link. Number 0: no node.
  struct Place {
    Slot node = 0;
    std::uint32_t number = 0;

    SLOTSCAPE_HOST_DEVICE std::uint64_t word() const { return (std::uint64_t{number} << 32) | node; }
  };
  SLOTSCAPE_HOST_DEVICE static Place place_in(std::uint64_t word)
  {
    return {static_cast<Slot>(word), static_cast<std::uint32_t>(word >> 32)};
  }

  /// The first node of the key's chain.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static Place first_of(Table const& table, typename Table::Key key)
  {
    Slot const head = table.layout.home(key);
    table.at("head", "head", head);
    return place_in(table.machine.load_metadata(head));
  }
  /// The node after a given node of a chain.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static Place next(Table const& table, Place at)
  {
    if (at.number == 1) { return {}; }
    std::uint64_t const index = table.layout.link(at.node);
    table.at("next", "node", at.node);
    std::uint64_t link = table.machine.load_metadata(index);
    if (link == 0) { link = table.machine.compare_exchange_metadata(index, 0, 0); }
    return link == 0 ? Place{} : Place{place_in(link).node, at.number - 1};
  }
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static Place link_of(Table const& table, Slot node)
  {
    return place_in(table.machine.load_metadata(table.layout.link(node)));
  }
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static std::uint32_t nodes_in(Table const& table, std::uint64_t head)
  {
    return place_in(table.machine.load_metadata(head)).number;
  }

  /// Adds nodes at the front of the key's chain, starting before the first node seen there, until one has the key.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto push(Table const& table, Place first, typename Table::Key key,
                                         typename Table::Value value) -> typename Table::Result
  {
    Slot const head = table.layout.home(key);
    while (true) {
      Slot const node = node_before(table, head, first);
      if (node == none) { return {Outcome::full, no_slot, value}; }
      Outcome const outcome = ChainSlots::take(table, "fill", "node", node, Table::Format::empty_word, key, value);
      Place const added{node, first.number + 1};
      table.at("link", "head", head, "node", node);
      table.machine.compare_exchange_metadata(head, first.word(), added.word());
      if (outcome != Outcome::full) { return {outcome, node, value}; }
      first = added;
    }
  }

  /// The node that is or will be before this one in the chain; `none` if the pool is exhausted.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static Slot node_before(Table const& table, Slot head, Place place)
  {
    Slot const nodes = table.layout.nodes;
    bool const is_oldest = place.number == 0;
    std::uint64_t const link = Place{is_oldest ? head : place.node, place.number + 1}.word();
    Slot at = is_oldest ? table.layout.part(head) : after(nodes, place.node);
    for (Slot tried = 0; tried != (nodes < reach ? nodes : reach); ++tried, at = after(nodes, at)) {
      if (nodes > reach && tried != 0 && tried % run == 0) { at = scaled(seeded_hash(tried, link), nodes); }
      table.at("pool", "node", at);
      std::uint64_t const index = table.layout.link(at);
      std::uint64_t seen = table.machine.load_metadata(index);
      if (seen == 0) { seen = table.machine.compare_exchange_metadata(index, 0, link); }
      if (seen == 0 || seen == link) { return at; }
    }
    return none;
  }
  SLOTSCAPE_HOST_DEVICE static Slot after(Slot nodes, Slot node) { return node + 1 == nodes ? 0 : node + 1; }
};

}  // namespace slotscape
