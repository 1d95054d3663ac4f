#include "gpu/base/error.hpp"
#include "gpu/workloads/zipf.hpp"
#include "tests/joins/joins_fixture.hpp"

#include <gmock/gmock.h>

namespace slotscape::joins::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class Joins : public JoinsTest {};
INSTANTIATE_TEST_SUITE_P(On, Joins, ::testing::ValuesIn(all_subjects()), subject_name);

TEST_P(Joins, GiveTheRowsThatOneCanSeeByHand)
{
  auto engine = make();
  std::vector<Key> const build{7, 3, 7, 5};
  std::vector<Key> const probe{3, 9, 7};
  Joined const inner = engine->join(JoinKind::inner, build, probe);
  EXPECT_THAT(inner.probe_rows, ElementsAre(0, 2, 2));
  EXPECT_EQ(inner.build_rows.at(0), 1u);
  EXPECT_THAT((std::vector{inner.build_rows.at(1), inner.build_rows.at(2)}), UnorderedElementsAre(0, 2));

  Joined const left = engine->join(JoinKind::left, build, probe);
  EXPECT_THAT(left.probe_rows, ElementsAre(0, 1, 2, 2));
  EXPECT_EQ(left.build_rows.at(0), 1u);
  EXPECT_EQ(left.build_rows.at(1), no_row);

  Joined const semi = engine->join(JoinKind::semi, build, probe);
  EXPECT_THAT(semi.probe_rows, ElementsAre(0, 2));
  EXPECT_THAT(semi.build_rows, IsEmpty());
  EXPECT_THAT(engine->join(JoinKind::anti, build, probe).probe_rows, ElementsAre(1));
}

TEST_P(Joins, TakeEmptySides)
{
  auto engine = make();
  std::vector<Key> const some = keys_of(drawn(1000, 100, 1));
  expect_joins(*engine, {}, {});
  expect_joins(*engine, some, {});
  expect_joins(*engine, {}, some);
  expect_joins(*engine, some, some);
  expect_joins(*engine, {}, some);  // what was built before is gone
}

