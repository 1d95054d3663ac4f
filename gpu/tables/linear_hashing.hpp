#pragma once

#include "gpu/tables/chained_nodes.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace slotscape {

/// Linear hashing (Litwin 1980; in memory, with chains, Larson 1988, Dynamic Hash Tables). The table begins with a few
/// heads of chains. Whenever it exceeds a given number of keys per head, it adds one head: head p, whose turn it is, is
/// split, and its keys are divided between p and p + N, where N is the number of heads at the beginning of the round.
/// Once all heads of a round have been split, the next round begins at head 0. So no insertion moves more keys than one
/// chain has.
///
/// With the parameter `heads_at_once`, the same heads are split at another pace, each time a round is due: all of them
/// by one insertion, like a table that doubles; or a few by each insertion, until the round is over, like servers that
/// rehash incrementally (Redis moves a bucket of its dictionary with each operation).
///
/// The memory is that of separate chaining for the maximum number of heads. Batches are inserted in parts that at most
/// double the number of keys, and all splits that a part requires run at once (gpu/engine/growing_table.hpp), each with
/// exclusive access to two chains. The number of heads in use depends only on the number of keys.
struct LinearHashing : ChainedNodes {
  static Guarantees guarantees(TableSettings const& settings);

  static constexpr std::array<std::uint32_t, 5> initial_choices{1, 2, 4, 8, 16};
  static constexpr std::array<std::uint32_t, 3> key_choices{1, 2, 4};
  static constexpr std::array<std::uint32_t, 5> pace_choices{0, 1, 2, 4, 8};
  static constexpr std::array<std::string_view, 5> pace_names{"a whole round: doubling", "1: linear hashing",
                                                              "2: incremental rehashing", "4: incremental rehashing",
                                                              "8: incremental rehashing"};
  static constexpr std::array parameters{
      nodes_parameter,
      Parameter{.name = "initial_heads",
                .title = "Initial heads",
                .help = "The table begins with this many heads. Textbooks call this number N.",
                .fallback = 4,
                .choices = initial_choices,
                .is_for_textbooks = true},
      Parameter{.name = "keys_per_head",
                .title = "Keys per head",
                .help = "Once there are more keys than this for each head in use, the next head is split.",
                .fallback = 1,
                .choices = key_choices},
      Parameter{.name = "heads_at_once",
                .title = "Heads split at once",
                .help = "How many heads one insertion splits while there are too many keys: one in turn, a few until "
                        "all heads have been split, or all of them.",
                .fallback = 1,
                .choices = pace_choices,
                .choice_names = pace_names,
                .is_for_textbooks = true}};

  static constexpr FamilyInfo info{
      .name = "linear_hashing",
      .title = "Linear hashing",
      .source = "Litwin 1980; Larson 1988, Dynamic Hash Tables",
      .idea =
          "A table of chains that grows by one head at a time: whenever there are too many keys for its heads, the "
          "next chain in turn is split in two.",
      .guarantees = guarantees,
      .slot_counts = SlotCounts::power_of_two,
      .wide = true,
      .places_by = "nodes",
      .growth = Growth::bucket_by_bucket,
      .parameters = parameters,
      .measure = {"Place in chain", "nodes before it"},
      .first_access = 2,
      .accesses_per_measure = 2,
      .groups = {"Chain length", "nodes"},
      .theory = TheoryOf::growing_chains,
      .steps = {.next = ", the next node of its chain", .ends = "Its chain ends here", .link = "Its link is next"}};

  template <PairFormat Format, class Hasher = HasherOf<Format>>
  struct Layout : NodesLayout<Hasher> {  // its heads are the maximum number of heads
    using NodesLayout<Hasher>::hasher;
    using NodesLayout<Hasher>::nodes;
    using NodesLayout<Hasher>::heads;

    Slot keys_per_head;
    Slot heads_at_once;
    Slot in_use = 0;    ///< number of heads in use, the first ones
    Slot of_round = 0;  ///< number of heads at the start of the round: the largest power of two <= `in_use`

