#pragma once

#include "gpu/base/random.hpp"
#include "gpu/execution/atomics.hpp"
#include "gpu/library/codes.hpp"
#include "gpu/library/pair_passes.hpp"

/// The parallel loops of `RowTable`. The keys of a call are processed in parts; i is a number within a part.
namespace slotscape::library::rows {

/// A pair, stored beside the table.
template <class Key_, class Value_>
struct Row {
  using Key = Key_;
  using Value = Value_;
  Key key;
  Value value;
};

/// A key's place is the number of its row, or one of these constants.
inline constexpr std::uint32_t unknown = 0xffffffffu;
inline constexpr std::uint32_t nowhere = 0xfffffffeu;  ///< the table is full
SLOTSCAPE_HOST_DEVICE constexpr bool is_row(std::uint32_t place)
{
  return place < nowhere;
}

/// The fingerprints of a key, one per attempt: if one belongs to another key, the next may be free. They are words of a
/// table, and never reserved.
template <PairFormat Format, class HashedBy>
struct Fingerprints {
  HashedBy hashed_by;

  template <class Key>
  SLOTSCAPE_HOST_DEVICE typename Format::Key operator()(Key const& key, std::uint32_t attempt) const
  {
    using Word = typename Format::Key;
    auto const hash = static_cast<std::uint64_t>(hashed_by.hash(key));
    auto const word = static_cast<Word>(attempt == 0 ? hash : random64(attempt, hash));
    return Format::is_reserved(word) ? static_cast<Word>(word >> 1) : word;
  }
};

/// The arguments of the loops over a part of a call's keys.
template <PairFormat Format_, class Row_, class HashedBy, class Keys>
struct Part {
  using Format = Format_;
  using Row = Row_;
  using Key = typename Row::Key;

  Fingerprints<Format, HashedBy> fingerprints;
  Row* rows;
  Keys keys;
  std::uint64_t first;            ///< number of the part's first key
  std::uint32_t const* offers;    ///< the row for the first key if it is new; the rows for later keys precede it
  std::uint32_t* places;          ///< the place of each key
  typename Format::Key* words;    ///< queries to the table of words: fingerprints, or reserved words for no query
  typename Format::Value* found;  ///< the table's answers
  std::uint32_t attempt = 0;

  SLOTSCAPE_HOST_DEVICE Key key(std::uint64_t i) const { return static_cast<Key>(keys[first + i]); }
  SLOTSCAPE_HOST_DEVICE std::uint32_t offer(std::uint64_t i) const { return *(offers - i); }
  SLOTSCAPE_HOST_DEVICE bool is_new(std::uint64_t i) const { return places[i] == offer(i); }
  /// Whether the row found by the fingerprint holds the key itself.
  SLOTSCAPE_HOST_DEVICE bool is_met(std::uint64_t i) const
  {
    return found[i] != Format::empty_value && fingerprints.hashed_by.equal(rows[found[i]].key, key(i));
  }
};

/// Writes the fingerprints of the keys whose places are unknown.
template <class Part>
struct Ask {
  Part part;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    bool const asks = part.places[i] == unknown;
    part.words[i] = asks ? part.fingerprints(part.key(i), part.attempt) : Part::Format::empty_key;
  }
};
/// Records the places of keys after a lookup; clears the fingerprints of all others.
template <class Part>
struct Meet {
  Part part;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    if (part.places[i] == unknown && part.is_met(i)) {
      part.places[i] = static_cast<std::uint32_t>(part.found[i]);
    } else {
      part.words[i] = Part::Format::empty_key;
    }
  }
};

/// Writes each pair to the row that it gets if its key is new, so that others can compare the key.
template <class Part, class Values>
struct WriteRows {
  Part part;
  Values values;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    auto& row = part.rows[part.offer(i)];
    row.key = part.key(i);
    row.value = static_cast<typename Part::Row::Value>(values[part.first + i]);
  }
};
/// `Ask`, and prepares the insertion.
template <class Part>
struct AskForRoom {
  Part part;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    Ask<Part>{part}(i);
    part.found[i] = part.offer(i);
  }
};
/// Records the places of keys after an insertion and a lookup. `missing` if the fingerprint belongs to another key.
template <class Part>
struct Settle {
  Part part;

