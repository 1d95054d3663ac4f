#pragma once

#include "gpu/base/error.hpp"
#include "gpu/engine/partition_passes.hpp"
#include "gpu/tables/static_family.hpp"

#include <algorithm>

namespace slotscape {

/// A static family that builds faster from pairs roughly in the order of their homes: `F::homes(layout, seed)` has the
/// function `home(key)` of a build with this seed, with values below `slots()`. A home need not be a slot of the table.
template <class F>
concept BuildsByHome = IsStatic<F> && requires(typename F::template Layout<Narrow> const& layout, std::uint64_t seed)
{
  F::homes(layout, seed).home(0u);
  F::homes(layout, seed).slots();
};

/// Homes in ranges of 2^shift.
template <class Layout>
struct HomeRanges {
  Layout layout;
  std::uint32_t segments;
  int shift;

  static HomeRanges of(Layout const& layout)
  {
    int shift = 0;
    while ((layout.slots() - 1) >> shift >= partition::max_bins) { ++shift; }
    return {layout, static_cast<std::uint32_t>((layout.slots() - 1) >> shift) + 1, shift};
  }
  template <class Key>
  SLOTSCAPE_HOST_DEVICE std::uint32_t segment(Key key) const
  {
    return layout.home(key) >> shift;
  }
};

/// Separates pairs into keys and values.
template <PairFormat Format>
struct UnpackPairs {
  typename Format::Word const* pairs;
  typename Format::Key* keys;
  typename Format::Value* values;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    keys[i] = key_of(pairs[i]);
    values[i] = value_of(pairs[i]);
  }
};

/// Pairs in the order of the ranges of their homes, by one pass of the partition. A build from these pairs counts and
/// scatters within one or two ranges at a time, which stay in the caches.
template <exec::Executor Exec, PairFormat Format>
class HomeOrder {
  using Word = typename Format::Word;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;
  template <class Layout>
  using Scatter = partition::ScatterBatch<HomeRanges<Layout>, Format, Operation::insert, false>;
  template <class Layout>
  using Count = partition::Count<HomeRanges<Layout>, Format>;

public:
  /// Whether a table is too large for the caches, and gets enough pairs for the pass to pay. (Measured:
  /// docs/experiments/rebuild.md.)
  template <class Layout>
  static bool pays(Exec const& exec, Layout const& layout, std::uint64_t count)
  {
    constexpr std::uint64_t min_slots = Exec::backend == Backend::cpu ? 1u << 22 : 1u << 24;
    constexpr std::uint64_t min_pairs = min_slots / 4;
    constexpr std::uint64_t numbered = std::uint64_t{1} << 31;
    std::size_t const bytes =
        std::max(sizeof(typename Scatter<Layout>::Shared), sizeof(typename Count<Layout>::Shared));
    return layout.slots() >= min_slots && count >= min_pairs && count < numbered && bytes <= exec.block_memory();
  }

  /// Throws Error if there is not enough memory.
  template <class Layout>
  HomeOrder(Exec& exec, Layout const& layout, Contents<Format> const& pairs)
      : count_(pairs.count), keys_(exec, pairs.count), values_(exec, pairs.count)
  {
    Buffer<Word> words(exec, pairs.count);
    scatter(exec, HomeRanges<Layout>::of(layout), pairs, words.data());
    exec.for_each(pairs.count, UnpackPairs<Format>{words.data(), keys_.data(), values_.data()});
  }

  /// No pair counts as kept: the old order is lost.
  Contents<Format> contents() const { return {keys_.data(), values_.data(), 0, count_}; }

private:
  template <class Layout>
  static void scatter(Exec& exec, HomeRanges<Layout> const& ranges, Contents<Format> const& pairs, Word* to)
  {
    Batch<Format> const batch{pairs.count, nullptr,
                              pairs.keys,  const_cast<typename Format::Value*>(pairs.values),  // only read
                              nullptr,     nullptr,
                              true,        OperationMask::inserts,
                              false};
    partition::Groups const groups = partition::Groups::of(ranges.segments);
    partition::Passes<Exec> passes(exec);
    passes.reserve(groups);
    partition::Plan const plan = passes.plan(groups);
    constexpr std::uint32_t tile = Scatter<Layout>::OneTile::size;
    passes.count(ranges, batch, plan, tile);
    partition::Items<Word> const items{to, nullptr};  // one pass is enough for this few ranges
    passes.template scatter<Operation::insert, false>(ranges, batch, Outcome::inserted, plan, 0, items, items,
                                                      passes.rejected());
  }

  std::uint64_t count_;
  Buffer<typename Format::Key> keys_;
  Buffer<typename Format::Value> values_;
};

}  // namespace slotscape
