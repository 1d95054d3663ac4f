#include "gpu/bench/table_bench.hpp"

#include "gpu/base/error.hpp"
#include "gpu/bench/memory_bench.hpp"
#include "gpu/bench/pacing.hpp"
#include "gpu/bench/table_bench_of.hpp"
#include "gpu/engine/engine.hpp"
#include "gpu/execution/cpu.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <tuple>

namespace slotscape::bench::table_bench_tests {
namespace {

using ::testing::HasSubstr;

constexpr TimedMask everything = (1u << timed_of_tables) - 1;

std::size_t index(Timed timed)
{
  return static_cast<std::size_t>(timed);
}

class EveryFamily : public ::testing::TestWithParam<std::tuple<Backend, std::string>> {
protected:
  void SetUp() override
  {
    if (backend() == Backend::cuda && !why_no_cuda().empty()) { GTEST_SKIP() << why_no_cuda(); }
  }
  Backend backend() const { return std::get<0>(GetParam()); }
  FamilyInfo const& family() const { return family_info(std::get<1>(GetParam())); }
  TableCase subject(int key_bits) const
  {
    TableCase subject{{.family = std::string(family().name), .slots = 4096, .key_bits = key_bits}, 0.5, {}, 0};
    subject.load_factor = std::min(0.5, family().guarantees(subject.table).safe_load);
    return subject;
  }
};

/// Every answer is checked by the bench itself, which throws at a wrong one.
TEST_P(EveryFamily, GoesThroughAllOperationsAndAnswersRight)
{
  for (int const bits : {32, 64}) {
    if (bits == 64 && !family().wide) { continue; }
    for (std::uint64_t const batch : {std::uint64_t{0}, std::uint64_t{500}}) {
      TableCase wanted = subject(bits);
      wanted.batch = batch;
      auto const table = make_table_bench(backend(), wanted);
      auto const round = table->run(1, everything, {});
      ASSERT_TRUE(round);
      std::uint64_t const keys = table->keys();
      double const wanted_keys = wanted.load_factor * static_cast<double>(table->table().slots);
      EXPECT_EQ(keys, static_cast<std::uint64_t>(std::llround(wanted_keys)));
      for (Timed const timed : {Timed::insert, Timed::find_hit, Timed::find_miss, Timed::erase}) {
        auto const& run = (*round)[index(timed)];
        ASSERT_TRUE(run);
        EXPECT_EQ(run->count, keys);
        EXPECT_EQ(run->failed, 0u);
        EXPECT_GT(run->seconds, 0.0);
      }
      EXPECT_EQ((*round)[index(Timed::mixed)].has_value(), !family().guarantees(wanted.table).is_static);
      EXPECT_GE(table->accesses(Timed::find_hit)->mean, 1.0);
      EXPECT_GE(table->accesses(Timed::find_miss)->max, table->accesses(Timed::find_miss)->p99);
      EXPECT_FALSE(table->accesses(Timed::insert));
      Accesses const misses = *table->accesses(Timed::find_miss);
      std::vector<std::uint32_t> each;
      for (auto const& [accesses, lookups] : misses.histogram) { each.insert(each.end(), lookups, accesses); }
      EXPECT_TRUE(std::ranges::is_sorted(each));
      EXPECT_EQ(each.back(), misses.max);
      EXPECT_EQ(each[(each.size() - 1) * 99 / 100], misses.p99);
      EXPECT_NEAR(std::accumulate(each.begin(), each.end(), 0.0) / static_cast<double>(each.size()), misses.mean, 1e-9);
    }
  }
}

TEST_P(EveryFamily, GivesEveryKeyANewValue)
{
  auto const table = make_table_bench(backend(), subject(32));
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    auto const update = table->update(seed, {});
    ASSERT_TRUE(update);
    EXPECT_EQ(update->count, table->keys());
    EXPECT_GT(update->seconds, 0.0);
  }
}

TEST_P(EveryFamily, HasTheMemoryOfTheFilledTableWhateverIsErased)
{
  auto const filled = make_table_bench(backend(), subject(32));
  filled->run(1, mask_of(Timed::insert), {});
  auto const emptied = make_table_bench(backend(), subject(32));
  emptied->run(1, everything, {});
  EXPECT_GT(filled->memory_bytes(), 8 * filled->keys());
  EXPECT_GE(emptied->memory_bytes(), filled->memory_bytes());
}

TEST_P(EveryFamily, RunsAgainWithOtherKeys)
{
  auto const table = make_table_bench(backend(), subject(32));
  for (std::uint64_t seed = 1; seed <= 3; ++seed) { EXPECT_TRUE(table->run(seed, everything, {})); }
}

INSTANTIATE_TEST_SUITE_P(On, EveryFamily,
                         ::testing::Combine(::testing::Values(Backend::cpu, Backend::cuda),
                                            ::testing::ValuesIn(family_names())),
                         [](auto const& info) {
                           return (std::get<0>(info.param) == Backend::cpu ? "cpu_" : "cuda_") +
                                  std::get<1>(info.param);
                         });

class EveryBackend : public ::testing::TestWithParam<Backend> {
protected:
  void SetUp() override
  {
    if (GetParam() == Backend::cuda && !why_no_cuda().empty()) { GTEST_SKIP() << why_no_cuda(); }
  }
};

TEST_P(EveryBackend, KeysMayComeFromAnyPattern)
{
  for (KeyDistribution const pattern : {KeyDistribution::sequential, KeyDistribution::strided, KeyDistribution::zipf,
                                        KeyDistribution::clustered, KeyDistribution::one_home}) {
    TableCase subject{{.slots = 4096}, 0.25, {}, 0};
    subject.keys.distribution = pattern;
    auto const round = make_table_bench(GetParam(), subject)->run(1, everything, {});
    ASSERT_TRUE(round);
    bool const distinct = pattern != KeyDistribution::zipf;
    EXPECT_EQ((*round)[index(Timed::erase)].has_value(), distinct);  // a key that came twice is erased once
    EXPECT_TRUE((*round)[index(Timed::find_miss)]);
  }
}

/// As above: the bench checks every answer.
TEST_P(EveryBackend, SetsGoThroughAllOperationsAtHalfTheMemory)
{
  int sets = 0;
  for (std::string const& name : family_names()) {
    if (!family_info(name).keys_alone) { continue; }
    for (int const bits : {32, 64}) {
      TableCase subject{{.family = name, .slots = 4096, .key_bits = bits}, 0.5, {}, 500};
      std::uint64_t const bytes_of_pairs = make_table_bench(GetParam(), subject)->memory_bytes();
      subject.table.keys_only = true;
      EXPECT_THROW(make_table_bench(GetParam(), subject), Error) << "erased keys keep their slots";
      subject.table.deletion = Deletion::tombstone_reuse;
      auto const set = make_table_bench(GetParam(), subject);
      EXPECT_EQ(2 * set->memory_bytes(), bytes_of_pairs);
      for (std::uint64_t seed = 1; seed <= 2; ++seed) {
        auto const round = set->run(seed, everything, {});
        ASSERT_TRUE(round);
        for (auto const& run : std::span(*round).first<timed_of_tables>()) {
          EXPECT_TRUE(run && run->count != 0 && run->failed == 0);
        }
      }
      EXPECT_DOUBLE_EQ(set->churn(3, 2, {})->replaced, 2.0);
      EXPECT_EQ(set->update(4, {})->count, 0u);  // there are no values to renew
      ++sets;
    }
  }
  EXPECT_EQ(sets, 2 * 5);
}

TEST_P(EveryBackend, AFileEndsWhereItsKeysEnd)
{
  KeySettings keys;
  keys.distribution = KeyDistribution::file;
  keys.file_keys = std::make_shared<std::vector<Key> const>(std::vector<Key>{7, 8, 9, 8});
  auto const table = make_table_bench(GetParam(), {{.slots = 4096}, 0.5, keys, 0});
  EXPECT_EQ(table->keys(), 3u);
  EXPECT_EQ(table->inserts(), 4u) << "the last one brings nothing new, but is one of the file's";
  auto const round = table->run(1, everything, {});
  ASSERT_TRUE(round);
  EXPECT_EQ((*round)[index(Timed::insert)]->count, 4u);
  EXPECT_EQ((*round)[index(Timed::find_hit)]->count, 4u);
  EXPECT_EQ(table->live(), 3u);
}

KeySettings keys_of_list(std::uint64_t count)
{
  std::vector<Key> list(count);
  for (std::uint64_t i = 0; i < count; ++i) { list[i] = 3 * i + 1; }
  KeySettings keys;
  keys.distribution = KeyDistribution::file;
  keys.file_keys = std::make_shared<std::vector<Key> const>(std::move(list));
  return keys;
}

TEST_P(EveryBackend, AFileWithoutRepeatsGoesThroughAllOperations)
{
  auto const table = make_table_bench(GetParam(), {{.slots = 4096}, 0.5, keys_of_list(2048), 300});
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    auto const round = table->run(seed, everything, {});
    ASSERT_TRUE(round);
    EXPECT_TRUE((*round)[index(Timed::mixed)]);  // keys that were erased come again
    EXPECT_TRUE((*round)[index(Timed::erase)]);
  }
}

