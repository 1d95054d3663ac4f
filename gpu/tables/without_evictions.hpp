#pragma once

#include "gpu/tables/cuckoo_path.hpp"
#include "gpu/tables/seen_window.hpp"

namespace slotscape {

/// A family whose keys are in one of a few buckets, which a lookup visits in order.
template <class F>
concept HasBuckets = InsertsNewKeys<F> && requires(typename F::template Layout<Narrow> const& layout)
{
  F::walked_buckets;
  layout.functions;
  layout.bucket(typename Narrow::Key{}, std::uint32_t{});
};

/// A family with insertions that evict no key, in steps, as in `WindowProbing`. A step follows each read of a bucket. A
/// key that is in the table gets its new value; a new key goes to the first of its buckets with room, and is `full` if
/// all are full.
///
/// Copies of a key may be inserted at once. While only such insertions run, slots never become free. So all copies find
/// room in the same bucket: where one copy has passed a full bucket, no later copy finds room. In their common bucket,
/// copies take the first free slot by compare-and-swap, and no copy passes a slot that another copy has taken.
template <HasBuckets Family>
struct WithoutEvictions : Family {
  template <class Table>
  struct Insertion {
    struct Path {
      Slot first;  ///< first slot of the bucket
    };
    typename Family::template Walk<Table> walk;
    Path path;
    std::uint32_t function;  ///< the function that gave the bucket
    std::uint32_t room;      ///< the first function whose bucket had room; `no_room` if none had
    bool searches;           ///< looks for the key; afterwards, takes a slot
  };
  static constexpr std::uint32_t no_room = 0xffffffffu;

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static Insertion<Table> insertion(Table const& table, typename Table::Key key)
  {
    typename Family::template Walk<Table> const walk(table, key);
    return {walk, {walk.bucket()}, 0, no_room, true};
  }

  /// `result` has the value to insert.
  template <class Table, class Tile, class Window>
  SLOTSCAPE_HOST_DEVICE static bool insert_step(Table const& table, Tile tile, Insertion<Table>& now, Window const&,
                                                SeenWindow<typename Table::Format> const& seen, typename Table::Key key,
                                                typename Table::Result& result)
  {
    if (seen.own != 0) {
      result = update_seen(table, tile, now.path.first + first_slot_in(seen.own), seen.met, result.value);
      return true;
    }
    bool const is_last = now.function + 1 == table.layout.functions;
    if (now.searches) {
      if (now.room == no_room && seen.free != 0) { now.room = now.function; }
      if (!is_last && now.walk.goes_on()) {
        ++now.function;
        now.path.first = now.walk.bucket();
        return false;
      }
      now.searches = false;
      if (now.room < now.function) { return go_to(table, now, now.room, key); }
    }
    if (take_free_slot(table, tile, now.path.first, seen, key, result)) {
      if (result.outcome == Outcome::inserted) {
        note_bucket_of_key(table, tile, key, table.layout.bucket(key, now.function));
      }
      return true;
    }
    return is_last || go_to(table, now, now.function + 1, key);
  }

  template <PairFormat Format>
  SLOTSCAPE_HOST_DEVICE static bool is_free(typename Format::Word word)
  {
    return word == Format::empty_word;
  }
  SLOTSCAPE_HOST_DEVICE static constexpr std::uint32_t pair_lanes() { return 0xffffffffu; }

private:
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static bool go_to(Table const& table, Insertion<Table>& now, std::uint32_t function,
                                          typename Table::Key key)
  {
    now.function = function;
    now.path.first = table.layout.first_slot(table.layout.bucket(key, function));
    return false;
  }
};

}  // namespace slotscape
