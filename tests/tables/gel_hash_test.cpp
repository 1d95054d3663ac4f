// What tables of linked lists promise besides what all tables of chains do (chains_test.cpp): threads that never wait
// for one another, however hot a key is. (Groups of operations: tests/engine/group_table_test.cpp.)

#include "gpu/tables/gel_hash.hpp"
#include "gpu/base/error.hpp"
#include "tests/tables/tile_operations.hpp"

#include <gtest/gtest.h>

namespace slotscape::gel_hash_tests {
namespace {

constexpr std::uint64_t pairs_per_node = 7;
constexpr std::uint64_t slots_per_node = 8;  // with the link

TableSettings settings(std::uint64_t slots, std::uint32_t pool, HashKind hash = HashKind::murmur3)
{
  return {.family = "gel_hash", .slots = slots, .hash = hash, .parameters = {{"pool", pool}}};
}

GelHash::Layout<Narrow> layout(TableSettings const& with)
{
  return GelHash::layout<Narrow>(with);
}

TEST(GelHash, SlotsAreRoundedUpToNodesOfListsAndPool)
{
  EXPECT_EQ(make_engine(Backend::cpu, settings(17, 50))->table().slots, 24u);
  EXPECT_EQ(make_engine(Backend::cpu, settings(1001, 50))->table().slots, 1008u);
  EXPECT_EQ(layout(settings(150 * slots_per_node, 50)).pool, 50u);
  EXPECT_EQ(layout(settings(200 * slots_per_node, 100)).pool, 100u);
  EXPECT_EQ(layout(settings(300 * slots_per_node, 200)).buckets, 100u);
  EXPECT_EQ(sizeof(Narrow::Word) * GelHash::size, 64u);
}

TEST(GelHash, ThePartsAreTheListsAndThePool)
{
  TableParts const parts = GelHash::parts(settings(1600, 100));
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0], (TablePart{"lists", 0, 800}));
  EXPECT_EQ(parts[1], (TablePart{"pool", 800, 800}));
}

class GelHashTables : public ::testing::TestWithParam<std::uint32_t> {};

TEST_P(GelHashTables, DoAsAMapDoesUpToTheirSafeLoad)
{
  for (std::uint64_t const slots : {1024u, 8000u}) {
    auto const engine = make_engine(Backend::cpu, settings(slots, GetParam()));
    double const load = GelHash::guarantees(engine->table()).safe_load;
    expect_history_of_a_map(*engine, static_cast<std::size_t>(load * static_cast<double>(engine->table().slots)), 60);
  }
}

INSTANTIATE_TEST_SUITE_P(Pools, GelHashTables, ::testing::ValuesIn(GelHash::pool_choices));

// --- Threads. A table of two lists and a pool of two; the home of these keys is the first list, or the second.
constexpr Narrow::Key hot = 32 * 3;
constexpr Narrow::Key other = 32 * 7;
constexpr Narrow::Key elsewhere = 32 * 5 + 31;

class GelHashThreads : public ::testing::Test {
protected:
  TileOperations<GelHash, 8> tiles_{settings(32, 100, HashKind::identity)};

  /// The first node is full but for its last `free` slots.
  std::vector<Narrow::Word> start(Slot free) const
  {
    std::map<Slot, Narrow::Word> words;
    for (Slot slot = 0; slot < pairs_per_node - free; ++slot) { words[slot] = pack(32 * (20 + slot), 1u); }
    return tiles_.memory(words, tiles_.layout.metadata());
  }
  std::size_t nodes_in_use(std::vector<Narrow::Word> const& memory) const
  {
    return static_cast<std::size_t>(std::count_if(memory.begin() + static_cast<std::ptrdiff_t>(tiles_.layout.slots()),
                                                  memory.end(), [](Narrow::Word owner) { return owner != 0; }));
  }
};

/// Every schedule is tried, also those in which a thread stops for good in the middle of its operation while another
/// goes on. One that waited for it would not end, and `explore` would throw (see ALockIsSeen).
TEST_F(GelHashThreads, InsertionsOfAHotKeyNeverWaitForEachOther)
{
  for (Slot const free : {1u, 0u}) {  // in the first node; in a node that is yet to be linked
    Interleavings all({tiles_.insert(hot, 10), tiles_.insert(hot, 11), tiles_.insert(hot, 12)},
                      [&](std::vector<Narrow::Word> const& end, std::vector<Result<Narrow>> const& results) {
                        tiles_.expect_valid(end);
                        EXPECT_EQ(count(results, Outcome::inserted), 1);
                        EXPECT_EQ(count(results, Outcome::updated), 2);
                        EXPECT_EQ(nodes_in_use(end), free == 1 ? 0u : 1u);
                      });
    EXPECT_GT(all.explore(start(free)), 1u);
  }
}

