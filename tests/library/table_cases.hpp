#pragma once

#include "gpu/library/basic_table.hpp"
#include "tests/library/case.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <vector>

namespace slotscape {

/// Looks a key up, as a user's own code does.
template <class View>
struct LookUp {
  View table;
  typename View::Key const* keys;
  typename View::Value* values;
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const { values[i] = table.find(keys[i]).value; }
};

/// Inserts one of a few keys, and erases every third of them.
template <class View>
struct InsertOneOf {
  View table;
  std::uint32_t different;
  Outcome* outcomes;
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    outcomes[i] = table.insert(static_cast<typename View::Key>(i % different), 1);
  }
};
template <class View>
struct EraseThird {
  View table;
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const { table.erase(static_cast<typename View::Key>(3 * i)); }
};

template <class Case>
class LibraryTable : public testing::Test {
protected:
  using Backend = typename Case::Backend;
  using Family = typename Case::Family;
  using Key = typename Case::Key;
  using Keys = std::vector<Key>;
  using Model = std::unordered_map<Key, Key>;
  using Table = typename Backend::template Table<Family, Key>;
  static_assert(std::is_nothrow_move_constructible_v<Table>);
  static_assert(library::checks_views<typename Table::Machine> || std::is_trivially_copyable_v<typename Table::View>);
  template <class T>
  using Array = typename Backend::template Array<T>;

  void SetUp() override
  {
    if (std::string const why = Backend::why_not(); !why.empty()) { GTEST_SKIP() << why; }
  }

  static Keys values_of(Keys keys)
  {
    for (Key& key : keys) { key = key % 1000 + 1; }
    return keys;
  }
  /// Any: this table, or one in shards.
  template <class Any>
  Model contents(Any& table)
  {
    std::uint64_t const size = table.size();
    Array<Key> keys(size);
    Array<Key> values(size);
    EXPECT_EQ(table.export_pairs(keys.data(), values.data(), size), size);
    Keys const its_keys = keys.host();
    Keys const its_values = values.host();
    Model model;
    for (std::size_t i = 0; i < its_keys.size(); ++i) { model[its_keys[i]] = its_values[i]; }
    EXPECT_EQ(model.size(), size);
    return model;
  }
  /// What a map holds, and the table as well, after half of the keys were inserted, all added, and a third erased.
  /// k, v: the same keys and values on the device.
  template <class Any>
  Model insert_add_and_erase(Any& table, Keys const& keys, Keys const& values, Array<Key>& k, Array<Key>& v)
  {
    Model model;
    Inserted const done = table.insert(k.data(), v.data(), many / 2);
    for (std::uint64_t i = 0; i < many / 2; ++i) { model.insert({keys[i], values[i]}); }
    EXPECT_EQ(done.inserted, model.size());
    EXPECT_EQ(done.inserted + done.updated, many / 2);
    EXPECT_EQ(table.size(), model.size());

    table.insert_or_add(k.data(), v.data(), many).or_throw();
    for (std::uint64_t i = 0; i < many; ++i) { model[keys[i]] += values[i]; }
    EXPECT_EQ(contents(table), model);

    std::uint64_t erased = 0;
    for (std::uint64_t i = 0; i < many / 3; ++i) { erased += model.erase(keys[i]); }
    EXPECT_EQ(table.erase(k.data(), many / 3), erased);
    EXPECT_EQ(contents(table), model);
    return model;
  }

  Backend backend_;
};
TYPED_TEST_SUITE_P(LibraryTable);