    SLOTSCAPE_HOST_DEVICE std::uint64_t heads_in_use() const { return in_use; }
    /// The head that is split next.
    SLOTSCAPE_HOST_DEVICE Slot next() const { return in_use - of_round; }
    /// The modulus that reduces the hash: heads that were split use one more bit.
    SLOTSCAPE_HOST_DEVICE Slot modulus(typename Format::Key key) const
    {
      return (hasher.home(key) & (2 * of_round - 1)) < in_use ? 2 * of_round : of_round;
    }
    SLOTSCAPE_HOST_DEVICE Slot home(typename Format::Key key) const
    {
      Slot const head = hasher.home(key) & (2 * of_round - 1);
      return head < in_use ? head : head - of_round;
    }
    /// Spreads the heads in use, however few, over the whole pool, so that free nodes are found quickly: multiples of
    /// the golden ratio are almost evenly spaced (Knuth, TAOCP 3, 6.4).
    SLOTSCAPE_HOST_DEVICE Slot part(Slot head) const
    {
      constexpr std::uint32_t golden = 0x9e3779b9;
      std::uint32_t const spread = golden * head;
      return static_cast<Slot>((std::uint64_t{spread} * nodes) >> 32);
    }

    void use(Slot heads)
    {
      in_use = heads;
      of_round = std::bit_floor(heads);
    }
    /// The number of heads in use after this many keys have been inserted one after another.
    Slot heads_for(std::uint64_t keys) const
    {
      std::uint64_t const wanted = std::min((keys + keys_per_head - 1) / keys_per_head, heads());
      if (wanted <= of_round) { return in_use; }
      std::uint64_t const before = std::max<std::uint64_t>(std::bit_floor(wanted - 1), of_round);
      std::uint64_t const splits = heads_at_once == 0 ? before : std::min(before, heads_at_once * (wanted - before));
      return static_cast<Slot>(std::max<std::uint64_t>(in_use, before + splits));
    }
  };

  template <PairFormat Format, class Hasher = HasherOf<Format>>
  static Layout<Format, Hasher> layout(TableSettings const& settings)
  {
    Layout<Format, Hasher> layout{{{settings.hash, settings.slots}, static_cast<Slot>(places_of(info, settings))},
                                  parameter_of(info, settings, "keys_per_head"),
                                  parameter_of(info, settings, "heads_at_once")};
    layout.use(std::min(static_cast<Slot>(settings.slots), parameter_of(info, settings, "initial_heads")));
    return layout;
  }

  /// Divides the chain of head `from` between `from` and the empty head `to`. No other thread may use them, and the
  /// layout must have both in use. Nodes of erased keys become unused; the others are stored in reverse order.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static void split(Table const& table, Slot from, Slot to)
  {
    using Format = typename Table::Format;
    table.at("split", "head", from, "new", to);
    Place const first = place_in(table.machine.load_metadata(from));
    Place kept{from, 0};
    Place moved{to, 0};
    for (Place at = first; at.number != 0;) {
      table.at("move", "node", at.node, "head", from, "new", to);
      auto const word = table.machine.load(at.node);
      std::uint64_t const link = table.machine.load_metadata(table.layout.link(at.node));
      if (word == Format::tombstone_word) {
        table.at("drop", "node", at.node);
        table.machine.exchange(at.node, Format::empty_word);
        table.machine.compare_exchange_metadata(table.layout.link(at.node), link, 0);
      } else {
        Place& end = table.layout.home(key_of(word)) == to ? moved : kept;
        table.at("relink", "node", at.node, "head", from, "new", to);
        Place const after{end.node, end.number + 1};
        table.machine.compare_exchange_metadata(table.layout.link(at.node), link, after.word());
        end = {at.node, end.number + 1};
      }
      at = at.number == 1 ? Place{} : Place{place_in(link).node, at.number - 1};
    }
    table.at("heads", "head", from, "new", to);
    table.machine.compare_exchange_metadata(from, first.word(), kept.number == 0 ? 0 : kept.word());
    if (moved.number != 0) { table.machine.compare_exchange_metadata(to, 0, moved.word()); }
  }
};

/// Random keys fit as long as the pool has nodes.
inline Guarantees LinearHashing::guarantees(TableSettings const& settings)
{
  double const nodes = places_per_slot(info, settings);
  return {.concurrency = Concurrency::phased, .erase_frees_bucket = true, .safe_load = 0.9 * nodes, .max_load = nodes};
}

namespace families {
using linear_hashing = LinearHashing;
}

}  // namespace slotscape
