#pragma once

#include "gpu/base/error.hpp"
#include "gpu/engine/close_gaps.hpp"
#include "gpu/engine/graves.hpp"
#include "gpu/engine/operation_list.hpp"
#include "gpu/engine/phased_passes.hpp"
#include "gpu/engine/run_together.hpp"
#include "gpu/engine/shift_passes.hpp"
#include "gpu/engine/stored_table.hpp"
#include "gpu/tables/without_evictions.hpp"
#include "gpu/workloads/batch_buffers.hpp"

#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace slotscape {

/// A table whose insertions move other keys: inserts, finds and erases take turns.
///
/// Inserts run in four parallel steps. (1) Keys that are in the table get their new values; nothing moves, so the
/// lookups are exact. (2) A sort brings repeated keys together, and each remaining key is taken once. (3) These keys
/// are inserted. They are distinct and none is in the table, so no key is ever stored twice, whatever moves. No more
/// insertions are admitted at once than there are empty slots. Keys that find no place because other threads hold the
/// slots for a moment are admitted again as long as some succeed. (4) Repeated keys update the value of the copy that
/// was inserted. If the family can (`InsertsUnmoved`, `HasBuckets`), the first step also inserts keys for which nothing
/// needs to move, which leaves few or none for the other steps.
///
/// A table that keeps erased keys closes the gaps when insertions need the room (close_gaps.hpp); a table with graves
/// (graves.hpp) is rebuilt between insertions as often as its family asks for. Insertions that depend on the table's
/// contents (`InsertsInTurn`) run one after the other on a CPU, and a few at once on a device. If keys find no place
/// and the family has other hash functions (`reseeded`), the table is rebuilt with those. The old words stay until
/// every live pair has a place in the new ones.
template <TableFamily Family, exec::Executor Exec, PairFormat Format, class Interface>
class PhasedTable : public StoredTable<Family, Exec, Format, Interface> {
  using Base = StoredTable<Family, Exec, Format, Interface>;
  template <class T>
  using Buffer = typename Base::template Buffer<T>;

public:
  using typename Base::Layout;
  using typename Base::View;
  using typename Base::Word;

  PhasedTable(Exec& exec, TableSettings const& settings) : Base(exec, settings), failures_(exec, 1)
  {
    end_searches_at_empty_slots(true);
  }

  void clear() override
  {
    Base::clear();
    this->layout_ = Family::template layout<Format>(this->settings_);
    end_searches_at_empty_slots(true);
    occupied_ = 0;
    erased_ = 0;
    until_rebuild_ = first_period();
    rebuilt_at_ = 0;
    rebuild_failed_ = false;
    rebuilds_ = 0;
  }

  Tally run(Batch<Format> const& wanted, double& seconds) override
  {
    bool const inserts = contains(wanted.kinds, Operation::insert);
    Batch<Format> const batch =
        inserts || (shifts() && contains(wanted.kinds, Operation::erase)) ? this->with_outcomes(wanted) : wanted;
    seconds += this->choose_addition(batch);
    if (inserts) { pending_.grow(this->exec_, batch.count); }
    if (inserts && !batch.distinct) { exec::grow(this->exec_, sorted_, batch.count); }
    this->exec_.start_timer();
    Tally tally;
    if (inserts) { tally += insert(batch); }
    if (contains(batch.kinds, Operation::find)) { tally += pass<OperationMask::finds>(batch); }
    if (contains(batch.kinds, Operation::erase)) { tally += erase(batch); }
    seconds += this->exec_.stop_timer();
    return tally;
  }

  void copy_from(Interface const& other) override
  {
    auto const& from = static_cast<PhasedTable const&>(other);
    this->copy_memory(from);
    set_state(from.state());
  }

protected:
  struct State {
    typename Base::State stored;
    std::uint64_t occupied;
    std::uint64_t erased;
    std::uint64_t until_rebuild;
    std::uint64_t rebuilt_at;
    bool rebuild_failed;
    std::uint64_t rebuilds;
  };
  State state() const
  {
    return {Base::state(), occupied_, erased_, until_rebuild_, rebuilt_at_, rebuild_failed_, rebuilds_};
  }
  void set_state(State const& state)
  {
    Base::set_state(state.stored);
    occupied_ = state.occupied;
    erased_ = state.erased;
    until_rebuild_ = state.until_rebuild;
    rebuilt_at_ = state.rebuilt_at;
    rebuild_failed_ = state.rebuild_failed;
    rebuilds_ = state.rebuilds;
  }

