#pragma once

#include "gpu/base/pair_format.hpp"
#include "gpu/execution/combine.hpp"
#include "gpu/execution/streaming.hpp"

#include <array>
#include <atomic>
#include <type_traits>

namespace slotscape {

/// How one thread accesses a table's memory: its slots, one word each, and its metadata, which are 64-bit numbers
/// outside the slots.
///
/// An access moves exactly one word, and no order between words is assumed: relaxed atomics suffice. A load may be
/// stale, because a GPU's L1 cache is not coherent; the exchanges, which return the old word, are what decides.
/// `load_fresh` is never stale. A machine may also have `combine`, which is otherwise done by compare-and-swap (`put`).
/// On the host, a machine also has `load_window(Slot first, Word* out, int count)`, which reads what the lanes of a
/// tile would read together; `load_window_once` does the same without keeping the slots in caches.
/// `load_metadata_window<count>(index)` reads `count` neighbouring numbers in one access, an even number from an even
/// index on; each is as fresh or stale as if it were loaded alone.
template <class M>
concept Machine = PairFormat<typename M::Format> &&
    requires(M const& machine, Slot slot, typename M::Format::Word word, std::uint64_t index, std::uint64_t number)
{
  {
    machine.load(slot)
    } -> std::same_as<typename M::Word>;
  {
    machine.load_fresh(slot)
    } -> std::same_as<typename M::Word>;
  {
    machine.compare_exchange(slot, word, word)
    } -> std::same_as<typename M::Word>;
  {
    machine.exchange(slot, word)
    } -> std::same_as<typename M::Word>;
  {
    machine.load_metadata(index)
    } -> std::same_as<std::uint64_t>;
  {
    machine.add_metadata(index, number)
    } -> std::same_as<std::uint64_t>;
  {
    machine.compare_exchange_metadata(index, number, number)
    } -> std::same_as<std::uint64_t>;
};

/// CPU threads.
template <PairFormat F>
struct HostMachine {
  using Format = F;
  using Word = typename Format::Word;

  Word* words;
  std::uint64_t* metadata;