TEST_P(EveryBackend, InsertsAsManyKeysAsItIsTold)
{
  KeySettings keys;
  keys.distribution = KeyDistribution::file;
  keys.file_keys = std::make_shared<std::vector<Key> const>(std::vector<Key>(500, 7));  // more keys than slots
  TableCase subject{{.slots = 64}, 0.1, keys, 0};
  subject.inserts = 400;
  auto const table = make_table_bench(GetParam(), subject);
  EXPECT_EQ(table->inserts(), 400u);
  EXPECT_EQ(table->keys(), 1u);
  EXPECT_EQ((*table->run(1, everything, {}))[index(Timed::insert)]->count, 400u);
  EXPECT_EQ(table->live(), 1u);
}

/// The 5000 keys 0, 0, 1, 1, 2, 3, 4, ... where every third one is one of the first 50 again.
std::vector<Key> repeating_keys()
{
  std::vector<Key> keys;
  for (Key next = 0; keys.size() < 5000;) { keys.push_back(keys.size() % 3 == 0 ? keys.size() % 50 : 100 + next++); }
  return keys;
}

KeySettings file_of(std::vector<Key> list)
{
  KeySettings keys;
  keys.distribution = KeyDistribution::file;
  keys.file_keys = std::make_shared<std::vector<Key> const>(std::move(list));
  return keys;
}

