#pragma once

#include "gpu/execution/atomics.hpp"
#include "gpu/execution/combine.hpp"
#include "gpu/library/codes.hpp"
#include "gpu/library/view.hpp"
#include "gpu/tables/hash.hpp"

#include <cstdint>
#include <type_traits>

/// Tables for the threads of one block, in shared memory: for kernels that first gather data within a block. They also
/// work in host memory, for CPU threads.
///
///   __shared__ slotscape::BlockTable<int, float, 1024, slotscape::Combine::add> sums;
///   sums.clear(threadIdx.x, blockDim.x);
///   __syncthreads();
///   if (sums.insert(key, value) == slotscape::Outcome::full) { ... }  // any number of keys per thread
///   __syncthreads();
///   sums.for_each(threadIdx.x, blockDim.x, [&](int key, float sum) { ... });
///
/// The contract: every thread calls `clear` first, followed by a barrier. Then all threads may concurrently insert keys
/// and check for them. After a barrier, values may be read, and updated by all threads concurrently. Keys cannot be
/// erased individually.
namespace slotscape {

/// The distinct keys that the threads of a block insert: linear probing over `slots_` slots, at least 2. Every key can
/// be stored. A key takes 4 bytes, or 8 if it is larger than 4.
template <class Key_, std::uint32_t slots_>
class BlockSet {
public:
  using Key = Key_;
  static_assert(slots_ >= 2, "A table has at least two slots.");
  static_assert(sizeof(Key) <= 8 && library::is_copied_by_bytes<Key> && library::has_unique_bits<Key> &&
                    !library::refers_elsewhere<Key>,
                "Keys in a block's memory have at most 8 bytes, and are equal exactly if their bits are: numbers, "
                "enumerations, and structs of these without padding.");

  static constexpr std::uint32_t slots = slots_;
  /// Possible places of a key: the slots, and one for the key whose bits mark an empty slot.
  static constexpr std::uint32_t places = slots + 1;
  static constexpr std::uint32_t none = 0xffffffffu;  ///< the place of a key that is not stored

  /// A key's place. The key stays there until `clear`, so arrays of `places` elements can hold data that belongs to it.
  struct Claimed {
    std::uint32_t place;  ///< `none` if the key is not stored because all slots are taken
    bool is_new;          ///< true for exactly one of the threads that insert the key
  };

  /// Clears the share of thread `thread` of `threads`. A barrier must follow.
  SLOTSCAPE_HOST_DEVICE void clear(std::uint32_t thread, std::uint32_t threads)
  {
    for (std::uint32_t place = thread; place < places; place += threads) { keys_[place] = empty; }
  }

  /// Stores the key if it is not in the set.
  SLOTSCAPE_HOST_DEVICE Claimed claim(Key const& key)
  {
    Word const word = Code::encode(key);
    if (word == empty) { return {slots, exec::compare_exchange(keys_[slots], empty, Word{0}) == empty}; }
    std::uint32_t slot = home(word);
    for (std::uint32_t left = slots; left != 0; --left, slot = after(slot)) {
      Word seen = exec::load_relaxed(keys_[slot]);
      if (seen == empty) {
        seen = exec::compare_exchange(keys_[slot], empty, word);
        if (seen == empty) { return {slot, true}; }
      }
      if (seen == word) { return {slot, false}; }
    }
    return {none, false};
  }
  /// `inserted` for exactly one of the threads that insert the key, `updated` for the others, or `full`.
  SLOTSCAPE_HOST_DEVICE Outcome insert(Key const& key)
  {
    auto const [place, is_new] = claim(key);
    if (place == none) { return Outcome::full; }
    return is_new ? Outcome::inserted : Outcome::updated;
  }

  /// The place of a key, or `none`.
  SLOTSCAPE_HOST_DEVICE std::uint32_t place_of(Key const& key) const
  {
    Word const word = Code::encode(key);
    if (word == empty) { return has_key(slots) ? slots : none; }
    std::uint32_t slot = home(word);
    for (std::uint32_t left = slots; left != 0; --left, slot = after(slot)) {
      Word const seen = exec::load_relaxed(keys_[slot]);
      if (seen == word) { return slot; }
      if (seen == empty) { break; }
    }
    return none;
  }
  SLOTSCAPE_HOST_DEVICE bool contains(Key const& key) const { return place_of(key) != none; }

  /// Whether there is a key at a place, and which.
  SLOTSCAPE_HOST_DEVICE bool has_key(std::uint32_t place) const { return exec::load_relaxed(keys_[place]) != empty; }
  SLOTSCAPE_HOST_DEVICE Key key_at(std::uint32_t place) const
  {
    return Code::decode(place == slots ? empty : exec::load_relaxed(keys_[place]));
  }

  /// Calls f(key) for the share of the keys that belongs to thread `thread` of `threads`.
  template <class F>
  SLOTSCAPE_HOST_DEVICE void for_each(std::uint32_t thread, std::uint32_t threads, F const& f) const
  {
    for (std::uint32_t place = thread; place < places; place += threads) {
      if (has_key(place)) { f(key_at(place)); }
    }
  }

private:
  using Word = std::conditional_t<sizeof(Key) <= 4, std::uint32_t, std::uint64_t>;
  using Code = library::Code<Key, Word>;
  static constexpr Word empty = static_cast<Word>(~Word{0});

