#pragma once

#include "gpu/library/one_caller.hpp"
#include "gpu/library/options.hpp"
#include "gpu/library/passes.hpp"
#include "gpu/library/running.hpp"
#include "gpu/library/view.hpp"
#include "gpu/tables/slot_counts.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

namespace slotscape::library {

/// A table with its memory and its executor: what `BasicTable` and `BasicSet` have in common. Keys and outcomes are
/// passed as pointers into the memory of the device. Calls that return what happened wait for it; all others only
/// submit work. docs/using-the-tables.md is the contract.
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
  static_assert(Format::bits == 32 || Family::info.wide, "this family's keys have 32 bits: use std::uint32_t");

  static constexpr Key largest_key = Format::locked_key - 1;

  /// Slots for so many keys, at a load factor that is safe and at most `load_factor`.
  static std::uint64_t slots_for(std::uint64_t keys, double load_factor = 0.8,
                                 std::map<std::string, std::uint32_t> const& parameters = {})
  {
    if (!(load_factor > 0.0 && load_factor <= 1.0)) {
      throw Error("A load factor of " + std::to_string(load_factor) + " is impossible: choose one above 0, up to 1.");
    }
    validate_parameters(Family::info, settings_of({.slots = min_slots, .parameters = parameters}));
    auto const count = static_cast<double>(keys);
    for (double load = load_factor;; load *= 0.98) {
      double const wanted = std::max(std::ceil(count / load), static_cast<double>(min_slots));
      if (wanted > static_cast<double>(max_slots)) { break; }
      auto slots = static_cast<std::uint64_t>(wanted);
      if (Family::info.slot_counts != SlotCounts::any) { slots = std::bit_ceil(slots); }
      TableSettings const settings = settings_of({.slots = slots, .parameters = parameters});
      if (count <= Family::guarantees(settings).safe_load * static_cast<double>(slots)) { return slots; }
    }
    throw Error(std::to_string(keys) + " keys need more than " + std::to_string(max_slots) +
                " slots: choose a higher load factor, or divide them among several tables.");
  }

  /// Returns how many keys were there.
  std::uint64_t erase(Key const* keys, std::uint64_t count, BatchOptions const& options = {})
  {
    return run(Operation::erase, keys, nullptr, count, options)[Outcome::erased];
  }

  void clear()
  {
    auto const call = caller_.enters();
    running_->clear();
    live_ = 0;
  }

  /// How many keys there are. It waits only if there is a mutable view: then it has to count them.
  std::uint64_t size()
  {
    auto const call = caller_.enters();
    if (!is_shared_) { return live_; }
    auto const is_live = IsLive<Family, Inner>{live_words(0)};
    return exec_->tally(slots(), is_live)[Outcome::found];
  }

  /// Moves all keys to another number of slots, and drops what erased ones have left behind. Throws Error if they find
  /// no place there; then the table is as it was.
  void rehash(std::uint64_t new_slots)
  {
    auto const call = caller_.enters();
    TableSettings next_settings = settings();
    next_settings.slots = new_slots;
    next_settings.combine = Combine::replace;
    auto next = make(next_settings);
    std::uint64_t const at_once = IsStatic<Family> ? slots() : Exec::rehash_slots;
    Buffer<Key> keys(*exec_, std::min(at_once, slots()));
    Buffer<Value> values(*exec_, Format::has_values ? keys.size() : 0);
    std::uint64_t moved = 0;
    for_each_chunk(at_once, [&](Word const* words, std::uint64_t count) {
      exec_->for_each(count, SplitPairs<Format>{words, keys.data(), values.data()});
      double seconds = 0.0;
      auto const batch = batch_of(Operation::insert, keys.data(), values.data(), count, {.distinct = true});
      if (count != 0 && next->run(batch, seconds)[Outcome::inserted] != count) {
        throw Error("The keys of the table do not fit in " + std::to_string(new_slots) +
                    " slots: choose more. The table is as it was.");
      }
      moved += count;
    });
    running_ = std::move(next);
    live_ = moved;
  }

  std::uint64_t slots() const { return settings().slots; }  ///< at least as many as asked for
  double load_factor() { return static_cast<double>(size()) / static_cast<double>(slots()); }
  std::uint64_t memory_bytes() const { return running_->memory_bytes(); }
  Guarantees guarantees() const { return Family::guarantees(settings()); }

  /// The slots where they lie, for somebody who looks at them (`watch_table.hpp`): until `rehash`, and in families that
  /// rebuild the table, until the next insertion.
  Word const* slot_memory() const { return running_->words(); }
  HashKind hash() const { return settings().hash; }

  /// For lookups by single threads.
  View view() { return View(running_->view(), lanes()); }

protected:
  using Value = typename Format::Value;

  OwnedTable(TableOptions const& options, std::unique_ptr<Exec> exec)
      : exec_(std::move(exec)), running_(make(settings_of(options)))
  {
  }

