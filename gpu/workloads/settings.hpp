#pragma once

#include "gpu/tables/settings.hpp"

#include <memory>
#include <string>
#include <vector>

namespace slotscape {

/// The source of the keys of inserts. Their values are their numbers in the stream, or 1 if the table adds values up.
/// All except `zipf` and `file` yield distinct keys until they run out. A batch with more operations than the file has
/// keys left stops there, unless the file repeats.
enum class KeyDistribution : std::uint8_t { uniform, sequential, strided, zipf, clustered, one_home, file };

/// The keys of an operation: new keys from the distribution, keys now in the table, or keys never inserted. Inserts
/// take new keys in the order of the stream. Finds and erases draw `stream` keys at random, except from a file: there,
/// each kind of operation takes keys in the order of the file, from the first one on, unless it is part of a mix.
enum class KeyChoice : std::uint8_t { stream, hits, misses, mixed };

struct KeySettings {
  KeyDistribution distribution = KeyDistribution::uniform;
  std::uint32_t stride = 64;            ///< strided: distance between keys, a power of two
  double zipf_exponent = 0.99;          ///< zipf: exponent s > 0 of P(rank) ~ rank^-s
  std::uint32_t cluster_length = 4096;  ///< clustered: consecutive keys in a hot range, a power of two
  std::shared_ptr<std::vector<Key> const> file_keys;
  std::string file_name;         ///< the file that `file_keys` came from
  bool file_repeats = false;     ///< operations restart at the beginning of the file, instead of stopping at its end
  std::string file_column = {};  ///< for a file with named columns: the column with the keys

  friend bool operator==(KeySettings const&, KeySettings const&) = default;
};

/// One batch of generated operations, submitted together: `count` of one kind, or a mix.
struct BatchRequest {
  std::uint64_t count = 0;
  double insert = 1.0;  ///< shares of the three kinds; they sum to 1
  double find = 0.0;
  double erase = 0.0;
  KeyChoice find_keys = KeyChoice::hits;   ///< hits, misses, mixed (by hit_share) or stream
  KeyChoice erase_keys = KeyChoice::hits;  ///< hits (distinct random live keys), misses or stream
  double hit_share = 0.5;                  ///< share of hits among finds, if find_keys is `mixed`
  bool at_random = false;                  ///< `stream` keys of a file are drawn at random, not in order
  friend bool operator==(BatchRequest const&, BatchRequest const&) = default;

  static BatchRequest inserts(std::uint64_t count) { return {.count = count}; }
  static BatchRequest finds(std::uint64_t count, KeyChoice keys)
  {
    return {.count = count, .insert = 0.0, .find = 1.0, .find_keys = keys};
  }
  static BatchRequest erases(std::uint64_t count, KeyChoice keys = KeyChoice::hits)
  {
    return {.count = count, .insert = 0.0, .erase = 1.0, .erase_keys = keys};
  }
  /// This request as a mix, or as a part of a mix: mixes find and erase keys drawn at random.
  BatchRequest as_mix() const
  {
    BatchRequest mix = *this;
    mix.at_random = find_keys == KeyChoice::stream || erase_keys == KeyChoice::stream;
    return mix;
  }
};

}  // namespace slotscape
