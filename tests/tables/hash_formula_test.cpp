#include "gpu/tables/hash_formula.hpp"

#include "gpu/tables/hash.hpp"

#include <gmock/gmock.h>

#include <string>

namespace slotscape {
namespace {

using ::testing::HasSubstr;

std::uint64_t value_of(std::string const& formula, std::uint64_t key, std::uint64_t slots = 11, int bits = 32)
{
  return evaluate(parse_hash_formula(formula).program, {key, slots, bits});
}

HashChoice choice_of(std::string const& formula, HashReduction reduction = HashReduction::usual)
{
  HashChoice choice(parse_hash_formula(formula));
  choice.reduction = reduction;
  return choice;
}

std::string in_words(std::string const& formula, std::uint32_t key, std::uint64_t slots,
                     HashReduction reduction = HashReduction::usual)
{
  return explain_home(FormulaHasher<std::uint32_t>(choice_of(formula, reduction), slots), key);
}

std::string error_of(std::string const& formula)
{
  try {
    parse_hash_formula(formula);
  } catch (Error const& error) {
    return error.what();
  }
  return "no error";
}

struct Known {
  char const* name;
  std::uint64_t key;
  std::uint64_t slots;
  int bits;
  std::uint64_t hash;
};

/// The rows that textbook_hashes.py prints.
constexpr Known known[]{
    {"division", 100u, 12u, 32, 4u},
    {"division", 1234567890123456789u, 701u, 64, 143u},
    {"multiplication", 123456u, 16384u, 32, 67u},
    {"multiplication", 1u, 1000u, 32, 618u},
    {"multiplication", 4294967290u, 1009u, 32, 579u},
    {"mid_square", 4765u, 10000u, 32, 7052u},
    {"mid_square", 9999u, 10000u, 32, 9800u},
    {"mid_square", 12u, 10000u, 32, 1u},
    {"folding", 123456789u, 1000u, 32, 1368u},
    {"folding", 5u, 1000u, 32, 5u},
    {"teschner", 0u, 1009u, 32, 0u},
    {"teschner", 1u, 1009u, 32, 73856093u},
    {"teschner", 878082202u, 1009u, 32, 82643870839u},
    {"teschner", 81985529216486895u, 1048576u, 64, 68617450469909u},
    {"teschner", 18446744073709551612u, 1009u, 64, 60514354499998u},
    {"morton", 0u, 1009u, 32, 0u},
    {"morton", 1u, 1009u, 32, 1u},
    {"morton", 878082202u, 1009u, 32, 644888476u},
    {"morton", 81985529216486895u, 1048576u, 64, 440003863533897423u},
    {"morton", 18446744073709551612u, 1009u, 64, 9223372036854775798u},
    {"fnv1a", 0u, 1009u, 32, 5558979605539197941u},
    {"fnv1a", 1u, 1009u, 32, 12478008331234465636u},
    {"fnv1a", 878082202u, 1009u, 32, 1014219785514566461u},
    {"fnv1a", 81985529216486895u, 1048576u, 64, 4029383781087845461u},
    {"fnv1a", 18446744073709551612u, 1009u, 64, 2136846252759775326u},
    {"crc32", 0u, 1009u, 32, 1214729159u},
    {"crc32", 1u, 1009u, 32, 2502091135u},
    {"crc32", 878082202u, 1009u, 32, 2318857017u},
    {"crc32", 81985529216486895u, 1048576u, 64, 1706088483u},
    {"crc32", 18446744073709551612u, 1009u, 64, 2468596910u},
    {"murmur3", 0u, 1009u, 32, 0u},
    {"murmur3", 1u, 1009u, 32, 1364076727u},
    {"murmur3", 878082202u, 1009u, 32, 643701810u},
    {"murmur3", 81985529216486895u, 1048576u, 64, 9785191686031420650u},
    {"murmur3", 18446744073709551612u, 1009u, 64, 6996891656862880743u},
    {"splitmix64", 0u, 1009u, 32, 16294208416658607535u},
    {"splitmix64", 1u, 1009u, 32, 10451216379200822465u},
    {"splitmix64", 878082202u, 1009u, 32, 7207503488973295636u},
    {"splitmix64", 81985529216486895u, 1048576u, 64, 1547611027431991965u},
    {"splitmix64", 18446744073709551612u, 1009u, 64, 13935469284678123066u},
    {"wyhash", 0u, 1009u, 32, 2302960717771869484u},
    {"wyhash", 1u, 1009u, 32, 4105396388567933506u},
    {"wyhash", 878082202u, 1009u, 32, 15105804040788049849u},
    {"wyhash", 81985529216486895u, 1048576u, 64, 8797107345578902612u},
    {"wyhash", 18446744073709551612u, 1009u, 64, 7564724419252445762u},
    {"fibonacci", 0u, 1009u, 32, 0u},
    {"fibonacci", 1u, 1009u, 32, 623u},
    {"fibonacci", 878082202u, 1009u, 32, 759u},
    {"fibonacci", 81985529216486895u, 1048576u, 64, 51514u},
    {"fibonacci", 18446744073709551612u, 1009u, 64, 532u},
    {"boost", 0u, 1009u, 32, 11093822414574u},
    {"boost", 1u, 1009u, 32, 11093822459869u},
    {"boost", 878082202u, 1009u, 32, 11093822239940u},
    {"boost", 81985529216486895u, 1048576u, 64, 11088550219896u},
    {"boost", 18446744073709551612u, 1009u, 64, 11085099917372u},
    {"nvblox", 0u, 1009u, 32, 0u},
    {"nvblox", 1u, 1009u, 32, 1u},
    {"nvblox", 878082202u, 1009u, 32, 2552993953u},
    {"nvblox", 81985529216486895u, 1048576u, 64, 2609795179u},
    {"nvblox", 18446744073709551612u, 1009u, 64, 1367493860u},
    {"open3d", 0u, 1009u, 32, 15658191375538532279u},
    {"open3d", 1u, 1009u, 32, 15034026112158478604u},
    {"open3d", 878082202u, 1009u, 32, 738369454548691300u},
    {"open3d", 81985529216486895u, 1048576u, 64, 6838413084150611624u},
    {"open3d", 18446744073709551612u, 1009u, 64, 7333991927240701033u},
};

TEST(HashFormula, GivesTheHashesOfTextbooks)
{
  for (Known const& row : known) {
    EXPECT_EQ(value_of(row.name, row.key, row.slots, row.bits), row.hash) << row.name << " of " << row.key;
  }
}

TEST(HashFormula, HasTheValuesThatAreWidelyPrinted)
{
  EXPECT_EQ(value_of("splitmix64(0)", 0), 0xe220a8397b1dcdafu);                     // the first number of the seed 0
  EXPECT_EQ(value_of("crc32(0)", 0), 0x48674bc7u);                                  // four zero bytes
  EXPECT_EQ(value_of("floor(m * frac(0.6180339887 * k))", 123456, 1u << 14), 67u);  // CLRS 11.3.2
}

/// The reduction of stdgpu::unordered_map, on which nvblox and Open3D build: docs/hash-functions.md has it as a
/// formula.
TEST(HashFormula, HasTheBucketsOfStdgpu)
{
  auto const bucket = [](std::uint64_t hash, int bits) {
    std::uint64_t const improved = hash ^ (hash >> (64 - bits));
    return 11400714819323198485u * improved >> (64 - bits);
  };
  auto const reduced = [](std::string const& h) {
    return "mulhi(0x9e3779b97f4a7c15*(" + h + " ^ mulhi(" + h + ", m)), m)";
  };
  std::string const nvblox = "((x + y*17191 + z*(17191*17191)) & 0xffffffff)";
  std::string const open3d = "((((0xcbf29ce484222325 ^ x)*0x100000001b3 ^ y)*0x100000001b3 ^ z)*0x100000001b3)";
  for (int const bits : {1, 10, 20}) {
    std::uint64_t const slots = std::uint64_t{1} << bits;
    for (std::uint64_t key = 1; key != 0; key *= 3 << 10) {
      EXPECT_EQ(value_of(reduced(nvblox), key, slots, 64), bucket(value_of("nvblox", key, slots, 64), bits)) << key;
      EXPECT_EQ(value_of(reduced(open3d), key, slots, 64), bucket(value_of("open3d", key, slots, 64), bits)) << key;
    }
  }
}

TEST(HashFormula, BindsAsInC)
{
  EXPECT_EQ(value_of("2 + 3 * 4", 0), 14u);
  EXPECT_EQ(value_of("(2 + 3) * 4", 0), 20u);
  EXPECT_EQ(value_of("20 - 3 - 4", 0), 13u);
  EXPECT_EQ(value_of("k + 1 << 2", 1), 8u);
  EXPECT_EQ(value_of("k | 6 & 3 ^ 1", 8), 8u | ((6u & 3u) ^ 1u));
  EXPECT_EQ(value_of("k * 2 ^ k * 3", 5), 10u ^ 15u);
  EXPECT_EQ(value_of("~k & 0xff", 0x0f), 0xf0u);
  EXPECT_EQ(value_of("-k + 3", 1), 2u);
  EXPECT_EQ(value_of("100 / k % 7", 3), 33u % 7u);
}

TEST(HashFormula, IsDefinedForAllNumbers)
{
  EXPECT_EQ(value_of("17 / k", 0), 0u);
  EXPECT_EQ(value_of("17 % k", 0), 17u);
  EXPECT_EQ(value_of("1 << k", 64), 0u);
  EXPECT_EQ(value_of("k >> 200", ~std::uint64_t{0}, 11, 64), 0u);
  EXPECT_EQ(value_of("rotl(k, 64)", 5), 5u);
  EXPECT_EQ(value_of("rotr(k, 1)", 1), std::uint64_t{1} << 63);
  EXPECT_EQ(value_of("rotl(k, 65)", 1), 2u);
  EXPECT_EQ(value_of("digits(k, 30, 2)", 5), 0u);
  EXPECT_EQ(value_of("digits(k, 0, 30)", 5), 5u);
  EXPECT_EQ(value_of("k - 1", 0), ~std::uint64_t{0});
}

/// A decimal is rounded up, so that whole products are whole.
TEST(HashFormula, ComputesFractionsExactlyEnough)
{
  for (std::uint64_t tenths = 1; tenths < 10; ++tenths) {
    std::string const formula = "floor(0." + std::to_string(tenths) + " * k)";
    for (std::uint64_t key = 0; key < 1000; ++key) {
      EXPECT_EQ(value_of(formula, key), tenths * key / 10) << formula << " of " << key;
    }
  }
  EXPECT_EQ(value_of("floor(2.75 + 0.5 * k)", 3), 4u);
  EXPECT_EQ(value_of("floor(1.5 * 1.5 * 4)", 0), 9u);
  EXPECT_EQ(value_of("floor(100 * frac(3.25 - 0.5))", 0), 75u);
  EXPECT_EQ(value_of("floor(k / 10)", 57), 5u);
}

TEST(HashFormula, KnowsTheNextPrime)
{
  FormulaHasher<std::uint32_t> const hasher(choice_of("k % next_prime(m)", HashReduction::modulo), 90);
  EXPECT_EQ(hasher.home(96), 96u % 90u);  // the prime is 97
  EXPECT_EQ(hasher.home(98), 1u);
  EXPECT_EQ(value_of("k % next_prime(14)", 20), 3u);
}

TEST(HashFormula, SplitsKeysIntoCoordinates)
{
  EXPECT_EQ(value_of("x + 1000 * y + 1000000 * z", 3u | 5u << 10 | 7u << 20), 7005003u);
  EXPECT_EQ(value_of("y", std::uint64_t{77} << 21, 11, 64), 77u);
  EXPECT_EQ(value_of("morton(1, 2, 4)", 0), 0b100010001u);
}

TEST(HashFormula, PointsAtWhatIsWrong)
{
  EXPECT_EQ(error_of("(7*k + 3) * "), "expected a number after * at column 13");
  EXPECT_EQ(error_of("7 * * k"), "expected a number after * at column 5");
  EXPECT_EQ(error_of("(7*k + 3"), "expected ) after the expression in parentheses at column 9");
  EXPECT_EQ(error_of("7*k) % 11"), "a ) without a ( at column 4");
  EXPECT_EQ(error_of("7k"), "‘7k’ is not a number at column 1: put a * between a number and a name, as in 7*k");
  EXPECT_THAT(error_of("k % 0"), HasSubstr("division by zero at column 3"));
  EXPECT_THAT(error_of("k % (3 - 3)"), HasSubstr("division by zero"));
  EXPECT_THAT(error_of("key % 11"), HasSubstr("unknown name ‘key’ at column 1"));
  EXPECT_THAT(error_of("sha1(k)"), HasSubstr("unknown function ‘sha1’ at column 1"));
  EXPECT_THAT(error_of("rotl(k)"), HasSubstr("rotl takes 2 arguments, not 1, at column 7"));
  EXPECT_THAT(error_of("0.6 * k"), HasSubstr("put floor(...) around it"));
  EXPECT_THAT(error_of("0.6 * k % 11"), HasSubstr("put floor(...) around that number"));
  EXPECT_THAT(error_of("frac(k / 10)"), HasSubstr("write 0.1 * k"));
  EXPECT_THAT(error_of("k % 2^20"), HasSubstr("no error"));
  EXPECT_THAT(error_of("2^20"), HasSubstr("write 1 << 20"));
  EXPECT_THAT(error_of("next_prime(k)"), HasSubstr("next_prime takes m or a number"));
  EXPECT_THAT(error_of("99999999999999999999"), HasSubstr("more than 64 bits at column 1"));
  EXPECT_THAT(error_of(""), HasSubstr("the formula is empty"));
  EXPECT_THAT(error_of("k $ 3"), HasSubstr("expected an operator such as + at column 3"));
}

TEST(HashFormula, RefusesWhatIsTooLong)
{
  std::string sum = "k";
  for (int i = 0; i < 30; ++i) { sum += "+k"; }
  EXPECT_THAT(error_of(sum), HasSubstr("61 steps; the limit is 48"));
  std::string numbers = "k";
  for (int i = 1; i < 15; ++i) { numbers += "+" + std::to_string(i); }
  EXPECT_THAT(error_of(numbers), HasSubstr("more than 12 different numbers"));
  std::string nested;
  for (int i = 0; i < 9; ++i) { nested += "k+("; }
  EXPECT_THAT(error_of(nested + "k" + std::string(9, ')')), HasSubstr("more than 8 numbers at once"));
  EXPECT_THAT(error_of(std::string(longest_formula + 1, '~')), HasSubstr("the limit is 240"));
  EXPECT_THAT(error_of(std::string(longest_formula, '(')), HasSubstr("expected a number"));
}

TEST(HashFormula, EveryReadyOneIsShortEnough)
{
  for (ReadyFormula const& ready : ready_formulas()) {
    EXPECT_EQ(value_of(std::string(ready.name), 12345), value_of(std::string(ready.formula), 12345)) << ready.name;
  }
}

TEST(HashFormula, GivesHomesByEveryReduction)
{
  auto const home = [](HashReduction reduction, std::uint64_t slots, std::uint32_t key) {
    return FormulaHasher<std::uint32_t>(choice_of("3 * k", reduction), slots).home(key);
  };
  EXPECT_EQ(home(HashReduction::usual, 11, 15), 45u % 11u);
  EXPECT_EQ(home(HashReduction::modulo, 11, 15), 45u % 11u);
  EXPECT_EQ(home(HashReduction::mask, 16, 15), 45u & 15u);
  EXPECT_EQ(home(HashReduction::prime, 16, 15), 45u % 13u);
  EXPECT_EQ(home(HashReduction::multiply_high, 16, 0x20000000u), 6u);
  EXPECT_THROW(home(HashReduction::mask, 11, 15), Error);
}

/// The same as the compiled-in ones, where their reductions are written out.
TEST(HashFormula, AgreesWithCompiledInHashes)
{
  for (HashKind const kind : {HashKind::murmur3, HashKind::xxhash, HashKind::identity}) {
    HashChoice choice = kind;
    choice.reduction = HashReduction::mask;
    FormulaHasher<std::uint64_t> const program(choice, 1024);
    BasicHasher<std::uint64_t> const usual(kind, 1024);
    EXPECT_EQ(program.kind(), HashKind::formula);
    for (std::uint64_t key = 0; key < 1000; ++key) { EXPECT_EQ(program.home(key * key), usual.home(key * key)); }
  }
  HashChoice high = HashKind::fibonacci;
  high.reduction = HashReduction::multiply_high;
  FormulaHasher<std::uint32_t> const program(high, 1024);
  BasicHasher<std::uint32_t> const usual(HashKind::fibonacci, 1024);
  for (std::uint32_t key = 0; key < 1000; ++key) { EXPECT_EQ(program.home(key), usual.home(key)); }
}

TEST(HashFormula, SaysEachValueWithItsNumbers)
{
  EXPECT_EQ(in_words("(7*k + 3) % 11", 15, 11), "7 · 15 + 3 = 108; 108 mod 11 = 9");
  EXPECT_EQ(in_words("7*k + 3", 15, 11), "7 · 15 + 3 = 108; 108 mod 11 = 9");
  EXPECT_EQ(in_words("(k + 3) * 2", 15, 64), "(15 + 3) · 2 = 36");
  EXPECT_EQ(in_words("k", 15, 11), "15 mod 11 = 4");
  EXPECT_EQ(in_words("k", 5, 11), "k = 5");
  EXPECT_EQ(in_words("k", 15, 8, HashReduction::mask), "15 and 7 = 7");
  EXPECT_EQ(in_words("k * 3 ^ k >> 1", 5, 64), "5 · 3 = 15; 5 >> 1 = 2; 15 xor 2 = 13");
  EXPECT_EQ(in_words("rotl(k + 1, 4)", 1, 64), "1 + 1 = 2; rotl(2, 4) = 32");
  EXPECT_EQ(in_words("floor(m * frac(0.6180339887 * k))", 123456, 1u << 14),
            "0.6180339887 · 123456 = 76300.00411; frac(76300.00411) = 0.0041089472; "
            "16384 · 0.0041089472 = 67.32099092; floor(67.32099092) = 67");
}

}  // namespace
}  // namespace slotscape
