#pragma once

#include "gpu/library/table_for.hpp"
#include "tests/library/case.hpp"
#include "tests/library/samples.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

namespace slotscape {

/// Tables with keys and values of a user's types. A Backend has, besides what `Case` says,
///   Table<Family, Key, Value, Keys>   a table
///   make_table<Table>(options)        one of it
template <class Backend_, class Family_, class Key_, class Value_, class Keys_ = ByBits>
struct TypedCase {
  using Backend = Backend_;
  using Family = Family_;
  using Key = Key_;
  using Value = Value_;
  using Table = typename Backend::template Table<Family, Key, Value, Keys_>;
};

/// --- what users do by many threads.

template <class Key>
struct IsOneOf {
  Key const* keys;
  std::uint64_t count;
  template <class Value>
  SLOTSCAPE_HOST_DEVICE bool operator()(Key const& key, Value const&) const
  {
    for (std::uint64_t i = 0; i < count; ++i) {
      if (IsEqual{}(keys[i], key)) { return true; }
    }
    return false;
  }
};
template <class View>
struct FindByThreads {
  View view;
  typename View::Key const* keys;
  typename View::Value* values;
  bool* are_there;
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    are_there[i] = view.contains(keys[i]);
    if (auto const found = view.find(keys[i])) { values[i] = found.value; }
  }
};
template <class View>
struct ChangeByThreads {
  View view;
  typename View::Key const* keys;
  typename View::Value const* values;
  bool erases;
  Outcome* outcomes;
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    outcomes[i] = erases ? view.erase(keys[i]) : view.insert(keys[i], values[i]);
  }
};

template <class Case>
class LibraryTypes : public testing::Test {
protected:
  using Backend = typename Case::Backend;
  using Key = typename Case::Key;
  using Value = typename Case::Value;
  using Table = typename Case::Table;
  using Family = typename Case::Family;
  using Bits = std::array<std::uint64_t, 2>;
  using Model = std::map<Bits, Value>;
  static_assert(std::is_nothrow_move_constructible_v<Table>);
  static_assert(library::checks_views<typename Table::Words::Machine> ||
                std::is_trivially_copyable_v<typename Table::View>);
  template <class T>
  using Array = typename Backend::template Array<T>;

  /// Few enough for keys of 16 bits, and for those that collide.
  static constexpr std::uint64_t count = std::is_same_v<Key, Reading> ? 2'000 : 20'000;

  void SetUp() override
  {
    if (std::string const why = Backend::why_not(); !why.empty()) { GTEST_SKIP() << why; }
  }
  Table make(std::uint64_t keys, double grow_at = 0.0)
  {
    return backend_.template make_table<Table>(TableOptions{.slots = Table::slots_for(keys), .grow_at = grow_at});
  }

  /// Keys from `first` on, each `times` times.
  static std::vector<Key> keys(std::uint64_t first, std::uint64_t count, std::uint64_t times = 1)
  {
    std::vector<Key> result;
    for (std::uint64_t i = 0; i < count * times; ++i) { result.push_back(Sample<Key>::of(first + i % count)); }
    return result;
  }
  static std::vector<Value> values(std::uint64_t first, std::uint64_t count)
  {
    std::vector<Value> result;
    for (std::uint64_t i = 0; i < count; ++i) { result.push_back(value_of_number<Value>(first + i)); }
    return result;
  }
  static Bits bits(Key const& key) { return Sample<Key>::bits(key); }