  /// Runs the operations of a pure batch that a faster path has left `full`.
  Tally run_left(Batch<Format> const& batch)
  {
    pending_.grow(this->exec_, batch.count);
    this->exec_.for_each(batch.count, NumberFull{batch.outcomes, pending_.numbers.data()});
    pending_.compact(this->exec_, batch.count);
    if (batch.kinds == OperationMask::erases) { return erase(batch, &pending_); }
    if (!batch.distinct) { exec::grow(this->exec_, sorted_, pending_.count); }
    return insert_new(batch, first_pass(batch, &pending_));
  }

  /// Counts rebuilds with other hash functions or new graves.
  std::uint64_t times_rebuilt() const { return rebuilds_; }
  bool is_empty() const { return occupied_ == 0; }
  std::uint64_t occupied() const { return occupied_; }  ///< upper bound of the number of non-empty slots
  /// Call after a faster path has inserted and erased keys.
  void note_occupied(std::uint64_t inserted, std::uint64_t erased) { occupied_ = occupied_ + inserted - erased; }

  static constexpr bool can_reseed = requires(Layout const& layout) { Family::reseeded(layout); };
  /// Whether no new key can be placed.
  bool is_full()
  {
    if (occupied_ >= this->words_.size()) { count_occupied(); }
    return occupied_ == this->words_.size();
  }
  /// A rebuild takes as long as filling the table. Up to the family's safe load, it is always tried. Above that load,
  /// it is tried again only when a 64th of the table has been inserted or erased since the last rebuild; after a failed
  /// rebuild, only when that much has been erased.
  bool is_rebuild_worthwhile() const
  {
    if (occupied_ == this->words_.size()) { return false; }
    if (Family::guarantees(this->settings_).overflow == OverflowPolicy::report_full) { return false; }
    if (is_within_safe_load()) { return true; }
    std::uint64_t const change = occupied_ > rebuilt_at_ ? occupied_ - rebuilt_at_ : rebuilt_at_ - occupied_;
    return change > this->words_.size() / 64 && (occupied_ < rebuilt_at_ || !rebuild_failed_);
  }

  /// The words of a table with new graves; empty if there is not enough memory for them.
  struct WithGraves {
    Buffer<Word> words;
    std::uint64_t live;
    std::uint64_t occupied;
  };
  WithGraves with_graves()
  {
    std::uint64_t const slots = this->words_.size();
    Word const* const words = this->words_.data();
    std::uint64_t const live = this->exec_.tally(slots, IsLive<Family, View>{this->view(), words})[Outcome::found];
    std::uint64_t const count = (slots + GapChunk::slots - 1) / GapChunk::slots;
    Graves const graves{Family::graves(slots, live), slots};
    WithGraves dug{{}, live, live + graves.count};
    Buffer<GapChunk> chunks;
    try {
      chunks = Buffer<GapChunk>(this->exec_, count);
      dug.words = Buffer<Word>(this->exec_, slots, exec::MemoryUse::table);
    } catch (Error const&) {
      return dug;
    }
    this->exec_.fill(dug.words.data(), slots, Format::empty_word);
    this->exec_.for_each(count, SummariseHomes<Family, View>{this->view(), words, graves, chunks.data()});
    this->exec_.for_each(1, ChainChunks{chunks.data(), count, static_cast<std::int64_t>(slots)});
    this->exec_.for_each(count, MoveHomes<Family, View>{this->view(), words, graves, chunks.data(), dug.words.data()});
    return dug;
  }
  void exchange(WithGraves& other)
  {
    std::swap(this->words_, other.words);
    std::swap(occupied_, other.occupied);
  }
  /// Whether the table is rebuilt with new graves before the next new key is inserted.
  bool is_rebuild_due() const
  {
    return DigsGraves<Family> && (until_rebuild_ == 0 || occupied_ == this->words_.size());
  }

