// Iceberg tables by themselves: which yard a key goes to, that none ever moves, and how few leave the front.

#include "gpu/tables/iceberg.hpp"
#include "tests/tables/random_keys.hpp"
#include "tests/tables/tile_operations.hpp"

#include <gtest/gtest.h>

#include <map>

namespace slotscape::iceberg_tests {
namespace {

TableSettings settings(std::uint64_t slots, std::uint32_t front = 64)
{
  return {.family = "iceberg", .slots = slots, .parameters = {{"front", front}}};
}

std::vector<SlotInfo> all_slots(Engine& engine)
{
  std::vector<Slot> slots(engine.table().slots);
  for (std::size_t i = 0; i < slots.size(); ++i) { slots[i] = static_cast<Slot>(i); }
  return engine.slots(slots);
}

std::map<Key, Slot> places(Engine& engine)
{
  std::map<Key, Slot> places;
  for (SlotInfo const& slot : all_slots(engine)) {
    if (slot.state == SlotState::live) { places[slot.pair.key] = slot.slot; }
  }
  return places;
}

/// Keys whose front bucket is the first.
std::vector<Key> keys_of_first_bucket(Iceberg::Layout<Narrow> const& layout, std::size_t count)
{
  std::vector<Key> keys;
  for (std::uint32_t key = 1; keys.size() < count; ++key) {
    if (layout.front_bucket(key) == 0) { keys.push_back(key); }
  }
  return keys;
}

TEST(Iceberg, YardsHaveTheirSharesOfTheSlots)
{
  for (std::uint32_t const front : Iceberg::front_choices) {
    for (std::uint64_t const slots : {16u, 64u, 100u, 577u, 4096u, 1u << 20}) {
      auto const layout = Iceberg::layout<Narrow>(settings(slots, front));
      EXPECT_GE(layout.slots(), slots);
      EXPECT_LT(layout.slots(), slots + front + 24);
      EXPECT_EQ(layout.overflow_bytes_at() % 2, 0u);
      EXPECT_EQ(Iceberg::layout<Narrow>(settings(layout.slots(), front)).slots(), layout.slots());
      TableParts const parts = Iceberg::parts(settings(slots, front));
      ASSERT_EQ(parts.size(), 3u);
      EXPECT_EQ(parts[1], (TablePart{"back", layout.front * front, std::uint64_t{layout.back} * 8}));
      EXPECT_EQ(parts[2].first, parts[1].first + parts[1].slots);
      EXPECT_EQ(parts[2].first + parts[2].slots, layout.slots());
      if (slots < 4096) { continue; }
      auto const share = [&](std::uint64_t of) {
        return static_cast<double>(of) / static_cast<double>(layout.slots());
      };
      EXPECT_NEAR(share(std::uint64_t{layout.front} * front), 0.875, 0.01);
      EXPECT_NEAR(share(std::uint64_t{layout.back} * 8), 0.109, 0.01);
      EXPECT_NEAR(share(std::uint64_t{layout.overflow} * 16), 1.0 / 64.0, 0.01);
    }
  }
}

TEST(Iceberg, AKeyGoesToTheFrontThenToTheLessFullBackBucketThenToTheOverflow)
{
  auto const engine = make_engine(Backend::cpu, settings(2048));
  auto const layout = Iceberg::layout<Narrow>(settings(2048));
  std::vector<Key> const keys = keys_of_first_bucket(layout, 64 + 8 * layout.back + 5);
  std::vector<std::uint32_t> back(layout.back, 0);
  std::map<char, int> yards;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    Trace const trace = engine->trace(Operation::insert, keys[i], 1);
    ASSERT_EQ(trace.outcome, Outcome::inserted);
    auto const taken = std::ranges::find_if(trace.steps, [](Step const& step) { return step.after.has_value(); });
    Slot const slot = taken->after->slot;
    if (i < 64) {
      EXPECT_LT(slot, 64u);
      ++yards['f'];
    } else if (slot < layout.first_overflow()) {
      ASSERT_GE(slot, layout.first_back());
      std::uint32_t const bucket = (slot - layout.first_back()) / 8;
      std::vector<std::uint32_t> read;  // the keys of both choices, in the order in which they are compared
      for (Step const& step : trace.steps) {
        if (step.place.line == "choose") {
          read.push_back(back[static_cast<std::size_t>(step.place.variables.front().second)]);
        }
      }
      ASSERT_EQ(read.size(), 2u);
      EXPECT_EQ(back[bucket], std::min(read[0], read[1]));
      ++back[bucket];
      ++yards['b'];
    } else {
      ++yards['o'];
    }
    Value const value = 1;
    engine->insert(std::span(&keys[i], 1), std::span(&value, 1));
  }
  EXPECT_EQ(yards['f'], 64);
  EXPECT_GT(yards['b'], static_cast<int>(layout.back) * 6);
  EXPECT_GE(yards['o'], 5);
  EXPECT_EQ(engine->check_invariants(), "");
}

TEST(Iceberg, NoKeyEverMoves)
{
  for (std::uint32_t const front : Iceberg::front_choices) {
    auto const engine = make_engine(Backend::cpu, settings(4096, front));
    std::mt19937 random(5);
    Keys const universe = random_keys(6000, 6);
    std::map<Key, Slot> before;
    for (int round = 0; round < 60; ++round) {
      std::vector<Key> keys;
      keys.reserve(400);
      for (int i = 0; i < 400; ++i) { keys.push_back(universe[random() % universe.size()]); }
      if (round % 3 == 2) {
        engine->erase(keys);
        for (Key const key : keys) { before.erase(key); }
      } else {
        engine->insert(keys, std::vector<Value>(keys.size(), 1));
      }
      std::map<Key, Slot> const after = places(*engine);
      for (auto const& [key, slot] : before) { ASSERT_EQ(after.at(key), slot) << "key " << key; }
      before = after;
    }
    EXPECT_GT(before.size(), 2000u);
    EXPECT_EQ(engine->check_invariants(), "");
  }
}

TEST(Iceberg, NearlyAllKeysAreInFront)
{
  auto const engine = make_engine(Backend::cpu, settings(1u << 18));
  auto const layout = Iceberg::layout<Narrow>(settings(1u << 18));
  auto const keys = static_cast<std::uint64_t>(0.9 * static_cast<double>(layout.slots()));
  ASSERT_EQ(engine->run(BatchRequest::inserts(keys)).outcomes[Outcome::inserted], keys);
  std::uint64_t in_front = 0;
  std::uint64_t in_overflow = 0;
  for (SlotInfo const& slot : all_slots(*engine)) {
    if (slot.state != SlotState::live) { continue; }
    in_front += slot.slot < layout.first_back() ? 1 : 0;
    in_overflow += slot.slot >= layout.first_overflow() ? 1 : 0;
  }
  // A bucket is dealt a Poisson number of keys, of which 64 stay.
  double const mean = static_cast<double>(keys) / layout.front;
  double staying = 0.0;
  double probability = std::exp(-mean);
  for (int dealt = 0; dealt < 400; ++dealt) {
    staying += std::min(dealt, 64) * probability;
    probability *= mean / (dealt + 1);
  }
  EXPECT_NEAR(static_cast<double>(in_front) / layout.front, staying, 0.3);
  EXPECT_LT(static_cast<double>(in_overflow), 1e-3 * static_cast<double>(keys));
}

TEST(Iceberg, AMissInABucketThatWasNeverFullReadsItsFingerprintsAlone)
{
  auto const engine = make_engine(Backend::cpu, settings(4096));
  engine->run(BatchRequest::inserts(1000));
  int alone = 0;
  for (std::uint32_t const key : random_keys(300, 12)) {
    Trace const trace = engine->trace(Operation::find, key, 0);
    auto const bytes_read = std::ranges::count(trace.steps, Step::Kind::metadata, &Step::kind);
    EXPECT_EQ(bytes_read, 1);
    alone += trace.steps.size() == 1 ? 1 : 0;
  }
  EXPECT_GT(alone, 240) << "one key of 254 has the same fingerprint, and a bucket some 18";
}

class IcebergTables : public ::testing::TestWithParam<std::uint32_t> {};

TEST_P(IcebergTables, DoAsAMapDoesUpToTheirSafeLoad)
{
  for (std::uint64_t const slots : {300u, 1024u, 3000u}) {
    auto const engine = make_engine(Backend::cpu, settings(slots, GetParam()));
    double const room = Iceberg::guarantees(settings(slots, GetParam())).safe_load;
    expect_history_of_a_map(*engine, static_cast<std::size_t>(room * static_cast<double>(engine->table().slots)), 60);
    EXPECT_EQ(engine->check_invariants(), "");
  }
}

INSTANTIATE_TEST_SUITE_P(Fronts, IcebergTables, ::testing::ValuesIn(Iceberg::front_choices));

}  // namespace
}  // namespace slotscape::iceberg_tests
