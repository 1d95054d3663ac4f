#pragma once

#include "gpu/engine/run_operations.hpp"
#include "gpu/library/thread_group.hpp"
#include "gpu/library/view_ticket.hpp"
#include "gpu/tables/static_family.hpp"

#include <type_traits>

namespace slotscape {

namespace library {

/// Types of keys that a table stores as they are.
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
/// f(item) on the device. What only the host can call is refused by the compiler, which names this function.
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

/// The value of a key that is in the table becomes f(value). `updated`, `missing`, or `rejected` if that is reserved.
/// Loads may be stale, so what counts is the word that an exchange returns: as long as it has the key, it is tried
/// again; if not, the key has been erased, and is looked for once more if it could be elsewhere.
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

/// A number, whatever was there before.
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

/// What a lookup brings.
template <class Value>
struct Found {
  Value value;  ///< `empty_value` if the key is not there
  bool found;
  SLOTSCAPE_HOST_DEVICE explicit operator bool() const { return found; }
};

/// A table as single threads use it: those of a kernel, to which it is passed by value, or those of the CPU. It owns
/// nothing. docs/using-the-tables.md says how long it is valid, and what may run at once.
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

  /// lanes: of a tile of the table's, where its family uses tiles.
  TableView(Inner const& table, int lanes, Ticket const& ticket) : table_(table), lanes_(lanes), ticket_(ticket) {}

  /// How many threads serve a call together in this table: a group should have as many. 1 in most families.
  SLOTSCAPE_HOST_DEVICE int lanes() const { return lanes_; }

  SLOTSCAPE_HOST_DEVICE Found<Value> find(Key key) const requires Format::has_values { return look_up(key); }
  SLOTSCAPE_HOST_DEVICE bool contains(Key key) const { return look_up(key).found; }

  /// The same by a group of threads, all of which bring the same key and get the result: in families that use tiles.
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
  /// f(tile), for the tile that the table's operations take.
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
  /// The same for a group of threads. All of them get the result.
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
  /// One of the two.
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

/// A view through which calls of a table change values.
template <TableFamily Family, Machine M>
struct UpdatingView : TableView<Family, M> {
  using Base = TableView<Family, M>;
  using Base::Base;
  using Base::change;
};

}  // namespace library

/// A family whose operations threads may run on their own: nothing is rebuilt, and no key moves.
template <class Family>
concept HasConcurrentOperations = TableFamily<Family> && !InsertsNewKeys<Family> && !IsStatic<Family>;

/// A view with which threads may also change the table.
template <TableFamily Family, Machine M>
requires HasConcurrentOperations<Family>
class MutableTableView : public TableView<Family, M> {
  using Base = TableView<Family, M>;
  using Format = typename Base::Format;

public:
  using Base::Base;
  using typename Base::Key;
  using typename Base::Value;

  /// `inserted`, `updated` if the key was there, `full` if it finds no place, or `rejected` if the key or the value is
  /// reserved.
  SLOTSCAPE_HOST_DEVICE Outcome insert(Key key, Value value) const requires Format::has_values
  {
    return store(key, value);
  }
  /// The same in a set.
  SLOTSCAPE_HOST_DEVICE Outcome insert(Key key) const requires(!Format::has_values) { return store(key, true); }
  /// `erased`, `missing`, or `rejected`.
  SLOTSCAPE_HOST_DEVICE Outcome erase(Key key) const { return remove(key); }
  /// The same by a group of threads, all of which bring the same key and value and get the outcome.
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
  /// The value of a key that is there becomes `value`, or what a function object makes of the one that it has, by one
  /// atomic step: the function is called again if another thread comes first. `updated`, `missing`, or `rejected` if
  /// the key or the new value is reserved.
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

/// What a table names as its view with which threads may change it, where keys move: only families in which none does
/// have one (`HasConcurrentOperations`).
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
