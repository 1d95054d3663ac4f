#pragma once

#include "gpu/watch/table_view.hpp"

#include <optional>
#include <span>

namespace slotscape::watch {

/// Mean accesses of lookups in a table.
struct LookupCosts {
  double hit = 1.0;
  double miss = 1.0;
};

/// What lookups would take in a table of `slots` slots, probed in the same way, with these keys and nothing else: the
/// keys are put into one, in their order, and found again, with a sample of absent keys. Nothing where keys may have to
/// move (cuckoo hashing, chains), or do not fit. `slots` must be a number that the description could have.
std::optional<LookupCosts> costs_after_rehash(TableView view, std::uint64_t slots, std::span<Pair const> live);

}  // namespace slotscape::watch
