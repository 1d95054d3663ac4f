#pragma once

#include "gpu/base/types.hpp"
#include "gpu/tables/hash_choice.hpp"

#include <map>
#include <string>

namespace slotscape {

/// Where the keys of a sharded table's batches are before they are distributed to the shards.
enum class KeysStart : std::uint8_t {
  spread,     ///< each device has an equal part of the batch
  one_device  ///< the first device has the whole batch
};

/// Where the shards of a table are.
enum class ShardDevices : std::uint8_t {
  one,  ///< all on the first device
  each  ///< each on the next device, starting over if there are fewer devices; batches start on the first
};

/// Where the memory of a GPU table is allocated.
enum class TableMemory : std::uint8_t {
  device,
  host  ///< pinned and mapped host memory: every access crosses the bus
};

struct TableSettings {
  std::string family = "linear_probing";
  std::uint64_t slots = 1u << 16;
  Deletion deletion = Deletion::empty_value;
  HashChoice hash = {};
  int key_bits = 32;  ///< width of keys and of values: 32 or 64
  /// Parameters of the family (`FamilyInfo::parameters`) that differ from their defaults.
  std::map<std::string, std::uint32_t> parameters = {};
  Combine combine = Combine::replace;
  /// Keys without values: a set, which erases by `tombstone_reuse` (`FamilyInfo::keys_alone`).
  bool keys_only = false;
  /// Number of equal tables, each on its own device, that share keys and slots (gpu/tables/shards.hpp); 1: not sharded.
  std::uint32_t shards = 1;
  KeysStart keys_start = KeysStart::spread;  ///< for sharded tables
  ShardDevices devices = ShardDevices::one;  ///< for sharded tables
  TableMemory memory = TableMemory::device;
  friend bool operator==(TableSettings const&, TableSettings const&) = default;
};

}  // namespace slotscape
