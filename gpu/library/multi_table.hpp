#pragma once

#include "gpu/execution/ranges.hpp"
#include "gpu/library/table_for.hpp"

#include <span>

namespace slotscape {

/// The options of a multi-value table, besides its family and its types.
struct MultiTableOptions {
  double load_factor = 0.5;  ///< of the table of keys; less if that is not safe for the family
  HashKind hash = HashKind::murmur3;
  std::map<std::string, std::uint32_t> parameters = {};
  Memory memory = {};   ///< as in `TableOptions`
  Memory scratch = {};  ///< as in `TableOptions`
};

/// A multi-value table for use by single threads. It owns nothing and is valid until the next `build`.
template <class Numbers, class Value_>
struct MultiTableView {
  using Key = typename Numbers::Key;
  using Value = Value_;

  Numbers numbers;
  std::uint32_t const* offsets;
  Value const* values;

  /// The values of a key, in no particular order; empty if the key is missing.
  SLOTSCAPE_HOST_DEVICE std::span<Value const> find(Key const& key) const { return values_of(numbers.find(key)); }
  SLOTSCAPE_HOST_DEVICE bool contains(Key const& key) const { return numbers.contains(key); }

  SLOTSCAPE_HOST_DEVICE int lanes() const { return numbers.lanes(); }
  template <ThreadGroup Group>
  SLOTSCAPE_HOST_DEVICE std::span<Value const> find(Group group, Key const& key) const
  {
    return values_of(numbers.find(group, key));
  }
  template <ThreadGroup Group>
  SLOTSCAPE_HOST_DEVICE bool contains(Group group, Key const& key) const
  {
    return numbers.contains(group, key);
  }

private:
  template <class Number>
  SLOTSCAPE_HOST_DEVICE std::span<Value const> values_of(Found<Number> const& number) const
  {
    if (!number) { return {}; }
    std::uint32_t const first = offsets[number.value];
    return {values + first, offsets[number.value + 1] - first};
  }
};

namespace library::multi {

inline constexpr std::uint32_t no_number = 0xffffffffu;
using exec::Range;

/// The number 1, or each number itself, as an iterator.
struct Ones {
  SLOTSCAPE_HOST_DEVICE std::uint32_t operator[](std::uint64_t) const { return 1; }
};
struct Numbers {
  SLOTSCAPE_HOST_DEVICE std::uint32_t operator[](std::uint64_t i) const { return static_cast<std::uint32_t>(i); }
};

/// Stores the value of pair i at the next place of its key.
template <class Value, class Values>
struct PlaceValue {
  std::uint32_t const* numbers;  ///< number of each pair's key
  std::uint32_t* next;           ///< next place of each key
  Values values;
  Value* out;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    out[exec::fetch_add(next[numbers[i]], 1u)] = static_cast<Value>(values[i]);
  }
};

/// The range of the values that belong to key number i of an array.
struct RangeOfNumber {
  std::uint32_t const* numbers;
  std::uint32_t const* offsets;
  Range* ranges;          ///< or null
  std::uint32_t* counts;  ///< or null

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    std::uint32_t const number = numbers[i];
    Range range{};
    if (number != no_number) { range = {offsets[number], offsets[number + 1] - offsets[number]}; }
    if (ranges != nullptr) { ranges[i] = range; }
    if (counts != nullptr) { counts[i] = range.count; }
  }
};

/// Sums the sizes of ranges.
struct SumCounts {
  static constexpr std::uint64_t per_item = 4096;

  Range const* ranges;
  std::uint64_t count;
  std::uint64_t* total;

  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t item, Tile tile) const
  {
    std::uint64_t const end = (item + 1) * per_item < count ? (item + 1) * per_item : count;
    std::uint64_t sum = 0;
    for (std::uint64_t i = item * per_item + tile.rank(); i < end; i += Tile::size) { sum += ranges[i].count; }
    sum = tile.sum(sum);
    if (tile.rank() == 0) { exec::fetch_add(*total, sum); }
  }
};

/// Calls f(key, value) for pair i.
template <class Key, class Value, class F>
struct OnPair {
  Key const* keys;
  std::uint32_t const* offsets;
  std::uint64_t distinct;
  Value const* values;
  F f;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    std::uint64_t low = 0;
    for (std::uint64_t high = distinct; high - low > 1;) {
      std::uint64_t const middle = low + (high - low) / 2;
      (offsets[middle] <= i ? low : high) = middle;
    }
    f(keys[low], values[i]);
  }
};

}  // namespace library::multi

