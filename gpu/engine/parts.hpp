#pragma once

#include "gpu/tables/settings.hpp"
#include "gpu/tables/table_parts.hpp"

#include <cstdint>
#include <string>

namespace slotscape {

/// The parts of a table, with as many slots as it really has: its shards, if it has several, else what its family
/// divides it into, which may be nothing. Error if there is no such family.
TableParts parts_of(TableSettings const& settings);

/// Arrays of equally many slots, one after another, each with a hash function of its own that is a sum done by hand: of
/// cuckoo hashing as textbooks have it, with buckets of one slot. Their slots are counted from 0, as the sums count
/// them.
class SlotArrays {
public:
  /// Those of a table; none of most.
  static SlotArrays of(TableSettings const& settings);
  SlotArrays() = default;
  explicit SlotArrays(Slot slots_each) : slots_each_(slots_each) {}

  /// 0: there are none, and slots are counted through.
  Slot slots_each() const { return slots_each_; }
  /// The number of a slot as people read it.
  Slot number(Slot slot) const { return slots_each_ == 0 ? slot : slot % slots_each_; }
  /// The same in a sentence: "13", "2 in T2".
  std::string in_words(Slot slot) const;
  /// What the table's family measures of a key, which is the function that has led it there: "h2", and without arrays
  /// the number.
  std::string measured(std::uint64_t value) const;
  /// What leads keys to an array, from 0: "h2(k) = (k div 11) mod 11".
  std::string function(Slot array) const;

private:
  Slot slots_each_ = 0;
};

/// How much of a table lies on the first of so many devices, as a share: of shards with a device each, as many as share
/// that one.
inline double share_of_first_device(TableSettings const& table, std::uint32_t devices)
{
  if (table.devices == ShardDevices::one || devices == 0) { return 1.0; }
  std::uint32_t const there = (table.shards + devices - 1) / devices;
  return static_cast<double>(there) / static_cast<double>(table.shards);
}

}  // namespace slotscape
