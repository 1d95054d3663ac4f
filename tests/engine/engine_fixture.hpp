#pragma once

#include "gpu/engine/engine.hpp"
#include "tests/support/sanitized.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace slotscape::testing {

using test::is_sanitized;
using test::rounds;

inline constexpr std::array<Deletion, 2> deletions{Deletion::empty_value, Deletion::tombstone_reuse};
inline constexpr std::array<HashKind, 4> hashes{HashKind::murmur3, HashKind::xxhash, HashKind::fibonacci,
                                                HashKind::identity};

inline std::string describe(TableSettings const& table)
{
  constexpr std::array<std::string_view, 5> names{"murmur3", "xxhash", "fibonacci", "identity", "formula"};
  return table.family + ", " + std::to_string(table.slots) + " slots, " +
         std::string(names[static_cast<std::size_t>(table.hash.kind)]) + ", " +
         std::array{"empty_value", "tombstone_reuse", "shift"}[static_cast<std::size_t>(table.deletion)];
}

/// A family with every way to delete and every hash, for tables of this size.
inline std::vector<TableSettings> tables_of(std::string const& family, std::uint64_t slots)
{
  std::vector<TableSettings> tables;
  for (Deletion const deletion : deletions) {
    for (HashKind const hash : hashes) { tables.push_back({family, slots, deletion, hash}); }
  }
  return tables;
}

/// Linear probing: for the engine's interface, and for what follows from where it puts its keys. What every family must
/// hold to is in conformance_test.cpp.
inline std::vector<TableSettings> linear_tables(std::uint64_t slots)
{
  return tables_of("linear_probing", slots);
}

/// A test body that runs on every backend, and is skipped, visibly, where there is no device for one.
class EngineTest : public ::testing::TestWithParam<Backend> {
protected:
  void SetUp() override
  {
    if (GetParam() == Backend::cuda && !why_no_cuda().empty()) { GTEST_SKIP() << why_no_cuda(); }
  }
  static std::unique_ptr<Engine> make(TableSettings const& table) { return make_engine(GetParam(), table); }
};

inline std::string backend_name(::testing::TestParamInfo<Backend> const& info)
{
  return info.param == Backend::cpu ? "cpu" : "cuda";
}

#define SLOTSCAPE_ON_EVERY_BACKEND(Suite)                                                                       \
  INSTANTIATE_TEST_SUITE_P(On, Suite, ::testing::Values(::slotscape::Backend::cpu, ::slotscape::Backend::cuda), \
                           ::slotscape::testing::backend_name)

/// `count` distinct keys that tables of this width accept.
inline std::vector<Key> random_keys(std::size_t count, std::mt19937& random, int key_bits = 32)
{
  std::unordered_set<Key> seen;
  std::vector<Key> keys;
  while (keys.size() < count) {
    Key const key = key_bits == 64 ? Key{random()} << 32 | random() : random();
    if (!is_reserved(key, key_bits) && seen.insert(key).second) { keys.push_back(key); }
  }
  return keys;
}

/// Values that tables of this width accept.
inline std::vector<Value> random_values(std::size_t count, std::mt19937& random, int key_bits = 32)
{
  std::vector<Value> values(count);
  std::ranges::generate(values, [&] {
    Value const value = key_bits == 64 ? Value{random()} << 32 | random() : random();
    return std::min(value, largest_value(key_bits));
  });
  return values;
}

/// Every slot of the table, in order.
inline std::vector<SlotInfo> all_slots(Engine& engine)
{
  std::vector<Slot> slots(engine.places());
  std::iota(slots.begin(), slots.end(), Slot{0});
  return engine.slots(slots);
}

inline Tally tally_of(std::span<Outcome const> outcomes)
{
  Tally tally;
  for (Outcome const outcome : outcomes) { ++tally[outcome]; }
  return tally;
}

inline std::vector<Pair> sorted_pairs(Engine& engine)
{
  std::vector<Pair> pairs = engine.pairs();
  std::ranges::sort(pairs, {}, &Pair::key);
  return pairs;
}

/// The live keys in ascending order; a key stored twice is there twice.
inline std::vector<Key> sorted_keys(Engine& engine)
{
  std::vector<Key> keys;
  for (Pair const& pair : sorted_pairs(engine)) { keys.push_back(pair.key); }
  return keys;
}

/// What must hold of any table between batches: no key is stored twice, and every live key is found, with its value.
inline void expect_valid(Engine& engine)
{
  std::vector<Pair> const pairs = sorted_pairs(engine);
  std::vector<Key> const keys = sorted_keys(engine);
  EXPECT_EQ(std::ranges::adjacent_find(keys), keys.end()) << "a key is stored twice";
  std::vector<Value> values(keys.size());
  Tally const tally = engine.find(keys, values);
  EXPECT_EQ(tally[Outcome::found], keys.size()) << "a live key is out of reach";
  for (std::size_t i = 0; i < pairs.size(); ++i) { ASSERT_EQ(values[i], pairs[i].value) << "key " << pairs[i].key; }
  Statistics const statistics = engine.statistics();
  EXPECT_EQ(statistics.live, pairs.size());
}

}  // namespace slotscape::testing
