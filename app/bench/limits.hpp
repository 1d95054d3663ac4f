#pragma once

#include "app/bench/report.hpp"
#include "gpu/execution/backend.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace slotscape {

class BenchProgress;

/// From what fits in the caches to what does not, in bytes.
std::vector<std::uint64_t> usual_memory_sizes(Backend backend);

std::vector<std::string> limit_columns();
std::vector<std::string> limit_identity();

/// Measures what memory of each size can do: a row for each, in millions of accesses, or millions of bytes of a stream,
/// a second. Returns false if Ctrl-C ended it.
bool run_limit_bench(Backend backend, std::span<std::uint64_t const> sizes, int repeats, BenchReport& report,
                     BenchProgress& progress, double max_seconds = 0.0);

}  // namespace slotscape