/// On one object, whose memory is used again: few rows and many, and the other way round.
TEST_P(Joins, AgreeWithAMultimapForRandomKeys)
{
  auto engine = make();
  for (auto const& [build, probe, keys] : std::vector<std::array<std::uint64_t, 3>>{
           {1, 1, 1}, {500, 3'000, 400}, {90'000, 20'000, 90'000}, {70'000, 150'000, 30'000}, {300, 100'000, 1'000}}) {
    SCOPED_TRACE(std::to_string(build) + " and " + std::to_string(probe) + " rows");
    expect_joins(*engine, keys_of(drawn(build, keys, build)), keys_of(drawn(probe, 2 * keys, build + 1)));
  }
}

TEST_P(Joins, AgreeWithAMultimapBySortingToo)
{
  auto engine = make({.construction = multivalue::Construction::sort});
  expect_joins(*engine, keys_of(drawn(80'000, 30'000, 1)), keys_of(drawn(50'000, 60'000, 2)));
}

TEST_P(Joins, TakeEqualKeysOnly)
{
  auto engine = make();
  expect_joins(*engine, std::vector<Key>(1'500, 42), std::vector<Key>(700, 42));
  expect_joins(*engine, std::vector<Key>(70'000, 42), std::vector<Key>{41, 42, 43});
  expect_joins(*engine, std::vector<Key>{42}, std::vector<Key>(100'000, 42));
}

TEST_P(Joins, FindNothingForAbsentKeys)
{
  auto engine = make();
  std::vector<std::uint64_t> absent = drawn(100'000, 50'000, 4);
  for (std::uint64_t& number : absent) { number += 1'000'000; }
  std::vector<Key> const build = keys_of(drawn(70'000, 50'000, 3));
  expect_joins(*engine, build, keys_of(absent));
  EXPECT_THAT(engine->join(JoinKind::inner, build, keys_of(absent)).probe_rows, IsEmpty());
}

/// A tile that writes results skips the rows that have none.
TEST_P(Joins, FindTheOneRowAmongManyWithoutAny)
{
  auto engine = make();
  std::vector<Key> probe(200'000, key_number(1));
  for (std::size_t const hit : {0, 77'777, 77'778, 199'999}) {
    std::vector<Key> with_hit = probe;
    with_hit[hit] = key_number(0);
    expect_joins(*engine, std::vector<Key>(300, key_number(0)), with_hit);
  }
}

TEST_P(Joins, TakeZipfKeys)
{
  auto engine = make();
  for (double const exponent : {0.5, 1.0, 1.2}) {
    ZipfRanks const ranks{40'000, exponent};
    std::vector<std::uint64_t> numbers(120'000);
    for (std::uint64_t i = 0; i < numbers.size(); ++i) { numbers[i] = ranks(5, i); }
    std::vector<std::uint64_t> skewed_too(3'000);
    for (std::uint64_t i = 0; i < skewed_too.size(); ++i) { skewed_too[i] = ranks(6, i); }
    expect_joins(*engine, keys_of(drawn(60'000, 40'000, 7)), keys_of(numbers));
    expect_joins(*engine, keys_of(skewed_too), keys_of(std::vector(numbers.begin(), numbers.begin() + 2'000)));
  }
}

/// Tables reserve the largest keys; to a join, they are keys like any other.
TEST_P(Joins, TakeReservedKeys)
{
  auto engine = make();
  Key const largest = bits() == 64 ? ~Key{0} : Key{0xffffffffu};
  std::vector<Key> build = keys_of(drawn(70'000, 1'000, 8));
  std::vector<Key> probe = keys_of(drawn(5'000, 2'000, 9));
  for (Key below = 0; below < 5; ++below) {
    for (std::size_t times = 0; times < 5 - below; ++times) { build.insert(build.begin() + 1'000, largest - below); }
    probe.insert(probe.begin() + 17, largest - below);
  }
  expect_joins(*engine, build, probe);
  expect_joins(*engine, std::vector<Key>(100, largest), probe);
  expect_joins(*engine, build, std::vector<Key>(100, largest - 1));
  expect_joins(*engine, keys_of({1, 2, 3}), probe);  // those of the last build are gone
}

TEST_P(Joins, TellLongKeysApart)
{
  if (bits() == 32) {
    EXPECT_THROW(make()->join(JoinKind::inner, std::vector<Key>{1}, std::vector<Key>{Key{1} << 32}), Error);
    EXPECT_THROW(make()->group(std::vector<Key>{Key{1} << 32}, std::vector<std::uint64_t>{1}), Error);
    return;
  }
  std::vector<Key> build;
  for (Key high = 0; high < 3'000; ++high) { build.push_back(high << 32 | 5); }
  expect_joins(*make(), build, std::vector<Key>{5, Key{1} << 32 | 5, Key{2} << 32 | 4, Key{2'999} << 32 | 5});
}

/// 70,000 times 70,000 are more than 2^32.
TEST_P(Joins, RefuseAResultThatIsTooLarge)
{
  auto engine = make();
  std::vector<Key> const equal(70'000, 1);
  try {
    engine->join(JoinKind::inner, equal, equal);
    FAIL() << "it was not refused";
  } catch (Error const& error) {
    EXPECT_THAT(error.what(), HasSubstr("4900000000 rows"));
    EXPECT_THAT(error.what(), HasSubstr("in parts"));
  }
  EXPECT_EQ(engine->join(JoinKind::semi, equal, equal).probe_rows.size(), equal.size());
  expect_joins(*engine, keys_of({1, 2}), keys_of({2, 3}));
}

TEST(JoinSettings, AreChecked)
{
  EXPECT_THROW(validate({.key_bits = 16}), Error);
  EXPECT_THROW(validate({.load_factor = 0.95}), Error);
  EXPECT_THROW(validate({.key_bits = 64, .construction = multivalue::Construction::two_level_cuckoo}), Error);
  EXPECT_NO_THROW(validate({}));
}

}  // namespace
}  // namespace slotscape::joins::testing
