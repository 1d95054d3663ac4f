#pragma once

#include "gpu/execution/executor.hpp"
#include "gpu/tables/pair_words.hpp"

namespace slotscape {

/// The pairs that a static table is built from, in device memory: keys are distinct and not reserved.
template <PairFormat Format>
struct Contents {
  typename Format::Key const* keys;
  typename Format::Value const* values;
  std::uint64_t kept;      ///< number of pairs from the old table, which come first, in slot order
  std::uint64_t count;     ///< total number of pairs
  bool ascending = false;  ///< whether the keys of the new pairs ascend
};

/// The outcome of an attempt to build a table.
enum class Built : std::uint8_t {
  done,
  unlucky,  ///< another seed may succeed
  too_full  ///< no seed will succeed: there are too many keys
};

/// Common parts of families whose tables are built as a whole. Instead of inserting new keys, such a family has
///
///   template <exec::Executor Exec, PairFormat Format>
///   static Built build(Exec&, Layout<Format>& layout, std::uint64_t seed, Contents<Format> const& pairs,
///                      typename Format::Word* words, std::uint64_t* metadata);
///
/// which writes the pairs to `words` (layout.slots() of them, all empty) and `metadata` (layout.metadata() numbers, all
/// 0). It stores in the layout whatever `find` needs (seeds, counts), but does not change sizes. `StaticTable` calls it
/// with the layout of an empty table, and with another seed for each attempt. `find` returns the key's slot even if the
/// key is erased: its word keeps the key, with the empty value, until the table is rebuilt. Functors that `build` runs
/// must not be private members, because CUDA does not accept them.
template <class Family>
struct StaticFamily : PairWords {
  static constexpr bool is_built_as_a_whole = true;
  static constexpr int attempts = 8;  ///< attempts to build a table from the same keys, each with another seed

  static constexpr Guarantees guarantees(TableSettings const&)
  {
    return {.concurrency = Concurrency::phased, .erase_frees_slot = true, .is_static = true};
  }

  /// Updates a stored key and revives an erased one. Reports `full` for a new key: the table must be rebuilt. Since no
  /// slot changes its key, exactly one of several threads that revive a key gets `inserted`.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto insert(Table const& table, typename Table::Key key, typename Table::Value value) ->
      typename Table::Result
  {
    using Format = typename Table::Format;
    auto const place = Family::find(table, key);
    if (place.slot == no_slot) { return {Outcome::full, no_slot, value}; }
    auto const old = put(table, place.slot, pack(key, place.value), value);
    return {value_of(old) == Format::empty_value ? Outcome::inserted : Outcome::updated, place.slot, value};
  }

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto erase(Table const& table, typename Table::Key key) -> typename Table::Result
  {
    return erase_value(table, Family::find(table, key), key);
  }
};

/// A family of tables that are built as a whole.
template <class Family>
concept IsStatic = Family::is_built_as_a_whole;

}  // namespace slotscape
