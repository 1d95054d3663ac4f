#pragma once

#include "gpu/engine/run_operations.hpp"
#include "gpu/execution/block.hpp"
#include "gpu/execution/executor.hpp"
#include "gpu/execution/streaming.hpp"

namespace slotscape {

/// The counters of lookups, kept in several stripes; lookups not counted here found their key.
struct FindCounts {
  std::uint64_t missing;
  std::uint64_t rejected;
};
inline constexpr std::uint32_t find_stripes = 1024;

/// Sums the stripes of fewer than 2^32 lookups, in one block, and clears them for the next batch.
struct AddUpFinds {
  static constexpr int threads = 256;
  struct Shared {
    std::uint32_t missing;
    std::uint32_t rejected;
  };

  FindCounts* stripes;
  FindCounts* total;

  template <class Block>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t, Block block, Shared& shared) const
  {
    block.for_each_thread([&](int t) {
      if (t == 0) { shared = {}; }
    });
    block.for_each_thread([&](int t) {
      FindCounts mine{};
      for (std::uint32_t i = t; i < find_stripes; i += Block::size) {
        mine.missing += stripes[i].missing;
        mine.rejected += stripes[i].rejected;
        stripes[i] = {};
      }
      block.add_of_all(shared.missing, static_cast<std::uint32_t>(mine.missing));
      block.add_of_all(shared.rejected, static_cast<std::uint32_t>(mine.rejected));
    });
    block.for_each_thread([&](int t) {
      if (t == 0) { *total = {shared.missing, shared.rejected}; }
    });
  }
};

/// A family in which a key is in one of a few buckets: `Family::Walk` lists them one after another. Batched lookups are
/// compiled for the bucket sizes `walked_buckets`, in slots. The bucket size of a table is its `walked_slots`, if
/// defined, or its `bucket_slots`.
template <class F>
concept WalksBuckets = InsertsNewKeys<F> && requires
{
  F::walked_buckets;
};

/// The family keeps bits beside its buckets that say whether a lookup continues.
template <class Walk>
concept KeepsBits = requires(Walk const& walk)
{
  walk.ends_at_empty();
};

/// Looks up the keys of a batch of finds in a table in which a key is in one of a few buckets. Each lane of a tile has
/// a key: it computes its buckets (`Family::Walk`) and writes its result. In between, groups of lanes read the buckets
/// of the tile's keys, one bucket after another for each lane of the group, so that a bucket arrives in one access and
/// several are in flight. On the host, one thread plays a tile. If only values are needed, `records` is false, which
/// saves registers. If a family keeps bits beside its buckets, and the table is so large that they are not in the L2
/// cache, `saves_bits` reads as few of them as possible, and lets buckets leave that cache first.
template <TableFamily Family, class View, int bucket_slots, bool records, bool saves_bits>
struct FindMany {
  using Format = typename View::Format;
  using Key = typename Format::Key;
  using Value = typename Format::Value;
  using Word = typename Format::Word;
  using Walk = typename Family::template Walk<View>;

  View table;
  Batch<Format> batch;
  FindCounts* counts;  ///< `find_stripes`; or null

  /// For a lane's share of the buckets, and everything else: more active warps are worth a few spilled registers.
  static constexpr int registers = (records ? 36 : 24) + bucket_slots * static_cast<int>(sizeof(Word)) / 4;
  static constexpr int blocks_at_once = 256 / registers;

  static constexpr int keys_per_item = 32;
  static std::uint64_t items(std::uint64_t count) { return (count + keys_per_item - 1) / keys_per_item; }

  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t item, Tile tile) const
  {
    int missing = 0;
    int rejected = 0;
    SLOTSCAPE_UNROLL
    for (int k = 0; k < keys_per_item; k += Tile::size) {
      Outcome const outcome = find(item * keys_per_item + static_cast<std::uint64_t>(k + tile.rank()), tile);
      missing += exec::count_lanes(tile.ballot(outcome == Outcome::missing));
      rejected += exec::count_lanes(tile.ballot(outcome == Outcome::rejected));
    }
    if (tile.rank() != 0 || counts == nullptr) { return; }
    FindCounts& mine = counts[item * stripe_step % find_stripes];
    if (missing != 0) { exec::fetch_add(mine.missing, static_cast<std::uint64_t>(missing)); }
    if (rejected != 0) { exec::fetch_add(mine.rejected, static_cast<std::uint64_t>(rejected)); }
  }

