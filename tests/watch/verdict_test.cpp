#include "gpu/watch/watched_table.hpp"
#include "tests/watch/foreign_tables.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <set>
#include <vector>

namespace slotscape::watch {
namespace {

using test::key64;
using test::Memory;
using test::watched;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::uint64_t empty = ~std::uint64_t{0};

/// Keys of 64 bits in linear probing, with homes by a function of the test's own.
class Table64 {
public:
  using HomeOf = std::function<std::uint64_t(std::uint64_t)>;

  Table64(std::uint64_t slots, HomeOf home) : memory("slots", 8 * slots), slots_(slots), home_(std::move(home))
  {
    for (std::uint64_t slot = 0; slot < slots; ++slot) { memory.write(8 * slot, empty); }
  }
  std::uint64_t key_in(std::uint64_t slot) const { return memory.read<std::uint64_t>(8 * slot); }
  void write(std::uint64_t slot, std::uint64_t key) { memory.write(8 * slot, key); }
  std::uint64_t home(std::uint64_t key) const { return home_(key) % slots_; }
  void insert(std::uint64_t key)
  {
    std::uint64_t slot = home(key);
    while (key_in(slot) != empty && key_in(slot) != key) { slot = (slot + 1) % slots_; }
    write(slot, key);
  }
  /// By the finaliser of MurmurHash3, as it is usual.
  Description description() const
  {
    Description table;
    table.slots = slots_;
    table.key = {"slots", 0, 8, 64};
    table.empty_key = empty;
    table.home_of = watch::HomeOf::hash;
    table.hashes = {{.reduction = std::has_single_bit(slots_) ? Reduction::mask : Reduction::modulo}};
    table.probing.scheme = Scheme::linear;
    return table;
  }

