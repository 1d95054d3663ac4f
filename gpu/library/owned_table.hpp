#pragma once

#include "gpu/library/codes.hpp"
#include "gpu/library/one_caller.hpp"
#include "gpu/library/options.hpp"
#include "gpu/library/pair_passes.hpp"
#include "gpu/library/running.hpp"
#include "gpu/library/view.hpp"
#include "gpu/tables/slot_counts.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

namespace slotscape::library {

/// A table with its memory and its executor: the common part of `BasicTable` and `BasicSet`. Keys and outcomes are
/// passed as pointers into device memory. Calls that return results wait for them; all others only submit work.
/// docs/using-the-tables.md is the contract.
template <TableFamily Family, exec::Executor Exec, PairFormat Format>
class OwnedTable {
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;
  using Word = typename Format::Word;
  using Running = library::Running<Family, Exec, Format>;
  using Inner = typename Running::View;

public:
  using TableFamilyType = Family;
  using TableFormat = Format;
  using Key = typename Format::Key;
  using Machine = typename Exec::template Machine<Format>;
  using View = TableView<Family, Machine>;
  static_assert(Format::bits == 32 || Family::info.wide,
                "This family has 32-bit words: choose keys and values of at most 4 bytes, or another family.");

  static constexpr Key largest_key = Format::locked_key - 1;

  /// The number of slots for `keys` keys, at a safe load factor of at most `load_factor`.
  static std::uint64_t slots_for(std::uint64_t keys, double load_factor = 0.8,
                                 std::map<std::string, std::uint32_t> const& parameters = {})
  {
    return library::slots_for<Family, Format>(keys, load_factor, parameters);
  }

  /// Returns how many keys were erased.
  std::uint64_t erase(Key const* keys, std::uint64_t count, BatchOptions const& options = {})
  {
    return run(Operation::erase, keys, nullptr, count, options)[Outcome::erased];
  }

  void clear()
  {
    auto const call = caller_.enters();
    if (!HasConcurrentOperations<Family>) { tickets_.retire(); }
    running_->clear();
    live_ = left_behind_ = 0;
  }

  /// The number of keys. Waits only if there is a mutable view, because the keys must then be counted.
  std::uint64_t size()
  {
    auto const call = caller_.enters();
    if (!is_shared_) { return live_; }
    auto const is_live = IsLive<Family, Inner>{live_words(0)};
    return exec_->tally(places(), is_live)[Outcome::found];
  }

  /// Calls f(key, value) for every pair, or f(key) if keys have no values, in no particular order, with one thread per
  /// slot. It does not wait, and f must not change the table.
  template <class F>
  void for_each(F const& f)
  {
    expect_call<F>();
    for_each_word(OfWord<Format, F>{f});
  }
  /// Erases the pairs for which wanted(key, value) is true, or the keys for which wanted(key) is; returns how many.
  /// Needs memory for all pairs.
  template <class Wanted>
  std::uint64_t erase_if(Wanted const& wanted)
  {
    expect_call<Wanted>();
    return erase_words_if(OfWord<Format, Wanted>{wanted}, [](Word const*, std::uint64_t) {});
  }

  /// Gives back the scratch memory that `segmented_cuckoo` keeps for the next large call.
  void release_scratch()
  {
    auto const call = caller_.enters();
    if constexpr (requires { running_->release_scratch(); }) { running_->release_scratch(); }
  }

  /// Replaces the contents by those of another table, slot by slot, on this table's stream; waits for both. Throws
  /// Error if there is not enough memory; the table is then unchanged.
  void copy_from(OwnedTable& other)
  {
    auto const call = caller_.enters();
    auto const its_call = other.caller_.enters();
    other.exec_->wait();
    auto copy = make(other.settings());
    copy->copy_from(*other.running_);
    exec_->wait();
    tickets_.retire();
    running_ = std::move(copy);
    live_ = other.live_;
    left_behind_ = other.left_behind_;
    is_shared_ = other.is_shared_;
  }