private:
  static constexpr std::uint64_t stripe_step = 37;  ///< keeps neighbours from adding to the same cache line

  /// How a tile reads buckets: each group of lanes reads one bucket at a time, in turn for each of its lanes.
  template <class Tile>
  struct Groups {
    static constexpr int max_lanes = bucket_slots < 8 ? bucket_slots / 2 : 4;
    static constexpr int lanes = Tile::size < max_lanes ? Tile::size : max_lanes;
    static constexpr int count = Tile::size / lanes;
    static constexpr int rounds = lanes;
    static constexpr int words = bucket_slots / lanes;  ///< read by a lane

    /// The bits of a group's lanes in a ballot.
    SLOTSCAPE_HOST_DEVICE static std::uint32_t of(std::uint32_t ballot, int group)
    {
      return ballot >> (group * lanes) & ((1u << lanes) - 1);
    }
  };
  /// A lane's key and the state of its lookup.
  struct Sought {
    Key key;
    Value value;  ///< set when found
    bool open;    ///< still to be looked for
    bool room;    ///< its bucket has an empty slot; set only with `saves_bits`
  };
  /// The part of a bucket that a lane has read.
  template <class Tile>
  struct Read {
    Slot first;
    Word words[Groups<Tile>::words];
  };
  struct Match {
    Value value;
    bool met;
    bool room;
  };

  /// Runs operation i, or none past the end.
  template <class Tile>
  SLOTSCAPE_HOST_DEVICE Outcome find(std::uint64_t i, Tile tile) const
  {
    bool const exists = i < batch.count;
    Key const key = exists ? exec::load_once(batch.keys[i]) : Format::empty_key;
    bool const accepted = !Format::is_reserved(key);
    Sought sought{key, Format::empty_value, accepted, false};
    Walk walk = walk_of(key);
    look(tile, sought, walk.bucket());
    bool misses = false;
    SLOTSCAPE_UNROLL
    for (int buckets = 1; buckets < Walk::max_buckets; ++buckets) {
      misses = misses || (sought.open && !goes_on(walk, sought));
      sought.open = sought.open && !misses;
      std::uint32_t const open = tile.ballot(sought.open);
      if (open == 0) { break; }
      if (exec::count_lanes(open) <= Groups<Tile>::count) {
        look_for_few(tile, sought, walk.bucket(), open);
      } else {
        look(tile, sought, walk.bucket());
      }
    }
    if (!exists) { return not_run; }
    bool const is_missing = misses || sought.open;
    Outcome const outcome = !accepted ? Outcome::rejected : is_missing ? Outcome::missing : Outcome::found;
    exec::store_once(batch.values[i], sought.value);
    if (records && batch.keeps_outcomes) { exec::store_once(batch.outcomes[i], outcome); }
    return outcome;
  }

  SLOTSCAPE_HOST_DEVICE Walk walk_of(Key key) const
  {
    if constexpr (KeepsBits<Walk>) {
      return Walk(table, key, saves_bits);
    } else {
      return Walk(table, key);
    }
  }
  SLOTSCAPE_HOST_DEVICE static bool goes_on(Walk& walk, Sought const& sought)
  {
    if constexpr (saves_bits) {
      if (sought.room && walk.ends_at_empty()) { return false; }
    }
    return walk.goes_on();
  }

  /// Looks for the open keys of all lanes, each in the bucket that starts at its lane's `bucket`.
  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void look(Tile tile, Sought& sought, Slot bucket) const
  {
    using Of = Groups<Tile>;
    std::uint32_t const open = tile.ballot(sought.open);
    Read<Tile> read[Of::rounds];
    SLOTSCAPE_UNROLL
    for (int r = 0; r < Of::rounds; ++r) {
      int const owner = r * Of::count + tile.rank() / Of::lanes;
      read[r] = load(tile, tile.from(bucket, owner), (open >> owner & 1) != 0);
    }
    SLOTSCAPE_UNROLL
    for (int r = 0; r < Of::rounds; ++r) {
      int const owner = r * Of::count + tile.rank() / Of::lanes;
      Match const match = matched(read[r], tile.from(sought.key, owner), (open >> owner & 1) != 0);
      int const group = tile.rank() % Of::count;  // the group that has read this lane's bucket, if in this round
      take(tile, sought, match, group, tile.rank() / Of::count == r);
    }
  }

  /// Like `look`, for at most as many open keys as there are groups: each group reads one bucket.
  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void look_for_few(Tile tile, Sought& sought, Slot bucket, std::uint32_t open) const
  {
    using Of = Groups<Tile>;
    std::uint32_t rest = open;
    SLOTSCAPE_UNROLL
    for (int group = 1; group < Of::count; ++group) {
      if (tile.rank() / Of::lanes >= group) { rest &= rest - 1; }
    }
    bool const has_key = rest != 0;
    int const owner = has_key ? exec::first_lane(rest) : 0;
    Read<Tile> const read = load(tile, tile.from(bucket, owner), has_key);
    Match const match = matched(read, tile.from(sought.key, owner), has_key);
    take(tile, sought, match, exec::count_lanes(open & ((1u << tile.rank()) - 1)), sought.open);
  }

  template <class Tile>
  SLOTSCAPE_HOST_DEVICE Read<Tile> load(Tile tile, Slot bucket, bool wanted) const
  {
    using Of = Groups<Tile>;
    Read<Tile> read{};
    read.first = bucket + static_cast<Slot>(tile.rank() % Of::lanes * Of::words);
    if (wanted) {
      saves_bits ? table.machine.load_window_once(read.first, read.words, Of::words)
                 : table.machine.load_window(read.first, read.words, Of::words);
    }
    return read;
  }
  /// Searches the words that this lane has read for the key.
  template <class Read>
  SLOTSCAPE_HOST_DEVICE Match matched(Read const& read, Key key, bool wanted) const
  {
    Match match{Format::empty_value, false, false};
    Slot slot = read.first;
    SLOTSCAPE_UNROLL
    for (Word const& word : read.words) {
      match.room = match.room || (saves_bits && word == Format::empty_word);
      if (key_of(word) == key) {
        match.value = value_of(word);
        match.met = wanted;
        if (records && wanted) { note_change(slot); }
      }
      ++slot;
    }
    return match;
  }
  /// A lane whose key was looked for by `group` takes the value, if found.
  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void take(Tile tile, Sought& sought, Match const& match, int group, bool is_mine) const
  {
    using Of = Groups<Tile>;
    std::uint32_t const ballot = tile.ballot(match.met);
    std::uint32_t const mine = is_mine ? Of::of(ballot, group) : 0;
    if constexpr (saves_bits) {
      std::uint32_t const rooms = tile.ballot(match.room);
      if (is_mine) { sought.room = Of::of(rooms, group) != 0; }
    }
    Value const theirs = tile.from(match.value, mine != 0 ? group * Of::lanes + exec::first_lane(mine) : 0);
    if (mine == 0) { return; }
    sought.value = theirs;
    sought.open = false;
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

/// Tables larger than this many L2 caches are large. (Measured: docs/experiments/lookups.md.)
inline constexpr std::uint64_t caches_of_large = 16;

/// Submits the finds of a batch of finds, without waiting; returns false if it is not compiled for this table's bucket
/// size.
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
    bool const records = batch.keeps_outcomes || batch.changes != nullptr;
    auto const submit = [&](auto const& recording, auto const& plain) {
      std::uint64_t const items = recording.items(batch.count);
      records ? exec.template for_each_tile<32>(items, recording) : exec.template for_each_tile<32>(items, plain);
    };
    if constexpr (KeepsBits<typename Family::template Walk<View>>) {
      if (table.layout.slots() * sizeof(typename View::Word) / caches_of_large > exec.cache_bytes()) {
        submit(FindMany<Family, View, bucket_slots, true, true>{table, batch, counts},
               FindMany<Family, View, bucket_slots, false, true>{table, batch, counts});
        return true;
      }
    }
    submit(FindMany<Family, View, bucket_slots, true, false>{table, batch, counts},
           FindMany<Family, View, bucket_slots, false, false>{table, batch, counts});
    return true;
  }
}

}  // namespace slotscape
