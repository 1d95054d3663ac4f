#pragma once

#include "gpu/base/pair_format.hpp"
#include "gpu/base/random.hpp"
#include "gpu/base/types.hpp"
#include "gpu/tables/hash.hpp"
#include "gpu/tables/hash_evaluation.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace slotscape::watch {

/// A key of a foreign table: 32, 64 or 128 bits, stored in the low bits.
using AnyKey = Uint128;

/// The hash functions of foreign tables. Each is defined by its published reference.
enum class HashFunction : std::uint8_t {
  identity,             ///< also `std::hash` of integers in libstdc++ and libc++
  murmur3_finaliser,    ///< of the key's width (Appleby, MurmurHash3: fmix32, fmix64)
  murmur3_finaliser32,  ///< the 32-bit finaliser in the arithmetic of the key's width, as in spconv
  murmur3_32,           ///< MurmurHash3_x86_32 of the key's bytes
  murmur3_128,          ///< the first 64 bits of MurmurHash3_x64_128 of the key's bytes
  xxhash_32,            ///< XXH32 of the key's bytes (Collet)
  xxhash_64,            ///< XXH64 of the key's bytes
  xxhash_avalanche,     ///< only the last step of XXH32 or XXH64
  fibonacci,            ///< multiplication by 2^width over the golden ratio (Knuth, TAOCP 3, 6.4)
  universal,            ///< ((x ^ key) + y) mod 4294967291, as in SlabHash
  splitmix,             ///< `random64(seed, key)` of gpu/base/random.hpp
  splitmix64,           ///< SplitMix64's number after the state `key` (Steele, Lea & Flood 2014)
  formula,              ///< a program's result for the key (gpu/tables/hash_formula.hpp); m: number of places
};

/// How a hash is reduced to one of n places.
enum class Reduction : std::uint8_t {
  modulo,
  mask,               ///< the low bits; n must be a power of two
  multiply_shift,     ///< hash * n / 2^width (Lemire 2019): the high bits, if n is a power of two
  multiply_shift_32,  ///< multiply_shift of the upper 32 bits of the hash
};

/// Which part of a 64-bit key is hashed.
enum class Words : std::uint8_t {
  all,
  low,           ///< the lower 32 bits, by the function for 32-bit keys
  high,          ///< the upper 32 bits
  swapped,       ///< all, with the halves swapped
  low_extended,  ///< the lower 32 bits by the function for 64-bit keys, as if a key was stored in an int
};

/// A hash function with all its parameters.
struct Hash {
  HashFunction function = HashFunction::murmur3_finaliser;
  Reduction reduction = Reduction::modulo;
  std::uint64_t seed = 0;  ///< seed of byte-wise functions; XORed to the key for others
  std::uint64_t add = 0;   ///< added to the key before hashing
  /// The hash is reduced to this many places, and the result is scaled to the actual number; 0: reduced directly.
  std::uint64_t through = 0;
  std::uint32_t x = 1;  ///< of `universal`
  std::uint32_t y = 2;
  Words words = Words::all;
  std::uint8_t shift = 0;    ///< number of low bits of the hash that are dropped
  std::uint64_t mask = 0;    ///< mask for the remaining bits; 0: all are kept
  HashProgram program = {};  ///< of `formula`
  friend bool operator==(Hash const&, Hash const&) = default;
};

/// Whether the function is defined for keys of this many bits: byte-wise functions take any width, others one word.
SLOTSCAPE_HOST_DEVICE constexpr bool is_defined(HashFunction function, int key_bits)
{
  switch (function) {
    case HashFunction::murmur3_32:
    case HashFunction::murmur3_128:
    case HashFunction::xxhash_32:
    case HashFunction::xxhash_64: return true;
    default: return key_bits <= 64;
  }
}

/// The number of bits of the function's result.
SLOTSCAPE_HOST_DEVICE constexpr int hash_bits(HashFunction function, int key_bits)
{
  switch (function) {
    case HashFunction::murmur3_32:
    case HashFunction::xxhash_32: return 32;
    case HashFunction::murmur3_128:
    case HashFunction::xxhash_64:
    case HashFunction::splitmix:
    case HashFunction::splitmix64:
    case HashFunction::formula: return 64;
    default: return key_bits;
  }
}

