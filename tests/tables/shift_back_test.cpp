// Deletion by shifting: what a batch leaves is a table in which no key was ever erased, whatever its clusters are.

#include "gpu/tables/shift_back.hpp"

#include "gpu/base/error.hpp"
#include "tests/engine/engine_fixture.hpp"

#include <gmock/gmock.h>

#include <functional>
#include <optional>
#include <set>

namespace slotscape::shift_back_tests {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Slots = std::vector<std::optional<Key>>;

TableSettings settings(std::uint64_t slots, std::string const& family = "linear_probing")
{
  return {.family = family, .slots = slots, .deletion = Deletion::shift, .hash = HashKind::identity};
}

void insert(Engine& engine, std::vector<Key> const& keys)
{
  std::vector<Value> const values(keys.begin(), keys.end());
  engine.insert(keys, values);
}

Slots slots_of(Engine& engine)
{
  Slots slots;
  for (SlotInfo const& slot : testing::all_slots(engine)) {
    EXPECT_NE(slot.state, SlotState::tombstone) << slot.slot;
    slots.push_back(slot.has_key ? std::optional(slot.pair.key) : std::nullopt);
    if (slot.has_key) { EXPECT_EQ(slot.pair.value, slot.pair.key); }
  }
  return slots;
}

/// Knuth's Algorithm R as it is written, with homes key mod m. It needs an empty slot.
void erase_by_algorithm_r(Slots& slots, Key key)
{
  std::size_t const m = slots.size();
  std::size_t i = 0;
  while (slots[i] != key) { ++i; }
  while (true) {
    slots[i] = std::nullopt;
    std::size_t const gap = i;
    while (true) {
      i = (i + 1) % m;
      if (!slots[i]) { return; }
      std::size_t const home = *slots[i] % m;
      bool const stays = gap < i ? (gap < home && home <= i) : (gap < home || home <= i);
      if (!stays) { break; }
    }
    slots[gap] = slots[i];
  }
}

/// Backward shift deletion of Robin Hood hashing, with homes key mod m. It needs an empty slot, or a key at home.
void erase_by_backward_shift(Slots& slots, Key key)
{
  std::size_t const m = slots.size();
  auto gap = static_cast<std::size_t>(std::ranges::find(slots, key) - slots.begin());
  while (true) {
    std::size_t const next = (gap + 1) % m;
    slots[gap] = std::nullopt;
    if (!slots[next] || *slots[next] % m == next) { return; }
    slots[gap] = slots[next];
    gap = next;
  }
}

/// No key has an empty slot between its home and itself.
void expect_paths_whole(Slots const& slots)
{
  std::size_t const m = slots.size();
  for (std::size_t slot = 0; slot < m; ++slot) {
    if (!slots[slot]) { continue; }
    for (std::size_t on_path = *slots[slot] % m; on_path != slot; on_path = (on_path + 1) % m) {
      ASSERT_TRUE(slots[on_path].has_value()) << "slot " << on_path << " before " << *slots[slot];
    }
  }
}

class ShiftBackTest : public testing::EngineTest {};

/// Cormen et al., Introduction to Algorithms, 4th edition, figure 11.6: h(k) = k mod 10.
TEST_P(ShiftBackTest, KeysMoveAsInTheTextbook)
{
  auto const engine = make(settings(10));
  insert(*engine, {74, 43, 93, 18, 82, 38, 92});
  Slots const before = slots_of(*engine);
  ASSERT_THAT(before, ElementsAre(std::nullopt, std::nullopt, 82, 43, 74, 93, 92, std::nullopt, 18, 38));
  Key const erased = 43;
  Trace const trace = engine->trace(Operation::erase, erased, 0);
  std::vector<std::string> said;
  for (Step const& step : trace.steps) { said.push_back(step.text); }
  EXPECT_THAT(said, ::testing::Contains(HasSubstr("93 moves from slot 5 to slot 3")));
  EXPECT_THAT(said, ::testing::Contains(HasSubstr("Slot 4 holds 74 (home 4), which comes after the gap, so it stays")));
  EXPECT_EQ(engine->erase(std::span(&erased, 1))[Outcome::erased], 1u);
  EXPECT_THAT(slots_of(*engine),
              ElementsAre(std::nullopt, std::nullopt, 82, 93, 74, 92, std::nullopt, std::nullopt, 18, 38));
}

TEST_P(ShiftBackTest, OneKeyIsErasedAsByAlgorithmR)
{
  std::mt19937 random(5);
  for (int round = 0; round < testing::rounds(40); ++round) {
    std::uint64_t const m = 5 + round % 12;
    auto const engine = make(settings(m));
    insert(*engine, testing::random_keys(m - 1 - random() % (m / 2), random));
    Slots expected = slots_of(*engine);
    while (std::ranges::any_of(expected, [](auto const& slot) { return slot.has_value(); })) {
      std::size_t at = random() % m;
      while (!expected[at]) { at = (at + 1) % m; }
      Key const key = *expected[at];
      erase_by_algorithm_r(expected, key);
      ASSERT_EQ(engine->erase(std::span(&key, 1))[Outcome::erased], 1u);
      ASSERT_EQ(slots_of(*engine), expected) << m << " slots, without " << key;
    }
  }
}

TEST_P(ShiftBackTest, RobinHoodErasesOneKeyByBackwardShift)
{
  std::mt19937 random(6);
  for (int round = 0; round < testing::rounds(40); ++round) {
    std::uint64_t const m = 5 + round % 12;
    auto const engine = make(settings(m, "robin_hood"));
    std::vector<Key> keys = testing::random_keys(m - 1 - random() % (m / 2), random);
    insert(*engine, keys);
    Slots expected = slots_of(*engine);
    std::ranges::shuffle(keys, random);
    for (Key const key : keys) {
      erase_by_backward_shift(expected, key);
      ASSERT_EQ(engine->trace(Operation::erase, key, 0).outcome, Outcome::erased);
      ASSERT_EQ(engine->erase(std::span(&key, 1))[Outcome::erased], 1u);
      ASSERT_EQ(slots_of(*engine), expected) << m << " slots, without " << key;
    }
  }
}

/// 24, 8, 40 and 9 in 16 slots; without 8, those that are not at home move back by one slot each, and 12 stays.
TEST_P(ShiftBackTest, StepsOfRobinHoodEndAtAKeyThatIsAtHome)
{
  auto const engine = make(settings(16, "robin_hood"));
  insert(*engine, {24, 8, 40, 9, 12, 13});
  Slots const before = slots_of(*engine);
  ASSERT_THAT(std::vector(before.begin() + 8, before.begin() + 14), ElementsAre(8, 24, 40, 9, 12, 13));
  std::vector<std::string> said;
  for (Step const& step : engine->trace(Operation::erase, 8, 0).steps) { said.push_back(step.text); }
  EXPECT_THAT(said, ::testing::Contains(HasSubstr("24 moves from slot 9 to slot 8")));
  EXPECT_THAT(said.back(), HasSubstr("12")) << "13 is not looked at";
  Key const erased = 8;
  engine->erase(std::span(&erased, 1));
  Slots const after = slots_of(*engine);
  EXPECT_THAT(std::vector(after.begin() + 8, after.begin() + 14), ElementsAre(24, 40, 9, std::nullopt, 12, 13));
}

/// Full tables, keys that are erased twice in a batch or are not there, and clusters around the end of the table.
/// The order of Robin Hood hashing leaves no choice: the table is that of the keys that are left.
void expect_batches_leave_no_gap(std::function<std::unique_ptr<Engine>(TableSettings const&)> const& make,
                                 std::string const& family)
{
  std::mt19937 random(7);
  for (int round = 0; round < testing::rounds(60); ++round) {
    std::uint64_t const m = round % 3 == 0 ? 4 + random() % 8 : 4 + random() % 200;
    bool const is_full = round % 4 == 0;
    auto const engine = make(settings(m, family));
    std::vector<Key> const keys = testing::random_keys(is_full ? m : 1 + random() % m, random);
    insert(*engine, keys);
    std::vector<Key> erased;
    for (Key const key : keys) {
      std::uint32_t const copies = random() % 3;
      for (std::uint32_t i = 0; i < copies; ++i) { erased.push_back(key); }
    }
    erased.push_back(4'000'000'000u);
    std::ranges::shuffle(erased, random);
    std::set<Key> left(keys.begin(), keys.end());
    std::size_t const before = left.size();
    for (Key const key : erased) { left.erase(key); }
    Tally const tally = engine->erase(erased);
    ASSERT_EQ(tally[Outcome::erased], before - left.size());
    ASSERT_EQ(tally[Outcome::missing], erased.size() - (before - left.size()));
    Slots const slots = slots_of(*engine);
    expect_paths_whole(slots);
    std::set<Key> found;
    for (auto const& slot : slots) {
      if (slot) { ASSERT_TRUE(found.insert(*slot).second) << *slot; }
    }
    ASSERT_EQ(found, left) << m << " slots";
    ASSERT_EQ(engine->check_invariants(), "");
    if (family != "robin_hood") { continue; }
    auto const fresh = make(settings(m, family));
    insert(*fresh, {left.begin(), left.end()});
    ASSERT_EQ(slots, slots_of(*fresh)) << m << " slots";
  }
}

TEST_P(ShiftBackTest, BatchesLeaveNoGapInAnyCluster)
{
  for (std::string const family : {"linear_probing", "robin_hood"}) {
    expect_batches_leave_no_gap([&](TableSettings const& table) { return make(table); }, family);
  }
}

TEST_P(ShiftBackTest, ManyKeysComeAndGo)
{
  for (std::string const family : {"linear_probing", "robin_hood"}) {
    auto const engine = make({.family = family, .slots = 1u << 18, .deletion = Deletion::shift});
    std::mt19937 random(9);
    std::vector<Key> const keys = testing::random_keys((1u << 18) * 9 / 10, random);
    insert(*engine, keys);
    for (std::size_t part = 0; part < 4; ++part) {
      auto const some = std::span(keys).subspan(part * keys.size() / 4, keys.size() / 4);
      ASSERT_EQ(engine->erase(some)[Outcome::erased], some.size()) << family;
      Statistics const now = engine->statistics();
      EXPECT_EQ(now.tombstones, 0u) << family;
      EXPECT_EQ(now.live, keys.size() - (part + 1) * (keys.size() / 4)) << family;
      ASSERT_EQ(engine->check_invariants(), "") << family;
    }
  }
}

SLOTSCAPE_ON_EVERY_BACKEND(ShiftBackTest);

TEST(ShiftBack, OtherFamiliesSayWhatTheyHave)
{
  TableSettings const table{.family = "quadratic", .slots = 16, .deletion = Deletion::shift};
  try {
    make_engine(Backend::cpu, table);
    FAIL();
  } catch (Error const& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("tombstone_reuse"), HasSubstr("linear_probing")));
  }
}

}  // namespace
}  // namespace slotscape::shift_back_tests
