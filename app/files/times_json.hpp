#pragma once

#include "app/files/json_file.hpp"

#include <vector>

namespace slotscape {

/// Of times: their `count`, `median_ms` and `p99_ms`.
Json times_json(std::vector<double> seconds);

}  // namespace slotscape
