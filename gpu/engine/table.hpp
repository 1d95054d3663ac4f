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
  /// The settings, with the table's actual number of slots.
  virtual TableSettings const& settings() const = 0;
  virtual std::uint64_t memory_bytes() const = 0;
  /// Slots in the table's memory: more than in its settings if the settings count heads of chains.
  std::uint64_t places() const { return places_of(info(), settings()); }
  /// One word per slot, as of the last `scan`; the slots that it marked live hold a pair.
  virtual Word const* words() const = 0;
  virtual void clear() = 0;
  /// How often insertions have rebuilt the table since it was made or cleared: with other hash functions, with new
  /// graves or, if it is static, with new keys.
  virtual std::uint64_t rebuilds() const { return 0; }

  /// Marks every slot, fills level 0 of the occupancy, and counts the measures of the live keys.
  virtual void scan(Occupancy const& occupancy, SlotMark* marks, exec::HistogramView measures) = 0;
  /// Like `scan`, but draws instead of marking, and also notes full words in level 1, which must be clear. Returns
  /// false if the table does not support this; nothing is done then.
  virtual bool scan_cells(Occupancy const&, passes::CellPicture const&, exec::HistogramView) { return false; }
  /// Replaces the measures in the marks of the last `scan` by the lengths of the chains that keys are in. Changes
  /// nothing unless slots are nodes of chains, all in one shard.
  virtual void mark_chain_lengths(SlotMark* /*marks*/) {}
  /// Count what `FamilyInfo::groups` and `FamilyInfo::moves` describe.
  virtual void count_groups(exec::HistogramView groups) = 0;
  virtual void count_moves(exec::HistogramView moves) = 0;
  /// Writes to `accesses` the number of memory accesses of a lookup of each key; each lookup stops after `most`. Both
  /// arrays are in device memory.
  virtual void count_accesses(Key const* keys, std::uint64_t count, std::uint32_t most, std::uint32_t* accesses) = 0;

  virtual std::vector<SlotInfo> read(std::span<Slot const> slots) = 0;
  /// In a table of chains, the nodes of each head's chain, in order, including those of erased keys; otherwise empty.
  virtual std::vector<std::vector<Slot>> nodes_by_head() { return {}; }
  /// For a shard: slots that are read from now on carry their number in the whole table, in which this one begins at
  /// `first`. Arguments are still numbers within the shard.
  virtual void place_at(Slot /*first*/) {}
  /// The first slot of each access of a lookup, in order, then the slot of the key; `value` if the key is found.
  virtual ProbePath probe_path(slotscape::Key key) = 0;
  virtual Trace trace(Operation operation, slotscape::Key key, slotscape::Value value) = 0;
  /// Checks what the family guarantees about its memory between batches. Returns an empty string, or what is wrong and
  /// where.
  virtual std::string check_invariants() = 0;
};

/// A table that runs batches; `table_of` picks one for each family.
template <exec::Executor Exec, PairFormat Format>
class BatchTable : public Table<Exec, Format> {
public:
  /// Runs the batch with the family's guarantees; adds the seconds of the table's own work to `seconds`.
  virtual Tally run(Batch<Format> const& batch, double& seconds) = 0;
  /// Copies the contents of `other`, a table with the same family, settings and executor.
  virtual void copy_from(BatchTable const& other) = 0;
  /// Null unless the table is sharded.
  virtual ShardReport const* shards() const { return nullptr; }
  /// For a table into which `before` was rehashed: continues the statistics of its batches.
  virtual void continue_statistics_of(BatchTable const& /*before*/) {}
};

/// The memory sources for tables with these settings.
template <exec::Executor Exec>
exec::Memories memories_of(TableSettings const& table)
{
  return table.memory == TableMemory::host ? Exec::host_memory() : exec::Memories();
}

template <exec::Executor Exec, PairFormat Format>
using MakeTable = std::unique_ptr<BatchTable<Exec, Format>> (*)(Exec&, TableSettings const&);

}  // namespace slotscape
