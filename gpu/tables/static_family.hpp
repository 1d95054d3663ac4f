#pragma once

#include "gpu/tables/family.hpp"

#include <concepts>

namespace slotscape {

/// The pairs that a static table is built from, in memory of the device: keys are distinct, none is reserved.
template <class Bits>
struct Contents {
  typename Bits::Key const* keys;
  typename Bits::Value const* values;
  std::uint64_t kept;   ///< the first of them, which the table has held so far, in the order of their slots
  std::uint64_t count;  ///< of all
};

/// What came of an attempt to build a table.
enum class Built : std::uint8_t {
  done,
  unlucky,  ///< another seed may do
  too_full  ///< no seed will do: fewer keys may
};

/// How words are read where an erased key keeps its slot, with the empty value.
struct PairWords {
  /// What `find` answers where it met the key in `slot`.
  template <class Bits>
  SLOTSCAPE_HOST_DEVICE static Result<Bits> met(Slot slot, typename Bits::Word word)
  {
    bool const live = value_of(word) != Bits::empty_value;
    return {live ? Outcome::found : Outcome::missing, slot, value_of(word)};
  }
  template <class Bits>
  SLOTSCAPE_HOST_DEVICE static Result<Bits> missing()
  {
    return {Outcome::missing, no_slot, Bits::empty_value};
  }
  /// What a word is; the measure is the caller's, where it `has_key`.
  template <class Bits>
  SLOTSCAPE_HOST_DEVICE static Described described(typename Bits::Word word)
  {
    if (word == Bits::empty_word) { return {SlotState::empty, false, 0}; }
    bool const live = value_of(word) != Bits::empty_value;
    return {live ? SlotState::live : SlotState::tombstone, !Bits::is_reserved(key_of(word)), 0};
  }
};

/// What families share whose tables are built at once. Such a family has no insertion of new keys, but
///
///   template <class Exec, class Bits>
///   static Built build(Exec&, Layout<Bits>& layout, std::uint64_t seed, Contents<Bits> const& pairs,
///                      typename Bits::Word* words, std::uint64_t* aux);
///
/// which puts the pairs into `words` (layout.slots() of them, all empty) and `aux` (layout.aux() numbers, all 0) and
/// notes in the layout whatever `find` needs of it (seeds, counts), but not other sizes. `StaticTable` calls it with
/// the layout of an empty table and seeds that differ from attempt to attempt. `find` answers with the key's slot also
/// where the key is erased: its word keeps the key, with the empty value, until the table is built anew.
/// Functors that `build` runs are not private members: CUDA would not take them.
template <class Family>
struct StaticFamily : PairWords {
  static constexpr int attempts = 8;  ///< to build a table of the same keys, each with another seed

  static constexpr Guarantees guarantees(TableSettings const&)
  {
    return {.together = Together::nothing, .erase_frees_slot = true, .is_static = true};
  }

  /// Gives a stored key its value, and an erased one comes back. A new key is `full` here: the table must be rebuilt.
  /// No slot changes its key meanwhile, so that of several threads that bring one key back, one sees `inserted`.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto insert(Table const& table, typename Table::Key key, typename Table::Value value) ->
      typename Table::Result
  {
    using Bits = typename Table::Bits;
    Slot const slot = Family::find(table, key).slot;
    if (slot == no_slot) { return {Outcome::full, no_slot, value}; }
    auto const old = table.machine.exchange(slot, pack(key, value));
    return {value_of(old) == Bits::empty_value ? Outcome::inserted : Outcome::updated, slot, value};
  }

  /// The key stays and its value becomes empty. Of several threads erasing one key, one sees `erased`.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto erase(Table const& table, typename Table::Key key) -> typename Table::Result
  {
    using Bits = typename Table::Bits;
    auto const place = Family::find(table, key);
    if (place.outcome == Outcome::missing) { return place; }
    auto const old = table.machine.exchange(place.slot, pack(key, Bits::empty_value));
    return {value_of(old) == Bits::empty_value ? Outcome::missing : Outcome::erased, place.slot, value_of(old)};
  }
};

/// A family of tables that are built at once.
template <class Family>
concept IsStatic = std::derived_from<Family, StaticFamily<Family>>;

}  // namespace slotscape