/// Keys with one or more values each: a table of the family maps a key to its number, and `offsets` maps the number to
/// the key's values, which are contiguous (Alcantara et al. 2009, 'Real-Time Parallel Hashing on the GPU', 4.2). It is
/// built as a whole, by counting, prefix sums and scattering (Green 2019, 'HashGraph'). Every key and every value can
/// be stored.
template <TableFamily Family, exec::Executor Exec, class Key_, class Value_, class Keys_>
class BasicMultiTable {
  using Table = library::TypedTableFor<Family, Exec, Key_, std::uint32_t, Keys_>;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;
  static_assert(library::is_copied_by_bytes<Value_>,
                "Values must be trivially copyable. Of other objects, store a pointer or the number of a row.");

public:
  using Key = Key_;
  using Value = Value_;
  using View = MultiTableView<typename Table::View, Value>;
  static constexpr std::uint64_t max_pairs = 0xfffffffe;

  /// Replaces the contents by the pairs of keys[i] and values[i]; arrays are passed as to `CpuTable`. Throws Error if
  /// there are too many, or if memory runs out; the table is then empty.
  template <class Keys, class Values>
  void build(Keys keys, Values values, std::uint64_t count)
  {
    library::CheckedArrays<Exec, Key, Value>::template expect_values<Values>();
    clear();
    if (count > max_pairs) {
      throw Error("A multi-value table holds at most " + std::to_string(max_pairs) + " pairs, not " +
                  std::to_string(count) + ": build several.");
    }
    try {
      number_keys(keys, count);
      place_values(keys, values, count);
    } catch (Error const&) {
      clear();
      throw;
    }
  }
  void clear()
  {
    numbers_.retire_views();
    numbers_.clear();
    pairs_ = 0;
  }

  std::uint64_t pairs() const { return pairs_; }
  std::uint64_t distinct() { return numbers_.size(); }  ///< keys
  std::uint64_t memory_bytes() const
  {
    return numbers_.memory_bytes() + keys_.size() * sizeof(Key) + offsets_.size() * sizeof(std::uint32_t) +
           values_.size() * sizeof(Value);
  }

  /// Writes whether each key is in the table, and returns how many are.
  template <class Keys>
  std::uint64_t contains(Keys keys, bool* are_there, std::uint64_t count)
  {
    return numbers_.contains(keys, are_there, count);
  }
  /// Writes the number of values of each key, 0 if the key is missing, and returns how many keys are in the table.
  template <class Keys>
  std::uint64_t count(Keys keys, std::uint32_t* counts, std::uint64_t count)
  {
    std::uint64_t const found = find_numbers(keys, count);
    exec().for_each(count, library::multi::RangeOfNumber{found_.data(), offsets_.data(), nullptr, counts});
    exec().wait();
    return found;
  }
  /// Writes the values of all keys: those of keys[i] from offsets[i] up to offsets[i + 1]. There is one more offset
  /// than keys. Returns the number of values. Throws Error, and writes nothing, if there are more than `room`, or than
  /// `max_pairs`.
  template <class Keys>
  std::uint64_t retrieve(Keys keys, std::uint64_t count, std::uint32_t* offsets, Value* values, std::uint64_t room)
  {
    using namespace library::multi;
    find_numbers(keys, count);
    exec::grow(exec(), ranges_, count);
    exec().for_each(count, RangeOfNumber{found_.data(), offsets_.data(), ranges_.data(), nullptr});
    std::uint64_t const total = count_values(count);
    if (total > std::min(room, max_pairs)) {
      throw Error("These keys have " + std::to_string(total) + " values together, and there is room for " +
                  std::to_string(std::min(room, max_pairs)) + ": ask for fewer keys, or make room.");
    }
    exec().for_each(count, RangeOfNumber{found_.data(), offsets_.data(), nullptr, offsets});
    exec().fill(offsets + count, 1, 0u);
    exec().prefix_sums(offsets, count + 1);
    using Copy = exec::CopyRanges<Value>;
    exec().template for_each_tile<32>((total + Copy::per_item - 1) / Copy::per_item,
                                      Copy{values_.data(), ranges_.data(), offsets, count, values});
    exec().wait();
    return total;
  }
  /// Calls f(key, value) for every pair, with one thread each; does not wait.
  template <class F>
  void for_each(F const& f)
  {
    Exec::template expect_call<F, Key, Value>();
    using OnPair = library::multi::OnPair<Key, Value, F>;
    exec().for_each(pairs_, OnPair{keys_.data(), offsets_.data(), distinct(), values_.data(), f});
  }

