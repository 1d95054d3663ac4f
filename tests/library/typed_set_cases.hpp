#pragma once

#include "gpu/library/typed_set.hpp"
#include "tests/library/typed_cases.hpp"

namespace slotscape {

/// Sets with keys of a user's types. A Backend has, besides what `TypedCase` says, Set<Family, Key, Keys>.
template <class Backend_, class Family, class Key_, class Keys = ByBits>
struct TypedSetCase {
  using Backend = Backend_;
  using Key = Key_;
  using Set = typename Backend::template Set<Family, Key, Keys>;
};

template <class Key>
struct IsOneOfKeys {
  IsOneOf<Key> one_of;
  SLOTSCAPE_HOST_DEVICE bool operator()(Key const& key) const { return one_of(key, 0); }
};
template <class View>
struct ChangeSet {
  View set;
  typename View::Key const* keys;
  bool erases;
  Outcome* outcomes;
  bool* are_there;
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    outcomes[i] = erases ? set.erase(keys[i]) : set.insert(keys[i]);
    are_there[i] = set.contains(keys[i]);
  }
};

template <class Case>
class LibraryTypedSet : public testing::Test {
protected:
  using Backend = typename Case::Backend;
  using Key = typename Case::Key;
  using Set = typename Case::Set;
  using Bits = std::array<std::uint64_t, 2>;
  template <class T>
  using Array = typename Backend::template Array<T>;
  static constexpr std::uint64_t count = std::is_same_v<Key, Reading> ? 1'000 : 10'000;

  void SetUp() override
  {
    if (std::string const why = Backend::why_not(); !why.empty()) { GTEST_SKIP() << why; }
  }
  Set make(std::uint64_t keys, double grow_at = 0.0)
  {
    return backend_.template make_table<Set>(SetOptions{.slots = Set::slots_for(keys), .grow_at = grow_at});
  }
  /// The numbers from `first` on, as keys.
  static std::vector<Key> keys(std::uint64_t first, std::uint64_t count)
  {
    std::vector<Key> result;
    for (std::uint64_t i = 0; i < count; ++i) { result.push_back(Sample<Key>::of(first + i)); }
    return result;
  }
  static std::vector<Bits> sorted(std::vector<Key> const& keys)
  {
    std::vector<Bits> result;
    result.reserve(keys.size());
    for (Key const& key : keys) { result.push_back(Sample<Key>::bits(key)); }
    std::ranges::sort(result);
    return result;
  }
  static std::vector<Bits> contents(Set& set)
  {
    Array<Key> keys(set.size());
    EXPECT_EQ(set.export_keys(keys.data(), set.size()), set.size());
    return sorted(keys.host());
  }

  Backend backend_;
};
TYPED_TEST_SUITE_P(LibraryTypedSet);

TYPED_TEST_P(LibraryTypedSet, DoesWhatASetDoes)
{
  using Key = typename TestFixture::Key;
  constexpr std::uint64_t count = TestFixture::count, few = 10;
  typename TestFixture::template Array<Key> k(this->keys(0, count)), more(this->keys(count / 2, count));
  typename TestFixture::template Array<Outcome> outcomes(count);
  typename TestFixture::template Array<bool> are_there(count);
  typename TestFixture::template Array<std::uint64_t> counted(std::vector<std::uint64_t>{0});
  auto set = this->make(64, 0.7);
  EXPECT_EQ(set.insert(k.data(), count / 2).inserted, count / 2);
  Inserted const done = set.insert(k.data(), count, {.outcomes = outcomes.data()});
  done.or_throw();
  EXPECT_EQ(done.inserted, count - count / 2);
  EXPECT_EQ(done.updated, count / 2);
  EXPECT_EQ(std::ranges::count(outcomes.host(), Outcome::inserted), count - count / 2);
  EXPECT_EQ(this->contents(set), this->sorted(this->keys(0, count)));
  EXPECT_EQ(set.contains(more.data(), are_there.data(), count), count - count / 2);
  EXPECT_EQ(std::ranges::count(are_there.host(), true), count - count / 2);

  set.for_each(CountEach{counted.data()});
  EXPECT_EQ(counted.host().front(), count);
  EXPECT_EQ(set.erase_if(IsOneOfKeys<Key>{{k.data(), few}}), few);
  EXPECT_EQ(set.erase(k.data(), 2 * few), few);
  EXPECT_EQ(this->contents(set), this->sorted(this->keys(2 * few, count - 2 * few)));

  auto copy = this->make(64);
  copy.copy_from(set);
  auto other = this->make(2 * count);
  other.insert(more.data(), count).or_throw();
  EXPECT_EQ(other.merge(copy).inserted, count / 2 - 2 * few);
  EXPECT_EQ(other.merge(other).updated, other.size());
  EXPECT_EQ(this->contents(other), this->sorted(this->keys(2 * few, count / 2 + count - 2 * few)));
  std::swap(copy, other);
  EXPECT_EQ(this->contents(other), this->contents(set));
  EXPECT_GT(set.memory_bytes(), set.slots());
  set.clear();
  set.contains_async(k.data(), are_there.data(), count);
  EXPECT_EQ(std::ranges::count(are_there.host(), true), 0);
}

TYPED_TEST_P(LibraryTypedSet, IsChangedByThreadsAndWithoutWaiting)
{
  using Key = typename TestFixture::Key;
  if constexpr (requires(typename TestFixture::Set set) { set.mutable_view(); }) {
    constexpr std::uint64_t count = TestFixture::count;
    typename TestFixture::template Array<Key> k(this->keys(0, count));
    typename TestFixture::template Array<Outcome> outcomes(count);
    typename TestFixture::template Array<bool> are_there(count);
    auto set = this->make(count);
    using Change = ChangeSet<typename TestFixture::Set::MutableView>;
    this->backend_.for_each(count / 2, Change{set.mutable_view(), k.data(), false, outcomes.data(), are_there.data()});
    EXPECT_EQ(set.size(), count / 2);
    set.insert_async(k.data(), count, {.outcomes = outcomes.data()});
    EXPECT_EQ(std::ranges::count(outcomes.host(), Outcome::updated), count / 2);
    this->backend_.for_each(count / 2, Change{set.mutable_view(), k.data(), true, outcomes.data(), are_there.data()});
    set.erase_async(k.data(), count / 2 + 100, {.outcomes = outcomes.data()});
    EXPECT_EQ(this->contents(set), this->sorted(this->keys(count / 2 + 100, count - count / 2 - 100)));
  }
}

REGISTER_TYPED_TEST_SUITE_P(LibraryTypedSet, DoesWhatASetDoes, IsChangedByThreadsAndWithoutWaiting);

}  // namespace slotscape
