#pragma once

#include "gpu/engine/trace.hpp"
#include "gpu/tables/family.hpp"

namespace slotscape {

/// Fills in what people read and see of a trace whose accesses are there: each step's text, where a written key came
/// from, and the summary.
void narrate(Trace& trace, FamilyInfo const& family);

}  // namespace slotscape