  /// Moves all keys to another number of slots, and drops the remains of erased keys. Throws Error if the keys find no
  /// place there; the table is then unchanged.
  void rehash(std::uint64_t new_slots)
  {
    auto const call = caller_.enters();
    TableSettings next_settings = settings();
    next_settings.slots = new_slots;
    next_settings.combine = Combine::replace;
    auto next = make(next_settings);
    std::uint64_t const at_once = IsStatic<Family> ? places() : Exec::rehash_slots;
    Buffer<Key> keys(*exec_, std::min(at_once, places()));
    Buffer<Value> values(*exec_, Format::has_values ? keys.size() : 0);
    std::uint64_t moved = 0;
    for_each_chunk(at_once, [&](Word const* words, std::uint64_t count) {
      exec_->for_each(count, SplitPairs<Format>{words, keys.data(), values.data()});
      double seconds = 0.0;
      auto const batch = batch_of<Format>(Operation::insert, keys.data(), values.data(), count, {.distinct = true});
      if (count != 0 && next->run(batch, seconds)[Outcome::inserted] != count) {
        throw Error("The keys of the table do not fit in " + std::to_string(new_slots) +
                    " slots: choose more. The table is as it was.");
      }
      moved += count;
    });
    tickets_.retire();
    running_ = std::move(next);
    live_ = moved;
    left_behind_ = 0;
  }

  std::uint64_t slots() const { return settings().slots; }  ///< at least as many as requested
  /// Slots in the table's memory: more than requested if the request counts heads of chains (`separate_chaining`).
  std::uint64_t places() const { return places_of(Family::info, settings()); }
  double load_factor() { return static_cast<double>(size()) / static_cast<double>(slots()); }
  std::uint64_t memory_bytes() const
  {
    caller_.expect_here();
    return running_->memory_bytes();
  }
  Guarantees guarantees() const { return Family::guarantees(settings()); }

  /// The slots in place, for inspection (`watch_table.hpp`). Valid until `rehash` and, in families that rebuild the
  /// table, until the next insertion.
  Word const* slot_memory() const
  {
    caller_.expect_here();
    return running_->words();
  }
  HashKind hash() const { return settings().hash.kind; }
  /// The family's layout, for inspection.
  auto layout() const
  {
    caller_.expect_here();
    return running_->view().layout;
  }

  /// A view for lookups by single threads.
  View view()
  {
    auto const call = caller_.enters();
    return View(running_->view(), lanes(), tickets_.issue());
  }

protected:
  using Value = typename Format::Value;

  OwnedTable(TableOptions const& options, std::unique_ptr<Exec> exec)
      : exec_(std::move(exec)),
        running_(make(settings_of<Family, Format>(options))),
        grow_at_(options.grow_at),
        keys_at_once_(options.keys_at_once)
  {
    if (keys_at_once_ < 1 || keys_at_once_ > max_at_once) {
      throw Error("A table cannot take " + std::to_string(keys_at_once_) +
                  " keys at once: choose from 1 to 2^30 (keys_at_once).");
    }
    double const most = Family::guarantees(settings()).max_load;
    if (!(grow_at_ >= 0.0 && grow_at_ <= most)) {
      throw Error("A table cannot grow at a load factor of " + std::to_string(grow_at_) + ": choose one from 0 to " +
                  std::to_string(static_cast<int>(most)) + ", where 0 means never.");
    }
    if (options.deletion == Deletion::shift) {
      throw Error("Tables of the library move no keys when one is erased: choose empty_value or tombstone_reuse.");
    }
  }

  Exec& exec() { return *exec_; }
  [[nodiscard]] OneCaller::Call enters() { return caller_.enters(); }

  template <TableFamily F = Family>
  requires HasConcurrentOperations<F> MutableTableView<F, Machine> view_to_change(Combine combine)
  {
    auto const call = caller_.enters();
    is_shared_ = true;
    Inner inner = running_->view();
    inner.combine = combine;
    return {inner, lanes(), tickets_.issue()};
  }

