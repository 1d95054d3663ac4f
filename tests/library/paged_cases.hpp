#pragma once

#include "gpu/library/paged_table.hpp"
#include "tests/library/table_cases.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

namespace slotscape {

/// Case: see case.hpp. Its Backend also has make_paged<Family, Key>(options, how).
template <class Case>
class LibraryPages : public LibraryTable<Case> {
protected:
  using Base = LibraryTable<Case>;
  using typename Base::Family;
  using typename Base::Key;
  using Paged = typename Base::Backend::template PagedTable<Family, Key>;

  Paged make(std::uint64_t slots, PagingOptions const& how)
  {
    return this->backend_.template make_paged<Family, Key>({.slots = slots}, how);
  }
  Paged make_for(std::uint64_t keys, PagingOptions const& how) { return make(Paged::slots_for(keys, how.pages), how); }
};
TYPED_TEST_SUITE_P(LibraryPages);

/// Every way that a batch can take: at once, in rounds of one piece, and with pieces that wait in the host's memory.
inline std::vector<PagingOptions> ways_of_paging()
{
  constexpr std::uint64_t plenty = std::uint64_t{1} << 30;
  return {{.pages = 1},
          {.pages = 70, .keys_at_once = 30'000, .queue_bytes = plenty},
          {.pages = 3, .keys_at_once = 40'000, .queue_bytes = 1},
          {.pages = 5, .keys_at_once = 7'000, .queue_bytes = 300'000, .host_queue_bytes = plenty}};
}

TYPED_TEST_P(LibraryPages, AnswerAsAMapDoesInTheOrderAsked)
{
  using Key = typename TestFixture::Key;
  using Paged = typename TestFixture::Paged;
  auto const keys = some_keys<Key>(many);
  auto const values = this->values_of(keys);
  typename TestFixture::template Array<Key> k(keys), v(values), found(keys.size());
  typename TestFixture::template Array<Outcome> outcomes(keys.size());
  for (PagingOptions const& how : ways_of_paging()) {
    SCOPED_TRACE(how.pages);
    Paged table = this->make_for(many, how);
    auto const model = this->insert_add_and_erase(table, keys, values, k, v);
    std::uint64_t const hits = table.find(k.data(), found.data(), many, {.outcomes = outcomes.data()});
    std::vector<Key> expected;
    std::vector<Outcome> expected_outcomes;
    for (Key const key : keys) {
      auto const its = model.find(key);
      expected.push_back(its != model.end() ? its->second : Paged::empty_value);
      expected_outcomes.push_back(its != model.end() ? Outcome::found : Outcome::missing);
    }
    EXPECT_EQ(found.host(), expected);
    EXPECT_EQ(outcomes.host(), expected_outcomes);
    EXPECT_EQ(hits, static_cast<std::uint64_t>(std::ranges::count(expected_outcomes, Outcome::found)));
    for (std::uint32_t page = 0; page < how.pages; ++page) {
      EXPECT_NEAR(static_cast<double>(table.page_size(page)), static_cast<double>(model.size()) / how.pages,
                  5.0 * std::sqrt(static_cast<double>(model.size()) / how.pages));
    }
    table.clear();
    EXPECT_EQ(table.size(), 0u);
    EXPECT_EQ(table.find(k.data(), found.data(), many), 0u);
    table.insert(k.data(), v.data(), many).or_throw();
    EXPECT_GT(table.size(), model.size()) << "after clear, all keys come again";
  }
}

TYPED_TEST_P(LibraryPages, DoInRandomBatchesWhatAMapDoes)
{
  using Key = typename TestFixture::Key;
  constexpr std::uint64_t different = 6000;
  constexpr std::uint64_t steps = 30;
  for (PagingOptions const& how : ways_of_paging()) {
    SCOPED_TRACE(how.pages);
    auto table = this->make_for(different, how);
    typename TestFixture::Model model;
    for (std::uint64_t step = 0; step < steps; ++step) {
      std::vector<Key> keys(1 + random_below(3, step, 4000));
      for (std::size_t i = 0; i < keys.size(); ++i) {
        keys[i] = static_cast<Key>(random_below(4, step * different + i, different));
      }
      auto const values = this->values_of(keys);
      typename TestFixture::template Array<Key> k(keys), v(values);
      std::uint64_t const before = model.size();
      switch (random_below(5, step, 3)) {
        case 0:
          for (std::size_t i = 0; i < keys.size(); ++i) { model[keys[i]] += values[i]; }
          EXPECT_EQ(table.insert_or_add(k.data(), v.data(), keys.size()).inserted, model.size() - before);
          break;
        case 1:
          for (std::size_t i = 0; i < keys.size(); ++i) { model[keys[i]] = values[i]; }
          EXPECT_EQ(table.insert_or_assign(k.data(), v.data(), keys.size()).inserted, model.size() - before);
          break;
        default:
          for (Key const key : keys) { model.erase(key); }
          EXPECT_EQ(table.erase(k.data(), keys.size()), before - model.size());
          break;
      }
      ASSERT_EQ(table.size(), model.size()) << "step " << step;
    }
    EXPECT_EQ(this->contents(table), model);
  }
}

TYPED_TEST_P(LibraryPages, TakeArraysOfTheHostAndWhatIsReadByPlace)
{
  using Key = typename TestFixture::Key;
  using Paged = typename TestFixture::Paged;
  constexpr std::uint64_t count = 20'000;
  for (PagingOptions const& how : ways_of_paging()) {
    SCOPED_TRACE(how.pages);
    Paged table = this->make_for(count, how);
    Inserted const done =
        table.insert_or_assign(EachNumber<Key>{0, 3}, EachNumber<Key>{1, 1}, count, {.distinct = true});
    EXPECT_EQ(done.inserted, count);
    std::vector<Key> asked(count), found(count), expected(count);
    std::vector<Outcome> outcomes(count);
    std::iota(asked.rbegin(), asked.rend(), Key{0});
    for (std::uint64_t i = 0; i < count; ++i) {
      expected[i] = asked[i] % 3 == 0 ? asked[i] / 3 + 1 : Paged::empty_value;
    }
    table.release_scratch();
    EXPECT_EQ(table.find(asked.data(), found.data(), count, {.outcomes = outcomes.data()}), (count + 2) / 3);
    EXPECT_EQ(found, expected);

    EXPECT_EQ(table.erase(asked.data(), count, {.outcomes = outcomes.data()}), (count + 2) / 3);
    for (std::uint64_t i = 0; i < count; ++i) {
      ASSERT_EQ(outcomes[i], asked[i] % 3 == 0 ? Outcome::erased : Outcome::missing) << i;
    }
    std::vector<Key> keys(table.size()), values(table.size());
    EXPECT_EQ(table.export_pairs(keys.data(), values.data(), keys.size()), count - (count + 2) / 3);
    for (std::size_t i = 0; i < keys.size(); ++i) { ASSERT_EQ(keys[i], 3 * (values[i] - 1)) << i; }
    EXPECT_THROW(table.export_pairs(keys.data(), values.data(), keys.size() - 1), Error);
  }
}

TYPED_TEST_P(LibraryPages, SayWhatWasRejectedAndWhatFoundNoPlace)
{
  using Key = typename TestFixture::Key;
  using Paged = typename TestFixture::Paged;
  std::vector<Key> keys(3000);
  std::iota(keys.begin(), keys.end(), Key{0});
  std::vector<Key> values(keys.size(), Key{5});
  keys[7] = Paged::largest_key + 1;
  values[11] = Paged::empty_value;
  typename TestFixture::template Array<Key> k(keys), v(values), found(keys.size());
  typename TestFixture::template Array<Outcome> o(keys.size());
  Paged table = this->make(4 * 512, {.pages = 4, .keys_at_once = 1000, .queue_bytes = 30'000});
  Inserted const done = table.insert(k.data(), v.data(), keys.size(), {.outcomes = o.data()});
  EXPECT_EQ(done.rejected, 2u);
  EXPECT_GE(done.full, keys.size() - 2 - table.slots());
  EXPECT_EQ(done.inserted, table.size());
  EXPECT_EQ(done.inserted + done.full, keys.size() - 2);
  auto const outcomes = o.host();
  EXPECT_EQ(outcomes[7], Outcome::rejected);
  EXPECT_EQ(outcomes[11], Outcome::rejected);
  EXPECT_EQ(table.find(k.data(), found.data(), keys.size()), done.inserted);
  auto const values_found = found.host();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    ASSERT_EQ(values_found[i], outcomes[i] == Outcome::inserted ? Key{5} : Paged::empty_value) << i;
  }
}

TYPED_TEST_P(LibraryPages, TakeAShareThatIsTooLargeToBringAtOnce)
{
  using Key = typename TestFixture::Key;
  using Paged = typename TestFixture::Paged;
  constexpr std::uint64_t count = 20'000;
  constexpr std::uint64_t different = 10;
  std::vector<Key> keys(count);
  for (std::uint64_t i = 0; i < count; ++i) { keys[i] = static_cast<Key>(i % different); }
  typename TestFixture::template Array<Key> k(keys), v(std::vector<Key>(count, 2)), found(count);
  typename TestFixture::template Array<Outcome> outcomes(count);
  Paged table = this->make(4096, {.pages = 2, .keys_at_once = 1500});
  Inserted const done = table.insert_or_add(k.data(), v.data(), count, {.outcomes = outcomes.data()});
  EXPECT_EQ(done.inserted, different);
  EXPECT_EQ(done.updated, count - different);
  auto const all = outcomes.host();
  EXPECT_EQ(std::ranges::count(all, Outcome::inserted), static_cast<std::ptrdiff_t>(different));
  EXPECT_EQ(table.find(k.data(), found.data(), count), count);
  EXPECT_EQ(found.host(), std::vector<Key>(count, 2 * count / different));
}

TYPED_TEST_P(LibraryPages, MoveOnlyWhatHasWork)
{
  using Key = typename TestFixture::Key;
  using Paged = typename TestFixture::Paged;
  constexpr std::uint64_t count = 10'000;
  constexpr std::uint32_t pages = 8;
  constexpr std::uint64_t array = TestFixture::Backend::host_arrays_are_copied ? count * sizeof(Key) : 0;
  std::vector<Key> keys(count), found(count);
  std::iota(keys.begin(), keys.end(), Key{0});
  Paged table = this->make_for(count, {.pages = pages});
  table.insert(keys.data(), keys.data(), count).or_throw();
  EXPECT_EQ(table.report().pages_in, 0u) << "all pages were empty";
  EXPECT_EQ(table.report().pages_out, pages);
  EXPECT_EQ(table.report().bytes.out, table.memory_bytes());
  EXPECT_EQ(table.report().bytes.in, 2 * array);
  EXPECT_EQ(table.report().rounds, 1u);

  table.find(keys.data(), found.data(), count);
  EXPECT_EQ(table.report().pages_in, pages);
  EXPECT_EQ(table.report().pages_out, 0u);
  EXPECT_EQ(table.report().bytes.in, table.memory_bytes() + array);
  EXPECT_EQ(table.report().bytes.out, array);
  EXPECT_GT(table.report().seconds.whole, 0.0);

  EXPECT_EQ(table.erase(keys.data(), 1), 1u);
  EXPECT_EQ(table.report().pages_in, 1u);
  EXPECT_EQ(table.report().pages_out, 1u);
  EXPECT_EQ(table.erase(keys.data(), 1), 0u);
  EXPECT_EQ(table.report().pages_out, 0u) << "nothing changed";
  EXPECT_EQ(table.page_size(table.page_of(0)) + 1, static_cast<std::uint64_t>(std::ranges::count_if(keys, [&](Key key) {
              return table.page_of(key) == table.page_of(0);
            })));
}

TYPED_TEST_P(LibraryPages, RefuseWhatCannotBe)
{
  using Paged = typename TestFixture::Paged;
  EXPECT_THROW(this->make(4096, {.pages = 0}), Error);
  EXPECT_THROW(this->make(4096, {.pages = max_pages + 1}), Error);
  EXPECT_THROW(this->make(4 * 8 - 1, {.pages = 8}), Error);
  EXPECT_THROW(Paged::slots_for(100, 0), Error);
  EXPECT_THROW((this->backend_.template make_paged<typename TestFixture::Family, typename TestFixture::Key>(
                   {.slots = 4096, .grow_at = 0.5}, {.pages = 2})),
               Error);
  try {
    this->make(max_slots * max_pages, {.pages = max_pages});
    FAIL() << "no host has this much memory";
  } catch (Error const& error) {
    EXPECT_NE(std::string(error.what()).find("MiB of the host's memory"), std::string::npos) << error.what();
  }
}

REGISTER_TYPED_TEST_SUITE_P(LibraryPages, AnswerAsAMapDoesInTheOrderAsked, DoInRandomBatchesWhatAMapDoes,
                            TakeArraysOfTheHostAndWhatIsReadByPlace, SayWhatWasRejectedAndWhatFoundNoPlace,
                            TakeAShareThatIsTooLargeToBringAtOnce, MoveOnlyWhatHasWork, RefuseWhatCannotBe);

}  // namespace slotscape
