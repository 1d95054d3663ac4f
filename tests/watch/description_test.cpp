#include "gpu/watch/description.hpp"
#include "gpu/base/error.hpp"
#include "tests/watch/foreign_tables.hpp"

#include <gmock/gmock.h>

#include <functional>

namespace slotscape::watch {
namespace {

using test::error_of;
using test::Memory;
using ::testing::HasSubstr;

constexpr std::uint64_t largest = ~std::uint64_t{0};

/// A table of 64 pairs of 32 bits that is described as it is.
class DescriptionTest : public testing::Test {
protected:
  DescriptionTest()
  {
    table_.slots = 64;
    table_.key = {"slots", 0, 8, 32};
    table_.value = Part{"slots", 4, 8, 32};
    table_.empty_key = 0xffffffffu;
    table_.home_of = HomeOf::hash;
    table_.hashes = {Hash{}};
    table_.probing.scheme = Scheme::linear;
  }
  std::string why_refused()
  {
    Array const array = memory_.array();
    return error_of([&] { validate(table_, std::span(&array, 1)); });
  }
  /// What is said of the table with one lie in it.
  std::string lie(std::function<void(Description&)> const& tell)
  {
    Description const truth = table_;
    tell(table_);
    std::string why = why_refused();
    table_ = truth;
    return why;
  }
  Description table_;
  Memory memory_{"slots", 512};
};

TEST_F(DescriptionTest, TheTruthIsAccepted)
{
  EXPECT_EQ(why_refused(), "");
}

TEST_F(DescriptionTest, PartsInTheSameBytesAreRefused)
{
  constexpr char const* same = "keys and values lie in the same bytes of the array 'slots'";
  EXPECT_THAT(lie([](auto& table) { table.value->offset = 0; }), HasSubstr(same));
  EXPECT_THAT(lie([](auto& table) { table.value = Part{"slots", 3, 8, 8}; }), HasSubstr(same));
  EXPECT_THAT(lie([](auto& table) { table.value = Part{"slots", 0, 4, 32}; }), HasSubstr(same)) << "other strides";
  EXPECT_THAT(lie([](auto& table) {
                table.slots = 32;
                table.key = {"slots", 8, 8, 64};
                table.value = Part{"slots", 4, 8, 32};
              }),
              HasSubstr(same));
  EXPECT_EQ(lie([](auto& table) {
              table.slots = 32;
              table.key = {"slots", 0, 4, 32};
              table.value = Part{"slots", 128, 4, 32};
            }),
            "")
      << "one behind the other";
  auto const in_buckets = [&](std::uint64_t offset_of_values) {
    return lie([&](auto& table) {
      table.buckets = Buckets{4, 32};
      table.key = {"slots", 0, 4, 32};
      table.value = Part{"slots", offset_of_values, 4, 32};
    });
  };
  EXPECT_EQ(in_buckets(16), "");
  EXPECT_THAT(in_buckets(12), HasSubstr(same));
  EXPECT_THAT(lie([](auto& table) {
                table.home_of = HomeOf::array;
                table.homes = {"slots", 0, 8, 32};
              }),
              HasSubstr("keys and homes lie in the same bytes"));
  EXPECT_THAT(lie([](auto& table) { table.control = Control{.array = "slots"}; }),
              HasSubstr("keys and control bytes lie in the same bytes"));
}

TEST_F(DescriptionTest, PartsOfAHashThatItDoesNotHaveAreRefused)
{
  EXPECT_THAT(lie([](auto& table) { table.hashes.front().shift = 32; }), HasSubstr("\"shift\" is 32"));
  EXPECT_THAT(lie([](auto& table) { table.hashes.front().words = Words::low; }), HasSubstr("keys have 32"));
  table_.hashes.front().shift = 3;
  table_.hashes.front().mask = 0x1ff;
  EXPECT_EQ(why_refused(), "");
  EXPECT_THAT(text_of(table_), HasSubstr("murmur3 >> 3 & 0x1ff, modulo"));
}

TEST_F(DescriptionTest, WrongNumbersOfSlotsAreRefused)
{
  EXPECT_THAT(lie([](auto& table) { table.slots = 0; }), HasSubstr("0 slots"));
  EXPECT_THAT(lie([](auto& table) { table.slots = 1; }), HasSubstr("must be from 2"));
  EXPECT_THAT(lie([](auto& table) { table.slots = 65; }), HasSubstr("end at byte 516 of the array 'slots'"));
  EXPECT_THAT(lie([](auto& table) { table.slots = largest; }), HasSubstr("must be from 2"));
}

TEST_F(DescriptionTest, RowsBehindTheLastSlotAreTold)
{
  Array const array = memory_.array();
  auto const left_out = [&] { return rows_left_out(table_, std::span(&array, 1)); };
  EXPECT_EQ(left_out(), "");
  table_.slots = 63;
  EXPECT_THAT(left_out(), HasSubstr("room for 64 slots, but the description says 63"));
  table_.slots = 64;
  table_.key = {"slots", 0, 4, 32};  // the values lie behind all keys
  table_.value = Part{"slots", 256, 4, 32};
  ASSERT_EQ(why_refused(), "");
  EXPECT_EQ(left_out(), "");
}

TEST_F(DescriptionTest, WhatLiesBeyondTheArrayIsRefused)
{
  EXPECT_THAT(lie([](auto& table) { table.key.offset = 8; }), HasSubstr("end at byte"));
  EXPECT_THAT(lie([](auto& table) { table.value->offset = 5; }), HasSubstr("values of 64 slots end at byte 513"));
  EXPECT_THAT(lie([](auto& table) { table.key.stride = 9; }), HasSubstr("Correct"));
  EXPECT_EQ(lie([](auto& table) { table.key.stride = 8; }), "");
}

/// Where 64 bits do not hold the product or the sum.
TEST_F(DescriptionTest, NumbersThatOverflowAreRefused)
{
  EXPECT_THAT(lie([](auto& table) { table.key.stride = largest; }), HasSubstr("more than 2^64"));
  EXPECT_THAT(lie([](auto& table) { table.key.stride = (std::uint64_t{1} << 58) + 1; }), HasSubstr("end at byte"));
  EXPECT_THAT(lie([](auto& table) { table.key.offset = largest; }), HasSubstr("end at byte"));
  EXPECT_THAT(lie([](auto& table) { table.key.offset = largest - 507; }), HasSubstr("end at byte"));
  EXPECT_THAT(lie([](auto& table) {
                table.buckets = Buckets{8, largest};
                table.probing.window = 8;
              }),
              HasSubstr("more than 2^64"));
}

TEST_F(DescriptionTest, StridesAndBitsThatCannotBeAreRefused)
{
  EXPECT_THAT(lie([](auto& table) { table.key.stride = 0; }), HasSubstr("overlap"));
  EXPECT_THAT(lie([](auto& table) { table.key.stride = 3; }), HasSubstr("overlap"));
  for (int const bits : {0, 1, 8, 16, 33, 96, 1 << 20}) {
    EXPECT_THAT(lie([=](auto& table) { table.key.bits = bits; }), HasSubstr("must be 32, 64 or 128")) << bits;
  }
  EXPECT_THAT(lie([](auto& table) { table.value->bits = 12; }), HasSubstr("8, 16, 32 or 64"));
}

TEST_F(DescriptionTest, ArraysThatAreNotThereAreNamed)
{
  EXPECT_THAT(lie([](auto& table) { table.key.array = "keys"; }),
              HasSubstr("no array 'keys'; available: 'slots' (512"));
  EXPECT_EQ(lie([](auto& table) { table.key.array.clear(); }), "");
  std::string const none = error_of([&] { validate(table_, {}); });
  EXPECT_THAT(none, HasSubstr("available: none"));
}

TEST_F(DescriptionTest, SentinelsMustFitAndDiffer)
{
  EXPECT_THAT(lie([](auto& table) { table.empty_key.reset(); }), HasSubstr("add \"empty_key\""));
  EXPECT_THAT(lie([](auto& table) { table.empty_key = std::uint64_t{1} << 32; }), HasSubstr("does not fit"));
  EXPECT_THAT(lie([](auto& table) { table.erased_key = 0xffffffffu; }), HasSubstr("are the same"));
  EXPECT_THAT(lie([](auto& table) {
                table.erased_value = 1;
                table.value.reset();
              }),
              HasSubstr("needs \"value\""));
}

TEST_F(DescriptionTest, ProbingMustSuitTheSlots)
{
  EXPECT_THAT(lie([](auto& table) { table.probing.window = 0; }), HasSubstr("must be from 1"));
  EXPECT_THAT(lie([](auto& table) { table.probing.window = 65; }), HasSubstr("must be from 1 to 64"));
  EXPECT_THAT(lie([](auto& table) { table.probing.window = 5; }), HasSubstr("not a multiple of 5"));
  EXPECT_THAT(lie([](auto& table) { table.probing.step = 100; }), HasSubstr("\"step\""));
  EXPECT_THAT(lie([](auto& table) { table.hashes.clear(); }), HasSubstr("hash functions"));
  EXPECT_THAT(lie([](auto& table) { table.probing.scheme = Scheme::double_hashing; }), HasSubstr("takes 2 hash"));
  EXPECT_THAT(lie([](auto& table) {
                table.slots = 60;
                table.hashes.front().reduction = Reduction::mask;
              }),
              HasSubstr("power of two"));
  EXPECT_THAT(lie([](auto& table) { table.probing.scheme = Scheme::chains; }), HasSubstr("need \"links\""));
}

TEST_F(DescriptionTest, BucketsMustHoldTheirSlots)
{
  auto const with_buckets = [](Buckets buckets) {
    return [=](Description& table) {
      table.buckets = buckets;
      table.probing.window = buckets.slots;
    };
  };
  EXPECT_EQ(lie(with_buckets({8, 64})), "");
  EXPECT_THAT(lie(with_buckets({0, 64})), HasSubstr("buckets of 0"));
  EXPECT_THAT(lie(with_buckets({7, 64})), HasSubstr("multiple of the bucket size"));
  EXPECT_THAT(lie(with_buckets({8, 32})), HasSubstr("too small"));
  EXPECT_THAT(lie(with_buckets({8, 128})), HasSubstr("end at byte"));
}

TEST_F(DescriptionTest, HomesMustBeThere)
{
  auto const with_homes = [](Part const& homes) {
    return [=](Description& table) {
      table.home_of = HomeOf::array;
      table.homes = homes;
    };
  };
  EXPECT_EQ(lie(with_homes({"slots", 4, 8, 32})), "");
  EXPECT_THAT(lie(with_homes({"slots", 0, 4, 32})), HasSubstr("keys and homes lie in the same bytes"));
  EXPECT_THAT(lie(with_homes({"slots", 0, 16, 64})), HasSubstr("homes of 64 slots end at byte"));
  EXPECT_THAT(lie(with_homes({"slots", 0, 2, 16})), HasSubstr("32 or 64"));
}

TEST_F(DescriptionTest, LinksMustLeadIntoTheirArray)
{
  auto const with_links = [](std::vector<Slabs> const& parts, std::uint64_t offset = 60) {
    return [=](Description& table) {
      table.slots = 16;
      table.key = {"slots", 0, 8, 32};
      table.value = Part{"slots", 4, 8, 32};
      table.buckets = Buckets{4, 64};
      table.probing = {.scheme = Scheme::chains, .window = 4};
      table.links = Links{parts, offset};
    };
  };
  constexpr std::uint64_t behind = 256;  // the buckets
  EXPECT_EQ(lie(with_links({{"slots", behind, 4}})), "");
  EXPECT_EQ(lie(with_links({{"slots", behind + 64, 3, 7}, {"slots", behind, 1, 6}})), "");
  EXPECT_THAT(lie(with_links({{"slots", behind, 5}})), HasSubstr("5 slabs of 64 bytes"));
  EXPECT_THAT(lie(with_links({{"slots", largest, 4}})), HasSubstr("do not fit"));
  EXPECT_THAT(lie(with_links({{"slots", behind, 4}}, 62)), HasSubstr("link ends at byte 66"));
  EXPECT_THAT(lie(with_links({})), HasSubstr("no slabs"));
  EXPECT_THAT(lie(with_links({{"slots", behind, 4}, {"slots", behind, 0, 9}})), HasSubstr("no slabs"));
  EXPECT_THAT(lie(with_links({{"slots", behind, largest}})), HasSubstr("more than"));
  EXPECT_THAT(lie(with_links({{"slots", 0, 4}})), HasSubstr("overlap with buckets"));
  EXPECT_THAT(lie(with_links({{"slots", behind, 2, 0}, {"slots", behind + 64, 2, 2}})), HasSubstr("overlap"));
  EXPECT_THAT(lie(with_links({{"slots", behind, 2, 0}, {"slots", behind + 128, 2, 1}})),
              HasSubstr("overlap those of the next part"));
  EXPECT_THAT(lie(with_links({{"slots", behind, 2, 0xffffffffu}})), HasSubstr("more than 32 bits"));
  std::vector<Slabs> many;
  for (std::uint32_t i = 0; i <= max_slab_parts; ++i) { many.push_back({"slots", behind, 1, i}); }
  EXPECT_THAT(lie(with_links(many)), HasSubstr("33 parts"));
}

/// Random lies: each is refused, or can be looked at without reading beyond the memory (AddressSanitizer watches).
TEST_F(DescriptionTest, RandomLiesDoNoHarm)
{
  std::uint64_t number = 0;
  auto const draw = [&](std::uint64_t bound) { return random_below(17, number++, bound); };
  auto const wild = [&](std::uint64_t usual) {
    switch (draw(12)) {
      case 0: return std::uint64_t{draw(300)};
      case 1: return largest - draw(300);
      case 2: return random64(19, number++);
      default: return usual;
    }
  };
  for (std::size_t i = 0; i < memory_.bytes.size(); i += 4) { memory_.write(i, static_cast<std::uint32_t>(draw(70))); }
  Array const array = memory_.array();
  std::uint64_t looked = 0;
  for (int i = 0; i < 4000; ++i) {
    Description table = table_;
    if (draw(2) == 0) { table.slots = wild(64); }
    if (draw(3) == 0) { table.key = {"slots", wild(0), wild(8), 32 << draw(3)}; }
    if (draw(3) == 0) { table.value = Part{"slots", wild(4), wild(8), 8 << draw(4)}; }
    if (draw(4) == 0) { table.buckets = Buckets{wild(8), wild(64)}; }
    if (draw(4) == 0) { table.control = Control{"slots", wild(0)}; }
    if (draw(5) == 0) {
      table.links = Links{{}, wild(60)};
      for (std::uint64_t parts = 1 + draw(3); parts-- > 0;) {
        table.links->parts.push_back(
            {"slots", wild(256 + 64 * parts), wild(1), static_cast<std::uint32_t>(wild(parts))});
      }
    }
    table.home_of = static_cast<HomeOf>(draw(3));
    table.homes = {"slots", wild(0), wild(4), 32};
    table.hashes.resize(1 + draw(3));
    for (Hash& hash : table.hashes) {
      hash.function = static_cast<HashFunction>(draw(hash_function_names.size()));
      hash.reduction = static_cast<Reduction>(draw(reduction_names.size()));
    }
    table.probing = {static_cast<Scheme>(draw(6)), wild(1 + draw(8)), draw(2) == 0 ? 0 : wild(1),
                     draw(2) == 0 ? 0 : wild(1), draw(2) == 0};
    table.empty_key = draw(70);
    std::string const refused = error_of([&] { validate(table, std::span(&array, 1)); });
    if (!refused.empty()) { continue; }
    ++looked;
    auto const watched = test::watched(table, {array});
    Statistics const found = watched->statistics();
    EXPECT_EQ(found.live + found.tombstones + found.empty(), table.all_slots());
    watched->probe_path(42);
    watched->check(false);
  }
  EXPECT_GT(looked, 100u);
}

}  // namespace
}  // namespace slotscape::watch
