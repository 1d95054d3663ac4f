#pragma once

#include "gpu/watch/watched_table.hpp"

namespace slotscape::watch {

/// Other descriptions of the same memory: by other hashes, reductions and kinds of probing, the plain ones first.
std::vector<Description> alternatives(Description const& table);

/// Those of the alternatives that find clearly more keys than the description, the best first.
std::vector<Check::Better> better_ones(Check const& check, std::span<Description const> tried,
                                       std::span<std::uint64_t const> found);

}  // namespace slotscape::watch
