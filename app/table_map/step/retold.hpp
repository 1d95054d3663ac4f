#pragma once

#include "gpu/engine/trace.hpp"
#include "gpu/tables/family.hpp"

#include <functional>
#include <string>

namespace slotscape {

/// How a key is written in sentences.
using KeyWriter = std::function<std::string(Key)>;

/// The trace with other words for its keys in all of its sentences: "Ada hashes to slot 5". It is told again, with
/// numbers for keys that nothing else in it has, and the words take their places.
Trace retold(Trace const& trace, FamilyInfo const& family, KeyWriter const& written);

}  // namespace slotscape