  /// Sets whether no key lies beyond an empty slot, which holds until a slot becomes empty.
  void end_searches_at_empty_slots(bool they_end)
  {
    if constexpr (requires(Layout layout) { layout.ends_at_empty; }) { this->layout_.ends_at_empty = they_end; }
  }

private:
  /// Up to this many insertions rarely conflict.
  static constexpr std::uint64_t few = 8;

  template <TableFamily F>
  static auto first_step()
  {
    if constexpr (InsertsUnmoved<F>) {
      return std::type_identity<WithoutMoves<F>>{};
    } else {
      return std::type_identity<WithoutNewKeys<F>>{};
    }
  }
  using FirstStep = typename decltype(first_step<Family>())::type;

  using Pending = OperationList<Exec>;

  /// A table under construction, and the next pairs to insert.
  struct Rebuilding {
    Rebuilding(Exec& exec, std::uint64_t slots, std::uint64_t metadata_size)
        : words(exec, slots, exec::MemoryUse::table),
          metadata(exec, metadata_size, exec::MemoryUse::table),
          chunk(std::min<std::uint64_t>(slots, Exec::rehash_slots))
    {
      pairs.grow(exec, chunk, chunk);
      pending.grow(exec, chunk);
    }
    Buffer<Word> words;
    Buffer<std::uint64_t> metadata;
    std::uint64_t chunk;
    BatchBuffers<Exec, Format> pairs;
    Pending pending;
  };

  /// Runs finds, erases, or insertions of keys that are already in the table: the listed operations, or all.
  template <OperationMask phase, class Operations = WithoutNewKeys<Family>>
  Tally pass(Batch<Format> const& batch, Pending const* list = nullptr)
  {
    return is_single(batch.kinds) ? launch<Operations, phase>(batch, phase, list)
                                  : launch<Operations, OperationMask::all>(batch, phase, list);
  }
  template <class Operations, OperationMask kinds>
  Tally launch(Batch<Format> const& batch, OperationMask phase, Pending const* list)
  {
    using Run = RunOperations<Operations, View, kinds>;
    OfList<Run> const run{Run{this->view(), batch, phase, nullptr}, list ? list->numbers.data() : nullptr};
    return this->tally(list ? list->count : batch.count, run);
  }

  /// Whether an erasure moves later keys back.
  bool shifts() const { return ShiftsBack<Family> && this->settings_.deletion == Deletion::shift; }

  Tally erase(Batch<Format> const& batch, Pending const* list = nullptr)
  {
    end_searches_at_empty_slots(false);
    Tally const tally = pass<OperationMask::erases>(batch, list);
    if constexpr (ShiftsBack<Family>) {
      if (shifts()) {
        shift_back<Family>(this->exec_, this->view(), this->words_.data(), batch, tally[Outcome::erased]);
      }
    }
    if (Family::guarantees(this->settings_).erase_frees_slot) {
      occupied_ -= tally[Outcome::erased];
    } else {
      erased_ += tally[Outcome::erased];
    }
    until_rebuild_ -= std::min(until_rebuild_, tally[Outcome::erased]);
    // Between batches, a table without an empty slot is therefore full of live keys.
    if (erased_ != 0 && occupied_ == this->words_.size()) { close_gaps(); }
    return tally;
  }

  Tally insert(Batch<Format> const& batch)
  {
    if (is_empty()) { end_searches_at_empty_slots(true); }
    return insert_new(batch, first_pass(batch));
  }
  Tally first_pass(Batch<Format> const& batch, Pending const* list = nullptr)
  {
    if constexpr (HasBuckets<Family>) {
      if (auto const tally = insert_in_buckets(batch, list)) { return *tally; }
    }
    Tally const tally = pass<OperationMask::inserts, FirstStep>(batch, list);
    if (InsertsUnmoved<Family>) { occupied_ += tally[Outcome::inserted]; }
    return tally;
  }
  /// Inserts the keys of a pure batch that need no eviction. Returns nullopt if the table cannot do that.
  std::optional<Tally> insert_in_buckets(Batch<Format> const& batch, Pending const* list)
  {
    constexpr int min_bucket = 4;  ///< slots; smaller buckets do not take several lanes to read
    std::optional<Tally> tally;
    if (list != nullptr || batch.kinds != OperationMask::inserts) { return tally; }
    this->with_lanes([&]<int Lanes>() {
      if constexpr (Lanes >= min_bucket) {
        using Unmoved = WithoutEvictions<Family>;
        using Run = InsertOrList<Unmoved, View>;
        this->exec_.fill(failures_.data(), 1, 0u);
        Run const run{{this->view(), batch, batch.kinds, nullptr}, pending_.numbers.data(), failures_.data()};
        tally = this->exec_.tally_together(batch.count,
                                           RunTogether<Unmoved, View, OperationMask::inserts, Lanes, Run>{run});
        pending_.count = (*tally)[Outcome::full];
        is_listed_ = true;
        occupied_ += (*tally)[Outcome::inserted];
      }
    });
    return tally;
  }

