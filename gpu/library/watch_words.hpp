#pragma once

#include "gpu/library/typed_table.hpp"
#include "gpu/library/watch.hpp"

#include <type_traits>

/// The meaning of the words in the library's tables, in the form that viewers expect.
namespace slotscape::library {

template <class Table>
constexpr StoredAs stored_as()
{
  if constexpr (requires { Table::stored_as; }) {
    return Table::stored_as;
  } else {
    return StoredAs::themselves;
  }
}

/// Adds that the words of a field are codes of a T.
template <class T>
WatchField with_code_of(WatchField field)
{
  if constexpr (std::is_empty_v<T>) {
    field.is = "nothing";
  } else if constexpr (!is_number<T>) {
    field.is = "bytes";
  } else if constexpr (is_signed_number<T>) {
    field.is_float = std::is_floating_point_v<T>;
    field.is_signed = !field.is_float;
    field.ordered_bits = 8 * sizeof(T);
  }
  return field;
}

/// The type of a table's values; an empty type for sets, which have no values.
template <class Table>
struct ValueOf {
  struct type {};
};
template <class Table>
requires requires
{
  typename Table::Value;
}
struct ValueOf<Table> {
  using type = typename Table::Value;
};

/// Describes the words of keys and values, and the keys stored beside the slots.
template <class Table>
void describe_words(WatchLayout& layout)
{
  using Format = typename Table::TableFormat;
  using Key = typename Table::Key;
  if constexpr (stored_as<Table>() == StoredAs::rows) {
    layout.key.is = "fingerprint";
    layout.value.is = "row";
  } else if constexpr (stored_as<Table>() == StoredAs::codes) {
    layout.key = with_code_of<Key>(layout.key);
    layout.value = with_code_of<typename ValueOf<Table>::type>(layout.value);
    if (sizeof(Key) == sizeof(typename Format::Key)) { layout.beside_from = std::uint64_t{Format::locked_key}; }
  }
}

}  // namespace slotscape::library