TYPED_TEST_P(LibraryTable, DoesWhatAMapDoes)
{
  using Table = typename TestFixture::Table;
  auto const keys = some_keys<typename TestFixture::Key>(many);
  auto const values = this->values_of(keys);
  typename TestFixture::template Array<typename TestFixture::Key> k(keys), v(values), found(keys.size());
  Table table = this->backend_.template make<typename TestFixture::Family, typename TestFixture::Key>(
      {.slots = Table::slots_for(many)});
  auto model = this->insert_add_and_erase(table, keys, values, k, v);

  table.insert_or_max(k.data(), v.data(), many / 4).or_throw();
  table.insert_or_min(k.data(), v.data(), many / 2).or_throw();
  for (std::uint64_t i = 0; i < many / 4; ++i) { model[keys[i]] = std::max(model[keys[i]], values[i]); }
  for (std::uint64_t i = 0; i < many / 2; ++i) {
    auto const [place, is_new] = model.insert({keys[i], values[i]});
    if (!is_new) { place->second = std::min(place->second, values[i]); }
  }
  EXPECT_EQ(this->contents(table), model);

  EXPECT_EQ(table.find(k.data(), found.data(), many),
            std::ranges::count_if(keys, [&](auto key) { return model.contains(key); }));
  auto expected = keys;
  for (auto& key : expected) { key = model.contains(key) ? model[key] : Table::empty_value; }
  EXPECT_EQ(found.host(), expected);
  table.find_async(k.data(), v.data(), many);
  EXPECT_EQ(v.host(), expected);
  this->backend_.for_each(many, LookUp<typename Table::View>{table.view(), k.data(), found.data()});
  EXPECT_EQ(found.host(), expected);

  table.clear();
  EXPECT_EQ(table.size(), 0u);
  EXPECT_EQ(table.find(k.data(), found.data(), many), 0u);
}

TYPED_TEST_P(LibraryTable, SaysWhatFoundNoPlaceAndTakesItAfterARehash)
{
  using Table = typename TestFixture::Table;
  using Key = typename TestFixture::Key;
  std::vector<Key> keys;
  for (Key key = 0; key < 3000; ++key) { keys.push_back(key); }
  keys.push_back(~Key{0});
  typename TestFixture::template Array<Key> k(keys), v(keys), found(keys.size());
  typename TestFixture::template Array<Outcome> outcomes(keys.size());
  Table table = this->backend_.template make<typename TestFixture::Family, Key>({.slots = 1024});

  Inserted const done = table.insert(k.data(), v.data(), keys.size(), {.distinct = true, .outcomes = outcomes.data()});
  EXPECT_EQ(done.rejected, 1u);
  EXPECT_GT(done.inserted, 400u);
  EXPECT_EQ(done.inserted + done.full, 3000u);
  EXPECT_THROW(done.or_throw(), Error);
  EXPECT_EQ(table.size(), done.inserted);
  table.find(k.data(), found.data(), keys.size());
  auto const what = outcomes.host();
  auto const where = found.host();
  std::vector<Key> left;
  for (std::size_t i = 0; i < 3000; ++i) {
    EXPECT_EQ(where[i], what[i] == Outcome::inserted ? keys[i] : Table::empty_value) << i;
    if (what[i] == Outcome::full) { left.push_back(keys[i]); }
  }
  EXPECT_EQ(what[3000], Outcome::rejected);
  EXPECT_EQ(left.size(), done.full);

  auto const before = this->contents(table);
  EXPECT_THROW(table.rehash(64), Error);
  EXPECT_EQ(this->contents(table), before);
  table.rehash(Table::slots_for(3000));
  EXPECT_EQ(this->contents(table), before);
  typename TestFixture::template Array<Key> rest(left);
  table.insert(rest.data(), rest.data(), left.size()).or_throw();
  EXPECT_EQ(table.size(), 3000u);
}

TYPED_TEST_P(LibraryTable, RefusesWhatCannotBeAndSaysWhatCan)
{
  using Table = typename TestFixture::Table;
  using Key = typename TestFixture::Key;
  auto const make = [&](TableOptions const& options) {
    return this->backend_.template make<typename TestFixture::Family, Key>(options);
  };
  EXPECT_THROW(make({.slots = 3}), Error);
  EXPECT_THROW(make({.slots = 1024, .parameters = {{"warmth", 3}}}), Error);
  EXPECT_THROW(Table::slots_for(100, 1.5), Error);
  EXPECT_THROW(Table::slots_for(100, 0.8, {{"warmth", 3}}), Error);
  EXPECT_THROW(Table::slots_for(std::uint64_t{1} << 33), Error);
  Table table = make({.slots = 1024});
  std::vector<Key> const keys{1, 2, 3};
  typename TestFixture::template Array<Key> k(keys), v(keys);
  table.insert(k.data(), v.data(), 3).or_throw();
  EXPECT_THROW(table.export_pairs(k.data(), v.data(), 2), Error);
  EXPECT_EQ(table.size(), 3u);
}

