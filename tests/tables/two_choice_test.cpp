// The power of two choices: what load a table reaches, and how even its buckets are, against the fluid limit.

#include "gpu/tables/two_choice.hpp"
#include "gpu/analysis/theory.hpp"
#include "tests/tables/random_keys.hpp"
#include "tests/tables/tile_operations.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace slotscape::two_choice_tests {
namespace {

TableSettings settings(std::uint64_t slots, int key_bits = 32)
{
  return {.family = "two_choice", .slots = slots, .key_bits = key_bits};
}

/// How many keys buckets of `size` slots hold when a key first meets two full ones: balls into bins, without a table.
std::uint64_t keys_until_refused(std::uint32_t buckets, std::uint32_t size, unsigned seed)
{
  std::mt19937 random(seed);
  std::vector<std::uint32_t> keys(buckets, 0);
  for (std::uint64_t inserted = 0;; ++inserted) {
    std::uint32_t const first = random() % buckets;
    std::uint32_t const second = (first + 1 + random() % (buckets - 1)) % buckets;
    std::uint32_t& chosen = keys[second] < keys[first] ? keys[second] : keys[first];
    if (chosen == size) { return inserted; }
    ++chosen;
  }
}

/// The same of a table, one key after another.
std::uint64_t keys_until_full(TableSettings const& table, unsigned seed)
{
  auto const engine = make_engine(Backend::cpu, table);
  std::uint64_t inserted = 0;
  for (std::uint32_t const key : random_keys(engine->table().slots, seed)) {
    Key const wide = key;
    Value const value = 1;
    if (engine->insert(std::span(&wide, 1), std::span(&value, 1))[Outcome::full] != 0) { break; }
    ++inserted;
  }
  return inserted;
}

TEST(TwoChoice, ABucketIs64Bytes)
{
  EXPECT_EQ(TwoChoice::Layout<Narrow>::bucket_slots, 8u);
  EXPECT_EQ(TwoChoice::Layout<Wide>::bucket_slots, 4u);
  EXPECT_EQ(make_engine(Backend::cpu, settings(100))->table().slots, 104u);
  EXPECT_EQ(make_engine(Backend::cpu, settings(101, 64))->table().slots, 104u);
}

TEST(TwoChoice, TheTwoBucketsOfAKeyDifferAndAreEquallyLikely)
{
  for (std::uint64_t const slots : {16u, 24u, 800u}) {
    auto const layout = TwoChoice::layout<Narrow>(settings(slots));
    std::vector<int> counts[2]{std::vector<int>(layout.buckets), std::vector<int>(layout.buckets)};
    int const per_bucket = 2000;
    for (std::uint32_t key = 0; key < per_bucket * layout.buckets; ++key) {
      EXPECT_NE(layout.bucket(key, 0), layout.bucket(key, 1));
      for (std::uint32_t choice = 0; choice < 2; ++choice) { ++counts[choice][layout.bucket(key, choice)]; }
    }
    for (auto const& of_choice : counts) {
      for (int const count : of_choice) { EXPECT_NEAR(count, per_bucket, 6.0 * std::sqrt(per_bucket)); }
    }
  }
}

TEST(TwoChoice, AKeyGoesToTheLessFullBucketAndToTheFirstOfTwoEquals)
{
  auto const layout = TwoChoice::layout<Narrow>(settings(80));
  auto const engine = make_engine(Backend::cpu, settings(80));
  std::vector<std::uint32_t> keys_in(layout.buckets, 0);
  bool any_second = false;
  for (std::uint32_t const key : random_keys(60, 3)) {
    std::uint32_t const first = layout.bucket(key, 0);
    std::uint32_t const second = layout.bucket(key, 1);
    std::uint32_t const expected = keys_in[second] < keys_in[first] ? second : first;
    if (keys_in[expected] == 8) { break; }
    Trace const trace = engine->trace(Operation::insert, key, 1);
    ASSERT_EQ(trace.outcome, Outcome::inserted);
    EXPECT_EQ(trace.steps.back().after->slot / 8, expected);
    Key const wide = key;
    Value const value = 1;
    engine->insert(std::span(&wide, 1), std::span(&value, 1));
    ++keys_in[expected];
    any_second = any_second || expected == second;
  }
  EXPECT_TRUE(any_second);
}

/// Keys inserted by threads that make their accesses in turn: all of them choose before any of them has taken a slot.
int refused_at_once(double load, std::uint32_t buckets, unsigned seed)
{
  TileOperations<TwoChoice, 8> const table(settings(std::uint64_t{buckets} * 8));
  std::vector<races::Operations> threads;
  for (std::uint32_t const key : random_keys(static_cast<std::size_t>(load * 8 * buckets), seed)) {
    threads.emplace_back(table.insert(key, 1));
  }
  std::vector<races::Operations::State> at(threads.size(), races::Operations::start);
  std::vector<races::Word> memory = table.memory({});
  for (bool any = true; any;) {
    any = false;
    for (std::size_t i = 0; i != threads.size(); ++i) {
      Access const* const access = threads[i].next(at[i]);
      if (access == nullptr) { continue; }
      any = true;
      races::Word& word = memory[access->place];
      races::Word const old = word;
      word = access->after(old);
      at[i] = threads[i].after(at[i], old);
    }
  }
  table.expect_valid(memory);
  int refused = 0;
  for (std::size_t i = 0; i != threads.size(); ++i) { refused += threads[i].result(at[i]).outcome == Outcome::full; }
  EXPECT_EQ(std::ranges::count(memory, Narrow::empty_word), std::ssize(memory) - std::ssize(threads) + refused);
  return refused;
}

TEST(TwoChoice, KeysThatChooseAtTheSameMomentFindAPlaceAllTheSame)
{
  constexpr std::uint32_t buckets = 128;
  double const safe = TwoChoice::guarantees(settings(std::uint64_t{8} * buckets)).safe_load;
  for (unsigned seed = 0; seed < 8; ++seed) { EXPECT_EQ(refused_at_once(safe, buckets, seed), 0) << seed; }
}

TEST(TwoChoice, TablesAreFilledAsFarAsSimulatedBuckets)
{
  constexpr unsigned runs = 24;
  for (auto const& [bits, size] : {std::pair(32, 8u), std::pair(64, 4u)}) {
    constexpr std::uint32_t buckets = 256;
    double simulated = 0.0;
    double real = 0.0;
    double square = 0.0;
    for (unsigned seed = 0; seed < runs; ++seed) {
      auto const of_table = static_cast<double>(keys_until_full(settings(std::uint64_t{buckets} * size, bits), seed));
      simulated += static_cast<double>(keys_until_refused(buckets, size, seed)) / runs;
      real += of_table / runs;
      square += of_table * of_table / runs;
    }
    double const error = std::sqrt((square - real * real) / runs);
    EXPECT_NEAR(real, simulated, 6.0 * error) << "buckets of " << size;
  }
}

TEST(TwoChoice, TheFluidLimitPredictsTheLoadThatBucketsReach)
{
  for (std::uint32_t const size : {4u, 8u}) {
    for (std::uint32_t const buckets : {1u << 10, 1u << 14}) {
      double mean = 0.0;
      constexpr unsigned runs = 20;
      for (unsigned seed = 0; seed < runs; ++seed) {
        mean += static_cast<double>(keys_until_refused(buckets, size, seed)) / (buckets * size) / runs;
      }
      double const expected = theory::two_choice_load(buckets, size);
      EXPECT_NEAR(mean, expected, 0.04) << buckets << " buckets of " << size;
      double const with_one_choice = 0.6 * expected;  // of which the fullest bucket would overflow far earlier
      EXPECT_GT(theory::expected_fullest_bucket(buckets, with_one_choice * size), size);
    }
  }
}

/// How many of the insertions are refused while random keys are replaced, one by one, in a table at this load.
int refused_in_churn(std::uint32_t buckets, std::uint32_t size, double load, int insertions)
{
  std::mt19937 random(1);
  std::vector<std::uint32_t> keys(buckets, 0);
  std::vector<std::uint32_t> places;
  int refused = 0;
  auto const insert = [&] {
    std::uint32_t const first = random() % buckets;
    std::uint32_t const second = (first + 1 + random() % (buckets - 1)) % buckets;
    std::uint32_t const chosen = keys[second] < keys[first] ? second : first;
    if (keys[chosen] == size) { return ++refused, void(); }
    ++keys[chosen];
    places.push_back(chosen);
  };
  while (static_cast<double>(places.size()) < load * buckets * size) { insert(); }
  for (int i = 0; i < insertions; ++i) {
    std::swap(places[random() % places.size()], places.back());
    --keys[places.back()];
    places.pop_back();
    insert();
  }
  return refused;
}

TEST(TwoChoice, SafeLoadsHoldWhileKeysComeAndGo)
{
  for (auto const& [bits, size] : {std::pair(32, 8u), std::pair(64, 4u)}) {
    double const safe = TwoChoice::guarantees(settings(1u << 12, bits)).safe_load;
    EXPECT_LT(safe, theory::two_choice_load(std::ldexp(1.0, 28), size)) << "a large table is filled so far";
    EXPECT_EQ(refused_in_churn(1u << 10, size, safe, 1'000'000), 0);
    EXPECT_GT(refused_in_churn(1u << 10, size, safe + 0.15, 1'000'000), 0) << "it could not be much higher";
  }
}

TEST(TwoChoice, BucketsAreAsEvenAsTheFluidLimitSays)
{
  constexpr std::uint64_t buckets = 1u << 14;
  for (double const load : {0.25, 0.5, 0.7}) {
    auto const engine = make_engine(Backend::cpu, settings(8 * buckets));
    auto const keys = static_cast<std::uint64_t>(load * 8.0 * buckets);
    for (std::uint64_t done = 0; done < keys; done += 512) {  // few at once, so that they see each other
      engine->run(BatchRequest::inserts(std::min<std::uint64_t>(512, keys - done)));
    }
    Statistics const statistics = engine->statistics();
    ASSERT_EQ(statistics.live, keys);
    std::vector<double> const expected = theory::two_choice_buckets(load, 8);
    for (std::size_t size = 0; size < expected.size(); ++size) {
      double const seen = size < statistics.groups.histogram.size() ? statistics.groups.histogram[size] : 0.0;
      double const mean = expected[size] * buckets;
      EXPECT_NEAR(seen, mean, 6.0 * std::sqrt(mean) + 0.01 * buckets) << load << ", " << size << " keys";
    }
    EXPECT_NEAR(statistics.probe_length.mean, theory::two_choice_second(load, 8), 0.02);
  }
}

}  // namespace
}  // namespace slotscape::two_choice_tests
