// Real threads on one table, made here and not by a library, so that ThreadSanitizer sees all that they do.

#include "gpu/engine/run_operations.hpp"
#include "gpu/tables/linear_probing.hpp"
#include "tests/support/sanitized.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <barrier>
#include <numeric>
#include <random>
#include <set>
#include <thread>
#include <vector>

namespace slotscape {
namespace {

constexpr int thread_count = 4;
constexpr unsigned rounds = test::sanitized ? 20 : 150;

using StoredKey = Narrow::Key;
using StoredValue = Narrow::Value;
using Word = Narrow::Word;

struct Operations {
  std::vector<Operation> operations;
  std::vector<StoredKey> keys;
};

/// The same operation for each key.
Operations all(Operation operation, std::vector<StoredKey> const& keys)
{
  return {std::vector<Operation>(keys.size(), operation), keys};
}

class RacedTable {
public:
  using Layout = LinearProbing::Layout<Narrow>;
  using View = slotscape::View<Layout, HostMachine<Narrow>>;

  RacedTable(std::uint64_t slots, Deletion deletion)
      : words_(slots, Narrow::empty_word), changes_(slots), layout_{{HashKind::murmur3, slots}, deletion}
  {
  }

  /// Every thread runs the whole batch, all at once and in step, so that they meet at each key.
  Tally run_on_every_thread(Operations const& batch)
  {
    std::vector<Tally> tallies(thread_count);
    std::barrier start(thread_count);
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < thread_count; ++t) {
      threads.emplace_back([&, t] {
        start.arrive_and_wait();
        tallies[t] = run(batch, static_cast<StoredValue>(t));
      });
    }
    threads.clear();
    return std::accumulate(tallies.begin(), tallies.end(), Tally{},
                           [](Tally sum, Tally const& one) { return sum += one; });
  }

  Tally run(Operations const& batch, StoredValue first_value = 0)
  {
    std::vector<StoredValue> values(batch.keys.size());
    std::iota(values.begin(), values.end(), first_value * 1000u);
    std::vector<Outcome> outcomes(batch.keys.size());
    Batch<Narrow> const operations{batch.keys.size(),
                                   batch.operations.data(),
                                   batch.keys.data(),
                                   values.data(),
                                   outcomes.data(),
                                   changes_.data(),
                                   false};
    RunOperations<LinearProbing, View> const operation{view(), operations, OperationMask::all, nullptr};
    Tally tally;
    for (std::size_t i = 0; i < batch.keys.size(); ++i) { ++tally[operation(i)]; }
    return tally;
  }

  std::vector<StoredKey> live_keys()
  {
    std::vector<StoredKey> keys;
    for (Slot slot = 0; slot < words_.size(); ++slot) {
      bool const live = LinearProbing::describe(view(), slot, words_[slot]).state == SlotState::live;
      if (live) { keys.push_back(key_of(words_[slot])); }
    }
    std::ranges::sort(keys);
    return keys;
  }

  /// No key is in two slots, and every live key is found.
  void expect_valid()
  {
    std::vector<StoredKey> stored;
    for (Word const word : words_) {
      if (!Narrow::is_reserved(key_of(word))) { stored.push_back(key_of(word)); }
    }
    std::ranges::sort(stored);
    EXPECT_EQ(std::ranges::adjacent_find(stored), stored.end()) << "a key is stored twice";
    std::vector<StoredKey> const live = live_keys();
    EXPECT_EQ(run(all(Operation::find, live))[Outcome::found], live.size());
  }

private:
  View view() { return {{words_.data(), nullptr}, layout_}; }

