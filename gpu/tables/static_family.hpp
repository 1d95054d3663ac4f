#pragma once

#include "gpu/execution/executor.hpp"
#include "gpu/tables/pair_words.hpp"

namespace slotscape {

/// The pairs that a static table is built from, in memory of the device: keys are distinct, none is reserved.
template <PairFormat Format>
struct Contents {
  typename Format::Key const* keys;
  typename Format::Value const* values;
  std::uint64_t kept;   ///< the first of them, which the table has held so far, in the order of their slots
  std::uint64_t count;  ///< of all
};

/// What came of an attempt to build a table.
enum class Built : std::uint8_t {
  done,
  unlucky,  ///< another seed may succeed
  too_full  ///< no seed will succeed: there are too many keys
};

/// What families share whose tables are built as a whole. Such a family has no insertion of new keys, but
///
///   template <exec::Executor Exec, PairFormat Format>
///   static Built build(Exec&, Layout<Format>& layout, std::uint64_t seed, Contents<Format> const& pairs,
///                      typename Format::Word* words, std::uint64_t* metadata);
///
/// which puts the pairs into `words` (layout.slots() of them, all empty) and `metadata` (layout.metadata() numbers, all
/// 0) and notes in the layout whatever `find` needs of it (seeds, counts), but not other sizes. `StaticTable` calls it
/// with the layout of an empty table and seeds that differ from attempt to attempt. `find` answers with the key's slot
/// also where the key is erased: its word keeps the key, with the empty value, until the table is rebuilt. Functors
/// that `build` runs are not private members: CUDA would not take them.
template <class Family>
struct StaticFamily : PairWords {
  static constexpr int attempts = 8;  ///< to build a table of the same keys, each with another seed

  static constexpr Guarantees guarantees(TableSettings const&)
  {
    return {.concurrency = Concurrency::phased, .erase_frees_slot = true, .is_static = true};
  }

  /// Gives a stored key its value, and an erased one comes back. A new key is `full` here: the table must be rebuilt.
  /// No slot changes its key meanwhile, so that of several threads that bring one key back, one sees `inserted`.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto insert(Table const& table, typename Table::Key key, typename Table::Value value) ->
      typename Table::Result
  {
    using Format = typename Table::Format;
    Slot const slot = Family::find(table, key).slot;
    if (slot == no_slot) { return {Outcome::full, no_slot, value}; }
    auto const old = table.machine.exchange(slot, pack(key, value));
    return {value_of(old) == Format::empty_value ? Outcome::inserted : Outcome::updated, slot, value};
  }

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto erase(Table const& table, typename Table::Key key) -> typename Table::Result
  {
    return erase_value(table, Family::find(table, key), key);
  }
};

/// A family of tables that are built as a whole.
template <class Family>
concept IsStatic = std::derived_from<Family, StaticFamily<Family>>;

}  // namespace slotscape
