#pragma once

#include "gpu/base/random.hpp"
#include "gpu/engine/merge_copies.hpp"

namespace slotscape::segment_passes {

/// Inserts a segment's share.
///
/// (1) Every key that is in the table gets its new value; every other key goes to its first bucket while there is room:
/// a set bit in the bucket's word claims a slot. If the bucket is full, the item is listed. (2) The listed items go to
/// their second buckets. If the second bucket is full, one of its pairs whose other bucket has room is moved there; if
/// there is no such pair, a random one is evicted and goes to its other bucket in the same way. A pair is always either
/// in a slot or in the hands of one thread. A bucket is locked while pairs enter or leave it. (3) The segment is
/// written back, unless a pair is still in hand after too many steps, or the list is too short. In that case the
/// segment in memory stays unchanged, and its share takes the direct path, which looks for eviction paths first and can
/// rebuild the table.
///
/// If the batch may have `copies` of a key, they are placed like different keys and merged at the end, unless their
/// outcomes are wanted or they are too many for the room. Then the share is inserted again with care: each key is
/// placed or listed once in step 1, and its later copies update the value. If a word is written in one access, copies
/// claim the first empty slot of their bucket by compare-and-swap: no slot becomes empty again, so no copy skips a slot
/// in which another has succeeded. Other words are placed, and all items are listed, under the lock of the first
/// bucket, which all copies share; the lock's holder searches the items listed for the bucket.
template <TableFamily Family, PairFormat Format, bool copies>
struct Insert {
  using Word = typename Format::Word;
  using Key = typename Format::Key;
  using OneSegment = Segment<Family, Format>;
  using Layout = typename OneSegment::Layout;
  using Choices = typename Family::Choices;
  static constexpr int threads = Format::bits == 32 ? 512 : 1024;
  static constexpr int blocks_at_once = Format::bits == 32 ? 3 : 1;
  static constexpr std::uint32_t bucket_slots = OneSegment::bucket_slots;
  static constexpr std::uint32_t all_taken = (1u << bucket_slots) - 1;
  static constexpr std::uint32_t lock_bit = 1u << 31;
  static constexpr int head_shift = 8;  ///< position, in the bucket's word, of 1 + the first item listed for the bucket
  static constexpr std::uint32_t head_mask = 0xffffu << head_shift;
  static constexpr std::uint32_t list_size = OneSegment::slots * 3 / 16;
  static constexpr std::uint32_t largest_share = 0xffff;
  static constexpr std::uint32_t max_evictions = 1000;      ///< in a row
  static constexpr std::uint32_t few_evictions = 16;        ///< eviction counts below this are counted in shared memory
  static constexpr std::uint32_t looks = bucket_slots / 2;  ///< pairs of a full bucket examined before one is evicted
  static constexpr std::uint32_t none = OneSegment::none;

  struct Shared {
    OneSegment segment;
    std::array<std::uint32_t, OneSegment::buckets> buckets;  ///< taken slots, head of the list, and lock
    std::array<std::uint16_t, list_size> list;               ///< numbers of items
    std::array<std::uint16_t, copies ? list_size : 1> next;  ///< 1 + the next position in the list; 0 at the end
    std::uint32_t listed;
    std::uint32_t list_is_full;  ///< raised only in step 1, so all threads read the same value afterwards
    std::uint32_t gave_up;       ///< raised only in step 2
    std::uint32_t updated;
    std::uint32_t inserted;
    std::uint32_t merged;
    std::array<std::uint32_t, few_evictions> moved;  ///< items by the number of pairs they evicted, except 0
  };

  Layout layout;
  Word* words;
  std::uint64_t* metadata;
  bool fresh;  ///< whether the table is empty
  Shares<Format, Word> shares;
  std::uint32_t* moves;  ///< counters, or null
  Combine combine = Combine::replace;