  static Model contents(Table& table)
  {
    std::uint64_t const size = table.size();
    Array<Key> keys(size);
    Array<Value> values(size);
    EXPECT_EQ(table.export_pairs(keys.data(), values.data(), size), size);
    auto const its_keys = keys.host();
    auto const its_values = values.host();
    Model model;
    for (std::size_t i = 0; i < size; ++i) { model.insert({bits(its_keys[i]), its_values[i]}); }
    EXPECT_EQ(model.size(), size) << "a key is stored twice";
    return model;
  }
  /// Expects that all ways to ask find what the model has.
  void expect_finds(Table& table, Model const& model, std::vector<Key> const& keys)
  {
    auto const before = values(500, keys.size());
    Array<Key> k(keys);
    Array<Value> at_once(before), without_waiting(before), by_threads(before);
    Array<bool> are_there(keys.size()), are_there_for_threads(keys.size()), are_there_later(keys.size());
    Array<Outcome> outcomes(keys.size());
    auto expected = before;
    std::vector<bool> expected_there;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      auto const place = model.find(bits(keys[i]));
      expected_there.push_back(place != model.end());
      if (place != model.end()) { expected[i] = place->second; }
    }
    auto const hits = static_cast<std::uint64_t>(std::ranges::count(expected_there, true));
    EXPECT_EQ(table.find(k.data(), at_once.data(), keys.size(), {.outcomes = outcomes.data()}), hits);
    EXPECT_EQ(at_once.host(), expected);
    EXPECT_EQ(std::ranges::count(outcomes.host(), Outcome::found), hits);
    EXPECT_EQ(std::ranges::count(outcomes.host(), Outcome::missing), keys.size() - hits);
    EXPECT_EQ(table.contains(k.data(), are_there.data(), keys.size()), hits);
    EXPECT_EQ(are_there.host(), expected_there);
    table.find_async(k.data(), without_waiting.data(), keys.size());
    table.contains_async(k.data(), are_there_later.data(), keys.size());
    EXPECT_EQ(without_waiting.host(), expected);
    EXPECT_EQ(are_there_later.host(), expected_there);
    auto const view = table.view();
    backend_.for_each(keys.size(), FindByThreads<std::remove_const_t<decltype(view)>>{view, k.data(), by_threads.data(),
                                                                                      are_there_for_threads.data()});
    EXPECT_EQ(by_threads.host(), expected);
    EXPECT_EQ(are_there_for_threads.host(), expected_there);
  }

  Backend backend_;
};
TYPED_TEST_SUITE_P(LibraryTypes);

TYPED_TEST_P(LibraryTypes, DoWhatAMapDoesWithEveryKey)
{
  using Value = typename TestFixture::Value;
  constexpr std::uint64_t count = TestFixture::count;
  auto table = this->make(count);
  typename TestFixture::Model model;
  auto const keys = this->keys(0, count / 2, 2);
  auto const values = this->values(0, count);
  typename TestFixture::template Array<typename TestFixture::Key> k(keys), all(this->keys(0, count));
  typename TestFixture::template Array<Value> v(values), others(this->values(7, count));
  typename TestFixture::template Array<Outcome> outcomes(count);

  Inserted const done = table.insert(k.data(), v.data(), count, {.outcomes = outcomes.data()});
  EXPECT_EQ(done.inserted, count / 2);
  EXPECT_EQ(done.updated, count / 2);
  done.or_throw();
  EXPECT_EQ(std::ranges::count(outcomes.host(), Outcome::inserted), count / 2);
  EXPECT_EQ(std::ranges::count(outcomes.host(), Outcome::updated), count / 2);
  auto const first = this->contents(table);
  EXPECT_EQ(first.size(), count / 2);
  for (std::uint64_t i = 0; i < count / 2; ++i) {
    auto const found = first.at(this->bits(keys[i]));
    EXPECT_TRUE(found == values[i] || found == values[i + count / 2]) << i;
  }

  table.insert_or_assign(all.data(), others.data(), count, {.distinct = true}).or_throw();
  for (std::uint64_t i = 0; i < count; ++i) {
    model[this->bits(Sample<typename TestFixture::Key>::of(i))] = value_of_number<Value>(7 + i);
  }
  EXPECT_EQ(table.size(), count);
  EXPECT_EQ(this->contents(table), model);
  this->expect_finds(table, model, this->keys(0, count + 1000));

  EXPECT_EQ(table.erase(k.data(), count, {.outcomes = outcomes.data()}), count / 2);
  EXPECT_EQ(std::ranges::count(outcomes.host(), Outcome::erased), count / 2);
  for (std::uint64_t i = 0; i < count / 2; ++i) { model.erase(this->bits(keys[i])); }
  EXPECT_EQ(this->contents(table), model);
  this->expect_finds(table, model, this->keys(0, count));

  EXPECT_EQ(table.insert_or_assign(all.data(), others.data(), count).inserted, count / 2);
  table.rehash(2 * table.slots());
  EXPECT_EQ(table.size(), count);
  this->expect_finds(table, this->contents(table), this->keys(0, count));
  table.clear();
  EXPECT_EQ(table.size(), 0u);
  this->expect_finds(table, {}, this->keys(0, count));
}

