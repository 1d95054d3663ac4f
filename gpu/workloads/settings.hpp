#pragma once

#include "gpu/tables/types.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace slotscape {

enum class HashKind : std::uint8_t { murmur3, xxhash, fibonacci, identity };

/// Where the keys of inserts come from. Every one but `zipf` and `file` gives distinct keys until it runs out.
enum class KeyDistribution : std::uint8_t { uniform, sequential, strided, zipf, clustered, one_home, file };

/// What an operation acts on: new keys from the distribution, keys now in the table, or keys never inserted.
enum class KeyChoice : std::uint8_t { stream, hits, misses, mixed };

struct KeySettings {
  KeyDistribution distribution = KeyDistribution::uniform;
  std::uint32_t stride = 64;            ///< strided: distance between keys, a power of two
  double zipf_exponent = 0.99;          ///< zipf: exponent s > 0 of P(rank) ~ rank^-s
  std::uint32_t cluster_length = 4096;  ///< clustered: consecutive keys in a hot range, a power of two
  std::shared_ptr<std::vector<Key> const> file_keys;
  std::string file_name;  ///< where `file_keys` came from
};

struct TableSettings {
  std::string family = "linear_probing";
  std::uint64_t slots = 1u << 16;
  Deletion deletion = Deletion::empty_value;
  HashKind hash = HashKind::murmur3;
  int key_bits = 32;  ///< of keys and of values: 32 or 64
  std::map<std::string, std::uint32_t> parameters =
      {};  ///< of the family (`FamilyInfo::parameters`), where not as usual
  friend bool operator==(TableSettings const&, TableSettings const&) = default;
};

}  // namespace slotscape
