#pragma once

#include "app/base/setting.hpp"
#include "gpu/tables/settings.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace slotscape::tuning {

/// The numbers of shards that tables may be divided into, and the placement of the shards.
struct Division {
  std::vector<std::uint32_t> shards{1};  ///< distinct, ascending, at least one number; 1: in one piece
  ShardDevices devices = ShardDevices::one;
  KeysStart keys_start = KeysStart::spread;
  friend bool operator==(Division const&, Division const&) = default;

  bool divides() const { return shards.back() > 1; }
  /// Whether tables with different numbers of shards compete.
  bool compares() const { return shards.size() > 1; }
  /// The table in so many shards, with the same total number of slots. Equal tables have equal settings.
  TableSettings divided(TableSettings table, std::uint32_t count) const;
  /// Whether a table is one of those requested.
  bool has(TableSettings const& table) const;
};

/// Adds a division with one shard on each of so many devices, beside tables in one piece; requested numbers of shards
/// are kept.
Division over_devices(Division division, std::uint32_t devices);
/// Sorts ascending and removes duplicates.
std::vector<std::uint32_t> in_order(std::vector<std::uint32_t> shards);
/// "in one piece", "in 4 shards".
std::string pieces_text(std::uint32_t shards);
/// "in 1, 2 and 4 shards, each on a device of its own"; empty if nothing is divided.
std::string text_of(Division const& division);
/// Throws Error, saying what to do, if the fields contradict each other.
void validate(Division const& division);

}  // namespace slotscape::tuning

namespace slotscape {
template <>
std::span<Setting<tuning::Division> const> settings_of();
}  // namespace slotscape
