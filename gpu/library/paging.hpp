#pragma once

#include "gpu/base/error.hpp"
#include "gpu/engine/partition.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace slotscape {

/// The maximum number of pages: a single partition pass deals a batch to them.
inline constexpr std::uint32_t max_pages = partition::max_bins;

/// How a table is divided into pages, and how much memory its calls may take.
struct PagingOptions {
  std::uint32_t pages = 64;  ///< from 1 to `max_pages`; on a GPU, of 100 to 500 MB each
  /// Keys that are dealt to the pages, or brought to a page, at once. Each takes 256 bytes on the device. 0: as many as
  /// suit the device, at most 2^25.
  std::uint64_t keys_at_once = 0;
  /// Device memory for keys that wait for their page: the more keys can wait, the fewer pages are moved. 0: the memory
  /// that is free at the first call.
  std::uint64_t queue_bytes = 0;
  /// Pinned host memory for further waiting keys, which then cross the bus twice.
  std::uint64_t host_queue_bytes = 0;
  /// Called while the table is made, with the share of its pages made so far: pinning memory takes a second for 2 GB.
  /// An exception cancels the construction.
  std::function<void(double share)> making = {};
};

/// The costs of a paged table's latest call. Copies and the tables' work overlap: their seconds add up to more than the
/// `whole`.
struct PagingReport {
  struct Seconds {
    double deal = 0.0;        ///< reading the batch and dealing it to the pages
    double copy_in = 0.0;     ///< pages, and their keys
    double table = 0.0;       ///< the pages' own work
    double copy_out = 0.0;    ///< changed pages, and results
    double bring_back = 0.0;  ///< restoring the order of the results
    double whole = 0.0;
  };
  /// Bytes of all kinds that crossed the bus.
  struct Bytes {
    std::uint64_t in = 0;  ///< to the device
    std::uint64_t out = 0;
  };

  Seconds seconds;
  Bytes bytes;
  std::uint64_t rounds = 0;     ///< passes over the pages
  std::uint64_t pages_in = 0;   ///< copied to the device
  std::uint64_t pages_out = 0;  ///< copied back
};

namespace library {

/// Throws Error if a table cannot have this number of pages.
inline void validate_pages(std::uint32_t pages)
{
  if (pages >= 1 && pages <= max_pages) { return; }
  throw Error("A table cannot have " + std::to_string(pages) + " pages: choose from 1 to " + std::to_string(max_pages) +
              ".");
}

}  // namespace library

}  // namespace slotscape
