#pragma once

#include "gpu/watch/sampled_homes.hpp"
#include "gpu/watch/table_view.hpp"

#include <optional>
#include <span>

namespace slotscape::watch {

/// Mean accesses of lookups in a table. Of a sample of its homes or of absent keys, the true means are within so much
/// of these with a confidence of 95 %; 0: all of them were counted.
struct LookupCosts {
  double hit = 1.0;
  double miss = 1.0;
  double hit_within = 0.0;
  double miss_within = 0.0;
};

/// Twice as many; the next prime where double hashing is by a prime, because steps must not share a factor with it.
std::uint64_t twice_the_slots(TableView const& view);
/// What lookups would take in a table of `slots` slots, probed in the same way, with these keys and nothing else: the
/// keys are put into one, in their order, and found again, with absent keys: from every home for linear probing, else a
/// sample of them. Nothing where keys may have to move (cuckoo hashing, chains), or do not fit. `slots` must be a
/// number that the description could have.
std::optional<LookupCosts> costs_after_rehash(TableView view, std::uint64_t slots, std::span<AnyKey const> live);
/// The same of linear probing, whose costs follow from the keys of each home: `counts`, of sampled homes of a table
/// with these many slots. Nothing if the rest of the table is not like the sample: a few long runs of keys, such as
/// consecutive numbers under the identity, make most of the costs and may all lie between the samples. `blocks`: the
/// keys of all homes, in blocks.
std::optional<LookupCosts> costs_of_homes(TableView view, std::uint64_t slots, SampledHomes const& homes,
                                          std::span<std::uint32_t const> counts, std::span<std::uint32_t const> blocks);

}  // namespace slotscape::watch
