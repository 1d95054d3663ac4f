#pragma once

#include "gpu/watch/watched_table.hpp"

namespace slotscape::watch {

/// Other descriptions of the same memory, with other hashes, reductions and kinds of probing, the simplest first.
std::vector<Description> alternatives(Description const& table);

/// Descriptions with hashes that leave out bits, drop low bits, or use other words of the key.
std::vector<Description> lossy_alternatives(Description const& table);

/// Descriptions with half and a quarter of the slots, if these numbers are valid.
std::vector<Description> smaller_alternatives(Description const& table);

/// The alternatives to `table` that find clearly more keys, the best first. Leaves out those that merely have wider
/// windows.
std::vector<Check::Better> better_ones(Check const& check, Description const& table, std::span<Description const> tried,
                                       std::span<std::uint64_t const> found);

}  // namespace slotscape::watch
