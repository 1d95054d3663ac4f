#pragma once

#include "gpu/execution/machines.hpp"
#include "gpu/execution/tile.hpp"

namespace slotscape {

/// Notes that a key is now in the bucket, if the layout tracks this.
template <class Table, class Tile>
SLOTSCAPE_HOST_DEVICE void note_bucket_of_key(Table const& table, Tile tile, typename Table::Key key,
                                              std::uint32_t bucket)
{
  if constexpr (requires { table.layout.note_bucket_of_key(table.machine, key, bucket); }) {
    table.at("note", "key", key);
    tile.once([&] { return table.layout.note_bucket_of_key(table.machine, key, bucket); });
  }
}

/// A way to make room in one of a key's buckets: a key in it moves to another of its own buckets, where another key has
/// to move first, and so on, up to a bucket with an empty slot. Found breadth-first (as in MemC3, Fan et al. 2013), so
/// it is short and rarely outdated when it is walked. All lanes of a tile have the same path.
class CuckooPath {
public:
  /// How many buckets the search remembers; a path has fewer evictions.
  static constexpr std::uint32_t max_buckets = 256;
  /// How often the search may forget all buckets except one path, and continue from its end.
  static constexpr int max_renewals = 12;

  /// Finds a path without changing the table. Returns false if the buckets that it examines offer no path.
  template <class Table, class Tile>
  SLOTSCAPE_HOST_DEVICE bool search(Table const& table, Tile tile, typename Table::Key key)
  {
    for (std::uint32_t function = 0; function != table.layout.functions; ++function) {
      std::uint32_t const bucket = table.layout.bucket(key, function);
      if (table.layout.function_of(key, bucket) == function) { add(bucket, count_, 0); }  // add each bucket only once
    }
    for (int renewals = max_renewals; renewals != 0; --renewals) {
      if (search_remembered(table, tile)) { return true; }
      if (count_ != max_buckets) { return false; }  // all reachable buckets are full
      keep_path_to_last();
      if (count_ > max_buckets / 4 * 3) { return false; }  // the path has become too long
    }
    return false;
  }

  /// Moves the keys on the path, starting from its end, and puts the pair where the path's first key was. Returns that
  /// slot, or `no_slot` if the table has changed since the search. Adds the number of keys moved to `moves`.
  template <class Table, class Tile>
  SLOTSCAPE_HOST_DEVICE Slot walk_back(Table const& table, Tile tile, typename Table::Word pair,
                                       std::uint32_t& moves) const
  {
    using Format = typename Table::Format;
    auto const& machine = table.machine;
    bool const direct = is_root(end_);
    Slot gap = table.layout.first_slot(bucket_[end_]) + free_lane_;
    auto const mine = direct ? pair : Format::tombstone_word;
    table.at("reserve", "gap", gap);
    auto const old = tile.once([&] { return machine.compare_exchange(gap, Format::empty_word, mine); });
    if (old != Format::empty_word) { return no_slot; }
    std::uint32_t node = end_;
    for (; !is_root(node); node = parent_[node]) {
      std::uint32_t const parent = parent_[node];
      Slot const from = table.layout.first_slot(bucket_[parent]) + lane_[node];
      if (!move(table, tile, from, gap, bucket_[node])) {
        tile.once([&] { return machine.exchange(gap, Format::empty_word); });
        return no_slot;
      }
      gap = from;
      ++moves;
    }
    if (!direct) {
      table.at("place", "gap", gap);
      tile.once([&] { return machine.exchange(gap, pair); });
    }
    note_bucket_of_key(table, tile, key_of(pair), bucket_[node]);
    return gap;
  }

private:
  SLOTSCAPE_HOST_DEVICE bool is_root(std::uint32_t node) const { return parent_[node] == node; }

  SLOTSCAPE_HOST_DEVICE void add(std::uint32_t bucket, std::uint32_t parent, std::uint32_t lane)
  {
    if (count_ == max_buckets) { return; }
    bucket_[count_] = bucket;
    parent_[count_] = static_cast<std::uint8_t>(parent);
    lane_[count_] = static_cast<std::uint8_t>(lane);
    ++count_;
  }

