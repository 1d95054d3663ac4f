// SwissTable by itself: where tombstones are left, how far fingerprints and overflow bytes spare accesses, and that
// control bytes and slots agree.

#include "gpu/tables/swiss.hpp"
#include "tests/tables/random_keys.hpp"
#include "tests/tables/tile_operations.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace slotscape::swiss_tests {
namespace {

TableSettings settings(std::uint64_t slots, std::uint32_t variant, HashKind hash = HashKind::identity)
{
  return {.family = "swiss", .slots = slots, .hash = hash, .parameters = {{"variant", variant}}};
}

struct Swissly {
  std::unique_ptr<Engine> engine;

  explicit Swissly(TableSettings const& table) : engine(make_engine(Backend::cpu, table)) {}
  Outcome run(Operation operation, Key key)
  {
    Outcome outcome{};
    Value value = 1;
    engine->mixed(std::span(&operation, 1), std::span(&key, 1), std::span(&value, 1), std::span(&outcome, 1));
    EXPECT_EQ(engine->check_invariants(), "");
    return outcome;
  }
  SlotInfo slot(Slot slot) { return engine->slot(slot); }
  std::size_t accesses(Key key) { return engine->trace(Operation::find, key, 0).steps.size(); }
};

TEST(Swiss, SlotsAreRoundedUpToGroups)
{
  EXPECT_EQ(make_engine(Backend::cpu, settings(17, Swiss::abseil))->table().slots, 32u);
  EXPECT_EQ(make_engine(Backend::cpu, settings(17, Swiss::boost))->table().slots, 30u);
}

TEST(Swiss, APathVisitsEachGroupOnce)
{
  for (std::uint64_t groups = 1; groups <= 70; ++groups) {
    auto const layout = Swiss::layout<Narrow>(settings(16 * groups, Swiss::abseil));
    ASSERT_EQ(layout.groups, groups);
    for (std::uint32_t key = 0; key < 16 * groups; key += 16) {
      std::set<Slot> visited;
      auto path = Swiss::path(layout, key);
      do {
        EXPECT_TRUE(visited.insert(path.group).second);
      } while (path.next(layout));
      EXPECT_EQ(visited.size(), groups);
      EXPECT_LT(*visited.rbegin(), groups);
    }
  }
}

/// Two groups, of which keys below 16 belong to the first.
TEST(Swiss, AnErasedSlotIsEmptyAgainUnlessItsGroupWasFull)
{
  Swissly table(settings(32, Swiss::abseil));
  for (Key key = 0; key < 15; ++key) { table.run(Operation::insert, key); }
  table.run(Operation::erase, 7);
  EXPECT_EQ(table.engine->statistics().tombstones, 0u);
  EXPECT_EQ(table.slot(7).byte_beside, 0x80) << "empty";

  table.run(Operation::insert, 7);
  table.run(Operation::insert, 32);  // its home is the first group, too, which is full now
  table.run(Operation::insert, 64);  // goes on to the other group
  EXPECT_GE(table.accesses(64), 3u);
  table.run(Operation::erase, 3);
  EXPECT_EQ(table.engine->statistics().tombstones, 1u);
  EXPECT_EQ(table.slot(3).byte_beside, 0xfe) << "erased";
  EXPECT_EQ(table.engine->trace(Operation::find, 64, 0).outcome, Outcome::found) << "beyond the tombstone";

  EXPECT_EQ(table.run(Operation::insert, 96), Outcome::inserted);
  EXPECT_EQ(table.slot(3).pair.key, 96u) << "any key takes the slot of a tombstone";
  EXPECT_EQ(table.engine->statistics().tombstones, 0u);
}

TEST(Swiss, AnOverflowByteSparesTombstonesAndLookups)
{
  Swissly table(settings(30, Swiss::boost));
  for (Key key = 0; key < 15; ++key) { table.run(Operation::insert, key); }
  auto const layout = Swiss::layout<Narrow>(settings(30, Swiss::boost));
  // Of a full group whose overflow byte is 0, a miss reads the control bytes and false matches, and no other group.
  auto const matches = [&](std::uint32_t key) {
    std::size_t same = 0;
    for (std::uint32_t other = 0; other < 15; ++other) {
      same += Swiss::tag(layout, other).byte == Swiss::tag(layout, key).byte ? 1 : 0;
    }
    return same;
  };
  for (Key key = 30; key < 3000; key += 30) {
    EXPECT_EQ(table.accesses(key), 1 + matches(static_cast<std::uint32_t>(key))) << key;
  }
  table.run(Operation::insert, 30);
  auto const overflow = [&](Key key) { return Swiss::tag(layout, static_cast<std::uint32_t>(key)).overflow; };
  int gone_on = 0;
  for (Key key = 60; key < 3000; key += 30) {
    bool const goes_on = table.accesses(key) > 1 + matches(static_cast<std::uint32_t>(key));
    EXPECT_EQ(goes_on, overflow(key) == overflow(30)) << key;
    gone_on += goes_on ? 1 : 0;
  }
  EXPECT_GT(gone_on, 0);
  for (Key key = 0; key < 15; ++key) { table.run(Operation::erase, key); }
  EXPECT_EQ(table.engine->statistics().tombstones, 0u);
  EXPECT_EQ(table.engine->trace(Operation::find, 30, 0).outcome, Outcome::found);
}

/// Fingerprints of 7 bits match 1 of 128 other keys, those of Boost 1 of 254.
TEST(Swiss, FewFingerprintsMatchByChance)
{
  for (std::uint32_t const variant : Swiss::variants) {
    constexpr std::uint64_t slots = 1u << 14;
    auto const engine = make_engine(Backend::cpu, settings(slots, variant, HashKind::murmur3));
    std::uint64_t const keys = engine->table().slots / 2;
    engine->run(BatchRequest::inserts(keys));
    double extra = 0.0;
    double compared = 0.0;
    for (std::uint32_t const key : random_keys(4000, 99)) {
      Trace const trace = engine->trace(Operation::find, key, 0);
      if (trace.outcome != Outcome::missing) { continue; }
      for (Step const& step : trace.steps) {
        extra += step.kind == Step::Kind::read ? 1.0 : 0.0;
        compared += step.kind == Step::Kind::metadata ? (variant == Swiss::abseil ? 8.0 : 7.5) : 0.0;  // keys a group
      }
    }
    double const expected = compared / (variant == Swiss::abseil ? 128.0 : 254.0);
    EXPECT_NEAR(extra, expected, 6.0 * std::sqrt(expected));
    EXPECT_GT(extra, 0.0);
  }
}

class SwissTables : public ::testing::TestWithParam<std::uint32_t> {};

TEST_P(SwissTables, DoAsAMapDoesUpToTheLastSlot)
{
  for (std::uint64_t const slots : {480u, 990u}) {
    auto const engine = make_engine(Backend::cpu, settings(slots, GetParam(), HashKind::murmur3));
    expect_history_of_a_map(*engine, static_cast<std::size_t>(engine->table().slots), 60);
    EXPECT_EQ(engine->check_invariants(), "");
  }
}

TEST_P(SwissTables, EverySlotIsTakenBeforeOneIsFull)
{
  auto const engine = make_engine(Backend::cpu, settings(480, GetParam(), HashKind::murmur3));
  BatchReport const report = engine->run(BatchRequest::inserts(1000));
  EXPECT_EQ(report.outcomes[Outcome::inserted], 480u);
  EXPECT_EQ(report.outcomes[Outcome::full], 520u);
}

INSTANTIATE_TEST_SUITE_P(Variants, SwissTables, ::testing::ValuesIn(Swiss::variants));

}  // namespace
}  // namespace slotscape::swiss_tests