  View view() { return {numbers_.view(), offsets_.data(), values_.data()}; }

protected:
  /// Keys: further arguments of the table of keys.
  template <class... Keys>
  BasicMultiTable(MultiTableOptions const& options, std::unique_ptr<Exec> exec, Keys const&... keys)
      : options_(options), numbers_(table_options(options), std::move(exec), keys...)
  {
  }

private:
  /// The table of the keys' numbers, which gives access to its executor.
  class NumberTable final : public Table {
  public:
    using Table::exec;
    void retire_views() { this->words_.retire_views(); }
    template <class... Arguments>
    explicit NumberTable(TableOptions const& options, Arguments&&... arguments)
        : Table(options, std::forward<Arguments>(arguments)...)
    {
    }
  };

  static TableOptions table_options(MultiTableOptions const& options)
  {
    return {.slots = Table::slots_for(0, options.load_factor, options.parameters),
            .hash = options.hash,
            .parameters = options.parameters,
            .memory = options.memory,
            .scratch = options.scratch};
  }
  Exec& exec() { return numbers_.exec(); }

  template <class AnyBuffer>
  void grow_kept(AnyBuffer& buffer, std::uint64_t count)
  {
    exec::grow(exec(), buffer, count, ~std::uint64_t{0}, exec::MemoryUse::table);
  }
  /// Counts the pairs of each key, numbers the keys, and writes where each key's values begin.
  template <class Keys>
  void number_keys(Keys keys, std::uint64_t count)
  {
    using namespace library::multi;
    std::uint64_t const slots = Table::slots_for(count, options_.load_factor, options_.parameters);
    if (numbers_.slots() < slots) { numbers_.rehash(slots); }
    numbers_.insert_or_add(keys, Ones{}, count).or_throw();
    std::uint64_t const distinct = numbers_.size();
    grow_kept(keys_, distinct);
    grow_kept(offsets_, distinct + 1);
    numbers_.export_pairs(keys_.data(), offsets_.data(), distinct);
    exec().fill(offsets_.data() + distinct, 1, 0u);
    exec().prefix_sums(offsets_.data(), distinct + 1);
    numbers_.insert_or_assign(static_cast<Key const*>(keys_.data()), Numbers{}, distinct, {.distinct = true})
        .or_throw();
    std::uint64_t const needed = Table::slots_for(distinct, options_.load_factor, options_.parameters);
    if (numbers_.slots() > max_spare * needed) { numbers_.rehash(needed); }
  }
  template <class Keys, class Values>
  void place_values(Keys keys, Values values, std::uint64_t count)
  {
    find_numbers(keys, count);
    grow_kept(values_, count);
    std::uint64_t const distinct = numbers_.size();
    Buffer<std::uint32_t> next(exec(), distinct);
    exec().copy(next.data(), static_cast<std::uint32_t const*>(offsets_.data()), distinct);
    using Place = library::multi::PlaceValue<Value, Values>;
    exec().for_each(count, Place{found_.data(), next.data(), values, values_.data()});
    exec().wait();
    pairs_ = count;
  }
  template <class Keys>
  std::uint64_t find_numbers(Keys keys, std::uint64_t count)
  {
    exec::grow(exec(), found_, count);
    exec().fill(found_.data(), count, library::multi::no_number);
    return numbers_.find(keys, found_.data(), count);
  }

  /// The number of values in the first `count` ranges.
  std::uint64_t count_values(std::uint64_t count)
  {
    using Sum = library::multi::SumCounts;
    std::uint64_t total = 0;
    exec::grow(exec(), total_, 1);
    exec().fill(total_.data(), 1, total);
    exec().template for_each_tile<32>((count + Sum::per_item - 1) / Sum::per_item,
                                      Sum{ranges_.data(), count, total_.data()});
    exec().download(std::span<std::uint64_t>(&total, 1), static_cast<std::uint64_t const*>(total_.data()));
    return total;
  }

  static constexpr std::uint64_t max_spare = 4;  ///< table of keys: up to this many times the slots that it needs

  MultiTableOptions options_;
  NumberTable numbers_;
  Buffer<Key> keys_;               ///< distinct keys, by number
  Buffer<std::uint32_t> offsets_;  ///< start of each key's values, and the end
  Buffer<Value> values_;
  Buffer<std::uint32_t> found_;  ///< numbers of the looked-up keys
  Buffer<exec::Range> ranges_;
  Buffer<std::uint64_t> total_;
  std::uint64_t pairs_ = 0;
};

}  // namespace slotscape