  Inserted insert(Combine combine, Key const* keys, Value const* values, std::uint64_t count,
                  BatchOptions const& options)
  {
    auto const call = caller_.enters();
    Tally tally;
    for (std::uint64_t done = 0; done < count;) {
      std::uint64_t const part = room_for(count - done);
      running_->combine_with(combine, !is_shared_);
      Value* const its_values = values == nullptr ? nullptr : const_cast<Value*>(values) + done;  // only read
      tally += run(Operation::insert, keys + done, its_values, part, options.from(done));
      done += part;
    }
    return inserted(tally);
  }
  static Inserted inserted(Tally const& tally)
  {
    return {tally[Outcome::inserted], tally[Outcome::updated], tally[Outcome::full], tally[Outcome::rejected],
            Format::bits};
  }
  /// How many of `count` keys may be inserted next: all, unless the table may grow. If it may, and few of the keys
  /// would fit, it grows first, so that its load factor stays below `TableOptions::grow_at`; slots with remains of
  /// erased keys count as taken. If there are many of these, the table is rehashed into the same number of slots
  /// instead.
  std::uint64_t room_for(std::uint64_t count)
  {
    if (grow_at_ == 0.0) { return count; }
    if (is_shared_ && leaves_slots_behind()) { left_behind_ = count_left_behind(size()); }
    while (true) {
      std::uint64_t const most = most_before_growth(settings());
      std::uint64_t const live = size();
      std::uint64_t const wanted = std::min(count, std::max<std::uint64_t>(1, slots() / 8));
      auto const room = [most](std::uint64_t taken) { return most > taken ? most - taken : 0; };
      if (room(live + left_behind_) >= wanted) { return std::min(count, room(live + left_behind_)); }
      if (left_behind_ > 0) { left_behind_ = count_left_behind(live); }
      std::uint64_t const soon = slots() / 32;  // avoids counting again and again
      if (room(live + left_behind_) >= std::max(wanted, soon)) { return std::min(count, room(live + left_behind_)); }
      std::uint64_t const larger = slots_to_grow_to(most);
      bool const purges = left_behind_ > 0 && (larger == 0 || left_behind_ >= slots() / 8);
      if (larger == 0 && !purges) { return count; }
      rehash(larger == 0 || (purges && room(live) >= wanted) ? slots() : larger);
    }
  }
  /// 0 if more slots are impossible or useless.
  std::uint64_t slots_to_grow_to(std::uint64_t most) const
  {
    if (slots() > max_slots / 2) { return 0; }
    TableSettings larger = settings();
    larger.slots = doubled_slots(Family::info, larger);
    return most_before_growth(larger) > most ? larger.slots : 0;
  }
  static constexpr bool has_chains = requires { Family::link_lane; };
  bool leaves_slots_behind() const { return !Family::guarantees(settings()).erase_frees_slot; }
  /// Counts slots with remains of erased keys, if there may be some. Chains never become shorter, but the slots do not
  /// show to which chain a node belongs.
  std::uint64_t count_left_behind(std::uint64_t live)
  {
    if constexpr (has_chains) { return left_behind_; }
    IsTaken<Format> const is_taken{running_->words()};
    std::uint64_t const taken = exec_->tally(places(), is_taken)[Outcome::found];
    return taken > live ? taken - live : 0;
  }
  /// The largest number of keys for which a table with these settings does not grow: a safe load may depend on the
  /// number of slots.
  std::uint64_t most_before_growth(TableSettings const& table) const
  {
    double const load = std::min(grow_at_, Family::guarantees(table).safe_load);
    return static_cast<std::uint64_t>(load * static_cast<double>(table.slots));
  }
  /// Sets the values of existing keys; returns how many. Nothing moves.
  std::uint64_t update(Key const* keys, Value const* values, std::uint64_t count, BatchOptions const& options)
  {
    auto const call = caller_.enters();
    using Through = UpdatingView<Family, Machine>;
    Through const view(running_->view(), lanes(), tickets_.issue());
    running_->combine_with(Combine::replace, false);
    return exec_->tally(count, UpdateEach<Through>{view, keys, values, options.outcomes})[Outcome::updated];
  }
  std::uint64_t find(Key const* keys, Value* values, std::uint64_t count, BatchOptions const& options)
  {
    return run(Operation::find, keys, values, count, options)[Outcome::found];
  }
  void find_async(Key const* keys, Value* values, std::uint64_t count)
  {
    auto const call = caller_.enters();
    for_each_part(count, [&](std::uint64_t first, std::uint64_t part) {
      submit_find(batch_of<Format>(Operation::find, keys + first, values + first, part, {}));
    });
  }
  /// Calls f(word) for every live pair or key; does not wait.
  template <class F>
  void for_each_word(F const& f)
  {
    auto const call = caller_.enters();
    exec_->for_each(places(), OnLive<Family, Inner, F>{live_words(0), f});
  }
  /// Erases the words for which wanted(word) is true; returns how many. Calls use(words, count) before erasing them.
  template <class Wanted, class Use>
  std::uint64_t erase_words_if(Wanted const& wanted, Use const& use)
  {
    auto const call = caller_.enters();
    Buffer<Word> words(*exec_, size());
    std::uint64_t count = 0;
    std::uint64_t const chunk = std::min<std::uint64_t>(Exec::rehash_slots, places());
    for (std::uint64_t first = 0; first < places(); first += chunk) {
      count += exec_->select(std::min(chunk, places() - first), Format::empty_word, words.data() + count,
                             WantedWordAt<Family, Inner, Wanted>{live_words(first), wanted});
    }
    Buffer<Key> keys(*exec_, count);
    exec_->for_each(count, TakeKeys<Format>{words.data(), keys.data()});
    use(static_cast<Word const*>(words.data()), count);
    return run(Operation::erase, keys.data(), nullptr, count, {})[Outcome::erased];
  }
  /// Calls insert(words, count) for the pairs of another table, piece by piece; returns the sum. Merging a table with
  /// itself changes nothing.
  template <class Insert>
  Inserted insert_words_of(OwnedTable& other, Combine combine, Insert const& insert)
  {
    auto const call = caller_.enters();
    auto const its_call = other.caller_.enters();
    Inserted whole{.key_bits = Format::bits};
    if (&other == this) {
      if (combine == Combine::add || combine == Combine::add_freely) {
        throw Error(
            "A table cannot be merged into itself with Combine::add: export its pairs, and insert_or_add them.");
      }
      whole.updated = size();
      return whole;
    }
    other.for_each_chunk(IsStatic<Family> ? other.places() : Exec::rehash_slots,
                         [&](Word const* words, std::uint64_t count) { whole += insert(words, count); });
    return whole;
  }

