// What is seen of a table of any family: statistics, pictures, paths, steps. All of it is compared with a count of the
// slots, one by one.

#include "tests/engine/brute_force.hpp"
#include "tests/engine/conformance.hpp"

#include <cmath>
#include <map>

namespace slotscape::testing {
namespace {

class ConformanceViewTest : public FamilyTest {
protected:
  struct Used {
    std::unique_ptr<Engine> engine;
    std::vector<Key> live;
    std::vector<Key> erased;
    std::vector<Key> absent;
  };

  /// A table in use: a part of the safe load is live, and some keys were erased.
  static Used make_used(TableSettings const& table, double part)
  {
    std::mt19937 random(31);
    Used used{make(table), {}, {}, {}};
    std::size_t const count = room(*used.engine, part);
    std::vector<Key> const keys = some_keys(count + 20, random);
    used.engine->insert(std::span(keys).first(count), random_values(count, random, key_bits()));
    auto const erased = keys.begin() + static_cast<std::ptrdiff_t>(count - count / 5);
    used.live.assign(keys.begin(), erased);
    used.erased.assign(erased, keys.begin() + static_cast<std::ptrdiff_t>(count));
    used.absent.assign(keys.end() - 20, keys.end());
    used.engine->erase(used.erased);
    return used;
  }

