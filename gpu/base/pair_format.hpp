#pragma once

#include "gpu/base/types.hpp"

#include <concepts>

namespace slotscape {

__extension__ using Uint128 = unsigned __int128;

/// The storage of a pair: the key in the low half of a word, the value in the high half, so that one access moves both.
/// docs/experiments/memory.md compares this with split keys and values. The keys from `locked_key` up and the empty
/// value are reserved.
template <class Half, class Whole>
struct PackedPair {
  using Key = Half;
  using Value = Half;
  using Word = Whole;
  static constexpr bool has_values = true;
  static constexpr int bits = 8 * sizeof(Half);
  static constexpr Key empty_key = static_cast<Half>(~Half{0});
  static constexpr Key tombstone_key = empty_key - 1;
  /// Marks a slot of a wide table as locked, on devices without 16-byte atomics.
  static constexpr Key locked_key = sizeof(Half) == 8 ? empty_key - 2 : tombstone_key;
  static constexpr Value empty_value = empty_key;
  static constexpr Word empty_word = static_cast<Whole>(~Whole{0});
  static constexpr Word tombstone_word = (Whole{empty_value} << bits) | tombstone_key;

  /// A user's key or value in the table's width. A number that does not fit becomes a reserved one, which is rejected.
  SLOTSCAPE_HOST_DEVICE static constexpr Key narrow(slotscape::Key key)
  {
    return key < empty_key ? static_cast<Key>(key) : empty_key;
  }
  SLOTSCAPE_HOST_DEVICE static constexpr slotscape::Value widen_value(Value value)
  {
    return value == empty_value ? slotscape::empty_value : value;
  }
  SLOTSCAPE_HOST_DEVICE static constexpr bool is_reserved(Key key) { return key >= locked_key; }
};
using Narrow = PackedPair<std::uint32_t, std::uint64_t>;
using Wide = PackedPair<std::uint64_t, Uint128>;

/// The words of sets are separate types, because a 64-bit integer is a pair of 32-bit halves.
enum class NarrowKeyWord : std::uint32_t {};
enum class WideKeyWord : std::uint64_t {};

/// The storage of a key in a set: alone, in a word of its size. Its value is whether it is in the set, so an erased key
/// cannot keep its slot. The reserved keys are those of `Pairs`: a set accepts every key that a table of pairs accepts.
template <class Pairs, class KeyWord>
struct KeyAlone {
  using Key = typename Pairs::Key;
  using Value = bool;
  using Word = KeyWord;
  static constexpr bool has_values = false;
  static constexpr int bits = Pairs::bits;
  static constexpr Key empty_key = Pairs::empty_key;
  static constexpr Key tombstone_key = Pairs::tombstone_key;
  static constexpr Key locked_key = Pairs::locked_key;
  static constexpr Value empty_value = false;
  static constexpr Word empty_word{empty_key};
  static constexpr Word tombstone_word{tombstone_key};