TEST_P(EveryBackend, DifferentKeysReachTheLoad)
{
  std::vector<Key> const list = repeating_keys();
  for (std::string const& name : family_names()) {
    for (double const load : {0.1, 0.4}) {
      TableCase const subject{{.family = name, .slots = 4096}, load, file_of(list), 0};
      auto const table = make_table_bench(GetParam(), subject);
      auto const wanted = static_cast<std::size_t>(std::llround(load * static_cast<double>(table->table().slots)));
      std::set<Key> seen;
      std::size_t inserts = 0;
      while (seen.size() < wanted) { seen.insert(list[inserts++]); }
      EXPECT_EQ(table->keys(), wanted) << name;
      EXPECT_EQ(table->inserts(), inserts) << name;
      auto const round = table->run(1, mask_of(Timed::find_hit) | mask_of(Timed::find_miss), {});
      ASSERT_TRUE(round);
      EXPECT_EQ((*round)[index(Timed::insert)]->count, inserts) << name;
      EXPECT_EQ((*round)[index(Timed::insert)]->failed, 0u) << name;
      EXPECT_EQ(table->live(), wanted) << name;
    }
  }
}

TEST_P(EveryBackend, DrawnKeysReachTheLoadInEveryRun)
{
  for (int const bits : {32, 64}) {
    KeySettings keys;
    keys.distribution = KeyDistribution::zipf;
    TableCase subject{{.slots = 4096, .key_bits = bits}, 0.5, keys, 0};
    auto const table = make_table_bench(GetParam(), subject);
    std::set<std::uint64_t> counts;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      auto const round = table->run(seed, mask_of(Timed::find_hit), {});
      ASSERT_TRUE(round);
      auto const stream = key_stream_of<Narrow>(keys, seed, subject.table);
      std::set<std::uint32_t> seen;
      std::uint64_t inserts = 0;
      while (seen.size() < 2048) { seen.insert(stream.key(inserts++)); }
      if (bits == 32) { EXPECT_EQ(table->inserts(), inserts); }
      EXPECT_EQ((*round)[index(Timed::insert)]->count, table->inserts());
      EXPECT_EQ(table->keys(), 2048u);
      EXPECT_EQ(table->live(), 2048u);
      counts.insert(table->inserts());
    }
    EXPECT_GT(counts.size(), 1u) << "each seed has keys of its own";
  }
}

