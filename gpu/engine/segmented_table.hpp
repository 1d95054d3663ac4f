#pragma once

#include "gpu/engine/bucket_table.hpp"
#include "gpu/engine/partition_passes.hpp"
#include "gpu/engine/phased_table.hpp"
#include "gpu/engine/segment_passes.hpp"

#include <cmath>
#include <numeric>
#include <optional>

namespace slotscape {

/// A family in which each key belongs to one segment of the table, and a segment fits in a block's shared memory.
template <class F>
concept HasSegments = InsertsNewKeys<F> && requires
{
  F::largest_segment;
  typename F::Choices;
};

/// A phased table that partitions large batches of inserts, or of erases, by segment; one block changes each segment in
/// shared memory. A share that does not fit in its segment takes the direct path. A large mixed batch runs as three
/// pure batches; all other batches take the direct path. The outcomes are those of the direct path.
///
/// An item carries the number of its operation through the partition only if its outcome is wanted and not known in
/// advance: distinct keys in an empty table are all inserted, unless their segment is left.
///
/// An empty table is filled in place: the shares of the segments are gathered in the segments' own slots, so the
/// partition needs no memory for the whole batch, and a first insertion does not wait for an allocation.
template <TableFamily Family, exec::Executor Exec, PairFormat Format, class Interface>
class SegmentedTable : public BucketTable<Family, Exec, Format, Interface> {
  using Base = BucketTable<Family, Exec, Format, Interface>;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  using typename Base::Layout;
  using typename Base::Word;

  SegmentedTable(Exec& exec, TableSettings const& settings) : Base(exec, settings), passes_(exec), counts_(exec, 1)
  {
    if (this->layout_.segments > partition::max_segments) { return; }
    passes_.reserve(groups());
    exec::grow(exec, left_, std::uint64_t{this->layout_.segments} + 1);
    prepare_to_fill();
  }

  void clear() override
  {
    Base::clear();
    prepare_to_fill();
  }

  Tally run(Batch<Format> const& batch, double& seconds) override
  {
    if (batch.kinds == OperationMask::finds) { return Base::run(batch, seconds); }
    bool const inserts = batch.kinds == OperationMask::inserts;
    bool const erases = batch.kinds == OperationMask::erases;
    if (!inserts && !erases && pays_apart(batch.count) && reserve_apart(batch.count)) {
      return run_apart(batch, seconds);
    }
    bool const is_single = batch.count < 2;  // there is nothing to sort, and step mode shows the direct path
    if ((!inserts && !erases) || is_single || !is_worthwhile(batch.count, inserts)) {
      return Base::run(batch, seconds);
    }
    if (has_many_copies(batch)) { return run_in_parts(batch, max_operations_per_slot * this->words_.size(), seconds); }
    if (fills(batch)) {
      if (std::optional<Tally> const tally = fill(batch, seconds)) { return *tally; }
    }
    if (batch.count > max_buffered) { return run_in_parts(batch, max_buffered, seconds); }
    bool const told = is_told(batch);
    if (!reserve(batch, !told)) { return Base::run(batch, seconds); }
    if (erases) { this->end_searches_at_empty_slots(false); }
    seconds += this->choose_addition(batch);
    this->exec_.start_timer();
    Tally tally = inserts ? insert(batch, told) : apply<Operation::erase>(batch, told);
    tally = finish(batch, told, tally);
    seconds += this->exec_.stop_timer();
    return tally;
  }

  /// Frees the memory of partitioned batches, which is otherwise kept for the next one.
  void release_scratch()
  {
    first_ = {};
    second_ = {};
    apart_ = {};
  }

  /// Whether the batch is expected to fill the empty table segment by segment. Its operations then take no memory, so
  /// it may have up to 2^32 of them. A share that does not fit is tried again.
  bool fills(Batch<Format> const& batch) const
  {
    bool const is_possible = batch.kinds == OperationMask::inserts && batch.count > 1 && this->is_empty() &&
                             is_told(batch) && is_worthwhile(batch.count, true) && !has_many_copies(batch);
    double const deviations = this->layout_.segments == 1 ? 0.0 : 4.0;
    double const mean = static_cast<double>(batch.count) / this->layout_.segments;
    return is_possible && mean + deviations * std::sqrt(mean) <= static_cast<double>(segment_slots());
  }

private:
  template <Operation operation>
  using Item = partition::Item<Format, operation>;
  using Insert = segment_passes::Insert<Family, Format, false>;
  using InsertCopies = segment_passes::Insert<Family, Format, true>;
  using Erase = segment_passes::Erase<Family, Format>;

