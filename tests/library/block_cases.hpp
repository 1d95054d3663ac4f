#pragma once

#include "gpu/library/block_table.hpp"
#include "tests/library/case.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace slotscape {

/// Tables in a block's memory. A Backend has, besides what `Case` says,
///   in_blocks<threads>(count, f)   f(i, block, shared), by as many blocks: see `exec::Cpu::for_each_block`
template <class Backend_, class Key_, class Value_, std::uint32_t slots, Combine combine_>
struct BlockCase {
  using Backend = Backend_;
  using Key = Key_;
  using Value = Value_;
  using Table = BlockTable<Key, Value, slots, combine_>;
  static constexpr Combine combine = combine_;
};

inline constexpr int threads_of_block = 128;

/// Each block stores its part of the pairs, looks all of its keys up, and lists what it holds.
template <class Table>
struct GatherInBlocks {
  using Shared = Table;
  using Key = typename Table::Key;
  using Value = typename Table::Value;

  Key const* keys;
  Value const* values;
  std::uint64_t pairs;  ///< of a block
  Outcome* outcomes;
  Value* found;
  bool* are_there;
  Key* listed_keys;  ///< `pairs` for each block
  Value* listed_values;
  std::uint32_t* listed;  ///< how many of each block

  template <class Block>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t number, Block block, Table& table) const
  {
    std::uint64_t const first = number * pairs;
    block.for_each_thread([&](int t) { table.clear(t, Block::size); });
    for_pairs(block, first, [&](std::uint64_t i) { outcomes[i] = table.insert(keys[i], values[i]); });
    for_pairs(block, first, [&](std::uint64_t i) {
      are_there[i] = table.contains(keys[i]);
      auto const its = table.find(keys[i]);
      if (its) { found[i] = its.value; }
    });
    block.for_each_thread([&](int t) {
      table.for_each(t, Block::size, [&](Key const& key, Value const& value) {
        std::uint64_t const place = first + exec::fetch_add(listed[number], 1u);
        listed_keys[place] = key;
        listed_values[place] = value;
      });
    });
  }

private:
  template <class Block, class F>
  SLOTSCAPE_HOST_DEVICE void for_pairs(Block block, std::uint64_t first, F const& f) const
  {
    block.for_each_thread([&](int t) {
      for (std::uint64_t i = first + t; i < first + pairs; i += Block::size) { f(i); }
    });
  }
};

template <class Case>
class LibraryBlocks : public testing::Test {
protected:
  using Backend = typename Case::Backend;
  using Table = typename Case::Table;
  using Key = typename Case::Key;
  using Value = typename Case::Value;
  using Model = std::map<Key, std::vector<Value>>;
  static constexpr std::uint64_t blocks = 20, pairs = 1000;
  template <class T>
  using Array = typename Backend::template Array<T>;

  void SetUp() override
  {
    if (std::string const why = Backend::why_not(); !why.empty()) { GTEST_SKIP() << why; }
  }

  struct Gathered {
    std::vector<Outcome> outcomes;
    std::vector<Value> found;
    std::vector<bool> are_there;
    std::vector<Key> listed_keys;
    std::vector<Value> listed_values;
    std::vector<std::uint32_t> listed;
  };
  Gathered gather(std::vector<Key> const& keys, std::vector<Value> const& values)
  {
    Array<Key> k(keys), listed_keys(keys.size());
    Array<Value> v(values), found(std::vector<Value>(keys.size(), Value{})), listed_values(keys.size());
    Array<Outcome> outcomes(keys.size());
    Array<bool> are_there(keys.size());
    Array<std::uint32_t> listed(std::vector<std::uint32_t>(blocks, 0));
    GatherInBlocks<Table> const work{k.data(),
                                     v.data(),
                                     pairs,
                                     outcomes.data(),
                                     found.data(),
                                     are_there.data(),
                                     listed_keys.data(),
                                     listed_values.data(),
                                     listed.data()};
    backend_.template in_blocks<threads_of_block>(blocks, work);
    return {outcomes.host(), found.host(), are_there.host(), listed_keys.host(), listed_values.host(), listed.host()};
  }

  /// Whether a key that got these values may now have that one.
  static bool may_have(std::vector<Value> const& values, Value value)
  {
    switch (Case::combine) {
      case Combine::add: {
        Value sum{};
        for (Value const more : values) { sum = static_cast<Value>(sum + more); }
        return value == sum;
      }
      case Combine::min: return value == *std::ranges::min_element(values);
      case Combine::max: return value == *std::ranges::max_element(values);
      default: return std::ranges::count(values, value) != 0;
    }
  }

