#pragma once

#include "app/base/setting.hpp"
#include "gpu/tables/settings.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace slotscape::tuning {

/// Into how many shards tables may be divided, and where these are.
struct Division {
  std::vector<std::uint32_t> shards{1};  ///< different numbers, ascending, at least one; 1: in one piece
  ShardDevices devices = ShardDevices::one;
  KeysStart keys_start = KeysStart::spread;
  friend bool operator==(Division const&, Division const&) = default;

  bool divides() const { return shards.back() > 1; }
  /// Whether tables of several numbers of shards compete.
  bool compares() const { return shards.size() > 1; }
  /// The table in so many shards, with the slots that it had. Equal tables have equal settings.
  TableSettings divided(TableSettings table, std::uint32_t count) const;
  /// Whether a table is one of those that are asked for.
  bool has(TableSettings const& table) const;
};

/// With a shard on each of so many devices, beside tables in one piece; numbers of shards that were asked for stay.
Division over_devices(Division division, std::uint32_t devices);
/// Ascending, each once.
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
