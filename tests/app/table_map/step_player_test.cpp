#include "app/table_map/step/player.hpp"
#include "gpu/base/error.hpp"

#include "app/table_map/step/framing.hpp"
#include "gpu/engine/engine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace slotscape::step_player_tests {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

SlotInfo key_at(Slot slot, Key key)
{
  return {slot, SlotState::live, {key, 1}, slot, true, 0};
}

SlotInfo empty_at(Slot slot)
{
  return {slot, SlotState::empty, {0, 0}, slot, false, 0};
}

/// Reads slot 3, moves its key to slot 8, puts 77 in slot 3, and reads beside the slots.
Trace moving_trace()
{
  Trace trace{Operation::insert, 77, 1, Outcome::inserted, {}, "done"};
  trace.steps = {{Step::Kind::read, {key_at(3, 30)}, {}, {}, "a"},
                 {Step::Kind::compare_and_swap, {empty_at(8)}, key_at(8, 30), Slot{3}, "b"},
                 {Step::Kind::exchange, {key_at(3, 30)}, key_at(3, 77), {}, "c"},
                 {Step::Kind::metadata, {}, {}, {}, "d"}};
  return trace;
}

/// The same; the second step makes two heads lead elsewhere, and the last one a third.
Trace trace_of_chains()
{
  using Chains = std::vector<std::vector<Slot>>;
  Trace trace = moving_trace();
  trace.steps[1].chains = std::make_shared<Chains const>(Chains{{8}, {3}});
  trace.steps[3].chains = std::make_shared<Chains const>(Chains{{8}, {3}, {}});
  return trace;
}

/// Lets the present step's motion end.
void settle(StepPlayer& player)
{
  player.advance(10.0);
}

TEST(StepPlayer, KnowsWhereHeadsLead)
{
  StepPlayer player(trace_of_chains());
  EXPECT_EQ(player.chains(), nullptr) << "as in the table";
  player.go_to(1);
  EXPECT_EQ(player.chains(), nullptr);
  player.go_to(3);
  ASSERT_NE(player.chains(), nullptr);
  EXPECT_EQ(player.chains()->size(), 2u);
  player.forward();
  EXPECT_EQ(player.chains()->size(), 3u);
  player.back();
  EXPECT_EQ(player.chains()->size(), 2u);
  player.set_performed(true);
  EXPECT_EQ(player.chains(), nullptr) << "the table itself has them by now";
}

TEST(StepPlayer, GoesForwardsAndBackAndNoFurther)
{
  StepPlayer player(moving_trace());
  EXPECT_TRUE(player.at_start());
  EXPECT_EQ(player.present(), nullptr);
  player.back();
  EXPECT_TRUE(player.at_start());
  for (std::size_t step = 0; step < 4; ++step) {
    player.forward();
    EXPECT_EQ(player.position(), step + 1);
    EXPECT_EQ(player.present(), &player.trace().steps[step]);
  }
  EXPECT_TRUE(player.at_end());
  player.forward();
  EXPECT_EQ(player.position(), 4u);
  player.back();
  EXPECT_EQ(player.present()->text, "c");
  player.go_to(100);
  EXPECT_TRUE(player.at_end());
  player.go_to(0);
  EXPECT_TRUE(player.at_start());
}

TEST(StepPlayer, StartsWhereItIsToldAndRefusesAPlaceThatIsNone)
{
  EXPECT_EQ(StepPlayer(moving_trace(), 4).position(), 4u);
  EXPECT_THROW(StepPlayer(moving_trace(), 5), Error);
}

TEST(StepPlayer, SlotsShowWhatTheStepsSoFarWroteAndBackUndoesIt)
{
  StepPlayer player(moving_trace(), 1);
  EXPECT_THAT(player.changes(), IsEmpty());
  player.forward();
  EXPECT_THAT(player.changes(), IsEmpty()) << "the key is on its way";
  settle(player);
  EXPECT_THAT(player.changes(), ElementsAre(testing::Pair(8, testing::Field(&SlotInfo::state, SlotState::live))));
  player.forward();
  settle(player);
  EXPECT_EQ(player.overlaid(key_at(3, 30)).pair.key, 77u);
  EXPECT_EQ(player.overlaid(empty_at(8)).pair.key, 30u);
  EXPECT_EQ(player.overlaid(key_at(5, 55)).pair.key, 55u) << "no step wrote it";
  player.back();
  EXPECT_THAT(player.changes(), ElementsAre(testing::Key(8)));
  EXPECT_EQ(player.overlaid(key_at(3, 30)).pair.key, 30u);
  player.back();
  EXPECT_THAT(player.changes(), IsEmpty());
}

