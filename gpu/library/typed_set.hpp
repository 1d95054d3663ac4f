#pragma once

#include "gpu/library/table_for.hpp"

namespace slotscape {

namespace library {

/// The value of keys without values, and arrays of it.
struct NoValue {};
struct NoValues {
  struct Dropped {
    SLOTSCAPE_HOST_DEVICE Dropped const& operator=(NoValue) const { return *this; }
    SLOTSCAPE_HOST_DEVICE operator NoValue() const { return {}; }
  };
  SLOTSCAPE_HOST_DEVICE Dropped operator[](std::uint64_t) const { return {}; }
};

/// Calls f(key) for a pair.
template <class F>
struct OfKeyAlone {
  F f;

  template <class Key>
  SLOTSCAPE_HOST_DEVICE auto operator()(Key const& key, NoValue) const
  {
    return f(key);
  }
};

}  // namespace library

/// A set's view for lookups by single threads.
template <class OfPairs>
class SetView {
public:
  using Key = typename OfPairs::Key;

  explicit SetView(OfPairs const& pairs) : pairs_(pairs) {}
  SLOTSCAPE_HOST_DEVICE bool contains(Key const& key) const { return pairs_.contains(key); }
  SLOTSCAPE_HOST_DEVICE int lanes() const { return pairs_.lanes(); }
  template <ThreadGroup Group>
  SLOTSCAPE_HOST_DEVICE bool contains(Group group, Key const& key) const
  {
    return pairs_.contains(group, key);
  }

protected:
  OfPairs pairs_;
};
/// A set's view for changes by single threads, like `MutableTableView`.
template <class OfPairs>
class MutableSetView : public SetView<OfPairs> {
public:
  using SetView<OfPairs>::SetView;
  using typename SetView<OfPairs>::Key;

  SLOTSCAPE_HOST_DEVICE Outcome insert(Key const& key) const { return this->pairs_.insert(key, library::NoValue{}); }
  SLOTSCAPE_HOST_DEVICE Outcome erase(Key const& key) const { return this->pairs_.erase(key); }
  template <ThreadGroup Group>
  SLOTSCAPE_HOST_DEVICE Outcome insert(Group group, Key const& key) const
  {
    return this->pairs_.insert(group, key, library::NoValue{});
  }
  template <ThreadGroup Group>
  SLOTSCAPE_HOST_DEVICE Outcome erase(Group group, Key const& key) const
  {
    return this->pairs_.erase(group, key);
  }
};

/// A set of keys of any type, in any family: a table of pairs whose values take no memory of their own. Its calls are
/// those of `BasicSet`, with arrays as in `CpuTable`. Every key can be stored.
template <TableFamily Family, exec::Executor Exec, class Key_, class Keys_>
class TypedSet : protected library::TypedTableFor<Family, Exec, Key_, library::NoValue, Keys_> {
  using Base = library::TypedTableFor<Family, Exec, Key_, library::NoValue, Keys_>;
  static constexpr bool changes_by_threads = !std::is_same_v<typename Base::MutableView, library::NoMutableView>;

public:
  using Key = Key_;
  using View = SetView<typename Base::View>;
  /// A real view only if no key moves, and keys have at most 8 bytes and no hash of their own.
  using MutableView =
      std::conditional_t<changes_by_threads, MutableSetView<typename Base::MutableView>, library::NoMutableView>;
  using Base::clear;
  using Base::contains;
  using Base::contains_async;
  using Base::erase;
  using Base::guarantees;
  using Base::hash;
  using Base::layout;
  using Base::load_factor;
  using Base::memory_bytes;
  using Base::places;
  using Base::rehash;
  using Base::size;
  using Base::slot_memory;
  using Base::slots;
  using Base::slots_for;
  using Base::stored_as;
  using typename Base::TableFamilyType;
  using typename Base::TableFormat;

  /// New keys count as `inserted`: each once, however often it occurs in the call. All others count as `updated`. With
  /// `BatchOptions::outcomes`, each key gets its own outcome.
  template <class Keys>
  Inserted insert(Keys keys, std::uint64_t count, BatchOptions const& options = {})
  {
    return Base::insert(keys, library::NoValues{}, count, options);
  }
  /// Insertion and erasure without waiting.
  template <class Keys>
  void insert_async(Keys keys, std::uint64_t count, AsyncOptions const& options = {}) requires changes_by_threads
  {
    library::CheckedArrays<Exec, Key, library::NoValue>::template expect_keys<Keys>();
    this->exec().for_each(count, library::InsertKeysThrough<MutableView, Keys>{mutable_view(), keys, options});
  }
  template <class Keys>
  void erase_async(Keys keys, std::uint64_t count, AsyncOptions const& options = {}) requires changes_by_threads
  {
    Base::erase_async(keys, count, options);
  }
  /// Inserts all keys of another set. Waits for the other set's stream.
  Inserted merge(TypedSet& other) { return Base::merge(other); }
  /// See `OwnedTable::copy_from`.
  void copy_from(TypedSet& other) { Base::copy_from(other); }

  /// Calls f(key) for every key, in no particular order, with many threads; does not wait.
  template <class F>
  void for_each(F const& f)
  {
    Exec::template expect_call<F, Key>();
    Base::for_each(library::OfKeyAlone<F>{f});
  }
  /// Erases the keys for which wanted(key) is true; returns how many. Needs memory for all keys.
  template <class Wanted>
  std::uint64_t erase_if(Wanted const& wanted)
  {
    Exec::template expect_call<Wanted, Key>();
    return Base::erase_if(library::OfKeyAlone<Wanted>{wanted});
  }
  /// Writes all keys, in no particular order, and returns their number. Throws Error if there are more than `room`.
  template <class Keys>
  std::uint64_t export_keys(Keys keys, std::uint64_t room)
  {
    return Base::export_pairs(keys, library::NoValues{}, room);
  }

  /// A view for lookups by single threads.
  View view() { return View(Base::view()); }
  /// A view for all operations by single threads.
  MutableView mutable_view() requires changes_by_threads { return MutableView(Base::mutable_view()); }

protected:
  using Base::Base;
};

namespace library {

/// Chooses the set class for keys of this type.
template <TableFamily Family, exec::Executor Exec, class Key, class Keys>
auto choose_set()
{
  if constexpr (StoresKeysAlone<Family> && is_word<Key> && std::is_same_v<Keys, ByBits>) {
    return std::type_identity<BasicSet<Family, Exec, SetFormatOf<Key>>>{};
  } else {
    return std::type_identity<TypedSet<Family, Exec, Key, Keys>>{};
  }
}
template <TableFamily Family, exec::Executor Exec, class Key, class Keys>
using SetFor = typename decltype(choose_set<Family, Exec, Key, Keys>())::type;

}  // namespace library
}  // namespace slotscape
