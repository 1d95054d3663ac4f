#pragma once

#include "app/tuning/results.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/tables/family.hpp"

#include <optional>
#include <string>
#include <vector>

namespace slotscape::tuning {

/// What there is to choose from.
struct Candidates {
  std::vector<Candidate> possible;
  std::vector<Skipped> skipped;
};

/// The title of its family alone, without parameters.
std::string family_title_of(Candidate const& candidate);
/// Where its family stands among all, those by others last: for lists that are the same from run to run.
std::size_t place_of(Candidate const& candidate);
/// Whether it is one of `bench::rivals`: they are measured on a CPU, and cannot be opened, tuned or written as code
/// here.
bool is_by_others(Candidate const& candidate);
/// Whether the hash of its settings decides where its keys belong: of tables by others, nothing is known of that.
bool uses_hash(Candidate const& candidate);

/// How far a table can be filled with random keys.
struct Room {
  double load = 1.0;       ///< that is safe, rounded down
  std::uint64_t keys = 0;  ///< more than the workload has, up to it
};
/// Nothing of multi-value tables and of those by others, which grow by themselves.
std::optional<Room> room_of(Results const& results, Candidate const& candidate);

/// The table of a candidate, with slots for `keys` live keys at this load; the load that it really has.
Candidate candidate_of(TableSettings table, double load, std::uint64_t keys);

/// Loads that differ by no more are the same: what rounding of slots to buckets makes of one.
inline constexpr double same_load = 0.005;

/// Up to so many keys that bring a smaller table to the load of a candidate; `most` if none do.
std::uint64_t keys_at_load_of(Candidate const& candidate, std::uint64_t most);
/// The smaller table that stands for a candidate where there are only so many keys: at its load if any has it.
Candidate stand_in_of(Candidate const& candidate, std::uint64_t most);

/// Every family with its usual parameters at a few loads; at least one load each, if it can work at all. In the most
/// shards that the workload names, at one load: others are tried around what is promising. `keys`: live ones of the
/// full table.
Candidates coarse_candidates(Backend backend, Workload const& workload, std::uint64_t keys);
/// A table of a candidate in each other number of shards that the workload names.
Candidates other_shards_of(Backend backend, Workload const& workload, std::uint64_t keys, Candidate const& candidate);
/// A promising one with loads `step` below and above; and with each other choice of each parameter, other hashes, ways
/// to delete and numbers of shards.
Candidates other_loads_of(Backend backend, Workload const& workload, std::uint64_t keys, Candidate const& candidate,
                          double step);
Candidates variants_of(Backend backend, Workload const& workload, std::uint64_t keys, Candidate const& candidate);
/// The present setting of the workload, if it has one. Throws Error if it cannot work.
std::optional<Candidate> present_candidate(Backend backend, Workload const& workload, std::uint64_t keys);

/// Why a candidate cannot serve the workload, in words; empty if it can. From what the family guarantees, the width of
/// keys, the memory of the device and the budget of the workload.
LazyText obstacle(Backend backend, Workload const& workload, std::uint64_t keys, Candidate const& candidate);

}  // namespace slotscape::tuning
