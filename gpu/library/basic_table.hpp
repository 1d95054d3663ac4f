#pragma once

#include "gpu/library/insert_calls.hpp"
#include "gpu/library/owned_table.hpp"

namespace slotscape {

/// A hash table that owns its memory. Use `CpuTable` or `CudaTable`. Arrays are passed as pointers into device memory,
/// or as any iterators that the device can read at a place: iterators are read into scratch memory first.
template <TableFamily Family, exec::Executor Exec, PairFormat Format>
class BasicTable : public library::OwnedTable<Family, Exec, Format>,
                   public library::InsertCalls<BasicTable<Family, Exec, Format>> {
  using Base = library::OwnedTable<Family, Exec, Format>;
  using Inserts = library::InsertCalls<BasicTable>;
  friend Inserts;
  using Arrays = library::CheckedArrays<Exec, typename Format::Key, typename Format::Value>;

public:
  using typename Base::Key;
  using typename Base::Machine;
  using Value = typename Format::Value;

  using MutableView = typename library::MutableViewOf<Family, Machine>::type;  ///< for families in which no key moves

  static constexpr Value largest_value = Format::empty_value - 1;
  static constexpr Value empty_value = Format::empty_value;  ///< result of looking up a missing key

  using Inserts::insert;

  /// Inserts without waiting, in families in which no key moves. `combine` determines the value of existing keys.
  /// docs/using-the-tables.md says which calls may run concurrently.
  template <class Keys, class Values>
  void insert_async(Keys keys, Values values, std::uint64_t count, Combine combine = Combine::replace,
                    AsyncOptions const& options = {}) requires HasConcurrentOperations<Family>
  {
    Arrays::template expect_keys<Keys>();
    Arrays::template expect_values<Values>();
    auto const view = mutable_view(combine);
    this->exec().for_each(count, library::InsertThrough<MutableView, Keys, Values>{view, keys, values, options});
  }
  template <class Keys>
  void erase_async(Keys keys, std::uint64_t count,
                   AsyncOptions const& options = {}) requires HasConcurrentOperations<Family>
  {
    Arrays::template expect_keys<Keys>();
    auto const view = mutable_view();
    this->exec().for_each(count, library::EraseThrough<MutableView, Keys>{view, keys, options});
  }
  /// Inserts all pairs of another table; `combine` determines the value of existing keys. Waits for the other table's
  /// stream. Merging a table with itself changes nothing, but throws Error for addition.
  Inserted merge(BasicTable& other, Combine combine = Combine::keep_first)
  {
    return Base::insert_all_of(other, combine);
  }

  /// Sets the values of keys that are in the table; if a key occurs several times in one call, it gets any of the
  /// values. Other keys are ignored. Returns how many keys were in the table. `outcomes` are `updated`, `missing`, or
  /// `rejected` for a reserved key or value.
  template <class Keys, class Values>
  std::uint64_t update(Keys keys, Values values, std::uint64_t count, BatchOptions const& options = {})
  {
    std::uint64_t updated = 0;
    for_each_part(keys, values, count, options,
                  [&](Part const& part) { updated += Base::update(part.keys, part.values, part.size, part.options); });
    return updated;
  }

  /// Writes the value of each key, or `empty_value`; returns how many were found.
  template <class Keys>
  std::uint64_t find(Keys keys, Value* values, std::uint64_t count, BatchOptions const& options = {})
  {
    std::uint64_t found = 0;
    for_each_part(keys, values, count, options, [&](Part const& part) {
      found += Base::find(part.keys, values + part.first, part.size, part.options);
    });
    return found;
  }
  /// Writes whether each key is in the table, and returns how many are.
  template <class Keys>
  std::uint64_t contains(Keys keys, bool* are_there, std::uint64_t count, BatchOptions const& options = {})
  {
    std::uint64_t found = 0;
    auto const nothing = static_cast<Value const*>(nullptr);
    auto const call = this->enters();
    auto const tell = [&](Part const& part) {
      exec::grow(this->exec(), values_, part.size);
      found += Base::find(part.keys, values_.data(), part.size, part.options);
      using Tell = library::TellWhether<Value>;
      this->exec().for_each(part.size, Tell{values_.data(), empty_value, are_there + part.first});
    };
    for_each_part<false>(keys, nothing, count, options, tell);
    this->exec().wait();
    return found;
  }
  /// Like `contains`, without the count, and without waiting.
  template <class Keys>
  void contains_async(Keys keys, bool* are_there, std::uint64_t count)
  {
    Arrays::template expect_keys<Keys>();
    using View = typename Base::View;
    this->exec().for_each(count, library::TellThrough<View, Keys>{this->view(), keys, are_there});
  }
  /// Returns how many keys were erased.
  template <class Keys>
  std::uint64_t erase(Keys keys, std::uint64_t count, BatchOptions const& options = {})
  {
    std::uint64_t erased = 0;
    auto const nothing = static_cast<Value const*>(nullptr);
    for_each_part(keys, nothing, count, options,
                  [&](Part const& part) { erased += Base::erase(part.keys, part.size, part.options); });
    return erased;
  }
  /// Like `find`, without the count, and without waiting.
  void find_async(Key const* keys, Value* values, std::uint64_t count) { Base::find_async(keys, values, count); }

  /// Writes all pairs, in no particular order, and returns their number. Throws Error if there are more than `room`.
  std::uint64_t export_pairs(Key* keys, Value* values, std::uint64_t room)
  {
    return Base::export_words(keys, values, room);
  }

  /// A view for all operations by single threads. combine: what inserting an existing key does.
  template <TableFamily F = Family>
  requires HasConcurrentOperations<F> MutableTableView<F, Machine> mutable_view(Combine combine = Combine::replace)
  {
    return Base::view_to_change(combine);
  }

protected:
  using Base::Base;

private:
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

  /// Keys and values of a call from number `first` on, as pointers.
  struct Part {
    Key const* keys;
    Value const* values;
    std::uint64_t first;
    std::uint64_t size;
    BatchOptions options;
  };

  template <class Keys, class Values>
  Inserted insert_as(Combine combine, Keys keys, Values values, std::uint64_t count, BatchOptions const& options)
  {
    Inserted whole{.key_bits = Format::bits};
    for_each_part(keys, values, count, options, [&](Part const& part) {
      whole += Base::insert(combine, part.keys, part.values, part.size, part.options);
    });
    return whole;
  }

  /// Calls use(part) for parts of a call: once for the whole call if all arrays are pointers and `whole` is true, else
  /// for parts that fit into scratch memory.
  template <bool whole = true, class Keys, class Values, class Use>
  void for_each_part(Keys keys, Values values, std::uint64_t count, BatchOptions const& options, Use const& use)
  {
    Arrays::template expect_keys<Keys>();
    Arrays::template expect_values<Values>();
    auto const call = this->enters();
    constexpr bool as_they_are = whole && is_pointer_to<Keys, Key> && is_pointer_to<Values, Value>;
    std::uint64_t const at_once = as_they_are ? count : IsStatic<Family> ? std::uint64_t{1} << 30 : Exec::batch_limit;
    for (std::uint64_t first = 0; first < count; first += at_once) {
      std::uint64_t const size = std::min(at_once, count - first);
      use(Part{pointer_to<Key>(keys_, keys, first, size), pointer_to<Value>(values_, values, first, size), first, size,
               options.from(first)});
    }
  }
  template <class Array, class T>
  static constexpr bool is_pointer_to = std::is_convertible_v<Array, T const*>;
  template <class T, class Array>
  T const* pointer_to(Buffer<T>& scratch, Array array, std::uint64_t first, std::uint64_t count)
  {
    if constexpr (is_pointer_to<Array, T>) {
      T const* const items = array;
      return items == nullptr ? nullptr : items + first;
    } else {
      exec::grow(this->exec(), scratch, count);
      this->exec().for_each(count, library::CopyItems<T, Array>{array, first, scratch.data()});
      return scratch.data();
    }
  }

  Buffer<Key> keys_;      ///< scratch memory for keys read from iterators
  Buffer<Value> values_;  ///< scratch memory for values, and for results of `contains`
};

}  // namespace slotscape