TEST(StepPlayer, AStepTakenBeforeTheLastOnesMotionEndsLosesNothing)
{
  StepPlayer player(moving_trace());
  for (int step = 0; step < 4; ++step) { player.forward(); }
  settle(player);
  EXPECT_THAT(player.changes(), ElementsAre(testing::Key(3), testing::Key(8)));
}

TEST(StepPlayer, MotionRunsFromNoneToWholeAndAJumpShowsNone)
{
  StepPlayer player(moving_trace());
  EXPECT_EQ(player.motion(), 1.0);
  player.forward();
  EXPECT_EQ(player.motion(), 0.0);
  EXPECT_TRUE(player.moving());
  player.advance(0.1);
  EXPECT_GT(player.motion(), 0.0);
  EXPECT_LT(player.motion(), 1.0);
  settle(player);
  EXPECT_EQ(player.motion(), 1.0);
  EXPECT_FALSE(player.moving());
  player.go_to(3);
  EXPECT_EQ(player.motion(), 1.0);
}

TEST(StepPlayer, PlaysAtItsSpeedAndStopsAtTheEnd)
{
  StepPlayer player(moving_trace());
  player.set_speed(2.0);
  player.play_or_pause();
  EXPECT_EQ(player.position(), 1u) << "something happens at once";
  player.advance(0.4);
  EXPECT_EQ(player.position(), 1u);
  player.advance(0.2);
  EXPECT_EQ(player.position(), 2u);
  player.advance(0.5);
  EXPECT_EQ(player.position(), 3u);
  player.advance(5.0);
  EXPECT_TRUE(player.at_end());
  EXPECT_FALSE(player.playing());
  player.play_or_pause();
  EXPECT_EQ(player.position(), 1u) << "once more from the start";
  player.play_or_pause();
  player.advance(5.0);
  EXPECT_EQ(player.position(), 1u);
}

TEST(StepPlayer, ATouchEndsThePlaying)
{
  StepPlayer player(moving_trace());
  player.play_or_pause();
  player.forward();
  EXPECT_FALSE(player.playing());
  player.play_or_pause();
  player.back();
  EXPECT_FALSE(player.playing());
}

TEST(StepPlayer, ATraceWithoutStepsIsBothStartAndEnd)
{
  StepPlayer player(Trace{Operation::find, 77, 0, Outcome::missing, {}, "nothing"});
  player.play_or_pause();
  player.forward();
  player.advance(1.0);
  EXPECT_TRUE(player.at_start() && player.at_end());
  EXPECT_FALSE(player.moving());
}

TEST(StepPlayer, TheStepBeforeOnTheMapIsFoundBehindThoseBesideIt)
{
  Trace trace = moving_trace();
  trace.steps.push_back({Step::Kind::read, {key_at(5, 50)}, {}, {}, "e"});
  StepPlayer player(std::move(trace), 5);
  EXPECT_EQ(player.previous_on_map()->text, "c");
  player.go_to(1);
  EXPECT_EQ(player.previous_on_map(), nullptr);
}

/// --- what the steps leave is what the operation leaves.

std::vector<SlotInfo> slots_of(Engine& engine)
{
  std::vector<Slot> slots(engine.table().slots);
  std::iota(slots.begin(), slots.end(), Slot{0});
  return engine.slots(slots);
}

/// homes_are_told: steps of a split tell in words alone that keys of a chain have another head.
void expect_same(SlotInfo const& shown, SlotInfo const& real, bool homes_are_told)
{
  EXPECT_EQ(shown.slot, real.slot);
  EXPECT_EQ(shown.state, real.state) << "slot " << real.slot;
  EXPECT_EQ(shown.has_key, real.has_key) << "slot " << real.slot;
  if (real.has_key) {
    EXPECT_EQ(shown.pair.key, real.pair.key) << "slot " << real.slot;
    if (homes_are_told) { EXPECT_EQ(shown.home, real.home) << "slot " << real.slot; }
  }
  if (real.state == SlotState::live) { EXPECT_EQ(shown.pair.value, real.pair.value) << "slot " << real.slot; }
}

