#pragma once

#include "gpu/analysis/occupancy.hpp"
#include "gpu/base/pair_format.hpp"
#include "gpu/base/random.hpp"
#include "gpu/execution/atomics.hpp"
#include "gpu/execution/histogram.hpp"
#include "gpu/tables/slot_mark.hpp"
#include "gpu/watch/runs.hpp"
#include "gpu/watch/sampled_homes.hpp"
#include "gpu/watch/table_view.hpp"
#include "gpu/watch/watched_table.hpp"

namespace slotscape::watch {

/// The passes that executors run over a foreign table.

/// Counters of keys that are in the table but not where a lookup finds them.
struct LostCounters {
  std::uint64_t unreachable;
  std::uint64_t twice;
  std::uint64_t not_followed;
  std::uint64_t first_unreachable;  ///< slot
  std::uint64_t first_twice;        ///< slot << 32 | the slot where lookups find the key

  static LostCounters none() { return {0, 0, 0, ~std::uint64_t{0}, ~std::uint64_t{0}}; }
};

/// Describes a slot for the analysis. A slot with a key that no lookup finds counts as taken by a link. Adds these lost
/// keys to the counters, if any are given.
struct DescribeSlots {
  TableView table;
  std::uint32_t most;  ///< accesses for which a lookup is followed
  LostCounters* lost;

  SLOTSCAPE_HOST_DEVICE Described operator()(std::uint64_t slot, SlotRead const& there) const
  {
    if (!there.has_key || there.state != SlotState::live) { return {there.state, there.has_key, 0}; }
    Reached const reached = table.reach(slot, there.key, most);
    if (reached.reach == Reach::found) { return {SlotState::live, true, reached.measure}; }
    if (reached.reach == Reach::not_followed) {
      count(&LostCounters::not_followed);
      return {SlotState::live, true, reached.measure};
    }
    if (reached.reach == Reach::elsewhere) {
      count(&LostCounters::twice);
      note_first(&LostCounters::first_twice, slot << 32 | reached.first);
    } else {
      count(&LostCounters::unreachable);
      note_first(&LostCounters::first_unreachable, slot);
    }
    return {SlotState::link, true, 0};
  }

private:
  SLOTSCAPE_HOST_DEVICE void count(std::uint64_t LostCounters::*counter) const
  {
    if (lost != nullptr) { exec::fetch_add(lost->*counter, std::uint64_t{1}); }
  }
  SLOTSCAPE_HOST_DEVICE void note_first(std::uint64_t LostCounters::*first, std::uint64_t place) const
  {
    if (lost != nullptr) { exec::atomic_min(lost->*first, place); }
  }
};

/// Reads 256 slots once and writes a mark for each. Measures of keys that lookups find go to the sink, occupancy to
/// level 0.
struct ScanSlots {
  static constexpr int words = 4;  ///< of the occupancy
  static constexpr std::uint64_t slots_per_item = std::uint64_t{64} * words;

  DescribeSlots describe;
  Occupancy occupancy;
  SlotMark* marks;
  std::uint64_t first = 0;  ///< item

  static std::uint64_t count(std::uint64_t slots) { return (slots + slots_per_item - 1) / slots_per_item; }

  template <class Tile, class Sink>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i, Tile tile, Sink& sink) const
  {
    std::uint64_t const item = first + i;
    std::uint32_t tombstones = 0;
    std::uint32_t lost = 0;
    for (std::uint64_t word = item * words; word < (item + 1) * words && word < occupancy.counts[0]; ++word) {
      std::uint64_t bits = 0;
      for (int k = 0; k < 64; k += Tile::size) {
        std::uint64_t const slot = word * 64 + static_cast<std::uint64_t>(k + tile.rank());
        bool const is_there = slot < occupancy.slots;
        Described found{SlotState::tombstone, false, 0};  // slots past the end count as taken
        if (is_there) {
          found = describe(slot, describe.table.read_slot(slot));
          marks[slot] = make_mark(found);
        }
        bool const live = found.state == SlotState::live;
        sink.add_if(live, live ? found.measure : 0);
        tombstones += is_there && found.state == SlotState::tombstone ? 1u : 0u;
        lost += found.state == SlotState::link ? 1u : 0u;
        bits |= std::uint64_t{tile.ballot(found.state != SlotState::empty)} << k;
      }
      if (tile.rank() == 0) { occupancy.words[0][word] = bits; }
    }
    sink.note(tombstones, lost);
  }
};

