#pragma once

#include "gpu/library/basic_distributed_table.hpp"
#include "tests/library/case.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <exception>
#include <string>
#include <unordered_map>
#include <vector>

namespace slotscape {

/// rank(communicator) by a thread for each of a group. Returns what each has thrown; of one that ended well, "".
template <class Rank>
std::vector<std::string> by_threads(std::uint32_t ranks, std::chrono::duration<double> timeout, Rank const& rank)
{
  std::vector<std::string> thrown(ranks);
  for_each_thread(
      ranks,
      [&](ThreadCommunicator& communicator) {
        std::uint32_t const i = communicator.rank();
        try {
          rank(communicator);
        } catch (std::exception const& error) {
          thrown[i] = error.what();
        }
      },
      timeout);
  return thrown;
}
inline constexpr std::chrono::seconds no_timeout{600};

/// Case: see case.hpp. A Backend also has
///   DistributedTable<Family, Key>                              made by
///   make_distributed<Family, Key>(options, communicator, how)
///   max_ranks()                                                how many ranks there can be here
///   by_ranks(ranks, rank)                                      rank(communicator) by each; returns what they threw
template <class Case>
class LibraryRanks : public testing::Test {
protected:
  using Backend = typename Case::Backend;
  using Family = typename Case::Family;
  using Key = typename Case::Key;
  using Keys = std::vector<Key>;
  using Model = std::unordered_map<Key, Key>;
  using Table = typename Backend::template DistributedTable<Family, Key>;
  template <class T>
  using Array = typename Backend::template Array<T>;

  void SetUp() override
  {
    if (std::string const why = Backend::why_not(); !why.empty()) { GTEST_SKIP() << why; }
  }

  /// What the ranks bring to a call.
  struct Brought {
    std::vector<Keys> keys;
    std::vector<Keys> values;
  };
  /// How a call's keys are spread.
  enum class Start { evenly, on_the_first, on_the_last };

  /// Random keys, of which many repeat, some on other ranks, and some are reserved.
  static Brought bring(std::uint32_t ranks, Start start, std::uint64_t seed, std::uint64_t count)
  {
    Brought brought{std::vector<Keys>(ranks), std::vector<Keys>(ranks)};
    for (std::uint64_t i = 0; i < count; ++i) {
      std::uint32_t const rank = start == Start::evenly         ? static_cast<std::uint32_t>(i % ranks)
                                 : start == Start::on_the_first ? 0
                                                                : ranks - 1;
      bool const is_reserved = random_below(seed + 1, i, 97) == 0;
      Key const key =
          is_reserved ? Table::largest_key + 1 : static_cast<Key>(random_below(seed, i, count) * 2654435761u);
      brought.keys[rank].push_back(key);
      brought.values[rank].push_back(static_cast<Key>(1 + random_below(seed + 2, i, 1000)));
    }
    return brought;
  }

  /// Arrays of a rank on its device.
  struct Mine {
    Mine(Keys const& its_keys, Keys const& its_values)
        : keys(its_keys), values(its_values), found(its_keys.size()), outcomes(its_keys.size())
    {
    }
    Array<Key> keys;
    Array<Key> values;
    Array<Key> found;
    Array<Outcome> outcomes;
  };

  template <class Communicator>
  static Table make(Backend& backend, Communicator& communicator, std::uint64_t keys, PieceOptions const& how)
  {
    TableOptions const options{.slots = Table::slots_for(keys, communicator.size())};
    return backend.template make_distributed<Family, Key>(options, communicator, how);
  }

  /// Values of a lookup on one rank, and its outcomes if it asked for them, are what the model says, in the order
  /// asked.
  static void expect_found(Model const& model, Keys const& keys, Keys const& found,
                           std::vector<Outcome> const& outcomes)
  {
    std::uint64_t wrong = 0;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      auto const place = model.find(keys[i]);
      bool const is_there = place != model.end();
      Outcome const expected = is_there                       ? Outcome::found
                               : keys[i] > Table::largest_key ? Outcome::rejected
                                                              : Outcome::missing;
      bool const is_right =
          found[i] == (is_there ? place->second : Table::empty_value) && (outcomes.empty() || outcomes[i] == expected);
      wrong += is_right ? 0 : 1;
    }
    EXPECT_EQ(wrong, 0u) << "of " << keys.size();
  }

