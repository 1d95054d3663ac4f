#pragma once

#include "gpu/base/error.hpp"
#include "gpu/execution/executor.hpp"
#include "gpu/joins/join_passes.hpp"

#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace slotscape::joins {

/// Throws Error if a side has too many rows.
inline void check_rows(std::string_view side, std::uint64_t count)
{
  if (count > max_rows) {
    throw Error("The " + std::string(side) + " has " + std::to_string(count) + " rows; at most " +
                std::to_string(max_rows) + " are allowed: split it, and put the results together.");
  }
}

/// The result rows of a join, from the range of build rows that each probe row has found: the rows are counted, prefix
/// sums give their places, and then they are written. Memory is allocated for exactly this number of rows, and buffers
/// only grow.
template <exec::Executor Exec>
class JoinedRows {
  using Range = multivalue::Range;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  explicit JoinedRows(Exec& exec) : exec_(exec), total_(exec, 1) {}

  /// Room for the ranges of `count` probe rows, to be filled before `write`.
  Range* ranges(std::uint64_t count)
  {
    exec::grow(exec_, ranges_, count);
    return ranges_.data();
  }
  /// Two arrays of `count` numbers, valid until the next call.
  std::pair<std::uint32_t*, std::uint32_t*> scratch(std::uint64_t count)
  {
    exec::grow(exec_, results_, count);
    exec::grow(exec_, probe_rows_, count);
    return {results_.data(), probe_rows_.data()};
  }

  /// Returns the result for the ranges of `count` probe rows, valid until the next call. `rows`: the build row at each
  /// place of a range. Throws Error if there are more than `max_results` rows, or memory runs out.
  template <class Rows>
  JoinedView write(JoinKind kind, std::uint64_t count, Rows rows)
  {
    exec::grow(exec_, results_, count);
    return gives_pairs(kind) ? pairs(kind, count, rows) : matches(kind == JoinKind::semi, count);
  }

  std::uint64_t memory_bytes() const
  {
    return ranges_.size() * sizeof(Range) +
           sizeof(std::uint32_t) * (results_.size() + build_rows_.size() + probe_rows_.size());
  }

private:
  template <class Rows>
  JoinedView pairs(JoinKind kind, std::uint64_t count, Rows rows)
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
    using Write = WritePairs<Rows>;
    exec_.template for_each_tile<32>((total + Write::per_item - 1) / Write::per_item,
                                     Write{ranges_.data(), results_.data(), count, total, rows, build_rows_.data(),
                                           probe_rows_.data()});
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
  Buffer<Range> ranges_;
  Buffer<std::uint32_t> results_;  ///< number of results of each probe row; later their starts
  Buffer<std::uint64_t> total_;
  Buffer<std::uint32_t> build_rows_;
  Buffer<std::uint32_t> probe_rows_;
};

}  // namespace slotscape::joins
