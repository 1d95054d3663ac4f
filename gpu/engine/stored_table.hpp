#pragma once

#include "gpu/engine/run_operations.hpp"
#include "gpu/engine/sum_bound.hpp"

#include <utility>

namespace slotscape {

/// The common part of all families' tables: memory of one word per slot, and metadata. Base: the interface that the
/// table implements, `Table` or one with fewer functions.
template <TableFamily Family, exec::Executor Exec, PairFormat Format, class Base>
class StoredTable : public Base {
public:
  using Word = typename Format::Word;
  using Layout = typename Family::template Layout<Format>;
  using Machine = typename Exec::template Machine<Format>;
  using View = slotscape::View<Layout, Machine>;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

  StoredTable(Exec& exec, TableSettings const& settings)
      : exec_(exec),
        settings_(settings),
        layout_(Family::template layout<Format>(settings)),
        words_(exec, layout_.slots(), exec::MemoryUse::table),
        metadata_(exec, metadata_size(layout_), exec::MemoryUse::table)
  {
    settings_.slots = slots_in_settings(layout_);
    if (has_moves) { moves_ = Buffer<std::uint32_t>(exec, move_bins * move_stripes); }
    StoredTable::clear();
  }

  /// Memory that a table with these settings would take.
  static std::uint64_t memory_bytes_of(TableSettings const& settings)
  {
    Layout const layout = Family::template layout<Format>(settings);
    return layout.slots() * sizeof(Word) + metadata_size(layout) * sizeof(std::uint64_t);
  }

  FamilyInfo const& info() const override { return Family::info; }
  TableSettings const& settings() const override { return settings_; }
  std::uint64_t memory_bytes() const override { return words_.size() * sizeof(Word) + metadata_.size() * 8; }
  Word const* words() const override { return words_.data(); }

  void clear() override
  {
    empty_slots();
    sums_.clear();
  }

protected:
  static constexpr bool has_moves = Base::counts_moves && !Family::info.moves.name.empty();

  void empty_slots()
  {
    exec_.fill(words_.data(), words_.size(), Format::empty_word);
    exec_.fill(metadata_.data(), metadata_.size(), std::uint64_t{0});
    if (has_moves) { exec_.fill(moves_.data(), moves_.size(), std::uint32_t{0}); }
  }

  View view() { return {{words_.data(), metadata_.data()}, layout_, combine_}; }
  /// Chooses how the values of a batch are added and returns the seconds needed to choose: atomic additions are fast if
  /// many threads meet at one key, but do not saturate at the largest value.
  double choose_addition(Batch<Format> const& batch)
  {
    if constexpr (Exec::backend == Backend::cuda && Format::has_values && !AddsNumbers<Format>) {
      if (contains(batch.kinds, Operation::insert) && batch.count != 0) { return choose_addition_of(batch); }
    }
    return 0.0;
  }

  /// Gives the batch memory for its outcomes if it has none.
  Batch<Format> with_outcomes(Batch<Format> batch)
  {
    if (batch.outcomes == nullptr) {
      exec::grow(exec_, outcomes_, batch.count);
      batch.outcomes = outcomes_.data();
    }
    return batch;
  }

  /// Sets how insertions of stored keys combine values from now on. Unless `sums_are_known`, the bound of the sums is
  /// reset: others may have inserted values that it does not include.
  void combine_with(Combine combine, bool sums_are_known)
  {
    settings_.combine = combine_ = combine;
    if (!sums_are_known) { sums_.lose(); }
  }

  /// The table's state besides its memory. With a copy of both, work on the table can continue later.
  struct State {
    Layout layout;
    std::uint64_t sum_bound;
  };
  State state() const { return {layout_, sums_.bound()}; }
  void set_state(State const& state)
  {
    layout_ = state.layout;
    sums_.set_bound(state.sum_bound);
  }
  /// Swaps the table's memory with other memory of equal size.
  void swap_memory(Buffer<Word>& words, Buffer<std::uint64_t>& metadata)
  {
    std::swap(words_, words);
    std::swap(metadata_, metadata);
  }

  /// Copies the memory of a table with the same settings.
  void copy_memory(StoredTable const& other)
  {
    exec_.copy(words_.data(), other.words_.data(), words_.size());
    exec_.copy(metadata_.data(), other.metadata_.data(), metadata_.size());
    exec_.copy(moves_.data(), other.moves_.data(), moves_.size());
  }
  std::uint32_t* moves() { return has_moves ? moves_.data() : nullptr; }

  /// Counts the outcomes f(i), or f(i, tile) if the family uses tiles.
  template <class F>
  Tally tally(std::uint64_t count, F const& f)
  {
    if constexpr (UsesTiles<Family>) {
      Tally result;
      with_lanes([&]<int Lanes>() { result = exec_.template tally_tile<Lanes>(count, f); });
      return result;
    } else {
      return exec_.tally(count, f);
    }
  }

  /// Calls f<Lanes>() for the number of lanes in a tile of this table.
  template <class F>
  void with_lanes(F const& f) const
  {
    [&]<std::size_t... i>(std::index_sequence<i...>)
    {
      ((Family::lane_choices[i] == Family::lanes(layout_) ? (f.template operator()<Family::lane_choices[i]>(), 0) : 0),
       ...);
    }
    (std::make_index_sequence<Family::lane_choices.size()>{});
  }

  Exec& exec_;
  TableSettings settings_;
  Layout layout_;
  Buffer<Word> words_;
  Buffer<std::uint64_t> metadata_;
  Buffer<std::uint32_t> moves_;
  Combine combine_ = settings_.combine;  ///< how insertions of the current batch combine values

private:
  double choose_addition_of(Batch<Format> const& batch)
  {
    if (settings_.combine != Combine::add) {
      sums_.lose();
      return 0.0;
    }
    exec_.start_timer();
    combine_ = sums_.takes(batch) ? Combine::add_freely : Combine::add;
    return exec_.stop_timer();
  }

  SumBound<Exec, Format> sums_{exec_};
  Buffer<Outcome> outcomes_;  ///< for batches whose caller wants no outcomes

  static std::uint64_t metadata_size(Layout const& layout)
  {
    if constexpr (requires { layout.metadata(); }) {
      return layout.metadata();
    } else {
      return 0;
    }
  }
};

}  // namespace slotscape