  Inserted insert_all_of(OwnedTable& other, Combine combine)
  {
    Buffer<Key> keys;
    Buffer<Value> values;
    return insert_words_of(other, combine, [&](Word const* words, std::uint64_t count) {
      exec::grow(*exec_, keys, count);
      if (Format::has_values) { exec::grow(*exec_, values, count); }
      exec_->for_each(count, SplitPairs<Format>{words, keys.data(), values.data()});
      return insert(combine, keys.data(), values.data(), count, {.distinct = true});
    });
  }

  /// Writes all keys and, if there are any, their values; returns their number.
  std::uint64_t export_words(Key* keys, Value* values, std::uint64_t room)
  {
    auto const call = caller_.enters();
    require_room(room, size());
    std::uint64_t done = 0;
    for_each_chunk(Exec::rehash_slots, [&](Word const* words, std::uint64_t count) {
      Value* const its_values = values == nullptr ? nullptr : values + done;
      exec_->for_each(count, SplitPairs<Format>{words, keys + done, its_values});
      done += count;
    });
    exec_->wait();
    return done;
  }

  /// Calls use(words, count) for the live pairs of every `slots_at_once` slots.
  template <class Use>
  void for_each_chunk(std::uint64_t slots_at_once, Use const& use)
  {
    std::uint64_t const chunk = std::min(slots_at_once, places());
    Buffer<Word> words(*exec_, chunk);
    for (std::uint64_t first = 0; first < places(); first += chunk) {
      std::uint64_t const count = std::min(chunk, places() - first);
      use(words.data(), exec_->select(count, Format::empty_word, words.data(), live_words(first)));
    }
  }
  bool is_shared() const { return is_shared_; }
  void retire_views() { tickets_.retire(); }

private:
  /// A call is split into parts of this many keys: an engine numbers them with 32 bits, and allocates memory for them.
  static constexpr std::uint64_t max_at_once = std::uint64_t{1} << 30;

