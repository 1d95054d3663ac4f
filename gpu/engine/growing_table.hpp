#pragma once

#include "gpu/engine/concurrent_table.hpp"
#include "gpu/engine/growth_passes.hpp"
#include "gpu/engine/operation_list.hpp"
#include "gpu/engine/phased_passes.hpp"

#include <algorithm>
#include <utility>

namespace slotscape {

/// A family whose tables grow by themselves.
template <class F>
concept Grows = F::info.growth != Growth::none;
template <class F>
concept SplitsInTurn = F::info.growth == Growth::bucket_by_bucket;

/// A table that grows as keys arrive, within its initial memory. A batch is inserted in parts that at most double the
/// number of keys, or in larger ones while keys repeat; between parts, buckets are split in parallel, one thread each.
template <TableFamily Family, exec::Executor Exec, PairFormat Format, class Interface>
class GrowingTable : public ConcurrentTable<Family, Exec, Format, Interface> {
  using Base = ConcurrentTable<Family, Exec, Format, Interface>;
  template <class T>
  using Buffer = typename Base::template Buffer<T>;

public:
  using typename Base::Layout;
  using typename Base::View;

  using Base::Base;

  void clear() override
  {
    Base::clear();
    this->layout_ = Family::template layout<Format>(this->settings_);
    keys_ = 0;
  }

  void copy_from(Interface const& other) override
  {
    auto const& from = static_cast<GrowingTable const&>(other);
    this->copy_memory(from);
    set_state(from.state());
  }

protected:
  struct State {
    typename Base::State stored;
    std::uint64_t keys;
  };
  State state() const { return {Base::state(), keys_}; }
  void set_state(State const& state)
  {
    Base::set_state(state.stored);
    keys_ = state.keys;
  }
  std::uint64_t keys() const { return keys_; }

  Tally run_phase(OperationMask phase, Batch<Format> const& wanted, double& seconds) override
  {
    if (!overlap(phase, wanted.kinds)) { return {}; }
    if (!contains(phase, Operation::insert)) { return count(Base::run_phase(phase, wanted, seconds)); }
    Batch<Format> const batch = SplitsInTurn<Family> ? wanted : this->with_outcomes(wanted);
    Tally tally;
    std::uint64_t size = size_of_part();
    for (std::uint64_t first = 0; first != batch.count;) {
      size = std::min(batch.count - first, size);
      Tally const part = insert(phase, batch.part(first, size), seconds);
      tally += part;
      first += size;
      bool const repeats = part[Outcome::inserted] < size / 2;
      size = std::max(size_of_part(), repeats ? std::min(2 * size, largest_of_repeats) : 0);
    }
    return tally;
  }

private:
  /// As many keys as the table has, but at least a minimum.
  std::uint64_t size_of_part() const { return std::max<std::uint64_t>(keys_, 64); }
  /// After a part with many repeats, the next may have many new keys, which then crowd into few buckets.
  static constexpr std::uint64_t largest_of_repeats = Exec::backend == Backend::cpu ? 1u << 12 : 1u << 15;

  Tally count(Tally const& tally)
  {
    keys_ = keys_ + tally[Outcome::inserted] - tally[Outcome::erased];
    return tally;
  }

  Tally insert(OperationMask phase, Batch<Format> const& part, double& seconds)
  {
    Tally tally = count(Base::run_phase(phase, part, seconds));
    this->exec_.start_timer();
    if constexpr (SplitsInTurn<Family>) {
      split_in_turn(this->layout_.heads_for(keys_));
    } else if (tally[Outcome::full] != 0) {
      tally[Outcome::full] = 0;
      tally += insert_left(part);
    }
    seconds += this->exec_.stop_timer();
    return tally;
  }

  /// Splits heads until `wanted` are in use.
  void split_in_turn(Slot wanted)
  {
    auto& layout = this->layout_;
    while (layout.in_use < wanted) {
      Slot const first = layout.next();
      Slot const of_round = layout.of_round;
      Slot const splits = std::min(wanted - layout.in_use, of_round - first);
      layout.use(layout.in_use + splits);
      this->exec_.for_each(splits, SplitInTurn<Family, View>{this->view(), first, of_round});
    }
  }

  /// Inserts the keys of a part that found no room, splitting until all have found one, or no more splits are possible.
  Tally insert_left(Batch<Format> const& part)
  {
    left_.grow(this->exec_, part.count);
    this->exec_.for_each(part.count, NumberPending<Format>{part, left_.numbers.data()});
    left_.compact(this->exec_, part.count);
    Tally all;
    while (left_.count != 0 && split_buckets(part.keys)) {
      using Run = RunOperations<Family, View, OperationMask::inserts>;
      Run const run{this->view(), part, OperationMask::inserts, this->moves()};
      Tally const tally = count(this->tally(left_.count, OfList<Run>{run, left_.numbers.data()}));
      all[Outcome::inserted] += tally[Outcome::inserted];
      all[Outcome::updated] += tally[Outcome::updated];
      this->exec_.for_each(left_.count, KeepPending{left_.numbers.data(), part.outcomes});
      left_.compact(this->exec_, left_.count);
    }
    all[Outcome::full] = left_.count;
    return all;
  }

  /// Splits the buckets of the remaining keys, while free buckets and room in the directory last. Returns false if no
  /// bucket can be split.
  bool split_buckets(typename Format::Key const* keys)
  {
    auto& layout = this->layout_;
    exec::grow(this->exec_, splits_, layout.buckets);
    exec::grow(this->exec_, listed_, layout.buckets);
    this->exec_.for_each(layout.in_use, ForgetSplit{splits_.data()});
    this->exec_.for_each(left_.count,
                         AskForSplits<Family, View>{this->view(), keys, left_.numbers.data(), splits_.data()});
    std::uint32_t const bits = layout.depth + (layout.can_double() ? 1 : 0);
    exec::grow(this->exec_, numbers_, layout.buckets);
    this->exec_.for_each(layout.in_use, NumberAsked{splits_.data(), bits, numbers_.data()});
    std::uint64_t const asked = this->exec_.compact(numbers_.data(), layout.in_use, no_slot, listed_.data());
    std::uint64_t const listed = std::min<std::uint64_t>(asked, layout.buckets - layout.in_use);
    if (listed == 0) { return false; }
    NeedsDoubling const needs{splits_.data(), listed_.data(), layout.depth};
    if (this->exec_.tally(listed, needs)[Outcome::found] != 0) {
      this->exec_.for_each(layout.entries(), DoubleDirectory<View>{this->view()});
      ++layout.depth;
    }
    Slot const first_new = layout.in_use;
    layout.in_use += static_cast<Slot>(listed);
    this->exec_.for_each(listed, SplitListed<Family, View>{this->view(), listed_.data(), splits_.data(), first_new});
    this->exec_.for_each(layout.entries(), LeadToParts<Family, View>{this->view(), splits_.data()});
    return true;
  }

  std::uint64_t keys_ = 0;
  OperationList<Exec> left_;    ///< operations that found no room
  Buffer<BucketSplit> splits_;  ///< for each bucket
  Buffer<Slot> numbers_;
  Buffer<Slot> listed_;  ///< buckets to split
};

}  // namespace slotscape
