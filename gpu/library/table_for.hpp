#pragma once

#include "gpu/library/basic_set.hpp"
#include "gpu/library/basic_table.hpp"
#include "gpu/library/packed_table.hpp"
#include "gpu/library/row_table.hpp"

namespace slotscape::library {

template <class T>
inline constexpr bool is_by_hash = false;
template <class Hash, class Equal>
inline constexpr bool is_by_hash<HashedBy<Hash, Equal>> = true;

/// Size of words that have room for any value, and for one word that is no value.
template <class Value, bool every_value>
inline constexpr std::size_t bytes_of_value = std::is_empty_v<Value>
                                                  ? 0
                                                  : sizeof(Value) +
                                                        (every_value && !std::is_floating_point_v<Value> ? 1 : 0);

/// Chooses the table class that encodes keys and values of these types.
template <TableFamily Family, exec::Executor Exec, class Key, class Value, class Keys>
auto choose_typed_table()
{
  static_assert(
      is_copied_by_bytes<Key>,
      "Keys must be trivially copyable. Of strings and other objects, store a pointer or the number of a row, "
      "with HashedBy<Hash, Equal>, which looks at what it stands for.");
  static_assert(is_copied_by_bytes<Value>,
                "Values must be trivially copyable. Of other objects, store a pointer or the number of a row.");
  static_assert(
      is_by_hash<Keys> || has_unique_bits<Key>,
      "Equal keys of this type may have different bits, because of padding or floating-point numbers: say how "
      "they are told apart, CpuTable<Family, Key, Value, HashedBy<Hash, Equal>>.");
  static_assert(
      is_by_hash<Keys> || !refers_elsewhere<Key>,
      "Keys of this type stand for a text or an array elsewhere, and would be compared by its address: say how "
      "they are told apart, CpuTable<Family, Key, Value, HashedBy<Hash, Equal>>.");
  constexpr std::size_t value_bytes = bytes_of_value<Value, std::is_same_v<Keys, Unreserved>>;
  if constexpr (!is_by_hash<Keys> && sizeof(Key) <= 8 && value_bytes <= 8) {
    using Pairs = std::conditional_t<sizeof(Key) <= 4 && value_bytes <= 4, Narrow, Wide>;
    return std::type_identity<PackedTable<Family, Exec, FormatForValues<Pairs, Value>, Key, Value>>{};
  } else {
    using Pairs = std::conditional_t<!is_by_hash<Keys> && sizeof(Key) <= 4, Narrow, Wide>;
    return std::type_identity<RowTable<Family, Exec, Pairs, Key, Value, Keys>>{};
  }
}
template <TableFamily Family, exec::Executor Exec, class Key, class Value, class Keys>
using TypedTableFor = typename decltype(choose_typed_table<Family, Exec, Key, Value, Keys>())::type;

/// Chooses the table class for keys and values of these types.
template <TableFamily Family, exec::Executor Exec, class Key, class Value, class Keys>
auto choose_table()
{
  if constexpr (std::is_same_v<Keys, ByBits> && std::is_same_v<Key, Value> && is_word<Key>) {
    return std::type_identity<BasicTable<Family, Exec, FormatOf<Key>>>{};
  } else {
    return choose_typed_table<Family, Exec, Key, Value, Keys>();
  }
}
template <TableFamily Family, exec::Executor Exec, class Key, class Value, class Keys>
using TableFor = typename decltype(choose_table<Family, Exec, Key, Value, Keys>())::type;

}  // namespace slotscape::library
