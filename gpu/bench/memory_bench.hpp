#pragma once

#include "gpu/bench/table_bench.hpp"

#include <span>

namespace slotscape::bench {

/// What a device's memory is asked for. Places are random and aligned; lanes of a GPU read one together.
enum class MemoryAccess : std::uint8_t {
  read_8,
  read_16,
  read_32,
  read_64,
  read_128,
  compare_exchange_8,   ///< of an empty pair, which mostly succeeds
  compare_exchange_16,  ///< the same with pairs of 64-bit keys and values
  store_8,
  stream_read,  ///< one after another, 16 bytes at once
  stream_copy   ///< counts bytes read and written
};
inline constexpr int memory_access_count = 10;

/// How often a second, or how many bytes a second of a stream.
using MemoryRates = std::array<double, memory_access_count>;

/// What the measurements are made of.
struct MemorySettings {
  std::uint64_t bytes = 0;  ///< of memory, at least 128
  int repeats = 5;          ///< whose median counts, after one that does not
  std::span<MemoryAccess const> wanted;
};

/// The rates of what is wanted, and 0 for the rest. Nothing if it was cancelled. Throws Error if memory runs out.
std::optional<MemoryRates> measure_memory(Backend backend, MemorySettings const& settings, Progress const& progress);

/// What an operation could reach, a second, if each took no more than one access to memory of the table's size: reads
/// of 32 bytes for lookups, compare-and-swaps of a pair for what changes the table. Batches that are brought into order
/// first can be faster.
double limit_of(Timed timed, int key_bits, MemoryRates const& rates, MixShares const& mix = {});
/// What `limit_of` reads.
inline constexpr std::array accesses_of_limits{MemoryAccess::read_32, MemoryAccess::compare_exchange_8,
                                               MemoryAccess::compare_exchange_16};

}  // namespace slotscape::bench
