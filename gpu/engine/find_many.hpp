#pragma once

#include "gpu/engine/run_operations.hpp"
#include "gpu/execution/block.hpp"
#include "gpu/execution/streaming.hpp"

namespace slotscape {

/// What look-ups count, in so many stripes.
struct FindCounts {
  std::uint64_t found;
  std::uint64_t rejected;
};
inline constexpr std::uint32_t find_stripes = 1024;

/// A family whose keys are in one of a few buckets: `Family::Walk` names them one after another, and look-ups for many
/// keys at once are compiled for the `walked_buckets`, in slots. Those of a table have as many as its `walked_slots`,
/// or else its `bucket_slots`.
template <class F>
concept WalksBuckets = InsertsNewKeys<F> && requires
{
  F::walked_buckets;
};

/// Looks up the keys of a pure batch in a table whose keys are in one of a few buckets. Each lane of a tile has a key:
/// it finds its buckets (`Family::Walk`), and writes its result. In between, groups of lanes read the buckets of the
/// tile's keys, each a bucket for each of its lanes, so that a bucket arrives in one access and several are in flight.
/// On the host one thread plays a tile.
template <TableFamily Family, class View, int bucket_slots, int keys_per_item>
struct FindMany {
  using Format = typename View::Format;
  using Key = typename Format::Key;
  using Value = typename Format::Value;
  using Word = typename Format::Word;
  using Walk = typename Family::template Walk<View>;

  View table;
  Batch<Format> batch;
  FindCounts* counts;  ///< `find_stripes`

  static std::uint64_t items(std::uint64_t count) { return (count + keys_per_item - 1) / keys_per_item; }

  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t item, Tile tile) const
  {
    std::uint32_t found = 0;
    std::uint32_t rejected = 0;
    for (int k = 0; k < keys_per_item; k += Tile::size) {
      std::uint64_t const i = item * keys_per_item + static_cast<std::uint64_t>(k + tile.rank());
      Outcome const outcome = find(i, tile);
      found += outcome == Outcome::found ? 1 : 0;
      rejected += outcome == Outcome::rejected ? 1 : 0;
    }
    found = tile.sum(found);
    rejected = tile.sum(rejected);
    if (tile.rank() != 0) { return; }
    FindCounts& mine = counts[item % find_stripes];
    if (found != 0) { exec::fetch_add(mine.found, std::uint64_t{found}); }
    if (rejected != 0) { exec::fetch_add(mine.rejected, std::uint64_t{rejected}); }
  }

private:
  /// How a tile reads buckets: each group of lanes reads a bucket at once, and one after the other those of its lanes.
  template <class Tile>
  struct Groups {
    static constexpr int most_lanes = bucket_slots < 8 ? bucket_slots / 2 : 4;
    static constexpr int lanes = Tile::size < most_lanes ? Tile::size : most_lanes;
    static constexpr int count = Tile::size / lanes;
    static constexpr int rounds = lanes;
    static constexpr int words = bucket_slots / lanes;  ///< that a lane reads
  };
  /// What a lane knows of its key.
  struct Sought {
    Key key;
    Value value;  ///< once it is found
    bool open;    ///< to be looked for
  };

  /// Operation i, or none past the end.
  template <class Tile>
  SLOTSCAPE_HOST_DEVICE Outcome find(std::uint64_t i, Tile tile) const
  {
    bool const exists = i < batch.count;
    Key const key = exists ? exec::load_once(batch.keys[i]) : Format::empty_key;
    bool const accepted = !Format::is_reserved(key);
    Sought sought{key, Format::empty_value, accepted};
    Walk walk(table, key);
    look(tile, sought, walk.bucket());
    bool misses = false;
    SLOTSCAPE_UNROLL
    for (int buckets = 1; buckets < Walk::most_buckets; ++buckets) {
      misses = misses || (sought.open && !walk.goes_on());
      sought.open = sought.open && !misses;
      if (tile.ballot(sought.open) == 0) { break; }
      look(tile, sought, walk.bucket());
    }
    if (!exists) { return not_run; }
    bool const is_missing = misses || sought.open;
    Outcome const outcome = !accepted ? Outcome::rejected : is_missing ? Outcome::missing : Outcome::found;
    exec::store_once(batch.values[i], sought.value);
    if (batch.keeps_outcomes) { exec::store_once(batch.outcomes[i], outcome); }
    return outcome;
  }