  Backend backend_;
};
TYPED_TEST_SUITE_P(LibraryBlocks);

/// Few different keys, from both ends of their range, so that every thread meets others.
template <class Key>
Key key_of_block(std::uint64_t number)
{
  return static_cast<Key>(number % 2 == 0 ? number * 77 : ~(number * 77 / 2));
}

TYPED_TEST_P(LibraryBlocks, HoldWhatAMapHolds)
{
  using Key = typename TestFixture::Key;
  using Value = typename TestFixture::Value;
  std::vector<Key> keys;
  std::vector<Value> values;
  for (std::uint64_t i = 0; i < TestFixture::blocks * TestFixture::pairs; ++i) {
    keys.push_back(i % 50 == 0 ? static_cast<Key>(~std::uint64_t{0}) : key_of_block<Key>(random_below(1, i, 40)));
    values.push_back(static_cast<Value>(static_cast<std::int64_t>(random_below(2, i, 100)) - 60));
  }
  auto const now = this->gather(keys, values);
  for (std::uint64_t block = 0; block < TestFixture::blocks; ++block) {
    typename TestFixture::Model model;
    std::map<Key, int> inserted;
    std::uint64_t const first = block * TestFixture::pairs;
    for (std::uint64_t i = first; i < first + TestFixture::pairs; ++i) {
      model[keys[i]].push_back(values[i]);
      inserted[keys[i]] += now.outcomes[i] == Outcome::inserted ? 1 : 0;
      ASSERT_TRUE(now.outcomes[i] == Outcome::inserted || now.outcomes[i] == Outcome::updated);
      ASSERT_TRUE(now.are_there[i]);
    }
    for (auto const& [key, times] : inserted) { EXPECT_EQ(times, 1) << "key " << +key; }
    ASSERT_EQ(now.listed[block], model.size());
    for (std::uint64_t i = first; i < first + model.size(); ++i) {
      auto const values_of_key = model.extract(now.listed_keys[i]);
      ASSERT_FALSE(values_of_key.empty()) << "a key is listed twice, or was never brought: " << +now.listed_keys[i];
      EXPECT_TRUE(TestFixture::may_have(values_of_key.mapped(), now.listed_values[i]))
          << "key " << +values_of_key.key();
    }
    std::map<Key, Value> listed;
    for (std::uint64_t i = first; i < first + now.listed[block]; ++i) {
      listed[now.listed_keys[i]] = now.listed_values[i];
    }
    for (std::uint64_t i = first; i < first + TestFixture::pairs; ++i) { EXPECT_EQ(now.found[i], listed[keys[i]]); }
  }
}

TYPED_TEST_P(LibraryBlocks, SayWhatFindsNoSlot)
{
  using Key = typename TestFixture::Key;
  using Value = typename TestFixture::Value;
  std::vector<Key> keys;
  for (std::uint64_t i = 0; i < TestFixture::blocks * TestFixture::pairs; ++i) {
    keys.push_back(static_cast<Key>(i % TestFixture::pairs));  // more different ones than there are slots
  }
  auto const now = this->gather(keys, std::vector<Value>(keys.size(), Value{1}));
  for (std::uint64_t block = 0; block < TestFixture::blocks; ++block) {
    std::uint64_t const first = block * TestFixture::pairs;
    EXPECT_EQ(now.listed[block], TestFixture::Table::slots);
    for (std::uint64_t i = first; i < first + TestFixture::pairs; ++i) {
      ASSERT_EQ(now.outcomes[i], now.are_there[i] ? Outcome::inserted : Outcome::full);
    }
    auto const there = now.are_there.begin() + static_cast<std::ptrdiff_t>(first);
    EXPECT_EQ(std::count(there, there + TestFixture::pairs, true), TestFixture::Table::slots);
  }
}

REGISTER_TYPED_TEST_SUITE_P(LibraryBlocks, HoldWhatAMapHolds, SayWhatFindsNoSlot);

/// What every backend is tested with.
template <class Backend>
using BlockCases = testing::Types<BlockCase<Backend, std::uint32_t, std::uint32_t, 64, Combine::replace>,
                                  BlockCase<Backend, std::int32_t, float, 50, Combine::add>,
                                  BlockCase<Backend, std::int64_t, std::int32_t, 128, Combine::add>,
                                  BlockCase<Backend, std::uint64_t, double, 100, Combine::min>,
                                  BlockCase<Backend, std::int16_t, std::int64_t, 128, Combine::max>,
                                  BlockCase<Backend, std::int64_t, std::int16_t, 64, Combine::add>,
                                  BlockCase<Backend, std::uint32_t, std::int8_t, 41, Combine::keep_first>>;

}  // namespace slotscape
