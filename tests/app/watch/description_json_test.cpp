#include "app/watch/description_json.hpp"
#include "gpu/base/error.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace slotscape {
namespace {

using test::message_of;
using ::testing::HasSubstr;
using watch::Description;
using watch::read_description;

Description description_of(std::string const& text)
{
  return read_description(text, "layout.json");
}
std::string error_of(std::string const& text)
{
  return message_of<Error>([&] { description_of(text); });
}

constexpr char const* start = R"({"slots": 16, "key": {"bits": 64, "stride": 16}, "empty_key": 0)";

TEST(DescriptionJsonTest, ReadsAllOfIt)
{
  Description const table = description_of(R"({
    "slots": 4096, "key": {"array": "slots", "offset": 8, "stride": 24, "bits": 64},
    "value": {"array": "values", "bits": 32},
    "empty_key": 18446744073709551615, "erased_key": "0xfffffffffffffffe", "erased_value": -1,
    "hash": {"function": "murmur3_x64_128", "seed": 7, "add": 3, "reduction": "mask"},
    "probing": {"scheme": "double", "window": 8, "align": 1, "hashes": [{"function": "xxhash_32", "seed": 1}]}})");
  EXPECT_EQ(table.key, (watch::Part{"slots", 8, 24, 64}));
  EXPECT_EQ(table.value, (watch::Part{"values", 0, 4, 32}));
  EXPECT_EQ(table.empty_key, ~std::uint64_t{0});
  EXPECT_EQ(table.erased_key, ~std::uint64_t{0} - 1);
  EXPECT_EQ(table.erased_value, 0xffffffffu);
  EXPECT_EQ(table.home_of, watch::HomeOf::hash);
  ASSERT_EQ(table.hashes.size(), 2u);
  EXPECT_EQ(table.hashes[0].function, watch::HashFunction::murmur3_128);
  EXPECT_EQ(table.hashes[0].reduction, watch::Reduction::mask);
  EXPECT_EQ(table.hashes[1].seed, 1u);
  EXPECT_EQ(table.probing.scheme, watch::Scheme::double_hashing);
  EXPECT_EQ(table.align(), 1u);
}

TEST(DescriptionJsonTest, AHashMayBeAFormula)
{
  std::string const text = std::string(start) + R"(, "hash": {"formula": "(x*73856093 ^ y*19349669) % m"},
    "probing": {"scheme": "double", "hashes": [{"formula": "1 + k % 7", "reduction": "mask"}]}})";
  Description const table = description_of(text);
  ASSERT_EQ(table.hashes.size(), 2u);
  std::uint64_t const key = 5u | (std::uint64_t{9} << 21);
  EXPECT_EQ(watch::place_of(table.hashes[0], key, 64, 16), (5u * 73856093u ^ 9u * 19349669u) % 16);
  EXPECT_EQ(watch::place_of(table.hashes[1], 20, 64, 16), 7u);
  EXPECT_THAT(watch::text_of(table), HasSubstr("(x*73856093 ^ y*19349669) % m"));
  EXPECT_EQ(description_of(watch::description_json(table).dump()), table);
  EXPECT_THAT(error_of(std::string(start) + R"(, "hash": {"formula": "k %"}})"),
              HasSubstr("hash.formula: expected a number after % at column 4"));
  EXPECT_THAT(error_of(std::string(start) + R"json(, "hash": {"formula": "k % next_prime(m)"}})json"),
              HasSubstr("write the prime"));
}

TEST(DescriptionJsonTest, WordsOfNumbersWithASignAreNumbers)
{
  for (int const bits : {32, 64}) {
    Description const table = description_of(
        fmt::format(R"({{"slots": 16, "key": {{"bits": {}, "signed": true}}, "empty_key": -1, "erased_key": -9}})",
                    bits));
    Json const json = watch::description_json(table);
    EXPECT_EQ(json["empty_key"], -1);
    EXPECT_EQ(json["erased_key"], -9);
    EXPECT_EQ(description_of(json.dump()), table);
  }
}

TEST(DescriptionJsonTest, UnknownAndGivenHomes)
{
  EXPECT_EQ(description_of(std::string(start) + R"(, "hash": "unknown", "probing": "linear"})").home_of,
            watch::HomeOf::unknown);
  Description const given = description_of(std::string(start) + R"(, "hash": {"homes": "homes"}})");
  EXPECT_EQ(given.home_of, watch::HomeOf::array);
  EXPECT_EQ(given.homes, (watch::Part{"homes", 0, 4, 32}));
}

