#include "gpu/watch/hash.hpp"

#include <gmock/gmock.h>

#include <bit>

namespace slotscape::watch {
namespace {

std::uint64_t hashed(HashFunction function, std::uint64_t key, int bits, std::uint64_t seed = 0)
{
  return hash_of({.function = function, .seed = seed}, key, bits);
}

/// Values of the reference implementation (github.com/Cyan4973/xxHash), as the tests of cuCollections print them.
TEST(HashTest, Xxhash32IsThatOfItsReference)
{
  EXPECT_EQ(hashed(HashFunction::xxhash_32, 0, 32), 148298089u);
  EXPECT_EQ(hashed(HashFunction::xxhash_32, 0, 32, 42), 2132181312u);
  EXPECT_EQ(hashed(HashFunction::xxhash_32, 42, 32), 1161967057u);
  EXPECT_EQ(hashed(HashFunction::xxhash_32, 123456789, 32), 2987034094u);
  EXPECT_EQ(hashed(HashFunction::xxhash_32, 0, 64), 3736311059u);
  EXPECT_EQ(hashed(HashFunction::xxhash_32, 0, 64, 42), 1076387279u);
  EXPECT_EQ(hashed(HashFunction::xxhash_32, 42, 64), 2332451213u);
  EXPECT_EQ(hashed(HashFunction::xxhash_32, 123456789, 64), 1561711919u);
}

TEST(HashTest, Xxhash64IsThatOfItsReference)
{
  EXPECT_EQ(hashed(HashFunction::xxhash_64, 0, 32), 4246796580750024372u);
  EXPECT_EQ(hashed(HashFunction::xxhash_64, 0, 32, 42), 3614696996920510707u);
  EXPECT_EQ(hashed(HashFunction::xxhash_64, 42, 32), 15516826743637085169u);
  EXPECT_EQ(hashed(HashFunction::xxhash_64, 123456789, 32), 9462334144942111946u);
  EXPECT_EQ(hashed(HashFunction::xxhash_64, 0, 64), 3803688792395291579u);
  EXPECT_EQ(hashed(HashFunction::xxhash_64, 0, 64, 42), 13194218611613725804u);
  EXPECT_EQ(hashed(HashFunction::xxhash_64, 42, 64), 13066772586158965587u);
  EXPECT_EQ(hashed(HashFunction::xxhash_64, 123456789, 64), 14662639848940634189u);
}

TEST(HashTest, Murmur128IsThatOfItsReference)
{
  EXPECT_EQ(hashed(HashFunction::murmur3_128, 0, 32), 14961230494313510588u);
  EXPECT_EQ(hashed(HashFunction::murmur3_128, 9, 32), 1779292183511753683u);
  EXPECT_EQ(hashed(HashFunction::murmur3_128, 42, 32), 2913627637088662735u);
  EXPECT_EQ(hashed(HashFunction::murmur3_128, 42, 32, 42), 2248879576374326886u);
  EXPECT_EQ(hashed(HashFunction::murmur3_128, 0x0000000200000002u, 64), 12221386834995143465u);  // of {2, 2}
}

/// Of the four bytes of "test": two values that are widely printed.
TEST(HashTest, Murmur32IsThatOfItsReference)
{
  constexpr std::uint64_t test = 0x74736574u;
  EXPECT_EQ(hashed(HashFunction::murmur3_32, test, 32), 0xba6bd213u);
  EXPECT_EQ(hashed(HashFunction::murmur3_32, test, 32, 0x9747b28cu), 0x704b81dcu);
}

/// A key of eight bytes is two blocks: the algorithm as Appleby describes it, written out.
TEST(HashTest, Murmur32OfEightBytesTakesTwoBlocks)
{
  for (std::uint64_t const key : {std::uint64_t{0x0123456789abcdefu}, ~std::uint64_t{0}, std::uint64_t{42}}) {
    std::uint32_t hash = 7;
    for (std::uint32_t block : {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32)}) {
      block *= 0xcc9e2d51u;
      block = std::rotl(block, 15);
      block *= 0x1b873593u;
      hash ^= block;
      hash = std::rotl(hash, 13);
      hash = hash * 5 + 0xe6546b64u;
    }
    hash ^= 8;
    hash ^= hash >> 16;
    hash *= 0x85ebca6bu;
    hash ^= hash >> 13;
    hash *= 0xc2b2ae35u;
    hash ^= hash >> 16;
    EXPECT_EQ(hashed(HashFunction::murmur3_32, key, 64, 7), hash);
  }
}

/// Of the bytes 0xff, 0xee ... 0x00, as the Python packages xxhash 3 and mmh3 5 have them.
TEST(HashTest, KeysOf16BytesAreHashedAsTheReferencesDo)
{
  constexpr AnyKey key = (AnyKey{0x0011223344556677u} << 64) | 0x8899aabbccddeeffu;
  auto const wide = [&](HashFunction function, AnyKey of, std::uint64_t seed) {
    return hash_of({.function = function, .seed = seed}, of, 128);
  };
  EXPECT_EQ(wide(HashFunction::murmur3_32, key, 0), 3663142754u);
  EXPECT_EQ(wide(HashFunction::murmur3_32, key, 42), 1684315538u);
  EXPECT_EQ(wide(HashFunction::murmur3_128, key, 0), 12346565165945620756u);
  EXPECT_EQ(wide(HashFunction::murmur3_128, key, 42), 12663912201022720579u);
  EXPECT_EQ(wide(HashFunction::xxhash_32, key, 0), 1204139960u);
  EXPECT_EQ(wide(HashFunction::xxhash_32, key, 42), 1857644546u);
  EXPECT_EQ(wide(HashFunction::xxhash_64, key, 0), 15949089759414575093u);
  EXPECT_EQ(wide(HashFunction::xxhash_64, key, 42), 14591914836327850756u);
  EXPECT_EQ(wide(HashFunction::murmur3_128, 0, 0), 5457549051747178710u);
  EXPECT_EQ(wide(HashFunction::xxhash_32, ~AnyKey{0}, 42), 486379498u);
  EXPECT_FALSE(is_defined(HashFunction::murmur3_finaliser, 128));
}

TEST(HashTest, OwnHashesAreThoseOfTheTables)
{
  for (std::uint64_t slots : {std::uint64_t{1} << 12, std::uint64_t{5000}}) {
    bool const power_of_two = std::has_single_bit(slots);
    for (std::uint64_t i = 0; i < 1000; ++i) {
      std::uint64_t const key = random64(3, i);
      auto const narrow = static_cast<std::uint32_t>(key);
      Reduction const low = power_of_two ? Reduction::mask : Reduction::multiply_shift_32;
      Reduction const high = power_of_two ? Reduction::multiply_shift : Reduction::multiply_shift_32;
      auto const home = [&](HashFunction function, Reduction reduction, int bits) {
        return place_of({.function = function, .reduction = reduction}, bits == 32 ? narrow : key, bits, slots);
      };
      EXPECT_EQ(home(HashFunction::murmur3_finaliser, low, 32),
                BasicHasher<std::uint32_t>(HashKind::murmur3, slots).home(narrow));
      EXPECT_EQ(home(HashFunction::murmur3_finaliser, low, 64),
                BasicHasher<std::uint64_t>(HashKind::murmur3, slots).home(key));
      EXPECT_EQ(home(HashFunction::xxhash_avalanche, low, 32),
                BasicHasher<std::uint32_t>(HashKind::xxhash, slots).home(narrow));
      EXPECT_EQ(home(HashFunction::fibonacci, high, 64),
                BasicHasher<std::uint64_t>(HashKind::fibonacci, slots).home(key));
      EXPECT_EQ(home(HashFunction::identity, Reduction::modulo, 32),
                BasicHasher<std::uint32_t>(HashKind::identity, slots).home(narrow));
    }
  }
}

/// The first numbers of the sequences that begin with these states (Vigna, splitmix64.c).
TEST(HashTest, Splitmix64IsThatOfItsReference)
{
  Hash const hash{.function = HashFunction::splitmix64};
  EXPECT_EQ(hash_of(hash, 0, 64), 0xe220a8397b1dcdafu);
  EXPECT_EQ(hash_of(hash, 1234567, 64), 6457827717110365317u);
  EXPECT_EQ(hash_of(hash, 1234567, 32), 6457827717110365317u);
}

TEST(HashTest, PlacesAreWithinTheTable)
{
  for (Reduction reduction :
       {Reduction::modulo, Reduction::mask, Reduction::multiply_shift, Reduction::multiply_shift_32}) {
    for (std::size_t function = 0; function < hash_function_names.size(); ++function) {
      for (std::uint64_t i = 0; i < 200; ++i) {
        Hash const hash{.function = static_cast<HashFunction>(function), .reduction = reduction};
        EXPECT_LT(place_of(hash, random64(5, i), 64, 1024), 1024u);
        EXPECT_LT(place_of(hash, static_cast<std::uint32_t>(random64(5, i)), 32, 1024), 1024u);
      }
    }
  }
}

}  // namespace
}  // namespace slotscape::watch
