#pragma once

#include "gpu/library/row_view.hpp"
#include "gpu/library/typed_table.hpp"

#include <algorithm>
#include <cstddef>
#include <type_traits>

namespace slotscape {

namespace library {

template <class Keys, class Key>
struct HashOfKeys {
  using type = HashedBy<BitsHash<Key>, BitsEqual<Key>>;
};
template <class Hash, class Equal, class Key>
struct HashOfKeys<HashedBy<Hash, Equal>, Key> {
  using type = HashedBy<Hash, Equal>;
};

}  // namespace library

/// A hash table for keys or values that do not fit into words, and for keys with their own hash and equality. The pairs
/// are stored in rows beside a table of the family, which maps a fingerprint of the key to its row. Comparing the row's
/// key shows whether it is the right one. If another key has the same fingerprint, the next one is tried; lookups try
/// as many as any key ever needed: one, unless the hash is bad. Any key and any value can be stored.
/// docs/using-the-tables.md is the contract.
template <TableFamily Family, exec::Executor Exec, PairFormat Format, class Key_, class Value_, class Keys_>
class RowTable : public library::TypedTable<RowTable<Family, Exec, Format, Key_, Value_, Keys_>, Family, Exec, Format,
                                            Key_, Value_> {
  using Base = library::TypedTable<RowTable, Family, Exec, Format, Key_, Value_>;
  friend Base;
  using Arrays = typename Base::Arrays;
  template <class T>
  using Buffer = typename Base::template Buffer<T>;
  using Word = typename Format::Word;
  using Row = library::rows::Row<Key_, Value_>;
  using HashedBy = typename library::HashOfKeys<Keys_, Key_>::type;
  template <class Keys>
  using Part = library::rows::Part<Format, Row, HashedBy, Keys>;

public:
  using typename Base::Key;
  using typename Base::Value;
  using View = RowView<typename Base::Words::View, Key, Value, HashedBy>;
  using MutableView = library::NoMutableView;
  static constexpr library::StoredAs stored_as = library::StoredAs::rows;
  /// Values are combined by atomic operations of their size.
  static constexpr bool compares = library::is_number<Value> && (sizeof(Value) == 4 || sizeof(Value) == 8);
  static constexpr bool adds = compares && std::is_arithmetic_v<Value>;

  /// Writes the values of the keys that are in the table, and leaves the other values unchanged; returns how many were
  /// found.
  template <class Keys, class Values>
  std::uint64_t find(Keys keys, Values values, std::uint64_t count, BatchOptions const& options = {})
  {
    Arrays::template expect_results<Value, Values>();
    return look_up(keys, count, options, library::rows::ToValues<Values>{values});
  }
  /// Writes whether each key is in the table, and returns how many are.
  template <class Keys>
  std::uint64_t contains(Keys keys, bool* are_there, std::uint64_t count, BatchOptions const& options = {})
  {
    return look_up(keys, count, options, library::rows::ToWhether{are_there});
  }
  /// Returns how many keys were erased.
  template <class Keys>
  std::uint64_t erase(Keys keys, std::uint64_t count, BatchOptions const& options = {})
  {
    auto const call = words().enters();
    find_free_rows();
    std::uint64_t erased = 0;
    for (std::uint64_t first = 0; first < count;) {
      std::uint64_t const size = std::min(Base::at_once, count - first);
      erased += erase_part(part(keys, first, size), size, options.from(first).outcomes);
      first += size;
    }
    return erased;
  }

  /// See `BasicTable::update`.
  template <class Keys, class Values>
  std::uint64_t update(Keys keys, Values values, std::uint64_t count, BatchOptions const& options = {})
  {
    Arrays::template expect_values<Values>();
    auto const call = words().enters();
    std::uint64_t updated = 0;
    for (std::uint64_t first = 0; first < count;) {
      std::uint64_t const size = std::min(Base::at_once, count - first);
      if (!options.distinct) { make_claims(); }
      auto const keys_here = part(keys, first, size);
      seek(keys_here, size, [](auto const&) {});
      write_values(Combine::replace, keys_here, values, size, options.distinct);
      using Report = library::rows::ReportUpdate<Part<Keys>>;
      updated += this->exec().tally(size, Report{keys_here, options.from(first).outcomes})[Outcome::updated];
      first += size;
    }
    return updated;
  }

  std::uint64_t size() { return words().size(); }
  void clear()
  {
    auto const call = words().enters();
    words().clear();
    free_all();
  }
  void rehash(std::uint64_t new_slots)
  {
    auto const call = words().enters();
    find_free_rows();
    make_rows(new_slots * (words().places() / words().slots()));
    words().rehash(new_slots);
  }
  std::uint64_t memory_bytes() const
  {
    return Base::words_.memory_bytes() + rows_.size() * sizeof(Row) +
           (free_.size() + claims_.size()) * sizeof(std::uint32_t);
  }

  /// Calls f(key, value) for every pair, in no particular order, with many threads; does not wait.
  template <class F>
  void for_each(F const& f)
  {
    Base::template expect_call<F>();
    words().for_each_word(library::rows::OfRow<Row, F>{rows_.data(), f});
  }
  /// Erases the pairs for which wanted(key, value) is true; returns how many. Needs memory for all keys.
  template <class Wanted>
  std::uint64_t erase_if(Wanted const& wanted)
  {
    Base::template expect_call<Wanted>();
    auto const call = words().enters();
    using OfRow = library::rows::OfRow<Row, Wanted>;
    find_free_rows();
    are_rows_unsettled_ = true;
    auto const take = [&](Word const* words_erased, std::uint64_t count) {
      this->exec().for_each(count, library::rows::TakeRows<Format>{words_erased, free_.data() + free_count_});
      free_count_ += count;
    };
    std::uint64_t const erased = words().erase_words_if(OfRow{rows_.data(), wanted}, take);
    are_rows_unsettled_ = false;
    return erased;
  }
  /// Inserts all pairs of another table; `combine` determines the value of existing keys. Waits for the other table's
  /// stream. Merging a table with itself changes nothing, but throws Error for addition.
  Inserted merge(RowTable& other, Combine combine = Combine::keep_first)
  {
    Base::require(combine);
    auto const call = words().enters();
    return words().insert_words_of(other.words(), combine, [&](Word const* pairs, std::uint64_t count) {
      Row const* const rows = other.rows_.data();
      return insert_as(combine, library::rows::KeysOf<Row, Word>{rows, pairs},
                       library::rows::ValuesOf<Row, Word>{rows, pairs}, count, {.distinct = true});
    });
  }
  /// See `OwnedTable::copy_from`. Both tables must use the same hash.
  void copy_from(RowTable& other)
  {
    auto const call = words().enters();
    auto rows = kept<Row>(other.rows_.size());
    auto free = kept<std::uint32_t>(other.free_.size());
    words().copy_from(other.words());
    copy_rows(rows, other.rows_);
    this->exec().copy(free.data(), static_cast<std::uint32_t const*>(other.free_.data()), other.free_count_);
    this->exec().wait();
    rows_ = std::move(rows);
    free_ = std::move(free);
    claims_ = {};
    free_count_ = other.free_count_;
    are_rows_unsettled_ = other.are_rows_unsettled_;
    attempts_ = other.attempts_;
  }

  /// Writes all pairs, in no particular order, and returns their number. Throws Error if there are more than `room`.
  template <class Keys, class Values>
  std::uint64_t export_pairs(Keys keys, Values values, std::uint64_t room)
  {
    Arrays::template expect_results<Key, Keys>();
    Arrays::template expect_results<Value, Values>();
    auto const call = words().enters();
    library::require_room(room, size());
    std::uint64_t done = 0;
    words().for_each_chunk(Exec::rehash_slots, [&](Word const* pairs, std::uint64_t count) {
      using Split = library::rows::SplitRows<Row, Word, Keys, Values>;
      this->exec().for_each(count, Split{rows_.data(), pairs, keys, values, done});
      done += count;
    });
    this->exec().wait();
    return done;
  }

  /// A view for lookups by single threads.
  View view() { return View(words().view(), rows_.data(), fingerprints_.hashed_by, attempts_); }

protected:
  RowTable(TableOptions const& options, std::unique_ptr<Exec> exec, HashedBy const& hashed_by = {})
      : Base(options, std::move(exec)), fingerprints_{hashed_by}
  {
    Exec::template expect_call<decltype(hashed_by.hash), Key>();
    Exec::template expect_call<decltype(hashed_by.equal), Key, Key>();
    make_rows();
  }

private:
  typename Base::Words& words() { return Base::words_; }

  /// The number of rows for all pairs that fit in the slots, plus spare rows for the new keys of a call.
  std::uint64_t wanted_rows(std::uint64_t slots)
  {
    constexpr std::uint64_t least = 1024;
    constexpr std::uint64_t most = std::uint64_t{1} << 20;
    return std::max(slots, size()) + std::clamp(slots / 8, least, most);
  }
  template <class T>
  Buffer<T> kept(std::uint64_t count)
  {
    return Buffer<T>(this->exec(), count, exec::MemoryUse::table);
  }
  void make_rows() { make_rows(words().places()); }
  void make_rows(std::uint64_t slots)
  {
    std::uint64_t const old = rows_.size();
    std::uint64_t const wanted = wanted_rows(slots);
    if (old >= wanted) { return; }
    auto rows = kept<Row>(wanted);
    auto free = kept<std::uint32_t>(wanted);
    copy_rows(rows, rows_);
    this->exec().copy(free.data(), static_cast<std::uint32_t const*>(free_.data()), free_count_);
    rows_ = std::move(rows);
    free_ = std::move(free);
    claims_ = {};
    free_from(old);
  }
  void free_all()
  {
    free_count_ = 0;
    free_from(0);
    are_rows_unsettled_ = false;
    attempts_ = 1;
  }
  /// Determines which rows are free after a call ended without updating the list, because it ran out of memory.
  void find_free_rows()
  {
    if (!are_rows_unsettled_) { return; }
    make_claims();
    library::rows::UnmarkedRow const unmarked{claims_.data()};
    this->exec().prepare_select(rows_.size(), library::rows::unknown, free_.data(), unmarked);
    this->exec().fill(claims_.data(), rows_.size(), std::uint32_t{0});
    words().for_each_word(library::rows::MarkRow{claims_.data()});
    free_count_ = this->exec().select(rows_.size(), library::rows::unknown, free_.data(), unmarked);
    are_rows_unsettled_ = false;
  }
  /// Marks the rows from `first` on as free; the next new key gets row `first`.
  void free_from(std::uint64_t first)
  {
    std::uint64_t const count = rows_.size() - first;
    auto const end = static_cast<std::uint32_t>(rows_.size());
    this->exec().for_each(count, library::rows::FreeRows{end, free_.data() + free_count_});
    free_count_ += count;
  }
  void copy_rows(Buffer<Row>& to, Buffer<Row> const& from)
  {
    this->exec().copy(reinterpret_cast<std::byte*>(to.data()), reinterpret_cast<std::byte const*>(from.data()),
                      from.size() * sizeof(Row));
  }

  template <class Keys>
  Part<Keys> part(Keys keys, std::uint64_t first, std::uint64_t count)
  {
    Arrays::template expect_keys<Keys>();
    exec::grow(this->exec(), places_, count);
    exec::grow(this->exec(), asked_, count);
    exec::grow(this->exec(), found_, count);
    this->exec().fill(places_.data(), count, library::rows::unknown);
    return {fingerprints_,  rows_.data(),  keys,         first, free_.data() + free_count_ - 1,
            places_.data(), asked_.data(), found_.data()};
  }
  /// Finds the places of a part's keys; calls then(part) after each attempt.
  template <class Part, class Then>
  void seek(Part part, std::uint64_t count, Then const& then)
  {
    for (part.attempt = 0; part.attempt < attempts_; ++part.attempt) {
      this->exec().for_each(count, library::rows::Ask<Part>{part});
      words().find(part.words, part.found, count, {});
      this->exec().for_each(count, library::rows::Meet<Part>{part});
      then(part);
    }
  }

  template <class Keys, class Delivery>
  std::uint64_t look_up(Keys keys, std::uint64_t count, BatchOptions const& options, Delivery const& delivery)
  {
    auto const call = words().enters();
    std::uint64_t found = 0;
    for (std::uint64_t first = 0; first < count;) {
      std::uint64_t const size = std::min(Base::at_once, count - first);
      auto const sought = part(keys, first, size);
      seek(sought, size, [](auto const&) {});
      using Deliver = library::rows::Deliver<Part<Keys>, Delivery>;
      found += this->exec().tally(size, Deliver{sought, delivery, options.from(first).outcomes})[Outcome::found];
      first += size;
    }
    return found;
  }

  template <class Keys>
  std::uint64_t erase_part(Part<Keys> const& keys, std::uint64_t count, Outcome* outcomes)
  {
    exec::grow(this->exec(), outcomes_, 2 * count);
    Outcome* const done = outcomes_.data() + count;
    if (outcomes == nullptr) { outcomes = outcomes_.data(); }
    library::rows::ErasedRow const erased_rows{places_.data(), outcomes};
    this->exec().prepare_select(count, library::rows::unknown, free_.data() + free_count_, erased_rows);
    this->exec().fill(outcomes, count, Outcome::missing);
    std::uint64_t erased = 0;
    are_rows_unsettled_ = true;
    seek(keys, count, [&](Part<Keys> const& met) {
      erased += words().erase(met.words, count, {.outcomes = done});
      this->exec().for_each(count, library::rows::ReportErasure<Part<Keys>>{met, done, outcomes});
    });
    free_count_ += this->exec().select(count, library::rows::unknown, free_.data() + free_count_, erased_rows);
    are_rows_unsettled_ = false;
    return erased;
  }

  Inserted insert_as(Combine combine, auto keys, auto values, std::uint64_t count, BatchOptions const& options)
  {
    Arrays::template expect_values<decltype(values)>();
    auto const call = words().enters();
    words().retire_views();  // keys may need more attempts, and rows may move
    find_free_rows();
    Inserted whole{.key_bits = Format::bits, .takes_every_key = true};
    for (std::uint64_t first = 0; first < count;) {
      std::uint64_t size = words().room_for(std::min(Base::at_once, count - first));
      make_rows();
      size = std::min(size, free_count_);
      auto const keys_here = part(keys, first, size);
      make_scratch(size, combine == Combine::replace && !options.distinct);
      using Spare = library::rows::SpareRow<Part<decltype(keys)>>;
      this->exec().prepare_select(size, library::rows::unknown, spare_.data(), Spare{keys_here});
      are_rows_unsettled_ = true;
      find_places(keys_here, values, size);
      write_values(combine, keys_here, values, size, options.distinct);
      using Report = library::rows::ReportInsertion<Part<decltype(keys)>>;
      Tally const tally = this->exec().tally(size, Report{keys_here, options.from(first).outcomes});
      free_unused_rows(keys_here, size);
      are_rows_unsettled_ = false;
      whole += {tally[Outcome::inserted], tally[Outcome::updated], tally[Outcome::full]};
      first += size;
    }
    return whole;
  }
  /// Allocates scratch memory before anything changes, since memory may run out.
  void make_scratch(std::uint64_t count, bool claims)
  {
    exec::grow(this->exec(), spare_, count);
    if (claims) { make_claims(); }
  }
  void make_claims()
  {
    if (claims_.size() < rows_.size()) { claims_ = Buffer<std::uint32_t>(this->exec(), rows_.size()); }
  }
  /// Gives all keys of a part a place. Among equal new keys, one gets the row reserved for it.
  template <class Part, class Values>
  void find_places(Part keys, Values values, std::uint64_t count)
  {
    this->exec().for_each(count, library::rows::WriteRows<Part, Values>{keys, values});
    if (attempts_ > 1) {
      seek(keys, count, [](auto const&) {});
    }
    for (std::uint64_t open = count; open != 0; ++keys.attempt) {
      attempts_ = std::max(attempts_, keys.attempt + 1);
      this->exec().for_each(count, library::rows::AskForRoom<Part>{keys});
      static_cast<void>(words().insert(Combine::keep_first, keys.words, keys.found, count, {}));  // see the lookup
      words().find(keys.words, keys.found, count, {});
      open = this->exec().tally(count, library::rows::Settle<Part>{keys})[Outcome::missing];
    }
  }
  template <class Part, class Values>
  void write_values(Combine combine, Part const& keys, Values values, std::uint64_t count, bool are_distinct)
  {
    using namespace library::rows;
    if (combine == Combine::replace) {
      if (are_distinct) { return this->exec().for_each(count, WriteValues<Part, Values>{keys, values}); }
      this->exec().for_each(count, ClaimRows<Part>{keys, claims_.data()});
      this->exec().for_each(count, WriteClaimed<Part, Values>{keys, values, claims_.data()});
      return;
    }
    if constexpr (compares) {
      if (combine == Combine::keep_first) { return; }
      this->exec().for_each(count, CombineValues<Part, Values>{keys, values, combine});
    }
  }
  /// Frees the offered rows that no key has taken.
  template <class Part>
  void free_unused_rows(Part const& keys, std::uint64_t count)
  {
    std::uint64_t const left =
        this->exec().select(count, library::rows::unknown, spare_.data(), library::rows::SpareRow<Part>{keys});
    free_count_ -= count;
    this->exec().copy(free_.data() + free_count_, static_cast<std::uint32_t const*>(spare_.data()), left);
    free_count_ += left;
  }

  library::rows::Fingerprints<Format, HashedBy> fingerprints_;
  Buffer<Row> rows_;
  Buffer<std::uint32_t> free_;  ///< numbers of the free rows; the last ones are used first
  std::uint64_t free_count_ = 0;
  bool are_rows_unsettled_ = false;  ///< a call is changing the list of free rows, or was interrupted while doing so
  Buffer<std::uint32_t> claims_;     ///< the key whose value each row gets
  std::uint32_t attempts_ = 1;       ///< maximum number of fingerprints that any key needed
  Buffer<std::uint32_t> places_;     ///< from here on: scratch memory for a part of a call
  Buffer<typename Format::Key> asked_;
  Buffer<typename Format::Value> found_;
  Buffer<std::uint32_t> spare_;
  Buffer<Outcome> outcomes_;
};

}  // namespace slotscape