  template <class Block>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t segment, Block block, Shared& shared) const
  {
    std::uint32_t const size = shares.size(segment);
    if (size == 0) { return; }
    if (size > largest_share) { return leave(block, shared, segment); }
    bool is_merged = false;
    if constexpr (copies) { is_merged = can_merge(block, shared) && place_and_merge(block, shared, segment, size); }
    if (!is_merged && !place_all<copies>(block, shared, segment, size)) { return leave(block, shared, segment); }
    shared.segment.store(block, layout, segment, words, metadata);
    block.for_each_thread([&](int t) {
      if (t == 0) {
        shares.count(Outcome::updated, shared.updated + shared.merged);
        shares.count(Outcome::inserted, shared.inserted - shared.merged);
      }
      if (moves == nullptr) { return; }
      for (std::uint32_t i = t; i < few_evictions; i += Block::size) { note_moves(segment, i, shared.moved[i]); }
    });
  }

private:
  /// Whether a word is written in one access. If so, step 1 locks a bucket only for the items that it lists.
  static constexpr bool claims_words = sizeof(Word) == 8;
  static constexpr std::uint32_t guest_bit = 1u << 30;  ///< in a bucket's word, if copies are merged
  static constexpr std::uint32_t few_in_vain = 16;      ///< segments; plus one in `one_in_vain_of`
  static constexpr std::uint32_t one_in_vain_of = 64;

  /// Leaves the share to the direct path. If the share is stored in the segment itself, empties the segment.
  template <class Block>
  SLOTSCAPE_HOST_DEVICE void leave(Block block, Shared& shared, std::uint64_t segment) const
  {
    shares.leave(block, segment);
    if (shares.items.items != words) { return; }
    shared.segment.load(block, layout, segment, words, metadata, true);
    shared.segment.store(block, layout, segment, words, metadata);
  }

  /// Whether copies are placed first and merged at the end: not if the partition found some, since many copies leave
  /// too little room, nor if merging has failed too often. A copy must not update half a word.
  template <class Block>
  SLOTSCAPE_HOST_DEVICE bool can_merge(Block block, Shared& shared) const
  {
    bool const is_watched = shares.items.numbers != nullptr || shares.changes != nullptr;
    if (is_watched || !(fresh || claims_words)) { return false; }
    block.for_each_thread([&](int t) {
      std::uint32_t const most = few_in_vain + layout.segments / one_in_vain_of;
      if (t != 0) { return; }
      bool const are_rare = exec::load_relaxed(shares.counts->copies) < partition::few_copies;
      shared.gave_up = are_rare && exec::load_relaxed(shares.counts->in_vain) < most ? 0 : 1;
    });
    return shared.gave_up == 0;
  }
  template <class Block>
  SLOTSCAPE_HOST_DEVICE bool place_and_merge(Block block, Shared& shared, std::uint64_t segment,
                                             std::uint32_t size) const
  {
    if (!place_all<false>(block, shared, segment, size)) {
      block.for_each_thread([&](int t) {
        if (t == 0) { exec::fetch_add(shares.counts->in_vain, 1u); }
      });
      return false;
    }
    MergeCopies<Family, Format> const merge{layout, combine};
    block.for_each_thread(
        [&](int t) { block.add_of_all(shared.merged, merge.template in_buckets<Block>(shared.segment, t)); });
    block.for_each_thread([&](int t) {
      block.add_of_all(shared.merged, merge.template of_guests<Block>(shared.segment, shared.buckets, guest_bit, t));
    });
    return true;
  }

  /// Steps 1 and 2; returns false if there is no room. `careful`: further copies of a key are not placed.
  template <bool careful, class Block>
  SLOTSCAPE_HOST_DEVICE bool place_all(Block block, Shared& shared, std::uint64_t segment, std::uint32_t size) const
  {
    constexpr bool claims = careful && claims_words;
    shared.segment.load(block, layout, segment, words, metadata, fresh);
    block.for_each_thread([&](int t) {
      reset<Block>(shared, t);
      note_taken<Block>(shared, t, fresh || claims);
    });
    if (fresh && !careful) {
      block.for_each_thread([&](int t) { place_in_empty(block, shared, segment, size, t); });
      block.for_each_thread([&](int t) { note_counted<Block>(shared, t); });
    } else {
      block.for_each_thread([&](int t) { place<careful>(block, shared, segment, size, t); });
      if (claims) {
        block.for_each_thread([&](int t) { note_taken<Block>(shared, t, false); });
      }
    }
    if (shared.list_is_full != 0) { return false; }
    block.for_each_thread([&](int t) { place_listed(block, shared, segment, t); });
    return shared.gave_up == 0;
  }

