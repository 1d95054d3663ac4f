#pragma once

#include "gpu/base/pair_format.hpp"
#include "gpu/base/random.hpp"
#include "gpu/joins/engine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace slotscape::joins::testing {

/// A backend and a width of keys: what each test runs for.
struct Subject {
  Backend backend;
  int key_bits;
};

inline std::vector<Subject> all_subjects()
{
  return {{Backend::cpu, 32}, {Backend::cpu, 64}, {Backend::cuda, 32}, {Backend::cuda, 64}};
}
inline std::string subject_name(::testing::TestParamInfo<Subject> const& info)
{
  return std::string(info.param.backend == Backend::cpu ? "cpu_" : "cuda_") + std::to_string(info.param.key_bits);
}

/// A test body that runs for every subject, and is skipped, visibly, where there is no device for one.
class JoinsTest : public ::testing::TestWithParam<Subject> {
protected:
  void SetUp() override
  {
    if (GetParam().backend == Backend::cuda && !why_no_cuda().empty()) { GTEST_SKIP() << why_no_cuda(); }
  }
  static int bits() { return GetParam().key_bits; }
  static std::unique_ptr<Engine> make(Settings settings = {})
  {
    settings.key_bits = bits();
    return make_engine(GetParam().backend, settings);
  }
  /// The number-th of different keys, spread over the width; they need all of its bits.
  static Key key_number(std::uint64_t number)
  {
    if (bits() == 64) { return (number + 1) * 0x9e3779b97f4a7c15u; }
    return static_cast<std::uint32_t>((number + 1) * 0x9e3779b1u);
  }
  static std::vector<Key> keys_of(std::vector<std::uint64_t> const& numbers)
  {
    std::vector<Key> keys(numbers.size());
    std::ranges::transform(numbers, keys.begin(), key_number);
    return keys;
  }
  /// `count` numbers below `bound`.
  static std::vector<std::uint64_t> drawn(std::uint64_t count, std::uint64_t bound, std::uint64_t seed)
  {
    std::vector<std::uint64_t> numbers(count);
    for (std::uint64_t i = 0; i < count; ++i) { numbers[i] = random_below(seed, i, bound); }
    return numbers;
  }
};

using RowPair = std::pair<std::uint32_t, std::uint32_t>;  ///< of the probe side, and of the build side

/// The rows of a join, sorted, as std::unordered_multimap finds them.
inline std::vector<RowPair> joined_plainly(JoinKind kind, std::vector<Key> const& build, std::vector<Key> const& probe)
{
  std::unordered_multimap<Key, std::uint32_t> rows;
  rows.reserve(build.size());
  for (std::uint32_t i = 0; i < build.size(); ++i) { rows.emplace(build[i], i); }
  std::vector<RowPair> pairs;
  for (std::uint32_t i = 0; i < probe.size(); ++i) {
    auto const [first, last] = rows.equal_range(probe[i]);
    bool const has_rows = first != last;
    if (gives_pairs(kind)) {
      for (auto row = first; row != last; ++row) { pairs.emplace_back(i, row->second); }
      if (!has_rows && kind == JoinKind::left) { pairs.emplace_back(i, no_row); }
    } else if (has_rows == (kind == JoinKind::semi)) {
      pairs.emplace_back(i, no_row);
    }
  }
  std::ranges::sort(pairs);
  return pairs;
}

/// Every kind of join gives what the plain computation gives.
inline void expect_joins(Engine& engine, std::vector<Key> const& build, std::vector<Key> const& probe)
{
  for (JoinKind const kind : {JoinKind::inner, JoinKind::left, JoinKind::semi, JoinKind::anti}) {
    SCOPED_TRACE(join_kind_names[static_cast<std::size_t>(kind)]);
    Joined const joined = engine.join(kind, build, probe);
    ASSERT_EQ(joined.build_rows.size(), gives_pairs(kind) ? joined.probe_rows.size() : 0u);
    EXPECT_TRUE(std::ranges::is_sorted(joined.probe_rows));
    std::vector<RowPair> pairs;
    for (std::size_t i = 0; i < joined.probe_rows.size(); ++i) {
      pairs.emplace_back(joined.probe_rows[i], gives_pairs(kind) ? joined.build_rows[i] : no_row);
    }
    std::ranges::sort(pairs);
    std::vector<RowPair> const expected = joined_plainly(kind, build, probe);
    ASSERT_EQ(pairs.size(), expected.size());
    EXPECT_TRUE(pairs == expected) << "other rows than those of std::unordered_multimap";
  }
}

using Group = std::tuple<Key, std::uint64_t, std::uint64_t>;  ///< key, rows, sum

inline std::vector<Group> sorted_groups(Groups const& groups)
{
  std::vector<Group> all;
  for (std::size_t i = 0; i < groups.keys.size(); ++i) {
    all.emplace_back(groups.keys[i], groups.counts.at(i), groups.sums.at(i));
  }
  std::ranges::sort(all);
  return all;
}

/// A group-by gives what std::unordered_map gives.
inline void expect_groups(Engine& engine, std::vector<Key> const& keys, std::vector<std::uint64_t> const& values)
{
  std::unordered_map<Key, std::pair<std::uint64_t, std::uint64_t>> expected;
  expected.reserve(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    ++expected[keys[i]].first;
    expected[keys[i]].second += values[i];
  }
  std::vector<Group> plain;
  plain.reserve(expected.size());
  for (auto const& [key, group] : expected) { plain.emplace_back(key, group.first, group.second); }
  std::ranges::sort(plain);
  std::vector<Group> const found = sorted_groups(engine.group(keys, values));
  ASSERT_EQ(found.size(), plain.size());
  EXPECT_TRUE(found == plain) << "other groups than those of std::unordered_map";
}

}  // namespace slotscape::joins::testing