  SLOTSCAPE_HOST_DEVICE static std::uint32_t home(Word word)
  {
    constexpr BasicHasher<Word> hasher(HashKind::murmur3, slots);
    return hasher.home(word);
  }
  SLOTSCAPE_HOST_DEVICE static std::uint32_t after(std::uint32_t slot) { return slot + 1 == slots ? 0 : slot + 1; }

  Word keys_[places];  ///< `empty` for free places; the key of the last place is implied, not stored
};

/// Like `BlockSet`, with a value of at most 8 bytes per key. combine: what inserting an existing key does; among values
/// inserted between two barriers, `replace` and `keep_first` keep any one. Sums of integers wrap around.
template <class Key_, class Value_, std::uint32_t slots_, Combine combine = Combine::replace>
class BlockTable {
public:
  using Key = Key_;
  using Value = Value_;
  static_assert(sizeof(Value) <= 8 && library::is_copied_by_bytes<Value>,
                "Values in a block's memory are trivially copyable, and have at most 8 bytes: of others, keep an array "
                "beside a BlockSet, by the places of the keys.");
  static_assert(combine == Combine::replace || combine == Combine::keep_first || std::is_arithmetic_v<Value>,
                "Only numbers can be added up or compared: choose Combine::replace or Combine::keep_first.");

  static_assert(combine != Combine::add_freely, "Sums of a block's memory are those of Combine::add.");

  static constexpr std::uint32_t slots = slots_;

  /// Clears the share of thread `thread` of `threads`. A barrier must follow.
  SLOTSCAPE_HOST_DEVICE void clear(std::uint32_t thread, std::uint32_t threads)
  {
    keys_.clear(thread, threads);
    for (std::uint32_t place = thread; place < Keys::places; place += threads) { values_[place] = neutral(); }
  }

  /// `inserted` for exactly one of the threads that insert the key, `updated` for the others, or `full`.
  SLOTSCAPE_HOST_DEVICE Outcome insert(Key const& key, Value const& value)
  {
    auto const claimed = keys_.claim(key);
    if (claimed.place == Keys::none) { return Outcome::full; }
    bring(values_[claimed.place], value, claimed.is_new);
    return claimed.is_new ? Outcome::inserted : Outcome::updated;
  }
  /// Replaces a key's value by f(value) in one atomic step: f is called again if another thread comes first. Returns
  /// `updated` or `missing`.
  template <class F>
  SLOTSCAPE_HOST_DEVICE Outcome update(Key const& key, F const& f)
  {
    std::uint32_t const place = keys_.place_of(key);
    if (place == Keys::none) { return Outcome::missing; }
    change(values_[place], f);
    return Outcome::updated;
  }

  SLOTSCAPE_HOST_DEVICE Found<Value> find(Key const& key) const
  {
    std::uint32_t const place = keys_.place_of(key);
    if (place == Keys::none) { return {Value{}, false}; }
    return {Code::decode(exec::load_relaxed(values_[place])), true};
  }
  SLOTSCAPE_HOST_DEVICE bool contains(Key const& key) const { return keys_.contains(key); }

  /// Calls f(key, value) for the share of the pairs that belongs to thread `thread` of `threads`.
  template <class F>
  SLOTSCAPE_HOST_DEVICE void for_each(std::uint32_t thread, std::uint32_t threads, F const& f) const
  {
    for (std::uint32_t place = thread; place < Keys::places; place += threads) {
      if (keys_.has_key(place)) { f(keys_.key_at(place), Code::decode(exec::load_relaxed(values_[place]))); }
    }
  }

private:
  using Keys = BlockSet<Key, slots>;
  using Word = std::conditional_t<sizeof(Value) <= 4, std::uint32_t, std::uint64_t>;
  using Code = library::Code<Value, Word>;  // codes are ordered like the numbers

  /// The neutral element of the combination.
  SLOTSCAPE_HOST_DEVICE static constexpr Word neutral()
  {
    if constexpr (combine == Combine::min) { return static_cast<Word>(~Word{0}); }
    if constexpr (combine == Combine::add) { return Code::encode(Value{}); }
    return 0;
  }

  SLOTSCAPE_HOST_DEVICE static void bring(Word& word, Value const& value, bool is_new)
  {
    if constexpr (combine == Combine::keep_first) {
      if (is_new) { exec::store_relaxed(word, Code::encode(value)); }
    } else if constexpr (combine != Combine::add) {
      exec::combine_live<std::conditional_t<sizeof(Word) == 4, Narrow, Wide>>(word, combine, Code::encode(value));
    } else if constexpr (std::is_integral_v<Value> && sizeof(Value) == sizeof(Word)) {
      exec::fetch_add(word, static_cast<Word>(value));  // added to a code, which is the number plus a constant
    } else {
      change(word, [&](Value old) { return static_cast<Value>(old + value); });
    }
  }
  template <class F>
  SLOTSCAPE_HOST_DEVICE static void change(Word& word, F const& f)
  {
    for (Word seen = exec::load_relaxed(word);;) {
      Word const next = Code::encode(static_cast<Value>(f(Code::decode(seen))));
      Word const old = next == seen ? seen : exec::compare_exchange(word, seen, next);
      if (old == seen) { return; }
      seen = old;
    }
  }

  Keys keys_;
  Word values_[Keys::places];
};

}  // namespace slotscape
