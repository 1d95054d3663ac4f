#pragma once

#include "gpu/bench/table_bench.hpp"

#include <span>

namespace slotscape::bench {

/// A kind of memory access to measure. Places are random and aligned; lanes of a GPU read one place together.
enum class MemoryAccess : std::uint8_t {
  read_8,
  read_16,
  read_32,
  read_64,
  read_128,
  compare_exchange_8,   ///< on an empty pair; usually succeeds
  compare_exchange_16,  ///< on a pair of a 64-bit key and value
  store_8,
  stream_read,  ///< sequential, 16 bytes at once
  stream_copy   ///< counts bytes read and written
};
inline constexpr int memory_access_count = 10;

/// Accesses a second, or bytes a second for streams.
using MemoryRates = std::array<double, memory_access_count>;

/// Settings of the measurements.
struct MemorySettings {
  std::uint64_t bytes = 0;  ///< of memory, at least 128
  int repeats = 5;          ///< the median counts; a warm-up precedes them
  std::span<MemoryAccess const> wanted;
};

/// The rates of the requested accesses, and 0 for the rest. nullopt if cancelled. Throws Error if memory runs out.
std::optional<MemoryRates> measure_memory(Backend backend, MemorySettings const& settings, Progress const& progress);

/// The operations a second that would be possible if each took only one access to memory of the table's size: reads of
/// 32 bytes for lookups, compare-and-swaps of a pair for operations that change the table. Batches that are sorted
/// first can be faster.
double limit_of(Timed timed, int key_bits, MemoryRates const& rates, MixShares const& mix = {});
/// The rates that `limit_of` reads.
inline constexpr std::array accesses_of_limits{MemoryAccess::read_32, MemoryAccess::compare_exchange_8,
                                               MemoryAccess::compare_exchange_16};

}  // namespace slotscape::bench
