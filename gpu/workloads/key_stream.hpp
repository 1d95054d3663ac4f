#pragma once

#include "gpu/base/error.hpp"
#include "gpu/base/pair_format.hpp"
#include "gpu/base/random.hpp"
#include "gpu/tables/hash.hpp"
#include "gpu/tables/shards.hpp"
#include "gpu/workloads/settings.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

namespace slotscape {

/// A stream of keys, usable by any thread on any device. `key(n)` is the n-th key of the stream, `miss(n)` a key that
/// the stream never yields, of the same pattern. The first 2^31 keys of streams other than `zipf` and `file` are
/// distinct; the numbers from 2^31 on provide the misses.
template <PairFormat Format>
struct KeyStream {
  using Key = typename Format::Key;
  static constexpr std::uint32_t miss_half = 0x80000000u;

  KeyDistribution distribution;
  std::uint64_t seed;
  HasherOf<Format> hasher;  ///< one_home: of the table at which keys are aimed, or of each of its shards
  int stride_bits;          ///< strided: log2 of the stride
  int cluster_bits;         ///< clustered: log2 of the length of a hot range
  double zipf_exponent;
  std::uint64_t zipf_keys;  ///< zipf: number of different keys
  Key const* file_keys;     ///< file: in the order of the file, in device memory
  Key const* sorted_file_keys;
  std::uint64_t file_count;
  bool counts;  ///< each insertion has the value 1, to be added up

  /// The value for the insertion of the n-th key; in a set, the mark that the key is present.
  SLOTSCAPE_HOST_DEVICE typename Format::Value value(std::uint64_t number) const
  {
    if constexpr (Format::has_values) {
      return counts ? 1 : static_cast<typename Format::Value>(number & 0x7fffffffu);
    } else {
      return !Format::empty_value;
    }
  }

  SLOTSCAPE_HOST_DEVICE Key key(std::uint64_t number) const
  {
    if (distribution == KeyDistribution::file) { return file_keys[number % file_count]; }
    if (distribution == KeyDistribution::zipf) { return allowed(zipf_rank(number)); }
    return allowed(static_cast<std::uint32_t>(number) & ~miss_half);
  }

  SLOTSCAPE_HOST_DEVICE Key miss(std::uint64_t number) const
  {
    std::uint32_t ordinal = static_cast<std::uint32_t>(random64(seed ^ 0x6d697373u, number)) | miss_half;
    Key key = allowed(ordinal);
    while (distribution == KeyDistribution::file && in_file(key)) { key = allowed(++ordinal | miss_half); }
    return key;
  }

private:
  /// Skips the reserved keys by continuing along the cycle of the bijection.
  SLOTSCAPE_HOST_DEVICE Key allowed(std::uint32_t ordinal) const
  {
    bool const reserved = Narrow::is_reserved(ordinal);
    Key key = bijection(reserved ? miss_half : ordinal);  // prevents a walk from starting where another ends
    while (Format::is_reserved(key)) { key = bijection(static_cast<std::uint32_t>(key)); }
    return key;
  }

  SLOTSCAPE_HOST_DEVICE Key bijection(std::uint32_t ordinal) const
  {
    switch (distribution) {
      case KeyDistribution::sequential: return ordinal;
      case KeyDistribution::strided: return strided(ordinal);
      case KeyDistribution::clustered: return hot_range(ordinal);
      case KeyDistribution::one_home: return same_home(ordinal);
      default: break;
    }
    std::uint32_t const spread = Permutation{seed, 32}(ordinal);
    if constexpr (Format::bits == 64) { return HashRounds<Key>::of(HashKind::murmur3)(spread); }
    return spread;
  }

  /// For 32 bits, stream keys are below 2^31: the multiples of the stride, then the numbers after each multiple. Absent
  /// keys are the multiples from 2^31 on, so that they resemble stream keys.
  SLOTSCAPE_HOST_DEVICE Key strided(std::uint32_t ordinal) const
  {
    if constexpr (Format::bits == 64) { return Key{ordinal} << stride_bits; }
    std::uint32_t const within = ordinal & ~miss_half;
    std::uint32_t const multiple = (within << stride_bits) & ~miss_half;
    if ((ordinal & miss_half) != 0) { return miss_half | multiple; }
    return multiple | (within >> (31 - stride_bits));
  }

  /// Ranges of 2^cluster_bits consecutive keys, one range after the other, each in random order.
  SLOTSCAPE_HOST_DEVICE Key hot_range(std::uint32_t ordinal) const
  {
    std::uint32_t const range = Permutation{seed, 32 - cluster_bits}(ordinal >> cluster_bits);
    std::uint32_t const within = ordinal & ((1u << cluster_bits) - 1);
    int const apart = Format::bits - 32;  // wide keys: spreads the ranges over all 64-bit numbers
    return (Key{range} << (cluster_bits + apart)) | Permutation{seed + range + 1, cluster_bits}(within);
  }