  SLOTSCAPE_HOST_DEVICE Outcome operator()(std::uint64_t i) const
  {
    if (part.places[i] != unknown) { return not_run; }
    auto const row = part.found[i];
    if (row != Part::Format::empty_value && row != part.offer(i) && !part.is_met(i)) { return Outcome::missing; }
    part.places[i] = row == Part::Format::empty_value ? nowhere : static_cast<std::uint32_t>(row);
    return not_run;
  }
};

/// Writes the values of all keys, which are distinct.
template <class Part, class Values>
struct WriteValues {
  Part part;
  Values values;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    std::uint32_t const row = part.places[i];
    if (is_row(row)) { part.rows[row].value = static_cast<typename Part::Row::Value>(values[part.first + i]); }
  }
};
/// If a key has several values, one is written: that of the last thread that claims the row.
template <class Part>
struct ClaimRows {
  Part part;
  std::uint32_t* claims;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    if (is_row(part.places[i])) { exec::store_relaxed(claims[part.places[i]], static_cast<std::uint32_t>(i)); }
  }
};
template <class Part, class Values>
struct WriteClaimed {
  Part part;
  Values values;
  std::uint32_t const* claims;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    std::uint32_t const row = part.places[i];
    if (is_row(row) && claims[row] == static_cast<std::uint32_t>(i)) {
      part.rows[row].value = static_cast<typename Part::Row::Value>(values[part.first + i]);
    }
  }
};
/// Combines the values of keys that already existed, or occurred more than once.
template <class Part, class Values>
struct CombineValues {
  using Value = typename Part::Row::Value;

  Part part;
  Values values;
  Combine combine;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    if (!is_row(part.places[i]) || part.is_new(i)) { return; }
    Value const more = static_cast<Value>(values[part.first + i]);
    Value& value = part.rows[part.places[i]].value;
#if defined(__CUDA_ARCH__)
    using Bits = BitsOf<sizeof(Value)>;
    Bits& shared = reinterpret_cast<Bits&>(value);
    for (Bits seen = exec::load_relaxed(shared);;) {
      Bits const old =
          exec::compare_exchange(shared, seen, std::bit_cast<Bits>(combined_with(std::bit_cast<Value>(seen), more)));
      if (old == seen) { return; }
      seen = old;
    }
#else
    std::atomic_ref<Value> shared(value);
    Value seen = shared.load(std::memory_order_relaxed);
    while (!shared.compare_exchange_weak(seen, combined_with(seen, more), std::memory_order_relaxed)) {}
#endif
  }

private:
  SLOTSCAPE_HOST_DEVICE Value combined_with(Value old, Value more) const
  {
    if (combine == Combine::min) { return more < old ? more : old; }
    if (combine == Combine::max) { return more > old ? more : old; }
    if constexpr (std::is_arithmetic_v<Value>) {
      return sum_up_to(std::numeric_limits<Value>::max(), old, more);
    } else {
      return old;
    }
  }
};

/// Reports the outcome of inserting key i.
template <class Part>
struct ReportInsertion {
  Part part;
  Outcome* outcomes;  ///< or null

  SLOTSCAPE_HOST_DEVICE Outcome operator()(std::uint64_t i) const
  {
    Outcome const outcome = !is_row(part.places[i]) ? Outcome::full
                            : part.is_new(i)        ? Outcome::inserted
                                                    : Outcome::updated;
    if (outcomes != nullptr) { outcomes[i] = outcome; }
    return outcome;
  }
};
/// Reports whether key i existed and got its new value.
template <class Part>
struct ReportUpdate {
  Part part;
  Outcome* outcomes;  ///< or null

  SLOTSCAPE_HOST_DEVICE Outcome operator()(std::uint64_t i) const
  {
    Outcome const outcome = is_row(part.places[i]) ? Outcome::updated : Outcome::missing;
    if (outcomes != nullptr) { outcomes[i] = outcome; }
    return outcome;
  }
};
/// The row that key i did not need, or `unknown`.
template <class Part>
struct SpareRow {
  Part part;

