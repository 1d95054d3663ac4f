#pragma once

#include "gpu/base/pair_format.hpp"

#include <bit>
#include <concepts>
#include <cstdint>
#include <iterator>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

/// How keys and values of the user's types become the words of a table.
namespace slotscape::library {

/// Types that may be copied byte by byte. Standard library pairs are, although they are not formally trivially
/// copyable.
template <class T>
inline constexpr bool is_copied_by_bytes = std::is_trivially_copyable_v<T>;
template <class A, class B>
inline constexpr bool is_copied_by_bytes<std::pair<A, B>> = is_copied_by_bytes<A>&& is_copied_by_bytes<B>;

/// Types that refer to characters or objects elsewhere: their bits are an address.
template <class T>
inline constexpr bool refers_elsewhere = std::is_same_v<T, char const*> || std::is_same_v<T, char*>;
template <class Character>
inline constexpr bool refers_elsewhere<std::basic_string_view<Character>> = true;
template <class T, std::size_t extent>
inline constexpr bool refers_elsewhere<std::span<T, extent>> = true;

/// Types whose objects are equal exactly if their bits are: no padding, no floating-point numbers.
template <class T>
inline constexpr bool has_unique_bits = std::has_unique_object_representations_v<T>;
template <class A, class B>
inline constexpr bool has_unique_bits<std::pair<A, B>> = has_unique_bits<A>&& has_unique_bits<B> &&
                                                         sizeof(std::pair<A, B>) == sizeof(A) + sizeof(B);

/// The underlying type of an enumeration, or T itself.
template <class T>
struct NumberIn {
  using type = T;
};
template <class T>
requires std::is_enum_v<T>
struct NumberIn<T> {
  using type = std::underlying_type_t<T>;
};
template <class T>
inline constexpr bool is_number = std::is_arithmetic_v<typename NumberIn<T>::type>;
template <class T>
inline constexpr bool is_signed_number = std::is_signed_v<typename NumberIn<T>::type>;

template <class From, class To>
constexpr bool keeps_numbers()
{
  if constexpr (is_number<From> && is_number<To>) {
    using A = std::numeric_limits<typename NumberIn<From>::type>;
    using B = std::numeric_limits<typename NumberIn<To>::type>;
    return A::digits <= B::digits && (A::is_integer || !B::is_integer) && (!A::is_signed || B::is_signed);
  } else {
    return !is_number<To> || std::is_class_v<From>;  // conversions of classes are up to the class
  }
}
/// Whether every From keeps its numeric value as a To.
template <class From, class To>
inline constexpr bool converts_without_loss = std::is_same_v<From, To> || keeps_numbers<From, To>();
template <class A, class B, class C, class D>
inline constexpr bool converts_without_loss<std::pair<A, B>, std::pair<C, D>> =
    converts_without_loss<A, C>&& converts_without_loss<B, D>;

/// The element type of an array.
template <class Array>
struct ElementOf {
  using type = std::remove_cvref_t<decltype(std::declval<Array const&>()[std::uint64_t{0}])>;
};
template <class Array>
requires std::is_object_v<typename std::iterator_traits<Array>::value_type>
struct ElementOf<Array> {
  using type = std::remove_cv_t<typename std::iterator_traits<Array>::value_type>;
};

/// Makes the compiler refuse arrays of keys and values that the device cannot read, and conversions that would change
/// numbers. Tables read arrays of keys and of values, and write arrays of either.
template <class Exec, class Key, class Value>
struct CheckedArrays {
  template <class Array>
  static void expect_array()
  {
    static_assert(
        std::is_trivially_copyable_v<Array>,
        "Arrays are passed as pointers, or as iterators that are trivially copyable: of a container, pass data().");
    Exec::template expect_array<Array>();
  }
  template <class Keys>
  static void expect_keys()
  {
    expect_array<Keys>();
    static_assert(converts_without_loss<typename ElementOf<Keys>::type, Key>,
                  "Keys of this type would lose bits or signs in the table, so that different ones become equal: "
                  "convert them to the table's type of keys, or make a table of theirs.");
  }
  template <class Values>
  static void expect_values()
  {
    expect_array<Values>();
    static_assert(converts_without_loss<typename ElementOf<Values>::type, Value>,
                  "Values of this type would lose digits or signs in the table: convert them to the table's type of "
                  "values, or make a table of theirs.");
  }
  template <class Item, class Results>
  static void expect_results()
  {
    expect_array<Results>();
    static_assert(
        converts_without_loss<Item, typename ElementOf<Results>::type>,
        "Keys or values of the table would lose digits or signs in this array: pass one of the table's type.");
  }
};

/// An unsigned number of `bytes` bytes.
template <std::size_t bytes>
using BitsOf = std::conditional_t<
    bytes == 1, std::uint8_t,
    std::conditional_t<bytes == 2, std::uint16_t, std::conditional_t<bytes <= 4, std::uint32_t, std::uint64_t>>>;

/// Encodes objects of type T as words of at least their size, and decodes them. The words of numbers and enumerations
/// have the order of the numbers. The word of all bits 1 is used only if T is as wide as a word, and never for
/// floating-point numbers, which have many NaNs.
template <class T, class Word>
struct Code {
  static_assert(sizeof(T) <= sizeof(Word));
  using Bits = BitsOf<sizeof(T)>;
  static constexpr Bits sign = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));
  static constexpr Bits all = static_cast<Bits>(~Bits{0});

  SLOTSCAPE_HOST_DEVICE static constexpr Word encode(T const& item)
  {
    if constexpr (std::is_empty_v<T>) {
      return 0;
    } else if constexpr (std::is_floating_point_v<T>) {
      auto const bits = std::bit_cast<Bits>(item);
      auto const ordered = static_cast<Bits>(bits ^ ((bits & sign) != 0 ? all : sign));
      return ordered == all ? Word{all - 1u} : Word{ordered};
    } else if constexpr (is_number<T>) {
      return static_cast<Word>(static_cast<Bits>(static_cast<Bits>(item) ^ (is_signed_number<T> ? sign : Bits{0})));
    } else {
      Word word = 0;
      __builtin_memcpy(&word, static_cast<void const*>(&item), sizeof(T));
      return word;
    }
  }

  /// A sum that does not fit in an unsigned T becomes the largest T.
  SLOTSCAPE_HOST_DEVICE static constexpr T decode(Word word)
  {
    if constexpr (std::is_floating_point_v<T>) {
      auto const ordered = static_cast<Bits>(word);
      return std::bit_cast<T>(static_cast<Bits>(ordered ^ ((ordered & sign) != 0 ? sign : all)));
    } else if constexpr (is_number<T>) {
      auto const bits = static_cast<Bits>(word > all ? Word{all} : word);
      return static_cast<T>(
          static_cast<typename NumberIn<T>::type>(static_cast<Bits>(bits ^ (is_signed_number<T> ? sign : Bits{0}))));
    } else {
      struct Bytes {
        unsigned char bytes[sizeof(T)];
      } bytes;
      __builtin_memcpy(&bytes, &word, sizeof(T));
      return std::bit_cast<T>(bytes);
    }
  }
};
template <class A, class B, class Word>
struct Code<std::pair<A, B>, Word> {
  using Pair = std::pair<A, B>;
  static_assert(sizeof(Pair) <= sizeof(Word));
  static constexpr int shift = 8 * sizeof(A);

