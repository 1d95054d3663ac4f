#pragma once

#include "gpu/library/multi_table.hpp"
#include "tests/library/typed_cases.hpp"

namespace slotscape {

template <class Backend_, class Family, class Key_, class Value_, class Keys = ByBits>
struct MultiCase {
  using Backend = Backend_;
  using Key = Key_;
  using Value = Value_;
  using Table = typename Backend::template MultiTable<Family, Key, Value, Keys>;
};

/// How many values of each key a thread sees.
template <class View>
struct CountThrough {
  View view;
  typename View::Key const* keys;
  std::uint32_t* counts;
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    counts[i] = view.contains(keys[i]) ? static_cast<std::uint32_t>(view.find(keys[i]).size()) : 0;
  }
};

template <class Case>
class LibraryMultiTable : public testing::Test {
protected:
  using Backend = typename Case::Backend;
  using Key = typename Case::Key;
  using Value = typename Case::Value;
  using Table = typename Case::Table;
  template <class T>
  using Array = typename Backend::template Array<T>;

  static constexpr std::uint64_t different = std::is_same_v<Key, Reading> ? 500 : 5'000;
  static constexpr std::uint64_t count = 7 * different;

  void SetUp() override
  {
    if (std::string const why = Backend::why_not(); !why.empty()) { GTEST_SKIP() << why; }
  }
  /// The key of pair i: a few are frequent.
  static Key key(std::uint64_t i) { return Sample<Key>::of(i % 3 == 0 ? i % 5 : random_below(4, i, different)); }
  static std::vector<Key> keys()
  {
    std::vector<Key> result;
    for (std::uint64_t i = 0; i < count; ++i) { result.push_back(key(i)); }
    return result;
  }
  static std::vector<Value> values()
  {
    std::vector<Value> result;
    for (std::uint64_t i = 0; i < count; ++i) { result.push_back(Sample<Value>::of(i)); }
    return result;
  }
  /// The values of each key, in the order of the pairs' numbers.
  static std::map<std::array<std::uint64_t, 2>, std::vector<std::uint64_t>> model()
  {
    std::map<std::array<std::uint64_t, 2>, std::vector<std::uint64_t>> result;
    for (std::uint64_t i = 0; i < count; ++i) { result[Sample<Key>::bits(key(i))].push_back(i); }
    return result;
  }

  Backend backend_;
};
TYPED_TEST_SUITE_P(LibraryMultiTable);

TYPED_TEST_P(LibraryMultiTable, BringsAllValuesOfAKey)
{
  using Key = typename TestFixture::Key;
  using Value = typename TestFixture::Value;
  using Table = typename TestFixture::Table;
  constexpr std::uint64_t count = TestFixture::count, asked = TestFixture::different + 100;
  auto const model = this->model();
  typename TestFixture::template Array<Key> k(this->keys());
  typename TestFixture::template Array<Value> v(this->values());
  auto table = this->backend_.template make_table<Table>(MultiTableOptions{});
  table.build(k.data(), v.data(), 10);
  table.build(k.data(), v.data(), count);  // what was there before is gone
  EXPECT_EQ(table.pairs(), count);
  EXPECT_EQ(table.distinct(), model.size());

  std::vector<Key> wanted;
  for (std::uint64_t i = 0; i < asked; ++i) { wanted.push_back(Sample<Key>::of(i)); }
  typename TestFixture::template Array<Key> w(wanted);
  typename TestFixture::template Array<std::uint32_t> offsets(asked + 1), counts(asked), seen(asked);
  typename TestFixture::template Array<Value> values(count);
  typename TestFixture::template Array<bool> are_there(asked);
  EXPECT_EQ(table.retrieve(w.data(), asked, offsets.data(), values.data(), count), count);
  EXPECT_EQ(table.contains(w.data(), are_there.data(), asked), model.size());
  EXPECT_EQ(table.count(w.data(), counts.data(), asked), model.size());
  auto const view = table.view();
  this->backend_.for_each(asked, CountThrough<std::remove_const_t<decltype(view)>>{view, w.data(), seen.data()});
  EXPECT_THROW(table.retrieve(w.data(), asked, offsets.data(), values.data(), count - 1), Error);

  auto const starts = offsets.host();
  auto const brought = values.host();
  auto const there = are_there.host();
  EXPECT_EQ(seen.host(), counts.host());
  for (std::uint64_t i = 0; i < asked; ++i) {
    auto const place = model.find(Sample<Key>::bits(wanted[i]));
    std::uint64_t const expected = place == model.end() ? 0 : place->second.size();
    EXPECT_EQ(there[i], expected != 0);
    EXPECT_EQ(starts[i + 1] - starts[i], expected) << i;
    EXPECT_EQ(counts.host()[i], expected);
    for (std::uint64_t n = 0; n < expected; ++n) {
      Value const value = Sample<Value>::of(place->second[n]);
      auto const first = brought.begin() + starts[i];
      EXPECT_EQ(std::count(first, first + static_cast<std::ptrdiff_t>(expected), value), 1) << i;
    }
    if (this->HasFailure()) { break; }
  }
}

TYPED_TEST_P(LibraryMultiTable, VisitsAllPairs)
{
  constexpr std::uint64_t count = TestFixture::count;
  typename TestFixture::template Array<typename TestFixture::Key> k(this->keys());
  typename TestFixture::template Array<typename TestFixture::Value> v(this->values());
  auto table = this->backend_.template make_table<typename TestFixture::Table>(MultiTableOptions{});
  typename TestFixture::template Array<std::uint64_t> counted(std::vector<std::uint64_t>{0});
  table.build(k.data(), v.data(), 0);
  table.for_each(CountEach{counted.data()});
  EXPECT_EQ(counted.host().front(), 0u);
  table.build(k.data(), v.data(), count);
  table.for_each(CountEach{counted.data()});
  EXPECT_EQ(counted.host().front(), count);
  table.clear();
  EXPECT_EQ(table.pairs(), 0u);
  EXPECT_EQ(table.distinct(), 0u);
}

REGISTER_TYPED_TEST_SUITE_P(LibraryMultiTable, BringsAllValuesOfAKey, VisitsAllPairs);

}  // namespace slotscape
