#pragma once

#include "gpu/engine/bucket_table.hpp"
#include "gpu/engine/partition_passes.hpp"
#include "gpu/engine/phased_table.hpp"
#include "gpu/engine/segment_passes.hpp"

#include <numeric>

namespace slotscape {

/// A family whose keys each lie in one segment of the table, which fits in the shared memory of a block.
template <class F>
concept HasSegments = InsertsNewKeys<F> && requires
{
  F::largest_segment;
  typename F::Choices;
};

/// A phased table that partitions large batches of inserts, or of erases, by segment, and has each segment changed by
/// one block in shared memory. What such a segment cannot take goes the direct way. A large mixed batch is run as three
/// pure ones, and all others go the direct way. The
/// outcomes are those of the direct way.
///
/// An item carries the number of its operation through the partition only if its outcome is wanted and cannot be told
/// beforehand: distinct keys in an empty table are all inserted, unless their segment is left.
template <TableFamily Family, exec::Executor Exec, PairFormat Format, class Interface>
class SegmentedTable : public BucketTable<Family, Exec, Format, Interface> {
  using Base = BucketTable<Family, Exec, Format, Interface>;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  using typename Base::Layout;
  using typename Base::Word;

  SegmentedTable(Exec& exec, TableSettings const& settings) : Base(exec, settings), passes_(exec), counts_(exec, 1) {}

  Tally run(Batch<Format> const& batch, double& seconds) override
  {
    if (batch.kinds == OperationMask::finds) { return Base::run(batch, seconds); }
    bool const inserts = batch.kinds == OperationMask::inserts;
    bool const erases = batch.kinds == OperationMask::erases;
    if (!inserts && !erases && pays_apart(batch.count) && reserve_apart(batch.count)) {
      return run_apart(batch, seconds);
    }
    if ((!inserts && !erases) || !is_worthwhile(batch.count, inserts)) { return Base::run(batch, seconds); }
    if (has_many_copies(batch)) { return run_in_parts(batch, seconds); }
    bool const told = !batch.keeps_outcomes || (inserts && batch.distinct && this->is_empty());
    if (!reserve(batch, !told)) { return Base::run(batch, seconds); }
    seconds += this->choose_addition(batch);
    this->exec_.start_timer();
    Tally tally = inserts ? insert(batch, told) : apply<Operation::erase>(batch, told);
    this->note_occupied(tally[Outcome::inserted], tally[Outcome::erased]);
    if (std::exchange(tally[Outcome::full], 0) != 0) { tally += this->run_left(batch); }
    Outcome const of_copies = inserts ? Outcome::updated : Outcome::missing;
    tally[of_copies] += batch.count - total(tally);  // nobody has counted those that were folded
    seconds += this->exec_.stop_timer();
    return tally;
  }

private:
  template <Operation operation>
  using Item = partition::Item<Format, operation>;
  using Insert = segment_passes::Insert<Family, Format, false>;
  using InsertCopies = segment_passes::Insert<Family, Format, true>;
  using Erase = segment_passes::Erase<Family, Format>;

  /// A partitioned batch reads and writes whole segments, and takes a dozen launches. On a GPU, few direct insertions
  /// are slow, because some wait for many evictions; erasures do not. (Measured: docs/experiments/partition.md.)
  static constexpr bool on_cpu = Exec::backend == Backend::cpu;
  static constexpr std::uint64_t min_insertions = on_cpu ? 1u << 16 : 1u << 12;
  static constexpr std::uint64_t min_erasures = on_cpu ? 1u << 16 : 1u << 19;
  static constexpr double max_slots_per_operation = 16.0;
  /// Of batches with copies: more are run in parts, but not of small tables, where many parts would be small, too.
  static constexpr std::uint64_t max_operations_per_slot = 4;
  static constexpr std::uint64_t min_in_parts = 1u << 16;