  Memory memory;

private:
  std::uint64_t slots_;
  HomeOf home_;
};

std::uint64_t mixed(std::uint64_t x)
{
  x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdu;
  x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53u;
  return x ^ (x >> 33);
}
std::uint32_t mixed32(std::uint32_t x)
{
  x = (x ^ (x >> 16)) * 0x85ebca6bu;
  x = (x ^ (x >> 13)) * 0xc2b2ae35u;
  return x ^ (x >> 16);
}

struct LossyHash {
  char const* name;
  std::uint64_t slots;
  std::uint64_t keys;
  std::uint64_t (*home)(std::uint64_t);
  Hash expected;
};
class LossyHashTest : public testing::TestWithParam<LossyHash> {};

TEST_P(LossyHashTest, IsRecognisedInATableThatIsDescribedByTheWholeOne)
{
  LossyHash const& lossy = GetParam();
  Table64 table(lossy.slots, lossy.home);
  for (std::uint64_t i = 0; i < lossy.keys; ++i) { table.insert(key64(i)); }
  Check const check = watched(table.description(), {table.memory.array()})->check(true);
  ASSERT_EQ(check.better.size(), 1u) << text_of(check);
  Description const& better = check.better.front().description;
  EXPECT_EQ(check.better.front().found, check.sampled);
  EXPECT_EQ(better.probing.scheme, Scheme::linear);
  for (std::uint64_t i = 0; i < 100; ++i) {
    EXPECT_EQ(place_of(better.hashes.front(), key64(i), 64, lossy.slots), lossy.home(key64(i)) % lossy.slots);
  }
  EXPECT_EQ(better.hashes.front().mask, lossy.expected.mask);
  EXPECT_EQ(better.hashes.front().shift, lossy.expected.shift);
  EXPECT_EQ(better.hashes.front().words, lossy.expected.words);
}

INSTANTIATE_TEST_SUITE_P(
    , LossyHashTest,
    testing::Values(
        LossyHash{"TenBitsOfTwelve", 4096, 1000, [](std::uint64_t key) { return mixed(key) & 0x3ff; }, {.mask = 0x3ff}},
        LossyHash{
            "ManyKeysOnFewHomes", 4096, 3000, [](std::uint64_t key) { return mixed(key) & 0x3ff; }, {.mask = 0x3ff}},
        LossyHash{"LowBits",
                  4096,
                  1000,
                  [](std::uint64_t key) { return mixed(key) & ~std::uint64_t{3}; },
                  {.mask = ~std::uint64_t{3}}},
        LossyHash{"OneBit", 4096, 1500, [](std::uint64_t key) { return mixed(key) & 0xfdf; }, {.mask = 0xfdf}},
        LossyHash{"Shifted", 4096, 2500, [](std::uint64_t key) { return mixed(key) >> 20; }, {.shift = 20}},
        LossyHash{"TheUpperHalfWithFewerBits",
                  4096,
                  1000,
                  [](std::uint64_t key) { return mixed(key) >> 32 & 0x3ff; },
                  {.shift = 32, .mask = 0x3ff}},
        LossyHash{"SwappedHalves",
                  4096,
                  2500,
                  [](std::uint64_t key) { return mixed(key << 32 | key >> 32); },
                  {.words = Words::swapped}},
        LossyHash{"TheLowerHalfOfTheKey",
                  4096,
                  2500,
                  [](std::uint64_t key) { return std::uint64_t{mixed32(static_cast<std::uint32_t>(key))}; },
                  {.words = Words::low}},
        LossyHash{"TheLowerHalfInAHashOf64Bits",
                  4096,
                  2500,
                  [](std::uint64_t key) { return mixed(key & 0xffffffffu); },
                  {.words = Words::low_extended}},
        LossyHash{"TheUpperHalfOfTheKey",
                  4096,
                  2500,
                  [](std::uint64_t key) { return std::uint64_t{mixed32(static_cast<std::uint32_t>(key >> 32))}; },
                  {.words = Words::high}},
        LossyHash{"AMaskThatIsNone", 3000, 1000, [](std::uint64_t key) { return mixed(key) & 2999; }, {.mask = 2999}},
        LossyHash{"AVariableOf32Bits",
                  3000,
                  2000,
                  [](std::uint64_t key) { return mixed(key) & 0xffffffffu; },
                  {.mask = 0xffffffffu}}),
    [](auto const& instance) { return std::string(instance.param.name); });

/// Of a table that was made so many times as large, without moving its keys.
Table64 grown(std::uint64_t slots, std::uint64_t times, std::uint64_t keys)
{
  Table64 small(slots / times, mixed);
  for (std::uint64_t i = 0; i < keys; ++i) { small.insert(key64(i)); }
  Table64 table(slots, mixed);
  for (std::uint64_t slot = 0; slot < slots / times; ++slot) { table.write(slot, small.key_in(slot)); }
  return table;
}

TEST(VerdictTest, ATableThatGrewWithoutARehashIsRecognised)
{
  for (std::uint64_t const slots : {8192u, 8000u}) {
    for (std::uint64_t const times : {2u, 4u}) {
      for (std::uint64_t const later : {0u, 700u}) {
        constexpr std::uint64_t keys = 1300;
        Table64 table = grown(slots, times, keys);
        for (std::uint64_t i = 0; i < later; ++i) { table.insert(key64(keys + i)); }
        Check const check = watched(table.description(), {table.memory.array()})->check(true);
        ASSERT_TRUE(check.growth) << slots << ' ' << times << ' ' << later << ": " << text_of(check);
        EXPECT_EQ(check.growth->slots, slots / times);
        EXPECT_EQ(check.growth->found == check.sampled, later == 0) << check.growth->found;
        EXPECT_TRUE(check.better.empty());
        EXPECT_FALSE(check.is_wrong()) << "lookups are as it says";
        EXPECT_FALSE(check.is_beaten());
        EXPECT_THAT(text_of(*check.growth, slots), HasSubstr(times == 2 ? "half the slots (4," : "a quarter of"));
        EXPECT_THAT(text_of(check), AllOf(HasSubstr("are found with"), Not(HasSubstr("None of the hashes"))));
      }
    }
  }
}

/// Damage of other kinds, and hashes that lose bits, have keys beyond the smaller table.
TEST(VerdictTest, OtherDamageIsNoGrowth)
{
  Table64 holes(4096, mixed);
  for (std::uint64_t i = 0; i < 3500; ++i) { holes.insert(key64(i)); }
  for (std::uint64_t slot = 0; slot < 4096; slot += 5) { holes.write(slot, empty); }
  EXPECT_FALSE(watched(holes.description(), {holes.memory.array()})->check(true).growth);
  Table64 lossy(4096, [](std::uint64_t key) { return mixed(key) & 0x3ff; });
  for (std::uint64_t i = 0; i < 1500; ++i) { lossy.insert(key64(i)); }
  EXPECT_FALSE(watched(lossy.description(), {lossy.memory.array()})->check(true).growth);
  Table64 other(4096, [](std::uint64_t key) { return mixed(key * 3 + 1); });
  for (std::uint64_t i = 0; i < 3500; ++i) { other.insert(key64(i)); }
  EXPECT_FALSE(watched(other.description(), {other.memory.array()})->check(true).growth);
}

/// As Python's % has it, whose remainders are never below 0.
TEST(VerdictTest, RemaindersOfNumbersWithASignAreRecognised)
{
  constexpr std::uint64_t slots = 4001;
  Table64 table(slots, [](std::uint64_t key) {
    auto const number = static_cast<std::int64_t>(key);
    constexpr auto places = static_cast<std::int64_t>(slots);
    return static_cast<std::uint64_t>((number % places + places) % places);
  });
  for (std::uint64_t i = 0; i < 2000; ++i) {
    std::uint64_t const number = key64(i) >> 2;
    table.insert(i % 2 == 0 ? number : ~number);
  }
  Description described = table.description();
  described.key.is_signed = true;
  Check const check = watched(described, {table.memory.array()})->check(true);
  ASSERT_FALSE(check.better.empty()) << text_of(check);
  EXPECT_EQ(check.better.front().found, check.sampled);
  EXPECT_EQ(check.better.front().description.hashes.front().function, HashFunction::identity);
  EXPECT_TRUE(check.is_beaten());
}

/// Homes that are few are near to many keys: none of that is evidence.
TEST(VerdictTest, AHashThatIsNotKnownIsNotReplacedByOneThatLosesBits)
{
  for (std::uint64_t const keys : {600u, 2000u, 3900u}) {
    Table64 table(4096, [](std::uint64_t key) { return mixed(key * 0x12345677u + 99) & 0x3ff; });
    for (std::uint64_t i = 0; i < keys; ++i) { table.insert(key64(i)); }
    Check const check = watched(table.description(), {table.memory.array()})->check(true);
    EXPECT_TRUE(check.better.empty()) << keys << ": " << text_of(check);
  }
}

/// Packed cells under the identity: lookups are so long that most are given up, and none fails.
TEST(VerdictTest, WhatIsGivenUpHasNotFailed)
{
  Table64 table(1u << 16, std::identity());
  for (std::uint64_t z = 0; z < 130; ++z) {
    for (std::uint64_t y = 0; y < 10; ++y) {
      for (std::uint64_t x = 0; x < 40; ++x) { table.insert(x + (y << 10) + (z << 20)); }
    }
  }
  Description described = table.description();
  described.hashes = {{.function = HashFunction::identity, .reduction = Reduction::mask}};
  auto const looked = watched(described, {table.memory.array()});
  Check const check = looked->check(true);
  EXPECT_GT(2 * check.not_followed, check.sampled) << "as it was meant";
  EXPECT_EQ(check.failed(), 0u);
  EXPECT_FALSE(check.is_wrong());
  EXPECT_FALSE(check.is_nearly_right());
  EXPECT_TRUE(check.is_undecided());
  EXPECT_THAT(text_of(check), AllOf(HasSubstr("does not find 0;"), HasSubstr("given up after 16,384 accesses"),
                                    HasSubstr("It is unclear whether")));
  EXPECT_EQ(looked->lost_keys().count(), 0u);
}

TEST(VerdictTest, AVerdictIsOfTheLookupsThatCameToAnEnd)
{
  Check check{.sampled = 1000, .found = 393, .not_followed = 607, .was_checked = true};
  EXPECT_TRUE(check.is_undecided());
  check = {.sampled = 1000, .found = 100, .not_followed = 500, .was_checked = true};
  EXPECT_TRUE(check.is_wrong()) << "four of five fail";
  check = {.sampled = 1000, .found = 2, .not_followed = 990, .was_checked = true};
  EXPECT_FALSE(check.is_wrong()) << "eight lost keys are no evidence";
  EXPECT_FALSE(check.is_nearly_right());
  check = {.sampled = 1000, .found = 900, .not_followed = 100, .was_checked = true};
  EXPECT_TRUE(check.is_nearly_right());
  check = {.sampled = 1000, .found = 351, .not_followed = 649, .was_checked = true};
  check.better = {{.description = {}, .found = 968, .failed = 12}};
  EXPECT_TRUE(check.is_undecided()) << "the other one contradicts the table, and this one does not";
  check.better.front().failed = 0;
  EXPECT_TRUE(check.is_wrong());
}

/// What erasures that empty slots leave is found by windows that are wider than the holes: the description is right.
TEST(VerdictTest, HolesDoNotSpeakForAWiderWindow)
{
  for (std::uint64_t const slots : {1000u, 1024u}) {
    for (Reduction const reduction : {Reduction::modulo, Reduction::multiply_shift}) {
      bool const scales = reduction == Reduction::multiply_shift;
      Table64 table(slots, [&](std::uint64_t key) {
        return scales ? static_cast<std::uint64_t>(AnyKey{mixed(key)} * slots >> 64) : mixed(key) % slots;
      });
      for (std::uint64_t i = 0; i < 800; ++i) { table.insert(key64(i)); }
      for (std::uint64_t slot = 0; slot < slots; slot += 5) { table.write(slot, empty); }
      Description described = table.description();
      described.hashes.front().reduction = reduction;
      Check const check = watched(described, {table.memory.array()})->check(true);
      EXPECT_TRUE(check.finds_half()) << check.found;
      EXPECT_FALSE(check.is_nearly_right()) << check.found;
      EXPECT_TRUE(check.better.empty()) << text_of(check);
      EXPECT_FALSE(check.is_beaten());
      EXPECT_THAT(text_of(check), Not(HasSubstr("Is the hash right")));
    }
  }
}

/// Of nine keys, some hash of the many finds most by chance.
TEST(VerdictTest, FewKeysBlameNoDescription)
{
  Table64 table(13, std::identity());
  for (std::uint64_t const key : {18u, 41u, 22u, 44u, 59u, 32u, 31u, 73u, 26u, 5u}) { table.insert(key); }
  for (std::uint64_t slot = 0; slot < 13; ++slot) {
    if (table.key_in(slot) == 44) { table.write(slot, empty); }
  }
  Description described = table.description();
  described.hashes = {{.function = HashFunction::identity, .reduction = Reduction::modulo}};
  Check const check = watched(described, {table.memory.array()})->check(true);
  EXPECT_EQ(check.sampled, 9u);
  EXPECT_EQ(check.found, 6u);
  EXPECT_FALSE(check.is_beaten());
  for (Check::Better const& better : check.better) { EXPECT_EQ(better.found, check.sampled); }
}

/// Every way through a full table comes by most keys, however they were put there.
TEST(VerdictTest, AFullTableSpeaksForNoOtherDescription)
{
  for (std::uint64_t const slots : {64u, 128u, 1024u}) {
    Table64 table(slots, mixed);
    for (std::uint64_t slot = 0; slot < slots; ++slot) { table.write(slot, key64(slot)); }
    Check const check = watched(table.description(), {table.memory.array()})->check(true);
    EXPECT_TRUE(check.better.empty()) << slots << ": " << text_of(check);
  }
}

/// A full table that another hash filled is recognised all the same.
TEST(VerdictTest, TheHashOfAFullTableIsFound)
{
  Table64 table(1024, [](std::uint64_t key) { return hashing::avalanche64(key); });
  for (std::uint64_t i = 0; i < 1024; ++i) { table.insert(key64(i)); }
  Check const check = watched(table.description(), {table.memory.array()})->check(true);
  ASSERT_FALSE(check.better.empty()) << text_of(check);
  EXPECT_EQ(check.better.front().description.hashes.front().function, HashFunction::xxhash_avalanche);
}

struct Walk {
  char const* name;
  std::uint64_t slots;
  Scheme scheme;
  /// The slot after so many steps from there.
  std::uint64_t (*next)(std::uint64_t slot, std::uint64_t step, std::uint64_t hash);
};
class WalkTest : public testing::TestWithParam<Walk> {};

TEST_P(WalkTest, IsFollowedAndRecognised)
{
  Walk const& walk = GetParam();
  Table64 table(walk.slots, mixed);
  std::uint64_t accesses = 0;
  constexpr std::uint64_t keys = 300;
  for (std::uint64_t i = 0; i < keys; ++i) {
    std::uint64_t slot = table.home(key64(i));
    for (std::uint64_t step = 1;; ++step) {
      ++accesses;
      if (table.key_in(slot) == empty) { break; }
      slot = walk.next(slot, step, mixed(key64(i))) % walk.slots;
    }
    table.write(slot, key64(i));
  }
  Description described = table.description();
  described.probing.scheme = walk.scheme;
  auto const looked = watched(described, {table.memory.array()});
  EXPECT_EQ(looked->lost_keys().count(), 0u);
  EXPECT_NEAR(looked->statistics().hit_accesses.mean, static_cast<double>(accesses) / keys, 1e-9);
  Check const check = watched(table.description(), {table.memory.array()})->check(true);
  ASSERT_FALSE(check.better.empty()) << text_of(check);
  EXPECT_EQ(check.better.front().description.probing.scheme, walk.scheme);
  EXPECT_EQ(check.better.front().found, keys);
  EXPECT_TRUE(check.is_beaten());
}

INSTANTIATE_TEST_SUITE_P(
    , WalkTest,
    testing::Values(Walk{"Squares", 509, Scheme::squares,
                         [](std::uint64_t slot, std::uint64_t step, std::uint64_t) { return slot + 2 * step - 1; }},
                    Walk{"Downward", 509, Scheme::downward,
                         [](std::uint64_t slot, std::uint64_t, std::uint64_t) { return slot + 508; }},
                    Walk{"Perturbation", 512, Scheme::perturbation,
                         [](std::uint64_t slot, std::uint64_t step, std::uint64_t hash) {
                           return 5 * slot + (step > 12 ? 0 : hash >> 5 * step) + 1;
                         }}),
    [](auto const& instance) { return std::string(instance.param.name); });

/// However many slots were erased, the key that marks them is no key.
TEST(VerdictTest, AKeyInManySlotsSaysNothingOfTheHash)
{
  constexpr std::uint64_t erased = empty - 1;
  constexpr std::uint64_t keys = 3000;
  for (std::uint64_t const percent : {10u, 45u, 55u, 90u, 99u}) {
    Table64 table(4096, mixed);
    for (std::uint64_t i = 0; i < keys; ++i) { table.insert(key64(i)); }
    std::uint64_t count = 0;
    for (std::uint64_t slot = 0; slot < 4096; ++slot) {
      if (table.key_in(slot) == empty || random_below(5, slot, 100) >= percent) { continue; }
      table.write(slot, erased);
      ++count;
    }
    auto const looked = watched(table.description(), {table.memory.array()});
    Check const check = looked->check(true);
    EXPECT_TRUE(check.is_nearly_right()) << percent;
    EXPECT_EQ(check.found, check.sampled) << percent;
    EXPECT_EQ(check.sampled + check.repeats, check.live_slots);
    ASSERT_NE(check.repeated, no_slot) << percent;
    EXPECT_EQ(looked->key_in(check.repeated), AnyKey{erased});
    EXPECT_NEAR(static_cast<double>(check.repeats) / 1000.0, static_cast<double>(count) / keys, 0.06);
  }
}

TEST(VerdictTest, OfACopyItIsKnownWhetherALookupWouldComeToIt)
{
  Table64 table(64, std::identity());
  for (std::uint64_t const slot : {10u, 11u, 12u, 40u, 44u}) {
    table.write(slot, slot == 12 ? 10 : slot == 44 ? 40 : slot);
  }
  Description described = table.description();
  described.hashes = {{.function = HashFunction::identity, .reduction = Reduction::mask}};
  std::vector<Slot> const slots{12, 44, 11};
  std::vector<ReachedSlot> const reached = watched(described, {table.memory.array()})->reached(slots);
  EXPECT_EQ(reached[0].reached.reach, Reach::elsewhere);
  EXPECT_EQ(reached[0].reached.first, 10u);
  EXPECT_TRUE(reached[0].comes_later);
  EXPECT_EQ(reached[1].reached.reach, Reach::elsewhere);
  EXPECT_FALSE(reached[1].comes_later) << "empty slots lie between";
  EXPECT_EQ(reached[2].reached.reach, Reach::found);
}

TEST(RunsTest, AreTheSameInWhateverPartsTheyAreCounted)
{
  auto const by_walking = [](std::vector<bool> const& in) {
    watch::Run best;
    for (std::uint64_t start = 0; start < in.size(); ++start) {
      std::uint64_t length = 0;
      while (length < in.size() && in[(start + length) % in.size()]) { ++length; }
      if (length > best.length) { best = {start, length}; }
    }
    return best;
  };
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    std::uint64_t const count = 1 + random_below(seed, 0, 40);
    std::vector<bool> in(count);
    for (std::uint64_t i = 0; i < count; ++i) { in[i] = random_below(seed, i + 1, 100) < 20 + seed % 81; }
    for (std::uint64_t const size : {1u, 3u, 8u, 64u}) {
      std::vector<RunsOfPart> parts;
      for (std::uint64_t first = 0; first < count; first += size) {
        parts.push_back(runs_between(first, std::min(first + size, count), [&](std::uint64_t i) { return in[i]; }));
      }
      watch::Run const run = longest_run(parts, size, count);
      ASSERT_EQ(run.length, by_walking(in).length) << seed << ' ' << size;
      for (std::uint64_t i = 0; i < run.length; ++i) {
        ASSERT_TRUE(in[(run.start + i) % count]) << seed << ' ' << size;
      }
    }
  }
}

TEST(RunsTest, TellHomesThatNeverOccurAndSlotsInARow)
{
  auto const at = [](std::uint64_t key) { return mixed(key) & 0x3f8; };
  Table64 table(4096, at);
  Description described = table.description();
  described.hashes.front().mask = 0x3f8;
  std::set<std::uint64_t> used;
  for (std::uint64_t i = 0; i < 500; ++i) {
    table.insert(key64(i));
    used.insert(at(key64(i)));
  }
  auto const looked = watched(described, {table.memory.array()});
  looked->statistics();
  WatchedTable::KeyFacts const facts = looked->all_key_facts();
  ASSERT_TRUE(facts.in_use && facts.runs);
  EXPECT_EQ(facts.in_use->used, used.size());
  EXPECT_EQ(facts.in_use->places, 4096u);
  EXPECT_NEAR(facts.in_use->expected, 4096.0 * (1.0 - std::exp(-500.0 / 4096.0)), 1e-6);
  EXPECT_EQ(facts.in_use->unit, 8u);
  EXPECT_EQ(facts.in_use->unused.start, *used.rbegin() + 1);
  EXPECT_EQ(facts.in_use->unused.length, 4096 - *used.rbegin() - 1 + *used.begin());
  std::uint64_t taken = 0;
  std::uint64_t longest = 0;
  std::uint64_t last = 0;
  for (std::uint64_t slot = 0; slot < 4096; ++slot) {
    taken = table.key_in(slot) == empty ? 0 : taken + 1;
    if (taken != 0) { last = slot; }
    longest = std::max(longest, taken);
  }
  EXPECT_EQ(facts.runs->taken.length, longest);
  EXPECT_EQ(facts.runs->empty.start, last + 1);
}

}  // namespace
}  // namespace slotscape::watch
