#pragma once

#include "gpu/library/options.hpp"
#include "gpu/library/thread_group.hpp"
#include "tests/library/case.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace slotscape {

/// Calls of a view by groups of N threads. A Backend has, besides what `Case` says,
///   threads_of_group<N>   by how many threads of `for_each` a group of N is played
template <class Backend_, class Table_, unsigned threads_, std::uint32_t tile_ = 0>
struct GroupCase {
  using Backend = Backend_;
  using Table = Table_;
  static constexpr unsigned threads = threads_;
  static constexpr std::uint32_t tile = tile_;  ///< parameter of the family, if not 0
};

/// A value that lies beside the table.
struct TwoNumbers {
  TwoNumbers() = default;
  explicit TwoNumbers(std::uint64_t number) : first(number), second(~number) {}
  friend bool operator==(TwoNumbers const&, TwoNumbers const&) = default;

  std::uint64_t first = 0;
  std::uint64_t second = 0;
};

/// --- what the threads do: `per_group` of them are a group.

template <class View, unsigned threads, std::uint64_t per_group>
struct FindByGroups {
  View view;
  typename View::Key const* keys;
  typename View::Value* values;
  bool* are_there;
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t thread) const
  {
    std::uint64_t const i = thread / per_group;
    LaneGroup<threads> const group;
    bool const is_there = view.contains(group, keys[i]);
    auto const found = view.find(group, keys[i]);
    if (group.thread_rank() + 1 == threads || per_group == 1) {  // the last one knows as well as the first
      are_there[i] = is_there;
      if (found) { values[i] = found.value; }
    }
  }
};
template <class View, unsigned threads, std::uint64_t per_group>
struct ChangeByGroups {
  View view;
  typename View::Key const* keys;
  typename View::Value const* values;
  bool erases;
  Outcome* outcomes;
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t thread) const
  {
    std::uint64_t const i = thread / per_group;
    LaneGroup<threads> const group;
    Outcome const outcome = erases ? view.erase(group, keys[i]) : view.insert(group, keys[i], values[i]);
    if (group.thread_rank() + 1 == threads || per_group == 1) { outcomes[i] = outcome; }
  }
};
/// Each thread has a key of its own, and the last ones have none.
template <class View, unsigned threads>
struct FindEach {
  View view;
  typename View::Key const* keys;
  std::uint64_t count;
  typename View::Value* values;
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    LaneGroup<threads> const group;
    bool const takes_part = i < count;
    auto const key = takes_part ? keys[i] : typename View::Key{};
    auto const found = serve_each(group, takes_part, key, [&](auto const& its) { return view.find(group, its); });
    if (takes_part && found) { values[i] = found.value; }
  }
};

template <class Case>
class LibraryGroups : public testing::Test {
protected:
  using Backend = typename Case::Backend;
  using Table = typename Case::Table;
  using Key = typename Table::Key;
  using Value = typename Table::Value;
  using View = typename Table::View;
  static constexpr unsigned threads = Case::threads;
  static constexpr std::uint64_t per_group = Backend::template threads_of_group<threads>;
  static constexpr std::uint64_t count = 3000;  ///< every key comes three times
  template <class T>
  using Array = typename Backend::template Array<T>;

  void SetUp() override
  {
    if (std::string const why = Backend::why_not(); !why.empty()) { GTEST_SKIP() << why; }
  }
  Table make()
  {
    TableOptions options{.slots = Table::slots_for(count)};
    if (Case::tile != 0) { options.parameters["tile"] = Case::tile; }
    return backend_.template make_table<Table>(options);
  }
  /// Some are those whose words are reserved.
  static Key key(std::uint64_t i)
  {
    std::uint64_t const number = i % (count / 3);
    return static_cast<Key>(number < 5 ? std::numeric_limits<Key>::max() - number : number * 7919);
  }
  /// The first so many.
  static std::vector<Key> keys(std::uint64_t how_many)
  {
    std::vector<Key> result;
    for (std::uint64_t i = 0; i < how_many; ++i) { result.push_back(key(i)); }
    return result;
  }
  static Value value_of(Key key) { return static_cast<Value>(static_cast<std::uint64_t>(key) % 1000 + 1); }
  static std::vector<Value> values_of(std::vector<Key> const& keys)
  {
    std::vector<Value> result;
    result.reserve(keys.size());
    for (Key const key : keys) { result.push_back(value_of(key)); }
    return result;
  }
  static constexpr bool takes_every_key = !requires { Table::empty_value; };
  static bool is_taken(Key key)
  {
    if constexpr (takes_every_key) {
      return true;
    } else {
      return key <= Table::largest_key;
    }
  }