struct ReadSlots {
  TableView table;
  Slot const* slots;
  SlotInfo* out;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    Slot const slot = slots[i];
    SlotRead const there = table.read_slot(slot);
    Described const found = DescribeSlots{table, max_followed, nullptr}(slot, there);
    bool const has_value = there.has_key && table.value.bits != 0;
    Value const value = has_value ? table.read(table.value, slot) : 0;
    Slot const home = there.has_key ? table.home_in(slot, there.key) : no_slot;
    out[i] = {slot, found.state, {table.shown(there.key), value}, home, there.has_key, found.measure, no_byte};
    if (table.control.bits != 0) {
      out[i].byte_beside =
          static_cast<std::uint16_t>(read_once<std::uint8_t>(table.control.first + slot * table.control.stride));
    }
  }
};

/// The results of looking up the keys in slots.
struct ReadReached {
  TableView table;
  Slot const* slots;
  ReachedSlot* out;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    Slot const slot = slots[i];
    SlotRead const there = table.read_slot(slot);
    out[i] = {};
    if (!there.has_key || there.state != SlotState::live) { return; }
    out[i].reached = table.reach(slot, there.key, max_followed);
    if (out[i].reached.reach != Reach::elsewhere) { return; }
    TableView::Path const path = table.path_from(table.home_in(slot, there.key), there.key);
    out[i].comes_later = table.find_from(path, there.key, max_followed, slot).slot == slot;
  }
};

/// The keys of slots; 0 for slots without a key.
struct ReadKeys {
  TableView table;
  Slot const* slots;
  AnyKey* keys;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const { keys[i] = table.read_slot(slots[i]).key; }
};

/// The slot if it is live, otherwise `no_slot`.
struct LiveSlot {
  TableView table;
  std::uint64_t first;

  SLOTSCAPE_HOST_DEVICE Slot operator()(std::uint64_t i) const
  {
    return table.read_slot(first + i).state == SlotState::live ? static_cast<Slot>(first + i) : no_slot;
  }
};

/// The slot if its key was lost in the last scan, otherwise `no_slot`.
struct LostSlot {
  SlotMark const* marks;
  std::uint64_t first;

  SLOTSCAPE_HOST_DEVICE Slot operator()(std::uint64_t i) const
  {
    return state_of(marks[first + i]) == SlotState::link ? static_cast<Slot>(first + i) : no_slot;
  }
};

/// The runs of taken slots, or of empty ones, in parts of the table.
struct NoteRuns {
  SlotMark const* marks;
  std::uint64_t slots;
  std::uint64_t size;  ///< slots per part
  bool of_empty;
  RunsOfPart* parts;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t part) const
  {
    std::uint64_t const end = (part + 1) * size < slots ? (part + 1) * size : slots;
    parts[part] = runs_between(part * size, end, [this](std::uint64_t slot) {
      return (state_of(marks[slot]) == SlotState::empty) == of_empty;
    });
  }
};

/// Writes the first slot that holds a key to `first`.
struct FirstSlotOf {
  TableView table;
  AnyKey key;
  std::uint64_t* first;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t slot) const
  {
    SlotRead const there = table.read_slot(slot);
    if (there.state == SlotState::live && there.has_key && there.key == key) { exec::atomic_min(*first, slot); }
  }
};

/// A randomly drawn slot if it is live, otherwise `no_slot`. In a table of few slots, each is drawn once.
struct SampleSlot {
  TableView table;
  Shuffle order;  ///< the order of the slots, if they are few
  bool is_small;
  std::uint64_t seed;

  SLOTSCAPE_HOST_DEVICE Slot operator()(std::uint64_t i) const
  {
    Slot const slot = is_small ? order(static_cast<std::uint32_t>(i)) : random_below(seed, i, table.all_slots());
    SlotRead const there = table.read_slot(slot);
    return there.state == SlotState::live && there.has_key ? slot : no_slot;
  }
};

/// The number of accesses when looking up the key in a slot; 0 for a slot without a key.
struct CountFollowed {
  TableView table;
  std::uint64_t seed;
  std::uint32_t* accesses;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    std::uint64_t const slot = random_below(seed, i, table.all_slots());
    SlotRead const there = table.read_slot(slot);
    bool const is_live = there.has_key && there.state == SlotState::live;
    accesses[i] = is_live ? table.reach(slot, there.key, max_followed).accesses : 0;
  }
};

