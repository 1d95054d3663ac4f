#pragma once

#include "tests/library/table_cases.hpp"

#include <cmath>

namespace slotscape {

/// Case: see case.hpp.
template <class Case>
class LibraryShards : public LibraryTable<Case> {
protected:
  using Base = LibraryTable<Case>;
  using typename Base::Family;
  using typename Base::Key;
  using Sharded = typename Base::Backend::template ShardedTable<Family, Key>;
};
TYPED_TEST_SUITE_P(LibraryShards);

TYPED_TEST_P(LibraryShards, AnswerAsAMapDoesInTheOrderAsked)
{
  using Key = typename TestFixture::Key;
  using Sharded = typename TestFixture::Sharded;
  constexpr std::uint32_t shards = 5;
  auto const keys = some_keys<Key>(many);
  auto const values = this->values_of(keys);
  typename TestFixture::template Array<Key> k(keys), v(values), found(keys.size());
  typename TestFixture::template Array<Outcome> outcomes(keys.size());
  Sharded table = this->backend_.template make_sharded<typename TestFixture::Family, Key>(
      {.slots = Sharded::slots_for(many, shards)}, {.shards = shards});
  auto model = this->insert_add_and_erase(table, keys, values, k, v);

  std::uint64_t const hits = table.find(k.data(), found.data(), many, {.outcomes = outcomes.data()});
  std::vector<Key> expected;
  std::vector<Outcome> expected_outcomes;
  for (Key const key : keys) {
    expected.push_back(model.contains(key) ? model[key] : Sharded::empty_value);
    expected_outcomes.push_back(model.contains(key) ? Outcome::found : Outcome::missing);
  }
  EXPECT_EQ(found.host(), expected);
  EXPECT_EQ(outcomes.host(), expected_outcomes);
  EXPECT_EQ(hits, static_cast<std::uint64_t>(std::ranges::count(expected_outcomes, Outcome::found)));

  EXPECT_LT(table.report().imbalance(&ShardWork::latest), 1.1);
  table.find(k.data(), found.data(), 1);
  EXPECT_LT(table.report().imbalance(&ShardWork::latest), 1.1) << "one lookup makes no shard hot";

  table.rehash(2 * table.slots());
  EXPECT_EQ(this->contents(table), model);
  for (std::uint32_t shard = 0; shard < shards; ++shard) {
    EXPECT_EQ(table.report().shards[shard].live, table.shard(shard).size());
    EXPECT_NEAR(static_cast<double>(table.shard(shard).size()), static_cast<double>(model.size()) / shards,
                5.0 * std::sqrt(static_cast<double>(model.size()) / shards));
  }
  EXPECT_GT(table.report().bytes.crossing(), 0u);
  table.clear();
  EXPECT_EQ(table.size(), 0u);
  EXPECT_EQ(table.report().bytes.crossing(), 0u);
}

TYPED_TEST_P(LibraryShards, RefuseWhatCannotBeAndGrow)
{
  using Key = typename TestFixture::Key;
  using Sharded = typename TestFixture::Sharded;
  auto const make = [&](TableOptions const& options, ShardOptions const& how) {
    return this->backend_.template make_sharded<typename TestFixture::Family, Key>(options, how);
  };
  EXPECT_THROW(make({.slots = 1024}, {.shards = 17}), Error);
  EXPECT_THROW(make({.slots = 16}, {.shards = 16}), Error);
  EXPECT_THROW(Sharded::slots_for(100, 0), Error);
  using OfPowers = typename TestFixture::Backend::template ShardedTable<families::quadratic, Key>;
  EXPECT_EQ(OfPowers::slots_for(100, 3), 3u * 128u) << "the fullest of three has about 57 keys";

  std::vector<Key> keys(3000);
  std::iota(keys.begin(), keys.end(), Key{0});
  keys.back() = Sharded::largest_key + 1;
  typename TestFixture::template Array<Key> k(keys), v(std::vector<Key>(keys.size(), 1));
  typename TestFixture::template Array<Outcome> outcomes(keys.size());
  Sharded table = make({.slots = 3 * 128, .grow_at = 0.7}, {.shards = 3});
  Inserted const done = table.insert(k.data(), v.data(), keys.size(), {.outcomes = outcomes.data()});
  EXPECT_EQ(done.inserted, keys.size() - 1);
  EXPECT_EQ(done.rejected, 1u);
  EXPECT_EQ(outcomes.host().back(), Outcome::rejected);
  EXPECT_LE(table.load_factor(), 0.7);
  EXPECT_GE(table.slots(), keys.size());
}

REGISTER_TYPED_TEST_SUITE_P(LibraryShards, AnswerAsAMapDoesInTheOrderAsked, RefuseWhatCannotBeAndGrow);

}  // namespace slotscape