  bool is_worthwhile(std::uint64_t count, bool inserts) const
  {
    std::uint64_t const numbered = std::uint64_t{1} << 32;
    std::size_t const largest = std::max({sizeof(typename InsertCopies::Shared), sizeof(typename Erase::Shared),
                                          sizeof(typename partition::Tile<Word, true>::Shared)});
    bool const possible = count != 0 && count < numbered && this->layout_.segments <= partition::max_segments &&
                          largest <= this->exec_.block_memory();
    std::uint32_t const choice = parameter_of(Family::info, this->settings_, "partition");
    if (choice != Family::if_worthwhile) { return possible && choice == Family::always; }
    std::uint64_t const least = inserts ? min_insertions : min_erasures;
    double const slots = static_cast<double>(this->words_.size());
    return possible && count >= least && static_cast<double>(count) * slots_per_operation(count, inserts) >= slots;
  }
  /// How large a table may be beside a batch that is partitioned. The fuller it gets, the more insertions must evict
  /// keys, which takes long the direct way. (Fitted to batches of 2^22 in 2^27 slots.)
  double slots_per_operation(std::uint64_t count, bool inserts) const
  {
    constexpr double most = 512.0;
    constexpr double growth = 2.7;
    if (!inserts) { return max_slots_per_operation; }
    double const room = 1.0 - static_cast<double>(this->occupied() + count) / static_cast<double>(this->words_.size());
    return room > 0.0 ? std::clamp(growth / (room * room), max_slots_per_operation, most) : most;
  }

  /// Whether the batch has so many operations that the shares of the segments would be too large for blocks.
  bool has_many_copies(Batch<Format> const& batch) const
  {
    return !batch.distinct && this->words_.size() >= min_in_parts &&
           batch.count > 2 * max_operations_per_slot * this->words_.size();
  }
  Tally run_in_parts(Batch<Format> const& batch, double& seconds)
  {
    std::uint64_t const size = max_operations_per_slot * this->words_.size();
    Tally tally;
    for (std::uint64_t first = 0; first < batch.count; first += size) {
      Batch<Format> part = batch;
      part.count = std::min(size, batch.count - first);
      part.keys += first;
      if (batch.operations != nullptr) { part.operations += first; }
      if (batch.values != nullptr) { part.values += first; }
      if (batch.outcomes != nullptr) { part.outcomes += first; }
      tally += run(part, seconds);
    }
    return tally;
  }

  /// Whether a mixed batch is better run as three pure ones.
  bool pays_apart(std::uint64_t count) const
  {
    constexpr std::uint64_t least = 1u << 20;
    std::uint32_t const choice = parameter_of(Family::info, this->settings_, "partition");
    return count < no_slot && (choice == Family::always || (choice == Family::if_worthwhile && count >= least));
  }
  /// False if there is not enough memory.
  bool reserve_apart(std::uint64_t count)
  {
    try {
      exec::grow(this->exec_, apart_.numbers, count);
      exec::grow(this->exec_, apart_.chosen, count);
      exec::grow(this->exec_, apart_.operations, count);
      exec::grow(this->exec_, apart_.keys, count);
      exec::grow(this->exec_, apart_.values, count);
      exec::grow(this->exec_, apart_.outcomes, count);
    } catch (Error const&) {
      apart_ = {};
      return false;
    }
    return true;
  }
  /// In the order of the phases.
  Tally run_apart(Batch<Format> const& batch, double& seconds)
  {
    Tally tally;
    for (Operation const kind : {Operation::insert, Operation::find, Operation::erase}) {
      if (!contains(batch.kinds, kind)) { continue; }
      this->exec_.start_timer();
      this->exec_.for_each(batch.count, segment_passes::NumberKind{batch.operations, kind, apart_.numbers.data()});
      Batch<Format> pure = batch;
      pure.count = this->exec_.compact(apart_.numbers.data(), batch.count, no_slot, apart_.chosen.data());
      pure.kinds = mask_of(kind);
      pure.operations = apart_.operations.data();
      pure.keys = apart_.keys.data();
      pure.values = apart_.values.data();
      pure.outcomes = apart_.outcomes.data();
      segment_passes::OneKind<Format> const chosen{apart_.chosen.data(), batch, pure};
      this->exec_.for_each(pure.count,
                           segment_passes::GatherKind<Format>{chosen, apart_.operations.data(), apart_.keys.data()});
      seconds += this->exec_.stop_timer();
      if (pure.count == 0) { continue; }
      tally += run(pure, seconds);
      this->exec_.start_timer();
      this->exec_.for_each(pure.count, segment_passes::ScatterKind<Format>{chosen});
      seconds += this->exec_.stop_timer();
    }
    return tally;
  }

