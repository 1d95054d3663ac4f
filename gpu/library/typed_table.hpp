#pragma once

#include "gpu/library/codes.hpp"
#include "gpu/library/owned_table.hpp"
#include "gpu/library/pair_passes.hpp"

#include <concepts>
#include <type_traits>

namespace slotscape {

/// --- How a table tells keys apart: the last argument of `CpuTable` and `CudaTable`.

/// By their bits. Keys whose type is a word type are stored directly, and the largest ones are reserved.
struct ByBits {};

/// By their bits. Every key and every value can be stored, at whatever cost.
struct Unreserved {};

/// By user-defined functions: hash(key) returns a number of up to 64 bits, and equal(a, b) whether two keys are equal;
/// equal keys must have the same hash. On a GPU both are called on the device, and are passed to kernels by value. They
/// may hold pointers, for example to data whose row numbers are the keys.
template <class Hash_, class Equal_>
struct HashedBy {
  using Hash = Hash_;
  using Equal = Equal_;
  Hash hash = {};
  Equal equal = {};
};

namespace library {

/// What the slots of a table store: the keys and values themselves, their codes (`Code`), or the fingerprints of keys
/// with row numbers.
enum class StoredAs : std::uint8_t { themselves, codes, rows };

/// A table of words, with the members that tables of other types need made public.
template <TableFamily Family, exec::Executor Exec, PairFormat Format>
class WordTable final : public OwnedTable<Family, Exec, Format> {
  using Base = OwnedTable<Family, Exec, Format>;

public:
  using Base::enters;
  using Base::erase_words_if;
  using Base::exec;
  using Base::find;
  using Base::for_each_chunk;
  using Base::for_each_word;
  using Base::insert;
  using Base::insert_all_of;
  using Base::insert_words_of;
  using Base::is_shared;
  using Base::retire_views;
  using Base::room_for;
  using Base::update;
  using Base::view_to_change;
  using typename Base::Value;

  WordTable(TableOptions const& options, std::unique_ptr<Exec> exec) : Base(options, std::move(exec)) {}
};

/// The common part of tables with keys and values of any types. Arrays are passed as pointers, or as any iterators that
/// the device can read at a place. Self: the table, which finds and inserts.
template <class Self, TableFamily Family, exec::Executor Exec, PairFormat Format, class Key_, class Value_>
class TypedTable {
public:
  using Key = Key_;
  using Value = Value_;
  using Words = WordTable<Family, Exec, Format>;
  using TableFamilyType = Family;
  using TableFormat = Format;

  static std::uint64_t slots_for(std::uint64_t keys, double load_factor = 0.8,
                                 std::map<std::string, std::uint32_t> const& parameters = {})
  {
    return Words::slots_for(keys, load_factor, parameters);
  }

  /// --- Insertion, as in `BasicTable`.
  template <class Keys, class Values>
  Inserted insert(Keys keys, Values values, std::uint64_t count, BatchOptions const& options = {})
  {
    return self().insert_as(Combine::keep_first, keys, values, count, options);
  }
  template <class Keys, class Values>
  Inserted insert_or_assign(Keys keys, Values values, std::uint64_t count, BatchOptions const& options = {})
  {
    return self().insert_as(Combine::replace, keys, values, count, options);
  }
  /// For numbers. Sums of integers saturate at the largest and the least value that the table accepts, also
  /// intermediate ones: sums of signed values are correct if the sum of magnitudes fits.
  template <class Keys, class Values>
  Inserted insert_or_add(Keys keys, Values values, std::uint64_t count, BatchOptions const& options = {})
  {
    static_assert(Self::adds,
                  "Only numbers can be added up, and beside the table those of 4 or 8 bytes: insert, or "
                  "insert_or_assign, values of this type.");
    return self().insert_as(Combine::add, keys, values, count, options);
  }
  template <class Keys, class Values>
  Inserted insert_or_min(Keys keys, Values values, std::uint64_t count, BatchOptions const& options = {})
  {
    return insert_compared(Combine::min, keys, values, count, options);
  }
  template <class Keys, class Values>
  Inserted insert_or_max(Keys keys, Values values, std::uint64_t count, BatchOptions const& options = {})
  {
    return insert_compared(Combine::max, keys, values, count, options);
  }

  /// --- Lookups without waiting, with one thread per key.
  template <class Keys, class Values>
  void find_async(Keys keys, Values values, std::uint64_t count)
  {
    Arrays::template expect_keys<Keys>();
    Arrays::template expect_results<Value, Values>();
    auto const call = words_.enters();
    auto const view = self().view();
    exec().for_each(count, FindThrough<typename Self::View, Keys, Values>{view, keys, values});
  }
  template <class Keys>
  void contains_async(Keys keys, bool* are_there, std::uint64_t count)
  {
    Arrays::template expect_keys<Keys>();
    auto const call = words_.enters();
    auto const view = self().view();
    exec().for_each(count, TellThrough<typename Self::View, Keys>{view, keys, are_there});
  }

  std::uint64_t slots() const { return words_.slots(); }  ///< at least as many as requested
  /// Slots in the table's memory: more than requested if the request counts heads of chains (`separate_chaining`).
  std::uint64_t places() const { return words_.places(); }
  double load_factor() { return static_cast<double>(self().size()) / static_cast<double>(slots()); }
  Guarantees guarantees() const { return words_.guarantees(); }
  /// As in `BasicTable`; the slots hold words.
  auto const* slot_memory() const { return words_.slot_memory(); }
  HashKind hash() const { return words_.hash(); }
  auto layout() const { return words_.layout(); }

protected:
  /// The number of keys that are encoded at once in scratch memory.
  static constexpr std::uint64_t at_once = IsStatic<Family> ? std::uint64_t{1} << 30 : Exec::batch_limit;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

  TypedTable(TableOptions const& options, std::unique_ptr<Exec> exec) : words_(options, std::move(exec)) {}

  using Arrays = CheckedArrays<Exec, Key, Value>;

  /// Makes the compiler refuse functions that the device cannot call.
  template <class F>
  static void expect_call()
  {
    Exec::template expect_call<F, Key, Value>();
  }

  Exec& exec() { return words_.exec(); }

  /// Throws Error if values of this type cannot be combined in this way.
  static void require(Combine combine)
  {
    bool const keeps_one = combine == Combine::replace || combine == Combine::keep_first;
    if (keeps_one || (combine == Combine::add ? Self::adds : Self::compares)) { return; }
    throw Error("Values of this type cannot be added up, or compared: choose Combine::replace or Combine::keep_first.");
  }

  Words words_;

private:
  Self& self() { return static_cast<Self&>(*this); }

  template <class Keys, class Values>
  Inserted insert_compared(Combine combine, Keys keys, Values values, std::uint64_t count, BatchOptions const& options)
  {
    static_assert(Self::compares,
                  "Only numbers can be compared, and beside the table those of 4 or 8 bytes: insert, or "
                  "insert_or_assign, values of this type.");
    return self().insert_as(combine, keys, values, count, options);
  }
};

}  // namespace library
}  // namespace slotscape
