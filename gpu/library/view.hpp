#pragma once

#include "gpu/engine/run_operations.hpp"
#include "gpu/tables/static_family.hpp"

#include <type_traits>

namespace slotscape {

namespace library {

/// Types of keys that a table stores as they are.
template <class T>
inline constexpr bool is_word = std::is_same_v<T, std::uint32_t> || std::is_same_v<T, std::uint64_t>;

template <class Key>
struct SetFormat {
  static_assert(
      is_word<Key>,
      "Sets have keys of type std::uint32_t or std::uint64_t: for others, take a table whose values are an empty "
      "struct.");
  using type = std::conditional_t<sizeof(Key) == 4, NarrowSet, WideSet>;
};

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

}  // namespace library

/// Keys and values of 32 or 64 bits, stored side by side.
template <class Key>
requires library::is_word<Key>
using FormatOf = std::conditional_t<std::is_same_v<Key, std::uint32_t>, Narrow, Wide>;
/// Keys of 32 or 64 bits, without values.
template <class Key>
using SetFormatOf = typename library::SetFormat<Key>::type;

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

  static constexpr Value empty_value = Format::empty_value;

  /// lanes: of a tile of the table's, where its family uses tiles.
  TableView(Inner const& table, int lanes) : table_(table), lanes_(lanes) {}

  SLOTSCAPE_HOST_DEVICE Found<Value> find(Key key) const requires Format::has_values { return look_up(key); }
  SLOTSCAPE_HOST_DEVICE bool contains(Key key) const { return look_up(key).found; }

protected:
  /// f(tile), for the tile that the table's operations take.
  template <std::size_t choice = 0, class F>
  SLOTSCAPE_HOST_DEVICE auto by_one_thread(F const& f) const
  {
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

  Inner table_;
  int lanes_;

private:
  SLOTSCAPE_HOST_DEVICE Found<Value> look_up(Key key) const
  {
    if (Format::is_reserved(key)) { return {empty_value, false}; }
    auto const result = by_one_thread([&](auto tile) { return find_in<Family>(table_, tile, key); });
    bool const found = result.outcome == Outcome::found;
    return {found ? result.value : empty_value, found};
  }
};

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
  SLOTSCAPE_HOST_DEVICE Outcome erase(Key key) const
  {
    if (Format::is_reserved(key)) { return Outcome::rejected; }
    return this->by_one_thread([&](auto tile) { return erase_in<Family>(this->table_, tile, key); }).outcome;
  }

private:
  SLOTSCAPE_HOST_DEVICE Outcome store(Key key, Value value) const
  {
    if (Format::is_reserved(key) || value == Format::empty_value) { return Outcome::rejected; }
    return this->by_one_thread([&](auto tile) { return insert_in<Family>(this->table_, tile, key, value); }).outcome;
  }
};

}  // namespace slotscape