TEST(DescriptionJsonTest, PresetsCanBeOverridden)
{
  Description const table = description_of(
      R"({"preset": "cuco::static_map", "slots": 4000, "key_bits": 64, "cg_size": 8, "bucket_size": 2,
          "empty_key": -1, "erased_key": -2, "hash": {"seed": 5}, "value": null})");
  EXPECT_EQ(table.preset, "cuco::static_map");
  EXPECT_EQ(table.key.stride, 16u);
  EXPECT_EQ(table.probing.window, 16u);
  EXPECT_EQ(table.hashes.front().function, watch::HashFunction::xxhash_32);
  EXPECT_EQ(table.hashes.front().seed, 5u);
  EXPECT_EQ(table.erased_key, ~std::uint64_t{0} - 1);
  EXPECT_FALSE(table.value);
}

TEST(DescriptionJsonTest, SlabsMayLieInSeveralParts)
{
  Description const by_preset =
      description_of(R"({"preset": "slabhash", "slots": 150, "seed": 1, "super_blocks": 2, "memory_blocks": 1})");
  ASSERT_TRUE(by_preset.links);
  std::vector<watch::Slabs> const two{{"pool", 128, 1024, 0}, {"pool", 128 + 1024 * 128 + 128, 1024, 1u << 27}};
  EXPECT_EQ(by_preset.links->parts, two);
  EXPECT_FALSE(by_preset.probing.ends_at_empty);
  EXPECT_EQ(read_description(format_json(watch::description_json(by_preset)), "again"), by_preset);
  Description const one =
      description_of(R"({"preset": "slabhash", "slots": 150, "links": {"slabs": 4, "start": 512}})");
  EXPECT_EQ(one.links->parts, (std::vector<watch::Slabs>{{"pool", 512, 4}}));
  EXPECT_EQ(one.links->offset, 124u);
  Description const listed = description_of(
      R"({"preset": "slabhash", "slots": 150,
          "links": {"parts": [{"slabs": 3}, {"array": "more", "start": 8, "slabs": 4, "first": 3}]}})");
  EXPECT_EQ(listed.links->parts, (std::vector<watch::Slabs>{{"pool", 0, 3}, {"more", 8, 4, 3}}));
  EXPECT_THAT(error_of(R"({"preset": "slabhash", "slots": 150, "links": {"slabs": 3, "parts": []}})"),
              HasSubstr("leave out"));
  EXPECT_THAT(error_of(R"({"preset": "slabhash", "slots": 150, "super_blocks": 40})"), HasSubstr("up to 32"));
}

TEST(DescriptionJsonTest, LookupsInChainsAndCuckooHashingGoOnBehindEmptySlots)
{
  auto const ends = [](std::string const& probing) {
    return description_of(std::string(start) + R"(, "hash": {"function": "identity"}, "probing": )" + probing + "}")
        .probing.ends_at_empty;
  };
  EXPECT_TRUE(ends(R"("linear")"));
  EXPECT_FALSE(ends(R"("chains")"));
  EXPECT_FALSE(ends(R"({"scheme": "chains"})"));
  EXPECT_TRUE(ends(R"({"scheme": "chains", "ends_at_empty": true})"));
  EXPECT_FALSE(ends(R"({"scheme": "cuckoo", "hashes": [{"function": "murmur3"}]})"));
}

TEST(DescriptionJsonTest, SentinelsMayBeSigned)
{
  auto const empty_key = [](int bits, std::string const& key) {
    return description_of(fmt::format(R"({{"slots": 16, "key": {{"bits": {}}}, "empty_key": {}}})", bits, key))
        .empty_key;
  };
  EXPECT_EQ(empty_key(64, "-9223372036854775808"), watch::AnyKey{1} << 63);  // NaT of pandas
  EXPECT_EQ(empty_key(64, "\"-9223372036854775808\""), watch::AnyKey{1} << 63);
  EXPECT_EQ(empty_key(64, "-9007199254740993"), watch::AnyKey{0} + static_cast<std::uint64_t>(-9007199254740993));
  EXPECT_EQ(empty_key(64, "9223372036854775808"), watch::AnyKey{1} << 63);
  EXPECT_EQ(empty_key(32, "-2147483648"), watch::AnyKey{1} << 31);
  EXPECT_EQ(empty_key(128, "-1"), ~watch::AnyKey{0});
  for (char const* const wrong : {"-2147483649", "\"-2147483649\"", "-9223372036854775809", "1.5"}) {
    EXPECT_THROW(empty_key(32, wrong), Error) << wrong;
  }
  EXPECT_THAT(message_of<Error>([&] { empty_key(32, "-2147483649"); }), HasSubstr("at least -2^31"));
}