namespace hashing {

template <class U>
SLOTSCAPE_HOST_DEVICE constexpr U rotated(U x, int by)
{
  return static_cast<U>((x << by) | (x >> (static_cast<int>(8 * sizeof(U)) - by)));
}

SLOTSCAPE_HOST_DEVICE constexpr std::uint32_t finalised32(std::uint32_t x)
{
  return HashRounds<std::uint32_t>{~0u, 0x85ebca6bu, 0xc2b2ae35u, 16, 13, 16}(x);
}
SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t finalised64(std::uint64_t x)
{
  return HashRounds<std::uint64_t>{~std::uint64_t{0}, 0xff51afd7ed558ccdu, 0xc4ceb9fe1a85ec53u, 33, 33, 33}(x);
}

SLOTSCAPE_HOST_DEVICE constexpr std::uint32_t avalanche32(std::uint32_t x)
{
  return HashRounds<std::uint32_t>{~0u, 0x85ebca77u, 0xc2b2ae3du, 15, 13, 16}(x);
}
SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t avalanche64(std::uint64_t x)
{
  return HashRounds<std::uint64_t>{~std::uint64_t{0}, 0xc2b2ae3d27d4eb4fu, 0x165667b19e3779f9u, 33, 29, 32}(x);
}

/// Hashes the low `bytes` bytes of a key: 4 or 8, or 16 of an AnyKey.
template <class Key>
SLOTSCAPE_HOST_DEVICE constexpr std::uint32_t murmur3_32(Key key, int bytes, std::uint32_t seed)
{
  std::uint32_t hash = seed;
  for (int i = 0; i < bytes; i += 4) {
    std::uint32_t block = static_cast<std::uint32_t>(key >> (8 * i)) * 0xcc9e2d51u;
    block = rotated(block, 15) * 0x1b873593u;
    hash = rotated(hash ^ block, 13) * 5u + 0xe6546b64u;
  }
  return finalised32(hash ^ static_cast<std::uint32_t>(bytes));
}

/// A key of 4 or 8 bytes is shorter than a 16-byte block, so the whole key is the tail, in the reference's terms.
SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t murmur3_128(std::uint64_t key, int bytes, std::uint64_t seed)
{
  std::uint64_t first = seed;
  std::uint64_t second = seed;
  first ^= rotated(key * 0x87c37b91114253d5u, 31) * 0x4cf5ad432745937fu;
  first ^= static_cast<std::uint64_t>(bytes);
  second ^= static_cast<std::uint64_t>(bytes);
  first += second;
  second += first;
  return finalised64(first) + finalised64(second);
}

/// For a 16-byte key, which is one block.
SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t murmur3_128_of_block(AnyKey key, std::uint64_t seed)
{
  constexpr std::uint64_t c1 = 0x87c37b91114253d5u;
  constexpr std::uint64_t c2 = 0x4cf5ad432745937fu;
  auto const low = static_cast<std::uint64_t>(key);
  auto const high = static_cast<std::uint64_t>(key >> 64);
  std::uint64_t first = rotated(seed ^ (rotated(low * c1, 31) * c2), 27);
  first = (first + seed) * 5 + 0x52dce729u;
  std::uint64_t second = rotated(seed ^ (rotated(high * c2, 33) * c1), 31);
  second = (second + first) * 5 + 0x38495ab5u;
  first ^= 16u;
  second ^= 16u;
  first += second;
  second += first;
  return finalised64(first) + finalised64(second);
}

SLOTSCAPE_HOST_DEVICE constexpr std::uint32_t xxhash_32(std::uint64_t key, int bytes, std::uint32_t seed)
{
  std::uint32_t hash = seed + 0x165667b1u + static_cast<std::uint32_t>(bytes);
  for (int i = 0; i < bytes; i += 4) {
    hash += static_cast<std::uint32_t>(key >> (8 * i)) * 0xc2b2ae3du;
    hash = rotated(hash, 17) * 0x27d4eb2fu;
  }
  return avalanche32(hash);
}

/// For a 16-byte key, which is one stripe: a word for each of four accumulators.
SLOTSCAPE_HOST_DEVICE constexpr std::uint32_t xxhash_32_of_stripe(AnyKey key, std::uint32_t seed)
{
  constexpr std::uint32_t prime1 = 0x9e3779b1u;
  constexpr std::uint32_t prime2 = 0x85ebca77u;
  auto const word = [&](int i) { return static_cast<std::uint32_t>(key >> (32 * i)) * prime2; };
  std::uint32_t const hash = rotated(rotated(seed + prime1 + prime2 + word(0), 13) * prime1, 1) +
                             rotated(rotated(seed + prime2 + word(1), 13) * prime1, 7) +
                             rotated(rotated(seed + word(2), 13) * prime1, 12) +
                             rotated(rotated(seed - prime1 + word(3), 13) * prime1, 18);
  return avalanche32(hash + 16u);
}

/// Hashes the low `bytes` bytes of a key: 4 or 8, or 16 of an AnyKey.
template <class Key>
SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t xxhash_64(Key key, int bytes, std::uint64_t seed)
{
  constexpr std::uint64_t prime1 = 0x9e3779b185ebca87u;
  constexpr std::uint64_t prime2 = 0xc2b2ae3d27d4eb4fu;
  constexpr std::uint64_t prime3 = 0x165667b19e3779f9u;
  std::uint64_t hash = seed + 0x27d4eb2f165667c5u + static_cast<std::uint64_t>(bytes);
  for (int i = 0; i + 8 <= bytes; i += 8) {
    hash ^= rotated(static_cast<std::uint64_t>(key >> (8 * i)) * prime2, 31) * prime1;
    hash = rotated(hash, 27) * prime1 + 0x85ebca77c2b2ae63u;
  }
  if (bytes == 4) {
    hash ^= key * prime1;
    hash = rotated(hash, 23) * prime2 + prime3;
  }
  return avalanche64(hash);
}

/// The high 64 bits of a product.
SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t high_product(std::uint64_t a, std::uint64_t b)
{
  return static_cast<std::uint64_t>((static_cast<Uint128>(a) * b) >> 64);
}

}  // namespace hashing

