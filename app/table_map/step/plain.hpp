#pragma once

#include "app/table_map/step/retold.hpp"

#include <cstddef>
#include <vector>

namespace slotscape {

/// The trace for readers who have not heard of compare-and-swap: what it explains of single accesses is left out,
/// slots that are read again before anything is written are read once and an eviction is one move (`told_steps`), and
/// its summary counts probes.
/// `written`: how keys are written.
Trace in_plain_words(Trace trace, FamilyInfo const& family, KeyWriter const& written);

/// The trace for who does not see values: nothing is said of them.
Trace without_values(Trace trace);

/// The steps of a trace that `in_plain_words` keeps, in order: all but the reads with which an insertion makes sure,
/// before it writes, of what it has seen, and what protects an eviction from other threads. The last step is always
/// kept.
std::vector<std::size_t> told_steps(Trace const& trace);

}  // namespace slotscape
