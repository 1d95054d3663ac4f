#pragma once

#include "gpu/analysis/occupancy.hpp"
#include "gpu/engine/trace.hpp"
#include "gpu/execution/executor.hpp"
#include "gpu/tables/family.hpp"
#include "gpu/tables/slot_mark.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace slotscape {

/// Operations submitted together, in device memory.
template <PairFormat Format>
struct Batch {
  std::uint64_t count;
  Operation const* operations;
  typename Format::Key const* keys;
  typename Format::Value* values;            ///< in for inserts, out for finds (`Format::empty_value` if missing)
  Outcome* outcomes;                         ///< out
  std::uint8_t* changes;                     ///< out: one per slot; or null
  bool distinct;                             ///< no key is inserted twice
  OperationMask kinds = OperationMask::all;  ///< operations that may occur
  bool keeps_outcomes = true;                ///< if false, `outcomes` is scratch memory: nobody reads it afterwards
};

/// A table of one family in the memory of one device, and the queries that inspect it.
template <exec::Executor Exec, PairFormat Format>
class Table {
public:
  using Key = typename Format::Key;
  using Word = typename Format::Word;

  virtual ~Table() = default;

  virtual FamilyInfo const& info() const = 0;
  /// With the table's actual number of slots.
  virtual TableSettings const& settings() const = 0;
  virtual std::uint64_t memory_bytes() const = 0;
  /// A word for each slot, as of the last `scan`; those it marked live hold a pair.
  virtual Word const* words() const = 0;
  virtual void clear() = 0;

  /// Marks every slot, fills level 0 of the occupancy, and counts the measures of the live keys.
  virtual void scan(Occupancy const& occupancy, SlotMark* marks, exec::HistogramView measures) = 0;
  /// Count what `FamilyInfo::groups` and `FamilyInfo::moves` describe.
  virtual void count_groups(exec::HistogramView groups) = 0;
  virtual void count_moves(exec::HistogramView moves) = 0;
  /// Writes the memory accesses of a lookup of each key to `accesses`; each lookup gives up after `most`. Both arrays
  /// are in device memory.
  virtual void count_accesses(Key const* keys, std::uint64_t count, std::uint32_t most, std::uint32_t* accesses) = 0;

  virtual std::vector<SlotInfo> read(std::span<Slot const> slots) = 0;
  /// The first slot of each access of a lookup, in order, then the slot of the key; `value` if it is found.
  virtual ProbePath probe_path(slotscape::Key key) = 0;
  virtual Trace trace(Operation operation, slotscape::Key key, slotscape::Value value) = 0;
  /// Checks what the family guarantees about its memory between batches: empty, or what is wrong and where.
  virtual std::string check_invariants() = 0;
};

/// A table that runs batches; `table_of` picks one for each family.
template <exec::Executor Exec, PairFormat Format>
class BatchTable : public Table<Exec, Format> {
public:
  /// Runs the batch as the family's guarantees say; adds the seconds of the table's own work.
  virtual Tally run(Batch<Format> const& batch, double& seconds) = 0;
  /// Takes on the contents of `other`, a table of the same family, settings and executor.
  virtual void copy_from(BatchTable const& other) = 0;
};

template <exec::Executor Exec, PairFormat Format>
using MakeTable = std::unique_ptr<BatchTable<Exec, Format>> (*)(Exec&, TableSettings const&);

}  // namespace slotscape
