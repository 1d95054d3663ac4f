#pragma once

#include "gpu/engine/run_operations.hpp"
#include "gpu/library/thread_group.hpp"
#include "gpu/library/view_ticket.hpp"
#include "gpu/tables/static_family.hpp"

#include <type_traits>

namespace slotscape {

namespace library {

/// Key types that a table stores directly.
template <class T>
inline constexpr bool is_word = std::is_same_v<T, std::uint32_t> || std::is_same_v<T, std::uint64_t>;

/// A thread that plays all lanes of a tile.
template <class M, int lanes>
struct OneThread {
  using Tile = exec::HostLanes<lanes>;
};
#if defined(__CUDACC__)
template <PairFormat Format>
struct OneThread<DeviceMachine<Format>, 1> {
  using Tile = exec::WarpLanes<1>;
};
#endif

#if defined(__CUDACC__)
/// Calls f(item) on the device. If f can only be called on the host, the compiler's error message names this function.
template <class F, class Item>
__device__ auto function_objects_of_the_GPU_need___device__(F const& f, Item const& item)
{
  return f(item);
}
#endif
template <class M, class F, class Item>
SLOTSCAPE_HOST_DEVICE auto call(F const& f, Item const& item)
{
#if defined(__CUDACC__)
  if constexpr (std::is_same_v<M, DeviceMachine<typename M::Format>>) {
    return function_objects_of_the_GPU_need___device__(f, item);
  } else
#endif
  {
    return f(item);
  }
}

/// Replaces the value of an existing key by f(value). Returns `updated`, `missing`, or `rejected` if the key or the new
/// value is reserved. Loads may be stale, so the word returned by an exchange decides: if it has the key, the
/// exchange is tried again; otherwise, the key was erased, and is searched once more if it could be
/// elsewhere.
template <TableFamily Family, class View, class Tile, class F>
SLOTSCAPE_HOST_DEVICE Outcome update_in(View const& table, Tile tile, typename View::Key key, F const& f)
{
  using Format = typename View::Format;
  Slot tried = no_slot;
  while (true) {
    auto const place = find_in<Family>(table, tile, key);
    if (place.outcome != Outcome::found || place.slot == tried) { return Outcome::missing; }
    tried = place.slot;
    auto seen = pack(key, place.value);
    while (key_of(seen) == key && value_of(seen) != Format::empty_value) {
      typename Format::Value const value = f(value_of(seen));
      if (value == Format::empty_value) { return Outcome::rejected; }
      auto const old = table.machine.compare_exchange(tried, seen, pack(key, value));
      if (old == seen) { return Outcome::updated; }
      seen = old;
    }
  }
}

/// Returns the same number, whatever the old value.
template <class Value>
struct Always {
  Value value;

  SLOTSCAPE_HOST_DEVICE Value operator()(Value) const { return value; }
};

}  // namespace library

/// Keys and values of 32 or 64 bits, stored side by side.
template <class Key>
requires library::is_word<Key>
using FormatOf = std::conditional_t<std::is_same_v<Key, std::uint32_t>, Narrow, Wide>;
/// Keys of 32 or 64 bits, without values.
template <class Key>
requires library::is_word<Key>
using SetFormatOf = std::conditional_t<std::is_same_v<Key, std::uint32_t>, NarrowSet, WideSet>;

/// The result of a lookup.
template <class Value>
struct Found {
  Value value;  ///< `empty_value` if the key is missing
  bool found;
  SLOTSCAPE_HOST_DEVICE explicit operator bool() const { return found; }
};

/// A table for use by single threads: threads of a kernel, to which the view is passed by value, or CPU threads. It
/// owns nothing. docs/using-the-tables.md says how long it is valid, and what may run concurrently.
template <TableFamily Family, Machine M>
class TableView {
public:
  using Format = typename M::Format;
  using Key = typename Format::Key;
  using Value = typename Format::Value;
  using Inner = View<typename Family::template Layout<Format>, M>;
  using MachineType = M;

