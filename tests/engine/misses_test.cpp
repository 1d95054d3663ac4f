#include "gpu/base/error.hpp"
#include "gpu/engine/families.hpp"
#include "tests/engine/engine_fixture.hpp"
#include "tests/engine/model.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <optional>
#include <random>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace slotscape::testing {
namespace {

using ::testing::HasSubstr;

/// Keys that are not in the tables of these tests, by home; multiples of all numbers of slots apart.
constexpr Key far_away = Key{16} * 17 * 100'000;

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

/// The lookup of an absent key goes on to the first empty slot.
TEST(Misses, OfLinearProbingAreCountedFromEveryHomeInTablesOfAnySize)
{
  for (std::uint64_t const slots : {4099u, 40'000u}) {
    SCOPED_TRACE(slots);
    auto const engine = make_engine(Backend::cpu, {.slots = slots});
    engine->run(BatchRequest::inserts(slots * 9 / 10));
    engine->run(BatchRequest::erases(slots / 20));
    std::vector<Slot> all(slots);
    std::iota(all.begin(), all.end(), Slot{0});
    std::vector<SlotInfo> const infos = engine->slots(all);
    std::vector<std::uint32_t> histogram;
    for (std::uint64_t home = 0; home < slots; ++home) {
      std::size_t accesses = 1;
      while (infos[(home + accesses - 1) % slots].state != SlotState::empty) { ++accesses; }
      histogram.resize(std::max(histogram.size(), accesses + 1));
      ++histogram[accesses];
    }
    for (Statistics const& statistics : {engine->analyse({}, {}).statistics, engine->statistics()}) {
      EXPECT_EQ(statistics.miss_accesses.histogram, histogram);
      EXPECT_EQ(statistics.miss_accesses.count, slots);
      EXPECT_EQ(statistics.miss_accesses.max, histogram.size() - 1);
      EXPECT_TRUE(statistics.misses_are_exact());
    }
  }
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

TableSettings by_squares(std::uint64_t slots, Deletion deletion = Deletion::empty_value)
{
  return {.family = "quadratic",
          .slots = slots,
          .deletion = deletion,
          .hash = HashKind::identity,
          .parameters = {{"sequence", 2}}};
}

std::vector<Key> keys_in_order(Engine& engine)
{
  std::vector<Key> keys;
  for (Slot slot = 0; slot != engine.table().slots; ++slot) { keys.push_back(engine.slot(slot).pair.key); }
  return keys;
}

/// By the formula alone, and by hand.
TEST(QuadraticBySquares, TheExampleOfTextbooksComesOut)
{
  std::vector<Key> const keys{12, 44, 13, 88, 23, 94, 11, 39, 20, 16, 5};
  std::vector<Key> computed(11, 0);
  for (Key const key : keys) {
    std::size_t i = 0;
    while (computed[(key + i * i) % 11] != 0) { ++i; }
    computed[(key + i * i) % 11] = key;
  }
  EXPECT_EQ(computed, (std::vector<Key>{44, 12, 13, 16, 88, 23, 94, 39, 5, 11, 20}));
  for (Deletion const deletion : {Deletion::empty_value, Deletion::tombstone_reuse}) {
    auto const engine = make_engine(Backend::cpu, by_squares(11, deletion));
    for (Key const key : keys) { insert_keys(*engine, {key}); }
    EXPECT_EQ(keys_in_order(*engine), computed);
    EXPECT_EQ(engine->statistics().probe_length.max, 5u) << "of 5";
  }
}

/// A table in which every key lies at its home; the lookup of another key then reads all slots that its path leads to.
TEST(QuadraticBySquares, PathsLeadToAllTheSlotsThatTheFormulaReaches)
{
  for (std::uint64_t const slots : {4u, 9u, 11u, 16u, 31u, 64u, 97u, 100u, 576u, 1009u}) {
    SCOPED_TRACE(slots);
    auto const engine = make_engine(Backend::cpu, by_squares(slots));
    std::vector<Key> homes(slots);
    std::iota(homes.begin(), homes.end(), Key{0});
    insert_keys(*engine, homes);
    ASSERT_EQ(engine->statistics().live, slots);
    Key const absent = 1000 * slots + 3;
    std::set<Slot> reached;
    for (Key i = 0; i != 3 * slots; ++i) { reached.insert(static_cast<Slot>((absent + i * i) % slots)); }
    std::vector<Slot> const path = engine->probe_path(absent).slots;
    ASSERT_EQ(path.size(), slots / 2 + 1);
    for (Key i = 0; i != path.size(); ++i) { ASSERT_EQ(path[i], (absent + i * i) % slots) << i; }
    EXPECT_EQ(std::set<Slot>(path.begin(), path.end()), reached);
    double const safe = engine->family().guarantees(engine->table()).safe_load;
    EXPECT_DOUBLE_EQ(safe * static_cast<double>(slots), static_cast<double>(reached.size()));
  }
}

/// Of m = 11, keys of one home fill 6 slots; the next one finds no place in a table that is nearly half empty. Modulo
/// 7, they have one home, too.
TEST(QuadraticBySquares, AnExhaustedSequenceIsSaid)
{
  for (Deletion const deletion : {Deletion::empty_value, Deletion::tombstone_reuse}) {
    auto const engine = make_engine(Backend::cpu, by_squares(11, deletion));
    insert_keys(*engine, {5, 82, 159, 236, 313, 390});
    EXPECT_EQ(engine->statistics().live, 6u);
    std::vector<Key> const seventh{467};
    std::vector<Value> const values{1};
    EXPECT_EQ(engine->insert(seventh, values)[Outcome::full], 1u);
    Trace const insertion = engine->trace(Operation::insert, 467, 0);
    EXPECT_EQ(insertion.outcome, Outcome::full);
    EXPECT_THAT(insertion.summary, HasSubstr("its probe sequence is exhausted: no slot (5 + i\u00b2) mod 11 is free."));
    EXPECT_THAT(insertion.steps.front().found, HasSubstr("467 hashes to slot 5: 467 mod 11 = 5. Its probes: (5 + i"));
    EXPECT_THAT(insertion.steps[1].text, HasSubstr("Next: slot 9, 3 further on: (5 + 2\u00b2) mod 11 = 9"));
    Trace const lookup = engine->trace(Operation::find, 467, 0);
    EXPECT_EQ(lookup.outcome, Outcome::missing);
    ASSERT_EQ(lookup.steps.size(), 6u);
    EXPECT_THAT(lookup.steps.back().text, HasSubstr("Its probe sequence ends here"));
    for (Key const key : {5u, 390u}) { EXPECT_EQ(engine->trace(Operation::find, key, 0).outcome, Outcome::found); }
    EXPECT_THROW(engine->rehash(7), Error) << "paths lead to 4 of 7 slots";
    EXPECT_EQ(engine->statistics().live, 6u) << "the table stays as it is";
    engine->rehash(1009);
    EXPECT_EQ(engine->statistics().live, 6u);
  }
}

TEST(QuadraticBySquares, HistoriesMatchAModelInAnyNumberOfSlots)
{
  for (std::uint64_t const slots : {13u, 100u, 1009u}) {
    for (Deletion const deletion : {Deletion::empty_value, Deletion::tombstone_reuse}) {
      SCOPED_TRACE(slots);
      TableSettings table = by_squares(slots, deletion);
      table.hash = HashKind::murmur3;
      auto const engine = make_engine(Backend::cpu, table);
      std::mt19937 random(3);
      Model model(*engine, random);
      model.allow_full();
      std::vector<Key> universe = random_keys(slots, random, 32);
      for (int round = 0; round != 40; ++round) {
        std::ranges::shuffle(universe, random);
        std::span<Key const> const keys = std::span(universe).first(random() % (slots / 2) + 1);
        if (round % 4 == 0) { model.erase(keys); }
        if (round % 4 == 1) { model.find(keys); }
        if (round % 4 == 2) { model.mixed(keys); }
        if (round % 4 == 3) { model.insert(keys); }
        model.compare();
        ASSERT_FALSE(HasFailure());
      }
    }
  }
}

TEST(QuadraticBySquares, OnlyTriangularNumbersNeedAPowerOfTwo)
{
  EXPECT_THROW(make_engine(Backend::cpu, {.family = "quadratic", .slots = 11}), Error);
  TableSettings in_shards = by_squares(33);
  in_shards.shards = 3;
  EXPECT_EQ(make_engine(Backend::cpu, in_shards)->table().slots, 33u);
}

TableSettings by_digits(std::uint64_t slots, std::uint32_t functions = 2, std::uint32_t bucket = 1)
{
  return {.family = "cuckoo",
          .slots = slots,
          .parameters = {{"functions", functions}, {"bucket", bucket}, {"hashing", 2}}};
}

/// Cuckoo hashing into two tables of 11 slots each, T1 and T2, slots 11 to 21: the shortest way of evictions.
class TwoTables {
public:
  static std::array<std::size_t, 2> slots_of(Key key) { return {key % 11, 11 + key / 11 % 11}; }

  bool insert(Key key)
  {
    std::vector<std::pair<std::size_t, std::size_t>> seen;  // a slot, and the place here of that before it
    for (std::size_t const slot : slots_of(key)) { seen.emplace_back(slot, seen.size()); }
    for (std::size_t at = 0; at != seen.size() && at < 100; ++at) {
      auto [slot, before] = seen[at];
      if (!keys[slot]) { return fill(seen, at, key); }
      auto const [first, second] = slots_of(*keys[slot]);
      std::size_t const other = slot == first ? second : first;
      if (other != seen[before].first) { seen.emplace_back(other, at); }
    }
    return false;
  }

  std::array<std::optional<Key>, 22> keys;

private:
  bool fill(std::vector<std::pair<std::size_t, std::size_t>> const& seen, std::size_t at, Key key)
  {
    for (; seen[at].second != at; at = seen[at].second) { keys[seen[at].first] = keys[seen[seen[at].second].first]; }
    keys[seen[at].first] = key;
    return true;
  }
};

TEST(CuckooByDigits, TheExampleOfTextbooksComesOut)
{
  auto const engine = make_engine(Backend::cpu, by_digits(22));
  TwoTables expected;
  for (Key const key : {20u, 50u, 53u, 75u, 100u, 67u, 105u, 3u, 36u, 39u}) {
    Trace const trace = engine->trace(Operation::insert, key, 0);
    insert_keys(*engine, {key});
    ASSERT_TRUE(expected.insert(key));
    for (Slot slot = 0; slot != 22; ++slot) {
      SlotInfo const found = engine->slot(slot);
      EXPECT_EQ(found.has_key ? std::optional(found.pair.key) : std::nullopt, expected.keys[slot]) << slot;
    }
    if (key != 67) { continue; }
    EXPECT_THAT(trace.steps.front().found, HasSubstr("67 hashes to slot 1 in T1: h1(67) = 67 mod 11 = 1. "));
    EXPECT_THAT(trace.steps.front().text,
                HasSubstr("Next: slot 6 in T2, its next bucket: h2(67) = (67 div 11) mod 11 = 6"));
    EXPECT_TRUE(std::ranges::any_of(trace.steps, [](Step const& step) {
      return step.text.find(
                 "100 moves from slot 1 in T1 to slot 9 in T2 (home 1 in T1): h2(100) = (100 div 11) mod 11 = 9") !=
             std::string::npos;
    }));
  }
  EXPECT_EQ(engine->statistics().live, 10u);
  EXPECT_EQ(engine->check_invariants(), "");
}

/// 1, 122 and 243 have the same two slots: 1 mod 11 = 1, and 0, 11 and 22 are 0 modulo 11.
TEST(CuckooByDigits, ACycleIsSaidAndTheTableIsNotRebuilt)
{
  auto const engine = make_engine(Backend::cpu, by_digits(22));
  insert_keys(*engine, {1, 122});
  std::vector<Key> const third{243};
  std::vector<Value> const values{0};
  EXPECT_EQ(engine->insert(third, values)[Outcome::full], 1u);
  Trace const trace = engine->trace(Operation::insert, 243, 0);
  EXPECT_EQ(trace.outcome, Outcome::full);
  EXPECT_THAT(trace.summary, HasSubstr("its evictions form a cycle. Textbooks would now rehash with new functions"));
  EXPECT_EQ(trace.rebuild, "");
  EXPECT_EQ(engine->statistics().live, 2u);
}

/// Each sum "(67 div 11) mod 11 = 6 in T2" of these texts, by the key that it is of.
void expect_sums_of_two_tables(std::string const& text)
{
  static std::regex const sum(R"((\d+)( div 11\))? mod 11 = (\d+) in T(\d+))");
  for (std::sregex_iterator found(text.begin(), text.end(), sum), end; found != end; ++found) {
    Key const key = std::stoull((*found)[1]);
    bool const is_second = (*found)[2].matched;
    EXPECT_EQ(std::stoull((*found)[4]), is_second ? 2u : 1u) << text;
    EXPECT_EQ(std::stoull((*found)[3]), (is_second ? key / 11 : key) % 11) << text;
  }
}

/// Multiples of 11 and 121, whose digits are 0, look as if they were in tables that there are not.
TEST(CuckooByDigits, AShardNamesItsOwnTables)
{
  TableSettings table = by_digits(66);
  table.shards = 3;
  auto const engine = make_engine(Backend::cpu, table);
  ASSERT_EQ(engine->table().slots, 66u);
  for (Key key = 11; key != Key{11} * 31; key += 11) {
    Trace const trace = engine->trace(Operation::insert, key, 0);
    insert_keys(*engine, {key});
    ASSERT_FALSE(trace.steps.empty());
    EXPECT_THAT(trace.steps.front().found, HasSubstr(std::to_string(key) + " mod 11 = 0 in T1. "));
    for (Step const& step : trace.steps) {
      expect_sums_of_two_tables(step.text);
      EXPECT_EQ(step.text.find("11^"), std::string::npos) << step.text;
    }
  }
}

/// In a nearly full table with three functions, the search for a place ends long before it has seen all ways.
TEST(CuckooByDigits, ASearchThatGivesUpDoesNotSpeakOfACycle)
{
  auto const engine = make_engine(Backend::cpu, by_digits(3003, 3));
  std::mt19937 random(5);
  std::optional<Trace> refused;
  for (Key const key : random_keys(3003, random, 32)) {
    insert_keys(*engine, {key});
    Trace trace = engine->trace(Operation::insert, key, 0);
    if (trace.outcome != Outcome::full) { continue; }
    refused = std::move(trace);
    break;
  }
  ASSERT_TRUE(refused);
  auto const is_search = [](Step const& step) { return step.place.line == "search"; };
  EXPECT_GE(std::ranges::count_if(refused->steps, is_search), 256);
  EXPECT_THAT(refused->summary, HasSubstr("the search for keys to move has reached its limit"));
  EXPECT_EQ(refused->summary.find("cycle"), std::string::npos) << refused->summary;
}

TEST(CuckooByDigits, HasATableForEachFunction)
{
  for (auto const& [functions, bucket] : {std::pair(2u, 1u), std::pair(3u, 4u), std::pair(4u, 16u)}) {
    auto const engine = make_engine(Backend::cpu, by_digits(1200, functions, bucket));
    std::mt19937 random(1);
    std::vector<Key> const keys = random_keys(500, random, 32);
    insert_keys(*engine, keys);
    EXPECT_EQ(engine->statistics().live, keys.size());
    EXPECT_EQ(engine->check_invariants(), "");
    std::uint64_t const slots = engine->table().slots;
    std::uint64_t const m = (1200 + functions * bucket - 1) / (functions * bucket);
    for (Slot slot = 0; slot < slots; ++slot) {
      SlotInfo const info = engine->slot(slot);
      if (!info.has_key) { continue; }
      Key digits = info.pair.key;
      std::uint64_t const function = slot / (m * bucket);
      for (std::uint64_t i = 0; i != function; ++i) { digits /= m; }
      EXPECT_EQ(slot / bucket % m, digits % m) << slot;
    }
  }
}

}  // namespace
}  // namespace slotscape::testing
