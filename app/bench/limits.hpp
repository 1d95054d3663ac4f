#pragma once

#include "app/bench/report.hpp"
#include "gpu/execution/backend.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace slotscape {

class BenchProgress;

/// Sizes in bytes, from those that fit in the caches to those that do not.
std::vector<std::uint64_t> usual_memory_sizes(Backend backend);

std::vector<std::string> limit_columns();
std::vector<std::string> limit_identity();

/// Measures memory of each size, one row per size, in millions of accesses or, for a stream, of bytes per second.
/// Returns false if Ctrl-C ended it.
bool run_limit_bench(Backend backend, std::span<std::uint64_t const> sizes, int repeats, BenchReport& report,
                     BenchProgress& progress, double max_seconds = 0.0);

}  // namespace slotscape
