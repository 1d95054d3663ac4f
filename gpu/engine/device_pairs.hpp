#pragma once

#include "gpu/tables/validation.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace slotscape {

/// A number for each ordered pair of devices: a source and a destination.
struct DevicePairs {
  std::uint32_t devices = 1;
  std::array<std::uint64_t, std::size_t{max_shards} * max_shards> numbers{};

  std::uint64_t& at(std::uint32_t from, std::uint32_t to) { return numbers[from * devices + to]; }
  std::uint64_t at(std::uint32_t from, std::uint32_t to) const { return numbers[from * devices + to]; }
  /// The sum over all sources for one destination, including the device itself.
  std::uint64_t to(std::uint32_t device) const
  {
    std::uint64_t sum = 0;
    for (std::uint32_t from = 0; from < devices; ++from) { sum += at(from, device); }
    return sum;
  }
  /// The sum over all pairs of different devices.
  std::uint64_t crossing() const
  {
    std::uint64_t sum = 0;
    for (std::uint32_t device = 0; device < devices; ++device) { sum += to(device) - at(device, device); }
    return sum;
  }
  /// The maximum over pairs of different devices, whose link limits the speed of an exchange.
  std::uint64_t busiest() const
  {
    std::uint64_t most = 0;
    for (std::uint32_t from = 0; from < devices; ++from) {
      for (std::uint32_t to = 0; to < devices; ++to) { most = from == to ? most : std::max(most, at(from, to)); }
    }
    return most;
  }
  DevicePairs turned_round() const
  {
    DevicePairs result{devices};
    for (std::uint32_t from = 0; from < devices; ++from) {
      for (std::uint32_t to = 0; to < devices; ++to) { result.at(to, from) = at(from, to); }
    }
    return result;
  }
  void add(DevicePairs const& items, std::uint64_t of_each)
  {
    for (std::size_t i = 0; i < numbers.size(); ++i) { numbers[i] += items.numbers[i] * of_each; }
  }
};

}  // namespace slotscape
