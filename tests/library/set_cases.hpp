#pragma once

#include "gpu/library/basic_set.hpp"
#include "gpu/library/basic_table.hpp"
#include "tests/library/case.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <type_traits>
#include <unordered_set>
#include <vector>

namespace slotscape {

/// Inserts one of a few keys, and looks for one that has long been there.
template <class View>
struct AddOneOf {
  View set;
  std::uint32_t different;
  Outcome* outcomes;
  bool* are_there;
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    auto const key = static_cast<typename View::Key>(i % different);
    outcomes[i] = set.insert(key);
    are_there[i] = set.contains(static_cast<typename View::Key>(different));
  }
};
/// Erases one of a few keys.
template <class View>
struct RemoveOneOf {
  View set;
  std::uint32_t different;
  Outcome* outcomes;
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    outcomes[i] = set.erase(static_cast<typename View::Key>(i % different));
  }
};
template <class View>
struct Contains {
  View set;
  typename View::Key const* keys;
  bool* are_there;
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const { are_there[i] = set.contains(keys[i]); }
};

template <class Case>
class LibrarySet : public testing::Test {
protected:
  using Backend = typename Case::Backend;
  using Family = typename Case::Family;
  using Key = typename Case::Key;
  using Keys = std::vector<Key>;
  using Model = std::unordered_set<Key>;
  using Set = typename Backend::template Set<Family, Key>;
  static_assert(std::is_nothrow_move_constructible_v<Set>);
  static_assert(library::checks_views<typename Set::Machine> || std::is_trivially_copyable_v<typename Set::View>);
  template <class T>
  using Array = typename Backend::template Array<T>;

  void SetUp() override
  {
    if (std::string const why = Backend::why_not(); !why.empty()) { GTEST_SKIP() << why; }
  }

  Set make(std::uint64_t slots) { return backend_.template make_set<Family, Key>({.slots = slots}); }

  /// Different keys from `first` on, in no order; of all bits.
  static Keys different_keys(std::uint64_t count, std::uint64_t first = 0)
  {
    Keys keys(count);
    for (std::uint64_t i = 0; i < count; ++i) {
      auto const number = static_cast<Key>(first + i + 1);
      keys[i] = static_cast<Key>(number << (8 * sizeof(Key) - 24)) | static_cast<Key>(number % 251);
    }
    return keys;
  }

  static Model contents(Set& set)
  {
    std::uint64_t const size = set.size();
    Array<Key> keys(size);
    EXPECT_EQ(set.export_keys(keys.data(), size), size);
    Keys const its_keys = keys.host();
    Model model(its_keys.begin(), its_keys.end());
    EXPECT_EQ(model.size(), size) << "a key is stored twice";
    return model;
  }
  /// Inserts the keys into both and expects that each new key is said to be new once.
  static void insert(Set& set, Model& model, Keys const& keys)
  {
    Array<Key> k(keys);
    Array<Outcome> outcomes(keys.size());
    Inserted const done = set.insert(k.data(), keys.size(), {.outcomes = outcomes.data()});
    Model before = model;
    model.insert(keys.begin(), keys.end());
    EXPECT_EQ(done.inserted, model.size() - before.size());
    EXPECT_EQ(done.inserted + done.updated, keys.size());
    auto const what = outcomes.host();
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (what[i] != Outcome::updated) {
        EXPECT_EQ(what[i], Outcome::inserted);
        EXPECT_TRUE(before.insert(keys[i]).second) << keys[i] << " was new twice";
      }
    }
    EXPECT_EQ(before, model) << "a key that was new was not said to be";
  }
  static void erase(Set& set, Model& model, Keys const& keys)
  {
    Array<Key> k(keys);
    std::uint64_t erased = 0;
    for (Key const key : keys) { erased += model.erase(key); }
    EXPECT_EQ(set.erase(k.data(), keys.size()), erased);
  }
  /// Expects of all ways to ask that they find what the model has.
  void expect_contains(Set& set, Model const& model, Keys const& keys)
  {
    Array<Key> k(keys);
    Array<bool> at_once(keys.size()), without_waiting(keys.size()), by_threads(keys.size());
    std::vector<bool> expected;
    for (Key const key : keys) { expected.push_back(model.contains(key)); }
    EXPECT_EQ(set.contains(k.data(), at_once.data(), keys.size()), std::ranges::count(expected, true));
    set.contains_async(k.data(), without_waiting.data(), keys.size());
    backend_.for_each(keys.size(), Contains<typename Set::View>{set.view(), k.data(), by_threads.data()});
    EXPECT_EQ(at_once.host(), expected);
    EXPECT_EQ(without_waiting.host(), expected);
    EXPECT_EQ(by_threads.host(), expected);
  }

  Backend backend_;
};
TYPED_TEST_SUITE_P(LibrarySet);

