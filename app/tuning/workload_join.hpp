#pragma once

#include "app/tuning/workload.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

/// The functions for joins that `workload.cpp` calls, and helpers of both.
namespace slotscape::tuning {

/// Throws Error if the fields of a workload's join contradict each other or the keys.
void validate_join(Workload const& workload);
/// The build side of a join with generated keys: at most `most` rows.
WorkloadKeys build_side_of(Workload const& workload, std::uint64_t most);
/// Fills in the share of matching rows. Returns false if cancelled.
bool find_match(Workload const& workload, WorkloadKeys& keys, Progress const& progress);

/// Key settings for an in-memory list, as if it were a file.
inline KeySettings keys_of(std::vector<Key> list, KeySettings const& source)
{
  KeySettings keys = source;
  keys.distribution = KeyDistribution::file;
  keys.file_keys = std::make_shared<std::vector<Key> const>(std::move(list));
  return keys;
}

/// Sorts in parts of a few milliseconds each. Returns false if cancelled.
template <class T>
bool sort_in_parts(std::vector<T>& items, Progress const& progress)
{
  constexpr std::size_t part = std::size_t{1} << 18;
  auto const at = [&](std::size_t i) { return items.begin() + static_cast<std::ptrdiff_t>(std::min(i, items.size())); };
  for (std::size_t i = 0; i < items.size(); i += part) {
    if (progress.cancelled()) { return false; }
    std::sort(at(i), at(i + part));
  }
  for (std::size_t width = part; width < items.size(); width *= 2) {
    for (std::size_t i = 0; i < items.size(); i += 2 * width) {
      if (progress.cancelled()) { return false; }
      std::inplace_merge(at(i), at(i + width), at(i + 2 * width));
    }
  }
  return true;
}

}  // namespace slotscape::tuning