std::ptrdiff_t tombstones_in(std::vector<SlotInfo> const& slots)
{
  return std::ranges::count(slots, SlotState::tombstone, &SlotInfo::state);
}

/// Steps through the operation, does it, and compares slot by slot.
Outcome step_and_do(Engine& engine, Operation operation, Key key, Value value)
{
  std::vector<SlotInfo> const before = slots_of(engine);
  StepPlayer player(engine.trace(operation, key, value));
  for (SlotInfo const& slot : slots_of(engine)) { expect_same(slot, before[slot.slot], true); }
  while (!player.at_end()) { player.forward(); }
  settle(player);
  Outcome outcome{};
  std::span const outcomes(&outcome, 1);
  if (operation == Operation::insert) { engine.insert(std::span(&key, 1), std::span(&value, 1), outcomes); }
  if (operation == Operation::find) { engine.find(std::span(&key, 1), {}, outcomes); }
  if (operation == Operation::erase) { engine.erase(std::span(&key, 1), outcomes); }
  EXPECT_EQ(outcome, player.trace().outcome);
  std::vector<SlotInfo> const after = slots_of(engine);
  std::vector<SlotInfo> shown;
  shown.reserve(before.size());
  for (SlotInfo const& slot : before) { shown.push_back(player.overlaid(slot)); }
  bool const purged = tombstones_in(after) < tombstones_in(shown);  // to make room, once the operation was done
  for (SlotInfo const& slot : after) {
    if (!purged) { expect_same(shown[slot.slot], slot, player.trace().rebuild.empty()); }
  }
  while (!player.at_start()) { player.back(); }
  for (SlotInfo const& slot : before) { expect_same(player.overlaid(slot), slot, true); }
  return outcome;
}

/// Up to a full table, or as far as random keys find a place without a rebuild.
Key max_keys(Guarantees const& guarantees, std::uint64_t slots)
{
  double const room = static_cast<double>(slots);
  return static_cast<Key>(guarantees.overflow == OverflowPolicy::report_full ? 1.4 * room
                                                                             : 0.5 * guarantees.safe_load * room);
}

void step_at_random(TableSettings const& table)
{
  Guarantees const guarantees = family_info(table.family).guarantees(table);
  bool const moves_all = guarantees.is_static || table.family == "cpu_unordered_map";
  if (moves_all) { return; }  // an insertion lays the slots out anew, which no trace tells slot by slot
  auto const engine = make_engine(Backend::cpu, table);
  std::mt19937 random(7);
  Tally outcomes;
  for (int round = 0; round < 1500; ++round) {
    auto const operation = static_cast<Operation>(random() % 3);
    bool const grows = round < 200 && operation == Operation::erase;  // to a high load at first
    auto const key = static_cast<Key>(random() % max_keys(guarantees, table.slots));
    ++outcomes[step_and_do(*engine, grows ? Operation::insert : operation, key, static_cast<Value>(round))];
    ASSERT_FALSE(testing::Test::HasFailure()) << "round " << round;
  }
  for (Outcome const met : {Outcome::inserted, Outcome::updated, Outcome::found, Outcome::missing, Outcome::erased}) {
    EXPECT_GT(outcomes[met], 50u) << outcome_names[static_cast<std::size_t>(met)];
  }
}

TEST(StepPlayer, AfterTheLastStepTheSlotsAreAsTheOperationLeavesThem)
{
  for (std::string const& family : family_names()) {
    for (Deletion const deletion : {Deletion::empty_value, Deletion::tombstone_reuse}) {
      SCOPED_TRACE(family);
      step_at_random({.family = family, .slots = 64, .deletion = deletion});
    }
  }
}

/// --- plain words.

void expect_plain(Trace const& trace)
{
  for (Step const& step : trace.steps) {
    for (std::string const& text : {step.text, step.found}) {
      EXPECT_EQ(text.find("swap"), std::string::npos) << text;
      EXPECT_EQ(text.find("xchange"), std::string::npos) << text;
      EXPECT_NE(text, "");
    }
  }
}

