#pragma once

#include "gpu/bench/table_bench.hpp"
#include "gpu/tables/family.hpp"

#include <memory>
#include <span>
#include <string_view>

namespace slotscape::bench {

/// A hash table for CPUs by others, to be measured beside the families. It gets memory for the same number of slots or
/// keys, the same keys, and the same hash if its own would be none.
struct Rival {
  std::string_view name;
  std::string_view package;  ///< of Debian, that it comes from
  bool one_thread;           ///< its operations may not run at once
  bool built_in;             ///< it was there when the program was built
  /// It crashes where many keys have the same hash: it doubles its memory until they are told apart.
  bool needs_spread_keys = false;
};

/// All that the bench knows, whether they are built in or not.
std::span<Rival const> rivals();
/// Null if there is none of this name.
Rival const* rival_of(std::string_view name);
/// The description of a family, or what there is to say of a rival: its name, and that it takes any load and number of
/// slots. Throws Error for any other name.
FamilyInfo const& subject_info(std::string const& name);

/// Throws Error if the rival is not built in, or its memory does not suffice.
std::unique_ptr<TableBench> make_rival_bench(Rival const& rival, TableCase const& subject);

}  // namespace slotscape::bench
