#pragma once

#include "gpu/base/error.hpp"
#include "gpu/engine/partition.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace slotscape {

/// The most pages of a table: one pass of the partition deals a batch to them.
inline constexpr std::uint32_t max_pages = partition::max_bins;

/// How a table is divided into pages, and what memory its calls may take.
struct PagingOptions {
  std::uint32_t pages = 64;  ///< from 1 to `max_pages`; on a GPU, of 100 to 500 MB each
  /// Keys that are dealt to the pages, or brought to a page, at once. The device needs 256 bytes for each of them. 0:
  /// as many as suit the device, at most 2^25.
  std::uint64_t keys_at_once = 0;
  /// Memory of the device for keys that wait for their page: more of them at once have fewer pages moved. 0: what is
  /// free when a call comes first.
  std::uint64_t queue_bytes = 0;
  /// Pinned memory of the host for more of them, which then cross the bus twice.
  std::uint64_t host_queue_bytes = 0;
  /// Told, while the table is made, which share of its pages there is: pinning memory takes a second for 2 GB. What it
  /// throws ends that.
  std::function<void(double share)> making = {};
};

/// What the latest call of a paged table took. Copies and the tables' work overlap: their seconds add up to more than
/// the `whole`.
struct PagingReport {
  struct Seconds {
    double deal = 0.0;        ///< reading the batch, and dealing it to the pages
    double copy_in = 0.0;     ///< pages, and keys to them
    double table = 0.0;       ///< the pages' own work
    double copy_out = 0.0;    ///< changed pages, and results
    double bring_back = 0.0;  ///< results in the order asked
    double whole = 0.0;
  };
  /// Over the bus, of whatever kind.
  struct Bytes {
    std::uint64_t in = 0;  ///< to the device
    std::uint64_t out = 0;
  };

  Seconds seconds;
  Bytes bytes;
  std::uint64_t rounds = 0;     ///< how often the pages were gone through
  std::uint64_t pages_in = 0;   ///< copied to the device
  std::uint64_t pages_out = 0;  ///< copied back
};

namespace library {

/// Throws Error if no table has so many pages.
inline void validate_pages(std::uint32_t pages)
{
  if (pages >= 1 && pages <= max_pages) { return; }
  throw Error("A table cannot have " + std::to_string(pages) + " pages: choose from 1 to " + std::to_string(max_pages) +
              ".");
}

}  // namespace library

}  // namespace slotscape
