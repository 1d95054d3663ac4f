#pragma once

#include "gpu/tables/chained_nodes.hpp"

#include <array>

namespace slotscape {

/// Separate chaining (Dumey 1956; Knuth, TAOCP 3, 6.4; Cormen et al. 2022, Introduction to Algorithms, 11.2): an array
/// of heads, each the start of a linked list of nodes with one pair each. A new key's node comes first in its chain.
/// All heads share one pool of nodes, so the load factor, keys / heads, may exceed 1.
struct SeparateChaining : ChainedNodes {
  static Guarantees guarantees(TableSettings const& settings);

  static constexpr std::array parameters{nodes_parameter};

  static constexpr FamilyInfo info{
      .name = "separate_chaining",
      .title = "Separate chaining",
      .source = "Dumey 1956; Cormen et al. 2022, Introduction to Algorithms, 11.2",
      .idea =
          "Each slot is the head of a linked list of nodes with one pair each, so a table may hold more keys than it "
          "has slots. A new node goes to the front of its list.",
      .guarantees = guarantees,
      .wide = true,
      .places_by = "nodes",
      .parameters = parameters,
      .measure = {"Place in chain", "nodes before it"},
      .first_access = 2,
      .accesses_per_measure = 2,
      .groups = {"Chain length", "nodes"},
      .theory = TheoryOf::chains,
      .misses_by = MissesBy::home,
      .steps = {.next = ", the next node of its chain", .ends = "Its chain ends here", .link = "Its link is next"}};

  template <PairFormat Format, class Hasher = HasherOf<Format>>
  struct Layout : NodesLayout<Hasher> {
    SLOTSCAPE_HOST_DEVICE std::uint64_t heads_in_use() const { return this->heads(); }
    /// The number of the key's head.
    SLOTSCAPE_HOST_DEVICE Slot home(typename Format::Key key) const { return this->hasher.home(key); }
    /// The node where the search for a chain's first node begins: in the head's part of the pool.
    SLOTSCAPE_HOST_DEVICE Slot part(Slot head) const { return static_cast<Slot>(this->nodes / this->heads() * head); }
  };

  template <PairFormat Format, class Hasher = HasherOf<Format>>
  static Layout<Format, Hasher> layout(TableSettings const& settings)
  {
    return {{{settings.hash, settings.slots}, static_cast<Slot>(places_of(info, settings))}};
  }
};

/// Random keys fit as long as the pool has nodes: any chain may take any of them. In a large pool, the search gives up
/// before it has tried every node; and where keys come and go, chains keep as many nodes as they had when they were
/// longest.
inline Guarantees SeparateChaining::guarantees(TableSettings const& settings)
{
  double const nodes = places_per_slot(info, settings);
  return {.concurrency = unless_combining(Concurrency::erases_apart, settings.combine),
          .erase_frees_bucket = true,
          .safe_load = 0.9 * nodes,
          .max_load = nodes};
}

namespace families {
using separate_chaining = SeparateChaining;
}

}  // namespace slotscape