TEST(PlainSteps, NameNoInstructionInAnyFamily)
{
  for (std::string const& family : family_names()) {
    FamilyInfo const& info = family_info(family);
    TableSettings const table{.family = family, .slots = 64, .deletion = Deletion::tombstone_reuse};
    auto const engine = make_engine(Backend::cpu, table);
    std::vector<Key> keys(30);
    std::iota(keys.begin(), keys.end(), Key{1});
    std::vector<Value> const values(keys.size(), 7);
    engine->insert(keys, values, {});
    engine->erase(std::span(keys).first(5), {});
    for (auto const& [operation, key] : {std::pair(Operation::insert, Key{99}), std::pair(Operation::insert, Key{3}),
                                         std::pair(Operation::insert, Key{20}), std::pair(Operation::find, Key{21}),
                                         std::pair(Operation::find, Key{77}), std::pair(Operation::erase, Key{22})}) {
      StepPlayer player(engine->trace(operation, key, 5));
      Trace const given = player.trace();
      for (KeyStyle const style : {KeyStyle::numbers, KeyStyle::names}) {
        player.tell(info, style, true);
        EXPECT_TRUE(player.plain());
        expect_plain(player.trace());
      }
      player.tell(info, KeyStyle::numbers, false);
      EXPECT_EQ(player.trace().summary, given.summary) << family;
      EXPECT_EQ(player.trace().steps.back().text, given.steps.back().text) << family;
    }
  }
}

/// Who does not see values is not told of them.
TEST(PlainSteps, SpeakOfNoValuesWhereTheseAreHidden)
{
  TableSettings const table{.slots = 16, .deletion = Deletion::empty_value, .hash = HashKind::identity};
  auto const engine = make_engine(Backend::cpu, table);
  engine->insert(std::vector<Key>{1, 17}, std::vector<Value>{7, 7}, {});
  for (Operation const operation : {Operation::find, Operation::erase}) {
    StepPlayer player(engine->trace(operation, 17, 0));
    auto const said = [&] {
      std::string all = player.trace().summary;
      for (Step const& step : player.trace().steps) { all += step.text + step.found; }
      return all;
    };
    ASSERT_NE(said().find("value"), std::string::npos) << "else this tests nothing";
    player.tell(family_info(table.family), KeyStyle::numbers, true, false);
    EXPECT_EQ(said().find("value"), std::string::npos) << said();
    for (Step const& step : player.trace().steps) { EXPECT_NE(step.text, ""); }
    player.tell(family_info(table.family), KeyStyle::numbers, true, true);
    EXPECT_NE(said().find("value"), std::string::npos);
  }
}

/// An author may say at the end why something was shown, instead of what happened.
TEST(StepPlayer, EndsWithItsConclusion)
{
  StepPlayer player(moving_trace());
  EXPECT_EQ(player.summary(), "done");
  player.conclude("As with a tombstone.");
  EXPECT_EQ(player.summary(), "As with a tombstone.");
  player.tell(family_info("linear_probing"), KeyStyle::numbers, true, false);
  EXPECT_EQ(player.summary(), "As with a tombstone.") << "however it is told";
}

/// Keys 1, 17 and 2 in slots 1, 2 and 3: 33 looks at these three and at slot 4, and is written there.
TEST(PlainSteps, CountProbes)
{
  auto const engine = make_engine(Backend::cpu, {.slots = 16, .hash = HashKind::identity});
  std::vector<Key> const keys{1, 17, 2};
  engine->insert(keys, std::vector<Value>(3, 7), {});
  StepPlayer insertion(engine->trace(Operation::insert, 33, 5));
  insertion.tell(family_info("linear_probing"), KeyStyle::numbers, true);
  EXPECT_EQ(insertion.trace().summary, "33 is inserted after 4 probes. 3 slots from home.");
  StepPlayer first(
      make_engine(Backend::cpu, {.slots = 16, .hash = HashKind::identity})->trace(Operation::insert, 33, 5));
  first.tell(family_info("linear_probing"), KeyStyle::numbers, true);
  EXPECT_EQ(first.trace().summary, "33 is inserted after 1 probe. 0 slots from home.");
  StepPlayer find(engine->trace(Operation::find, 17, 0));
  find.tell(family_info("linear_probing"), KeyStyle::numbers, true);
  EXPECT_EQ(find.trace().summary, "17 is found after 2 probes. 1 slot from home.");
}

