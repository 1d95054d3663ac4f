#pragma once

#include "app/tuning/results.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/tables/family.hpp"

#include <optional>
#include <string>
#include <vector>

namespace slotscape::tuning {

/// The candidates of a sweep.
struct Candidates {
  std::vector<Candidate> possible;
  std::vector<Skipped> skipped;
};

/// The title of the candidate's family, without parameters.
std::string family_title_of(Candidate const& candidate);
/// The position of the candidate's family among all, with other libraries last: gives lists the same order in every
/// run.
std::size_t place_of(Candidate const& candidate);
/// Whether the table is one of `bench::rivals`: they are measured on a CPU, and cannot be opened, tuned or written as
/// code here.
bool is_by_others(Candidate const& candidate);
/// Whether the hash in the settings decides the homes of keys; for tables from other libraries, that is not known.
bool uses_hash(Candidate const& candidate);

/// How far a table can be filled with random keys.
struct Room {
  double load = 1.0;       ///< the safe load, rounded down
  std::uint64_t keys = 0;  ///< additional keys up to that load
};
/// nullopt for multi-value tables and for those from other libraries, which grow by themselves.
std::optional<Room> room_of(Results const& results, Candidate const& candidate);

/// A candidate with enough slots for `keys` live keys at this load; its load is the actual one.
Candidate candidate_of(TableSettings table, double load, std::uint64_t keys);

/// Loads that differ by no more count as the same: rounding slots to buckets changes a load this much.
inline constexpr double same_load = 0.005;

/// The largest number of keys, up to `most`, that gives a smaller table the load of a candidate; `most` if none does.
std::uint64_t keys_at_load_of(Candidate const& candidate, std::uint64_t most);
/// The smaller table that stands in for a candidate if only `most` keys are available: at the candidate's load if
/// possible.
Candidate stand_in_of(Candidate const& candidate, std::uint64_t most);

/// Every family with its default parameters at a few loads; at least one load each, if the family can work. With the
/// largest number of shards that the workload names, at one load: other numbers are tried later around promising
/// candidates. `keys`: live keys of the full table.
Candidates coarse_candidates(Backend backend, Workload const& workload, std::uint64_t keys);
/// A candidate's table with each other number of shards that the workload names.
Candidates other_shards_of(Backend backend, Workload const& workload, std::uint64_t keys, Candidate const& candidate);
/// Neighbours of a promising candidate: loads `step` below and above; and each other choice of each parameter, other
/// hashes, deletions and numbers of shards.
Candidates other_loads_of(Backend backend, Workload const& workload, std::uint64_t keys, Candidate const& candidate,
                          double step);
Candidates variants_of(Backend backend, Workload const& workload, std::uint64_t keys, Candidate const& candidate);
/// The present setting of the workload, if it has one. Throws Error if it cannot work.
std::optional<Candidate> present_candidate(Backend backend, Workload const& workload, std::uint64_t keys);

/// Why a candidate cannot serve the workload, in words; empty if it can. Considers the family's guarantees, the key
/// width, the memory of the device and the workload's budget.
LazyText obstacle(Backend backend, Workload const& workload, std::uint64_t keys, Candidate const& candidate);

}  // namespace slotscape::tuning