TYPED_TEST_P(LibraryTable, SumsStopAtTheLargestValueWhateverWasThereBefore)
{
  using Table = typename TestFixture::Table;
  using Key = typename TestFixture::Key;
  std::vector<Key> const keys{5, 6};
  std::vector<Key> const values{Table::largest_value - 1, 7};
  std::vector<Key> const twos{2, 2};
  typename TestFixture::template Array<Key> k(keys), v(values), two(twos), found(2);
  Table table = this->backend_.template make<typename TestFixture::Family, Key>({.slots = 1024});
  table.insert_or_assign(k.data(), v.data(), 2).or_throw();
  table.insert_or_add(k.data(), two.data(), 2).or_throw();
  table.find(k.data(), found.data(), 2);
  EXPECT_EQ(found.host(), (std::vector<Key>{Table::largest_value, 9}));
}

TYPED_TEST_P(LibraryTable, ThreadsMayChangeItThroughAViewWhereNothingMoves)
{
  using Table = typename TestFixture::Table;
  using Key = typename TestFixture::Key;
  if constexpr (!HasConcurrentOperations<typename TestFixture::Family>) {
    static_assert(!requires(Table table) { table.mutable_view(); });
  } else {
    constexpr std::uint32_t different = 3000;
    Table table =
        this->backend_.template make<typename TestFixture::Family, Key>({.slots = Table::slots_for(different)});
    auto const view = table.mutable_view(Combine::add);
    typename TestFixture::template Array<Outcome> outcomes(10 * different);
    this->backend_.for_each(10 * different, InsertOneOf<decltype(view)>{view, different, outcomes.data()});
    auto const what = outcomes.host();
    EXPECT_EQ(std::ranges::count(what, Outcome::inserted), different);
    EXPECT_EQ(std::ranges::count(what, Outcome::updated), 9 * different);
    EXPECT_EQ(table.size(), different);
    this->backend_.for_each(different / 3, EraseThird<decltype(view)>{view});
    typename TestFixture::Model model;
    for (Key key = 0; key < different; ++key) {
      if (key % 3 != 0) { model[key] = 10; }
    }
    EXPECT_EQ(this->contents(table), model);
  }
}

TYPED_TEST_P(LibraryTable, UpdatesOnlyKeysThatAreThere)
{
  using Table = typename TestFixture::Table;
  using Key = typename TestFixture::Key;
  constexpr Key count = 3000, times = 8;
  std::vector<Key> keys(count);
  std::iota(keys.begin(), keys.end(), Key{0});
  keys.back() = ~Key{0};
  auto values = this->values_of(keys);
  values[1] = Table::empty_value;
  typename TestFixture::template Array<Key> k(keys), v(values);
  typename TestFixture::template Array<Outcome> outcomes(count), many_outcomes(times * count);
  Table table = this->backend_.template make<typename TestFixture::Family, Key>({.slots = Table::slots_for(count)});
  table.insert(k.data(), k.data(), count / 2).or_throw();
  EXPECT_EQ(table.erase(k.data(), 1), 1u);
  EXPECT_EQ(table.update(k.data(), v.data(), count, {.outcomes = outcomes.data()}), count / 2 - 2);
  typename TestFixture::Model model;
  for (Key key = 1; key < count / 2; ++key) { model[key] = key == 1 ? key : values[key]; }
  EXPECT_EQ(this->contents(table), model);
  EXPECT_EQ(table.size(), model.size());
  auto const what = outcomes.host();
  EXPECT_EQ(what[0], Outcome::missing);
  EXPECT_EQ(what[1], Outcome::rejected);
  EXPECT_EQ(what[2], Outcome::updated);
  EXPECT_EQ(what[count / 2], Outcome::missing);
  EXPECT_EQ(what[count - 1], Outcome::rejected);

  if constexpr (HasConcurrentOperations<typename TestFixture::Family>) {
    auto const view = table.mutable_view();
    static_assert(std::is_same_v<std::remove_const_t<decltype(view)>, typename Table::MutableView>);
    using Update = UpdateOneOf<typename Table::MutableView, OneMore>;
    this->backend_.for_each(times * count, Update{view, k.data(), count, OneMore{}, many_outcomes.data()});
    for (auto& [key, value] : model) { value += times; }
    EXPECT_EQ(this->contents(table), model);
    EXPECT_EQ(std::ranges::count(many_outcomes.host(), Outcome::updated), times * model.size());
    EXPECT_EQ(std::ranges::count(many_outcomes.host(), Outcome::rejected), times);
  }
}