TEST_F(GelHashThreads, AHotKeyIsErasedAndInsertedAtOnce)
{
  Interleavings all({tiles_.insert(hot, 10), tiles_.erase(hot), tiles_.insert(hot, 12)},
                    [&](std::vector<Narrow::Word> const& end, std::vector<Result<Narrow>> const& results) {
                      tiles_.expect_valid(end);
                      EXPECT_EQ(count(results, Outcome::full), 0);
                    });
  EXPECT_GT(all.explore(start(0)), 1u);
}

TEST_F(GelHashThreads, ALockIsSeen)
{
  constexpr Slot lock = 31;  // a word that the operations do not use
  auto const locked = [&](Narrow::Value value) -> ScheduledOperation {
    return [insert = tiles_.insert(hot, value)](ScheduledMachine const& machine) {
      while (machine.compare_exchange(lock, Narrow::empty_word, 1) != Narrow::empty_word) {}
      auto const result = insert(machine);
      machine.exchange(lock, Narrow::empty_word);
      return result;
    };
  };
  Interleavings all({locked(10), locked(11)}, [](auto const&, auto const&) {});
  EXPECT_THROW(all.explore(start(1)), Error);
}

/// What a batch in groups does: a thread for each list runs its operations in order. They share the pool alone.
TEST_F(GelHashThreads, ThreadsThatOwnAListEachDoNotNoticeEachOther)
{
  auto const owner = [this](Narrow::Key key, Narrow::Key second) -> ScheduledOperation {
    return [first = tiles_.insert(key, 1), next = tiles_.insert(second, 2), erase = tiles_.erase(key),
            again = tiles_.insert(key, 3), find = tiles_.find(key)](ScheduledMachine const& machine) {
      bool const as_alone = first(machine).outcome == Outcome::inserted && next(machine).outcome == Outcome::inserted &&
                            erase(machine).outcome == Outcome::erased && again(machine).outcome == Outcome::inserted;
      auto result = find(machine);
      if (!as_alone) { result.outcome = Outcome::rejected; }
      return result;
    };
  };
  std::map<Slot, Narrow::Word> words;
  ASSERT_EQ(tiles_.layout.home(elsewhere), slots_per_node);
  for (Slot slot = 0; slot < pairs_per_node - 1; ++slot) {
    words[slot] = pack(32 * (20 + slot), 1u);
    words[slots_per_node + slot] = pack(32 * (20 + slot) + 31, 1u);
  }
  Interleavings all({owner(hot, other), owner(elsewhere, elsewhere + 32)},
                    [&](std::vector<Narrow::Word> const& end, std::vector<Result<Narrow>> const& results) {
                      tiles_.expect_valid(end);
                      EXPECT_EQ(count(results, Outcome::found), 2);
                      for (auto const& result : results) { EXPECT_EQ(result.value, 3u); }
                      EXPECT_EQ(nodes_in_use(end), 2u);
                    });
  EXPECT_GT(all.explore(tiles_.memory(words, tiles_.layout.metadata())), 1u);
}

TEST(GelHash, StepsTellOfThePoolAndOfTheList)
{
  auto const engine = make_engine(Backend::cpu, settings(1600, 100, HashKind::identity));
  std::vector<Key> keys;
  for (Key i = 0; i < pairs_per_node; ++i) { keys.push_back(i * 1600); }
  engine->insert(keys, std::vector<Value>(keys.size(), 1));
  Trace const trace = engine->trace(Operation::insert, Key{1600} * 100, 1);
  EXPECT_EQ(trace.outcome, Outcome::inserted);
  auto const metadata = std::ranges::find(trace.steps, Step::Kind::metadata, &Step::kind);
  ASSERT_NE(metadata, trace.steps.end());
  EXPECT_NE(metadata->text.find("Node "), std::string::npos) << metadata->text;
  EXPECT_NE(metadata->text.find("becomes part of this one"), std::string::npos) << metadata->text;
  EXPECT_GE(trace.steps.back().after->slot, layout(engine->table()).buckets * GelHash::size);
  Trace const missed = engine->trace(Operation::find, Key{1600} * 100, 0);
  EXPECT_NE(missed.steps.back().text.find("Its list ends here"), std::string::npos) << missed.steps.back().text;
}

}  // namespace
}  // namespace slotscape::gel_hash_tests
