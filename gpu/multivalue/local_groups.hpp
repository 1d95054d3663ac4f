#pragma once

#include "gpu/execution/atomics.hpp"
#include "gpu/execution/block.hpp"
#include "gpu/tables/hash.hpp"

#include <array>

namespace slotscape::multivalue {

/// The hash of keys: its upper half selects segments and slots of a table, the lower half places in shared memory.
template <class Key>
struct KeyHash {
  static constexpr HashKind kind = HashKind::murmur3;

  SLOTSCAPE_HOST_DEVICE static Key hash(Key key)
  {
    constexpr HashRounds<Key> rounds = HashRounds<Key>::of(kind);
    return rounds(key);
  }
  SLOTSCAPE_HOST_DEVICE static std::uint32_t upper(Key key)
  {
    return static_cast<std::uint32_t>(hash(key) >> (8 * sizeof(Key) - 32));
  }
  /// A 32-bit hash has no lower half: the multiplication moves its low bits up.
  SLOTSCAPE_HOST_DEVICE static std::uint32_t lower(Key key)
  {
    return static_cast<std::uint32_t>(hash(key)) * 0x9e3779b1u;
  }
};

/// Adds 1 to numbers[index], in shared memory, for each calling thread; returns the old value. If the threads of a warp
/// use few distinct indices, `together` makes one addition for each of these.
template <class Block>
SLOTSCAPE_HOST_DEVICE std::uint32_t add_one([[maybe_unused]] Block block, std::uint32_t* numbers, std::uint32_t index,
                                            [[maybe_unused]] bool together)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
  if (!together) { return atomicAdd(numbers + index, 1u); }
  unsigned const same = __match_any_sync(__activemask(), index);
  unsigned const lane = threadIdx.x & 31u;
  int const leader = __ffs(static_cast<int>(same)) - 1;
  std::uint32_t first = 0;
  if (static_cast<int>(lane) == leader) { first = atomicAdd(numbers + index, static_cast<unsigned>(__popc(same))); }
  return __shfl_sync(same, first, leader) + static_cast<std::uint32_t>(__popc(same & ((1u << lane) - 1)));
#else
  return block.add(numbers[index], 1);
#endif
}

/// Adds 1 to counts[index], in device memory, for each calling thread: the threads of a warp with the same index make
/// one addition, to avoid contention.
SLOTSCAPE_HOST_DEVICE inline void count_one(std::uint32_t* counts, std::uint32_t index)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
  unsigned const same = __match_any_sync(__activemask(), index);
  int const leader = __ffs(static_cast<int>(same)) - 1;
  if (static_cast<int>(threadIdx.x & 31u) == leader) { atomicAdd(counts + index, static_cast<unsigned>(__popc(same))); }
#else
  exec::fetch_add(counts[index], 1u);
#endif
}

/// The distinct keys of some items with a number each, in shared memory: first how many items have the key, later the
/// place of the key's next item. Linear probing; holds at least `at_most` keys.
template <PairFormat Format, int threads_, std::uint32_t slots_>
struct LocalGroups {
  using Key = typename Format::Key;
  static constexpr int threads = threads_;
  static constexpr std::uint32_t slots = slots_;
  static constexpr std::uint32_t at_most = slots / 8 * 7;
  static constexpr std::uint32_t none = 0xffffffffu;
  static_assert(slots % threads == 0 && slots - at_most >= threads, "each thread may add one more");

  std::array<Key, slots> keys;
  std::array<std::uint32_t, slots> numbers;
  std::array<std::uint32_t, threads> items_before;   ///< per thread, in `number_groups`
  std::array<std::uint32_t, threads> groups_before;  ///< per thread, in `number_groups`
  std::uint32_t distinct;
  std::uint32_t first_group;  ///< places of the groups and of their items, for the block's use
  std::uint32_t first_item;

  /// A step: removes all keys.
  template <class Block>
  SLOTSCAPE_HOST_DEVICE void clear(Block block)
  {
    block.for_each_thread([&](int t) {
      if (t == 0) { distinct = 0; }
      for (std::uint32_t slot = t; slot < slots; slot += threads) {
        keys[slot] = Format::empty_key;
        numbers[slot] = 0;
      }
    });
  }

  /// The key's slot, claimed if necessary; `none` if there are too many keys.
  template <class Block>
  SLOTSCAPE_HOST_DEVICE std::uint32_t claim(Block block, Key key)
  {
    for (std::uint32_t slot = home(key);; slot = after(slot)) {
      Key seen = exec::load_relaxed(keys[slot]);
      if (seen == Format::empty_key) {
        if (is_full()) { return none; }
        seen = exec::compare_exchange(keys[slot], Format::empty_key, key);
        if (seen == Format::empty_key) {
          block.add(distinct, 1);
          return slot;
        }
      }
      if (seen == key) { return slot; }
    }
  }
  /// The slot of a key that is stored.
  SLOTSCAPE_HOST_DEVICE std::uint32_t find(Key key) const
  {
    std::uint32_t slot = home(key);
    while (keys[slot] != key) { slot = after(slot); }
    return slot;
  }
  SLOTSCAPE_HOST_DEVICE bool is_full() const { return exec::load_relaxed(distinct) >= at_most; }