  /// A partitioned batch reads and writes whole segments and takes a dozen launches. On a GPU, small numbers of direct
  /// insertions are slow, because some wait for many evictions; erasures are not. (Measured:
  /// docs/experiments/partition.md.)
  static constexpr bool on_cpu = Exec::backend == Backend::cpu;
  static constexpr std::uint64_t min_insertions = on_cpu ? 1u << 16 : 1u << 12;
  static constexpr std::uint64_t min_erasures = on_cpu ? 1u << 16 : 1u << 19;
  /// Smallest batch that is partitioned if it fills half of an empty table: directly, it would wait for evictions.
  static constexpr std::uint64_t min_filling = 1u << 6;
  static constexpr double max_slots_per_operation = 16.0;
  /// Larger batches with copies run in parts, except on small tables, where many parts would also be small.
  static constexpr std::uint64_t max_operations_per_slot = 4;
  static constexpr std::uint64_t min_in_parts = 1u << 16;
  /// Limit for batches that do not fill the table, since their operations take memory.
  static constexpr std::uint64_t max_buffered = std::uint64_t{1} << 30;

  bool is_worthwhile(std::uint64_t count, bool inserts) const
  {
    std::uint64_t const numbered = std::uint64_t{1} << 32;
    std::size_t const largest = std::max({sizeof(typename InsertCopies::Shared), sizeof(typename Erase::Shared),
                                          sizeof(typename partition::Tile<Word, true>::Shared)});
    bool const possible = count != 0 && count < numbered && this->layout_.segments <= partition::max_segments &&
                          largest <= this->exec_.block_memory();
    std::uint32_t const choice = parameter_of(Family::info, this->settings_, "partition");
    if (choice != Family::if_worthwhile) { return possible && choice == Family::always; }
    bool const fills_half = !on_cpu && inserts && this->is_empty() && 2 * count >= this->words_.size();
    std::uint64_t const least = !inserts ? min_erasures : fills_half ? min_filling : min_insertions;
    double const slots = static_cast<double>(this->words_.size());
    return possible && count >= least && static_cast<double>(count) * slots_per_operation(count, inserts) >= slots;
  }
  /// The largest table, in slots per operation, for which a batch is partitioned. The fuller the table gets, the more
  /// insertions must evict keys, which is slow on the direct path. (Fitted to batches of 2^22 in 2^27 slots.)
  double slots_per_operation(std::uint64_t count, bool inserts) const
  {
    constexpr double most = 512.0;
    constexpr double growth = 2.7;
    if (!inserts) { return max_slots_per_operation; }
    double const room = 1.0 - static_cast<double>(this->occupied() + count) / static_cast<double>(this->words_.size());
    return room > 0.0 ? std::clamp(growth / (room * room), max_slots_per_operation, most) : most;
  }

  /// Whether the batch has so many operations that the segments' shares would be too large for a block.
  bool has_many_copies(Batch<Format> const& batch) const
  {
    return !batch.distinct && this->words_.size() >= min_in_parts &&
           batch.count > 2 * max_operations_per_slot * this->words_.size();
  }
  /// Runs the batch in parts of at most `size` operations.
  Tally run_in_parts(Batch<Format> const& batch, std::uint64_t size, double& seconds)
  {
    Tally tally;
    for (std::uint64_t first = 0; first < batch.count; first += size) {
      tally += run(batch.part(first, std::min(size, batch.count - first)), seconds);
    }
    return tally;
  }

  /// Whether a mixed batch runs faster as three pure ones.
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
  /// Runs the three pure batches in the order of the phases.
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

  static constexpr int max_tries = 3;

