#pragma once

#include "app/base/findings.hpp"
#include "app/bench/measure.hpp"
#include "app/keys/comparing.hpp"

namespace slotscape {

/// --- findings about measured tables.

/// Why a table holds fewer keys than intended; empty if it does not.
Findings shortage_of(bench::TableCase const& subject, bench::TableBench const& table);
/// The operations that were left out because they would take longer than `max_seconds`; 0 if the limit is fixed.
Findings findings_of(OperationResult const& result, double max_seconds);
/// Why a mix ran on fewer keys than fill the table; empty if it did not. `filled`: the number of keys that fill it.
Findings findings_of_keys(OperationResult const& result, std::uint64_t filled);
/// Findings about the columns of a join. `keeps_unmatched`: whether the join keeps unmatched rows, such as a left or an
/// anti join.
Findings findings_of_join(KeySettings const& build, KeySettings const& probe, bool keeps_unmatched,
                          LookAlikes& look_alikes);
std::string how_to_allow_more();
/// Why an operation has no result, as the end of a sentence.
std::string why_left_out(bench::Timed timed, bench::TableCase const& subject, bench::TableBench const& table);

}  // namespace slotscape