  template <class Block>
  SLOTSCAPE_HOST_DEVICE static void reset(Shared& shared, int t)
  {
    if (t == 0) { shared.listed = shared.list_is_full = shared.gave_up = 0; }
    if (t == 0) { shared.updated = shared.inserted = shared.merged = 0; }
    for (std::uint32_t i = t; i < few_evictions; i += Block::size) { shared.moved[i] = 0; }
  }
  /// Sets the buckets' words to the taken slots, and nothing else.
  template <class Block>
  SLOTSCAPE_HOST_DEVICE void note_taken(Shared& shared, int t, bool none_is_taken) const
  {
    for (std::uint32_t b = t; b < layout.segment_buckets; b += Block::size) {
      std::uint32_t taken = 0;
      for (std::uint32_t s = 0; !none_is_taken && s < bucket_slots; ++s) {
        std::uint32_t const slot = (s + static_cast<std::uint32_t>(t)) % bucket_slots;
        bool const is_taken = key_of(shared.segment.word(b * bucket_slots + slot)) != Format::empty_key;
        taken |= (is_taken ? 1u : 0u) << slot;
      }
      shared.buckets[b] = taken;
    }
  }

  static constexpr std::uint32_t at_once = 4;

  /// Reads one thread's items from number `base` on, with all loads in flight together. Past the end, and for rejected
  /// items, it returns pairs without a value.
  template <class Block>
  SLOTSCAPE_HOST_DEVICE void read_some(std::uint64_t segment, std::uint32_t size, std::uint32_t base,
                                       Word (&pairs)[at_once]) const
  {
    Word const* const items = shares.items.items + shares.starts[segment];
    SLOTSCAPE_UNROLL
    for (std::uint32_t j = 0; j < at_once; ++j) {
      std::uint32_t const i = base + j * Block::size;
      pairs[j] = i < size ? exec::load_once(items[i]) : Format::empty_word;
    }
  }

  /// Step 1 for one thread's items.
  template <bool careful, class Block>
  SLOTSCAPE_HOST_DEVICE void place(Block block, Shared& shared, std::uint64_t segment, std::uint32_t size, int t) const
  {
    std::uint32_t updated = 0;
    std::uint32_t inserted = 0;
    for (std::uint32_t base = t; base < size; base += at_once * Block::size) {
      Word pairs[at_once];
      read_some<Block>(segment, size, base, pairs);
      SLOTSCAPE_UNROLL
      for (std::uint32_t j = 0; j < at_once; ++j) {
        std::uint32_t const i = base + j * Block::size;
        if (value_of(pairs[j]) == Format::empty_value) { continue; }
        Outcome const outcome = place_one<careful>(block, shared, segment, i, pairs[j], t);
        (outcome == Outcome::updated ? updated : inserted) += 1;
        shares.note_outcome(shares.starts[segment] + i, outcome);
      }
    }
    block.add_of_all(shared.updated, updated);
    block.add_of_all(shared.inserted, inserted);
  }

  /// Step 1 if all keys are new: a bucket's word counts its items, and the count gives each item its slot.
  template <class Block>
  SLOTSCAPE_HOST_DEVICE void place_in_empty(Block block, Shared& shared, std::uint64_t segment, std::uint32_t size,
                                            int t) const
  {
    std::uint32_t inserted = 0;
    for (std::uint32_t base = t; base < size; base += at_once * Block::size) {
      Word pairs[at_once];
      std::uint32_t buckets[at_once];
      std::uint32_t numbers[at_once];
      read_some<Block>(segment, size, base, pairs);
      SLOTSCAPE_UNROLL
      for (std::uint32_t j = 0; j < at_once; ++j) { buckets[j] = layout.choices(key_of(pairs[j])).first; }
      SLOTSCAPE_UNROLL
      for (std::uint32_t j = 0; j < at_once; ++j) {
        if (value_of(pairs[j]) != Format::empty_value) { numbers[j] = block.add(shared.buckets[buckets[j]], 1); }
      }
      SLOTSCAPE_UNROLL
      for (std::uint32_t j = 0; j < at_once; ++j) {
        std::uint32_t const i = base + j * Block::size;
        if (value_of(pairs[j]) == Format::empty_value) { continue; }
        if (numbers[j] < bucket_slots) {
          put(shared, segment, buckets[j] * bucket_slots + numbers[j], pairs[j]);
        } else {
          list(block, shared, i);
        }
        ++inserted;
        shares.note_outcome(shares.starts[segment] + i, Outcome::inserted);
      }
    }
    block.add_of_all(shared.inserted, inserted);
  }
  /// After `place_in_empty`: turns the counts in the buckets' words into taken slots.
  template <class Block>
  SLOTSCAPE_HOST_DEVICE void note_counted(Shared& shared, int t) const
  {
    for (std::uint32_t b = t; b < layout.segment_buckets; b += Block::size) {
      std::uint32_t const count = shared.buckets[b];
      shared.buckets[b] = count < bucket_slots ? (1u << count) - 1 : all_taken;
    }
  }

