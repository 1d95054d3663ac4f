#pragma once

#include "gpu/tables/hash.hpp"
#include "gpu/tables/slot_mark.hpp"

namespace slotscape::passes {

/// Families that measure a key by its distance in slots from home, wrapping around the end of the table, and whose
/// words alone tell the state of a slot: without a value, it is a tombstone or empty. A host describes many such slots
/// at once.
template <class Family, class Table>
concept MeasuresDistance = Family::measures_distance && std::same_as<typename Table::Format, Narrow>;

/// Describes 256 slots of a `MeasuresDistance` table with the vector instructions of x86 (AVX2).
class DistanceScan {
public:
  static constexpr int size = 256;
  static constexpr std::uint32_t no_measure = 0xffffffffu;

  explicit DistanceScan(BasicHasher<Narrow::Key> const& hasher) : hasher_(hasher) {}

  /// Whether the processor has the instructions and the hash takes no remainders.
  bool is_possible() const;

  struct Found {
    std::uint32_t bound;  ///< no measure is larger
    std::uint32_t tombstones;
  };
  /// words: those of the slots from `first` on. measures: of live keys, else `no_measure`. occupied: a bit for each
  /// slot. The marks are valid if `bound` is below `measure_code::exact`.
  Found operator()(Slot first, Narrow::Word const* words, SlotMark* marks, std::uint64_t* occupied,
                   std::uint32_t* measures) const;

private:
  BasicHasher<Narrow::Key> hasher_;
};

}  // namespace slotscape::passes