  std::vector<Word> words_;
  std::vector<std::uint8_t> changes_;
  Layout layout_;
};

std::vector<StoredKey> random_keys(std::size_t count, std::mt19937& random)
{
  std::set<StoredKey> keys;
  while (keys.size() < count) { keys.insert(static_cast<StoredKey>(random() >> 1)); }
  std::vector<StoredKey> shuffled(keys.begin(), keys.end());
  std::ranges::shuffle(shuffled, random);
  return shuffled;
}

std::vector<StoredKey> part(std::vector<StoredKey> const& keys, std::ptrdiff_t from, std::ptrdiff_t to)
{
  return {keys.begin() + from, keys.begin() + to};
}

class Threads : public ::testing::TestWithParam<Deletion> {};

TEST_P(Threads, InsertEachKeyOnceAmongTombstones)
{
  for (unsigned round = 0; round < rounds; ++round) {
    std::mt19937 random(round);
    RacedTable table(512, GetParam());
    std::vector<StoredKey> const keys = random_keys(460, random);
    table.run(all(Operation::insert, part(keys, 0, 400)));
    table.run(all(Operation::erase, part(keys, 0, 250)));
    // 60 keys that are new, 60 that were erased, 60 that are stored.
    std::vector<StoredKey> batch = part(keys, 400, 460);
    batch.insert(batch.end(), keys.begin(), keys.begin() + 60);
    batch.insert(batch.end(), keys.begin() + 300, keys.begin() + 360);
    std::ranges::shuffle(batch, random);
    Tally const tally = table.run_on_every_thread(all(Operation::insert, batch));
    ASSERT_EQ(tally[Outcome::inserted], 120u);
    ASSERT_EQ(tally[Outcome::updated], 180u * thread_count - 120u);
    ASSERT_EQ(table.live_keys().size(), 270u);
    table.expect_valid();
    if (HasFailure()) { return; }
  }
}

TEST_P(Threads, ShareOutTheLastSlots)
{
  std::uint64_t const free = GetParam() == Deletion::tombstone_reuse ? 34 : 4;
  for (unsigned round = 0; round < rounds; ++round) {
    std::mt19937 random(round);
    RacedTable table(64, GetParam());
    std::vector<StoredKey> const keys = random_keys(160, random);
    table.run(all(Operation::insert, part(keys, 0, 60)));
    table.run(all(Operation::erase, part(keys, 0, 30)));
    Tally const tally = table.run_on_every_thread(all(Operation::insert, part(keys, 60, 160)));
    ASSERT_EQ(tally[Outcome::inserted], free);
    ASSERT_EQ(tally[Outcome::updated], free * (thread_count - 1));
    ASSERT_EQ(tally[Outcome::full], (100 - free) * thread_count);
    table.expect_valid();
    if (HasFailure()) { return; }
  }
}

TEST_P(Threads, EraseEachKeyOnce)
{
  for (unsigned round = 0; round < rounds; ++round) {
    std::mt19937 random(round);
    RacedTable table(512, GetParam());
    std::vector<StoredKey> const keys = random_keys(400, random);
    table.run(all(Operation::insert, keys));
    Tally const tally = table.run_on_every_thread(all(Operation::erase, part(keys, 0, 300)));
    ASSERT_EQ(tally[Outcome::erased], 300u);
    ASSERT_EQ(tally[Outcome::missing], 300u * (thread_count - 1));
    ASSERT_EQ(table.live_keys(), [&] {
      std::vector<StoredKey> rest = part(keys, 300, 400);
      std::ranges::sort(rest);
      return rest;
    }());
    table.expect_valid();
    if (HasFailure()) { return; }
  }
}

/// Inserts, finds and erases at once where the family allows it, and else erases apart.
TEST_P(Threads, MixOperationsOnTheSameKeys)
{
  std::mt19937 random(5);
  RacedTable table(512, GetParam());
  std::vector<StoredKey> const keys = random_keys(450, random);
  bool const mixes = GetParam() == Deletion::empty_value;
  std::uint64_t live = 0;
  for (unsigned round = 0; round < rounds; ++round) {
    Operations batch;
    for (int i = 0; i < 300; ++i) {
      batch.keys.push_back(keys[random() % keys.size()]);
      Operation const writes =
          mixes ? static_cast<Operation>(random() % 3) : (round % 2 == 0 ? Operation::insert : Operation::erase);
      batch.operations.push_back(random() % 3 == 0 ? Operation::find : writes);
    }
    Tally const tally = table.run_on_every_thread(batch);
    live += tally[Outcome::inserted];
    live -= tally[Outcome::erased];
    ASSERT_EQ(tally[Outcome::full], 0u);
    ASSERT_EQ(table.live_keys().size(), live);
    table.expect_valid();
    if (HasFailure()) { return; }
  }
}

INSTANTIATE_TEST_SUITE_P(On, Threads, ::testing::Values(Deletion::empty_value, Deletion::tombstone_reuse),
                         [](::testing::TestParamInfo<Deletion> const& info) {
                           return info.param == Deletion::empty_value ? "empty_value" : "tombstone_reuse";
                         });

}  // namespace
}  // namespace slotscape
