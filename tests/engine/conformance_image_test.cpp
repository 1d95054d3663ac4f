// What every family must do with its images: bring back every slot, whatever was done since.

#include "tests/engine/conformance.hpp"

#include <tuple>

namespace slotscape::testing {
namespace {

class ConformanceImageTest : public FamilyTest {
protected:
  /// A table that was used: it holds erased keys, and keys of the stream.
  static std::unique_ptr<Engine> make_used(TableSettings const& table)
  {
    auto engine = make(table);
    std::mt19937 random(5);
    std::vector<Key> const keys = some_keys(room(*engine, small) / 2, random);
    engine->insert(keys, random_values(keys.size(), random, key_bits()));
    engine->erase(std::span(keys).first(keys.size() / 3));
    engine->run(BatchRequest::inserts(20));
    return engine;
  }
  /// What is in each slot.
  using Slots = std::vector<std::tuple<SlotState, Key, Value>>;
  static Slots slots_of(Engine& engine)
  {
    Slots slots;
    for (SlotInfo const& slot : all_slots(engine)) {
      Pair const pair = slot.has_key ? slot.pair : Pair{};
      slots.emplace_back(slot.state, pair.key, slot.state == SlotState::live ? pair.value : 0);
    }
    return slots;
  }
  static void expect_like(Engine& engine, Slots const& slots, std::uint64_t drawn)
  {
    EXPECT_EQ(slots_of(engine), slots);
    EXPECT_EQ(engine.keys_drawn(), drawn);
    EXPECT_EQ(engine.check_invariants(), "");
  }
};

TEST_P(ConformanceImageTest, BringsBackEverySlotAfterOperations)
{
  for (TableSettings const& table : tables(256)) {
    SCOPED_TRACE(describe(table));
    auto const engine = make_used(table);
    Slots const before = slots_of(*engine);
    auto const image = engine->save();
    engine->run(BatchRequest::inserts(30));
    engine->run(BatchRequest::erases(40));
    engine->restore(*image);
    expect_like(*engine, before, 20);
    engine->clear();
    engine->restore(*image);
    expect_like(*engine, before, 20);
  }
}

TEST_P(ConformanceImageTest, BringsBackTheTableFromBeforeARehash)
{
  for (TableSettings const& table : tables(256)) {
    SCOPED_TRACE(describe(table));
    auto const engine = make_used(table);
    Slots const before = slots_of(*engine);
    std::uint64_t const live = engine->pairs().size();
    auto const small_table = engine->save();
    engine->rehash(1024);
    engine->run(BatchRequest::inserts(300));
    auto const large_table = engine->save();
    Slots const after = slots_of(*engine);
    engine->restore(*small_table);
    EXPECT_EQ(engine->places(), before.size());
    expect_like(*engine, before, 20);
    EXPECT_EQ(engine->run(BatchRequest::erases(1000)).outcomes[Outcome::erased], live);
    engine->restore(*large_table);
    EXPECT_EQ(engine->places(), after.size());
    expect_like(*engine, after, 320);
  }
}

TEST_P(ConformanceImageTest, GoesOnWithTheSameKeysAsBefore)
{
  auto const engine = make_used({.family = GetParam().family, .slots = 256, .key_bits = key_bits()});
  auto const image = engine->save();
  auto const go_on = [&] {
    engine->run(BatchRequest::erases(10));
    engine->run(BatchRequest::inserts(25));
    return sorted_pairs(*engine);
  };
  std::vector<Pair> const first = go_on();
  KeySettings others;
  others.distribution = KeyDistribution::sequential;
  engine->set_keys(others, 3);
  engine->run(BatchRequest::inserts(5));
  engine->restore(*image);
  EXPECT_EQ(go_on(), first);
}

SLOTSCAPE_FOR_EVERY_FAMILY(ConformanceImageTest);

}  // namespace
}  // namespace slotscape::testing