  /// Lists an item for step 2.
  template <class Block>
  SLOTSCAPE_HOST_DEVICE static void list(Block block, Shared& shared, std::uint32_t i)
  {
    if (std::uint32_t const place = block.add(shared.listed, 1); place < list_size) {
      shared.list[place] = static_cast<std::uint16_t>(i);
    } else {
      exec::raise(shared.list_is_full);
    }
  }

  template <bool careful, class Block>
  SLOTSCAPE_HOST_DEVICE Outcome place_one(Block block, Shared& shared, std::uint64_t segment, std::uint32_t i,
                                          Word pair, int t) const
  {
    Choices const choice = layout.choices(key_of(pair));
    if constexpr (careful) {
      if constexpr (claims_words) {
        Outcome const outcome = update_or_claim(block, shared, segment, pair, choice, t);
        if (outcome != Outcome::full) { return outcome; }
      }
      Outcome outcome{};
      for (bool placed = false; !placed;) {  // a lane with the lock must not wait for a lane of its warp that wants it
        if (!try_lock(block, shared, choice.first)) { continue; }
        outcome = place_locked(block, shared, segment, i, pair, choice, t);
        unlock(block, shared, choice.first);
        placed = true;
      }
      return outcome;
    } else {
      if (update(shared, segment, pair, choice, t)) { return Outcome::updated; }
      if (!put_in(block, shared, segment, choice.first, pair)) { list(block, shared, i); }
      return Outcome::inserted;
    }
  }

  /// Updates the key, or stores it in the first empty slot of its first bucket; `full` if there is no empty slot.
  template <class Block>
  SLOTSCAPE_HOST_DEVICE Outcome update_or_claim(Block block, Shared& shared, std::uint64_t segment, Word pair,
                                                Choices const& choice, int t) const
  {
    if (!fresh && update(shared, segment, pair, choice, t)) { return Outcome::updated; }
    std::uint32_t const first = choice.first * bucket_slots;
    for (std::uint32_t slot = first; slot < first + bucket_slots; ++slot) {
      Word& word = shared.segment.word(slot);
      Word seen = exec::load_relaxed(word);
      if (seen == Format::empty_word) {
        seen = block.compare_exchange(word, Format::empty_word, pair);
        if (seen == Format::empty_word) {
          note_change(segment, slot);
          return Outcome::inserted;
        }
      }
      if (key_of(seen) != key_of(pair)) { continue; }
      update_slot(shared, segment, slot, pair);
      return Outcome::updated;
    }
    return Outcome::full;
  }

  /// Requires the lock of the first bucket, which all copies of the key take.
  template <class Block>
  SLOTSCAPE_HOST_DEVICE Outcome place_locked(Block block, Shared& shared, std::uint64_t segment, std::uint32_t i,
                                             Word pair, Choices const& choice, int t) const
  {
    std::uint32_t const bucket = exec::load_relaxed(shared.buckets[choice.first]);
    if constexpr (!claims_words) {
      if (update(shared, segment, pair, choice, t)) { return Outcome::updated; }
      if ((bucket & all_taken) != all_taken) {
        std::uint32_t const slot = exec::first_lane(~bucket & all_taken);
        put(shared, segment, choice.first * bucket_slots + slot, pair);
        block.set_bits(shared.buckets[choice.first], 1u << slot);
        return Outcome::inserted;
      }
    }
    std::uint32_t const head = (bucket & head_mask) >> head_shift;
    for (std::uint32_t at = head; at != 0; at = shared.next[at - 1]) {
      Word& listed = shares.items.items[shares.starts[segment] + shared.list[at - 1]];
      if (key_of(listed) != key_of(pair)) { continue; }
      listed = pack(key_of(pair), combined<Format>(combine, value_of(listed), value_of(pair)));
      return Outcome::updated;
    }
    std::uint32_t const place = block.add(shared.listed, 1);
    if (place >= list_size) {
      exec::raise(shared.list_is_full);
      return Outcome::inserted;
    }
    shared.list[place] = static_cast<std::uint16_t>(i);
    shared.next[place] = static_cast<std::uint16_t>(head);
    exec::store_relaxed(shared.buckets[choice.first], (bucket & ~head_mask) | (place + 1) << head_shift | lock_bit);
    return Outcome::inserted;
  }