  /// Numbers the groups consecutively: calls visit(key, group, first, count) for each, in two steps, with the number of
  /// the group and the place of its first item. From then on, each key's number is that place.
  template <class Block, class Visit>
  SLOTSCAPE_HOST_DEVICE void number_groups(Block block, Visit const& visit)
  {
    block.for_each_thread([&](int t) {
      std::uint32_t items = 0;
      std::uint32_t groups = 0;
      for (std::uint32_t slot = t; slot < slots; slot += threads) {
        items += numbers[slot];
        groups += numbers[slot] != 0 ? 1 : 0;
      }
      items_before[t] = items;
      groups_before[t] = groups;
    });
    block.exclusive_sums(items_before.data(), threads);
    block.exclusive_sums(groups_before.data(), threads);
    block.for_each_thread([&](int t) {
      std::uint32_t first = items_before[t];
      std::uint32_t group = groups_before[t];
      for (std::uint32_t slot = t; slot < slots; slot += threads) {
        std::uint32_t const count = numbers[slot];
        if (count == 0) { continue; }
        visit(keys[slot], group++, first, count);
        numbers[slot] = first;
        first += count;
      }
    });
  }

private:
  SLOTSCAPE_HOST_DEVICE static std::uint32_t home(Key key)
  {
    std::uint64_t const hash = KeyHash<Key>::lower(key);
    return static_cast<std::uint32_t>((hash * slots) >> 32);
  }
  SLOTSCAPE_HOST_DEVICE static std::uint32_t after(std::uint32_t slot) { return slot + 1 == slots ? 0 : slot + 1; }
};

/// Pairs in two arrays, as passed by the caller.
template <PairFormat Format>
struct GivenPairs {
  using Key = typename Format::Key;
  using Value = typename Format::Value;

  Key const* keys;
  Value const* values;

  SLOTSCAPE_HOST_DEVICE Key key(std::uint64_t i) const { return keys[i]; }
  SLOTSCAPE_HOST_DEVICE Value value(std::uint64_t i) const { return values[i]; }
};

/// Pairs in one array, as the partition leaves them.
template <PairFormat Format>
struct PackedPairs {
  using Key = typename Format::Key;
  using Value = typename Format::Value;

  typename Format::Word const* words;

  SLOTSCAPE_HOST_DEVICE Key key(std::uint64_t i) const { return key_of(words[i]); }
  SLOTSCAPE_HOST_DEVICE Value value(std::uint64_t i) const { return value_of(words[i]); }
};

/// Calls f(item, key, value) for one thread's items among [first, end). Several loads are in flight together.
template <PairFormat Format, bool with_values, class Pairs, class F>
SLOTSCAPE_HOST_DEVICE void for_items(Pairs const& pairs, std::uint64_t first, std::uint64_t end, int thread,
                                     int threads, F const& f)
{
  constexpr int at_once = 4;
  for (std::uint64_t base = first + static_cast<std::uint64_t>(thread); base < end;
       base += static_cast<std::uint64_t>(at_once * threads)) {
    typename Format::Key keys[at_once];
    typename Format::Value values[at_once];
    SLOTSCAPE_UNROLL
    for (int j = 0; j < at_once; ++j) {
      std::uint64_t const i = base + static_cast<std::uint64_t>(j * threads);
      keys[j] = i < end ? pairs.key(i) : Format::empty_key;
      values[j] = 0;
      if (with_values && i < end) { values[j] = pairs.value(i); }
    }
    SLOTSCAPE_UNROLL
    for (int j = 0; j < at_once; ++j) {
      if (!Format::is_reserved(keys[j])) { f(keys[j], values[j]); }
    }
  }
}

/// A step: moves the value of each item to the next place of its key.
template <PairFormat Format, class Block, class Local, class Pairs>
SLOTSCAPE_HOST_DEVICE void place_items(Block block, Local& local, Pairs const& pairs, std::uint64_t first,
                                       std::uint64_t end, typename Format::Value* to)
{
  bool const together = end - first > 4 * std::uint64_t{local.distinct};
  block.for_each_thread([&](int t) {
    for_items<Format, true>(pairs, first, end, t, Block::size, [&](auto key, auto value) {
      to[add_one(block, local.numbers.data(), local.find(key), together)] = value;
    });
  });
}

}  // namespace slotscape::multivalue