/// Whether a lookup finds the key of a sampled slot in that slot.
struct FindSample {
  TableView table;
  Slot const* slots;
  std::uint64_t most;  ///< slots that a lookup may read
  std::uint32_t* found;
  std::uint64_t count = 1;  ///< number of sampled slots
  std::uint64_t other = 0;  ///< not 0: starts at the home of the key this many samples further

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    SlotRead const there = table.read_slot(slots[i]);
    AnyKey const from = other == 0 ? there.key : table.read_slot(slots[(i + other) % count]).key;
    auto const accesses = static_cast<std::uint32_t>(most / table.window + 1);
    bool const is_there = table.find_from(table.path_of(from), there.key, accesses).slot == slots[i];
    found[i] = there.has_key && is_there ? 1u : 0u;
  }
};

/// Whether a lookup of the key in a sampled slot ends there: `updated` if it finds the key in another slot, `full` if
/// it was given up after `most` accesses.
struct FollowSample {
  TableView table;
  Slot const* slots;
  std::uint32_t most;

  SLOTSCAPE_HOST_DEVICE Outcome operator()(std::uint64_t i) const
  {
    SlotRead const there = table.read_slot(slots[i]);
    if (!there.has_key) { return Outcome::missing; }
    Reach const reach = table.reach(slots[i], there.key, most).reach;
    if (reach == Reach::not_followed) { return Outcome::full; }
    if (reach == Reach::elsewhere) { return Outcome::updated; }
    return reach == Reach::found ? Outcome::found : Outcome::missing;
  }
};

/// Converts a random 64-bit number to a key. For 16-byte keys, the upper half is derived from the lower one.
SLOTSCAPE_HOST_DEVICE inline AnyKey key_drawn(std::uint64_t number, int bits)
{
  if (bits <= 64) { return bits == 32 ? static_cast<std::uint32_t>(number) : number; }
  return AnyKey{number} | (AnyKey{hashing::finalised64(number)} << 64);
}

/// Draws numbers of keys that are not in the table, as far as a short lookup can tell.
struct DrawAbsentKeys {
  static constexpr std::uint64_t tries = 16;
  static constexpr std::uint32_t max_accesses = 1024;

  TableView table;
  std::uint64_t seed;
  std::uint64_t* keys;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    std::uint64_t number = 0;
    for (std::uint64_t attempt = 0; attempt < tries; ++attempt) {
      number = random64(seed, i * tries + attempt);
      AnyKey const key = key_drawn(number, table.key.bits);
      bool const reserved =
          (table.has_empty_key && key == table.empty_key) || (table.has_erased_key && key == table.erased_key);
      if (!reserved && !table.find(key, max_accesses).found) { break; }
    }
    keys[i] = number;
  }
};

struct CountLookup {
  TableView table;
  std::uint64_t const* keys;
  std::uint32_t most;
  std::uint32_t* accesses;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    accesses[i] = table.find(key_drawn(keys[i], table.key.bits), most).accesses;
  }
};

/// Counts the keys of each sampled home, and those of all homes in blocks. Counts each key once.
struct CountHomes {
  TableView table;
  SlotMark const* marks;
  SampledHomes homes;  ///< of this table, or of a larger one
  std::uint64_t first;
  std::uint32_t* counts;
  std::uint32_t* blocks;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    SlotRead const there = table.read_slot(first + i);
    if (there.state != SlotState::live || !there.has_key) { return; }
    bool const is_lost = state_of(marks[first + i]) == SlotState::link;
    if (is_lost && table.reach(first + i, there.key, max_followed).reach == Reach::elsewhere) { return; }
    std::uint64_t const place = place_of(table.hashes[0], there.key, table.key.bits, homes.places);
    exec::fetch_add(blocks[place / SampledHomes::block], std::uint32_t{1});
    std::uint64_t const sampled = homes.index_of(place);
    if (sampled != SampledHomes::left_out) { exec::fetch_add(counts[sampled], std::uint32_t{1}); }
  }
};

/// Marks and counts the slabs that chains lead to, and counts the chains that continue in slabs outside the
/// description.
struct NoteChains {
  TableView table;
  std::uint32_t* linked;  ///< per slab; initially 0
  ChainCounts* counts;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t bucket) const
  {
    std::uint64_t slabs = 0;
    std::uint64_t slab = table.link_of(bucket * table.bucket_slots);
    while (slab < table.slabs && exec::fetch_add(linked[slab], std::uint32_t{1}) == 0) {
      ++slabs;
      slab = table.link_of(table.slots + slab * table.bucket_slots);
    }
    if (slabs != 0) { exec::fetch_add(counts->slabs, slabs); }
    bool const is_cut = slab >= table.slabs && slab != TableView::no_slab;
    if (is_cut) { exec::fetch_add(counts->cut, std::uint64_t{1}); }
  }
};