  SLOTSCAPE_HOST_DEVICE bool update(Shared& shared, std::uint64_t segment, Word pair, Choices const& choice,
                                    int t) const
  {
    std::uint32_t const slot = shared.segment.seek(choice, key_of(pair), t);
    if (slot == none) { return false; }
    update_slot(shared, segment, slot, pair);
    return true;
  }
  SLOTSCAPE_HOST_DEVICE void update_slot(Shared& shared, std::uint64_t segment, std::uint32_t slot, Word pair) const
  {
    if (combine == Combine::replace) { return put(shared, segment, slot, pair); }
    exec::combine_live<Format>(shared.segment.value(slot), combine, value_of(pair));
    note_change(segment, slot);
  }

  SLOTSCAPE_HOST_DEVICE void put(Shared& shared, std::uint64_t segment, std::uint32_t slot, Word pair) const
  {
    shared.segment.word(slot) = pair;
    note_change(segment, slot);
  }
  SLOTSCAPE_HOST_DEVICE void note_change(std::uint64_t segment, std::uint32_t slot) const
  {
    shares.note_change(segment * layout.segment_buckets * bucket_slots + slot, Operation::insert);
  }

  /// Claims a slot of the bucket; `none` if all are taken.
  template <class Block>
  SLOTSCAPE_HOST_DEVICE static std::uint32_t claim(Block block, Shared& shared, std::uint32_t bucket)
  {
    std::uint32_t taken = exec::load_relaxed(shared.buckets[bucket]) & all_taken;
    while (taken != all_taken) {
      auto const slot = static_cast<std::uint32_t>(exec::first_lane(~taken & all_taken));
      std::uint32_t const old = block.set_bits(shared.buckets[bucket], 1u << slot);
      if ((old >> slot & 1) == 0) { return slot; }
      taken = old & all_taken;
    }
    return none;
  }

  /// Stores the pair in the bucket if there is room.
  template <class Block>
  SLOTSCAPE_HOST_DEVICE bool put_in(Block block, Shared& shared, std::uint64_t segment, std::uint32_t bucket,
                                    Word pair) const
  {
    std::uint32_t const slot = claim(block, shared, bucket);
    if (slot != none) { put(shared, segment, bucket * bucket_slots + slot, pair); }
    return slot != none;
  }

  template <class Block>
  SLOTSCAPE_HOST_DEVICE static bool try_lock(Block block, Shared& shared, std::uint32_t bucket)
  {
    bool const mine = (block.set_bits(shared.buckets[bucket], lock_bit) & lock_bit) == 0;
    if (mine) { block.fence(); }
    return mine;
  }
  template <class Block>
  SLOTSCAPE_HOST_DEVICE static void unlock(Block block, Shared& shared, std::uint32_t bucket)
  {
    block.fence();
    block.clear_bits(shared.buckets[bucket], lock_bit);
  }

  /// Step 2 for one thread's listed items.
  template <class Block>
  SLOTSCAPE_HOST_DEVICE void place_listed(Block block, Shared& shared, std::uint64_t segment, int t) const
  {
    std::uint32_t random = static_cast<std::uint32_t>(random64(layout.seed + segment, static_cast<std::uint64_t>(t)));
    for (std::uint32_t q = t; q < shared.listed; q += Block::size) {
      Word const pair = shares.items.items[shares.starts[segment] + shared.list[q]];
      std::uint32_t const evicted = walk(block, shared, segment, pair, random);
      if (evicted == none) { return; }
      if (moves == nullptr || evicted == 0) { continue; }
      if (evicted < few_evictions) {
        block.add(shared.moved[evicted], 1);
      } else {
        note_moves(segment, evicted, 1);
      }
    }
  }
  SLOTSCAPE_HOST_DEVICE void note_moves(std::uint64_t segment, std::uint32_t evicted, std::uint32_t times) const
  {
    std::uint32_t const bin = evicted < move_bins ? evicted : move_bins - 1;
    if (times != 0) { exec::fetch_add(moves[segment % move_stripes * move_bins + bin], times); }
  }

