#include "gpu/tables/cpu_unordered_map.hpp"

#include "gpu/engine/engine.hpp"
#include "tests/support/texel_memory.hpp"

#include <gtest/gtest.h>

#include <random>
#include <unordered_map>

namespace slotscape::cpu_unordered_map_tests {
namespace {

std::unique_ptr<Engine> make(std::uint64_t slots)
{
  return make_engine(Backend::cpu, {.family = "cpu_unordered_map", .slots = slots});
}

/// The same operations on the engine and on a map of our own: then the slots are that map's nodes as it gives them.
TEST(CpuUnorderedMaps, SlotsAreTheNodesInTheOrderOfIteration)
{
  auto const engine = make(300);
  std::unordered_map<Key, Value> map(300);
  ASSERT_EQ(engine->table().slots, map.bucket_count());
  std::mt19937 random(1);
  for (int round = 0; round < 400; ++round) {
    Key const key = random() % 600;
    Value const value = random() % 1000;
    if (random() % 4 == 0) {
      EXPECT_EQ(engine->erase(std::span(&key, 1))[Outcome::erased], map.erase(key));
    } else {
      map.insert_or_assign(key, value);
      engine->insert(std::span(&key, 1), std::span(&value, 1));
    }
    if (round % 40 == 39) {  // with its nodes, and with the copy of them alone
      if (round % 80 == 79) { engine->slot(0); }
      engine->restore(*engine->save());
    }
  }
  EXPECT_EQ(engine->check_invariants(), "");
  Slot slot = 0;
  for (auto const& [key, value] : map) {
    SlotInfo const info = engine->slot(slot++);
    EXPECT_EQ(info.pair, (Pair{key, value}));
    EXPECT_EQ(info.home, map.bucket(key));
    EXPECT_EQ(engine->trace(Operation::find, key, 0).steps.size(), 2 + info.probe_length);
  }
  Statistics const statistics = engine->statistics();
  EXPECT_EQ(statistics.live, map.size());
  EXPECT_EQ(statistics.tombstones, 0u);
  std::vector<std::uint32_t> chains(statistics.groups.max + 1);
  for (std::size_t bucket = 0; bucket < map.bucket_count(); ++bucket) { ++chains.at(map.bucket_size(bucket)); }
  EXPECT_EQ(statistics.groups.histogram, chains);
}

TEST(CpuUnorderedMaps, NeverGrow)
{
  auto const engine = make(17);
  for (Key key = 0; key < 40; ++key) {
    Value const value = key;
    Outcome outcome{};
    engine->insert(std::span(&key, 1), std::span(&value, 1), std::span(&outcome, 1));
    EXPECT_EQ(outcome, key < engine->table().slots ? Outcome::inserted : Outcome::full);
  }
  EXPECT_EQ(engine->statistics().load_factor(), 1.0);
}

TEST(CpuUnorderedMaps, StepsWalkTheChainAndLeaveTheMap)
{
  auto const engine = make(17);
  std::vector<Key> const keys{1, 18, 35};  // one bucket
  engine->insert(keys, std::vector<Value>{10, 180, 350});
  EXPECT_EQ(engine->trace(Operation::insert, 52, 1).steps.size(), 1 + 3 + 1u);
  EXPECT_EQ(engine->trace(Operation::insert, 52, 1).outcome, Outcome::inserted);
  EXPECT_EQ(engine->trace(Operation::insert, 18, 1).outcome, Outcome::updated);
  EXPECT_EQ(engine->trace(Operation::erase, 18, 0).outcome, Outcome::erased);
  EXPECT_EQ(engine->trace(Operation::erase, 2, 0).outcome, Outcome::missing);
  EXPECT_EQ(engine->pairs().size(), 3u);
  EXPECT_EQ(engine->probe_path(18).value, 180u);
}

TEST(CpuUnorderedMaps, ErasedNodesFlashInTheSlotsTheyHad)
{
  auto const engine = make(64);
  std::vector<Key> const keys{1, 2, 3, 4};
  engine->insert(keys, std::vector<Value>(keys.size(), 0));
  engine->record_recent(true);
  Slot const erased = engine->probe_path(2).slots.back();
  engine->erase(std::vector<Key>{2});
  Grid const grid = Grid::of(engine->table().slots, Layout::rows);
  PictureRequest const request{.color_by = ColorBy::recent, .width = grid.columns, .height = grid.rows};
  TexelMemory memory(Backend::cpu, request.texels());
  engine->analyse(request, memory.target());
  EXPECT_EQ(memory.read()[erased].flash, 255u << 16);
}

}  // namespace
}  // namespace slotscape::cpu_unordered_map_tests