  std::unique_ptr<Running> make(TableSettings const& settings)
  {
    validate_parameters(Family::info, settings);
    validate_slots(Family::info, settings);
    return std::make_unique<Running>(*exec_, settings);
  }
  TableSettings const& settings() const
  {
    caller_.expect_here();
    return running_->settings();
  }
  int lanes() const
  {
    int result = 1;
    running_->with_lanes([&]<int Lanes>() { result = Lanes; });
    return result;
  }

  template <class F>
  static void expect_call()
  {
    if constexpr (Format::has_values) {
      Exec::template expect_call<F, Key, Value>();
    } else {
      Exec::template expect_call<F, Key>();
    }
  }
  template <class F>
  static void for_each_part(std::uint64_t count, F const& f, std::uint64_t at_once = max_at_once)
  {
    for (std::uint64_t first = 0; first < count; first += at_once) { f(first, std::min(at_once, count - first)); }
  }
  /// A batch that fills an empty table is better not split: each part would read and write the whole table.
  std::uint64_t part_of(Batch<Format> const& batch) const
  {
    if constexpr (requires { running_->fills(batch); }) {
      if (running_->fills(batch)) { return batch.count; }
    }
    return keys_at_once_;
  }

  Tally run(Operation operation, Key const* keys, Value* values, std::uint64_t count, BatchOptions const& options)
  {
    auto const call = caller_.enters();
    if (!HasConcurrentOperations<Family> && operation != Operation::find) { tickets_.retire(); }
    Tally whole;
    auto const batch = batch_of<Format>(operation, keys, values, count, options);
    auto const run_part = [&](std::uint64_t first, std::uint64_t part) {
      Tally const tally = run_counted(batch.part(first, part));
      live_ += tally[Outcome::inserted] - tally[Outcome::erased];
      if (leaves_slots_behind()) { left_behind_ += tally[Outcome::erased]; }
      whole += tally;
    };
    for_each_part(count, run_part, part_of(batch));
    return whole;
  }
  /// If the batch fails, keys have to be counted from now on: it is unknown which operations ran.
  Tally run_counted(Batch<Format> const& batch)
  {
    double seconds = 0.0;
    try {
      return running_->run(batch, seconds);
    } catch (...) {
      is_shared_ = true;
      throw;
    }
  }

  void submit_find(Batch<Format> const& batch)
  {
    if constexpr (WalksBuckets<Family>) {
      if (submit_finds<Family>(*exec_, running_->view(), batch, nullptr)) { return; }
    }
    RunOperations<Family, Inner, OperationMask::finds> const find{running_->view(), batch, batch.kinds, nullptr};
    if constexpr (UsesTiles<Family>) {
      running_->with_lanes([&]<int Lanes>() {
        using Tile = typename Exec::template Tile<Lanes>;
        exec_->template for_each_tile<Lanes>(batch.count, FindOne<Family, Inner, Tile>{find});
      });
    } else {
      exec_->for_each(batch.count, FindOne<Family, Inner, exec::NoTile>{find});
    }
  }

  LiveWordAt<Family, Inner> live_words(std::uint64_t first) { return {running_->view(), running_->words(), first}; }

  std::unique_ptr<Exec> exec_;
  std::unique_ptr<Running> running_;
  double grow_at_;                 ///< load factor at which it grows; 0: never
  std::uint64_t keys_at_once_;     ///< at most, in a part of a call
  std::uint64_t live_ = 0;         ///< number of keys, according to the batches
  std::uint64_t left_behind_ = 0;  ///< upper bound of slots whose keys were erased but that are not free
  bool is_shared_ = false;         ///< whether threads may have changed the table through a view
  OneCaller caller_;
  TicketsOf<Machine> tickets_;
};

}  // namespace slotscape::library