  /// Places a pair whose first bucket is full, and the pairs that it evicts. Returns how many were evicted; `none` if
  /// they were too many or another thread has given up.
  template <class Block>
  SLOTSCAPE_HOST_DEVICE std::uint32_t walk(Block block, Shared& shared, std::uint64_t segment, Word pair,
                                           std::uint32_t& random) const
  {
    Choices choice = layout.choices(key_of(pair));
    std::uint32_t bucket = choice.second;
    for (std::uint32_t evicted = 0; exec::load_relaxed(shared.gave_up) == 0;) {
      if (!try_lock(block, shared, bucket)) { continue; }
      std::uint32_t const taken = exec::load_relaxed(shared.buckets[bucket]) & all_taken;
      bool const has_room = taken != all_taken;
      random = random * 1664525u + 1013904223u;
      Room const room = has_room ? Room{static_cast<std::uint32_t>(exec::first_lane(~taken & all_taken)), true}
                                 : make_room(block, shared, segment, bucket, random >> 29);
      Word const old = shared.segment.word(bucket * bucket_slots + room.slot);
      put(shared, segment, bucket * bucket_slots + room.slot, pair);
      if (has_room) { block.set_bits(shared.buckets[bucket], 1u << room.slot); }
      unlock(block, shared, bucket);
      note_overflow(block, shared, choice, bucket);
      if (!has_room) { ++evicted; }
      if (room.is_free) { return evicted; }
      if (evicted == max_evictions) { break; }
      pair = old;
      choice = layout.choices(key_of(pair));
      bucket = bucket == choice.first ? choice.second : choice.first;
    }
    exec::raise(shared.gave_up);
    return none;
  }

  /// A slot of a locked bucket, and whether it can be used without an eviction.
  struct Room {
    std::uint32_t slot;
    bool is_free;
  };
  /// In a full, locked bucket, examines a few pairs from slot `start` on, wrapping round, and moves the first one whose
  /// other bucket has room. If no pair can move, the result is slot `start`, which is not free. No thread waits for a
  /// second lock.
  template <class Block>
  SLOTSCAPE_HOST_DEVICE Room make_room(Block block, Shared& shared, std::uint64_t segment, std::uint32_t bucket,
                                       std::uint32_t start) const
  {
    for (std::uint32_t s = 0; s < looks; ++s) {
      std::uint32_t const slot = (start + s) % bucket_slots;
      Word const pair = shared.segment.word(bucket * bucket_slots + slot);
      Choices const choice = layout.choices(key_of(pair));
      std::uint32_t const other = bucket == choice.first ? choice.second : choice.first;
      if ((exec::load_relaxed(shared.buckets[other]) & all_taken) == all_taken) { continue; }
      if (!try_lock(block, shared, other)) { continue; }
      std::uint32_t const taken = exec::load_relaxed(shared.buckets[other]) & all_taken;
      if (taken != all_taken) {
        auto const free = static_cast<std::uint32_t>(exec::first_lane(~taken & all_taken));
        put(shared, segment, other * bucket_slots + free, pair);
        block.set_bits(shared.buckets[other], 1u << free);
      }
      unlock(block, shared, other);
      if (taken == all_taken) { continue; }
      note_overflow(block, shared, choice, other);
      return {slot, true};
    }
    return {start, false};
  }

  /// Sets the key's overflow bit if the bucket is not its first choice.
  template <class Block>
  SLOTSCAPE_HOST_DEVICE static void note_overflow(Block block, Shared& shared, Choices const& choice,
                                                  std::uint32_t bucket)
  {
    if (bucket == choice.first) { return; }
    block.set_bits(shared.segment.overflow[choice.first / 32], 1u << (choice.first % 32));
    if constexpr (copies) { block.set_bits(shared.buckets[bucket], guest_bit); }
  }
};

}  // namespace slotscape::segment_passes