/// Counts slabs that hold keys but that no chain leads to.
struct CountStraySlabs {
  TableView table;
  std::uint64_t* count;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t slab) const
  {
    if (table.linked[slab] != 0) { return; }
    std::uint64_t const first = table.slots + slab * table.bucket_slots;
    for (std::uint64_t slot = first; slot < first + table.bucket_slots; ++slot) {
      if (table.read_memory(slot).state != SlotState::live) { continue; }
      exec::fetch_add(*count, std::uint64_t{1});
      return;
    }
  }
};

/// A slot's contents in 32 bits: 0 if empty, 1 for a tombstone, otherwise more.
SLOTSCAPE_HOST_DEVICE inline std::uint32_t content_of(TableView const& table, std::uint64_t slot)
{
  SlotRead const there = table.read_slot(slot);
  if (there.state != SlotState::live) { return there.state == SlotState::tombstone ? 1 : 0; }
  std::uint64_t const value = table.value.bits != 0 ? table.read(table.value, slot) : 0;
  std::uint64_t const mixed = hashing::finalised64(table.shown(there.key)) + value;
  return static_cast<std::uint32_t>(hashing::finalised64(mixed) >> 32) | 2u;
}

/// Records how each slot has changed since the last call, as the `Operation` with the same effect. Another key or value
/// in a slot that was taken counts as `find`, which is otherwise invisible in foreign memory.
struct NoteChanges {
  TableView table;
  std::uint32_t* contents;  ///< as of the last call
  std::uint8_t* changes;    ///< null: this is the first time

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t slot) const
  {
    std::uint32_t const now = content_of(table, slot);
    std::uint32_t const before = contents[slot];
    if (now == before) { return; }
    contents[slot] = now;
    if (changes == nullptr) { return; }
    bool const was_live = before > 1;
    bool const is_live = now > 1;
    if (!was_live && !is_live) { return; }
    changes[slot] = fresh_change(was_live && is_live ? Operation::find
                                 : is_live           ? Operation::insert
                                                     : Operation::erase);
  }
};

/// Adds the number of keys in each window where homes are: a bucket, with the slabs that follow it in its chain.
struct CountBuckets {
  TableView table;
  std::uint64_t first = 0;

  std::uint64_t count() const { return table.slots / table.window; }

  template <class Tile, class Sink>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t bucket, Tile tile, Sink& sink) const
  {
    std::uint64_t const item = first + bucket;
    std::uint32_t live = 0;
    std::uint32_t nodes = 0;
    for (std::uint64_t at = item * table.window; at < table.all_slots() && nodes < max_followed; ++nodes) {
      for (std::uint64_t i = static_cast<std::uint64_t>(tile.rank()); i < table.window; i += Tile::size) {
        live += table.read_slot(at + i).state == SlotState::live ? 1u : 0u;
      }
      at = node_after(at);
    }
    std::uint32_t const all = tile.sum(live);
    if (tile.rank() == 0) { sink.add_many(all, 1); }
  }

private:
  /// The first slot of the next node in the chain; beyond all slots at the chain's end.
  SLOTSCAPE_HOST_DEVICE std::uint64_t node_after(std::uint64_t first) const
  {
    std::uint64_t const slab = table.slabs == 0 ? TableView::no_slab : table.link_of(first);
    return slab >= table.slabs ? table.all_slots() : table.slots + slab * table.bucket_slots;
  }
};

/// The path of a lookup, written by one thread: the first slot of each window, then the slot of the key.
struct TracePath {
  TableView table;
  AnyKey key;
  std::uint64_t room;  ///< in `slots`
  Slot* slots;
  std::uint32_t* count;
  Found* found;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t) const
  {
    Found const result = table.find(key, static_cast<std::uint32_t>(room - 1));
    std::uint32_t written = 0;
    TableView::Path path = table.path_of(key);
    do {
      if (written == result.accesses || written + 1 >= room) { break; }
      slots[written++] = static_cast<Slot>(path.at);
    } while (table.next(path, key));
    bool const elsewhere = result.found && (written == 0 || slots[written - 1] != result.slot);
    if (elsewhere) { slots[written++] = result.slot; }
    *count = written;
    *found = result;
  }
};

}  // namespace slotscape::watch
