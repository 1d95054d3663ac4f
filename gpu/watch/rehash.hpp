#pragma once

#include "gpu/watch/sampled_homes.hpp"
#include "gpu/watch/table_view.hpp"

#include <optional>
#include <span>

namespace slotscape::watch {

/// Mean accesses of lookups in a table. If only a sample of its homes or of absent keys was counted, the true means are
/// within this distance of the given means with a confidence of 95 %; 0: everything was counted.
struct LookupCosts {
  double hit = 1.0;
  double miss = 1.0;
  double hit_within = 0.0;
  double miss_within = 0.0;
};

/// Twice the number of slots, or the next prime if double hashing uses a prime, because steps must not share a factor
/// with it.
std::uint64_t twice_the_slots(TableView const& view);
/// The costs of lookups in a table of `slots` slots, probed in the same way, with only these keys. The keys are
/// inserted into such a table, in their order, and looked up again, together with absent keys: from every home for
/// linear probing, otherwise a sample. Returns nullopt if keys may have to move (cuckoo hashing, chains), or do not
/// fit. `slots` must be valid for the description.
std::optional<LookupCosts> costs_after_rehash(TableView view, std::uint64_t slots, std::span<AnyKey const> live);
/// The costs for linear probing, computed from the number of keys of each home: `counts`, of sampled homes of a table
/// with `slots` slots. Returns nullopt if the rest of the table is not like the sample: a few long runs of keys, such
/// as consecutive numbers with the identity hash, cause most of the costs and may all fall between the samples.
/// `blocks`: the keys of all homes, in blocks.
std::optional<LookupCosts> costs_of_homes(TableView view, std::uint64_t slots, SampledHomes const& homes,
                                          std::span<std::uint32_t const> counts, std::span<std::uint32_t const> blocks);

}  // namespace slotscape::watch