  /// If the batch fills an empty table, and few keys are in segments that run over, that is by chance. It is tried
  /// again with other hash functions: the direct way might have to rebuild the table key by key, which takes far
  /// longer.
  Tally insert(Batch<Format> const& batch, bool told)
  {
    constexpr int max_tries = 3;
    constexpr std::uint64_t min_per_full = 64;
    bool const fills = this->is_empty();
    Tally tally = apply<Operation::insert>(batch, told);
    for (int tries = 1; fills && tries < max_tries; ++tries) {
      if (tally[Outcome::full] == 0 || tally[Outcome::full] * min_per_full > batch.count) { break; }
      this->exec_.fill(this->words_.data(), this->words_.size(), Format::empty_word);
      this->exec_.fill(this->metadata_.data(), this->metadata_.size(), std::uint64_t{0});
      if (this->moves() != nullptr) { this->exec_.fill(this->moves(), move_bins * move_stripes, std::uint32_t{0}); }
      this->layout_ = Family::reseeded(this->layout_);
      tally = apply<Operation::insert>(batch, told);
    }
    return tally;
  }

  static std::uint64_t total(Tally const& tally)
  {
    return std::accumulate(tally.counts.begin(), tally.counts.end(), std::uint64_t{0});
  }

  partition::Groups groups() const { return partition::Groups::of(this->layout_.segments); }
  partition::Rooms rooms(Batch<Format> const& batch, std::uint32_t tile = 1) const
  {
    return partition::Rooms::of(batch.count, groups(), tile, !batch.distinct);
  }

  /// Makes room for a batch; false if there is not enough memory.
  bool reserve(Batch<Format> const& batch, bool numbered)
  {
    std::uint64_t const count = batch.count;
    bool const has_rooms = rooms(batch).are_worthwhile(count, groups());
    std::uint64_t const items = has_rooms ? std::max(count, rooms(batch).items(groups())) : count;
    try {
      for (Buffers* buffers : {&first_, &second_}) {
        exec::grow(this->exec_, buffers->items, items);
        if (numbered) { exec::grow(this->exec_, buffers->numbers, items); }
      }
      passes_.reserve(groups());
      exec::grow(this->exec_, left_, std::uint64_t{this->layout_.segments} + 1);
    } catch (Error const&) {
      first_ = {};
      second_ = {};
      return false;
    }
    return true;
  }

  /// Partitions the batch, if need be a second time with counts, and has each segment take its share. Returns the
  /// outcomes so far; those of operations that were left are `full`, in the batch, too.
  template <Operation operation>
  Tally apply(Batch<Format> const& batch, bool told)
  {
    constexpr Outcome expected = operation == Operation::insert ? Outcome::inserted : Outcome::erased;
    segment_passes::Counts counts{.outcomes = {}, .overflowed = 1, .copies = 0, .in_vain = 0};
    for (bool const counted : {false, true}) {
      if (counts.overflowed == 0) { break; }
      if (!counted && !rooms(batch).are_worthwhile(batch.count, groups())) { continue; }
      auto const items = told ? partitioned<operation, false>(batch, expected, counted)
                              : partitioned<operation, true>(batch, expected, counted);
      change_segments(batch.distinct,
                      segment_passes::Shares<Format, Item<operation>>{items, passes_.starts(), passes_.cursors(),
                                                                      batch.outcomes, batch.changes, left_.data(),
                                                                      counts_.data()});
      this->exec_.download(std::span(&counts, 1), static_cast<segment_passes::Counts const*>(counts_.data()));
    }
    Tally tally;
    tally.counts = counts.outcomes;
    if (tally[Outcome::full] != 0 && (told || !batch.distinct)) {
      this->exec_.for_each(batch.count, segment_passes::MarkLeft<Layout, Format>{this->layout_, batch, expected, told,
                                                                                 left_.data()});
    }
    return tally;
  }