  Word load(Slot slot) const
  {
    Word word;
    __atomic_load(words + slot, &word, __ATOMIC_RELAXED);
    return word;
  }
  Word load_fresh(Slot slot) const { return load(slot); }
  void load_window(Slot first, Word* out, int count) const
  {
    for (int i = 0; i < count; ++i) { out[i] = load(first + static_cast<Slot>(i)); }
  }
  void load_window_once(Slot first, Word* out, int count) const { load_window(first, out, count); }
  Word compare_exchange(Slot slot, Word expected, Word desired) const
  {
    __atomic_compare_exchange(words + slot, &expected, &desired, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return expected;
  }
  Word exchange(Slot slot, Word desired) const
  {
    Word old;
    __atomic_exchange(words + slot, &desired, &old, __ATOMIC_RELAXED);
    return old;
  }
  std::uint64_t load_metadata(std::uint64_t index) const
  {
    return std::atomic_ref<std::uint64_t>(metadata[index]).load(std::memory_order_relaxed);
  }
  template <int count>
  std::array<std::uint64_t, count> load_metadata_window(std::uint64_t index) const
  {
    std::array<std::uint64_t, count> window;
    for (int i = 0; i < count; ++i) { window[i] = load_metadata(index + static_cast<std::uint64_t>(i)); }
    return window;
  }
  std::uint64_t add_metadata(std::uint64_t index, std::uint64_t more) const
  {
    return std::atomic_ref<std::uint64_t>(metadata[index]).fetch_add(more, std::memory_order_relaxed);
  }
  std::uint64_t compare_exchange_metadata(std::uint64_t index, std::uint64_t expected, std::uint64_t desired) const
  {
    std::atomic_ref<std::uint64_t>(metadata[index])
        .compare_exchange_strong(expected, desired, std::memory_order_relaxed);
    return expected;
  }
};

#if defined(__CUDACC__)
namespace device {

__device__ inline std::uint64_t load(std::uint64_t const* word)
{
  return __ldca(
      reinterpret_cast<unsigned long long const*>(word));  // cached in L1: neighbours arrive in the same sector
}
__device__ inline std::uint64_t load_fresh(std::uint64_t const* word)
{
  return __ldcg(reinterpret_cast<unsigned long long const*>(word));  // from L2, which all multiprocessors share
}
__device__ inline std::uint64_t compare_exchange(std::uint64_t* word, std::uint64_t expected, std::uint64_t desired)
{
  return atomicCAS(reinterpret_cast<unsigned long long*>(word), expected, desired);
}
__device__ inline std::uint64_t exchange(std::uint64_t* word, std::uint64_t desired)
{
  return atomicExch(reinterpret_cast<unsigned long long*>(word), desired);
}

__device__ inline std::uint32_t load(std::uint32_t const* word)
{
  return __ldca(word);
}
__device__ inline std::uint32_t load_fresh(std::uint32_t const* word)
{
  return __ldcg(word);
}
__device__ inline std::uint32_t compare_exchange(std::uint32_t* word, std::uint32_t expected, std::uint32_t desired)
{
  return atomicCAS(word, expected, desired);
}
__device__ inline std::uint32_t exchange(std::uint32_t* word, std::uint32_t desired)
{
  return atomicExch(word, desired);
}

#if __CUDA_ARCH__ >= 900 && !defined(SLOTSCAPE_NO_WIDE_ATOMICS)
inline constexpr bool has_wide_atomics = true;
__device__ inline Uint128 load(Uint128 const* word)
{
  ulonglong2 const halves = __ldca(reinterpret_cast<ulonglong2 const*>(word));
  return pack(static_cast<std::uint64_t>(halves.x), static_cast<std::uint64_t>(halves.y));
}
__device__ inline Uint128 load_fresh(Uint128 const* word)
{
  ulonglong2 const halves = __ldcg(reinterpret_cast<ulonglong2 const*>(word));
  return pack(static_cast<std::uint64_t>(halves.x), static_cast<std::uint64_t>(halves.y));
}
__device__ inline Uint128 compare_exchange(Uint128* word, Uint128 expected, Uint128 desired)
{
  return atomicCAS(word, expected, desired);
}
__device__ inline Uint128 exchange(Uint128* word, Uint128 desired)
{
  return atomicExch(word, desired);
}
#else
inline constexpr bool has_wide_atomics = false;
/// There is no 16-byte compare-and-swap before compute capability 9.0, so a writer locks the word through its key half.
/// No thread sees halves of different pairs, since the key stays locked while the value changes.
struct WideWord {
  unsigned long long* halves;

  __device__ Uint128 load() const
  {
    while (true) {
      ulonglong2 const seen = __ldcv(reinterpret_cast<ulonglong2 const*>(halves));  // 16 aligned bytes arrive together
      if (seen.x != Wide::locked_key) {
        return pack(static_cast<std::uint64_t>(seen.x), static_cast<std::uint64_t>(seen.y));
      }
    }
  }
  __device__ Uint128 compare_exchange(Uint128 expected, Uint128 desired) const
  {
    while (true) {
      Uint128 const seen = load();
      if (seen != expected) { return seen; }
      if (atomicCAS(halves, key_of(expected), Wide::locked_key) != key_of(expected)) { continue; }
      __threadfence();
      unsigned long long const value = *static_cast<unsigned long long volatile*>(halves + 1);
      bool const unchanged = value == value_of(expected);
      if (unchanged) { *static_cast<unsigned long long volatile*>(halves + 1) = value_of(desired); }
      __threadfence();
      atomicExch(halves, unchanged ? key_of(desired) : key_of(expected));
      if (unchanged) { return expected; }
    }
  }
};
__device__ inline Uint128 load(Uint128 const* word)
{
  return WideWord{reinterpret_cast<unsigned long long*>(const_cast<Uint128*>(word))}.load();
}
__device__ inline Uint128 load_fresh(Uint128 const* word)
{
  return load(word);
}
__device__ inline Uint128 compare_exchange(Uint128* word, Uint128 expected, Uint128 desired)
{
  return WideWord{reinterpret_cast<unsigned long long*>(word)}.compare_exchange(expected, desired);
}
__device__ inline Uint128 exchange(Uint128* word, Uint128 desired)
{
  Uint128 seen = load(word);
  for (Uint128 old; (old = compare_exchange(word, seen, desired)) != seen; seen = old) {}
  return seen;
}
#endif

/// Words of sets as plain numbers.
template <class KeyWord>
using NumberOf = std::underlying_type_t<KeyWord>;
template <class KeyWord>
__device__ KeyWord load(KeyWord const* word)
{
  return KeyWord{load(reinterpret_cast<NumberOf<KeyWord> const*>(word))};
}
template <class KeyWord>
__device__ KeyWord load_fresh(KeyWord const* word)
{
  return KeyWord{load_fresh(reinterpret_cast<NumberOf<KeyWord> const*>(word))};
}
template <class KeyWord>
__device__ KeyWord compare_exchange(KeyWord* word, KeyWord expected, KeyWord desired)
{
  using Number = NumberOf<KeyWord>;
  return KeyWord{
      compare_exchange(reinterpret_cast<Number*>(word), static_cast<Number>(expected), static_cast<Number>(desired))};
}
template <class KeyWord>
__device__ KeyWord exchange(KeyWord* word, KeyWord desired)
{
  using Number = NumberOf<KeyWord>;
  return KeyWord{exchange(reinterpret_cast<Number*>(word), static_cast<Number>(desired))};
}

}  // namespace device

/// CUDA threads.
template <PairFormat F>
struct DeviceMachine {
  using Format = F;
  using Word = typename Format::Word;