  /// Inserts the keys that the first step, which returned `tally`, left `full`.
  Tally insert_new(Batch<Format> const& batch, Tally tally)
  {
    erased_ -= std::min(erased_, tally[Outcome::inserted]);
    std::uint64_t const pending = std::exchange(tally[Outcome::full], 0);
    bool const is_listed = std::exchange(is_listed_, false);
    if (pending == 0) { return tally; }
    if (!is_listed) { list_pending(batch); }
    if (!batch.distinct) { keep_first_of_each_key(batch); }
    bool const repeats = pending_.count != pending;
    tally[Outcome::inserted] += insert_pending(batch);
    if (repeats) {
      list_pending(batch);
      return tally += pass<OperationMask::inserts>(batch, &pending_);
    }
    tally[Outcome::full] = pending_.count;
    return tally;
  }

  void list_pending(Batch<Format> const& batch)
  {
    this->exec_.for_each(batch.count, NumberPending<Format>{batch, pending_.numbers.data()});
    pending_.compact(this->exec_, batch.count);
  }

  void keep_first_of_each_key(Batch<Format> const& batch)
  {
    using Key = typename Format::Key;
    std::uint64_t const count = pending_.count;
    std::uint32_t* const list = pending_.numbers.data();
    this->exec_.for_each(count, ListKeys<Key>{batch.keys, list, sorted_.data()});
    this->exec_.sort_pairs(sorted_.data(), list, count);
    this->exec_.for_each(count, KeepFirst<Key>{sorted_.data(), list});
    pending_.compact(this->exec_, count);
  }

  /// Returns how many of the pending keys were inserted; the others stay pending.
  std::uint64_t insert_pending(Batch<Format> const& batch)
  {
    if constexpr (DigsGraves<Family>) { return insert_between_rebuilds(batch); }
    make_room(pending_.count);
    std::uint64_t inserted = insert_listed(this->view(), batch, pending_, occupied_, this->moves());
    if constexpr (can_reseed) {
      if (pending_.count == 0 || !is_rebuild_worthwhile()) { return inserted; }
      Layout next = this->layout_;
      for (int left = attempts(); left != 0 && pending_.count != 0; --left) {
        next = Family::reseeded(next);
        if (rebuild(next)) { inserted += insert_listed(this->view(), batch, pending_, occupied_, this->moves()); }
      }
      rebuilt_at_ = occupied_;
      rebuild_failed_ = pending_.count != 0;
    }
    return inserted;
  }

  std::uint64_t first_period() const
  {
    if constexpr (DigsGraves<Family>) {
      return Family::rebuild_period(this->words_.size(), 0);
    } else {
      return 0;
    }
  }

  /// Inserts the pending keys, and rebuilds the table whenever its rebuild period is over or no empty slot is left.
  std::uint64_t insert_between_rebuilds(Batch<Format> const& batch)
  {
    std::uint64_t inserted = 0;
    while (pending_.count != 0) {
      bool const rebuilds = is_rebuild_due();
      if (rebuilds) { dig_graves(); }
      std::uint64_t const done = insert_listed(this->view(), batch, pending_, occupied_, this->moves(), until_rebuild_);
      inserted += done;
      until_rebuild_ -= done;
      if (done == 0 && rebuilds) { break; }
      if (done == 0) { until_rebuild_ = 0; }
    }
    return inserted;
  }

