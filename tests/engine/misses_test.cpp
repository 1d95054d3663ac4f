#include "gpu/engine/families.hpp"
#include "tests/engine/engine_fixture.hpp"

#include <bit>
#include <numeric>
#include <set>
#include <string>
#include <vector>

namespace slotscape::testing {
namespace {

/// Keys that are not in the tables of these tests, by home; multiples of all numbers of slots apart.
constexpr Key far_away = 16u * 17u * 100'000u;

/// The memory accesses of the lookup of an absent key with that home, from the family's own code.
double accesses_of_miss(Engine& engine, Slot home, Key times = 1)
{
  Key const absent = far_away * times + home;
  Trace const trace = engine.trace(Operation::find, absent, 0);
  EXPECT_EQ(trace.outcome, Outcome::missing);
  return static_cast<double>(trace.steps.size());
}

double mean_over_all_homes(Engine& engine)
{
  double sum = 0.0;
  std::uint64_t const slots = engine.table().slots;
  for (Slot home = 0; home < slots; ++home) { sum += accesses_of_miss(engine, home); }
  return sum / static_cast<double>(slots);
}

void insert_keys(Engine& engine, std::vector<Key> const& keys)
{
  std::vector<Value> const values(keys.size());
  engine.insert(keys, values);
}

std::vector<Key> const nine_keys{10, 22, 31, 4, 15, 28, 17, 88, 59};

/// Families whose lookups of absent keys depend on the home slot alone.
std::vector<std::string> families_by(MissesBy by)
{
  std::vector<std::string> names;
  for (std::string const name : {"linear_probing", "simple_hash", "double_hashing", "quadratic", "robin_hood",
                                 "hopscotch", "warp_cooperative", "swiss", "graveyard", "hash_graph", "slab"}) {
    if (family_info(name).misses_by == by) { names.push_back(name); }
  }
  return names;
}

TEST(Misses, AreTheMeanOverAllHomesToTheLastDigit)
{
  EXPECT_EQ(families_by(MissesBy::home).size(), 6u);
  for (std::string const& family : families_by(MissesBy::home)) {
    SCOPED_TRACE(family);
    auto const engine = make_engine(Backend::cpu, {.family = family, .slots = 16, .hash = HashKind::identity});
    insert_keys(*engine, nine_keys);
    double const exact = mean_over_all_homes(*engine);
    Statistics const live = engine->analyse({}, {}).statistics;
    Statistics const complete = engine->statistics();
    EXPECT_DOUBLE_EQ(live.miss_accesses.mean, exact);
    EXPECT_DOUBLE_EQ(complete.miss_accesses.mean, exact);
    EXPECT_TRUE(live.misses_are_exact() && complete.misses_are_exact());
  }
}

TEST(Misses, OfTheLecturersTableAre31Sixteenths)
{
  auto const engine = make_engine(Backend::cpu, {.slots = 16, .hash = HashKind::identity});
  insert_keys(*engine, nine_keys);
  EXPECT_EQ(engine->statistics().miss_accesses.mean, 31.0 / 16.0);
  EXPECT_EQ(engine->statistics().miss_accesses.max, 4u);
}

TEST(Misses, OfAFullTableReadEverySlot)
{
  auto const engine = make_engine(Backend::cpu, {.slots = 16, .hash = HashKind::identity});
  std::vector<Key> keys(16);
  std::iota(keys.begin(), keys.end(), Key{0});
  insert_keys(*engine, keys);
  EXPECT_EQ(engine->statistics().miss_accesses.mean, 16.0);
}

TEST(Misses, DependOnTheHomeAloneWhereAFamilySaysSo)
{
  for (std::string const& family : families_by(MissesBy::home)) {
    SCOPED_TRACE(family);
    auto const engine = make_engine(Backend::cpu, {.family = family, .slots = 16, .hash = HashKind::identity});
    insert_keys(*engine, nine_keys);
    for (Slot home = 0; home < 16; ++home) {
      ASSERT_EQ(accesses_of_miss(*engine, home, 1), accesses_of_miss(*engine, home, 7)) << home;
    }
  }
}

/// Whatever keys come next, and however often and by whom it is asked.
TEST(Misses, AreTheSameNumberForTheSameTable)
{
  for (TableSettings const& table : std::vector<TableSettings>{{.family = "double_hashing", .slots = 17},
                                                               {.family = "robin_hood", .slots = 1000},
                                                               {.family = "linear_probing", .slots = 1u << 16},
                                                               {.family = "quadratic", .slots = 1u << 16},
                                                               {.family = "graveyard", .slots = 4096}}) {
    SCOPED_TRACE(table.family);
    auto const watched = make_engine(Backend::cpu, table);
    auto const asked = make_engine(Backend::cpu, table);
    watched->run(BatchRequest::inserts(table.slots * 9 / 10));
    asked->restore(*watched->save());
    Statistics live = watched->analyse({}, {}).statistics;
    for (int frame = 0; frame < 2000 && live.miss_accesses.count < live.miss_sample.wanted; ++frame) {
      live = watched->analyse({}, {}).statistics;
    }
    EXPECT_EQ(live.miss_accesses.mean, asked->statistics().miss_accesses.mean);
    EXPECT_EQ(live.miss_accesses.mean, watched->statistics().miss_accesses.mean);
    bool const exact = table.family == "linear_probing";
    EXPECT_EQ(live.misses_are_exact(), exact);
  }
}

TEST(Misses, OfKeysInPatternsAreSampledWhereTheHashKeepsThePattern)
{
  TableSettings table{.slots = 1024};
  KeySettings keys;
  keys.distribution = KeyDistribution::strided;
  for (HashKind const hash : {HashKind::identity, HashKind::murmur3}) {
    table.hash = hash;
    auto const engine = make_engine(Backend::cpu, table);
    engine->set_keys(keys, 1, table);
    engine->run(BatchRequest::inserts(100));
    EXPECT_EQ(engine->statistics().misses_are_exact(), hash == HashKind::murmur3);
  }
}

TEST(Misses, OfKeysWithOneHomeMeetTheirClusterWithItsShare)
{
  TableSettings const table{.slots = 1024};
  auto const engine = make_engine(Backend::cpu, table);
  KeySettings keys;
  keys.distribution = KeyDistribution::one_home;
  engine->set_keys(keys, 1, table);
  engine->run(BatchRequest::inserts(100));
  EXPECT_EQ(engine->statistics().miss_accesses.mean, 1.0 + 100.0 * 101.0 / 2.0 / 1024.0);
}

/// By hand: 27 mod 17 = 10, h2 = 1 + 27 mod 16 = 12; and (10 + 12) mod 17 = 5.
TEST(DoubleHashing, StepsByHandWithTheIdentityHash)
{
  for (std::uint64_t const slots : {17u, 16u, 31u, 64u}) {
    SCOPED_TRACE(slots);
    auto const engine =
        make_engine(Backend::cpu, {.family = "double_hashing", .slots = slots, .hash = HashKind::identity});
    std::vector<Key> keys(slots);
    std::iota(keys.begin(), keys.end(), Key{1000});
    insert_keys(*engine, keys);
    for (Key const absent : {Key{27}, Key{999}, Key{123'457}}) {
      std::uint64_t const step =
          std::has_single_bit(slots) ? (1 + 2 * (absent / slots)) % slots : 1 + absent % (slots - 1);
      ProbePath const path = engine->probe_path(absent);
      ASSERT_EQ(path.slots.size(), slots);
      for (std::size_t i = 0; i < slots; ++i) { ASSERT_EQ(path.slots[i], (absent + i * step) % slots) << i; }
      EXPECT_EQ(std::set<Slot>(path.slots.begin(), path.slots.end()).size(), slots) << "every slot";
    }
  }
}

/// Figure 11.5 of Cormen et al.: m = 13, h1 = k mod 13, h2 = 1 + k mod 11. 14 finds slots 1 and 5 occupied, and is
/// inserted into slot 9.
TEST(DoubleHashing, TheFigureOfTheTextbookCanBeShown)
{
  auto const engine = make_engine(Backend::cpu, {.family = "double_hashing",
                                                 .slots = 13,
                                                 .hash = HashKind::identity,
                                                 .parameters = {{"modulus_below", 2}}});
  std::vector<std::pair<Slot, Key>> const figure{{1, 79}, {4, 69}, {5, 98}, {7, 72}, {11, 50}};
  for (Key const key : {79u, 69u, 72u, 98u, 50u}) { insert_keys(*engine, std::vector{Key{key}}); }
  for (auto const& [slot, key] : figure) { EXPECT_EQ(engine->slot(slot).pair.key, key) << slot; }
  Trace const trace = engine->trace(Operation::insert, 14, 0);
  EXPECT_EQ(trace.second_hash, "h2 = 1 + 14 mod 11 = 4");
  ASSERT_TRUE(trace.steps.back().after);
  EXPECT_EQ(trace.steps.back().after->slot, 9u);
  EXPECT_EQ(engine->probe_path(14).slots, (std::vector<Slot>{1, 5, 9}));
}

TEST(DoubleHashing, TellsHowTheStepIsComputed)
{
  auto const text_of = [](std::uint64_t slots, HashKind hash, Key key) {
    return make_engine(Backend::cpu, {.family = "double_hashing", .slots = slots, .hash = hash})
        ->probe_path(key)
        .second_hash;
  };
  EXPECT_EQ(text_of(17, HashKind::identity, 27), "h2 = 1 + 27 mod 16 = 12");
  EXPECT_EQ(text_of(16, HashKind::identity, 55), "h2 = (1 + 2 (55 div 16)) mod 16 = 7");
  EXPECT_EQ(text_of(17, HashKind::murmur3, 27), "");
}

}  // namespace
}  // namespace slotscape::testing