  Word* words;
  std::uint64_t* metadata;

  __device__ Word load(Slot slot) const { return device::load(words + slot); }
  __device__ Word load_fresh(Slot slot) const { return device::load_fresh(words + slot); }
  /// Reads `count` neighbouring slots with the widest loads that one lane has. `first` and `count` are even.
  __device__ void load_window(Slot first, Word* out, int count) const { load_words<false>(first, out, count); }
  /// Like `load_window`, for slots that nothing else accesses soon and that do not change meanwhile: they leave the L2
  /// cache first.
  __device__ void load_window_once(Slot first, Word* out, int count) const { load_words<true>(first, out, count); }
  __device__ Word compare_exchange(Slot slot, Word expected, Word desired) const
  {
    return device::compare_exchange(words + slot, expected, desired);
  }
  __device__ Word exchange(Slot slot, Word desired) const { return device::exchange(words + slot, desired); }
  /// Combines the value of a slot's pair, which stays live, with another; returns the old pair.
  __device__ Word combine(Slot slot, Word seen, Combine how,
                          typename Format::Value more) const requires Format::has_values
  {
    using Value = typename Format::Value;
    if constexpr (sizeof(Word) == 8 || device::has_wide_atomics) {
      return pack(key_of(seen), exec::combine_live<Format>(reinterpret_cast<Value*>(words + slot)[1], how, more));
    } else {  // a value changes only while its key is locked
      while (true) {
        Word const word = pack(key_of(seen), combined<Format>(how, value_of(seen), more));
        Word const old = compare_exchange(slot, seen, word);
        if (old == seen) { return old; }
        seen = old;
      }
    }
  }
  __device__ std::uint64_t load_metadata(std::uint64_t index) const { return device::load(metadata + index); }
  template <int count>
  __device__ std::array<std::uint64_t, count> load_metadata_window(std::uint64_t index) const
  {
    std::array<std::uint64_t, count> window;
#pragma unroll
    for (int i = 0; i < count; i += 2) {
      ulonglong2 const pair = __ldca(reinterpret_cast<ulonglong2 const*>(metadata + index + i));
      window[i] = pair.x;
      window[i + 1] = pair.y;
    }
    return window;
  }
  __device__ std::uint64_t add_metadata(std::uint64_t index, std::uint64_t more) const
  {
    return atomicAdd(reinterpret_cast<unsigned long long*>(metadata + index), static_cast<unsigned long long>(more));
  }
  __device__ std::uint64_t compare_exchange_metadata(std::uint64_t index, std::uint64_t expected,
                                                     std::uint64_t desired) const
  {
    return device::compare_exchange(metadata + index, expected, desired);
  }

private:
  template <bool once>
  __device__ void load_words(Slot first, Word* out, int count) const
  {
    if constexpr (std::is_same_v<Word, std::uint64_t>) {
      for (int i = 0; i < count; i += 2) {
        auto const* const from = reinterpret_cast<ulonglong2 const*>(words + first + i);
        ulonglong2 const pair = once ? __ldcs(from) : __ldcg(from);
        out[i] = pair.x;
        out[i + 1] = pair.y;
      }
    } else {
      for (int i = 0; i < count; ++i) {
        Word const* const from = words + first + i;
        out[i] = once ? exec::load_once(*from) : device::load_fresh(from);
      }
    }
  }
};
#endif

/// Wraps a machine so that its loads are never stale.
template <Machine Inner>
struct FreshMachine {
  using Format = typename Inner::Format;
  using Word = typename Format::Word;

