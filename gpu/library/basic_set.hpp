#pragma once

#include "gpu/library/owned_table.hpp"

namespace slotscape {

/// The options of a set, besides its family and the type of its keys; see `TableOptions`.
struct SetOptions {
  std::uint64_t slots;
  HashKind hash = HashKind::murmur3;
  std::map<std::string, std::uint32_t> parameters = {};
  double grow_at = 0.0;
  Memory memory = {};
  Memory scratch = {};
  std::uint64_t keys_at_once = std::uint64_t{1} << 30;

  operator TableOptions() const
  {
    return {.slots = slots,
            .hash = hash,
            .parameters = parameters,
            .grow_at = grow_at,
            .memory = memory,
            .scratch = scratch,
            .keys_at_once = keys_at_once};
  }
};

/// A hash table of keys without values. Use `CpuSet` or `CudaSet`.
template <StoresKeysAlone Family, exec::Executor Exec, PairFormat Format>
class BasicSet : public library::OwnedTable<Family, Exec, Format> {
  using Base = library::OwnedTable<Family, Exec, Format>;

public:
  using typename Base::Key;
  using typename Base::Machine;
  using MutableView = MutableTableView<Family, Machine>;

  /// New keys count as `inserted`: each once, however often it occurs in the call. All others count as `updated`. With
  /// `BatchOptions::outcomes`, each key gets its own outcome.
  Inserted insert(Key const* keys, std::uint64_t count, BatchOptions const& options = {})
  {
    return Base::insert(Combine::replace, keys, nullptr, count, options);
  }

  /// Insertion and erasure without waiting.
  void insert_async(Key const* keys, std::uint64_t count, AsyncOptions const& options = {})
  {
    this->exec().for_each(count, library::InsertKeysThrough<MutableView, Key const*>{mutable_view(), keys, options});
  }
  void erase_async(Key const* keys, std::uint64_t count, AsyncOptions const& options = {})
  {
    this->exec().for_each(count, library::EraseThrough<MutableView, Key const*>{mutable_view(), keys, options});
  }
  /// Inserts all keys of another set. Waits for the other set's stream.
  Inserted merge(BasicSet& other) { return Base::insert_all_of(other, Combine::replace); }

  /// Writes whether each key is in the set, and returns how many are.
  std::uint64_t contains(Key const* keys, bool* are_there, std::uint64_t count, BatchOptions const& options = {})
  {
    return Base::find(keys, are_there, count, options);
  }
  /// Like `contains`, without the count, and without waiting.
  void contains_async(Key const* keys, bool* are_there, std::uint64_t count)
  {
    Base::find_async(keys, are_there, count);
  }

  /// Writes all keys, in no particular order, and returns their number. Throws Error if there are more than `room`.
  std::uint64_t export_keys(Key* keys, std::uint64_t room) { return Base::export_words(keys, nullptr, room); }

  /// A view for all operations by single threads.
  MutableView mutable_view() { return Base::view_to_change(Combine::replace); }

protected:
  using Base::Base;
};

}  // namespace slotscape