TYPED_TEST_P(LibrarySet, DoesWhatASetDoes)
{
  using Key = typename TestFixture::Key;
  auto const keys = some_keys<Key>(many);
  auto set = this->make(TestFixture::Set::slots_for(many));
  typename TestFixture::Model model;
  for (std::uint64_t round = 0; round < 4; ++round) {
    auto const from = [&](std::uint64_t first, std::uint64_t count) {
      auto const start = keys.begin() + static_cast<std::ptrdiff_t>((first + round * many / 5) % (many - count));
      return typename TestFixture::Keys(start, start + static_cast<std::ptrdiff_t>(count));
    };
    this->insert(set, model, from(0, many / 2));
    this->erase(set, model, from(many / 4, many / 3));
    this->insert(set, model, from(many / 3, many / 10));
    EXPECT_EQ(set.size(), model.size());
    EXPECT_EQ(this->contents(set), model);
    this->expect_contains(set, model, keys);
  }
  set.clear();
  EXPECT_EQ(set.size(), 0u);
  this->expect_contains(set, {}, keys);
}

TYPED_TEST_P(LibrarySet, TakesHalfTheMemoryOfATable)
{
  using Key = typename TestFixture::Key;
  auto set = this->make(1u << 12);
  auto table = this->backend_.template make<typename TestFixture::Family, Key>({.slots = 1u << 12});
  EXPECT_EQ(set.memory_bytes(), sizeof(Key) << 12);
  EXPECT_EQ(2 * set.memory_bytes(), table.memory_bytes());
}

TYPED_TEST_P(LibrarySet, RefusesReservedKeysAndTakesAllOthers)
{
  using Key = typename TestFixture::Key;
  constexpr Key largest = TestFixture::Set::largest_key;
  typename TestFixture::Keys keys{0, 1, largest - 1, largest};
  auto const allowed = static_cast<std::uint64_t>(keys.size());
  for (Key key = largest; key != static_cast<Key>(~Key{0});) { keys.push_back(++key); }
  EXPECT_GE(keys.size(), allowed + 2);  // an empty slot and a tombstone
  typename TestFixture::template Array<Key> k(keys);
  typename TestFixture::template Array<bool> are_there(keys.size());

  auto set = this->make(64);
  Inserted const done = set.insert(k.data(), keys.size());
  EXPECT_EQ(done.inserted, allowed);
  EXPECT_EQ(done.rejected, keys.size() - allowed);
  EXPECT_THROW(done.or_throw(), Error);
  typename TestFixture::Model model(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(allowed));
  this->expect_contains(set, model, keys);
  EXPECT_EQ(set.erase(k.data(), keys.size()), allowed);
  this->expect_contains(set, {}, keys);  // there are tombstones now
  EXPECT_EQ(set.size(), 0u);
}

TYPED_TEST_P(LibrarySet, SaysWhatFoundNoPlaceAndTakesItAfterARehash)
{
  using Key = typename TestFixture::Key;
  constexpr std::uint64_t slots = 1024, count = 3000;
  auto const keys = this->different_keys(count);
  typename TestFixture::template Array<Key> k(keys);
  typename TestFixture::template Array<Outcome> outcomes(count);
  auto set = this->make(slots);
  Inserted const done = set.insert(k.data(), count, {.outcomes = outcomes.data()});
  EXPECT_EQ(done.inserted, slots);
  EXPECT_EQ(done.full, count - slots);
  EXPECT_THROW(done.or_throw(), Error);
  typename TestFixture::Model model;
  typename TestFixture::Keys left;
  auto const what = outcomes.host();
  for (std::size_t i = 0; i < count; ++i) {
    if (what[i] == Outcome::inserted) { model.insert(keys[i]); }
    if (what[i] == Outcome::full) { left.push_back(keys[i]); }
  }
  EXPECT_EQ(this->contents(set), model);
  this->expect_contains(set, model, keys);
  typename TestFixture::template Array<Key> more(this->different_keys(slots, count));
  EXPECT_EQ(set.insert(k.data(), count).updated, slots);  // no empty slot is left to end a search
  EXPECT_EQ(set.insert(more.data(), slots).full, slots);
  EXPECT_THROW(set.rehash(64), Error);
  EXPECT_THROW(set.export_keys(k.data(), slots - 1), Error);
  EXPECT_EQ(this->contents(set), model);
  set.rehash(TestFixture::Set::slots_for(count));
  EXPECT_EQ(this->contents(set), model);
  this->insert(set, model, left);
  EXPECT_EQ(set.size(), count);
}

