// What every family must do, whatever it is made of: the right outcome for each operation, by its own guarantees.
// (conformance_copies_test.cpp: batches that hold a key many times; conformance_view_test.cpp: what is seen of a
// table.)

#include "tests/engine/conformance.hpp"
#include "tests/engine/model.hpp"

#include "gpu/base/error.hpp"
#include "gpu/tables/hash_formula.hpp"

namespace slotscape::testing {
namespace {

class ConformanceTest : public FamilyTest {};

/// One of the things that happen to a table.
void something(Model& model, std::vector<Key>& universe, std::span<std::uint64_t const> slot_counts,
               std::mt19937& random)
{
  std::ranges::shuffle(universe, random);
  std::span<Key const> const keys = std::span(universe).first(random() % (universe.size() / 3 + 1));
  switch (random() % 10) {
    case 0:
    case 1:
    case 2: return model.insert(keys);
    case 3:
    case 4: return model.erase(keys);
    case 5: return model.find(keys);
    case 6:
    case 7:
    case 8: return model.mixed(keys);
    default: break;
  }
  random() % 4 == 0 ? model.clear() : model.rehash(slot_counts[random() % slot_counts.size()]);
}

TEST_P(ConformanceTest, RandomHistoriesMatchAModel)
{
  std::vector<std::uint64_t> const slot_counts = allowed({512, 577, 600, 1009, 1024});
  for (TableSettings const& table : tables(512)) {
    SCOPED_TRACE(describe(table));
    std::mt19937 random(7);
    auto const engine = make(table);
    Model model(*engine, random);
    std::vector<Key> universe = some_keys(room(*engine, small), random);
    for (int batch = 0; batch < rounds(80); ++batch) {
      something(model, universe, slot_counts, random);
      model.compare();
      if (HasFailure()) { return; }
    }
    EXPECT_EQ(engine->statistics().live, model.live());
  }
}

TEST_P(ConformanceTest, EveryHashKeepsTheKeys)
{
  if (!info().uses_hash) { GTEST_SKIP() << "it takes no hash"; }
  std::vector<HashChoice> choices(hashes.begin(), hashes.end());
  choices.emplace_back(parse_hash_formula("x*73856093 ^ y*19349669 ^ z*83492791"));
  choices.emplace_back(HashKind::murmur3);
  choices.back().reduction = HashReduction::prime;
  for (HashChoice const& hash : choices) {
    TableSettings table = tables(256).back();
    table.hash = hash;
    SCOPED_TRACE(describe(table));
    std::mt19937 random(8);
    auto const engine = make(table);
    Model model(*engine, random);
    std::vector<Key> universe = some_keys(room(*engine, 0.5), random);
    for (int batch = 0; batch < rounds(24); ++batch) {
      something(model, universe, std::array<std::uint64_t, 1>{256}, random);
      model.compare();
      if (HasFailure()) { return; }
    }
  }
}

TEST_P(ConformanceTest, TinyAndOddSizes)
{
  std::vector<std::uint64_t> const few{5, 17, 32, 577};  // the others differ from these in their numbers alone
  std::vector<std::uint64_t> const all{4, 5, 7, 8, 11, 13, 16, 17, 31, 32, 33, 64, 100, 576, 577, 1000, 1009};
  for (std::uint64_t const slots : allowed(test::is_device_sanitized() ? few : all)) {
    for (TableSettings const& table : tables(slots)) {
      SCOPED_TRACE(describe(table));
      auto const engine = make(table);
      ASSERT_GE(engine->table().slots, slots);
      for (std::size_t const count : {0u, 1u, 2u, 31u, 32u, 33u}) {
        SCOPED_TRACE(count);
        std::mt19937 random(static_cast<unsigned>(count));
        Model model(*engine, random);
        if (count > room(*engine, 0.5)) { model.allow_full(); }
        std::vector<Key> const keys = some_keys(count + 3, random);
        std::span<Key const> const stored = std::span(keys).first(count);
        model.find(keys);
        model.insert(stored);
        model.compare();
        model.insert(stored);
        model.find(keys);
        model.erase(keys);
        model.compare();
        model.mixed(stored);
        model.compare();
        model.clear();
        model.compare();
        if (HasFailure()) { return; }
      }
    }
  }
}

/// Links and other numbers that a table keeps beside its pairs, such as those of slots, are never taken for keys.
TEST_P(ConformanceTest, NumbersOfSlotsAreKeysLikeAnyOther)
{
  for (std::uint64_t const slots : allowed({40, 64, 72, 100, 136, 200, 577})) {
    for (TableSettings const& table : tables(slots)) {
      SCOPED_TRACE(describe(table));
      std::mt19937 random(9);
      auto const engine = make(table);
      std::vector<Key> const keys = numbers_of_slots(*engine, random);
      Model model(*engine, random);
      model.allow_full();
      model.insert(keys);
      model.find(keys);
      model.insert(keys);
      model.find(keys);
      model.erase(std::span(keys).first(keys.size() / 2));
      model.find(keys);
      model.mixed(keys);
      model.compare();
      if (HasFailure()) { return; }
    }
  }
}

TEST_P(ConformanceTest, EmptyBatchesDoNothing)
{
  auto const engine = make(tables(64).front());
  EXPECT_EQ(engine->insert({}, {}), Tally{});
  EXPECT_EQ(engine->find({}), Tally{});
  EXPECT_EQ(engine->erase({}), Tally{});
  EXPECT_EQ(engine->mixed({}, {}, {}), Tally{});
  EXPECT_TRUE(engine->pairs().empty());
  EXPECT_EQ(engine->check_invariants(), "");
}

TEST_P(ConformanceTest, ReservedKeysAndValuesAreRefusedAndCounted)
{
  Key const last_key = largest_key(key_bits());
  Value const last_value = largest_value(key_bits());
  for (TableSettings const& table : tables_with_values(64)) {
    SCOPED_TRACE(describe(table));
    auto const engine = make(table);
    std::vector<Key> const keys{1, last_key + 1, 2, ~Key{0}, 3, 0, last_key, ~Key{0} - 1};
    std::vector<Value> const values{10, 1, last_value + 1, 1, 30, 0, last_value, 1};
    std::vector<Outcome> outcomes(keys.size());
    using enum Outcome;
    EXPECT_EQ(engine->insert(keys, values, outcomes)[rejected], 4u);
    EXPECT_EQ(outcomes, (std::vector{inserted, rejected, rejected, rejected, inserted, inserted, inserted, rejected}));
    EXPECT_EQ(sorted_pairs(*engine), (std::vector<Pair>{{0, 0}, {1, 10}, {3, 30}, {last_key, last_value}}));

    std::vector<Value> found_values(keys.size());
    engine->find(keys, found_values, outcomes);
    EXPECT_EQ(outcomes, (std::vector{found, rejected, missing, rejected, found, found, found, rejected}));
    EXPECT_EQ(found_values,
              (std::vector<Value>{10, empty_value, empty_value, empty_value, 30, 0, last_value, empty_value}));
    engine->erase(keys, outcomes);
    EXPECT_EQ(outcomes, (std::vector{erased, rejected, missing, rejected, erased, erased, erased, rejected}));
    EXPECT_EQ(engine->find(keys)[rejected], 3u) << "also where keys were erased";
    EXPECT_THROW(engine->trace(Operation::find, last_key + 1, 0), Error);
    EXPECT_TRUE(engine->pairs().empty());
    EXPECT_EQ(engine->check_invariants(), "");
  }
}

TEST_P(ConformanceTest, SetsRefuseReservedKeysAndTakeAnyValueForNone)
{
  TableSettings const table = tables(64).back();
  if (!table.keys_only) { GTEST_SKIP() << "there are no sets of it"; }
  auto const engine = make(table);
  TableSettings with_values = table;
  with_values.keys_only = false;
  EXPECT_EQ(2 * engine->memory_bytes(), make(with_values)->memory_bytes());
  Key const last_key = largest_key(key_bits());
  std::vector<Key> const keys{1, last_key + 1, 2, ~Key{0}, last_key};
  std::vector<Value> const values{10, 1, largest_value(key_bits()) + 1, 0, ~Value{0}};
  std::vector<Outcome> outcomes(keys.size());
  using enum Outcome;
  engine->insert(keys, values, outcomes);
  EXPECT_EQ(outcomes, (std::vector{inserted, rejected, inserted, rejected, inserted}));
  EXPECT_EQ(sorted_pairs(*engine), (std::vector<Pair>{{1, 0}, {2, 0}, {last_key, 0}}));
  EXPECT_EQ(engine->probe_path(2).value, Value{0});
  EXPECT_EQ(engine->probe_path(3).value, std::nullopt);
  Trace const again = engine->trace(Operation::insert, 2, 5);
  EXPECT_EQ(again.outcome, updated);
  EXPECT_FALSE(again.has_values);
  EXPECT_EQ((again.summary + again.steps.back().text).find("value"), std::string::npos) << again.summary;
  EXPECT_EQ(engine->trace(Operation::insert, 3, empty_value).outcome, inserted);
  engine->erase(keys, outcomes);
  EXPECT_EQ(outcomes, (std::vector{erased, rejected, erased, rejected, erased}));
  EXPECT_EQ(engine->check_invariants(), "");
}

TEST_P(ConformanceTest, RandomKeysFindAPlaceUpToTheSafeLoad)
{
  std::uint64_t const slots = is_sanitized() ? 1024 : 4096;
  for (TableSettings const& table : tables(slots)) {
    SCOPED_TRACE(describe(table));
    for (unsigned seed = 0; seed < 3; ++seed) {
      std::mt19937 random(seed);
      auto const at_once = make(table);
      Guarantees const guarantees = info().guarantees(at_once->table());
      std::vector<Key> const keys = some_keys(room(*at_once), random);
      std::vector<Value> const values(keys.size(), 1);
      ASSERT_EQ(at_once->insert(keys, values)[Outcome::inserted], keys.size());
      EXPECT_EQ(at_once->find(keys)[Outcome::found], keys.size());
      EXPECT_EQ(at_once->check_invariants(), "");

      auto const bit_by_bit = make(table);
      std::size_t const part = guarantees.is_static ? keys.size() / 5 + 1 : 333;
      for (std::size_t first = 0; first < keys.size(); first += part) {
        std::span<Key const> const batch = std::span(keys).subspan(first, std::min(part, keys.size() - first));
        ASSERT_EQ(bit_by_bit->insert(batch, std::span(values).first(batch.size()))[Outcome::inserted], batch.size());
      }
      std::vector<Key> expected = keys;
      std::ranges::sort(expected);
      ASSERT_EQ(sorted_keys(*bit_by_bit), expected);
      EXPECT_EQ(bit_by_bit->check_invariants(), "");
    }
  }
}

TEST_P(ConformanceTest, BeyondItsCapacityKeysAreFullAndNoneIsLost)
{
  for (std::uint64_t const slots : allowed({4, 7, 11, 16, 100, 256, 577})) {
    for (TableSettings const& table : tables(slots)) {
      SCOPED_TRACE(describe(table));
      std::mt19937 random(3);
      auto const engine = make(table);
      std::uint64_t const real = engine->places();
      std::vector<Key> const keys = some_keys(room(*engine, 0.5) + 4 * real + 64, random);
      std::span<Key const> left(keys);
      auto const take = [&](std::size_t count) {
        std::span<Key const> const taken = left.first(count);
        left = left.subspan(count);
        return taken;
      };
      Model model(*engine, random);
      model.insert(take(room(*engine, 0.5)));
      model.allow_full();
      for (std::size_t const count : {2 * real, std::uint64_t{33}, real / 2}) {
        model.insert(take(count));
        model.compare();
        ASSERT_LE(model.live(), real);
        if (HasFailure()) { return; }
      }
      if (!info().guarantees(engine->table()).is_static) {
        EXPECT_GE(model.live(), room(*engine, small)) << "with so many keys to choose from";
      }
      model.find(keys);
      model.erase(std::span(keys).first(real));
      model.compare();
      model.insert(take(real / 2));
      model.mixed(keys);
      model.compare();
      model.erase(keys);
      model.compare();
      EXPECT_EQ(model.live(), 0u);
      if (HasFailure()) { return; }
    }
  }
}

TEST_P(ConformanceTest, ErasedKeysMakeRoomAsStated)
{
  for (TableSettings const& table : tables(1024)) {
    SCOPED_TRACE(describe(table));
    std::mt19937 random(4);
    auto const engine = make(table);
    bool const frees = info().guarantees(engine->table()).erase_frees_slot;
    Model model(*engine, random);
    for (int round = 0; round < 4; ++round) {
      std::vector<Key> const keys = some_keys(room(*engine, 0.95), random);
      model.insert(keys);
      model.compare();
      model.erase(keys);
      model.compare();
      if (!frees) { model.rehash(engine->table().slots); }
      if (HasFailure()) { return; }
    }
  }
}

TEST_P(ConformanceTest, AMillionOperationsOfChurnAtHighLoad)
{
  if (shards() != 1) { GTEST_SKIP() << "each shard is churned as a table is"; }
  for (TableSettings const& table : tables(2048)) {
    SCOPED_TRACE(describe(table));
    std::mt19937 random(5);
    auto const engine = make(table);
    Guarantees const guarantees = info().guarantees(engine->table());
    // A table grows old where erased keys make room; it is enough to see that once.
    bool const usual = table.parameters.empty() && !table.keys_only && guarantees.erase_frees_slot;
    std::uint64_t const whole = usual && key_bits() == 32 && !is_sanitized() ? 1'000'000 : 50'000;
    std::uint64_t const operations = guarantees.is_static ? whole / 4 : whole;
    // Where erased keys keep their slots, the table must have room for all keys that ever come.
    std::size_t const part = room(*engine) / 20;
    std::size_t const live = (guarantees.erase_frees_slot ? 18 : 17) * part;
    std::vector<Key> universe = some_keys(live + (guarantees.erase_frees_slot ? 40 : 2) * part, random);
    std::span<Key> const in = std::span(universe).first(live);
    std::span<Key> const out = std::span(universe).subspan(live);
    std::vector<Operation> kinds(4 * part, Operation::find);
    std::fill_n(kinds.begin(), part, Operation::insert);
    std::fill_n(kinds.begin() + static_cast<std::ptrdiff_t>(part), part, Operation::erase);
    Model model(*engine, random);
    model.insert(in);
    for (std::uint64_t round = 0; round < operations / kinds.size(); ++round) {
      std::ranges::shuffle(in, random);
      std::ranges::shuffle(out, random);
      std::vector<Key> keys;
      for (std::span<Key const> const some : {out.first(part), in.first(2 * part), out.last(part)}) {
        keys.insert(keys.end(), some.begin(), some.end());
      }
      model.mixed(kinds, keys);
      std::ranges::swap_ranges(out.first(part), in.first(part));
      if (round % 64 == 0) { model.compare(); }
      if (HasFailure()) { return; }
    }
    model.compare();
    EXPECT_EQ(engine->statistics().live, model.live());
  }
}

TEST_P(ConformanceTest, RehashingKeepsThePairsAndDropsTheTombstones)
{
  for (TableSettings const& table : tables(1024)) {
    SCOPED_TRACE(describe(table));
    std::mt19937 random(6);
    auto const engine = make(table);
    Model model(*engine, random);
    std::vector<Key> keys = some_keys(room(*engine, small), random);
    model.insert(keys);
    for (std::uint64_t const slots : allowed({2048, 1024, 512, 577, 1000, 2039, 4096})) {
      SCOPED_TRACE(slots);
      std::size_t const fits = keys.size() / 3;  // also into half of the slots
      std::vector<Key> const live = model.live_keys();
      if (live.size() > fits) { model.erase(std::span(live).subspan(fits)); }
      model.rehash(slots);
      model.compare();
      model.insert(std::span(keys).first(fits));
      if (room(*engine, small) >= keys.size()) { model.insert(keys); }
      model.compare();
      if (HasFailure()) { return; }
    }
  }
}

TEST_P(ConformanceTest, ARehashThatCannotBeLeavesTheTable)
{
  for (TableSettings const& table : tables(2048)) {
    SCOPED_TRACE(describe(table));
    std::mt19937 random(9);
    auto const engine = make(table);
    Model model(*engine, random);
    model.insert(some_keys(room(*engine, small), random));
    std::uint64_t const slots = engine->table().slots;
    for (std::uint64_t const wrong : {std::uint64_t{0}, std::uint64_t{1} << 40}) {
      EXPECT_THROW(engine->rehash(wrong), Error) << wrong;
    }
    if (model.live() > std::uint64_t{3} * 576) {
      EXPECT_THROW(engine->rehash(16), Error) << "whatever 16 is rounded up to";
    }
    engine->rehash_begin(slots);
    engine->rehash_cancel();
    EXPECT_EQ(engine->table().slots, slots);
    model.compare();
  }
}

TEST_P(ConformanceTest, GeneratedBatchesOfEveryKindOfKeys)
{
  for (TableSettings const& table : tables(1024)) {
    SCOPED_TRACE(describe(table));
    for (auto const kind : {KeyDistribution::uniform, KeyDistribution::sequential, KeyDistribution::strided,
                            KeyDistribution::zipf, KeyDistribution::clustered, KeyDistribution::one_home}) {
      SCOPED_TRACE(int(kind));
      auto const engine = make(table);
      KeySettings keys;
      keys.distribution = kind;
      engine->set_keys(keys, 3);
      std::uint64_t const count = room(*engine, 0.25);
      Tally const inserted = engine->run(BatchRequest::inserts(count)).outcomes;
      std::uint64_t live = inserted[Outcome::inserted];
      ASSERT_EQ(live + inserted[Outcome::updated] + inserted[Outcome::full], count);
      if (kind == KeyDistribution::uniform) { ASSERT_EQ(live, count); }
      ASSERT_EQ(engine->run(BatchRequest::finds(500, KeyChoice::hits)).outcomes[Outcome::found], 500u);
      ASSERT_EQ(engine->run(BatchRequest::finds(500, KeyChoice::misses)).outcomes[Outcome::missing], 500u);
      ASSERT_EQ(engine->run(BatchRequest::erases(live / 2)).outcomes[Outcome::erased], live / 2);
      live -= live / 2;
      for (int round = 0; round < 3; ++round) {
        Tally const mix = engine->run({.count = 100, .insert = 0.4, .find = 0.3, .erase = 0.3}).outcomes;
        live += mix[Outcome::inserted];
        live -= mix[Outcome::erased];
        ASSERT_EQ(sorted_keys(*engine).size(), live);
        ASSERT_EQ(engine->check_invariants(), "");
      }
      ASSERT_EQ(engine->run(BatchRequest::erases(live)).outcomes[Outcome::erased], live);
      ASSERT_TRUE(engine->pairs().empty());
    }
  }
}

SLOTSCAPE_FOR_EVERY_FAMILY(ConformanceTest);

}  // namespace
}  // namespace slotscape::testing