  Inner machine;

  SLOTSCAPE_HOST_DEVICE Word load(Slot slot) const { return machine.load_fresh(slot); }
  void load_window(Slot first, Word* out, int lanes) const { machine.load_window(first, out, lanes); }
};

/// Wraps a machine and counts its accesses. A window counts once, as does an access to metadata. After `most` accesses,
/// it reads only empty slots, and zeros for metadata, which end any lookup.
template <Machine Inner>
struct CountingMachine {
  using Format = typename Inner::Format;
  using Word = typename Format::Word;

  Inner machine;
  std::uint32_t* count;
  std::uint32_t most = 0xffffffffu;

  SLOTSCAPE_HOST_DEVICE Word load(Slot slot) const
  {
    if (*count >= most) { return Format::empty_word; }
    ++*count;
    return machine.load(slot);
  }
  SLOTSCAPE_HOST_DEVICE Word load_fresh(Slot slot) const
  {
    if (*count >= most) { return Format::empty_word; }
    ++*count;
    return machine.load_fresh(slot);
  }
  void load_window(Slot first, Word* out, int lanes) const
  {
    if (*count >= most) {
      for (int i = 0; i < lanes; ++i) { out[i] = Format::empty_word; }
      return;
    }
    ++*count;
    machine.load_window(first, out, lanes);
  }
  SLOTSCAPE_HOST_DEVICE Word compare_exchange(Slot slot, Word expected, Word desired) const
  {
    ++*count;
    return machine.compare_exchange(slot, expected, desired);
  }
  SLOTSCAPE_HOST_DEVICE Word exchange(Slot slot, Word desired) const
  {
    ++*count;
    return machine.exchange(slot, desired);
  }
  SLOTSCAPE_HOST_DEVICE std::uint64_t load_metadata(std::uint64_t index) const
  {
    ++*count;
    return machine.load_metadata(index);
  }
  template <int count_of_numbers>
  SLOTSCAPE_HOST_DEVICE std::array<std::uint64_t, count_of_numbers> load_metadata_window(std::uint64_t index) const
  {
    if (*count >= most) { return {}; }
    ++*count;
    return machine.template load_metadata_window<count_of_numbers>(index);
  }
  SLOTSCAPE_HOST_DEVICE std::uint64_t add_metadata(std::uint64_t index, std::uint64_t more) const
  {
    ++*count;
    return machine.add_metadata(index, more);
  }
  SLOTSCAPE_HOST_DEVICE std::uint64_t compare_exchange_metadata(std::uint64_t index, std::uint64_t expected,
                                                                std::uint64_t desired) const
  {
    ++*count;
    return machine.compare_exchange_metadata(index, expected, desired);
  }
};

/// A table as one thread sees it: the machine that accesses its memory, its layout, and how repeated keys combine.
template <class Layout, Machine M>
struct View {
  using Format = typename M::Format;
  using Key = typename Format::Key;
  using Value = typename Format::Value;
  using Word = typename Format::Word;
  using Result = slotscape::Result<Format>;

  M machine;
  Layout layout;
  Combine combine = Combine::replace;

  /// Tells a listening machine to which line of the family's pseudocode the next accesses belong, with alternating
  /// names and numbers of variables. Does nothing on other machines.
  template <class... Variables>
  SLOTSCAPE_HOST_DEVICE void at(char const* line, Variables const&... variables) const
  {
    if constexpr (requires { machine.at(line, variables...); }) { machine.at(line, variables...); }
  }
};

}  // namespace slotscape