  /// Whether groups find the keys for which `is_stored` is true, with their values, and no others.
  template <class IsStored>
  void expect_found(Table& table, IsStored const& is_stored)
  {
    auto const wanted = keys(count / 3 - 100);
    std::vector<Key> absent;
    for (std::uint64_t i = 0; i < 100; ++i) { absent.push_back(static_cast<Key>(100'000'000 + i)); }
    auto asked = wanted;
    asked.insert(asked.end(), absent.begin(), absent.end());
    std::vector<Value> const before(asked.size(), Value{12345});
    auto expected = before;
    std::vector<bool> expected_there(asked.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      expected_there[i] = is_taken(wanted[i]) && is_stored(i);
      if (expected_there[i]) { expected[i] = value_of(wanted[i]); }
    }
    Array<Key> k(asked);
    Array<Value> values(before), each(before);
    Array<bool> are_there(asked.size());
    backend_.for_each(asked.size() * per_group,
                      FindByGroups<View, threads, per_group>{table.view(), k.data(), values.data(), are_there.data()});
    EXPECT_EQ(values.host(), expected);
    EXPECT_EQ(are_there.host(), expected_there);
    std::uint64_t const whole_groups = (asked.size() / 32 + 1) * 32;
    backend_.for_each(whole_groups, FindEach<View, threads>{table.view(), k.data(), asked.size(), each.data()});
    EXPECT_EQ(each.host(), expected);
  }

  Backend backend_;
};
TYPED_TEST_SUITE_P(LibraryGroups);

TYPED_TEST_P(LibraryGroups, FindWhatTheTableHolds)
{
  auto table = this->make();
  auto const keys = this->keys(TestFixture::count);
  auto const values = this->values_of(keys);
  typename TestFixture::template Array<typename TestFixture::Key> k(keys);
  typename TestFixture::template Array<typename TestFixture::Value> v(values);
  EXPECT_EQ(table.insert(k.data(), v.data(), TestFixture::count).full, 0u);
  this->expect_found(table, [](std::uint64_t) { return true; });
}

TYPED_TEST_P(LibraryGroups, InsertEachKeyOnceAndEraseIt)
{
  using Table = typename TestFixture::Table;
  if constexpr (requires(Table & table) { table.mutable_view(); }) {
    using Change = ChangeByGroups<typename Table::MutableView, TestFixture::threads, TestFixture::per_group>;
    auto table = this->make();
    auto const keys = this->keys(TestFixture::count);
    auto const values = this->values_of(keys);
    typename TestFixture::template Array<typename TestFixture::Key> k(keys);
    typename TestFixture::template Array<typename TestFixture::Value> v(values);
    typename TestFixture::template Array<Outcome> outcomes(keys.size());
    this->backend_.for_each(keys.size() * TestFixture::per_group,
                            Change{table.mutable_view(), k.data(), v.data(), false, outcomes.data()});
    std::map<typename TestFixture::Key, std::map<Outcome, int>> met;
    auto const of_insertions = outcomes.host();
    for (std::size_t i = 0; i < keys.size(); ++i) { ++met[keys[i]][of_insertions[i]]; }
    for (auto const& [key, its] : met) {
      auto const expected = this->is_taken(key) ? std::map<Outcome, int>{{Outcome::inserted, 1}, {Outcome::updated, 2}}
                                                : std::map<Outcome, int>{{Outcome::rejected, 3}};
      EXPECT_EQ(its, expected) << "key " << +key;
    }
    std::uint64_t const erased = 700;
    this->backend_.for_each(erased * TestFixture::per_group,
                            Change{table.mutable_view(), k.data(), v.data(), true, outcomes.data()});
    auto const of_erasures = outcomes.host();
    for (std::size_t i = 0; i < erased; ++i) {
      EXPECT_EQ(of_erasures[i], this->is_taken(keys[i]) ? Outcome::erased : Outcome::rejected);
    }
    this->expect_found(table, [&](std::uint64_t i) { return i >= erased; });
  }
}

REGISTER_TYPED_TEST_SUITE_P(LibraryGroups, FindWhatTheTableHolds, InsertEachKeyOnceAndEraseIt);

}  // namespace slotscape