TYPED_TEST_P(LibraryTypes, AddUpAndCompareNumbers)
{
  using Value = typename TestFixture::Value;
  using Table = typename TestFixture::Table;
  if constexpr (Table::adds) {
    constexpr std::uint64_t different = 1000, times = 5;
    auto const keys = this->keys(0, different, times);
    auto const values = this->values(0, different * times);
    typename TestFixture::template Array<typename TestFixture::Key> k(keys);
    typename TestFixture::template Array<Value> v(values);
    auto const expect = [&](auto&& insert, auto&& combine) {
      auto table = this->make(different);
      typename TestFixture::Model model;
      for (int round = 0; round < 2; ++round) {
        insert(table);
        for (std::uint64_t i = 0; i < different * times; ++i) {
          auto const [place, is_new] = model.insert({this->bits(keys[i]), values[i]});
          if (!is_new) { place->second = combine(place->second, values[i]); }
        }
      }
      EXPECT_EQ(this->contents(table), model);
    };
    expect([&](Table& table) { table.insert_or_add(k.data(), v.data(), different * times).or_throw(); },
           [](Value a, Value b) { return static_cast<Value>(a + b); });
    expect([&](Table& table) { table.insert_or_min(k.data(), v.data(), different * times).or_throw(); },
           [](Value a, Value b) { return std::min(a, b); });
    expect([&](Table& table) { table.insert_or_max(k.data(), v.data(), different * times).or_throw(); },
           [](Value a, Value b) { return std::max(a, b); });
    if constexpr (std::is_integral_v<Value>) {
      auto const key = this->keys(0, 1);
      constexpr Value large = std::numeric_limits<Value>::max() - 2;
      typename TestFixture::template Array<typename TestFixture::Key> one(key);
      typename TestFixture::template Array<Value> much(std::vector<Value>{large});
      auto table = this->make(different);
      for (int round = 0; round < 3; ++round) { table.insert_or_add(one.data(), much.data(), 1).or_throw(); }
      EXPECT_GE(this->contents(table).begin()->second, large + 1) << "the sum did not stop at the largest value";
    }
  }
}

TYPED_TEST_P(LibraryTypes, AreVisitedErasedCopiedSwappedAndMerged)
{
  using Value = typename TestFixture::Value;
  constexpr std::uint64_t count = TestFixture::count / 2, few = 10;
  typename TestFixture::template Array<typename TestFixture::Key> k(this->keys(0, count)),
      more(this->keys(count / 2, count));
  typename TestFixture::template Array<Value> v(this->values(0, count)), others(this->values(5, count));
  auto table = this->make(2 * count);
  table.insert(k.data(), v.data(), count).or_throw();
  auto model = this->contents(table);

  typename TestFixture::template Array<std::uint64_t> counted(std::vector<std::uint64_t>{0});
  table.for_each(CountEach{counted.data()});
  EXPECT_EQ(counted.host().front(), count);

  using Wanted = IsOneOf<typename TestFixture::Key>;
  EXPECT_EQ(table.erase_if(Wanted{k.data(), few}), few);
  for (auto const& key : this->keys(0, few)) { EXPECT_EQ(model.erase(this->bits(key)), 1u); }
  EXPECT_EQ(this->contents(table), model);
  EXPECT_EQ(table.size(), count - few);

  auto copy = this->make(100);
  copy.copy_from(table);
  EXPECT_EQ(this->contents(copy), model);
  table.insert(k.data(), v.data(), few).or_throw();  // a copy lives on its own
  EXPECT_EQ(table.size(), count);
  EXPECT_EQ(this->contents(copy), model);
  this->expect_finds(copy, model, this->keys(0, count));

  auto other = this->make(2 * count);
  other.insert(more.data(), others.data(), count).or_throw();
  auto const theirs = this->contents(other);
  std::swap(copy, other);
  EXPECT_EQ(this->contents(other), model);
  EXPECT_EQ(this->contents(copy), theirs);

  Inserted const done = other.merge(copy);
  auto merged = model;
  merged.insert(theirs.begin(), theirs.end());
  EXPECT_EQ(done.inserted, merged.size() - model.size());
  EXPECT_EQ(done.updated, model.size() + theirs.size() - merged.size());
  EXPECT_EQ(this->contents(other), merged);
  EXPECT_EQ(this->contents(copy), theirs);
  other.merge(copy, Combine::replace).or_throw();
  for (auto const& [key, value] : theirs) { merged[key] = value; }
  EXPECT_EQ(this->contents(other), merged);
  Inserted const of_itself = other.merge(other);
  EXPECT_EQ(of_itself.inserted, 0u);
  EXPECT_EQ(of_itself.updated, merged.size());
  EXPECT_THROW(static_cast<void>(other.merge(other, Combine::add)), Error);
  EXPECT_EQ(this->contents(other), merged);
}