  void count_occupied()
  {
    std::uint64_t const slots = this->words_.size();
    occupied_ = slots - this->exec_.tally(slots, IsEmpty<Format>{this->words_.data()})[Outcome::found];
  }

  /// Drops erased keys if `wanted` new keys need the room.
  void make_room(std::uint64_t wanted)
  {
    std::uint64_t const slots = this->words_.size();
    if (erased_ == 0 || wanted <= slots - occupied_) { return; }
    count_occupied();
    if (wanted > slots - occupied_) { close_gaps(); }
  }

  /// Drops erased keys. Leaves the table unchanged if there is not enough memory.
  void close_gaps()
  {
    if constexpr (DigsGraves<Family>) {
      dig_graves();
    } else if constexpr (OrderedByHome<Family>) {
      std::uint64_t const slots = this->words_.size();
      std::uint64_t const count = (slots + GapChunk::slots - 1) / GapChunk::slots;
      Buffer<Word> moved;
      Buffer<GapChunk> chunks;
      try {
        moved = Buffer<Word>(this->exec_, slots, exec::MemoryUse::table);
        chunks = Buffer<GapChunk>(this->exec_, count);
      } catch (Error const&) {
        return;
      }
      this->exec_.fill(moved.data(), slots, Format::empty_word);
      Word const* const words = this->words_.data();
      this->exec_.for_each(count, SummariseChunk<Family, View>{this->view(), words, chunks.data()});
      this->exec_.for_each(1, ChainChunks{chunks.data(), count, static_cast<std::int64_t>(slots)});
      this->exec_.for_each(count, MoveChunk<Family, View>{this->view(), words, chunks.data(), moved.data()});
      this->words_ = std::move(moved);
      count_occupied();
      erased_ = 0;
    }
  }

  /// Drops all tombstones and digs new graves for the current number of keys. Leaves the table unchanged if there is
  /// not enough memory.
  void dig_graves()
  {
    if constexpr (DigsGraves<Family>) {
      auto dug = with_graves();
      until_rebuild_ = Family::rebuild_period(this->words_.size(), dug.live);
      if (dug.words.size() == 0) { return; }
      exchange(dug);
      erased_ = 0;
      ++rebuilds_;
    }
  }

  /// How many insertions run at once in a table with `occupied` slots taken.
  static std::uint64_t pace(Layout const& layout, std::uint64_t occupied)
  {
    if constexpr (InsertsInTurn<Family> && Exec::backend == Backend::cuda) {
      return Family::insertions_at_once(layout, occupied);
    } else {
      return layout.slots();
    }
  }

  /// Inserts the listed keys, at most `limit`, into a table with `occupied` slots taken. Returns how many were
  /// inserted; the others stay listed.
  std::uint64_t insert_listed(View const& table, Batch<Format> const& batch, Pending& list, std::uint64_t& occupied,
                              std::uint32_t* moves, std::uint64_t limit = ~std::uint64_t{0})
  {
    std::uint64_t const slots = this->words_.size();
    std::uint64_t const before = list.count;
    std::uint64_t at_once = slots;
    while (list.count != 0 && occupied != slots && before - list.count < limit) {
      std::uint64_t const left = limit - (before - list.count);
      std::uint64_t const admitted =
          std::min({list.count, slots - occupied, at_once, left, pace(table.layout, occupied)});
      std::uint32_t const patience = 128 + static_cast<std::uint32_t>(admitted / 256);
      Tally const tally = insert_round(table, batch, list, admitted, patience, moves);
      occupied += tally[Outcome::inserted];
      // When two evicting insertions meet, one may leave a slot empty on its way.
      if (can_reseed || tally[Outcome::full] != 0) { end_searches_at_empty_slots(false); }
      bool const progress = tally[Outcome::inserted] != 0;
      if (tally[Outcome::full] > patience || (!progress && admitted <= few)) { break; }
      at_once = progress ? slots : few;
    }
    return before - list.count;
  }