/// The hash of a 16-byte key, by a function that is defined for it.
SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t hash_of_16_bytes(Hash const& hash, AnyKey key)
{
  key += hash.add;
  auto const seed = static_cast<std::uint32_t>(hash.seed);
  switch (hash.function) {
    case HashFunction::murmur3_32: return hashing::murmur3_32(key, 16, seed);
    case HashFunction::murmur3_128: return hashing::murmur3_128_of_block(key, hash.seed);
    case HashFunction::xxhash_32: return hashing::xxhash_32_of_stripe(key, seed);
    default: return hashing::xxhash_64(key, 16, hash.seed);
  }
}

/// The number of bits of the hashed part of a key.
SLOTSCAPE_HOST_DEVICE constexpr int hashed_bits(Hash const& hash, int key_bits)
{
  return key_bits == 64 && (hash.words == Words::low || hash.words == Words::high) ? 32 : key_bits;
}
/// The part of a key that is hashed. Keys that do not have 64 bits are always hashed as a whole.
SLOTSCAPE_HOST_DEVICE constexpr AnyKey hashed_part(Hash const& hash, AnyKey key, int key_bits)
{
  if (key_bits != 64) { return key; }
  auto const word = static_cast<std::uint64_t>(key);
  switch (hash.words) {
    case Words::low:
    case Words::low_extended: return static_cast<std::uint32_t>(word);
    case Words::high: return word >> 32;
    case Words::swapped: return hashing::rotated(word, 32);
    case Words::all: break;
  }
  return key;
}