  static constexpr Value empty_value = Format::empty_value;

  using Ticket = typename library::TicketsOf<M>::Ticket;

  /// lanes: number of lanes in a tile of the table, if its family uses tiles.
  TableView(Inner const& table, int lanes, Ticket const& ticket) : table_(table), lanes_(lanes), ticket_(ticket) {}

  /// How many threads serve a call together in this table: a group should have the same size. 1 in most families.
  SLOTSCAPE_HOST_DEVICE int lanes() const { return lanes_; }

  SLOTSCAPE_HOST_DEVICE Found<Value> find(Key key) const requires Format::has_values { return look_up(key); }
  SLOTSCAPE_HOST_DEVICE bool contains(Key key) const { return look_up(key).found; }

  /// Lookups by a group of threads, all of which pass the same key and get the result: for families that use tiles.
  template <ThreadGroup Group>
  SLOTSCAPE_HOST_DEVICE Found<Value> find(Group group, Key key) const requires Format::has_values
  {
    return look_up(key, group);
  }
  template <ThreadGroup Group>
  SLOTSCAPE_HOST_DEVICE bool contains(Group group, Key key) const
  {
    return look_up(key, group).found;
  }

protected:
  /// Calls f(tile) with the kind of tile that the table's operations take.
  template <std::size_t choice = 0, class F>
  SLOTSCAPE_HOST_DEVICE auto by_one_thread(F const& f) const
  {
    ticket_.check();
    if constexpr (UsesTiles<Family>) {
      constexpr int lanes = static_cast<int>(Family::lane_choices[choice]);
      if constexpr (choice + 1 < Family::lane_choices.size()) {
        if (lanes_ != lanes) { return by_one_thread<choice + 1>(f); }
      }
      return f(typename library::OneThread<M, lanes>::Tile{});
    } else {
      return f(exec::NoTile{});
    }
  }
  /// Calls f(tile) for a group of threads. All of them get the result.
  template <std::size_t choice = 0, ThreadGroup Group, class F>
  SLOTSCAPE_HOST_DEVICE auto by_group(Group group, F const& f) const
  {
    static_assert(UsesTiles<Family>,
                  "In this family, one thread serves a call: make it without a group. Groups serve those of "
                  "warp_cooperative, slab, gel_hash, cuckoo, segmented_cuckoo and two_choice.");
    if constexpr (UsesTiles<Family>) {
      constexpr int lanes = static_cast<int>(Family::lane_choices[choice]);
      if constexpr (choice + 1 < Family::lane_choices.size()) {
        if (lanes_ != lanes) { return by_group<choice + 1>(group, f); }
      }
      ticket_.check();
      return library::serve_together<M, Group, lanes>(f);
    } else {
      return f(exec::NoTile{});
    }
  }
  /// Runs an operation by one thread or by a group.
  template <class F>
  SLOTSCAPE_HOST_DEVICE auto serve(F const& f) const
  {
    return by_one_thread(f);
  }
  template <class F, ThreadGroup Group>
  SLOTSCAPE_HOST_DEVICE auto serve(F const& f, Group group) const
  {
    return by_group(group, f);
  }
  template <class F>
  SLOTSCAPE_HOST_DEVICE Outcome change(Key key, F const& f) const
  {
    if (Format::is_reserved(key)) { return Outcome::rejected; }
    return by_one_thread([&](auto tile) { return library::update_in<Family>(table_, tile, key, f); });
  }