  template <class Item>
  void change_segments(bool distinct, segment_passes::Shares<Format, Item> const& shares)
  {
    if constexpr (std::is_same_v<Item, Word>) {
      distinct ? insert_in_segments<Insert>(shares) : insert_in_segments<InsertCopies>(shares);
    } else {
      this->exec_.template for_each_block<Erase::threads>(this->layout_.segments,
                                                          Erase{this->layout_, this->words_.data(),
                                                                this->metadata_.data(), shares});
    }
  }
  template <class Pass, class Shares>
  void insert_in_segments(Shares const& shares)
  {
    this->exec_.template for_each_block<Pass::threads>(this->layout_.segments,
                                                       Pass{this->layout_, this->words_.data(), this->metadata_.data(),
                                                            this->is_empty(), shares, this->moves(), this->combine_});
  }

  /// The batch by segment, with exact counts of what each of them gets or with room for what it probably gets.
  template <Operation operation, bool numbered>
  partition::Items<Item<operation>> partitioned(Batch<Format> const& batch, Outcome expected, bool counted)
  {
    if (batch.distinct) { return partitioned<operation, numbered>(batch, expected, counted, partition::NoFolding{}); }
    partition::Folding<Format, operation> const fold{this->combine_, numbered ? batch.outcomes : nullptr,
                                                     &counts_.data()->copies};
    return partitioned<operation, numbered>(batch, expected, counted, fold);
  }
  template <Operation operation, bool numbered, class Fold>
  partition::Items<Item<operation>> partitioned(Batch<Format> const& batch, Outcome expected, bool counted,
                                                Fold const& fold)
  {
    using namespace partition;
    constexpr std::uint32_t tile = ScatterBatch<Layout, Format, operation, numbered, Fold>::OneTile::size;
    Groups const groups = this->groups();
    Plan const plan = passes_.plan(groups, &counts_.data()->overflowed);
    Rooms const rooms = this->rooms(batch, tile);
    segment_passes::Prepare const prepare{groups.segments, left_.data(), counts_.data()};
    if (counted) {
      this->exec_.for_each(groups.segments, prepare);
      passes_.count(this->layout_, batch, plan, tile);
    } else {
      this->exec_.for_each(groups.segments + 1, segment_passes::PrepareRooms{prepare, PlanRooms{plan, rooms}});
    }
    std::uint64_t const group_tiles =
        counted ? Passes<Exec>::counted_tiles(batch.count, tile, groups) : std::uint64_t{groups.count()} * rooms.tiles;
    return passes_.template scatter<operation, numbered>(this->layout_, batch, expected, plan, group_tiles,
                                                         first_.template of<Item<operation>>(numbered),
                                                         second_.template of<Item<operation>>(numbered),
                                                         counts_.data()->outcomes.data() +
                                                             static_cast<std::size_t>(Outcome::rejected),
                                                         fold);
  }

  struct Buffers {
    Buffer<Word> items;  ///< or keys, which are smaller
    Buffer<std::uint32_t> numbers;

    template <class Item>
    partition::Items<Item> of(bool numbered) const
    {
      return {reinterpret_cast<Item*>(items.data()), numbered ? numbers.data() : nullptr};
    }
  };

  /// Of a mixed batch, the operations of one kind.
  struct Apart {
    Buffer<std::uint32_t> numbers;
    Buffer<std::uint32_t> chosen;
    Buffer<Operation> operations;
    Buffer<typename Format::Key> keys;
    Buffer<typename Format::Value> values;
    Buffer<Outcome> outcomes;
  };

  Apart apart_;
  Buffers first_;
  Buffers second_;
  partition::Passes<Exec> passes_;
  Buffer<std::uint32_t> left_;  ///< whether a segment's share goes the direct way
  Buffer<segment_passes::Counts> counts_;
};

}  // namespace slotscape