TEST(DescriptionJsonTest, WhatIsWrittenIsReadBack)
{
  std::vector<Description> tables;
  for (watch::Preset const& preset : watch::presets()) {
    Description table = preset.make({.key_bits = 32, .slots = 960});
    table.preset = preset.name;
    tables.push_back(table);
    table.preset.clear();
    tables.push_back(table);
  }
  tables.front().control = watch::Control{"bytes", 3, 0x81, 0x82};
  tables.back().home_of = watch::HomeOf::array;
  tables.back().homes = {"homes", 0, 8, 64};
  tables.back().hashes.clear();
  for (Description const& table : tables) {
    Json const json = watch::description_json(table);
    EXPECT_EQ(read_description(json.dump(), "written"), table) << json.dump(2);
  }
}

TEST(DescriptionJsonTest, FurtherHashesNeedTheFirst)
{
  std::string const further = R"("probing": {"scheme": "double", "hashes": [{"function": "murmur3"}]})";
  for (char const* const homes : {"", R"("hash": "unknown", )", R"("hash": {"homes": "homes"}, )"}) {
    EXPECT_THAT(error_of(fmt::format("{}, {}{}}}", start, homes, further)), HasSubstr("add it as \"hash\"")) << homes;
  }
  Description const unknown =
      description_of(R"({"preset": "cuco::static_map/double", "slots": 960, "key_bits": 32, "hash": "unknown"})");
  EXPECT_TRUE(unknown.hashes.empty());
  EXPECT_EQ(read_description(watch::description_json(unknown).dump(), "again"), unknown);
}

TEST(DescriptionJsonTest, WhatIsWrongIsNamed)
{
  EXPECT_THAT(error_of("{"), HasSubstr("layout.json"));
  EXPECT_THAT(error_of("[]"), HasSubstr("layout.json"));
  EXPECT_THAT(error_of(R"({"key": {"bits": 32}})"), HasSubstr("'slots' is missing"));
  EXPECT_THAT(error_of(R"({"slots": 16})"), HasSubstr("'key' is missing"));
  EXPECT_THAT(error_of(R"({"slots": 16, "key": {}})"), HasSubstr("\"bits\" is missing"));
  EXPECT_THAT(error_of(R"({"slots": 16, "key": {"bits": 128, "signed": true}})"), HasSubstr("of 32 or 64 bits"));
  EXPECT_THAT(error_of(R"({"slots": -1, "key": {"bits": 32}})"), HasSubstr("whole number"));
  EXPECT_THAT(error_of(R"({"slots": 1.5, "key": {"bits": 32}})"), HasSubstr("whole number"));
  EXPECT_THAT(error_of(std::string(start) + R"(, "cg_size": 4})"), HasSubstr("cg_size"));
  EXPECT_THAT(error_of(std::string(start) + R"(, "erased_key": "0xx"})"), HasSubstr("'0xx' is invalid"));
  EXPECT_THAT(error_of(std::string(start) + R"(, "hash": "murmur3"})"), HasSubstr("'murmur3' is invalid"));
  EXPECT_THAT(error_of(std::string(start) + R"(, "hash": {"function": "murmur"}})"), HasSubstr("murmur3"));
  EXPECT_THAT(error_of(std::string(start) + R"(, "hash": {}})"), HasSubstr("'function' is missing"));
  EXPECT_THAT(error_of(std::string(start) + R"(, "probing": "lineal"})"), HasSubstr("linear"));
  std::string const hashed = std::string(start) + R"(, "hash": {"function": "identity"}, "probing": {"hashes": )";
  EXPECT_THAT(error_of(hashed + "[{}]}}"), HasSubstr("'function' is missing"));
  EXPECT_THAT(error_of(R"({"preset": "warpcore", "slots": 16, "key_bits": 48})"), HasSubstr("32, 64 or 128"));
  EXPECT_THAT(error_of(R"({"preset": 7, "slots": 16})"), HasSubstr("double quotes"));
}

}  // namespace
}  // namespace slotscape