  static std::map<Key, SlotInfo> slots_of_keys(std::span<SlotInfo const> slots)
  {
    std::map<Key, SlotInfo> places;
    for (SlotInfo const& slot : slots) {
      if (slot.state == SlotState::live) { EXPECT_TRUE(places.emplace(slot.pair.key, slot).second) << slot.pair.key; }
    }
    return places;
  }
};

TEST_P(ConformanceViewTest, StatisticsMatchACountOfTheSlots)
{
  for (std::uint64_t const slots : allowed({4, 7, 11, 16, 33, 100, 577, 1009, 1024})) {
    for (TableSettings const& table : tables(slots)) {
      SCOPED_TRACE(describe(table));
      for (double const part : {0.0, 0.3, 0.8}) {
        Used const used = make_used(table, part);
        std::vector<SlotInfo> const infos = all_slots(*used.engine);
        Statistics const expected = count_statistics(infos, shards());
        ASSERT_EQ(expected.live, used.live.size());
        expect_equal(used.engine->statistics(), expected);
        expect_equal(used.engine->analyse({}, {}).statistics, expected);
        if (HasFailure()) { return; }
      }
    }
  }
}

TEST_P(ConformanceViewTest, PicturesAndClustersMatchTheSlots)
{
  for (std::uint64_t const slots : allowed({4, 7, 11, 16, 100, 577, 1024, 4096, 5009})) {
    TableSettings const table = tables(slots).front();
    SCOPED_TRACE(describe(table));
    Used const used = make_used(table, 0.7);
    std::vector<SlotInfo> const infos = all_slots(*used.engine);
    for (Layout const layout : {Layout::rows, Layout::hilbert}) {
      expect_pictures(*used.engine, infos, layout);
      if (HasFailure()) { return; }
    }
    for (std::size_t slot = 0; slot < infos.size(); slot += 7) {
      Cluster const expected = walk_cluster(infos, infos[slot].slot, shards());
      Cluster const actual = used.engine->cluster(infos[slot].slot);
      ASSERT_EQ(actual.length, expected.length) << "slot " << slot;
      if (expected.length != 0) { ASSERT_EQ(actual.start, expected.start) << "slot " << slot; }
    }
  }
}

void expect_sums(Distribution const& distribution, Measure const& measure, char const* what)
{
  SCOPED_TRACE(what);
  if (measure.name.empty()) {
    EXPECT_EQ(distribution.count, 0u) << "the family names no such quantity";
    return;
  }
  std::uint64_t count = distribution.beyond;
  for (std::uint32_t const entry : distribution.histogram) { count += entry; }
  EXPECT_EQ(count, distribution.count);
  if (count != 0 && distribution.beyond == 0) { EXPECT_EQ(distribution.histogram.size(), distribution.max + 1); }
}

TEST_P(ConformanceViewTest, DistributionsAddUp)
{
  for (TableSettings const& table : tables(1024)) {
    SCOPED_TRACE(describe(table));
    Used const used = make_used(table, 0.9);
    Statistics const found = used.engine->statistics();
    expect_sums(found.probe_length, info().measure, "measure");
    expect_sums(found.groups, info().groups, "groups");
    expect_sums(found.moves, info().moves, "moves");
    EXPECT_EQ(found.hit_accesses.count, found.live);
    EXPECT_GT(found.miss_accesses.count, 0u);
    if (!info().moves.name.empty()) { EXPECT_EQ(found.moves.histogram.empty() ? 0 : found.moves.histogram[0], 0u); }
    bool const groups_hold_keys = info().groups.unit.starts_with("keys");
    if (groups_hold_keys) {
      auto const keys =
          static_cast<std::uint64_t>(std::llround(found.groups.mean * static_cast<double>(found.groups.count)));
      EXPECT_GE(keys, found.live);
      EXPECT_LE(keys, found.live + found.tombstones) << "erased keys may stay in their groups";
    }
    EXPECT_GT(used.engine->memory_bytes(), 0u);
  }
}

TEST_P(ConformanceViewTest, HitsTakeAsManyAccessesAsTheMeasureSays)
{
  bool const states_accesses = info().first_access + info().accesses_per_measure != 0;
  for (std::uint64_t const slots : allowed({100, 512})) {
    for (TableSettings const& table : tables(slots)) {
      SCOPED_TRACE(describe(table));
      Used const used = make_used(table, 0.85);
      std::map<Key, SlotInfo> const places = slots_of_keys(all_slots(*used.engine));
      double sum = 0.0;
      for (Key const key : used.live) {
        SlotInfo const& place = places.at(key);
        ProbePath const path = used.engine->probe_path(key);
        ASSERT_EQ(path.value, place.pair.value) << "key " << key;
        ASSERT_EQ(path.slots.back(), place.slot) << "key " << key;
        Trace const trace = used.engine->trace(Operation::find, key, 0);
        ASSERT_EQ(trace.outcome, Outcome::found) << "key " << key;
        ASSERT_EQ(trace.value, place.pair.value) << "key " << key;
        sum += static_cast<double>(trace.steps.size());
        if (!states_accesses) { continue; }
        ASSERT_EQ(trace.steps.size(), info().first_access + place.probe_length * info().accesses_per_measure)
            << "key " << key << " in slot " << place.slot;
      }
      if (!states_accesses) { continue; }
      EXPECT_NEAR(used.engine->statistics().hit_accesses.mean, sum / static_cast<double>(used.live.size()), 1e-6);
    }
  }
}

/// The slots hold the same, as far as a user sees.
void expect_same(std::span<SlotInfo const> actual, std::span<SlotInfo const> expected)
{
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    ASSERT_EQ(actual[i].state, expected[i].state) << "slot " << i;
    ASSERT_EQ(actual[i].has_key, expected[i].has_key) << "slot " << i;
    if (actual[i].has_key) { ASSERT_EQ(actual[i].pair, expected[i].pair) << "slot " << i; }
  }
}

/// Runs one operation for good; returns what became of it.
Outcome run_one(Engine& engine, Operation operation, Key key, Value value)
{
  Outcome outcome{};
  engine.mixed(std::span(&operation, 1), std::span(&key, 1), std::span(&value, 1), std::span(&outcome, 1));
  return outcome;
}

/// An operation changes the slots that its steps write, and no others: unless it rebuilds the table, or the slots are a
/// copy made for people, as those of `cpu_unordered_map` are.
bool keeps_its_slots(Engine& engine)
{
  return !engine.family().guarantees(engine.table()).is_static && engine.family().name != "cpu_unordered_map";
}

/// The steps tell of each access in words, leave the table alone, and end as the operation itself then does.
void expect_trace_agrees(Engine& engine, Operation operation, Key key, Value value)
{
  SCOPED_TRACE(::testing::Message() << "operation " << int(operation) << " of key " << key);
  std::vector<SlotInfo> slots = all_slots(engine);
  Trace const trace = engine.trace(operation, key, value);
  ASSERT_NO_FATAL_FAILURE(expect_same(all_slots(engine), slots)) << "the table changed while it was only traced";
  EXPECT_EQ(trace.operation, operation);
  EXPECT_EQ(trace.key, key);
  EXPECT_NE(trace.summary, "");
  for (Step const& step : trace.steps) {
    EXPECT_NE(step.text, "");
    EXPECT_EQ(step.seen.empty(), step.kind == Step::Kind::metadata);
    if (!step.after) { continue; }
    EXPECT_EQ(step.seen.front().slot, step.after->slot);
    slots[step.after->slot] = *step.after;
  }
  ASSERT_EQ(run_one(engine, operation, key, value), trace.outcome);
  if (keeps_its_slots(engine)) {
    ASSERT_NO_FATAL_FAILURE(expect_same(all_slots(engine), slots)) << "the table is not as the steps left it";
  }
  EXPECT_EQ(engine.check_invariants(), "");
}

TEST_P(ConformanceViewTest, StepsTellWhatTheOperationDoes)
{
  for (std::uint64_t const slots : allowed({std::uint64_t{64} * shards(), std::uint64_t{100} * shards()})) {
    for (TableSettings const& table : tables(slots)) {
      SCOPED_TRACE(describe(table));
      Used const used = make_used(table, 0.8);
      for (std::size_t i = 0; i < 6; ++i) {
        for (std::vector<Key> const* keys : {&used.live, &used.erased, &used.absent}) {
          Key const key = keys->at(i % keys->size());
          expect_trace_agrees(*used.engine, Operation::find, key, 0);
          expect_trace_agrees(*used.engine, Operation::insert, key, 77);
          expect_trace_agrees(*used.engine, Operation::find, key, 0);
          expect_trace_agrees(*used.engine, Operation::erase, key, 0);
          expect_trace_agrees(*used.engine, Operation::erase, key, 0);
          if (HasFailure()) { return; }
        }
      }
    }
  }
}

TEST_P(ConformanceViewTest, TheFamilyDescribesItself)
{
  EXPECT_EQ(info().name, GetParam().family);
  for (std::string_view const text : {info().title, info().source, info().idea, info().measure.name}) {
    EXPECT_NE(text, "");
  }
  for (Parameter const& parameter : info().parameters) {
    SCOPED_TRACE(parameter.name);
    EXPECT_NE(parameter.title, "");
    EXPECT_NE(std::ranges::find(parameter.choices, parameter.fallback), parameter.choices.end());
    if (!parameter.choice_names.empty()) { EXPECT_EQ(parameter.choice_names.size(), parameter.choices.size()); }
  }
  for (TableSettings const& table : tables(64)) {
    Guarantees const guarantees = info().guarantees(table);
    EXPECT_GT(guarantees.safe_load, 0.0);
    EXPECT_LE(guarantees.safe_load, guarantees.max_load);
    EXPECT_EQ(guarantees.max_load, places_per_slot(info(), table));
  }
}

SLOTSCAPE_FOR_EVERY_FAMILY(ConformanceViewTest);

}  // namespace
}  // namespace slotscape::testing
