#pragma once

#include "gpu/library/packed_view.hpp"
#include "gpu/library/typed_table.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace slotscape {

/// A hash table whose keys and values fit into the halves of words and are encoded as such (`library::Code`): a table
/// of the family stores the codes like its own keys and values. Every key can be stored; the few keys whose codes are
/// reserved are stored beside the table. If values are as wide as half a word, the largest value, or the one whose bits
/// are all 1, is reserved; no floating-point number is. docs/using-the-tables.md is the contract.
template <TableFamily Family, exec::Executor Exec, PairFormat Format, class Key_, class Value_>
class PackedTable
    : public library::TypedTable<PackedTable<Family, Exec, Format, Key_, Value_>, Family, Exec, Format, Key_, Value_> {
  using Base = library::TypedTable<PackedTable, Family, Exec, Format, Key_, Value_>;
  friend Base;
  using Arrays = typename Base::Arrays;
  template <class T>
  using Buffer = typename Base::template Buffer<T>;
  using Word = typename Format::Word;
  using Machine = typename Exec::template Machine<Format>;
  using KeyWord = typename Format::Key;
  using ValueWord = typename Format::Value;
  using Reserved = library::ReservedKeys<Format>;
  template <class F>
  using OfPacked = library::packed::OfPacked<Format, Key_, Value_, F>;
  template <Operation operation>
  using OnReserved = library::packed::OnReserved<Format, operation>;

public:
  using typename Base::Key;
  using typename Base::Value;
  using View = PackedView<typename Base::Words::View, Key, Value>;
  /// A real view only for families in which no key moves.
  using MutableView =
      std::conditional_t<HasConcurrentOperations<Family>,
                         MutablePackedView<typename library::MutableViewOf<Family, Machine>::type, Key, Value>,
                         library::NoMutableView>;
  static constexpr library::StoredAs stored_as = library::StoredAs::codes;
  static constexpr bool compares = library::is_number<Value>;
  static constexpr bool adds = std::is_arithmetic_v<Value>;

  /// Writes the values of the keys that are in the table, and leaves the other values unchanged; returns how many were
  /// found.
  template <class Keys, class Values>
  std::uint64_t find(Keys keys, Values values, std::uint64_t count, BatchOptions const& options = {})
  {
    Arrays::template expect_results<Value, Values>();
    using Deliver = library::packed::Deliver<Format, Value, Values>;
    return look_up(keys, count, options, [&](std::uint64_t first) { return Deliver{found_.data(), values, first}; });
  }
  /// Writes whether each key is in the table, and returns how many are.
  template <class Keys>
  std::uint64_t contains(Keys keys, bool* are_there, std::uint64_t count, BatchOptions const& options = {})
  {
    return look_up(keys, count, options, [&](std::uint64_t first) {
      return library::TellWhether<ValueWord>{found_.data(), Format::empty_value, are_there + first};
    });
  }
  /// Returns how many keys were erased.
  template <class Keys>
  std::uint64_t erase(Keys keys, std::uint64_t count, BatchOptions const& options = {})
  {
    auto const call = words().enters();
    std::uint64_t erased = 0;
    for_each_part(keys, count, [&](std::uint64_t first, std::uint64_t part, KeyWord const* key_words) {
      Outcome* const outcomes = options.from(first).outcomes;
      erased += words().erase(key_words, part, {options.distinct, outcomes});
      if constexpr (has_reserved) {
        if (!may_have_reserved() && outcomes == nullptr) { return; }
        std::uint64_t const more = on_reserved<Operation::erase>(key_words, part, outcomes)[Outcome::erased];
        reserved_live_ -= more;
        erased += more;
      }
    });
    return erased;
  }

  /// See `BasicTable::update`.
  template <class Keys, class Values>
  std::uint64_t update(Keys keys, Values values, std::uint64_t count, BatchOptions const& options = {})
  {
    auto const call = words().enters();
    std::uint64_t updated = 0;
    for_each_part(keys, count, [&](std::uint64_t first, std::uint64_t part, KeyWord const* key_words) {
      encode_values(values, first, part);
      Outcome* const outcomes = options.from(first).outcomes;
      updated += words().update(key_words, found_.data(), part, {.outcomes = outcomes});
      if constexpr (has_reserved) {
        if (!may_have_reserved() && outcomes == nullptr) { return; }
        using Update = library::packed::UpdateReserved<Format>;
        Update const update{reserved(), key_words, found_.data(), outcomes};
        updated += this->exec().tally(part, update)[Outcome::updated];
      }
    });
    return updated;
  }

  /// --- Calls without waiting, with one thread per key; lookups are those of `TypedTable`.
  template <class Keys, class Values>
  void insert_async(Keys keys, Values values, std::uint64_t count, Combine combine = Combine::replace,
                    AsyncOptions const& options = {}) requires HasConcurrentOperations<Family>
  {
    Arrays::template expect_keys<Keys>();
    Arrays::template expect_values<Values>();
    auto const call = words().enters();
    auto const view = mutable_view(combine);
    this->exec().for_each(count, library::InsertThrough<decltype(view), Keys, Values>{view, keys, values, options});
  }
  template <class Keys>
  void erase_async(Keys keys, std::uint64_t count,
                   AsyncOptions const& options = {}) requires HasConcurrentOperations<Family>
  {
    Arrays::template expect_keys<Keys>();
    auto const call = words().enters();
    auto const view = mutable_view();
    this->exec().for_each(count, library::EraseThrough<decltype(view), Keys>{view, keys, options});
  }

  std::uint64_t size() { return words().size() + count_reserved(); }
  void clear()
  {
    auto const call = words().enters();
    words().clear();
    this->exec().fill(reserved_.data(), reserved_.size(), Format::empty_value);
    reserved_live_ = 0;
  }
  void rehash(std::uint64_t new_slots) { words().rehash(new_slots); }
  std::uint64_t memory_bytes() const
  {
    return Base::words_.memory_bytes() + (has_reserved ? reserved_.size() * sizeof(ValueWord) : 0);
  }

  /// Calls f(key, value) for every pair, in no particular order, with many threads; does not wait.
  template <class F>
  void for_each(F const& f)
  {
    Base::template expect_call<F>();
    auto const call = words().enters();
    words().for_each_word(OfPacked<F>{f});
    if constexpr (has_reserved) {
      using Each = library::packed::OnEachReserved<Format, OfPacked<F>>;
      this->exec().for_each(Reserved::count, Each{reserved(), OfPacked<F>{f}});
    }
  }
  /// Erases the pairs for which wanted(key, value) is true; returns how many. Needs memory for all pairs.
  template <class Wanted>
  std::uint64_t erase_if(Wanted const& wanted)
  {
    Base::template expect_call<Wanted>();
    auto const call = words().enters();
    std::uint64_t erased = words().erase_words_if(OfPacked<Wanted>{wanted}, [](Word const*, std::uint64_t) {});
    if constexpr (has_reserved) {
      using Erase = library::packed::EraseReservedIf<Format, OfPacked<Wanted>>;
      Tally const tally = this->exec().tally(Reserved::count, Erase{reserved(), OfPacked<Wanted>{wanted}});
      reserved_live_ -= tally[Outcome::erased];
      erased += tally[Outcome::erased];
    }
    return erased;
  }
  /// Inserts all pairs of another table; `combine` determines the value of existing keys. Waits for the other table's
  /// stream. Merging a table with itself changes nothing, but throws Error for addition.
  Inserted merge(PackedTable& other, Combine combine = Combine::keep_first)
  {
    Base::require(combine);
    auto const call = words().enters();
    Inserted done = words().insert_all_of(other.words(), combine);
    done.takes_every_key = true;
    if constexpr (has_reserved) {
      if (&other == this) {
        done.updated += count_reserved();
        return done;
      }
      other.exec().wait();
      using Merge = library::packed::MergeReserved<Format>;
      done += note_reserved(this->exec().tally(Reserved::count, Merge{reserved(), other.reserved(), combine}));
    }
    return done;
  }
  /// Like `OwnedTable::copy_from`.
  void copy_from(PackedTable& other)
  {
    words().copy_from(other.words());
    this->exec().copy(reserved_.data(), static_cast<ValueWord const*>(other.reserved_.data()), reserved_.size());
    this->exec().wait();
    reserved_live_ = other.reserved_live_;
  }

  /// Writes all pairs, in no particular order, and returns their number. Throws Error if there are more than `room`.
  template <class Keys, class Values>
  std::uint64_t export_pairs(Keys keys, Values values, std::uint64_t room)
  {
    Arrays::template expect_results<Key, Keys>();
    Arrays::template expect_results<Value, Values>();
    auto const call = words().enters();
    using Decode = library::packed::DecodePairs<Format, Key, Value, Keys, Values>;
    library::require_room(room, size());
    std::uint64_t done = 0;
    words().for_each_chunk(Exec::rehash_slots, [&](Word const* pairs, std::uint64_t count) {
      this->exec().for_each(count, Decode{pairs, keys, values, done});
      done += count;
    });
    std::uint64_t const more = count_reserved();
    if (more != 0) {
      Buffer<Word> pairs(this->exec(), Reserved::count);
      this->exec().for_each(1, library::packed::ListReserved<Format>{reserved(), pairs.data()});
      this->exec().for_each(more, Decode{pairs.data(), keys, values, done});
      done += more;
    }
    this->exec().wait();
    return done;
  }

  /// A view for lookups by single threads.
  View view() { return View(words().view(), reserved()); }
  /// A view for all operations by single threads. combine: what inserting an existing key does.
  template <TableFamily F = Family>
  requires HasConcurrentOperations<F> MutableView mutable_view(Combine combine = Combine::replace)
  {
    Base::require(combine);
    return MutableView(words().view_to_change(combine), reserved(), combine);
  }

protected:
  PackedTable(TableOptions const& options, std::unique_ptr<Exec> exec) : Base(options, std::move(exec))
  {
    this->exec().fill(reserved_.data(), reserved_.size(), Format::empty_value);
  }

private:
  static constexpr bool has_reserved = sizeof(Key) == sizeof(KeyWord);

  typename Base::Words& words() { return Base::words_; }
  Reserved reserved() { return {reserved_.data()}; }
  bool may_have_reserved() const { return has_reserved && (reserved_live_ != 0 || Base::words_.is_shared()); }
  std::uint64_t count_reserved()
  {
    if (!has_reserved || !words().is_shared()) { return reserved_live_; }
    std::array<ValueWord, Reserved::count> values;
    this->exec().download(std::span<ValueWord>(values), static_cast<ValueWord const*>(reserved_.data()));
    return Reserved::count - static_cast<std::uint64_t>(std::ranges::count(values, Format::empty_value));
  }

  Inserted insert_as(Combine combine, auto keys, auto values, std::uint64_t count, BatchOptions const& options)
  {
    auto const call = words().enters();
    Inserted whole{.key_bits = Format::bits, .takes_every_key = true};
    for_each_part(keys, count, [&](std::uint64_t first, std::uint64_t part, KeyWord const* key_words) {
      encode_values(values, first, part);
      Outcome* const outcomes = options.from(first).outcomes;
      Inserted done = words().insert(combine, key_words, found_.data(), part, {options.distinct, outcomes});
      if constexpr (has_reserved) {
        if (done.rejected == 0) {
          whole += done;
          return;
        }
        Inserted const more = note_reserved(on_reserved<Operation::insert>(key_words, part, outcomes, combine));
        done.rejected -= more.inserted + more.updated;
        done += {.inserted = more.inserted, .updated = more.updated};
      }
      whole += done;
    });
    return whole;
  }

  template <class Values>
  void encode_values(Values values, std::uint64_t first, std::uint64_t count)
  {
    Arrays::template expect_values<Values>();
    exec::grow(this->exec(), found_, count);
    this->exec().for_each(count, library::packed::Encode<Value, ValueWord, Values>{values, first, found_.data()});
  }

  /// deliver(first) delivers the results of the keys from `first` on.
  template <class Keys, class Delivery>
  std::uint64_t look_up(Keys keys, std::uint64_t count, BatchOptions const& options, Delivery const& deliver)
  {
    auto const call = words().enters();
    std::uint64_t found = 0;
    for_each_part(keys, count, [&](std::uint64_t first, std::uint64_t part, KeyWord const* key_words) {
      exec::grow(this->exec(), found_, part);
      Outcome* const outcomes = options.from(first).outcomes;
      found += words().find(key_words, found_.data(), part, {.outcomes = outcomes});
      if constexpr (has_reserved) {
        if (may_have_reserved() || outcomes != nullptr) {
          found += on_reserved<Operation::find>(key_words, part, outcomes)[Outcome::found];
        }
      }
      this->exec().for_each(part, deliver(first));
    });
    return found;
  }

  /// Calls use(first, part, words) for as many keys as are encoded at once.
  template <class Keys, class Use>
  void for_each_part(Keys keys, std::uint64_t count, Use const& use)
  {
    Arrays::template expect_keys<Keys>();
    for (std::uint64_t first = 0; first < count; first += Base::at_once) {
      std::uint64_t const part = std::min(Base::at_once, count - first);
      use(first, part, words_of(keys, first, part));
    }
  }
  /// Keys that are already words are not copied.
  template <class Keys>
  KeyWord const* words_of(Keys keys, std::uint64_t first, std::uint64_t count)
  {
    if constexpr (std::is_same_v<Key, KeyWord> && std::is_convertible_v<Keys, KeyWord const*>) {
      return keys + first;
    } else {
      exec::grow(this->exec(), keys_, count);
      this->exec().for_each(count, library::packed::Encode<Key, KeyWord, Keys>{keys, first, keys_.data()});
      return keys_.data();
    }
  }
  template <Operation operation>
  Tally on_reserved(KeyWord const* keys, std::uint64_t count, Outcome* outcomes, Combine combine = Combine::replace)
  {
    return this->exec().tally(count, OnReserved<operation>{reserved(), keys, found_.data(), outcomes, combine});
  }
  Inserted note_reserved(Tally const& tally)
  {
    reserved_live_ += tally[Outcome::inserted];
    return {.inserted = tally[Outcome::inserted], .updated = tally[Outcome::updated]};
  }

  Buffer<ValueWord> reserved_{Base::exec(), Reserved::count, exec::MemoryUse::table};  ///< values of the reserved keys
  std::uint64_t reserved_live_ = 0;  ///< number of stored reserved keys, according to the calls
  Buffer<KeyWord> keys_;
  Buffer<ValueWord> found_;  ///< values to insert, or found values
};

}  // namespace slotscape