TYPED_TEST_P(LibraryTypes, ChangeOnlyWhatIsThere)
{
  using Key = typename TestFixture::Key;
  using Value = typename TestFixture::Value;
  using Table = typename TestFixture::Table;
  constexpr std::uint64_t count = TestFixture::count / 2, times = 4;
  typename TestFixture::template Array<Key> k(this->keys(0, count)), twice(this->keys(0, count, 2));
  typename TestFixture::template Array<Value> v(this->values(0, count)), others(this->values(3, 2 * count));
  typename TestFixture::template Array<Outcome> outcomes(2 * count), many_outcomes(times * count);
  auto table = this->make(count);
  table.insert(k.data(), v.data(), count / 2).or_throw();
  EXPECT_EQ(table.update(twice.data(), others.data(), 2 * count, {.outcomes = outcomes.data()}), count / 2 * 2);
  EXPECT_EQ(table.size(), count / 2);
  EXPECT_EQ(std::ranges::count(outcomes.host(), Outcome::updated), count / 2 * 2);
  EXPECT_EQ(std::ranges::count(outcomes.host(), Outcome::missing), count / 2 * 2 + count % 2 * 2);
  auto model = this->contents(table);
  auto const first = this->values(3, 2 * count);
  for (std::uint64_t i = 0; i < count / 2; ++i) {
    Value const now = model.at(this->bits(Sample<Key>::of(i)));
    EXPECT_TRUE(now == first[i] || now == first[i + count]) << i;
  }
  EXPECT_EQ(table.update(k.data(), v.data(), count, {.distinct = true}), count / 2);
  for (std::uint64_t i = 0; i < count / 2; ++i) { model[this->bits(Sample<Key>::of(i))] = value_of_number<Value>(i); }
  EXPECT_EQ(this->contents(table), model);

  if constexpr (Table::adds && requires { table.mutable_view(); }) {
    using Update = UpdateOneOf<typename Table::MutableView, OneMore>;
    Update const update{table.mutable_view(), k.data(), count, OneMore{}, many_outcomes.data()};
    this->backend_.for_each(times * count, update);
    for (auto& [key, value] : model) { value = static_cast<Value>(value + times); }
    EXPECT_EQ(this->contents(table), model);
    EXPECT_EQ(std::ranges::count(many_outcomes.host(), Outcome::updated), times * model.size());
  }
}

TYPED_TEST_P(LibraryTypes, StayAsTheyWereIfMemoryRunsOut)
{
  using Table = typename TestFixture::Table;
  constexpr std::uint64_t count = 500;
  typename TestFixture::template Array<typename TestFixture::Key> k(this->keys(0, 2 * count));
  typename TestFixture::template Array<typename TestFixture::Value> v(this->values(0, 2 * count));
  typename TestFixture::Backend::Limited memory;
  auto other = this->make(2 * count);
  other.insert(k.data() + count / 2, v.data(), count).or_throw();
  double grow_at = 0.0;
  auto const make = [&] {
    std::uint64_t const slots = Table::slots_for(grow_at == 0.0 ? 2 * count : count);
    auto table =
        this->backend_.template make_table<Table>(TableOptions{.slots = slots, .grow_at = grow_at, .memory = memory});
    table.insert(k.data(), v.data(), count).or_throw();
    return table;
  };
  std::map<std::array<std::uint64_t, 2>, bool> old_keys;
  for (auto const& key : this->keys(0, count)) { old_keys[this->bits(key)] = true; }
  auto const contents = [&](Table& table) { return this->contents(table); };
  auto const old_pairs = [&](Table& table) {
    auto model = contents(table);
    std::erase_if(model, [&](auto const& pair) { return !old_keys.contains(pair.first); });
    return model;
  };
  auto const expect = [&](char const* call, auto const& change) {
    SCOPED_TRACE(call);
    constexpr bool whole = TestFixture::Backend::fails_before_it_begins;
    auto const held = [&](Table& table) { return whole ? contents(table) : old_pairs(table); };
    expect_unchanged_without_memory(memory, make, change, held, contents);
  };
  expect("insert", [&](Table& table) { table.insert(k.data(), v.data(), 2 * count).or_throw(); });
  expect("insert_or_assign", [&](Table& table) { table.insert_or_assign(k.data(), v.data(), 2 * count).or_throw(); });
  expect("erase", [&](Table& table) { table.erase(k.data(), 2 * count); });
  expect("update", [&](Table& table) { table.update(k.data(), v.data(), 2 * count); });
  expect("erase_if", [&](Table& table) { table.erase_if(IsOneOf<typename TestFixture::Key>{k.data(), 10}); });
  expect("rehash", [&](Table& table) { table.rehash(2 * table.slots()); });
  expect("merge", [&](Table& table) { table.merge(other).or_throw(); });
  expect("copy_from", [&](Table& table) { table.copy_from(other); });

  grow_at = 0.5;  // those that had room stay
  auto const grow = [&](Table& table) { table.insert(k.data(), v.data(), 2 * count).or_throw(); };
  expect_unchanged_without_memory(memory, make, grow, old_pairs, contents);
  EXPECT_EQ(memory.bytes, 0u);
  EXPECT_GT(memory.refused, 0u) << "else nothing was tried";
}