  /// Looks for the open keys of all lanes, each in the bucket whose first slot its lane names.
  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void look(Tile tile, Sought& sought, Slot bucket) const
  {
    using Of = Groups<Tile>;
    int const lane = tile.rank() % Of::lanes;
    std::uint32_t const open = tile.ballot(sought.open);
    Word words[Of::rounds][Of::words]{};
    Slot slots[Of::rounds];
    SLOTSCAPE_UNROLL
    for (int r = 0; r < Of::rounds; ++r) {
      int const owner = r * Of::count + tile.rank() / Of::lanes;
      slots[r] = tile.from(bucket, owner) + static_cast<Slot>(lane * Of::words);
      if ((open >> owner & 1) != 0) { table.machine.load_window(slots[r], words[r], Of::words); }
    }
    SLOTSCAPE_UNROLL
    for (int r = 0; r < Of::rounds; ++r) {
      int const owner = r * Of::count + tile.rank() / Of::lanes;
      Key const key = tile.from(sought.key, owner);
      int place = -1;
      Value value = Format::empty_value;
      SLOTSCAPE_UNROLL
      for (int w = 0; w < Of::words; ++w) {
        if (key_of(words[r][w]) == key) {
          place = w;
          value = value_of(words[r][w]);
        }
      }
      bool const met = (open >> owner & 1) != 0 && place >= 0;
      if (met) { note_change(slots[r] + static_cast<Slot>(place)); }
      std::uint32_t const all = tile.ballot(met);
      int const group = tile.rank() % Of::count;  // which has read this lane's bucket, if in this round
      std::uint32_t const mine = all >> (group * Of::lanes) & ((1u << Of::lanes) - 1);
      bool const is_mine = tile.rank() / Of::count == r && mine != 0;
      Value const theirs = tile.from(value, group * Of::lanes + (mine != 0 ? exec::first_lane(mine) : 0));
      if (is_mine) {
        sought.value = theirs;
        sought.open = false;
      }
    }
  }

  SLOTSCAPE_HOST_DEVICE void note_change(Slot slot) const
  {
    if (batch.changes != nullptr) { exec::store_relaxed(batch.changes[slot], fresh_change(Operation::find)); }
  }
};

template <WalksBuckets Family, class Layout>
Slot walked_slots(Layout const& layout)
{
  if constexpr (requires { Family::walked_slots(layout); }) {
    return Family::walked_slots(layout);
  } else {
    return layout.bucket_slots;
  }
}

/// Submits the finds of a pure batch, without waiting; false if it is not compiled for the buckets of this table.
template <TableFamily Family, std::size_t choice = 0, exec::Executor Exec, class View>
bool submit_finds(Exec& exec, View const& table, Batch<typename View::Format> const& batch, FindCounts* counts)
{
  if constexpr (choice == Family::walked_buckets.size()) {
    return false;
  } else {
    constexpr int bucket_slots = Family::walked_buckets[choice];
    if (walked_slots<Family>(table.layout) != bucket_slots) {
      return submit_finds<Family, choice + 1>(exec, table, batch, counts);
    }
    auto const submit = [&]<int keys_per_item>() {
      using Find = FindMany<Family, View, bucket_slots, keys_per_item>;
      exec.template for_each_tile<32>(Find::items(batch.count), Find{table, batch, counts});
    };
    constexpr std::uint64_t few = 1u << 21;  // then an item has few keys, so that all of a device has some
    batch.count <= few ? submit.template operator()<32>() : submit.template operator()<128>();
    return true;
  }
}

}  // namespace slotscape
