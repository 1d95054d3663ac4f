#pragma once

#include "gpu/bench/table_bench.hpp"
#include "gpu/tables/family.hpp"

#include <memory>
#include <span>
#include <string_view>

namespace slotscape::bench {

/// A CPU hash table from another library, to be measured beside the families. It gets memory for the same number of
/// slots or keys, the same keys, and the families' hash if its own does not mix bits.
struct Rival {
  std::string_view name;
  std::string_view package;  ///< the Debian package that contains it
  bool one_thread;           ///< its operations may not run concurrently
  bool built_in;             ///< found when the program was built
  /// Crashes if many keys have the same hash: it doubles its memory until they are separated.
  bool needs_spread_keys = false;
};

/// All rivals that the bench supports, whether compiled in or not.
std::span<Rival const> rivals();
/// Null if no rival has this name.
Rival const* rival_of(std::string_view name);
/// The description of a family, or a minimal one of a rival: its name, and that it accepts any load and number of
/// slots. Throws Error for any other name.
FamilyInfo const& subject_info(std::string const& name);

/// Throws Error if the rival is not compiled in, or memory is too small.
std::unique_ptr<TableBench> make_rival_bench(Rival const& rival, TableCase const& subject);

}  // namespace slotscape::bench
