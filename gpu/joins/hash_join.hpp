#pragma once

#include "gpu/base/error.hpp"
#include "gpu/joins/join_passes.hpp"
#include "gpu/multivalue/multi_value_table.hpp"

#include <memory>
#include <string>

namespace slotscape::joins {

/// Throws Error if a side has too many rows.
inline void check_rows(std::string_view side, std::uint64_t count)
{
  if (count > max_rows) {
    throw Error("The " + std::string(side) + " has " + std::to_string(count) + " rows; at most " +
                std::to_string(max_rows) + " are allowed: split it, and put the results together.");
  }
}

/// A hash join without partitioning of the probe side (as compared by Balkesen et al. 2013, 'Main-Memory Hash Joins on
/// Multi-Core CPUs'): the rows of the build side lie in a multi-value table, in which each probe row looks up its key
/// once. Results are counted, their places are the prefix sums, and then they are written: memory is taken for exactly
/// as many as there are. Sides stay in the memory of the device, and buffers only grow.
///
/// Any key may be joined, those that tables reserve too.
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
        total_(exec, 1)
  {
  }

  /// Takes `count` <= max_rows keys on the device as the build side; it only reads them. Throws Error if there are too
  /// many, or memory runs out; then build again before the next probe.
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

  /// Joins `count` <= max_rows keys on the device with the build side. The result stays until the next call. Throws
  /// Error if it has more than `max_results` rows, or memory runs out.
  JoinedView probe(JoinKind kind, Key const* keys, std::uint64_t count)
  {
    check_rows("probe side", count);
    exec::grow(exec_, ranges_, count);
    exec::grow(exec_, results_, count);
    table_->retrieve(keys, count, ranges_.data());
    if (has_reserved_) { exec_.for_each(count, join_passes::FindReserved<Format>{keys, reserved_, ranges_.data()}); }
    return gives_pairs(kind) ? pairs(kind, count) : matches(kind == JoinKind::semi, count);
  }

  /// Different keys of the build side.
  std::uint64_t distinct() const { return distinct_; }
  /// Of all that it holds besides the sides themselves: the table, its working memory, and the result.
  std::uint64_t memory_bytes() const
  {
    return table_->memory_bytes() + table_->working_bytes() + (numbers_.size() + all_rows_.size()) * sizeof(Row) +
           ranges_.size() * sizeof(Range) +
           sizeof(std::uint32_t) * (results_.size() + build_rows_.size() + probe_rows_.size());
  }

private:
  /// Rows with reserved keys go behind all others.
  void add_reserved(Key const* keys, std::uint64_t count, std::uint64_t others)
  {
    exec::grow(exec_, all_rows_, count);
    exec_.copy(all_rows_.data(), joined_rows_, others);
    exec::grow(exec_, results_, count);
    exec::grow(exec_, probe_rows_, count);
    std::uint64_t end = others;
    for (int r = 0; r < join_passes::reserved_keys<Format>; ++r) {
      auto const key = static_cast<Key>(Format::locked_key + static_cast<Key>(r));
      exec_.for_each(count, join_passes::MarkRows<Key>{keys, key, results_.data()});
      std::uint64_t const rows = exec_.compact(results_.data(), count, no_row, probe_rows_.data());
      exec_.for_each(rows, join_passes::CopyRows<Row>{probe_rows_.data(), all_rows_.data() + end});
      reserved_.ranges[r] = {static_cast<std::uint32_t>(end), static_cast<std::uint32_t>(rows)};
      distinct_ += rows != 0 ? 1 : 0;
      end += rows;
    }
    joined_rows_ = all_rows_.data();
  }

  JoinedView pairs(JoinKind kind, std::uint64_t count)
  {
    using namespace join_passes;
    std::uint64_t const total = count_results(kind, count);
    if (total > max_results) {
      throw Error("The result of this join has " + std::to_string(total) + " rows; at most " +
                  std::to_string(max_results) +
                  " are allowed: join the probe side in parts, or remove repeated keys from a side first.");
    }
    exec_.prefix_sums(results_.data(), count);
    exec::grow(exec_, build_rows_, total);
    exec::grow(exec_, probe_rows_, total);
    using Write = WritePairs<Row>;
    exec_.template for_each_tile<32>((total + Write::per_item - 1) / Write::per_item,
                                     Write{ranges_.data(), results_.data(), count, total, joined_rows_,
                                           build_rows_.data(), probe_rows_.data()});
    return {build_rows_.data(), probe_rows_.data(), total};
  }

  std::uint64_t count_results(JoinKind kind, std::uint64_t count)
  {
    using Count = join_passes::CountResults;
    exec_.fill(total_.data(), 1, std::uint64_t{0});
    exec_.template for_each_tile<32>((count + Count::per_item - 1) / Count::per_item,
                                     Count{ranges_.data(), count, kind == JoinKind::left ? 1u : 0u, results_.data(),
                                           total_.data()});
    std::uint64_t total = 0;
    exec_.download(std::span(&total, 1), static_cast<std::uint64_t const*>(total_.data()));
    return total;
  }

  JoinedView matches(bool wanted, std::uint64_t count)
  {
    if (count == 0) { return {}; }
    exec::grow(exec_, probe_rows_, count);
    exec_.for_each(count, join_passes::MarkMatches{ranges_.data(), wanted, results_.data()});
    return {nullptr, probe_rows_.data(), exec_.compact(results_.data(), count, no_row, probe_rows_.data())};
  }

  Exec& exec_;
  std::unique_ptr<multivalue::MultiValueTable<Exec, Format>> table_;
  join_passes::ReservedRows reserved_{};
  bool has_reserved_ = false;
  std::uint64_t distinct_ = 0;
  Row const* joined_rows_ = nullptr;  ///< of the build side, by key
  Buffer<Row> numbers_;
  Buffer<Row> all_rows_;  ///< those with reserved keys, too
  Buffer<Range> ranges_;
  Buffer<std::uint32_t> results_;  ///< of each probe row; then where they begin
  Buffer<std::uint64_t> total_;
  Buffer<std::uint32_t> build_rows_;
  Buffer<std::uint32_t> probe_rows_;
};

}  // namespace slotscape::joins