TYPED_TEST_P(LibraryTable, TakesIteratorsAndTellsWhatIsThere)
{
  using Table = typename TestFixture::Table;
  using Key = typename TestFixture::Key;
  constexpr std::uint64_t count = 3000;
  typename TestFixture::template Array<Key> found(count);
  typename TestFixture::template Array<bool> are_there(count), are_there_later(count);
  Table table = this->backend_.template make<typename TestFixture::Family, Key>({.slots = Table::slots_for(count)});
  EXPECT_EQ(table.insert(EachNumber<Key>{0, 2}, EachNumber<Key>{5, 1}, count).inserted, count);
  table.insert_or_add(EachNumber<Key>{0, 2}, EachNumber<Key>{1, 0}, 10).or_throw();
  EXPECT_EQ(table.update(EachNumber<Key>{0, 1}, EachNumber<Key>{3, 0}, 4), 2u);
  EXPECT_EQ(table.erase(EachNumber<Key>{4, 1}, 2), 1u);
  EXPECT_EQ(table.find(EachNumber<Key>{0, 1}, found.data(), count), count / 2 - 1);
  EXPECT_EQ(table.contains(EachNumber<Key>{0, 1}, are_there.data(), count), count / 2 - 1);
  table.contains_async(EachNumber<Key>{0, 1}, are_there_later.data(), count);
  auto const values = found.host();
  auto const there = are_there.host();
  for (std::uint64_t key = 0; key < count; ++key) {
    EXPECT_EQ(there[key], key % 2 == 0 && key != 4) << key;
    Key const value = key < 4 ? 3 : static_cast<Key>(5 + key / 2 + (key < 20 ? 1 : 0));
    EXPECT_EQ(values[key], there[key] ? value : Table::empty_value) << key;
  }
  EXPECT_EQ(are_there_later.host(), there);
}

