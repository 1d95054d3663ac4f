#pragma once

#include "gpu/analysis/picture.hpp"
#include "gpu/analysis/statistics.hpp"
#include "gpu/engine/shard_report.hpp"
#include "gpu/engine/trace.hpp"
#include "gpu/execution/backend.hpp"
#include "gpu/tables/family.hpp"

#include <optional>
#include <span>
#include <vector>

namespace slotscape {

/// Where an engine writes texels: memory on its device (a CUDA pointer on the CUDA backend).
struct TexelTarget {
  Texel* texels = nullptr;
  std::uint64_t capacity = 0;
};

/// The result of one `analyse` call. Histograms have at most `live_histogram_limit` entries; those of
/// `InspectedTable::statistics` are complete.
struct Snapshot {
  Statistics statistics;
  double seconds = 0.0;  ///< device time for the picture and the statistics
};

/// A table on one device that can be inspected: the slot map, statistics and single slots.
class InspectedTable {
public:
  virtual ~InspectedTable() = default;

  virtual TableSettings const& table() const = 0;  ///< with the actual number of slots
  virtual FamilyInfo const& family() const = 0;
  /// The slots in the table's memory, which the map shows: more than in the settings if those count heads of chains.
  std::uint64_t places() const { return places_of(family(), table()); }
  /// Bytes of device memory of the table itself.
  virtual std::uint64_t memory_bytes() const = 0;

  /// One pass over the whole table: always computes statistics, and draws the picture if `target` is given.
  virtual Snapshot analyse(PictureRequest const& request, TexelTarget target) = 0;
  virtual Statistics statistics() = 0;  ///< with complete histograms
  /// The numbers of live slots, tombstones, links and empty slots; other statistics are left out. One pass, if the
  /// table has changed since the last one.
  virtual Statistics counts() = 0;
  virtual SlotInfo slot(Slot slot) = 0;
  virtual std::vector<SlotInfo> slots(std::span<Slot const> slots) = 0;
  /// For a table of chains without shards: for each head, the nodes of its chain, in order, including those of erased
  /// keys; else empty.
  virtual std::vector<std::vector<Slot>> nodes_by_head() { return {}; }
  virtual Cluster cluster(Slot slot) = 0;
  virtual ProbePath probe_path(Key key) = 0;
  /// Checks the family's invariants between batches. Returns what is wrong and where; empty if nothing is.
  virtual std::string check_invariants() = 0;
  /// The contents and operations of the table's shards; null unless it is sharded.
  virtual ShardReport const* shards() const { return nullptr; }
};

/// A copy of the table's shard report.
inline std::optional<ShardReport> shards_of(InspectedTable const& table)
{
  ShardReport const* const report = table.shards();
  return report == nullptr ? std::nullopt : std::optional(*report);
}

}  // namespace slotscape
