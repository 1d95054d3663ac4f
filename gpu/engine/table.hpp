#pragma once

#include "gpu/analysis/scan_cells.hpp"
#include "gpu/engine/batch.hpp"
#include "gpu/engine/trace.hpp"
#include "gpu/execution/executor.hpp"
#include "gpu/tables/family.hpp"
#include "gpu/tables/slot_mark.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace slotscape {

struct ShardReport;

/// A table of one family in the memory of one device, and the queries that inspect it.
template <exec::Executor Exec, PairFormat Format>
class Table {
public:
  using Key = typename Format::Key;
  using Word = typename Format::Word;

  static constexpr bool counts_moves = true;

  virtual ~Table() = default;

  virtual FamilyInfo const& info() const = 0;
  /// With the table's actual number of slots.
  virtual TableSettings const& settings() const = 0;
  virtual std::uint64_t memory_bytes() const = 0;
  /// Slots of its memory: more than those of its settings where these are heads of chains.
  std::uint64_t places() const { return places_of(info(), settings()); }
  /// A word for each slot, as of the last `scan`; those it marked live hold a pair.
  virtual Word const* words() const = 0;
  virtual void clear() = 0;
  /// How often insertions have built the table anew since it was made or cleared: with other hash functions, with other
  /// graves or, where it is static, with new keys.
  virtual std::uint64_t rebuilds() const { return 0; }

  /// Marks every slot, fills level 0 of the occupancy, and counts the measures of the live keys.
  virtual void scan(Occupancy const& occupancy, SlotMark* marks, exec::HistogramView measures) = 0;
  /// The same, but draws instead of marking, and notes full words in level 1, too, which must be clear. False if the
  /// table cannot, and has done nothing.
  virtual bool scan_cells(Occupancy const&, passes::CellPicture const&, exec::HistogramView) { return false; }
  /// Add what `FamilyInfo::groups` and `FamilyInfo::moves` describe.
  virtual void count_groups(exec::HistogramView groups) = 0;
  virtual void count_moves(exec::HistogramView moves) = 0;
  /// Writes the memory accesses of a lookup of each key to `accesses`; each lookup gives up after `most`. Both arrays
  /// are in device memory.
  virtual void count_accesses(Key const* keys, std::uint64_t count, std::uint32_t most, std::uint32_t* accesses) = 0;

  virtual std::vector<SlotInfo> read(std::span<Slot const> slots) = 0;
  /// Of a table of chains, for each head the nodes of its chain, in order, those of erased keys among them; else none.
  virtual std::vector<std::vector<Slot>> nodes_by_head() { return {}; }
  /// Of a shard: from now on, what is read of a slot has its number in the whole table, where this one begins at
  /// `first`. Slots are still asked for by their numbers here.
  virtual void place_at(Slot /*first*/) {}
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
  /// Null unless the table is sharded.
  virtual ShardReport const* shards() const { return nullptr; }
  /// Of a table that `before` was rehashed into: what is counted of batches goes on from there.
  virtual void go_on_from(BatchTable const& /*before*/) {}
};

/// Where an executor gets memory for tables with these settings.
template <exec::Executor Exec>
exec::Memories memories_of(TableSettings const& table)
{
  return table.memory == TableMemory::host ? Exec::host_memory() : exec::Memories();
}

template <exec::Executor Exec, PairFormat Format>
using MakeTable = std::unique_ptr<BatchTable<Exec, Format>> (*)(Exec&, TableSettings const&);

}  // namespace slotscape