/// The hash of a key of `bits` bits, by a function that is defined for it. `places`: the number that it is reduced to.
SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t hash_of(Hash const& hash, AnyKey any_key, int bits,
                                                      std::uint64_t places = 0)
{
  if (bits > 64) { return hash_of_16_bytes(hash, any_key); }
  auto key = static_cast<std::uint64_t>(any_key);
  auto const cut = [&](std::uint64_t x) { return bits == 32 ? static_cast<std::uint32_t>(x) : x; };
  int const bytes = bits / 8;
  key = cut(key + hash.add);
  std::uint64_t const mixed = cut(key ^ hash.seed);
  switch (hash.function) {
    case HashFunction::identity: return mixed;
    case HashFunction::murmur3_finaliser:
      return bits == 32 ? hashing::finalised32(static_cast<std::uint32_t>(mixed)) : hashing::finalised64(mixed);
    case HashFunction::murmur3_finaliser32: {
      std::uint64_t x = mixed;
      x = cut((x ^ (x >> 16)) * 0x85ebca6bu);
      x = cut((x ^ (x >> 13)) * 0xc2b2ae35u);
      return x ^ (x >> 16);
    }
    case HashFunction::murmur3_32: return hashing::murmur3_32(key, bytes, static_cast<std::uint32_t>(hash.seed));
    case HashFunction::murmur3_128: return hashing::murmur3_128(key, bytes, hash.seed);
    case HashFunction::xxhash_32: return hashing::xxhash_32(key, bytes, static_cast<std::uint32_t>(hash.seed));
    case HashFunction::xxhash_64: return hashing::xxhash_64(key, bytes, hash.seed);
    case HashFunction::xxhash_avalanche:
      return bits == 32 ? hashing::avalanche32(static_cast<std::uint32_t>(mixed)) : hashing::avalanche64(mixed);
    case HashFunction::fibonacci:
      return bits == 32 ? static_cast<std::uint32_t>(mixed * 0x9e3779b9u) : mixed * 0x9e3779b97f4a7c15u;
    case HashFunction::splitmix: return random64(hash.seed, key);
    case HashFunction::splitmix64: return random64(0, mixed * 0xf1de83e19937733du);  // the inverse of its increment
    case HashFunction::formula: return run(hash.program, {mixed, places, bits});
    case HashFunction::universal: return cut(cut(hash.x ^ key) + hash.y) % 4294967291u;
  }
  return key;
}

/// The input of the reduction: the hash after shift and mask.
SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t unreduced(Hash const& hash, AnyKey key, int bits, std::uint64_t places)
{
  std::uint64_t const whole =
      hash_of(hash, hashed_part(hash, key, bits), hashed_bits(hash, bits), places) >> hash.shift;
  return hash.mask == 0 ? whole : whole & hash.mask;
}

/// Reduces the hash to one of `places` places (at least one), ignoring `through`.
SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t reduced(Hash const& hash, AnyKey key, int bits, std::uint64_t places)
{
  std::uint64_t const value = unreduced(hash, key, bits, places);
  int const width = hash_bits(hash.function, hashed_bits(hash, bits));
  switch (hash.reduction) {
    case Reduction::mask: return value & (places - 1);
    case Reduction::multiply_shift: return width == 64 ? hashing::high_product(value, places) : (value * places) >> 32;
    case Reduction::multiply_shift_32: return ((width == 64 ? value >> 32 : value) * places) >> 32;
    case Reduction::modulo: break;
  }
  return value % places;
}

/// The key's place among `places` places (at least one).
SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t place_of(Hash const& hash, AnyKey key, int bits, std::uint64_t places)
{
  if (hash.through == 0) { return reduced(hash, key, bits, places); }
  std::uint64_t const place = reduced(hash, key, bits, hash.through) * ((places << 32) / hash.through) >> 32;
  return place < places ? place : places - 1;
}

/// The names that descriptions use, in the order of the enumerators.
inline constexpr std::array<std::string_view, 13> hash_function_names{
    "identity", "murmur3",   "murmur3_finaliser32", "murmur3_32", "murmur3_128", "xxhash_32", "xxhash_64",
    "xxhash",   "fibonacci", "universal",           "splitmix",   "splitmix64",  "formula"};
inline constexpr std::array<std::string_view, 5> words_names{"all", "low", "high", "swapped", "low_extended"};
inline constexpr std::array<std::string_view, 4> reduction_names{"modulo", "mask", "multiply_shift",
                                                                 "multiply_shift_32"};

}  // namespace slotscape::watch