TEST_P(EveryBackend, HoldsWhatThereIsIfTheKeysDoNotSuffice)
{
  KeySettings zipf;
  zipf.distribution = KeyDistribution::zipf;
  TableCase few{{.slots = 4096}, 0.5, zipf, 0};
  few.zipf_keys = 300;
  auto const table = make_table_bench(GetParam(), few);
  EXPECT_EQ(table->keys(), 300u);
  EXPECT_TRUE(table->run(1, mask_of(Timed::find_hit), {}));
  EXPECT_EQ(table->live(), 300u);

  zipf.zipf_exponent = 20.0;  // nearly always the same key
  auto const steep = make_table_bench(GetParam(), {{.slots = 4096}, 0.5, zipf, 0});
  EXPECT_LT(steep->keys(), 10u);
  EXPECT_EQ(steep->inserts(), max_draws * 2048);
}

/// Keys that come five times and find no place fail once.
TEST_P(EveryBackend, CountsKeysThatFindNoPlaceOnce)
{
  std::vector<Key> list;
  for (Key i = 0; i < 500; ++i) { list.push_back(i % 100); }
  TableCase subject{{.slots = 64}, 1.0, file_of(list), 0};
  subject.inserts = 500;
  auto const table = make_table_bench(GetParam(), subject);
  auto const round = table->run(1, mask_of(Timed::find_hit), {});
  ASSERT_TRUE(round);
  EXPECT_EQ((*round)[index(Timed::insert)]->failed, 36u);
  EXPECT_EQ(table->keys(), 100u);
  EXPECT_EQ(table->live(), 64u);
}

/// Sequential keys fill one cluster, which every lookup of an absent key reads to its end.
TableCase one_cluster(std::uint64_t slots)
{
  TableCase subject{{.slots = slots, .hash = HashKind::identity}, 0.82, {}, 0};
  subject.keys.distribution = KeyDistribution::sequential;
  return subject;
}