  /// Two calls' keys, and what one map makes of those of all ranks.
  struct Plan {
    static constexpr std::uint64_t keys_of_call = 20'000;
    std::array<Brought, 2> brought;
    std::array<Model, 3> models;  ///< after the first insertion, after sums with the second, after the first's erasure
    std::uint64_t rejected = 0;   ///< of the first
    std::uint64_t erased = 0;
    std::uint64_t hits = 0;  ///< of the second, after the first insertion
  };
  static Plan plan_of(std::uint32_t ranks, Start start)
  {
    Plan plan;
    plan.brought = {bring(ranks, start, 1, Plan::keys_of_call), bring(ranks, start, 5, Plan::keys_of_call)};
    auto const each = [&](Brought const& of, auto const& f) {
      for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        for (std::size_t i = 0; i < of.keys[rank].size(); ++i) {
          if (of.keys[rank][i] <= Table::largest_key) { f(of.keys[rank][i], of.values[rank][i]); }
        }
      }
    };
    plan.rejected = Plan::keys_of_call;
    each(plan.brought[0], [&](Key key, Key value) {
      plan.models[0][key] += value;
      --plan.rejected;
    });
    plan.models[1] = plan.models[0];
    each(plan.brought[1], [&](Key key, Key value) {
      plan.models[1][key] += value;
      plan.hits += plan.models[0].count(key);
    });
    plan.models[2] = plan.models[1];
    each(plan.brought[0], [&](Key key, Key) { plan.erased += plan.models[2].erase(key); });
    return plan;
  }

  /// All that a table does, by one rank. Returns how many of its keys were new.
  template <class Communicator>
  static std::uint64_t compare_rank(Plan const& plan, Communicator& communicator, PieceOptions const& how)
  {
    Backend backend;
    std::uint32_t const rank = communicator.rank();
    Table table = make(backend, communicator, 2 * Plan::keys_of_call, how);
    Keys const& keys = plan.brought[0].keys[rank];
    Keys const& more_keys = plan.brought[1].keys[rank];
    Mine mine(keys, plan.brought[0].values[rank]);
    Mine more(more_keys, plan.brought[1].values[rank]);

    // Sums, because of several values any could stay. Only some ranks ask for outcomes.
    Inserted const done = table.insert_or_add(mine.keys.data(), mine.values.data(), keys.size(),
                                              {.outcomes = rank % 2 == 0 ? mine.outcomes.data() : nullptr});
    EXPECT_EQ(done.inserted, plan.models[0].size());
    EXPECT_EQ(done.rejected, plan.rejected);
    EXPECT_EQ(done.inserted + done.updated + done.rejected, Plan::keys_of_call);
    std::vector<Outcome> const outcomes = mine.outcomes.host();
    for (std::size_t i = 0; rank % 2 == 0 && i < keys.size(); ++i) {
      EXPECT_EQ(outcomes[i] == Outcome::rejected, keys[i] > Table::largest_key);
    }
    EXPECT_EQ(table.size(), plan.models[0].size());
    std::uint64_t hits =
        table.find(more.keys.data(), more.found.data(), more_keys.size(), {.outcomes = more.outcomes.data()});
    EXPECT_EQ(hits, plan.hits);
    expect_found(plan.models[0], more_keys, more.found.host(), more.outcomes.host());

    EXPECT_EQ(table.insert_or_add(more.keys.data(), more.values.data(), more_keys.size()).full, 0u);
    hits = table.find(mine.keys.data(), mine.found.data(), keys.size());
    EXPECT_EQ(hits, Plan::keys_of_call - plan.rejected) << "all are there";
    expect_found(plan.models[1], keys, mine.found.host(), {});

    EXPECT_EQ(table.erase(mine.keys.data(), keys.size(), {.outcomes = mine.outcomes.data()}), plan.erased);
    table.find(more.keys.data(), more.found.data(), more_keys.size(), {.outcomes = more.outcomes.data()});
    expect_found(plan.models[2], more_keys, more.found.host(), more.outcomes.host());
    EXPECT_EQ(table.size(), plan.models[2].size());
    EXPECT_EQ(table.report().work.live, table.local().size());
    EXPECT_GT(table.report().whole, 0.0);
    auto const goes_directly = [&](Brought const& call) {
      auto const is_few = [&](Keys const& of_rank) { return of_rank.size() <= how.max_direct; };
      return how.max_direct != 0 && table.reaches_others() && std::ranges::all_of(call.keys, is_few);
    };
    EXPECT_EQ(table.report().looked_up_directly, (goes_directly(plan.brought[0]) ? keys.size() : 0) +
                                                     (goes_directly(plan.brought[1]) ? 2 * more_keys.size() : 0));
    table.clear();
    EXPECT_EQ(table.size(), 0u);
    EXPECT_EQ(table.report().work.operations, 0u);
    return static_cast<std::uint64_t>(std::ranges::count(outcomes, Outcome::inserted));
  }

  static void compare_with_a_map(std::uint32_t ranks, Start start, PieceOptions const& how)
  {
    Plan const plan = plan_of(ranks, start);
    std::vector<std::uint64_t> new_ones(ranks);
    auto const thrown = Backend::by_ranks(ranks, [&](auto& communicator) {
      new_ones[communicator.rank()] = compare_rank(plan, communicator, how);
    });
    EXPECT_EQ(thrown, std::vector<std::string>(ranks));
    if (start == Start::on_the_first) { EXPECT_EQ(new_ones[0], plan.models[0].size()); }
  }
};
TYPED_TEST_SUITE_P(LibraryRanks);