  template <TableFamily F = Family>
  requires HasConcurrentOperations<F> MutableTableView<F, Machine> view_to_change(Combine combine)
  {
    is_shared_ = true;
    Inner inner = running_->view();
    inner.combine = combine;
    return {inner, lanes()};
  }

  Inserted insert(Combine combine, Key const* keys, Value const* values, std::uint64_t count,
                  BatchOptions const& options)
  {
    auto const call = caller_.enters();
    running_->combine_with(combine, !is_shared_);
    Tally const tally = run(Operation::insert, keys, const_cast<Value*>(values), count, options);  // they are only read
    return {tally[Outcome::inserted], tally[Outcome::updated], tally[Outcome::full], tally[Outcome::rejected],
            Format::bits};
  }
  std::uint64_t find(Key const* keys, Value* values, std::uint64_t count, BatchOptions const& options)
  {
    return run(Operation::find, keys, values, count, options)[Outcome::found];
  }
  void find_async(Key const* keys, Value* values, std::uint64_t count)
  {
    auto const call = caller_.enters();
    for_each_part(count, [&](std::uint64_t first, std::uint64_t part) {
      submit_find(batch_of(Operation::find, keys + first, values + first, part, {}));
    });
  }
  /// Writes all keys and, if there are any, their values; returns how many.
  std::uint64_t export_words(Key* keys, Value* values, std::uint64_t room)
  {
    auto const call = caller_.enters();
    if (std::uint64_t const live = size(); live > room) {
      throw Error("The table has " + std::to_string(live) + " keys, and there is room for " + std::to_string(room) +
                  ": make room for as many as size() says.");
    }
    std::uint64_t done = 0;
    for_each_chunk(Exec::rehash_slots, [&](Word const* words, std::uint64_t count) {
      Value* const its_values = values == nullptr ? nullptr : values + done;
      exec_->for_each(count, SplitPairs<Format>{words, keys + done, its_values});
      done += count;
    });
    exec_->wait();
    return done;
  }

private:
  /// A call is cut in parts of so many keys, which an engine numbers with 32 bits.
  static constexpr std::uint64_t max_at_once = std::uint64_t{1} << 30;

  static TableSettings settings_of(TableOptions const& options)
  {
    return {.family = std::string(Family::info.name),
            .slots = options.slots,
            .deletion = Format::has_values ? options.deletion : Deletion::tombstone_reuse,
            .hash = options.hash,
            .key_bits = Format::bits,
            .parameters = options.parameters};
  }
  std::unique_ptr<Running> make(TableSettings const& settings)
  {
    validate_slots(Family::info, settings.slots);
    validate_parameters(Family::info, settings);
    return std::make_unique<Running>(*exec_, settings);
  }
  TableSettings const& settings() const { return running_->settings(); }
  int lanes() const
  {
    int result = 1;
    running_->with_lanes([&]<int Lanes>() { result = Lanes; });
    return result;
  }

  template <class F>
  static void for_each_part(std::uint64_t count, F const& f)
  {
    for (std::uint64_t first = 0; first < count; first += max_at_once) {
      f(first, std::min(max_at_once, count - first));
    }
  }

  Tally run(Operation operation, Key const* keys, Value* values, std::uint64_t count, BatchOptions const& options)
  {
    auto const call = caller_.enters();
    Tally whole;
    for_each_part(count, [&](std::uint64_t first, std::uint64_t part) {
      BatchOptions const of_part{options.distinct, options.outcomes == nullptr ? nullptr : options.outcomes + first};
      double seconds = 0.0;
      Value* const its_values = values == nullptr ? nullptr : values + first;
      Tally const tally = running_->run(batch_of(operation, keys + first, its_values, part, of_part), seconds);
      live_ += tally[Outcome::inserted] - tally[Outcome::erased];
      whole += tally;
    });
    return whole;
  }
  Batch<Format> batch_of(Operation operation, Key const* keys, Value* values, std::uint64_t count,
                         BatchOptions const& options)
  {
    return {.count = count,
            .operations = nullptr,
            .keys = keys,
            .values = values,
            .outcomes = options.outcomes,
            .changes = nullptr,
            .distinct = options.distinct,
            .kinds = mask_of(operation),
            .keeps_outcomes = options.outcomes != nullptr};
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
  /// use(words, count) for the live pairs of every `slots_at_once` slots.
  template <class Use>
  void for_each_chunk(std::uint64_t slots_at_once, Use const& use)
  {
    std::uint64_t const chunk = std::min(slots_at_once, slots());
    Buffer<Word> words(*exec_, chunk);
    for (std::uint64_t first = 0; first < slots(); first += chunk) {
      std::uint64_t const count = std::min(chunk, slots() - first);
      use(words.data(), exec_->select(count, Format::empty_word, words.data(), live_words(first)));
    }
  }

  std::unique_ptr<Exec> exec_;
  std::unique_ptr<Running> running_;
  std::uint64_t live_ = 0;  ///< keys, as far as batches tell
  bool is_shared_ = false;  ///< threads may have changed the table through a view
  OneCaller caller_;
};

}  // namespace slotscape::library