TYPED_TEST_P(LibraryTable, StaysAsItWasIfMemoryRunsOut)
{
  using Table = typename TestFixture::Table;
  using Key = typename TestFixture::Key;
  constexpr std::uint64_t count = 1000;
  auto const keys = some_keys<Key>(2 * count);
  typename TestFixture::template Array<Key> k(keys), v(this->values_of(keys)), found(2 * count);
  typename TestFixture::template Array<bool> are_there(2 * count);
  typename TestFixture::Backend::Limited memory;
  Table other = this->backend_.template make<typename TestFixture::Family, Key>({.slots = Table::slots_for(2 * count)});
  other.insert(k.data() + count, v.data() + count, count).or_throw();
  double grow_at = 0.0;
  auto const make = [&] {
    Table table = this->backend_.template make<typename TestFixture::Family, Key>(
        {.slots = Table::slots_for(grow_at == 0.0 ? 2 * count : count), .grow_at = grow_at, .memory = memory});
    table.insert(k.data(), v.data(), count).or_throw();
    return table;
  };
  typename TestFixture::Model old_keys;
  for (std::uint64_t i = 0; i < count; ++i) { old_keys[keys[i]] = 0; }
  auto const contents = [&](Table& table) { return this->contents(table); };
  auto const old_pairs = [&](Table& table) {
    auto model = contents(table);
    std::erase_if(model, [&](auto const& pair) { return !old_keys.contains(pair.first); });
    return model;
  };
  constexpr bool whole = TestFixture::Backend::fails_before_it_begins;
  auto const expect = [&](auto const& change) {
    auto const held = [&](Table& table) { return whole ? contents(table) : old_pairs(table); };
    expect_unchanged_without_memory(memory, make, change, held, contents);
  };
  expect([&](Table& table) { table.insert(k.data(), v.data(), 2 * count).or_throw(); });
  if constexpr (whole &&
                !IsStatic<typename TestFixture::Family>) {  // which add up first, and then make room for new keys
    expect([&](Table& table) { table.insert_or_add(k.data(), v.data(), 2 * count).or_throw(); });
  }
  expect([&](Table& table) { table.erase(k.data(), 2 * count); });
  expect([&](Table& table) { table.erase_if(IsThird{}); });
  expect([&](Table& table) { table.update(k.data(), v.data(), 2 * count); });
  expect([&](Table& table) { table.contains(k.data(), are_there.data(), 2 * count); });
  expect([&](Table& table) { table.rehash(2 * table.slots()); });
  expect([&](Table& table) { table.merge(other).or_throw(); });
  expect([&](Table& table) { table.copy_from(other); });

  grow_at = 0.5;  // those that had room stay
  auto const grow = [&](Table& table) { table.insert(k.data(), v.data(), 2 * count).or_throw(); };
  expect_unchanged_without_memory(memory, make, grow, old_pairs, contents);
  EXPECT_EQ(memory.bytes, 0u);
  EXPECT_GT(memory.refused, 0u) << "else nothing was tried";
}

TYPED_TEST_P(LibraryTable, IsVisitedErasedCopiedMergedAndGrows)
{
  using Table = typename TestFixture::Table;
  using Key = typename TestFixture::Key;
  constexpr Key count = 3000, more = 100;
  std::vector<Key> keys(count + more);
  std::iota(keys.begin(), keys.end(), Key{0});
  auto const values = this->values_of(keys);
  typename TestFixture::template Array<Key> k(keys), v(values);
  typename TestFixture::template Array<std::uint64_t> visited(std::vector<std::uint64_t>{0});
  auto const make = [&](double grow_at) {
    return this->backend_.template make<typename TestFixture::Family, Key>(
        {.slots = Table::slots_for(64), .grow_at = grow_at});
  };
  Table table = make(0.7);
  table.insert(k.data(), v.data(), count).or_throw();
  EXPECT_EQ(table.size(), count);
  EXPECT_LE(table.load_factor(), 0.7);
  EXPECT_THROW(make(-0.1), Error);
  table.for_each(CountEach{visited.data()});
  EXPECT_EQ(visited.host().front(), count);
  EXPECT_EQ(table.erase_if(IsThird{}), count / 3);
  typename TestFixture::Model model;
  for (Key key = 0; key < count; ++key) {
    if (key % 3 != 0) { model[key] = values[key]; }
  }
  EXPECT_EQ(this->contents(table), model);

  Table copy = make(0.0);
  copy.copy_from(table);
  table.clear();
  EXPECT_EQ(this->contents(copy), model);
  EXPECT_EQ(copy.size(), model.size());
  table.insert(k.data() + count - more, k.data() + count - more, 2 * more).or_throw();
  Inserted const done = table.merge(copy, Combine::add);
  EXPECT_EQ(done.inserted + done.updated, model.size());
  for (Key key = count - more; key < count + more; ++key) { model[key] += key; }
  EXPECT_EQ(this->contents(table), model);
  Inserted const of_itself = table.merge(table, Combine::max);
  EXPECT_EQ(of_itself.inserted, 0u);
  EXPECT_EQ(of_itself.updated, model.size());
  EXPECT_THROW(static_cast<void>(table.merge(table, Combine::add)), Error);
  EXPECT_EQ(this->contents(table), model);
}

