#pragma once

#include "gpu/watch/watched_table.hpp"

namespace slotscape::watch {

/// Other descriptions of the same memory: by other hashes, reductions and kinds of probing, the plain ones first.
std::vector<Description> alternatives(Description const& table);

/// The same with hashes that leave bits out, or drop low ones, or take other words of the key.
std::vector<Description> lossy_alternatives(Description const& table);

/// The same with half of the slots and with a quarter, where the description is true of so many.
std::vector<Description> smaller_alternatives(Description const& table);

/// Those of the alternatives to `table` that find clearly more keys, the best first, and are not merely wider windows.
std::vector<Check::Better> better_ones(Check const& check, Description const& table, std::span<Description const> tried,
                                       std::span<std::uint64_t const> found);

}  // namespace slotscape::watch
