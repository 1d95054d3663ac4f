#pragma once

#include "gpu/tables/settings.hpp"
#include "gpu/tables/table_parts.hpp"

#include <cstdint>
#include <string>

namespace slotscape {

/// The parts of a table with its actual number of slots: its shards, if it has several, else the parts into which its
/// family divides it, if any. Throws Error if the family is unknown.
TableParts parts_of(TableSettings const& settings);

/// Consecutive arrays of equal size, each with its own hash function that can be computed by hand, as in textbook
/// cuckoo hashing with buckets of one slot. Slots are numbered from 0 within each array, as the hash functions number
/// them.
class SlotArrays {
public:
  /// The arrays of a table; most tables have none.
  static SlotArrays of(TableSettings const& settings);
  SlotArrays() = default;
  explicit SlotArrays(Slot slots_each) : slots_each_(slots_each) {}

  /// 0 if the table has no such arrays; its slots are then numbered consecutively.
  Slot slots_each() const { return slots_each_; }
  /// The slot's number as shown to users.
  Slot number(Slot slot) const { return slots_each_ == 0 ? slot : slot % slots_each_; }
  /// The slot's number as it appears in a sentence: "13", "2 in T2".
  std::string in_words(Slot slot) const;
  /// A measured value of a key in words. With arrays, the value is the hash function that placed the key: "h2". Without
  /// arrays, it is the plain number.
  std::string measured(std::uint64_t value) const;
  /// The hash function of an array, counted from 0: "h2(k) = (k div 11) mod 11".
  std::string function(Slot array) const;

private:
  Slot slots_each_ = 0;
};

/// The share of a table that lies on the first of `devices` devices. If the shards have a device each, this is the
/// share of the shards on the first device.
inline double share_of_first_device(TableSettings const& table, std::uint32_t devices)
{
  if (table.devices == ShardDevices::one || devices == 0) { return 1.0; }
  std::uint32_t const there = (table.shards + devices - 1) / devices;
  return static_cast<double>(there) / static_cast<double>(table.shards);
}

}  // namespace slotscape
