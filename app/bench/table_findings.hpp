#pragma once

#include "app/base/findings.hpp"
#include "app/bench/measure.hpp"
#include "app/keys/comparing.hpp"

namespace slotscape {

/// --- what is to be said of measured tables, besides their figures.

/// Why a table holds fewer keys than it was to hold; empty if it does not.
Findings shortage_of(bench::TableCase const& subject, bench::TableBench const& table);
/// What was not measured of an operation, since it would take longer than `max_seconds`; 0 where nobody can allow more.
Findings findings_of(OperationResult const& result, double max_seconds);
/// Why a mix ran on fewer keys than fill the table; empty if it did not. `filled`: these.
Findings findings_of_keys(OperationResult const& result, std::uint64_t filled);
/// What was noticed of the columns of a join. `keeps_unmatched`: it is a left or an anti join, among others.
Findings findings_of_join(KeySettings const& build, KeySettings const& probe, bool keeps_unmatched,
                          LookAlikes& look_alikes);
std::string how_to_allow_more();
/// Why an operation has no result, as the end of a sentence.
std::string why_left_out(bench::Timed timed, bench::TableCase const& subject, bench::TableBench const& table);

}  // namespace slotscape
