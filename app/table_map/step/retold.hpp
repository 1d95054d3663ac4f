#pragma once

#include "gpu/engine/trace.hpp"
#include "gpu/tables/family.hpp"

#include <functional>
#include <string>

namespace slotscape {

/// Formats a key in sentences.
using KeyWriter = std::function<std::string(Key)>;

/// The trace with keys renamed in all of its sentences: "Ada hashes to slot 5". The trace is told again with unique
/// numbers as keys, which are then replaced by the names.
Trace retold(Trace const& trace, FamilyInfo const& family, KeyWriter const& written);

}  // namespace slotscape
