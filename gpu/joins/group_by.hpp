#pragma once

#include "gpu/joins/group_passes.hpp"
#include "gpu/joins/hash_join.hpp"
#include "gpu/tables/validation.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

namespace slotscape::joins {

/// Estimates the number of distinct keys from a sketch: HyperLogLog (Flajolet et al. 2007, figure 3), to about 3 %.
inline double estimate_distinct(std::vector<std::uint32_t> const& seen)
{
  auto const count = static_cast<double>(seen.size());
  double sum = 0.0;
  double unseen = 0.0;
  for (std::uint32_t const ranks : seen) {
    sum += std::exp2(-static_cast<double>(std::bit_width(ranks)));
    unseen += ranks == 0 ? 1.0 : 0.0;
  }
  double const estimate = 0.7213 / (1.0 + 1.079 / count) * count * count / sum;
  return estimate <= 2.5 * count && unseen > 0.0 ? count * std::log(count / unseen) : estimate;
}

/// Counts and sums by key in a linear probing table with atomic additions. Rows are first combined in shared memory, so
/// that a key with half of the rows does not hold up the others. A sketch of the keys determines the size of the table;
/// if it underestimates them, a second pass has room for as many keys as there are rows.
///
/// Any key may be grouped, including those that tables reserve. Sums are 64-bit words modulo 2^64: signed values in
/// two's complement add up correctly as long as the sum fits; an overflow is not reported.
template <exec::Executor Exec, PairFormat Format>
class GroupBy {
  using Layout = typename LinearProbing::template Layout<Format>;
  using View = slotscape::View<Layout, typename Exec::template Machine<Format>>;
  using Groups = group_passes::GrowingGroups<View>;
  using Totals = group_passes::Totals;
  static constexpr bool on_gpu = Exec::backend == Backend::cuda;
  /// On a GPU, several blocks share a multiprocessor's memory; a CPU thread has its own cache.
  using Add = std::conditional_t<on_gpu, group_passes::AddRows<View, 2048, 16>, group_passes::AddRows<View, 8192, 64>>;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  using Key = typename Format::Key;

  /// The settings must be valid.
  GroupBy(Exec& exec, Settings const& settings)
      : exec_(exec), load_factor_(settings.load_factor), totals_(exec, 1), seen_(exec, group_passes::registers)
  {
  }

  /// Groups `count` <= max_rows rows on the device by key. The result stays until the next call. Throws Error if there
  /// are too many rows, or memory runs out.
  GroupsView<Key> group(Key const* keys, std::uint64_t const* values, std::uint64_t count)
  {
    check_rows("column", count);
    std::uint64_t const enough = slots_for(static_cast<double>(count));
    std::uint64_t slots = enough;
    if (enough > min_slots()) {
      slots = std::min(enough, std::max(min_slots(), slots_for(1.1 * estimate(keys, count))));
    }
    Totals totals = add_rows(keys, values, count, slots, slots == enough);
    if (totals.failed != 0) { totals = add_rows(keys, values, count, enough, true); }
    if (totals.failed != 0) { throw std::logic_error("a table for all rows is full"); }
    return collect(totals);
  }

  /// Memory held besides the rows: the table, its working memory, and the result.
  std::uint64_t memory_bytes() const
  {
    return words_.size() * sizeof(typename Format::Word) + sums_by_slot_.size() * sizeof(std::uint64_t) +
           (marks_.size() + used_.size()) * sizeof(Slot) + keys_.size() * sizeof(Key) +
           counts_.size() * sizeof(std::uint32_t) + sums_.size() * sizeof(std::uint64_t);
  }
  /// Slots of the last table.
  std::uint64_t slots() const { return layout_.slots(); }

private:
  /// A pass ends if the table gets fuller than this, far above the intended load factor.
  double max_load() const { return load_factor_ + 0.4 * (1.0 - load_factor_); }
  /// In smaller tables, the rows in flight when a pass ends might find no slot and search the whole table, which is
  /// slow if there are many of them.
  std::uint64_t min_slots() const
  {
    constexpr double on_their_way = on_gpu ? 1u << 21 : 1u << 12;
    return static_cast<std::uint64_t>(on_their_way / (1.0 - max_load()));
  }
  /// An odd number, so that homes ascend with the hashes (`BasicHasher`): slots that are filled together are
  /// neighbours.
  std::uint64_t slots_for(double keys) const
  {
    auto const slots = static_cast<std::uint64_t>(keys / load_factor_) + 17;
    return std::min(slots, max_slots - 1) | 1;
  }