  SLOTSCAPE_HOST_DEVICE static constexpr Word encode(Pair const& pair)
  {
    return static_cast<Word>(Code<B, Word>::encode(pair.second) << shift) | Code<A, Word>::encode(pair.first);
  }
  SLOTSCAPE_HOST_DEVICE static constexpr Pair decode(Word word)
  {
    constexpr Word low = (Word{1} << shift) - 1;
    return Pair{Code<A, Word>::decode(word & low), Code<B, Word>::decode(word >> shift)};
  }
};

/// a + b, saturating for integers at `largest` and at the least Number.
template <class Number>
SLOTSCAPE_HOST_DEVICE constexpr Number sum_up_to(Number largest, Number a, Number b)
{
  if constexpr (!std::is_floating_point_v<Number>) {
    constexpr Number least = std::numeric_limits<Number>::min();
    if (b > 0 && a > largest - b) { return largest; }
    if (b < 0 && a < least - b) { return least; }
  }
  return static_cast<Number>(a + b);
}

/// Pairs whose values are codes of signed or floating-point numbers, which `insert_or_add` adds as such. Signed sums
/// saturate at the largest and the least value that the table accepts.
template <class Base, class Number>
struct NumberPairs : Base {
  using Value = typename Base::Value;
  using NumberCode = Code<Number, Value>;

  SLOTSCAPE_HOST_DEVICE static constexpr Value zero() { return NumberCode::encode(Number{}); }
  SLOTSCAPE_HOST_DEVICE static constexpr Value sum(Value old, Value more)
  {
    constexpr Number largest = std::numeric_limits<Number>::max();
    constexpr bool is_reserved = !std::is_floating_point_v<Number> && sizeof(Number) == sizeof(Value);
    return NumberCode::encode(sum_up_to(static_cast<Number>(is_reserved ? largest - 1 : largest),
                                        NumberCode::decode(old), NumberCode::decode(more)));
  }
};

/// The format of a table that packs T into words of pairs.
template <class Base, class Value>
using FormatForValues =
    std::conditional_t<is_signed_number<Value> && !std::is_enum_v<Value>, NumberPairs<Base, Value>, Base>;

}  // namespace slotscape::library