  /// Admits the first `admitted` keys of the list. Keys that find no place stay listed and count as `full`.
  Tally insert_round(View const& table, Batch<Format> const& batch, Pending& list, std::uint64_t admitted,
                     std::uint32_t patience, std::uint32_t* moves)
  {
    this->exec_.fill(failures_.data(), 1, 0u);
    Tally const tally = tally_new(admitted, InsertNew<Family, View>{table, batch, list.numbers.data(), failures_.data(),
                                                                    patience, moves});
    if (tally[Outcome::inserted] == list.count) {
      list.count = 0;
      return tally;
    }
    this->exec_.for_each(list.count, KeepPending{list.numbers.data(), batch.outcomes});
    list.compact(this->exec_, list.count);
    return tally;
  }

  template <class Insert>
  Tally tally_new(std::uint64_t count, Insert const& insert)
  {
    if constexpr (InsertsInTurn<Family> && Exec::backend == Backend::cpu) {
      Tally tally;
      for (std::uint64_t i = 0; i != count; ++i) { ++tally[insert(i)]; }
      return tally;
    } else {
      return this->tally(count, insert);
    }
  }

  bool is_within_safe_load() const
  {
    double const slots = static_cast<double>(this->words_.size());
    return static_cast<double>(occupied_) <= Family::guarantees(this->settings_).safe_load * slots;
  }
  /// In a small table, a single unlucky cycle of keys is likely, and another attempt costs almost nothing.
  int attempts() const
  {
    if (this->words_.size() <= 4096) { return 32; }
    return is_within_safe_load() ? 4 : 1;
  }

  /// Moves the live pairs to new words. Returns false and leaves the table unchanged if a pair finds no slot or memory
  /// runs out.
  bool rebuild(Layout const& layout)
  {
    std::optional<Rebuilding> to;
    try {
      to.emplace(this->exec_, this->words_.size(), this->metadata_.size());
    } catch (Error const&) {
      return false;
    }
    this->exec_.fill(to->words.data(), to->words.size(), Format::empty_word);
    this->exec_.fill(to->metadata.data(), to->metadata.size(), std::uint64_t{0});
    std::uint64_t occupied = 0;
    for (std::uint64_t first = 0; first < this->words_.size(); first += to->chunk) {
      if (!move_chunk(*to, layout, first, occupied)) { return false; }
    }
    this->words_ = std::move(to->words);
    this->metadata_ = std::move(to->metadata);
    this->layout_ = layout;
    occupied_ = occupied;
    erased_ = 0;
    ++rebuilds_;
    return true;
  }

  bool move_chunk(Rebuilding& to, Layout const& layout, std::uint64_t first, std::uint64_t& occupied)
  {
    std::uint64_t const count = std::min(to.chunk, this->words_.size() - first);
    auto& pairs = to.pairs;
    this->exec_.for_each(count,
                         UnpackLive<Family, View>{this->view(), this->words_.data(), first, pairs.operations.data(),
                                                  pairs.keys.data(), pairs.values.data(), to.pending.numbers.data()});
    to.pending.compact(this->exec_, count);
    Batch<Format> const batch{
        count, pairs.operations.data(), pairs.keys.data(), pairs.values.data(), pairs.outcomes.data(), nullptr,
        true,  OperationMask::inserts};
    this->exec_.fill(pairs.outcomes.data(), count, Outcome::full);
    insert_listed(View{{to.words.data(), to.metadata.data()}, layout}, batch, to.pending, occupied, nullptr);
    return to.pending.count == 0;
  }

  Pending pending_;
  bool is_listed_ = false;  ///< whether `pending_` lists the operations that the first step left
  Buffer<typename Format::Key> sorted_;
  Buffer<std::uint32_t> failures_;  ///< counts keys that found no place
  std::uint64_t occupied_ = 0;      ///< upper bound of the number of non-empty slots; exact if `erased_` is 0
  std::uint64_t erased_ = 0;        ///< upper bound of erased keys still kept: insertions may have replaced some
  std::uint64_t until_rebuild_ = first_period();  ///< insertions and erasures left until a table with graves is rebuilt
  std::uint64_t rebuilt_at_ = 0;                  ///< `occupied_` after the last attempts to reseed
  bool rebuild_failed_ = false;
  std::uint64_t rebuilds_ = 0;
};

}  // namespace slotscape