TEST_P(EveryBackend, TimesAPartOfWhatWouldTakeTooLong)
{
  TableCase subject = one_cluster(1'278'751);
  subject.max_seconds = 4.0;  // what takes a twentieth of it may be held up by others on the machine
  auto const table = make_table_bench(GetParam(), subject);
  for (int run = 0; run < 2; ++run) {
    auto const round = table->run(1, everything & ~mask_of(Timed::mixed), {});
    ASSERT_TRUE(round);
    TimedRun const& misses = *(*round)[index(Timed::find_miss)];
    EXPECT_GT(misses.count, 0u);
    EXPECT_LT(misses.count, table->keys());
    EXPECT_EQ(misses.count + misses.left_out, table->keys());
    EXPECT_EQ((*round)[index(Timed::find_hit)]->count, table->keys());
    EXPECT_EQ((*round)[index(Timed::erase)]->count, table->keys());
    EXPECT_GT(table->accesses(Timed::find_miss)->mean, 100'000.0) << "a tenth of the table";
  }
}

TEST_P(EveryBackend, GivesUpATableThatItCannotFillInTime)
{
  TableCase subject{{.slots = 1u << 20}, 0.5, {}, 0};
  subject.keys.distribution = KeyDistribution::one_home;
  subject.max_seconds = 0.4;
  auto const table = make_table_bench(GetParam(), subject);
  try {
    table->run(1, everything, {});
    ADD_FAILURE() << "134 billion accesses in a moment";
  } catch (GivenUp const& given_up) {
    EXPECT_THAT(given_up.what(), HasSubstr("linear_probing: inserting 524288 keys would take about"));
    EXPECT_GT(given_up.whole_seconds(), 0.4);
  }
}

/// A lookup that reads half of the table is a batch of a second or two; all of them take an hour.
TEST_P(EveryBackend, AsksInTheMiddleOfLongBatches)
{
  auto const table = make_table_bench(GetParam(), one_cluster(1'278'751));
  auto const start = std::chrono::steady_clock::now();
  auto const seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  EXPECT_FALSE(table->run(1, mask_of(Timed::find_miss), Progress([&](Progress const&) { return seconds() < 2.0; })));
  EXPECT_LT(seconds(), 20.0);
}

TEST_P(EveryBackend, MixesInTheSharesThatAreWanted)
{
  for (MixShares const& shares : {MixShares{1.0, 0.0, 0.0, 1.0}, MixShares{0.0, 1.0, 3.0, 0.0},
                                  MixShares{1.0, 2.0, 1.0, 0.0}, MixShares{0.0, 1.0, 0.0, 1.0}}) {
    for (bool const from_file : {false, true}) {
      TableCase subject{{.slots = 4096}, 0.75, from_file ? keys_of_list(3072) : KeySettings{}, 100};
      subject.mix = shares;
      auto const round = make_table_bench(GetParam(), subject)->run(1, everything, {});
      ASSERT_TRUE(round);
      auto const& mixed = (*round)[index(Timed::mixed)];
      ASSERT_TRUE(mixed);
      EXPECT_GT(mixed->count, 50u);
      EXPECT_EQ(mixed->failed, 0u);
      for (Timed const timed : {Timed::insert, Timed::find_hit, Timed::find_miss}) {
        EXPECT_EQ((*round)[index(timed)]->count, 3072u) << "the table is full before the mix, whatever that needs";
      }
      // a file has no others for its insertions; else the load ends where it should
      EXPECT_EQ(*mixed->most_keys < 3072u, from_file && shares.insert > 0.0 && shares.erase > 0.0);
      EXPECT_LE(*mixed->most_keys, 3072u);
      EXPECT_GE(mixed->seconds, mixed->worst_batch);
    }
  }
}

TEST_P(EveryBackend, TimesOnlySoManyBatches)
{
  TableCase subject{{.slots = 4096}, 0.5, {}, 10};
  subject.max_batches = 20;
  auto const round = make_table_bench(GetParam(), subject)->run(1, everything, {});
  ASSERT_TRUE(round);
  for (Timed const timed : {Timed::insert, Timed::find_hit, Timed::find_miss, Timed::erase}) {
    EXPECT_EQ((*round)[index(timed)]->count, 200u);
    EXPECT_EQ((*round)[index(timed)]->batches, 20u);
    EXPECT_LE((*round)[index(timed)]->worst_batch, (*round)[index(timed)]->seconds);
  }
  EXPECT_LE((*round)[index(Timed::mixed)]->count, 200u);
}

TEST_P(EveryBackend, ReplacesKeysAtConstantLoad)
{
  for (bool const from_file : {false, true}) {
    TableCase const subject{{.family = "cuckoo", .slots = 4096},
                            0.75,
                            from_file ? keys_of_list(3072) : KeySettings{},
                            0};
    auto const churned = make_table_bench(GetParam(), subject)->churn(1, 3, {});
    ASSERT_TRUE(churned);
    EXPECT_FALSE(churned->clogged);
    EXPECT_DOUBLE_EQ(churned->replaced, 3.0);
    ASSERT_EQ(churned->turns.size(), 4u);
    EXPECT_FALSE(churned->turns[0][index(Timed::insert)]);
    for (Round const& turn : churned->turns) { EXPECT_EQ(turn[index(Timed::find_hit)]->count, 3072u); }
    EXPECT_EQ(churned->turns[3][index(Timed::erase)]->count, 3072u);
    EXPECT_EQ(churned->turns[3][index(Timed::insert)]->count, 3072u);
  }
}

/// However many batches and rounds they took.
TEST_P(EveryBackend, ShardsAddUpToAllOperations)
{
  TableCase subject{{.family = "cuckoo", .slots = 4096}, 0.75, {}, 256};
  subject.table.shards = 4;
  auto const check = [](Round const& round, Timed timed) {
    auto const& run = round[index(timed)];
    ASSERT_TRUE(run && run->shards);
    std::uint64_t operations = 0;
    for (ShardWork const& shard : run->shards->shards) { operations += shard.operations; }
    EXPECT_EQ(operations, run->count);
    EXPECT_NEAR(run->shards->seconds.all(), run->seconds, 1e-3 * run->seconds);
  };
  auto const round = make_table_bench(GetParam(), subject)->run(1, everything, {});
  ASSERT_TRUE(round);
  for (Timed const timed : {Timed::insert, Timed::find_hit, Timed::find_miss, Timed::mixed, Timed::erase}) {
    check(*round, timed);
  }
  auto const churned = make_table_bench(GetParam(), subject)->churn(1, 2, {});
  ASSERT_TRUE(churned);
  for (Timed const timed : {Timed::erase, Timed::insert}) { check(churned->turns[2], timed); }
}

/// Where erased keys keep their slots, the table is full of them before long.
TEST_P(EveryBackend, NoticesThatErasedKeysFillATable)
{
  TableCase const subject{{.slots = 4096}, 0.75, {}, 0};
  auto const churned = make_table_bench(GetParam(), subject)->churn(1, 10, {});
  ASSERT_TRUE(churned);
  EXPECT_TRUE(churned->clogged);
  EXPECT_LE(churned->replaced, 0.5);  // a quarter of the slots was empty
  int left = 3;
  EXPECT_FALSE(
      make_table_bench(GetParam(), subject)->churn(1, 10, Progress([&](Progress const&) { return --left > 0; })));
}

TEST_P(EveryBackend, EndsBetweenBatchesWhenAsked)
{
  auto const table = make_table_bench(GetParam(), {{.slots = 4096}, 0.5, {}, 256});
  int left = 5;
  EXPECT_FALSE(table->run(1, everything, Progress([&](Progress const&) { return --left > 0; })));
  EXPECT_TRUE(table->run(1, everything, {}));
}

TEST_P(EveryBackend, MeasuresTheMemoryThatIsWanted)
{
  std::array const wanted{MemoryAccess::read_32, MemoryAccess::compare_exchange_16, MemoryAccess::stream_copy};
  auto const rates = measure_memory(GetParam(), {1u << 20, 1, wanted}, {});
  ASSERT_TRUE(rates);
  for (int access = 0; access < memory_access_count; ++access) {
    bool const measured = std::ranges::find(wanted, static_cast<MemoryAccess>(access)) != wanted.end();
    double const rate = (*rates)[static_cast<std::size_t>(access)];
    EXPECT_EQ(rate > 1e5 && rate < 1e14, measured) << access;
  }
  EXPECT_FALSE(measure_memory(GetParam(), {1u << 20, 1, wanted}, Progress([](Progress const&) { return false; })));
}

INSTANTIATE_TEST_SUITE_P(On, EveryBackend, ::testing::Values(Backend::cpu, Backend::cuda),
                         [](auto const& info) { return info.param == Backend::cpu ? "cpu" : "cuda"; });

TEST(TableBench, NamesTheFamiliesThatHaveSets)
{
  TableSettings const cuckoo{.family = "cuckoo",
                             .slots = 4096,
                             .deletion = Deletion::tombstone_reuse,
                             .keys_only = true};
  try {
    make_table_bench(Backend::cpu, {cuckoo, 0.5, {}, 0});
    FAIL();
  } catch (Error const& error) {
    EXPECT_THAT(error.what(), HasSubstr("linear_probing, simple_hash, double_hashing, quadratic"));
  }
}

TEST(TableBench, RefusesLoadsThatNoTableHas)
{
  for (double const load : {0.0, -1.0, 1.01}) {
    EXPECT_THROW(make_table_bench(Backend::cpu, {{.slots = 4096}, load, {}, 0}), Error);
  }
}

TEST(Limits, LookupsAreHeldAgainstReadsAndChangesAgainstExchanges)
{
  MemoryRates rates{};
  rates[static_cast<std::size_t>(MemoryAccess::read_32)] = 6.0;
  rates[static_cast<std::size_t>(MemoryAccess::compare_exchange_8)] = 3.0;
  rates[static_cast<std::size_t>(MemoryAccess::compare_exchange_16)] = 2.0;
  EXPECT_DOUBLE_EQ(limit_of(Timed::find_hit, 32, rates), 6.0);
  EXPECT_DOUBLE_EQ(limit_of(Timed::find_miss, 64, rates), 6.0);
  EXPECT_DOUBLE_EQ(limit_of(Timed::insert, 32, rates), 3.0);
  EXPECT_DOUBLE_EQ(limit_of(Timed::erase, 64, rates), 2.0);
  EXPECT_DOUBLE_EQ(limit_of(Timed::mixed, 32, rates), 4.0);  // half of each: 1 / (1/2 * 1/6 + 1/2 * 1/3)
}

/// A table of another family that spoils one value, or denies one key.
class Liar final : public BatchTable<exec::Cpu, Narrow> {
public:
  enum class Lie : std::uint8_t { none, value, outcome };

  Liar(exec::Cpu& exec, TableSettings const& settings)
      : honest_(family_on<exec::Cpu>(settings.family).tables<Narrow>()(exec, settings))
  {
  }
  static inline Lie lie = Lie::none;

  Tally run(Batch<Narrow> const& batch, double& seconds) override
  {
    Tally tally = honest_->run(batch, seconds);
    if (batch.kinds != OperationMask::finds || tally[Outcome::found] == 0) { return tally; }
    if (lie == Lie::value) { batch.values[batch.count / 2] ^= 1; }
    if (lie == Lie::outcome) { --tally[Outcome::found], ++tally[Outcome::missing]; }
    return tally;
  }

  FamilyInfo const& info() const override { return honest_->info(); }
  TableSettings const& settings() const override { return honest_->settings(); }
  std::uint64_t memory_bytes() const override { return honest_->memory_bytes(); }
  Word const* words() const override { return honest_->words(); }
  void clear() override { honest_->clear(); }
  void scan(Occupancy const& occupancy, SlotMark* marks, exec::HistogramView measures) override
  {
    honest_->scan(occupancy, marks, measures);
  }
  void count_groups(exec::HistogramView groups) override { honest_->count_groups(groups); }
  void count_moves(exec::HistogramView moves) override { honest_->count_moves(moves); }
  void count_accesses(Key const* keys, std::uint64_t count, std::uint32_t most, std::uint32_t* accesses) override
  {
    honest_->count_accesses(keys, count, most, accesses);
  }
  std::vector<SlotInfo> read(std::span<Slot const> slots) override { return honest_->read(slots); }
  ProbePath probe_path(slotscape::Key key) override { return honest_->probe_path(key); }
  Trace trace(Operation operation, slotscape::Key key, slotscape::Value value) override
  {
    return honest_->trace(operation, key, value);
  }
  std::string check_invariants() override { return honest_->check_invariants(); }
  void copy_from(BatchTable const& other) override { honest_->copy_from(other); }

private:
  std::unique_ptr<BatchTable<exec::Cpu, Narrow>> honest_;
};

TEST(TableBench, FindsOutAWrongAnswer)
{
  MakeTable<exec::Cpu, Narrow> const make = [](exec::Cpu& exec, TableSettings const& settings) {
    return std::unique_ptr<BatchTable<exec::Cpu, Narrow>>(std::make_unique<Liar>(exec, settings));
  };
  TableBenchOf<exec::Cpu, Narrow> bench({{.slots = 4096}, 0.5, {}, 0}, make);
  Liar::lie = Liar::Lie::none;
  EXPECT_TRUE(bench.run(1, everything, {}));
  for (Liar::Lie const lie : {Liar::Lie::value, Liar::Lie::outcome}) {
    Liar::lie = lie;
    try {
      bench.run(2, everything, {});
      ADD_FAILURE() << "the lie was believed";
    } catch (Error const& error) {
      EXPECT_THAT(error.what(), HasSubstr("gave wrong answers: 2047 of 2048"));
    }
  }
}

}  // namespace
}  // namespace slotscape::bench::table_bench_tests