  Inner table_;
  int lanes_;
  Ticket ticket_;

private:
  template <class... Group>
  SLOTSCAPE_HOST_DEVICE Found<Value> look_up(Key key, Group... group) const
  {
    if (Format::is_reserved(key)) { return {empty_value, false}; }
    auto const result = serve([&](auto tile) { return find_in<Family>(table_, tile, key); }, group...);
    bool const found = result.outcome == Outcome::found;
    return {found ? result.value : empty_value, found};
  }
};

namespace library {

/// The view through which a table's own calls change values.
template <TableFamily Family, Machine M>
struct UpdatingView : TableView<Family, M> {
  using Base = TableView<Family, M>;
  using Base::Base;
  using Base::change;
};

}  // namespace library

/// A family whose operations single threads may run: nothing is rebuilt, and no key moves.
template <class Family>
concept HasConcurrentOperations =
    TableFamily<Family> && !InsertsNewKeys<Family> && !IsStatic<Family> && Family::info.growth == Growth::none;

/// A view through which threads may also change the table.
template <TableFamily Family, Machine M>
requires HasConcurrentOperations<Family>
class MutableTableView : public TableView<Family, M> {
  using Base = TableView<Family, M>;
  using Format = typename Base::Format;

public:
  using Base::Base;
  using typename Base::Key;
  using typename Base::Value;

  /// `inserted`, `updated` if the key existed, `full` if it finds no place, or `rejected` if the key or the value is
  /// reserved.
  SLOTSCAPE_HOST_DEVICE Outcome insert(Key key, Value value) const requires Format::has_values
  {
    return store(key, value);
  }
  /// Insertion into a set, with the same outcomes.
  SLOTSCAPE_HOST_DEVICE Outcome insert(Key key) const requires(!Format::has_values) { return store(key, true); }
  /// `erased`, `missing`, or `rejected`.
  SLOTSCAPE_HOST_DEVICE Outcome erase(Key key) const { return remove(key); }
  /// Operations by a group of threads, all of which pass the same key and value and get the outcome.
  template <ThreadGroup Group>
  SLOTSCAPE_HOST_DEVICE Outcome insert(Group group, Key key, Value value) const requires Format::has_values
  {
    return store(key, value, group);
  }
  template <ThreadGroup Group>
  SLOTSCAPE_HOST_DEVICE Outcome erase(Group group, Key key) const
  {
    return remove(key, group);
  }
  /// Replaces the value of an existing key by `value`, or by the result of a function object for the old value, in one
  /// atomic step: the function is called again if another thread comes first. Returns `updated`, `missing`, or
  /// `rejected` if the key or the new value is reserved.
  SLOTSCAPE_HOST_DEVICE Outcome update(Key key, Value value) const requires Format::has_values
  {
    return this->change(key, library::Always<Value>{value});
  }
  template <class F>
  requires std::is_invocable_v<F const&, typename Base::Value> SLOTSCAPE_HOST_DEVICE Outcome update(Key key, F const& f)
  const
  {
    return this->change(key, [&](Value value) { return static_cast<Value>(library::call<M>(f, value)); });
  }

private:
  template <class... Group>
  SLOTSCAPE_HOST_DEVICE Outcome store(Key key, Value value, Group... group) const
  {
    if (Format::is_reserved(key) || value == Format::empty_value) { return Outcome::rejected; }
    return this->serve([&](auto tile) { return insert_in<Family>(this->table_, tile, key, value); }, group...).outcome;
  }
  template <class... Group>
  SLOTSCAPE_HOST_DEVICE Outcome remove(Key key, Group... group) const
  {
    if (Format::is_reserved(key)) { return Outcome::rejected; }
    return this->serve([&](auto tile) { return erase_in<Family>(this->table_, tile, key); }, group...).outcome;
  }
};

namespace library {

/// The mutable view type of tables in which keys move. It is unusable: only families in which no key moves have a
/// mutable view (`HasConcurrentOperations`).
struct NoMutableView {};

template <class Family, class M>
struct MutableViewOf {
  using type = NoMutableView;
};
template <class Family, class M>
requires HasConcurrentOperations<Family>
struct MutableViewOf<Family, M> {
  using type = MutableTableView<Family, M>;
};

}  // namespace library

}  // namespace slotscape
