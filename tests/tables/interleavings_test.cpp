// Every interleaving of a few threads, on the same source that the GPU runs.

#include "gpu/execution/scheduled.hpp"
#include "gpu/tables/linear_probing.hpp"
#include "gpu/tables/simple_hash.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace slotscape {
namespace {

using Word = Narrow::Word;
using Layout = LinearProbing::Layout<Narrow>;
using Result = Result<Narrow>;

constexpr Word empty_word = Narrow::empty_word;
constexpr Word tombstone_word = Narrow::tombstone_word;
constexpr std::uint32_t k = 16 * 3 + 5;  // home 5
constexpr std::uint32_t other = 16 * 7 + 5;
constexpr std::uint32_t third = 16 * 9 + 5;

template <class Machine>
View<Layout, Machine> view(Machine const& machine, Deletion deletion)
{
  return {machine, {{HashKind::identity, 16}, deletion}};
}

ScheduledOperation insert(Deletion deletion, std::uint32_t key, std::uint32_t value)
{
  return [=](ScheduledMachine const& machine) { return LinearProbing::insert(view(machine, deletion), key, value); };
}
ScheduledOperation erase(Deletion deletion, std::uint32_t key)
{
  return [=](ScheduledMachine const& machine) { return LinearProbing::erase(view(machine, deletion), key); };
}
ScheduledOperation find(Deletion deletion, std::uint32_t key)
{
  return [=](ScheduledMachine const& machine) { return LinearProbing::find(view(machine, deletion), key); };
}

/// A table of 16 slots, empty but for these.
std::vector<Word> memory(std::map<Slot, Word> const& words)
{
  std::vector<Word> memory(16, empty_word);
  for (auto const& [slot, word] : words) { memory[slot] = word; }
  return memory;
}

std::vector<Word> places_of(std::vector<Word> const& memory, std::uint32_t key)
{
  std::vector<Word> places;
  std::copy_if(memory.begin(), memory.end(), std::back_inserter(places),
               [=](Word word) { return key_of(word) == key; });
  return places;
}

std::ptrdiff_t count(std::vector<Result> const& results, Outcome outcome)
{
  return std::count_if(results.begin(), results.end(), [=](Result const& result) { return result.outcome == outcome; });
}

/// No key twice, and every key where a lookup comes by.
void expect_valid(std::vector<Word> const& memory, Deletion deletion)
{
  for (Word const word : memory) {
    if (Narrow::is_reserved(key_of(word))) { continue; }
    EXPECT_EQ(places_of(memory, key_of(word)).size(), 1u) << "key " << key_of(word) << " is stored twice";
    std::vector<Word> copy = memory;
    HostMachine<Narrow> const machine{copy.data(), nullptr};
    Result const found = LinearProbing::find(view(machine, deletion), key_of(word));
    EXPECT_NE(found.slot, no_slot) << "key " << key_of(word) << " cannot be found";
  }
}

TEST(Interleavings, InsertingOneKeyTwiceAmongTombstonesStoresItOnce)
{
  constexpr auto reuse = Deletion::tombstone_reuse;
  std::vector<Word> const start = memory({{5, tombstone_word}, {6, pack(third, 1u)}, {7, tombstone_word}});
  Interleavings all({insert(reuse, k, 10), insert(reuse, k, 11), insert(reuse, other, 12)},
                    [&](std::vector<Word> const& end, std::vector<Result> const& results) {
                      expect_valid(end, reuse);
                      EXPECT_EQ(places_of(end, k).size(), 1u);
                      EXPECT_EQ(count(results, Outcome::inserted), 2);
                      EXPECT_EQ(count(results, Outcome::updated), 1);
                    });
  EXPECT_GT(all.explore(start), 3u);
}

TEST(Interleavings, InsertingAKeyStoredBehindATombstoneUpdatesIt)
{
  constexpr auto reuse = Deletion::tombstone_reuse;
  std::vector<Word> const start = memory({{5, tombstone_word}, {6, pack(k, 1u)}});
  Interleavings all({insert(reuse, k, 10), insert(reuse, k, 11), insert(reuse, other, 12)},
                    [&](std::vector<Word> const& end, std::vector<Result> const& results) {
                      expect_valid(end, reuse);
                      EXPECT_EQ(count(results, Outcome::updated), 2);
                      EXPECT_EQ(count(results, Outcome::inserted), 1);
                      EXPECT_EQ(key_of(end[5]), other);
                    });
  EXPECT_GT(all.explore(start), 0u);
}

TEST(Interleavings, EveryValueOfAKeyIsAddedOnce)
{
  for (Deletion const deletion : {Deletion::empty_value, Deletion::tombstone_reuse}) {
    for (Word const stored : {empty_word, pack(k, 100u), pack(k, Narrow::empty_value)}) {
      if (deletion == Deletion::tombstone_reuse && value_of(stored) == Narrow::empty_value && stored != empty_word) {
        continue;  // erased keys are not kept
      }
      auto const add = [&](std::uint32_t value) -> ScheduledOperation {
        return [=](ScheduledMachine const& machine) {
          auto table = view(machine, deletion);
          table.combine = Combine::add;
          return LinearProbing::insert(table, k, value);
        };
      };
      std::uint32_t const before = value_of(stored) == Narrow::empty_value ? 0 : value_of(stored);
      Interleavings all({add(1), add(10), add(1000)},
                        [&](std::vector<Word> const& end, std::vector<Result> const& results) {
                          expect_valid(end, deletion);
                          EXPECT_EQ(places_of(end, k), std::vector{pack(k, before + 1011u)});
                          EXPECT_EQ(count(results, Outcome::inserted), before == 0 ? 1 : 0);
                        });
      EXPECT_GT(all.explore(memory({{5, pack(other, 1u)}, {6, stored}})), 0u);
    }
  }
}

TEST(Interleavings, InsertsCompetingForTheLastSlots)
{
  constexpr auto reuse = Deletion::tombstone_reuse;
  std::vector<Word> start(16);
  for (Slot slot = 0; slot < 16; ++slot) { start[slot] = pack(std::uint32_t{1000 * 16 + slot}, 1u); }
  start[5] = start[7] = tombstone_word;
  Interleavings all({insert(reuse, k, 10), insert(reuse, other, 11), insert(reuse, third, 12)},
                    [&](std::vector<Word> const& end, std::vector<Result> const& results) {
                      expect_valid(end, reuse);
                      EXPECT_EQ(count(results, Outcome::inserted), 2);
                      EXPECT_EQ(count(results, Outcome::full), 1);
                    });
  EXPECT_GT(all.explore(start), 0u);
}

/// The last free slot is far along the path, and whoever finds it taken must not walk past the path's end.
TEST(Interleavings, WhoComesTooLateForTheLastSlotStopsAtTheEndOfThePath)
{
  auto const insert = [](std::uint32_t key) -> ScheduledOperation {
    return [key](ScheduledMachine const& machine) {
      SimpleHash::Layout<Narrow> const layout{{HashKind::identity, 16}, Deletion::tombstone_reuse};
      return SimpleHash::insert(View<SimpleHash::Layout<Narrow>, ScheduledMachine>{machine, layout}, key, 1);
    };
  };
  for (Slot const last : {6u, 10u, 13u}) {
    std::vector<Word> start(16);
    for (Slot slot = 0; slot < 16; ++slot) { start[slot] = pack(std::uint32_t{1000 * 16 + slot}, 1u); }
    start[last] = tombstone_word;
    Interleavings all({insert(k), insert(other)}, [&](std::vector<Word> const&, std::vector<Result> const& results) {
      EXPECT_EQ(count(results, Outcome::inserted), 1);
      EXPECT_EQ(count(results, Outcome::full), 1);
    });
    EXPECT_NO_THROW(all.explore(start)) << "a slot past the end";
  }
}

TEST(Interleavings, ErasingOneKeyTwiceErasesItOnce)
{
  for (Deletion const deletion : {Deletion::empty_value, Deletion::tombstone_reuse}) {
    std::vector<Word> const start = memory({{5, pack(other, 1u)}, {6, pack(k, 2u)}});
    Interleavings all({erase(deletion, k), erase(deletion, k), find(deletion, k)},
                      [&](std::vector<Word> const& end, std::vector<Result> const& results) {
                        expect_valid(end, deletion);
                        EXPECT_EQ(count(results, Outcome::erased), 1);
                        std::vector<Word> words = end;
                        HostMachine<Narrow> const machine{words.data(), nullptr};
                        EXPECT_EQ(LinearProbing::describe(view(machine, deletion), 6, end[6]).state,
                                  SlotState::tombstone);
                      });
    EXPECT_GT(all.explore(start), 0u);
  }
}

TEST(Interleavings, MixesOfAllThreeLeaveTheTableValid)
{
  constexpr auto keep = Deletion::empty_value;
  for (bool const stored : {false, true}) {
    std::vector<Word> const start =
        stored ? memory({{5, pack(other, 1u)}, {6, pack(k, 2u)}}) : memory({{5, pack(other, 1u)}});
    Interleavings all({insert(keep, k, 10), erase(keep, k), insert(keep, k, 11), find(keep, k)},
                      [&](std::vector<Word> const& end, std::vector<Result> const& results) {
                        expect_valid(end, keep);
                        // The key is live in the end if it went in more often than it went out.
                        std::ptrdiff_t const live =
                            (stored ? 1 : 0) + count(results, Outcome::inserted) - count(results, Outcome::erased);
                        EXPECT_EQ(places_of(end, k).size(), 1u);
                        EXPECT_EQ(value_of(places_of(end, k).front()) != Narrow::empty_value, live == 1);
                        if (results[3].outcome == Outcome::found) {
                          EXPECT_TRUE(results[3].value == 2 || results[3].value == 10 || results[3].value == 11);
                        }
                      });
    EXPECT_GT(all.explore(start), 1u);
  }
}

/// The published insertion, which takes the first tombstone without looking further: the exploration must find its
/// flaw, or it could not find ours.
TEST(Interleavings, ThePublishedTombstoneReuseStoresAKeyTwice)
{
  auto const published = [](ScheduledMachine const& machine) {
    for (Slot slot = k % 16;; slot = (slot + 1) % 16) {
      Word const seen = machine.load(slot);
      bool const is_free = seen == empty_word || seen == tombstone_word;
      if (is_free && machine.compare_exchange(slot, seen, pack(k, 10u)) == seen) {
        return Result{Outcome::inserted, slot, 10};
      }
      if (key_of(seen) == k) { return Result{Outcome::updated, slot, 10}; }
    }
  };
  bool twice = false;
  Interleavings all({published}, [&](std::vector<Word> const& end, std::vector<Result> const&) {
    twice = places_of(end, k).size() == 2;
  });
  all.explore(memory({{5, tombstone_word}, {6, pack(k, 1u)}}));
  EXPECT_TRUE(twice);
}

}  // namespace
}  // namespace slotscape
