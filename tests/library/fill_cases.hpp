#pragma once

#include "gpu/tables/segmented_cuckoo.hpp"
#include "tests/library/table_cases.hpp"

#include <numeric>

namespace slotscape {

/// A first batch gathers in the slots of the empty table itself (`SegmentedTable`): whatever its keys, no pair is lost,
/// doubled or left over. Backend: see case.hpp.
template <class Backend>
class LibraryFill : public LibraryTable<Case<Backend, families::segmented_cuckoo, std::uint32_t>> {
protected:
  using Base = LibraryTable<Case<Backend, families::segmented_cuckoo, std::uint32_t>>;
  using typename Base::Key;
  using typename Base::Table;
  template <class T>
  using Array = typename Base::template Array<T>;
  using Layout = SegmentedCuckoo::Layout<FormatOf<Key>>;
  static constexpr std::uint32_t segment_slots = 128;

  static TableOptions options(std::uint64_t slots, std::uint32_t segment = segment_slots)
  {
    return {.slots = slots, .parameters = {{"segment", segment}, {"partition", SegmentedCuckoo::always}}};
  }
  /// So many keys that `is_wanted(choices)` with the table's first hash functions, followed by others up to `total`.
  template <class IsWanted>
  static std::vector<Key> keys_with(std::uint64_t slots, std::size_t wanted, std::size_t total,
                                    IsWanted const& is_wanted)
  {
    TableOptions const table = options(slots);
    Layout const layout =
        SegmentedCuckoo::layout<FormatOf<Key>>({.slots = table.slots, .parameters = table.parameters});
    std::vector<Key> keys;
    std::vector<Key> others;
    for (Key key = 1; keys.size() < wanted || others.size() < total - wanted; ++key) {
      (is_wanted(layout.choices(key)) && keys.size() < wanted ? keys : others).push_back(key);
    }
    keys.insert(keys.end(), others.begin(), others.begin() + static_cast<std::ptrdiff_t>(total - wanted));
    return keys;
  }

