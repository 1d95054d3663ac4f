#pragma once

#include "gpu/engine/phased_passes.hpp"
#include "gpu/races/family_table.hpp"
#include "gpu/tables/cuckoo.hpp"
#include "gpu/tables/gel_hash.hpp"
#include "gpu/tables/hopscotch.hpp"
#include "gpu/tables/iceberg.hpp"
#include "gpu/tables/segmented_cuckoo.hpp"
#include "gpu/tables/slab.hpp"
#include "gpu/tables/swiss.hpp"
#include "gpu/tables/without_evictions.hpp"

/// Families whose groups and nodes are so small that three threads fill them; and, of families whose insertions move
/// keys, the first pass of a batch, in which copies of a key are inserted at once and no key moves.
namespace slotscape::races::small {

using SwissOfTwo = SwissOfGroups<8, 2, 2>;

/// `Like`, with nodes of two pairs and a link.
template <class Like>
struct ShortNodes : Chains<ShortNodes<Like>, 3> {
  static constexpr FamilyInfo info = Like::info;

  static Guarantees guarantees(TableSettings const& settings) { return Like::guarantees(settings); }
  static constexpr char const* node() { return Like::node(); }
  static constexpr PoolWords in_words = Like::in_words;
  template <class Layout>
  static bool keeps_keys(Layout const& layout)
  {
    return Like::keeps_keys(layout);
  }
  template <PairFormat Format>
  static constexpr typename Format::Word erased_word()
  {
    return Like::template erased_word<Format>();
  }
};

/// The first pass of families that can insert without moving.
template <InsertsUnmoved Family>
struct FirstPass : WithoutMoves<Family> {
  static constexpr bool inserts_new_keys = false;  ///< copies and stored keys come, too
  static constexpr bool leaves_tombstones = true;  ///< nothing is reserved
};

/// The same of families of buckets, an operation at a time.
template <HasBuckets Family>
struct FirstPassInBuckets : WithoutEvictions<Family> {
  using Steps = WithoutEvictions<Family>;
  static constexpr bool inserts_new_keys = false;  ///< copies and stored keys come, too
  static constexpr bool leaves_tombstones = true;  ///< nothing is reserved

  template <class Table, class Tile>
  static auto insert(Table const& table, Tile tile, typename Table::Key key, typename Table::Value value) ->
      typename Table::Result
  {
    using Format = typename Table::Format;
    auto now = Steps::insertion(table, key);
    typename Table::Result result{Outcome::full, no_slot, value};
    while (true) {
      auto const window = tile.read(table.machine, now.path.first);
      std::uint32_t const own = tile.ballot(window, [=](auto word) { return key_of(word) == key; });
      std::uint32_t const empty = tile.ballot(window, [](auto word) { return word == Format::empty_word; });
      auto const met = own != 0 ? tile.word(window, exec::first_lane(own)) : Format::empty_word;
      if (Steps::insert_step(table, tile, now, window, {own, empty, empty, met}, key, result)) { return result; }
    }
  }
};

}  // namespace slotscape::races::small