TYPED_TEST_P(LibrarySet, GivesTheSlotsOfErasedKeysToOthersAndToThemselves)
{
  constexpr std::uint64_t slots = 256, at_once = 200;
  auto set = this->make(slots);
  typename TestFixture::Model model;
  for (std::uint64_t round = 0; round < 20; ++round) {  // without reuse, the table would be full in the second round
    auto const keys = this->different_keys(at_once, at_once * (round / 2));
    this->insert(set, model, keys);
    this->expect_contains(set, model, keys);
    auto twice = keys;
    twice.insert(twice.end(), keys.begin(), keys.end());
    this->erase(set, model, twice);  // each key is erased once
    this->expect_contains(set, model, keys);
    EXPECT_EQ(this->contents(set), model);
  }
}

TYPED_TEST_P(LibrarySet, TellsExactlyOneOfManyThreadsThatItsKeyIsNew)
{
  constexpr std::uint32_t different = 97, times = 300;
  constexpr std::uint64_t count = std::uint64_t{different} * times;
  auto set = this->make(128);
  typename TestFixture::template Array<typename TestFixture::Key> always(typename TestFixture::Keys{different});
  set.insert(always.data(), 1).or_throw();
  auto const view = set.mutable_view();
  typename TestFixture::template Array<Outcome> outcomes(count);
  typename TestFixture::template Array<bool> are_there(count);
  for (int round = 0; round < 3; ++round) {  // first into empty slots, then into tombstones
    this->backend_.for_each(count, AddOneOf<decltype(view)>{view, different, outcomes.data(), are_there.data()});
    auto what = outcomes.host();
    std::vector<int> new_times(different);
    for (std::uint64_t i = 0; i < count; ++i) { new_times[i % different] += what[i] == Outcome::inserted ? 1 : 0; }
    EXPECT_EQ(new_times, std::vector<int>(different, 1));
    EXPECT_EQ(std::ranges::count(what, Outcome::updated), count - different);
    EXPECT_EQ(std::ranges::count(are_there.host(), false), 0);
    EXPECT_EQ(set.size(), different + 1);
    typename TestFixture::Keys all(different + 1);
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(this->contents(set), typename TestFixture::Model(all.begin(), all.end()));

    this->backend_.for_each(count, RemoveOneOf<decltype(view)>{view, different, outcomes.data()});
    what = outcomes.host();
    EXPECT_EQ(std::ranges::count(what, Outcome::erased), different);
    EXPECT_EQ(std::ranges::count(what, Outcome::missing), count - different);
    EXPECT_EQ(set.size(), 1u);
  }
}

TYPED_TEST_P(LibrarySet, IsVisitedErasedMergedCopiedAndGrowsWithoutWaiting)
{
  using Key = typename TestFixture::Key;
  constexpr Key count = 3000;
  typename TestFixture::Keys keys(count);
  std::iota(keys.begin(), keys.end(), Key{0});
  typename TestFixture::template Array<Key> k(keys);
  typename TestFixture::template Array<std::uint64_t> visited(std::vector<std::uint64_t>{0});
  typename TestFixture::template Array<Tally> counts(std::vector<Tally>(1));
  auto set = this->backend_.template make_set<typename TestFixture::Family, Key>({.slots = 64, .grow_at = 0.5});
  set.insert(k.data(), count).or_throw();
  EXPECT_LE(set.load_factor(), 0.5);
  set.for_each(CountEach{visited.data()});
  EXPECT_EQ(visited.host().front(), count);
  EXPECT_EQ(set.erase_if(IsThird{}), count / 3);
  typename TestFixture::Model model(keys.begin(), keys.end());
  for (Key key = 0; key < count; key += 3) { model.erase(key); }
  EXPECT_EQ(this->contents(set), model);

  auto copy = this->make(64);
  copy.copy_from(set);
  set.erase_async(k.data(), count / 2, {.counts = counts.data()});
  set.insert_async(k.data(), count / 4, {.counts = counts.data()});
  Tally expected;
  expected[Outcome::erased] = count / 3;
  expected[Outcome::missing] = count / 2 - count / 3;
  expected[Outcome::inserted] = count / 4;
  EXPECT_EQ(counts.host().front(), expected);
  EXPECT_EQ(this->contents(copy), model);
  set.merge(copy).or_throw();
  model.insert(keys.begin(), keys.begin() + count / 4);
  EXPECT_EQ(this->contents(set), model);
}

REGISTER_TYPED_TEST_SUITE_P(LibrarySet, DoesWhatASetDoes, TakesHalfTheMemoryOfATable,
                            RefusesReservedKeysAndTakesAllOthers, SaysWhatFoundNoPlaceAndTakesItAfterARehash,
                            GivesTheSlotsOfErasedKeysToOthersAndToThemselves,
                            TellsExactlyOneOfManyThreadsThatItsKeyIsNew,
                            IsVisitedErasedMergedCopiedAndGrowsWithoutWaiting);

}  // namespace slotscape