  /// Inserts them into an empty table in every way, and expects them all there.
  void expect_all_in(std::uint64_t slots, std::vector<Key> const& keys)
  {
    Array<Key> k(keys), found(keys.size());
    Array<Outcome> outcomes(keys.size());
    for (bool const distinct : {true, false}) {
      for (bool const kept : {true, false}) {
        SCOPED_TRACE(std::string(distinct ? "distinct" : "any") + (kept ? ", with outcomes" : ""));
        Table table = this->backend_.template make<families::segmented_cuckoo, Key>(options(slots));
        for (int time = 0; time < 2; ++time) {
          Inserted const done =
              table.insert(k.data(), k.data(), keys.size(), {distinct, kept ? outcomes.data() : nullptr});
          ASSERT_EQ(done.inserted, keys.size());
          ASSERT_EQ(done.updated + done.full + done.rejected, 0u);
          if (kept) { EXPECT_EQ(outcomes.host(), std::vector(keys.size(), Outcome::inserted)); }
          EXPECT_EQ(table.find(k.data(), found.data(), keys.size()), keys.size());
          EXPECT_EQ(found.host(), keys);
          EXPECT_EQ(this->contents(table).size(), keys.size());
          table.clear();
        }
        EXPECT_TRUE(this->contents(table).empty());
      }
    }
  }
};
TYPED_TEST_SUITE_P(LibraryFill);

TYPED_TEST_P(LibraryFill, MoreKeysThanSlotsOfASegmentGoElsewhere)
{
  constexpr std::uint64_t slots = 4096;
  this->expect_all_in(slots, this->keys_with(slots, 300, 2000, [](auto const& choice) { return choice.segment == 5; }));
}

TYPED_TEST_P(LibraryFill, ASegmentWhoseBucketsCannotTakeItsKeysIsLeftEmptyForThem)
{
  for (std::size_t const total : {1500u, 12000u}) {  // many full keys are looked after, few are taken for bad luck
    std::uint64_t const slots = total * 5 / 2;
    this->expect_all_in(slots, this->keys_with(slots, 20, total, [](auto const& choice) {
      return choice.segment == 5 && choice.first + choice.second == 1;
    }));
  }
}

TYPED_TEST_P(LibraryFill, SumsManyCopiesOfAKey)
{
  using Key = typename TestFixture::Key;
  std::unordered_map<Key, Key> sums;
  std::vector<Key> keys;
  for (Key i = 0; i < 3000; ++i) {
    keys.push_back(i % 5 == 0 ? 7 : i);
    sums[keys.back()] += 3;
  }
  typename TestFixture::template Array<Key> k(keys), values(std::vector<Key>(keys.size(), 3));
  auto table = this->backend_.template make<families::segmented_cuckoo, Key>(TestFixture::options(4096));
  Inserted const done = table.insert_or_add(k.data(), values.data(), keys.size());
  EXPECT_EQ(done.inserted, sums.size());
  EXPECT_EQ(done.updated, keys.size() - sums.size());
  EXPECT_EQ(this->contents(table), sums);
}

TYPED_TEST_P(LibraryFill, RefusesReservedKeysAndValues)
{
  using Key = typename TestFixture::Key;
  using Table = typename TestFixture::Table;
  std::vector<Key> keys(900), values(900, 1);
  std::iota(keys.begin(), keys.end(), Key{1});
  for (std::size_t i = 0; i < keys.size(); i += 3) {
    (i % 2 == 0 ? keys[i] : values[i]) = i % 2 == 0 ? Table::largest_key + 1 : Table::empty_value;
  }
  typename TestFixture::template Array<Key> k(keys), v(values);
  for (bool const distinct : {true, false}) {
    auto table = this->backend_.template make<families::segmented_cuckoo, Key>(TestFixture::options(4096));
    Inserted const done = table.insert(k.data(), v.data(), keys.size(), {.distinct = distinct});
    EXPECT_EQ(done.inserted, 600u);
    EXPECT_EQ(done.rejected, 300u);
    EXPECT_EQ(done.updated + done.full, 0u);
    EXPECT_EQ(this->contents(table).size(), 600u);
  }
}

TYPED_TEST_P(LibraryFill, PiecesOfALargeBatchComeTogether)
{
  using Key = typename TestFixture::Key;
  constexpr std::uint64_t count = (1u << 22) + 1000;  // more than one piece
  std::vector<Key> keys(count);
  for (std::uint64_t i = 0; i < count; ++i) { keys[i] = static_cast<Key>(i) * 5; }
  typename TestFixture::template Array<Key> k(keys), found(count);
  auto table = this->backend_.template make<families::segmented_cuckoo, Key>(TestFixture::options(1u << 23, 8192));
  Inserted const done = table.insert(k.data(), k.data(), count, {.distinct = true});
  EXPECT_EQ(done.inserted, count);
  EXPECT_EQ(table.find(k.data(), found.data(), count), count);
  EXPECT_EQ(found.host(), keys);
}

/// Updates, which need memory for a whole part, and not only the table's own slots.
TYPED_TEST_P(LibraryFill, SmallerPartsTakeLessMemoryAndAllOfItCanBeGivenBack)
{
  using Key = typename TestFixture::Key;
  constexpr std::uint64_t count = 1u << 19;
  std::vector<Key> keys(count);
  std::iota(keys.begin(), keys.end(), Key{1});
  typename TestFixture::template Array<Key> k(keys), found(count);
  auto const kept_by_parts_of = [&](std::uint64_t keys_at_once) {
    typename TestFixture::Backend::Limited scratch;
    auto table = this->backend_.template make<families::segmented_cuckoo, Key>(
        {.slots = 2 * count, .scratch = scratch, .keys_at_once = keys_at_once});
    std::uint64_t const before = scratch.bytes;
    table.insert(k.data(), k.data(), count).or_throw();
    EXPECT_EQ(table.insert_or_assign(k.data(), k.data(), count).updated, count);
    std::uint64_t const kept = scratch.bytes - before;
    table.release_scratch();
    EXPECT_LT(scratch.bytes - before, kept / 2);
    EXPECT_EQ(table.erase(k.data(), count / 2), count / 2);
    EXPECT_EQ(table.find(k.data(), found.data(), count), count / 2);
    return kept;
  };
  EXPECT_LT(kept_by_parts_of(count / 8), kept_by_parts_of(count) / 3);
  EXPECT_THROW(kept_by_parts_of(0), Error);
}

REGISTER_TYPED_TEST_SUITE_P(LibraryFill, SmallerPartsTakeLessMemoryAndAllOfItCanBeGivenBack,
                            MoreKeysThanSlotsOfASegmentGoElsewhere,
                            ASegmentWhoseBucketsCannotTakeItsKeysIsLeftEmptyForThem, SumsManyCopiesOfAKey,
                            RefusesReservedKeysAndValues, PiecesOfALargeBatchComeTogether);

}  // namespace slotscape