  /// Keys with one home slot. When half of its keys are used up, continues with the next home.
  SLOTSCAPE_HOST_DEVICE Key same_home(std::uint32_t ordinal) const
  {
    std::uint64_t const half = hasher.keys_per_home() / 2;
    std::uint32_t const within = ordinal & ~miss_half;
    std::uint64_t const miss = (ordinal & miss_half) != 0 ? half : 0;
    std::uint64_t const home = (random64(seed, 0) >> 32) + within / half;
    return hasher.key_with_home(static_cast<Slot>(home % hasher.slots()), within % half + miss);
  }

  SLOTSCAPE_HOST_DEVICE bool in_file(Key key) const
  {
    std::uint64_t low = 0;
    for (std::uint64_t high = file_count; low < high;) {
      std::uint64_t const middle = (low + high) / 2;
      if (sorted_file_keys[middle] < key) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < file_count && sorted_file_keys[low] == key;
  }

  /// Zipf-distributed ranks from 0, by rejection-inversion (Hörmann & Derflinger 1996).
  SLOTSCAPE_HOST_DEVICE std::uint32_t zipf_rank(std::uint64_t number) const
  {
    double const first = area(1.5) - 1.0;
    double const last = area(static_cast<double>(zipf_keys) + 0.5);
    for (std::uint64_t attempt = 0;; ++attempt) {
      double const u = last + random_unit(seed + attempt, number) * (first - last);
      double const x = inverse_area(u);
      double const rank = floor(x + 0.5) < 1.0 ? 1.0 : floor(x + 0.5);
      bool const accepted = u >= area(rank + 0.5) - exp(-zipf_exponent * log(rank));
      if ((accepted || attempt == 63) && rank <= static_cast<double>(zipf_keys)) {
        return static_cast<std::uint32_t>(rank) - 1;
      }
    }
  }

  /// The integral of x^-s, and its inverse.
  SLOTSCAPE_HOST_DEVICE double area(double x) const
  {
    double const t = 1.0 - zipf_exponent;
    return fabs(t) < 1e-9 ? log(x) : expm1(t * log(x)) / t;
  }
  SLOTSCAPE_HOST_DEVICE double inverse_area(double area) const
  {
    double const t = 1.0 - zipf_exponent;
    return fabs(t) < 1e-9 ? exp(area) : exp(log1p(t * area) / t);
  }
};

/// The binary logarithm of a setting. Throws Error if it is not a power of two.
inline int binary_logarithm(std::uint32_t value, char const* name)
{
  if (!std::has_single_bit(value)) {
    std::uint64_t const below = std::bit_floor(std::max(value, 1u));
    std::string const above = value == 0 || below > (1u << 30) ? "" : " or " + std::to_string(2 * below);
    throw Error(std::string("'") + name + "' must be a power of two, not " + std::to_string(value) + ": choose " +
                std::to_string(below) + above + ".");
  }
  return static_cast<int>(std::bit_width(value)) - 1;
}

/// The hasher of a table with a compiled-in hash. Keys cannot be aimed at a home of other tables.
template <PairFormat Format>
HasherOf<Format> aimed_hasher(TableSettings const& table)
{
  return {table.hash.is_compiled_in() ? table.hash.kind : HashKind::identity, slots_of_shard(table)};
}

/// The stream for a seed and the table `aimed_at`, without the keys of a file. Throws Error if the settings are
/// invalid.
template <PairFormat Format>
KeyStream<Format> key_stream_of(KeySettings const& settings, std::uint64_t seed, TableSettings const& aimed_at)
{
  if (!(settings.zipf_exponent > 0.0)) { throw Error("The Zipf exponent must be greater than 0."); }
  if (settings.distribution == KeyDistribution::one_home && !aimed_at.hash.is_compiled_in()) {
    throw Error(
        "Keys for one home are made by a hash that runs backwards, which a formula cannot: choose another "
        "pattern of keys, or one of the hashes with a name and their usual reduction.");
  }
  KeyStream<Format> stream{};
  stream.distribution = settings.distribution;
  stream.seed = random64(seed, 0x6b657973);
  stream.hasher = aimed_hasher<Format>(aimed_at);
  stream.stride_bits = binary_logarithm(settings.stride, "stride");
  stream.cluster_bits = binary_logarithm(settings.cluster_length, "cluster_length");
  stream.zipf_exponent = settings.zipf_exponent;
  stream.zipf_keys = aimed_at.slots;
  stream.counts = aimed_at.combine == Combine::add;
  return stream;
}

/// Whether the stream never repeats a key.
inline bool is_distinct(KeyDistribution distribution)
{
  return distribution != KeyDistribution::zipf && distribution != KeyDistribution::file;
}

}  // namespace slotscape