  Tally insert(Batch<Format> const& batch, bool told)
  {
    bool const fills = this->is_empty();
    if (fills) { this->end_searches_at_empty_slots(true); }
    Tally tally = apply<Operation::insert>(batch, told);
    for (int tries = 1; fills && tries < max_tries && are_full_by_chance(batch, tally); ++tries) {
      reseed_empty();
      tally = apply<Operation::insert>(batch, told);
    }
    return tally;
  }
  void reseed_empty()
  {
    this->empty_slots();
    this->layout_ = Family::reseeded(this->layout_);
    this->end_searches_at_empty_slots(true);
  }
  /// If a batch fills an empty table and only few keys are in overflowing segments, the overflow is due to chance. The
  /// batch is tried again with other hash functions, since the direct path might have to rebuild the table key by key,
  /// which takes far longer.
  static bool are_full_by_chance(Batch<Format> const& batch, Tally const& tally)
  {
    constexpr std::uint64_t min_per_full = 64;
    return tally[Outcome::full] != 0 && tally[Outcome::full] * min_per_full <= batch.count;
  }
  /// Runs the leftover operations on the direct path.
  Tally finish(Batch<Format> const& batch, bool told, Tally tally)
  {
    bool const inserts = batch.kinds == OperationMask::inserts;
    this->note_occupied(tally[Outcome::inserted], tally[Outcome::erased]);
    if (std::exchange(tally[Outcome::full], 0) != 0) {
      Batch<Format> const left = this->with_outcomes(batch);
      if (told || !batch.distinct) {
        Outcome const expected = inserts ? Outcome::inserted : Outcome::erased;
        this->exec_.for_each(batch.count, segment_passes::MarkLeft<Layout, Format>{this->layout_, left, expected, told,
                                                                                   left_.data()});
      }
      for (std::uint64_t first = 0; first < left.count; first += max_buffered) {
        tally += this->run_left(left.part(first, std::min(max_buffered, left.count - first)));
      }
    }
    tally[inserts ? Outcome::updated : Outcome::missing] += batch.count - total(tally);  // folded operations
    return tally;
  }

  /// Whether outcomes are not wanted, or known in advance.
  bool is_told(Batch<Format> const& batch) const
  {
    return !batch.keeps_outcomes || (batch.kinds == OperationMask::inserts && batch.distinct && this->is_empty());
  }
  std::uint32_t segment_slots() const { return this->layout_.segment_buckets * Family::bucket_slots; }

  /// Fills the empty table in place. Returns nullopt if that fails or there is not enough memory; the table is then
  /// empty again.
  std::optional<Tally> fill(Batch<Format> const& batch, double& seconds)
  {
    try {
      if (!groups().one_pass()) {
        exec::grow(this->exec_, first_.items, fill_rooms(batch).group * std::uint64_t{groups().count()});
      }
    } catch (Error const&) {
      return std::nullopt;
    }
    seconds += this->choose_addition(batch);
    this->exec_.start_timer();
    std::optional<Tally> tally = try_to_fill(batch);
    if (tally) { tally = finish(batch, true, *tally); }
    seconds += this->exec_.stop_timer();
    return tally;
  }
  /// A key with copies in many tiles has too many copies for its segment, whatever the hash function.
  std::optional<Tally> try_to_fill(Batch<Format> const& batch)
  {
    this->end_searches_at_empty_slots(true);
    for (int tries = 1;; ++tries) {
      segment_passes::Counts const counts = fill_once(batch);
      Tally tally;
      tally.counts = counts.outcomes;
      bool const is_last = tries == max_tries;
      if (counts.overflowed == 0 && (is_last || !are_full_by_chance(batch, tally))) { return tally; }
      reseed_empty();
      if (is_last || (counts.overflowed != 0 && !batch.distinct)) { return std::nullopt; }
    }
  }

  /// If the partition takes two passes, the batch runs in pieces of this many operations: smaller pieces take less
  /// memory, but each piece leaves some blocks idle. (Measured: docs/experiments/insertion.md.)
  std::uint64_t piece_of(std::uint64_t count) const
  {
    constexpr std::uint64_t pieces = 8;
    constexpr std::uint64_t min_piece = 1u << 22;
    constexpr std::uint64_t max_piece = 1u << 26;
    std::uint64_t const most = std::clamp(count / pieces, min_piece, max_piece);
    return groups().one_pass() ? count : std::min(count, most);
  }
  partition::Rooms fill_rooms(Batch<Format> const& batch, std::uint32_t tile = 1) const
  {
    auto rooms = partition::Rooms::of(piece_of(batch.count), groups(), tile, !batch.distinct);
    rooms.segment = segment_slots();
    return rooms;
  }