TYPED_TEST_P(LibraryRanks, AnswerAsAMapDoesHoweverManyTheyAre)
{
  using Start = typename TestFixture::Start;
  for (std::uint32_t const ranks : {1u, 2u, 3u, 5u}) {
    if (ranks > TestFixture::Backend::max_ranks()) {
      GTEST_SKIP() << "There are no devices for " << ranks << " ranks.";
    }
    for (Start const start : {Start::evenly, Start::on_the_first, Start::on_the_last}) {
      SCOPED_TRACE(std::to_string(ranks) + " ranks, start " + std::to_string(static_cast<int>(start)));
      this->compare_with_a_map(ranks, start, {.max_direct = 0});
      this->compare_with_a_map(ranks, start, {.max_direct = 7000});  // all ranks, or all but one
    }
  }
}

TYPED_TEST_P(LibraryRanks, AnswerTheSameInPieces)
{
  using Start = typename TestFixture::Start;
  std::uint32_t const ranks = std::min(3u, TestFixture::Backend::max_ranks());
  for (Start const start : {Start::evenly, Start::on_the_first}) {
    this->compare_with_a_map(ranks, start, {.pieces = 4, .min_piece = 100, .max_direct = 0});
    this->compare_with_a_map(std::min(2u, ranks), start,
                             {.pieces = 3, .min_piece = 1000, .max_at_once = 3001, .max_direct = 0});
    this->compare_with_a_map(std::min(2u, ranks), start,
                             {.pieces = 1, .min_piece = 1, .max_at_once = 7000, .max_direct = 0});
  }
}

TYPED_TEST_P(LibraryRanks, CombineValuesAndGrow)
{
  using Key = typename TestFixture::Key;
  using Table = typename TestFixture::Table;
  std::uint32_t const ranks = std::min(3u, TestFixture::Backend::max_ranks());
  constexpr std::uint64_t count = 3000;
  auto const thrown = TestFixture::Backend::by_ranks(ranks, [&](auto& communicator) {
    typename TestFixture::Backend backend;
    std::uint32_t const rank = communicator.rank();
    Table table = backend.template make_distributed<typename TestFixture::Family, Key>({.slots = 128, .grow_at = 0.7},
                                                                                       communicator, {});
    std::vector<Key> keys(count);
    for (std::uint64_t i = 0; i < count; ++i) { keys[i] = static_cast<Key>(i); }
    typename TestFixture::Mine mine(keys, std::vector<Key>(count, static_cast<Key>(10 * (rank + 1))));
    auto const value_of_all = [&]() -> Key {
      EXPECT_EQ(table.find(mine.keys.data(), mine.found.data(), count), ranks * count);
      auto const found = mine.found.host();
      EXPECT_EQ(std::ranges::count(found, found.front()), static_cast<std::ptrdiff_t>(count));
      return found.front();
    };
    table.insert_or_min(mine.keys.data(), mine.values.data(), count).or_throw();
    EXPECT_EQ(value_of_all(), 10u);
    table.insert_or_max(mine.keys.data(), mine.values.data(), count).or_throw();
    EXPECT_EQ(value_of_all(), 10 * ranks);
    std::uint64_t const of_the_first = rank == 0 ? count : 0;
    Inserted const kept = table.insert(mine.keys.data(), mine.values.data(), of_the_first);
    EXPECT_EQ(kept.updated, count);
    EXPECT_EQ(value_of_all(), 10 * ranks);
    table.insert_or_assign(mine.keys.data(), mine.values.data(), of_the_first).or_throw();
    EXPECT_EQ(value_of_all(), 10u);
    table.insert_or_add(mine.keys.data(), mine.values.data(), count, {.distinct = rank == 0}).or_throw();
    EXPECT_EQ(value_of_all(), 10 + 5 * ranks * (ranks + 1));
    EXPECT_EQ(table.size(), count);
    EXPECT_LE(table.load_factor(), 0.7);
    std::uint64_t const slots = table.slots();
    table.rehash(2 * table.local().slots());
    EXPECT_GE(table.slots(), 2 * slots);
    EXPECT_EQ(value_of_all(), 10 + 5 * ranks * (ranks + 1));
    EXPECT_EQ(table.rank_of(7), ShardOf{ranks}.segment(Key{7}));
    for (std::uint32_t other = 0; other < ranks; ++other) {
      EXPECT_EQ(table.report().sent[other] != 0, other != rank);
      EXPECT_EQ(table.report().received[other] != 0, other != rank);
    }
    EXPECT_EQ(table.report().work.live, table.local().size());
  });
  EXPECT_EQ(thrown, std::vector<std::string>(ranks));
}

REGISTER_TYPED_TEST_SUITE_P(LibraryRanks, AnswerAsAMapDoesHoweverManyTheyAre, AnswerTheSameInPieces,
                            CombineValuesAndGrow);

}  // namespace slotscape