  SLOTSCAPE_HOST_DEVICE std::uint32_t operator()(std::uint64_t i) const
  {
    return part.is_new(i) ? unknown : part.offer(i);
  }
};
/// Reports the outcomes of the keys whose erasure was due in this attempt.
template <class Part>
struct ReportErasure {
  Part part;
  Outcome const* done;
  Outcome* outcomes;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    if (!Part::Format::is_reserved(part.words[i])) { outcomes[i] = done[i]; }
  }
};
/// The row of key i if the key was erased, or `unknown`.
struct ErasedRow {
  std::uint32_t const* places;
  Outcome const* outcomes;

  SLOTSCAPE_HOST_DEVICE std::uint32_t operator()(std::uint64_t i) const
  {
    return outcomes[i] == Outcome::erased ? places[i] : unknown;
  }
};
template <PairFormat Format>
struct TakeRows {
  typename Format::Word const* words;
  std::uint32_t* rows;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    rows[i] = static_cast<std::uint32_t>(value_of(words[i]));
  }
};
/// Rows in descending order from `end` - 1.
struct FreeRows {
  std::uint32_t end;
  std::uint32_t* free;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const { free[i] = static_cast<std::uint32_t>(end - 1 - i); }
};
/// Marks the row whose number is the value of a word.
struct MarkRow {
  std::uint32_t* marks;

  template <class Word>
  SLOTSCAPE_HOST_DEVICE void operator()(Word word) const
  {
    marks[value_of(word)] = 1;
  }
};
/// Row i if it is not marked, or `unknown`.
struct UnmarkedRow {
  std::uint32_t const* marks;

  SLOTSCAPE_HOST_DEVICE std::uint32_t operator()(std::uint64_t i) const
  {
    return marks[i] == 0 ? static_cast<std::uint32_t>(i) : unknown;
  }
};

/// Delivers the result of each lookup: deliver(i, row), with null if the key is missing.
template <class Part, class Delivery>
struct Deliver {
  Part part;
  Delivery delivery;
  Outcome* outcomes;  ///< or null

  SLOTSCAPE_HOST_DEVICE Outcome operator()(std::uint64_t i) const
  {
    bool const found = is_row(part.places[i]);
    delivery(part.first + i, found ? part.rows + part.places[i] : nullptr);
    Outcome const outcome = found ? Outcome::found : Outcome::missing;
    if (outcomes != nullptr) { outcomes[i] = outcome; }
    return outcome;
  }
};
template <class Values>
struct ToValues {
  Values values;

  template <class Row>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i, Row const* row) const
  {
    if (row != nullptr) { values[i] = row->value; }
  }
};
struct ToWhether {
  bool* are_there;

  template <class Row>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i, Row const* row) const
  {
    are_there[i] = row != nullptr;
  }
};

/// Calls f(key, value) for the row whose number is the value of a word.
template <class Row, class F>
struct OfRow {
  Row const* rows;
  F f;

  template <class Word>
  SLOTSCAPE_HOST_DEVICE auto operator()(Word word) const
  {
    Row const& row = rows[value_of(word)];
    return f(row.key, row.value);
  }
};
/// The keys, or values, of the rows whose numbers are the values of words, as an iterator.
template <class Row, class Word>
struct KeysOf {
  Row const* rows;
  Word const* words;

  SLOTSCAPE_HOST_DEVICE typename Row::Key const& operator[](std::uint64_t i) const
  {
    return rows[value_of(words[i])].key;
  }
};
template <class Row, class Word>
struct ValuesOf {
  Row const* rows;
  Word const* words;

  SLOTSCAPE_HOST_DEVICE typename Row::Value const& operator[](std::uint64_t i) const
  {
    return rows[value_of(words[i])].value;
  }
};
/// Splits rows into two arrays, from place `first` on.
template <class Row, class Word, class Keys, class Values>
struct SplitRows {
  Row const* rows;
  Word const* words;
  Keys keys;
  Values values;
  std::uint64_t first;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    Row const& row = rows[value_of(words[i])];
    keys[first + i] = row.key;
    values[first + i] = row.value;
  }
};

}  // namespace slotscape::library::rows