TYPED_TEST_P(LibraryTable, HasRoomHoweverManyKeysHaveComeAndGone)
{
  using Table = typename TestFixture::Table;
  using Key = typename TestFixture::Key;
  constexpr Key rounds = 80, each = 50, kept = 3;
  Table table =
      this->backend_.template make<typename TestFixture::Family, Key>({.slots = Table::slots_for(64), .grow_at = 0.8});
  for (Key round = 0; round < rounds; ++round) {
    std::vector<Key> keys(each);
    std::iota(keys.begin(), keys.end(), round * each);
    typename TestFixture::template Array<Key> k(keys), v(this->values_of(keys));
    table.insert(k.data(), v.data(), each).or_throw();
    if (round < kept) { continue; }
    std::iota(keys.begin(), keys.end(), (round - kept) * each);
    typename TestFixture::template Array<Key> gone(keys);
    ASSERT_EQ(table.erase(gone.data(), each), each) << round;
  }
  EXPECT_EQ(table.size(), kept * each);
  EXPECT_LE(table.slots(), 4096u) << "it does not grow for keys that are gone";
}

TYPED_TEST_P(LibraryTable, ChangesWithoutWaitingWhereNothingMoves)
{
  using Table = typename TestFixture::Table;
  using Key = typename TestFixture::Key;
  if constexpr (HasConcurrentOperations<typename TestFixture::Family>) {
    constexpr Key different = 1000, times = 4;
    std::vector<Key> keys(different * times);
    for (Key i = 0; i < keys.size(); ++i) { keys[i] = i % different; }
    keys.back() = ~Key{0};
    typename TestFixture::template Array<Key> k(keys), ones(std::vector<Key>(keys.size(), 1));
    typename TestFixture::template Array<Outcome> outcomes(keys.size());
    typename TestFixture::template Array<Tally> counts(std::vector<Tally>(1));
    Table table =
        this->backend_.template make<typename TestFixture::Family, Key>({.slots = Table::slots_for(different)});
    AsyncOptions const wanted{outcomes.data(), counts.data()};
    table.insert_async(k.data(), ones.data(), keys.size(), Combine::add, wanted);
    Tally expected;
    expected[Outcome::inserted] = different;
    expected[Outcome::updated] = different * (times - 1) - 1;
    expected[Outcome::rejected] = 1;
    EXPECT_EQ(counts.host().front(), expected);
    EXPECT_EQ(std::ranges::count(outcomes.host(), Outcome::inserted), different);
    typename TestFixture::Model model;
    for (Key key = 0; key < different; ++key) { model[key] = key + 1 == different ? times - 1 : times; }
    EXPECT_EQ(this->contents(table), model);
    table.erase_async(k.data(), different, wanted);
    expected[Outcome::erased] = different;
    EXPECT_EQ(counts.host().front(), expected);
    EXPECT_EQ(table.size(), 0u);
  } else {
    static_assert(!requires(Table table) { table.erase_async(nullptr, 0); });
  }
}

REGISTER_TYPED_TEST_SUITE_P(LibraryTable, DoesWhatAMapDoes, SaysWhatFoundNoPlaceAndTakesItAfterARehash,
                            RefusesWhatCannotBeAndSaysWhatCan, SumsStopAtTheLargestValueWhateverWasThereBefore,
                            ThreadsMayChangeItThroughAViewWhereNothingMoves, UpdatesOnlyKeysThatAreThere,
                            StaysAsItWasIfMemoryRunsOut, TakesIteratorsAndTellsWhatIsThere,
                            IsVisitedErasedCopiedMergedAndGrows, HasRoomHoweverManyKeysHaveComeAndGone,
                            ChangesWithoutWaitingWhereNothingMoves);

}  // namespace slotscape