  /// Prepares a small table for its first batch in advance, since each launch counts there.
  void prepare_to_fill()
  {
    std::uint32_t const segments = this->layout_.segments;
    is_prepared_ = segments <= partition::max_segments && groups().one_pass();
    if (is_prepared_) { prepare({.segment = segment_slots(), .group = 0, .tiles = 0, .max_share = 0.0}); }
  }
  void prepare(partition::Rooms const& rooms)
  {
    partition::Groups const groups = this->groups();
    segment_passes::Prepare const prepare{groups.segments, left_.data(), counts_.data()};
    partition::PlanRooms const plan{passes_.plan(groups, &counts_.data()->overflowed), rooms};
    this->exec_.for_each(groups.segments + 1, segment_passes::PrepareRooms{prepare, plan});
  }

  segment_passes::Counts fill_once(Batch<Format> const& batch)
  {
    if (batch.distinct) { return fill_once(batch, partition::NoFolding{}); }
    return fill_once(batch,
                     partition::Folding<Format, Operation::insert>{this->combine_, nullptr, &counts_.data()->copies});
  }
  template <class Fold>
  segment_passes::Counts fill_once(Batch<Format> const& batch, Fold const& fold)
  {
    using namespace partition;
    constexpr std::uint32_t tile = ScatterBatch<Layout, Format, Operation::insert, false, Fold>::OneTile::size;
    Groups const groups = this->groups();
    Plan const plan = passes_.plan(groups, &counts_.data()->overflowed);
    Rooms const rooms = fill_rooms(batch, tile);
    if (!std::exchange(is_prepared_, false)) { prepare(rooms); }
    Items<Word> const own{this->words_.data(), nullptr};
    std::uint64_t const piece = piece_of(batch.count);
    for (std::uint64_t first = 0; first < batch.count; first += piece) {
      if (first != 0) { this->exec_.for_each(groups.count() + 1, PlanGroupRooms{plan, rooms}); }
      passes_.template scatter<Operation::insert, false>(
          this->layout_, batch.part(first, std::min(piece, batch.count - first)), Outcome::inserted, plan,
          std::uint64_t{groups.count()} * rooms.tiles, groups.one_pass() ? own : first_.template of<Word>(false), own,
          counts_.data()->outcomes.data() + static_cast<std::size_t>(Outcome::rejected), fold);
    }
    change_segments(batch.distinct,
                    segment_passes::Shares<Format, Word>{own, passes_.starts(), passes_.cursors(), batch.outcomes,
                                                         batch.changes, left_.data(), counts_.data()});
    return counts();
  }
  segment_passes::Counts counts()
  {
    segment_passes::Counts counts;
    this->exec_.download(std::span(&counts, 1), static_cast<segment_passes::Counts const*>(counts_.data()));
    return counts;
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

  /// Allocates the buffers for a batch; returns false if there is not enough memory.
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

  /// Partitions the batch, again with exact counts if necessary, and applies each segment's share. Returns the outcomes
  /// so far; operations that were left are `full`.
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
      counts = this->counts();
    }
    Tally tally;
    tally.counts = counts.outcomes;
    return tally;
  }

  template <class Item>
  void change_segments(bool distinct, segment_passes::Shares<Format, Item> const& shares)
  {
    if constexpr (std::is_same_v<Item, Word>) {
      if (!distinct) { this->end_searches_at_empty_slots(false); }  // merging a copy empties its slot
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

  /// Sorts the batch by segment, with exact counts or with room for the probable size of each share.
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
    is_prepared_ = false;
    if (counted) {
      this->exec_.for_each(groups.segments, segment_passes::Prepare{groups.segments, left_.data(), counts_.data()});
      passes_.count(this->layout_, batch, plan, tile);
    } else {
      prepare(rooms);
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

  /// The operations of one kind in a mixed batch.
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
  Buffer<std::uint32_t> left_;  ///< whether a segment's share takes the direct path
  Buffer<segment_passes::Counts> counts_;
  bool is_prepared_ = false;  ///< for a batch that fills the empty table
};

}  // namespace slotscape
