#pragma once

#include "gpu/base/progress.hpp"
#include "gpu/engine/families.hpp"
#include "gpu/joins/joined_rows.hpp"
#include "gpu/workloads/batch_buffers.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <string>

namespace slotscape::joins {

/// A join whose build side is in a table of one of the families, which maps each key to its row; or, for semi and anti
/// joins, in a set. `HashJoin`, with its multi-value table, allows several rows with the same key; here, only semi and
/// anti joins do.
///
/// `Format`: of the columns. `Stored`: of the table, with the same keys, with or without values.
template <exec::Executor Exec, PairFormat Format, PairFormat Stored = Format>
class TableJoin {
public:
  using Key = typename Format::Key;

  /// The settings must be valid, with `keys_only` if `Stored` has no values. `kind`: of all probes.
  TableJoin(Exec& exec, TableSettings const& settings, JoinKind kind)
      : exec_(exec),
        kind_(kind),
        table_(family_on<Exec>(settings.family).template tables<Stored>()(exec, settings)),
        is_static_(table_->info().guarantees(settings).is_static),
        rows_(exec)
  {
  }

  /// Checked for cancellation between batches; cancelled builds and probes stay unfinished.
  void set_progress(Progress const& progress) { progress_ = progress; }
  void clear() { table_->clear(); }

  /// Inserts `count` <= max_rows keys on the device into the empty table. Throws Error if there are too many, if some
  /// are reserved, or if a key occurs twice although rows are wanted.
  void build(Key const* keys, std::uint64_t count)
  {
    check_rows("build side", count);
    Tally tally;
    in_batches(count, is_static_ ? count : longest, Operation::insert, [&](std::uint64_t first, std::uint64_t part) {
      if constexpr (Stored::has_values) {
        exec_.for_each(part, join_passes::NumberRows<typename Stored::Value>{batch_.values.data(), first});
      }
      tally += run(keys + first, part, OperationMask::inserts);
    });
    if (tally[Outcome::rejected] != 0) {
      throw Error("The build side has keys that tables reserve: join it with a multi-value table.");
    }
    if (gives_pairs(kind_) && tally[Outcome::updated] != 0) {
      throw Error("The build side has keys that several rows share: join it with a multi-value table.");
    }
    failed_ = tally[Outcome::full];
    filled_bytes_ = std::max(filled_bytes_, table_->memory_bytes());
  }

  /// Like `HashJoin::probe`.
  JoinedView probe(JoinKind kind, Key const* keys, std::uint64_t count)
  {
    check_rows("probe side", count);
    multivalue::Range* const ranges = rows_.ranges(count);
    in_batches(count, longest, Operation::find, [&](std::uint64_t first, std::uint64_t part) {
      run(keys + first, part, OperationMask::finds);
      exec_.for_each(part, join_passes::RangesOfValues<Stored>{batch_.values.data(), ranges + first});
    });
    return rows_.write(kind, count, join_passes::SameRow{});
  }

  /// Build rows that found no place.
  std::uint64_t failed() const { return failed_; }
  std::uint64_t memory_bytes() const
  {
    return table_bytes() + rows_.memory_bytes() +
           batch_.keys.size() * (sizeof(Operation) + sizeof(typename Stored::Value) + sizeof(Outcome));
  }
  std::uint64_t table_bytes() const { return std::max(filled_bytes_, table_->memory_bytes()); }

private:
  /// Maximum number of rows in one batch: small on a CPU, so that batches end soon.
  static constexpr std::uint64_t longest = std::uint64_t{1} << (Exec::backend == Backend::cuda ? 26 : 19);

  template <class Run>
  void in_batches(std::uint64_t count, std::uint64_t most, Operation operation, Run const& run)
  {
    std::uint64_t const size = std::min(count, most);
    batch_.grow(exec_, size, std::numeric_limits<std::uint64_t>::max());
    exec_.fill(batch_.operations.data(), size, operation);
    for (std::uint64_t first = 0; first < count && !progress_.cancelled(); first += size) {
      run(first, std::min(size, count - first));
    }
  }

  Tally run(Key const* keys, std::uint64_t count, OperationMask kinds)
  {
    bool const distinct = gives_pairs(kind_);  // otherwise, keys may repeat
    double of_table_alone = 0.0;
    return table_->run({count, batch_.operations.data(), keys, batch_.values.data(), batch_.outcomes.data(), nullptr,
                        distinct, kinds, false},
                       of_table_alone);
  }

  Exec& exec_;
  JoinKind kind_;
  std::unique_ptr<BatchTable<Exec, Stored>> table_;
  bool is_static_;
  Progress progress_;
  std::uint64_t failed_ = 0;
  std::uint64_t filled_bytes_ = 0;  ///< kept here, because some tables free memory later
  BatchBuffers<Exec, Stored> batch_;
  JoinedRows<Exec> rows_;
};

}  // namespace slotscape::joins
