#pragma once

#include "gpu/joins/joined_rows.hpp"
#include "gpu/multivalue/multi_value_table.hpp"

#include <memory>

namespace slotscape::joins {

/// A hash join that does not partition the probe side (as compared by Balkesen et al. 2013, 'Main-Memory Hash Joins on
/// Multi-Core CPUs'): the rows of the build side are in a multi-value table, in which each probe row looks up its key
/// once. Results are counted, prefix sums give their places, and then they are written to memory of exactly the
/// required size. Both sides stay in device memory, and buffers only grow.
///
/// Any key may be joined, including those that tables reserve.
template <exec::Executor Exec, PairFormat Format>
class HashJoin {
  using Row = typename Format::Value;
  using Range = multivalue::Range;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  using Key = typename Format::Key;

  /// The settings must be valid.
  HashJoin(Exec& exec, Settings const& settings)
      : exec_(exec),
        table_(multivalue::make_table<Exec, Format>(exec, {.construction = settings.construction,
                                                           .key_bits = settings.key_bits,
                                                           .load_factor = settings.load_factor})),
        rows_(exec)
  {
  }

  /// Takes `count` <= max_rows keys on the device as the build side, and only reads them. Throws Error if there are too
  /// many, or memory runs out; in that case, build again before the next probe.
  void build(Key const* keys, std::uint64_t count)
  {
    check_rows("build side", count);
    exec::grow(exec_, numbers_, count);
    exec_.for_each(count, join_passes::NumberRows<Row>{numbers_.data()});
    multivalue::BuildReport const report = table_->build(keys, numbers_.data(), count);
    joined_rows_ = table_->groups().values;
    distinct_ = report.distinct;
    has_reserved_ = report.refused != 0;
    if (has_reserved_) { add_reserved(keys, count, report.pairs); }
  }

  /// Joins `count` <= max_rows keys on the device with the build side. The result is valid until the next call. Throws
  /// Error if it has more than `max_results` rows, or memory runs out.
  JoinedView probe(JoinKind kind, Key const* keys, std::uint64_t count)
  {
    check_rows("probe side", count);
    Range* const ranges = rows_.ranges(count);
    table_->retrieve(keys, count, ranges);
    if (has_reserved_) { exec_.for_each(count, join_passes::FindReserved<Format>{keys, reserved_, ranges}); }
    return rows_.write(kind, count, joined_rows_);
  }

  /// Number of distinct keys on the build side.
  std::uint64_t distinct() const { return distinct_; }
  /// Memory held besides the two sides: the table, its working memory, and the result.
  std::uint64_t memory_bytes() const
  {
    return table_bytes() + table_->working_bytes() + numbers_.size() * sizeof(Row) + rows_.memory_bytes();
  }
  /// Memory that probes need: the table of keys, and the rows by key.
  std::uint64_t table_bytes() const { return table_->memory_bytes() + all_rows_.size() * sizeof(Row); }

private:
  /// Appends the rows with reserved keys.
  void add_reserved(Key const* keys, std::uint64_t count, std::uint64_t others)
  {
    exec::grow(exec_, all_rows_, count);
    exec_.copy(all_rows_.data(), joined_rows_, others);
    auto const [marks, marked] = rows_.scratch(count);
    std::uint64_t end = others;
    for (int r = 0; r < join_passes::reserved_keys<Format>; ++r) {
      auto const key = static_cast<Key>(Format::locked_key + static_cast<Key>(r));
      exec_.for_each(count, join_passes::MarkRows<Key>{keys, key, marks});
      std::uint64_t const rows = exec_.compact(marks, count, no_row, marked);
      exec_.for_each(rows, join_passes::CopyRows<Row>{marked, all_rows_.data() + end});
      reserved_.ranges[r] = {static_cast<std::uint32_t>(end), static_cast<std::uint32_t>(rows)};
      distinct_ += rows != 0 ? 1 : 0;
      end += rows;
    }
    joined_rows_ = all_rows_.data();
  }

  Exec& exec_;
  std::unique_ptr<multivalue::MultiValueTable<Exec, Format>> table_;
  join_passes::ReservedRows reserved_{};
  bool has_reserved_ = false;
  std::uint64_t distinct_ = 0;
  Row const* joined_rows_ = nullptr;  ///< rows of the build side, by key
  Buffer<Row> numbers_;
  Buffer<Row> all_rows_;  ///< including those with reserved keys
  JoinedRows<Exec> rows_;
};

}  // namespace slotscape::joins
