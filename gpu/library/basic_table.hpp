#pragma once

#include "gpu/library/owned_table.hpp"

namespace slotscape {

/// A hash table that owns its memory; `CpuTable` and `CudaTable` are those to use. Values, too, are passed as pointers
/// into the memory of the device.
template <TableFamily Family, exec::Executor Exec, PairFormat Format>
class BasicTable : public library::OwnedTable<Family, Exec, Format> {
  using Base = library::OwnedTable<Family, Exec, Format>;

public:
  using typename Base::Key;
  using typename Base::Machine;
  using Value = typename Format::Value;

  static constexpr Value largest_value = Format::empty_value - 1;
  static constexpr Value empty_value = Format::empty_value;  ///< what a lookup of a missing key brings

  /// --- insertion. Keys that are not in the table get their value. Those that are there: keep the value they have, ...
  Inserted insert(Key const* keys, Value const* values, std::uint64_t count, BatchOptions const& options = {})
  {
    return Base::insert(Combine::keep_first, keys, values, count, options);
  }
  /// ... get the new one (of several in one call, any of them), ...
  Inserted insert_or_assign(Key const* keys, Value const* values, std::uint64_t count, BatchOptions const& options = {})
  {
    return Base::insert(Combine::replace, keys, values, count, options);
  }
  /// ... get the sum (at most `largest_value`), ...
  Inserted insert_or_add(Key const* keys, Value const* values, std::uint64_t count, BatchOptions const& options = {})
  {
    return Base::insert(Combine::add, keys, values, count, options);
  }
  /// ... the smaller, ...
  Inserted insert_or_min(Key const* keys, Value const* values, std::uint64_t count, BatchOptions const& options = {})
  {
    return Base::insert(Combine::min, keys, values, count, options);
  }
  /// ... or the larger one.
  Inserted insert_or_max(Key const* keys, Value const* values, std::uint64_t count, BatchOptions const& options = {})
  {
    return Base::insert(Combine::max, keys, values, count, options);
  }

  /// The same without waiting, in families in which no key moves: existing keys get what `combine` says.
  /// docs/using-the-tables.md says what may run at once.
  void insert_async(Key const* keys, Value const* values, std::uint64_t count, Combine combine = Combine::replace,
                    AsyncOptions const& options = {}) requires HasConcurrentOperations<Family>
  {
    auto const view = mutable_view(combine);
    using Insert = library::InsertThrough<MutableTableView<Family, Machine>, Key const*, Value const*>;
    this->exec().for_each(count, Insert{view, keys, values, options});
  }
  void erase_async(Key const* keys, std::uint64_t count,
                   AsyncOptions const& options = {}) requires HasConcurrentOperations<Family>
  {
    auto const view = mutable_view();
    using Erase = library::EraseThrough<MutableTableView<Family, Machine>, Key const*>;
    this->exec().for_each(count, Erase{view, keys, options});
  }
  /// Inserts all pairs of another table; existing keys get what `combine` says. Waits for the other's stream.
  Inserted merge(BasicTable& other, Combine combine = Combine::keep_first)
  {
    return Base::insert_all_of(other, combine);
  }

  /// Writes the value of each key, or `empty_value`; returns how many were found.
  std::uint64_t find(Key const* keys, Value* values, std::uint64_t count, BatchOptions const& options = {})
  {
    return Base::find(keys, values, count, options);
  }
  /// The same without the count, and without waiting.
  void find_async(Key const* keys, Value* values, std::uint64_t count) { Base::find_async(keys, values, count); }

  /// Writes all pairs, in no particular order, and returns how many. Throws Error if there are more than `room`.
  std::uint64_t export_pairs(Key* keys, Value* values, std::uint64_t room)
  {
    return Base::export_words(keys, values, room);
  }

  /// For all operations by single threads. combine: what insertions of keys that are there do.
  template <TableFamily F = Family>
  requires HasConcurrentOperations<F> MutableTableView<F, Machine> mutable_view(Combine combine = Combine::replace)
  {
    return Base::view_to_change(combine);
  }

protected:
  using Base::Base;
};

}  // namespace slotscape