  double estimate(Key const* keys, std::uint64_t count)
  {
    using Sketch = group_passes::Sketch<Key>;
    exec_.fill(seen_.data(), seen_.size(), 0u);
    exec_.template for_each_block<Sketch::threads>((count + Sketch::per_block - 1) / Sketch::per_block,
                                                   Sketch{keys, count, seen_.data()});
    std::vector<std::uint32_t> seen(seen_.size());
    exec_.download(std::span(seen), static_cast<std::uint32_t const*>(seen_.data()));
    return estimate_distinct(seen);
  }

  Totals add_rows(Key const* keys, std::uint64_t const* values, std::uint64_t count, std::uint64_t slots, bool fits_all)
  {
    layout_ = LinearProbing::template layout<Format>(
        {.family = "linear_probing", .slots = slots, .hash = multivalue::KeyHash<Key>::kind, .key_bits = Format::bits});
    exec::grow(exec_, words_, slots);
    exec::grow(exec_, sums_by_slot_, slots);
    exec_.fill(words_.data(), slots, Format::empty_word);
    exec_.fill(sums_by_slot_.data(), slots, std::uint64_t{0});
    exec_.fill(totals_.data(), 1, Totals{});
    std::uint64_t const max_keys =
        fits_all ? slots : static_cast<std::uint64_t>(max_load() * static_cast<double>(slots));
    View const view{{words_.data(), nullptr}, layout_, Combine::add_freely};
    Groups const groups{view, sums_by_slot_.data(), totals_.data(), max_keys};
    exec_.template for_each_block<Add::threads>((count + Add::per_block - 1) / Add::per_block,
                                                Add{keys, values, count, groups});
    Totals totals{};
    exec_.download(std::span(&totals, 1), static_cast<Totals const*>(totals_.data()));
    return totals;
  }

  /// Collects the groups; those of reserved keys come last.
  GroupsView<Key> collect(Totals const& totals)
  {
    using namespace group_passes;
    std::uint64_t const slots = layout_.slots();
    std::uint64_t const room = totals.keys + std::size(totals.reserved_sums);
    exec::grow(exec_, marks_, slots);
    exec::grow(exec_, used_, room);
    exec::grow(exec_, keys_, room);
    exec::grow(exec_, counts_, room);
    exec::grow(exec_, sums_, room);
    exec_.for_each(slots, MarkSlots<Format>{words_.data(), marks_.data()});
    std::uint64_t count = exec_.compact(marks_.data(), slots, no_slot, used_.data());
    exec_.for_each(count, CopyGroups<Format>{words_.data(), sums_by_slot_.data(), used_.data(), keys_.data(),
                                             counts_.data(), sums_.data()});
    for (std::size_t r = 0; r < std::size(totals.reserved_sums); ++r) {
      if (totals.reserved_counts[r] == 0) { continue; }
      exec_.fill(keys_.data() + count, 1, static_cast<Key>(Format::locked_key + static_cast<Key>(r)));
      exec_.fill(counts_.data() + count, 1, totals.reserved_counts[r]);
      exec_.fill(sums_.data() + count, 1, totals.reserved_sums[r]);
      ++count;
    }
    return {keys_.data(), counts_.data(), sums_.data(), count};
  }

  Exec& exec_;
  double load_factor_;
  Layout layout_{};
  Buffer<typename Format::Word> words_;
  Buffer<std::uint64_t> sums_by_slot_;
  Buffer<Totals> totals_;
  Buffer<std::uint32_t> seen_;
  Buffer<Slot> marks_;
  Buffer<Slot> used_;
  Buffer<Key> keys_;
  Buffer<std::uint32_t> counts_;
  Buffer<std::uint64_t> sums_;
};

}  // namespace slotscape::joins