  template <class Table, class Tile>
  SLOTSCAPE_HOST_DEVICE bool search_remembered(Table const& table, Tile tile)
  {
    auto const empty = Table::Format::empty_word;
    FreshMachine<decltype(table.machine)> const fresh{table.machine};  // stale loads would find the same path again
    for (; end_ != count_; ++end_) {
      table.at("search", "buckets", end_ + 1);
      auto const window = tile.read(fresh, table.layout.first_slot(bucket_[end_]));
      std::uint32_t const free = tile.ballot(window, [=](auto word) { return word == empty; });
      if (free != 0) {
        free_lane_ = static_cast<Slot>(exec::first_lane(free));
        return true;
      }
      for (int lane = 0; lane != Tile::size && count_ != max_buckets; ++lane) {
        add_buckets_of(table, tile.word(window, lane), static_cast<std::uint32_t>(lane));
      }
    }
    return false;
  }

  /// Forgets everything except the path to the last bucket. Works in place: a bucket comes after its parent, so entries
  /// only move to the front.
  SLOTSCAPE_HOST_DEVICE void keep_path_to_last()
  {
    std::uint32_t node = count_ - 1;
    std::uint32_t below = node;
    while (!is_root(node)) {  // reverses the links: `parent_` now points to the next bucket
      std::uint32_t const parent = parent_[node];
      parent_[node] = static_cast<std::uint8_t>(below);
      below = node;
      node = parent;
    }
    parent_[node] = static_cast<std::uint8_t>(below);
    for (count_ = 0;; node = below) {
      below = parent_[node];
      bool const is_last = below == node;
      add(bucket_[node], count_ == 0 ? 0 : count_ - 1, lane_[node]);
      if (is_last) { break; }
    }
    end_ = count_ - 1;
  }

  /// Adds the other buckets of a key in bucket `end_`, except those on the path to it, which would close a cycle.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE void add_buckets_of(Table const& table, typename Table::Word word, std::uint32_t lane)
  {
    if (Table::Format::is_reserved(key_of(word))) { return; }  // reserved slots have no key to move
    for (std::uint32_t function = 0; function != table.layout.functions; ++function) {
      std::uint32_t const bucket = table.layout.bucket(key_of(word), function);
      if (!is_on_path(bucket)) { add(bucket, end_, lane); }
    }
  }

  SLOTSCAPE_HOST_DEVICE bool is_on_path(std::uint32_t bucket) const
  {
    std::uint32_t node = end_;
    while (bucket_[node] != bucket && !is_root(node)) { node = parent_[node]; }
    return bucket_[node] == bucket;
  }

  /// Moves the key that is now in `from` to the reserved slot `gap` of `bucket`, if that is one of the key's buckets.
  /// Then `from` is the reserved slot.
  template <class Table, class Tile>
  SLOTSCAPE_HOST_DEVICE static bool move(Table const& table, Tile tile, Slot from, Slot gap, std::uint32_t bucket)
  {
    using Format = typename Table::Format;
    table.at("victim", "from", from, "gap", gap);
    auto const word = tile.once([&] { return table.machine.load_fresh(from); });
    bool const can_move =
        !Format::is_reserved(key_of(word)) && table.layout.function_of(key_of(word), bucket) != table.layout.functions;
    if (!can_move) { return false; }
    table.at("lift", "from", from, "gap", gap);
    auto const old = tile.once([&] { return table.machine.compare_exchange(from, word, Format::tombstone_word); });
    if (old != word) { return false; }
    table.at("move", "from", from, "gap", gap);
    tile.once([&] { return table.machine.exchange(gap, word); });
    note_bucket_of_key(table, tile, key_of(word), bucket);
    return true;
  }

  static_assert(max_buckets <= 256, "a bucket's number must fit in a byte");
  std::uint32_t bucket_[max_buckets];
  std::uint8_t parent_[max_buckets];  ///< the bucket whose key moves here; the bucket itself at the start of a path
  std::uint8_t lane_[max_buckets];    ///< the lane of that key in the parent bucket
  std::uint32_t count_ = 0;
  std::uint32_t end_ = 0;  ///< the bucket being searched; after success, the one with an empty slot
  Slot free_lane_ = 0;
};

}  // namespace slotscape