  SLOTSCAPE_HOST_DEVICE static constexpr Key narrow(slotscape::Key key) { return Pairs::narrow(key); }
  SLOTSCAPE_HOST_DEVICE static constexpr slotscape::Value widen_value(Value is_there)
  {
    return is_there ? slotscape::Value{1} : slotscape::empty_value;
  }
  SLOTSCAPE_HOST_DEVICE static constexpr bool is_reserved(Key key) { return Pairs::is_reserved(key); }
};
using NarrowSet = KeyAlone<Narrow, NarrowKeyWord>;
using WideSet = KeyAlone<Wide, WideKeyWord>;

SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t pack(std::uint32_t key, std::uint32_t value)
{
  return (std::uint64_t{value} << 32) | key;
}
SLOTSCAPE_HOST_DEVICE constexpr Uint128 pack(std::uint64_t key, std::uint64_t value)
{
  return (Uint128{value} << 64) | key;
}
SLOTSCAPE_HOST_DEVICE constexpr std::uint32_t key_of(std::uint64_t word)
{
  return static_cast<std::uint32_t>(word);
}
SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t key_of(Uint128 word)
{
  return static_cast<std::uint64_t>(word);
}
SLOTSCAPE_HOST_DEVICE constexpr std::uint32_t value_of(std::uint64_t word)
{
  return static_cast<std::uint32_t>(word >> 32);
}
SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t value_of(Uint128 word)
{
  return static_cast<std::uint64_t>(word >> 64);
}

SLOTSCAPE_HOST_DEVICE constexpr NarrowKeyWord pack(std::uint32_t key, bool is_there)
{
  return is_there ? NarrowKeyWord{key} : NarrowSet::tombstone_word;
}
SLOTSCAPE_HOST_DEVICE constexpr WideKeyWord pack(std::uint64_t key, bool is_there)
{
  return is_there ? WideKeyWord{key} : WideSet::tombstone_word;
}
SLOTSCAPE_HOST_DEVICE constexpr std::uint32_t key_of(NarrowKeyWord word)
{
  return static_cast<std::uint32_t>(word);
}
SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t key_of(WideKeyWord word)
{
  return static_cast<std::uint64_t>(word);
}
SLOTSCAPE_HOST_DEVICE constexpr bool value_of(NarrowKeyWord word)
{
  return !NarrowSet::is_reserved(key_of(word));
}
SLOTSCAPE_HOST_DEVICE constexpr bool value_of(WideKeyWord word)
{
  return !WideSet::is_reserved(key_of(word));
}

/// The storage of a pair, or of a key alone, in a word; the reserved keys and values; and the content of an empty slot.
template <class F>
concept PairFormat = requires(typename F::Key key, typename F::Value value, typename F::Word word, slotscape::Key given)
{
  {
    F::has_values
    } -> std::convertible_to<bool>;
  {
    F::bits
    } -> std::convertible_to<int>;
  {
    F::empty_key
    } -> std::convertible_to<typename F::Key>;
  {
    F::empty_value
    } -> std::convertible_to<typename F::Value>;
  {
    F::empty_word
    } -> std::convertible_to<typename F::Word>;
  {
    F::tombstone_word
    } -> std::convertible_to<typename F::Word>;
  {
    F::is_reserved(key)
    } -> std::same_as<bool>;
  {
    F::narrow(given)
    } -> std::same_as<typename F::Key>;
  {
    F::widen_value(value)
    } -> std::same_as<slotscape::Value>;
  {
    pack(key, value)
    } -> std::same_as<typename F::Word>;
  {
    key_of(word)
    } -> std::same_as<typename F::Key>;
  {
    value_of(word)
    } -> std::same_as<typename F::Value>;
};
static_assert(PairFormat<Narrow> && PairFormat<Wide> && PairFormat<NarrowSet> && PairFormat<WideSet>);

/// A format whose values encode other numbers: `sum` adds two of them, and `zero` is the neutral element.
template <class F>
concept AddsNumbers = PairFormat<F> && requires(typename F::Value value)
{
  {
    F::sum(value, value)
    } -> std::same_as<typename F::Value>;
  {
    F::zero()
    } -> std::same_as<typename F::Value>;
};

/// Whether a table of `key_bits` rejects the key.
constexpr bool is_reserved(Key key, int key_bits)
{
  return key_bits == 64 ? key >= Wide::locked_key : key >= Narrow::locked_key;
}
/// The largest key and the largest value that a table of `key_bits` accepts.
constexpr Key largest_key(int key_bits)
{
  return key_bits == 64 ? Wide::locked_key - 1 : Narrow::locked_key - 1;
}
constexpr Value largest_value(int key_bits)
{
  return key_bits == 64 ? Wide::empty_value - 1 : Narrow::empty_value - 1;
}

/// The new value of a key with the value `old`, after inserting it once more.
template <PairFormat Format>
SLOTSCAPE_HOST_DEVICE constexpr typename Format::Value combined(Combine combine, typename Format::Value old,
                                                                typename Format::Value more)
{
  using Value = typename Format::Value;
  constexpr Value largest = Format::empty_value - 1;
  switch (combine) {
    case Combine::replace: return more;
    case Combine::keep_first: return old;
    case Combine::add_freely:
    case Combine::add:
      if constexpr (AddsNumbers<Format>) {
        return Format::sum(old, more);
      } else {
        return more > largest - old ? largest : old + more;
      }
    case Combine::min: return more < old ? more : old;
    case Combine::max: break;
  }
  return more > old ? more : old;
}

/// The outcome of one operation, and its slot.
template <PairFormat Format>
struct Result {
  Outcome outcome;
  Slot slot;                     ///< `no_slot` if no slot was found
  typename Format::Value value;  ///< value of the key if found; its last value if erased
  std::uint32_t moves = 0;       ///< keys that an insertion moved
};

}  // namespace slotscape