/// Robin Hood hashing searches first, and goes the same way again to write: in plain words, once.
TEST(PlainSteps, SayNothingTwice)
{
  auto const engine = make_engine(Backend::cpu, {.family = "robin_hood", .slots = 16, .hash = HashKind::identity});
  std::vector<Key> const keys{1, 2, 3};
  engine->insert(keys, std::vector<Value>(3, 0), {});
  StepPlayer player(engine->trace(Operation::insert, 17, 0), 2);
  std::size_t const accesses = player.count();
  player.tell(family_info("robin_hood"), KeyStyle::numbers, true);
  EXPECT_LT(player.count(), accesses);
  EXPECT_EQ(player.trace().summary,
            "17 is inserted after 4 probes. 1 slot from home. 2 other keys moved to make room.");
  for (Step const& step : player.trace().steps) {
    EXPECT_EQ(step.text.find("second look"), std::string::npos) << step.text;
    EXPECT_EQ(step.text.find("Back to"), std::string::npos) << step.text;
  }
  std::vector<std::size_t> const numbers = player.numbers();
  for (std::size_t i = 0; i < player.count(); ++i) {  // slot 1 is the first probe, whenever it is written
    EXPECT_EQ(numbers[i], player.trace().steps[i].seen.front().slot);
  }
  EXPECT_EQ(player.position(), 2u);
  EXPECT_EQ(player.accesses(), 2u);
  player.go_to(player.count());
  EXPECT_EQ(player.accesses(), accesses) << "what is saved is the end";
  player.tell(family_info("robin_hood"), KeyStyle::numbers, false);
  EXPECT_TRUE(player.at_end());
  EXPECT_EQ(player.count(), accesses);
}

/// --- the camera.

Camera camera_over(std::uint64_t slots)
{
  return Camera(Grid::of(slots, Layout::rows), 950.0, 640.0, 14.0);
}

Trace reads_of(std::vector<Slot> const& slots)
{
  Trace trace{Operation::find, 77, 0, Outcome::missing, {}, {}};
  for (Slot const slot : slots) { trace.steps.push_back({Step::Kind::read, {key_at(slot, slot)}, {}, {}, {}}); }
  return trace;
}

TEST(StepFraming, SmallTablesAreShownWhole)
{
  for (std::uint64_t const slots : {16u, 32u, 64u}) {
    auto const framing = frame_path(camera_over(slots), reads_of({1, 2}), 84.0);
    ASSERT_TRUE(framing);
    EXPECT_EQ(framing->zoom, 1.0);
  }
}

TEST(StepFraming, AShortPathOfALargeTableIsShownWholeAndLegible)
{
  Camera camera = camera_over(1u << 16);
  Trace const trace = reads_of({256 * 100 + 50, 256 * 100 + 53, 256 * 102 + 51});
  auto const framing = frame_path(camera, trace, 84.0);
  ASSERT_TRUE(framing);
  camera.look(*framing);
  EXPECT_GE(camera.slot_pixels(), 84.0);
  for (Step const& step : trace.steps) { EXPECT_TRUE(shows_step(camera, step, 84.0)); }
}

TEST(StepFraming, ALongPathIsFollowedStepByStep)
{
  Camera camera = camera_over(1u << 16);
  std::vector<Slot> slots(500);
  std::iota(slots.begin(), slots.end(), Slot{256 * 100 + 200});
  Trace const trace = reads_of(slots);
  EXPECT_FALSE(frame_path(camera, trace, 84.0));
  int flights = 0;
  for (Step const& step : trace.steps) {
    if (shows_step(camera, step, 84.0)) { continue; }
    auto const framing = frame_step(camera, step, 84.0);
    ASSERT_TRUE(framing);
    camera.look(*framing);
    EXPECT_TRUE(shows_slots(camera, step));
    EXPECT_GE(camera.slot_pixels(), 83.9);
    ++flights;
  }
  EXPECT_LT(flights, 200) << "not at every step";
}

TEST(StepFraming, AStepBesideTheSlotsMovesNothing)
{
  Step const beside{Step::Kind::metadata, {}, {}, {}, {}};
  EXPECT_TRUE(shows_step(camera_over(16), beside, 84.0));
  EXPECT_FALSE(frame_step(camera_over(16), beside, 84.0));
}

}  // namespace
}  // namespace slotscape::step_player_tests