TYPED_TEST_P(LibraryTypes, GrowOnRequest)
{
  constexpr std::uint64_t count = TestFixture::count, first = 64;
  typename TestFixture::template Array<typename TestFixture::Key> k(this->keys(0, count));
  typename TestFixture::template Array<typename TestFixture::Value> v(this->values(0, count));
  typename TestFixture::template Array<Outcome> outcomes(count);
  auto table = this->make(first, 0.7);
  table.insert(k.data(), v.data(), first).or_throw();
  Inserted const done = table.insert(k.data(), v.data(), count, {.outcomes = outcomes.data()});
  done.or_throw();
  EXPECT_EQ(done.inserted, count - first);
  EXPECT_EQ(std::ranges::count(outcomes.host(), Outcome::inserted), count - first);
  EXPECT_EQ(table.size(), count);
  EXPECT_LE(table.load_factor(), 0.7);
  EXPECT_EQ(this->contents(table).size(), count);
  EXPECT_THROW(this->make(first, 1.5), Error);
}

TYPED_TEST_P(LibraryTypes, AreChangedByThreadsAndWithoutWaiting)
{
  using Table = typename TestFixture::Table;
  if constexpr (requires(Table table) { table.mutable_view(); }) {
    constexpr std::uint64_t count = TestFixture::count / 2;
    typename TestFixture::template Array<typename TestFixture::Key> k(this->keys(0, count));
    typename TestFixture::template Array<typename TestFixture::Value> v(this->values(0, count));
    typename TestFixture::template Array<Outcome> outcomes(count);
    typename TestFixture::template Array<Tally> counts(std::vector<Tally>(1));
    auto table = this->make(count);
    auto const view = table.mutable_view();
    using Change = ChangeByThreads<std::remove_const_t<decltype(view)>>;
    this->backend_.for_each(count / 2, Change{view, k.data(), v.data(), false, outcomes.data()});
    EXPECT_EQ(table.size(), count / 2);
    AsyncOptions const wanted{outcomes.data(), counts.data()};
    table.insert_async(k.data(), v.data(), count, Combine::replace, wanted);
    Tally expected;
    expected[Outcome::inserted] = count - count / 2;
    expected[Outcome::updated] = count / 2;
    EXPECT_EQ(counts.host().front(), expected);
    EXPECT_EQ(table.size(), count);
    typename TestFixture::Model model;
    for (std::uint64_t i = 0; i < count; ++i) {
      model[this->bits(Sample<typename TestFixture::Key>::of(i))] = this->values(i, 1).front();
    }
    EXPECT_EQ(this->contents(table), model);
    this->backend_.for_each(count / 4, Change{view, k.data(), v.data(), true, outcomes.data()});
    table.erase_async(k.data(), count / 2, wanted);
    expected[Outcome::erased] = count / 2 - count / 4;
    expected[Outcome::missing] = count / 4;
    EXPECT_EQ(counts.host().front(), expected);
    EXPECT_EQ(table.size(), count - count / 2);
    for (auto const& key : this->keys(0, count / 2)) { model.erase(this->bits(key)); }
    EXPECT_EQ(this->contents(table), model);
  }
}

REGISTER_TYPED_TEST_SUITE_P(LibraryTypes, DoWhatAMapDoesWithEveryKey, AddUpAndCompareNumbers,
                            AreVisitedErasedCopiedSwappedAndMerged, ChangeOnlyWhatIsThere,
                            StayAsTheyWereIfMemoryRunsOut, GrowOnRequest, AreChangedByThreadsAndWithoutWaiting);

}  // namespace slotscape
