#pragma once

#include "gpu/tables/types.hpp"

#include <atomic>

namespace slotscape {

/// One slot as memory holds it: the key in the low half, the value in the high half, so that one access moves both.
/// Measured on an H200 against split keys and values (`tests/benchmarks/layout_benchmark.cu`): see README, 'Figures'.
using Word = std::uint64_t;

inline constexpr Word empty_word = ~Word{0};
inline constexpr Word tombstone_word = (Word{empty_value} << 32) | tombstone_key;

SLOTSCAPE_HOST_DEVICE constexpr Word pack(Key key, Value value)
{
  return (Word{value} << 32) | key;
}
SLOTSCAPE_HOST_DEVICE constexpr Key key_of(Word word)
{
  return static_cast<Key>(word);
}
SLOTSCAPE_HOST_DEVICE constexpr Value value_of(Word word)
{
  return static_cast<Value>(word >> 32);
}

/// A machine is how one thread touches the words of a table:
///
///   Word load(Slot) const;
///   Word compare_exchange(Slot, Word expected, Word desired) const;   returns what was there
///   Word exchange(Slot, Word desired) const;                          returns what was there
///
/// A word is all that an access moves, and no order between words is assumed: relaxed atomics suffice. A load may also
/// be stale, as a GPU's first-level cache makes it; what counts is decided by the two exchanges.

/// CPU threads.
struct HostMachine {
  Word* words;

  Word load(Slot slot) const { return std::atomic_ref<Word>(words[slot]).load(std::memory_order_relaxed); }
  Word compare_exchange(Slot slot, Word expected, Word desired) const
  {
    std::atomic_ref<Word>(words[slot]).compare_exchange_strong(expected, desired, std::memory_order_relaxed);
    return expected;
  }
  Word exchange(Slot slot, Word desired) const
  {
    return std::atomic_ref<Word>(words[slot]).exchange(desired, std::memory_order_relaxed);
  }
};

#if defined(__CUDACC__)
/// CUDA threads.
struct DeviceMachine {
  Word* words;

  __device__ Word load(Slot slot) const
  {
    return __ldca(reinterpret_cast<unsigned long long const*>(words + slot));  // neighbours come with the sector
  }
  __device__ Word compare_exchange(Slot slot, Word expected, Word desired) const
  {
    return atomicCAS(reinterpret_cast<unsigned long long*>(words + slot), expected, desired);
  }
  __device__ Word exchange(Slot slot, Word desired) const
  {
    return atomicExch(reinterpret_cast<unsigned long long*>(words + slot), desired);
  }
};
#endif

}  // namespace slotscape
